//! A task is about to be marked as completed (chapter *agents*).

use super::Effect;
use crate::merge::Objections;
use hookproof_contract::Fate;

pub(super) fn apply(effect: &mut Effect<'_, '_>, objections: Objections) {
    if objections.any {
        effect.fate(Fate::Prevented);
    }
    effect.say_all(objections.feedback);
    // That the task stays open and that the teammate does no more work go together.
    effect.stop_if_asked();
}

#[cfg(test)]
mod tests {
    use crate::testing::{is_untouched, said, stage, stage_at, stage_read};
    use hookproof_contract::{Agent, Audience, Fate, Outcome, Revision, reading};
    use serde_json::{Value, json};

    fn case(turn_ends: bool, result: Value) -> Value {
        let facts: &[&str] = if turn_ends { &["turn_ends"] } else { &[] };
        json!({"host": {"facts": facts},
               "settings": [{"from": "user", "settings": {"hooks": {"TaskCompleted": [{"matcher": "nothing", "hooks": [{"type": "command", "command": "a"}]}]}}}],
               "results": {"a": result},
               "steps": [{"fire": {"event": "TaskCompleted", "input": {"task_id": "7", "task_subject": "SUBJECT-1"}}}]})
    }

    fn play(turn_ends: bool, result: Value) -> Outcome {
        stage(case(turn_ends, result)).remove(0)
    }

    const STOP: &str = r#"{"continue":false,"stopReason":"STOP-1"}"#;

    #[test]
    fn exit_two_keeps_the_task_open_whatever_completes_it() {
        for turn_ends in [true, false] {
            for out in ["", "TEXT-1", "{x}", r#"{"reason":5}"#, r#"{"decision":"block","reason":"WHY-1"}"#] {
                let outcome = play(turn_ends, json!({"end": {"exit": 2}, "err": "ERR-1", "out": out}));
                assert_eq!((outcome.fate, outcome.agent), (Some(Fate::Prevented), None), "{out}");
                assert_eq!(said(&outcome, Audience::Model), ["ERR-1"], "{out}");
            }
        }
    }

    #[test]
    fn continue_false_stops_a_teammate_whose_turn_ends() {
        let outcome = play(true, json!({"out": STOP}));
        assert_eq!((outcome.fate, outcome.agent), (None, Some(Agent::Stops)));
        assert_eq!(said(&outcome, Audience::User), ["STOP-1"]);
        let both = play(true, json!({"end": {"exit": 2}, "err": "ERR-1", "out": STOP}));
        assert_eq!((both.fate, both.agent), (Some(Fate::Prevented), Some(Agent::Stops)));
    }

    #[test]
    fn continue_false_is_ignored_where_a_tool_completes_the_task_since_a_revision() {
        let outcome = play(false, json!({"out": STOP}));
        assert!(outcome.fate.is_none() && outcome.agent.is_none());
        assert!(said(&outcome, Audience::User).is_empty() && said(&outcome, Audience::Model).is_empty());
        let both = play(false, json!({"end": {"exit": 2}, "err": "ERR-1", "out": STOP}));
        assert_eq!((both.fate, both.agent), (Some(Fate::Prevented), None));
        let before = stage_at(case(false, json!({"out": STOP})), Revision(2, 1, 289)).remove(0);
        assert_eq!(before.agent, Some(Agent::Stops));
    }

    #[test]
    fn whether_a_decision_keeps_the_task_open_is_open() {
        let block = json!({"out": r#"{"decision":"block","reason":"WHY-1"}"#});
        for turn_ends in [true, false] {
            assert!(is_untouched(&play(turn_ends, block.clone())));
            let kept = stage_read(case(turn_ends, block.clone()), &[reading!("A-07", "blocks")]).remove(0);
            assert_eq!((kept.fate, kept.agent), (Some(Fate::Prevented), None));
            assert_eq!(said(&kept, Audience::Model), ["WHY-1"]);
        }
    }

    #[test]
    fn nothing_else_keeps_it_open() {
        let block = json!({"out": r#"{"decision":"block","reason":"WHY-1"}"#});
        for result in [json!({}), block, json!({"end": {"exit": 1}, "err": "ERR-1"}), json!({"end": "timed_out"})] {
            let outcome = play(false, result);
            assert!(outcome.fate.is_none() && outcome.agent.is_none() && said(&outcome, Audience::Model).is_empty());
        }
    }
}
