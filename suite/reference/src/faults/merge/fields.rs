//! Faults of the third step: fields of an answer that are forgotten on all events, or heeded on all.

use super::outputs;
use crate::{
    Scene,
    merge::{Answered, Decision, Remark, merge},
    read::{Action, Answer, Consent, Ending, Output, Ruling, Spoken, TopDecision},
    select::Handler,
};
use hookproof_contract::{Audience, Event, Manner};

/// The ordinary step, but with something changed in each valid answer.
pub(super) fn changing<'a>(
    scene: &Scene<'a>,
    mut answers: Vec<Answered<'a>>,
    change: impl Fn(&mut Output),
) -> Decision {
    outputs(&mut answers).for_each(change);
    merge(scene, answers)
}

pub(in crate::faults) fn messages_lost<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    changing(scene, answers, |output| output.system_message = None)
}

pub(in crate::faults) fn never_stopped<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    changing(scene, answers, |output| output.stop = false)
}

pub(in crate::faults) fn context_lost<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    changing(scene, answers, |output| output.context = None)
}

pub(in crate::faults) fn top_unread<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    changing(scene, answers, |output| output.decision = None)
}

pub(in crate::faults) fn reasons_lost<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    changing(scene, answers, |output| (output.reason, output.ruling_reason) = (Some(String::new()), None))
}

pub(in crate::faults) fn sequences_lost<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    changing(scene, answers, |output| output.terminal_sequence = None)
}

pub(in crate::faults) fn tool_outputs_lost<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    changing(scene, answers, |output| (output.tool_output, output.mcp_output) = (None, None))
}

pub(in crate::faults) fn titles_lost<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    changing(scene, answers, |output| output.title = None)
}

pub(in crate::faults) fn paths_unwatched<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    changing(scene, answers, |output| output.watch_paths = None)
}

pub(in crate::faults) fn nobody_asked<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    changing(scene, answers, |output| {
        if output.ruling == Some(Ruling::Ask) {
            output.ruling = Some(Ruling::Allow);
        }
    })
}

pub(in crate::faults) fn refusals_unread<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    changing(scene, answers, |output| output.action = output.action.filter(|action| *action == Action::Accept))
}

pub(in crate::faults) fn approvals_unread<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    changing(scene, answers, |output| output.ruling = output.ruling.filter(|ruling| *ruling != Ruling::Allow))
}

pub(in crate::faults) fn stops_unexplained<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let reasons: Vec<String> = outputs(&mut answers).filter_map(|output| output.stop_reason.clone()).collect();
    let mut decision = merge(scene, answers);
    decision.said.retain(|remark| remark.to != Audience::Model || !reasons.contains(&remark.text));
    decision
}

pub(in crate::faults) fn reasons_block<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    let answers_a_server = matches!(scene.event(), Event::Elicitation | Event::ElicitationResult);
    changing(scene, answers, |output| {
        if output.reason.is_some() && !answers_a_server {
            output.decision = output.decision.or(Some(TopDecision::Block));
        }
    })
}

/// The ordinary step, and besides something for somebody from each answer.
fn saying<'a>(
    scene: &Scene<'a>,
    answers: Vec<Answered<'a>>,
    say: impl Fn(&Handler<'a>, &Answer) -> Option<Remark>,
) -> Decision {
    let told: Vec<Remark> = answers.iter().filter_map(|(handler, answer)| say(handler, answer)).collect();
    let mut decision = merge(scene, answers);
    decision.said.extend(told);
    decision
}

pub(in crate::faults) fn messages_everywhere<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    saying(scene, answers, |handler, answer| {
        let message = answer.output()?.system_message.as_deref()?;
        Some(Remark::new(Audience::User, Manner::Warning, &handler.name, message))
    })
}

pub(in crate::faults) fn stderr_everywhere<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    saying(scene, answers, |handler, answer| {
        let complains = answer.exits_two() && !answer.err.trim().is_empty();
        complains.then(|| Remark::new(Audience::User, Manner::Notice, &handler.name, answer.err.as_str()))
    })
}

pub(in crate::faults) fn stdout_shown<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    saying(scene, answers, |handler, answer| {
        let Spoken::Plain(text) = &answer.spoken else { return None };
        Some(Remark::new(Audience::User, None, &handler.name, text.as_str()))
    })
}

pub(in crate::faults) fn silence_allows<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let is_silent = |answer: &Answer| answer.ending == Ending::Done && matches!(answer.spoken, Spoken::Nothing);
    for (_, answer) in answers.iter_mut().filter(|(_, answer)| is_silent(answer)) {
        let output = match scene.event() {
            Event::PreToolUse | Event::PreModelSwitch => Output { ruling: Some(Ruling::Allow), ..Output::default() },
            Event::PermissionRequest => {
                let given = Consent::Given { input: None, updates: Vec::new() };
                Output { consent: Some(given), ..Output::default() }
            }
            _ => continue,
        };
        answer.spoken = Spoken::Object(Box::new(output));
    }
    merge(scene, answers)
}

/// Takes something out of all answers but the first that has it.
pub(super) fn keep_first<'a>(answers: &mut [Answered<'a>], take: impl Fn(&mut Output) -> bool) {
    let mut seen = false;
    for (_, answer) in answers {
        let Some(output) = answer.output_mut() else { continue };
        let mut copy = output.clone();
        if take(&mut copy) {
            if seen {
                *output = copy;
            }
            seen = true;
        }
    }
}

pub(in crate::faults) fn one_message<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    keep_first(&mut answers, |output| output.system_message.take().is_some());
    merge(scene, answers)
}

pub(in crate::faults) fn last_stop_counts<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    if let Some((_, others)) = answers.split_last_mut() {
        outputs(others).for_each(|output| output.stop = false);
    }
    merge(scene, answers)
}

pub(in crate::faults) fn hiding_is_no_block<'a>(scene: &Scene<'a>, answers: Vec<Answered<'a>>) -> Decision {
    changing(scene, answers, |output| {
        if output.hides_prompt {
            output.decision = None;
        }
    })
}
