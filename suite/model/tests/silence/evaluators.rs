//! Handlers that are no commands: tools, evaluators, and what is sent to servers.

use super::{bash, claims, fire, hooks, silent};
use hookproof_contract::{Readings, Revision};
use serde_json::{Value, json};

/// One firing with these handlers, and what they answered.
fn with(event: &str, input: Value, handlers: Value, results: Value) -> Value {
    json!({"settings": [hooks(event, json!({"hooks": handlers}))], "results": results, "steps": [fire(event, input)]})
}

fn prompt() -> Value {
    json!({"type": "prompt", "prompt": "judge"})
}

fn going_on() -> Value {
    json!({"type": "prompt", "prompt": "judge", "continueOnBlock": true})
}

fn agent() -> Value {
    json!({"type": "agent", "prompt": "judge"})
}

fn tool() -> Value {
    json!({"type": "mcp_tool", "server": "memory", "tool": "scan"})
}

fn command() -> Value {
    json!({"type": "command", "command": "g"})
}

fn answers(out: Value) -> Value {
    json!({"end": "answered", "out": out.to_string()})
}

fn objects() -> Value {
    answers(json!({"ok": false, "reason": "WHY-1"}))
}

fn impossible() -> Value {
    answers(json!({"ok": false, "reason": "WHY-1", "impossible": true}))
}

/// One evaluator alone, and its answer.
fn judged(event: &str, handler: Value, result: Value) -> Value {
    let input = match event {
        "PreToolUse" | "PostToolUse" | "PostToolUseFailure" => bash(),
        "UserPromptSubmit" => json!({"prompt": "PROMPT-1"}),
        "UserPromptExpansion" => json!({"prompt": "/deploy PROMPT-1", "command_name": "deploy"}),
        "PostToolBatch" => json!({"tool_calls": [bash(), bash()]}),
        "ConfigChange" => json!({"source": "skills"}),
        _ => json!({}),
    };
    with(event, input, json!([handler]), json!({"judge": result}))
}

const OVER: &str = r#"agent {"be_one_of":["ends_turn","stops"]}"#;
const GOES_ON: &str = r#"agent {"be":"goes_on"}"#;
const TOLD: &str = r#"said/model {"say":{"lies":"in_text","parts":["WHY-1"]}}"#;
const SHOWN: &str = r#"said/user {"say":{"lies":"in_text","parts":["WHY-1"]}}"#;
const WARNED: &str = r#"said/user {"say":{"parts":[]}}"#;
const REFUSED: &str = r#"said/model {"say":{"how":"refusal","lies":"in_text","parts":["WHY-1"]}}"#;

