//! Fields of an input that a handler need not be given just as the case has them, or of which the parts have rules of their own.

use super::{
    Scene,
    given::is_plain_absolute,
    permission_denied::{NO_VERDICT, UNAVAILABLE},
};
use hookproof_contract::{Event, Kind, Must, Revision, RuleId, Surface, read::escape, rule};
use serde_json::Value;

/// Demands on parts of an input: where, what, by which rule.
pub(super) type Parts = Vec<(String, Must, RuleId)>;

/// The demands on a field, if it is one of these; `rule` is that of the whole field.
pub(super) fn parts(scene: &Scene<'_, '_>, field: &str, value: &Value, rule: RuleId) -> Option<Parts> {
    match scene.row.event {
        // It is the one that a hook gave it before, if one did and the runtime took it.
        _ if field == "session_title" => Some(if_certain(field, value, !scene.session.retitled, rule)),
        Event::PermissionRequest if field == "tool_input" && is_relative(scene.tool(), value) => {
            Some(without_path(field, value, rule))
        }
        Event::PermissionDenied => of_a_denial(scene.tool(), field, value, rule),
        Event::PostToolUseFailure => of_a_failure(scene.tool(), field, value, rule),
        Event::UserPromptExpansion if field == "expansion_type" => {
            // There is no third type, so a case with one is none.
            let known = value == "slash_command" || value == "mcp_prompt";
            Some(if_certain(field, value, known, rule))
        }
        Event::PostToolBatch => Some(of_the_calls(field, value, rule)),
        Event::ConfigChange => {
            let path = scene.firing.input.get("file_path").and_then(Value::as_str);
            let by = of_the_source(value.as_str().unwrap_or_default(), path, rule);
            Some(as_it_is(field, value, by))
        }
        Event::CwdChanged | Event::WorktreeRemove => {
            Some(if_certain(field, value, value.as_str().is_some_and(is_plain_absolute), rule))
        }
        Event::DirectoryAdded => {
            let is_known = |value: &str| match field {
                "source" => matches!(value, "slash_command" | "register_repo_root"),
                _ => is_plain_absolute(value),
            };
            Some(if_certain(field, value, value.as_str().is_some_and(is_known), rule))
        }
        Event::FileChanged => {
            let is_known = |value: &str| match field {
                "event" => matches!(value, "change" | "add" | "unlink"),
                _ => is_plain_absolute(value),
            };
            Some(if_certain(field, value, value.as_str().is_some_and(is_known), rule))
        }
        Event::PreModelSwitch | Event::PostModelSwitch => Some(of_a_switch(scene, field, value, rule)),
        Event::StopFailure if field == "error" => {
            // There is no thirteenth kind, so a case with one is none.
            let known = value.as_str().is_some_and(|error| ERRORS.contains(&error));
            Some(if_certain(field, value, known, rule))
        }
        Event::SessionStart if field == "source" => {
            let by = match value.as_str() {
                Some("startup") => Some(rule!("SESSTART-SRC-01")),
                Some("resume") => Some(rule!("SESSTART-SRC-02")),
                Some("clear") => Some(rule!("SESSTART-SRC-03")),
                Some("compact") => Some(rule!("SESSTART-SRC-04")),
                Some("fork") => Some(rule!("SESSTART-SRC-05")),
                _ => None,
            };
            Some(as_it_is(field, value, by))
        }
        Event::SessionStart if COSTS.contains(&field) => Some(of_the_price(scene, field, value, rule)),
        Event::SessionEnd => {
            let by = match value.as_str() {
                Some("clear") => Some(rule!("SESSEND-REASON-01")),
                Some("resume") => Some(rule!("SESSEND-REASON-02")),
                Some("logout") => Some(rule!("SESSEND-REASON-03")),
                Some("prompt_input_exit") => Some(rule!("SESSEND-REASON-04")),
                Some("other") => Some(rule!("SESSEND-REASON-05")),
                _ => None,
            };
            Some(as_it_is(field, value, by))
        }
        Event::Setup => {
            // There is no third flag, so a case with one is none.
            let known = value == "init" || value == "maintenance";
            Some(if_certain(field, value, known, rule))
        }
        Event::MessageDisplay => {
            let by = of_a_message(scene, field, value, rule);
            Some(as_it_is(field, value, by))
        }
        Event::Notification if field == "notification_type" => {
            // There is no other type, and some came in later.
            let known = TYPES.iter().find(|(name, _)| value == *name).filter(|(_, by)| by.holds_at(revision(scene)));
            Some(as_it_is(field, value, known.map(|_| rule)))
        }
        Event::InstructionsLoaded => {
            let by = of_a_load(scene, field, value).then_some(rule);
            let by = if value == "compact" { by.map(|_| rule!("INSTR-IN-04")) } else { by };
            Some(as_it_is(field, value, by))
        }
        _ => None,
    }
}

