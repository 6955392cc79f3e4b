//! Whether a tool call may run, and with which input (PreToolUse; chapters *tools*, *precedence* and *defer*).

use super::{
    Answered, Remark, block_message,
    contest::{replaces, told},
};
use crate::{
    Scene,
    read::{Answer, Output, Ruling, TopDecision},
    select::Handler,
};
use hookproof_contract::{Event, Name, Source, Surface};
use serde_json::{Map, Value};

/// What hooks decide about a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Call {
    /// The strongest decision.
    pub(crate) ruling: Option<Ruling>,
    /// Who decided so and why.
    pub(crate) voices: Vec<Voice>,
    /// The input that replaces the model's.
    pub(crate) input: Option<Map<String, Value>>,
    /// Somebody answered `allow` and gave an input with it.
    pub(crate) allows_with_input: bool,
}

/// A hook that decided as the strongest decision does.
#[derive(Clone, Debug)]
pub(crate) struct Voice {
    pub(crate) by: Name,
    /// Where the hook is from, as a permission prompt shows it.
    pub(crate) label: String,
    pub(crate) reason: Option<String>,
}

/// One hook's part in the decision.
struct Vote<'a> {
    handler: Handler<'a>,
    ruling: Option<Ruling>,
    reason: Option<String>,
    input: Option<Map<String, Value>>,
}

/// The strongest decision counts; whose input counts, of several, is open.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>, said: &mut Vec<Remark>) -> Call {
    let votes: Vec<Vote<'_>> =
        answers.into_iter().filter_map(|(handler, answer)| vote(scene, handler, answer, said)).collect();
    let ruling = votes.iter().filter_map(|vote| vote.ruling).max();
    let mut call = Call { ruling, ..Call::default() };
    let (mut winner, mut voices) = (None, Vec::new());
    for vote in votes {
        let loses = vote.ruling.is_some() && vote.ruling != ruling;
        let alone = vote.ruling.is_none();
        if vote.ruling.is_some() && !loses {
            let label = label(vote.handler.source);
            let voice = Voice { by: vote.handler.name.clone(), label, reason: vote.reason };
            voices.push((vote.handler.place, voice));
        }
        let dropped = (loses && scene.stance.drops_losing_input) || (alone && scene.stance.ignores_lone_input);
        if let Some(input) = vote.input.filter(|_| !dropped) {
            call.allows_with_input |= vote.ruling == Some(Ruling::Allow);
            if winner.is_none_or(|winner| replaces(scene.stance.input_order, vote.handler.place, winner)) {
                call.input = Some(input);
                winner = Some(vote.handler.place);
            }
        }
    }
    call.voices = told(scene.stance, voices, |voice| voice.reason.as_deref().unwrap_or_default());
    call
}

/// Whether a PreToolUse output defers, effectively or not: then its context and its input do not count.
pub(super) fn defers(scene: &Scene<'_>, output: &Output) -> bool {
    scene.event() == Event::PreToolUse && own_ruling(scene, output).is_some_and(|(ruling, _)| ruling == Ruling::Defer)
}

/// What one answer says about the call. A `defer` that cannot take effect says nothing.
fn vote<'a>(scene: &Scene<'_>, handler: Handler<'a>, mut answer: Answer, said: &mut Vec<Remark>) -> Option<Vote<'a>> {
    let own = answer.output_mut().and_then(|output| {
        let (ruling, legacy) = own_ruling(scene, output)?;
        Some((ruling, if legacy { output.reason.take() } else { output.ruling_reason.take() }))
    });
    let input = answer.output_mut().and_then(|output| output.updated_input.take());
    let (ruling, reason) = own.map_or((None, None), |(ruling, reason)| (Some(ruling), reason));
    if answer.exits_two() {
        let reason = block_message(scene, &mut answer, ruling == Some(Ruling::Deny), reason);
        return Some(Vote { handler, ruling: Some(Ruling::Deny), reason, input: None });
    }
    if matches!(ruling, Some(Ruling::Allow | Ruling::Defer))
        && let Some(reason) = &reason
    {
        said.push(Remark::debug(&handler.name, format!("the reason of the decision: {reason}")));
    }
    if ruling == Some(Ruling::Defer) {
        if !may_defer(scene) {
            said.push(Remark::debug(
                &handler.name,
                "warning: this call cannot be deferred, the hook's result is ignored",
            ));
            return None;
        }
        return Some(Vote { handler, ruling, reason, input: None });
    }
    let reason = reason.filter(|reason| !reason.is_empty());
    Some(Vote { handler, ruling, reason, input })
}

/// The decision in an output, and whether it is the one in the old form.
fn own_ruling(scene: &Scene<'_>, output: &Output) -> Option<(Ruling, bool)> {
    let legacy = output.decision.map(|decision| match decision {
        TopDecision::Block => (Ruling::Deny, true),
        TopDecision::Approve => (Ruling::Allow, true),
    });
    let current = output.ruling.map(|ruling| (ruling, false));
    if scene.stance.legacy_wins { legacy.or(current) } else { current.or(legacy) }
}

/// Only `-p` defers, and only a call that the model made alone.
pub(crate) fn may_defer(scene: &Scene<'_>) -> bool {
    scene.host().surface == Surface::Print && scene.host().tool_calls_in_turn == 1
}

/// Where a hook is from, as a permission prompt shows it.
fn label(source: &Source) -> String {
    match source {
        Source::Plugin(name) => format!("[plugin:{name}]"),
        Source::Skill(_) => "[skill]".to_owned(),
        _ => "[settings]".to_owned(),
    }
}
