use crate::testing::{numbered, ran, said, stage, stage_read};
use hookproof_contract::{Agent, Audience, Fate, Outcome, Reading, Slot, reading};
use serde_json::{Value, json};

fn case(host: Value, otherwise: &str, results: &[Value]) -> Value {
    let (handlers, results) = numbered(results);
    let input = json!({"tool_name": "Bash", "tool_input": {"command": "ls", "timeout": 5}, "tool_use_id": "t"});
    json!({"host": host,
           "settings": [{"from": "user", "settings": {"hooks": {"PermissionRequest": [{"matcher": "Bash", "hooks": handlers}]}}}],
           "results": results,
           "steps": [{"fire": {"event": "PermissionRequest", "input": input, "otherwise": otherwise}}]})
}

fn play(results: &[Value]) -> Outcome {
    stage(case(json!({}), "asked", results)).remove(0)
}

fn decision(fields: Value) -> Value {
    json!({"out": json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": fields}}).to_string()})
}

fn allow(more: Value) -> Value {
    let mut fields = more;
    fields["behavior"] = json!("allow");
    decision(fields)
}

fn deny() -> Value {
    decision(json!({"behavior": "deny", "message": "WHY-1"}))
}

fn update(fields: Value) -> Value {
    allow(json!({"updatedPermissions": [fields]}))
}

fn set_mode(mode: &str) -> Value {
    json!({"type": "setMode", "mode": mode, "destination": "session"})
}

#[test]
fn an_allow_grants_and_a_deny_refuses_wherever_somebody_can_be_asked_or_not() {
    for otherwise in ["asked", "prevented"] {
        let play = |results: &[Value]| stage(case(json!({"surface": "print"}), otherwise, results)).remove(0);
        assert_eq!(play(&[allow(json!({}))]).fate, Some(Fate::Proceeds));
        assert_eq!(play(&[json!({})]).fate, None);
        let outcome = play(&[deny()]);
        assert_eq!(outcome.fate, (otherwise == "asked").then_some(Fate::Prevented));
        assert_eq!((said(&outcome, Audience::Model), outcome.agent), (vec!["WHY-1".to_owned()], None));
    }
}

#[test]
fn one_refusal_is_enough_and_silence_takes_nothing_back() {
    for results in [[deny(), allow(json!({}))], [allow(json!({})), deny()], [deny(), json!({})]] {
        assert_eq!(play(&results).fate, Some(Fate::Prevented));
    }
    assert_eq!(play(&[allow(json!({})), json!({})]).fate, Some(Fate::Proceeds));
}

#[test]
fn exit_codes_decide_nothing_and_their_stderr_is_thrown_away() {
    for out in
        ["", "TEXT-1", r#"{"decision":"approve","reason":"R-1"}"#, r#"{"decision":"block","reason":"R-1"}"#, "{x}"]
    {
        let outcome = play(&[json!({"end": {"exit": 2}, "err": "ERR-1", "out": out})]);
        assert_eq!((outcome.fate, outcome.agent), (None, None), "{out}");
        assert!(outcome.said.iter().all(|said| !said.text.lossy().contains("ERR-1")), "{out}");
        assert!(said(&outcome, Audience::Model).is_empty(), "{out}");
    }
    for end in [1, 2] {
        let with = |mut result: Value| {
            result["end"] = json!({"exit": end});
            play(&[result]).fate
        };
        assert_eq!((with(deny()), with(allow(json!({})))), (Some(Fate::Prevented), Some(Fate::Proceeds)), "exit {end}");
    }
    let failed = play(&[json!({"end": {"exit": 1}, "err": "ERR-1"})]);
    assert!(failed.fate.is_none() && said(&failed, Audience::User).concat().contains("ERR-1"));
}

#[test]
fn what_is_no_decision_of_this_event_grants_nothing() {
    let foreign = |name: &str| {
        let fields = json!({"hookEventName": name, "permissionDecision": "allow"});
        json!({"out": json!({"hookSpecificOutput": fields}).to_string()})
    };
    for result in [
        foreign("PreToolUse"),
        foreign("PermissionRequest"),
        decision(json!("allow")),
        decision(json!({})),
        decision(json!({"behavior": "ask"})),
        allow(json!({"updatedInput": "ls"})),
        json!({"end": "timed_out", "out": allow(json!({}))["out"]}),
    ] {
        assert_eq!(play(std::slice::from_ref(&result)).fate, None, "{result}");
    }
}

#[test]
fn a_decision_that_answers_nothing_fails_the_object_or_leaves_the_rest() {
    for fields in [json!({}), json!({"behavior": "ask"}), json!({"message": "WHY-1"})] {
        let rest = json!({"systemMessage": "MSG-1", "hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": fields}});
        let case = case(json!({}), "asked", &[json!({"out": rest.to_string()})]);
        let heard = |readings: &[Reading]| {
            let outcome = stage_read(case.clone(), readings).remove(0);
            assert_eq!((outcome.fate, outcome.agent), (None, None), "{fields}");
            assert!(outcome.set.is_empty() && said(&outcome, Audience::Model).is_empty(), "{fields}");
            let user = said(&outcome, Audience::User).concat();
            (user.contains("hook error"), user.contains("MSG-1"))
        };
        assert_eq!(heard(&[]), (true, false), "{fields}");
        assert_eq!(heard(&[reading!("A-38", "ignored")]), (true, false), "{fields}");
        assert_eq!(heard(&[reading!("A-39", "no answer")]), (false, true), "{fields}");
    }
    let left_out = decision(json!({"behavior": null}));
    let readings = [reading!("A-32", "as if left out"), reading!("A-39", "no answer")];
    for (readings, fails) in [(&readings[..1], true), (&readings[..], false)] {
        let outcome = stage_read(case(json!({}), "asked", std::slice::from_ref(&left_out)), readings).remove(0);
        assert_eq!(!said(&outcome, Audience::User).is_empty(), fails);
    }
}

#[test]
fn whether_a_grant_counts_beside_exit_two_is_open_and_a_refusal_does() {
    let with = |mut result: Value, code: i32| {
        result["end"] = json!({"exit": code});
        stage_read(case(json!({}), "asked", &[result]), &[reading!("A-56", "ignored")]).remove(0)
    };
    let grant = allow(json!({"updatedInput": {"command": "pwd"}, "updatedPermissions": [set_mode("plan")]}));
    let ignored = with(grant.clone(), 2);
    assert!(ignored.fate.is_none() && ignored.set.is_empty());
    assert_eq!((with(grant.clone(), 1).fate, with(deny(), 2).fate), (Some(Fate::Proceeds), Some(Fate::Prevented)));
    let mut two = grant;
    two["end"] = json!({"exit": 2});
    let beside = [two, allow(json!({}))];
    let granted = stage_read(case(json!({}), "asked", &beside), &[reading!("A-56", "ignored")]).remove(0);
    assert!(granted.fate == Some(Fate::Proceeds) && granted.set.is_empty());
}

#[test]
fn a_new_input_replaces_the_old_one_and_the_rules_look_at_it() {
    let outcome = play(&[allow(json!({"updatedInput": {"command": "pwd"}}))]);
    assert_eq!((outcome.fate, &outcome.set[&Slot::ToolInput]), (Some(Fate::Proceeds), &json!({"command": "pwd"})));
    for (rules, fate) in [
        (json!({"deny": ["Bash(pwd)"]}), Some(Fate::Prevented)),
        (json!({"ask": ["Bash(pwd)"]}), None),
        (json!({"deny": ["Bash(rm)"], "ask": ["Write"]}), Some(Fate::Proceeds)),
    ] {
        let result = allow(json!({"updatedInput": {"command": "pwd"}}));
        assert_eq!(stage(case(json!({"permissions": rules}), "asked", &[result]))[0].fate, fate, "{rules}");
    }
    let refused = play(&[decision(json!({"behavior": "deny", "updatedInput": {"command": "pwd"}}))]);
    assert!(refused.set.is_empty());
}

#[test]
fn a_refusal_can_stop_the_agent() {
    let outcome = play(&[decision(json!({"behavior": "deny", "interrupt": true}))]);
    assert_eq!((outcome.fate, outcome.agent), (Some(Fate::Prevented), Some(Agent::Stops)));
    assert_eq!(play(&[allow(json!({"interrupt": true, "message": "WHY-1"}))]).agent, None);
    let stop = json!({"out": r#"{"continue":false,"stopReason":"STOP-1"}"#});
    assert_eq!(play(std::slice::from_ref(&stop)).agent, Some(Agent::Stops));
    let kept = stage_read(case(json!({}), "asked", &[stop]), &[reading!("A-54", "does not happen")]);
    assert_eq!(kept[0].fate, Some(Fate::Prevented));
}

#[test]
fn updates_take_effect_in_order_and_only_with_a_grant() {
    let rule = json!({"type": "addRules", "behavior": "allow", "destination": "userSettings", "rules": [{"toolName": "Bash"}]});
    let directories = json!({"type": "addDirectories", "directories": ["/srv"], "destination": "session"});
    let both = [rule, directories, set_mode("plan")];
    let outcome = play(&[allow(json!({"updatedPermissions": both}))]);
    assert_eq!(outcome.set[&Slot::Permissions], json!(both));
    assert_eq!(outcome.set[&Slot::PermissionMode], "plan");
    assert!(play(&[update(set_mode("plan")), deny()]).set.is_empty());
    let flawed = play(&[update(json!({"type": "setMode", "mode": "plan"}))]);
    assert!(flawed.set.is_empty() && flawed.fate.is_none());
}

#[test]
fn the_mode_lasts_and_manual_is_default() {
    let later = |mode: &str| {
        let mut case = case(json!({"permission_mode": "acceptEdits"}), "asked", &[update(set_mode(mode))]);
        case["steps"] = json!([case["steps"][0], case["steps"][0]]);
        let outcomes = stage(case);
        (
            outcomes[0].set.get(&Slot::PermissionMode).cloned(),
            outcomes[1].ran[0].given["input"]["permission_mode"].clone(),
        )
    };
    assert_eq!(later("manual"), (Some(json!("default")), json!("default")));
    assert_eq!(later("acceptEdits"), (None, json!("acceptEdits")));
}

#[test]
fn nothing_is_bypassed_unless_somebody_provided_for_it() {
    let mode = |host: Value, from: &str, permissions: Value| {
        let mut case = case(host, "asked", &[update(set_mode("bypassPermissions"))]);
        let hooks = case["settings"][0].clone();
        case["settings"] = json!([hooks, {"from": from, "settings": {"permissions": permissions}}]);
        let outcome = stage(case).remove(0);
        assert_eq!((outcome.fate, outcome.set.len() == 2), (Some(Fate::Proceeds), !outcome.set.is_empty()));
        !outcome.set.is_empty()
    };
    let by_default = json!({"defaultMode": "bypassPermissions"});
    assert!(!mode(json!({}), "user", json!({})));
    assert!(mode(json!({"facts": ["bypass_available"]}), "user", json!({})));
    assert!(mode(json!({}), "user", by_default.clone()) && mode(json!({}), "flag", by_default.clone()));
    assert!(!mode(json!({}), "project", by_default.clone()) && !mode(json!({}), "local", by_default));
    let forbidden = json!({"disableBypassPermissionsMode": "disable"});
    assert!(!mode(json!({"facts": ["bypass_available"]}), "managed", forbidden));
}

#[test]
fn a_rule_that_a_hook_adds_is_in_force_from_then_on() {
    let deny = json!({"type": "addRules", "behavior": "deny", "destination": "session", "rules": [{"toolName": "Bash", "ruleContent": "rm"}]});
    let mut case = case(json!({}), "asked", &[update(deny)]);
    case["settings"][0]["settings"]["hooks"]["PreToolUse"] = json!([{"hooks": [{"type": "command", "command": "p"}]}]);
    let fields = json!({"hookEventName": "PreToolUse", "permissionDecision": "allow"});
    case["results"]["p"] = json!({"out": json!({"hookSpecificOutput": fields}).to_string()});
    let call = |command: &str| json!({"fire": {"event": "PreToolUse", "input": {"tool_name": "Bash", "tool_input": {"command": command}}}});
    case["steps"] = json!([case["steps"][0], call("rm"), call("ls")]);
    let fates: Vec<_> = stage(case).iter().map(|outcome| outcome.fate).collect();
    assert_eq!(fates, [Some(Fate::Proceeds), Some(Fate::Prevented), None]);
}

#[test]
fn the_call_is_given_without_an_id_and_the_tool_selects() {
    let outcome = play(&[json!({})]);
    let input = &outcome.ran[0].given["input"];
    assert_eq!((&input["permission_mode"], &input["tool_name"]), (&json!("default"), &json!("Bash")));
    assert!(input.get("tool_use_id").is_none());
    for (tool, runs) in [("Bash", true), ("Write", false), ("EndConversation", false)] {
        let mut case = case(json!({}), "asked", &[json!({})]);
        case["settings"][0]["settings"]["hooks"]["PermissionRequest"][0]["matcher"] =
            json!(if runs { "Bash" } else { "Bash|EndConversation" });
        case["steps"][0]["fire"]["input"]["tool_name"] = json!(tool);
        assert_eq!(!ran(&stage(case)[0]).is_empty(), runs, "{tool}");
    }
}
