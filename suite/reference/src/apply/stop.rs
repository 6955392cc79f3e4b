//! The agent is about to stop (chapter *stop*).

use super::Effect;
use crate::merge::Stopping;
use hookproof_contract::{Agent, Fate};

/// How often in a row stop hooks may keep a turn going.
const CAP: u32 = 8;
/// The variable that raises it.
const VARIABLE: &str = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP";

pub(super) fn apply(effect: &mut Effect<'_, '_>, stopping: Stopping) {
    if std::mem::take(&mut effect.session.tool_called) {
        effect.session.continuations = 0;
    }
    // `continue: false` is stronger than any decision; whether it is stronger than exit 2 is an open point.
    let stops = effect.stop && !(stopping.exits_two && effect.scene.stance.exit_two_goes_on);
    if !stops && stopping.goes_on && effect.session.continuations < cap(effect) {
        effect.session.continuations += 1;
        effect.session.kept_going = true;
        effect.fate(Fate::Prevented);
        effect.say_all(stopping.said);
        return;
    }
    effect.session.new_turn();
    effect.fate(Fate::Proceeds);
    if stops {
        effect.agent(Agent::Stops);
    }
}

/// The limit, which the variable can only raise.
fn cap(effect: &Effect<'_, '_>) -> u32 {
    let set = effect.scene.host().env.get(VARIABLE).filter(|value| value.bytes().all(|b| b.is_ascii_digit()));
    set.and_then(|value| value.parse().ok()).unwrap_or(CAP).max(CAP)
}

#[cfg(test)]
mod tests {
    use crate::testing::{said, stage, stage_read};
    use hookproof_contract::{Agent, Audience, Fate, Outcome, reading};
    use serde_json::{Value, json};

    fn case(result: Value, steps: Value) -> Value {
        json!({"settings": [{"from": "user", "settings": {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}]}}}],
               "results": {"a": result}, "steps": steps})
    }

    fn block() -> Value {
        json!({"out": r#"{"decision":"block","reason":"WHY-1"}"#})
    }

    fn context() -> Value {
        json!({"out": r#"{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"CTX-1"}}"#})
    }

    fn goes_on(outcomes: &[Outcome]) -> Vec<bool> {
        outcomes.iter().filter(|o| !o.ran.is_empty()).map(|o| o.fate == Some(Fate::Prevented)).collect()
    }

    fn stops(times: u32) -> Value {
        json!({"fire": {"event": "Stop", "times": times}})
    }

    #[test]
    fn a_block_keeps_the_agent_going_and_shows_as_an_error() {
        for result in [block(), json!({"end": {"exit": 2}, "err": "WHY-1"})] {
            let outcome = stage(case(result, json!([stops(1)]))).remove(0);
            assert_eq!(outcome.fate, Some(Fate::Prevented));
            assert_eq!(said(&outcome, Audience::Model), ["WHY-1"]);
            assert!(said(&outcome, Audience::User)[0].contains("hook error"));
        }
    }

    #[test]
    fn context_keeps_it_going_too_and_is_no_error() {
        let outcome = stage(case(context(), json!([stops(1)]))).remove(0);
        assert_eq!(outcome.fate, Some(Fate::Prevented));
        let heard = said(&outcome, Audience::User).concat();
        assert!(heard.contains("Stop hook feedback") && !heard.contains("hook error"));
        assert!(said(&outcome, Audience::Model).concat().contains("CTX-1"));
    }

    #[test]
    fn the_ninth_in_a_row_is_overridden() {
        for result in [block(), context()] {
            let outcomes = stage(case(result, json!([stops(9)])));
            assert_eq!(goes_on(&outcomes), [true, true, true, true, true, true, true, true, false]);
            assert!(said(&outcomes[8], Audience::Model).is_empty());
        }
    }

    #[test]
    fn a_tool_call_and_a_prompt_begin_the_count_anew() {
        for (happening, active) in [("tool_call", true), ("new_prompt", false)] {
            let outcomes = stage(case(block(), json!([stops(8), {"happen": happening}, stops(8)])));
            assert_eq!(goes_on(&outcomes), [true; 16]);
            assert_eq!(outcomes[9].ran[0].given["input"]["stop_hook_active"], active);
        }
        let outcomes = stage(case(block(), json!([stops(8), {"happen": "model_request"}, stops(1)])));
        assert_eq!(goes_on(&outcomes).last(), Some(&false));
    }

    #[test]
    fn the_limit_can_be_raised_and_not_lowered() {
        for (value, limit) in [("10", 10), ("3", 8), ("x", 8), ("+12", 8), ("", 8)] {
            let mut case = case(block(), json!([stops(11)]));
            case["host"] = json!({"env": {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": value}});
            let first = goes_on(&stage(case)).iter().position(|on| !on);
            assert_eq!(first, Some(limit), "{value}");
        }
    }

    #[test]
    fn blank_context_keeps_nobody_going_and_that_is_open() {
        let out = r#"{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":" \n"}}"#;
        let case = case(json!({"out": out}), json!([stops(1)]));
        assert_eq!(goes_on(&stage(case.clone())), [false]);
        assert_eq!(goes_on(&stage_read(case, &[reading!("A-180", "yes")])), [true]);
    }

    #[test]
    fn the_hook_learns_that_it_kept_the_agent_going() {
        let outcomes = stage(case(context(), json!([stops(2)])));
        let active = |i: usize| outcomes[i].ran[0].given["input"]["stop_hook_active"].clone();
        assert_eq!((active(0), active(1)), (json!(false), json!(true)));
    }

    #[test]
    fn continue_false_is_stronger_than_a_block_and_beside_exit_two_open() {
        let mut result = json!({"out": r#"{"continue":false,"decision":"block","reason":"WHY-1"}"#});
        let outcome = stage(case(result.clone(), json!([stops(1)]))).remove(0);
        assert_eq!((outcome.fate, outcome.agent), (None, Some(Agent::Stops)));
        result["end"] = json!({"exit": 2});
        assert_eq!(stage(case(result.clone(), json!([stops(1)])))[0].agent, Some(Agent::Stops));
        let on = stage_read(case(result, json!([stops(1)])), &[reading!("A-53", "goes on")]).remove(0);
        assert_eq!((on.fate, on.agent), (Some(Fate::Prevented), None));
    }
}
