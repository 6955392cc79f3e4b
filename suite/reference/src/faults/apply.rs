//! Faults of the last step: what the decision does.

use super::other_world;
use crate::{
    Scene,
    apply::apply,
    merge::{Call, Decision, Remark, Verdict, Worktree},
    read::Ruling,
    session::Session,
    spill::{LIMIT, Limit},
};
use hookproof_contract::{Audience, Event, Fact, Fate, Manner, Outcome, Permissions, Said, Slot, Spill, Surface, Text};
use serde_json::Value;

pub(super) mod actions;
pub(super) mod environment;
pub(super) mod everywhere;
pub(super) mod once;
pub(super) mod standing;
pub(super) mod subagents;

/// All remarks whose length the contract limits.
fn limited(decision: &mut Decision) -> impl Iterator<Item = &mut Remark> {
    let feedback = match &mut decision.verdict {
        Verdict::Stopping(stopping) => stopping.said.as_mut_slice(),
        _ => &mut [],
    };
    let all = decision.said.iter_mut().chain(&mut decision.context).chain(feedback);
    all.filter(|remark| remark.limit == Limit::Named)
}

/// A text, cut after so many bytes or before.
fn shorten(text: &mut String, most: usize) {
    text.truncate((0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0));
}

pub(super) fn limit_is_over<'a>(scene: &Scene<'a>, session: &mut Session, mut decision: Decision) -> Outcome {
    for remark in limited(&mut decision).filter(|remark| remark.text.len() == LIMIT) {
        shorten(&mut remark.text, 2_000);
    }
    apply(scene, session, decision)
}

pub(super) fn limit_is_shared<'a>(scene: &Scene<'a>, session: &mut Session, mut decision: Decision) -> Outcome {
    let lengths: Vec<usize> = limited(&mut decision).map(|remark| remark.text.len()).collect();
    if lengths.iter().sum::<usize>() > LIMIT && lengths.iter().all(|length| *length <= LIMIT) {
        let mut left = LIMIT;
        for remark in limited(&mut decision) {
            shorten(&mut remark.text, left);
            left -= remark.text.len();
        }
    }
    apply(scene, session, decision)
}

pub(super) fn unlimited<'a>(scene: &Scene<'a>, session: &mut Session, mut decision: Decision) -> Outcome {
    limited(&mut decision).for_each(|remark| remark.limit = Limit::Never);
    apply(scene, session, decision)
}

pub(super) fn limit_of_bash<'a>(scene: &Scene<'a>, session: &mut Session, mut decision: Decision) -> Outcome {
    let raised = scene.host().env.get("BASH_MAX_OUTPUT_LENGTH").and_then(|limit| limit.parse::<usize>().ok());
    if let Some(limit) = raised {
        limited(&mut decision).filter(|r| r.text.len() <= limit).for_each(|remark| remark.limit = Limit::Never);
    }
    apply(scene, session, decision)
}

pub(super) fn tools_unmentioned<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let mut outcome = apply(scene, session, decision);
    outcome.said.retain(|said| !said.text.lossy().contains("no MCP client context"));
    outcome
}

pub(super) fn cut<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let mut outcome = apply(scene, session, decision);
    outcome.said.iter_mut().for_each(|said| said.spill = None);
    outcome
}

pub(super) fn short_file<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let mut outcome = apply(scene, session, decision);
    for said in &mut outcome.said {
        if let Some(Spill::Content(Text::Plain(text))) = &mut said.spill {
            shorten(text, LIMIT);
        }
    }
    outcome
}

pub(super) fn seven<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    if session.turn.continuations == 7 && !session.turn.tool_called {
        session.turn.continuations = 8;
    }
    apply(scene, session, decision)
}

pub(super) fn kept_going_once<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    if session.turn.kept_going && !session.turn.tool_called {
        session.turn.continuations = 8;
    }
    apply(scene, session, decision)
}

pub(super) fn nine<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    // The first continuation is not counted.
    let first = session.turn.continuations == 0 && !session.turn.kept_going;
    let outcome = apply(scene, session, decision);
    if first {
        session.turn.continuations = 0;
    }
    outcome
}

pub(super) fn never_reset<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    session.turn.tool_called = false;
    apply(scene, session, decision)
}

pub(super) fn feedback_free<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let blocks = match &decision.verdict {
        Verdict::Stopping(stopping) => stopping.said.iter().any(|remark| remark.how == Some(Manner::Notice)),
        _ => true,
    };
    let before = session.turn.continuations;
    let outcome = apply(scene, session, decision);
    if !blocks {
        session.turn.continuations = session.turn.continuations.min(before);
    }
    outcome
}

pub(super) fn fixed_cap<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let case = other_world(scene, |host| host.env.clear());
    match &decision.verdict {
        Verdict::Stopping(_) => apply(&Scene { case: &case, ..*scene }, session, decision),
        _ => apply(scene, session, decision),
    }
}

pub(super) fn allow_beats_rules<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    match &decision.verdict {
        Verdict::Call(Call { ruling: Some(Ruling::Allow), .. }) => {
            let case = other_world(scene, |host| host.permissions = Permissions::default());
            apply(&Scene { case: &case, ..*scene }, session, decision)
        }
        _ => apply(scene, session, decision),
    }
}

