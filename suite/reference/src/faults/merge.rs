//! Faults of the third step: what the answers of all handlers together come to.

use super::other_world;
use crate::{
    Scene,
    merge::{Answered, Call, Decision, Objections, Remark, Verdict, may_defer, merge},
    read::{Action, Ending, Output, Ruling, Spoken, is_allowed, is_context},
    select::Kind,
};
use hookproof_contract::{Audience, Event, Fact, Manner, Surface};
use serde_json::Value;

pub(super) mod background;
pub(super) mod evaluators;
pub(super) mod fields;
pub(super) mod lifecycle;
pub(super) mod permissions;
pub(super) mod together;
pub(super) mod tools;
pub(super) mod witnesses;
pub(super) mod workspace;

/// The valid outputs of all answers.
fn outputs<'s, 'a>(answers: &'s mut [Answered<'a>]) -> impl Iterator<Item = &'s mut Output> + use<'s, 'a> {
    answers.iter_mut().filter_map(|(_, answer)| answer.output_mut())
}

/// Whether an answer decides about a call; a `defer` that is not honoured decides nothing.
fn decides(scene: &Scene<'_>, answered: &Answered<'_>) -> bool {
    let (_, answer) = answered;
    let counts = |ruling| ruling != Ruling::Defer || may_defer(scene);
    answer.exits_two() || answer.output().is_some_and(|output| output.ruling.map_or(output.decision.is_some(), counts))
}

/// Takes the decisions out of all answers but one.
fn silence_all_but(scene: &Scene<'_>, answers: &mut [Answered<'_>], speaker: Option<usize>) {
    let others = answers.iter_mut().enumerate().filter(|(number, _)| Some(*number) != speaker);
    for (_, (_, answer)) in others.filter(|(_, answered)| decides(scene, answered)) {
        if answer.exits_two() {
            answer.ending = Ending::Done;
        }
        if let Some(output) = answer.output_mut() {
            (output.ruling, output.decision) = (None, None);
        }
    }
}

/// The ordinary step, but on this event without top-level `decision`.
fn undecided_on<'a>(event: Event, scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if scene.event() == event {
        outputs(&mut answers).for_each(|output| output.decision = None);
    }
    merge(scene, answers)
}

pub(super) fn first_decides<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if scene.event() == Event::PreToolUse {
        let first = answers.iter().position(|answered| decides(scene, answered));
        silence_all_but(scene, &mut answers, first);
    }
    merge(scene, answers)
}

pub(super) fn last_decides<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if scene.event() == Event::PreToolUse {
        let last = answers.iter().rposition(|answered| decides(scene, answered));
        silence_all_but(scene, &mut answers, last);
    }
    merge(scene, answers)
}

pub(super) fn stderr_told<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let succeeded = answers.iter().filter(|(_, answer)| answer.ending == Ending::Done && !answer.err.is_empty());
    let told: Vec<Remark> =
        succeeded.map(|(h, a)| Remark::new(Audience::Model, Manner::Context, &h.name, &*a.err)).collect();
    let mut decision = merge(scene, answers);
    decision.said.extend(told);
    decision
}

pub(super) fn stdout_told<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let mut told = Vec::new();
    for (handler, answer) in &answers {
        let printed = handler.kind == Kind::Command && !is_context(scene.event());
        if let (Spoken::Plain(text), true) = (&answer.spoken, printed) {
            told.push(Remark::new(Audience::Model, Manner::Context, &handler.name, &**text));
        }
    }
    let mut decision = merge(scene, answers);
    decision.said.extend(told);
    decision
}

pub(super) fn allow_explained<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let mut decision = merge(scene, answers);
    if let Verdict::Call(Call { ruling: Some(Ruling::Allow), voices, .. }) = &decision.verdict {
        let reasons = decision.said.iter().filter(|remark| {
            voices.iter().any(|v| v.reason.as_ref().is_some_and(|r| remark.text.ends_with(r.as_str())))
        });
        let told: Vec<Remark> = reasons.map(|remark| Remark { to: Audience::Model, ..remark.clone() }).collect();
        decision.said.extend(told);
    }
    decision
}

