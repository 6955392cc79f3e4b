//! The agent, or a subagent, is about to stop (chapters *stop* and *agents*).

use super::Effect;
use crate::{merge::Stopping, session::Turn};
use hookproof_contract::{Agent, Event, Fate};

/// How often in a row stop hooks may keep a turn going.
const CAP: u32 = 8;
/// The variable that raises it.
const VARIABLE: &str = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP";

pub(super) fn apply(effect: &mut Effect<'_, '_>, stopping: Stopping) {
    // Each agent's turn is counted by itself. Whether that of a subagent has a limit is not said; here it has the same.
    let turn = effect.session.stopping(effect.scene);
    let continuations = if turn.tool_called { 0 } else { turn.continuations };
    // `continue: false` is stronger than any decision; whether it is stronger than exit 2 is an open point.
    let stops = effect.stop && !(stopping.exits_two && effect.scene.stance.exit_two_goes_on);
    if !stops && stopping.goes_on && continuations < cap(effect) {
        let turn = Turn { continuations: continuations + 1, kept_going: true, tool_called: false };
        effect.session.goes_on(effect.scene, Some(turn));
        effect.fate(Fate::Prevented);
        effect.say_all(stopping.said);
        return;
    }
    effect.session.goes_on(effect.scene, None);
    if effect.scene.event() == Event::SubagentStop {
        effect.session.agents.stops(effect.scene.firing);
    }
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
        let created = json!({"fire": {"event": "TaskCreated"}});
        assert_eq!(goes_on(&stage(case(block(), json!([stops(8), created, stops(1)])))), [true; 9]);
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

    fn subagent(result: Value, steps: &[(&str, &str)]) -> Vec<Outcome> {
        let end = |(event, id): &(&str, &str)| json!({"fire": {"event": event, "input": {"agent_id": id, "agent_type": "Explore"}}});
        let steps: Vec<Value> = steps.iter().map(end).collect();
        let mut case = case(result, json!(steps));
        let groups = case["settings"][0]["settings"]["hooks"]["Stop"].clone();
        case["settings"][0]["settings"]["hooks"]["SubagentStop"] = groups;
        stage(case)
    }

    #[test]
    fn a_subagent_is_kept_going_in_the_same_ways() {
        let own = r#"{"hookSpecificOutput":{"hookEventName":"SubagentStop","additionalContext":"WHY-1"}}"#;
        let results = [block(), json!({"end": {"exit": 2}, "err": "WHY-1"}), json!({"out": own})];
        for (result, is_error) in results.into_iter().zip([true, true, false]) {
            let outcome = subagent(result, &[("SubagentStop", "a1")]).remove(0);
            assert_eq!((outcome.fate, outcome.agent), (Some(Fate::Prevented), None));
            assert!(said(&outcome, Audience::Model).concat().contains("WHY-1"));
            assert_eq!(said(&outcome, Audience::User).concat().contains("hook error"), is_error);
        }
        let stops = subagent(
            json!({"out": r#"{"continue":false,"decision":"block","reason":"WHY-1"}"#}),
            &[("SubagentStop", "a1")],
        );
        assert_eq!((stops[0].fate, stops[0].agent), (None, Some(Agent::Stops)));
    }

    #[test]
    fn each_agent_learns_of_its_own_turn_alone() {
        let outcomes = subagent(
            block(),
            &[("SubagentStop", "a1"), ("SubagentStop", "a2"), ("Stop", ""), ("SubagentStop", "a1"), ("Stop", "")],
        );
        let active: Vec<bool> =
            outcomes.iter().map(|o| o.ran[0].given["input"]["stop_hook_active"] == json!(true)).collect();
        assert_eq!(active, [false, false, false, true, true]);
    }

    #[test]
    fn each_agent_is_counted_by_itself() {
        let steps: Vec<(&str, &str)> = [("SubagentStop", "a1"); 9].into_iter().chain([("Stop", "")]).collect();
        let on = goes_on(&subagent(block(), &steps));
        assert_eq!((on[7], on[8], on[9]), (true, false, true));
    }

    #[test]
    fn a_subagents_hook_is_told_where_its_transcript_is() {
        let given = subagent(block(), &[("SubagentStop", "a1")])[0].ran[0].given["input"].clone();
        assert!(given["agent_transcript_path"].as_str().expect("a path").contains("/subagents/"));
        assert_eq!((&given["agent_id"], &given["background_tasks"]), (&json!("a1"), &json!([])));
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
