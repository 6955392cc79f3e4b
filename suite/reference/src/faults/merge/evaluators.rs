//! Faults of the third step: what the objections of evaluators come to.

use crate::{
    Scene,
    merge::{Answered, Decision, Remark, Verdict, merge},
    read::{Objection, Output, Spoken, TopDecision},
    select::{Handler, Kind},
};
use hookproof_contract::{Audience, Event, Manner, Name};
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// A handler that says nothing about itself.
static PLAIN: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);

/// The names of the evaluators: what they say is told by rules of their own.
pub(super) fn names(answers: &[Answered<'_>]) -> Vec<Name> {
    let evaluators = answers.iter().filter(|(handler, _)| handler.kind.is_evaluator());
    evaluators.map(|(handler, _)| Name::clone(&handler.name)).collect()
}

fn is_objection((_, answer): &Answered<'_>) -> bool {
    matches!(answer.spoken, Spoken::Objection(_))
}

fn is_at_an_end(scene: &Scene<'_>) -> bool {
    matches!(scene.event(), Event::Stop | Event::SubagentStop)
}

/// The ordinary step, but without the objections for which this is true, by number.
fn without<'a>(
    scene: &Scene<'a>,
    mut answers: Vec<Answered<'a>>,
    is_lost: impl Fn(usize, &Objection) -> bool,
) -> Decision {
    for (number, (_, answer)) in answers.iter_mut().enumerate() {
        if matches!(&answer.spoken, Spoken::Objection(objection) if is_lost(number, objection)) {
            answer.spoken = Spoken::Nothing;
        }
    }
    merge(scene, answers)
}

pub(in crate::faults) fn hopeless_passes<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let elsewhere = !is_at_an_end(scene);
    without(scene, answers, |_, objection| elsewhere && objection.impossible)
}

pub(in crate::faults) fn last_verdict_counts<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let last = answers.iter().rposition(|(handler, _)| handler.kind.is_evaluator());
    let ends = is_at_an_end(scene);
    without(scene, answers, |number, _| ends && Some(number) != last)
}

pub(in crate::faults) fn two_reasons_lost<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let several = answers.iter().filter(|answered| is_objection(answered)).count() > 1;
    let told = matches!(scene.event(), Event::PostToolUseFailure | Event::TaskCreated);
    without(scene, answers, |_, _| told && several)
}

pub(in crate::faults) fn always_the_end<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    for (handler, _) in answers.iter_mut().filter(|answered| is_objection(answered)) {
        handler.json = &PLAIN;
    }
    merge(scene, answers)
}

pub(in crate::faults) fn never_the_end<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if !is_at_an_end(scene) {
        for (handler, _) in answers.iter_mut().filter(|answered| is_objection(answered)) {
            // What an agent objects to is always put to the model.
            handler.kind = Kind::Agent;
        }
    }
    merge(scene, answers)
}

fn may_go_on(handler: &Handler<'_>) -> bool {
    handler.json.get("continueOnBlock") == Some(&Value::Bool(true))
}

pub(in crate::faults) fn prompt_may_go_on<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if matches!(scene.event(), Event::UserPromptSubmit | Event::UserPromptExpansion) {
        for (handler, answer) in &mut answers {
            let asks = handler.kind == Kind::Agent || may_go_on(handler);
            let Spoken::Objection(objection) = &mut answer.spoken else { continue };
            if asks {
                let reason = Some(std::mem::take(&mut objection.reason));
                let output = Output { decision: Some(TopDecision::Block), reason, ..Output::default() };
                answer.spoken = Spoken::Object(Box::new(output));
            }
        }
    }
    merge(scene, answers)
}

pub(in crate::faults) fn no_refuses_permission<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let objects = answers.iter().any(is_objection);
    let mut decision = merge(scene, answers);
    if let Verdict::Request(request) = &mut decision.verdict
        && objects
    {
        request.granted = request.granted.or(Some(false));
    }
    decision
}

pub(in crate::faults) fn judge_of_a_refusal_heard<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let mut told = Vec::new();
    for (handler, _) in answers.iter().filter(|(handler, _)| handler.kind.is_evaluator()) {
        // What it answered is not read there, so it is looked for where it came from.
        let answer = scene.case.result(scene.firing, &handler.name).map(|result| result.out.lossy().into_owned());
        let answer: Option<Value> = answer.and_then(|answer| serde_json::from_str(&answer).ok());
        if let Some(reason) = answer.as_ref().and_then(|answer| answer.get("reason")?.as_str()) {
            told.push(Remark::new(Audience::Model, Manner::Refusal, &handler.name, reason));
        }
    }
    let mut decision = merge(scene, answers);
    if let Verdict::Refusal(_) = decision.verdict {
        decision.said.extend(told);
    }
    decision
}

pub(in crate::faults) fn lenient_no_stops_nothing<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let mut told = Vec::new();
    if scene.event() == Event::PreToolUse {
        for (handler, answer) in answers.iter_mut().filter(|(h, _)| h.kind == Kind::Prompt && may_go_on(h)) {
            if let Spoken::Objection(objection) = &mut answer.spoken {
                let reason = std::mem::take(&mut objection.reason);
                told.push(Remark::new(Audience::Model, Manner::Refusal, &handler.name, reason));
                answer.spoken = Spoken::Nothing;
            }
        }
    }
    let mut decision = merge(scene, answers);
    decision.said.extend(told);
    decision
}
