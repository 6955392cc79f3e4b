//! What one hook answers to a request: the `decision` of its output.

use super::updates::is_valid;
use crate::{
    chapters::Scene,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::reading;
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

/// What is wrong with a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// It says neither `allow` nor `deny`.
    Behavior,
    /// A field is of another type than the contract describes.
    Type,
}

/// What is wrong with the decision in a hook's output, if there is one.
pub(super) fn wrong(voice: &Voice<'_>) -> Option<Wrong> {
    read(decision(voice)?).err()
}

fn decision<'v>(voice: &'v Voice<'_>) -> Option<&'v Map<String, Value>> {
    voice.object()?.specific.get("decision")?.as_object()
}

/// A hook's answer.
pub(super) fn answer<'v>(scene: &Scene<'_, '_>, voice: &'v Voice<'_>) -> Answer<'v> {
    if voice.object().is_none() {
        return if may_answer(voice) { Answer::Unknown } else { Answer::None };
    }
    match decision(voice).map(read) {
        None => Answer::None,
        // Fields are read beside exit 2; that it is no obstacle to a grant is open.
        Some(Ok(allow @ Answer::Allow(_))) if voice.end == Ended::Two => {
            match scene.oracle().is(reading!("A-56", "counts")) {
                true => allow,
                false => Answer::None,
            }
        }
        Some(Ok(answer)) if voice.end == Ended::Two || scene.counts(voice) => answer,
        Some(Ok(_) | Err(Wrong::Behavior)) => Answer::None,
        Some(Err(Wrong::Type)) => Answer::Unknown,
    }
}

/// Whether there is an answer in an object that is not valid. What becomes of one is said of the standard events and of HTTP only.
pub(super) fn may_answer(voice: &Voice<'_>) -> bool {
    voice.word == Word::Invalid && voice.end != Ended::HttpOk && brings_an_answer(&voice.out)
}

/// Whether a text holds a decision object, whatever is wrong with it. What can be read in another way than this may hold one.
fn brings_an_answer(text: &str) -> bool {
    serde_json::from_str(text)
        .map_or(true, |output: Value| output.pointer("/hookSpecificOutput/decision").is_some_and(Value::is_object))
}

/// Reads a decision.
fn read(decision: &Map<String, Value>) -> Result<Answer<'_>, Wrong> {
    let text = |value: &Value| value.is_string();
    let updates = |value: &Value| value.as_array().is_some_and(|all| all.iter().all(is_valid));
    let fits = |key: &str, kind: &dyn Fn(&Value) -> bool| decision.get(key).is_none_or(kind);
    let well_typed = fits("updatedInput", &Value::is_object)
        && fits("updatedPermissions", &updates)
        && fits("message", &text)
        && fits("interrupt", &Value::is_boolean);
    if !well_typed {
        return Err(Wrong::Type);
    }
    match decision.get("behavior").and_then(Value::as_str) {
        Some("allow") => Ok(Answer::Allow(Allow {
            input: decision.get("updatedInput"),
            updates: decision.get("updatedPermissions").and_then(Value::as_array).map(Vec::as_slice),
        })),
        Some("deny") => Ok(Answer::Deny(Deny {
            message: decision.get("message").and_then(Value::as_str),
            interrupts: decision.get("interrupt") == Some(&Value::Bool(true)),
        })),
        _ => Err(Wrong::Behavior),
    }
}
