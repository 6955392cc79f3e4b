//! The same for the hooks that stand in the definition of a subagent.

use super::{claims, fire, silent};
use serde_json::{Value, json};

/// A layer of a definition with one command for an event.
fn of(name: &str, event: &str, group: Value) -> Value {
    let mut group = group;
    group["hooks"] = json!([{"type": "command", "command": "g"}]);
    json!({"from": {"agent": name}, "settings": {"hooks": {event: [group]}}})
}

fn call(agent: Value) -> Value {
    let mut input = agent;
    input["tool_name"] = json!("Bash");
    input["tool_input"] = json!({"command": "ls"});
    input["tool_use_id"] = json!("toolu_1");
    fire("PreToolUse", input)
}

fn reviewer(id: &str) -> Value {
    json!({"agent_id": id, "agent_type": "code-reviewer"})
}

fn begins(id: &str) -> Value {
    fire("SubagentStart", reviewer(id))
}

fn stops(id: &str) -> Value {
    fire("SubagentStop", reviewer(id))
}

fn guarded(steps: &[Value]) -> Value {
    json!({"settings": [of("code-reviewer", "PreToolUse", json!({}))], "steps": steps})
}

#[test]
fn what_others_do_while_it_runs_may_be_guarded_or_not() {
    let main = || call(json!({}));
    let other = || call(json!({"agent_id": "e1", "agent_type": "Explore"}));
    for (why, what) in [("the main agent's call", main()), ("another subagent's call", other())] {
        silent(why, "1-1 ran", guarded(&[begins("a1"), what.clone()]));
        silent(why, "0-0 ran", guarded(&[what.clone(), call(reviewer("a1"))]));
        silent(why, "2-2 ran", guarded(&[begins("a1"), json!({"happen": "new_prompt"}), what]));
    }
    silent("whose call it is, is not told", "1-1 ran", guarded(&[begins("a1"), call(json!({"agent_id": "a1"}))]));
    let one_is_left = [begins("a1"), begins("b2"), stops("a1"), main()];
    silent("another of its name goes on", "3-3 ran", guarded(&one_is_left));
    let all_are_done = [begins("a1"), begins("b2"), stops("a1"), stops("b2"), main()];
    claims("both are done", r#"4-4 ran {"run_exactly":[]} CONFIG-SKILL-03"#, guarded(&all_are_done));
}

#[test]
fn whether_it_runs_is_known_where_the_case_tells() {
    let main = || call(json!({}));
    let unnamed = || json!({"agent_type": "code-reviewer"});
    let two = |steps: &[Value]| guarded(steps);
    claims("one runs", r#"0-0 ran {"run_exactly":["g"]} CONFIG-LOC-09"#, two(&[call(unnamed()), main()]));
    let alone = [call(unnamed()), fire("SubagentStop", unnamed()), main()];
    claims("the one is done", r#"2-2 ran {"run_exactly":[]} CONFIG-SKILL-03"#, two(&alone));
    let one_of_two = [begins("a1"), begins("b2"), fire("SubagentStop", unnamed()), main(), call(reviewer("a1"))];
    silent("one of two is done", "3-3 ran", two(&one_of_two));
    silent("one that is done does more", "2-2 ran", two(&[begins("a1"), stops("a1"), call(reviewer("a1"))]));
    silent("one that never began", "1-1 ran", two(&[begins("a1"), call(reviewer("b2"))]));
    silent("nobody knows who is left", "2-2 ran", two(&[begins("a1"), call(reviewer("b2")), main()]));
    silent(
        "somebody stopped",
        "2-2 ran",
        two(&[begins("a1"), fire("SubagentStop", json!({"agent_id": "a1"})), main()]),
    );
    silent("somebody began", "2-2 ran", two(&[fire("SubagentStart", json!({})), main(), main(), begins("a1")]));
    for what in ["cleared", "resumed", "session_ends"] {
        silent(what, "2-2 ran", two(&[begins("a1"), json!({"happen": what}), call(reviewer("a1"))]));
        silent(what, "2-2 ran", two(&[begins("a1"), json!({"happen": what}), main()]));
    }
    let mut of_an_agent =
        two(&[fire("SessionStart", json!({"source": "startup", "agent_type": "code-reviewer"})), main()]);
    silent("the session is that of an agent", "1-1 ran", of_an_agent.clone());
    of_an_agent["steps"][1] = stops("a1");
    of_an_agent["settings"] = json!([of("code-reviewer", "Stop", json!({}))]);
    silent("what stops may be no subagent", "1-1 ran", of_an_agent.clone());
    of_an_agent["steps"][1] = fire("Stop", json!({}));
    silent("its Stop may be that of the session", "1-1 ran", of_an_agent);
}

#[test]
fn it_is_done_where_it_is_certain_that_it_may_stop() {
    let with = |result: Value| {
        let mut case = guarded(&[begins("a1"), stops("a1"), call(json!({}))]);
        let keeper = json!({"from": "user", "settings": {"hooks": {"SubagentStop": [{"hooks": [{"type": "command", "command": "k"}]}]}}});
        case["settings"] = json!([case["settings"][0], keeper]);
        case["results"] = json!({"k": result});
        case
    };
    let gone = r#"2-2 ran {"run_exactly":[]} CONFIG-SKILL-03"#;
    claims("nobody objects", gone, with(json!({})));
    claims("one fails", gone, with(json!({"end": {"exit": 1}})));
    claims("it is told to stop for good", gone, with(json!({"out": "{\"continue\": false}"})));
    silent("it goes on", "2-2 ran", with(json!({"end": {"exit": 2}, "err": "ERR-1"})));
    silent("a block without a reason", "2-2 ran", with(json!({"out": "{\"decision\": \"block\"}"})));
    let mut many = with(json!({"end": {"exit": 2}, "err": "ERR-1"}));
    many["steps"][1]["fire"]["times"] = json!(9);
    silent("a limit may have let it go", "10-10 ran", many);
}

#[test]
fn of_its_beginning_and_its_end_less_is_said() {
    let starts = json!({"settings": [of("code-reviewer", "SubagentStart", json!({}))], "steps": [begins("a1"), fire("SubagentStart", json!({"agent_id": "e1", "agent_type": "Explore"}))]});
    silent("whether it runs as it begins", "0-0 ran", starts.clone());
    silent("whether it is for others", "1-1 ran", starts);
    let ends = |matcher: Value| json!({"settings": [of("code-reviewer", "Stop", matcher)], "steps": [begins("a1"), stops("a1")]});
    let runs = r#"1-1 ran {"run_exactly":["g"]} CONFIG-SKILL-02"#;
    claims("no matcher", runs, ends(json!({})));
    claims("a matcher for any", runs, ends(json!({"matcher": "*"})));
    silent("a matcher that a Stop would not heed", "1-1 ran", ends(json!({"matcher": "Explore"})));
    let says = |name: &str| {
        let mut case = ends(json!({}));
        let output = json!({"hookSpecificOutput": {"hookEventName": name, "additionalContext": "CTX-1"}});
        case["results"] = json!({"g": {"out": output.to_string()}});
        case
    };
    claims("the name that it was told", r#"1-1 fate {"be":"prevented"} SUBSTOP-OUT-01"#, says("SubagentStop"));
    for place in ["fate", "agent", "said"] {
        silent("the name under which it stands (A-36)", &format!("1-1 {place}"), says("Stop"));
    }
}

#[test]
fn a_copy_of_a_subagents_hook_may_be_one_or_two() {
    let mut copy = guarded(&[begins("a1"), call(reviewer("a1"))]);
    let users = json!({"from": "user", "settings": {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "g"}]}]}}});
    copy["settings"] = json!([copy["settings"][0], users]);
    silent("in the settings", "1-1 ran", copy.clone());
    copy["settings"] = json!([copy["settings"][0], copy["settings"][0]]);
    silent("in the definition", "1-1 ran", copy);
}

