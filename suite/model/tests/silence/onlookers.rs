//! The same for events at which hooks look on: Notification, InstructionsLoaded.

use super::{claimed, claims, commands, fire, hooks, one, prints, silent};
use serde_json::{Value, json};

fn exit(code: u8, err: &str) -> Value {
    json!({"end": {"exit": code}, "err": err})
}

/// All that a hook could try to say at the top level of its JSON, beside an exit code.
fn talks(code: u8) -> Value {
    let out = json!({"continue": false, "stopReason": "HALT-1", "systemMessage": "MSG-1", "decision": "block", "reason": "WHY-1"});
    json!({"end": {"exit": code}, "out": out.to_string()})
}

fn rings(code: u8) -> Value {
    json!({"end": {"exit": code}, "out": json!({"terminalSequence": "\u{1b}]9;BELL-1\u{7}"}).to_string()})
}

const BELL: &str = r#"said/terminal {"say":{"parts":["\u001b]9;BELL-1\u0007"]}}"#;

/// A hook for what matches, and one firing.
fn matched(event: &str, pattern: &str, input: Value) -> Value {
    let group = json!({"matcher": pattern, "hooks": [{"type": "command", "command": "g"}]});
    json!({"settings": [hooks(event, group)], "steps": [fire(event, input)]})
}

/// Nothing is shown of a hook that fails, where that is not said.
fn shows_nothing(event: &str, input: &Value) {
    for (why, result) in [
        ("a code that is not 0", exit(1, "ERR-1")),
        ("a hook that does not start", json!({"end": "not_started", "err": "ERR-1"})),
        ("an object that is not valid", prints(json!({"systemMessage": 5}))),
        ("what does not parse", json!({"out": "{\"a\":1}{\"b\":2}"})),
    ] {
        silent(&format!("{event}: {why}"), "said/user {\"say\"", one(event, input.clone(), result.clone()));
        silent(&format!("{event}: {why}"), "set", one(event, input.clone(), result));
    }
}

/// What takes place is not prevented before.
fn takes_place(event: &str, input: Value) {
    let mut step = fire(event, input);
    step["fire"]["otherwise"] = json!("prevented");
    silent(event, "", json!({"settings": [commands(event, &["g"])], "steps": [step]}));
}

