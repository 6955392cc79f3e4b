//! The conversation has been compacted (chapter *compaction*).

use super::Effect;
use crate::merge::Remark;
use hookproof_contract::Fate;

/// What the compaction came to stands. That the conversation is now another one is told by what happens, not by this event,
/// which is the main conversation's.
pub(super) fn apply(effect: &mut Effect<'_, '_>, said: Vec<Remark>) {
    effect.fate(Fate::Proceeds);
    effect.say_all(said);
}

#[cfg(test)]
mod tests {
    use crate::testing::{numbered, ran, said, stage};
    use hookproof_contract::{Audience, Outcome};
    use serde_json::{Value, json};

    fn case(matcher: &str, trigger: &str, results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        let input = json!({"trigger": trigger, "compact_summary": "SUMMARY-1"});
        json!({"settings": [{"from": "user", "settings": {"hooks": {"PostCompact": [{"matcher": matcher, "hooks": handlers}]}}}],
               "results": results, "steps": [{"fire": {"event": "PostCompact", "input": input}}]})
    }

    fn play(results: &[Value]) -> Outcome {
        stage(case("*", "manual", results)).remove(0)
    }

    /// Whether nothing happened but in the debug log.
    fn is_nothing(outcome: &Outcome) -> bool {
        outcome.fate.is_none()
            && outcome.agent.is_none()
            && outcome.set.is_empty()
            && outcome.said.iter().all(|said| said.to == Audience::Debug)
    }

    #[test]
    fn stderr_of_exit_two_is_shown_to_the_user_alone_and_that_of_every_hook() {
        let two = |err: &str, out: &str| json!({"end": {"exit": 2}, "err": err, "out": out});
        for trigger in ["manual", "auto"] {
            let outcome =
                stage(case("*", trigger, &[two("ERR-1\nERR-2", ""), json!({}), two("ERR-3", "{}")])).remove(0);
            assert!(outcome.fate.is_none() && outcome.agent.is_none());
            assert_eq!(said(&outcome, Audience::User), ["ERR-1\nERR-2", "ERR-3"]);
            assert!(said(&outcome, Audience::Model).is_empty());
        }
        assert!(is_nothing(&play(&[two("", "")])));
    }

    #[test]
    fn nothing_else_is_heard_or_decides() {
        let block = json!({"out": r#"{"decision":"block","reason":"WHY-1"}"#});
        let fields = json!({"continue": false, "stopReason": "STOP-1", "systemMessage": "MSG-1"});
        let late = json!({"end": "timed_out", "err": "ERR-1"});
        let failed = json!({"end": {"exit": 1}, "err": "ERR-1"});
        let absent = json!({"end": "not_started", "err": "ERR-1"});
        let out = json!({"out": fields.to_string(), "err": "ERR-1"});
        for result in [json!({}), json!({"out": "TEXT-1"}), json!({"out": "{x}"}), block, late, failed, absent, out] {
            assert!(is_nothing(&play(std::slice::from_ref(&result))), "{result}");
        }
    }

    #[test]
    fn the_terminal_is_written_to() {
        let outcome = play(&[json!({"out": json!({"terminalSequence": "\u{7}"}).to_string()})]);
        assert_eq!(said(&outcome, Audience::Terminal), ["\u{7}"]);
    }

    #[test]
    fn what_triggered_it_selects_and_the_summary_is_given() {
        for (matcher, trigger, runs) in [
            ("manual", "manual", true),
            ("auto", "manual", false),
            ("auto|manual", "auto", true),
            ("man", "manual", false),
        ] {
            assert_eq!(!ran(&stage(case(matcher, trigger, &[json!({})]))[0]).is_empty(), runs, "{matcher} {trigger}");
        }
        let outcome = play(&[json!({})]);
        let input = &outcome.ran[0].given["input"];
        assert_eq!((&input["trigger"], &input["compact_summary"]), (&json!("manual"), &json!("SUMMARY-1")));
        assert!(input.get("custom_instructions").is_none() && input.get("permission_mode").is_none());
    }
}
