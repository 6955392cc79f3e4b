//! Faults of the third step: what hooks may say of calls and of their results, of changes and of switches.

use super::fields::changing;
use crate::{
    Scene,
    merge::{Answered, Decision, Remark, Verdict, Worktree, merge},
    read::{Action, Ending, Output, Ruling, Spoken, TopDecision, is_allowed},
    select::Kind,
};
use hookproof_contract::{Audience, End, Event, Manner, Surface};
use serde_json::Value;

pub(in crate::faults) fn anything_written<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let mut written = Vec::new();
    for (handler, answer) in &mut answers {
        let bytes = answer.output_mut().and_then(|output| output.terminal_sequence.clone());
        let bytes = bytes.filter(|b| scene.host().surface == Surface::Terminal && !is_allowed(b, scene.stance));
        written.extend(bytes.map(|bytes| Remark::new(Audience::Terminal, None, &handler.name, bytes)));
    }
    let mut decision = merge(scene, answers);
    decision.said.extend(written);
    decision
}

pub(in crate::faults) fn mode_beats_deny<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let unasked = matches!(scene.host().permission_mode.as_str(), "auto" | "bypassPermissions");
    changing(scene, answers, |output| output.ruling = output.ruling.filter(|r| !unasked || *r != Ruling::Deny))
}

pub(in crate::faults) fn deferral_unread<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    changing(scene, answers, |output| output.ruling = output.ruling.filter(|ruling| *ruling != Ruling::Defer))
}

pub(in crate::faults) fn deferral_speaks<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let mut told = Vec::new();
    for (handler, answer) in answers.iter_mut().filter(|_| scene.event() == Event::PreToolUse) {
        let output = answer.output_mut().filter(|output| output.ruling == Some(Ruling::Defer));
        let text = output.and_then(|output| output.context.clone());
        told.extend(text.map(|text| Remark::new(Audience::Model, Manner::Context, &handler.name, text)));
    }
    let mut decision = merge(scene, answers);
    decision.said.extend(told);
    decision
}

pub(in crate::faults) fn first_prompt_lost<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    changing(scene, answers, |output| output.first_prompt = None)
}

pub(in crate::faults) fn notes_lost<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    changing(scene, answers, |output| output.note = None)
}

pub(in crate::faults) fn deny_is_no_block<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let switches = scene.event() == Event::PreModelSwitch;
    changing(scene, answers, |output| output.ruling = output.ruling.filter(|r| !switches || *r != Ruling::Deny))
}

/// The ordinary step, and on this event the reasons of some answers are shown besides.
fn explaining<'a>(
    event: Event,
    scene: &Scene<'a>,
    mut answers: Vec<Answered<'a>>,
    reason: impl Fn(&Output) -> Option<String>,
) -> Decision {
    let mut shown = Vec::new();
    for (handler, answer) in answers.iter_mut().filter(|_| scene.event() == event) {
        let text = answer.output_mut().and_then(|output| reason(output));
        shown.extend(text.map(|text| Remark::new(Audience::User, Manner::Block, &handler.name, text)));
    }
    let mut decision = merge(scene, answers);
    decision.said.extend(shown);
    decision
}

pub(in crate::faults) fn change_explained<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    explaining(Event::ConfigChange, scene, answers, |output| {
        output.reason.clone().filter(|_| output.decision == Some(TopDecision::Block))
    })
}

pub(in crate::faults) fn allowed_switch_explained<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    explaining(Event::PreModelSwitch, scene, answers, |output| {
        output.ruling_reason.clone().filter(|_| output.ruling == Some(Ruling::Allow))
    })
}

pub(in crate::faults) fn silence_declines<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if matches!(scene.event(), Event::Elicitation | Event::ElicitationResult) {
        let silent =
            |answer: &&mut Answered<'a>| answer.1.ending == Ending::Done && matches!(answer.1.spoken, Spoken::Nothing);
        for (_, answer) in answers.iter_mut().filter(silent) {
            let output = Output { action: Some(Action::Decline), own_fields: 1, ..Output::default() };
            answer.spoken = Spoken::Object(Box::new(output));
        }
    }
    merge(scene, answers)
}

pub(in crate::faults) fn path_of_a_server_unread<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let servers = answers.iter_mut().filter(|(handler, _)| handler.kind == Kind::Http);
    servers.filter_map(|(_, answer)| answer.output_mut()).for_each(|output| output.path = None);
    merge(scene, answers)
}

/// The ordinary step, but where a worktree is to go all hooks that ran have ended like this.
fn removed_as<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>, ending: impl Fn(&Ending) -> Ending) -> Decision {
    if scene.event() == Event::WorktreeRemove {
        answers.iter_mut().for_each(|(_, answer)| answer.ending = ending(&answer.ending));
    }
    merge(scene, answers)
}

