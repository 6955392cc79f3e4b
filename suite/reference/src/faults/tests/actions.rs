//! Cases in which something becomes of an action of one event.

use super::{bash, edit, of, specific};
use serde_json::{Value, json};

/// A case of one event with this input and these handlers, of one group each.
fn groups(event: &str, input: Value, groups: Value, results: Value) -> Value {
    edit(of(event, json!({}), input, results), &format!("/settings/0/settings/hooks/{event}"), groups)
}

fn command(name: &str) -> Value {
    json!({"type": "command", "command": name})
}

fn asks(prompt: &str) -> Value {
    json!({"type": "prompt", "prompt": prompt})
}

fn verdict(ok: bool) -> Value {
    json!({"end": "answered", "out": json!({"ok": ok, "reason": "WHY-1"}).to_string()})
}

pub(super) fn all() -> Vec<Value> {
    tools().into_iter().chain(judged()).chain(worktrees()).chain(others()).collect()
}

fn tools() -> Vec<Value> {
    let done = |name: &str, results: Value| {
        of("PostToolUse", json!({}), json!({"tool_name": name, "tool_input": {"file_path": "a"}}), results)
    };
    let star = json!([{"matcher": "*", "hooks": [command("a")]}, {"matcher": "Bash", "hooks": [command("b")]}]);
    vec![
        of("PreToolUse", json!({}), json!({"tool_name": "EndConversation", "tool_input": {}}), json!({"a": {}})),
        groups("PostToolUse", bash(), star, json!({})),
        done("Write", json!({"a": {}})),
        done("Read", json!({"a": specific("PostToolUse", json!({"classifierContext": "NOTE-1"}))})),
        done("mcp__s__t", json!({"a": specific("PostToolUse", json!({"updatedToolOutput": "NEW-1"}))})),
    ]
}

/// Evaluators, where they are heard and where they are not.
fn judged() -> Vec<Value> {
    let judge = |event: &str, more: Value, answer: Value| {
        let hooks = edit(json!({"h": [asks("p")]}), "/h/0/continueOnBlock", more)["h"].clone();
        groups(event, bash(), json!([{"hooks": hooks}]), json!({"p": answer}))
    };
    let retry = json!({"ok": true, "hookSpecificOutput": {"hookEventName": "PermissionDenied", "retry": true}});
    let beside = json!([{"hooks": [asks("p"), command("a")]}]);
    vec![
        judge("PermissionDenied", json!(false), json!({"end": "answered", "out": retry.to_string()})),
        judge("PermissionDenied", json!(false), verdict(false)),
        judge("PermissionRequest", json!(false), verdict(false)),
        judge("PreToolUse", json!(true), verdict(false)),
        judge("PreToolUse", json!(false), verdict(true)),
        groups("PermissionRequest", bash(), beside.clone(), json!({})),
        groups("PreModelSwitch", json!({}), beside, json!({})),
    ]
}

fn worktrees() -> Vec<Value> {
    let made = |out: &str| of("WorktreeCreate", json!({}), json!({"name": "n"}), json!({"a": {"out": out}}));
    let body =
        json!({"decision": "block", "hookSpecificOutput": {"hookEventName": "WorktreeCreate", "worktreePath": "/w"}});
    let answer = json!({"http://a": {"end": {"status": 200}, "out": body.to_string()}});
    vec![made("/w/a\n\n"), made(""), made("/w/../a"), of("WorktreeCreate", json!({}), json!({"name": "n"}), answer)]
}

