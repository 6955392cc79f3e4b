//! The output schema (chapter *schema*): which fields an object may set, and what becomes of one that does not fit.

use crate::{
    oracle::Oracle,
    table::{FieldType, Row},
};
use hookproof_contract::{Event, Readings, Revision, canary, reading, rule};
use serde_json::{Map, Value};

/// A JSON output that passed validation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Output {
    /// `continue`.
    pub(crate) go_on: Option<bool>,
    pub(crate) stop_reason: Option<String>,
    pub(crate) system_message: Option<String>,
    pub(crate) terminal_sequence: Option<String>,
    pub(crate) decision: Option<Decision>,
    pub(crate) reason: Option<String>,
    /// The fields of `hookSpecificOutput` that the event knows.
    pub(crate) specific: Map<String, Value>,
    /// The keys that the schema does not know at their level, with their texts.
    pub(crate) stray: Vec<(String, Option<String>)>,
    /// The context in a `hookSpecificOutput` that is dropped with all other fields.
    pub(crate) dropped_context: Option<String>,
    /// Whether it has `suppressOutput`, which does nothing.
    pub(crate) suppresses: bool,
    /// Whether it may be an error all the same.
    pub(crate) doubtful: bool,
}

/// A top-level `decision` that has a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    Block,
    Approve,
}

/// What validation comes to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Validated {
    Valid(Box<Output>),
    Invalid,
    Free,
}

/// The fields that every event accepts, but for `decision` and `hookSpecificOutput`.
const TOP: [(&str, FieldType); 6] = [
    ("continue", FieldType::Bool),
    ("stopReason", FieldType::String),
    ("suppressOutput", FieldType::Bool),
    ("systemMessage", FieldType::String),
    ("terminalSequence", FieldType::String),
    ("reason", FieldType::String),
];

/// Why an object is not valid; told by leaving early.
struct Failed;

/// Whether an object is a valid output of a hook of an event, every open point read by its default; nothing where that is open. For
/// counting what the corpus has.
#[must_use]
pub fn is_valid_output(event: Event, object: Map<String, Value>) -> Option<bool> {
    let row = crate::table::row(event)?;
    match validate(object, row, &Oracle::new(Revision::NEWEST, &Readings::default(), Vec::new())) {
        Validated::Valid(_) => Some(true),
        Validated::Invalid => Some(false),
        Validated::Free => None,
    }
}

/// Validates an object.
pub(crate) fn validate(mut object: Map<String, Value>, row: &Row, oracle: &Oracle<'_>) -> Validated {
    if object.contains_key("async") {
        // The one reading of open point A-40.
        let _ = oracle.is(reading!("A-40", "free"));
        return Validated::Free;
    }
    let drops_all = rule!("EXIT-N-12").rule().speaks_of(row.event);
    let context = |specific: &Value| Some(specific.get("additionalContext")?.as_str()?.to_owned());
    let dropped_context = object.get("hookSpecificOutput").filter(|_| drops_all).and_then(context);
    let mut doubtful = false;
    if row.fields.is_empty() && object.contains_key("hookSpecificOutput") {
        if !drops_all {
            // The one reading of open point A-185.
            let _ = oracle.is(reading!("A-185", "free"));
            return Validated::Free;
        }
        // Where all fields are dropped, so is this; but whether it is an error, beside which no sequence counts, is not said.
        doubtful = object.remove("hookSpecificOutput").is_some();
        object.remove("terminalSequence");
    }
    if watches_what_is_no_text(&object, row) {
        return Validated::Free;
    }
    let stray = stray(&object, row);
    match fields(&mut object, row, oracle) {
        Ok(output) => Validated::Valid(Box::new(Output { stray, dropped_context, doubtful, ..output })),
        Err(Failed) => Validated::Invalid,
    }
}

