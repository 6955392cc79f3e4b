//! What each simplification offers, in order, and what it leaves alone.

use super::{
    fewer_deeds, fewer_groups, fewer_handlers, fewer_layers, fewer_results, fewer_steps, fewer_times, plainer_host,
    plainer_inputs, plainer_settings, quieter_results, shorter_texts,
};
use crate::shrink::{Pass, tests::read};
use hookproof_contract::Case;
use serde_json::{Value, json};

/// Checks that a pass offers a case with each of these values at a place, in this order, and nothing else.
#[track_caller]
fn offers<const N: usize>(pass: Pass, case: Value, place: &str, wanted: [Value; N]) {
    let with = |value| {
        let mut new = case.clone();
        *new.pointer_mut(place).expect("a place of the case") = value;
        read(new)
    };
    let wanted: Vec<Case> = wanted.into_iter().map(with).collect();
    assert_eq!(pass(&read(case.clone())), wanted);
}

/// A case in which there is nothing but these steps.
fn steps(steps: Value) -> Value {
    json!({"settings": [], "steps": steps})
}

/// A case in which there is nothing but these results.
fn results(results: Value) -> Value {
    json!({"settings": [], "results": results, "steps": []})
}

/// A case in which there is nothing but these hooks, in the second of two layers.
fn hooks(hooks: Value) -> Value {
    let layers = json!([{"from": "user", "settings": {"hooks": 1}}, {"from": "local", "settings": {"hooks": hooks}}]);
    json!({"settings": layers, "steps": []})
}

const HOOKS: &str = "/settings/1/settings/hooks";

#[test]
fn each_step_may_go() {
    let (prompt, stop, call) =
        (json!({"happen": "new_prompt"}), json!({"fire": {"event": "Stop"}}), json!({"happen": "tool_call"}));
    let wanted = [json!([stop, call]), json!([prompt, call]), json!([prompt, stop])];
    offers(fewer_steps, steps(json!([prompt, stop, call])), "/steps", wanted);
}

#[test]
fn a_repeat_becomes_one_a_half_or_one_less() {
    let repeated = |times: u32| steps(json!([{"happen": "new_turn"}, {"fire": {"event": "Stop", "times": times}}]));
    let times = "/steps/1/fire/times";
    offers(fewer_times, repeated(10), times, [json!(1), json!(5), json!(9)]);
    offers(fewer_times, repeated(1), times, []);
    offers(fewer_times, repeated(0), times, []);
}

#[test]
fn a_layer_goes_becomes_the_users_or_loses_a_key() {
    let local = json!({"from": "local", "settings": {"a": 1, "b": 2}});
    let project = json!({"from": "project", "settings": {}});
    let wanted = [
        json!([project]),
        json!([local]),
        json!([{"from": "user", "settings": {"a": 1, "b": 2}}, project]),
        json!([{"from": "local", "settings": {"b": 2}}, project]),
        json!([{"from": "local", "settings": {"a": 1}}, project]),
        json!([local, {"from": "user", "settings": {}}]),
    ];
    offers(fewer_layers, json!({"settings": [local, project], "steps": []}), "/settings", wanted);
}

#[test]
fn no_layer_becomes_the_users_where_there_is_one() {
    let (local, user) = (json!({"from": "local", "settings": {}}), json!({"from": "user", "settings": {}}));
    let case = json!({"settings": [local, user], "steps": []});
    offers(fewer_layers, case, "/settings", [json!([user]), json!([local])]);
}

#[test]
fn an_event_loses_all_its_groups_and_then_each() {
    let case = hooks(json!({"Odd": "no list", "Setup": [{}], "Stop": [{"matcher": "a"}, {"matcher": "b"}]}));
    let wanted = [
        json!({"Setup": [{}], "Stop": [{"matcher": "a"}, {"matcher": "b"}]}),
        json!({"Odd": "no list", "Stop": [{"matcher": "a"}, {"matcher": "b"}]}),
        json!({"Odd": "no list", "Setup": [{}]}),
        json!({"Odd": "no list", "Setup": [], "Stop": [{"matcher": "a"}, {"matcher": "b"}]}),
        json!({"Odd": "no list", "Setup": [{}], "Stop": [{"matcher": "b"}]}),
        json!({"Odd": "no list", "Setup": [{}], "Stop": [{"matcher": "a"}]}),
    ];
    offers(fewer_groups, case, HOOKS, wanted);
}

#[test]
fn a_group_loses_each_of_its_handlers() {
    let case = hooks(json!({"Setup": "no list", "Stop": ["no group", {"hooks": ["a", "b"]}, {}, {"hooks": ["c"]}]}));
    let wanted = [
        json!(["no group", {"hooks": ["b"]}, {}, {"hooks": ["c"]}]),
        json!(["no group", {"hooks": ["a"]}, {}, {"hooks": ["c"]}]),
        json!(["no group", {"hooks": ["a", "b"]}, {}, {"hooks": []}]),
    ];
    offers(fewer_handlers, case, &format!("{HOOKS}/Stop"), wanted);
}

