//! Cases in which the world around the agent changes: directories, watched files, permissions, models.

use super::{bash, edit, of, specific};
use serde_json::{Value, json};

pub(super) fn cases() -> Vec<Value> {
    workspace().into_iter().chain(permissions()).chain(models()).collect()
}

/// Directories and watched files.
fn workspace() -> Vec<Value> {
    let input = json!({"old_cwd": "/w", "new_cwd": "/w/a", "file_path": "/w/a/.env", "event": "change"});
    let paths = |event: &str, paths: Value| specific(event, json!({"watchPaths": paths}));
    let cwd = |results: Value| of("CwdChanged", json!({}), input.clone(), results);
    let mut later = cwd(json!({"a": {}}));
    later["settings"][0]["settings"]["hooks"]["Stop"] = json!([{"hooks": [{"type": "command", "command": "a"}]}]);
    later["steps"] = json!([later["steps"][0], {"fire": {"event": "Stop"}}]);
    vec![
        cwd(json!({"a": paths("CwdChanged", json!(["/w/x"])), "b": {"rank": 1}})),
        cwd(json!({"a": paths("CwdChanged", json!([]))})),
        cwd(json!({"a": {"out": "{\"continue\":false}"}})),
        cwd(json!({"a": {"end": {"exit": 2}, "err": "ERR-1"}})),
        later,
        of("FileChanged", json!({"matcher": "^\\.env$"}), input.clone(), json!({"a": {}})),
        kept("DirectoryAdded", json!({"source": "slash_command"}), json!({"out": "{\"systemMessage\":\"MSG-1\"}"})),
    ]
}

/// Something for the model that waits for a request, in a later turn.
fn kept(event: &str, input: Value, result: Value) -> Value {
    let mut case = of(event, json!({}), input, json!({"a": result}));
    let step = case["steps"][0].clone();
    case["steps"] = json!([step, step, {"happen": "new_prompt"}, {"happen": "model_request"}]);
    case
}

/// Permission requests and refused calls.
fn permissions() -> Vec<Value> {
    let request = |results: Value| {
        edit(of("PermissionRequest", json!({}), bash(), results), "/steps/0/fire/otherwise", json!("asked"))
    };
    let decision = |fields: Value| specific("PermissionRequest", json!({"decision": fields}));
    let mode = |mode: &str| {
        let update = json!({"type": "setMode", "mode": mode, "destination": "session"});
        decision(json!({"behavior": "allow", "updatedPermissions": [update]}))
    };
    let input = decision(json!({"behavior": "allow", "updatedInput": {"command": "rm"}}));
    let twice = |case: Value| edit(case, "/steps/0/fire/times", json!(2));
    let denied = |reason: &str, results: Value| {
        let input = json!({"tool_name": "Bash", "tool_input": {}, "reason": reason});
        edit(of("PermissionDenied", json!({}), input, results), "/steps/0/fire/otherwise", json!("prevented"))
    };
    let retry = specific("PermissionDenied", json!({"retry": true}));
    let unjudged = concat!("Auto mode could not evaluate this action", " and is blocking it for safety");
    vec![
        request(json!({"a": {"end": {"exit": 2}, "err": "ERR-1"}})),
        request(json!({"a": {"out": "{\"decision\":\"approve\"}"}})),
        request(json!({"a": decision(json!({"behavior": "deny", "interrupt": true})), "b": {"rank": 1}})),
        edit(request(json!({"a": input})), "/host/permissions", json!({"deny": ["Bash(rm)"]})),
        request(json!({"a": input})),
        twice(request(json!({"a": mode("plan")}))),
        request(json!({"a": mode("bypassPermissions")})),
        denied("R-1", json!({"a": retry, "b": {"rank": 1}})),
        denied(unjudged, json!({"a": retry})),
    ]
}

/// Switches of the model.
fn models() -> Vec<Value> {
    let ruling = |decision: &str| specific("PreModelSwitch", json!({"permissionDecision": decision}));
    let switch = |matcher: &str, model: &str, results: Value| {
        let case = of("PreModelSwitch", json!({"matcher": matcher}), json!({"to_model": model}), results);
        edit(case, "/host/models", json!({"opus": "claude-opus-5"}))
    };
    vec![
        switch("opus", "opus", json!({"a": {}})),
        switch("opus", "custom", json!({"a": {}})),
        switch("", "opus", json!({"a": ruling("ask")})),
        switch("", "opus", json!({"a": ruling("deny"), "b": ruling("allow")})),
        switch("", "opus", json!({"a": {"end": "timed_out"}})),
        kept("PostModelSwitch", json!({"to_model": "claude-opus-5"}), json!({"out": "TEXT-1"})),
    ]
}