/// Whether what is to be watched is not all texts. Whether that is a wrong type of the field, and what becomes of the other paths, is
/// not said.
pub(crate) fn watches_what_is_no_text(object: &Map<String, Value>, row: &Row) -> bool {
    if !row.fields.iter().any(|(name, _)| *name == "watchPaths") {
        return false;
    }
    let paths = object.get("hookSpecificOutput").and_then(|inner| inner.get("watchPaths")).and_then(Value::as_array);
    paths.is_some_and(|paths| !paths.iter().all(Value::is_string))
}

/// Whether an answer to a request may be flawed within, so that a line that holds it may not be a valid object (open points A-31 and
/// In an output of its own the chapter tells what becomes of it.
pub(crate) fn may_decide_wrongly(object: &Map<String, Value>, row: &Row) -> bool {
    let decision = object.get("hookSpecificOutput").and_then(|inner| inner.get("decision")).and_then(Value::as_object);
    let plain = |(key, value): (&String, &Value)| match key.as_str() {
        "behavior" => matches!(value.as_str(), Some("allow" | "deny")),
        key => key == "message" && value.is_string(),
    };
    row.event == Event::PermissionRequest
        && decision.is_some_and(|fields| !fields.contains_key("behavior") || !fields.iter().all(plain))
}

/// The keys that nobody knows where they stand. Names of fields of other events count as well.
fn stray(object: &Map<String, Value>, row: &Row) -> Vec<(String, Option<String>)> {
    // A text is a string, or any value that canaries can be found in.
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(_) | Value::Object(_) => {
            Some(value.to_string()).filter(|t| canary::canaries(t.as_bytes()).next().is_some())
        }
        _ => None,
    };
    let top = object.iter().filter(|(key, _)| !is_top_level(key));
    let inner = object.get("hookSpecificOutput").and_then(Value::as_object).into_iter().flatten();
    let known = |key: &str| key == "hookEventName" || row.fields.iter().any(|(name, _)| *name == key);
    top.chain(inner.filter(|(key, _)| !known(key))).map(|(key, value)| (key.clone(), text(value))).collect()
}

fn is_top_level(key: &str) -> bool {
    key == "decision" || key == "hookSpecificOutput" || TOP.iter().any(|(name, _)| *name == key)
}

fn fields(object: &mut Map<String, Value>, row: &Row, oracle: &Oracle<'_>) -> Result<Output, Failed> {
    for (name, kind) in TOP {
        check(object, name, kind, oracle)?;
    }
    let decision = decision(object, row, oracle)?;
    let specific = specific(object, row, oracle)?;
    let suppresses = object.contains_key("suppressOutput");
    let mut text = |name: &str| match object.remove(name) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    let mut output = Output {
        stop_reason: text("stopReason"),
        system_message: text("systemMessage"),
        terminal_sequence: text("terminalSequence"),
        reason: text("reason"),
        suppresses,
        decision,
        specific,
        ..Output::default()
    };
    output.go_on = object.get("continue").and_then(Value::as_bool);
    let unexplained = output.blocks() && output.reason.is_none();
    if unexplained && matches!(row.event, Event::Stop | Event::SubagentStop) {
        match oracle.read(reading!("A-37", "blocks").point).name() {
            "fails" => return Err(Failed),
            "ignored" => output.decision = None,
            _ => {}
        }
    }
    Ok(output)
}

/// Takes a field out of an object if it may not stay, or fails the whole object.
fn check(object: &mut Map<String, Value>, name: &str, kind: FieldType, oracle: &Oracle<'_>) -> Result<(), Failed> {
    let Some(value) = object.get(name) else {
        return Ok(());
    };
    let fits = match (kind, value) {
        (FieldType::Any, Value::Null) => false,
        (FieldType::Any, _) => true,
        (FieldType::String | FieldType::OneOf(_), value) => value.is_string(),
        (FieldType::Bool, value) => value.is_boolean(),
        (FieldType::Object, value) => value.is_object(),
        (FieldType::Array, value) => value.is_array(),
    };
    if fits {
        let FieldType::OneOf(allowed) = kind else {
            return Ok(());
        };
        if value.as_str().is_some_and(|v| allowed.contains(&v)) {
            return Ok(());
        }
        if oracle.is(reading!("A-38", "fails")) {
            return Err(Failed);
        }
    } else if kind == FieldType::Any {
        // Null may be a value like any other here.
        match oracle.read(reading!("A-182", "the value").point).name() {
            "the value" => return Ok(()),
            "wrong type" if oracle.is(reading!("A-31", "the object fails")) => return Err(Failed),
            _ => {}
        }
    } else if value.is_null() {
        if oracle.is(reading!("A-32", "wrong type")) && oracle.is(reading!("A-31", "the object fails")) {
            return Err(Failed);
        }
    } else if oracle.is(reading!("A-31", "the object fails")) {
        return Err(Failed);
    }
    object.remove(name);
    Ok(())
}

