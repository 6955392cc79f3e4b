//! What one hook answers to a request: the `decision` of its output.

use super::updates::is_valid;
use crate::{
    chapters::unblockable::counting,
    voice::{Ended, Voice, Word},
};
use serde_json::{Map, Value};

/// What a hook answers.
pub(super) enum Answer<'v> {
    None,
    Allow(Allow<'v>),
    Deny(Deny<'v>),
    /// It is not said what its answer comes to.
    Unknown,
}

/// What goes with a grant.
pub(super) struct Allow<'v> {
    pub(super) input: Option<&'v Value>,
    pub(super) updates: Option<&'v [Value]>,
}

/// What goes with a refusal.
pub(super) struct Deny<'v> {
    pub(super) message: Option<&'v str>,
    pub(super) interrupts: bool,
}

/// Whether the decision in a hook's output, if there is one, is such as the contract describes it.
pub(super) fn is_well_formed(voice: &Voice<'_>) -> bool {
    decision(voice).is_none_or(|decision| read(decision).is_some())
}

fn decision<'v>(voice: &'v Voice<'_>) -> Option<&'v Map<String, Value>> {
    voice.object()?.specific.get("decision")?.as_object()
}

/// A hook's answer.
pub(super) fn answer<'v>(voice: &'v Voice<'_>) -> Answer<'v> {
    if voice.object().is_none() {
        // What becomes of an answer in an object that is not valid is said of the standard events and of HTTP only.
        let wrong = voice.word == Word::Invalid && voice.end != Ended::HttpOk;
        return if wrong && brings_an_answer(&voice.out) { Answer::Unknown } else { Answer::None };
    }
    match decision(voice).map(read) {
        None => Answer::None,
        // Fields are read beside exit 2; that it is no obstacle to a grant is open, and so is any other code.
        Some(Some(deny @ Answer::Deny(_))) if voice.end == Ended::Two => deny,
        Some(Some(answer)) if counting(voice).is_some() => answer,
        Some(_) => Answer::Unknown,
    }
}

/// Whether a text holds a decision object, whatever is wrong with it. What can be read in another way than this may hold one.
fn brings_an_answer(text: &str) -> bool {
    serde_json::from_str(text)
        .map_or(true, |output: Value| output.pointer("/hookSpecificOutput/decision").is_some_and(Value::is_object))
}

/// Reads a decision; nothing where it is not such as the contract describes it.
fn read(decision: &Map<String, Value>) -> Option<Answer<'_>> {
    let text = |value: &Value| value.is_string();
    let updates = |value: &Value| value.as_array().is_some_and(|all| all.iter().all(is_valid));
    let fits = |key: &str, kind: &dyn Fn(&Value) -> bool| decision.get(key).is_none_or(kind);
    let well_typed = fits("updatedInput", &Value::is_object)
        && fits("updatedPermissions", &updates)
        && fits("message", &text)
        && fits("interrupt", &Value::is_boolean);
    if !well_typed {
        return None;
    }
    match decision.get("behavior")?.as_str()? {
        "allow" => Some(Answer::Allow(Allow {
            input: decision.get("updatedInput"),
            updates: decision.get("updatedPermissions").and_then(Value::as_array).map(Vec::as_slice),
        })),
        "deny" => Some(Answer::Deny(Deny {
            message: decision.get("message").and_then(Value::as_str),
            interrupts: decision.get("interrupt") == Some(&Value::Bool(true)),
        })),
        _ => None,
    }
}
