//! Whether the conversation is compacted (PreCompact; chapter *compaction*).

use super::{Answered, Remark};
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

/// One block is enough. Who asked for the compaction reads the stderr of exit 2, whatever was printed beside it; one that
/// nobody asked for is dropped without a word. Where a reason goes is open: nowhere, here.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>) -> Compaction {
    let asked_for = scene.input_text("trigger") == Some("manual");
    let mut compaction = Compaction::default();
    for (handler, answer) in answers {
        compaction.blocked |= answer.blocks();
        if asked_for && answer.exits_two() && !answer.err.trim().is_empty() {
            let told = Remark::new(Audience::User, Manner::Block, &handler.name, answer.err);
            compaction.said.push(told.led_by("Compaction blocked: ".to_owned()).limited(Limit::Open));
        }
    }
    compaction
}
