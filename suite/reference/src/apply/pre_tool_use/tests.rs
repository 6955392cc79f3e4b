use crate::testing::{said, stage, stage_read};
use hookproof_contract::{Agent, Audience, Fate, Outcome, Reading, Slot, reading};
use serde_json::{Value, json};

/// A call of a tool, and hooks that answer with these fields, in this order.
fn case(tool: &str, answers: &[Value]) -> Value {
    let handlers: Vec<Value> =
        (0..answers.len()).map(|i| json!({"type": "command", "command": format!("h{i}")})).collect();
    let results: serde_json::Map<String, Value> = answers
        .iter()
        .enumerate()
        .map(|(i, fields)| {
            let mut fields = fields.clone();
            fields["hookEventName"] = json!("PreToolUse");
            (format!("h{i}"), json!({"rank": i, "out": json!({"hookSpecificOutput": fields}).to_string()}))
        })
        .collect();
    json!({"settings": [{"from": "user", "settings": {"hooks": {"PreToolUse": [{"hooks": handlers}]}}}], "results": results,
           "host": {}, "steps": [{"fire": {"event": "PreToolUse", "otherwise": "asked", "input": {"tool_name": tool, "tool_input": {"command": "ls"}}}}]})
}

fn with(decision: &str, more: Value) -> Value {
    let mut fields = more;
    fields["permissionDecision"] = json!(decision);
    fields["permissionDecisionReason"] = json!(format!("{}-WHY", decision.to_uppercase()));
    fields
}

fn decide(decision: &str) -> Value {
    with(decision, json!({}))
}

fn input(command: &str) -> Value {
    json!({"updatedInput": {"command": command}})
}

fn play(answers: &[Value], host: Value, readings: &[Reading]) -> Outcome {
    let mut case = case("Bash", answers);
    case["host"] = host;
    stage_read(case, readings).remove(0)
}

fn fate(answers: &[Value], host: Value) -> Fate {
    play(answers, host, &[]).fate.unwrap_or(Fate::Asked)
}

#[test]
fn each_decision_has_its_fate_and_its_reader() {
    let allowed = play(&[decide("allow")], json!({}), &[]);
    assert_eq!(allowed.fate, Some(Fate::Proceeds));
    assert!(said(&allowed, Audience::Model).is_empty() && said(&allowed, Audience::User).is_empty());
    assert!(said(&allowed, Audience::Debug).concat().contains("the decision: ALLOW-WHY"));
    let denied = play(&[decide("deny")], json!({}), &[]);
    assert_eq!((denied.fate, said(&denied, Audience::Model)), (Some(Fate::Prevented), vec!["DENY-WHY".to_owned()]));
    let asked = play(&[decide("ask")], json!({}), &[]);
    assert_eq!((asked.fate, said(&asked, Audience::User)), (None, vec!["[settings] ASK-WHY".to_owned()]));
    assert_eq!(asked.set[&Slot::PromptLabel], "[settings]");
}

#[test]
fn the_strongest_decision_wins_in_any_order() {
    let print = json!({"surface": "print", "permission_host": true});
    let order = [("allow", Fate::Proceeds), ("ask", Fate::Asked), ("defer", Fate::Deferred), ("deny", Fate::Prevented)];
    for (i, (weak, _)) in order.iter().enumerate() {
        for (strong, expected) in &order[i..] {
            assert_eq!(fate(&[decide(weak), decide(strong)], print.clone()), *expected, "{weak} {strong}");
            assert_eq!(fate(&[decide(strong), decide(weak)], print.clone()), *expected, "{strong} {weak}");
        }
    }
}

#[test]
fn only_a_lone_call_in_print_mode_is_deferred() {
    let deferred = play(
        &[with("defer", json!({"additionalContext": "CTX-1", "updatedInput": {}}))],
        json!({"surface": "print"}),
        &[],
    );
    assert_eq!((deferred.fate, deferred.agent), (Some(Fate::Deferred), Some(Agent::Stops)));
    assert!(said(&deferred, Audience::Model).is_empty() && deferred.set.is_empty());
    for host in [json!({}), json!({"surface": "sdk"}), json!({"surface": "print", "tool_calls_in_turn": 2})] {
        let ignored = play(&[with("defer", json!({"additionalContext": "CTX-1", "updatedInput": {}}))], host, &[]);
        assert!(ignored.fate.is_none() && ignored.set.is_empty() && said(&ignored, Audience::Model).is_empty());
        assert!(said(&ignored, Audience::Debug).concat().contains("warning"));
    }
}

#[test]
fn nobody_to_ask_means_denied_and_the_model_reads_why() {
    let alone = play(&[decide("ask")], json!({"surface": "print"}), &[]);
    assert_eq!((alone.fate, said(&alone, Audience::Model)), (Some(Fate::Prevented), vec!["ASK-WHY".to_owned()]));
    assert!(alone.set.is_empty() && said(&alone, Audience::User).is_empty());
    assert_eq!(fate(&[decide("ask")], json!({"surface": "sdk", "permission_host": true})), Fate::Asked);
}

