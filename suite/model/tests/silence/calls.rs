//! The same for calls of tools, before they are made and after.

use super::{bash, claims, commands, fire, prints, says, silent};
use serde_json::{Value, json};

/// Hooks on a call of Bash before it is made.
fn before(host: Value, otherwise: &str, results: Value) -> Value {
    let mut step = fire("PreToolUse", bash());
    step["fire"]["otherwise"] = json!(otherwise);
    let names: Vec<&str> = results.as_object().expect("results").keys().map(String::as_str).collect();
    json!({"host": host, "settings": [commands("PreToolUse", &names)], "results": results, "steps": [step]})
}

/// A decision on a call, with more.
fn decides(decision: &str, more: Value) -> Value {
    let mut fields = json!({"hookEventName": "PreToolUse", "permissionDecision": decision});
    fields.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    says(fields)
}

fn rewrites(command: &str) -> Value {
    json!({"updatedInput": {"command": command}})
}

#[test]
fn what_becomes_of_a_call_is_claimed_where_somebody_can_be_asked() {
    let ask = || json!({"g": decides("ask", json!({}))});
    silent("whom an SDK asks is not said", "fate", before(json!({"surface": "sdk"}), "proceeds", ask()));
    let allow = || json!({"g": decides("allow", json!({}))});
    let host = json!({"permission_mode": "acceptEdits", "permissions": {"ask": ["Bash"]}});
    silent("what the mode makes of the rule is not said", "fate", before(host, "asked", allow()));
    silent("why it would not run is not known", "fate", before(json!({}), "prevented", allow()));
    let asks = || json!({"permissions": {"ask": ["Bash"]}});
    claims("a rule wants it asked", r#"fate {"be":"asked"} PRETOOL-ALLOW-02"#, before(asks(), "asked", allow()));
    silent("whether anybody can be asked of what would not run", "fate", before(asks(), "prevented", allow()));
    let to_mv = |permissions: Value, otherwise: &str| {
        let results = json!({"g": decides("allow", rewrites("mv"))});
        before(json!({"permissions": permissions}), otherwise, results)
    };
    let asked = r#"fate {"be":"asked"} PRETOOL-INPUT-02"#;
    claims("the new input is asked about", asked, to_mv(json!({"ask": ["Bash(mv)"]}), "proceeds"));
    let freed = json!({"deny": ["Bash(ls)"], "ask": ["Bash(mv)"]});
    claims("that only a rule kept it from running is known", asked, to_mv(freed, "prevented"));
    let mut of_a_subagent = to_mv(json!({"ask": ["Bash(mv)"]}), "proceeds");
    of_a_subagent["steps"][0]["fire"]["input"]["agent_id"] = json!("a-1");
    of_a_subagent["steps"][0]["fire"]["input"]["agent_type"] = json!("Explore");
    silent("whether anybody can be asked for a subagent", "fate", of_a_subagent);
    let rewritten = json!({"g": decides("allow", rewrites("mv"))});
    silent("nor with another input", "fate", before(json!({}), "prevented", rewritten));
    let mut question = before(json!({}), "prevented", allow());
    question["steps"][0]["fire"]["input"] =
        json!({"tool_name": "AskUserQuestion", "tool_input": {}, "tool_use_id": "t"});
    silent("nor is it of one that wants an answer", "fate", question);
    let incomplete = || json!({"g": decides("allow", json!({"updatedInput": {"timeout": 5}}))});
    silent("what becomes of an input without a command", "fate", before(json!({}), "proceeds", incomplete()));
    silent("nor that it runs", "set/tool_input", before(json!({}), "proceeds", incomplete()));
    let denies = json!({"permissions": {"deny": ["Bash"]}});
    claims(
        "a deny rule needs none",
        r#"fate {"be":"prevented"} PRETOOL-INPUT-02"#,
        before(denies, "prevented", incomplete()),
    );
    let plan = |input: Value| {
        let mut case = before(json!({}), "asked", json!({"g": decides("allow", json!({"updatedInput": input}))}));
        case["steps"][0]["fire"]["input"] =
            json!({"tool_name": "ExitPlanMode", "tool_input": {"plan": "PLAN-1"}, "tool_use_id": "t"});
        case
    };
    silent("that is no answer to a plan", "fate", plan(json!({"questions": []})));
    claims("a plan is", r#"fate {"be":"proceeds"} PRETOOL-UI-02"#, plan(json!({"plan": "PLAN-2"})));
    let same = json!({"hookEventName": "PreToolUse", "updatedInput": {"command": "ls"}});
    let other = json!({"hookEventName": "PreToolUse", "updatedInput": {"command": "rm"}});
    let either = before(json!({}), "proceeds", json!({"g": says(same), "h": says(other)}));
    silent("with which of two inputs it would run is open", "fate", either);
    let reason = json!({"permissionDecisionReason": "WHY-1"});
    let why = before(json!({}), "prevented", json!({"g": decides("ask", reason.clone())}));
    silent("nobody need be asked about what would not run", "said/user {\"say\"", why);
    let host = json!({"permissions": {"ask": ["Bash"]}});
    let why = before(host, "asked", json!({"g": decides("ask", reason)}));
    silent("the rule may be what is asked about", "said/user {\"say\"", why);
}

#[test]
fn a_call_is_put_off_with_its_own_input_where_deferring_is_heard_of() {
    let print = || json!({"surface": "print"});
    let deferring = |host: Value, more: Value| before(host, "proceeds", json!({"g": decides("defer", more)}));
    silent("whether an SDK counts as a run without a person", "fate", deferring(json!({"surface": "sdk"}), json!({})));
    let absent = r#"set/tool_input "absent""#;
    claims("the input stays", &format!("{absent} PRETOOL-INPUT-04"), deferring(print(), rewrites("rm")));
    silent("nobody proposed another", "set/tool_input", deferring(print(), json!({})));
    let why = || json!({"permissionDecisionReason": "WHY-1"});
    let logged = r#"said/debug {"say":{"parts":["WHY-1"]}} PRETOOL-REASON-04"#;
    claims("it is logged why", logged, deferring(print(), why()));
    for host in [json!({"surface": "sdk"}), json!({"surface": "background"})] {
        silent("whether the answer counts there", logged, deferring(host, why()));
    }
    let judged = |goes_on: bool| {
        let judge = json!({"type": "prompt", "prompt": "judge", "continueOnBlock": goes_on});
        let mut case = deferring(print(), json!({}));
        case["settings"][0]["settings"]["hooks"]["PreToolUse"][0]["hooks"]
            .as_array_mut()
            .expect("handlers")
            .push(judge);
        case["results"]["judge"] = json!({"end": "answered", "out": r#"{"ok":false,"reason":"WHY-2"}"#});
        case
    };
    silent("whether an objection that ends the turn is stronger", "fate", judged(false));
    claims("one that counts as a denial is", r#"fate {"be":"prevented"} PREC-PRETOOL-01"#, judged(true));
    let denies = json!({"surface": "print", "permissions": {"deny": ["Bash(rm)"]}});
    claims("nor is that denied", r#"fate {"be":"deferred"} PRETOOL-OUT-06"#, deferring(denies, rewrites("rm")));
    let two = json!({"g": decides("defer", rewrites("rm")), "h": decides("allow", rewrites("mv"))});
    silent("whether that of a weaker decision goes with it", "set/tool_input", before(print(), "proceeds", two));
    claims("in a terminal nothing of it counts", &format!("{absent} DEFER-02"), deferring(json!({}), rewrites("rm")));
    let many = json!({"surface": "print", "tool_calls_in_turn": 2});
    claims("nor an input beside other calls", &format!("{absent} PRETOOL-INPUT-04"), deferring(many, rewrites("rm")));
    let warns = prints(json!({"systemMessage": "MSG-1",
        "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "defer"}}));
    let case = before(json!({}), "proceeds", json!({"g": warns}));
    silent(
        "its message neither",
        "said/user {\"say\":{\"how\":\"warning\",\"lies\":\"in_text\",\"parts\":[\"MSG-1\"]",
        case,
    );
    let mut again = deferring(print(), json!({}));
    let other = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "toolu_2"});
    again["steps"] = json!([fire("PreToolUse", bash()), {"happen": "resumed"}, fire("PreToolUse", other)]);
    claims("another call of the tool is another", r#"2-2 fate {"be":"deferred"} PRETOOL-OUT-06"#, again);
}

#[test]
fn of_two_inputs_one_of_which_is_the_models_own_the_call_may_go_on_with_either() {
    let two = json!({"g": decides("allow", rewrites("ls")), "h": decides("allow", rewrites("rm"))});
    silent("it need not be replaced", "set/tool_input", before(json!({}), "proceeds", two));
}

/// Hooks on a call that is done.
fn after(tool: &str, results: Value) -> Value {
    let input =
        json!({"tool_name": tool, "tool_input": {"command": "rm -rf build"}, "tool_response": {}, "tool_use_id": "t"});
    let names: Vec<&str> = results.as_object().expect("results").keys().map(String::as_str).collect();
    json!({"host": {"permission_mode": "auto"}, "settings": [commands("PostToolUse", &names)], "results": results,
           "steps": [fire("PostToolUse", input)]})
}

fn gives(fields: Value) -> Value {
    let mut fields = fields;
    fields["hookEventName"] = json!("PostToolUse");
    says(fields)
}

/// An output of Bash.
fn printed(stdout: &str) -> Value {
    json!({"stdout": stdout, "stderr": "", "interrupted": false, "isImage": false})
}

#[test]
fn an_output_is_replaced_where_it_is_certain_by_what() {
    const MCP: &str = "mcp__memory__create";
    let output = |value: Value| gives(json!({"updatedToolOutput": value}));
    let replaced = r#"set/tool_output {"be":"NEW-1"} POSTTOOL-OUT-07"#;
    claims("two say the same", replaced, after(MCP, json!({"g": output(json!("NEW-1")), "h": output(json!("NEW-1"))})));
    let two = after(MCP, json!({"g": output(json!("NEW-1")), "h": output(json!("NEW-2"))}));
    silent("which of two is open", "set/tool_output {\"be\":", two);
    let both = gives(json!({"updatedToolOutput": printed("NEW-1"), "updatedMCPToolOutput": "NEW-2"}));
    let line = format!(r#"set/tool_output {{"be":{}}} POSTTOOL-OUT-05"#, printed("NEW-1"));
    claims("the other field is for tools of servers", &line, after("Bash", json!({"g": both})));
    let mut more = printed("NEW-1");
    more["more"] = json!(1);
    for (why, value) in [
        ("a field is missing", json!({"stdout": "NEW-1", "stderr": ""})),
        ("a field is no text", json!({"stdout": 1, "stderr": "", "interrupted": false, "isImage": false})),
        ("nobody knows the fields", json!({"a": 1, "b": 2, "c": 3, "d": 4})),
        ("there is one more", more),
    ] {
        silent(why, "set", after("Bash", json!({"g": output(value)})));
    }
    let mut text = after("Skill", json!({"g": output(json!("NEW-1"))}));
    claims("its output is an object", r#"set/tool_output "absent" POSTTOOL-OUT-06"#, text.clone());
    text["steps"][0]["fire"]["input"]["tool_response"] = json!("OLD-1");
    silent("its output is none", "set", text);
}

#[test]
fn of_several_hooks_on_a_call_that_is_done_one_is_certain_to_be_heard() {
    let block = |why: &str| json!({"out": json!({"decision": "block", "reason": why}).to_string()});
    let exit_2 = |err: &str| json!({"end": {"exit": 2}, "err": err});
    let two = |g: Value, h: Value| after("Bash", json!({"g": g, "h": h}));
    let one_of = |rule: &str| {
        format!(
            r#"said/model {{"say_any":[{{"how":"feedback","parts":["ONE-1"]}},{{"how":"feedback","parts":["TWO-1"]}}]}} {rule}"#
        )
    };
    for (rule, case) in [
        ("POSTTOOL-OUT-02", two(block("ONE-1"), block("TWO-1"))),
        ("EXIT-2-EV-PostToolUse", two(exit_2("ONE-1"), exit_2("TWO-1"))),
        ("POSTTOOL-OUT-02", two(block("ONE-1"), exit_2("TWO-1"))),
    ] {
        silent("it may be the other", "said/model {\"say\":", case.clone());
        claims("one of them", &one_of(rule), case);
    }
    let same = r#"said/model {"say":{"how":"feedback","lies":"in_text","parts":["ONE-1"]}} POSTTOOL-OUT-02"#;
    claims("they say the same", same, two(block("ONE-1"), block("ONE-1")));
    claims("the other says nothing", same, two(block("ONE-1"), json!({})));
    let wordless = json!({"out": "{\"decision\":\"block\"}"});
    silent("the other has no reason", "said/model", two(block("ONE-1"), wordless));
    let mut judged = two(block("ONE-1"), json!({}));
    judged["settings"][0]["settings"]["hooks"]["PostToolUse"][0]["hooks"][1] =
        json!({"type": "agent", "prompt": "judge it"});
    claims("an agent agrees", same, judged.clone());
    judged["results"]["judge it"] = json!({"end": "answered", "out": "{\"ok\":false,\"reason\":\"TWO-1\"}"});
    silent("it may be the agent", "said/model {\"say\":", judged.clone());
    claims(
        "one of them",
        r#"said/model {"say_any":[{"parts":["ONE-1"]},{"parts":["TWO-1"]}]} POSTTOOL-OUT-02"#,
        judged,
    );
}

#[test]
fn notes_reach_the_classifier_while_they_are_within_the_limit_together() {
    let note = |text: &str| gives(json!({"classifierContext": text}));
    let line = |text: &str| format!(r#"said/classifier {{"say":{{"parts":["{text}"]}}}} POSTTOOL-OUT-04"#);
    let two = after("Bash", json!({"g": note("a first NOTE-1"), "h": note("a second NOTE-2")}));
    claims("the first", &line("a first NOTE-1"), two.clone());
    claims("the second", &line("a second NOTE-2"), two);
    let long = |end: &str| format!("{} {end}", "a".repeat(968));
    let near = after("Bash", json!({"g": note(&long("NOTE-1")), "h": note(&long("NOTE-2"))}));
    silent("what stands between them may count", "said/classifier {\"say\":", near);
    let ignored = gives(json!({"classifierContext": "NOTE-1", "updatedMCPToolOutput": "NEW-1"}));
    silent("whether a note goes with that field is not said", "said/classifier", after("Bash", json!({"g": ignored})));
    let rewriting = |text: &str| gives(json!({"classifierContext": text, "updatedToolOutput": printed(text)}));
    let rivals = after("Bash", json!({"g": rewriting("NOTE-1"), "h": rewriting("NOTE-2")}));
    silent("the note of one that is overridden is lost", "said/classifier {\"say\":", rivals);
    let beside = |value: Value| {
        let output = gives(json!({"updatedToolOutput": value}));
        after("Bash", json!({"g": output, "h": note("a second NOTE-2")}))
    };
    let line = r#"said/classifier {"say":{"parts":["a second NOTE-2"]}}"#;
    claims("another replaces the output", &format!("{line} CLASSIF-09"), beside(printed("NEW-1")));
    claims("another would, in vain", &format!("{line} POSTTOOL-OUT-04"), beside(json!("NEW-1")));
}
