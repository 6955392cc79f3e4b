//! Every fault, and every posture variant, must show in some case.

mod actions;
mod course;
mod everywhere;
mod handlers;
mod readings;

use super::{FAULTS, Needs};
use crate::{Runtime, testing::case, variants};
use hookproof_contract::Case;
use serde_json::{Value, json};
use std::collections::BTreeSet;

mod session;
mod settings;
mod world;

/// A case of one event, with handlers named by their results.
fn of(event: &str, group: Value, input: Value, results: Value) -> Value {
    let is_http = |name: &str| name.starts_with("http");
    let handlers: Vec<Value> = results
        .as_object()
        .expect("results")
        .keys()
        .map(|name| {
            if is_http(name) {
                json!({"type": "http", "url": name})
            } else {
                json!({"type": "command", "command": name})
            }
        })
        .collect();
    let mut group = group;
    group["hooks"] = json!(handlers);
    json!({"host": {}, "settings": [{"from": "user", "settings": {"hooks": {event: [group]}}}], "results": results,
           "steps": [{"fire": {"event": event, "input": input}}]})
}

fn bash() -> Value {
    json!({"tool_name": "Bash", "tool_input": {"command": "ls", "timeout": 5}})
}

fn tool(results: Value) -> Value {
    let mut case = of("PreToolUse", json!({}), bash(), results);
    case["steps"][0]["fire"]["otherwise"] = json!("asked");
    case
}

fn done(results: Value) -> Value {
    of("PostToolUse", json!({}), bash(), results)
}

fn failed(results: Value) -> Value {
    of("PostToolUseFailure", json!({}), bash(), results)
}

fn prompt(results: Value) -> Value {
    of("UserPromptSubmit", json!({}), json!({"prompt": "PROMPT-1"}), results)
}

fn command(results: Value) -> Value {
    of("UserPromptExpansion", json!({}), json!({"command_name": "deploy", "prompt": "/deploy"}), results)
}

fn change(source: &str, results: Value) -> Value {
    of("ConfigChange", json!({}), json!({"source": source}), results)
}

fn batch(results: Value) -> Value {
    of("PostToolBatch", json!({}), json!({"tool_calls": [bash()]}), results)
}

fn stop(times: u32, result: Value) -> Value {
    let mut case = of("Stop", json!({}), json!({}), json!({"a": result}));
    case["steps"][0]["fire"]["times"] = json!(times);
    case
}

fn dialog(results: Value) -> Value {
    of("Elicitation", json!({}), json!({"mcp_server_name": "s"}), results)
}

fn compaction(result: Value) -> Value {
    of("PreCompact", json!({}), json!({"trigger": "manual"}), json!({"a": result}))
}

fn worktree(out: &str) -> Value {
    of("WorktreeCreate", json!({}), json!({"name": "n"}), json!({"a": {"out": out}}))
}

fn matching(matcher: &str, name: &str) -> Value {
    of("PreToolUse", json!({"matcher": matcher}), json!({"tool_name": name, "tool_input": {}}), json!({"a": {}}))
}

fn specific(event: &str, fields: Value) -> Value {
    let mut fields = fields;
    fields["hookEventName"] = json!(event);
    json!({"out": json!({"hookSpecificOutput": fields}).to_string()})
}

fn ruling(decision: &str, more: Value) -> Value {
    let mut fields = more;
    fields["permissionDecision"] = json!(decision);
    fields["permissionDecisionReason"] = json!(format!("{}-WHY", decision.to_uppercase()));
    specific("PreToolUse", fields)
}

fn edit(mut case: Value, pointer: &str, value: Value) -> Value {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    case.pointer_mut(parent).expect("a parent")[key] = value;
    case
}

fn layers(sources: &[Value]) -> Value {
    let mut case = stop(1, json!({}));
    let layer = case["settings"][0].clone();
    case["settings"] =
        sources.iter().map(|from| edit(json!({"l": layer}), "/l/from", from.clone())["l"].clone()).collect();
    case
}

