//! What is claimed, and what is not, of handlers that end in odd ways, and of layers and copies that bear on which of them run.

use super::{bash, claims, commands, fire, hooks, silent};
use serde_json::{Value, json};

fn deny() -> String {
    json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}).to_string()
}

/// A handler alone, of any type, and what comes of it.
fn alone(event: &str, handler: Value, name: &str, input: Value, result: Value) -> Value {
    json!({"settings": [hooks(event, json!({"hooks": [handler]}))], "results": {name: result}, "steps": [fire(event, input)]})
}

fn url(result: Value) -> Value {
    alone("PreToolUse", json!({"type": "http", "url": "http://h.test/a"}), "http://h.test/a", bash(), result)
}

#[test]
fn a_status_of_which_nothing_is_said_decides_nothing() {
    for status in [100, 302, 600] {
        silent("the body may count", "fate", url(json!({"end": {"status": status}, "out": deny()})));
    }
    for status in [204, 205] {
        silent("it has no body, and one came", "fate", url(json!({"end": {"status": status}, "out": deny()})));
        claims("nothing is said", r#"fate {"be":"proceeds"} HTTP-03"#, url(json!({"end": {"status": status}})));
    }
    let marked = format!("\u{feff}{}", deny());
    silent("a byte order mark", "fate", url(json!({"end": {"status": 200}, "out": marked})));
    // `{"a":"…"}` with a byte between the quotes that is no UTF-8.
    let bytes = json!({"base64": "eyJhIjoi/yJ9"});
    silent("bytes that are no text", "fate", url(json!({"end": {"status": 200}, "out": bytes})));
}

#[test]
fn what_was_returned_needs_an_end() {
    silent("no status", "fate", url(json!({"out": deny()})));
    let tool = |event: &str, input: Value, result: Value| {
        alone(event, json!({"type": "mcp_tool", "server": "s", "tool": "t"}), "t", input, result)
    };
    silent("a tool answers or fails", "fate", tool("PreToolUse", bash(), json!({"out": deny()})));
    let path = json!({"end": "answered", "out": "/w/t"});
    silent("how a tool returns a path", "fate", tool("WorktreeCreate", json!({"name": "x"}), path));
    let prompt = json!({"type": "prompt", "prompt": "Judge"});
    let objects = json!({"out": json!({"ok": false, "reason": "WHY-1"}).to_string()});
    silent("a judge answers or does not", "fate", alone("PreToolUse", prompt, "Judge", bash(), objects));
}

fn from(source: &str, settings: Value) -> Value {
    json!({"from": source, "settings": settings})
}

fn group(handler: Value) -> Value {
    json!([{"hooks": [handler]}])
}

fn called(layers: Value) -> Value {
    json!({"settings": layers, "steps": [fire("PreToolUse", bash())]})
}

#[test]
fn a_file_that_is_malformed_and_off_changes_nothing() {
    let off = from("managed", json!({"disableAllHooks": true}));
    let malformed = from("user", json!({"hooks": {"PreToolUse": "bad"}}));
    claims("all is off", r#"ran {"run_exactly":[]} CONFIG-DISABLE-01"#, called(json!([off, malformed])));
    let condition =
        from("user", json!({"hooks": {"PreToolUse": group(json!({"type": "command", "command": "g", "if": 5}))}}));
    silent("a condition that is no text", "ran", called(json!([condition])));
}

#[test]
fn managed_hooks_are_left_over_only_where_a_file_has_none_for_the_event() {
    let managed = from("managed", json!({"hooks": {"PreToolUse": group(json!({"type": "command", "command": "g"}))}}));
    let runs = |rule: &str| format!(r#"ran {{"run_exactly":["g"]}} {rule}"#);
    let with = |layer: Value| called(json!([managed, layer]));
    claims("none", &runs("CONFIG-LOC-11"), with(from("user", json!({"hooks": {"PreToolUse": []}}))));
    let other = json!([{"matcher": "Edit", "hooks": [{"type": "command", "command": "h"}]}]);
    claims(
        "some, for another tool",
        &runs("CONFIG-NEST-02"),
        with(from("user", json!({"hooks": {"PreToolUse": other}}))),
    );
    let plugin = json!({"from": {"plugin": "tools"}, "settings": {"hooks": {"PreToolUse": []}}});
    claims("a plugin is no such file", &runs("CONFIG-NEST-02"), with(plugin));
}

#[test]
fn copies_that_run_otherwise_are_no_copies_for_certain() {
    let two = |a: Value, b: Value| {
        called(json!([
            from("user", json!({"hooks": {"PreToolUse": group(a)}})),
            from("project", json!({"hooks": {"PreToolUse": group(b)}})),
        ]))
    };
    let runs_once = |name: &str| format!(r#"ran {{"run_exactly":["{name}"]}} CONFIG-HANDLER-03"#);
    let judge = |goes_on: bool| json!({"type": "prompt", "prompt": "Judge", "continueOnBlock": goes_on});
    silent("which copy's refusal goes on", "ran", two(judge(true), judge(false)));
    claims("both go on", &runs_once("Judge"), two(judge(true), judge(true)));
    let command = |shell: &str, args: Option<&str>| {
        let mut handler = json!({"type": "command", "command": "g", "shell": shell});
        if let Some(arg) = args {
            handler["args"] = json!([arg]);
        }
        handler
    };
    let (bash, power) = (command("bash", Some("a")), command("powershell", Some("a")));
    silent("no shell reads what has arguments", "ran", two(bash.clone(), power.clone()));
    claims("the same of both", &runs_once("g"), two(bash.clone(), bash.clone()));
    let (plain, power) = (json!({"type": "command", "command": "g"}), command("powershell", None));
    silent("the default may be what the other names", "ran", two(command("bash", None), plain.clone()));
    claims("another shell", r#"ran {"run_exactly":["g","g"]} CONFIG-LOC-10"#, two(power, plain.clone()));
    let under = |matchers: [&str; 2]| {
        let layer = |source: &str, matcher: &str| {
            from(source, json!({"hooks": {"PreToolUse": [{"matcher": matcher, "hooks": [plain]}]}}))
        };
        called(json!([layer("user", matchers[0]), layer("project", matchers[1])]))
    };
    silent("whether the group is part of it", "ran", under(["Bash", "*"]));
    claims("one matcher", &runs_once("g"), under(["Bash", "Bash"]));
    claims("the other is not selected", r#"ran {"run_exactly":["g"]} MATCH-PAT-02"#, under(["Bash", "Edit"]));
}

#[test]
fn a_matcher_for_any_needs_no_agent_to_be_told() {
    for matcher in ["", "*"] {
        let group = json!({"matcher": matcher, "hooks": [{"type": "command", "command": "g"}]});
        let case = json!({"settings": [hooks("SubagentStart", group)], "steps": [fire("SubagentStart", json!({}))]});
        claims("any", r#"ran {"run_exactly":["g"]} MATCH-PAT-01"#, case);
    }
}

#[test]
fn a_subagents_call_may_begin_the_count_of_continuations_anew() {
    let block = json!({"end": {"exit": 2}, "err": "ERR-1"});
    let mut stops = fire("Stop", json!({}));
    stops["fire"]["times"] = json!(8);
    let mut input = bash();
    input["agent_id"] = json!("a1");
    input["agent_type"] = json!("Explore");
    let steps = json!([stops, fire("PreToolUse", input), fire("Stop", json!({}))]);
    let case = json!({"settings": [commands("Stop", &["g"])], "results": {"g": block}, "steps": steps});
    silent("whether it goes on once more", "9-9 fate", case.clone());
    silent("whether it goes on once more", "9-9 agent", case);
}
