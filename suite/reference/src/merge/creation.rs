//! Whether a task that was just created stays (TaskCreated; chapter *agents*).

use super::{Answered, Remark, contest, top_message};
use crate::{Scene, spill::Limit};
use hookproof_contract::Audience;

/// What hooks decide about a new task.
#[derive(Clone, Debug, Default)]
pub(crate) struct Creation {
    /// It is deleted again.
    pub(crate) undone: bool,
    /// The messages of the hooks that refuse it: the error of the tool that created it.
    pub(crate) errors: Vec<Remark>,
}

/// One refusal is enough.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>) -> Creation {
    let mut creation = Creation::default();
    let mut errors = Vec::new();
    for (handler, mut answer) in answers.into_iter().filter(|(_, answer)| answer.blocks()) {
        creation.undone = true;
        if let Some(text) = top_message(scene, &mut answer) {
            let error = Remark::new(Audience::Model, None, &handler.name, text).limited(Limit::Open);
            errors.push((handler.place, error));
        }
    }
    creation.errors = contest::remarks(scene.stance, errors);
    creation
}
