//! What a session remembers of the subagents that began (chapter *agents*): what hooks gave them to read.

/// The subagents that began, and what they were given.
#[derive(Default)]
pub(crate) struct Begun<'a> {
    met: Vec<Given<'a>>,
    /// Whether one has that the case does not name: it may be any.
    unnamed: bool,
}

struct Given<'a> {
    id: &'a str,
    texts: Vec<String>,
    /// Whether its conversation certainly holds these and nothing else of hooks.
    certain: bool,
    /// Whether a compaction has certainly taken them out.
    gone: bool,
}

/// What of a text a subagent has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copy {
    /// Nothing: it begins for the first time.
    Never,
    /// It has it from an earlier run.
    There,
    /// It had something, and a compaction has taken that out.
    Gone,
}

impl<'a> Begun<'a> {
    /// What a subagent has of this text from an earlier run; nothing where that is not determined. What becomes of another text
    /// than the earlier is not said.
    pub(crate) fn has(&self, id: Option<&str>, text: &str) -> Option<Copy> {
        match id.map(|id| self.met.iter().find(|met| met.id == id)) {
            Some(Some(met)) if met.gone => Some(Copy::Gone),
            Some(Some(met)) => (met.certain && met.texts.iter().any(|there| there == text)).then_some(Copy::There),
            Some(None) => (!self.unnamed).then_some(Copy::Never),
            None => (self.met.is_empty() && !self.unnamed).then_some(Copy::Never),
        }
    }

    /// A subagent began, or began again; not `certain` where it is not determined what it was given.
    pub(crate) fn begins(&mut self, id: Option<&'a str>, texts: Vec<String>, certain: bool) {
        let Some(id) = id else {
            self.unnamed = true;
            return self.forget();
        };
        match self.met.iter_mut().find(|met| met.id == id) {
            Some(met) if met.gone => *met = Given { id, texts, certain, gone: false },
            Some(met) => met.certain &= certain && texts.iter().all(|text| met.texts.contains(text)),
            None => self.met.push(Given { id, texts, certain, gone: false }),
        }
    }

    /// All conversations are compacted, and what hooks gave to subagents is taken out of theirs.
    pub(crate) fn compacted(&mut self) {
        for met in &mut self.met {
            met.gone |= met.certain && !met.texts.is_empty();
            met.certain = false;
        }
    }

    /// A compaction may have taken out what hooks gave to subagents; what one took out before does not come back.
    pub(crate) fn may_be_compacted(&mut self) {
        self.met.iter_mut().for_each(|met| met.certain = false);
    }

    /// Something happens after which nobody can say what the conversations of subagents hold.
    pub(crate) fn forget(&mut self) {
        for met in &mut self.met {
            (met.certain, met.gone) = (false, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Begun, Copy};

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn a_subagent_has_what_it_was_given_and_another_begins_afresh() {
        let mut begun = Begun::default();
        assert_eq!((begun.has(Some("a"), "x"), begun.has(None, "x")), (Some(Copy::Never), Some(Copy::Never)));
        begun.begins(Some("a"), texts(&["x"]), true);
        assert_eq!(begun.has(Some("a"), "x"), Some(Copy::There));
        assert_eq!(begun.has(Some("a"), "y"), None, "of another text nothing is said");
        assert_eq!(begun.has(Some("b"), "x"), Some(Copy::Never));
        assert_eq!(begun.has(None, "x"), None, "it may be that one");
    }

    #[test]
    fn a_subagent_that_begins_again_keeps_only_what_it_was_given_each_time() {
        for (again, certain, wanted) in [
            (&["x"][..], true, Some(Copy::There)),
            (&[], true, Some(Copy::There)),
            (&["y"], true, None),
            (&["x"], false, None),
        ] {
            let mut begun = Begun::default();
            begun.begins(Some("a"), texts(&["x"]), true);
            begun.begins(Some("b"), texts(&["x"]), true);
            begun.begins(Some("a"), texts(again), certain);
            assert_eq!(begun.has(Some("a"), "x"), wanted, "{again:?} {certain}");
            assert_eq!(begun.has(Some("b"), "x"), Some(Copy::There), "the other did not begin again");
        }
        let mut begun = Begun::default();
        begun.begins(Some("a"), texts(&["x"]), false);
        begun.begins(Some("a"), texts(&["x"]), true);
        assert_eq!(begun.has(Some("a"), "x"), None, "what was not certain does not become so");
    }

    #[test]
    fn after_one_without_a_name_nothing_is_certain_of_any() {
        let mut begun = Begun::default();
        begun.begins(Some("a"), texts(&["x"]), true);
        begun.begins(None, texts(&["x"]), true);
        assert_eq!((begun.has(Some("a"), "x"), begun.has(Some("b"), "x"), begun.has(None, "x")), (None, None, None));
    }
}