/// The fields that must not be there, as a pointer each, by which rule.
pub(super) fn missing(scene: &Scene<'_, '_>) -> Option<(&'static str, RuleId)> {
    let reason = load_reason(scene);
    let without = LOADS.contains(&reason) && reason != BY_PATTERN && !scene.firing.input.contains_key("globs");
    (scene.row.event == Event::InstructionsLoaded && without).then_some(("/globs", rule!("INSTR-IN-05")))
}

/// What a SessionStart tells of the price of going on with an old conversation.
const COSTS: [&str; 4] =
    ["seconds_since_last_response", "context_tokens", "prompt_cache_likely_expired", "estimated_cache_write_usd"];

/// What such a field is: how much, is for the clock and the model to say, and not for a case. That the case has it says that the
/// old conversation has an answer.
fn of_the_price(scene: &Scene<'_, '_>, field: &str, value: &Value, rule: RuleId) -> Parts {
    let (certain, kind) = match field {
        "prompt_cache_likely_expired" => (value.is_boolean(), Kind::Bool),
        _ => (value.is_number(), Kind::Number),
    };
    let source = scene.firing.input.get("source").and_then(Value::as_str);
    let goes_on = matches!(source, Some("resume" | "fork"));
    (goes_on && certain).then(|| (whole(field), Must::BeA(kind), rule)).into_iter().collect()
}

/// The rule by which a field of a message that is shown is given so, where it is one that there can be.
fn of_a_message(scene: &Scene<'_, '_>, field: &str, value: &Value, rule: RuleId) -> Option<RuleId> {
    let surface = scene.session.case.host.surface;
    let in_one_piece = matches!(surface, Surface::Print | Surface::Sdk);
    let is_there = match field {
        "index" => value.is_u64(),
        "final" => value.is_boolean(),
        "delta" => {
            let last = scene.firing.input.get("final").and_then(Value::as_bool);
            let whole_lines = value.as_str().is_some_and(|text| text.ends_with('\n'));
            // At its end, an interactive message has what is left of a line, or nothing.
            let rest = last == Some(true) && value.is_string() && (!whole_lines || surface != Surface::Terminal);
            if rest && value == "" && surface == Surface::Terminal {
                return Some(rule!("MSGDISP-IN-06"));
            }
            rest || (whole_lines && last == Some(false))
        }
        _ => return value.as_str().is_some_and(is_uuid).then_some(rule),
    };
    is_there.then_some(if in_one_piece { rule!("MSGDISP-08") } else { rule })
}

fn is_uuid(text: &str) -> bool {
    let fits =
        |(at, byte): (usize, u8)| if matches!(at, 8 | 13 | 18 | 23) { byte == b'-' } else { byte.is_ascii_hexdigit() };
    text.len() == 36 && text.bytes().enumerate().all(fits)
}

fn revision(scene: &Scene<'_, '_>) -> Revision {
    scene.oracle().revision
}

/// The types of notification, and the rule that tells when each is sent, which has its gate. (That of the permission prompt has
/// another gate, since a further thing raises it from then on.)
const TYPES: [(&str, RuleId); 12] = [
    ("permission_prompt", rule!("NOTIF-TIME-00")),
    ("idle_prompt", rule!("NOTIF-TYPE-02")),
    ("auth_success", rule!("NOTIF-TYPE-03")),
    ("elicitation_dialog", rule!("NOTIF-TYPE-04")),
    ("elicitation_url_dialog", rule!("NOTIF-TYPE-05")),
    ("elicitation_complete", rule!("NOTIF-TYPE-06")),
    ("elicitation_response", rule!("NOTIF-TYPE-07")),
    ("agent_needs_input", rule!("NOTIF-TYPE-08")),
    ("agent_completed", rule!("NOTIF-TYPE-09")),
    ("quota_auto_resume_fired", rule!("NOTIF-TYPE-10")),
    ("quota_auto_resume_stale", rule!("NOTIF-TYPE-11")),
    ("quota_auto_resume_disabled", rule!("NOTIF-TYPE-12")),
];