#[test]
fn the_rules_are_checked_on_the_final_input() {
    let deny_rm = json!({"permissions": {"deny": ["Bash(rm x)"]}});
    assert_eq!(fate(&[with("allow", input("rm x"))], deny_rm.clone()), Fate::Prevented);
    assert_eq!(fate(&[input("rm x")], deny_rm.clone()), Fate::Prevented);
    assert_eq!(fate(&[with("ask", input("rm x"))], deny_rm), Fate::Prevented);
    let ask_ls = json!({"permissions": {"ask": ["Bash(ls)"]}});
    assert_eq!(fate(&[decide("allow")], ask_ls.clone()), Fate::Asked);
    assert_eq!(fate(&[with("allow", input("pwd"))], ask_ls), Fate::Proceeds);
    assert_eq!(fate(&[input("pwd")], json!({"permissions": {"allow": ["Bash(pwd)"]}})), Fate::Proceeds);
}

#[test]
fn some_calls_need_a_person() {
    for fact in ["requires_interaction", "no_mode_approves"] {
        assert_eq!(fate(&[with("allow", input("pwd"))], json!({"facts": [fact]})), Fate::Asked, "{fact}");
    }
    for tool in ["AskUserQuestion", "ExitPlanMode"] {
        assert!(stage(case(tool, &[decide("allow")]))[0].fate.is_none());
        let answered = stage(case(tool, &[with("allow", input("x"))])).remove(0);
        assert_eq!((answered.fate, &answered.set[&Slot::ToolInput]), (Some(Fate::Proceeds), &json!({"command": "x"})));
    }
}

#[test]
fn the_input_is_replaced_as_a_whole_by_whoever_ends_last() {
    let outcome = play(&[with("allow", input("a")), with("allow", json!({"updatedInput": {"x": 1}}))], json!({}), &[]);
    assert_eq!(outcome.set[&Slot::ToolInput], json!({"x": 1}));
    let asked = play(&[with("ask", input("a"))], json!({}), &[]);
    assert_eq!(asked.set[&Slot::ToolInput], json!({"command": "a"}));
    assert!(play(&[with("allow", input("a")), decide("deny")], json!({}), &[]).set.is_empty());
}

#[test]
fn inputs_without_a_winning_decision_are_open() {
    let loses = [with("allow", input("a")), decide("ask")];
    assert_eq!(play(&loses, json!({}), &[]).set[&Slot::ToolInput], json!({"command": "a"}));
    assert!(!play(&loses, json!({}), &[reading!("A-73", "dropped")]).set.contains_key(&Slot::ToolInput));
    assert_eq!(play(&[input("a")], json!({}), &[]).set[&Slot::ToolInput], json!({"command": "a"}));
    assert!(play(&[input("a")], json!({}), &[reading!("A-74", "ignored")]).set.is_empty());
}

#[test]
fn the_old_form_still_decides() {
    let mut case = case("Bash", &[json!({})]);
    for (out, wanted) in [
        (json!({"decision": "block", "reason": "OLD-1"}), Some(Fate::Prevented)),
        (json!({"decision": "approve", "reason": "OLD-1"}), Some(Fate::Proceeds)),
    ] {
        case["results"]["h0"]["out"] = json!(out.to_string());
        assert_eq!(stage(case.clone())[0].fate, wanted);
    }
    let both = json!({"decision": "block", "reason": "OLD-1", "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}});
    case["results"]["h0"]["out"] = json!(both.to_string());
    assert_eq!(stage(case.clone())[0].fate, Some(Fate::Proceeds));
    assert_eq!(stage_read(case, &[reading!("A-75", "decision")])[0].fate, Some(Fate::Prevented));
}

#[test]
fn labels_tell_where_an_asking_hook_is_from() {
    for (from, label) in [
        (json!({"plugin": "p"}), "[plugin:p]"),
        (json!({"skill": "s"}), "[skill]"),
        (json!({"agent": "a"}), "[settings]"),
        (json!("managed"), "[settings]"),
    ] {
        let mut case = case("Bash", &[decide("ask")]);
        case["settings"][0]["from"] = from;
        let outcome = stage(case).remove(0);
        assert_eq!(outcome.set[&Slot::PromptLabel], label);
        assert!(said(&outcome, Audience::User)[0].starts_with(label));
    }
}

#[test]
fn context_comes_beside_the_result_unless_a_hook_denies() {
    let context = json!({"additionalContext": "CTX-1"});
    assert!(said(&play(std::slice::from_ref(&context), json!({}), &[]), Audience::Model).concat().contains("CTX-1"));
    let denied = [context, decide("deny")];
    assert_eq!(said(&play(&denied, json!({}), &[]), Audience::Model), ["DENY-WHY"]);
    assert_eq!(said(&play(&denied, json!({}), &[reading!("A-184", "delivered")]), Audience::Model).len(), 2);
}

#[test]
fn continue_false_stops_the_agent_beside_any_decision() {
    let mut case = case("Bash", &[decide("allow")]);
    case["results"]["h0"]["out"] = json!(
        r#"{"continue":false,"stopReason":"STOP-1","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}"#
    );
    let outcome = stage(case.clone()).remove(0);
    assert_eq!((outcome.agent, outcome.fate), (Some(Agent::Stops), Some(Fate::Proceeds)));
    assert_eq!(said(&outcome, Audience::User), ["STOP-1"]);
    let held = stage_read(case, &[reading!("A-54", "does not happen")]).remove(0);
    assert_eq!(held.fate, Some(Fate::Prevented));
}
