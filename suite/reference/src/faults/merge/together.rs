//! Faults of the third step: what is left of several answers, on all events alike.

use super::{fields::keep_first, outputs};
use crate::{
    Scene,
    merge::{Answered, Decision, Verdict, merge},
    read::{Consent, Ending},
};
use hookproof_contract::Event;

pub(in crate::faults) fn first_answer_only<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    answers.truncate(1);
    merge(scene, answers)
}

/// The ordinary step, but nobody is heard who ends after a hook of which this is true.
fn until<'a>(
    scene: &Scene<'a>,
    mut answers: Vec<Answered<'a>>,
    is_last: impl Fn(&Answered<'a>) -> bool,
) -> Decision {
    let heard = answers.iter().position(is_last).map_or(answers.len(), |last| last + 1);
    answers.truncate(heard);
    merge(scene, answers)
}

pub(in crate::faults) fn failure_ends_all<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    until(scene, answers, |(_, answer)| matches!(answer.ending, Ending::Failed(_) | Ending::TimedOut))
}

pub(in crate::faults) fn block_ends_all<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    until(scene, answers, |(_, answer)| answer.blocks())
}

pub(in crate::faults) fn one_stop_reason<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    keep_first(&mut answers, |output| output.stop_reason.take().is_some());
    merge(scene, answers)
}

pub(in crate::faults) fn first_input<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    keep_first(&mut answers, |output| output.updated_input.take().is_some());
    merge(scene, answers)
}

pub(in crate::faults) fn first_rewrite<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    keep_first(&mut answers, |output| output.tool_output.take().is_some());
    merge(scene, answers)
}

pub(in crate::faults) fn one_watch_list<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    keep_first(&mut answers, |output| output.watch_paths.take().is_some());
    merge(scene, answers)
}

pub(in crate::faults) fn first_consent<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    keep_first(&mut answers, |output| output.consent.take().is_some());
    merge(scene, answers)
}

pub(in crate::faults) fn one_list_of_updates<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    keep_first(&mut answers, |output| match &mut output.consent {
        Some(Consent::Given { updates, .. }) => !std::mem::take(updates).is_empty(),
        _ => false,
    });
    merge(scene, answers)
}

pub(in crate::faults) fn one_reason_for_a_call<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let mut decision = merge(scene, answers);
    if let Verdict::Call(call) = &mut decision.verdict {
        call.voices.truncate(1);
    }
    decision
}

pub(in crate::faults) fn silence_lifts_blocks<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let events = [Event::UserPromptSubmit, Event::Stop, Event::PostToolUse, Event::PostToolBatch, Event::PreCompact];
    if events.contains(&scene.event())
        && let Some((_, others)) = answers.split_last_mut()
    {
        others.iter_mut().filter(|(_, answer)| answer.exits_two()).for_each(|(_, answer)| answer.ending = Ending::Done);
        outputs(others).for_each(|output| output.decision = None);
    }
    merge(scene, answers)
}

pub(in crate::faults) fn one_path_is_enough<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let gives = |(_, answer): &Answered<'a>| {
        answer.ending == Ending::Done && answer.output().is_some_and(|output| output.path.is_some())
    };
    if scene.event() == Event::WorktreeCreate && answers.iter().any(gives) {
        answers.retain(gives);
    }
    merge(scene, answers)
}
