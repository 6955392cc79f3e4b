//! What the objection of an evaluator comes to on each event (chapter *evaluators*): either it is put to the agent, which
//! goes on, as an answer of a command would be; or the turn ends, and the user is told why.

use super::{Decision, Remark, hook_name};
use crate::{
    Scene,
    read::{Answer, Ending, Objection, Output, Ruling, Spoken, TopDecision},
    select::{Handler, Kind},
    spill::Limit,
};
use hookproof_contract::{Audience, Event, Manner};
use serde_json::Value;

/// Puts what the event makes of an objection in its place. Where an event makes nothing of it, nothing is left.
pub(super) fn heed(scene: &Scene<'_>, handler: &Handler<'_>, answer: &mut Answer, decision: &mut Decision) {
    let Spoken::Objection(Objection { reason, impossible }) = &mut answer.spoken else { return };
    let (reason, impossible) = (std::mem::take(reason), *impossible);
    answer.spoken = Spoken::Nothing;
    let goes_on = goes_on(scene, handler);
    match scene.event() {
        // Only a model can hold that there is no way to do it, and then it need not be tried (PROMPT-RESP-02, AGENT-03).
        Event::Stop | Event::SubagentStop if impossible && handler.kind == Kind::Prompt => {}
        Event::Stop | Event::SubagentStop | Event::PostToolUseFailure | Event::TaskCreated => block(answer, reason),
        Event::PostToolUse if goes_on => block(answer, reason),
        Event::PreToolUse => {
            let told = goes_on.then(|| reason.clone());
            let output = Output { ruling: Some(Ruling::Deny), ruling_reason: told, ..Output::default() };
            answer.spoken = Spoken::Object(Box::new(output));
            if !goes_on {
                end_turn(scene, handler, reason, decision);
            }
        }
        Event::PostToolUse | Event::PostToolBatch | Event::UserPromptSubmit | Event::UserPromptExpansion => {
            end_turn(scene, handler, reason, decision);
        }
        Event::TaskCompleted if goes_on || !scene.turn_ends() => object(answer, reason),
        Event::TeammateIdle if goes_on => object(answer, reason),
        Event::TaskCompleted => {
            object(answer, String::new());
            halt(scene, handler, reason, decision);
        }
        Event::TeammateIdle => halt(scene, handler, reason, decision),
        _ => {}
    }
}

/// Whether the agent gets the reason and goes on, where the handler has a say in that. What an agent objects always goes on;
/// before 2.1.210, an objection to a call did as well.
fn goes_on(scene: &Scene<'_>, handler: &Handler<'_>) -> bool {
    handler.kind == Kind::Agent
        || handler.json.get("continueOnBlock") == Some(&Value::Bool(true))
        || (scene.event() == Event::PreToolUse && !scene.since(210))
}

/// As a top-level decision would.
fn block(answer: &mut Answer, reason: String) {
    let output = Output { decision: Some(TopDecision::Block), reason: Some(reason), ..Output::default() };
    answer.spoken = Spoken::Object(Box::new(output));
}

/// As exit 2 would, on events where that alone counts.
fn object(answer: &mut Answer, reason: String) {
    answer.ending = Ending::Blocking;
    answer.err = reason;
}

/// The turn is over.
fn end_turn(scene: &Scene<'_>, handler: &Handler<'_>, reason: String, decision: &mut Decision) {
    decision.ends_turn = true;
    decision.said.push(warning(scene, handler, reason));
}

/// The teammate does no more work.
fn halt(scene: &Scene<'_>, handler: &Handler<'_>, reason: String, decision: &mut Decision) {
    decision.stop = true;
    decision.said.push(warning(scene, handler, reason));
}

fn warning(scene: &Scene<'_>, handler: &Handler<'_>, reason: String) -> Remark {
    let lead = format!("{} objects: ", hook_name(scene, &handler.name));
    Remark::new(Audience::User, Manner::Warning, &handler.name, reason).led_by(lead).limited(Limit::Open)
}

#[cfg(test)]
mod tests {
    use crate::testing::{is_untouched, ran, said, stage, stage_at};
    use hookproof_contract::{Agent, Audience, Fate, Outcome, Revision, Slot};
    use serde_json::{Value, json};

    const MODEL: [bool; 2] = [true, false];
    const USER: [bool; 2] = [false, true];

    fn prompt() -> Value {
        json!({"type": "prompt", "prompt": "p"})
    }

    fn lenient() -> Value {
        json!({"type": "prompt", "prompt": "p", "continueOnBlock": true})
    }

    fn agent() -> Value {
        json!({"type": "agent", "prompt": "p"})
    }

    fn case(event: &str, handler: &Value, answer: &Value) -> Value {
        let input = json!({"tool_name": "Bash", "tool_input": {}, "prompt": "PROMPT-1", "command_name": "deploy", "agent_id": "a1"});
        json!({"settings": [{"from": "user", "settings": {"hooks": {event: [{"hooks": [handler]}]}}}],
               "results": {"p": {"end": "answered", "out": answer.to_string()}},
               "steps": [{"fire": {"event": event, "input": input}}]})
    }

    fn objection() -> Value {
        json!({"ok": false, "reason": "WHY-1"})
    }

    fn play(event: &str, handler: &Value) -> Outcome {
        stage(case(event, handler, &objection())).remove(0)
    }

    /// What became of the action and of the agent, and whether the model and the user read the reason.
    fn effect(outcome: &Outcome) -> (Option<Fate>, Option<Agent>, [bool; 2]) {
        let reads = |to| said(outcome, to).concat().contains("WHY-1");
        (outcome.fate, outcome.agent, [reads(Audience::Model), reads(Audience::User)])
    }

    const PREVENTED: Option<Fate> = Some(Fate::Prevented);

