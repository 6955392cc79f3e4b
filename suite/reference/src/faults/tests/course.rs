//! Cases of what matters to one fault each: what happened before, what nobody asks for, and forms that only look alike.

use super::{bash, compaction, edit, layers, matching, of, prompt, specific, stop, worktree};
use serde_json::{Value, json};

/// The same with another handler.
fn with(case: Value, event: &str, handler: &Value) -> Value {
    edit(case, &format!("/settings/0/settings/hooks/{event}/0/hooks"), json!([handler]))
}

/// The same with a field more of its handler on tool calls.
fn saying(case: Value, field: &str, value: Value) -> Value {
    edit(case, &format!("/settings/0/settings/hooks/PreToolUse/0/hooks/0/{field}"), value)
}

/// The same event, and then this one, with something between them.
fn then(mut case: Value, between: &Value, step: Value) -> Value {
    let first = case["steps"][0].clone();
    case["steps"] = if between.is_null() { json!([first, step]) } else { json!([first, between, step]) };
    case
}

/// What runs, and what was before.
fn selected() -> Vec<Value> {
    let call = |command: &str| json!({"tool_name": "Bash", "tool_input": {"command": command}});
    let step = |command: &str| json!({"fire": {"event": "PreToolUse", "input": call(command)}});
    let condition = |case: Value, rule: &str| saying(case, "if", json!(rule));
    let tools = || of("PreToolUse", json!({}), call("git push"), json!({"a": {}}));
    let file = json!({"tool_name": "Edit", "tool_input": {"file_path": "a.ts.bak"}});
    let failed = |error: &str| {
        of("StopFailure", json!({"matcher": error}), json!({"error": error, "error_details": "429"}), json!({"a": {}}))
    };
    let notified = of("Notification", json!({}), json!({"notification_type": "auth_success"}), json!({"a": {}}));
    let skill = edit(tools(), "/settings/0/from", json!({"skill": "s"}));
    let resumed = json!({"fire": {"event": "SessionStart", "input": {"source": "resume"}}});
    let off = json!({"enabledPlugins": {"p": false}});
    vec![
        edit(layers(&[json!("user"), json!({"plugin": "p"})]), "/settings/0/settings", off),
        edit(layers(&[json!("managed"), json!("user")]), "/settings/1/settings/hooks/Stop", json!([])),
        then(
            failed("rate_limit"),
            &Value::Null,
            json!({"fire": {"event": "StopFailure", "input": {"error": "unknown"}}}),
        ),
        failed("cloud_credential_error"),
        matching("mcp__memory__create", "mcp__memory__create"),
        then(
            notified,
            &Value::Null,
            json!({"fire": {"event": "Notification", "input": {"notification_type": "idle_prompt"}}}),
        ),
        then(condition(tools(), "Bash(git *)"), &Value::Null, step("npm test")),
        condition(of("PreToolUse", json!({}), file, json!({"a": {}})), "Edit(*.ts)"),
        then(skill, &json!({"happen": "new_prompt"}), step("ls")),
        then(saying(tools(), "async", json!(true)), &Value::Null, step("ls")),
        then(prompt(json!({"a": {}})), &Value::Null, resumed),
        then(edit(tools(), "/host/permissions", json!({"allow": ["Bash"]})), &Value::Null, step("ls")),
    ]
}

/// What handlers are given, and what they say.
fn said() -> Vec<Value> {
    let shell = |more: Value| {
        let mut spec = more;
        (spec["type"], spec["command"], spec["shell"]) = (json!("command"), json!("a"), json!("bash"));
        with(stop(1, json!({})), "Stop", &spec)
    };
    let opener = specific("SessionStart", json!({"additionalContext": "CTX-1"}));
    let begins = |results: Value| of("SessionStart", json!({}), json!({"source": "startup"}), results);
    let tool = json!({"type": "mcp_tool", "server": "s", "tool": "t"});
    let long = prompt(json!({"a": {"out": {"fill": ["x", 10_001]}}}));
    vec![
        shell(json!({})),
        shell(json!({"args": []})),
        prompt(json!({"a": {"out": "{TEXT-1}"}})),
        prompt(json!({"a": {"out": "{\n\"systemMessage\":\"SYS-1\"}"}})),
        prompt(json!({"a": {"out": "\n{\"systemMessage\":\"SYS-1\"}"}})),
        prompt(json!({"a": {"out": "{\"decision\":\"block\",\"reason\":\"WHY-1\"}{}"}})),
        of("PreToolUse", json!({}), bash(), json!({"http://u": {"end": {"status": 200}, "out": "{\"reason\":5}"}})),
        worktree("{\"terminalSequence\":\"\\u0007\"}\n/w/t"),
        prompt(json!({"a": specific("UserPromptSubmit", json!({"updatedInput": {"prompt": "NEW-1"}}))})),
        prompt(json!({"a": {"out": "{\"continue\":false,\"stopReason\":\"STOP-1\"}"}})),
        compaction(json!({"out": "{\"reason\":\"WHY-1\"}"})),
        edit(begins(json!({"a": opener})), "/host/surface", json!("print")),
        with(begins(json!({})), "SessionStart", &tool),
        edit(long, "/host/env", json!({"BASH_MAX_OUTPUT_LENGTH": "20000"})),
    ]
}

pub(super) fn all() -> Vec<Value> {
    selected().into_iter().chain(said()).collect()
}