#[test]
fn each_result_goes_from_the_case_and_from_a_step() {
    let case = |of_case: Value, of_step: Value| {
        let steps = json!([{"happen": "new_turn"}, {"fire": {"event": "Stop", "results": of_step}}]);
        json!({"settings": [], "results": of_case, "steps": steps})
    };
    let wanted = [
        case(json!({"b": {}}), json!({"a": {}})),
        case(json!({"a": {}}), json!({"a": {}})),
        case(json!({"a": {}, "b": {}}), json!({})),
    ];
    offers(fewer_results, case(json!({"a": {}, "b": {}}), json!({"a": {}})), "", wanted);
}

#[test]
fn a_result_ends_as_usual_says_nothing_comes_first_and_does_nothing() {
    let loud = json!({"end": {"exit": 2}, "out": "x", "err": "y", "rank": 3, "did": [{"changed_file": "/f"}]});
    let but = |key: &str, value: Value| {
        let mut result = loud.clone();
        result[key] = value;
        result
    };
    let wanted = [
        but("end", json!({"exit": 0})),
        but("end", json!({"exit": 1})),
        but("out", json!("")),
        but("err", json!("")),
        but("rank", json!(0)),
        but("did", json!([])),
    ];
    offers(quieter_results, results(json!({"a": loud})), "/results/a", wanted);
}

#[test]
fn a_result_loses_each_deed_and_each_line_that_it_exports() {
    let exports = |text: &str| json!({"wrote_environment": text});
    let removal = json!({"removed_directory": "/a"});
    let of = |did: Value| results(json!({"a": {"did": did}}));
    let wanted = [
        json!([removal]),
        json!([exports("export B=2\n"), removal]),
        json!([exports("export A=1\n"), removal]),
        json!([exports("export A=1\nexport B=2\n")]),
    ];
    let both = json!([exports("export A=1\nexport B=2\n"), removal]);
    offers(fewer_deeds, of(both), "/results/a/did", wanted);
    offers(fewer_deeds, of(json!([exports("export A=1\n")])), "/results/a/did", []);
}

#[test]
fn an_end_becomes_exit_0_or_the_mildest_of_its_kind() {
    let ends = |end: Value| steps(json!([{"fire": {"event": "Stop", "results": {"a": {"end": end}}}}]));
    let end = "/steps/0/fire/results/a/end";
    let exit = |code: u8| json!({"exit": code});
    offers(quieter_results, ends(json!("timed_out")), end, [exit(0), exit(1)]);
    offers(quieter_results, ends(exit(1)), end, [exit(0)]);
    offers(quieter_results, ends(json!({"status": 404})), end, [exit(0), json!({"status": 200})]);
    offers(quieter_results, ends(json!({"status": 200})), end, [exit(0)]);
}

#[test]
fn both_texts_of_a_result_become_shorter() {
    let said = json!({"out": " x", "err": " y", "rank": 1});
    let shorter = [json!({"out": "x", "err": " y", "rank": 1}), json!({"out": " x", "err": "y", "rank": 1})];
    offers(shorter_texts, results(json!({"a": said})), "/results/a", shorter);
}

#[test]
fn each_fact_of_the_host_becomes_its_default() {
    let host = json!({
        "surface": "print",
        "permission_mode": "plan",
        "permissions": {"allow": ["A"], "ask": ["B"], "deny": ["C"]},
        "permission_host": true,
        "trusted": false,
        "tool_calls_in_turn": 3,
        "facts": ["streaming", "turn_ends"],
        "models": {"a": "b"},
        "env": {"A": "b", "C": "d"},
        "cwd": "/x",
        "directories": ["/x"],
    });
    let but = |fact: &str, value: Value| {
        let mut host = host.clone();
        host[fact] = value;
        host
    };
    let wanted = [
        json!({}),
        but("surface", json!("terminal")),
        but("permission_mode", json!("default")),
        but("permissions", json!({"ask": ["B"], "deny": ["C"]})),
        but("permissions", json!({"allow": ["A"], "deny": ["C"]})),
        but("permissions", json!({"allow": ["A"], "ask": ["B"]})),
        but("permission_host", json!(false)),
        but("trusted", json!(true)),
        but("tool_calls_in_turn", json!(1)),
        but("models", json!({})),
        but("cwd", json!("/work/project")),
        but("directories", Value::Null),
        but("facts", json!(["turn_ends"])),
        but("facts", json!(["streaming"])),
        but("env", json!({"C": "d"})),
        but("env", json!({"A": "b"})),
    ];
    offers(plainer_host, json!({"host": host, "settings": [], "steps": []}), "/host", wanted);
}

