//! What exit 2 holds back (TeammateIdle and TaskCompleted; chapter *agents*). Whether a top-level `decision` does as well is an
//! open point.

use super::{Answered, Remark, contest, top_message};
use crate::{Scene, spill::Limit};
use hookproof_contract::{Audience, Manner};

/// What hooks object to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Objections {
    /// Somebody does.
    pub(crate) any: bool,
    /// Somebody does by exit 2.
    pub(crate) exits_two: bool,
    /// What the agent gets as feedback.
    pub(crate) feedback: Vec<Remark>,
}

/// One objection is enough. Its message is stderr, whatever was printed beside it, unless decisions count here.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>) -> Objections {
    let mut objections = Objections::default();
    let mut feedback = Vec::new();
    for (handler, mut answer) in answers {
        if let Some(output) = answer.output_mut().filter(|_| !scene.stance.teams_take_decisions) {
            output.decision = None;
        }
        objections.exits_two |= answer.exits_two();
        objections.any |= answer.blocks();
        if let Some(text) = top_message(scene, &mut answer) {
            let told = Remark::new(Audience::Model, Manner::Feedback, &handler.name, text);
            feedback.push((handler.place, told.limited(Limit::Open)));
        }
    }
    objections.feedback = contest::remarks(scene.stance, feedback);
    objections
}
