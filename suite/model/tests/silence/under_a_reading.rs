//! What is claimed by one reading and not by another, where two things come together.

use super::{
    bash, claims, fire, hooks, one, prints,
    readings::{beside, by, decides, request, silent_by, two},
    says, silent,
};
use serde_json::{Value, json};

fn start() -> Value {
    json!({"source": "startup"})
}

fn idle() -> Value {
    json!({"teammate_name": "ann"})
}

fn stops(reason: &str) -> Value {
    prints(json!({"continue": false, "stopReason": reason}))
}

fn blocks(reason: &str) -> Value {
    prints(json!({"decision": "block", "reason": reason}))
}

fn exit_2(err: &str) -> Value {
    json!({"end": {"exit": 2}, "err": err})
}

fn on(surface: &str, mut case: Value) -> Value {
    case["host"]["surface"] = json!(surface);
    case
}

#[test]
fn json_beside_another_code_gives_a_session_what_it_gives_or_nothing() {
    let begins = |fields: Value| {
        let mut fields = fields;
        fields["hookEventName"] = json!("SessionStart");
        one("SessionStart", start(), beside(1, says(fields)))
    };
    let title = begins(json!({"sessionTitle": "TITLE-1"}));
    by("A-01", "counts", r#"set/session_title {"be":"TITLE-1"}"#, &title);
    by("A-01", "ignored", r#"set/session_title "absent""#, &title);
    let skills = begins(json!({"reloadSkills": true}));
    by("A-01", "counts", r#"set/skills_reloaded {"be":true}"#, &skills);
    by("A-01", "ignored", r#"set/skills_reloaded "absent""#, &skills);
    let input = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t", "reason": "[Rule]"});
    let refused = |result: Value| {
        let mut case = one("PermissionDenied", input.clone(), result);
        case["host"] = json!({"permission_mode": "auto"});
        case["steps"][0]["fire"]["otherwise"] = json!("prevented");
        case
    };
    let retry = says(json!({"hookEventName": "PermissionDenied", "retry": true}));
    by("A-01", "counts", r#"set/retry_allowed {"be":true}"#, &refused(beside(1, retry.clone())));
    by("A-01", "ignored", r#"set/retry_allowed "absent""#, &refused(beside(1, retry)));
    let message = refused(prints(json!({"systemMessage": "MSG-1"})));
    by("A-03", "dropped", r#"said/user {"not_say":{"parts":["MSG-1"]}}"#, &message);
    let halts = one("TeammateIdle", idle(), beside(1, stops("HALT-1")));
    by("A-01", "counts", r#"agent {"be":"stops"}"#, &halts);
    by("A-01", "ignored", r#"agent {"be":"goes_on"}"#, &halts);
}

#[test]
fn of_two_that_ask_for_the_same_the_one_without_a_reason_may_speak() {
    let nothing = || prints(json!({"continue": false}));
    let halted = two("SessionStart", start(), stops("HALT-1"), nothing());
    by("A-04", "stops", r#"agent {"be":"stops"}"#, &halted);
    silent_by("A-04", "stops", "said/user {\"say", &halted);
    let kept = two("TeammateIdle", idle(), blocks("WHY-1"), prints(json!({"decision": "block"})));
    by("A-07", "blocks", r#"fate {"be":"prevented"}"#, &kept);
    silent_by("A-07", "blocks", "said/model {\"say", &kept);
    let long = |end: &str| exit_2(&format!("{}{end}", "a".repeat(70)));
    silent_by("A-70", "all", "said/model {\"say\":", &two("Stop", json!({}), long("b"), long("c")));
    let in_a_run = on("print", two("Stop", json!({}), exit_2("ONE-1"), exit_2("TWO-2")));
    by("A-70", "all", r#"said/model {"say":{"how":"feedback","parts":["TWO-2"]}}"#, &in_a_run);
}

#[test]
fn an_error_is_told_of_by_a_reading_where_nothing_else_can_be() {
    let failed = || json!({"end": {"exit": 1}, "err": "ERR-1"});
    let none = r#"said/user {"not_say":{"parts":["hook error"]}}"#;
    silent_by("A-187", "none", none, &two("SessionStart", start(), failed(), exit_2("ERR-2")));
    let behind =
        json!({"hooks": [{"type": "command", "command": "g"}, {"type": "command", "command": "h", "async": true}]});
    let case = json!({"settings": [hooks("SessionStart", behind)], "results": {"g": failed()},
                      "steps": [fire("SessionStart", start())]});
    silent_by("A-187", "none", none, &case);
    by("A-187", "none", none, &one("SessionStart", start(), failed()));
}

#[test]
fn where_two_things_are_open_at_once_neither_is_claimed() {
    let told = r#"said/model {"not_say":{"parts":["WHY-1"]}}"#;
    let failed = |result: Value| one("PostToolUseFailure", bash(), result);
    by("A-06", "ignored", told, &failed(blocks("WHY-1")));
    silent_by("A-06", "ignored", told, &failed(beside(2, blocks("WHY-1"))));
    let shown = r#"said/user {"not_say":{"parts":["WHY-1"]}}"#;
    let compaction = on("print", one("PreCompact", json!({"trigger": "manual"}), blocks("WHY-1")));
    silent_by("A-170", "not shown", shown, &compaction);
    let typed = json!({"systemMessage": "MSG-1", "hookSpecificOutput":
        {"hookEventName": "PermissionRequest", "decision": {"behavior": "deny", "message": 5}}});
    silent_by("A-39", "fails", r#"said/user {"not_say":{"parts":["MSG-1"]}}"#, &request(prints(typed)));
    let refused = request(decides(json!({"behavior": "deny", "message": "WHY-1"})));
    claims("a decision that is one", r#"fate {"be":"prevented"} PERMREQ-OUT-01"#, refused);
    let handler = json!({"type": "command", "command": "g", "async": true});
    let group = json!({"hooks": [handler]});
    let ends = json!({"settings": [hooks("SessionEnd", group.clone())], "steps": [fire("SessionEnd", json!({"reason": "other"}))]});
    silent_by("A-140", "none", "given/timeout", &ends);
    let prompt = json!({"host": {"surface": "print"}, "settings": [hooks("UserPromptSubmit", group)],
        "results": {"g": {"out": "NOTE-1"}},
        "steps": [fire("UserPromptSubmit", json!({"prompt": "P-1"})), {"happen": "new_prompt"}, {"happen": "model_request"}]});
    silent_by("A-142", "delivered", "2-2 said", &prompt);
    let other = says(json!({"hookEventName": "PreToolUse", "updatedInput": {"command": "rm"}}));
    silent_by("A-74", "applies", "set/tool_input", &on("print", one("PreToolUse", bash(), other)));
}

#[test]
fn two_texts_for_the_screen_are_one_where_they_are_the_same() {
    let delta = json!({"index": 0, "final": true, "delta": "OLD-1"});
    let shows = |text: &str| says(json!({"hookEventName": "MessageDisplay", "displayContent": text}));
    let same = two("MessageDisplay", delta.clone(), shows("NEW-1"), shows("NEW-1"));
    claims("there is no other", r#"set/display {"be":"NEW-1"} MSGDISP-OUT-01"#, same);
    silent_by("A-78", "last to end", "set/display", &two("MessageDisplay", delta.clone(), shows("NEW-1"), shows(" ")));
    let layer = |from: &str, name: &str| {
        let group = json!({"hooks": [{"type": "command", "command": name}]});
        json!({"from": from, "settings": {"hooks": {"MessageDisplay": [group]}}})
    };
    let mut apart = two("MessageDisplay", delta.clone(), shows("NEW-1"), shows("NEW-1"));
    apart["settings"] = json!([layer("user", "g"), layer("project", "h")]);
    claims("whichever file they stand in", r#"set/display {"be":"NEW-1"} MSGDISP-OUT-01"#, apart);
    let mut tied = two("MessageDisplay", delta.clone(), shows("NEW-1"), shows("NEW-2"));
    tied["results"]["h"]["rank"] = json!(1);
    silent_by("A-78", "last to end", "set/display", &tied);
    let request = json!({"mcp_server_name": "s", "message": "m", "mode": "form"});
    let accepts = says(json!({"hookEventName": "Elicitation", "action": "accept", "content": {"a": "ONE-1"}}));
    let answered = two("Elicitation", request, accepts.clone(), accepts);
    claims(
        "nor another answer",
        r#"set/mcp_reply {"be":{"action":"accept","content":{"a":"ONE-1"}}} ELICIT-OUT-09"#,
        answered,
    );
}

#[test]
fn what_is_there_already_need_not_be_told_of() {
    let title = says(json!({"hookEventName": "SessionStart", "sessionTitle": "TITLE-1"}));
    let titled = |there: &str| one("SessionStart", json!({"source": "resume", "session_title": there}), title.clone());
    claims("another", r#"set/session_title {"be":"TITLE-1"} SESSTART-OUT-06"#, titled("TITLE-2"));
    silent("the same", "set/session_title", titled("TITLE-1"));
    let declined = json!({"mcp_server_name": "s", "action": "decline", "mode": "form"});
    let declines = says(json!({"hookEventName": "ElicitationResult", "action": "decline", "content": {"a": 1}}));
    silent("the user has declined", "fate", one("ElicitationResult", declined, declines));
}

#[test]
fn the_reason_of_a_stop_stays_in_the_conversation_of_the_main_agent() {
    let later = |event: &str, input: Value| {
        let mut case = one(event, input, stops("HALT-1"));
        let steps = case["steps"].as_array_mut().expect("steps");
        steps.extend([json!({"happen": "new_prompt"}), json!({"happen": "model_request"})]);
        case
    };
    let line = r#"0-0 said/model {"say":{"parts":["HALT-1"]}} JSON-STOPREASON-02"#;
    claims("its own", line, later("Stop", json!({})));
    silent("a subagent's ends with it", "0-0 said/model {\"say\"", later("SubagentStop", json!({"agent_id": "a1"})));
    let key = one("PreToolUse", bash(), json!({"out": "\n{\"more\": \"MORE-1\"}\n"}));
    claims("of a key", r#"said/model {"not_say":{"parts":["MORE-1"]}} SCHEMA-TYPE-05"#, key);
}
