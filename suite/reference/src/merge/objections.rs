//! What exit 2 alone holds back (TeammateIdle and TaskCompleted; chapter *agents*): top-level `decision` is not theirs.

use super::{Answered, Remark};
use crate::spill::Limit;
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
pub(super) fn merge(answers: Vec<Answered<'_>>) -> Objections {
    let mut objections = Objections::default();
    for (handler, answer) in answers.into_iter().filter(|(_, answer)| answer.exits_two()) {
        objections.any = true;
        if !answer.err.trim().is_empty() {
            let told = Remark::new(Audience::Model, Manner::Feedback, &handler.name, answer.err);
            objections.feedback.push(told.limited(Limit::Open));
        }
    }
    objections
}
