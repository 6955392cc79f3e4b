//! All calls of a batch are done, and the model is about to be asked again (chapter *tool-results*).

use super::Effect;
use crate::merge::{Batch, Remark};
use hookproof_contract::{Agent, Fate};

pub(super) fn apply(effect: &mut Effect<'_, '_>, batch: Batch, context: Vec<Remark>) {
    if batch.blocked || effect.stop || effect.ends_turn {
        effect.fate(Fate::Prevented);
        effect.agent(Agent::EndsTurn);
    }
    effect.say_all(batch.said);
    // Context lies where its hook ran, so a block does not take it away again.
    effect.say_all(context);
    effect.stop_if_asked();
}

#[cfg(test)]
mod tests {
    use crate::testing::{numbered, ran, said, stage, stage_at};
    use hookproof_contract::{Agent, Audience, Fate, Outcome, Revision};
    use serde_json::{Value, json};

    fn case(results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        json!({"settings": [{"from": "user", "settings": {"hooks": {"PostToolBatch": [{"matcher": "Nothing", "hooks": handlers}]}}}],
               "results": results, "steps": [{"fire": {"event": "PostToolBatch", "input": {"tool_calls": calls()}}}]})
    }

    fn calls() -> Value {
        json!([{"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t1", "tool_response": "a.ts"},
               {"tool_name": "Read", "tool_input": {"file_path": "/a.ts"}, "tool_use_id": "t2", "tool_response": "1\tx"}])
    }

    fn play(results: &[Value]) -> Outcome {
        stage(case(results)).remove(0)
    }

    fn two() -> Value {
        json!({"end": {"exit": 2}, "err": "ERR-1"})
    }

    fn block() -> Value {
        json!({"out": r#"{"decision":"block","reason":"WHY-1"}"#})
    }

    fn context(text: &str) -> Value {
        let fields = json!({"hookEventName": "PostToolBatch", "additionalContext": text});
        json!({"out": json!({"hookSpecificOutput": fields}).to_string()})
    }

    #[test]
    fn a_block_ends_the_loop_and_its_message_is_shown_and_kept() {
        let mut both = two();
        both["out"] = block()["out"].clone();
        for (result, message) in [(two(), "ERR-1"), (block(), "WHY-1"), (both, "WHY-1")] {
            let outcome = play(&[json!({}), result, json!({})]);
            assert_eq!((outcome.fate, outcome.agent), (Some(Fate::Prevented), Some(Agent::EndsTurn)));
            let shown = said(&outcome, Audience::User);
            assert!(shown.len() == 1 && shown[0].ends_with(message), "{shown:?}");
            assert_eq!(said(&outcome, Audience::Model), [message]);
        }
    }

    #[test]
    fn exit_two_blocks_whatever_is_printed() {
        for out in ["", "TEXT-1", "{}", "{x}", r#"{"reason":5}"#, r#"{"decision":"approve","reason":"WHY-1"}"#] {
            let mut result = two();
            result["out"] = json!(out);
            let outcome = play(&[result]);
            assert_eq!(outcome.fate, Some(Fate::Prevented), "{out}");
            assert_eq!(said(&outcome, Audience::Model), ["ERR-1"], "{out}");
        }
    }

    #[test]
    fn continue_false_ends_it_too_and_its_reason_was_always_kept() {
        let stop = json!({"out": r#"{"continue":false,"stopReason":"STOP-1"}"#});
        for outcome in [play(std::slice::from_ref(&stop)), stage_at(case(&[stop]), Revision(2, 1, 240)).remove(0)] {
            assert_eq!((outcome.fate, outcome.agent), (Some(Fate::Prevented), Some(Agent::Stops)));
            assert_eq!(said(&outcome, Audience::User), ["STOP-1"]);
            assert_eq!(said(&outcome, Audience::Model), ["STOP-1"]);
        }
    }

    #[test]
    fn nothing_else_ends_it() {
        let late = json!({"end": "timed_out", "out": block()["out"], "err": "ERR-1"});
        let failed = json!({"end": {"exit": 1}, "err": "ERR-1"});
        for result in [json!({}), json!({"out": "TEXT-1"}), json!({"out": r#"{"reason":"WHY-1"}"#}), late, failed] {
            let outcome = play(std::slice::from_ref(&result));
            assert!(outcome.fate.is_none() && outcome.agent.is_none(), "{result}");
            assert!(said(&outcome, Audience::Model).is_empty(), "{result}");
        }
    }

    #[test]
    fn each_hooks_context_arrives_once_in_the_step() {
        let heard = said(&play(&[context("CTX-1"), context("CTX-2")]), Audience::Model);
        assert!(heard.len() == 2 && heard[0].ends_with("CTX-1") && heard[1].ends_with("CTX-2"), "{heard:?}");
    }

    #[test]
    fn no_matcher_counts_and_the_calls_are_given_as_they_are() {
        let outcome = play(&[json!({})]);
        assert_eq!(ran(&outcome), ["h0"]);
        let given = &outcome.ran[0].given;
        assert_eq!((&given["timeout"], &given["input"]["permission_mode"]), (&json!(600), &json!("default")));
        assert_eq!(given["input"]["tool_calls"], calls());
    }
}