pub(super) fn one_context<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let mut decision = merge(scene, answers);
    decision.context.truncate(1);
    if let Verdict::Stopping(stopping) = &mut decision.verdict {
        let mut seen = false;
        stopping.said.retain(|r| r.how != Some(Manner::Context) || !std::mem::replace(&mut seen, true));
    }
    decision
}

pub(super) fn input_merged<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let old = scene.firing.input.get("tool_input").and_then(Value::as_object);
    for input in outputs(&mut answers).filter_map(|output| output.updated_input.as_mut()) {
        for (key, value) in old.into_iter().flatten() {
            input.entry(key.clone()).or_insert_with(|| value.clone());
        }
    }
    merge(scene, answers)
}

pub(super) fn accept_wins<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let helps = |answered: &Answered<'_>| {
        let action = answered.1.output().and_then(|output| output.action);
        matches!(action, Some(Action::Accept | Action::Cancel)) && !answered.1.blocks()
    };
    if scene.event() == Event::Elicitation && answers.iter().any(helps) {
        for (_, answer) in answers.iter_mut().filter(|answered| !helps(answered)) {
            answer.ending = Ending::Done;
            if let Some(output) = answer.output_mut() {
                (output.action, output.decision) = (None, None);
            }
        }
    }
    merge(scene, answers)
}

pub(super) fn dialog_unblocked<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    undecided_on(Event::Elicitation, scene, answers)
}

pub(super) fn compaction_unblocked<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    undecided_on(Event::PreCompact, scene, answers)
}

pub(super) fn compaction_untold<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let mut decision = merge(scene, answers);
    if let Verdict::Compaction(compaction) = &mut decision.verdict {
        compaction.said.clear();
    }
    decision
}

pub(super) fn written_anywhere<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let mut written = Vec::new();
    for (handler, answer) in &answers {
        let bytes = answer.output().and_then(|output| output.terminal_sequence.as_deref());
        if let Some(bytes) =
            bytes.filter(|bytes| scene.host().surface != Surface::Terminal && is_allowed(bytes, scene.stance))
        {
            written.push(Remark::new(Audience::Terminal, None, &handler.name, bytes));
        }
    }
    let mut decision = merge(scene, answers);
    decision.said.extend(written);
    decision
}

pub(super) fn good_beginning<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    for bytes in outputs(&mut answers).filter_map(|output| output.terminal_sequence.as_mut()) {
        let ends: Vec<usize> = bytes.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
        if let Some(end) = ends.into_iter().rev().find(|end| is_allowed(&bytes[..*end], scene.stance)) {
            bytes.truncate(end);
        }
    }
    merge(scene, answers)
}

pub(super) fn both_messages<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    for (_, answer) in answers.iter_mut().filter(|(_, answer)| answer.exits_two()) {
        let err = answer.err.clone();
        if let Some(output) = answer.output_mut() {
            for reason in [&mut output.reason, &mut output.ruling_reason].into_iter().flatten() {
                reason.push_str(&format!("\n{err}"));
            }
        }
    }
    merge(scene, answers)
}

pub(super) fn always_quoted<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    outputs(&mut answers).for_each(|output| output.hides_prompt = false);
    merge(scene, answers)
}

pub(super) fn notes_uncut<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let notes: Vec<String> = outputs(&mut answers).filter_map(|output| output.note.clone()).collect();
    let mut decision = merge(scene, answers);
    if let Verdict::Finished(finished) = &mut decision.verdict {
        for told in &mut finished.notes {
            if let Some(whole) = notes.iter().find(|note| note.starts_with(told.text.as_str())) {
                told.text.clone_from(whole);
            }
        }
    }
    decision
}