    #[test]
    fn an_objection_to_a_call_ends_the_turn_unless_it_may_go_on() {
        assert_eq!(effect(&play("PreToolUse", &prompt())), (PREVENTED, Some(Agent::EndsTurn), USER));
        assert_eq!(effect(&play("PostToolUse", &prompt())), (None, Some(Agent::EndsTurn), USER));
        for handler in [lenient(), agent()] {
            assert_eq!(effect(&play("PreToolUse", &handler)), (PREVENTED, None, MODEL));
            assert_eq!(effect(&play("PostToolUse", &handler)), (None, None, MODEL));
        }
        let before = stage_at(case("PreToolUse", &prompt(), &objection()), Revision(2, 1, 209)).remove(0);
        assert_eq!(effect(&before), (PREVENTED, None, MODEL));
    }

    #[test]
    fn an_objection_to_a_prompt_or_after_a_batch_always_ends_the_turn() {
        for handler in [prompt(), lenient(), agent()] {
            for event in ["UserPromptSubmit", "UserPromptExpansion", "PostToolBatch"] {
                assert_eq!(effect(&play(event, &handler)), (PREVENTED, Some(Agent::EndsTurn), USER), "{event}");
            }
        }
    }

    #[test]
    fn an_objection_about_a_task_or_a_failed_call_is_put_to_the_model() {
        for handler in [prompt(), lenient(), agent()] {
            assert_eq!(effect(&play("PostToolUseFailure", &handler)), (None, None, MODEL));
            let created = play("TaskCreated", &handler);
            assert_eq!((effect(&created), &created.set[&Slot::TaskGone]), ((PREVENTED, None, MODEL), &json!(true)));
            assert_eq!(effect(&play("TaskCompleted", &handler)), (PREVENTED, None, MODEL));
        }
    }

    #[test]
    fn a_teammate_is_halted_unless_it_may_go_on() {
        let at_the_end = |event: &str, handler: &Value| {
            let mut case = case(event, handler, &objection());
            case["host"] = json!({"facts": ["turn_ends"]});
            effect(&stage(case)[0])
        };
        assert_eq!(at_the_end("TeammateIdle", &prompt()), (None, Some(Agent::Stops), USER));
        assert_eq!(at_the_end("TaskCompleted", &prompt()), (PREVENTED, Some(Agent::Stops), USER));
        for handler in [lenient(), agent()] {
            assert_eq!(at_the_end("TeammateIdle", &handler), (PREVENTED, None, MODEL));
            assert_eq!(at_the_end("TaskCompleted", &handler), (PREVENTED, None, MODEL));
        }
    }

    #[test]
    fn an_objection_keeps_an_agent_at_work_unless_it_is_impossible() {
        let hopeless = json!({"ok": false, "reason": "WHY-1", "impossible": true});
        for event in ["Stop", "SubagentStop"] {
            for handler in [prompt(), lenient(), agent()] {
                assert_eq!(effect(&play(event, &handler)).0, PREVENTED, "{event}");
                assert!(said(&play(event, &handler), Audience::Model).concat().contains("WHY-1"));
            }
            assert!(is_untouched(&stage(case(event, &prompt(), &hopeless))[0]), "{event}");
            assert_eq!(stage(case(event, &agent(), &hopeless))[0].fate, PREVENTED, "{event}");
        }
        let other = stage(case("PreToolUse", &prompt(), &hopeless)).remove(0);
        assert_eq!(effect(&other), (PREVENTED, Some(Agent::EndsTurn), USER));
    }

    #[test]
    fn an_evaluator_is_counted_like_other_stop_hooks() {
        let mut case = case("Stop", &prompt(), &objection());
        case["steps"][0]["fire"]["times"] = json!(9);
        let on: Vec<bool> = stage(case).iter().map(|outcome| outcome.fate == PREVENTED).collect();
        assert_eq!(on, [true, true, true, true, true, true, true, true, false]);
    }

    #[test]
    fn who_has_no_objection_changes_nothing_and_the_reason_does_not_count() {
        for answer in
            [json!({"ok": true}), json!({"ok": true, "reason": "WHY-1, deny"}), json!({"ok": true, "impossible": true})]
        {
            for event in ["PreToolUse", "Stop", "UserPromptSubmit", "TeammateIdle", "TaskCompleted"] {
                assert!(is_untouched(&stage(case(event, &prompt(), &answer))[0]), "{event}");
            }
        }
        let mut silent = case("PreToolUse", &prompt(), &json!({}));
        silent["results"] = json!({});
        assert!(is_untouched(&stage(silent.clone())[0]) && ran(&stage(silent)[0]) == ["p"]);
    }

    #[test]
    fn what_is_no_verdict_blocks_nothing() {
        for answer in
            [json!({"ok": false}), json!({"ok": "no", "reason": "WHY-1"}), json!({"reason": "WHY-1"}), json!([])]
        {
            assert_eq!(effect(&stage(case("PreToolUse", &prompt(), &answer))[0]), (None, None, [false, false]));
        }
        let mut late = case("PreToolUse", &prompt(), &objection());
        late["results"]["p"]["end"] = json!("timed_out");
        assert!(is_untouched(&stage(late)[0]));
    }

    #[test]
    fn a_command_that_denies_is_heard_beside_an_evaluator() {
        let mut case = case("PreToolUse", &json!({"type": "command", "command": "a"}), &json!({"ok": true}));
        case["settings"][0]["settings"]["hooks"]["PreToolUse"][0]["hooks"]
            .as_array_mut()
            .expect("hooks")
            .push(prompt());
        case["results"]["a"] = json!({"end": {"exit": 2}, "err": "WHY-1"});
        assert_eq!(effect(&stage(case)[0]), (PREVENTED, None, MODEL));
    }
}
