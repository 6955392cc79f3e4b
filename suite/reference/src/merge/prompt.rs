//! Whether a prompt goes to the model (UserPromptSubmit; chapter *prompt*).

use super::{
    Answered, Remark,
    contest::{self, Contest},
    hook_name, top_message,
};
use crate::{Scene, spill::Limit};
use hookproof_contract::{Audience, Manner};

/// What hooks decide about a prompt.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prompt {
    /// The messages of the hooks that block it.
    pub(crate) blocks: Vec<Remark>,
    /// The session's title.
    pub(crate) title: Option<String>,
}

/// One block is enough; whose title counts, of several, is open.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>) -> Prompt {
    let mut prompt = Prompt::default();
    let mut title = Contest::new(scene.stance.value_order);
    let mut blocks = Vec::new();
    let mut hides = false;
    for (handler, mut answer) in answers {
        let is_block = answer.blocks();
        if let Some(output) = answer.output_mut() {
            title.offer(handler.place, output.title.take());
            hides |= is_block && output.hides_prompt;
        }
        if is_block {
            let text = top_message(scene, &mut answer).unwrap_or_default();
            let lead = format!("Prompt blocked by {}: ", hook_name(scene, &handler.name));
            let block = Remark::new(Audience::User, Manner::Block, &handler.name, text);
            blocks.push((handler.place, block.led_by(lead).limited(Limit::Open)));
        }
    }
    prompt.title = title.winner();
    prompt.blocks = contest::remarks(scene.stance, blocks);
    if !hides {
        let original = scene.input_text("prompt").unwrap_or_default();
        for block in &mut prompt.blocks {
            block.after = format!("\n\nOriginal prompt: {original}");
        }
    }
    prompt
}
