//! The same for events at which hooks look on: Notification, InstructionsLoaded, SessionEnd, Setup, MessageDisplay; and for
//! WorktreeRemove.

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
        (&format!("{BELL} NOTIF-OUT-02"), rings(1)),
        (&format!("{BELL} NOTIF-OUT-02"), rings(2)),
    ] {
        claims("what is said", line, sent(result));
    }
    silent("that stderr is disregarded is said of exit 2", "said/user", sent(exit(1, "ERR-1")));
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
    let with_context = one(
        "InstructionsLoaded",
        load("session_start"),
        prints(json!({"terminalSequence": "\u{1b}]9;BELL-1\u{7}",
            "hookSpecificOutput": {"hookEventName": "InstructionsLoaded", "additionalContext": "CTX-1"}})),
    );
    claims("it is dropped", r#"said/model {"not_say":{"parts":["CTX-1"]}} EXIT-N-12"#, with_context.clone());
    silent("whether it is an error, beside which no sequence counts", "said/terminal", with_context);
}

#[test]
fn a_session_ends() {
    let ends = |reason: &str, result: Value| one("SessionEnd", json!({"reason": reason}), result);
    shows_nothing("SessionEnd", &json!({"reason": "other"}));
    takes_place("SessionEnd", json!({"reason": "other"}));
    for (line, result) in [
        (r#"fate {"be":"proceeds"} EXIT-2-EV-SessionEnd"#, exit(2, "ERR-1")),
        (r#"said/user {"say":{"parts":["ERR-1"]}} EXIT-2-EV-SessionEnd"#, exit(2, "ERR-1")),
        (r#"said/model {"not_say":{"parts":["ERR-1"]}} EXIT-2-EV-SessionEnd"#, exit(2, "ERR-1")),
        (r#"fate {"be":"proceeds"} SESSEND-OUT-01B"#, exit(1, "ERR-1")),
        (r#"fate {"be":"proceeds"} SESSEND-OUT-01B"#, talks(0)),
        (r#"agent {"be":"goes_on"} SESSEND-OUT-01"#, talks(0)),
        (r#"agent {"be":"goes_on"} EXIT-N-12"#, talks(1)),
        (r#"said/user {"not_say":{"parts":["MSG-1"]}} SESSEND-OUT-01"#, talks(2)),
        (r#"said/user {"not_say":{"parts":["MSG-1"]}} EXIT-N-12"#, talks(1)),
        (&format!("{BELL} SESSEND-OUT-01"), rings(0)),
        (&format!("{BELL} EXIT-N-12"), rings(1)),
        (r#"given/input/reason {"be":"clear"} SESSEND-REASON-01"#, json!({})),
        (r#"given/timeout {"be":1.5} SESSEND-BUDGET-01"#, json!({})),
    ] {
        claims("what is said", line, ends("clear", result));
    }
    silent("the interface may be gone", "said/terminal", ends("prompt_input_exit", rings(0)));
    silent("in which manner is not said", "said/user {\"say\":{\"how\"", ends("clear", exit(2, "ERR-1")));
    silent("there is no such reason", "given/input/reason", ends("bypass_permissions_disabled", json!({})));
    let steps = json!([{"happen": "new_prompt"}, fire("SessionEnd", json!({"reason": "clear"}))]);
    let prompted = json!({"settings": [commands("SessionEnd", &["g"])], "steps": steps});
    silent("no prompt need be worked on", "1-1 given/input/prompt_id", prompted);
    claims(
        "it is the reason",
        r#"ran {"run_exactly":["g"]} MATCH-TGT-SESSEND"#,
        matched("SessionEnd", "clear", json!({"reason": "clear"})),
    );
    claims(
        "not that one",
        r#"ran {"run_exactly":[]} MATCH-TGT-SESSEND"#,
        matched("SessionEnd", "logout", json!({"reason": "clear"})),
    );
}

#[test]
fn the_time_at_the_end_is_short() {
    let layer = |from: Value, own: Option<u64>, name: &str| {
        let mut handler = json!({"type": "command", "command": name});
        if let Some(own) = own {
            handler["timeout"] = json!(own);
        }
        json!({"from": from, "settings": {"hooks": {"SessionEnd": [{"hooks": [handler]}]}}})
    };
    let ends = |layers: Value, budget: Option<&str>| {
        let env = budget.map_or(json!({}), |ms| json!({"CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS": ms}));
        json!({"host": {"env": env}, "settings": layers, "steps": [fire("SessionEnd", json!({"reason": "other"}))]})
    };
    let plugin = || json!({"plugin": "tools"});
    for (line, case) in [
        ("30} SESSEND-BUDGET-OWN", ends(json!([layer(json!("user"), Some(30), "g")]), None)),
        ("60} SESSEND-BUDGET-OWN", ends(json!([layer(json!("user"), Some(60), "g")]), None)),
        ("1} SESSEND-BUDGET-OWN", ends(json!([layer(json!("local"), Some(1), "g")]), None)),
        (
            "1.5} SESSEND-BUDGET-03",
            ends(json!([layer(json!("user"), None, "g"), layer(json!("project"), Some(30), "h")]), None),
        ),
        (
            "1.5} SESSEND-BUDGET-04",
            ends(json!([layer(json!("user"), None, "g"), layer(plugin(), Some(30), "h")]), None),
        ),
        ("5} SESSEND-BUDGET-06", ends(json!([layer(json!("user"), None, "g")]), Some("5000"))),
        (
            "1.5} SESSEND-BUDGET-01",
            ends(json!([layer(json!("user"), None, "g"), layer(json!("managed"), Some(30), "h")]), None),
        ),
        ("0.25} SESSEND-BUDGET-06", ends(json!([layer(plugin(), None, "g")]), Some("250"))),
        ("3} SESSEND-BUDGET-OWN", ends(json!([layer(json!("user"), Some(3), "g")]), Some("5000"))),
    ] {
        claims("how long", &format!("given/timeout {{\"be\":{line}"), case);
    }
    for (why, case) in [
        ("whether more is cut is open", ends(json!([layer(json!("user"), Some(61), "g")]), None)),
        ("it is where a plugin asks for it", ends(json!([layer(plugin(), Some(30), "g")]), None)),
        ("of a plugin no time of its own is told", ends(json!([layer(plugin(), Some(1), "g")]), None)),
        ("so it is where the budget is set", ends(json!([layer(json!("user"), Some(30), "g")]), Some("5000"))),
        ("whether the variable may say more is open", ends(json!([layer(json!("user"), None, "g")]), Some("90000"))),
        ("it is no number", ends(json!([layer(json!("user"), None, "g")]), Some("5s"))),
        ("nothing is no time", ends(json!([layer(json!("user"), None, "g")]), Some("0"))),
    ] {
        silent(why, "given/timeout", case);
    }
}

#[test]
fn a_run_that_sets_up_goes_on() {
    let run = |trigger: &str, result: Value| {
        let mut case = one("Setup", json!({"trigger": trigger}), result);
        case["host"] = json!({"surface": "print"});
        case
    };
    let gives = |code: u8| {
        let out = json!({"hookSpecificOutput": {"hookEventName": "Setup", "additionalContext": "CTX-1"}});
        json!({"end": {"exit": code}, "out": out.to_string()})
    };
    for (line, result) in [
        (r#"fate {"be":"proceeds"} EXIT-2-EV-Setup"#, exit(2, "ERR-1")),
        (r#"said/user {"not_say":{"parts":["ERR-1"]}} EXIT-2-EV-Setup"#, exit(2, "ERR-1")),
        (r#"fate {"be":"proceeds"} SETUP-OUT-01"#, exit(1, "ERR-1")),
        (r#"fate {"be":"proceeds"} SETUP-OUT-01"#, talks(0)),
        (r#"agent {"be":"goes_on"} SETUP-OUT-02"#, talks(1)),
        (r#"said/user {"not_say":{"parts":["MSG-1"]}} SETUP-OUT-02"#, talks(2)),
        (r#"said/model {"not_say":{"parts":["CTX-1"]}} SETUP-OUT-02"#, gives(0)),
        (r#"said/model {"not_say":{"parts":["CTX-1"]}} SETUP-OUT-02"#, gives(1)),
        (r#"fate {"be":"proceeds"} CONFIG-NEST-03"#, json!({})),
    ] {
        claims("what is said", line, run("init", result));
    }
    let failed = || exit(1, "ERR-1");
    claims("under -p", r#"said/user {"not_say":{"parts":["ERR-1"]}} SETUP-OUT-03B"#, run("maintenance", failed()));
    silent("what --init-only prints then is not said", "said/user", run("init", failed()));
    silent("no flag is known", "given/input/trigger", run("tidy", json!({})));
    silent("somebody looks on", "", one("Setup", json!({"trigger": "init"}), json!({})));
    let mut before = run("init", json!({}));
    before["steps"][0]["fire"]["otherwise"] = json!("prevented");
    silent("it is not prevented before", "", before);
    let url = json!({"hooks": [{"type": "http", "url": "http://hooks.test/g"}, {"type": "command", "command": "g"}]});
    let http = json!({"host": {"surface": "print"}, "settings": [hooks("Setup", url)], "steps": [fire("Setup", json!({"trigger": "init"}))]});
    claims("no request is sent", r#"ran {"run_exactly":["g"]} SETUP-OUT-05"#, http);
    let mut other = matched("Setup", "maintenance", json!({"trigger": "init"}));
    other["host"] = json!({"surface": "print"});
    claims("the other flag", r#"ran {"run_exactly":[]} MATCH-TGT-SETUP"#, other);
}

#[test]
fn a_text_is_shown_as_a_hook_has_it_or_as_it_was() {
    let input =
        || json!({"turn_id": "b7f5d2a0-1c3e-4f5a-8b6c-7d8e9f0a1b2c", "index": 1, "final": false, "delta": "TEXT-1\n"});
    let event = "MessageDisplay";
    takes_place(event, input());
    let display = |text: &str| {
        json!({"hookSpecificOutput": {"hookEventName": "MessageDisplay", "displayContent": text}}).to_string()
    };
    let beside = |end: Value| json!({"end": end, "out": display("SHOW-1"), "err": "ERR-1"});
    let of = |result: Value| one(event, input(), result);
    let original = |rule: &str| format!(r#"set/display "absent" {rule}"#);
    for (line, result) in [
        (r#"set/display {"be":"SHOW-1\n"} MSGDISP-OUT-01"#.to_owned(), json!({"out": display("SHOW-1\n")})),
        (r#"said/model {"not_say":{"parts":["SHOW-1"]}} MSGDISP-05"#.to_owned(), beside(json!({"exit": 1}))),
        (original("EXIT-2-EV-MessageDisplay"), beside(json!({"exit": 2}))),
        (original("MSGDISP-03"), exit(1, "ERR-1")),
        (original("MSGDISP-03"), json!({"end": "timed_out"})),
        (original("MSGDISP-OUT-01"), talks(0)),
        (original("MSGDISP-OUT-01"), json!({})),
        (original("MSGDISP-OUT-01"), json!({"out": "{\"systemMessage\": }"})),
        (r#"fate {"be":"proceeds"} EXIT-2-EV-MessageDisplay"#.to_owned(), exit(2, "ERR-1")),
        (r#"fate {"be":"proceeds"} MSGDISP-03"#.to_owned(), exit(1, "ERR-1")),
        (r#"fate {"be":"proceeds"} MSGDISP-OUT-02"#.to_owned(), talks(0)),
        (r#"agent {"be":"goes_on"} MSGDISP-OUT-03"#.to_owned(), talks(0)),
        (r#"said/user {"not_say":{"parts":["MSG-1"]}} MSGDISP-OUT-03"#.to_owned(), talks(0)),
        (r#"said/user {"not_say":{"parts":["ERR-1"]}} MSGDISP-10"#.to_owned(), exit(1, "ERR-1")),
        (r#"said/user {"not_say":{"parts":["hook error"]}} MSGDISP-10"#.to_owned(), exit(1, "ERR-1")),
        (format!("{BELL} TERM-14"), rings(0)),
        (r#"given/timeout {"be":10} TIMEOUT-DEF-07"#.to_owned(), json!({})),
    ] {
        claims("what is said", &line, of(result));
    }
    for (why, result) in [
        ("whether JSON counts beside exit 1 is open", beside(json!({"exit": 1}))),
        ("what an empty text comes to is open", json!({"out": display("")})),
        ("whether it is limited is open", json!({"out": display(&format!("SHOW-1 {}", "x".repeat(12_000)))})),
        ("an object that is not valid is not said to be a failure", prints(json!({"systemMessage": 5}))),
    ] {
        silent(why, "set", of(result));
    }
    silent("whether JSON counts beside another code", "said/terminal", of(rings(1)));
    let two = |second: Value| {
        json!({"settings": [commands(event, &["g", "h"])],
        "results": {"g": {"out": display("SHOW-1")}, "h": second}, "steps": [fire(event, input())]})
    };
    silent("which of two is shown", "set", two(json!({"out": display("SHOW-2")})));
    silent("whether one is, where another failed", "set", two(exit(1, "ERR-1")));
    claims("one that is silent changes nothing", r#"set/display {"be":"SHOW-1"} MSGDISP-OUT-01"#, two(json!({})));
    let mut hidden = of(json!({"out": display("SHOW-1")}));
    hidden["host"] = json!({"surface": "background"});
    silent("nobody sees it", "set", hidden);
    let http = |end: Value, body: &str| {
        let group = json!({"hooks": [{"type": "http", "url": "http://hooks.test/g"}]});
        json!({"settings": [hooks(event, group)], "results": {"http://hooks.test/g": {"end": end, "out": body}},
            "steps": [fire(event, input())]})
    };
    claims("a server fails", &original("HTTP-02"), http(json!({"status": 500}), ""));
    claims(
        "a server answers",
        r#"set/display {"be":"SHOW-1"} HTTP-04"#,
        http(json!({"status": 200}), &display("SHOW-1")),
    );
}

#[test]
fn a_message_comes_in_pieces_where_somebody_looks_on() {
    let piece = |surface: &str, field: &str, fields: Value| {
        let case = json!({"host": {"surface": surface}, "settings": [commands("MessageDisplay", &["g"])], "steps": [fire("MessageDisplay", fields)]});
        claimed(case).into_iter().find(|line| line.starts_with(&format!("given/input/{field} ")))
    };
    let given = |field: &str, value: &str, rule: &str| Some(format!(r#"given/input/{field} {{"be":{value}}} {rule}"#));
    let delta = |text: &str, last: bool| json!({"delta": text, "final": last, "index": 0});
    assert_eq!(piece("terminal", "delta", delta("A-1\n", false)), given("delta", r#""A-1\n""#, "MSGDISP-IN-05"));
    assert_eq!(piece("terminal", "delta", delta("A-1", true)), given("delta", r#""A-1""#, "MSGDISP-IN-05"));
    assert_eq!(piece("terminal", "delta", delta("", true)), given("delta", r#""""#, "MSGDISP-IN-06"));
    assert_eq!(piece("terminal", "delta", delta("A-1", false)), None, "half a line before the end");
    assert_eq!(piece("terminal", "delta", delta("A-1\n", true)), None, "a whole line at the end");
    assert_eq!(piece("print", "delta", delta("A-1\n", true)), given("delta", r#""A-1\n""#, "MSGDISP-08"));
    assert_eq!(piece("sdk", "index", delta("A-1", true)), given("index", "0", "MSGDISP-08"));
    assert_eq!(piece("sdk", "index", json!({"index": 1})), None, "there is one piece");
    assert_eq!(piece("print", "hook_event_name", json!({"final": false})), None, "and it is the last");
    assert_eq!(piece("terminal", "message_id", json!({"message_id": "msg_01"})), None, "that is the id of the API");
}

#[test]
fn a_worktree_goes_or_stays() {
    let event = "WorktreeRemove";
    let path = "/work/trees/otter";
    let fire_it = || fire(event, json!({"worktree_path": path}));
    let of = |result: Value| one(event, json!({"worktree_path": path}), result);
    let removing =
        |code: u8, path: &str| json!({"end": {"exit": code}, "err": "ERR-1", "did": [{"removed_directory": path}]});
    let (gone, stays) = (r#"fate {"be":"proceeds"}"#, r#"fate {"be":"prevented"}"#);
    for (line, result) in [
        (format!("{gone} WTREMOVE-06"), json!({})),
        (format!("{gone} WTREMOVE-06"), talks(0)),
        (format!("{gone} WTREMOVE-06"), prints(json!({"systemMessage": 5}))),
        (format!("{stays} WTREMOVE-07"), exit(1, "ERR-1")),
        (format!("{stays} WTREMOVE-07"), talks(1)),
        (format!("{stays} EXIT-2-EV-WorktreeRemove"), exit(2, "ERR-1")),
        (format!("{gone} WTREMOVE-08"), removing(1, path)),
        (format!("{gone} WTREMOVE-08"), removing(2, "/work/trees")),
        (format!("{stays} WTREMOVE-07"), removing(1, "/work/trees/ott")),
        (r#"said/debug {"say":{"parts":["g"]}} WTREMOVE-IN-02"#.to_owned(), exit(1, "ERR-1")),
        (r#"said/debug {"say":{"parts":["ERR-1"]}} WTREMOVE-IN-02"#.to_owned(), exit(1, "ERR-1")),
        (r#"said/user {"not_say":{"parts":["MSG-1"]}} WTREMOVE-10"#.to_owned(), talks(0)),
        (r#"agent {"be":"goes_on"} EXIT-N-12"#.to_owned(), talks(1)),
    ] {
        claims("what is said", &line, of(result));
    }
    for (why, case) in [
        ("a hook that is cancelled", of(json!({"end": "timed_out"}))),
        ("a hook that does not start", of(json!({"end": "not_started", "err": "ERR-1"}))),
        ("another spelling", of(removing(1, "/work/trees/../trees/otter"))),
        ("no path", one(event, json!({}), exit(1, "ERR-1"))),
    ] {
        silent(why, "fate", case);
    }
    let two = |second: Value| {
        json!({"settings": [commands(event, &["g", "h"])],
        "results": {"g": exit(1, "ERR-1"), "h": second}, "steps": [fire_it()]})
    };
    silent("one of two fails", "fate", two(json!({})));
    silent("the other may have been slower", "fate", two(removing(1, path)));
    claims("both fail", &format!("{stays} WTREMOVE-07"), two(exit(3, "ERR-2")));
    silent("what was not to be read need not be logged", "said/debug", of(json!({"out": "PLAIN-1", "err": "ERR-1"})));
    silent("the interface may be gone", "said/terminal", of(rings(0)));
    silent("where the runtime works by then", "given/input/cwd", of(json!({})));
    silent("whether it is shown is said of deletions", "said/user", of(exit(1, "ERR-1")));
    let deleted = |result: Value| {
        let mut case = of(result);
        case["host"] = json!({"surface": "background"});
        case
    };
    let how = r#"said/user {"say":{"parts":["exited 1"]}} WTREMOVE-IN-03"#;
    claims("how it ended", how, deleted(exit(1, "ERR-1\nMORE-1")));
    claims(
        "how stderr begins",
        r#"said/user {"say":{"parts":["ERR-1"]}} WTREMOVE-IN-03B"#,
        deleted(exit(3, "ERR-1\nMORE-1")),
    );
    silent("it is removed", "said/user {\"say\"", deleted(removing(1, path)));
    silent("the wording is given of one code", r#"said/user {"say":{"parts":["exited"#, deleted(exit(3, "ERR-1")));
    silent("whether agent view is an interface", "said/terminal", deleted(rings(0)));
    let http = |end: Value, body: &str| {
        let group = json!({"hooks": [{"type": "http", "url": "http://hooks.test/g"}]});
        json!({"settings": [hooks(event, group)], "results": {"http://hooks.test/g": {"end": end, "out": body}}, "steps": [fire_it()]})
    };
    claims("a server fails", &format!("{stays} HTTP-02"), http(json!({"status": 500}), ""));
    claims("a server succeeds", &format!("{gone} HTTP-03"), http(json!({"status": 200}), ""));
    silent("an object that is not valid", "fate", http(json!({"status": 200}), "{\"systemMessage\":5}"));
    silent("or may not be", "fate", http(json!({"status": 200}), "{\"hookSpecificOutput\":{}}"));
}

#[test]
fn a_launch_that_only_prepares_a_project_has_no_conversation() {
    let text = json!({"hookEventName": "SessionStart", "additionalContext": "CTX-1", "initialUserMessage": "FIRST-1"});
    let case = |steps: Value| {
        json!({"host": {"surface": "print"}, "settings": [commands("SessionStart", &["g", "plain"])],
            "results": {"g": prints(json!({"hookSpecificOutput": text})), "plain": {"out": "PLAIN-1"}}, "steps": steps})
    };
    let setup = |trigger: &str| fire("Setup", json!({"trigger": trigger}));
    let start = |source: &str| fire("SessionStart", json!({"source": source}));
    let first = r#"1-1 set/first_prompt {"be":"FIRST-1"} SESSTART-OUT-02"#;
    let only = case(json!([setup("init"), start("startup")]));
    silent("there may be no model to hear of it", "1-1 said/model", only.clone());
    silent("nor a prompt", "1-1 set", only);
    for steps in [
        json!([setup("maintenance"), start("startup")]),
        json!([setup("init"), start("resume")]),
        json!([{"happen": "model_request"}, start("startup")]),
    ] {
        claims("there is a conversation", first, case(steps));
    }
}

#[test]
fn a_title_is_claimed_where_it_is_set_as_it_is_and_is_another_than_before() {
    let case = |event: &str, input: Value, title: &str| {
        let fields = json!({"hookEventName": event, "sessionTitle": title});
        one(event, input, prints(json!({"hookSpecificOutput": fields})))
    };
    let title = |event: &str, input: Value| case(event, input, "TITLE-1");
    for (event, rule) in [("UserPromptSubmit", "PROMPTSUB-OUT-09"), ("SessionStart", "SESSTART-OUT-06")] {
        let input = || json!({"prompt": "ASK-1", "source": "startup"});
        let set = format!(r#"set/session_title {{"be":"TITLE-1"}} {rule}"#);
        claims("another", &set, title(event, input()));
        let mut same = input();
        same["session_title"] = json!("TITLE-1");
        silent("it is there already", "set/session_title", title(event, same));
        let mut again = title(event, input());
        again["steps"][0]["fire"]["times"] = json!(2);
        claims("at first", &format!("0-0 {set}"), again.clone());
        silent("it was set before", "1-1 set/session_title", again);
        let long = format!("TITLE-1{}", "x".repeat(10_000));
        for odd in ["", "  TITLE-1  ", &long] {
            silent("it may be trimmed or cut", "set/session_title", case(event, input(), odd));
        }
    }
}
