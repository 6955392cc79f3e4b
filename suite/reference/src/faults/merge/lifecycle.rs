//! Faults of the third step where a session or a subagent begins, after a compaction, after a failed turn, and on the way of
//! an answer to an MCP server.

use super::{last_blocks_on, outputs};
use crate::{
    Scene,
    merge::{Answered, Decision, Remark, Reply, Verdict, merge},
    read::{Action, Spoken},
    select::Kind,
};
use hookproof_contract::{Audience, Event, Surface};
use serde_json::Value;

/// The stderr of all answers that exit 2, for somebody.
pub(super) fn complaints(answers: &[Answered<'_>], to: Audience) -> Vec<Remark> {
    let told = answers.iter().filter(|(_, answer)| answer.exits_two() && !answer.err.is_empty());
    told.map(|(handler, answer)| Remark::new(to, None, &handler.name, answer.err.as_str())).collect()
}

pub(in crate::faults) fn start_text_lost<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if scene.event() == Event::SessionStart {
        let printed = |(handler, answer): &&mut Answered<'a>| {
            handler.kind == Kind::Command && matches!(answer.spoken, Spoken::Plain(_))
        };
        for (_, answer) in answers.iter_mut().filter(printed) {
            answer.spoken = Spoken::Nothing;
        }
    }
    merge(scene, answers)
}

pub(in crate::faults) fn complaint_told<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let begins = matches!(scene.event(), Event::SessionStart | Event::SubagentStart);
    let told = if begins { complaints(&answers, Audience::Model) } else { Vec::new() };
    let mut decision = merge(scene, answers);
    decision.said.extend(told);
    decision
}

pub(in crate::faults) fn context_is_a_prompt<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let context = outputs(&mut answers).find_map(|output| output.context.clone());
    let mut decision = merge(scene, answers);
    if let Verdict::Start(start) = &mut decision.verdict
        && scene.host().surface == Surface::Print
    {
        start.first_prompt = start.first_prompt.take().or(context);
    }
    decision
}

pub(in crate::faults) fn always_renamed<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let title = outputs(&mut answers).filter_map(|output| output.title.clone()).last();
    let mut decision = merge(scene, answers);
    if let Verdict::Start(start) = &mut decision.verdict {
        start.title = title;
    }
    decision
}

pub(in crate::faults) fn last_reloads<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if let Some((_, others)) = answers.split_last_mut() {
        outputs(others).for_each(|output| output.reloads_skills = false);
    }
    merge(scene, answers)
}

pub(in crate::faults) fn stopped_after_compaction<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let stop = outputs(&mut answers).any(|output| output.stop);
    let mut decision = merge(scene, answers);
    if let Verdict::Compacted(said) = &mut decision.verdict
        && stop
    {
        // As where a subagent begins: nothing is decided, and the agent can be stopped.
        decision.said.append(said);
        decision.stop = true;
        decision.verdict = Verdict::Briefing;
    }
    decision
}

pub(in crate::faults) fn two_silence_each_other<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let mut decision = merge(scene, answers);
    if let Verdict::Compacted(said) = &mut decision.verdict
        && said.len() > 1
    {
        said.clear();
    }
    decision
}

pub(in crate::faults) fn failed_turn_shown<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let shown = complaints(&answers, Audience::User);
    let mut decision = merge(scene, answers);
    if let Verdict::TurnFailed = decision.verdict {
        decision.said.extend(shown);
    }
    decision
}

pub(in crate::faults) fn last_on_answer<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    last_blocks_on(Event::ElicitationResult, scene, answers)
}

/// The ordinary step, but with another answer in the place of the user's.
fn answering<'a>(
    scene: &Scene<'a>,
    answers: Vec<Answered<'a>>,
    change: impl FnOnce(Reply) -> Option<Reply>,
) -> Decision {
    let mut decision = merge(scene, answers);
    if let Verdict::Response(reply) = &mut decision.verdict {
        *reply = reply.take().and_then(change);
    }
    decision
}

pub(in crate::faults) fn answer_merged<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    answering(scene, answers, |mut reply| {
        let users = scene.firing.input.get("content").and_then(Value::as_object);
        if let Some(content) = &mut reply.content {
            for (key, value) in users.into_iter().flatten() {
                content.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
        Some(reply)
    })
}

pub(in crate::faults) fn cancel_emptied<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    answering(scene, answers, |mut reply| {
        if reply.action == Action::Cancel {
            reply.content = None;
        }
        Some(reply)
    })
}

pub(in crate::faults) fn refusal_kept<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let accepted = scene.input_text("action") == Some("accept");
    answering(scene, answers, |reply| Some(reply).filter(|reply| accepted || reply.action == Action::Decline))
}
