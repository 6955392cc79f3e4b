//! The same for what changes under a session: its directories, its files, its model.

use super::{claimed, claims, commands, fire, hooks, one, prints, says, silent};
use hookproof_contract::{Case, Readings, Revision};
use serde_json::{Value, json};

fn exit_2(err: &str) -> Value {
    json!({"end": {"exit": 2}, "err": err})
}

fn moved() -> Value {
    json!({"old_cwd": "/work/project", "new_cwd": "/work/project/sub"})
}

fn changed() -> Value {
    json!({"file_path": "/work/project/.envrc", "event": "change"})
}

fn on(surface: &str, mut case: Value) -> Value {
    case["host"]["surface"] = json!(surface);
    case
}

fn paths(event: &str, list: Value) -> Value {
    says(json!({"hookEventName": event, "watchPaths": list}))
}

#[test]
fn hooks_say_what_to_watch_and_no_more() {
    for (event, input, exit, no_say, universal, replaced) in [
        ("CwdChanged", moved(), "EXIT-2-EV-CwdChanged", "CWD-OUT-04", "CWD-OUT-05", "CWD-OUT-01"),
        ("FileChanged", changed(), "EXIT-2-EV-FileChanged", "FILECHG-OUT-02", "FILECHG-OUT-03", "FILECHG-OUT-01"),
    ] {
        let of = |result: Value| one(event, input.clone(), result);
        let list = || paths(event, json!(["/work/a"]));
        let stops = prints(json!({"continue": false, "stopReason": "HALT-1"}));
        let message = || prints(json!({"systemMessage": "MSG-1"}));
        let shown = r#"said/user {"say":{"how":"warning","lies":"in_text","parts":["MSG-1"]}}"#;
        for (line, result) in [
            (format!(r#"fate {{"be":"proceeds"}} {exit}"#), exit_2("ERR-1")),
            (format!(r#"said/user {{"say":{{"parts":["ERR-1"]}}}} {exit}"#), exit_2("ERR-1")),
            (format!(r#"said/model {{"not_say":{{"parts":["ERR-1"]}}}} {exit}"#), exit_2("ERR-1")),
            (format!(r#"fate {{"be":"proceeds"}} {no_say}"#), prints(json!({"decision": "block"}))),
            (format!(r#"agent {{"be":"goes_on"}} {universal}"#), stops),
            (format!("{shown} {universal}"), message()),
            (format!(r#"set/watch_paths {{"be":["/work/a"]}} {replaced}"#), list()),
        ] {
            claims("what is said", &line, of(result));
        }
        let unsaid = format!(r#"said/caller {{"not_say":{{"parts":["MSG-1"]}}}} {universal}"#);
        claims("not to an SDK", &unsaid, on("sdk", of(message())));
        silent("elsewhere nothing is said of it", "said/user", on("print", of(message())));
        silent("JSON beside exit 2", "set", of(json!({"end": {"exit": 2}, "err": "ERR-1", "out": list()["out"]})));
        silent("one that is not absolute", "set", of(paths(event, json!(["a"]))));
        silent("one that is no text", "fate", of(paths(event, json!([5]))));
        silent("there was nothing to clear", "set", of(paths(event, json!([]))));
        let mut two = of(list());
        two["settings"] = json!([commands(event, &["g", "h"])]);
        two["results"]["h"] = paths(event, json!(["/work/b"]));
        silent("which of two lists counts is open", "set", two);
        let failed = json!({"end": {"exit": 1}, "err": "ERR-1"});
        silent("it is not said to be of the standard model", "said/user {\"say\"", of(failed));
    }
}

#[test]
fn a_list_is_told_of_where_it_is_another_than_before() {
    let step = |list: Value| {
        let mut step = fire("FileChanged", changed());
        step["fire"]["results"] = json!({"g": paths("FileChanged", list)});
        step
    };
    let steps = |steps: Value| json!({"settings": [commands("FileChanged", &["g"])], "steps": steps});
    let again = steps(json!([step(json!(["/work/a"])), step(json!(["/work/a"])), step(json!([]))]));
    silent("it is the same", "1-1 set", again.clone());
    claims("all are gone", r#"2-2 set/watch_paths {"be":[]} FILECHG-OUT-01"#, again);
    let cleared = steps(json!([step(json!(["/work/a"])), {"happen": "cleared"}, step(json!(["/work/a"]))]));
    silent("whether it was there still", "2-2 set", cleared);
}

#[test]
fn where_the_agent_works_is_followed() {
    let group = json!({"hooks": [{"type": "command", "command": "g"}]});
    let events = json!({"CwdChanged": [group], "Stop": [group], "TeammateIdle": [group], "WorktreeCreate": [group]});
    let steps = |first: Value| {
        json!({"settings": [{"from": "user", "settings": {"hooks": events}}],
            "steps": [fire("CwdChanged", first), fire("TeammateIdle", json!({})), fire("Stop", json!({}))]})
    };
    let cwd = |step: &str, rule: &str| format!(r#"{step} given/input/cwd {{"be":"/work/project/sub"}} {rule}"#);
    claims("it is there by now", &cwd("0-0", "CWD-IN-01"), steps(moved()));
    claims("and later", &cwd("2-2", "INPUT-CWD-01"), steps(moved()));
    silent("where the others are is not said", "1-1 given/input/cwd {\"be\":", steps(moved()));
    let from_elsewhere = json!({"old_cwd": "/elsewhere", "new_cwd": "/work/b"});
    let lines = claimed(steps(from_elsewhere));
    assert!(!lines.iter().any(|line| line.contains(r#"/cwd {"be":"#)), "{lines:#?}");
    let made = |first: Value, directories: Value| {
        let mut case = steps(first);
        case["host"] = json!({"directories": directories});
        case["steps"][1] = fire("WorktreeCreate", json!({"name": "w"}));
        case["steps"][1]["fire"]["results"] = json!({"g": {"out": "TREE-1"}});
        case
    };
    let there = json!(["/work/project/sub", "/work/project/sub/TREE-1"]);
    let path = r#"1-1 set/worktree_path {"be":"/work/project/sub/TREE-1"} WTCREATE-OUT-07"#;
    claims("a hook runs there", path, made(moved(), there.clone()));
    silent("or in another place, where that is gone", "1-1 fate", made(moved(), json!(["/work/project"])));
    silent("from where is not certain", "1-1 fate", made(json!({}), there));
}

#[test]
fn the_name_of_the_file_is_compared_in_the_narrow_alphabet() {
    let matcher = |pattern: Value, path: &str| {
        let group = match pattern {
            Value::Null => json!({"hooks": [{"type": "command", "command": "g"}]}),
            pattern => json!({"matcher": pattern, "hooks": [{"type": "command", "command": "g"}]}),
        };
        json!({"settings": [hooks("FileChanged", group)],
            "steps": [fire("FileChanged", json!({"file_path": path, "event": "change"}))]})
    };
    let runs = r#"ran {"run_exactly":["g"]} "#;
    let not = r#"ran {"run_exactly":[]} "#;
    for (pattern, path, ran, rule) in [
        (json!("Makefile"), "/w/Makefile", runs, "MATCH-TGT-FILECHG"),
        (json!("Makefile"), "/w/Makefile2", not, "MATCH-PAT-06"),
        (json!("makefile"), "/w/Makefile", not, "MATCH-PAT-09"),
        (json!("Makefile|Rakefile"), "/w/Rakefile", runs, "MATCH-PAT-06"),
        (json!("Makefile,Rakefile"), "/w/Rakefile", not, "MATCH-PAT-06"),
        (json!("read-me"), "/w/my-read-me", runs, "MATCH-PAT-06"),
        (json!(".envrc|.env"), "/w/x.env.bak", runs, "MATCH-PAT-05"),
        (json!("^data"), "/w/data.csv", runs, "FILECHG-04"),
        (json!("w/.*csv"), "/w/data.csv", not, "FILECHG-04"),
        (json!("*"), "/w/data.csv", runs, "FILECHG-08"),
        (Value::Null, "/w/data.csv", runs, "FILECHG-07"),
    ] {
        claims(&pattern.to_string(), &format!("{ran}{rule}"), matcher(pattern.clone(), path));
    }
    silent("a directory has no name of a file", "ran", matcher(json!("Makefile"), "/w/"));
}

#[test]
fn a_directory_stays_and_the_next_turn_hears_of_it() {
    let by = |source: &str, result: Value| one("DirectoryAdded", json!({"directory": "/w", "source": source}), result);
    let message = || prints(json!({"systemMessage": "MSG-1"}));
    let failed = || json!({"end": {"exit": 1}, "err": "ERR-1"});
    for (line, case) in [
        (r#"fate {"be":"proceeds"} EXIT-2-EV-DirectoryAdded"#, by("slash_command", exit_2("ERR-1"))),
        (r#"said/debug {"say":{"parts":["ERR-1"]}} EXIT-2-EV-DirectoryAdded"#, by("slash_command", exit_2("ERR-1"))),
        (r#"said/user {"say":{"parts":[]}} DIRADD-OUT-03"#, by("slash_command", failed())),
        (r#"said/debug {"say":{"parts":["ERR-1"]}} DIRADD-OUT-03"#, by("slash_command", failed())),
        (r#"said/user {"not_say":{"parts":["MSG-1"]}} DIRADD-OUT-02"#, by("slash_command", message())),
        (r#"said/user {"not_say":{"parts":["MSG-1"]}} DIRADD-OUT-04"#, by("register_repo_root", message())),
        (r#"said/debug {"say":{"parts":["MSG-1"]}} DIRADD-OUT-04"#, by("register_repo_root", message())),
        (r#"said/model {"not_say":{"parts":["ERR-1"]}} DIRADD-OUT-04"#, by("register_repo_root", failed())),
        (r#"agent {"be":"goes_on"} DIRADD-OUT-01"#, by("slash_command", prints(json!({"continue": false})))),
    ] {
        claims("what is said", line, case);
    }
    silent("what is shown beside the number", "said/user {\"not_say\"", by("slash_command", failed()));
    let lines = by("register_repo_root", json!({"end": {"exit": 1}, "err": "ERR-1\nERR-2"}));
    silent(
        "that the log has all of it is said of the other source",
        r#"said/debug {"say":{"parts":["ERR-2"]}}"#,
        lines,
    );
    let later = |source: &str, happens: &[&str]| {
        let mut case = by(source, message());
        let steps = happens.iter().map(|what| json!({"happen": what}));
        case["steps"].as_array_mut().expect("steps").extend(steps);
        case
    };
    let arrives = r#"said/model {"say":{"how":"context","lies":"in_text","parts":["MSG-1"]}} DIRADD-OUT-02"#;
    claims("next turn", &format!("2-2 {arrives}"), later("slash_command", &["new_prompt", "model_request"]));
    let in_this_turn = later("slash_command", &["model_request", "new_prompt", "model_request", "model_request"]);
    claims("not in this one", &format!("3-3 {arrives}"), in_this_turn.clone());
    for step in ["1-1 said", "4-4 said"] {
        silent("once", step, in_this_turn.clone());
    }
    let cleared = later("slash_command", &["cleared", "new_prompt", "model_request"]);
    silent("whether that is the next turn", "3-3 said", cleared);
    let called = later("slash_command", &["new_prompt", "tool_call", "model_request"]);
    silent("it arrived with the call's request", "3-3 said", called);
    let client = later("register_repo_root", &["new_prompt", "model_request"]);
    silent("a client's directory", "2-2 said", client);
}

fn switch(source: &str, to: &str) -> Value {
    json!({"from_model": "claude-sonnet-5", "to_model": to, "requested_model": to, "source": source})
}

/// A world in which the alias has a name.
fn named(mut case: Value) -> Value {
    case["host"]["models"] = json!({"opus": "claude-opus-5", "sonnet": "claude-sonnet-5"});
    case
}

fn decides(decision: &str) -> Value {
    says(json!({"hookEventName": "PreModelSwitch", "permissionDecision": decision,
        "permissionDecisionReason": "WHY-1"}))
}

#[test]
fn a_switch_is_refused_or_confirmed_where_that_is_said() {
    let of = |result: Value| named(one("PreModelSwitch", switch("command", "opus"), result));
    let with = |facts: Value, mut case: Value| {
        case["host"]["facts"] = facts;
        case
    };
    let asked = |mut case: Value| {
        case["steps"][0]["fire"]["otherwise"] = json!("asked");
        case
    };
    let by_command = |case: Value| with(json!(["model_command"]), case);
    let not = r#"fate {"be":"prevented"} "#;
    for (line, case) in [
        (format!("{not}EXIT-2-EV-PreModelSwitch"), of(exit_2("ERR-1"))),
        (format!("{not}PREMODEL-OUT-04"), of(decides("deny"))),
        (format!("{not}PREMODEL-OUT-01"), of(prints(json!({"decision": "block", "reason": "WHY-1"})))),
        (format!("{not}TIMEOUT-04"), of(json!({"end": "timed_out"}))),
        (format!("{not}PREMODEL-OUT-05B"), of(decides("ask"))),
        (r#"fate {"be":"asked"} PREMODEL-OUT-05"#.to_owned(), by_command(of(decides("ask")))),
        (r#"fate {"be":"proceeds"} PREMODEL-OUT-03"#.to_owned(), asked(of(decides("allow")))),
        (r#"fate {"be":"asked"} PREMODEL-NODECISION"#.to_owned(), asked(of(json!({})))),
        (r#"fate {"be":"proceeds"} CONFIG-NEST-03"#.to_owned(), of(json!({}))),
        (r#"fate {"be":"proceeds"} PREMODEL-OUT-09"#.to_owned(), of(json!({"end": {"exit": 1}, "err": "ERR-1"}))),
        (r#"said/user {"not_say":{"parts":["WHY-1"]}} PREMODEL-OUT-06D"#.to_owned(), of(decides("allow"))),
    ] {
        claims("what is said", &line, case);
    }
    let told = |to: &str, how: &str, rule: &str| {
        format!(r#"said/{to} {{"say":{{"how":"{how}","lies":"in_text","parts":["WHY-1"]}}}} {rule}"#)
    };
    claims("why", &told("user", "block", "PREMODEL-OUT-06"), of(decides("deny")));
    claims("what is asked", &told("user", "prompt", "PREMODEL-OUT-06C"), by_command(of(decides("ask"))));
    let mut client = of(decides("deny"));
    client["steps"][0]["fire"]["input"]["source"] = json!("sdk");
    claims("an error", &told("caller", "block", "PREMODEL-OUT-06B"), with(json!(["set_model"]), client));
    let both = json!({"decision": "block", "hookSpecificOutput":
        {"hookEventName": "PreModelSwitch", "permissionDecision": "allow"}});
    silent("of two answers of one hook neither is demanded", "fate", of(prints(both)));
    silent(
        "where the reason of a block goes",
        "said/user {\"say\"",
        of(prints(json!({"decision": "block", "reason": "WHY-1"}))),
    );
    let beside = json!({"end": {"exit": 1}, "err": "ERR-1", "out": json!({"systemMessage": "MSG-1"}).to_string()});
    silent("whether stderr is shown beside JSON that decides nothing", "said/user {\"not_say\"", of(beside));
    let stops = json!({"continue": false, "hookSpecificOutput":
        {"hookEventName": "PreModelSwitch", "permissionDecision": "deny"}});
    silent("whether a decision counts beside `continue: false`", "fate", of(prints(stops)));
    silent("a session in the background may be looked at", "fate", on("background", by_command(of(decides("ask")))));
    claims("what is not accepted decides nothing", r#"fate {"be":"proceeds"} PREMODEL-OUT-02"#, of(decides("defer")));
    for (why, case) in [
        ("asked for by both", with(json!(["model_command", "set_model"]), of(json!({})))),
        ("nobody is asked", on("print", asked(of(json!({}))))),
        ("`/model` is no request of a client", with(json!(["set_model"]), of(json!({})))),
    ] {
        silent(why, "", case);
    }
    let mut two = of(decides("allow"));
    two["settings"] = json!([commands("PreModelSwitch", &["g", "h"])]);
    two["results"]["h"] = decides("ask");
    claims("an ask is stronger", r#"fate {"be":"asked"} PREC-PREMODEL-01"#, by_command(two));
}

#[test]
fn a_switch_is_known_by_the_name_of_its_destination() {
    let matcher = |event: &str, pattern: &str, to: &str| {
        let group = json!({"matcher": pattern, "hooks": [{"type": "command", "command": "g"}]});
        named(json!({"settings": [hooks(event, group)], "steps": [fire(event, switch("command", to))]}))
    };
    let runs = r#"ran {"run_exactly":["g"]} "#;
    let not = r#"ran {"run_exactly":[]} "#;
    for (pattern, to, ran, rule) in [
        ("claude-opus-5", "claude-opus-5", runs, "MATCH-TGT-MODEL"),
        ("claude-opus-5", "opus", runs, "PREMODEL-08"),
        ("opus", "opus", not, "PREMODEL-08"),
        ("claude-opus-5", "claude-opus-5[1m]", runs, "PREMODEL-08"),
        ("claude-opus", "opus", not, "PREMODEL-10"),
        ("claude-opus-4-6|claude-opus-5", "opus", runs, "PREMODEL-10"),
        (".*opus.*", "opus", runs, "PREMODEL-10"),
    ] {
        for event in ["PreModelSwitch", "PostModelSwitch"] {
            claims(pattern, &format!("{ran}{rule}"), matcher(event, pattern, to));
        }
    }
    claims("no name", &format!("{runs}PREMODEL-09"), matcher("PreModelSwitch", "claude-opus-5", "house"));
    silent("of what follows that is not said", "ran", matcher("PostModelSwitch", "claude-opus-5", "house"));
}

#[test]
fn the_next_request_hears_of_the_last_model() {
    let steps = |result: Value, steps: Value| {
        named(json!({"settings": [commands("PostModelSwitch", &["g"])], "results": {"g": result}, "steps": steps}))
    };
    let to = |model: &str| fire("PostModelSwitch", switch("command", model));
    let request = || json!({"happen": "model_request"});
    let context = || says(json!({"hookEventName": "PostModelSwitch", "additionalContext": "CTX-1"}));
    let arrives = |text: &str| {
        format!(r#"said/model {{"say":{{"how":"context","lies":"in_text","parts":["{text}"]}}}} POSTMODEL-OUT-01"#)
    };
    claims("context", &format!("1-1 {}", arrives("CTX-1")), steps(context(), json!([to("opus"), request()])));
    let plain = steps(json!({"out": "PLAIN-1"}), json!([to("opus"), {"happen": "new_prompt"}, request()]));
    claims("plain text", &format!("2-2 {}", arrives("PLAIN-1")), plain);
    let mut other = to("sonnet");
    other["fire"]["results"] =
        json!({"g": says(json!({"hookEventName": "PostModelSwitch", "additionalContext": "CTX-2"}))});
    let twice = steps(context(), json!([to("opus"), other, request()]));
    let last = arrives("CTX-2").replace("POSTMODEL-OUT-01", "POSTMODEL-OUT-03");
    claims("the last", &format!("2-2 {last}"), twice.clone());
    claims("not the first", r#"2-2 said/model {"not_say":{"parts":["CTX-1"]}} POSTMODEL-OUT-03"#, twice);
    let repeated = steps(context(), json!([to("sonnet"), to("opus"), request()]));
    claims("what is said of both arrives", &format!("2-2 {}", last.replace("CTX-2", "CTX-1")), repeated.clone());
    silent("so it is not kept back", "2-2 said/model {\"not_say\"", repeated);
    let same = steps(context(), json!([to("opus"), to("claude-opus-5"), request()]));
    silent("the same model twice", "2-2 said/model {\"not_say\"", same);
    let stops = prints(json!({"continue": false, "hookSpecificOutput":
        {"hookEventName": "PostModelSwitch", "additionalContext": "CTX-1"}}));
    let stopped = steps(stops, json!([to("opus"), request()]));
    silent("what `continue` comes to is open", "1-1 said/model {\"say\"", stopped.clone());
    silent("so is this", "0-0 agent", stopped.clone());
    claims("the model has changed", r#"0-0 fate {"be":"proceeds"} POSTMODEL-01B"#, stopped);
    let notice = r#"said/user {"say":{"how":"notice","parts":["hook error","ERR-1"]}} EXIT-2-NOTICE-01"#;
    claims("a notice", notice, named(one("PostModelSwitch", switch("auto", "opus"), exit_2("ERR-1"))));
    let url = json!({"hooks": [{"type": "http", "url": "http://hooks.test/g"}]});
    let mut served = steps(json!({}), json!([to("opus"), request()]));
    served["settings"] = json!([hooks("PostModelSwitch", url)]);
    served["results"] = json!({"http://hooks.test/g": {"end": {"status": 200}, "out": "PLAIN-1"}});
    claims("that of a server is none", r#"0-1 said/model {"not_say":{"parts":["PLAIN-1"]}} HTTP-07"#, served);
    let called = steps(context(), json!([to("opus"), {"happen": "tool_call"}, request()]));
    silent("it may have arrived before", "2-2 said", called);
}

#[test]
fn before_there_was_such_an_event_nothing_is_claimed_of_it() {
    let old = "2.1.240".parse::<Revision>().expect("a revision");
    for event in ["PreModelSwitch", "PostModelSwitch"] {
        let group = json!([{"hooks": [{"type": "command", "command": "g"}]}]);
        let settings = json!({"hooks": {event: group, "Stop": group}});
        let case = json!({"settings": [{"from": "user", "settings": settings}],
            "results": {"g": exit_2("ERR-1")},
            "steps": [fire(event, switch("command", "opus")), {"happen": "new_prompt"}, fire("Stop", json!({}))]});
        let case: Case = serde_json::from_value(named(case)).expect("a case");
        let made = hookproof_model::expect(old, &Readings::default(), &case).expect("it is modelled");
        assert_eq!((made.claims, made.worlds), (vec![], vec![]), "{event}");
    }
}

#[test]
fn the_title_in_a_prompts_input_is_the_cases_until_a_hook_gives_another() {
    let input = json!({"prompt": "PROMPT-1", "session_title": "old"});
    let result = says(json!({"hookEventName": "UserPromptSubmit", "sessionTitle": "TITLE-1"}));
    let mut case = one("UserPromptSubmit", input.clone(), result);
    case["steps"] = json!([fire("UserPromptSubmit", input.clone()), fire("UserPromptSubmit", input)]);
    claims("at first", r#"0-0 given/input/session_title {"be":"old"} PROMPTSUB-IN-04"#, case.clone());
    silent("then", "1-1 given/input/session_title", case.clone());
    case["results"] = json!({});
    claims("otherwise", r#"0-1 given/input/session_title {"be":"old"} PROMPTSUB-IN-04"#, case);
}
