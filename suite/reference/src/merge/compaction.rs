//! Whether the conversation is compacted (PreCompact; chapter *compaction*).

use super::{Answered, Remark, contest};
use crate::{Scene, spill::Limit};
use hookproof_contract::{Audience, Manner};

/// What hooks decide about a compaction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compaction {
    /// It does not take place.
    pub(crate) blocked: bool,
    /// What the user hears of it.
    pub(crate) said: Vec<Remark>,
}

/// One block is enough. Who asked for the compaction reads the stderr of exit 2, whatever was printed beside it, and, which is
/// open, the reason of a decision; one that nobody asked for is dropped without a word.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>) -> Compaction {
    let asked_for = scene.input_text("trigger") == Some("manual");
    let mut compaction = Compaction::default();
    let mut said = Vec::new();
    for (handler, mut answer) in answers.into_iter().filter(|(_, answer)| answer.blocks()) {
        compaction.blocked = true;
        let is_told = answer.decides_block() && !scene.stance.hides_compaction_reason;
        let reason = answer.output_mut().and_then(|output| output.reason.take()).filter(|_| is_told);
        let err = Some(std::mem::take(&mut answer.err)).filter(|_| answer.exits_two());
        for text in [reason, err].into_iter().flatten().filter(|text| asked_for && !text.trim().is_empty()) {
            let told = Remark::new(Audience::User, Manner::Block, &handler.name, text);
            said.push((handler.place, told.led_by("Compaction blocked: ".to_owned()).limited(Limit::Open)));
        }
    }
    compaction.said = contest::remarks(scene.stance, said);
    compaction
}