fn others() -> Vec<Value> {
    let dialog = |mode: &str, results: Value| {
        of("Elicitation", json!({}), json!({"mcp_server_name": "s", "mode": mode}), results)
    };
    let action = |action: &str| specific("Elicitation", json!({"action": action}));
    let values = specific("ElicitationResult", json!({"content": {"a": 1}}));
    let given = json!({"mcp_server_name": "s", "action": "accept", "content": {}});
    let hides = json!({"hookEventName": "UserPromptSubmit", "suppressOriginalPrompt": true});
    let hides = json!({"decision": "block", "reason": "WHY-1", "hookSpecificOutput": hides});
    let notes = specific("SubagentStart", json!({"additionalContext": "NOTES-1"}));
    let mut told = of("SubagentStart", json!({}), json!({"agent_id": "a-1"}), json!({"a": notes}));
    let start = told["steps"][0].clone();
    let another = edit(start.clone(), "/fire/input/agent_id", json!("a-2"));
    told["steps"] = json!([start, another, {"happen": "compacted"}, start]);
    let allow = specific("PermissionRequest", json!({"decision": {"behavior": "allow"}}));
    let request = of("PermissionRequest", json!({}), bash(), json!({"a": allow}));
    let request = edit(request, "/steps/0/fire/otherwise", json!("asked"));
    let denied =
        of("PermissionDenied", json!({}), bash(), json!({"a": specific("PermissionDenied", json!({"retry": true}))}));
    let update = |entry: Value| {
        let decision = json!({"behavior": "allow", "updatedPermissions": [entry]});
        let request = of(
            "PermissionRequest",
            json!({}),
            bash(),
            json!({"a": specific("PermissionRequest", json!({"decision": decision}))}),
        );
        edit(request, "/steps/0/fire/otherwise", json!("asked"))
    };
    let rule =
        json!({"type": "removeRules", "rules": [{"toolName": "Edit"}], "behavior": "allow", "destination": "session"});
    let bypass = json!({"type": "setMode", "mode": "bypassPermissions", "destination": "session"});
    let by_project = edit(update(bypass.clone()), "/settings/0/from", json!("project"));
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "agent_id": "a-1", "agent_type": "x"});
    let mut of_an_agent =
        of("PreToolUse", json!({}), call, json!({"a": {"did": [{"wrote_environment": "export A=1"}]}}));
    let start = json!({"fire": {"event": "SessionStart", "input": {"source": "startup", "agent_type": "y"}}});
    of_an_agent["steps"] = json!([start, of_an_agent["steps"][0], of_an_agent["steps"][0]]);
    let asks = specific("PreToolUse", json!({"permissionDecision": "ask"}));
    let asks = of("PreToolUse", json!({}), bash(), json!({"a": asks}));
    let declined = json!({"a": {"out": "{\"decision\":\"block\",\"reason\":\"WHY-1\"}"}});
    let halts = json!({"a": {"out": "{\"continue\":false}"}, "b": {"rank": 1}});
    vec![
        update(rule),
        edit(update(bypass), "/host/facts", json!(["bypass_available", "bypass_disabled"])),
        edit(by_project, "/settings/0/settings/permissions", json!({"defaultMode": "bypassPermissions"})),
        of_an_agent,
        edit(asks, "/host", json!({"permission_mode": "auto", "facts": ["without_sandbox"]})),
        of("PostToolBatch", json!({}), json!({"tool_calls": []}), declined.clone()),
        dialog("form", declined),
        edit(denied, "/steps/0/fire/times", json!(2)),
        of("PostToolUse", json!({}), bash(), halts),
        dialog("url", json!({"a": action("accept")})),
        dialog("form", json!({"a": action("accept"), "b": action("cancel")})),
        dialog("form", json!({"a": action("accept"), "b": {}})),
        of("ElicitationResult", json!({}), given, json!({"a": values})),
        of("UserPromptSubmit", json!({}), json!({"prompt": "PROMPT-1"}), json!({"a": {"out": hides.to_string()}})),
        told,
        edit(request, "/host", json!({"surface": "sdk", "permission_host": true})),
        of("PreCompact", json!({}), json!({"trigger": "auto"}), json!({"a": {"end": {"exit": 2}}})),
        of(
            "PreModelSwitch",
            json!({}),
            json!({}),
            json!({"a": specific("PreModelSwitch", json!({"additionalContext": "CTX-1"}))}),
        ),
    ]
}
