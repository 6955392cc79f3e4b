//! Faults of the last step: what is held back, and what nobody hears, whatever the event is.

use crate::{
    Scene,
    apply::apply,
    merge::{Decision, Verdict},
    permissions::{Rules, update},
    select::select,
    session::Session,
};
use hookproof_contract::{Audience, End, Event, Fate, Manner, Outcome};
use serde_json::Value;

/// Whether some hook that ran exited 2.
fn somebody_exits_two(scene: &Scene<'_>, session: &Session) -> bool {
    let handlers = select(scene, session);
    let mut results = handlers.iter().filter_map(|handler| scene.case.result(scene.firing, &handler.name));
    results.any(|result| result.end == End::Exit(2))
}

pub(in crate::faults) fn two_prevents<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let objected = somebody_exits_two(scene, session);
    let mut outcome = apply(scene, session, decision);
    if objected && outcome.fate.is_none() {
        outcome.fate = Some(Fate::Prevented);
    }
    outcome
}

/// The ordinary step, but some of what is said is lost.
fn unsaid<'a>(
    scene: &Scene<'a>,
    session: &mut Session,
    decision: Decision,
    is_lost: impl Fn(Audience, Option<Manner>) -> bool,
) -> Outcome {
    let mut outcome = apply(scene, session, decision);
    outcome.said.retain(|said| !is_lost(said.to, said.how));
    outcome
}

pub(in crate::faults) fn errors_unseen<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    unsaid(scene, session, decision, |to, how| to == Audience::User && how == Some(Manner::Notice))
}

pub(in crate::faults) fn log_unwritten<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    unsaid(scene, session, decision, |to, _| to == Audience::Debug)
}

pub(in crate::faults) fn blocks_unseen<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    unsaid(scene, session, decision, |to, how| to == Audience::User && how == Some(Manner::Block))
}

pub(in crate::faults) fn feedback_unheard<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    unsaid(scene, session, decision, |to, how| to == Audience::Model && how == Some(Manner::Feedback))
}

pub(in crate::faults) fn refusals_unheard<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    unsaid(scene, session, decision, |to, how| to == Audience::Model && how == Some(Manner::Refusal))
}

pub(in crate::faults) fn updates_lost<'a>(scene: &Scene<'a>, session: &mut Session, mut decision: Decision) -> Outcome {
    if let Verdict::Request(request) = &mut decision.verdict {
        request.updates.clear();
    }
    apply(scene, session, decision)
}

pub(in crate::faults) fn updates_forgotten<'a>(
    scene: &Scene<'a>,
    session: &mut Session,
    decision: Decision,
) -> Outcome {
    let outcome = apply(scene, session, decision);
    session.rules = Rules::default();
    outcome
}

/// The ordinary step, but permission updates go elsewhere; what is told of them stays.
fn destined<'a>(scene: &Scene<'a>, session: &mut Session, mut decision: Decision, destination: &str) -> Outcome {
    if let Verdict::Request(request) = &mut decision.verdict {
        for one in &mut request.updates {
            let mut given = one.given.clone();
            given["destination"] = Value::from(destination);
            if let Some(moved) = update(given) {
                one.change = moved.change;
            }
        }
    }
    apply(scene, session, decision)
}

pub(in crate::faults) fn nothing_is_saved<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    destined(scene, session, decision, "session")
}

pub(in crate::faults) fn all_is_saved<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    destined(scene, session, decision, "userSettings")
}

pub(in crate::faults) fn modes_lost<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let before = session.mode.clone();
    let mut outcome = apply(scene, session, decision);
    if scene.event() == Event::PermissionRequest {
        session.mode = before;
        outcome.set.remove(&hookproof_contract::Slot::PermissionMode);
    }
    outcome
}
