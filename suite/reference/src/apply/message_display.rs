//! A piece of a message of the assistant is about to appear (chapter *display*).

use super::Effect;
use hookproof_contract::{Fate, Slot};
use serde_json::Value;

/// Something is shown in any case; the model and the transcript keep the original.
pub(super) fn apply(effect: &mut Effect<'_, '_>, display: Option<String>) {
    effect.fate(Fate::Proceeds);
    if let Some(text) = display {
        effect.outcome.set.insert(Slot::Display, Value::from(text));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{is_untouched, numbered, ran, said, stage, stage_read};
    use hookproof_contract::{Audience, Outcome, Slot, reading};
    use serde_json::{Value, json};

    fn case(results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        let input = json!({"turn_id": "0f6f1f2e-0000-4000-8000-00000000000a", "message_id": "0f6f1f2e-0000-4000-8000-00000000000b",
                           "index": 0, "final": true, "delta": "DELTA-1\n"});
        json!({"host": {}, "settings": [{"from": "user", "settings": {"hooks": {"MessageDisplay": [{"hooks": handlers}]}}}],
               "results": results, "steps": [{"fire": {"event": "MessageDisplay", "input": input}}]})
    }

    fn play(results: &[Value]) -> Outcome {
        stage(case(results)).remove(0)
    }

    fn shows(text: &str) -> Value {
        let specific = json!({"hookEventName": "MessageDisplay", "displayContent": text});
        json!({"out": json!({"hookSpecificOutput": specific}).to_string()})
    }

    fn with(mut result: Value, key: &str, value: Value) -> Value {
        result[key] = value;
        result
    }

    #[test]
    fn another_text_is_shown_on_every_surface_and_nobody_else_reads_it() {
        for surface in ["terminal", "print", "sdk"] {
            let mut case = case(&[shows("SHOWN-1")]);
            case["host"]["surface"] = json!(surface);
            let outcome = stage(case).remove(0);
            assert_eq!((outcome.fate, &outcome.set[&Slot::Display]), (None, &json!("SHOWN-1")), "{surface}");
            assert!(outcome.said.iter().all(|said| said.to == Audience::Debug), "{surface}");
        }
        assert_eq!(play(&[shows("")]).set[&Slot::Display], "", "to show nothing is to show something else");
    }

    #[test]
    fn whether_an_empty_text_is_shown_is_open() {
        assert!(stage_read(case(&[shows("")]), &[reading!("A-172", "original")])[0].set.is_empty());
    }

    #[test]
    fn a_hook_that_fails_leaves_the_original_and_only_the_log_tells() {
        let flawed = json!({"hookEventName": "MessageDisplay", "displayContent": 5});
        let flawed = json!({"out": json!({"hookSpecificOutput": flawed}).to_string()});
        for end in
            [json!({"exit": 1}), json!({"exit": 2}), json!({"signal": 9}), json!("timed_out"), json!("not_started")]
        {
            let outcome = play(&[with(with(shows("SHOWN-1"), "end", end.clone()), "err", json!("ERR-1"))]);
            assert!(is_untouched(&outcome), "{end}");
            assert!(said(&outcome, Audience::Debug).concat().contains("hook failed"), "{end}");
        }
        for result in [flawed, json!({"out": "{x}"}), json!({"out": "TEXT-1"}), json!({}), json!({"out": "{}"})] {
            assert!(is_untouched(&play(std::slice::from_ref(&result))), "{result}");
        }
    }

    #[test]
    fn whether_a_text_beside_a_failing_code_is_shown_is_open() {
        let shown = |end: Value| {
            let case = case(&[with(shows("SHOWN-1"), "end", end)]);
            stage_read(case, &[reading!("A-58", "replaced")])[0].set.get(&Slot::Display).cloned()
        };
        assert_eq!(shown(json!({"exit": 1})), Some(json!("SHOWN-1")));
        for end in [json!({"exit": 2}), json!("timed_out"), json!("not_started")] {
            assert_eq!(shown(end.clone()), None, "{end}");
        }
    }

    #[test]
    fn silent_and_failing_hooks_leave_a_text_that_another_one_gave() {
        let failed = with(shows("SHOWN-2"), "end", json!({"exit": 2}));
        for others in [json!({}), failed, json!({"out": "{}"})] {
            assert_eq!(play(&[shows("SHOWN-1"), others.clone()]).set[&Slot::Display], "SHOWN-1", "{others}");
            assert_eq!(play(&[others.clone(), shows("SHOWN-1")]).set[&Slot::Display], "SHOWN-1", "{others}");
        }
        let first = with(shows("SHOWN-1"), "rank", json!(1));
        assert_eq!(play(&[first, shows("SHOWN-2")]).set[&Slot::Display], "SHOWN-1", "it ended last");
    }

    #[test]
    fn nothing_else_does_anything_but_on_the_terminal() {
        let fields = json!({"continue": false, "stopReason": "STOP-1", "systemMessage": "MSG-1", "decision": "block",
                            "reason": "WHY-1"});
        assert!(is_untouched(&play(&[json!({"out": fields.to_string(), "err": "ERR-1"})])));
        let outcome = play(&[json!({"out": json!({"terminalSequence": "\u{7}"}).to_string()})]);
        assert_eq!(said(&outcome, Audience::Terminal), ["\u{7}"]);
    }

    #[test]
    fn a_server_can_show_another_text_too() {
        let mut case = case(&[]);
        case["settings"][0]["settings"]["hooks"]["MessageDisplay"] =
            json!([{"matcher": "nothing", "hooks": [{"type": "http", "url": "http://u"}]}]);
        for (end, shown) in [(json!({"status": 200}), true), (json!({"status": 500}), false), (json!("refused"), false)]
        {
            case["results"] = json!({"http://u": with(shows("SHOWN-1"), "end", end.clone())});
            let outcome = stage(case.clone()).remove(0);
            assert_eq!((ran(&outcome).len(), !is_untouched(&outcome)), (1, shown), "{end}");
        }
    }

    #[test]
    fn ten_seconds_and_the_piece_are_given() {
        let given = &play(&[json!({})]).ran[0].given;
        assert_eq!((&given["timeout"], &given["input"]["delta"]), (&json!(10), &json!("DELTA-1\n")));
        assert_eq!((&given["input"]["index"], &given["input"]["final"]), (&json!(0), &json!(true)));
        assert!(given["input"].get("permission_mode").is_none() && given["input"].get("prompt_id").is_some());
    }
}
