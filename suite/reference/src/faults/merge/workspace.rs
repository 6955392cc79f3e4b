//! Faults of the third step where directories and watched files change.

use super::outputs;
use crate::{
    Scene,
    merge::{Answered, Decision, Remark, Verdict, merge},
};
use hookproof_contract::{Audience, Event};

pub(in crate::faults) fn watching_forgotten<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let is_silent = |(_, answer): &Answered<'a>| answer.output().is_none_or(|output| output.watch_paths.is_none());
    if matches!(scene.event(), Event::CwdChanged | Event::FileChanged) && answers.last().is_some_and(is_silent) {
        outputs(&mut answers).for_each(|output| output.watch_paths = None);
    }
    merge(scene, answers)
}

pub(in crate::faults) fn empty_list_unheard<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let mut decision = merge(scene, answers);
    if let Verdict::Watched(watched) = &mut decision.verdict {
        watched.paths.take_if(|paths| paths.is_empty() && scene.event() == Event::CwdChanged);
    }
    decision
}

pub(in crate::faults) fn change_stops<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let stop = outputs(&mut answers).any(|output| output.stop);
    let mut decision = merge(scene, answers);
    if let Verdict::Watched(watched) = &mut decision.verdict
        && stop
        && watched.paths.is_none()
    {
        // As where a subagent begins: nothing is decided, and the agent can be stopped.
        decision.said.append(&mut watched.said);
        decision.stop = true;
        decision.verdict = Verdict::Briefing;
    }
    decision
}

pub(in crate::faults) fn complaint_reaches_model<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let mut decision = merge(scene, answers);
    if let Verdict::Watched(watched) = &mut decision.verdict {
        let told = watched.said.iter().map(|remark| Remark { to: Audience::Model, ..remark.clone() });
        decision.said.extend(told);
    }
    decision
}

pub(in crate::faults) fn addition_shown<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let mut decision = merge(scene, answers);
    if let Verdict::Addition(addition) = &mut decision.verdict {
        let shown = addition.news.drain(..).map(|remark| Remark { to: Audience::User, how: None, ..remark });
        decision.said.extend(shown);
    }
    decision
}
