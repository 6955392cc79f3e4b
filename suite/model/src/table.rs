//! The table of events: one row each, with what the chapters that all events share need to know of it.

use hookproof_contract::{Event, Revision, RuleId, rule};

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

const TOOL: Target = Target::Field("tool_name", rule!("MATCH-TGT-TOOL"));
const LONG: (u32, RuleId) = (600, rule!("TIMEOUT-DEF-02"));

const ROWS: &[Row] = &[
    Row {
        event: Event::PreToolUse,
        target: TOOL,
        model: DecisionModel::Standard,
        plain_is_context: false,
        timeout: LONG,
        fields: &[
            ("permissionDecision", FieldType::OneOf(&["allow", "deny", "ask", "defer"])),
            ("permissionDecisionReason", FieldType::String),
            ("updatedInput", FieldType::Object),
            ("additionalContext", FieldType::String),
        ],
        input: &[
            ("tool_name", rule!("PRETOOL-IN-01")),
            ("tool_input", rule!("PRETOOL-IN-01")),
            ("tool_use_id", rule!("PRETOOL-IN-01")),
            ("mcp_server", rule!("PRETOOL-IN-02")),
            ("agent_id", rule!("INPUT-AGENTID-01")),
            ("agent_type", rule!("INPUT-AGENTTYPE-01")),
        ],
    },
    Row {
        event: Event::PermissionRequest,
        target: TOOL,
        model: DecisionModel::Own,
        plain_is_context: false,
        timeout: LONG,
        fields: &[("decision", FieldType::Object)],
        input: &[
            ("tool_name", rule!("PERMREQ-IN-01")),
            ("tool_input", rule!("PERMREQ-IN-01")),
            ("mcp_server", rule!("PERMREQ-IN-02")),
            ("permission_suggestions", rule!("PERMREQ-IN-03")),
            ("agent_id", rule!("INPUT-AGENTID-01")),
            ("agent_type", rule!("INPUT-AGENTTYPE-01")),
        ],
    },
    Row {
        event: Event::PermissionDenied,
        target: TOOL,
        model: DecisionModel::Own,
        plain_is_context: false,
        timeout: LONG,
        fields: &[("retry", FieldType::Bool)],
        input: &[
            ("tool_name", rule!("PERMDEN-IN-01")),
            ("tool_input", rule!("PERMDEN-IN-01")),
            ("tool_use_id", rule!("PERMDEN-IN-01")),
            ("reason", rule!("PERMDEN-IN-01")),
            ("mcp_server", rule!("PERMDEN-IN-01B")),
            ("agent_id", rule!("INPUT-AGENTID-01")),
            ("agent_type", rule!("INPUT-AGENTTYPE-01")),
        ],
    },
    Row {
        event: Event::PostToolUse,
        target: TOOL,
        model: DecisionModel::Standard,
        plain_is_context: false,
        timeout: LONG,
        fields: &[
            ("additionalContext", FieldType::String),
            ("classifierContext", FieldType::String),
            ("updatedToolOutput", FieldType::Any),
            ("updatedMCPToolOutput", FieldType::Any),
        ],
        input: &[
            ("tool_name", rule!("POSTTOOL-IN-04")),
            ("tool_input", rule!("POSTTOOL-IN-01")),
            ("tool_response", rule!("POSTTOOL-IN-01")),
            ("tool_use_id", rule!("POSTTOOL-IN-04")),
            ("mcp_server", rule!("POSTTOOL-IN-03")),
            ("agent_id", rule!("INPUT-AGENTID-01")),
            ("agent_type", rule!("INPUT-AGENTTYPE-01")),
        ],
    },
    Row {
        event: Event::UserPromptSubmit,
        target: Target::None,
        model: DecisionModel::Standard,
        plain_is_context: true,
        timeout: (30, rule!("TIMEOUT-DEF-04")),
        fields: &[
            ("additionalContext", FieldType::String),
            ("sessionTitle", FieldType::String),
            ("suppressOriginalPrompt", FieldType::Bool),
        ],
        input: &[("prompt", rule!("PROMPTSUB-IN-01")), ("session_title", rule!("PROMPTSUB-IN-04"))],
    },
    Row {
        event: Event::Stop,
        target: Target::None,
        model: DecisionModel::Standard,
        plain_is_context: false,
        timeout: LONG,
        fields: &[("additionalContext", FieldType::String)],
        input: &[
            ("last_assistant_message", rule!("STOP-IN-02")),
            ("background_tasks", rule!("STOP-IN-04")),
            ("session_crons", rule!("STOP-IN-04")),
        ],
    },
    Row {
        event: Event::Elicitation,
        target: Target::Field("mcp_server_name", rule!("MATCH-TGT-ELICIT")),
        model: DecisionModel::DecisionOnly,
        plain_is_context: false,
        timeout: LONG,
        fields: &[("action", FieldType::OneOf(&["accept", "decline", "cancel"])), ("content", FieldType::Object)],
        input: &[
            ("mcp_server_name", rule!("ELICIT-IN-01")),
            ("message", rule!("ELICIT-IN-01")),
            ("mode", rule!("ELICIT-IN-01")),
            ("url", rule!("ELICIT-IN-03")),
            ("elicitation_id", rule!("ELICIT-IN-01")),
            ("requested_schema", rule!("ELICIT-IN-02")),
        ],
    },
    Row {
        event: Event::WorktreeCreate,
        target: Target::None,
        model: DecisionModel::Own,
        plain_is_context: false,
        timeout: LONG,
        fields: &[("worktreePath", FieldType::String)],
        input: &[("name", rule!("WTCREATE-IN-01"))],
    },
    Row {
        event: Event::SubagentStop,
        target: Target::Field("agent_type", rule!("MATCH-TGT-SUBAGENT")),
        model: DecisionModel::Standard,
        plain_is_context: false,
        timeout: LONG,
        fields: &[("additionalContext", FieldType::String)],
        input: &[
            ("agent_id", rule!("SUBSTOP-IN-01")),
            ("agent_type", rule!("SUBSTOP-IN-01")),
            ("agent_transcript_path", rule!("SUBSTOP-IN-02")),
            ("last_assistant_message", rule!("SUBSTOP-IN-03")),
            ("background_tasks", rule!("SUBSTOP-IN-07")),
            ("session_crons", rule!("SUBSTOP-IN-07")),
        ],
    },
    Row {
        event: Event::TaskCreated,
        target: Target::None,
        model: DecisionModel::Own,
        plain_is_context: false,
        timeout: LONG,
        fields: &[],
        // The session decides the name of the team.
        input: &[
            ("task_id", rule!("TASKCREATE-IN-01")),
            ("task_subject", rule!("TASKCREATE-IN-01")),
            ("task_description", rule!("TASKCREATE-IN-00")),
            ("teammate_name", rule!("TASKCREATE-IN-00")),
            ("agent_id", rule!("TASKCREATE-IN-04")),
        ],
    },
    Row {
        event: Event::TeammateIdle,
        target: Target::None,
        model: DecisionModel::Own,
        plain_is_context: false,
        timeout: LONG,
        fields: &[],
        input: &[("teammate_name", rule!("TEAMIDLE-IN-01")), ("agent_id", rule!("TEAMIDLE-IN-03"))],
    },
    Row {
        event: Event::TaskCompleted,
        target: Target::None,
        model: DecisionModel::Own,
        plain_is_context: false,
        timeout: LONG,
        fields: &[],
        input: &[
            ("task_id", rule!("TASKDONE-IN-01")),
            ("task_subject", rule!("TASKDONE-IN-01")),
            ("task_description", rule!("TASKDONE-IN-00")),
            ("teammate_name", rule!("TASKDONE-IN-00")),
            ("agent_id", rule!("TASKDONE-IN-04")),
        ],
    },
    Row {
        event: Event::PreCompact,
        target: Target::Field("trigger", rule!("MATCH-TGT-COMPACT")),
        model: DecisionModel::DecisionOnly,
        plain_is_context: false,
        timeout: LONG,
        fields: &[],
        input: &[("trigger", rule!("PRECOMPACT-IN-01")), ("custom_instructions", rule!("PRECOMPACT-IN-01"))],
    },
    Row {
        event: Event::PostToolUseFailure,
        target: TOOL,
        model: DecisionModel::Standard,
        plain_is_context: false,
        timeout: LONG,
        fields: &[("additionalContext", FieldType::String)],
        // Of `tool_use_id` only a sample tells, and `duration_ms` may be left out.
        input: &[
            ("tool_name", rule!("POSTFAIL-IN-01")),
            ("tool_input", rule!("POSTFAIL-IN-01")),
            ("mcp_server", rule!("POSTFAIL-IN-02")),
            ("error", rule!("POSTFAIL-IN-03")),
            ("is_interrupt", rule!("POSTFAIL-IN-04")),
            ("agent_id", rule!("INPUT-AGENTID-01")),
            ("agent_type", rule!("INPUT-AGENTTYPE-01")),
        ],
    },
    Row {
        event: Event::UserPromptExpansion,
        target: Target::Field("command_name", rule!("MATCH-TGT-EXPANSION")),
        model: DecisionModel::Standard,
        plain_is_context: true,
        timeout: LONG,
        fields: &[("additionalContext", FieldType::String)],
        input: &[
            ("prompt", rule!("PROMPTEXP-IN-01")),
            ("expansion_type", rule!("PROMPTEXP-IN-02")),
            ("command_name", rule!("PROMPTEXP-IN-01")),
            ("command_args", rule!("PROMPTEXP-IN-01")),
            ("command_source", rule!("PROMPTEXP-IN-01")),
        ],
    },
    Row {
        event: Event::ConfigChange,
        target: Target::Field("source", rule!("MATCH-TGT-CONFIG")),
        model: DecisionModel::DecisionOnly,
        plain_is_context: false,
        timeout: LONG,
        fields: &[],
        // `file_path` may be left out.
        input: &[("source", rule!("CONFCHG-IN-01"))],
    },
    Row {
        event: Event::CwdChanged,
        target: Target::None,
        model: DecisionModel::Own,
        plain_is_context: false,
        timeout: LONG,
        fields: &[("watchPaths", FieldType::Array)],
        input: &[("old_cwd", rule!("CWD-IN-01")), ("new_cwd", rule!("CWD-IN-01"))],
    },
    Row {
        event: Event::DirectoryAdded,
        target: Target::Field("source", rule!("MATCH-TGT-DIRADD")),
        model: DecisionModel::Own,
        plain_is_context: false,
        timeout: LONG,
        fields: &[],
        input: &[("directory", rule!("DIRADD-IN-01")), ("source", rule!("DIRADD-IN-02"))],
    },
    Row {
        event: Event::FileChanged,
        target: Target::Field("file_path", rule!("MATCH-TGT-FILECHG")),
        model: DecisionModel::Own,
        plain_is_context: false,
        timeout: LONG,
        fields: &[("watchPaths", FieldType::Array)],
        input: &[("file_path", rule!("FILECHG-IN-01")), ("event", rule!("FILECHG-IN-02"))],
    },
    Row {
        event: Event::PostToolBatch,
        target: Target::None,
        model: DecisionModel::Standard,
        plain_is_context: false,
        timeout: LONG,
        fields: &[("additionalContext", FieldType::String)],
        input: &[("tool_calls", rule!("POSTBATCH-IN-01"))],
    },
    Row {
        event: Event::SubagentStart,
        target: Target::Field("agent_type", rule!("MATCH-TGT-SUBAGENT")),
        model: DecisionModel::Own,
        plain_is_context: false,
        timeout: LONG,
        fields: &[("additionalContext", FieldType::String)],
        input: &[("agent_id", rule!("SUBSTART-IN-01")), ("agent_type", rule!("SUBSTART-IN-01"))],
    },
    Row {
        event: Event::PostCompact,
        target: Target::Field("trigger", rule!("MATCH-TGT-COMPACT")),
        model: DecisionModel::Own,
        plain_is_context: false,
        timeout: LONG,
        fields: &[],
        input: &[("trigger", rule!("POSTCOMPACT-IN-01")), ("compact_summary", rule!("POSTCOMPACT-IN-01"))],
    },
    Row {
        event: Event::PreModelSwitch,
        target: Target::Field("to_model", rule!("MATCH-TGT-MODEL")),
        model: DecisionModel::Standard,
        plain_is_context: false,
        timeout: (30, rule!("TIMEOUT-DEF-05")),
        fields: &[
            ("permissionDecision", FieldType::OneOf(&["allow", "deny", "ask"])),
            ("permissionDecisionReason", FieldType::String),
        ],
        input: &[
            ("from_model", rule!("PREMODEL-IN-01")),
            ("to_model", rule!("PREMODEL-IN-02")),
            ("requested_model", rule!("PREMODEL-IN-03")),
            ("source", rule!("PREMODEL-IN-04")),
            ("context_tokens", rule!("PREMODEL-IN-05")),
            ("prompt_cache_warm", rule!("PREMODEL-IN-06")),
            ("cache_ttl", rule!("PREMODEL-IN-07")),
            ("estimated_cache_write_usd", rule!("PREMODEL-IN-08")),
            ("pricing", rule!("PREMODEL-IN-09")),
        ],
    },
    Row {
        event: Event::PostModelSwitch,
        target: Target::Field("to_model", rule!("MATCH-TGT-MODEL")),
        model: DecisionModel::Own,
        plain_is_context: true,
        timeout: (30, rule!("TIMEOUT-DEF-06")),
        fields: &[("additionalContext", FieldType::String)],
        input: &[
            ("from_model", rule!("PREMODEL-IN-01")),
            ("to_model", rule!("PREMODEL-IN-02")),
            ("requested_model", rule!("POSTMODEL-IN-01")),
            ("source", rule!("POSTMODEL-IN-01")),
            ("context_tokens", rule!("PREMODEL-IN-05")),
            ("prompt_cache_warm", rule!("PREMODEL-IN-06")),
            ("cache_ttl", rule!("PREMODEL-IN-07")),
            ("estimated_cache_write_usd", rule!("PREMODEL-IN-08")),
            ("pricing", rule!("PREMODEL-IN-09")),
        ],
    },
    Row {
        event: Event::StopFailure,
        target: Target::Field("error", rule!("MATCH-TGT-STOPFAIL")),
        model: DecisionModel::Own,
        plain_is_context: false,
        timeout: LONG,
        fields: &[],
        input: &[
            ("error", rule!("STOPFAIL-IN-01")),
            ("error_details", rule!("STOPFAIL-IN-04")),
            ("last_assistant_message", rule!("STOPFAIL-IN-03")),
        ],
    },
    Row {
        event: Event::ElicitationResult,
        target: Target::Field("mcp_server_name", rule!("MATCH-TGT-ELICIT")),
        model: DecisionModel::DecisionOnly,
        plain_is_context: false,
        timeout: LONG,
        fields: &[("action", FieldType::OneOf(&["accept", "decline", "cancel"])), ("content", FieldType::Object)],
        input: &[
            ("mcp_server_name", rule!("ELICITRES-IN-01")),
            ("action", rule!("ELICITRES-IN-01")),
            ("mode", rule!("ELICITRES-IN-01")),
            ("elicitation_id", rule!("ELICITRES-IN-01")),
            ("content", rule!("ELICITRES-IN-01")),
        ],
    },
    Row {
        event: Event::SessionStart,
        target: Target::Field("source", rule!("MATCH-TGT-SESSSTART")),
        model: DecisionModel::Own,
        plain_is_context: true,
        timeout: LONG,
        fields: &[
            ("additionalContext", FieldType::String),
            ("initialUserMessage", FieldType::String),
            ("sessionTitle", FieldType::String),
            ("watchPaths", FieldType::Array),
            ("reloadSkills", FieldType::Bool),
        ],
        input: &[
            ("source", rule!("SESSTART-IN-01")),
            ("model", rule!("SESSTART-IN-02")),
            ("agent_type", rule!("SESSTART-IN-03")),
            ("session_title", rule!("SESSTART-IN-04")),
            ("seconds_since_last_response", rule!("SESSTART-IN-07")),
            ("context_tokens", rule!("SESSTART-IN-08")),
            ("prompt_cache_likely_expired", rule!("SESSTART-IN-09")),
            ("estimated_cache_write_usd", rule!("SESSTART-IN-10")),
        ],
    },
    Row {
        event: Event::Notification,
        target: Target::Field("notification_type", rule!("MATCH-TGT-NOTIF")),
        model: DecisionModel::Own,
        plain_is_context: false,
        timeout: LONG,
        fields: &[],
        // `title` may be left out.
        input: &[("message", rule!("NOTIF-IN-01")), ("notification_type", rule!("NOTIF-IN-01"))],
    },
    Row {
        event: Event::InstructionsLoaded,
        target: Target::Field("load_reason", rule!("MATCH-TGT-INSTR")),
        model: DecisionModel::Own,
        plain_is_context: false,
        timeout: LONG,
        fields: &[],
        input: &[
            ("file_path", rule!("INSTR-IN-01")),
            ("memory_type", rule!("INSTR-IN-02")),
            ("load_reason", rule!("INSTR-IN-03")),
            ("globs", rule!("INSTR-IN-05")),
            ("trigger_file_path", rule!("INSTR-IN-06")),
            ("parent_file_path", rule!("INSTR-IN-07")),
        ],
    },
    Row {
        event: Event::SessionEnd,
        target: Target::Field("reason", rule!("MATCH-TGT-SESSEND")),
        model: DecisionModel::Own,
        plain_is_context: false,
        // A second and a half, and no whole number at all where a budget is set: its chapter tells it.
        timeout: (0, rule!("SESSEND-BUDGET-01")),
        fields: &[],
        input: &[("reason", rule!("SESSEND-IN-01"))],
    },
    Row {
        event: Event::Setup,
        target: Target::Field("trigger", rule!("MATCH-TGT-SETUP")),
        model: DecisionModel::Own,
        plain_is_context: false,
        timeout: LONG,
        // It is dropped, with all other JSON.
        fields: &[("additionalContext", FieldType::String)],
        input: &[("trigger", rule!("SETUP-IN-01"))],
    },
    Row {
        event: Event::MessageDisplay,
        target: Target::None,
        model: DecisionModel::Own,
        plain_is_context: false,
        timeout: (10, rule!("TIMEOUT-DEF-07")),
        fields: &[("displayContent", FieldType::String)],
        input: &[
            ("turn_id", rule!("MSGDISP-IN-01")),
            ("message_id", rule!("MSGDISP-IN-02")),
            ("index", rule!("MSGDISP-IN-03")),
            ("final", rule!("MSGDISP-IN-04")),
            ("delta", rule!("MSGDISP-IN-05")),
        ],
    },
    Row {
        event: Event::WorktreeRemove,
        target: Target::None,
        model: DecisionModel::Own,
        plain_is_context: false,
        timeout: LONG,
        fields: &[],
        input: &[("worktree_path", rule!("WTREMOVE-IN-01"))],
    },
];

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
