//! One handler: its type, the name by which it goes, and the fields that only its type has.

use crate::draw::Draw;
use serde_json::{Map, Value, json};

/// The types of handlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Command,
    Http,
    McpTool,
    Prompt,
    Agent,
}

/// Most are commands: a candidate that lacks a type is not given the case at all.
pub(crate) const KINDS: [(u8, Kind); 5] =
    [(189, Kind::Command), (41, Kind::Http), (10, Kind::McpTool), (10, Kind::Prompt), (6, Kind::Agent)];

/// The variables that headers speak of, the first two of which may be set.
pub(crate) const VARIABLES: [&str; 3] = ["HOOK_TOKEN", "HOOK_USER", "HOOK_UNSET"];

const PROMPTS: [&str; 4] =
    ["Is this a matter for the WORD?", "Judge as the WORD would: $ARGUMENTS", "$ARGUMENTS\nWORD", r"WORD pays \$1.00"];

const HEADERS: [&str; 6] =
    ["Bearer $HOOK_TOKEN", "${HOOK_TOKEN}", "by ${HOOK_USER}: $HOOK_TOKEN.", "plain", "$HOOK_UNSET", "costs $5"];

impl Kind {
    /// The name of the type, and of the field that holds what is executed.
    pub(crate) const fn words(self) -> (&'static str, &'static str) {
        match self {
            Kind::Command => ("command", "command"),
            Kind::Http => ("http", "url"),
            Kind::McpTool => ("mcp_tool", "tool"),
            Kind::Prompt => ("prompt", "prompt"),
            Kind::Agent => ("agent", "prompt"),
        }
    }

    /// Whether it is judged by a model.
    pub(crate) const fn is_evaluator(self) -> bool {
        matches!(self, Kind::Prompt | Kind::Agent)
    }

    /// What it executes, made of a word; `round` tells words apart that are used again.
    pub(crate) fn name(self, draw: &mut Draw<'_, '_>, word: &str, round: usize) -> String {
        let word = if round == 0 { word.to_owned() } else { format!("{word}-{round}") };
        match self {
            Kind::Command => word,
            Kind::Http if round == 0 => format!("http://hooks.test/{word}"),
            Kind::Http => format!("http://hooks.test/{}", word.replace('-', "/")),
            Kind::McpTool => format!("{word}_scan"),
            Kind::Prompt | Kind::Agent => draw.pick(&PROMPTS).replace("WORD", &word),
        }
    }

    /// Writes the fields that only this type has.
    pub(crate) fn fields(self, draw: &mut Draw<'_, '_>, handler: &mut Map<String, Value>) {
        let mut put = |key: &str, value: Value| drop(handler.insert(key.to_owned(), value));
        match self {
            Kind::Command | Kind::Agent => {}
            Kind::Http if draw.chance(25) => {
                put("headers", json!({ "X-Audit": draw.pick(&HEADERS), "x-kind": "hook" }));
                match draw.weighted(&[(130, 1), (60, 2), (30, 0)]) {
                    0 => put("allowedEnvVars", json!([])),
                    1 => put("allowedEnvVars", json!(VARIABLES[..draw.below(VARIABLES.len() + 1)])),
                    _ => {}
                }
            }
            Kind::Http => {}
            Kind::McpTool => {
                put("server", Value::from(draw.pick(&["memory", "plugin:tools:memory"])));
                if draw.chance(60) {
                    put("input", arguments(draw));
                }
            }
            Kind::Prompt => {
                if draw.chance(45) {
                    put("continueOnBlock", Value::Bool(draw.chance(75)));
                }
                if draw.chance(10) {
                    put("model", Value::from("haiku"));
                }
            }
        }
    }
}

/// What a tool is called with: places of the event's JSON, some of which are not there or hold no text, and other values.
fn arguments(draw: &mut Draw<'_, '_>) -> Value {
    let text = draw.pick(&[
        "${hook_event_name}",
        "on ${tool_name}: ${tool_input.command}",
        "${tool_input.file_path}",
        "${tool_input}",
        "${no.such.place}",
        "$HOME and $5",
        "${cwd}/notes",
        "${prompt}",
    ]);
    match draw.below(3) {
        0 => json!({ "text": text }),
        1 => json!({ "text": text, "limit": 3, "deep": { "all": [true, null, "${hook_event_name}"] } }),
        _ => json!({ "list": [text, "plain"], "exact": false }),
    }
}
