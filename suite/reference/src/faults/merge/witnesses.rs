//! Faults of the third step on events whose hooks look on, on what is shown of a message, and where a worktree is to go.

use super::{lifecycle::complaints, outputs};
use crate::{
    Scene,
    merge::{Answered, Decision, Remark, Verdict, context, merge},
    read::Ending,
    select::Kind,
};
use hookproof_contract::{Audience, Event, Firing, Manner};
use serde_json::Map;

/// Whether a hook is a command that exited with a code that is neither 0 nor 2.
fn failed_otherwise((handler, answer): &Answered<'_>) -> bool {
    handler.kind == Kind::Command && matches!(answer.ending, Ending::Failed(_))
}

pub(in crate::faults) fn noticed<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let told = complaints(&answers, Audience::User);
    let mut decision = merge(scene, answers);
    if let Verdict::Notified = decision.verdict {
        decision.said.extend(told);
    }
    decision
}

pub(in crate::faults) fn stopped_by_instructions<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let stop = outputs(&mut answers).any(|output| output.stop);
    let mut decision = merge(scene, answers);
    if let Verdict::Instructed = decision.verdict
        && stop
    {
        // As where a subagent begins: nothing is decided, and the agent can be stopped.
        decision.stop = true;
        decision.verdict = Verdict::Briefing;
    }
    decision
}

pub(in crate::faults) fn setup_adds_context<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let mut told = Vec::new();
    if scene.event() == Event::Setup {
        for (handler, answer) in &mut answers {
            let text = answer.output_mut().and_then(|output| output.context.take());
            told.extend(text.map(|text| context(scene, &handler.name, text)));
        }
    }
    let mut decision = merge(scene, answers);
    decision.said.extend(told);
    decision
}

pub(in crate::faults) fn one_complaint_at_the_end<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let mut decision = merge(scene, answers);
    if let Verdict::Ended(said) = &mut decision.verdict
        && said.len() > 1
    {
        said.clear();
    }
    decision
}

pub(in crate::faults) fn shown_text_remembered<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let by = answers.last().map(|(handler, _)| handler.name.clone());
    let mut decision = merge(scene, answers);
    if let (Verdict::Display(Some(text)), Some(by)) = (&decision.verdict, by) {
        decision.said.push(Remark::new(Audience::Model, Manner::Context, &by, text.as_str()));
    }
    decision
}

pub(in crate::faults) fn shown_beside_two<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if scene.event() == Event::MessageDisplay {
        for (_, answer) in answers.iter_mut().filter(|(_, answer)| answer.exits_two()) {
            answer.ending = Ending::Done;
        }
    }
    merge(scene, answers)
}

pub(in crate::faults) fn last_shows<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if let (Event::MessageDisplay, Some((_, others))) = (scene.event(), answers.split_last_mut()) {
        outputs(others).for_each(|output| output.display = None);
    }
    merge(scene, answers)
}

pub(in crate::faults) fn directory_not_looked_for<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    // Without its path, nobody can tell that the directory is gone.
    let firing = Firing { input: Map::new(), ..scene.firing.clone() };
    let blind = Scene { firing: &firing, ..*scene };
    merge(if scene.event() == Event::WorktreeRemove { &blind } else { scene }, answers)
}

pub(in crate::faults) fn only_two_keeps<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if scene.event() == Event::WorktreeRemove {
        for answered in answers.iter_mut().filter(|answered| failed_otherwise(answered)) {
            answered.1.ending = Ending::Done;
        }
    }
    merge(scene, answers)
}

pub(in crate::faults) fn last_removes<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if let (Event::WorktreeRemove, Some((_, others))) = (scene.event(), answers.split_last_mut()) {
        for (_, answer) in others {
            answer.ending = Ending::Done;
        }
    }
    merge(scene, answers)
}
