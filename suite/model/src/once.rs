//! What a session remembers of handlers marked `once` (chapter *settings*): whether they have run, and how that went.

use crate::{
    select::Handler,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{Case, Source};
use serde_json::{Map, Value};

/// How far a handler has come that is to run once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runs {
    /// It has not run.
    None,
    /// It has run, and not with success.
    InVain,
    /// It has run with success.
    Done,
    /// It has run, and printed valid JSON beside an exit code other than 0 and 2: whether that is a success is open.
    Oddly,
    /// It may have run with success.
    Unknown,
}

/// The handlers that have run. One is known by its layer and its name.
#[derive(Default)]
pub(crate) struct Once<'a> {
    met: Vec<(usize, &'a str, Runs)>,
    /// Whether any other may have run as well.
    others: bool,
}

/// Whether a handler is marked so.
pub(crate) fn is_marked(handler: &Handler<'_>) -> bool {
    handler.spec.get("once") == Some(&Value::Bool(true))
}

/// Whether that counts: in the frontmatter of a skill.
pub(crate) fn counts(handler: &Handler<'_>) -> bool {
    is_marked(handler) && matches!(handler.from, Source::Skill(_))
}

impl<'a> Once<'a> {
    /// How far a handler has come.
    pub(crate) fn of(&self, handler: &Handler<'_>) -> Runs {
        let met = self.met.iter().find(|(layer, name, _)| *layer == handler.layer && *name == handler.name);
        match met {
            Some((_, _, runs)) => *runs,
            None if self.others => Runs::Unknown,
            None => Runs::None,
        }
    }

    /// A handler ran.
    pub(crate) fn ran(&mut self, case: &Case, voice: &Voice<'a>) {
        let handler = &voice.handler;
        if !is_marked(handler) {
            return;
        }
        // Whether one that stands twice is done for both is not said.
        let runs = if stands_once(case, handler) { outcome(voice) } else { Runs::Unknown };
        match self.met.iter_mut().find(|(layer, name, _)| *layer == handler.layer && *name == handler.name) {
            Some((_, _, known)) => *known = if *known == Runs::Unknown { Runs::Unknown } else { runs },
            None => self.met.push((handler.layer, handler.name, runs)),
        }
    }

    /// Which handlers ran is not determined.
    pub(crate) fn lose(&mut self) {
        self.others = true;
        self.met.iter_mut().for_each(|(_, _, runs)| *runs = Runs::Unknown);
    }
}

fn stands_once(case: &Case, handler: &Handler<'_>) -> bool {
    let hooks = case.settings.get(handler.layer).and_then(|layer| layer.settings.get("hooks")?.as_object());
    let groups = hooks.into_iter().flat_map(Map::values).filter_map(Value::as_array).flatten();
    let handlers = groups.filter_map(|group| group.get("hooks")?.as_array()).flatten();
    let named = |spec: &&Value| ["command", "url", "tool", "prompt"].iter().any(|key| spec[*key] == handler.name);
    handlers.filter(named).count() == 1
}

/// How a run went, where it is clear whether it is a success: a block by JSON is not.
fn outcome(voice: &Voice<'_>) -> Runs {
    let decides = |output: &crate::read::schema::Output| {
        output.decision.is_some() || output.stops() || output.specific.keys().any(|key| key != "additionalContext")
    };
    match (voice.end, &voice.word) {
        _ if voice.background().is_some() => Runs::Unknown,
        (Ended::Two | Ended::TimedOut | Ended::NotStarted | Ended::Failed(_), _) => Runs::InVain,
        (Ended::Other(Some(_)), Word::Silent | Word::Plain(_)) => Runs::InVain,
        (Ended::Zero | Ended::HttpOk, Word::Silent | Word::Plain(_)) => Runs::Done,
        (Ended::Zero | Ended::HttpOk, Word::Object(output)) if !decides(output) => Runs::Done,
        (Ended::Other(Some(_)), Word::Object(output)) if voice.standard && !decides(output) => Runs::Oddly,
        (Ended::Answered, Word::Consents) => Runs::Done,
        _ => Runs::Unknown,
    }
}
