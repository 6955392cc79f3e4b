//! The same for events at which hooks have little to say or nothing: SubagentStart, PostCompact, StopFailure, SessionStart; and for
//! the user's answer to an elicitation.

use super::{claimed, claimed_at, claims, commands, fire, hooks, one, prints, says, silent};
use hookproof_contract::Revision;
use serde_json::{Value, json};

fn exit_2(err: &str) -> Value {
    json!({"end": {"exit": 2}, "err": err})
}

fn subagent() -> Value {
    json!({"agent_id": "a1", "agent_type": "code-reviewer"})
}

fn compaction() -> Value {
    json!({"trigger": "manual", "compact_summary": "it is done"})
}

fn startup() -> Value {
    json!({"source": "startup"})
}

fn context(event: &str) -> Value {
    says(json!({"hookEventName": event, "additionalContext": "CTX-1"}))
}

/// What is said of an event, whatever hooks answer, where it is not said to be of the standard model.
fn shows_no_notice(event: &str, input: &Value) {
    for (why, result) in [
        ("a code that is not 0", json!({"end": {"exit": 1}, "err": "ERR-1"})),
        ("a hook that does not start", json!({"end": "not_started", "err": "ERR-1"})),
        ("an object that is not valid", prints(json!({"systemMessage": 5}))),
        ("what does not parse", json!({"out": "{\"a\":1}{\"b\":2}"})),
        ("JSON beside exit 1", json!({"end": {"exit": 1}, "out": json!({"systemMessage": "MSG-1"}).to_string()})),
    ] {
        silent(&format!("{event}: {why}"), "said/user {\"say\"", one(event, input.clone(), result));
    }
}