fn selections() -> Vec<Value> {
    let managed = edit(layers(&[json!("managed"), json!("user")]), "/settings/1/settings/disableAllHooks", json!(true));
    let mut two_names = layers(&[json!("user"), json!("project")]);
    two_names["settings"][1]["settings"]["hooks"]["Stop"][0]["hooks"][0]["command"] = json!("b");
    let twice = json!([{"type": "command", "command": "a"}, {"type": "command", "command": "a"}]);
    let slow = json!([{"type": "command", "command": "a"}, {"type": "command", "command": "a", "timeout": 5}]);
    vec![
        matching("Bash", "BashOutput"),
        matching("bash", "Bash"),
        matching("Edit.*", "NotebookEdit"),
        matching("Edit, Write", "Write"),
        matching(" Bash", "Bash"),
        matching("Übe", "xÜbe"),
        of("Stop", json!({"matcher": "Nothing"}), json!({}), json!({"a": {}})),
        layers(&[json!("user"), json!("project")]),
        layers(&[json!("user"), json!({"plugin": "p"})]),
        two_names,
        managed,
        prompt(json!({"a": {}})),
        edit(stop(1, json!({})), "/settings/0/settings/hooks/Stop/0/hooks/0/timeout", json!(5)),
        edit(stop(1, json!({})), "/settings/0/settings/hooks/Stop/0/hooks", twice.clone()),
        edit(layers(&[json!({"plugin": "p"})]), "/settings/0/settings/hooks/Stop/0/hooks", twice),
        edit(stop(1, json!({})), "/settings/0/settings/hooks/Stop/0/hooks", slow),
    ]
}

fn readings() -> Vec<Value> {
    let allow = ruling("allow", json!({}));
    let two = |result: Value| edit(edit(result, "/end", json!({"exit": 2})), "/err", json!("ERR-1"));
    let outs = [
        "TEXT-1 {\"decision\":\"block\",\"reason\":\"WHY-1\"}",
        "{\"decision\":\"block\",\"reason\":\"WHY-1\"} TEXT-1",
        "{}\n{\"decision\":\"block\",\"reason\":\"WHY-1\"}",
        "{}\n{\"reason\":5}",
        "{}\n{\"hookSpecificOutput\":{\"hookEventName\":\"UserPromptSubmit\"}}",
        "{ TEXT-1 }",
        "\u{feff}{}",
        "\u{a0}{}",
        "{\"decision\":\"block\",\"decision\":\"approve\",\"reason\":\"WHY-1\"}",
        "{\"reason\":\"\\ud800\"}",
        "{\"reason\":5}",
        "{\"reason\":null}",
        "{\"decision\":\"allow\"}",
        "{\"decision\":\"approve\"}",
        "{\"hookSpecificOutput\":{\"additionalContext\":\"CTX-1\"}}",
        "{\"hookSpecificOutput\":{\"hookEventName\":\"Stop\",\"additionalContext\":\"CTX-1\"}}",
    ];
    let mut all: Vec<Value> = outs.iter().map(|out| prompt(json!({"a": {"out": out}}))).collect();
    all.extend([
        tool(json!({"a": {"end": {"exit": 1}, "err": "ERR-1"}})),
        tool(json!({"a": two(allow.clone())})),
        tool(json!({"a": edit(ruling("deny", json!({})), "/end", json!({"exit": 1}))})),
        tool(json!({"a": {"end": {"exit": 2}, "err": "ERR-1", "out": "{\"reason\":5}"}})),
        tool(json!({"a": {"end": "timed_out", "out": ruling("deny", json!({}))["out"]}})),
        tool(json!({"a": ruling("block", json!({}))})),
        tool(json!({"a": two(ruling("deny", json!({})))})),
        tool(json!({"a": two(json!({"out": "{\"decision\":\"block\"}"}))})),
        prompt(json!({"http://u": {"end": {"status": 500}, "out": "{\"decision\":\"block\",\"reason\":\"WHY-1\"}"}})),
        prompt(json!({"http://u": {"end": {"status": 200}, "out": "TEXT-1"}})),
        prompt(json!({"http://u": {"end": {"status": 200}, "out": " "}})),
        worktree("banner\n/w/t"),
        worktree("/w/t \n"),
        worktree("../t"),
        stop(1, json!({"out": "{\"decision\":\"block\"}"})),
        stop(1, specific("Stop", json!({"additionalContext": " "}))),
    ]);
    all
}

