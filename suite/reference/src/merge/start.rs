//! What hooks give a session that begins (SessionStart; chapter *session*).

use super::{Answered, contest::Contest, watched};
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

/// Nothing is decided. Which of several titles and first messages counts is open; paths come together.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>) -> Start {
    let mut start = Start::default();
    let contest = || Contest::new(scene.stance.value_order);
    let (mut first_prompt, mut title) = (contest(), contest());
    for (handler, mut answer) in answers {
        let Some(output) = answer.output_mut() else { continue };
        first_prompt.offer(handler.place, output.first_prompt.take());
        title.offer(handler.place, output.title.take());
        start.reloads_skills |= output.reloads_skills;
        watched::add(&mut start.watch_paths, output.watch_paths.take().unwrap_or_default());
    }
    if scene.host().surface == Surface::Print {
        start.first_prompt = first_prompt.winner();
    }
    // A conversation that only goes on, or begins anew, keeps the title that the session has.
    if matches!(session_source(scene), "startup" | "resume" | "fork") {
        start.title = title.winner();
    }
    start
}
