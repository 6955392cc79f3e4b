//! Texts and lists of which it is not said how they arrive.

use super::{claims, commands, fire, one, says, silent};
use serde_json::{Value, json};

fn bash() -> Value {
    json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t"})
}

#[test]
fn of_bytes_that_are_no_text_nothing_is_claimed() {
    // `ERR-1`, a byte that is not UTF-8, `MORE-2`.
    let odd = json!({"end": {"exit": 2}, "err": {"base64": "RVJSLTH/TU9SRS0y"}});
    let told = r#"said/model {"say":{"how":"feedback","lies":"in_text","parts":["ERR-1"]}} STOP-OUT-04"#;
    claims("what comes before them arrives", told, one("Stop", json!({}), odd));
}

#[test]
fn beside_a_decision_without_a_reason_stderr_may_be_the_message() {
    let decides = |event: &str, fields: Value| {
        let mut output = json!({"hookEventName": event});
        output.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
        json!({"end": {"exit": 1}, "err": "ERR-1", "out": says(output)["out"]})
    };
    let hidden = r#"said/user {"not_say":{"parts":["ERR-1"]}} EXIT-N-04"#;
    for decision in ["deny", "ask"] {
        let bare = json!({"permissionDecision": decision});
        let explained = json!({"permissionDecision": decision, "permissionDecisionReason": "WHY-1"});
        silent(decision, hidden, one("PreToolUse", bash(), decides("PreToolUse", bare)));
        claims(decision, hidden, one("PreToolUse", bash(), decides("PreToolUse", explained)));
    }
}

#[test]
fn of_variables_that_are_the_runtimes_own_nothing_is_claimed() {
    let exports = |name: &str| {
        let wrote = json!({"did": [{"wrote_environment": format!("export {name}=test\n")}]});
        json!({"settings": [commands("SessionStart", &["g"])], "results": {"g": wrote},
               "steps": [fire("SessionStart", json!({"source": "startup"})), fire("PreToolUse", bash())]})
    };
    claims("any other", r#"1-1 set/environment/NODE_ENV {"be":"test"} ENV-FILE-02"#, exports("NODE_ENV"));
    for own in ["CLAUDE_EFFORT", "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB", "OTEL_EXPORTER"] {
        silent(own, "1-1 set/environment", exports(own));
    }
}

#[test]
fn paths_that_are_watched_are_told_in_any_order() {
    let watches = |paths: Value| {
        let moved = json!({"old_cwd": "/work/project", "new_cwd": "/work/other"});
        one("CwdChanged", moved, says(json!({"hookEventName": "CwdChanged", "watchPaths": paths})))
    };
    claims("one", r#"set/watch_paths {"be":["/a"]} CWD-OUT-01"#, watches(json!(["/a"])));
    let either = r#"set/watch_paths {"be_one_of":[["/a","/b"],["/b","/a"]]} CWD-OUT-01"#;
    claims("two", either, watches(json!(["/a", "/b"])));
    silent("three", "set/watch_paths", watches(json!(["/a", "/b", "/c"])));
}

#[test]
fn what_a_hook_may_not_say_for_another_event_it_may_say_for_its_own() {
    let handler = |more: Value| {
        let mut handler = json!({"type": "http", "url": "http://hooks.test/g"});
        handler.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        json!([{"hooks": [handler]}])
    };
    let context = says(json!({"hookEventName": "PostModelSwitch", "additionalContext": "CTX-1"}));
    let case = |hooks: Value, steps: Value| {
        json!({"settings": [{"from": "user", "settings": {"hooks": hooks}}],
               "results": {"http://hooks.test/g": context}, "steps": steps})
    };
    let idle = handler(json!({"async": true}));
    let both = json!({"PostModelSwitch": handler(json!({})), "TeammateIdle": idle});
    let steps =
        json!([fire("PostModelSwitch", json!({})), fire("TeammateIdle", json!({})), {"happen": "model_request"}]);
    let kept = r#"2-2 said/model {"not_say":{"parts":["CTX-1"]}} ASYNC-02"#;
    claims("it stands under one event alone", kept, case(json!({"TeammateIdle": idle}), steps.clone()));
    silent("a switch came before", "2-2 said/model", case(both, steps));
}
