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
}

impl<'a> Begun<'a> {
    /// Whether a subagent has this text from an earlier run; `Some(false)` where it begins for the first time, nothing where that
    /// is not determined. What becomes of another text than the earlier is not said.
    pub(crate) fn has(&self, id: Option<&str>, text: &str) -> Option<bool> {
        match id.map(|id| self.met.iter().find(|met| met.id == id)) {
            Some(Some(met)) => (met.certain && met.texts.iter().any(|there| there == text)).then_some(true),
            Some(None) => (!self.unnamed).then_some(false),
            None => (self.met.is_empty() && !self.unnamed).then_some(false),
        }
    }

    /// A subagent began, or began again; not `certain` where it is not determined what it was given.
    pub(crate) fn begins(&mut self, id: Option<&'a str>, texts: Vec<String>, certain: bool) {
        let Some(id) = id else {
            self.unnamed = true;
            return self.forget();
        };
        match self.met.iter_mut().find(|met| met.id == id) {
            Some(met) => met.certain &= certain && texts.iter().all(|text| met.texts.contains(text)),
            None => self.met.push(Given { id, texts, certain }),
        }
    }

    /// Something happens after which nobody can say what the conversations of subagents hold.
    pub(crate) fn forget(&mut self) {
        self.met.iter_mut().for_each(|met| met.certain = false);
    }
}
