//! Faults of the third step: what the objections of evaluators come to.

use crate::{
    Scene,
    merge::{Answered, Decision, merge},
    read::{Objection, Output, Spoken, TopDecision},
    select::Kind,
};
use hookproof_contract::{Event, Name};
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

pub(in crate::faults) fn prompt_may_go_on<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if matches!(scene.event(), Event::UserPromptSubmit | Event::UserPromptExpansion) {
        for (handler, answer) in &mut answers {
            let asks = handler.kind == Kind::Agent || handler.json.get("continueOnBlock") == Some(&Value::Bool(true));
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