pub(super) fn rules_on_old_input<'a>(scene: &Scene<'a>, session: &mut Session, mut decision: Decision) -> Outcome {
    let Verdict::Call(call) = &mut decision.verdict else { return apply(scene, session, decision) };
    let input = call.input.take();
    let mut outcome = apply(scene, session, decision);
    let fate = outcome.fate_in(scene.firing);
    if let Some(input) = input.filter(|_| matches!(fate, Fate::Proceeds | Fate::Asked)) {
        outcome.set.insert(Slot::ToolInput, Value::Object(input));
    }
    outcome
}

pub(super) fn allow_is_always_enough<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let allowed = matches!(&decision.verdict, Verdict::Call(Call { ruling: Some(Ruling::Allow), .. }));
    let mut outcome = apply(scene, session, decision);
    if allowed && outcome.fate_in(scene.firing) == Fate::Asked {
        outcome.fate = Some(Fate::Proceeds);
    }
    outcome
}

pub(super) fn call_taken_back<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let blocked = matches!(&decision.verdict, Verdict::Finished(finished) if !finished.feedback.is_empty());
    let mut outcome = apply(scene, session, decision);
    if blocked {
        outcome.fate = Some(Fate::Prevented);
    }
    outcome
}

pub(super) fn limit_of_a_line<'a>(scene: &Scene<'a>, session: &mut Session, mut decision: Decision) -> Outcome {
    let short = |remark: &&mut Remark| remark.text.lines().all(|line| line.len() <= LIMIT);
    limited(&mut decision).filter(short).for_each(|remark| remark.limit = Limit::Never);
    apply(scene, session, decision)
}

pub(super) fn allow_is_enough<'a>(scene: &Scene<'a>, session: &mut Session, mut decision: Decision) -> Outcome {
    if let Verdict::Call(call) = &mut decision.verdict {
        call.allows_with_input = true;
    }
    apply(scene, session, decision)
}

pub(super) fn decision_beats_stop<'a>(scene: &Scene<'a>, session: &mut Session, mut decision: Decision) -> Outcome {
    decision.stop &= match &decision.verdict {
        Verdict::Call(call) => call.ruling.is_none(),
        Verdict::Finished(finished) => finished.feedback.is_empty(),
        Verdict::Prompt(prompt) => prompt.blocks.is_empty(),
        Verdict::Stopping(stopping) => !stopping.goes_on,
        _ => true,
    };
    apply(scene, session, decision)
}

pub(super) fn prompt_goes_on<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let mut outcome = apply(scene, session, decision);
    if scene.event() == Event::UserPromptSubmit && outcome.fate == Some(Fate::Prevented) {
        let text = Text::Plain(scene.input_text("prompt").unwrap_or_default().to_owned());
        outcome.said.push(Said { to: Audience::Model, text, how: Some(Manner::Context), by: None, spill: None });
    }
    outcome
}

pub(super) fn path_as_printed<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let printed = match &decision.verdict {
        Verdict::Worktree(Worktree::At { path, .. }) => Some(path.clone()),
        _ => None,
    };
    let mut outcome = apply(scene, session, decision);
    if let (Some(slot), Some(path)) = (outcome.set.get_mut(&Slot::WorktreePath), printed) {
        *slot = Value::from(path);
    }
    outcome
}

pub(super) fn refused_task_stays<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let mut outcome = apply(scene, session, decision);
    if outcome.set.remove(&Slot::TaskGone).is_some() {
        outcome.fate = None;
    }
    outcome
}

pub(super) fn told_again<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    session.briefed.clear();
    apply(scene, session, decision)
}

pub(super) fn news_forgotten<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let outcome = apply(scene, session, decision);
    if scene.event() == Event::DirectoryAdded {
        session.kept.for_turn.clear();
    }
    outcome
}

pub(super) fn guidance_piles_up<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let mut before = session.kept.for_model.clone();
    let outcome = apply(scene, session, decision);
    if scene.event() == Event::PostModelSwitch {
        before.append(&mut session.kept.for_model);
        session.kept.for_model = before;
    }
    outcome
}

pub(super) fn guidance_at_once<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let mut outcome = apply(scene, session, decision);
    outcome.said.append(&mut session.kept.for_model);
    outcome
}

pub(super) fn asks_anywhere<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let case = other_world(scene, |host| {
        host.surface = Surface::Terminal;
        host.facts.extend([Fact::ModelCommand]);
    });
    match &decision.verdict {
        Verdict::Switch(switch) if switch.ruling == Some(Ruling::Ask) => {
            apply(&Scene { case: &case, ..*scene }, session, decision)
        }
        _ => apply(scene, session, decision),
    }
}

pub(super) fn retry_runs<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let mut outcome = apply(scene, session, decision);
    if outcome.set.contains_key(&Slot::RetryAllowed) {
        outcome.fate = Some(Fate::Proceeds);
    }
    outcome
}

pub(super) fn grant_beats_rules<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let case = other_world(scene, |host| host.permissions = Permissions::default());
    match &decision.verdict {
        // With a new mode, the settings count, which the other world does not have.
        Verdict::Request(request) if request.updates.is_empty() => {
            apply(&Scene { case: &case, ..*scene }, session, decision)
        }
        _ => apply(scene, session, decision),
    }
}

pub(super) fn mode_forgotten<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let outcome = apply(scene, session, decision);
    session.mode = None;
    outcome
}