#[test]
fn an_objection_has_on_each_event_the_effect_that_is_told() {
    for (event, handler, lines) in [
        (
            "PreToolUse",
            prompt(),
            vec![(r#"fate {"be":"prevented"}"#, "PROMPT-RESP-03"), (OVER, "PROMPT-RESP-03"), (SHOWN, "PROMPT-RESP-03")],
        ),
        (
            "PreToolUse",
            going_on(),
            vec![
                (r#"fate {"be":"prevented"}"#, "PROMPT-RESP-13"),
                (GOES_ON, "PROMPT-RESP-03"),
                (REFUSED, "PROMPT-RESP-03"),
            ],
        ),
        (
            "PreToolUse",
            agent(),
            vec![(r#"fate {"be":"prevented"}"#, "AGENT-03"), (GOES_ON, "AGENT-03"), (REFUSED, "AGENT-03")],
        ),
        ("PostToolUse", prompt(), vec![(OVER, "PROMPT-RESP-04"), (WARNED, "PROMPT-RESP-04")]),
        ("PostToolUse", going_on(), vec![(GOES_ON, "PROMPT-RESP-04"), (TOLD, "PROMPT-RESP-04")]),
        ("PostToolUse", agent(), vec![(GOES_ON, "AGENT-03"), (TOLD, "AGENT-03")]),
        ("UserPromptSubmit", prompt(), vec![(OVER, "PROMPT-RESP-05"), (SHOWN, "PROMPT-RESP-05")]),
        ("UserPromptExpansion", going_on(), vec![(OVER, "PROMPT-RESP-05"), (SHOWN, "PROMPT-RESP-05")]),
        (
            "PostToolBatch",
            agent(),
            vec![(r#"fate {"be":"prevented"}"#, "PROMPT-RESP-05"), (OVER, "PROMPT-RESP-05"), (SHOWN, "PROMPT-RESP-05")],
        ),
        ("PostToolUseFailure", prompt(), vec![(GOES_ON, "PROMPT-RESP-06"), (TOLD, "PROMPT-RESP-06")]),
        ("TaskCreated", prompt(), vec![(GOES_ON, "PROMPT-RESP-06"), (TOLD, "PROMPT-RESP-06")]),
        ("TaskCompleted", agent(), vec![(GOES_ON, "PROMPT-RESP-07"), (TOLD, "PROMPT-RESP-07")]),
        ("TeammateIdle", prompt(), vec![(r#"agent {"be":"stops"}"#, "PROMPT-RESP-08"), (WARNED, "PROMPT-RESP-08")]),
        (
            "TeammateIdle",
            going_on(),
            vec![
                (r#"fate {"be":"prevented"}"#, "PROMPT-RESP-08"),
                (GOES_ON, "PROMPT-RESP-08"),
                (TOLD, "PROMPT-RESP-08"),
            ],
        ),
        (
            "Stop",
            prompt(),
            vec![
                (r#"fate {"be":"prevented"}"#, "PROMPT-RESP-02"),
                (GOES_ON, "PROMPT-RESP-02"),
                (TOLD, "PROMPT-RESP-02"),
            ],
        ),
        (
            "SubagentStop",
            agent(),
            vec![
                (r#"fate {"be":"prevented"}"#, "PROMPT-RESP-02"),
                (GOES_ON, "PROMPT-RESP-02"),
                (TOLD, "PROMPT-RESP-02"),
            ],
        ),
    ] {
        for (claim, rule) in lines {
            claims(
                &format!("{event} {handler}"),
                &format!("{claim} {rule}"),
                judged(event, handler.clone(), objects()),
            );
        }
    }
    let mut halted = judged("TaskCompleted", prompt(), objects());
    halted["host"]["facts"] = json!(["turn_ends"]);
    claims("a teammate is at its end", r#"agent {"be":"stops"} PROMPT-RESP-07"#, halted.clone());
    halted["settings"][0]["settings"]["hooks"]["TaskCompleted"][0]["hooks"][0]["continueOnBlock"] = json!(true);
    silent("only the default is told of", "agent", halted);
}

#[test]
fn that_it_is_impossible_counts_at_a_stop_and_from_prompts_alone() {
    claims("the agent may stop", r#"fate {"be":"proceeds"} PROMPT-RESP-02"#, judged("Stop", prompt(), impossible()));
    claims("its turn is over", r#"agent {"be":"ends_turn"} PROMPT-RESP-02"#, judged("Stop", prompt(), impossible()));
    claims("an agent cannot say so", r#"fate {"be":"prevented"} AGENT-03"#, judged("Stop", agent(), impossible()));
    claims(
        "nor is it heeded elsewhere",
        r#"fate {"be":"prevented"} PROMPT-RESP-11"#,
        judged("PreToolUse", prompt(), impossible()),
    );
    let beside = |result: Value| {
        with("Stop", json!({}), json!([prompt(), command()]), json!({"judge": impossible(), "g": result}))
    };
    silent("a block beside it", "fate", beside(json!({"end": {"exit": 2}, "err": "ERR-1"})));
    claims("a silent hook beside it", r#"fate {"be":"proceeds"} PROMPT-RESP-02"#, beside(json!({})));
}

#[test]
fn no_evaluator_keeps_an_agent_working_beyond_the_limit() {
    let mut always = judged("Stop", prompt(), objects());
    always["steps"][0]["fire"]["times"] = json!(9);
    silent("the limit is reached", r#"8-8 agent {"be":"goes_on"}"#, always.clone());
    claims("the turn is over", r#"8-8 agent {"be":"ends_turn"} STOP-CAP-01"#, always);
}

#[test]
fn consent_decides_nothing_and_may_be_permission() {
    let consents = |otherwise: &str, host: Value| {
        let mut case = judged("PreToolUse", prompt(), answers(json!({"ok": true})));
        case["steps"][0]["fire"]["otherwise"] = json!(otherwise);
        case["host"] = host;
        case
    };
    claims("nobody objects", r#"fate {"be":"proceeds"} PROMPT-RESP-12"#, consents("proceeds", json!({})));
    silent("whether it skips the prompt is not said", "fate", consents("asked", json!({})));
    silent(
        "nor whether it lifts another refusal",
        "fate",
        consents("prevented", json!({"permission_mode": "dontAsk"})),
    );
    let denied = consents("prevented", json!({"permissions": {"deny": ["Bash"]}}));
    claims("a deny rule is stronger than any hook", r#"fate {"be":"prevented"} PROMPT-RESP-12"#, denied);
}

#[test]
fn of_answers_that_are_none_nothing_is_claimed() {
    for result in [
        json!({"end": "timed_out"}),
        json!({"end": "answered", "out": "no"}),
        answers(json!({"ok": false})),
        answers(json!({"decision": "block", "reason": "WHY-1"})),
        answers(json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}})),
    ] {
        for place in ["fate", "agent", "said", "set"] {
            silent(&result.to_string(), place, judged("PreToolUse", prompt(), result.clone()));
        }
        claims(
            "it ran all the same",
            r#"ran {"run_exactly":["judge"]} PROMPT-SUP-01"#,
            judged("PreToolUse", prompt(), result),
        );
    }
}

#[test]
fn what_an_objection_leaves_open_is_left_open() {
    for (why, of, event, handler) in [
        ("whether a prompt goes on whose turn is ended", "fate", "UserPromptSubmit", prompt()),
        ("whether a command is expanded whose turn is ended", "fate", "UserPromptExpansion", agent()),
        ("whether the task is undone", "fate", "TaskCreated", prompt()),
        ("whether the task is undone", "set", "TaskCreated", prompt()),
        ("whether the task is completed", "fate", "TaskCompleted", prompt()),
        ("whether one that is halted goes idle", "fate", "TeammateIdle", prompt()),
        ("whether the warning is in a manner of its own", r#"said/user {"say":{"how"#, "PreToolUse", prompt()),
        ("whether a block is shown as an error", "said/user", "Stop", prompt()),
        ("that the model reads why its turn ended", "said/model", "PreToolUse", prompt()),
    ] {
        silent(why, of, judged(event, handler, objects()));
    }
    let contexts = json!({"out": json!({"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "CTX-1"}}).to_string()});
    let beside = |handler: Value| {
        with("PostToolUse", bash(), json!([handler, command()]), json!({"judge": objects(), "g": contexts}))
    };
    silent("a turn that is over carries no context", "said/model", beside(prompt()));
    claims(
        "one that goes on does",
        r#"said/model {"say":{"how":"context","lies":"in_text","parts":["CTX-1"]}} POSTTOOL-CTX"#,
        beside(agent()),
    );
    let stops = json!({"out": json!({"continue": false}).to_string()});
    let stopped = with("Stop", json!({}), json!([prompt(), command()]), json!({"judge": objects(), "g": stops}));
    silent("one wants to go on and one to stop", "agent", stopped.clone());
    silent("one wants to go on and one to stop", "fate", stopped);
    let mixed = with(
        "PreToolUse",
        bash(),
        json!([prompt(), {"type": "agent", "prompt": "other"}]),
        json!({"judge": objects(), "other": objects()}),
    );
    silent("one wants the turn to end and one that it goes on", "agent", mixed);
}

#[test]
fn a_type_that_an_event_does_not_run_is_passed_over() {
    for handler in [prompt(), agent()] {
        let beside =
            with("ConfigChange", json!({"source": "skills"}), json!([handler, command()]), json!({"judge": objects()}));
        claims("the other runs", r#"ran {"run_exactly":["g"]} PROMPT-SUP-03"#, beside);
        let alone = judged("ConfigChange", handler.clone(), objects());
        claims("and alone it changes nothing", r#"fate {"be":"proceeds"} PROMPT-SUP-03"#, alone);
        let begins = with("SessionStart", json!({"source": "clear"}), json!([handler]), json!({}));
        claims("nor does it at a beginning", r#"ran {"run_exactly":[]} PROMPT-SUP-04"#, begins);
    }
    let begins = |source: &str| with("SessionStart", json!({"source": source}), json!([tool()]), json!({}));
    claims("no server can be reached at launch", r#"ran {"run_exactly":[]} MCPHOOK-13"#, begins("startup"));
    let mut perhaps = begins("startup");
    perhaps["settings"][0]["from"] = json!("flag");
    let managed = json!({"from": "managed", "settings": {"hooks": {}, "allowManagedHooksOnly": true}});
    perhaps["settings"] = json!([perhaps["settings"][0], managed]);
    silent("it may be none that counts", "said/debug", perhaps);
    claims("and later it can", r#"ran {"run_exactly":["scan"]} MCPHOOK-12"#, begins("clear"));
    silent("whether that is a launch is not told", "", begins("resume"));
}

#[test]
fn a_tools_text_is_read_as_that_of_a_command() {
    let on = |event: &str, input: Value, result: Value| with(event, input, json!([tool()]), json!({"scan": result}));
    let text = |text: &str| json!({"end": "answered", "out": text});
    let deny = answers(json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}));
    claims("its JSON decides", r#"fate {"be":"prevented"} MCPHOOK-04"#, on("PreToolUse", bash(), deny.clone()));
    let mut failed = deny;
    failed["end"] = json!("tool_error");
    claims("not that of an error", r#"fate {"be":"proceeds"} MCPHOOK-05"#, on("PreToolUse", bash(), failed));
    let prompt = json!({"prompt": "PROMPT-1"});
    claims(
        "its plain text is context",
        r#"said/model {"say":{"how":"context","lies":"in_text","parts":["NOTE-1"]}} MCPHOOK-04"#,
        on("UserPromptSubmit", prompt.clone(), text("NOTE-1")),
    );
    claims(
        "an unconnected server is no obstacle",
        r#"fate {"be":"proceeds"} MCPHOOK-08"#,
        on("UserPromptSubmit", prompt, json!({"end": "refused"})),
    );
    let late = json!({"end": "timed_out", "out": "NOTE-1"});
    claims(
        "a tool that is late blocks nothing",
        r#"fate {"be":"proceeds"} TIMEOUT-05"#,
        on("PreToolUse", bash(), late),
    );
    silent("it has no stdout that a log would keep", "said/debug", on("PreToolUse", bash(), text("NOTE-1")));
    silent(
        "how a tool returns a path is not said",
        "fate",
        on("WorktreeCreate", json!({"name": "x"}), text("/work/trees/x")),
    );
    let error = json!({"end": "tool_error"});
    claims(
        "but one that fails gives none",
        r#"fate {"be":"prevented"} WTCREATE-OUT-06"#,
        on("WorktreeCreate", json!({"name": "x"}), error),
    );
}

#[test]
fn what_is_sent_is_claimed_where_it_is_certain() {
    let called = |input: Value| {
        let mut tool = tool();
        tool["input"] = input;
        with("PreToolUse", bash(), json!([tool]), json!({}))
    };
    claims(
        "a place is put in",
        r#"given/arguments/c {"be":"on Bash: ls"} MCPHOOK-03"#,
        called(json!({"c": "on ${tool_name}: ${tool_input.command}"})),
    );
    claims(
        "what is no string stays",
        r#"given/arguments/n {"be":[1,true]} MCPHOOK-03"#,
        called(json!({"n": [1, true]})),
    );
    silent("how an object is put into a text is not said", "given/arguments", called(json!({"c": "${tool_input}"})));
    silent("nor what nothing comes to", "given/arguments", called(json!({"c": "${tool_input.path}"})));
    silent("a tool is not handed the event's JSON", "given/input", called(json!({})));
    silent("nor is an evaluator", "given/input", judged("Stop", prompt(), objects()));
    claims("a prompt has less time", r#"given/timeout {"be":30} PROMPT-CONF-05"#, judged("Stop", prompt(), objects()));
    claims("and an agent more", r#"given/timeout {"be":60} TIMEOUT-DEF-03"#, judged("Stop", agent(), objects()));
    claims("a tool has as much as a command", r#"given/timeout {"be":600} TIMEOUT-DEF-02"#, called(json!({})));
}

#[test]
fn an_evaluator_is_asked_its_prompt_with_the_event_in_it() {
    let asked = |prompt: &str| {
        let input = json!({"tool_name": "Bash", "tool_input": {"command": "CMD-1"}, "tool_use_id": "toolu_1"});
        with("PreToolUse", input, json!([{"type": "prompt", "prompt": prompt}]), json!({}))
    };
    for (prompt, claim) in [
        ("weigh $ARGUMENTS now", r#"{"say":{"parts":["weigh ","CMD-1"," now"]}} PROMPT-CONF-02"#),
        ("weigh $ARGUMENTS now", r#"{"not_say":{"parts":["$ARGUMENTS"]}} PROMPT-CONF-02"#),
        ("is it right?", r#"{"say":{"parts":["is it right?","CMD-1"]}} PROMPT-CONF-03"#),
        (r"for \$1: $ARGUMENTS", r#"{"say":{"parts":["for $1: "]}} PROMPT-CONF-04"#),
        (r"for \$1: $ARGUMENTS", r#"{"not_say":{"parts":["\\$"]}} PROMPT-CONF-04"#),
        (r"for \$1: $ARGUMENTS", r#"{"say":{"parts":["for ","1: ","CMD-1"]}} PROMPT-CONF-02"#),
    ] {
        claims(prompt, &format!("given/prompt {claim}"), asked(prompt));
    }
    let bare = with("Stop", json!({}), json!([prompt()]), json!({}));
    claims("the event at least", r#"given/prompt {"say":{"parts":["judge","Stop"]}} PROMPT-CONF-03"#, bare);
    for prompt in ["for $1", "$ARGUMENTS[0]", "${ARGUMENTS}", r"a \ b"] {
        silent("what it stands for is not said", "given/prompt", asked(prompt));
    }
    let itself = asked(r"the word \$ARGUMENTS");
    silent("whether it counts as being there", r#"given/prompt {"say":{"parts":["the word ","#, itself);
    let twice = asked("$ARGUMENTS and $ARGUMENTS");
    silent("whether each is a place", r#"given/prompt {"not_say""#, twice);
}

#[test]
fn where_nobody_heeds_an_evaluator_it_ends_no_turn() {
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}});
    for (event, otherwise, mode, rule) in [
        ("PermissionRequest", "asked", "default", "PROMPT-RESP-09"),
        ("PermissionDenied", "prevented", "auto", "PROMPT-RESP-10"),
    ] {
        let mut case = with(event, call.clone(), json!([prompt()]), json!({"judge": objects()}));
        case["steps"][0]["fire"]["otherwise"] = json!(otherwise);
        case["host"]["permission_mode"] = json!(mode);
        claims(event, &format!("{GOES_ON} {rule}"), case);
    }
    let consents = || answers(json!({"ok": true}));
    claims("after a call", &format!("{GOES_ON} PROMPT-RESP-12"), judged("PostToolUse", prompt(), consents()));
    for event in ["UserPromptSubmit", "PostToolUseFailure", "PostToolBatch", "TaskCreated", "TeammateIdle"] {
        silent("what the agent does then", "agent", judged(event, prompt(), consents()));
    }
}

#[test]
fn a_header_holds_the_variables_that_it_may() {
    let sends = |value: &str, names: Value| {
        let mut handler = json!({"type": "http", "url": "http://h.test/a", "headers": {"X-Key": value}});
        if !names.is_null() {
            handler["allowedEnvVars"] = names;
        }
        let mut case = with("Stop", json!({}), json!([handler]), json!({}));
        case["host"]["env"] = json!({"TOKEN": "s3cret", "OTHER": "more"});
        case
    };
    for (value, names, claim) in [
        ("Bearer $TOKEN", json!(["TOKEN"]), r#"{"be":"Bearer s3cret"} HTTP-REQ-03"#),
        ("${TOKEN}-${OTHER}", json!(["TOKEN"]), r#"{"be":"s3cret-"} HTTP-REQ-04"#),
        ("plain", json!([]), r#"{"be":"plain"} HTTP-REQ-03"#),
        ("Bearer $TOKEN", Value::Null, r#"{"be_one_of":["Bearer ","Bearer $TOKEN"]} HTTP-REQ-04"#),
    ] {
        claims(value, &format!("given/headers/X-Key {claim}"), sends(value, names));
    }
    for (why, value, names) in [
        ("what is not set", "$NOTHING", json!(["NOTHING"])),
        ("what may be escaped", r"\$TOKEN", json!(["TOKEN"])),
        ("what is no name", "costs $5", json!(["TOKEN"])),
    ] {
        silent(why, "given/headers", sends(value, names));
    }
    let mut listed = sends("$TOKEN$OTHER", json!(["TOKEN", "OTHER"]));
    listed["settings"][0]["settings"]["httpHookAllowedEnvVars"] = json!(["TOKEN", "OTHER"]);
    claims("both lists have it", r#"given/headers/X-Key {"be":"s3cretmore"} HTTP-REQ-03"#, listed.clone());
    listed["settings"][0]["settings"]["httpHookAllowedEnvVars"] = json!(["TOKEN"]);
    silent("some stay perhaps", "given/headers", listed);
    let beside = |list: Value| {
        let mut case = sends("$TOKEN", json!(["TOKEN"]));
        let plugin = json!({"from": {"plugin": "p"}, "settings": {"httpHookAllowedEnvVars": list}});
        case["settings"].as_array_mut().expect("layers").push(plugin);
        case
    };
    silent("whether such a list counts in a plugin", "given/headers", beside(json!([])));
    claims("it would say no less", r#"given/headers/X-Key {"be":"s3cret"} HTTP-REQ-03"#, beside(json!(["TOKEN"])));
    let mut barred = sends("$TOKEN", json!(["TOKEN"]));
    barred["settings"][0]["settings"]["httpHookAllowedEnvVars"] = json!([]);
    claims(
        "the settings leave it out",
        r#"given/headers/X-Key {"be_one_of":["","$TOKEN"]} CONFIG-HTTPALLOW-02"#,
        barred,
    );
}

#[test]
fn a_field_of_another_type_spoils_the_file() {
    for handler in [
        json!({"type": "prompt", "prompt": "judge", "continueOnBlock": "yes"}),
        json!({"type": "agent", "prompt": "judge", "continueOnBlock": false}),
        json!({"type": "mcp_tool", "tool": "scan"}),
        json!({"type": "mcp_tool", "server": "memory", "tool": "scan", "input": "text"}),
        json!({"type": "http", "url": "http://h.test/a", "headers": ["X"]}),
        json!({"type": "http", "url": "http://h.test/a", "allowedEnvVars": "TOKEN"}),
        json!({"type": "prompt"}),
    ] {
        silent(&handler.to_string(), "", with("Stop", json!({}), json!([handler.clone(), command()]), json!({})));
    }
    let twice = json!({"settings": [hooks("Stop", json!({"hooks": [prompt()]})), {"from": "project", "settings": hooks("Stop", json!({"hooks": [going_on()]}))["settings"]}],
        "steps": [fire("Stop", json!({}))]});
    silent("which copy's wish to go on counts is not said", "said", twice);
}

#[test]
fn beside_an_order_to_stop_an_objection_leaves_the_prompt_to_nobody() {
    let input = json!({"prompt": "PROMPT-1"});
    let results = json!({"judge": impossible(), "g": {"out": r#"{"continue":false}"#}});
    let case = with("UserPromptSubmit", input, json!([prompt(), {"type": "command", "command": "g"}]), results);
    let asked = |case: Value| {
        let case = serde_json::from_value(case).expect("a case");
        let expectation = hookproof_model::expect(Revision::NEWEST, &Readings::default(), &case).expect("modelled");
        expectation.worlds.len()
    };
    silent("whether it goes to the model", "0-0 fate", case.clone());
    assert_eq!(asked(case.clone()), 0, "no reading of an open point decides it");
    let mut alone = case;
    alone["results"]["judge"] = json!({});
    assert_eq!(asked(alone), 2, "A-183, where nobody objects");
}
