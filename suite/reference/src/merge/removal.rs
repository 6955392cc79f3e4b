//! Whether a worktree is gone (WorktreeRemove; chapter *worktrees*).

use super::{Answered, Remark, hook_name};
use crate::{Scene, read::Ending};
use hookproof_contract::{Deed, Name};

/// What the hooks that remove a worktree come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Removal {
    /// The hooks that failed while the directory is still there: one is enough.
    pub(crate) failures: Vec<Failed>,
    /// What the debug log gets of them.
    pub(crate) log: Vec<Remark>,
}

/// A hook that failed to remove a worktree.
#[derive(Clone, Debug)]
pub(crate) struct Failed {
    pub(crate) by: Name,
    /// How it ended, such as `exited 1`.
    pub(crate) how: String,
    /// Stderr.
    pub(crate) err: String,
}

/// The exit code decides, unless the directory is gone; nothing that is printed does. Without a hook it is for git to remove it.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>) -> Option<Removal> {
    if answers.is_empty() {
        return None;
    }
    let mut removal = Removal::default();
    if is_gone(scene, &answers) {
        return Some(removal);
    }
    for (handler, answer) in answers {
        let how = match answer.ending {
            Ending::Done => continue,
            Ending::Blocking => "exited 2".to_owned(),
            Ending::Failed(how) => how,
            Ending::TimedOut => "reached its timeout".to_owned(),
        };
        let lead = format!("{} hook failed: {how}: ", hook_name(scene, &handler.name));
        removal.log.push(Remark::debug(&handler.name, answer.err.as_str()).led_by(lead));
        removal.failures.push(Failed { by: handler.name, how, err: answer.err });
    }
    Some(removal)
}

/// Whether one of the handlers has removed the directory, or one in which it lay.
fn is_gone(scene: &Scene<'_>, answers: &[Answered<'_>]) -> bool {
    let Some(path) = scene.input_text("worktree_path").map(|path| path.trim_end_matches('/')) else { return false };
    let lay_in = |directory: &str| {
        path.strip_prefix(directory.trim_end_matches('/')).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let removed = |deed: &Deed| matches!(deed, Deed::RemovedDirectory(directory) if lay_in(directory));
    let results = answers.iter().filter_map(|(handler, _)| scene.case.result(scene.firing, &handler.name));
    results.flat_map(|result| &result.did).any(removed)
}
