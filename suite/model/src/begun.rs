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

    /// Something happens after which nobody can say what the conversations of subagents hold.
    pub(crate) fn forget(&mut self) {
        for met in &mut self.met {
            (met.certain, met.gone) = (false, false);
        }
    }
}
