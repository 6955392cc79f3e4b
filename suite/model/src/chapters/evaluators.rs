//! What the objection of an evaluator comes to (chapter *evaluators*), as far as it is the same on every event: who is told why,
//! and whether the turn goes on. What becomes of the action is for each event's own chapter to say.

use super::{
    Scene,
    envelope::{any_of, one_of},
};
use crate::{
    claims::Claims,
    evaluator::Objection,
    select::HandlerKind,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{Agent, Audience, Event, Must, Place, RuleId, Say, rule};
use serde_json::Value;

/// What an objection comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// The turn goes on, and the model is told why.
    GoesOn,
    /// The turn ends, and the user is warned; with the reason, where that is said.
    EndsTurn {
        /// The warning holds the reason.
        with_reason: bool,
    },
    /// The teammate is halted, and the user is warned.
    Halts,
    /// The agent may stop: there is no use in going on.
    Permits,
    /// That is not said.
    Unknown,
}

/// What a handler's objection comes to, and by which rule, if it is one.
pub(super) fn effect(scene: &Scene<'_, '_>, voice: &Voice<'_>) -> Option<(Effect, RuleId)> {
    let Word::Objects(objection) = &voice.word else { return None };
    let by_agent = voice.handler.kind == HandlerKind::Agent;
    // An agent cannot but let the turn go on.
    let goes_on = by_agent || voice.handler.spec.get("continueOnBlock") == Some(&Value::Bool(true));
    let own = |rule| if objection.impossible && !by_agent { rule!("PROMPT-RESP-11") } else { rule };
    let choosing = |rule| if by_agent { rule!("AGENT-03") } else { own(rule) };
    Some(match scene.row.event {
        Event::Stop | Event::SubagentStop => at_a_stop(objection, by_agent),
        Event::PreToolUse if goes_on => (Effect::GoesOn, choosing(rule!("PROMPT-RESP-03"))),
        Event::PreToolUse => (Effect::EndsTurn { with_reason: true }, own(rule!("PROMPT-RESP-03"))),
        Event::PostToolUse if goes_on => (Effect::GoesOn, choosing(rule!("PROMPT-RESP-04"))),
        Event::PostToolUse => (Effect::EndsTurn { with_reason: false }, own(rule!("PROMPT-RESP-04"))),
        Event::UserPromptSubmit | Event::UserPromptExpansion | Event::PostToolBatch => {
            (Effect::EndsTurn { with_reason: true }, own(rule!("PROMPT-RESP-05")))
        }
        Event::PostToolUseFailure | Event::TaskCreated => (Effect::GoesOn, own(rule!("PROMPT-RESP-06"))),
        Event::TaskCompleted if !scene.session.turn_ends() => (Effect::GoesOn, own(rule!("PROMPT-RESP-07"))),
        // Only the default is told of.
        Event::TaskCompleted if goes_on => (Effect::Unknown, rule!("PROMPT-RESP-07")),
        Event::TaskCompleted => (Effect::Halts, own(rule!("PROMPT-RESP-07"))),
        Event::TeammateIdle if goes_on => (Effect::GoesOn, choosing(rule!("PROMPT-RESP-08"))),
        Event::TeammateIdle => (Effect::Halts, own(rule!("PROMPT-RESP-08"))),
        _ => (Effect::Unknown, rule!("PROMPT-RESP-01")),
    })
}

/// At a stop the reason is the next instruction. A prompt hook may say that there is no use in it, and an agent may not.
fn at_a_stop(objection: &Objection, by_agent: bool) -> (Effect, RuleId) {
    match (objection.impossible, by_agent) {
        (true, false) => (Effect::Permits, rule!("PROMPT-RESP-02")),
        (true, true) => (Effect::GoesOn, rule!("AGENT-03")),
        (false, _) => (Effect::GoesOn, rule!("PROMPT-RESP-02")),
    }
}

/// Whether an evaluator ends the turn, or may.
pub(super) fn cuts_short(scene: &Scene<'_, '_>) -> bool {
    let ends = |effect| matches!(effect, Effect::EndsTurn { .. } | Effect::Halts | Effect::Unknown);
    scene.voices.iter().filter_map(|voice| effect(scene, voice)).any(|(effect, _)| ends(effect))
}

/// Whether an evaluator objects.
pub(super) fn object(scene: &Scene<'_, '_>) -> bool {
    scene.voices.iter().any(|voice| matches!(voice.word, Word::Objects(_)))
}

/// What follows for the agent, and who is told why. Nothing is claimed where evaluators want different things, or another hook
/// decides something too: whose words are told then, and whether the turn goes on, is not said.
pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    unheeded(scene, claims);
    let objections: Vec<(&Voice<'_>, (Effect, RuleId))> =
        scene.voices.iter().filter_map(|voice| Some((voice, effect(scene, voice)?))).collect();
    let Some((_, (effect, rule))) = objections.first().copied() else { return };
    if scene.voices.iter().any(decides) || objections.iter().any(|(_, (other, _))| *other != effect) {
        return;
    }
    let reasons: Vec<&str> = objections.iter().filter_map(|(voice, _)| reason(voice)).collect();
    match effect {
        // How often an agent can be kept from stopping, that chapter tells.
        Effect::GoesOn if matches!(scene.row.event, Event::Stop | Event::SubagentStop) => {}
        Effect::GoesOn => {
            claims.agent(Agent::GoesOn, rule, &[]);
            match scene.row.event {
                // Beside other refusals the event's own chapter tells who is told what.
                Event::PreToolUse => {}
                // Nothing is blocked any more, so that the texts do not compete.
                Event::PostToolUse | Event::PostToolUseFailure => {
                    any_of(Audience::Model, &reasons, None, rule, scene, claims);
                }
                _ => one_of(Audience::Model, &reasons, None, rule, scene, claims),
            }
        }
        Effect::EndsTurn { with_reason } => {
            // Whether a turn that a hook ends is over in the ordinary way is not said.
            let over = [Agent::EndsTurn, Agent::Stops].map(|agent| Value::from(agent.name()));
            claims.claim(Place::Agent, Must::BeOneOf(over.to_vec()), rule, &[]);
            match with_reason {
                // Whether that is a warning in manner is not said.
                true => any_of(Audience::User, &reasons, None, rule, scene, claims),
                false => claims.say(Audience::User, Say::default(), rule, &[]),
            }
        }
        Effect::Halts => {
            claims.agent(Agent::Stops, rule, &[]);
            claims.say(Audience::User, Say::default(), rule, &[]);
        }
        Effect::Permits | Effect::Unknown => {}
    }
}

/// Where nobody heeds evaluators, none ends the turn, and of what they say of a refused call nothing is kept.
fn unheeded(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        let Word::Unheeded(rule) = voice.word else { continue };
        if scene.row.event == Event::PermissionDenied {
            claims.keep_from(Audience::Model, &voice.out, rule);
        }
        if scene.voices.iter().all(|other| matches!(other.word, Word::Unheeded(_))) {
            claims.agent(Agent::GoesOn, rule, &[]);
        }
    }
}

/// Why an evaluator objects, if it does.
pub(super) fn reason<'v>(voice: &'v Voice<'_>) -> Option<&'v str> {
    match &voice.word {
        Word::Objects(objection) => Some(&objection.reason),
        _ => None,
    }
}

/// Whether a hook that is no evaluator decides something.
fn decides(voice: &Voice<'_>) -> bool {
    let of_json = |output: &crate::read::schema::Output| {
        output.decision.is_some() || output.stops() || output.specific.contains_key("permissionDecision")
    };
    voice.end == Ended::Two || voice.object().is_some_and(of_json)
}