fn decision(object: &mut Map<String, Value>, row: &Row, oracle: &Oracle<'_>) -> Result<Option<Decision>, Failed> {
    check(object, "decision", FieldType::String, oracle)?;
    let known = match object.get("decision").and_then(Value::as_str) {
        None => return Ok(None),
        Some("block") => return Ok(Some(Decision::Block)),
        Some("approve") if row.event == Event::PreToolUse => return Ok(Some(Decision::Approve)),
        Some(other) => other == "approve",
    };
    match oracle.read(reading!("A-33", "any").point).name() {
        "approve or block" if known => Ok(None),
        "any" => Ok(None),
        _ => Err(Failed),
    }
}

fn specific(object: &mut Map<String, Value>, row: &Row, oracle: &Oracle<'_>) -> Result<Map<String, Value>, Failed> {
    check(object, "hookSpecificOutput", FieldType::Object, oracle)?;
    let Some(Value::Object(mut specific)) = object.remove("hookSpecificOutput") else {
        return Ok(Map::new());
    };
    check(&mut specific, "hookEventName", FieldType::String, oracle)?;
    let name = specific.get("hookEventName").and_then(Value::as_str);
    if name != Some(row.event.name()) {
        let reading = oracle.read(reading!("A-34", "fails").point).name();
        match (name, reading) {
            (None, "missing accepted, other fails" | "missing accepted, other ignored") => {}
            (_, "fails") | (Some(_), "missing accepted, other fails") => return Err(Failed),
            _ => return Ok(Map::new()),
        }
    }
    for (field, kind) in row.fields {
        check(&mut specific, field, *kind, oracle)?;
    }
    specific.retain(|key, _| row.fields.iter().any(|(name, _)| name == key));
    Ok(specific)
}

/// Whether a line of a multi-line output is an object that sets a field (open point A-14).
pub(crate) fn sets_a_field(object: &Map<String, Value>, row: &Row, oracle: &Oracle<'_>) -> bool {
    if !object.keys().any(|key| is_top_level(key)) {
        return false;
    }
    let known = |key: &str, value: &Value| is_top_level(key) && !value.is_null();
    let does_something = |key: &str, value: &Value| match (key, value) {
        ("hookSpecificOutput", Value::Object(inner)) => {
            row.fields.iter().any(|(name, _)| inner.get(*name).is_some_and(|v| !v.is_null()))
        }
        _ => known(key, value),
    };
    let valid = || matches!(validate(object.clone(), row, oracle), Validated::Valid(_));
    let acts = object.iter().any(|(k, v)| does_something(k, v));
    // The question is only worth asking where the readings differ.
    if acts && valid() {
        return true;
    }
    match oracle.read(reading!("A-14", "valid lines").point).name() {
        "known keys" => true,
        "valid lines" => !acts && object.iter().any(|(k, v)| known(k, v)) && valid(),
        _ => false,
    }
}

impl Output {
    /// A string field of `hookSpecificOutput`.
    pub(crate) fn text(&self, field: &str) -> Option<&str> {
        self.specific.get(field).and_then(Value::as_str)
    }

    /// Whether its top-level decision is a block.
    pub(crate) fn blocks(&self) -> bool {
        self.decision == Some(Decision::Block)
    }

