//! Whether the model is asked again after a batch of calls (PostToolBatch; chapter *tool-results*).

use super::{Answered, Remark, contest, hook_name, top_message};
use crate::{Scene, spill::Limit};
use hookproof_contract::{Audience, Manner};

/// What hooks decide after a batch of calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    /// The agent's loop ends here.
    pub(crate) blocked: bool,
    /// Why: for the user, and for the model, should the conversation go on.
    pub(crate) said: Vec<Remark>,
}

/// One block is enough. The reason of `continue: false` is told with the other universal fields.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>) -> Batch {
    let mut batch = Batch::default();
    let mut said = Vec::new();
    for (handler, mut answer) in answers.into_iter().filter(|(_, answer)| answer.blocks()) {
        batch.blocked = true;
        let Some(text) = top_message(scene, &mut answer) else { continue };
        let kept = Remark::new(Audience::Model, None, &handler.name, text).limited(Limit::Open);
        let shown = Remark { to: Audience::User, how: Some(Manner::Block), ..kept.clone() };
        let shown = shown.led_by(format!("Stopped by {}: ", hook_name(scene, &handler.name)));
        said.extend([shown, kept].map(|remark| (handler.place, remark)));
    }
    batch.said = contest::remarks(scene.stance, said);
    batch
}
