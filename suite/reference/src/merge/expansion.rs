//! Whether a command that the user typed becomes a prompt (UserPromptExpansion; chapter *prompt*).

use super::{Answered, Remark, contest, hook_name, top_message};
use crate::{Scene, spill::Limit};
use hookproof_contract::{Audience, Manner};

/// What hooks decide about a command.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expansion {
    /// The messages of the hooks that keep it from being expanded.
    pub(crate) blocks: Vec<Remark>,
}

/// One block is enough; whoever typed the command reads why, whichever way the hook blocked.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>) -> Expansion {
    let mut blocks = Vec::new();
    for (handler, mut answer) in answers.into_iter().filter(|(_, answer)| answer.blocks()) {
        let text = top_message(scene, &mut answer).unwrap_or_default();
        let lead = format!("Command blocked by {}: ", hook_name(scene, &handler.name));
        let block = Remark::new(Audience::User, Manner::Block, &handler.name, text);
        blocks.push((handler.place, block.led_by(lead).limited(Limit::Open)));
    }
    Expansion { blocks: contest::remarks(scene.stance, blocks) }
}
