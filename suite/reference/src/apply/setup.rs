//! A launch that only prepares things (chapter *session*). Its hooks do their work and decide nothing.

use super::Effect;
use hookproof_contract::Fate;

/// The run goes on however its hooks ended.
pub(super) fn apply(effect: &mut Effect<'_, '_>) {
    effect.fate(Fate::Proceeds);
}

#[cfg(test)]
mod tests {
    use crate::testing::{is_untouched, numbered, ran, stage};
    use hookproof_contract::Outcome;
    use serde_json::{Value, json};

    fn case(matcher: &str, trigger: &str, results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        json!({"host": {"surface": "print"},
               "settings": [{"from": "user", "settings": {"hooks": {"Setup": [{"matcher": matcher, "hooks": handlers}]}}}],
               "results": results, "steps": [{"fire": {"event": "Setup", "input": {"trigger": trigger}}}]})
    }

    fn play(result: Value) -> Outcome {
        stage(case("*", "init", &[result])).remove(0)
    }

    #[test]
    fn nothing_that_a_hook_says_reaches_anybody() {
        let specific = json!({"hookEventName": "Setup", "additionalContext": "CTX-1"});
        let fields = json!({"continue": false, "stopReason": "STOP-1", "systemMessage": "MSG-1", "decision": "block",
                            "reason": "WHY-1", "terminalSequence": "\u{7}", "hookSpecificOutput": specific});
        for out in ["", "TEXT-1", "{x}", &fields.to_string()] {
            for end in
                [json!({"exit": 0}), json!({"exit": 1}), json!({"exit": 2}), json!("timed_out"), json!("not_started")]
            {
                assert!(is_untouched(&play(json!({"out": out, "end": end, "err": "ERR-1"}))), "{out} {end}");
            }
        }
    }

    #[test]
    fn commands_run_and_addresses_are_not_called() {
        let mut case = case("*", "init", &[json!({})]);
        case["settings"][0]["settings"]["hooks"]["Setup"][0]["hooks"] =
            json!([{"type": "http", "url": "http://u"}, {"type": "command", "command": "h0"}]);
        assert_eq!(ran(&stage(case)[0]), ["h0"]);
    }

    #[test]
    fn the_flag_selects_and_is_given() {
        for (matcher, trigger, runs) in [
            ("init", "init", true),
            ("init", "maintenance", false),
            ("maintenance|init", "maintenance", true),
            ("ini", "init", false),
            ("", "maintenance", true),
        ] {
            assert_eq!(!ran(&stage(case(matcher, trigger, &[json!({})]))[0]).is_empty(), runs, "{matcher} {trigger}");
        }
        let given = &play(json!({})).ran[0].given;
        assert_eq!((&given["timeout"], &given["input"]["trigger"]), (&json!(600), &json!("init")));
        assert!(given["input"].get("permission_mode").is_none() && given["input"].get("prompt_id").is_none());
    }
}
