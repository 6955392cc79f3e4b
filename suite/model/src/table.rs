//! The table of events: one row each, with what the chapters that all events share need to know of it.

mod rows;

use hookproof_contract::{Event, Revision, RuleId, rule};
use rows::ROWS;

/// What is particular about an event.
pub(crate) struct Row {
    /// Which event.
    pub(crate) event: Event,
    /// What a matcher is compared with.
    pub(crate) target: Target,
    /// How output and exit codes are read.
    pub(crate) model: DecisionModel,
    /// Plain stdout of a hook that exits 0 becomes context (chapter *stdout*).
    pub(crate) plain_is_context: bool,
    /// Seconds until a command, http or mcp_tool handler without a `timeout` is cancelled, and the rule that says so.
    pub(crate) timeout: (u32, RuleId),
    /// The fields of `hookSpecificOutput`.
    pub(crate) fields: &'static [(&'static str, FieldType)],
    /// The rule for each field of the input.
    pub(crate) input: &'static [(&'static str, RuleId)],
}

/// What a matcher is compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// A field of the input, or what `select.rs` makes of it, and the rule that says so.
    Field(&'static str, RuleId),
    /// Matchers are ignored.
    None,
}

/// How output and exit codes are read (open point A-01 fixes which events are standard).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum DecisionModel {
    /// JSON and exit code act together; errors are shown; universal fields count.
    Standard,
    /// The decision is honoured; universal fields and messages are discarded.
    DecisionOnly,
    /// A contract of its own.
    Own,
}

/// The type of an output field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldType {
    /// A string.
    String,
    /// A boolean.
    Bool,
    /// An object.
    Object,
    /// An array.
    Array,
    /// Any JSON value.
    Any,
    /// One of these strings.
    OneOf(&'static [&'static str]),
}

/// Whether there is an event at a revision: two are younger than others.
#[must_use]
pub fn is_there(event: Event, revision: Revision) -> bool {
    match event {
        Event::PreModelSwitch => rule!("PREMODEL-01").holds_at(revision),
        Event::PostModelSwitch => rule!("POSTMODEL-01").holds_at(revision),
        _ => true,
    }
}

/// The row of an event, if the model covers it.
pub(crate) fn row(event: Event) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.event == event)
}

/// The field of the input with which the matchers of an event are compared, if it has any and the model covers it.
#[must_use]
pub fn target(event: Event) -> Option<&'static str> {
    match row(event)?.target {
        Target::Field(field, _) => Some(field),
        Target::None => None,
    }
}

/// The events that the model covers.
pub fn modelled() -> impl Iterator<Item = Event> {
    ROWS.iter().map(|row| row.event)
}

#[cfg(test)]
mod tests {
    use super::{DecisionModel, ROWS, Target, target};
    use crate::{expect, select::TELLING};
    use hookproof_contract::{Case, Event, Readings, Revision, rule};
    use serde_json::json;

    #[test]
    fn a_matcher_is_compared_with_one_field_or_none() {
        assert_eq!(target(Event::PreToolUse), Some("tool_name"));
        assert_eq!(target(Event::Notification), Some("notification_type"));
        assert_eq!(target(Event::Stop), None);
    }

    /// What the rule table says of all events at once is not told a second time, differently, by a row.
    #[test]
    fn each_row_agrees_with_the_rules_that_speak_of_its_event() {
        for row in ROWS {
            let speaks = |id: hookproof_contract::RuleId| id.rule().speaks_of(row.event);
            let event = row.event;
            let standard = row.model == DecisionModel::Standard;
            assert!(standard || !speaks(rule!("EXIT-GEN-03")), "{event}: its model is standard by EXIT-GEN-03");
            assert!(!standard || !speaks(rule!("JSON-DISCARD-02")), "{event}: JSON-DISCARD-02 drops what is universal");
            assert_eq!(row.plain_is_context, speaks(rule!("STDOUT-02")), "{event}: plain_is_context");
            let long = row.timeout == (600, rule!("TIMEOUT-DEF-02"));
            assert_eq!(long, speaks(rule!("TIMEOUT-DEF-02")), "{event}: timeout");
            assert!(speaks(row.timeout.1), "{event}: {} says nothing of it", row.timeout.1);
            for (field, rule) in row.input {
                assert!(speaks(*rule), "{event}: {rule} says nothing of it, so nothing of its {field}");
            }
            match row.target {
                Target::None => assert!(speaks(rule!("MATCH-PAT-07")), "{event}: it has a target"),
                Target::Field(_, by) => {
                    assert!(!speaks(rule!("MATCH-PAT-07")) && speaks(by), "{event}: target");
                    assert!(TELLING.contains(&by), "{event}: {by} is missing in TELLING of select.rs");
                }
            }
        }
    }

    #[test]
    fn every_row_has_a_chapter() {
        for event in super::modelled() {
            // Every event but one can fire in any run.
            let surface = if event == Event::Setup { "print" } else { "terminal" };
            let otherwise = match event {
                Event::PermissionRequest => "asked",
                Event::PermissionDenied => "prevented",
                _ => "proceeds",
            };
            let host = json!({ "surface": surface, "permission_mode": "auto" });
            let fire = json!({ "fire": { "event": event, "otherwise": otherwise } });
            let case: Case = serde_json::from_value(json!({ "host": host, "settings": [], "steps": [fire] }))
                .unwrap_or_else(|e| panic!("{event}: {e}"));
            let made = expect(Revision::NEWEST, &Readings::default(), &case);
            assert!(made.is_ok(), "{made:?}");
        }
    }
}