/// Hooks, and firings that are about a tool, a server and neither.
fn matched(all: Value) -> Value {
    let mut case = hooks(all);
    case["steps"] = json!([
        {"fire": {"event": "PreToolUse", "input": {"tool_name": "Bash"}}},
        {"fire": {"event": "Elicitation", "input": {"mcp_server_name": "files"}}},
        {"fire": {"event": "Stop"}},
    ]);
    case
}

#[test]
fn a_matcher_goes_or_becomes_the_exact_name() {
    let case = matched(json!({"PreToolUse": [{"matcher": ".*", "hooks": []}]}));
    let wanted =
        [json!({"hooks": []}), json!({"matcher": "Bash", "hooks": []}), json!({"matcher": "files", "hooks": []})];
    offers(plainer_settings, case, &format!("{HOOKS}/PreToolUse/0"), wanted);
}

#[test]
fn a_group_without_a_matcher_gets_none() {
    let case = read(matched(json!({"PreToolUse": [{"hooks": []}]})));
    assert!(plainer_settings(&case).iter().all(|offer| *offer == case));
}

#[test]
fn a_handler_keeps_its_type_its_server_and_its_name() {
    let tool = json!({"type": "mcp_tool", "server": "s", "tool": "t", "if": "x", "timeout": 5});
    let command = json!({"type": "command", "command": "c", "url": "u"});
    let listed = |handlers: Value| json!([{"hooks": handlers}]);
    let case = hooks(json!({"Stop": listed(json!(["no handler", tool, command]))}));
    // The first has lost the matcher, and there was none.
    let wanted = [
        listed(json!(["no handler", tool, command])),
        listed(json!(["no handler", {"type": "mcp_tool", "server": "s", "tool": "t", "timeout": 5}, command])),
        listed(json!(["no handler", {"type": "mcp_tool", "server": "s", "tool": "t", "if": "x"}, command])),
        listed(json!(["no handler", tool, {"type": "command", "command": "c"}])),
    ];
    offers(plainer_settings, case, &format!("{HOOKS}/Stop"), wanted);
}

#[test]
fn a_handler_without_a_name_keeps_its_type_and_no_more() {
    let case = hooks(json!({"Stop": [{"hooks": [{"type": "command", "command": 5, "timeout": 1}]}]}));
    // The first has lost the matcher, and there was none.
    let wanted = [
        json!({"type": "command", "command": 5, "timeout": 1}),
        json!({"type": "command", "timeout": 1}),
        json!({"type": "command", "command": 5}),
    ];
    offers(plainer_settings, case, &format!("{HOOKS}/Stop/0/hooks/0"), wanted);
}

#[test]
fn an_action_proceeds_and_an_input_loses_what_the_event_can_do_without() {
    let fire = |otherwise: &str, input: Value| json!({"event": "PostToolUse", "otherwise": otherwise, "input": input});
    let case = steps(json!([
        {"happen": "new_turn"},
        {"fire": fire("asked", json!({"duration_ms": 5, "tool_name": "Bash", "tool_use_id": "t"}))},
    ]));
    let wanted = [
        fire("proceeds", json!({"duration_ms": 5, "tool_name": "Bash", "tool_use_id": "t"})),
        fire("asked", json!({"tool_name": "Bash", "tool_use_id": "t"})),
        fire("asked", json!({"duration_ms": 5, "tool_name": "Bash"})),
    ];
    offers(plainer_inputs, case, "/steps/1/fire", wanted);
}

#[test]
fn what_an_event_is_about_stays_in_its_input() {
    let about = json!({
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "tool_response": {},
        "mcp_server_name": "files",
        "message": "which ASK-1",
        "mode": "form",
        "name": "n",
        "requested_schema": {},
    });
    let case = steps(json!([{"fire": {"event": "Elicitation", "otherwise": "asked", "input": about}}]));
    offers(plainer_inputs, case, "/steps/0/fire/otherwise", [json!("proceeds")]);
}

#[test]
fn a_prompt_becomes_one_of_its_own_canaries() {
    let fire = |prompt: &str| json!({"event": "UserPromptSubmit", "input": {"prompt": prompt}});
    let mut case = steps(json!([{"fire": fire("say ONE-1, TWO-2 and ERR-3")}]));
    case["results"] = json!({"a": {"err": "ERR-3"}});
    // The first proceeds, as it did.
    let wanted = [fire("say ONE-1, TWO-2 and ERR-3"), fire("ONE-1"), fire("TWO-2")];
    offers(plainer_inputs, case, "/steps/0/fire", wanted);
    offers(plainer_inputs, steps(json!([{"fire": fire("ONE-1")}])), "/steps/0/fire", [fire("ONE-1")]);
}