fn decisions() -> Vec<Value> {
    let (allow, ask, deny) = (ruling("allow", json!({})), ruling("ask", json!({})), ruling("deny", json!({})));
    let input = json!({"updatedInput": {"command": "rm"}});
    let context = |text: &str| specific("PreToolUse", json!({"additionalContext": text}));
    let note = |fields: Value| specific("PostToolUse", fields);
    let long = "n".repeat(1_500);
    let decline = specific("Elicitation", json!({"action": "decline"}));
    let accept = specific("Elicitation", json!({"action": "accept", "content": {"k": "V-1"}}));
    let hide = edit(
        specific("UserPromptSubmit", json!({"suppressOriginalPrompt": true, "sessionTitle": "T-1"})),
        "/end",
        json!({"exit": 2}),
    );
    let osc9 = |value: &str| json!({"out": json!({"terminalSequence": value}).to_string()});
    vec![
        tool(json!({"a": allow, "b": deny, "c": ask})),
        tool(json!({"a": deny, "b": allow})),
        tool(json!({"a": {"err": "ERR-1", "out": "TEXT-1"}})),
        tool(json!({"a": allow})),
        tool(json!({"a": context("CTX-1"), "b": context("CTX-2")})),
        tool(json!({"a": context("CTX-1"), "b": deny})),
        prompt(json!({"a": {"out": "CTX-1"}, "b": {"end": {"exit": 2}, "err": "ERR-1"}})),
        prompt(json!({"a": {"out": "{\"continue\":false}"}})),
        done(json!({"a": note(json!({"updatedToolOutput": null}))})),
        edit(
            done(json!({"a": note(json!({"updatedToolOutput": null}))})),
            "/steps/0/fire/input/tool_name",
            json!("mcp__s__t"),
        ),
        tool(json!({"a": ruling("allow", input.clone()), "b": ask})),
        tool(json!({"a": specific("PreToolUse", input.clone())})),
        tool(
            json!({"a": {"out": "{\"decision\":\"block\",\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"allow\"}}"}}),
        ),
        tool(
            json!({"a": {"out": "{\"continue\":false,\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"allow\"}}"}}),
        ),
        edit(
            tool(json!({"a": ruling("defer", json!({}))})),
            "/host",
            json!({"surface": "print", "tool_calls_in_turn": 2}),
        ),
        edit(tool(json!({"a": allow})), "/host/permissions", json!({"deny": ["Bash"]})),
        edit(tool(json!({"a": ruling("allow", input)})), "/host/permissions", json!({"deny": ["Bash(rm)"]})),
        edit(tool(json!({"a": allow})), "/steps/0/fire/input/tool_name", json!("AskUserQuestion")),
        dialog(json!({"a": accept, "b": decline})),
        dialog(json!({"a": {"out": "{\"decision\":\"block\"}"}})),
        dialog(json!({"a": edit(accept, "/end", json!({"exit": 1}))})),
        compaction(json!({"out": "{\"decision\":\"block\",\"reason\":\"WHY-1\"}"})),
        compaction(json!({"end": {"exit": 2}, "err": "ERR-1"})),
        failed(json!({"a": {"end": {"exit": 2}, "err": "ERR-1"}, "b": {"end": {"exit": 2}, "err": "ERR-2"}})),
        command(json!({"a": {"end": {"exit": 2}, "err": "ERR-1"}, "b": {}})),
        change("policy_settings", json!({"a": {"end": {"exit": 2}, "err": "ERR-1"}})),
        change("user_settings", json!({"a": {"end": {"exit": 2}, "err": "ERR-1"}, "b": {}})),
        batch(json!({"a": {"end": {"exit": 2}, "err": "ERR-1"}})),
        prompt(json!({"a": hide})),
        prompt(json!({"a": {"end": {"exit": 2}, "out": "TEXT-1", "err": "ERR-1"}})),
        done(json!({"a": note(json!({"classifierContext": long})), "b": note(json!({"classifierContext": long}))})),
        done(
            json!({"a": note(json!({"classifierContext": "NOTE-1", "updatedToolOutput": {}})), "b": note(json!({"updatedToolOutput": {"x": 1}}))}),
        ),
        done(json!({"a": note(json!({"updatedToolOutput": "OUT-1"}))})),
        edit(
            done(json!({"a": note(json!({"updatedToolOutput": "OUT-1", "updatedMCPToolOutput": "OUT-2"}))})),
            "/steps/0/fire/input/tool_name",
            json!("mcp__s__t"),
        ),
        edit(stop(1, osc9("\u{7}")), "/host/surface", json!("print")),
        stop(1, osc9("\u{7}\u{1b}[1m")),
        stop(1, osc9("\u{1b}]0;T")),
        stop(1, osc9("\u{1b}]9;1;5\u{7}")),
        stop(1, json!({"out": "{\"continue\":false,\"decision\":\"block\",\"reason\":\"WHY-1\"}"})),
        stop(1, json!({"end": {"exit": 2}, "err": "ERR-1", "out": "{\"continue\":false}"})),
    ]
}

