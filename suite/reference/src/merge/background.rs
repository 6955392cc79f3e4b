//! Answers of commands in the background: they take no part in what is decided, and the model hears of them later (chapter
//! *background*).

use super::{Answered, Remark, context, discards_universal_fields, hook_name};
use crate::{Scene, read::Late, select::Handler, spill::Limit};
use hookproof_contract::{Audience, Event};

/// What the model is to hear of commands in the background.
#[derive(Clone, Debug, Default)]
pub(crate) struct Later {
    /// In the next turn.
    pub(crate) news: Vec<Remark>,
    /// At once: the agent is woken with it.
    pub(crate) reminders: Vec<Remark>,
}

/// Takes the answers of commands in the background out of the others, and keeps what the model is to hear of them.
pub(super) fn set_aside(scene: &Scene<'_>, answers: &mut Vec<Answered<'_>>) -> Later {
    let mut later = Later::default();
    answers.retain_mut(|(handler, answer)| match answer.late.take() {
        Some(late) => {
            keep(scene, handler, late, &mut later);
            false
        }
        None => true,
    });
    later
}

fn keep(scene: &Scene<'_>, handler: &Handler<'_>, late: Late, later: &mut Later) {
    if let Some(text) = late.reminder {
        let lead = format!("{} woke the agent: ", hook_name(scene, &handler.name));
        later.reminders.push(Remark::new(Audience::Model, None, &handler.name, text).led_by(lead).limited(Limit::Open));
    }
    // What an event throws away it throws away of these hooks too.
    let by_user = scene.event() == Event::DirectoryAdded && scene.input_text("source") == Some("slash_command");
    if !discards_universal_fields(scene) || by_user {
        later
            .news
            .extend([late.message, late.context].into_iter().flatten().map(|text| context(scene, &handler.name, text)));
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Runtime,
        testing::{self, is_untouched, ran, said, stage, stage_at, stage_read},
    };
    use hookproof_contract::{Audience, Fate, Outcome, Reading, Revision, reading};
    use serde_json::{Value, json};

    fn case(event: &str, handler: &Value, result: &Value) -> Value {
        let input =
            json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "prompt": "P-1", "source": "slash_command"});
        json!({"settings": [{"from": "user", "settings": {"hooks": {event: [{"hooks": [handler]}]}}}],
               "results": {"a": result},
               "steps": [{"fire": {"event": event, "input": input}}, {"happen": "model_request"},
                         {"happen": "new_prompt"}, {"happen": "model_request"}, {"happen": "model_request"}]})
    }

    fn handler(key: &str) -> Value {
        json!({"type": "command", "command": "a", key: true})
    }

    fn model(outcomes: &[Outcome]) -> Vec<usize> {
        outcomes.iter().map(|outcome| said(outcome, Audience::Model).len()).collect()
    }

    fn out(event: &str, mut fields: Value, specific: Value) -> Value {
        fields["hookSpecificOutput"] = specific;
        fields["hookSpecificOutput"]["hookEventName"] = json!(event);
        json!({"out": fields.to_string()})
    }

    #[test]
    fn nothing_is_controlled_and_the_model_hears_of_it_in_the_next_turn() {
        let control = json!({"continue": false, "stopReason": "STOP-1", "decision": "block", "reason": "WHY-1",
                             "systemMessage": "MSG-1", "terminalSequence": "\u{7}"});
        let specific =
            json!({"permissionDecision": "deny", "permissionDecisionReason": "WHY-2", "additionalContext": "CTX-1"});
        for key in ["async", "asyncRewake"] {
            let outcomes =
                stage(case("PreToolUse", &handler(key), &out("PreToolUse", control.clone(), specific.clone())));
            assert_eq!(ran(&outcomes[0]), ["a"]);
            assert!(is_untouched(&outcomes[0]), "{:?}", outcomes[0]);
            assert_eq!(model(&outcomes), [0, 0, 0, 2, 0]);
            let heard = said(&outcomes[3], Audience::Model).concat();
            assert!(heard.contains("MSG-1") && heard.contains("CTX-1"));
        }
    }

    #[test]
    fn a_prompt_that_is_blocked_begins_no_turn() {
        let message = json!({"out": "{\"systemMessage\":\"MSG-1\"}"});
        let mut case = case("Stop", &handler("async"), &message);
        case["settings"][0]["settings"]["hooks"]["UserPromptSubmit"] =
            json!([{"hooks": [{"type": "command", "command": "b"}]}]);
        let prompt =
            |code: i32| json!({"fire": {"event": "UserPromptSubmit", "results": {"b": {"end": {"exit": code}}}}});
        let request = json!({"happen": "model_request"});
        case["steps"] = json!([case["steps"][0], prompt(2), request, prompt(0), request]);
        assert_eq!(model(&stage(case)), [0, 0, 0, 0, 1]);
    }

    #[test]
    fn no_code_blocks_and_no_failure_is_noticed() {
        for result in [
            json!({"end": {"exit": 2}, "err": "ERR-1"}),
            json!({"end": {"exit": 1}, "err": "ERR-1"}),
            json!({"out": "{x}"}),
            json!({"out": "TEXT-1"}),
            json!({"end": "timed_out"}),
        ] {
            for event in ["UserPromptSubmit", "Stop", "WorktreeCreate", "PreModelSwitch"] {
                let outcomes = stage(case(event, &handler("async"), &result));
                assert!(outcomes[0].fate.is_none() && said(&outcomes[0], Audience::User).is_empty(), "{event}");
                assert_eq!(model(&outcomes), [0, 0, 0, 0, 0], "{event}");
            }
        }
    }

    #[test]
    fn a_hook_that_may_wake_the_agent_does_so_with_exit_two_alone() {
        let wake = handler("asyncRewake");
        let two = |err: &str| json!({"end": {"exit": 2}, "err": err, "out": "TEXT-1"});
        for (result, heard) in [(two("ERR-1"), "ERR-1"), (two(" "), "TEXT-1")] {
            let outcomes = stage(case("Stop", &wake, &result));
            assert!(outcomes[0].fate.is_none());
            assert_eq!(model(&outcomes), [0, 1, 0, 0, 0]);
            assert!(said(&outcomes[1], Audience::Model).concat().contains(heard));
        }
        assert_eq!(model(&stage(case("Stop", &wake, &json!({"err": "ERR-1"})))), [0; 5]);
        assert_eq!(model(&stage(case("Stop", &handler("async"), &two("ERR-1")))), [0; 5]);
    }

    #[test]
    fn a_field_of_the_wrong_type_is_left_out_alone() {
        let flawed =
            out("PostToolUse", json!({"systemMessage": 5, "continue": "no"}), json!({"additionalContext": "CTX-1"}));
        let case = case("PostToolUse", &handler("async"), &flawed);
        let outcomes = stage(case.clone());
        assert_eq!(model(&outcomes), [0, 0, 0, 1, 0]);
        let log = said(&outcomes[0], Audience::Debug).concat();
        assert!(log.contains("warning: `systemMessage`") && log.contains("warning: `continue`"), "{log}");
        assert_eq!(model(&stage_at(case, Revision(2, 1, 201))), [0; 5]);
    }

    #[test]
    fn only_a_command_goes_to_the_background() {
        let server = json!({"type": "http", "url": "a", "async": true});
        let block = json!({"end": {"status": 200}, "out": "{\"decision\":\"block\",\"reason\":\"WHY-1\"}"});
        assert_eq!(stage(case("UserPromptSubmit", &server, &block))[0].fate, Some(Fate::Prevented));
    }

    #[test]
    fn whether_plain_text_arrives_later_is_open() {
        let hears = |event: &str, key: &str, result: Value| {
            model(&stage_read(case(event, &handler(key), &result), &[reading!("A-142", "delivered")]))
        };
        let text = json!({"out": "TEXT-1"});
        // What a prompt brought about comes too late for its own turn.
        assert_eq!(hears("UserPromptSubmit", "async", text.clone()), [0, 0, 0, 1, 0]);
        assert_eq!(hears("Stop", "async", text.clone()), [0; 5], "there, it is no context of others either");
        assert_eq!(hears("UserPromptSubmit", "asyncRewake", text), [0; 5], "the question is about `async`");
        for end in [json!({"exit": 1}), json!({"exit": 2}), json!("timed_out")] {
            assert_eq!(hears("UserPromptSubmit", "async", json!({"end": end, "out": "TEXT-1"})), [0; 5], "{end}");
        }
    }

    /// The time that a hook is given which states five seconds, if it is given any.
    fn time(mut handler: Value, readings: &[Reading], patch: u16) -> Option<Value> {
        handler["timeout"] = json!(5);
        let runtime = Runtime::with_readings(readings.iter().copied().collect()).at(Revision(2, 1, patch));
        let outcome = runtime.play(&testing::case(case("SessionEnd", &handler, &json!({})))).remove(0);
        outcome.ran[0].given.get("timeout").cloned()
    }

    #[test]
    fn what_no_longer_waits_is_given_no_time_and_that_is_open() {
        let (usual, both) =
            (handler("async"), json!({"type": "command", "command": "a", "async": true, "asyncRewake": true}));
        assert_eq!(time(usual.clone(), &[], 290), None);
        assert_eq!(time(usual.clone(), &[], 289), Some(json!(5)), "then, every time counted");
        assert_eq!(time(usual, &[reading!("A-140", "as others")], 290), Some(json!(5)));
        let server = json!({"type": "http", "url": "a", "async": true});
        assert_eq!(time(server, &[], 290), Some(json!(5)));
        for wakes in [handler("asyncRewake"), both] {
            assert_eq!(time(wakes.clone(), &[], 290), Some(json!(5)));
            assert_eq!(time(wakes.clone(), &[reading!("A-141", "none")], 290), None);
            assert_eq!(time(wakes, &[reading!("A-141", "none")], 289), Some(json!(5)));
        }
    }

    #[test]
    fn what_an_event_throws_away_is_thrown_away_later_too() {
        let message = out("Notification", json!({"systemMessage": "MSG-1"}), json!({}));
        assert_eq!(model(&stage(case("Notification", &handler("async"), &message))), [0; 5]);
        let message = json!({"out": "{\"systemMessage\":\"MSG-1\"}"});
        assert_eq!(model(&stage(case("DirectoryAdded", &handler("async"), &message))), [0, 0, 0, 1, 0]);
    }

    #[test]
    fn the_classifier_hears_nothing_and_a_new_session_neither() {
        let result = out("PostToolUse", json!({"systemMessage": "MSG-1"}), json!({"classifierContext": "NOTE-1"}));
        let mut case = case("PostToolUse", &handler("async"), &result);
        assert!(said(&stage(case.clone())[0], Audience::Classifier).is_empty());
        case["steps"][1] = json!({"happen": "cleared"});
        assert_eq!(model(&stage(case)), [0; 5]);
    }
}
