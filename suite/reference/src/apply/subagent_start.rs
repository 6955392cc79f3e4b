//! A subagent begins, or is taken up again (chapter *agents*). Nothing can keep it from that.

use super::Effect;
use crate::merge::Remark;
use hookproof_contract::Fate;

/// What the hooks of its first start told it stays where it is. What later ones say is added only once that copy is gone.
pub(super) fn apply(effect: &mut Effect<'_, '_>, context: Vec<Remark>) {
    effect.fate(Fate::Proceeds);
    let id = effect.scene.input_text("agent_id").unwrap_or_default();
    if !effect.session.briefed.contains(id) {
        if context.iter().any(|remark| !remark.text.trim().is_empty()) {
            effect.session.briefed.insert(id.to_owned());
        }
        effect.say_all(context);
    }
    effect.stop_if_asked();
}

#[cfg(test)]
mod tests {
    use crate::testing::{numbered, ran, said, stage};
    use hookproof_contract::{Agent, Audience, Outcome};
    use serde_json::{Value, json};

    fn start(id: &str) -> Value {
        json!({"fire": {"event": "SubagentStart", "input": {"agent_id": id, "agent_type": "Explore"}}})
    }

    fn case(matcher: &str, results: &[Value], steps: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        json!({"settings": [{"from": "user", "settings": {"hooks": {"SubagentStart": [{"matcher": matcher, "hooks": handlers}]}}}],
               "results": results, "steps": steps})
    }

    fn play(results: &[Value]) -> Outcome {
        stage(case("*", results, &[start("a1")])).remove(0)
    }

    fn context(text: &str) -> Value {
        let output = json!({"hookSpecificOutput": {"hookEventName": "SubagentStart", "additionalContext": text}});
        json!({"out": output.to_string()})
    }

    /// How many texts the subagent of each step was told.
    fn told(steps: &[Value]) -> Vec<usize> {
        let outcomes = stage(case("*", &[context("CTX-1")], steps));
        outcomes.iter().map(|outcome| said(outcome, Audience::Model).len()).collect()
    }

    #[test]
    fn every_hooks_context_goes_to_the_subagent_and_plain_text_does_not() {
        let outcome = play(&[context("CTX-1"), json!({"out": "TEXT-1"}), context("CTX-2")]);
        let heard = said(&outcome, Audience::Model);
        assert!(heard.len() == 2 && heard[0].ends_with("CTX-1") && heard[1].ends_with("CTX-2"), "{heard:?}");
        assert!(outcome.fate.is_none() && said(&outcome, Audience::User).is_empty());
    }

    #[test]
    fn exit_two_blocks_nothing_and_is_noticed_by_the_user_alone() {
        let mut result = context("CTX-1");
        result["end"] = json!({"exit": 2});
        result["err"] = json!("ERR-1\nERR-2");
        let outcome = play(&[result]);
        assert_eq!((outcome.fate, outcome.agent), (None, None));
        assert_eq!(said(&outcome, Audience::User), ["SubagentStart:h0 hook error: ERR-1\nERR-2"]);
        assert_eq!(said(&outcome, Audience::Model), ["SubagentStart:h0 hook context: CTX-1"]);
        assert!(said(&play(&[json!({"end": {"exit": 2}})]), Audience::User).is_empty());
    }

    #[test]
    fn no_decision_is_made_and_the_universal_fields_count() {
        let out = json!({"decision": "block", "reason": "WHY-1", "systemMessage": "MSG-1"});
        let outcome = play(&[json!({"out": out.to_string()})]);
        assert!(outcome.fate.is_none() && said(&outcome, Audience::Model).is_empty());
        assert!(said(&outcome, Audience::User).concat().ends_with("MSG-1"));
        let stopped = play(&[json!({"out": r#"{"continue":false,"stopReason":"STOP-1"}"#})]);
        assert_eq!((stopped.fate, stopped.agent), (None, Some(Agent::Stops)));
    }

    #[test]
    fn a_subagent_is_told_once_and_each_by_itself() {
        assert_eq!(told(&[start("a1"), start("a1"), start("a2"), start("a1")]), [1, 0, 1, 0]);
        let compacted = json!({"happen": "compacted"});
        assert_eq!(told(&[start("a1"), compacted, start("a1"), start("a1")]), [1, 0, 1, 0]);
    }

    #[test]
    fn a_start_without_context_leaves_room_for_a_later_one() {
        let mut silent = start("a1");
        silent["fire"]["results"] = json!({"h0": {}});
        assert_eq!(told(&[silent, start("a1")]), [0, 1]);
    }

    #[test]
    fn the_type_selects_and_is_given_with_the_id() {
        for (matcher, runs) in [("Explore", true), ("Plan|Explore", true), ("Plan", false), ("^Exp", true)] {
            let outcome = stage(case(matcher, &[json!({})], &[start("a1")])).remove(0);
            assert_eq!(!ran(&outcome).is_empty(), runs, "{matcher}");
        }
        let outcome = play(&[json!({})]);
        let given = &outcome.ran[0].given;
        assert_eq!((&given["input"]["agent_id"], &given["input"]["agent_type"]), (&json!("a1"), &json!("Explore")));
        assert!(given["input"].get("permission_mode").is_none() && given["timeout"] == 600);
    }
}
