//! What a session remembers of its subagents (chapter *agents*): which of them go on because of a stop hook.

/// The subagents that have come to a stop before, by their `agent_id`.
#[derive(Default)]
pub(crate) struct Subagents<'a> {
    met: Vec<(&'a str, Active)>,
    /// Whether one has that the case does not name: it may be any.
    unnamed: bool,
    /// How often stop hooks can have made an agent go on, the main agent or another: a count that nothing sets back, so that it is
    /// no less than any that a runtime could keep.
    pub(crate) continuations: u32,
}

/// Whether an agent goes on because of a stop hook; nothing where that is not determined.
type Active = Option<bool>;

impl<'a> Subagents<'a> {
    /// Whether this one goes on because of a stop hook. What the others are told once a hook has made one of them go on is not
    /// said: "the runtime" goes on, too.
    pub(crate) fn active(&self, id: Option<&str>) -> Active {
        match id.map(|id| self.met.iter().find(|(met, _)| *met == id)) {
            Some(Some((_, active))) => *active,
            Some(None) | None if self.continuations > 0 => None,
            Some(None) if !self.unnamed => Some(false),
            None if self.met.is_empty() && !self.unnamed => Some(false),
            _ => None,
        }
    }

    /// A stop hook made it go on.
    pub(crate) fn goes_on(&mut self, id: Option<&'a str>) {
        self.continuations += 1;
        self.becomes(id, Some(true));
    }

    /// It stopped. It may be resumed, of which the contract tells nothing here.
    pub(crate) fn stops(&mut self, id: Option<&'a str>) {
        self.becomes(id, None);
    }

    /// Whether a stop hook made it go on is not determined.
    pub(crate) fn may_go_on(&mut self, id: Option<&'a str>) {
        self.continuations += 1;
        self.becomes(id, None);
    }

    /// Something happens in the session, perhaps in a subagent: whether it still goes on "because of a stop hook" is not said.
    pub(crate) fn work_on(&mut self) {
        self.met.iter_mut().for_each(|(_, active)| *active = None);
    }

    fn becomes(&mut self, id: Option<&'a str>, active: Active) {
        let Some(id) = id else {
            self.unnamed = true;
            return self.work_on();
        };
        match self.met.iter_mut().find(|(met, _)| *met == id) {
            Some((_, there)) => *there = active,
            None => self.met.push((id, active)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Subagents;

    #[test]
    fn before_any_stop_hook_made_an_agent_go_on_none_is_told_so() {
        let mut met = Subagents::default();
        assert_eq!((met.active(Some("a")), met.active(None)), (Some(false), Some(false)));
        met.stops(Some("a"));
        assert_eq!(met.active(Some("a")), None, "it may be resumed");
        assert_eq!(met.active(Some("b")), Some(false), "another is not that one");
        assert_eq!(met.active(None), None, "one without a name may be");
    }

    #[test]
    fn one_without_a_name_may_be_any() {
        let mut met = Subagents::default();
        met.stops(None);
        assert_eq!((met.active(Some("a")), met.active(None)), (None, None));
    }

    #[test]
    fn what_one_is_told_says_nothing_of_the_others() {
        let mut met = Subagents::default();
        met.goes_on(Some("a"));
        assert_eq!((met.active(Some("a")), met.active(Some("b")), met.active(None)), (Some(true), None, None));
        let mut met = Subagents::default();
        met.may_go_on(Some("a"));
        assert_eq!((met.active(Some("a")), met.active(Some("b"))), (None, None));
        assert_eq!(met.continuations, 1);
    }
}
