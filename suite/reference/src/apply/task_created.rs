//! A task was created (chapter *agents*).

use super::Effect;
use crate::merge::Creation;
use hookproof_contract::{Fate, Slot};
use serde_json::Value;

pub(super) fn apply(effect: &mut Effect<'_, '_>, creation: Creation) {
    if creation.undone {
        effect.fate(Fate::Prevented);
        effect.outcome.set.insert(Slot::TaskGone, Value::Bool(true));
    }
    effect.say_all(creation.errors);
}

#[cfg(test)]
mod tests {
    use crate::testing::{numbered, ran, said, stage};
    use hookproof_contract::{Audience, Fate, Outcome, Slot};
    use serde_json::{Value, json};

    fn play(results: &[Value]) -> Outcome {
        let (handlers, results) = numbered(results);
        let group = json!({"matcher": "Nothing", "hooks": handlers});
        stage(
            json!({"settings": [{"from": "user", "settings": {"hooks": {"TaskCreated": [group]}}}], "results": results,
            "steps": [{"fire": {"event": "TaskCreated", "input": {"task_id": "7", "task_subject": "SUBJECT-1"}}}]}),
        )
        .remove(0)
    }

    fn is_undone(outcome: &Outcome) -> bool {
        outcome.fate == Some(Fate::Prevented) && outcome.set.get(&Slot::TaskGone) == Some(&json!(true))
    }

    fn block() -> Value {
        json!({"out": r#"{"decision":"block","reason":"WHY-1"}"#})
    }

    fn two() -> Value {
        json!({"end": {"exit": 2}, "err": "WHY-1"})
    }

    #[test]
    fn a_refused_task_is_deleted_and_the_model_is_told_why() {
        for result in [block(), two()] {
            let outcome = play(&[result]);
            assert!(is_undone(&outcome) && outcome.agent.is_none());
            assert_eq!(said(&outcome, Audience::Model), ["WHY-1"]);
            assert!(said(&outcome, Audience::User).is_empty());
        }
    }

    #[test]
    fn the_reason_comes_before_stderr() {
        let mut result = block();
        result["end"] = json!({"exit": 2});
        result["err"] = json!("ERR-1");
        assert_eq!(said(&play(&[result.clone()]), Audience::Model), ["WHY-1"]);
        result["out"] = json!(r#"{"reason":"WHY-1"}"#);
        assert_eq!(said(&play(&[result]), Audience::Model), ["ERR-1"]);
    }

    #[test]
    fn a_refusal_without_a_message_refuses() {
        let outcome = play(&[json!({"end": {"exit": 2}})]);
        assert!(is_undone(&outcome) && said(&outcome, Audience::Model).is_empty());
    }

    #[test]
    fn one_of_several_is_enough() {
        let outcome = play(&[two(), json!({}), json!({"out": r#"{"decision":"approve"}"#})]);
        assert!(is_undone(&outcome));
        assert_eq!(ran(&outcome).len(), 3);
    }

    #[test]
    fn nobody_stops_whoever_created_it() {
        let fields = r#"{"continue":false,"stopReason":"STOP-1","systemMessage":"MSG-1"}"#;
        let outcome = play(&[json!({"out": fields})]);
        assert!(outcome.fate.is_none() && outcome.agent.is_none() && outcome.set.is_empty());
        assert!(said(&outcome, Audience::Model).is_empty());
        let heard = said(&outcome, Audience::User).concat();
        assert!(heard.contains("MSG-1") && !heard.contains("STOP-1"));
    }

    #[test]
    fn silence_and_failure_leave_it_alone() {
        for result in [json!({}), json!({"end": {"exit": 1}, "err": "ERR-1"}), json!({"end": "timed_out", "out": "{}"})]
        {
            let outcome = play(&[result]);
            assert!(outcome.fate.is_none() && outcome.set.is_empty() && said(&outcome, Audience::Model).is_empty());
        }
    }

    #[test]
    fn the_mode_is_not_told_and_the_prompt_is() {
        let input = play(&[json!({})]).ran[0].given["input"].clone();
        assert!(input.get("permission_mode").is_none() && input["prompt_id"].is_string());
        assert_eq!(input["task_subject"], "SUBJECT-1");
    }
}
