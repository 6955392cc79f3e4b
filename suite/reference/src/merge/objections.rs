//! What exit 2 alone holds back (TeammateIdle and TaskCompleted; chapter *agents*): top-level `decision` is not theirs.

use super::{Answered, Remark, contest};
use crate::{Scene, spill::Limit};
use hookproof_contract::{Audience, Manner};

/// What hooks object to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Objections {
    /// Somebody does.
    pub(crate) any: bool,
    /// What the agent gets as feedback.
    pub(crate) feedback: Vec<Remark>,
}

/// One objection is enough. Its message is stderr, whatever was printed beside it.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>) -> Objections {
    let mut objections = Objections::default();
    let mut feedback = Vec::new();
    for (handler, answer) in answers.into_iter().filter(|(_, answer)| answer.exits_two()) {
        objections.any = true;
        if !answer.err.trim().is_empty() {
            let told = Remark::new(Audience::Model, Manner::Feedback, &handler.name, answer.err);
            feedback.push((handler.place, told.limited(Limit::Open)));
        }
    }
    objections.feedback = contest::remarks(scene.stance, feedback);
    objections
}
