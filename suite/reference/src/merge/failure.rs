//! What the model hears besides the error of a call that failed (PostToolUseFailure; chapter *tool-results*).

use super::{Answered, Remark};
use crate::spill::Limit;
use hookproof_contract::{Audience, Manner, Name};

/// What hooks say about a call that failed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failure {
    /// Reasons and stderr, for the model.
    pub(crate) feedback: Vec<Remark>,
}

/// Everything that is said counts. As nothing is blocked here, there is no one message of a block: the stderr of exit 2 is
/// told beside a reason, not in its place.
pub(super) fn merge(answers: Vec<Answered<'_>>) -> Failure {
    let mut failure = Failure::default();
    for (handler, mut answer) in answers {
        let decides = answer.decides_block();
        let reason = answer.output_mut().and_then(|output| output.reason.take()).filter(|_| decides);
        let err = Some(std::mem::take(&mut answer.err)).filter(|_| answer.exits_two());
        let texts = [reason, err].into_iter().flatten().filter(|text| !text.trim().is_empty());
        failure.feedback.extend(texts.map(|text| feedback(&handler.name, text)));
    }
    failure
}

fn feedback(by: &Name, text: String) -> Remark {
    Remark::new(Audience::Model, Manner::Feedback, by, text).limited(Limit::Open)
}
