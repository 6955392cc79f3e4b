//! What is claimed, and what is not, of hooks in the background.

use super::{bash, claims, fire, prints, silent};
use serde_json::{Value, json};

fn layer(event: &str, from: &str, fields: Value) -> Value {
    let mut handler = json!({"type": "command", "command": "g"});
    handler.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
    json!({"from": from, "settings": {"hooks": {event: [{"hooks": [handler]}]}}})
}

/// One firing, then a prompt and the request that follows.
fn case(event: &str, input: Value, result: Value) -> Value {
    let steps = json!([fire(event, input), {"happen": "new_prompt"}, {"happen": "model_request"}]);
    json!({"settings": [layer(event, "user", json!({"async": true}))], "results": {"g": result}, "steps": steps})
}

fn call(result: Value) -> Value {
    case("PreToolUse", bash(), result)
}

fn context(more: Value) -> Value {
    let mut inner = json!({"hookEventName": "PreToolUse", "additionalContext": "CTX-1"});
    inner.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    prints(json!({"hookSpecificOutput": inner, "systemMessage": "MSG-1"}))
}

#[test]
fn nobody_waits_for_it_and_so_it_decides_nothing() {
    let deny = context(json!({"permissionDecision": "deny", "permissionDecisionReason": "WHY-1"}));
    claims("it runs", r#"0-0 ran {"run_exactly":["g"]} CONFIG-NEST-02"#, call(deny.clone()));
    claims("it denies", r#"0-0 fate {"be":"proceeds"} ASYNC-04"#, call(deny.clone()));
    claims("nor is anybody told why", r#"0-0 said/model {"not_say":{"parts":["WHY-1"]}} ASYNC-04"#, call(deny));
    let odd = prints(json!({"continue": "no"}));
    claims("whatever it says of going on", r#"0-0 agent {"be":"goes_on"} ASYNC-04"#, call(odd));
    let idle = case("TeammateIdle", json!({}), prints(json!({"continue": false})));
    silent("what a teammate does that goes idle", "0-0 agent", idle);
    let stops = prints(json!({"continue": false, "stopReason": "HALT-1"}));
    claims("it stops nobody", r#"0-0 agent {"be":"goes_on"} ASYNC-04"#, call(stops));
    let other = context(json!({"updatedInput": {"command": "rm"}}));
    claims("it replaces nothing", r#"0-0 set/tool_input "absent" ASYNC-04"#, call(other));
    let exit_2 = json!({"end": {"exit": 2}, "err": "ERR-1"});
    claims("it exits 2", r#"0-0 fate {"be":"proceeds"} ASYNC-01"#, call(exit_2.clone()));
    claims("it stays a stop", r#"0-0 agent {"be":"ends_turn"} ASYNC-01"#, case("Stop", json!({}), exit_2));
    claims("it is silent", r#"0-0 fate {"be":"proceeds"} CONFIG-NEST-03"#, call(json!({})));
    claims("its input", r#"0-0 given/input/tool_name {"be":"Bash"} PRETOOL-IN-01"#, call(json!({})));
    silent("its time no longer counts", "0-0 given/timeout", call(json!({})));
    let made = case("WorktreeCreate", json!({"name": "otter"}), json!({"out": "/work/trees/otter"}));
    silent("whether it returns a path", "0-0 fate", made);
}

#[test]
fn what_it_asks_for_does_not_happen_where_nobody_else_asks_for_anything() {
    let rewrites = |command: &str, more: Value| {
        let mut fields = json!({"updatedInput": {"command": command}});
        fields.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        context(fields)
    };
    let beside = |other: Value| {
        let mut case = call(rewrites("rm", json!({})));
        let group = json!({"hooks": [{"type": "command", "command": "s"}]});
        let layers = case["settings"].as_array_mut().expect("layers");
        layers.push(json!({"from": "project", "settings": {"hooks": {"PreToolUse": [group]}}}));
        case["results"]["s"] = other;
        case
    };
    let absent = r#"0-0 set/tool_input "absent" ASYNC-04"#;
    claims("another is silent", absent, beside(json!({})));
    silent("another replaces it", absent, beside(rewrites("mv", json!({"permissionDecision": "allow"}))));
    silent("it asks for nothing", "0-0 set", call(context(json!({}))));
    let mark = json!({"async": true, "hookSpecificOutput":
        {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "WHY-1"}});
    silent("what it prints may be a mark and no answer", "0-0 said", call(prints(mark)));
}

#[test]
fn a_prompt_that_does_not_go_through_need_not_carry_it() {
    let prompted = |result: Value| {
        let mut case = call(context(json!({})));
        let group = json!({"hooks": [{"type": "command", "command": "p"}]});
        let layers = case["settings"].as_array_mut().expect("layers");
        layers.push(json!({"from": "project", "settings": {"hooks": {"UserPromptSubmit": [group]}}}));
        case["results"]["p"] = result;
        case["steps"][1] = fire("UserPromptSubmit", json!({"prompt": "P-1"}));
        case
    };
    let arrives = r#"2-2 said/model {"say":{"parts":["CTX-1"]}} ASYNC-05"#;
    claims("it goes through", arrives, prompted(json!({})));
    silent("it is blocked", arrives, prompted(json!({"end": {"exit": 2}, "err": "ERR-1"})));
    silent("the agent stops at it", arrives, prompted(prints(json!({"continue": false}))));
}

#[test]
fn what_it_says_reaches_the_model_with_the_next_prompt_and_not_the_user() {
    for (at, line) in [
        ("context", r#"2-2 said/model {"say":{"lies":"in_text","parts":["CTX-1"]}} ASYNC-05"#),
        ("message", r#"2-2 said/model {"say":{"lies":"in_text","parts":["MSG-1"]}} ASYNC-05"#),
        ("message", r#"0-2 said/user {"not_say":{"parts":["MSG-1"]}} ASYNC-05"#),
        ("context", r#"0-2 said/user {"not_say":{"parts":["CTX-1"]}} ASYNC-05"#),
    ] {
        let line = line.replace(r#""lies":"in_text","#, "");
        claims(at, &line, call(context(json!({}))));
    }
    silent("the turn goes on", "0-0 said/model", call(context(json!({}))));
    let mut same_turn = call(context(json!({})));
    same_turn["steps"] = json!([fire("PreToolUse", bash()), {"happen": "model_request"}]);
    silent("it may be early", "1-1 said/model", same_turn);
    let mut submitted = call(context(json!({})));
    submitted["steps"][1] = fire("UserPromptSubmit", json!({"prompt": "P-1"}));
    claims("a prompt is one", r#"2-2 said/model {"say":{"parts":["CTX-1"]}} ASYNC-05"#, submitted);
    let mut printed = call(context(json!({})));
    printed["host"] = json!({"surface": "print"});
    silent("a run may be over", "2-2 said/model", printed);
    silent("plain text", "2-2 said", call(json!({"out": "OUT-1"})));
    silent("beside a failure", "2-2 said", call(json!({"end": {"exit": 1}, "out": context(json!({}))["out"]})));
    let named = prints(json!({"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": "CTX-1"}}));
    silent("the name of another event", "2-2 said", call(named));
    let begun =
        case("SubagentStart", json!({"agent_id": "a1", "agent_type": "x"}), prints(json!({"systemMessage": "MSG-1"})));
    silent("whose model", "2-2 said", begun);
}

#[test]
fn a_field_of_the_wrong_type_goes_and_the_rest_stays() {
    let wrong = prints(
        json!({"systemMessage": ["MSG-1"], "hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "CTX-1"}}),
    );
    claims("the rest", r#"2-2 said/model {"say":{"parts":["CTX-1"]}} ASYNC-06"#, call(wrong.clone()));
    claims("the field", r#"0-2 said/model {"not_say":{"parts":["MSG-1"]}} ASYNC-06"#, call(wrong));
    silent("null", "2-2 said", call(prints(json!({"systemMessage": "MSG-1", "stopReason": null}))));
    let arrives = r#"2-2 said/model {"say":{"parts":["MSG-1"]}} ASYNC-05"#;
    let blocks = |decision: &str| call(prints(json!({"systemMessage": "MSG-1", "decision": decision})));
    claims("beside a block", arrives, blocks("block"));
    silent("beside a decision that nobody knows", "2-2 said", blocks("perhaps"));
    claims("beside a denial", arrives, call(context(json!({"permissionDecision": "deny"}))));
    silent("beside a denial that nobody knows", "2-2 said", call(context(json!({"permissionDecision": "perhaps"}))));
    claims("beside an input", arrives, call(context(json!({"updatedInput": {"command": "rm"}}))));
    silent("beside an input that is none", "2-2 said", call(context(json!({"updatedInput": "rm"}))));
    silent("beside a field of another event", "2-2 said", call(context(json!({"classifierContext": "NOTE-1"}))));
    let input = json!({"from_model": "a", "to_model": "b", "source": "command"});
    let switch = |fields: Value| case("PreModelSwitch", input.clone(), prints(fields));
    claims("on a switch", arrives, switch(json!({"systemMessage": "MSG-1"})));
    let inner = json!({"hookEventName": "PreModelSwitch", "additionalContext": "CTX-1"});
    let beside = switch(json!({"systemMessage": "MSG-1", "hookSpecificOutput": inner}));
    silent("beside a context that the event has not", "2-2 said", beside);
}

#[test]
fn what_may_be_no_text_or_none_of_the_main_agent_is_left_alone() {
    let says_that_it_starts = prints(json!({"async": true, "systemMessage": "MSG-1"}));
    silent("it may be a mark and no answer", "2-2 said", call(says_that_it_starts));
    silent("nothing is said", "2-2 said", call(prints(json!({"systemMessage": " "}))));
    let long = prints(json!({"systemMessage": format!("MSG-1 {}", "a".repeat(10_000))}));
    silent("it may lie in a file", "2-2 said/model {\"say\"", call(long));
    let message = prints(json!({"systemMessage": "MSG-1"}));
    silent("notices count on some events only", "2-2 said", case("PreCompact", json!({"trigger": "manual"}), message));
    let mut denied = call(prints(json!({"continue": false})));
    denied["steps"][0]["fire"]["otherwise"] = json!("prevented");
    silent("what an agent does whose call is refused", "0-0 agent", denied);
}

#[test]
fn a_note_of_a_hook_in_the_background_is_dropped() {
    let input = json!({"tool_name": "Edit", "tool_input": {}, "tool_use_id": "t", "tool_response": {}});
    let note = json!({"hookSpecificOutput": {"hookEventName": "PostToolUse", "classifierContext": "NOTE-1"}});
    claims(
        "a note",
        r#"0-2 said/classifier {"not_say":{"parts":["NOTE-1"]}} CLASSIF-06"#,
        case("PostToolUse", input, prints(note)),
    );
}

#[test]
fn what_a_handler_of_another_type_returns_waits_for_no_prompt() {
    let mut marked = call(context(json!({})));
    marked["settings"][0]["settings"]["hooks"]["PreToolUse"][0]["hooks"] =
        json!([{"type": "http", "url": "http://h.test/a", "async": true}]);
    let body = marked["results"]["g"]["out"].clone();
    marked["results"] = json!({"http://h.test/a": {"end": {"status": 200}, "out": body}});
    for token in ["CTX-1", "MSG-1"] {
        claims(token, &format!(r#"1-2 said/model {{"not_say":{{"parts":["{token}"]}}}} ASYNC-02"#), marked.clone());
    }
    silent("whether the mark spoils it", "0-0", marked.clone());
    let mut beside = marked.clone();
    let handlers = &mut beside["settings"][0]["settings"]["hooks"]["PreToolUse"][0]["hooks"];
    let handlers = handlers.as_array_mut().expect("handlers");
    handlers.push(json!({"type": "command", "command": "c", "async": true}));
    handlers.push(json!({"type": "http", "url": "http://h.test/b"}));
    beside["results"]["c"] = prints(json!({"systemMessage": "OWN-1"}));
    let body = prints(json!({"systemMessage": "OWN-2"}));
    beside["results"]["http://h.test/b"] = json!({"end": {"status": 200}, "out": body["out"]});
    let kept = |token: &str| format!(r#"1-2 said/model {{"not_say":{{"parts":["{token}"]}}}} ASYNC-02"#);
    claims("the one of another type", &kept("MSG-1"), beside.clone());
    for token in ["OWN-1", "OWN-2"] {
        silent("it is no such handler", &kept(token), beside.clone());
    }
    let hooks = marked["settings"][0]["settings"]["hooks"]["PreToolUse"].clone();
    for event in ["PostModelSwitch", "DirectoryAdded"] {
        let mut later = marked.clone();
        later["settings"][0]["settings"]["hooks"] = json!({event: hooks});
        later["steps"][0] = fire(event, json!({}));
        silent("what every hook says there comes later", "1-2 said/model", later);
    }
}

#[test]
fn one_that_may_wake_the_agent_is_left_alone() {
    let mut case = call(json!({"end": {"exit": 2}, "err": "ERR-1"}));
    case["settings"] = json!([layer("PreToolUse", "user", json!({"asyncRewake": true}))]);
    claims("it blocks nothing", r#"0-0 fate {"be":"proceeds"} ASYNC-10"#, case.clone());
    silent("when the agent is woken", "1-1", case.clone());
    silent("where that arrives", "2-2", case.clone());
    let mut stop = case.clone();
    stop["settings"] = json!([layer("Stop", "user", json!({"asyncRewake": true}))]);
    stop["steps"][0] = fire("Stop", json!({}));
    claims("it runs", r#"0-0 ran {"run_exactly":["g"]} CONFIG-NEST-02"#, stop.clone());
    silent("it may go on at once", "0-0 agent", stop);
    case["settings"] =
        json!([layer("PreToolUse", "user", json!({"async": true})), layer("PreToolUse", "project", json!({}))]);
    silent("which copy runs", "0-0", case.clone());
    case["settings"][0]["settings"]["hooks"]["PreToolUse"][0]["hooks"][0]["type"] = json!("http");
    silent("what it means of another type", "0-0", case);
}
