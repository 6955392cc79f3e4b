//! Shorthands of the tests.

use crate::Runtime;
use hookproof_contract::{Audience, Case, Outcome, Reading, Revision};
use serde_json::{Map, Value, json};

/// Reads a case.
pub(crate) fn case(json: Value) -> Case {
    serde_json::from_value(json).expect("a case")
}

/// Command handlers `h0`, `h1`, …, one for each result, and the results by their names.
pub(crate) fn numbered(results: &[Value]) -> (Vec<Value>, Map<String, Value>) {
    let named = || results.iter().enumerate().map(|(i, result)| (format!("h{i}"), result.clone()));
    (named().map(|(name, _)| json!({"type": "command", "command": name})).collect(), named().collect())
}

/// Plays a case on the reference.
pub(crate) fn stage(json: Value) -> Vec<Outcome> {
    Runtime::new().play(&case(json))
}

/// Plays a case on the reference with other readings.
pub(crate) fn stage_read(json: Value, readings: &[Reading]) -> Vec<Outcome> {
    Runtime::with_readings(readings.iter().copied().collect()).play(&case(json))
}

/// Plays a case on the reference at another revision.
pub(crate) fn stage_at(json: Value, revision: Revision) -> Vec<Outcome> {
    Runtime::new().at(revision).play(&case(json))
}

/// What an audience was told.
pub(crate) fn said(outcome: &Outcome, to: Audience) -> Vec<String> {
    outcome.said.iter().filter(|said| said.to == to).map(|said| said.text.lossy().into_owned()).collect()
}

/// Whether nothing happened but in the debug log.
pub(crate) fn is_untouched(outcome: &Outcome) -> bool {
    outcome.fate.is_none()
        && outcome.agent.is_none()
        && outcome.set.is_empty()
        && outcome.said.iter().all(|said| said.to == Audience::Debug)
}

/// Which handlers ran.
pub(crate) fn ran(outcome: &Outcome) -> Vec<String> {
    outcome.ran.iter().map(|ran| ran.handler.to_string()).collect()
}