fn limits() -> Vec<Value> {
    let block = json!({"out": "{\"decision\":\"block\",\"reason\":\"WHY-1\"}"});
    let context = specific("Stop", json!({"additionalContext": "CTX-1"}));
    let mut tools = stop(8, block.clone());
    let step = tools["steps"][0].clone();
    tools["steps"] = json!([step, {"happen": "tool_call"}, step]);
    vec![
        stop(9, block.clone()),
        stop(9, context),
        tools,
        edit(stop(10, block), "/host/env", json!({"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "12"})),
        prompt(json!({"a": {"out": {"fill": ["x", 10_000]}}})),
        prompt(json!({"a": {"out": {"fill": ["x", 10_001]}}})),
        of(
            "SubagentStop",
            json!({}),
            json!({"agent_id": "a1"}),
            json!({"a": {"end": {"exit": 2}, "err": "ERR-1"}, "b": {"rank": 1}}),
        ),
        prompt(json!({"a": {"out": {"fill": ["x", 6_000]}}, "b": {"out": {"fill": ["y", 6_000]}}})),
        prompt(json!({"a": {"out": {"fill": ["\u{1f600}", 6_000]}}})),
        prompt(json!({"a": {"end": {"exit": 2}, "err": {"fill": ["x", 10_001]}}})),
    ]
}

/// Subagents, tasks and teammates.
fn teams() -> Vec<Value> {
    let two = json!({"end": {"exit": 2}, "err": "ERR-1"});
    let stop = json!({"out": "{\"continue\":false,\"stopReason\":\"STOP-1\"}"});
    let task =
        |event: &str, results: Value| of(event, json!({}), json!({"task_id": "7", "task_subject": "S-1"}), results);
    let ends = |id: &str, result: &Value| json!({"fire": {"event": "SubagentStop", "input": {"agent_id": id, "agent_type": "Explore"}, "results": {"a": result}}});
    let subagents = |steps: Value| edit(of("SubagentStop", json!({}), json!({}), json!({"a": {}})), "/steps", steps);
    let mut own = of("Stop", json!({}), json!({}), json!({"a": {}}));
    own["settings"][0]["from"] = json!({"agent": "Explore"});
    own["steps"] = json!([ends("a1", &json!({}))]);
    vec![
        of(
            "SubagentStop",
            json!({"matcher": "reviewer"}),
            json!({"agent_id": "a1", "agent_type": ""}),
            json!({"a": two}),
        ),
        own,
        subagents(json!([ends("a1", &two), ends("a2", &two)])),
        subagents(json!([ends("a1", &two), ends("a1", &json!({})), ends("a1", &json!({}))])),
        task("TaskCreated", json!({"a": two, "b": {}})),
        task("TaskCreated", json!({"a": stop})),
        of("TeammateIdle", json!({}), json!({"teammate_name": "n"}), json!({"a": two})),
        task("TaskCompleted", json!({"a": stop})),
    ]
}

/// What begins, what a compaction and a failed turn leave behind, and answers to an MCP server.
fn lifecycle() -> Vec<Value> {
    let two = |err: &str| json!({"end": {"exit": 2}, "err": err});
    let start = |source: &str, results: Value| of("SessionStart", json!({}), json!({"source": source}), results);
    let compacted = |results: Value| of("PostCompact", json!({}), json!({"trigger": "auto"}), results);
    let failure = |matcher: &str, result: Value| {
        of("StopFailure", json!({"matcher": matcher}), json!({"error": "rate_limit"}), json!({"a": result}))
    };
    let answered = |action: &str, results: Value| {
        let input = json!({"mcp_server_name": "s", "action": action, "content": {"k": "USER-1", "l": "USER-2"}});
        of("ElicitationResult", json!({}), input, results)
    };
    let reply = |fields: Value| json!({"a": specific("ElicitationResult", fields)});
    let context = specific("SubagentStart", json!({"additionalContext": "CTX-1"}));
    let subagent =
        of("SubagentStart", json!({}), json!({"agent_id": "a1", "agent_type": "Plan"}), json!({"a": context}));
    vec![
        start("startup", json!({"a": {"out": "TEXT-1"}})),
        start("startup", json!({"a": two("ERR-1")})),
        start("clear", json!({"a": specific("SessionStart", json!({"sessionTitle": "TITLE-1"}))})),
        start("resume", json!({"a": specific("SessionStart", json!({"reloadSkills": true})), "b": {}})),
        edit(subagent, "/steps/0/fire/times", json!(2)),
        compacted(json!({"a": {"out": "{\"continue\":false}"}})),
        compacted(json!({"a": two("ERR-1"), "b": two("ERR-2")})),
        failure("overloaded, rate_limit", json!({})),
        failure("*", two("ERR-1")),
        answered("accept", json!({"a": two("ERR-1"), "b": {}})),
        answered("accept", reply(json!({"action": "accept", "content": {"k": "NEW-1"}}))),
        answered("accept", reply(json!({"action": "cancel"}))),
        answered("decline", reply(json!({"action": "accept", "content": {"k": "NEW-1"}}))),
    ]
}

/// Events whose hooks look on, what is shown of a message, and a worktree that is to go.
fn witnesses() -> Vec<Value> {
    let two = |err: &str| json!({"end": {"exit": 2}, "err": err});
    let http = json!([{"type": "http", "url": "http://u"}]);
    let setup = |results: Value| of("Setup", json!({}), json!({"trigger": "init"}), results);
    let notified = |results: Value| of("Notification", json!({}), json!({"notification_type": "idle_prompt"}), results);
    let shown = |results: Value| of("MessageDisplay", json!({}), json!({"delta": "DELTA-1"}), results);
    let shows = specific("MessageDisplay", json!({"displayContent": "SHOWN-1"}));
    let removed = |results: Value| of("WorktreeRemove", json!({}), json!({"worktree_path": "/w/t"}), results);
    let failed = json!({"end": {"exit": 1}, "err": "ERR-1"});
    let gone = edit(failed.clone(), "/did", json!([{"removed_directory": "/w/t"}]));
    let ends = |results: Value| of("SessionEnd", json!({}), json!({"reason": "other"}), results);
    let slow = "/settings/0/settings/hooks/SessionEnd/0/hooks/0/timeout";
    let variable = json!({"CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS": "5000"});
    let plugin = edit(edit(ends(json!({"a": {}})), slow, json!(10)), "/settings/0/from", json!({"plugin": "p"}));
    vec![
        edit(setup(json!({})), "/settings/0/settings/hooks/Setup/0/hooks", http),
        setup(json!({"a": specific("Setup", json!({"additionalContext": "CTX-1"}))})),
        notified(json!({"a": two("ERR-1"), "b": {}})),
        shown(json!({"a": shows})),
        shown(json!({"a": edit(shows.clone(), "/end", json!({"exit": 2}))})),
        shown(json!({"a": shows, "b": {}})),
        of(
            "InstructionsLoaded",
            json!({}),
            json!({"load_reason": "include"}),
            json!({"a": {"out": "{\"continue\":false}"}}),
        ),
        removed(json!({"a": failed})),
        removed(json!({"a": gone})),
        removed(json!({"a": failed, "b": {}})),
        ends(json!({"a": two("ERR-1"), "b": two("ERR-2")})),
        edit(ends(json!({"a": {}, "b": {}})), slow, json!(10)),
        edit(ends(json!({"a": {}})), "/host/env", variable),
        plugin,
    ]
}

fn all() -> Vec<Case> {
    let cases = selections().into_iter().chain(readings()).chain(decisions()).chain(limits()).chain(teams());
    let cases = cases
        .chain(lifecycle())
        .chain(witnesses())
        .chain(world::cases())
        .chain(settings::cases())
        .chain(session::cases())
        .chain(handlers::all())
        .chain(everywhere::all())
        .chain(course::all())
        .chain(actions::all())
        .chain(readings::all());
    cases.map(case).collect()
}

#[test]
fn every_fault_shows_in_some_case() {
    let cases = all();
    let shows = |fault: &'static super::Fault| {
        let (usual, wrong) = (Runtime::new().at(fault.revision), Runtime::with_fault(fault).at(fault.revision));
        cases.iter().any(|case| wrong.play(case) != usual.play(case))
    };
    let hidden: Vec<&str> = FAULTS.iter().filter(|fault| !shows(fault)).map(|fault| fault.name).collect();
    assert!(hidden.is_empty(), "{hidden:#?}");
}

#[test]
fn every_variant_shows_in_some_case() {
    let cases = all();
    let usual: Vec<_> = cases.iter().map(|case| Runtime::new().play(case)).collect();
    for (name, readings) in variants() {
        let other = Runtime::with_readings(readings);
        assert!(cases.iter().zip(&usual).any(|(case, usual)| other.play(case) != *usual), "{name}");
    }
}

#[test]
fn faults_are_declared_with_names_of_their_own_and_with_rules() {
    let names: BTreeSet<&str> = FAULTS.iter().map(|fault| fault.name).collect();
    assert_eq!(names.len(), FAULTS.len());
    for fault in FAULTS.iter() {
        assert!(!fault.rules.is_empty() && !fault.about.is_empty(), "{}", fault.name);
        assert!(
            fault.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
            "{}",
            fault.name
        );
    }
}

#[test]
fn a_third_of_the_faults_needs_more_than_one_handler_in_one_step() {
    let more = FAULTS.iter().filter(|fault| fault.needs != Needs::OneHandler).count();
    assert!(more * 3 >= FAULTS.len(), "{more} of {}", FAULTS.len());
}
