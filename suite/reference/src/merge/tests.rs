use crate::testing::{said, stage, stage_at, stage_read};
use hookproof_contract::{Agent, Audience, Outcome, Revision, reading};
use serde_json::{Value, json};

fn case(event: &str, out: &Value) -> Value {
    json!({"settings": [{"from": "user", "settings": {"hooks": {event: [{"hooks": [{"type": "command", "command": "a"}]}]}}}],
           "results": {"a": {"out": out.to_string()}},
           "steps": [{"fire": {"event": event, "input": {"tool_name": "Bash", "tool_input": {}, "prompt": "P-1", "mcp_server_name": "s"}}}]})
}

fn play(event: &str, out: Value) -> Outcome {
    stage(case(event, &out)).remove(0)
}

#[test]
fn a_system_message_is_a_warning_except_where_it_is_dropped() {
    let message = json!({"systemMessage": "MSG-1"});
    for event in ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop"] {
        assert!(said(&play(event, message.clone()), Audience::User)[0].contains("MSG-1"), "{event}");
    }
    assert!(said(&play("Elicitation", message), Audience::User).is_empty());
}

#[test]
fn a_stop_reason_needs_a_stop_and_stays_since_a_revision() {
    assert!(said(&play("PreToolUse", json!({"stopReason": "STOP-1"})), Audience::User).is_empty());
    let stop = json!({"continue": false, "stopReason": "STOP-1"});
    assert_eq!(said(&play("PreToolUse", stop.clone()), Audience::Model), ["STOP-1"]);
    let before = stage_at(case("PreToolUse", &stop), Revision(2, 1, 240)).remove(0);
    assert!(said(&before, Audience::Model).is_empty() && said(&before, Audience::User) == ["STOP-1"]);
}

#[test]
fn whether_anything_stops_the_agent_where_nothing_is_decided_is_open() {
    let stop = json!({"continue": false, "stopReason": "STOP-1", "systemMessage": "MSG-1"});
    for event in ["SessionStart", "SubagentStart", "PostModelSwitch", "PermissionRequest"] {
        let stopped = play(event, stop.clone());
        assert_eq!(stopped.agent, Some(Agent::Stops), "{event}");
        assert!(said(&stopped, Audience::User).contains(&"STOP-1".to_owned()), "{event}");
        let ignored = stage_read(case(event, &stop), &[reading!("A-04", "ignored")]).remove(0);
        assert_eq!((ignored.fate, ignored.agent), (None, None), "{event}");
        let heard = said(&ignored, Audience::User);
        assert!(heard.len() == 1 && heard[0].contains("MSG-1"), "{event}: {heard:?}");
        assert!(said(&ignored, Audience::Model).is_empty(), "{event}");
    }
    let elsewhere = stage_read(case("PostToolUse", &stop), &[reading!("A-04", "ignored")]).remove(0);
    assert_eq!(elsewhere.agent, Some(Agent::Stops));
}

#[test]
fn whether_an_error_is_noticed_is_open_where_no_model_is_said_but_not_that_of_exit_two() {
    let notices = |event: &str, result: &Value| {
        let mut case = case(event, &json!({}));
        case["results"]["a"] = result.clone();
        let heard = |outcome: &Outcome| said(outcome, Audience::User).concat().contains("hook error");
        (heard(&stage(case.clone())[0]), heard(&stage_read(case, &[reading!("A-187", "none")])[0]))
    };
    let errors = [
        json!({"end": {"exit": 1}, "err": "ERR-1"}),
        json!({"end": {"exit": 1}, "err": "ERR-1", "out": "TEXT-1"}),
        json!({"out": "{x}"}),
        json!({"out": "{\"reason\":5}"}),
    ];
    for error in &errors {
        for event in ["PermissionRequest", "TaskCreated", "TaskCompleted", "TeammateIdle"] {
            assert_eq!(notices(event, error), (true, false), "{event} {error}");
        }
        for event in ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop"] {
            assert_eq!(notices(event, error), (true, true), "{event} {error}");
        }
    }
    let two = json!({"end": {"exit": 2}, "err": "ERR-1"});
    for event in ["SessionStart", "SubagentStart", "PostModelSwitch"] {
        assert!(errors.iter().all(|error| notices(event, error) == (true, false)), "{event}");
        assert_eq!(notices(event, &two), (true, true), "{event}");
    }
}

#[test]
fn terminal_sequences_need_a_screen() {
    let bell = json!({"terminalSequence": "\u{7}"});
    for event in ["PreToolUse", "UserPromptSubmit", "Elicitation"] {
        let mut case = case(event, &bell);
        assert_eq!(said(&stage(case.clone())[0], Audience::Terminal), ["\u{7}"], "{event}");
        for surface in ["print", "sdk", "background"] {
            case["host"] = json!({"surface": surface});
            assert!(said(&stage(case.clone())[0], Audience::Terminal).is_empty(), "{event} {surface}");
        }
    }
    let refused = play("PreToolUse", json!({"terminalSequence": "\u{1b}[1m", "systemMessage": "MSG-1"}));
    assert!(said(&refused, Audience::Terminal).is_empty() && said(&refused, Audience::User)[0].contains("MSG-1"));
}

#[test]
fn plain_text_is_context_of_prompts_only() {
    for event in ["PreToolUse", "PostToolUse", "Stop", "Elicitation"] {
        let mut case = case(event, &json!({}));
        case["results"]["a"]["out"] = json!("TEXT-1");
        let outcome = stage(case).remove(0);
        assert!(outcome.said.iter().all(|said| said.to == Audience::Debug) && outcome.fate.is_none(), "{event}");
        assert!(said(&outcome, Audience::Debug).concat().contains("TEXT-1"));
    }
}

#[test]
fn plain_text_beside_a_failing_code_is_no_context() {
    let mut case = case("UserPromptSubmit", &json!({}));
    case["results"]["a"] = json!({"out": "TEXT-1", "end": {"exit": 1}, "err": "ERR-1"});
    let outcome = stage(case).remove(0);
    assert!(said(&outcome, Audience::Model).is_empty() && said(&outcome, Audience::User)[0].contains("ERR-1"));
}
