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
    ] {
        silent(why, "1-1 given/input/prompt_id", case);
    }
    let by_the_main_agent = prompted("TaskCompleted", task(), json!([]));
    claims("the session's own", r#"1-1 given/input/prompt_id {"be_a":"uuid"} INPUT-PROMPTID-01"#, by_the_main_agent);
}
