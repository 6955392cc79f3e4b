//! What is watched after the directory or a watched file has changed (CwdChanged and FileChanged; chapter *workspace*).

use super::{Answered, Remark, complaint};
use crate::Scene;
use hookproof_contract::Event;

/// What hooks make of such a change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watched {
    /// What is watched from now on besides the files that matchers name, if somebody says so; it may be nothing.
    pub(crate) paths: Option<Vec<String>>,
    /// What the user hears of it.
    pub(crate) said: Vec<Remark>,
}

/// Nothing can be held back. The paths of all hooks come together in the place of the old ones. What is left of those after a
/// change of directory where no hook names any, and none failed, is open.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>) -> Watched {
    let all_succeed = !answers.is_empty() && answers.iter().all(|(_, answer)| answer.succeeded());
    let clears = scene.event() == Event::CwdChanged && scene.stance.silence_unwatches && all_succeed;
    let mut watched = Watched { paths: clears.then(Vec::new), ..Watched::default() };
    for (handler, mut answer) in answers {
        watched.said.extend(complaint(&handler, &answer));
        if let Some(paths) = answer.output_mut().and_then(|output| output.watch_paths.take()) {
            add(watched.paths.get_or_insert_default(), paths);
        }
    }
    watched
}

/// Adds paths to a list, each once. Only absolute ones can be watched.
pub(super) fn add(list: &mut Vec<String>, paths: Vec<String>) {
    for path in paths.into_iter().filter(|path| path.starts_with('/')) {
        if !list.contains(&path) {
            list.push(path);
        }
    }
}
