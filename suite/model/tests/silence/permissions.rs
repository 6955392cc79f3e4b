//! The same for permission: that is asked for, or was refused.

use super::{
    claims, commands, fire, one, prints,
    readings::{by, silent_by},
    says, silent,
};
use serde_json::{Value, json};

fn exit_2(err: &str) -> Value {
    json!({"end": {"exit": 2}, "err": err})
}

fn decides(decision: Value) -> Value {
    says(json!({"hookEventName": "PermissionRequest", "decision": decision}))
}

fn call() -> Value {
    json!({"tool_name": "Bash", "tool_input": {"command": "ls"}})
}

/// A request in the terminal, with one answer.
fn asked(result: Value) -> Value {
    let mut case = one("PermissionRequest", call(), result);
    case["steps"][0]["fire"]["otherwise"] = json!("asked");
    case
}

fn unasked(result: Value) -> Value {
    let mut case = asked(result);
    case["host"]["surface"] = json!("print");
    case["steps"][0]["fire"]["otherwise"] = json!("prevented");
    case
}

fn with(key: &str, value: Value, mut case: Value) -> Value {
    case["host"][key] = value;
    case
}

fn allow() -> Value {
    decides(json!({"behavior": "allow"}))
}

#[test]
fn a_request_is_answered_by_its_decision_and_by_nothing_else() {
    let deny = || decides(json!({"behavior": "deny", "message": "WHY-1", "interrupt": true}));
    let beside = |code: u8, answer: Value| json!({"end": {"exit": code}, "err": "ERR-1", "out": answer["out"]});
    let told = || decides(json!({"behavior": "deny", "message": "WHY-1"}));
    let refusal = r#"said/model {"say":{"how":"refusal","lies":"in_text","parts":["WHY-1"]}} PERMREQ-OUT-06"#;
    for (line, case) in [
        (r#"fate {"be":"proceeds"} PERMREQ-OUT-01"#, asked(allow())),
        (r#"fate {"be":"proceeds"} PERMREQ-OUT-01"#, unasked(allow())),
        (r#"fate {"be":"prevented"} PERMREQ-OUT-01"#, asked(deny())),
        (refusal, asked(told())),
        (r#"agent {"be_one_of":["stops","ends_turn"]} PERMREQ-OUT-07"#, asked(deny())),
        (r#"fate {"be":"asked"} CONFIG-NEST-03"#, asked(json!({}))),
        (r#"fate {"be":"prevented"} PERMREQ-02"#, unasked(json!({}))),
        (r#"fate {"be":"asked"} EXIT-2-EV-PermissionRequest"#, asked(exit_2("ERR-1"))),
        (r#"said/user {"not_say":{"parts":["ERR-1"]}} PERMREQ-OUT-08"#, asked(exit_2("ERR-1"))),
        (r#"said/model {"not_say":{"parts":["ERR-1"]}} PERMREQ-OUT-08"#, asked(exit_2("ERR-1"))),
        (r#"fate {"be":"asked"} PERMREQ-OUT-09"#, asked(prints(json!({"decision": "block", "reason": "WHY-1"})))),
        (r#"given/input/tool_use_id "absent" PERMREQ-IN-01"#, asked(json!({}))),
        (r#"fate {"be":"prevented"} PERMREQ-OUT-01"#, asked(beside(2, deny()))),
        (refusal, asked(beside(2, told()))),
        (r#"fate {"be":"asked"} PERMREQ-OUT-09"#, asked(json!({"out": "{\"decision\": }"}))),
        (r#"fate {"be":"asked"} PERMREQ-OUT-09"#, asked(prints(json!({"systemMessage": 5})))),
        (
            r#"fate {"be":"asked"} PERMREQ-OUT-09"#,
            asked(says(json!({"hookEventName": "PreToolUse", "permissionDecision": "allow"}))),
        ),
        (r#"fate {"be":"asked"} PERMREQ-OUT-09"#, asked(decides(json!({"behavior": "ask"})))),
        (r#"fate {"be":"asked"} PERMREQ-OUT-09"#, asked(decides(json!({"message": "WHY-1"})))),
    ] {
        claims("what is said", line, case);
    }
    silent("whether a stopped agent reads why is not said", "said/model", asked(deny()));
    let mut hosted = asked(allow());
    hosted["host"] = json!({"surface": "sdk", "permission_host": true});
    claims("the first answer counts", r#"fate {"be":"proceeds"} PERMREQ-03"#, hosted);
    let invalid = json!({"systemMessage": 5, "hookSpecificOutput":
        {"hookEventName": "PermissionRequest", "decision": {"behavior": "deny"}}});
    for (why, case) in [
        ("whether a grant counts beside exit 2", asked(beside(2, allow()))),
        ("and any answer beside exit 1", asked(beside(1, deny()))),
        ("what becomes of an answer in an object that is not valid", asked(prints(invalid.clone()))),
        (
            "an entry is none",
            asked(decides(json!({"behavior": "allow", "updatedPermissions": [{"type": "addRules"}]}))),
        ),
        ("a rule asks, and is asked", with("permissions", json!({"ask": ["Bash"]}), asked(allow()))),
        ("the tool wants a person", with("facts", json!(["no_mode_approves"]), asked(allow()))),
        ("what the mode makes of it", with("permission_mode", json!("plan"), asked(allow()))),
        (
            "what `continue` comes to is open",
            asked(prints(json!({"continue": false, "hookSpecificOutput":
                {"hookEventName": "PermissionRequest", "decision": {"behavior": "deny"}}}))),
        ),
    ] {
        silent(why, "fate", case.clone());
        silent(why, "agent", case);
    }
    silent("nor whether stderr is dropped beside that", "said", asked(beside(2, prints(invalid))));
    for decision in [json!({}), json!({"behavior": "ask"}), json!({"behavior": "deny", "message": 5})] {
        let output = json!({"systemMessage": "MSG-1", "terminalSequence": "\u{1b}]0;TERM-1\u{7}",
            "hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}});
        silent("the output may count for nothing", "said", asked(prints(output)));
    }
    let mut two = asked(allow());
    two["settings"] = json!([commands("PermissionRequest", &["g", "h"])]);
    two["results"]["h"] = deny();
    silent("which of two answers counts is open", "fate", two.clone());
    two["results"]["h"] = decides(json!({"behavior": "allow", "updatedInput": {"command": "rm"}}));
    let two = with("permissions", json!({"deny": ["Bash(rm)"]}), two);
    silent("with which of two inputs it would run, of which a rule denies one, is open", "fate", two);
}

#[test]
fn a_request_that_cannot_be_is_none() {
    let otherwise = |fate: &str, mut case: Value| {
        case["steps"][0]["fire"]["otherwise"] = json!(fate);
        case
    };
    let mut numbered = asked(json!({}));
    numbered["steps"][0]["fire"]["input"]["tool_use_id"] = json!("toolu_1");
    for (why, case) in [
        ("in the terminal somebody is asked", otherwise("prevented", asked(json!({})))),
        ("there nobody is", otherwise("asked", unasked(json!({})))),
        ("it has not run", otherwise("proceeds", asked(json!({})))),
        ("it is denied", with("permissions", json!({"deny": ["Bash"]}), asked(json!({})))),
        ("it is allowed", with("permissions", json!({"allow": ["Bash(ls)"]}), asked(json!({})))),
        ("it has no number", numbered),
    ] {
        silent(why, "", case);
    }
}

#[test]
fn a_granted_call_may_run_with_another_input_where_no_rule_matches_that() {
    let with_input = |command: &str| decides(json!({"behavior": "allow", "updatedInput": {"command": command}}));
    let replaced = r#"set/tool_input {"be":{"command":"ls -l"}} PERMREQ-OUT-03"#;
    claims("the whole of it", replaced, asked(with_input("ls -l")));
    let denies = || json!({"deny": ["Bash(rm)"]});
    claims(
        "a deny rule",
        r#"fate {"be":"prevented"} PERMREQ-OUT-04"#,
        with("permissions", denies(), asked(with_input("rm"))),
    );
    silent("it does not run", "set", with("permissions", denies(), asked(with_input("rm"))));
    let incomplete = decides(json!({"behavior": "allow", "updatedInput": {"timeout": 5}}));
    silent("what becomes of an input without a command", "fate", asked(incomplete));
    let asks = with("permissions", json!({"ask": ["Bash(rm)"]}), asked(with_input("rm")));
    claims("an ask rule", r#"fate {"be":"asked"} PERMREQ-OUT-04"#, asks);
}

#[test]
fn a_grant_may_be_held_against_the_rules_that_come_with_it() {
    let entry = |kind: &str, rule: Value, behavior: &str| json!([{"type": kind, "rules": [rule], "behavior": behavior, "destination": "session"}]);
    let grants = |command: &str, entries: Value| {
        let input = json!({"command": command});
        asked(decides(json!({"behavior": "allow", "updatedInput": input, "updatedPermissions": entries})))
    };
    let of = |content: &str| json!({"toolName": "Bash", "ruleContent": content});
    let every = || json!({"toolName": "Bash"});
    for (why, entries) in [
        ("it denies the tool", entry("addRules", every(), "deny")),
        ("it asks about it", entry("addRules", every(), "ask")),
        ("it denies what is run", entry("replaceRules", of("ls -l"), "deny")),
        ("it denies what was to be run", entry("addRules", of("ls"), "deny")),
        ("whether it matches is told elsewhere", entry("addRules", of("ls:*"), "deny")),
    ] {
        silent(why, "fate", grants("ls -l", entries.clone()));
        silent(why, "set", grants("ls -l", entries));
    }
    let proceeds = r#"fate {"be":"proceeds"} PERMREQ-OUT-01"#;
    for (why, entries) in [
        ("it allows", entry("addRules", every(), "allow")),
        ("another command", entry("addRules", of("rm"), "deny")),
        ("another tool", entry("addRules", json!({"toolName": "Edit"}), "deny")),
    ] {
        claims(why, proceeds, grants("ls -l", entries));
    }
    let denied = |entries: Value| with("permissions", json!({"deny": ["Bash(rm)"]}), grants("rm", entries));
    silent("the rule that denies is gone, or not yet", "fate", denied(entry("removeRules", of("rm"), "deny")));
    silent("it may be among those replaced", "fate", denied(entry("replaceRules", of("mv"), "deny")));
    let prevented = r#"fate {"be":"prevented"} PERMREQ-OUT-04"#;
    claims("another rule is removed", prevented, denied(entry("removeRules", of("mv"), "deny")));
}

#[test]
fn what_a_grant_changes_is_told_where_it_is_certain_that_it_does() {
    let updates = |entries: Value| asked(decides(json!({"behavior": "allow", "updatedPermissions": entries})));
    let mode = |mode: &str| json!([{"type": "setMode", "mode": mode, "destination": "session"}]);
    let rules = || json!([{"type": "addRules", "rules": [{"toolName": "Bash"}], "behavior": "allow", "destination": "session"}]);
    claims("rules", &format!(r#"set/permissions {{"be":{}}} PERMUPD-02"#, rules()), updates(rules()));
    claims("a mode", r#"set/permission_mode {"be":"plan"} PERMUPD-06"#, updates(mode("plan")));
    silent("it is in that mode", "set", updates(mode("manual")));
    let of_old_name = |mode: Value| with("permission_mode", json!("manual"), updates(mode));
    silent("it is in that mode, by another name", "set", of_old_name(mode("default")));
    claims("it is not", r#"set/permission_mode {"be":"plan"} PERMUPD-06"#, of_old_name(mode("plan")));
    let there = with("permissions", json!({"allow": ["Edit"]}), updates(rules()));
    silent("whether a rule says it already", "set", there);
    silent("nothing is to change", "set", updates(json!([])));
    claims("not available", r#"set/permission_mode "absent" PERMUPD-09"#, updates(mode("bypassPermissions")));
    claims("so it is not applied", r#"set/permissions "absent" PERMUPD-09"#, updates(mode("bypassPermissions")));
    let kept = json!([{"type": "setMode", "mode": "bypassPermissions", "destination": "userSettings"}]);
    let kept = with("facts", json!(["bypass_available"]), updates(kept));
    silent("that mode is kept in no file", "set/permissions/0/destination", kept);
    let available = with("facts", json!(["bypass_available"]), updates(mode("bypassPermissions")));
    claims("available", r#"set/permission_mode {"be":"bypassPermissions"} PERMUPD-09"#, available);
    let removed = json!([{"type": "removeRules", "rules": [{"toolName": "Bash"}], "behavior": "allow", "destination": "session"}]);
    silent("whether there is anything to remove", "set", updates(removed));
    let inside = json!([{"type": "addDirectories", "directories": ["/work/project/sub"], "destination": "session"}]);
    silent("whether it is one already", "set", updates(inside));
    let replaced = |tool: &str| json!({"type": "replaceRules", "rules": [{"toolName": tool}], "behavior": "allow", "destination": "session"});
    let there = |entries: Value| with("permissions", json!({"allow": ["Edit"]}), updates(entries));
    silent("it may be what stands there", "set", there(json!([replaced("Edit")])));
    let line = format!(r#"set/permissions {{"be":[{}]}} PERMUPD-04"#, replaced("Write"));
    claims("it is another", &line, there(json!([replaced("Write")])));
    let both = |one: &Value, other: &Value| updates(json!([one, other]));
    let (rule, mode) = (&rules()[0], |name: &str| mode(name)[0].clone());
    silent("the second adds nothing", "set/permissions", both(rule, rule));
    silent("the second replaces nothing", "set/permissions", both(rule, &replaced("Bash")));
    silent("the second takes the first away", "set/permissions", both(rule, &replaced("Write")));
    silent("the last mode counts", "set/permissions", both(&mode("plan"), &mode("acceptEdits")));
    let edit =
        json!({"type": "addRules", "rules": [{"toolName": "Edit"}], "behavior": "allow", "destination": "session"});
    let line = format!(r#"set/permissions {{"be":{}}} PERMREQ-OUT-05"#, json!([rule, edit]));
    claims("two rules are two", &line, both(rule, &edit));
    let widens = |path: &str| json!({"type": "addDirectories", "directories": [path], "destination": "session"});
    silent("it lies in the other", "set/permissions", both(&widens("/lib"), &widens("/lib/a")));
    let line = format!(r#"set/permissions {{"be":{}}} PERMREQ-OUT-05"#, json!([widens("/lib"), widens("/library")]));
    claims("it lies beside the other", &line, both(&widens("/lib"), &widens("/library")));
    let denied = decides(json!({"behavior": "deny", "updatedPermissions": rules()}));
    silent("that is for grants", "set", asked(denied));
}

#[test]
fn after_a_change_of_permissions_less_is_certain() {
    let group = json!({"hooks": [{"type": "command", "command": "g"}]});
    let steps = |entries: Value, result: Value| {
        let mut request = fire("PermissionRequest", call());
        request["fire"]["otherwise"] = json!("asked");
        request["fire"]["results"] = json!({"g": decides(json!({"behavior": "allow", "updatedPermissions": entries}))});
        let mut input = call();
        input["tool_use_id"] = json!("toolu_1");
        json!({"settings": [{"from": "user", "settings": {"hooks": {"PermissionRequest": [group], "PreToolUse": [group]}}}],
            "results": {"g": result}, "steps": [request, fire("PreToolUse", input)]})
    };
    let mode = || json!([{"type": "setMode", "mode": "acceptEdits", "destination": "session"}]);
    let told = r#"1-1 given/input/permission_mode {"be":"acceptEdits"} INPUT-PERMMODE-04"#;
    claims("hooks are told of the mode", told, steps(mode(), json!({})));
    silent("a rule may match by now", "1-1 fate", steps(mode(), json!({})));
    let rules =
        json!([{"type": "addRules", "rules": [{"toolName": "Edit"}], "behavior": "deny", "destination": "session"}]);
    let told = r#"0-1 given/input/permission_mode {"be":"default"} INPUT-PERMMODE-04"#;
    claims("rules leave the mode as it is", told, steps(rules, json!({})));
    let blocks = r#"1-1 fate {"be":"prevented"} EXIT-2-EV-PreToolUse"#;
    claims("a hook that blocks", blocks, steps(mode(), exit_2("ERR-1")));
    let unknown = json!([{"type": "setMode", "mode": "default", "destination": "session"}]);
    silent("which mode it is is not certain", "1-1 given/input/permission_mode", steps(unknown, json!({})));
}

#[test]
fn a_rule_of_a_kindred_tool_or_of_a_server_may_be_about_the_call() {
    let request = |tool: &str, results: Value| {
        let input = json!({"tool_name": tool, "tool_input": {"file_path": "/work/project/a.ts"}});
        json!({"fire": {"event": "PermissionRequest", "input": input, "otherwise": "asked", "results": {"g": results}}})
    };
    let after = |rule: &str, tool: &str| {
        let added =
            json!([{"type": "addRules", "rules": [{"toolName": rule}], "behavior": "deny", "destination": "session"}]);
        let adds = decides(json!({"behavior": "allow", "updatedPermissions": added}));
        json!({"settings": [commands("PermissionRequest", &["g"])], "steps": [request("WebSearch", adds), request(tool, allow())]})
    };
    let beside = |rule: &str, tool: &str| {
        let case = json!({"settings": [commands("PermissionRequest", &["g"])], "steps": [request(tool, allow())]});
        with("permissions", json!({"ask": [rule]}), case)
    };
    for (rule, tool) in [("Edit", "Write"), ("Read", "Grep"), ("mcp__memory", "mcp__memory__create")] {
        silent(tool, "1-1 fate", after(rule, tool));
        silent(tool, "fate", beside(rule, tool));
    }
    for (rule, tool) in [("Bash", "Write"), ("WebFetch", "Grep"), ("mcp__memory__read", "mcp__memory__create")] {
        claims(tool, r#"0-1 fate {"be":"proceeds"} PERMREQ-OUT-01"#, after(rule, tool));
        claims(tool, r#"fate {"be":"proceeds"} PERMREQ-OUT-01"#, beside(rule, tool));
    }
}

#[test]
fn a_call_that_auto_mode_refused_stays_refused() {
    let of = |reason: &str, result: Value| {
        let input = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t", "reason": reason});
        let mut case = one("PermissionDenied", input, result);
        case["host"] = json!({"permission_mode": "auto"});
        case["steps"][0]["fire"]["otherwise"] = json!("prevented");
        case
    };
    let verdict = "[Data Exfiltration] it sends files away";
    let no_verdict = "Auto mode could not evaluate this action and is blocking it for safety: later";
    let retry = |value: bool| says(json!({"hookEventName": "PermissionDenied", "retry": value}));
    for (line, case) in [
        (r#"set/retry_allowed {"be":true} PERMDEN-OUT-01"#, of(verdict, retry(true))),
        (r#"fate {"be":"prevented"} PERMDEN-OUT-02"#, of(verdict, retry(true))),
        (r#"set/retry_allowed "absent" PERMDEN-OUT-03"#, of(verdict, retry(false))),
        (r#"set/retry_allowed "absent" PERMDEN-OUT-03"#, of(verdict, json!({}))),
        (r#"set/retry_allowed "absent" PERMDEN-OUT-04"#, of(no_verdict, retry(true))),
        (r#"fate {"be":"prevented"} EXIT-2-EV-PermissionDenied"#, of(verdict, exit_2("ERR-1"))),
        (r#"said/model {"not_say":{"parts":["ERR-1"]}} EXIT-2-EV-PermissionDenied"#, of(verdict, exit_2("ERR-1"))),
        (r#"given/input/permission_mode {"be":"auto"} INPUT-PERMMODE-04"#, of(verdict, json!({}))),
    ] {
        claims("what is said", line, case);
    }
    silent("that is left undefined", "set", of("Classifier unavailable", retry(true)));
    for beginning in ["Auto mode could not evaluate this action", "Classifier"] {
        silent("the rest of the reason may be missing", "set", of(beginning, retry(true)));
    }
    silent("JSON beside exit 1", "set", of(verdict, json!({"end": {"exit": 1}, "out": retry(true)["out"]})));
    let mut two = of(verdict, retry(true));
    two["settings"] = json!([commands("PermissionDenied", &["g", "h"])]);
    two["results"]["h"] = retry(false);
    silent("which of two answers counts is open", "set", two);
    for (why, output) in [
        ("what `continue` comes to is open", json!({"continue": false, "stopReason": "HALT-1"})),
        ("and so is a message", json!({"systemMessage": "MSG-1"})),
    ] {
        for place in ["agent", "said/user"] {
            silent(why, place, of(verdict, prints(output.clone())));
        }
    }
    let mut elsewhere = of(verdict, json!({}));
    elsewhere["host"]["permission_mode"] = json!("default");
    silent("only auto mode refuses by itself", "", elsewhere);
    let mut of_a_subagent = of(verdict, json!({}));
    of_a_subagent["steps"][0]["fire"]["input"]["agent_id"] = json!("a1");
    silent("what holds of a subagent's call is not said", "fate", of_a_subagent);
}

#[test]
fn of_a_flawed_decision_in_one_line_of_several_it_is_not_said_whether_the_line_sets_a_field() {
    let lines = |decision: Value| {
        let first = decides(decision)["out"].as_str().expect("a text").to_owned();
        asked(json!({"out": format!("{first}\n{{\"x\":\"MORE-1\"}}")}))
    };
    let notice = r#"said/user {"say":{"how":"notice","parts":["hook error"]}}"#;
    by("A-187", "notice", notice, &lines(json!({"behavior": "deny", "message": "WHY-1"})));
    for flawed in [json!({"behavior": "ask"}), json!({"message": "WHY-1"}), json!({"behavior": "deny", "message": 5})] {
        silent_by("A-187", "notice", "said/user", &lines(flawed));
    }
}
