//! Faults of the last step: what becomes of an action of one event.

use crate::{
    Scene,
    apply::apply,
    given::resolved,
    merge::{Decision, Reply, Verdict, Worktree},
    read::Action,
    session::{Session, Turn},
    settings::Place,
};
use hookproof_contract::{Agent, Event, Fate, Outcome};

pub(in crate::faults) fn replaced_call_undone<'a>(
    scene: &Scene<'a>,
    session: &mut Session,
    decision: Decision,
) -> Outcome {
    let replaces = matches!(&decision.verdict, Verdict::Finished(finished) if finished.output.is_some());
    let mut outcome = apply(scene, session, decision);
    if replaces {
        outcome.fate = Some(Fate::Prevented);
    }
    outcome
}

pub(in crate::faults) fn dots_followed<'a>(
    scene: &Scene<'a>,
    session: &mut Session,
    mut decision: Decision,
) -> Outcome {
    if let Verdict::Worktree(Worktree::At { path, .. }) = &mut decision.verdict
        && path.starts_with('/')
    {
        *path = resolved("/", path);
    }
    apply(scene, session, decision)
}

pub(in crate::faults) fn block_ends_the_turn<'a>(
    scene: &Scene<'a>,
    session: &mut Session,
    decision: Decision,
) -> Outcome {
    let by_itself = scene.event() == Event::PreCompact && scene.input_text("trigger") == Some("auto");
    let mut outcome = apply(scene, session, decision);
    if by_itself && outcome.fate == Some(Fate::Prevented) {
        outcome.agent = Some(Agent::EndsTurn);
    }
    outcome
}

pub(in crate::faults) fn link_opened<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let accepted = matches!(&decision.verdict, Verdict::Dialog(Some(Reply { action: Action::Accept, .. })));
    let mut outcome = apply(scene, session, decision);
    if accepted && scene.input_text("mode") == Some("url") {
        outcome.fate = None;
    }
    outcome
}

pub(in crate::faults) fn told_once_for_all<'a>(
    scene: &Scene<'a>,
    session: &mut Session,
    decision: Decision,
) -> Outcome {
    let begins = scene.input_text("agent_id").filter(|_| scene.event() == Event::SubagentStart);
    let Some(id) = begins else { return apply(scene, session, decision) };
    // A session forgets who was told once it is compacted; an agent of this name never stops, so its turn is remembered.
    let told = format!("{id} was told");
    if session.subagents.contains_key(&told) {
        session.briefed.insert(id.to_owned());
    }
    let outcome = apply(scene, session, decision);
    if session.briefed.contains(id) {
        session.subagents.insert(told, Turn::default());
    }
    outcome
}

pub(in crate::faults) fn told_one_told_all<'a>(
    scene: &Scene<'a>,
    session: &mut Session,
    decision: Decision,
) -> Outcome {
    let begins = scene.input_text("agent_id").filter(|_| scene.event() == Event::SubagentStart);
    if let (Some(id), false) = (begins, session.briefed.is_empty()) {
        session.briefed.insert(id.to_owned());
    }
    apply(scene, session, decision)
}

pub(in crate::faults) fn retried_once<'a>(scene: &Scene<'a>, session: &mut Session, mut decision: Decision) -> Outcome {
    // No handler stands there.
    const ONCE: (Event, Place) = (Event::PermissionDenied, (usize::MAX, 0, 0));
    if let Verdict::Refusal(refusal) = &mut decision.verdict
        && refusal.retry.is_some()
    {
        match session.spent.contains(&ONCE) {
            true => refusal.retry = None,
            false => session.spent.push(ONCE),
        }
    }
    apply(scene, session, decision)
}
