//! The messages of the protocol: newline-delimited JSON between the harness and an adapter.
//!
//! Messages are read in two passes, `type` first, then the typed body, so that an error keeps its pointer; before that comes
//! a tolerant pass, since a correct ECMAScript runtime can print a lone surrogate escape, which is no Unicode text.

use crate::{
    Case, Event, Outcome, Place, Readings, Revision,
    read::{self, Flaw},
    surrogates,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{borrow::Cow, collections::BTreeSet};

/// The version of the protocol that this crate speaks.
pub const PROTOCOL: u32 = 1;

/// How much of a candidate is exercised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Depth {
    /// The case with its handlers' results; no process starts.
    Resolve,
    /// A laid-out project whose hooks are the suite's probe.
    Run,
    /// A whole agent program, scripted by a mock model.
    Agent,
}

/// What the harness sends.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::large_enum_variant, reason = "few requests exist at a time, and they hold a borrowed case")]
pub enum Request<'a> {
    /// First of all.
    Hello {
        /// The protocol's version.
        protocol: u32,
        /// The suite's version.
        suite: Cow<'a, str>,
        /// The revisions of the contract that it knows.
        revisions: Vec<Revision>,
    },
    /// Play this case.
    Run {
        /// An opaque id, to be repeated in the answer.
        id: Cow<'a, str>,
        /// At which depth.
        depth: Depth,
        /// When the harness gives up, in milliseconds.
        deadline_ms: u64,
        /// The case, every text plain or base64.
        case: Cow<'a, Case>,
    },
    /// No more cases: end.
    Bye,
}

/// What an adapter answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// To hello.
    Hello(Box<Hello>),
    /// What the runtime did.
    Outcome(Outcomes),
    /// The adapter could not play the case.
    Errored(Errored),
}

/// Who the candidate is and what it can do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hello {
    /// The protocol's version.
    pub protocol: u32,
    /// Who it is.
    pub candidate: Candidate,
    /// The revision of the contract that it follows.
    pub revision: Revision,
    /// The depths at which it can be exercised.
    pub depths: Vec<Depth>,
    /// The events that it fires.
    pub events: BTreeSet<Event>,
    /// The handler types that it runs: `command`, `http`, `mcp_tool`, `prompt`, `agent`.
    pub handlers: BTreeSet<String>,
    /// What else it can do: `session` (state over steps), `if`, …
    #[serde(default)]
    pub capabilities: BTreeSet<String>,
    /// The places that it reports.
    pub observes: BTreeSet<Place>,
    /// How it reads open points; a declared reading binds.
    #[serde(default)]
    pub postures: Readings,
    /// How many cases it can have unanswered.
    #[serde(default = "one")]
    pub max_in_flight: usize,
}

/// Who a candidate is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Candidate {
    /// Its name.
    pub name: String,
    /// Its version.
    #[serde(default)]
    pub version: String,
    /// The language that it is written in.
    #[serde(default)]
    pub language: String,
    /// Where it lives.
    #[serde(default)]
    pub homepage: String,
}

/// What the runtime did, one outcome a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Outcomes {
    /// The id of the request.
    pub id: String,
    /// One outcome for each step, repeats unrolled.
    pub steps: Vec<Outcome>,
}

/// The adapter could not play a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Errored {
    /// The id of the request.
    pub id: String,
    /// What went wrong.
    pub message: String,
}

fn one() -> usize {
    1
}

impl Reply {
    /// Reads one line.
    ///
    /// # Errors
    ///
    /// Names the first pointer that is wrong, with what is allowed there.
    pub fn read(line: &str) -> Result<Reply, Flaw> {
        let mut value = read::value(&surrogates::mend(line))?;
        let Value::Object(body) = &mut value else {
            return Err(Flaw::at("", "a message is a JSON object"));
        };
        let kind = body.remove("type");
        match kind.as_ref().and_then(Value::as_str) {
            Some("hello") => Ok(Reply::Hello(Box::new(read::typed(&value)?))),
            Some("outcome") => Ok(Reply::Outcome(read::typed(&value)?)),
            Some("errored") => Ok(Reply::Errored(read::typed(&value)?)),
            Some(other) => {
                Err(Flaw::at("/type", format_args!("unknown type `{other}`; allowed are hello, outcome, errored")))
            }
            None => Err(Flaw::at("/type", "a string is wanted here: hello, outcome or errored")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Reply;

    #[test]
    fn a_wrong_message_names_the_pointer() {
        for (line, shown) in [
            ("[]", "a message is a JSON object"),
            (r#"{"id":"1"}"#, "at /type: a string is wanted here"),
            (r#"{"type":"result","id":"1"}"#, "at /type: unknown type `result`; allowed are hello, outcome, errored"),
            (r#"{"type":"outcome","id":1,"steps":[]}"#, "at /id: invalid type: integer `1`, expected a string"),
            (
                r#"{"type":"outcome","id":"1","steps":[{"fate":"blocked"}]}"#,
                "at /steps/0/fate: unknown variant `blocked`, expected one of `proceeds`",
            ),
            (
                r#"{"type":"outcome","id":"1","steps":[{"said":[{"to":"model","text":5}]}]}"#,
                "at /steps/0/said/0/text: invalid type: integer `5`",
            ),
            ("hello", "expected value at line 1 column 1"),
        ] {
            let flaw = Reply::read(line).expect_err(line).to_string();
            assert!(flaw.contains(shown), "{line}\n  gave: {flaw}");
        }
    }
}
