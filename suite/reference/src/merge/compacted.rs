//! What is heard of hooks after a compaction, and when a session ends (PostCompact, SessionEnd; chapters *compaction* and
//! *session*).

use super::{Answered, Remark};
use crate::spill::Limit;
use hookproof_contract::Audience;

/// There is nothing left to decide: the stderr of each hook that exits 2 is shown to the user, and that is all.
pub(super) fn merge(answers: Vec<Answered<'_>>) -> Vec<Remark> {
    let complains = |(_, answer): &Answered<'_>| answer.exits_two() && !answer.err.trim().is_empty();
    let told = answers.into_iter().filter(complains);
    told.map(|(handler, answer)| Remark::new(Audience::User, None, &handler.name, answer.err).limited(Limit::Open))
        .collect()
}
