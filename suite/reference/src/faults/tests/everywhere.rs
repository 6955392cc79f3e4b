//! Cases of what people get wrong on all events alike.

use super::{bash, batch, compaction, done, edit, of, prompt, ruling, specific, stop, tool, worktree};
use serde_json::{Value, json};

/// A result that prints an object.
fn prints(object: &Value) -> Value {
    json!({"out": object.to_string()})
}

fn two(err: &str) -> Value {
    json!({"end": {"exit": 2}, "err": err})
}

/// Several hooks, of which one undoes what another said.
fn together() -> Vec<Value> {
    let stops = |reason: &str| prints(&json!({"continue": false, "stopReason": reason, "systemMessage": reason}));
    let deny = ruling("deny", json!({}));
    let silent = |first: Value| json!({"a": first, "b": {"rank": 1}});
    let failed = json!({"end": {"exit": 1}, "err": "ERR-1"});
    let mut agent = stop(1, two("ERR-1"));
    let more = json!({"type": "command", "command": "b"});
    agent["settings"][0]["settings"]["hooks"]["Stop"][0]["hooks"].as_array_mut().expect("handlers").push(more);
    agent["results"]["b"] = json!({"rank": 1});
    vec![
        done(json!({"a": stops("STOP-1"), "b": stops("STOP-2")})),
        done(silent(stops("STOP-1"))),
        tool(json!({"a": deny, "b": edit(deny.clone(), "/rank", json!(1))})),
        tool(json!({"a": failed, "b": edit(deny, "/rank", json!(1))})),
        prompt(silent(two("ERR-1"))),
        agent,
        batch(silent(two("ERR-1"))),
        of("PreCompact", json!({}), json!({"trigger": "manual"}), silent(two("ERR-1"))),
        of("TeammateIdle", json!({}), json!({"teammate_name": "n"}), silent(two("ERR-1"))),
        prompt(json!({"a": {}, "b": edit(two("ERR-1"), "/rank", json!(1))})),
        of(
            "TaskCreated",
            json!({}),
            json!({"task_id": "7"}),
            json!({"a": {}, "b": edit(two("ERR-1"), "/rank", json!(1))}),
        ),
    ]
}

/// One hook, of which too much is read, or too little.
fn alone() -> Vec<Value> {
    let notified = |result: Value| {
        of("Notification", json!({}), json!({"notification_type": "idle_prompt"}), json!({"a": result}))
    };
    let update =
        json!({"type": "addRules", "rules": [{"toolName": "Bash"}], "behavior": "allow", "destination": "session"});
    let decision = json!({"behavior": "allow", "updatedPermissions": [update]});
    let mut suggested = bash();
    suggested["permission_suggestions"] = json!([]);
    let clerk = specific("PermissionRequest", json!({"decision": decision}));
    vec![
        tool(json!({"a": {}})),
        tool(json!({"a": {"end": "not_started"}})),
        tool(json!({"a": prints(&json!({"unknown": 1, "systemMessage": "MSG-1"}))})),
        tool(json!({"a": prints(&json!({"additionalContext": "CTX-1"}))})),
        edit(worktree("/w/t\n"), "/results/a/end", json!({"exit": 1})),
        of("PermissionRequest", json!({}), suggested, json!({"a": clerk})),
        compaction(prints(&json!({"continue": false}))),
        notified(json!({"end": {"exit": 1}})),
        notified(prints(&json!({"decision": "block"}))),
    ]
}

/// A plugin's hook that states its time at the end of a session, beside one that states none.
fn at_the_end() -> Value {
    let layer = |from: Value, handler: Value| json!({"from": from, "settings": {"hooks": {"SessionEnd": [{"hooks": [handler]}]}}});
    let slow = layer(json!({"plugin": "p"}), json!({"type": "command", "command": "a", "timeout": 10}));
    let usual = layer(json!("user"), json!({"type": "command", "command": "b"}));
    edit(of("SessionEnd", json!({}), json!({"reason": "other"}), json!({})), "/settings", json!([slow, usual]))
}

/// What may be said of calls, changes and switches, and where a session or a worktree begins.
fn decided() -> Vec<Value> {
    let denied =
        edit(tool(json!({"a": ruling("deny", json!({}))})), "/host/permission_mode", json!("bypassPermissions"));
    let deferred = edit(
        tool(json!({"a": ruling("defer", json!({"additionalContext": "CTX-1"}))})),
        "/host",
        json!({"surface": "print", "tool_calls_in_turn": 1}),
    );
    let start = |result: Value| of("SessionStart", json!({}), json!({"source": "startup"}), json!({"a": result}));
    let first = start(specific("SessionStart", json!({"initialUserMessage": "FIRST-1"})));
    let asked = edit(
        start(json!({})),
        "/settings/0/settings/hooks/SessionStart/0/hooks",
        json!([{"type": "http", "url": "http://u"}]),
    );
    let block = prints(&json!({"decision": "block", "reason": "WHY-1"}));
    let switch = of(
        "PreModelSwitch",
        json!({}),
        json!({"to_model": "m"}),
        json!({"a": specific("PreModelSwitch",
        json!({"permissionDecision": "allow", "permissionDecisionReason": "WHY-1"}))}),
    );
    let path = specific("WorktreeCreate", json!({"worktreePath": "/w/t"}));
    let lines = format!("{}\n", "x".repeat(99)).repeat(120);
    vec![
        denied,
        deferred,
        edit(first, "/host/surface", json!("print")),
        asked,
        of("ConfigChange", json!({}), json!({"source": "user_settings"}), json!({"a": block})),
        switch,
        of("WorktreeCreate", json!({}), json!({"name": "n"}), json!({"http://u": path})),
        tool(json!({"a": edit(ruling("deny", json!({})), "/err", json!("ERR-1"))})),
        prompt(json!({"a": {"out": lines}})),
        done(json!({"a": block})),
    ]
}

pub(super) fn all() -> Vec<Value> {
    together().into_iter().chain(alone()).chain(decided()).chain([at_the_end()]).collect()
}
