//! Faults of the third step where permission is asked for, was refused, or is needed to go over to another model.

use super::{decides, outputs, silence_all_but};
use crate::{
    Scene,
    merge::{Answered, Decision, Request, Verdict, merge},
    read::{Consent, Ending, TopDecision},
};
use hookproof_contract::{Event, Firing, Surface};
use serde_json::Value;

/// The ordinary step, but with another answer to a permission request.
fn answering<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>, change: impl FnOnce(&mut Request)) -> Decision {
    let mut decision = merge(scene, answers);
    if let Verdict::Request(request) = &mut decision.verdict {
        change(request);
    }
    decision
}

pub(in crate::faults) fn two_refuses<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let refuses = answers.iter().any(|(_, answer)| answer.exits_two());
    answering(scene, answers, |request| {
        if refuses && request.granted.is_none() {
            request.granted = Some(false);
        }
    })
}

pub(in crate::faults) fn top_level_answers<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let top = outputs(&mut answers).find_map(|output| output.decision);
    answering(scene, answers, |request| {
        request.granted = request.granted.or(top.map(|decision| decision == TopDecision::Approve));
    })
}

pub(in crate::faults) fn silence_answers<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if let Some((_, others)) = answers.split_last_mut() {
        outputs(others).for_each(|output| output.consent = None);
    }
    merge(scene, answers)
}

pub(in crate::faults) fn request_merged<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let old = scene.firing.input.get("tool_input").and_then(Value::as_object);
    for output in outputs(&mut answers) {
        if let Some(Consent::Given { input: Some(input), .. }) = &mut output.consent {
            for (key, value) in old.into_iter().flatten() {
                input.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
    }
    merge(scene, answers)
}

pub(in crate::faults) fn only_suggested<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let suggested = scene.firing.input.get("permission_suggestions").and_then(Value::as_array);
    answering(scene, answers, |request| {
        request.updates.retain(|update| suggested.is_none_or(|suggested| suggested.contains(&update.given)));
    })
}

pub(in crate::faults) fn never_interrupted<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    answering(scene, answers, |request| request.interrupts = false)
}

pub(in crate::faults) fn last_lets_retry<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if let Some((_, others)) = answers.split_last_mut() {
        outputs(others).for_each(|output| output.retry = false);
    }
    merge(scene, answers)
}

pub(in crate::faults) fn unjudged_retried<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let mut firing: Firing = scene.firing.clone();
    firing.input.remove("reason");
    merge(&Scene { firing: &firing, ..*scene }, answers)
}

pub(in crate::faults) fn late_switch<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let late = answers.iter_mut().filter(|(_, answer)| answer.ending == Ending::TimedOut);
    late.filter(|_| scene.event() == Event::PreModelSwitch).for_each(|(_, answer)| answer.ending = Ending::Done);
    merge(scene, answers)
}

pub(in crate::faults) fn last_on_switch<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if scene.event() == Event::PreModelSwitch {
        let last = answers.iter().rposition(|answered| decides(scene, answered));
        silence_all_but(scene, &mut answers, last);
    }
    merge(scene, answers)
}

pub(in crate::faults) fn host_answers_alone<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let host = scene.host();
    let is_asked = host.permission_host && matches!(host.surface, Surface::Print | Surface::Sdk);
    answering(scene, answers, |request| {
        if is_asked {
            *request = Request::default();
        }
    })
}
