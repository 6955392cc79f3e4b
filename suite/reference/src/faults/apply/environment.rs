//! Faults of the last step: how long variables stay that hooks hand on to Bash commands.

use crate::{Scene, apply::apply, merge::Decision, session::Session};
use hookproof_contract::{Event, Outcome};

/// The ordinary step, but what hooks of this event write stays for the rest of the session.
fn lasting<'a>(event: Event, scene: &Scene<'a>, session: &mut Session, mut decision: Decision) -> Outcome {
    if scene.event() == event {
        decision.exports.iter_mut().for_each(|variable| variable.lasts = true);
    }
    apply(scene, session, decision)
}

pub(in crate::faults) fn directory_lasts<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    lasting(Event::CwdChanged, scene, session, decision)
}

pub(in crate::faults) fn file_lasts<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    lasting(Event::FileChanged, scene, session, decision)
}

pub(in crate::faults) fn setup_forgotten<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    if scene.event() == Event::SessionStart && scene.input_text("source") == Some("startup") {
        session.environment.variables.clear();
    }
    apply(scene, session, decision)
}