    /// Whether it asks the agent to stop altogether: `continue: false`.
    pub(crate) fn stops(&self) -> bool {
        self.go_on == Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::{Validated, validate};
    use crate::{oracle::Oracle, table};
    use hookproof_contract::{Event, Reading, Readings, Revision, reading};
    use serde_json::{Value, json};

    /// The readings that were asked about, and whether the object is valid.
    fn check(event: Event, value: Value, readings: &[Reading]) -> (bool, Vec<&'static str>) {
        let declared: Readings = readings.iter().copied().collect();
        let oracle = Oracle::new(Revision::NEWEST, &declared, Vec::new());
        let Value::Object(object) = value else { panic!("an object is wanted") };
        let row = table::row(event).expect("it is modelled");
        let valid = matches!(validate(object, row, &oracle), Validated::Valid(_));
        (valid, oracle.into_answers().iter().map(|r| r.point.as_str()).collect())
    }

    #[test]
    fn each_doubt_is_asked_about_and_nothing_else() {
        let named = |fields: Value| {
            let mut fields = fields;
            fields["hookEventName"] = json!("PreToolUse");
            json!({"hookSpecificOutput": fields})
        };
        for (value, valid, asked) in [
            (json!({}), true, vec![]),
            (json!({"unknown": 1, "permissionDecision": 5}), true, vec![]),
            (json!({"continue": false, "systemMessage": "x", "decision": "block"}), true, vec![]),
            (json!({"systemMessage": 5}), false, vec!["A-31"]),
            (json!({"continue": "false"}), false, vec!["A-31"]),
            (json!({"systemMessage": null}), false, vec!["A-32", "A-31"]),
            (json!({"decision": "approve"}), true, vec![]),
            (json!({"decision": "allow"}), false, vec!["A-33"]),
            (json!({"hookSpecificOutput": {"permissionDecision": "deny"}}), false, vec!["A-34"]),
            (json!({"hookSpecificOutput": {"hookEventName": "Stop"}}), false, vec!["A-34"]),
            (named(json!({"permissionDecision": "deny"})), true, vec![]),
            (named(json!({"permissionDecision": "block"})), false, vec!["A-38"]),
            (named(json!({"updatedInput": "ls"})), false, vec!["A-31"]),
            (named(json!({"unknown": []})), true, vec![]),
        ] {
            assert_eq!(check(Event::PreToolUse, value.clone(), &[]), (valid, asked), "{value}");
        }
    }

    #[test]
    fn an_output_is_valid_or_not_or_that_is_open() {
        let is_valid =
            |event, value: Value| super::is_valid_output(event, value.as_object().expect("an object").clone());
        assert_eq!(is_valid(Event::Stop, json!({"continue": false})), Some(true));
        assert_eq!(is_valid(Event::Stop, json!({"continue": "no"})), Some(false));
        assert_eq!(is_valid(Event::PreCompact, json!({"hookSpecificOutput": {"hookEventName": "PreCompact"}})), None);
    }

    #[test]
    fn the_other_readings_are_followed() {
        let dropped = reading!("A-31", "the field is dropped");
        assert!(check(Event::Stop, json!({"systemMessage": 5}), &[dropped]).0);
        let left_out = reading!("A-32", "as if left out");
        assert!(check(Event::Stop, json!({"systemMessage": null}), &[left_out]).0);
        assert!(!check(Event::Stop, json!({"decision": "approve"}), &[reading!("A-33", "block only")]).0);
        assert!(check(Event::Stop, json!({"decision": "x"}), &[reading!("A-33", "any")]).0);
        assert!(!check(Event::Stop, json!({"decision": "block"}), &[reading!("A-37", "fails")]).0);
        let other = json!({"hookSpecificOutput": {"hookEventName": "Stop"}});
        assert!(!check(Event::PreToolUse, other.clone(), &[reading!("A-34", "missing accepted, other fails")]).0);
        assert!(check(Event::PreToolUse, other, &[reading!("A-34", "missing accepted, other ignored")]).0);
    }
}
