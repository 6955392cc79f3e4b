//! What a handler is given: the event's JSON and its time (chapters *input* and *timeouts*).

use crate::{
    Scene, end_time,
    read::{is_background, wakes},
    requests,
    select::{Handler, Kind},
    session::Session,
};
use hookproof_contract::{Event, Host};
use serde_json::{Map, Value};

/// Where the session keeps its files, and, with an ending, its transcript.
const SESSION_FOLDER: &str = "/home/user/.agent/sessions/1";

/// The fields of SessionStart that tell what it costs to go on with an old conversation.
const COSTS: [&str; 4] =
    ["seconds_since_last_response", "context_tokens", "prompt_cache_likely_expired", "estimated_cache_write_usd"];

/// Gives each handler its input and its time.
pub(crate) fn hand_out<'a>(scene: &Scene<'a>, session: &Session, mut handlers: Vec<Handler<'a>>) -> Vec<Handler<'a>> {
    let Some((last, others)) = handlers.split_last_mut() else { return handlers };
    let input = input(scene, session);
    for handler in others {
        handler.timeout = timeout(scene, handler);
        handler.besides = requests::besides(scene, handler, &input);
        handler.input.clone_from(&input);
    }
    last.timeout = timeout(scene, last);
    last.besides = requests::besides(scene, last, &input);
    last.input = input;
    if scene.event() == Event::SessionEnd {
        end_time::share_out(scene, &mut handlers);
    }
    for handler in handlers.iter_mut().filter(|handler| is_untimed(scene, handler)) {
        handler.timeout = Value::Null;
    }
    handlers
}

/// The event's own fields and the common ones, in one object.
fn input(scene: &Scene<'_>, session: &Session) -> Map<String, Value> {
    let host = scene.host();
    let mut input = scene.firing.input.clone();
    let mut put = |key: &str, value: &str| {
        input.insert(key.to_owned(), Value::from(value));
    };
    put("session_id", "0f6f1f2e-0000-4000-8000-000000000001");
    put("transcript_path", &format!("{SESSION_FOLDER}.jsonl"));
    put("cwd", session.cwd(scene));
    put("hook_event_name", scene.event().name());
    if has_permission_mode(scene.event()) {
        put("permission_mode", session.mode(scene));
    }
    if scene.since(196) && (session.prompts > 0 || is_in_a_turn(scene.event())) {
        put("prompt_id", &format!("0f6f1f2e-0000-4000-9000-{:012x}", session.prompts));
    }
    if scene.event() == Event::UserPromptSubmit
        && let Some(title) = &session.title
    {
        put("session_title", title);
    }
    match scene.event() {
        Event::Stop => stop_fields(scene, &mut input, session),
        Event::SessionStart => start_fields(scene, &mut input, session),
        Event::SubagentStart => name_agent(&mut input),
        Event::SubagentStop => {
            subagent_fields(&mut input);
            stop_fields(scene, &mut input, session);
        }
        Event::PreToolUse | Event::PostToolUse | Event::PostToolUseFailure => {
            absolute_path(&mut input, host, session.cwd(scene));
        }
        Event::PermissionRequest => {
            // The call is told as it is told before it runs, but for its id.
            input.remove("tool_use_id");
            absolute_path(&mut input, host, session.cwd(scene));
        }
        Event::PreCompact => instructions(scene, &mut input),
        _ => {}
    }
    input
}

/// Whether the event is about something that goes on while a prompt is being worked on.
fn is_in_a_turn(event: Event) -> bool {
    // The directory is changed by a command, and somebody must have asked for that.
    let others =
        [Event::MessageDisplay, Event::TaskCreated, Event::SubagentStart, Event::StopFailure, Event::CwdChanged];
    others.contains(&event) || has_permission_mode(event)
}

/// Whether the event's hooks are told the permission mode.
fn has_permission_mode(event: Event) -> bool {
    matches!(
        event,
        Event::PreToolUse
            | Event::PermissionRequest
            | Event::PermissionDenied
            | Event::PostToolUse
            | Event::PostToolUseFailure
            | Event::PostToolBatch
            | Event::UserPromptSubmit
            | Event::UserPromptExpansion
            | Event::Stop
            | Event::SubagentStop
            | Event::TeammateIdle
            | Event::TaskCompleted
    )
}

