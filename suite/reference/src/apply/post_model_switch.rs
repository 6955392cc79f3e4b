//! The session has gone over to another model (chapter *model-switch*).

use super::Effect;
use crate::merge::Remark;
use hookproof_contract::Fate;

/// The switch stands. The new model gets the context with its first request; what was meant for a model that the session has
/// left before any request does not go out any more.
pub(super) fn apply(effect: &mut Effect<'_, '_>, context: Vec<Remark>) {
    effect.fate(Fate::Proceeds);
    effect.session.kept.for_model = effect.deliver_all(context);
    effect.stop_if_asked();
}

#[cfg(test)]
mod tests {
    use crate::testing::{numbered, ran, said, stage, stage_read};
    use hookproof_contract::{Agent, Audience, reading};
    use serde_json::{Value, json};

    fn case(results: &[Value], steps: &Value) -> Value {
        let (handlers, results) = numbered(results);
        json!({"host": {"models": {"opus": "claude-opus-5"}},
               "settings": [{"from": "user", "settings": {"hooks": {"PostModelSwitch": [{"matcher": "", "hooks": handlers}]}}}],
               "results": results, "steps": steps})
    }

    fn switch() -> Value {
        json!({"fire": {"event": "PostModelSwitch", "input": {"to_model": "claude-opus-5"}}})
    }

    fn once() -> Value {
        json!([switch(), {"happen": "model_request"}, {"happen": "model_request"}])
    }

    fn context() -> Value {
        let fields = json!({"hookEventName": "PostModelSwitch", "additionalContext": "CTX-1"});
        json!({"out": json!({"hookSpecificOutput": fields}).to_string()})
    }

    #[test]
    fn text_and_context_go_with_the_next_request() {
        let outcomes = stage(case(&[json!({"out": "TEXT-1"}), context()], &once()));
        let heard: Vec<usize> = outcomes.iter().map(|outcome| said(outcome, Audience::Model).len()).collect();
        assert_eq!(heard, [0, 2, 0]);
        let garbled = stage(case(&[json!({"out": "{x}"})], &once()));
        assert!(said(&garbled[1], Audience::Model).is_empty());
        assert!(said(&garbled[0], Audience::User).concat().contains("hook error"));
    }

    #[test]
    fn only_the_last_of_several_switches_counts() {
        let mut silent = switch();
        silent["fire"]["results"] = json!({"h0": {}});
        let steps = |second: Value| json!([switch(), second, {"happen": "model_request"}]);
        for (second, heard) in [(switch(), 1), (silent, 0)] {
            assert_eq!(said(&stage(case(&[context()], &steps(second)))[2], Audience::Model).len(), heard);
        }
    }

    #[test]
    fn exit_two_takes_nothing_back_and_is_noticed_by_the_user_alone() {
        let case = case(&[json!({"end": {"exit": 2}, "err": "ERR-1", "out": "TEXT-1"})], &once());
        let outcomes = stage(case.clone());
        assert!(outcomes[0].fate.is_none() && outcomes[0].agent.is_none());
        assert_eq!(said(&outcomes[0], Audience::User), ["PostModelSwitch:h0 hook error: ERR-1"]);
        assert!(outcomes.iter().all(|outcome| said(outcome, Audience::Model).is_empty()));
        assert_eq!(said(&stage_read(case, &[reading!("A-20", "added")])[1], Audience::Model).len(), 1);
    }

    #[test]
    fn the_universal_fields_count_and_no_decision() {
        let fields = json!({"continue": false, "stopReason": "STOP-1", "systemMessage": "MSG-1", "decision": "block"});
        let outcome = stage(case(&[json!({"out": fields.to_string()})], &once())).remove(0);
        assert_eq!((outcome.fate, outcome.agent), (None, Some(Agent::Stops)));
        let heard = said(&outcome, Audience::User).concat();
        assert!(heard.contains("MSG-1") && heard.contains("STOP-1"));
    }

    #[test]
    fn the_canonical_name_selects() {
        for event in ["PreModelSwitch", "PostModelSwitch"] {
            for (matcher, model, runs) in [
                ("claude-opus-5", "opus", true),
                ("claude-opus-5", "opus[1m]", true),
                ("claude-opus-5", "claude-opus-5[1m]", true),
                ("opus", "opus", false),
                (".*opus.*", "opus", true),
                ("claude-sonnet-5|claude-opus-5", "claude-opus-5", true),
                ("claude-sonnet-5", "claude-opus-5", false),
                ("claude-opus", "claude-opus-5", false),
                ("claude-sonnet-5", "my-model", true),
            ] {
                let mut case = case(&[json!({})], &json!([{"fire": {"event": event, "input": {"to_model": model}}}]));
                let group = case["settings"][0]["settings"]["hooks"]["PostModelSwitch"][0].clone();
                case["settings"][0]["settings"]["hooks"] = json!({event: [group]});
                case["settings"][0]["settings"]["hooks"][event][0]["matcher"] = json!(matcher);
                let outcome = stage(case).remove(0);
                assert_eq!(!ran(&outcome).is_empty(), runs, "{event} {matcher} {model}");
            }
        }
    }
}
