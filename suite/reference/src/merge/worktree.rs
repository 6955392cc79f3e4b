//! Where a worktree is, or why there is none (WorktreeCreate; chapter *worktrees*).

use super::Answered;
use crate::read::{Ending, Spoken};
use hookproof_contract::Name;

/// What worktree hooks come to.
#[derive(Clone, Debug, Default)]
pub(crate) enum Worktree {
    /// There is no hook: the worktree is made in the ordinary way.
    #[default]
    Ordinary,
    /// A hook made it here.
    At { path: String, by: Name },
    /// A hook failed, or gave no path.
    Failed { error: String, by: Name },
}

/// One failure is enough; otherwise, the path is that of the hook that ended first.
pub(super) fn merge(answers: Vec<Answered<'_>>) -> Worktree {
    let mut made = Worktree::Ordinary;
    for (handler, mut answer) in answers {
        let path = answer.output_mut().and_then(|output| output.path.take()).filter(|path| !path.is_empty());
        let by = handler.name;
        let error = match (answer.ending, answer.spoken, path) {
            (Ending::Done, _, Some(path)) => {
                if matches!(made, Worktree::Ordinary) {
                    made = Worktree::At { path, by };
                }
                continue;
            }
            (Ending::Done, Spoken::Rejected(message), None) => message,
            (Ending::Done, _, None) => "it gave no path".to_owned(),
            (Ending::Blocking, ..) => "it exited 2".to_owned(),
            (Ending::Failed(message), ..) => message,
            (Ending::TimedOut, ..) => "it reached its timeout".to_owned(),
        };
        return Worktree::Failed { error, by };
    }
    made
}