pub(in crate::faults) fn nothing_keeps<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    removed_as(scene, answers, |_| Ending::Done)
}

pub(in crate::faults) fn directory_must_be_gone<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    removed_as(scene, answers, |ending| match ending {
        Ending::Done => Ending::Failed("left the directory where it is".to_owned()),
        other => other.clone(),
    })
}

pub(in crate::faults) fn stderr_spoils<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let spoilt = |answer: &&mut Answered<'a>| answer.1.ending == Ending::Done && !answer.1.err.is_empty();
    for (_, answer) in answers.iter_mut().filter(spoilt) {
        if answer.output().is_some() {
            answer.spoken = Spoken::Nothing;
        }
    }
    merge(scene, answers)
}

pub(in crate::faults) fn failure_blocks_beside_json<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let exits = |answered: &Answered<'a>| {
        let result = scene.case.result(scene.firing, &answered.0.name);
        result.is_some_and(|result| matches!(result.end, End::Exit(code) if !matches!(code, 0 | 2)))
    };
    for answered in answers.iter_mut().filter(|answered| answered.0.kind == Kind::Command && exits(answered)) {
        if answered.1.output().is_some() {
            answered.1.ending = Ending::Blocking;
        }
    }
    merge(scene, answers)
}

pub(in crate::faults) fn worktree_without_a_path<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let silent = |(_, answer): &Answered<'_>| {
        answer.ending == Ending::Done && answer.output().is_none_or(|output| output.path.is_none())
    };
    let nobody_says = answers.iter().all(silent);
    let mut decision = merge(scene, answers);
    if let Verdict::Worktree(worktree) = &mut decision.verdict
        && nobody_says
    {
        *worktree = Worktree::Ordinary;
    }
    decision
}

pub(in crate::faults) fn lookups_noted<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let reads = matches!(scene.input_text("tool_name"), Some("Read" | "Grep" | "Glob"));
    let mut notes = Vec::new();
    for (handler, answer) in answers.iter_mut().filter(|_| reads) {
        let note = answer.output_mut().and_then(|output| output.note.take());
        notes.extend(note.map(|note| Remark::new(Audience::Classifier, None, &handler.name, note)));
    }
    let mut decision = merge(scene, answers);
    if let Verdict::Finished(finished) = &mut decision.verdict {
        finished.notes.extend(notes);
    }
    decision
}

pub(in crate::faults) fn context_beside_a_switch<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let mut told = Vec::new();
    for (handler, answer) in answers.iter().filter(|_| scene.event() == Event::PreModelSwitch) {
        let printed = scene.case.result(scene.firing, &handler.name).filter(|_| answer.output().is_some());
        // It is no field of this event, so it is looked for where it was printed.
        let printed: Option<Value> = printed.and_then(|result| serde_json::from_str(&result.out.lossy()).ok());
        let text =
            printed.as_ref().and_then(|output| output.pointer("/hookSpecificOutput/additionalContext")?.as_str());
        told.extend(text.map(|text| Remark::new(Audience::Model, Manner::Context, &handler.name, text)));
    }
    let mut decision = merge(scene, answers);
    decision.said.extend(told);
    decision
}

pub(in crate::faults) fn values_are_an_answer<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let answered = scene.event() == Event::ElicitationResult;
    changing(scene, answers, |output| {
        if answered && output.content.is_some() {
            output.action = output.action.or(Some(Action::Accept));
        }
    })
}

pub(in crate::faults) fn decisions_always_answered_dialogs<'a>(
    scene: &Scene<'a>,
    answers: Vec<Answered<'a>>,
) -> Decision {
    match scene.event() {
        Event::Elicitation | Event::ElicitationResult => {
            merge(&Scene { stance: &scene.stance.at_newest(), ..*scene }, answers)
        }
        _ => merge(scene, answers),
    }
}

pub(in crate::faults) fn two_answers_open_the_dialog<'a>(
    scene: &Scene<'a>,
    mut answers: Vec<Answered<'a>>,
) -> Decision {
    let all: Vec<_> = answers.iter().filter_map(|(_, answer)| answer.output().and_then(|o| o.action)).collect();
    let differ = all.iter().any(|action| Some(action) != all.first()) && !all.contains(&Action::Decline);
    if scene.event() == Event::Elicitation && differ && !answers.iter().any(|(_, answer)| answer.blocks()) {
        answers.iter_mut().filter_map(|(_, answer)| answer.output_mut()).for_each(|output| output.action = None);
    }
    merge(scene, answers)
}

pub(in crate::faults) fn one_mind_on_a_dialog<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let silent = answers.iter().any(|(_, answer)| matches!(answer.spoken, Spoken::Nothing) && !answer.exits_two());
    if scene.event() == Event::Elicitation && silent {
        answers.iter_mut().filter_map(|(_, answer)| answer.output_mut()).for_each(|output| output.action = None);
    }
    merge(scene, answers)
}
