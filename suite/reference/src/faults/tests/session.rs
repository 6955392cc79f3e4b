//! Cases in which a session remembers what hooks wrote for Bash commands, and which subagents run.

use super::{bash, specific};
use serde_json::{Value, json};

pub(super) fn cases() -> Vec<Value> {
    environment().into_iter().chain(subagents()).collect()
}

fn fire(event: &str, input: Value) -> Value {
    json!({"fire": {"event": event, "input": input}})
}

/// Variables that hooks write, and a command at the end.
fn environment() -> Vec<Value> {
    let writes = |name: &str| json!({"did": [{"wrote_environment": format!("export {name}=1\n")}]});
    let case = |events: &[(&str, &str)]| {
        let group = |names: &[&str]| -> Value {
            names.iter().map(|name| json!({"hooks": [{"type": "command", "command": name}]})).collect()
        };
        let hooks = json!({"Setup": group(&["a"]), "SessionStart": group(&["b", "c"]), "CwdChanged": group(&["d"]),
                           "FileChanged": group(&["e"])});
        let mut steps: Vec<Value> =
            events.iter().map(|(event, source)| fire(event, json!({"source": source, "new_cwd": source}))).collect();
        steps.push(fire("PreToolUse", bash()));
        let mut case = json!({"settings": [{"from": "user", "settings": {"hooks": hooks}}], "steps": steps,
            "results": {"a": writes("A"), "b": writes("B"), "c": writes("C"), "d": writes("D"), "e": writes("E")}});
        // The second change of directory brings nothing of its own.
        if let Some(step) = case["steps"].as_array_mut().and_then(|steps| steps.get_mut(1)) {
            step["fire"]["results"] = json!({"d": {}});
        }
        case
    };
    vec![
        case(&[("SessionStart", "startup")]),
        case(&[("Setup", ""), ("SessionStart", "startup")]),
        case(&[("SessionStart", "startup"), ("CwdChanged", "/w/a")]),
        case(&[("CwdChanged", "/w/a"), ("CwdChanged", "/w/b")]),
        case(&[("FileChanged", ""), ("CwdChanged", "/w/a")]),
    ]
}

/// Hooks of the subagents `reviewer`.
fn subagents() -> Vec<Value> {
    let by = |event: &str| fire(event, json!({"agent_id": "a1", "agent_type": "reviewer"}));
    let aside = || fire("Notification", json!({}));
    let case = |steps: &[Value], result: Value| {
        let group = json!([{"hooks": [{"type": "command", "command": "a"}]}]);
        json!({"host": {}, "settings": [{"from": {"agent": "reviewer"}, "settings": {"hooks": {"Notification": group, "Stop": group}}}],
               "steps": steps, "results": {"a": result}})
    };
    let goes_on = specific("SubagentStop", json!({"additionalContext": "CTX-1"}));
    let mut untrusted = case(&[aside()], json!({}));
    untrusted["host"] = json!({"surface": "print", "trusted": false});
    vec![
        case(&[by("SubagentStop"), aside()], json!({})),
        case(&[by("SubagentStop"), aside()], goes_on),
        case(&[aside(), by("SubagentStart")], json!({})),
        case(&[fire("Stop", json!({}))], json!({})),
        untrusted,
    ]
}
