//! What is heard of hooks after a compaction, and when a session ends (PostCompact, SessionEnd; chapters *compaction* and
//! *session*).

use super::{Answered, Remark, complaint};

/// There is nothing left to decide: the stderr of each hook that exits 2 is shown to the user, and that is all.
pub(super) fn merge(answers: Vec<Answered<'_>>) -> Vec<Remark> {
    answers.iter().filter_map(|(handler, answer)| complaint(handler, answer)).collect()
}