/// File tools get an absolute path before a hook sees it (chapter *tools*).
fn absolute_path(input: &mut Map<String, Value>, host: &Host, cwd: &str) {
    if !matches!(input.get("tool_name").and_then(Value::as_str), Some("Read" | "Write" | "Edit")) {
        return;
    }
    let Some(Value::String(path)) = input.get_mut("tool_input").and_then(|tool| tool.get_mut("file_path")) else {
        return;
    };
    if let Some(below) = path.strip_prefix('~').filter(|below| below.is_empty() || below.starts_with('/')) {
        let home = host.env.get("HOME").map_or("/home/user", String::as_str);
        *path = resolved(home, below);
    } else if !path.starts_with('/') && !path.is_empty() {
        *path = resolved(cwd, path);
    }
}

/// A relative path, taken from a directory, without `.` and `..`.
pub(crate) fn resolved(directory: &str, path: &str) -> String {
    let mut segments = Vec::new();
    for segment in directory.split('/').chain(path.split('/')) {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            _ => segments.push(segment),
        }
    }
    format!("/{}", segments.join("/"))
}

/// What is told of a session that begins (chapter *session*). Its title is the one that the case states, or else that of a hook.
fn start_fields(scene: &Scene<'_>, input: &mut Map<String, Value>, session: &Session) {
    if input.contains_key("source") {
        input.insert("source".to_owned(), Value::from(session_source(scene)));
    }
    if let Some(title) = &session.title {
        input.entry("session_title").or_insert_with(|| Value::from(title.as_str()));
    }
    // What it costs to take up an old conversation was not always told.
    if !scene.since(251) {
        for field in COSTS {
            input.remove(field);
        }
    }
}

/// How the session came about. One that was split off from another was once called resumed.
pub(crate) fn session_source<'a>(scene: &Scene<'a>) -> &'a str {
    match scene.input_text("source").unwrap_or_default() {
        "fork" if !scene.since(214) => "resume",
        source => source,
    }
}

/// Which subagent begins or is about to stop (chapter *agents*). An agent without a type is one that serves a feature of the
/// runtime itself.
fn name_agent(input: &mut Map<String, Value>) {
    for (field, usual) in [("agent_id", "a0"), ("agent_type", "")] {
        input.entry(field).or_insert_with(|| Value::from(usual));
    }
}

/// What is told of a subagent at its end: where its own transcript is, besides who it is.
fn subagent_fields(input: &mut Map<String, Value>) {
    name_agent(input);
    let id = input["agent_id"].as_str().unwrap_or_default();
    let transcript = Value::from(format!("{SESSION_FOLDER}/subagents/agent-{id}.jsonl"));
    input.entry("agent_transcript_path").or_insert(transcript);
}

/// What a stop hook learns besides (chapter *stop*).
fn stop_fields(scene: &Scene<'_>, input: &mut Map<String, Value>, session: &Session) {
    let told = input.get("stop_hook_active") == Some(&Value::Bool(true));
    input.insert("stop_hook_active".to_owned(), Value::Bool(session.stopping(scene).kept_going || told));
    for (field, empty) in [
        ("last_assistant_message", Value::from("")),
        ("background_tasks", Value::Array(Vec::new())),
        ("session_crons", Value::Array(Vec::new())),
    ] {
        if !input.contains_key(field) {
            input.insert(field.to_owned(), empty);
        }
    }
}

/// What the user wrote after the command is told; where there is no such text, nothing is (chapter *compaction*).
fn instructions(scene: &Scene<'_>, input: &mut Map<String, Value>) {
    let automatic = scene.input_text("trigger") == Some("auto");
    // An automatic compaction once had empty instructions.
    let nothing = if automatic && !scene.since(290) { Value::from("") } else { Value::Null };
    let written = input.entry("custom_instructions").or_insert(Value::Null);
    if automatic || *written == "" {
        *written = nothing;
    }
}

/// The handler's own time, or else the event's.
fn timeout(scene: &Scene<'_>, handler: &Handler<'_>) -> Value {
    match handler.json.get("timeout") {
        Some(Value::Number(seconds)) => Value::Number(seconds.clone()),
        _ => usual_time(scene.event(), handler.kind),
    }
}

/// The seconds that handlers of a type have on an event. Those of evaluators are the same everywhere (TIMEOUT-DEF-03).
pub(crate) fn usual_time(event: Event, kind: Kind) -> Value {
    match kind {
        Kind::Prompt => Value::from(30),
        Kind::Agent => Value::from(60),
        Kind::Command | Kind::Http | Kind::Tool => default_timeout(event),
    }
}

/// The seconds that handlers of this event have, but for evaluators.
fn default_timeout(event: Event) -> Value {
    match event {
        Event::SessionEnd => Value::from(end_time::USUAL),
        Event::MessageDisplay => Value::from(10),
        Event::UserPromptSubmit | Event::PreModelSwitch | Event::PostModelSwitch => Value::from(30),
        _ => Value::from(600),
    }
}

