//! Faults of the third step: what is left of several answers, on all events alike.

use super::{decides, fields::keep_first, last_blocks_on, outputs, silence_all_but};
use crate::{
    Scene,
    merge::{Answered, Decision, Verdict, merge},
    read::{Ending, Ruling},
};
use hookproof_contract::Event;

pub(in crate::faults) fn first_answer_only<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    answers.truncate(1);
    merge(scene, answers)
}

/// The ordinary step, but nobody is heard who ends after a hook of which this is true.
fn until<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>, is_last: impl Fn(&Answered<'a>) -> bool) -> Decision {
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

pub(in crate::faults) fn first_rewrite<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    keep_first(&mut answers, |output| output.tool_output.take().is_some());
    merge(scene, answers)
}

pub(in crate::faults) fn last_answer_only<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let last = answers.pop();
    merge(scene, last.into_iter().collect())
}

pub(in crate::faults) fn until_one_decides<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let asked = matches!(scene.event(), Event::PreToolUse | Event::PreModelSwitch);
    until(scene, answers, |answered| asked && decides(scene, answered))
}

pub(in crate::faults) fn all_or_nothing<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let fails = |(_, answer): &Answered<'a>| matches!(answer.ending, Ending::Failed(_));
    if answers.iter().any(fails) {
        answers.retain(fails);
    }
    merge(scene, answers)
}

/// The ordinary step, but on this event whoever allows it is heard alone.
fn mildest_on<'a>(event: Event, scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let allows = |(_, answer): &Answered<'a>| answer.output().is_some_and(|o| o.ruling == Some(Ruling::Allow));
    let milder = answers.iter().position(allows).filter(|_| scene.event() == event);
    if milder.is_some() {
        silence_all_but(scene, &mut answers, milder);
    }
    merge(scene, answers)
}

pub(in crate::faults) fn mildest_on_call<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    mildest_on(Event::PreToolUse, scene, answers)
}

pub(in crate::faults) fn mildest_on_switch<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    mildest_on(Event::PreModelSwitch, scene, answers)
}

pub(in crate::faults) fn two_stop_reasons_lost<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if outputs(&mut answers).filter(|output| output.stop && output.stop_reason.is_some()).count() > 1 {
        outputs(&mut answers).for_each(|output| output.stop_reason = None);
    }
    merge(scene, answers)
}

pub(in crate::faults) fn two_reasons_lost<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let mut decision = merge(scene, answers);
    if let Verdict::Call(call) = &mut decision.verdict
        && call.voices.len() > 1
    {
        call.voices.iter_mut().for_each(|voice| voice.reason = None);
    }
    decision
}

pub(in crate::faults) fn last_on_prompt<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    last_blocks_on(Event::UserPromptSubmit, scene, answers)
}

pub(in crate::faults) fn last_on_stop<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    last_blocks_on(Event::Stop, scene, answers)
}

pub(in crate::faults) fn last_on_batch<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    last_blocks_on(Event::PostToolBatch, scene, answers)
}

pub(in crate::faults) fn last_on_compaction<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    last_blocks_on(Event::PreCompact, scene, answers)
}

pub(in crate::faults) fn last_on_teammate<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    last_blocks_on(Event::TeammateIdle, scene, answers)
}

/// The ordinary step, but on these events only the hook that ends first can block.
fn first_blocks_on<'a>(events: &[Event], scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if events.contains(&scene.event()) {
        silence_all_but(scene, &mut answers, Some(0));
    }
    merge(scene, answers)
}

pub(in crate::faults) fn first_on_prompt<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    first_blocks_on(&[Event::UserPromptSubmit], scene, answers)
}

pub(in crate::faults) fn first_on_task<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    first_blocks_on(&[Event::TaskCreated, Event::TaskCompleted], scene, answers)
}

pub(in crate::faults) fn one_file_overwritten<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let last = answers.iter().rposition(|(_, answer)| !answer.exports.is_empty());
    for (_, answer) in answers.iter_mut().take(last.unwrap_or(0)) {
        answer.exports.clear();
    }
    merge(scene, answers)
}

pub(in crate::faults) fn last_stops<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if let Some((_, others)) = answers.split_last_mut() {
        outputs(others).for_each(|output| (output.stop, output.stop_reason) = (false, None));
    }
    merge(scene, answers)
}
