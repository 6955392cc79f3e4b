//! The user is notified of something (chapter *session*). Hooks hear of it, and that is all.

use super::Effect;
use hookproof_contract::Fate;

/// The notification goes out as it is.
pub(super) fn apply(effect: &mut Effect<'_, '_>) {
    effect.fate(Fate::Proceeds);
}

#[cfg(test)]
mod tests {
    use crate::testing::{is_untouched, numbered, ran, said, stage};
    use hookproof_contract::{Audience, Outcome};
    use serde_json::{Value, json};

    fn case(matcher: &str, kind: &str, results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        let input = json!({"message": "NOTE-1", "title": "TITLE-1", "notification_type": kind});
        json!({"host": {}, "settings": [{"from": "user", "settings": {"hooks": {"Notification": [{"matcher": matcher, "hooks": handlers}]}}}],
               "results": results, "steps": [{"fire": {"event": "Notification", "input": input}}]})
    }

    fn play(result: Value) -> Outcome {
        stage(case("*", "idle_prompt", &[result])).remove(0)
    }

    #[test]
    fn nothing_that_a_hook_says_is_heard() {
        let fields = json!({"continue": false, "stopReason": "STOP-1", "systemMessage": "MSG-1", "decision": "block",
                            "reason": "WHY-1"});
        for out in ["", "TEXT-1", "{x}", &fields.to_string()] {
            for end in
                [json!({"exit": 0}), json!({"exit": 1}), json!({"exit": 2}), json!("timed_out"), json!("not_started")]
            {
                assert!(is_untouched(&play(json!({"out": out, "end": end, "err": "ERR-1"}))), "{out} {end}");
            }
        }
    }

    #[test]
    fn the_terminal_is_written_to_where_there_is_one() {
        let out = json!({"terminalSequence": "\u{7}", "systemMessage": "MSG-1"}).to_string();
        for (surface, written) in [("terminal", true), ("print", false), ("sdk", false), ("background", false)] {
            let mut case = case("*", "idle_prompt", &[json!({"out": out})]);
            case["host"]["surface"] = json!(surface);
            assert_eq!(!said(&stage(case)[0], Audience::Terminal).is_empty(), written, "{surface}");
        }
    }

    #[test]
    fn the_kind_selects_and_the_text_is_given() {
        for (matcher, kind, runs) in [
            ("permission_prompt", "permission_prompt", true),
            ("permission_prompt|idle_prompt", "idle_prompt", true),
            ("elicitation", "elicitation_dialog", false),
            ("^elicitation_", "elicitation_dialog", true),
            ("", "auth_success", true),
        ] {
            assert_eq!(!ran(&stage(case(matcher, kind, &[json!({})]))[0]).is_empty(), runs, "{matcher} {kind}");
        }
        let given = &play(json!({})).ran[0].given;
        assert_eq!((&given["timeout"], &given["input"]["message"]), (&json!(600), &json!("NOTE-1")));
        assert_eq!(
            (&given["input"]["title"], &given["input"]["notification_type"]),
            (&json!("TITLE-1"), &json!("idle_prompt"))
        );
        assert!(given["input"].get("permission_mode").is_none());
    }
}
