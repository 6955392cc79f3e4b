//! Faults of the last step: what is held back, and what nobody hears, whatever the event is.

use crate::{
    Scene,
    apply::apply,
    merge::{Decision, Verdict},
    select::select,
    session::Session,
};
use hookproof_contract::{Audience, End, Event, Fate, HandlerResult, Manner, Outcome};
use serde_json::Value;

/// The events on which hooks decide nothing.
const WATCHED: [Event; 13] = [
    Event::SessionStart,
    Event::SubagentStart,
    Event::PostModelSwitch,
    Event::Setup,
    Event::SessionEnd,
    Event::PostCompact,
    Event::Notification,
    Event::StopFailure,
    Event::InstructionsLoaded,
    Event::FileChanged,
    Event::DirectoryAdded,
    Event::CwdChanged,
    Event::MessageDisplay,
];

/// The ordinary step, but an event on which hooks decide nothing is prevented if this is true of what one of them did.
fn prevented_if<'a>(
    scene: &Scene<'a>,
    session: &mut Session,
    decision: Decision,
    objects: impl Fn(&HandlerResult) -> bool,
) -> Outcome {
    let handlers = select(scene, session);
    let mut results = handlers.iter().filter_map(|handler| scene.case.result(scene.firing, &handler.name));
    let objected = results.any(objects);
    let mut outcome = apply(scene, session, decision);
    if objected && WATCHED.contains(&scene.event()) {
        outcome.fate = Some(Fate::Prevented);
    }
    outcome
}

pub(in crate::faults) fn two_prevents<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    prevented_if(scene, session, decision, |result| result.end == End::Exit(2))
}

pub(in crate::faults) fn failure_prevents<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    prevented_if(scene, session, decision, |result| match result.end {
        End::Exit(code) => !matches!(code, 0 | 2),
        End::Status(status) => !(200..300).contains(&status),
        End::Answered | End::TimedOut => false,
        _ => true,
    })
}

pub(in crate::faults) fn block_prevents<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    prevented_if(scene, session, decision, |result| {
        let succeeded = matches!(result.end, End::Exit(0) | End::Answered | End::Status(200..=299));
        let printed = serde_json::from_str::<Value>(&result.out.lossy()).ok().filter(|_| succeeded);
        printed.is_some_and(|printed| {
            printed["decision"] == "block" || printed["hookSpecificOutput"]["permissionDecision"] == "deny"
        })
    })
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

pub(in crate::faults) fn refusals_unheard<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    unsaid(scene, session, decision, |to, how| to == Audience::Model && how == Some(Manner::Refusal))
}

pub(in crate::faults) fn updates_lost<'a>(scene: &Scene<'a>, session: &mut Session, mut decision: Decision) -> Outcome {
    if let Verdict::Request(request) = &mut decision.verdict {
        request.updates.clear();
    }
    apply(scene, session, decision)
}
