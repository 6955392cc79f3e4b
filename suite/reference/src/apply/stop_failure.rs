//! An error of the API has ended the turn (chapter *stop*). Hooks are told; what they say of it is not listened to.

use super::Effect;
use crate::session::Turn;
use hookproof_contract::Fate;

/// The turn is over as after a stop, so the next one begins anew.
pub(super) fn apply(effect: &mut Effect<'_, '_>) {
    effect.fate(Fate::Proceeds);
    effect.session.turn = Turn::default();
}

#[cfg(test)]
mod tests {
    use crate::testing::{said, stage};
    use hookproof_contract::{Audience, Fate, Outcome};
    use serde_json::{Value, json};

    fn case(result: &Value) -> Value {
        let input = json!({"error": "rate_limit", "error_details": "DETAIL-1", "last_assistant_message": "API Error"});
        json!({"settings": [{"from": "user", "settings": {"hooks": {"StopFailure": [{"hooks": [{"type": "command", "command": "h"}]}]}}}],
               "results": {"h": result}, "steps": [{"fire": {"event": "StopFailure", "input": input}}]})
    }

    fn play(result: &Value) -> Outcome {
        stage(case(result)).remove(0)
    }

    #[test]
    fn nothing_that_a_hook_says_does_anything() {
        let fields = json!({"continue": false, "stopReason": "STOP-1", "systemMessage": "MSG-1", "decision": "block",
                            "reason": "WHY-1"});
        for out in [String::new(), "TEXT-1".to_owned(), "{x}".to_owned(), fields.to_string()] {
            for end in
                [json!({"exit": 0}), json!({"exit": 1}), json!({"exit": 2}), json!("timed_out"), json!("not_started")]
            {
                let outcome = play(&json!({"out": out, "end": end, "err": "ERR-1"}));
                assert!(outcome.fate.is_none() && outcome.agent.is_none() && outcome.set.is_empty(), "{out} {end}");
                assert!(outcome.said.iter().all(|said| said.to == Audience::Debug), "{out} {end}");
            }
        }
    }

    #[test]
    fn the_terminal_is_written_to_whatever_the_code_is() {
        let out = json!({"terminalSequence": "\u{7}"}).to_string();
        for code in [0, 1, 2] {
            let outcome = play(&json!({"out": out, "end": {"exit": code}}));
            assert_eq!(said(&outcome, Audience::Terminal), ["\u{7}"], "{code}");
        }
        let mut printed = case(&json!({"out": out}));
        printed["host"] = json!({"surface": "print"});
        assert!(said(&stage(printed)[0], Audience::Terminal).is_empty());
    }

    #[test]
    fn what_happened_is_given() {
        let outcome = play(&json!({}));
        let given = &outcome.ran[0].given;
        assert_eq!((&given["timeout"], &given["input"]["error"]), (&json!(600), &json!("rate_limit")));
        assert_eq!(given["input"]["error_details"], "DETAIL-1");
        assert_eq!(given["input"]["last_assistant_message"], "API Error");
        assert!(given["input"].get("permission_mode").is_none() && given["input"].get("prompt_id").is_some());
    }

    #[test]
    fn the_turn_is_over() {
        let group = json!([{"hooks": [{"type": "command", "command": "h"}]}]);
        let fire = |event: &str| json!({"fire": {"event": event, "input": {"error": "unknown"}}});
        let outcomes = stage(json!({"settings": [{"from": "user", "settings": {"hooks": {"Stop": group}}}],
            "results": {"h": {"end": {"exit": 2}, "err": "ERR-1"}},
            "steps": [fire("Stop"), fire("StopFailure"), {"happen": "new_turn"}, fire("Stop"), fire("StopFailure"), fire("Stop")]}));
        assert_eq!(outcomes[3].fate, Some(Fate::Prevented));
        for step in [3, 5] {
            assert_eq!(outcomes[step].ran[0].given["input"]["stop_hook_active"], false, "{step}");
        }
    }
}
