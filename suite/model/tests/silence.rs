//! Where the contract is silent, the model is. Each row is a case in which it once claimed more, or less, than there is a sentence for.

#![expect(clippy::expect_used, reason = "a test that cannot go on says why")]

#[path = "silence/tools_and_settings.rs"]
mod tools_and_settings;

use hookproof_contract::{Case, Readings, Revision};
use serde_json::{Value, json};

#[path = "silence/without_a_say.rs"]
mod without_a_say;

#[path = "silence/changes.rs"]
mod changes;

#[path = "silence/permissions.rs"]
mod permissions;

#[path = "silence/agents.rs"]
mod agents;

#[path = "silence/evaluators.rs"]
mod evaluators;
#[path = "silence/onlookers.rs"]
mod onlookers;

#[path = "silence/conditions.rs"]
mod conditions;

#[path = "silence/background.rs"]
mod background;

#[path = "silence/environment.rs"]
mod environment;

#[path = "silence/definitions.rs"]
mod definitions;

#[path = "silence/readings.rs"]
mod readings;

#[path = "silence/later.rs"]
mod later;

#[path = "silence/endings.rs"]
mod endings;

#[path = "silence/given.rs"]
mod given;

#[path = "silence/calls.rs"]
mod calls;

#[path = "silence/at_once.rs"]
mod at_once;

#[path = "silence/carriers.rs"]
mod carriers;

#[path = "silence/under_a_reading.rs"]
mod under_a_reading;

#[path = "silence/uncertain_texts.rs"]
mod uncertain_texts;

/// A layer of user settings with one group for an event.
fn hooks(event: &str, group: Value) -> Value {
    json!({"from": "user", "settings": {"hooks": {event: [group]}}})
}

/// Commands without a matcher.
fn commands(event: &str, names: &[&str]) -> Value {
    let all: Vec<Value> = names.iter().map(|name| json!({"type": "command", "command": name})).collect();
    hooks(event, json!({"hooks": all}))
}

fn fire(event: &str, input: Value) -> Value {
    json!({"fire": {"event": event, "input": input}})
}

fn bash() -> Value {
    json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "toolu_1"})
}

fn says(fields: Value) -> Value {
    json!({"out": json!({"hookSpecificOutput": fields}).to_string()})
}

/// Everything that is claimed in every world, so that it can fail somebody, a line each: `steps place path must rule`.
fn claimed(case: Value) -> Vec<String> {
    claimed_at(Revision::NEWEST, case)
}

/// The same at a revision.
fn claimed_at(revision: Revision, case: Value) -> Vec<String> {
    let case: Case = serde_json::from_value(case).expect("a case");
    let Ok(expectation) = hookproof_model::expect(revision, &Readings::default(), &case) else {
        return Vec::new();
    };
    let line = |claim: &hookproof_contract::Claim| {
        let steps = claim.steps.map_or(String::new(), |[first, last]| format!("{first}-{last} "));
        let path = claim.path.as_deref().unwrap_or_default();
        format!("{steps}{}{path} {} {}", claim.at, json!(claim.must), claim.rule)
    };
    expectation.claims.iter().map(line).collect()
}

/// Fails if a claim begins like this.
fn silent(why: &str, of: &str, case: Value) {
    let claimed = claimed(case);
    let found: Vec<&String> = claimed.iter().filter(|line| line.starts_with(of)).collect();
    assert!(found.is_empty(), "{why}: {found:#?}");
}

/// Fails unless a claim is just this.
fn claims(why: &str, line: &str, case: Value) {
    let claimed = claimed(case);
    assert!(claimed.iter().any(|claim| claim == line), "{why}: {claimed:#?}");
}

/// One firing of an event for which one command is configured, and what that command answered.
fn one(event: &str, input: Value, result: Value) -> Value {
    json!({"settings": [commands(event, &["g"])], "results": {"g": result}, "steps": [fire(event, input)]})
}

