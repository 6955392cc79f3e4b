//! The same for what a handler is given: a field that cannot be as the case has it, or that may be written in another way.

use super::{claims, commands, fire, silent};
use serde_json::{Value, json};

/// One hook on one event, with these facts about the host, after a prompt.
fn prompted(event: &str, input: Value, facts: Value) -> Value {
    let steps = json!([{"happen": "new_prompt"}, fire(event, input)]);
    json!({"host": {"facts": facts}, "settings": [commands(event, &["g"])], "steps": steps})
}

fn given(event: &str, input: Value) -> Value {
    json!({"settings": [commands(event, &["g"])], "steps": [fire(event, input)]})
}

/// A step of a call that somebody is asked about, or that auto mode refused.
fn of_a_call(event: &str, mode: &str, otherwise: &str) -> Value {
    let input = json!({"file_path": "b.txt", "content": "C"});
    let mut step = fire(event, json!({"tool_name": "Write", "tool_input": input, "reason": "[Rule] no"}));
    step["fire"]["otherwise"] = json!(otherwise);
    json!({"host": {"permission_mode": mode}, "settings": [commands(event, &["g"])], "steps": [step]})
}

#[test]
fn a_path_that_is_not_absolute_is_claimed_of_no_event_that_gives_absolute_ones() {
    for (event, field) in [
        ("CwdChanged", "new_cwd"),
        ("DirectoryAdded", "directory"),
        ("FileChanged", "file_path"),
        ("WorktreeRemove", "worktree_path"),
    ] {
        let at = format!("given/input/{field}");
        silent("how it is made absolute is not said", &at, given(event, json!({field: "sub/dir"})));
        let line = |rule: &str| format!(r#"{at} {{"be":"/w/sub"}} {rule}"#);
        let rule = match event {
            "CwdChanged" => "CWD-IN-01",
            "DirectoryAdded" => "DIRADD-IN-01",
            "FileChanged" => "FILECHG-IN-01",
            _ => "WTREMOVE-IN-01",
        };
        claims(event, &line(rule), given(event, json!({field: "/w/sub"})));
    }
    for (event, mode, otherwise, rule) in [
        ("PermissionRequest", "default", "asked", "PERMREQ-IN-01"),
        ("PermissionDenied", "auto", "prevented", "PERMDEN-IN-01"),
    ] {
        let case = of_a_call(event, mode, otherwise);
        silent("that it is absolute is said of other events", "given/input/tool_input/file_path", case.clone());
        claims("the rest", &format!(r#"given/input/tool_input/content {{"be":"C"}} {rule}"#), case);
    }
}

#[test]
fn a_value_that_there_is_not_is_given_to_nobody() {
    for (event, field, value) in [
        ("DirectoryAdded", "source", json!("drag_and_drop")),
        ("FileChanged", "event", json!("renamed")),
        ("UserPromptExpansion", "expansion_type", json!("macro")),
        ("PreModelSwitch", "source", json!("menu")),
        ("PreModelSwitch", "source", json!("auto")),
        ("PostModelSwitch", "source", json!("menu")),
        ("PreModelSwitch", "cache_ttl", json!("2h")),
        ("PreModelSwitch", "pricing", json!("free")),
        ("MessageDisplay", "turn_id", json!("1")),
        ("MessageDisplay", "message_id", json!("0123456789-0123456789-0123456789-abc")),
    ] {
        silent(&format!("{event}: {value}"), &format!("given/input/{field}"), given(event, json!({field: value})));
    }
    let resumed = given("PostModelSwitch", json!({"source": "resume"}));
    claims("after a switch it may be", r#"given/input/source {"be":"resume"} POSTMODEL-IN-01"#, resumed);
}

#[test]
fn the_price_of_going_on_is_told_where_there_is_something_to_go_on_with() {
    let start =
        |source: &str, tokens: Value| given("SessionStart", json!({"source": source, "context_tokens": tokens}));
    claims("resumed", r#"given/input/context_tokens {"be_a":"number"} SESSTART-IN-08"#, start("resume", json!(5)));
    silent("a session begins with nothing", "given/input/context_tokens", start("startup", json!(5)));
    silent("it is no number", "given/input/context_tokens", start("resume", json!("5")));
}

/// The mode that hooks on a Stop are told of at the end of these steps.
fn mode_after(mode: &str, surface: &str, mut steps: Vec<Value>) -> Value {
    steps.push(fire("Stop", json!({})));
    json!({"host": {"permission_mode": mode, "surface": surface}, "settings": [commands("Stop", &["g"])], "steps": steps})
}

#[test]
fn the_mode_of_a_session_that_is_taken_up_again_depends_on_how() {
    for surface in ["print", "terminal"] {
        for again in [json!({"happen": "resumed"}), fire("SessionStart", json!({"source": "resume"}))] {
            let resumed = mode_after("acceptEdits", surface, vec![json!({"happen": "new_prompt"}), again]);
            silent(surface, "2-2 given/input/permission_mode", resumed);
        }
        let there = r#"1-1 given/input/permission_mode {"be":"acceptEdits"} INPUT-PERMMODE-04"#;
        claims(surface, there, mode_after("acceptEdits", surface, vec![json!({"happen": "new_prompt"})]));
    }
}

#[test]
fn once_the_tool_that_ends_plan_mode_may_have_run_the_mode_is_not_certain() {
    let call = |tool: &str| json!({"tool_name": tool, "tool_input": {"plan": "x"}, "tool_use_id": "toolu_1"});
    let batch = |tool: &str| json!({"tool_calls": [call("Read"), call(tool)]});
    for (event, input) in [
        ("PreToolUse", &call as &dyn Fn(&str) -> Value),
        ("PostToolUse", &call),
        ("PostToolUseFailure", &call),
        ("PostToolBatch", &batch),
    ] {
        let after = |tool: &str| mode_after("plan", "terminal", vec![fire(event, input(tool))]);
        silent(event, "1-1 given/input/permission_mode", after("ExitPlanMode"));
        claims(event, r#"1-1 given/input/permission_mode {"be":"plan"} INPUT-PERMMODE-04"#, after("Grep"));
    }
    let told = |event: &str| {
        let step = fire(event, call("ExitPlanMode"));
        json!({"host": {"permission_mode": "plan"}, "settings": [commands(event, &["g"])], "steps": [step]})
    };
    claims("before it runs", r#"given/input/permission_mode {"be":"plan"} INPUT-PERMMODE-04"#, told("PreToolUse"));
    silent("it has run", "given/input/permission_mode", told("PostToolUse"));
}

#[test]
fn which_prompt_a_teammate_works_on_is_not_said() {
    let task = || json!({"task_id": "1", "task_subject": "s"});
    for (why, case) in [
        ("a teammate goes idle", prompted("TeammateIdle", json!({}), json!([]))),
        ("one may begin", prompted("SubagentStart", json!({"agent_id": "a1", "agent_type": "x"}), json!([]))),
        ("its turn ends", prompted("TaskCompleted", task(), json!(["turn_ends"]))),
        ("a task may be that of a teammate", prompted("TaskCompleted", task(), json!([]))),
        ("so may a new one", prompted("TaskCreated", task(), json!([]))),
        ("a subagent stops", prompted("SubagentStop", json!({"agent_id": "a1", "agent_type": "x"}), json!([]))),
    ] {
        silent(why, "1-1 given/input/prompt_id", case);
    }
}

#[test]
fn where_and_in_which_mode_other_agents_work_is_not_said() {
    let told = |event: &str, input: Value| {
        let host = json!({"permission_mode": "acceptEdits"});
        json!({"host": host, "settings": [commands(event, &["g"])], "steps": [fire(event, input)]})
    };
    for event in ["SubagentStart", "SubagentStop", "TaskCreated", "TaskCompleted", "TeammateIdle"] {
        let other = told(event, json!({}));
        silent(event, r#"given/input/cwd {"be":"#, other.clone());
        silent(event, r#"given/input/permission_mode {"be":"#, other.clone());
        claims("there is a directory", r#"given/input/cwd {"be_a":"string"} INPUT-CWD-01"#, other);
    }
    let modes = r#"["default","plan","acceptEdits","auto","dontAsk","bypassPermissions"]"#;
    let one_of = format!(r#"given/input/permission_mode {{"be_one_of":{modes}}} INPUT-PERMMODE-04"#);
    claims("one of them", &one_of, told("SubagentStop", json!({})));
    let own = told("Stop", json!({}));
    claims("the main agent", r#"given/input/cwd {"be":"/work/project"} INPUT-CWD-01"#, own.clone());
    claims("its mode", r#"given/input/permission_mode {"be":"acceptEdits"} INPUT-PERMMODE-04"#, own);
}

/// What hooks on a change of the configuration are told after these steps.
fn changed_after(mut steps: Vec<Value>) -> Value {
    steps.push(fire("ConfigChange", json!({"source": "user_settings"})));
    json!({"settings": [commands("ConfigChange", &["g"]), {"from": "project", "settings": commands("Stop", &["s"])["settings"]},
            {"from": "local", "settings": commands("UserPromptSubmit", &["p"])["settings"]}],
        "steps": steps})
}

#[test]
fn a_prompt_is_named_as_long_as_it_is_certainly_being_worked_on() {
    let prompt = || fire("UserPromptSubmit", json!({"prompt": "ASK-1"}));
    let with = |mut step: Value, results: Value| {
        step["fire"]["results"] = results;
        step
    };
    let mut lost = prompt();
    lost["fire"]["otherwise"] = json!("prevented");
    let block = json!({"end": {"exit": 2}, "err": "ERR-1"});
    let halt = json!({"out": json!({"continue": false}).to_string()});
    let last = |steps: &[Value]| format!("{0}-{0} given/input/prompt_id", steps.len());
    for steps in [
        vec![prompt()],
        vec![json!({"happen": "new_prompt"}), json!({"happen": "compacted"})],
        vec![prompt(), with(fire("Stop", json!({})), json!({"s": block}))],
    ] {
        let line = format!(r#"{} {{"be_a":"uuid"}} INPUT-PROMPTID-01"#, last(&steps));
        claims("it is being worked on", &line, changed_after(steps));
    }
    for (why, steps) in [
        ("there is none", vec![]),
        ("its turn is over", vec![prompt(), fire("Stop", json!({}))]),
        ("its turn failed", vec![prompt(), fire("StopFailure", json!({"error": "rate_limit"}))]),
        ("everything stops", vec![prompt(), with(fire("Stop", json!({})), json!({"s": halt}))]),
        ("it was blocked", vec![with(prompt(), json!({"p": block}))]),
        ("it was stopped", vec![with(prompt(), json!({"p": halt}))]),
        ("it does not go through", vec![lost]),
        ("a turn may begin without one", vec![json!({"happen": "new_prompt"}), json!({"happen": "new_turn"})]),
        ("the session is another", vec![prompt(), json!({"happen": "cleared"})]),
    ] {
        silent(why, &last(&steps), changed_after(steps));
    }
}

#[test]
fn nothing_comes_along_with_a_prompt_that_goes_nowhere() {
    let context = json!({"hookEventName": "UserPromptSubmit", "additionalContext": "CTX-1"});
    let json_context = json!({"out": json!({"hookSpecificOutput": context}).to_string()});
    for (text, result) in [("CTX-1", json_context), ("PLAIN-1", json!({"out": "PLAIN-1"}))] {
        let mut case = given("UserPromptSubmit", json!({"prompt": "ASK-1"}));
        case["results"] = json!({"g": result});
        let rule = if text == "CTX-1" { "PROMPTSUB-CTX" } else { "STDOUT-02" };
        let line = format!(r#"said/model {{"say":{{"how":"context","lies":"in_text","parts":["{text}"]}}}} {rule}"#);
        claims("along with the prompt", &line, case.clone());
        case["steps"][0]["fire"]["otherwise"] = json!("prevented");
        silent("of context without one nothing is said", "said/model", case);
    }
    let halts = json!({"out": json!({"continue": false}).to_string()});
    let mut halted = given("UserPromptSubmit", json!({"prompt": "ASK-1"}));
    halted["results"] = json!({"g": halts});
    silent("whether it goes to the model is open", "fate", halted.clone());
    halted["steps"][0]["fire"]["otherwise"] = json!("prevented");
    claims("it would not anyway", r#"fate {"be":"prevented"} JSON-CONT-01"#, halted);
}

#[test]
fn a_prompt_that_goes_nowhere_need_not_set_the_count_of_continuations_back() {
    let mut stops = fire("Stop", json!({}));
    stops["fire"]["times"] = json!(8);
    let case = |otherwise: &str| {
        let mut prompt = fire("UserPromptSubmit", json!({"prompt": "ASK-1"}));
        prompt["fire"]["otherwise"] = json!(otherwise);
        json!({"settings": [commands("Stop", &["g"])], "results": {"g": {"end": {"exit": 2}, "err": "ERR-1"}},
            "steps": [stops, prompt, fire("Stop", json!({}))]})
    };
    claims("a prompt does", r#"9-9 fate {"be":"prevented"} EXIT-2-EV-Stop"#, case("proceeds"));
    silent("another may not", "9-9 fate", case("prevented"));
}