/// Why instructions are loaded.
const LOADS: [&str; 5] = ["session_start", "nested_traversal", BY_PATTERN, "include", "compact"];
/// Since a file was read that one of their patterns fits.
const BY_PATTERN: &str = "path_glob_match";

fn load_reason<'a>(scene: &Scene<'_, 'a>) -> &'a str {
    scene.firing.input.get("load_reason").and_then(Value::as_str).unwrap_or_default()
}

/// Whether a field of a load is certain to be given so: it has a value that there is, and goes with the reason.
fn of_a_load(scene: &Scene<'_, '_>, field: &str, value: &Value) -> bool {
    let is_path = || value.as_str().is_some_and(is_plain_absolute);
    let one_of = |known: &[&str]| value.as_str().is_some_and(|text| known.contains(&text));
    match field {
        "memory_type" => one_of(&["User", "Project", "Local", "Managed"]),
        "load_reason" => one_of(&LOADS),
        "globs" => load_reason(scene) == BY_PATTERN && value.is_array(),
        "trigger_file_path" => matches!(load_reason(scene), BY_PATTERN | "nested_traversal") && is_path(),
        "parent_file_path" => load_reason(scene) == "include" && is_path(),
        _ => is_path(),
    }
}

/// What a switch leads to and costs, where the case has values that can be.
fn of_a_switch(scene: &Scene<'_, '_>, field: &str, value: &Value, rule: RuleId) -> Parts {
    let after = scene.row.event == Event::PostModelSwitch;
    let source = scene.firing.input.get("source").and_then(Value::as_str).unwrap_or_default();
    let one_of = |words: &[&str]| value.as_str().is_some_and(|word| words.contains(&word));
    let (certain, own) = match field {
        "source" => (one_of(&["command", "picker", "sdk"]) || (after && one_of(&["auto", "resume"])), rule),
        "requested_model" if after && source == "auto" => (value.is_null(), rule!("POSTMODEL-IN-02")),
        "requested_model" if after && source == "resume" => (value.is_string(), rule!("POSTMODEL-IN-02")),
        "requested_model" => (value.is_string() || value.is_null(), rule),
        "context_tokens" | "estimated_cache_write_usd" => (value.is_number(), rule),
        "prompt_cache_warm" => (value.is_boolean(), rule),
        "cache_ttl" => (one_of(&["5m", "1h"]), rule),
        "pricing" => (one_of(&["configured", "catalog", "default"]), rule),
        _ => (value.is_string(), rule),
    };
    if_certain(field, value, certain, own)
}

/// The demand on a whole field, where the case has a value that can be.
fn if_certain(field: &str, value: &Value, certain: bool, rule: RuleId) -> Parts {
    as_it_is(field, value, certain.then_some(rule))
}

/// The demand on a whole field by this rule, if there is one.
fn as_it_is(field: &str, value: &Value, by: Option<RuleId>) -> Parts {
    by.map(|by| (whole(field), Must::Be(value.clone()), by)).into_iter().collect()
}

/// The kinds of API errors.
const ERRORS: [&str; 12] = [
    "account_on_hold",
    "authentication_failed",
    "billing_error",
    "cloud_credential_error",
    "invalid_request",
    "max_output_tokens",
    "model_not_found",
    "oauth_org_not_allowed",
    "overloaded",
    "rate_limit",
    "server_error",
    "unknown",
];

/// Each call of a batch has its entry.
fn of_the_calls(field: &str, calls: &Value, rule: RuleId) -> Parts {
    let calls = calls.as_array().into_iter().flatten().enumerate();
    let of_call = |(number, call): (usize, &Value)| -> Parts {
        let tool = call.get("tool_name").and_then(Value::as_str).unwrap_or_default();
        let by = |key: &str, part: &Value| match key {
            "tool_name" | "tool_use_id" => Some(rule),
            // That it is shown as to the events of a single call is not said.
            "tool_input" => (!is_relative(tool, part)).then_some(rule),
            "tool_response" => of_the_response(tool, part),
            _ => None,
        };
        let parts = call.as_object().into_iter().flatten();
        let place = |key: &str| format!("/{field}/{number}/{key}");
        parts.filter_map(|(key, part)| Some((place(key), Must::Be(part.clone()), by(key, part)?))).collect()
    };
    calls.flat_map(of_call).collect()
}