#[test]
fn a_notification_goes_out() {
    let input = || json!({"message": "it waits", "title": "agent", "notification_type": "idle_prompt"});
    shows_nothing("Notification", &input());
    takes_place("Notification", input());
    let sent = |result: Value| one("Notification", input(), result);
    for (line, result) in [
        (r#"fate {"be":"proceeds"} EXIT-2-EV-Notification"#, exit(2, "ERR-1")),
        (r#"said/user {"not_say":{"parts":["ERR-1"]}} EXIT-2-EV-Notification"#, exit(2, "ERR-1")),
        (r#"said/model {"not_say":{"parts":["ERR-1"]}} EXIT-2-EV-Notification"#, exit(2, "ERR-1")),
        (r#"fate {"be":"proceeds"} NOTIF-OUT-01"#, exit(1, "ERR-1")),
        (r#"fate {"be":"proceeds"} NOTIF-OUT-01"#, talks(0)),
        (r#"agent {"be":"goes_on"} JSON-DISCARD-01"#, talks(0)),
        (r#"said/user {"not_say":{"parts":["MSG-1"]}} JSON-DISCARD-02"#, talks(0)),
        (r#"fate {"be":"proceeds"} CONFIG-NEST-03"#, json!({})),
        (&format!("{BELL} NOTIF-OUT-02"), rings(0)),
    ] {
        claims("what is said", line, sent(result));
    }
    silent("that stderr is disregarded is said of exit 2", "said/user", sent(exit(1, "ERR-1")));
    silent("whether JSON counts beside another code", "said/terminal", sent(rings(1)));
    silent("a title may be left out", "given/input/title", sent(json!({})));
    silent("there is no such type", "given/input/notification_type", {
        one("Notification", json!({"message": "m", "notification_type": "good_luck"}), json!({}))
    });
    for (pattern, ran, rule) in [
        ("idle_prompt", r#"["g"]"#, "MATCH-TGT-NOTIF"),
        ("auth_success", "[]", "MATCH-TGT-NOTIF"),
        ("idle", "[]", "MATCH-PAT-04"),
        ("auth_success|idle_prompt", r#"["g"]"#, "MATCH-PAT-03"),
        ("^idle", r#"["g"]"#, "MATCH-PAT-05"),
    ] {
        let line = format!(r#"ran {{"run_exactly":{ran}}} {rule}"#);
        claims(pattern, &line, matched("Notification", pattern, input()));
    }
    silent("of which type it is, is not told", "ran", matched("Notification", "idle", json!({"message": "m"})));
    let steps = json!([{"happen": "new_prompt"}, fire("Notification", input())]);
    let prompted = json!({"settings": [commands("Notification", &["g"])], "steps": steps});
    silent("no prompt need be worked on", "1-1 given/input/prompt_id", prompted);
}

#[test]
fn instructions_are_loaded() {
    let load =
        |reason: &str| json!({"file_path": "/work/project/CLAUDE.md", "memory_type": "Project", "load_reason": reason});
    shows_nothing("InstructionsLoaded", &load("session_start"));
    takes_place("InstructionsLoaded", load("session_start"));
    let loaded = |result: Value| one("InstructionsLoaded", load("session_start"), result);
    for (line, result) in [
        (r#"fate {"be":"proceeds"} EXIT-2-EV-InstructionsLoaded"#, exit(2, "ERR-1")),
        (r#"fate {"be":"proceeds"} INSTR-OUT-01"#, talks(0)),
        (r#"fate {"be":"proceeds"} EXIT-N-12"#, talks(1)),
        (r#"agent {"be":"goes_on"} JSON-DISCARD-01"#, talks(0)),
        (r#"agent {"be":"goes_on"} EXIT-N-12"#, talks(3)),
        (r#"said/user {"not_say":{"parts":["MSG-1"]}} JSON-DISCARD-02"#, talks(0)),
        (r#"said/model {"not_say":{"parts":["WHY-1"]}} EXIT-N-12"#, talks(0)),
        (&format!("{BELL} TERM-14"), rings(0)),
        (&format!("{BELL} EXIT-N-12"), rings(1)),
        (&format!("{BELL} EXIT-N-12"), rings(2)),
        (r#"given/input/globs "absent" INSTR-IN-05"#, json!({})),
    ] {
        claims("what is said", line, loaded(result));
    }
    silent("who sees the stderr of exit 2 is not said", "said/user", loaded(exit(2, "ERR-1")));
    let with = |reason: &str, field: &str, value: Value| {
        let mut input = load(reason);
        input[field] = value;
        one("InstructionsLoaded", input, json!({}))
    };
    let file = || json!("/work/project/src/a.rs");
    for (line, case) in [
        (r#"given/input/globs {"be":["src/**"]} INSTR-IN-05"#, with("path_glob_match", "globs", json!(["src/**"]))),
        (
            r#"given/input/trigger_file_path {"be":"/work/project/src/a.rs"} INSTR-IN-06"#,
            with("nested_traversal", "trigger_file_path", file()),
        ),
        (
            r#"given/input/parent_file_path {"be":"/work/project/src/a.rs"} INSTR-IN-07"#,
            with("include", "parent_file_path", file()),
        ),
        (r#"given/input/load_reason {"be":"compact"} INSTR-IN-04"#, with("compact", "load_reason", json!("compact"))),
    ] {
        claims("what is given", line, case);
    }
    for (why, field, case) in [
        ("only loads by a pattern have them", "globs", with("include", "globs", json!(["src/**"]))),
        ("there may be none", "globs", with("path_glob_match", "memory_type", json!("User"))),
        ("nobody reached for a file", "trigger_file_path", with("include", "trigger_file_path", file())),
        ("nobody included it", "parent_file_path", with("compact", "parent_file_path", file())),
        ("there is no such kind", "memory_type", with("include", "memory_type", json!("Team"))),
        ("how it is made absolute is not said", "file_path", with("include", "file_path", json!("CLAUDE.md"))),
    ] {
        silent(why, &format!("given/input/{field}"), case);
    }
    for (pattern, ran, rule) in [
        ("session_start", r#"["g"]"#, "INSTR-07"),
        ("path_glob_match|nested_traversal", "[]", "INSTR-07"),
        ("include", "[]", "MATCH-TGT-INSTR"),
        ("include|session_start", r#"["g"]"#, "MATCH-PAT-03"),
        ("Session_start", "[]", "MATCH-PAT-09"),
    ] {
        let line = format!(r#"ran {{"run_exactly":{ran}}} {rule}"#);
        claims(pattern, &line, matched("InstructionsLoaded", pattern, load("session_start")));
    }
    let lines = claimed(one(
        "InstructionsLoaded",
        load("session_start"),
        prints(json!({"hookSpecificOutput": {"hookEventName": "InstructionsLoaded"}})),
    ));
    assert!(!lines.iter().any(|line| line.starts_with("fate")), "it has no fields of its own: {lines:#?}");
}
