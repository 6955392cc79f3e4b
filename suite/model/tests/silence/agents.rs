//! The same for the events of subagents, tasks and teams (chapter *agents*), with what is claimed of them beside it.

use super::{claimed, claims, commands, fire, hooks, says, silent};
use serde_json::{Value, json};

/// One hook on one event.
fn case(event: &str, input: &Value, result: &Value) -> Value {
    json!({"settings": [commands(event, &["g"])], "results": {"g": result}, "steps": [fire(event, input.clone())]})
}

fn subagent() -> Value {
    json!({"agent_id": "a1", "agent_type": "code-reviewer"})
}

fn prints(object: &Value) -> Value {
    json!({"out": object.to_string()})
}

fn exit_2(err: &str) -> Value {
    json!({"end": {"exit": 2}, "err": err})
}

#[test]
fn a_subagent_is_kept_from_stopping() {
    let stop = |result: Value| case("SubagentStop", &subagent(), &result);
    let block = prints(&json!({"decision": "block", "reason": "WHY-1"}));
    let advice = says(json!({"hookEventName": "SubagentStop", "additionalContext": "CTX-1"}));
    for (why, line, result) in [
        ("exit 2 blocks", r#"fate {"be":"prevented"} EXIT-2-EV-SubagentStop"#, exit_2("ERR-1")),
        (
            "stderr is the next instruction",
            r#"said/model {"say":{"how":"feedback","lies":"in_text","parts":["ERR-1"]}} SUBSTOP-OUT-03"#,
            exit_2("ERR-1"),
        ),
        ("a decision blocks", r#"fate {"be":"prevented"} SUBSTOP-OUT-02"#, block.clone()),
        ("it goes on", r#"agent {"be":"goes_on"} SUBSTOP-OUT-02"#, block.clone()),
        ("feedback keeps it going", r#"fate {"be":"prevented"} SUBSTOP-OUT-01"#, advice.clone()),
        ("and is no error", r#"said/user {"not_say":{"parts":["hook error"]}} SUBSTOP-OUT-01"#, advice.clone()),
        ("nobody objects", r#"agent {"be":"ends_turn"} CONFIG-NEST-03"#, json!({})),
        ("it stops for good", r#"agent {"be":"stops"} JSON-CONT-01"#, prints(&json!({"continue": false}))),
        ("it stops for the first time", r#"given/input/stop_hook_active {"be":false} STOP-IN-01"#, json!({})),
        ("its own type", r#"given/input/agent_type {"be":"code-reviewer"} SUBSTOP-IN-01"#, json!({})),
    ] {
        claims(why, line, stop(result));
    }
    silent("the label is that of Stop", "said/user {\"say\":{\"how\":\"feedback\"", stop(advice));
    silent(
        "what becomes of context beside exit 2 is open",
        "said/model {\"say\":{\"parts\":[\"CTX-1\"]",
        stop(json!({"end": {"exit": 2}, "err": "ERR-1",
            "out": json!({"hookSpecificOutput": {"hookEventName": "SubagentStop", "additionalContext": "CTX-1"}}).to_string()})),
    );
}

#[test]
fn a_subagents_loop_is_its_own_and_its_limit_is_not_said() {
    let steps = |steps: Value| {
        json!({"settings": [commands("SubagentStop", &["g"]), {"from": "project", "settings": commands("Stop", &["s"])["settings"]}],
        "results": {"g": exit_2("ERR-1")}, "steps": steps})
    };
    let stops = |times: u32| {
        let mut step = fire("SubagentStop", subagent());
        step["fire"]["times"] = json!(times);
        step
    };
    let repeated = steps(json!([stops(10)]));
    claims("there is none under nine", r#"0-7 fate {"be":"prevented"} EXIT-2-EV-SubagentStop"#, repeated.clone());
    silent("the ninth may be let go", "8-", repeated.clone());
    claims("it goes on because of a hook", r#"1-8 given/input/stop_hook_active {"be":true} STOP-IN-01"#, repeated);
    let mut raised = steps(json!([stops(10)]));
    raised["host"] = json!({"env": {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "20"}});
    silent("nor is it said that the variable speaks of it", "8-8 fate", raised.clone());
    raised["host"]["env"]["CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"] = json!("0");
    silent("a limit of nothing may be one", "0-0 fate", raised);
    let other = json!({"agent_id": "b2", "agent_type": "Explore"});
    let two = steps(json!([stops(1), fire("SubagentStop", other), stops(1), fire("Stop", json!({}))]));
    silent("whether another goes on because of it is not said either", "1-1 given/input/stop_hook_active", two.clone());
    claims("the first is still at it", r#"2-2 given/input/stop_hook_active {"be":true} STOP-IN-01"#, two.clone());
    silent("whether the session goes on because of it is not said", "3-3 given/input/stop_hook_active", two);
    let mut others = fire("Stop", json!({}));
    others["fire"]["times"] = json!(8);
    let mut mixed = steps(json!([others, stops(1)]));
    mixed["results"]["s"] = exit_2("ERR-1");
    claims("the session's stops", r#"0-7 fate {"be":"prevented"} EXIT-2-EV-Stop"#, mixed.clone());
    silent("whether they count for a subagent is not said", "8-8 fate", mixed);
    let between = steps(json!([stops(1), {"happen": "tool_call"}, stops(1)]));
    silent("as on Stop", "2-2 given/input/stop_hook_active", between);
    let nobody = steps(json!([stops(1), fire("SubagentStop", json!({})), stops(1)]));
    silent("it may be the same", "1-1 given/input/stop_hook_active", nobody.clone());
    silent("it may have been the same", "2-2 given/input/stop_hook_active", nobody);
}

#[test]
fn which_agent_a_hook_is_for_is_claimed_where_it_is_said() {
    let matcher = |matcher: &str, input: Value| {
        let group = json!({"matcher": matcher, "hooks": [{"type": "command", "command": "g"}]});
        json!({"settings": [hooks("SubagentStop", group)], "steps": [fire("SubagentStop", input)]})
    };
    let runs = r#"ran {"run_exactly":["g"]} "#;
    let not = r#"ran {"run_exactly":[]} "#;
    let nameless = || json!({"agent_id": "a1", "agent_type": ""});
    let plugins = || json!({"agent_id": "a1", "agent_type": "my-plugin:reviewer"});
    for (pattern, input, ran, rule) in [
        ("code-reviewer", subagent(), runs, "MATCH-TGT-SUBAGENT"),
        ("reviewer", subagent(), not, "MATCH-PAT-04"),
        ("Explore", subagent(), not, "MATCH-TGT-SUBAGENT"),
        ("code-.*", subagent(), runs, "MATCH-PAT-05"),
        ("reviewer", plugins(), not, "MATCH-PAT-04"),
        ("my-plugin:reviewer", plugins(), runs, "SUBSTART-04"),
        ("plugin:rev", plugins(), runs, "SUBSTART-04"),
        ("^plugin:reviewer$", plugins(), not, "SUBSTART-04"),
        ("Explore", nameless(), not, "SUBSTOP-IN-05"),
        ("Explore|Plan", nameless(), not, "SUBSTOP-IN-05"),
        ("^x.*", nameless(), not, "SUBSTOP-IN-05"),
        (".*", nameless(), runs, "SUBSTOP-IN-05"),
        ("*", nameless(), runs, "SUBSTOP-IN-05"),
        ("", nameless(), runs, "SUBSTOP-IN-05"),
    ] {
        claims(pattern, &format!("{ran}{rule}"), matcher(pattern, input));
    }
    silent("an alternative without a name", "", matcher("Explore|", nameless()));
    silent("the case does not tell which agent stopped", "", matcher("Explore", json!({"agent_id": "a1"})));
    let invalid = prints(&json!({"systemMessage": 5}));
    silent(
        "nobody may see what an agent of the runtime's own does",
        "said/user {\"say\"",
        case("SubagentStop", &nameless(), &invalid),
    );
    let lines = claimed(case("SubagentStop", &subagent(), &json!({})));
    assert!(!lines.iter().any(|line| line.contains("absent") && line.contains("agent")), "{lines:#?}");
}

fn task() -> Value {
    json!({"task_id": "7", "task_subject": "mend the login"})
}

/// What holds of every event of this chapter that is not said to be of the standard decision model.
fn beyond_the_standard_model(event: &str, input: &Value) {
    let of = |result: Value| case(event, input, &result);
    let object = json!({"systemMessage": "MSG-1", "terminalSequence": "\u{7}"}).to_string();
    for (why, end) in [("exit 1", 1), ("exit 2", 2)] {
        let beside = json!({"end": {"exit": end}, "err": "ERR-1", "out": object});
        for place in ["said/user {\"say\"", "said/terminal {\"say\""] {
            silent(
                &format!("{why}: what JSON counts for beside it is said of other events"),
                place,
                of(beside.clone()),
            );
        }
    }
    for (why, result) in [
        ("a code that is not 0", json!({"end": {"exit": 1}, "err": "ERR-1"})),
        ("a hook that does not start", json!({"end": "not_started", "err": "ERR-1"})),
        ("an object that is not valid", prints(&json!({"systemMessage": 5}))),
        ("what does not parse", json!({"out": "{\"a\":1}{\"b\":2}"})),
    ] {
        silent(&format!("{event} shows no notice for certain: {why}"), "said/user {\"say\"", of(result));
    }
    silent("what an object does that is not valid is not said", "fate", of(prints(&json!({"systemMessage": 5}))));
    let beside_exit_1 = json!({"end": {"exit": 1}, "out": "{\"systemMessage\":5,\"decision\":\"block\"}"});
    silent("beside exit 1 neither", "fate", of(beside_exit_1));
    silent("nor what does not parse", "fate", of(json!({"out": "{\"a\":1}{\"b\":2}"})));
    silent(
        "it has no fields of its own",
        "fate",
        of(says(json!({"hookEventName": event, "additionalContext": "CTX-1"}))),
    );
    claims(
        "a warning is shown",
        r#"said/user {"say":{"how":"warning","lies":"in_text","parts":["MSG-1"]}} JSON-SYSMSG-01"#,
        of(prints(&json!({"systemMessage": "MSG-1"}))),
    );
    claims("silence is no objection", r#"fate {"be":"proceeds"} CONFIG-NEST-03"#, of(json!({})));
    claims("exit 1 does not block", r#"fate {"be":"proceeds"} EXIT-N-16"#, of(json!({"end": {"exit": 1}})));
    let mut matched = of(json!({}));
    matched["settings"] =
        json!([hooks(event, json!({"matcher": "Bash", "hooks": [{"type": "command", "command": "g"}]}))]);
    claims("matchers do not count", r#"ran {"run_exactly":["g"]} MATCH-PAT-07"#, matched);
    let lines = claimed(of(json!({})));
    assert!(!lines.iter().any(|line| line.contains("absent") && line.contains("agent")), "{event}: {lines:#?}");
    assert!(!lines.iter().any(|line| line.contains("team_name")), "{event}: {lines:#?}");
}

#[test]
fn a_task_is_undone() {
    beyond_the_standard_model("TaskCreated", &task());
    let created = |result: Value| case("TaskCreated", &task(), &result);
    let block = prints(&json!({"decision": "block", "reason": "WHY-1", "continue": false}));
    let both = json!({"end": {"exit": 2}, "err": "ERR-1", "out": block["out"]});
    for (line, result) in [
        (r#"fate {"be":"prevented"} EXIT-2-EV-TaskCreated"#, exit_2("ERR-1")),
        (r#"set/task_gone {"be":true} TASKCREATE-OUT-01"#, exit_2("ERR-1")),
        (r#"said/model {"say":{"lies":"in_text","parts":["ERR-1"]}} TASKCREATE-OUT-02"#, exit_2("ERR-1")),
        (r#"fate {"be":"prevented"} DECISION-TASKC-01"#, block.clone()),
        (r#"said/model {"say":{"lies":"in_text","parts":["WHY-1"]}} TASKCREATE-OUT-03"#, block.clone()),
        (r#"agent {"be":"goes_on"} TASKCREATE-OUT-04"#, block.clone()),
        (r#"said/model {"say":{"lies":"in_text","parts":["WHY-1"]}} EXIT-2-05"#, both.clone()),
        (r#"said/model {"not_say":{"parts":["ERR-1"]}} EXIT-2-05"#, both),
        (r#"fate {"be":"proceeds"} TASKCREATE-OUT-04"#, prints(&json!({"continue": false}))),
        (r#"fate {"be":"proceeds"} DECISION-TOP-02"#, prints(&json!({"systemMessage": "MSG-1"}))),
        (r#"given/input/task_subject {"be":"mend the login"} TASKCREATE-IN-01"#, json!({})),
    ] {
        claims("it is undone, or it is not", line, created(result));
    }
    let odd = json!({"end": {"exit": 1}, "out": block["out"]});
    silent("a decision beside exit 1 may count or not", "fate", created(odd.clone()));
    silent("nor is it said what is told then", "said/model {\"say\"", created(odd.clone()));
    claims("the agent goes on in any event", r#"agent {"be":"goes_on"} TASKCREATE-OUT-04"#, created(odd));
    let stops = prints(&json!({"continue": false, "stopReason": "HALT-1"}));
    silent("where the reason of a stop goes that is ignored is not said", "said/user", created(stops));
    silent("there may be no message", "said/model {\"say\"", created(exit_2("")));
    let of_a_teammate = json!({"task_id": "7", "task_subject": "mend the login", "teammate_name": "researcher"});
    let layers = json!([commands("TaskCreated", &["g"])]);
    let steps = json!([{"happen": "new_prompt"}, fire("TaskCreated", of_a_teammate)]);
    silent(
        "which prompt a teammate works on is not said",
        "1-1 given/input/prompt_id",
        json!({"settings": layers, "steps": steps}),
    );
}

/// What is claimed, and what is not, of an event that listens to exit 2 and to `continue: false` and to nothing else.
fn decides_by_exit_2(event: &str, input: &Value, feedback: &str) {
    let of = |result: Value| case(event, input, &result);
    let block = prints(&json!({"decision": "block", "reason": "WHY-1"}));
    silent("whether a decision counts is not said", "fate", of(block.clone()));
    silent("nor whom its reason reaches", "said/model {\"say\"", of(block.clone()));
    silent("or does not reach", "said/model {\"not_say\"", of(block.clone()));
    let both = of(json!({"end": {"exit": 2}, "err": "ERR-1", "out": block["out"]}));
    claims("exit 2 blocks", &format!(r#"fate {{"be":"prevented"}} EXIT-2-EV-{event}"#), both.clone());
    silent("its message may be the reason", "said/model", both);
    claims("stderr is the feedback", feedback, of(exit_2("ERR-1")));
    silent("there may be no message", "said/model {\"say\"", of(exit_2("")));
    let mut two = of(exit_2("ERR-1"));
    two["settings"] = json!([commands(event, &["g", "h"])]);
    two["results"]["h"] = exit_2("ERR-2");
    let lines = claimed(two);
    assert!(lines.iter().any(|l| l.starts_with("said/model {\"say_any\"")), "one of two is enough: {lines:#?}");
}

#[test]
fn a_teammate_is_kept_at_work_or_halted() {
    let teammate = json!({"teammate_name": "researcher"});
    beyond_the_standard_model("TeammateIdle", &teammate);
    let feedback = r#"said/model {"say":{"how":"feedback","lies":"in_text","parts":["ERR-1"]}} TEAMIDLE-OUT-01"#;
    decides_by_exit_2("TeammateIdle", &teammate, feedback);
    let idle = |result: Value| case("TeammateIdle", &teammate, &result);
    let halt = || json!({"continue": false, "stopReason": "HALT-1"});
    claims("it goes on", r#"agent {"be":"goes_on"} EXIT-2-EV-TeammateIdle"#, idle(exit_2("ERR-1")));
    claims("it is halted", r#"agent {"be":"stops"} TEAMIDLE-OUT-02"#, idle(prints(&halt())));
    claims(
        "the user is told why",
        r#"said/user {"say":{"how":"block","lies":"in_text","parts":["HALT-1"]}} TEAMIDLE-OUT-02"#,
        idle(prints(&halt())),
    );
    claims("without a reason too", r#"agent {"be":"stops"} JSON-CONT-01"#, idle(prints(&json!({"continue": false}))));
    silent("whether one that is halted goes idle is not said", "fate", idle(prints(&halt())));
    for code in [1, 2] {
        let beside = json!({"end": {"exit": code}, "err": "ERR-1", "out": halt().to_string()});
        for place in ["fate", "agent", "said/model {\"say\"", "said/user {\"say\""] {
            silent(&format!("exit {code} beside it"), place, idle(beside.clone()));
        }
    }
    let layers = json!([commands("TeammateIdle", &["g"]), {"from": "project", "settings": commands("Stop", &["s"])["settings"]}]);
    let steps = json!([{"happen": "new_prompt"}, fire("TeammateIdle", teammate), fire("Stop", json!({}))]);
    let after = json!({"settings": layers, "steps": steps});
    silent("which prompt a teammate works on is not said", "1-1 given/input/prompt_id", after.clone());
    silent("nor whether a stop hook has had a part in what follows", "2-2 given/input/stop_hook_active", after);
}

#[test]
fn a_task_stays_open_and_a_teammate_is_halted_where_its_turn_ends() {
    beyond_the_standard_model("TaskCompleted", &task());
    let feedback = r#"said/model {"say":{"how":"feedback","lies":"in_text","parts":["ERR-1"]}} TASKDONE-OUT-01"#;
    decides_by_exit_2("TaskCompleted", &task(), feedback);
    let done = |result: Value| case("TaskCompleted", &task(), &result);
    let at_the_end = |result: Value| {
        let mut case = done(result);
        case["host"] = json!({"facts": ["turn_ends"]});
        case
    };
    let halt = json!({"continue": false, "stopReason": "HALT-1"});
    let both = json!({"end": {"exit": 2}, "err": "ERR-1", "out": halt.to_string()});
    for (line, case) in [
        (r#"agent {"be":"stops"} TASKDONE-OUT-02"#, at_the_end(prints(&halt))),
        (
            r#"said/user {"say":{"how":"block","lies":"in_text","parts":["HALT-1"]}} TASKDONE-OUT-02"#,
            at_the_end(prints(&halt)),
        ),
        (r#"fate {"be":"prevented"} EXIT-2-EV-TaskCompleted"#, at_the_end(both.clone())),
        (r#"agent {"be":"goes_on"} TASKDONE-OUT-03"#, done(prints(&halt))),
        (r#"fate {"be":"proceeds"} TASKDONE-OUT-03"#, done(prints(&halt))),
        (r#"fate {"be":"prevented"} TASKDONE-OUT-04"#, done(both.clone())),
        (feedback, done(both.clone())),
    ] {
        claims("it goes by what completes the task", line, case);
    }
    silent("whether a halted teammate's task is completed is not said", "fate", at_the_end(prints(&halt)));
    silent("where the reason of a stop goes that is ignored is not said", "said/user", done(prints(&halt)));
    silent("what becomes of a teammate under both is not said", "agent", at_the_end(both.clone()));
    silent("nor what it reads", "said/model {\"say\"", at_the_end(both));
    silent("whether the agent goes on after exit 2 is not said", "agent", at_the_end(exit_2("ERR-1")));
    let odd = json!({"end": {"exit": 1}, "out": halt.to_string()});
    silent("JSON beside exit 1 may count or not", "agent", at_the_end(odd));
}