/// What the model gets is a text or an array, and of `Read` a text with numbers before its lines; anything else is none.
fn of_the_response(tool: &str, response: &Value) -> Option<RuleId> {
    match response {
        Value::String(text) if tool == "Read" => {
            text.trim_start().starts_with(|c: char| c.is_ascii_digit()).then_some(rule!("POSTBATCH-IN-03"))
        }
        Value::String(_) | Value::Array(_) => Some(rule!("POSTBATCH-IN-02")),
        _ => None,
    }
}

/// The rule by which a source is told: that of the file which was changed, if the case names it. None for what cannot be.
fn of_the_source(source: &str, path: Option<&str>, rule: RuleId) -> Option<RuleId> {
    let by = |fits: &dyn Fn(&str) -> bool, own: RuleId| match path {
        None => Some(rule),
        Some(path) => fits(path).then_some(own),
    };
    match source {
        "user_settings" => by(&|path| path.ends_with("/.claude/settings.json"), rule!("CONFCHG-SRC-01")),
        "project_settings" => by(&|path| path.ends_with("/.claude/settings.json"), rule!("CONFCHG-SRC-02")),
        "local_settings" => by(&|path| path.ends_with("/.claude/settings.local.json"), rule!("CONFCHG-SRC-03")),
        "policy_settings" => {
            let managed =
                |path: &str| path.ends_with("/managed-settings.json") || path.contains("/managed-settings.d/");
            by(&managed, rule!("CONFCHG-SRC-04"))
        }
        "skills" => by(&|path| path.contains("/.claude/skills/"), rule!("CONFCHG-SRC-05")),
        _ => None,
    }
}

/// Longer texts are shortened, and which are is not said.
const SHORT: usize = 1_000;

fn of_a_failure(tool: &str, field: &str, value: &Value, rule: RuleId) -> Option<Parts> {
    match field {
        "tool_input" if is_relative(tool, value) => Some(without_path(field, value, rule)),
        "error" => {
            let error = value.as_str().filter(|error| error.len() <= SHORT);
            let of_command = |error: &str| matches!(tool, "Bash" | "PowerShell") && error.starts_with("Exit code ");
            let by = |error: &str| if of_command(error) { rule!("POSTFAIL-IN-07") } else { rule };
            Some(as_it_is(field, value, error.map(by)))
        }
        // Where it was no interruption, it may be left out.
        "is_interrupt" if *value != Value::Bool(true) => Some(Parts::new()),
        _ => None,
    }
}

/// Why auto mode refused a call. Two of the reasons are laid down.
fn of_a_denial(tool: &str, field: &str, value: &Value, rule: RuleId) -> Option<Parts> {
    match field {
        "tool_input" if is_relative(tool, value) => Some(without_path(field, value, rule)),
        "reason" => {
            let by = match value.as_str()? {
                UNAVAILABLE => rule!("PERMDEN-IN-04"),
                reason if reason.starts_with(NO_VERDICT) => rule!("PERMDEN-IN-03"),
                _ => rule,
            };
            Some(vec![(whole(field), Must::Be(value.clone()), by)])
        }
        _ => None,
    }
}

/// An input but for its path: that paths are shown as absolute ones is said of other events of a call only.
fn without_path(field: &str, value: &Value, rule: RuleId) -> Parts {
    let others = value.as_object().into_iter().flatten().filter(|(key, _)| *key != "file_path");
    others.map(|(key, part)| (format!("/{field}/{}", escape(key)), Must::Be(part.clone()), rule)).collect()
}

fn whole(field: &str) -> String {
    format!("/{field}")
}

/// Whether a call is about a file whose path a runtime may write in another way.
fn is_relative(tool: &str, input: &Value) -> bool {
    let path = input.get("file_path").and_then(Value::as_str);
    matches!(tool, "Write" | "Edit" | "Read") && path.is_some_and(|path| !is_plain_absolute(path))
}
