//! Cases in which an open point makes a difference that no fault needs to show.

use super::{bash, edit, of, prompt, specific};
use serde_json::{Value, json};

pub(super) fn all() -> Vec<Value> {
    let dialog =
        |results: Value| of("Elicitation", json!({}), json!({"mcp_server_name": "s", "mode": "form"}), results);
    let answer = |action: &str| specific("Elicitation", json!({"action": action, "content": {"a": 1}}));
    let calls = |command: &str| {
        specific("PreToolUse", json!({"permissionDecision": "allow", "updatedInput": {"command": command}}))
    };
    let ranked = |mut result: Value, rank: u16| {
        result["rank"] = json!(rank);
        result
    };
    let mut all = Vec::new();
    // Whoever stands first ends first, and then last.
    for (first, second) in [(0, 1), (1, 0)] {
        let two = json!({"a": ranked(calls("one"), first), "b": ranked(calls("two"), second)});
        all.push(of("PreToolUse", json!({}), bash(), two));
        all.push(dialog(json!({"a": ranked(answer("accept"), first), "b": ranked(answer("cancel"), second)})));
        let titled = |title: &str| specific("UserPromptSubmit", json!({"sessionTitle": title}));
        all.push(prompt(json!({"a": ranked(titled("TITLE-1"), first), "b": ranked(titled("TITLE-2"), second)})));
    }
    let given = json!({"mcp_server_name": "s", "action": "accept", "content": {"a": 1}});
    let accepts = json!({"a": specific("ElicitationResult", json!({"action": "accept"}))});
    let ends =
        |host: Value| edit(of("SessionEnd", json!({}), json!({"reason": "other"}), json!({"a": {}})), "/host", host);
    let budget = |ms: &str| json!({"env": {"CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS": ms}});
    let own_time = "/settings/0/settings/hooks/SessionEnd/0/hooks/0/timeout";
    all.extend([
        of("PostModelSwitch", json!({"matcher": "house-model"}), json!({"to_model": "house-model"}), json!({"a": {}})),
        of("PostModelSwitch", json!({"matcher": "opus"}), json!({"to_model": "house-model"}), json!({"a": {}})),
        ends(budget("90000")),
        edit(ends(json!({})), own_time, json!(90)),
        of("ElicitationResult", json!({}), given, accepts),
        of(
            "MessageDisplay",
            json!({}),
            json!({"delta": "DELTA-1"}),
            json!({"a": specific("MessageDisplay", json!({"displayContent": ""}))}),
        ),
        dialog(json!({"a": answer("decline")})),
    ]);
    all.extend(unsaid());
    all.extend(lines());
    all
}

/// Events of which it is not said what becomes of an exit code, or of a field that others have.
fn unsaid() -> Vec<Value> {
    let one = |event: &str, result: Value| of(event, json!({}), bash(), json!({"a": result}));
    let stop = || json!({"out": "{\"continue\":false,\"stopReason\":\"STOP-1\"}"});
    let block = || json!({"out": "{\"decision\":\"block\",\"reason\":\"WHY-1\"}"});
    let decided = |fields: Value| specific("PermissionRequest", json!({"decision": fields}));
    let own = of(
        "Stop",
        json!({}),
        json!({"agent_id": "a1", "agent_type": "reviewer"}),
        json!({"a": specific("Stop", json!({"additionalContext": "CTX-1"}))}),
    );
    let own = edit(own, "/settings/0/from", json!({"agent": "reviewer"}));
    let grants = edit(decided(json!({"behavior": "allow"})), "/end", json!({"exit": 2}));
    vec![
        edit(own, "/steps/0/fire/event", json!("SubagentStop")),
        one("PermissionDenied", stop()),
        one("SubagentStart", stop()),
        one("PostToolUseFailure", block()),
        one("TeammateIdle", block()),
        one("PermissionRequest", decided(json!({}))),
        one("TaskCreated", edit(block(), "/end", json!({"exit": 1}))),
        one("TaskCreated", json!({"end": {"exit": 1}, "err": "ERR-1"})),
        edit(one("PermissionRequest", grants), "/steps/0/fire/otherwise", json!("asked")),
    ]
}

/// One hook and one reading.
fn lines() -> Vec<Value> {
    let exits = |result: Value, code: u8| edit(result, "/end", json!({"exit": code}));
    let shows = specific("MessageDisplay", json!({"displayContent": "SHOWN-1"}));
    let background = |event: &str, key: &str, result: Value| {
        let case = of(event, json!({}), json!({"prompt": "PROMPT-1"}), json!({"a": result}));
        edit(case, &format!("/settings/0/settings/hooks/{event}/0/hooks/0/{key}"), json!(true))
    };
    let mut later = background("UserPromptSubmit", "async", json!({"out": "TEXT-1"}));
    later["steps"] = json!([later["steps"][0], {"happen": "new_prompt"}, {"happen": "model_request"}]);
    let mut once = of("Stop", json!({}), json!({}), json!({"a": exits(json!({"out": "{}"}), 1)}));
    once["settings"][0]["from"] = json!({"skill": "s"});
    once["settings"][0]["settings"]["hooks"]["Stop"][0]["hooks"][0]["once"] = json!(true);
    once["steps"][0]["fire"]["times"] = json!(2);
    vec![
        once,
        of("CwdChanged", json!({}), json!({"old_cwd": "/w", "new_cwd": "/w/a"}), json!({"a": {}})),
        of("MessageDisplay", json!({}), json!({"delta": "DELTA-1"}), json!({"a": exits(shows, 1)})),
        background("Stop", "async", json!({})),
        background("Stop", "asyncRewake", json!({})),
        later,
    ]
}
