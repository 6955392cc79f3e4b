//! What hooks give a session that begins (SessionStart; chapter *session*).

use super::{Answered, watched};
use crate::{Scene, given::session_source};
use hookproof_contract::Surface;

/// What a session begins with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Start {
    /// What stands in the place of the user's first message.
    pub(crate) first_prompt: Option<String>,
    /// The session's title.
    pub(crate) title: Option<String>,
    /// The files that are watched from now on.
    pub(crate) watch_paths: Vec<String>,
    /// Skills and commands are looked for once more.
    pub(crate) reloads_skills: bool,
}

/// Nothing is decided. Of several titles and first messages, the hook's that ended last counts; paths come together.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>) -> Start {
    let mut start = Start::default();
    for (_, mut answer) in answers {
        let Some(output) = answer.output_mut() else { continue };
        start.first_prompt = output.first_prompt.take().or(start.first_prompt);
        start.title = output.title.take().or(start.title);
        start.reloads_skills |= output.reloads_skills;
        watched::add(&mut start.watch_paths, output.watch_paths.take().unwrap_or_default());
    }
    if scene.host().surface != Surface::Print {
        start.first_prompt = None;
    }
    // A conversation that only goes on, or begins anew, keeps the title that the session has.
    if !matches!(session_source(scene), "startup" | "resume" | "fork") {
        start.title = None;
    }
    start
}
