//! The session ends (chapter *session*). Nothing can keep it from that.

use super::Effect;
use crate::merge::Remark;
use hookproof_contract::{Fate, Happening};

/// What hooks have to say against it is shown, and then the session is forgotten: whatever follows is another one.
pub(super) fn apply(effect: &mut Effect<'_, '_>, said: Vec<Remark>) {
    effect.fate(Fate::Proceeds);
    effect.say_all(said);
    effect.session.happens(Happening::SessionEnds);
}

#[cfg(test)]
mod tests {
    use crate::testing::{is_untouched, numbered, ran, said, stage};
    use hookproof_contract::{Audience, Outcome};
    use serde_json::{Value, json};

    fn case(matcher: &str, reason: &str, results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        json!({"settings": [{"from": "user", "settings": {"hooks": {"SessionEnd": [{"matcher": matcher, "hooks": handlers}]}}}],
               "results": results, "steps": [{"fire": {"event": "SessionEnd", "input": {"reason": reason}}}]})
    }

    fn play(results: &[Value]) -> Outcome {
        stage(case("*", "other", results)).remove(0)
    }

    #[test]
    fn stderr_of_exit_two_is_shown_to_the_user_alone_and_that_of_every_hook() {
        let two = |err: &str, out: &str| json!({"end": {"exit": 2}, "err": err, "out": out});
        let outcome = play(&[two("ERR-1\nERR-2", ""), json!({}), two("ERR-3", "{\"reason\":5}")]);
        assert_eq!((outcome.fate, outcome.agent), (None, None));
        assert_eq!(said(&outcome, Audience::User), ["ERR-1\nERR-2", "ERR-3"]);
        assert!(said(&outcome, Audience::Model).is_empty());
        assert!(is_untouched(&play(&[two("", "")])));
    }

    #[test]
    fn nothing_else_is_heard() {
        let fields = json!({"continue": false, "stopReason": "STOP-1", "systemMessage": "MSG-1", "decision": "block",
                            "reason": "WHY-1"});
        for out in ["", "TEXT-1", "{x}", &fields.to_string()] {
            for end in [json!({"exit": 0}), json!({"exit": 1}), json!("timed_out"), json!("not_started")] {
                let outcome = play(&[json!({"out": out, "end": end, "err": "ERR-1"})]);
                assert!(is_untouched(&outcome), "{out} {end}");
            }
        }
        let outcome = play(&[json!({"out": json!({"terminalSequence": "\u{7}"}).to_string()})]);
        assert_eq!(said(&outcome, Audience::Terminal), ["\u{7}"]);
    }

    #[test]
    fn why_it_ends_selects_and_is_given() {
        for (matcher, reason, runs) in [
            ("clear", "clear", true),
            ("clear|logout", "logout", true),
            ("prompt_input_exit", "other", false),
            ("prompt", "prompt_input_exit", false),
        ] {
            assert_eq!(!ran(&stage(case(matcher, reason, &[json!({})]))[0]).is_empty(), runs, "{matcher} {reason}");
        }
        let outcome = play(&[json!({})]);
        let input = &outcome.ran[0].given["input"];
        assert_eq!(input["reason"], "other");
        assert!(input.get("permission_mode").is_none());
    }

    #[test]
    fn what_follows_is_another_session() {
        let hooks = json!([{"hooks": [{"type": "command", "command": "h"}]}]);
        let outcomes = stage(
            json!({"settings": [{"from": "user", "settings": {"hooks": {"SessionEnd": hooks, "PreCompact": hooks}}}],
            "steps": [{"happen": "new_prompt"}, {"fire": {"event": "SessionEnd", "input": {"reason": "clear"}}},
                      {"fire": {"event": "PreCompact", "input": {"trigger": "manual"}}}]}),
        );
        let has_prompt = |step: usize| outcomes[step].ran[0].given["input"].get("prompt_id").is_some();
        assert!(has_prompt(1) && !has_prompt(2));
    }
}