#[test]
fn what_is_said_of_the_main_agent_need_not_hold_of_a_subagent() {
    let of = |result: Value| {
        let mut case = guarded(&[begins("a1"), call(reviewer("a1"))]);
        case["results"] = json!({"g": result});
        case
    };
    let decides = |decision: &str| json!({"out": json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": "WHY-1"}}).to_string()});
    claims("a refusal", r#"1-1 fate {"be":"prevented"} PRETOOL-OUT-04"#, of(decides("deny")));
    silent("nobody need be there to be asked", "1-1 fate", of(decides("ask")));
    silent("nobody need be there to be asked", "1-1 set/prompt_label", of(decides("ask")));
    silent("nor to take it up again", "1-1 fate", of(decides("defer")));
    silent("who stops", "1-1 agent", of(json!({"out": "{\"continue\": false}"})));
    silent("whose transcript", "1-1 said/user {\"say\"", of(json!({"end": {"exit": 1}, "err": "ERR-1"})));
    silent("where it works", "1-1 given/input/cwd", of(json!({})));
    silent("its mode", "1-1 given/input/permission_mode", of(json!({})));
    let mut request = guarded(&[begins("a1"), call(reviewer("a1"))]);
    request["settings"][0]["settings"]["hooks"] =
        json!({"PermissionRequest": [{"hooks": [{"type": "command", "command": "g"}]}]});
    request["steps"][1]["fire"]["event"] = json!("PermissionRequest");
    request["steps"][1]["fire"]["otherwise"] = json!("asked");
    request["steps"][1]["fire"]["input"] =
        json!({"agent_id": "a1", "agent_type": "code-reviewer", "tool_name": "Bash", "tool_input": {"command": "ls"}});
    claims("it is told of a request", r#"1-1 ran {"run_exactly":["g"]} CONFIG-LOC-09"#, request.clone());
    silent("what becomes of one", "1-1 fate", request);
}

#[test]
fn a_folder_that_nobody_trusted_decides_before_anything_else_is_known() {
    let untrusted = |steps: &[Value]| {
        let mut case = guarded(steps);
        case["host"] = json!({"trusted": false});
        case
    };
    let held = r#"{"run_exactly":[]} CONFIG-TRUST-02"#;
    claims("it runs", &format!("1-1 ran {held}"), untrusted(&[begins("a1"), call(reviewer("a1"))]));
    claims("another's call", &format!("1-1 ran {held}"), untrusted(&[begins("a1"), call(json!({}))]));
    let before = untrusted(&[call(json!({})), begins("a1")]);
    claims("before it begins", r#"0-0 ran {"run_exactly":[]} CONFIG-LOC-09"#, before);
}

#[test]
fn in_a_session_of_an_agent_its_type_may_be_told_at_any_time() {
    let steps = [fire("SessionStart", json!({"source": "startup", "agent_type": "planner"})), call(json!({}))];
    let layer = json!({"from": "user", "settings": {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "g"}]}]}}});
    silent("the main agent has a type", "1-1 given/input/agent_type", json!({"settings": [layer], "steps": steps}));
}
