//! What is claimed, and what is not, of failed calls, batches of calls, expanded commands and changed configuration.

use super::{claims, commands, fire, hooks, one, prints, says, silent};
use serde_json::{Value, json};

#[test]
fn a_failed_call_is_told_of_and_nothing_more() {
    let failed = |more: Value| {
        let mut input = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "toolu_1", "error": "Exit code 1\nno"});
        input.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        input
    };
    let case = |result: Value| one("PostToolUseFailure", failed(json!({})), result);
    let exit_2 = json!({"end": {"exit": 2}, "err": "ERR-1"});
    let context = says(json!({"hookEventName": "PostToolUseFailure", "additionalContext": "CTX-1"}));
    for (why, line, result) in [
        (
            "stderr",
            r#"said/model {"say":{"how":"feedback","lies":"in_text","parts":["ERR-1"]}} EXIT-2-EV-PostToolUseFailure"#,
            &exit_2,
        ),
        ("it has failed", r#"fate {"be":"proceeds"} EXIT-2-EV-PostToolUseFailure"#, &exit_2),
        (
            "context",
            r#"said/model {"say":{"how":"context","lies":"in_text","parts":["CTX-1"]}} POSTFAIL-CTX"#,
            &context,
        ),
        ("nobody decides", r#"fate {"be":"proceeds"} DECISION-TOP-02"#, &context),
        ("the agent is stopped", r#"agent {"be":"stops"} JSON-CONT-01"#, &prints(json!({"continue": false}))),
        ("the field", r#"given/input/error {"be":"Exit code 1\nno"} POSTFAIL-IN-07"#, &json!({})),
    ] {
        claims(why, line, case(result.clone()));
    }
    let block = json!({"decision": "block", "reason": "WHY-1"});
    silent("where a reason goes is open", "said/model", case(prints(block.clone())));
    silent("what a block comes to is open", "agent", case(prints(block.clone())));
    let mut two = case(exit_2.clone());
    two["settings"] = json!([commands("PostToolUseFailure", &["g", "h"])]);
    two["results"]["h"] = json!({"end": {"exit": 2}, "err": "ERR-2"});
    silent("it may be the other", "said/model {\"say\":", two.clone());
    let either = r#"said/model {"say_any":[{"how":"feedback","parts":["ERR-1"]},{"how":"feedback","parts":["ERR-2"]}]} EXIT-2-EV-PostToolUseFailure"#;
    claims("one of them", either, two);
    for result in [&exit_2, &context] {
        let interrupted = one("PostToolUseFailure", failed(json!({"is_interrupt": true})), result.clone());
        silent("no request need follow on an interruption", "said/model {\"say\"", interrupted);
    }
    let both = json!({"end": {"exit": 2}, "err": "ERR-1", "out": block.to_string()});
    silent("stderr beside a reason", "said/model {\"say\"", case(both));
    let stops = json!({"continue": false, "hookSpecificOutput": {"hookEventName": "PostToolUseFailure", "additionalContext": "CTX-1"}});
    silent("no request need follow", "said/model {\"say\"", case(prints(stops)));
    let mut streaming = case(prints(json!({"continue": false})));
    streaming["host"] = json!({"facts": ["streaming"]});
    silent("said of the other two events of a call", "agent", streaming);
    let given = |more: Value| one("PostToolUseFailure", failed(more), json!({}));
    silent("only a sample has it", "given/input/tool_use_id", given(json!({})));
    silent("it may be left out", "given/input/is_interrupt", given(json!({"is_interrupt": false})));
    silent("it may be left out", "given/input/duration_ms", given(json!({"duration_ms": 12})));
    silent("it is shortened", "given/input/error", given(json!({"error": "a".repeat(2_000)})));
    let relative = json!({"tool_name": "Write", "tool_input": {"file_path": "b.txt", "content": "C"}});
    silent("whether it is made absolute", "given/input/tool_input/file_path", given(relative.clone()));
    claims("the rest of it", r#"given/input/tool_input/content {"be":"C"} POSTFAIL-IN-01"#, given(relative));
    claims(
        "an interruption",
        r#"given/input/is_interrupt {"be":true} POSTFAIL-IN-04"#,
        given(json!({"is_interrupt": true})),
    );
}

#[test]
fn of_an_expanded_command_less_is_said_than_of_a_submitted_prompt() {
    let input = json!({"expansion_type": "slash_command", "command_name": "deploy", "prompt": "/deploy PROMPT-1"});
    let case = |result: Value| one("UserPromptExpansion", input.clone(), result);
    let exit_2 = json!({"end": {"exit": 2}, "err": "ERR-1"});
    let block = prints(json!({"decision": "block", "reason": "WHY-1"}));
    let context = says(json!({"hookEventName": "UserPromptExpansion", "additionalContext": "CTX-1"}));
    for (why, line, result) in [
        ("exit 2", r#"fate {"be":"prevented"} EXIT-2-EV-UserPromptExpansion"#, &exit_2),
        ("exit 2", r#"said/user {"say":{"how":"block","lies":"in_text","parts":["ERR-1"]}} PROMPTEXP-OUT-05"#, &exit_2),
        ("JSON", r#"fate {"be":"prevented"} PROMPTEXP-OUT-02"#, &block),
        ("JSON", r#"said/user {"say":{"how":"block","lies":"in_text","parts":["WHY-1"]}} PROMPTEXP-OUT-03"#, &block),
        ("no decision", r#"fate {"be":"proceeds"} PROMPTEXP-OUT-02"#, &context),
        (
            "context",
            r#"said/model {"say":{"how":"context","lies":"in_text","parts":["CTX-1"]}} PROMPTEXP-CTX"#,
            &context,
        ),
        (
            "plain",
            r#"said/model {"say":{"how":"context","lies":"in_text","parts":["OUT-1"]}} STDOUT-02"#,
            &json!({"out": "OUT-1"}),
        ),
        ("no JSON", r#"said/model {"not_say":{"parts":["OUT-1"]}} STDOUT-PARSE-10"#, &json!({"out": "{OUT-1}"})),
        ("the time", r#"given/timeout {"be":600} TIMEOUT-DEF-02"#, &json!({})),
        ("its type", r#"given/input/expansion_type {"be":"slash_command"} PROMPTEXP-IN-02"#, &json!({})),
    ] {
        claims(why, line, case(result.clone()));
    }
    for result in [&exit_2, &block] {
        silent("whether the message is context, and where the typed text goes", "said/model", case(result.clone()));
    }
    silent("that it is not shown", "said/user", case(context.clone()));
    let mut without = case(context);
    without["steps"][0]["fire"]["otherwise"] = json!("prevented");
    silent("there would be no prompt anyway", "said/model", without);
    silent("that it is not shown", "said/user {\"not_say\":{\"parts\":[\"OUT-1\"]", case(json!({"out": "OUT-1"})));
    silent("plain text of a hook that failed", "said/model", case(json!({"end": {"exit": 1}, "out": "OUT-1"})));
    let stops = json!({"continue": false, "hookSpecificOutput": {"hookEventName": "UserPromptExpansion", "additionalContext": "CTX-1"}});
    silent("whether it is still expanded", "fate", case(prints(stops.clone())));
    silent("no request need follow", "said/model", case(prints(stops)));
    let beside = json!({"end": {"exit": 2}, "err": "ERR-1", "out": says(json!({"hookEventName": "UserPromptExpansion", "additionalContext": "CTX-1"}))["out"]});
    silent("context beside a block", "said/model", case(beside));
    silent("it is a time limit like another", "said/user {\"say\"", case(json!({"end": "timed_out"})));
    let title = says(
        json!({"hookEventName": "UserPromptExpansion", "sessionTitle": "TITLE-1", "suppressOriginalPrompt": true}),
    );
    silent("it has no title", "set", case(title));
    let steps = json!([{"happen": "new_prompt"}, fire("UserPromptExpansion", input.clone())]);
    let later = json!({"settings": [commands("UserPromptExpansion", &["g"])], "steps": steps});
    silent("which prompt is being worked on", "1-1 given/input/prompt_id", later);
    let empty = hooks("UserPromptExpansion", json!({"matcher": "", "hooks": [{"type": "command", "command": "g"}]}));
    claims(
        "an empty matcher",
        r#"ran {"run_exactly":["g"]} MATCH-TGT-EXPANSION"#,
        json!({"settings": [empty], "steps": [fire("UserPromptExpansion", input)]}),
    );
}

#[test]
fn a_changed_configuration_is_blocked_in_silence_and_managed_policy_never() {
    let case = |source: &str, result: Value| one("ConfigChange", json!({"source": source}), result);
    let exit_2 = json!({"end": {"exit": 2}, "err": "ERR-1"});
    let block = prints(json!({"decision": "block", "reason": "WHY-1"}));
    let late = json!({"end": {"exit": 1}, "out": block["out"]});
    let stops = prints(json!({"continue": false, "stopReason": "HALT-1", "systemMessage": "MSG-1"}));
    for (source, line, result) in [
        ("user_settings", r#"fate {"be":"prevented"} EXIT-2-EV-ConfigChange"#, &exit_2),
        ("skills", r#"fate {"be":"prevented"} CONFCHG-OUT-01"#, &block),
        ("policy_settings", r#"fate {"be":"proceeds"} CONFCHG-OUT-03"#, &exit_2),
        ("policy_settings", r#"fate {"be":"proceeds"} CONFCHG-OUT-03"#, &block),
        ("policy_settings", r#"fate {"be":"proceeds"} CONFCHG-OUT-03"#, &late),
        ("user_settings", r#"fate {"be":"proceeds"} CONFCHG-OUT-04"#, &stops),
        ("user_settings", r#"agent {"be":"goes_on"} CONFCHG-OUT-04"#, &stops),
        ("user_settings", r#"said/user {"not_say":{"parts":["MSG-1"]}} CONFCHG-OUT-04"#, &stops),
        ("user_settings", r#"said/user {"not_say":{"parts":["HALT-1"]}} CONFCHG-OUT-04"#, &stops),
        ("local_settings", r#"said/user {"not_say":{"parts":["ERR-1"]}} CONFCHG-OUT-05"#, &exit_2),
        ("local_settings", r#"said/model {"not_say":{"parts":["ERR-1"]}} CONFCHG-OUT-05"#, &exit_2),
        ("local_settings", r#"said/debug {"say":{"parts":[]}} CONFCHG-OUT-05"#, &exit_2),
        ("project_settings", r#"said/user {"not_say":{"parts":["WHY-1"]}} CONFCHG-OUT-02"#, &block),
        ("policy_settings", r#"said/model {"not_say":{"parts":["WHY-1"]}} CONFCHG-OUT-02"#, &block),
        ("project_settings", r#"fate {"be":"proceeds"} CONFCHG-OUT-01"#, &prints(json!({"systemMessage": "MSG-1"}))),
    ] {
        claims(source, line, case(source, result.clone()));
    }
    silent("nothing was blocked", "said/debug", case("policy_settings", exit_2.clone()));
    silent("where it goes if it does not count", "said/user", case("policy_settings", exit_2.clone()));
    silent("JSON beside another code", "fate", case("user_settings", late));
    let bell = json!({"end": {"exit": 1}, "out": "{\"terminalSequence\":\"\\u0007\"}"});
    silent("JSON beside another code", "said/terminal", case("user_settings", bell));
    silent(
        "an object that fails is an error elsewhere only",
        "fate",
        case("user_settings", prints(json!({"systemMessage": 5}))),
    );
    for source in ["server_settings", ""] {
        silent("there is no such source", "fate", case(source, exit_2.clone()));
        silent("there is no such source", "given/input/source", case(source, json!({})));
    }
    let given = |path: &str| one("ConfigChange", json!({"source": "local_settings", "file_path": path}), json!({}));
    let own = "/work/project/.claude/settings.local.json";
    claims("by its file", r#"given/input/source {"be":"local_settings"} CONFCHG-SRC-03"#, given(own));
    claims(
        "by itself",
        r#"given/input/source {"be":"local_settings"} CONFCHG-IN-01"#,
        case("local_settings", json!({})),
    );
    silent("it may be left out", "given/input/file_path", given(own));
    silent("it is the file of another source", "given/input/source", given("/etc/managed-settings.json"));
}

#[test]
fn after_a_batch_the_loop_ends_and_how_is_said_of_one_cause_at_a_time() {
    let input = json!({"tool_calls": [
        {"tool_name": "Read", "tool_input": {"file_path": "a.txt"}, "tool_use_id": "toolu_1", "tool_response": "     1\tone"},
        {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "toolu_2", "tool_response": [{"type": "text"}]},
    ]});
    let case = |result: Value| one("PostToolBatch", input.clone(), result);
    let exit_2 = json!({"end": {"exit": 2}, "err": "ERR-1"});
    let block = prints(json!({"decision": "block", "reason": "WHY-1"}));
    let stops = prints(json!({"continue": false, "stopReason": "HALT-1"}));
    let context = says(json!({"hookEventName": "PostToolBatch", "additionalContext": "CTX-1"}));
    let both = json!({"end": {"exit": 2}, "err": "ERR-1", "out": block["out"]});
    for (why, line, result) in [
        ("exit 2", r#"fate {"be":"prevented"} EXIT-2-EV-PostToolBatch"#, &exit_2),
        ("exit 2", r#"said/user {"say":{"lies":"in_text","parts":["ERR-1"]}} POSTBATCH-OUT-03"#, &exit_2),
        ("JSON", r#"fate {"be":"prevented"} POSTBATCH-OUT-02"#, &block),
        ("JSON", r#"said/user {"say":{"lies":"in_text","parts":["WHY-1"]}} POSTBATCH-OUT-03"#, &block),
        ("continue", r#"fate {"be":"prevented"} POSTBATCH-OUT-02"#, &stops),
        ("continue", r#"agent {"be":"stops"} JSON-CONT-01"#, &stops),
        ("continue", r#"said/user {"say":{"lies":"in_text","parts":["HALT-1"]}} POSTBATCH-OUT-03"#, &stops),
        ("both", r#"said/user {"say":{"lies":"in_text","parts":["WHY-1"]}} EXIT-2-05"#, &both),
        ("both", r#"said/user {"not_say":{"parts":["ERR-1"]}} EXIT-2-05"#, &both),
        ("no decision", r#"fate {"be":"proceeds"} DECISION-TOP-02"#, &context),
        ("no decision", r#"agent {"be":"goes_on"} JSON-CONT-01"#, &context),
        (
            "context",
            r#"said/model {"say":{"how":"context","lies":"in_text","parts":["CTX-1"]}} POSTBATCH-OUT-01"#,
            &context,
        ),
        ("a text", r#"given/input/tool_calls/0/tool_response {"be":"     1\tone"} POSTBATCH-IN-03"#, &json!({})),
        ("blocks", r#"given/input/tool_calls/1/tool_response {"be":[{"type":"text"}]} POSTBATCH-IN-02"#, &json!({})),
        ("its name", r#"given/input/tool_calls/1/tool_name {"be":"Bash"} POSTBATCH-IN-01"#, &json!({})),
    ] {
        claims(why, line, case(result.clone()));
    }
    for result in [&exit_2, &block, &stops] {
        silent("the model reads it when the conversation goes on", "said/model", case(result.clone()));
    }
    for result in [&exit_2, &block] {
        silent("whether the turn is over in the ordinary way", "agent", case(result.clone()));
    }
    let contested = json!({"end": {"exit": 2}, "err": "ERR-1", "out": stops["out"]});
    claims("both end the loop", r#"fate {"be":"prevented"} EXIT-2-EV-PostToolBatch"#, case(contested.clone()));
    silent("in whose words is open", "said/user", case(contested.clone()));
    silent("how is open", "agent", case(contested));
    let two = prints(json!({"decision": "block", "reason": "WHY-1", "continue": false, "stopReason": "HALT-1"}));
    silent("either may be the message", "said/user {\"say\"", case(two));
    let nobody = prints(json!({"decision": "block", "stopReason": "HALT-1"}));
    silent("it has no reason", "said/user", case(nobody));
    let beside = prints(
        json!({"decision": "block", "reason": "WHY-1", "hookSpecificOutput": {"hookEventName": "PostToolBatch", "additionalContext": "CTX-1"}}),
    );
    silent("no request follows", "said/model", case(beside));
    let mut without = case(context);
    without["steps"][0]["fire"]["otherwise"] = json!("prevented");
    silent("there would be no request anyway", "said/model", without.clone());
    silent("there would be no request anyway", "agent", without);
    silent("whether it is made absolute", "given/input/tool_calls/0/tool_input", case(json!({})));
    let single = json!({"tool_calls": [input["tool_calls"][1]]});
    silent("one call may be no batch", "", one("PostToolBatch", single, exit_2));
    let odd = json!({"tool_calls": [{"tool_name": "Read", "tool_response": "one"}, {"tool_name": "Bash", "tool_response": {"stdout": ""}}]});
    silent(
        "it is not what the model gets",
        "given/input/tool_calls/0/tool_response",
        one("PostToolBatch", odd.clone(), json!({})),
    );
    silent(
        "it is not what the model gets",
        "given/input/tool_calls/1/tool_response",
        one("PostToolBatch", odd, json!({})),
    );
}

#[test]
fn what_fires_tells_of_the_turn() {
    let layers = json!([commands("Stop", &["g"])]);
    let blocks = json!({"g": {"end": {"exit": 2}, "err": "ERR-1"}});
    let calls = json!({"tool_calls": [{"tool_name": "Bash"}, {"tool_name": "Bash"}]});
    for (event, input) in [
        ("PostToolUseFailure", json!({"tool_name": "Bash", "tool_input": {}})),
        ("PostToolBatch", calls.clone()),
        ("UserPromptExpansion", json!({"command_name": "deploy"})),
    ] {
        let steps = json!([fire("Stop", json!({})), fire(event, input), fire("Stop", json!({}))]);
        let case = json!({"settings": layers, "results": blocks, "steps": steps});
        silent(event, "2-2 given/input/stop_hook_active", case);
    }
    let mut many = fire("Stop", json!({}));
    many["fire"]["times"] = json!(8);
    let steps = json!([many, fire("PostToolBatch", calls), fire("Stop", json!({}))]);
    let case = json!({"settings": layers, "results": blocks, "steps": steps});
    claims("a batch is of calls", r#"9-9 fate {"be":"prevented"} STOP-CAP-02"#, case);
    let steps =
        json!([fire("Stop", json!({})), fire("ConfigChange", json!({"source": "skills"})), fire("Stop", json!({}))]);
    let case = json!({"settings": layers, "results": blocks, "steps": steps});
    claims("it is no part of the turn", r#"2-2 given/input/stop_hook_active {"be":true} STOP-IN-01"#, case);
}
