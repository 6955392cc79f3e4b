//! Faults of the last step: when a subagent has stopped.

use crate::{Scene, apply::apply, merge::Decision, session::Session};
use hookproof_contract::{Event, Fate, Outcome};

pub(in crate::faults) fn never_over<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let running = session.agents.clone();
    let outcome = apply(scene, session, decision);
    if scene.event() == Event::SubagentStop {
        session.agents = running;
    }
    outcome
}

pub(in crate::faults) fn over_when_asked<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let outcome = apply(scene, session, decision);
    if scene.event() == Event::SubagentStop && outcome.fate_in(scene.firing) == Fate::Prevented {
        session.agents.stops(scene.firing);
    }
    outcome
}