pub(super) fn notes_kept<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let rewrites = |answer: &Answered<'_>| answer.1.output().is_some_and(|output| output.tool_output.is_some());
    let winner = answers.iter().rposition(rewrites);
    for (_, (_, answer)) in answers.iter_mut().enumerate().filter(|(number, _)| Some(*number) != winner) {
        if let Some(output) = answer.output_mut() {
            output.tool_output = None;
        }
    }
    merge(scene, answers)
}

pub(super) fn anything_fits<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let last = outputs(&mut answers).filter_map(|output| output.tool_output.clone()).last();
    let mut decision = merge(scene, answers);
    if let Verdict::Finished(finished) = &mut decision.verdict
        && finished.output.is_none()
    {
        finished.output = last;
    }
    decision
}

pub(super) fn defers_among_several<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let case = other_world(scene, |host| host.tool_calls_in_turn = 1);
    let alone = Scene { case: &case, ..*scene };
    merge(if scene.event() == Event::PreToolUse { &alone } else { scene }, answers)
}

pub(super) fn last_decides_about_tasks<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if matches!(scene.event(), Event::TaskCreated | Event::TaskCompleted) {
        let last = answers.len().checked_sub(1);
        silence_all_but(scene, &mut answers, last);
    }
    merge(scene, answers)
}

pub(super) fn creator_stopped<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let stop = outputs(&mut answers).any(|output| output.stop);
    let mut decision = merge(scene, answers);
    if let Verdict::Creation(creation) = &decision.verdict
        && stop
        && !creation.undone
    {
        // As at the end of a teammate's turn, where the agent can be stopped.
        decision.stop = true;
        decision.verdict = Verdict::Completion(Objections::default());
    }
    decision
}

pub(super) fn user_hears_for_teammate<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let judged = evaluators::names(&answers);
    let mut decision = merge(scene, answers);
    if let Verdict::Idling(objections) = &mut decision.verdict {
        for told in objections.feedback.iter_mut().filter(|told| !judged.contains(&told.by)) {
            (told.to, told.how) = (Audience::User, Some(Manner::Block));
        }
    }
    decision
}

pub(super) fn completer_stopped<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let case = other_world(scene, |host| host.facts.extend([Fact::TurnEnds]));
    let ending = Scene { case: &case, ..*scene };
    merge(if scene.event() == Event::TaskCompleted { &ending } else { scene }, answers)
}

/// The ordinary step, but on this event only the hook that ends last can block.
fn last_blocks_on<'a>(event: Event, scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if scene.event() == event
        && let Some((_, others)) = answers.split_last_mut()
    {
        for (_, answer) in others.iter_mut().filter(|(_, answer)| answer.blocks()) {
            answer.ending = Ending::Done;
            if let Some(output) = answer.output_mut() {
                output.decision = None;
            }
        }
    }
    merge(scene, answers)
}

pub(super) fn last_on_subagent<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    last_blocks_on(Event::SubagentStop, scene, answers)
}

pub(super) fn failure_unheard<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if scene.event() == Event::PostToolUseFailure {
        for (_, answer) in answers.iter_mut().filter(|(_, answer)| answer.exits_two()) {
            answer.ending = Ending::Done;
        }
    }
    merge(scene, answers)
}

pub(super) fn expansion_untold<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let mut decision = merge(scene, answers);
    if let Verdict::Expansion(expansion) = &mut decision.verdict {
        for block in &mut expansion.blocks {
            (block.to, block.how) = (Audience::Model, Some(Manner::Refusal));
        }
    }
    decision
}

pub(super) fn last_on_command<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    last_blocks_on(Event::UserPromptExpansion, scene, answers)
}

pub(super) fn policy_blocked<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let asked = answers.iter().any(|(_, answer)| answer.blocks());
    let mut decision = merge(scene, answers);
    if let Verdict::Change(change) = &mut decision.verdict {
        change.blocked = asked;
    }
    decision
}

pub(super) fn last_on_change<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    last_blocks_on(Event::ConfigChange, scene, answers)
}

pub(super) fn batch_unblocked<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let mut decision = merge(scene, answers);
    if let Verdict::Batch(batch) = &mut decision.verdict {
        batch.blocked = false;
    }
    decision
}