#[test]
fn a_subagent_begins_with_context_once() {
    shows_no_notice("SubagentStart", &subagent());
    let start = |result: Value| one("SubagentStart", subagent(), result);
    let given = r#"said/model {"say":{"how":"context","lies":"in_text","parts":["CTX-1"]}} SUBSTART-OUT-01"#;
    for (line, result) in [
        (given, context("SubagentStart")),
        (r#"fate {"be":"proceeds"} EXIT-2-EV-SubagentStart"#, exit_2("ERR-1")),
        (r#"said/user {"say":{"parts":["ERR-1"]}} EXIT-2-EV-SubagentStart"#, exit_2("ERR-1")),
        (r#"said/user {"say":{"how":"notice","parts":["hook error","ERR-1"]}} EXIT-2-NOTICE-01"#, exit_2("ERR-1")),
        (r#"said/model {"not_say":{"parts":["ERR-1"]}} EXIT-2-NOTICE-02"#, exit_2("ERR-1")),
        (r#"fate {"be":"proceeds"} SUBSTART-OUT-01"#, prints(json!({"decision": "block", "reason": "WHY-1"}))),
    ] {
        claims("what is said", line, start(result));
    }
    let beside_2 = json!({"end": {"exit": 2}, "err": "ERR-1", "out": context("SubagentStart")["out"]});
    silent("context beside exit 2", "said/model {\"say\"", start(beside_2));
    let stops = json!({"continue": false, "stopReason": "HALT-1",
        "hookSpecificOutput": {"hookEventName": "SubagentStart", "additionalContext": "CTX-1"}});
    for place in ["agent", "fate", "said/model {\"say\"", "said/user {\"say\""] {
        silent("what `continue` comes to is open", place, start(prints(stops.clone())));
    }
    let steps = |steps: Value| json!({"settings": [commands("SubagentStart", &["g"])], "results": {"g": context("SubagentStart")}, "steps": steps});
    let again = || fire("SubagentStart", subagent());
    let twice = steps(json!([again(), again()]));
    claims("it has it already", r#"1-1 said/model {"not_say":{"parts":["CTX-1"]}} SUBSTART-OUT-02"#, twice);
    let other = fire("SubagentStart", json!({"agent_id": "b2", "agent_type": "Explore"}));
    let two = steps(json!([again(), other, fire("SubagentStart", json!({})), again()]));
    claims("another has not", &format!("0-1 {given}"), two.clone());
    silent("one that is not named may be any", "2-2 said/model", two.clone());
    silent("and may have been this one", "3-3 said/model", two);
    let compacted = steps(json!([again(), {"happen": "compacted"}, again()]));
    let anew = given.replace("SUBSTART-OUT-01", "SUBSTART-OUT-03");
    claims("a compaction takes it out of the subagent's conversation too", &format!("2-2 {anew}"), compacted);
    let manual = || json!({"trigger": "manual", "custom_instructions": null});
    for (event, input) in [
        ("PreCompact", manual()),
        ("PreCompact", json!({"trigger": "auto"})),
        ("PostCompact", manual()),
        ("SessionStart", json!({"source": "compact"})),
    ] {
        let main = fire(event, input);
        let whose = steps(json!([again(), main, again()]));
        silent("the main conversation is compacted, and perhaps no other", "2-2 said/model", whose);
        let both = steps(json!([again(), {"happen": "compacted"}, main, again()]));
        claims("what was taken out does not come back", &format!("3-3 {anew}"), both);
    }
    let lines = claimed(start(json!({})));
    assert!(!lines.iter().any(|line| line.contains("absent") && line.contains("agent")), "{lines:#?}");
    silent("which agent is not told", "ran", {
        let group = json!({"matcher": "Explore", "hooks": [{"type": "command", "command": "g"}]});
        json!({"settings": [hooks("SubagentStart", group)], "steps": [fire("SubagentStart", json!({}))]})
    });
}

#[test]
fn a_compaction_that_is_done_stands() {
    shows_no_notice("PostCompact", &compaction());
    let done = |result: Value| one("PostCompact", compaction(), result);
    let all = prints(json!({"continue": false, "stopReason": "HALT-1", "systemMessage": "MSG-1", "decision": "block"}));
    for (line, result) in [
        (r#"fate {"be":"proceeds"} EXIT-2-EV-PostCompact"#, exit_2("ERR-1")),
        (r#"said/user {"say":{"parts":["ERR-1"]}} EXIT-2-EV-PostCompact"#, exit_2("ERR-1")),
        (r#"said/model {"not_say":{"parts":["ERR-1"]}} EXIT-2-EV-PostCompact"#, exit_2("ERR-1")),
        (r#"fate {"be":"proceeds"} POSTCOMPACT-OUT-01"#, all.clone()),
        (r#"agent {"be":"goes_on"} POSTCOMPACT-02"#, all.clone()),
        (r#"said/user {"not_say":{"parts":["MSG-1"]}} POSTCOMPACT-02"#, all),
        (r#"fate {"be":"proceeds"} CONFIG-NEST-03"#, json!({})),
    ] {
        claims("what is said", line, done(result));
    }
    silent("in which manner is said of other events", "said/user {\"say\":{\"how\"", done(exit_2("ERR-1")));
    let beside = json!({"end": {"exit": 2}, "err": "ERR-1", "out": "{\"decision\":\"block\",\"reason\":\"WHY-1\"}"});
    silent("a reason may be shown in place of stderr", "said/user {\"say\"", done(beside));
    silent("it has no fields of its own", "fate", done(context("PostCompact")));
    let sequence = json!({"end": {"exit": 1}, "out": json!({"terminalSequence": "\u{7}"}).to_string()});
    silent("JSON beside exit 1", "said/terminal {\"say\"", done(sequence));
}

#[test]
fn a_turn_that_failed_is_over() {
    let failure = || json!({"error": "rate_limit"});
    shows_no_notice("StopFailure", &failure());
    let over = |result: Value| one("StopFailure", failure(), result);
    let sequence = |code: u8| json!({"end": {"exit": code}, "out": json!({"terminalSequence": "\u{1b}]9;BELL-1\u{7}"}).to_string()});
    let bell = r#"said/terminal {"say":{"parts":["\u001b]9;BELL-1\u0007"]}}"#;
    for (code, rule) in [(0, "TERM-14"), (1, "EXIT-N-12"), (2, "EXIT-2-EV-StopFailure")] {
        claims("at every exit code", &format!("{bell} {rule}"), over(sequence(code)));
    }
    let message = prints(json!({"systemMessage": "MSG-1", "decision": "block", "reason": "WHY-1"}));
    for (line, result) in [
        (r#"fate {"be":"proceeds"} EXIT-2-EV-StopFailure"#, exit_2("ERR-1")),
        (r#"said/user {"not_say":{"parts":["ERR-1"]}} EXIT-2-EV-StopFailure"#, exit_2("ERR-1")),
        (r#"said/user {"not_say":{"parts":["MSG-1"]}} EXIT-2-EV-StopFailure"#, message.clone()),
        (r#"said/model {"not_say":{"parts":["WHY-1"]}} EXIT-2-EV-StopFailure"#, message.clone()),
        (r#"fate {"be":"proceeds"} STOPFAIL-OUT-01"#, message),
    ] {
        claims("what is said", line, over(result));
    }
    let failed = json!({"end": {"exit": 1}, "err": "ERR-1"});
    silent("whether stderr is shown then", "said/user", over(failed));
    let nested = prints(json!({"hookSpecificOutput": {"message": "STRAY-1"}}));
    silent("whether that is an error is open, and how it is logged", "said/debug", over(nested));
    silent("there is no such error", "given/input/error", one("StopFailure", json!({"error": "bad_luck"}), json!({})));
    let matcher = |pattern: &str, error: &str| {
        let group = json!({"matcher": pattern, "hooks": [{"type": "command", "command": "g"}]});
        json!({"settings": [hooks("StopFailure", group)], "steps": [fire("StopFailure", json!({"error": error}))]})
    };
    let runs = r#"ran {"run_exactly":["g"]} "#;
    let not = r#"ran {"run_exactly":[]} "#;
    for (pattern, ran, rule) in [
        ("rate_limit", runs, "MATCH-TGT-STOPFAIL"),
        ("overloaded", not, "MATCH-TGT-STOPFAIL"),
        ("rate", not, "MATCH-PAT-06"),
        ("overloaded|rate_limit", runs, "MATCH-PAT-06"),
        ("overloaded,rate_limit", not, "MATCH-PAT-06"),
        ("rate-limit", not, "MATCH-PAT-06"),
        ("rate.*", runs, "MATCH-PAT-05"),
        ("RATE_LIMIT", not, "MATCH-PAT-09"),
    ] {
        claims(pattern, &format!("{ran}{rule}"), matcher(pattern, "rate_limit"));
    }
}

#[test]
fn a_users_answer_is_replaced_where_it_is_said_by_what() {
    let input = |action: &str| match action {
        "accept" => json!({"mcp_server_name": "s", "action": "accept", "mode": "form", "content": {"name": "alice"}}),
        other => json!({"mcp_server_name": "s", "action": other, "mode": "form"}),
    };
    let answers = |fields: Value| {
        let mut fields = fields;
        fields["hookEventName"] = json!("ElicitationResult");
        says(fields)
    };
    let of = |user: &str, result: Value| one("ElicitationResult", input(user), result);
    let bob = || answers(json!({"action": "accept", "content": {"name": "bob"}}));
    let sent = r#"set/mcp_reply {"be":{"action":"accept","content":{"name":"bob"}}}"#;
    claims("other values", &format!("{sent} ELICITRES-OUT-02"), of("accept", bob()));
    claims("in place of a decline", &format!("{sent} ELICITRES-03"), of("decline", bob()));
    let cancel = answers(json!({"action": "cancel"}));
    claims(
        "with the user's values",
        r#"set/mcp_reply/content {"be":{"name":"alice"}} ELICITRES-OUT-04"#,
        of("accept", cancel),
    );
    claims("without", r#"set/mcp_reply/content "absent" ELICITRES-BLOCK-VALUES"#, of("accept", exit_2("ERR-1")));
    claims("blocked", r#"fate {"be":"prevented"} EXIT-2-EV-ElicitationResult"#, of("accept", exit_2("ERR-1")));
    claims(
        "without an action",
        r#"fate {"be":"proceeds"} ELICITRES-OUT-05"#,
        of("accept", answers(json!({"content": {}}))),
    );
    claims("left alone", r#"fate {"be":"proceeds"} ELICITRES-OUT-01"#, of("accept", json!({})));
    let same = answers(json!({"action": "accept", "content": {"name": "alice"}}));
    for (why, user, result) in [
        ("nobody can tell it from the user's", "accept", same),
        ("nor a decline from a decline", "decline", exit_2("ERR-1")),
        ("an accept without content is open", "accept", answers(json!({"action": "accept"}))),
        ("JSON beside exit 1", "accept", json!({"end": {"exit": 1}, "out": bob()["out"]})),
        ("an object that is not valid", "accept", prints(json!({"systemMessage": 5}))),
    ] {
        silent(why, "fate", of(user, result.clone()));
        silent(why, "set", of(user, result));
    }
    let two = json!({"settings": [commands("ElicitationResult", &["g", "h"])],
        "results": {"g": bob(), "h": exit_2("ERR-1")}, "steps": [fire("ElicitationResult", input("accept"))]});
    silent("which of two hooks counts is said of the request only", "set", two);
    silent("nothing is shown", "said/user {\"say\"", of("accept", exit_2("ERR-1")));
}

#[test]
fn a_session_begins_with_what_hooks_give() {
    shows_no_notice("SessionStart", &startup());
    let of = |source: &str, fields: Value| {
        let mut fields = fields;
        fields["hookEventName"] = json!("SessionStart");
        one("SessionStart", json!({"source": source}), says(fields))
    };
    let title = || json!({"sessionTitle": "TITLE-1"});
    claims("a title", r#"set/session_title {"be":"TITLE-1"} SESSTART-OUT-06"#, of("startup", title()));
    claims("not after a clear", r#"set/session_title "absent" SESSTART-OUT-07"#, of("clear", title()));
    let paths = || json!({"watchPaths": ["/work/.env"]});
    claims("paths", r#"set/watch_paths {"be":["/work/.env"]} SESSTART-OUT-08"#, of("startup", paths()));
    silent("one that is not absolute", "set", of("startup", json!({"watchPaths": [".env"]})));
    silent("one that is no text", "fate", of("startup", json!({"watchPaths": [5]})));
    let lines = prints(json!({"hookSpecificOutput": {"hookEventName": "SessionStart", "watchPaths": [5]}}));
    let lines = json!({"out": format!("{}\n{{\"x\":\"MORE-1\"}}", lines["out"].as_str().expect("a text"))});
    silent("whether that line sets a field", "said/model", one("SessionStart", startup(), lines));
    let skills = || json!({"reloadSkills": true});
    claims("skills", r#"set/skills_reloaded {"be":true} SESSTART-OUT-09"#, of("startup", skills()));
    silent("nobody asked", "set", of("startup", json!({"reloadSkills": false})));
    let first = || json!({"initialUserMessage": "FIRST-1"});
    silent("what it does in a terminal is not said", "set", of("startup", first()));
    let mut print = of("startup", first());
    print["host"] = json!({"surface": "print"});
    claims("under -p", r#"set/first_prompt {"be":"FIRST-1"} SESSTART-OUT-02"#, print);
    let plain = one("SessionStart", startup(), json!({"out": "PLAIN-1"}));
    claims(
        "stdout is context",
        r#"said/model {"say":{"how":"context","lies":"in_text","parts":["PLAIN-1"]}} STDOUT-02"#,
        plain,
    );
    let plain = one("SessionStart", startup(), json!({"end": {"exit": 2}, "out": "PLAIN-1", "err": "ERR-1"}));
    silent("beside exit 2 is open", "said/model {\"say\"", plain);
    let stops =
        json!({"continue": false, "hookSpecificOutput": {"hookEventName": "SessionStart", "sessionTitle": "TITLE-1"}});
    for place in ["agent", "fate", "set"] {
        silent("what `continue` comes to is open", place, one("SessionStart", startup(), prints(stops.clone())));
    }
    let mut two = of("startup", title());
    two["settings"] = json!([commands("SessionStart", &["g", "h"])]);
    two["results"]["h"] = says(json!({"hookEventName": "SessionStart", "sessionTitle": "TITLE-2"}));
    silent("which of two titles counts is open", "set", two);
    let url = json!({"hooks": [{"type": "http", "url": "http://hooks.test/g"}, {"type": "command", "command": "g"}]});
    let http = json!({"settings": [hooks("SessionStart", url)], "steps": [fire("SessionStart", startup())]});
    claims("no request is sent", r#"ran {"run_exactly":["g"]} SESSTART-02"#, http);
    let prompted = json!({"settings": [commands("SessionStart", &["g"])],
        "steps": [{"happen": "new_prompt"}, fire("SessionStart", json!({"source": "compact", "model": "m"}))]});
    silent("which prompt is being worked on", "1-1 given/input/prompt_id", prompted);
    silent("a model may be named", "given/input/model \"absent\"", of("startup", title()));
}

#[test]
fn what_is_done_or_has_begun_is_not_prevented_before() {
    for (event, input) in [
        ("SubagentStart", subagent()),
        ("PostCompact", compaction()),
        ("StopFailure", json!({"error": "unknown"})),
        ("SessionStart", startup()),
    ] {
        let mut step = fire(event, input);
        step["fire"]["otherwise"] = json!("prevented");
        silent(event, "", json!({"settings": [commands(event, &["g"])], "steps": [step]}));
    }
}

#[test]
fn of_two_readings_neither_is_demanded() {
    for (event, input) in [("SubagentStart", subagent()), ("SessionStart", startup())] {
        let case = json!({"settings": [commands(event, &["g"])], "results": {"g": exit_2("\nERR-1")}, "steps": [fire(event, input)]});
        silent("the first line may be all that is shown", "said/user {\"say\"", case);
    }
    let title =
        |text: &str| json!({"hookSpecificOutput": {"hookEventName": "SessionStart", "sessionTitle": text}}).to_string();
    let results = json!({"g": {"out": title("TITLE-1")}, "h": {"end": {"exit": 2}, "out": title("TITLE-2")}});
    let case = json!({"settings": [commands("SessionStart", &["g", "h"])], "results": results, "steps": [fire("SessionStart", startup())]});
    silent("the other title may count as well", "set/session_title", case);
}

#[test]
fn before_a_block_counted_on_a_dialog_it_took_its_course() {
    let old = "2.1.283".parse::<Revision>().expect("a revision");
    for (event, input) in [
        ("Elicitation", json!({"mcp_server_name": "s", "message": "m", "mode": "form"})),
        ("ElicitationResult", json!({"mcp_server_name": "s", "action": "accept", "mode": "form", "content": {}})),
    ] {
        let case = one(event, input, prints(json!({"decision": "block", "reason": "WHY-1"})));
        let lines = claimed_at(old, case.clone());
        for line in [r#"fate {"be":"proceeds"} ELICIT-DECL-04"#, r#"set/mcp_reply "absent" ELICIT-DECL-04"#] {
            assert!(lines.iter().any(|claim| claim == line), "{event}: {lines:#?}");
        }
        claims("since then it does", r#"fate {"be":"prevented"} ELICIT-DECL-02"#, case);
    }
}

#[test]
fn what_is_watched_is_not_certain_after_a_beginning_at_which_hooks_wanted_two_things() {
    let layers = json!([commands("SessionStart", &["g"]), {"from": "project", "settings": commands("CwdChanged", &["w"])["settings"]}]);
    let beginning =
        json!({"continue": false, "hookSpecificOutput": {"hookEventName": "SessionStart", "watchPaths": ["/b"]}});
    let watches = |result: Value| {
        let moved = fire("CwdChanged", json!({"old_cwd": "/work/project", "new_cwd": "/w"}));
        let paths = says(json!({"hookEventName": "CwdChanged", "watchPaths": ["/b"]}));
        json!({"settings": layers, "results": {"g": result, "w": paths}, "steps": [fire("SessionStart", startup()), moved]})
    };
    claims("nothing before", r#"1-1 set/watch_paths {"be":["/b"]} CWD-OUT-01"#, watches(json!({})));
    let unclear = json!({"end": {"exit": 2}, "err": "ERR-1", "out": beginning.to_string()});
    silent("perhaps just this before", "1-1 set/watch_paths", watches(unclear));
}
