//! Cases of handlers that are no commands.

use super::{bash, edit, of};
use serde_json::{Value, json};
use std::slice::from_ref;

fn http(url: &str, more: Value) -> Value {
    let mut handler = more;
    (handler["type"], handler["url"]) = (json!("http"), json!(url));
    handler
}

fn tool(name: &str, input: Value) -> Value {
    json!({"type": "mcp_tool", "server": "s", "tool": name, "input": input})
}

fn prompt(name: &str) -> Value {
    json!({"type": "prompt", "prompt": name})
}

fn lenient(name: &str) -> Value {
    edit(prompt(name), "/continueOnBlock", json!(true))
}

fn agent(name: &str) -> Value {
    json!({"type": "agent", "prompt": name})
}

/// A case of one event with these handlers.
fn on(event: &str, handlers: &[Value], results: Value) -> Value {
    let pointer = format!("/settings/0/settings/hooks/{event}/0/hooks");
    edit(edit(of(event, json!({}), bash(), json!({})), &pointer, json!(handlers)), "/results", results)
}

fn objects(reason: &str) -> Value {
    json!({"end": "answered", "out": json!({"ok": false, "reason": reason}).to_string()})
}

fn hopeless() -> Value {
    json!({"end": "answered", "out": r#"{"ok":false,"reason":"WHY-1","impossible":true}"#})
}

/// What requests and tools are given.
fn given() -> Vec<Value> {
    let header = |more: Value| edit(more, "/headers", json!({"X-A": "$TOKEN"}));
    let mine = http("http://a", header(json!({})));
    let listed = http("http://b", header(json!({"allowedEnvVars": ["TOKEN"]})));
    let sends = |handlers: &[Value]| edit(on("Stop", handlers, json!({})), "/host/env", json!({"TOKEN": "SECRET-1"}));
    let named = tool("t", json!({"command": "${tool_input.command}"}));
    let mut twice = on("PreToolUse", from_ref(&named), json!({}));
    let mut other = twice["steps"][0].clone();
    other["fire"]["input"]["tool_input"]["command"] = json!("rm");
    twice["steps"].as_array_mut().expect("steps").push(other);
    vec![
        sends(from_ref(&mine)),
        edit(sends(from_ref(&listed)), "/settings/0/settings/httpHookAllowedEnvVars", json!([])),
        sends(&[mine, listed]),
        on("PreToolUse", from_ref(&named), json!({})),
        on("PreToolUse", &[tool("u", json!({"a": 1})), named], json!({})),
        twice,
    ]
}

/// What runs where, and what is made of the answers.
pub(super) fn all() -> Vec<Value> {
    let one = |event: &str, handler: Value, result: Value| on(event, &[handler], json!({"p": result}));
    let no = objects("WHY-1");
    let both = json!({"p": objects("WHY-1"), "q": {"rank": 1}});
    let reasons = json!({"p": objects("WHY-1"), "q": objects("WHY-2")});
    let again = edit(one("Stop", prompt("p"), no.clone()), "/steps/0/fire/times", json!(2));
    let mut all = given();
    all.extend([
        on("Notification", &[prompt("p"), agent("q")], json!({})),
        edit(
            on("SessionStart", &[tool("t", json!({}))], json!({})),
            "/steps/0/fire/input",
            json!({"source": "startup"}),
        ),
        on("UserPromptSubmit", &[tool("t", json!({}))], json!({"t": {"end": "answered", "out": "TEXT-1"}})),
        on("UserPromptSubmit", &[tool("t", json!({}))], json!({"t": {"end": "tool_error", "out": "TEXT-1"}})),
        one("Stop", agent("p"), hopeless()),
        one("PostToolUse", prompt("p"), hopeless()),
        one("PreToolUse", prompt("p"), no.clone()),
        one("PreToolUse", lenient("p"), no.clone()),
        one("UserPromptSubmit", agent("p"), no),
        on("Stop", &[prompt("p"), prompt("q")], both),
        on("PostToolUseFailure", &[prompt("p"), agent("q")], reasons),
        again,
    ]);
    all
}