/// Whether a hook is given no time, since none would count once it runs in the background (ASYNC-14, ASYNC-15). Before 2.1.290,
/// every time did.
fn is_untimed(scene: &Scene<'_>, handler: &Handler<'_>) -> bool {
    let stance = scene.stance;
    let untimed = if wakes(handler) { stance.waking_is_untimed } else { !stance.async_is_timed };
    untimed && handler.kind == Kind::Command && is_background(handler) && scene.since(290)
}

/// The time that is told to the person when it has run out.
pub(crate) fn seconds(scene: &Scene<'_>, handler: &Handler<'_>) -> String {
    timeout(scene, handler).to_string()
}

#[cfg(test)]
mod tests {
    use super::resolved;
    use crate::testing::stage;
    use serde_json::{Value, json};

    #[test]
    fn dots_are_folded() {
        assert_eq!(resolved("/w/p", "a/../../b/./c/"), "/w/b/c");
        assert_eq!(resolved("/", "../../x"), "/x");
    }

    #[test]
    fn the_path_of_a_file_tool_is_absolute() {
        let path = |tool: &str, path: &str| {
            let input = json!({"tool_name": tool, "tool_input": {"file_path": path}});
            let host = json!({"cwd": "/w/p", "env": {"HOME": "/home/me"}});
            given("PreToolUse", a(), input, host)["input"]["tool_input"]["file_path"].clone()
        };
        assert_eq!(path("Write", "./.ignore"), "/w/p/.ignore");
        assert_eq!(path("Edit", "../x"), "/w/x");
        assert_eq!(path("Read", "~/x"), "/home/me/x");
        assert_eq!(path("Read", "/srv/x"), "/srv/x");
        assert_eq!(path("NotebookEdit", "x"), "x");
    }

    fn given(event: &str, handler: Value, input: Value, host: Value) -> Value {
        let case = json!({"host": host, "settings": [{"from": "user", "settings": {"hooks": {event: [{"hooks": [handler]}]}}}],
                          "steps": [{"fire": {"event": event, "input": input}}]});
        Value::Object(stage(case)[0].ran[0].given.clone())
    }

    fn a() -> Value {
        json!({"type": "command", "command": "a"})
    }

    #[test]
    fn the_input_has_the_events_fields_and_the_common_ones() {
        let tool = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t"});
        let given = given("PreToolUse", a(), tool, json!({"cwd": "/w", "permission_mode": "plan"}));
        let input = &given["input"];
        assert_eq!(input["tool_input"], json!({"command": "ls"}));
        assert_eq!(input["hook_event_name"], "PreToolUse");
        assert_eq!((&input["cwd"], &input["permission_mode"]), (&json!("/w"), &json!("plan")));
        assert!(input["session_id"].is_string() && input["transcript_path"].is_string());
    }

    #[test]
    fn not_every_event_has_the_permission_mode() {
        let given = given("Elicitation", a(), json!({"mcp_server_name": "s"}), json!({}));
        assert!(given["input"].get("permission_mode").is_none() && given["input"].get("prompt_id").is_none());
    }

    #[test]
    fn prompts_have_thirty_seconds_and_other_events_ten_minutes() {
        assert_eq!(given("UserPromptSubmit", a(), json!({}), json!({}))["timeout"], 30);
        assert_eq!(given("Stop", a(), json!({}), json!({}))["timeout"], 600);
        let own = json!({"type": "command", "command": "a", "timeout": 7});
        assert_eq!(given("UserPromptSubmit", own, json!({}), json!({}))["timeout"], 7);
        let http = json!({"type": "http", "url": "u"});
        assert_eq!(given("UserPromptSubmit", http, json!({}), json!({}))["timeout"], 30);
    }

    #[test]
    fn a_title_that_a_hook_gave_is_told_to_the_next_prompts_hooks() {
        let case = json!({"settings": [{"from": "user", "settings": {"hooks": {"UserPromptSubmit": [{"hooks": [a()]}]}}}],
            "results": {"a": {"out": r#"{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","sessionTitle":"TITLE-1"}}"#}},
            "steps": [{"fire": {"event": "UserPromptSubmit", "times": 2}}]});
        let outcomes = stage(case);
        assert!(outcomes[0].ran[0].given["input"].get("session_title").is_none());
        assert_eq!(outcomes[1].ran[0].given["input"]["session_title"], "TITLE-1");
    }
}