fn prints(output: Value) -> Value {
    json!({"out": output.to_string()})
}

#[test]
fn settings_of_which_nothing_is_known_decide_nothing() {
    let step = fire("PreToolUse", bash());
    for (key, value) in
        [("permissions", json!({"deny": ["Bash"]})), ("env", json!({"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "20"}))]
    {
        let mut layer = commands("PreToolUse", &["g"]);
        layer["settings"][key] = value;
        silent(key, "", json!({"settings": [layer], "steps": [step]}));
    }
    let group = json!([{"hooks": [{"type": "command", "command": "g"}]}]);
    let with = |field: &str, value: Value| {
        let mut handler = json!({"type": "command", "command": "g"});
        handler[field] = value;
        json!({"PreToolUse": [{"hooks": [handler]}]})
    };
    for (why, events) in [
        ("another event is malformed", json!({"PreToolUse": group, "Stop": "bad"})),
        ("there is no such event", json!({"PreToolUse": group, "PreTool": group})),
        ("another group is malformed", json!({"PreToolUse": [group[0], {"matcher": "Edit", "hooks": [5]}]})),
        ("a group has a field that nobody knows", json!({"PreToolUse": [{"hooks": group[0]["hooks"], "x": 1}]})),
        (
            "a time is negative",
            json!({"PreToolUse": [{"hooks": [{"type": "command", "command": "g", "timeout": -5}]}]}),
        ),
        ("a field is unknown", json!({"PreToolUse": [{"hooks": [{"type": "command", "command": "g", "x": 1}]}]})),
        ("a time is nothing", with("timeout", json!(0))),
        ("a model has no name", with("model", json!(5))),
        ("what is shown meanwhile is no text", with("statusMessage", json!(5))),
        ("a condition is no permission rule", with("if", json!("Bash(ls) || Edit"))),
        ("a mark is no boolean", with("once", json!("yes"))),
        ("arguments are no list", with("args", json!("ls"))),
        ("nobody knows the shell", with("shell", json!("zsh"))),
    ] {
        let layers = json!([{"from": "user", "settings": {"hooks": events}}]);
        silent(why, "", json!({"settings": layers, "steps": [step]}));
        let other = json!([commands("PreToolUse", &["g"]), {"from": "project", "settings": {"hooks": events}}]);
        silent(why, "", json!({"settings": other, "steps": [step]}));
    }
    let mut layer = commands("PreToolUse", &["g"]);
    layer["from"] = json!({"agent": "reviewer"});
    silent("whether the agent is at work is not known", "", json!({"settings": [layer], "steps": [step]}));
}

#[test]
fn which_handlers_run_is_not_claimed_where_it_is_open() {
    let http = |from: &str, token: &str| {
        let handler = json!({"type": "http", "url": "http://u", "headers": {"Authorization": token}});
        json!({"from": from, "settings": {"hooks": {"PreToolUse": [{"hooks": [handler]}]}}})
    };
    let layers = json!([http("user", "A"), http("project", "B")]);
    silent(
        "headers may be no part of what is executed",
        "ran",
        json!({"settings": layers, "steps": [fire("PreToolUse", bash())]}),
    );
    let ends = json!({"tool_name": "EndConversation", "tool_input": {}, "tool_use_id": "t"});
    silent(
        "no call of it triggers the event",
        "",
        json!({"settings": [commands("PostToolUse", &["g"])], "steps": [fire("PostToolUse", ends)]}),
    );
    let blank = hooks("PreToolUse", json!({"matcher": " ", "hooks": [{"type": "command", "command": "g"}]}));
    silent(
        "a blank matcher may be an empty one",
        "",
        json!({"settings": [blank], "steps": [fire("PreToolUse", bash())]}),
    );
}

#[test]
fn white_space_beyond_the_limit_need_not_be_measured() {
    let prompt = fire("UserPromptSubmit", json!({"prompt": "P-1"}));
    let of = |out: Value| json!({"settings": [commands("UserPromptSubmit", &["g"])], "results": {"g": {"out": out}}, "steps": [prompt]});
    let text = |run: usize, end: &str| json!({"join": ["HEAD-1 ", {"fill": ["x", run]}, end]});
    let lies = |out: Value| {
        claimed(of(out)).into_iter().find(|line| line.starts_with("said/model {\"say\"")).expect("it arrives")
    };
    assert!(!lies(text(9_993, "\n")).contains("\"lies\""), "trimmed it is within the limit");
    assert!(lies(text(9_992, "\n")).contains("in_text"), "it is within the limit either way");
    assert!(lies(text(9_994, "\n")).contains("in_file"), "it is over the limit either way");
}

#[test]
fn context_has_a_result_to_go_with() {
    let context = json!({"hookEventName": "PreToolUse", "permissionDecision": "allow", "additionalContext": "CTX-1"});
    let case = |mode: &str, otherwise: &str, fields: &Value| {
        let mut step = fire("PreToolUse", bash());
        step["fire"]["otherwise"] = json!(otherwise);
        json!({"host": {"permission_mode": mode}, "settings": [commands("PreToolUse", &["g"])],
               "results": {"g": says(fields.clone())}, "steps": [step]})
    };
    for mode in ["plan", "dontAsk"] {
        silent("what becomes of the call is not certain", "said/model {\"say\"", case(mode, "asked", &context));
    }
    let rewrite =
        json!({"hookEventName": "PreToolUse", "updatedInput": {"command": "rm"}, "additionalContext": "CTX-1"});
    silent("whether the new input counts is open", "said/model {\"say\"", case("default", "proceeds", &rewrite));
    let arrives = claimed(case("default", "asked", &context));
    assert!(arrives.iter().any(|line| line.starts_with("said/model {\"say\"")), "{arrives:#?}");
}

#[test]
fn a_call_that_is_put_off_or_answered_is_claimed_only_where_it_is_certain() {
    let answer = |fields: Value, host: Value, step: Value| json!({"host": host, "settings": [commands("PreToolUse", &["g"])], "results": {"g": says(fields)}, "steps": [step]});
    let defer = json!({"hookEventName": "PreToolUse", "permissionDecision": "defer"});
    let mut step = fire("PreToolUse", bash());
    step["fire"]["otherwise"] = json!("prevented");
    let host = json!({"surface": "print", "permissions": {"ask": ["Bash"]}});
    silent("an ask rule matches", "fate", answer(defer, host, step));
    let input = json!({"questions": []});
    let allow = json!({"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": input});
    let mut step = fire("PreToolUse", json!({"tool_name": "AskUserQuestion", "tool_input": input, "tool_use_id": "t"}));
    step["fire"]["otherwise"] = json!("asked");
    silent("the input holds no answer", "fate", answer(allow, json!({}), step));
    let allow = json!({"hookEventName": "PreToolUse", "permissionDecision": "allow"});
    let tool = json!({"tool_name": "mcp__memory__create", "tool_input": {}, "tool_use_id": "t"});
    let mut step = fire("PreToolUse", tool);
    step["fire"]["otherwise"] = json!("asked");
    let host = json!({"permissions": {"ask": ["mcp__memory"]}});
    silent("a rule may speak of a whole server", "fate", answer(allow, host, step));
    let two = json!({"host": {"surface": "sdk"}, "settings": [commands("PreToolUse", &["g", "h"])],
        "results": {"g": says(json!({"hookEventName": "PreToolUse", "permissionDecision": "defer"})), "h": {"end": {"exit": 2}}},
        "steps": [fire("PreToolUse", bash())]});
    claims("a deny wins over a defer, whether it counts or not", r#"fate {"be":"prevented"} PREC-PRETOOL-01"#, two);
    let defers = says(json!({"hookEventName": "PreToolUse", "permissionDecision": "defer"}));
    let another = json!({"tool_name": "Write", "tool_input": {}, "tool_use_id": "toolu_2"});
    let steps = json!([fire("PreToolUse", bash()), {"happen": "resumed"}, fire("PreToolUse", another)]);
    let case = json!({"host": {"surface": "print"}, "settings": [commands("PreToolUse", &["g"])], "results": {"g": defers}, "steps": steps});
    claims("another call does not come again", r#"2-2 fate {"be":"deferred"} PRETOOL-OUT-06"#, case);
}

#[test]
fn a_note_for_the_classifier_is_certain_only_for_calls_that_it_sees() {
    let note = json!({"hookEventName": "PostToolUse", "classifierContext": "NOTE-1"});
    let case = |command: &str, more: Value| {
        let mut output = json!({"hookSpecificOutput": note});
        output.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let input =
            json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_response": {}, "tool_use_id": "t"});
        json!({"host": {"permission_mode": "auto"}, "settings": [commands("PostToolUse", &["g"])],
               "results": {"g": {"out": output.to_string()}}, "steps": [fire("PostToolUse", input)]})
    };
    claims(
        "it acts",
        r#"said/classifier {"say":{"parts":["NOTE-1"]}} POSTTOOL-OUT-04"#,
        case("rm -rf build", json!({})),
    );
    for looks_up in ["cat a.txt", "npm ls", "make -n", "rm --help"] {
        silent("it looks something up", "said/classifier", case(looks_up, json!({})));
    }
    silent("the agent stops", "said/classifier", case("rm -rf build", json!({"continue": false})));
}

#[test]
fn of_several_reasons_one_is_shown() {
    let case = |results: Value| {
        json!({"settings": [commands("PreCompact", &["g", "h"])], "results": results,
               "steps": [fire("PreCompact", json!({"trigger": "manual"}))]})
    };
    let exit_2 = |err: &str| json!({"end": {"exit": 2}, "err": err});
    silent("one of two is enough", "said/user {\"say\"", case(json!({"g": exit_2("ERR-1"), "h": exit_2("ERR-2")})));
    let block = json!({"out": "{\"decision\":\"block\",\"reason\":\"WHY-1\"}"});
    silent("the other may be shown", "said/user {\"say\"", case(json!({"g": block, "h": exit_2("ERR-2")})));
    claims(
        "they are discarded",
        r#"said/user {"not_say":{"parts":["STOP-1"]}} PRECOMPACT-06"#,
        case(json!({"g": {"out": "{\"continue\":false,\"stopReason\":\"STOP-1\"}"}})),
    );
    claims(
        "so is what comes too late",
        r#"said/user {"not_say":{"parts":["ERR-1"]}} TIMEOUT-02"#,
        case(json!({"g": {"end": "timed_out", "err": "ERR-1"}})),
    );
    claims(
        "a misplaced field decides nothing",
        r#"fate {"be":"proceeds"} SCHEMA-TYPE-05"#,
        case(json!({"g": {"out": "{\"additionalContext\":\"CTX-1\"}"}})),
    );
    silent("what does not parse is an error elsewhere only", "fate", case(json!({"g": {"out": "{\"a\":1}{\"b\":2}"}})));
}

#[test]
fn a_worktree_moves_the_session_and_its_path_must_be_plain_to_see() {
    let layers = json!([commands("WorktreeCreate", &["g"]), {"from": "project", "settings": {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "s"}]}]}}}]);
    let steps = json!([fire("WorktreeCreate", json!({"name": "x"})), fire("Stop", json!({}))]);
    let case = |out: &str| json!({"settings": layers, "results": {"g": {"out": out, "err": "ERR-1"}}, "steps": steps});
    let lines = claimed(case("/work/tree\n"));
    assert!(lines.iter().any(|line| line.starts_with("0-0 given/input/cwd")), "{lines:#?}");
    assert!(!lines.iter().any(|line| line.starts_with("1-1 given/input/cwd")), "{lines:#?}");
    silent("a line of codes only may be the last", "0-0 fate", case("/work/tree\n\u{1b}[0m\n"));
    silent("the error may tell anything", "0-0 said/user", case(""));
    let two = json!({"settings": [commands("WorktreeCreate", &["g", "h"])],
        "results": {"g": {"end": {"exit": 1}}, "h": {"end": {"exit": 2}}}, "steps": [fire("WorktreeCreate", json!({"name": "x"}))]});
    claims("none of them succeeds", r#"fate {"be":"prevented"} EXIT-N-11"#, two);
    let http = hooks("WorktreeCreate", json!({"hooks": [{"type": "http", "url": "http://u"}]}));
    let body = says(json!({"hookEventName": "WorktreeCreate", "worktreePath": "/w/t "}));
    let body = json!({"end": {"status": 200}, "out": body["out"]});
    silent(
        "white space may be part of it",
        "fate",
        json!({"host": {"directories": ["/w/t"]}, "settings": [http], "results": {"http://u": body}, "steps": [fire("WorktreeCreate", json!({"name": "x"}))]}),
    );
}

#[test]
fn what_a_handler_is_given_follows_the_session() {
    let case = |events: &[&str], steps: Value| {
        let groups: serde_json::Map<String, Value> = events
            .iter()
            .map(|event| ((*event).to_owned(), json!([{"hooks": [{"type": "command", "command": "g"}]}])))
            .collect();
        json!({"settings": [{"from": "user", "settings": {"hooks": groups}}], "steps": steps})
    };
    for happening in ["cleared", "session_ends", "resumed"] {
        let steps =
            json!([{"happen": "new_prompt"}, {"happen": happening}, fire("PreCompact", json!({"trigger": "manual"}))]);
        silent(happening, "2-2 given/input/prompt_id", case(&["PreCompact"], steps));
    }
    let tasks = json!([{"id": "1", "type": "shell", "status": "running", "description": "d"}]);
    silent(
        "a shell task has one",
        "given/input/background_tasks/0/command",
        case(&["Stop"], json!([fire("Stop", json!({"background_tasks": tasks}))])),
    );
    silent(
        "without a text it is null",
        "given/input/custom_instructions",
        case(&["PreCompact"], json!([fire("PreCompact", json!({"trigger": "manual", "custom_instructions": ""}))])),
    );
    let input = json!({"tool_name": "Write", "tool_input": {"file_path": "b.txt", "content": "C"}, "tool_response": {}, "tool_use_id": "t"});
    let steps = json!([fire("PostToolUse", input)]);
    claims(
        "the event has a rule of its own",
        r#"given/input/tool_input/file_path {"be":"/work/project/b.txt"} POSTTOOL-IN-02"#,
        case(&["PostToolUse"], steps.clone()),
    );
    claims(
        "the rest is as it was",
        r#"given/input/tool_input/content {"be":"C"} POSTTOOL-IN-01"#,
        case(&["PostToolUse"], steps),
    );
}

#[test]
fn what_is_shown_of_a_block_without_words_is_open() {
    let case = |event: &str, result: Value| json!({"settings": [commands(event, &["g"])], "results": {"g": result}, "steps": [fire(event, json!({"prompt": "P-1"}))]});
    silent(
        "the message may be stderr",
        "said/user {\"not_say\":{\"parts\":[\"ERR-1\"]",
        case("UserPromptSubmit", json!({"end": {"exit": 1}, "out": "{\"decision\":\"block\"}", "err": "ERR-1"})),
    );
    let mut call = case("PreToolUse", json!({"end": {"exit": 2}, "out": "{\"note\":\"NOTE-1\"}"}));
    call["steps"] = json!([fire("PreToolUse", bash())]);
    silent("the message may be stdout", "said/model {\"not_say\"", call);
    let two = json!({"settings": [commands("Stop", &["g", "h"])],
        "results": {"g": {"out": "{\"decision\":\"block\",\"reason\":\"WHY-1\"}"}, "h": {"out": "{\"continue\":false}"}},
        "steps": [fire("Stop", json!({}))]});
    claims("the two are of different hooks", r#"agent {"be":"stops"} JSON-CONT-02"#, two);
}

#[test]
fn what_lies_in_a_text_several_times_is_not_forbidden() {
    let case = |result: Value| json!({"settings": [commands("PreToolUse", &["g"])], "results": {"g": result}, "steps": [fire("PreToolUse", bash())]});
    silent(
        "the first line is the last",
        "said/user {\"not_say\"",
        case(json!({"end": {"exit": 1}, "err": {"fill": ["ERR-1\n", 3]}})),
    );
    let across = json!({"err": {"fill": ["1 ERR-", 3]}, "out": "{\"systemMessage\":\"ERR-1\"}"});
    silent("the token lies across two runs", "said/user {\"not_say\"", case(across));
}

#[test]
fn white_space_is_what_some_platform_takes_for_it() {
    let case = |event: &str, input: Value, result: Value| json!({"settings": [commands(event, &["g"])], "results": {"g": result}, "steps": [fire(event, input)]});
    let context = |text: &str| says(json!({"hookEventName": "Stop", "additionalContext": text}));
    for text in ["\u{feff}", "\n\u{85}", "\u{1c}"] {
        silent("it is blank for some", "fate", case("Stop", json!({}), context(text)));
    }
    let message = json!({"out": json!({"systemMessage": "CC-2\u{feff}"}).to_string()});
    let lines = claimed(case("PreToolUse", bash(), message));
    assert!(
        lines.iter().any(|line| line.contains("[\"CC-2\"]")),
        "only what is between its ends arrives for certain: {lines:#?}"
    );
    let path = |text: &str| says(json!({"hookEventName": "WorktreeCreate", "worktreePath": text}));
    let http = hooks("WorktreeCreate", json!({"hooks": [{"type": "http", "url": "http://u"}]}));
    for text in ["\u{c}", " ", "\u{85}"] {
        let result = json!({"end": {"status": 200}, "out": path(text)["out"]});
        silent(
            "it may be a path",
            "fate",
            json!({"settings": [http], "results": {"http://u": result}, "steps": [fire("WorktreeCreate", json!({"name": "x"}))]}),
        );
    }
    let note = format!("{}NOTE-1 {}", " ".repeat(500), "a".repeat(3_000));
    let output = says(json!({"hookEventName": "PostToolUse", "classifierContext": note}));
    let input = json!({"tool_name": "Write", "tool_input": {}, "tool_response": {}, "tool_use_id": "t"});
    let mut noted = case("PostToolUse", input, output);
    noted["host"] = json!({"permission_mode": "auto"});
    silent("the limit may not count it", "said/classifier", noted);
}

#[test]
fn what_is_limited_or_allowed_under_one_reading_only_is_not_claimed() {
    let case = |event: &str, input: Value, result: Value| json!({"settings": [commands(event, &["g"])], "results": {"g": result}, "steps": [fire(event, input)]});
    let long = json!({"end": {"exit": 1}, "err": {"fill": ["a", 10_001]}});
    silent("the line may lie in a file", "said/user {\"say\"", case("PreToolUse", bash(), long));
    for value in ["\u{9d}0;AB-1\u{7}", "\u{9d}0;AB-1\u{9c}", "\u{1b}]2;\u{7}"] {
        let result = json!({"out": json!({"terminalSequence": value}).to_string()});
        silent("such a sequence may be allowed", "said/terminal", case("Stop", json!({}), result));
    }
    let layer = |command: &str| json!({"from": {"plugin": "p"}, "settings": {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": command}]}]}}});
    silent(
        "a plugin's own handler may run once",
        "ran",
        json!({"settings": [layer("h"), layer("h")], "steps": [fire("PreToolUse", bash())]}),
    );
    let empty = json!({"tool_name": "Write", "tool_input": {"file_path": "", "content": "C"}, "tool_use_id": "t"});
    silent("there is no path to resolve", "given/input/tool_input/file_path", case("PreToolUse", empty, json!({})));
    let asked = json!({"trigger": "auto", "custom_instructions": "AA-1"});
    silent("nobody asked for it", "given/input/custom_instructions", case("PreCompact", asked, json!({})));
}

#[test]
fn a_case_that_contradicts_itself_claims_nothing() {
    for (event, input, otherwise) in [
        ("PreToolUse", json!({"cwd": "/x"}), "proceeds"),
        ("Stop", json!({"stop_hook_active": true}), "proceeds"),
        ("PreCompact", json!({"model": "m"}), "proceeds"),
        ("Stop", json!({}), "prevented"),
        ("PostToolUse", bash(), "asked"),
        ("PreToolUse", bash(), "deferred"),
    ] {
        let mut step = fire(event, input);
        step["fire"]["otherwise"] = json!(otherwise);
        silent(event, "", json!({"settings": [commands(event, &["g"])], "steps": [step]}));
    }
}

#[test]
fn a_blocked_prompt_is_kept_from_the_model() {
    let case = |result: Value| json!({"settings": [commands("UserPromptSubmit", &["g"])], "results": {"g": result}, "steps": [fire("UserPromptSubmit", json!({"prompt": "PROMPT-1"}))]});
    claims(
        "by exit 2",
        r#"said/model {"not_say":{"parts":["PROMPT-1"]}} EXIT-2-EV-UserPromptSubmit"#,
        case(json!({"end": {"exit": 2}, "err": "ERR-1"})),
    );
    claims(
        "by JSON",
        r#"said/model {"not_say":{"parts":["PROMPT-1"]}} PROMPTSUB-OUT-07"#,
        case(json!({"out": "{\"decision\":\"block\",\"reason\":\"WHY-1\"}"})),
    );
    silent("it is let through", "said/model {\"not_say\":{\"parts\":[\"PROMPT-1\"]", case(json!({})));
}

#[test]
fn a_switch_that_says_two_things_at_once_or_none_decides_nothing() {
    let switched = |from: &str, value: Value| json!({"from": from, "settings": {"disableAllHooks": value}});
    let case = |layers: &[Value]| {
        let mut all = vec![commands("PreToolUse", &["g"])];
        all.extend_from_slice(layers);
        json!({"settings": all, "steps": [fire("PreToolUse", bash())]})
    };
    let (on, off) = (switched("project", json!(false)), switched("project", json!(true)));
    silent("two files of one source differ", "", case(&[on, off.clone()]));
    silent("the value is no boolean", "", case(&[switched("project", json!("yes"))]));
    claims("they say the same", r#"ran {"run_exactly":[]} CONFIG-DISABLE-01"#, case(&[off.clone(), off]));
    let flag = switched("flag", json!(true));
    claims("nobody says otherwise", r#"ran {"run_exactly":[]} CONFIG-DISABLE-01"#, case(std::slice::from_ref(&flag)));
    let others = switched("local", json!(false));
    claims("it beats a file", r#"ran {"run_exactly":[]} CONFIG-DISABLE-03"#, case(&[flag.clone(), others]));
    let untrusted = |surface: &str, layer: &Value| {
        let group = json!({"PreToolUse": [{"hooks": [{"type": "command", "command": "g"}]}]});
        json!({"host": {"trusted": false, "surface": surface}, "steps": [fire("PreToolUse", bash())],
               "settings": [{"from": {"plugin": "tools"}, "settings": {"hooks": group}}, layer]})
    };
    let off = switched("project", json!(true));
    silent("whether a project that nobody trusts has a say", "", untrusted("terminal", &off));
    let gone = r#"ran {"run_exactly":[]} CONFIG-DISABLE-01"#;
    claims("there it is trusted", gone, untrusted("print", &off));
    claims("that is the user's own", gone, untrusted("terminal", &switched("user", json!(true))));
}
