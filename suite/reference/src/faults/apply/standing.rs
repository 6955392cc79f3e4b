//! Faults of the last step: what a session may become, and what of it the model is told later.

use crate::{
    Scene,
    apply::apply,
    faults::other_world,
    merge::{Decision, Verdict},
    session::Session,
};
use hookproof_contract::{Audience, Event, Fact, Fate, Outcome, Source};
use serde_json::Value;
use std::collections::BTreeSet;

pub(in crate::faults) fn removals_lost<'a>(
    scene: &Scene<'a>,
    session: &mut Session,
    mut decision: Decision,
) -> Outcome {
    if let Verdict::Request(request) = &mut decision.verdict {
        let removes = |given: &Value| given["type"].as_str().is_some_and(|kind| kind.starts_with("remove"));
        request.updates.retain(|update| !removes(&update.given));
    }
    apply(scene, session, decision)
}

/// The ordinary step in a world with other facts, where a request for permission is answered.
fn with_facts<'a>(
    scene: &Scene<'a>,
    session: &mut Session,
    decision: Decision,
    change: impl FnOnce(&mut BTreeSet<Fact>),
) -> Outcome {
    let case = other_world(scene, |host| change(&mut host.facts));
    match &decision.verdict {
        Verdict::Request(_) => apply(&Scene { case: &case, ..*scene }, session, decision),
        _ => apply(scene, session, decision),
    }
}

pub(in crate::faults) fn always_bypassed<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    with_facts(scene, session, decision, |facts| facts.extend([Fact::BypassAvailable]))
}

pub(in crate::faults) fn bypass_never_off<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    with_facts(scene, session, decision, |facts| facts.retain(|fact| *fact != Fact::BypassDisabled))
}

pub(in crate::faults) fn any_default_provides<'a>(
    scene: &Scene<'a>,
    session: &mut Session,
    decision: Decision,
) -> Outcome {
    let speaks = |source: &Source| matches!(source, Source::Project | Source::Local);
    let mut layers = scene.case.settings.iter().filter(|layer| speaks(&layer.from));
    let provides = layers.any(|layer| layer.settings.contains_key("permissions"));
    with_facts(scene, session, decision, |facts| facts.extend(provides.then_some(Fact::BypassAvailable)))
}

pub(in crate::faults) fn block_of_a_batch_forgotten<'a>(
    scene: &Scene<'a>,
    session: &mut Session,
    decision: Decision,
) -> Outcome {
    let mut outcome = apply(scene, session, decision);
    if scene.event() == Event::PostToolBatch && outcome.fate == Some(Fate::Prevented) {
        outcome.said.retain(|said| said.to != Audience::Model);
    }
    outcome
}

pub(in crate::faults) fn unconfined_commands_approved<'a>(
    scene: &Scene<'a>,
    session: &mut Session,
    decision: Decision,
) -> Outcome {
    let host = scene.host();
    let approves = host.permission_mode == "auto" && host.facts.contains(&Fact::WithoutSandbox);
    let mut outcome = apply(scene, session, decision);
    if scene.event() == Event::PreToolUse && approves && outcome.fate == Some(Fate::Asked) {
        outcome.fate = Some(Fate::Proceeds);
    }
    outcome
}
