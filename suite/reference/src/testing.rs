//! Shorthands of the tests.

use crate::Runtime;
use hookproof_contract::{Audience, Case, Outcome, Reading, Revision};
use serde_json::Value;

/// Reads a case.
pub(crate) fn case(json: Value) -> Case {
    serde_json::from_value(json).expect("a case")
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

/// Which handlers ran.
pub(crate) fn ran(outcome: &Outcome) -> Vec<String> {
    outcome.ran.iter().map(|ran| ran.handler.to_string()).collect()
}
