//! Stop (chapter *stop*): whether the agent may stop, and how often hooks may keep it from stopping. SubagentStop shares what is
//! said of both.

use super::{
    Scene,
    blocking::{self, Block},
    envelope::{self, one_of},
    evaluators::{self, Effect},
};
use crate::{
    claims::{Claims, HEADING, parts},
    voice::{Ended, Voice},
};
use hookproof_contract::{Agent, Audience, Event, Fate, Field, Manner, Must, RuleId, Say, bare, reading, rule};
use serde_json::Value;
use std::borrow::Cow;

const BLOCKING: blocking::Rules = blocking::Rules {
    exit_2: rule!("EXIT-2-EV-Stop"),
    stderr: rule!("STOP-OUT-04"),
    beside_json: rule!("STOP-OUT-04"),
    json: rule!("STOP-OUT-01"),
    reason: rule!("STOP-OUT-02"),
};

pub(super) fn claims(scene: &mut Scene<'_, '_>, claims: &mut Claims) {
    active(scene, claims);
    let blocks = all_blocks(scene, &BLOCKING);
    let by_advice = blocks.is_empty();
    let (fate, rule) = decide(scene, &blocks, claims);
    match fate {
        Some(Fate::Prevented) => {
            claims.fate(Fate::Prevented, rule, &[]);
            claims.agent(Agent::GoesOn, rule, &[]);
            scene.session.stop.goes_on(by_advice);
            scene.session.subagents.continuations += 1;
        }
        Some(fate) => {
            claims.fate(fate, rule, &[]);
            if !scene.is_stopped() {
                claims.agent(Agent::EndsTurn, rule, &[]);
            }
            scene.session.stop.ends();
        }
        None => scene.session.lose(scene.firing),
    }
}

/// The blocks, those of evaluators too, in the order of the hooks.
pub(super) fn all_blocks<'s>(scene: &'s Scene<'_, '_>, rules: &blocking::Rules) -> Vec<(&'s Voice<'s>, Block<'s>)> {
    let judged = scene.voices.iter().filter_map(|voice| match evaluators::effect(scene, voice)? {
        (Effect::GoesOn, rule) => {
            let message = evaluators::reason(voice).map(|reason| (reason, rule));
            Some((voice, Block { rule, message, displaced: None }))
        }
        _ => None,
    });
    let mut blocks: Vec<_> = blocking::all(scene, rules).into_iter().chain(judged).collect();
    blocks.sort_by_key(|(voice, _)| scene.voices.iter().position(|other| std::ptr::eq(*voice, other)));
    blocks
}

/// Every handler is told whether the agent goes on because of a stop hook.
fn active(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let Some(active) = scene.session.stop.active else {
        return;
    };
    for voice in scene.voices.iter().filter(|v| v.gets_input()) {
        let path = Some(Cow::Borrowed("/stop_hook_active"));
        let rule = if scene.session.stop.by_advice { rule!("STOP-IN-ACTIVE-CTX") } else { rule!("STOP-IN-01") };
        claims.given(&voice.name, Field::Input, path, Must::Be(Value::from(active)), rule);
    }
}

/// What becomes of the stop, and by which rule. Makes the claims about what is said on the way.
fn decide(scene: &Scene<'_, '_>, blocks: &[(&Voice<'_>, Block<'_>)], claims: &mut Claims) -> (Option<Fate>, RuleId) {
    if scene.is_stopped() {
        return when_stopped(scene, blocks);
    }
    let advice = advice(scene);
    let rule = match wanted(scene, blocks, &advice, rule!("STOP-OUT-03")) {
        Wanted::GoingOn(rule) => rule,
        Wanted::Nothing => return (Some(scene.firing.otherwise), scene.silence()),
        Wanted::Unknown => return (None, rule!("STOP-OUT-03")),
    };
    match (scene.session.stop.count, scene.session.stop_cap()) {
        (Some(count), Some(cap)) if count >= cap => {
            let by = match () {
                () if cap != 8 => rule!("STOP-CAP-03"),
                () if blocks.is_empty() => rule!("STOP-CAP-04"),
                () => rule!("STOP-CAP-01"),
            };
            (Some(Fate::Proceeds), by)
        }
        (Some(count), Some(cap)) => {
            said(scene, blocks, &advice, claims);
            // The continuation that an unraised limit would have refused.
            let raised = cap != 8 && count >= 8;
            let by = match () {
                () if raised => rule!("STOP-CAP-03"),
                // Without the calls in between the limit would have been reached.
                () if scene.session.stop.in_all >= cap => rule!("STOP-CAP-02"),
                () => rule,
            };
            (Some(Fate::Prevented), by)
        }
        _ => (None, rule),
    }
}

/// What the hooks at a stop ask for, where none of them stops the agent for good.
pub(super) enum Wanted {
    /// The agent goes on, by this rule.
    GoingOn(RuleId),
    /// Nothing.
    Nothing,
    /// That is not said.
    Unknown,
}

/// What the hooks ask for. `by_advice` is the rule by which additional context alone keeps the agent from stopping.
pub(super) fn wanted(
    scene: &Scene<'_, '_>,
    blocks: &[(&Voice<'_>, Block<'_>)],
    advice: &[(&Voice<'_>, &str)],
    by_advice: RuleId,
) -> Wanted {
    let permits = |v: &Voice<'_>| matches!(evaluators::effect(scene, v), Some((Effect::Permits, _)));
    match (blocks.first(), advice.first()) {
        // Whether the one or the other prevails is not said.
        (Some(_), _) | (_, Some(_)) if scene.voices.iter().any(permits) => Wanted::Unknown,
        (Some((_, block)), _) => Wanted::GoingOn(block.rule),
        (None, Some((voice, _))) => Wanted::GoingOn(voice.by(by_advice)),
        // What is white space for some platforms only is blank for these only.
        (None, None) if blank_contexts(scene).any(|text| !text.trim_ascii().is_empty()) => Wanted::Unknown,
        (None, None) if blank_contexts(scene).next().is_some() && scene.oracle().is(reading!("A-180", "yes")) => {
            Wanted::GoingOn(by_advice)
        }
        (None, None) => Wanted::Nothing,
    }
}

/// The additional contexts. What becomes of one beside a block by exit 2 is not said.
pub(super) fn advice<'s>(scene: &'s Scene<'_, '_>) -> Vec<(&'s Voice<'s>, &'s str)> {
    let advising = scene.voices.iter().filter(|v| v.end != Ended::Two);
    advising.filter_map(|v| Some((v, v.context()?))).collect()
}

/// The contexts in which there is nothing but white space.
fn blank_contexts<'s>(scene: &'s Scene<'_, '_>) -> impl Iterator<Item = &'s str> {
    let contexts = scene.voices.iter().filter_map(|v| v.object()?.text("additionalContext"));
    contexts.filter(|text| bare(text).is_empty())
}

/// `continue: false` ends the run, even against a block by JSON; against exit 2 that is an open point.
pub(super) fn when_stopped(scene: &Scene<'_, '_>, blocks: &[(&Voice<'_>, Block<'_>)]) -> (Option<Fate>, RuleId) {
    let by_exit_2 = blocks.iter().any(|(voice, _)| voice.end == Ended::Two);
    if by_exit_2 && scene.oracle().is(reading!("A-53", "goes on")) {
        return (None, rule!("EXIT-GEN-04"));
    }
    if evaluators::object(scene) {
        // Whether it outweighs an objection as it does a block is not said.
        return (None, rule!("JSON-CONT-01"));
    }
    let rule = match () {
        () if blocks.iter().any(|(voice, _)| voice.blocks() && voice.stops()) => rule!("STOP-OUT-07"),
        () if !blocks.is_empty() => rule!("JSON-CONT-02"),
        () => rule!("JSON-CONT-01"),
    };
    (if by_exit_2 { None } else { Some(Fate::Proceeds) }, rule)
}

/// What the model and the user are told when the agent goes on.
pub(super) fn said(
    scene: &Scene<'_, '_>,
    blocks: &[(&Voice<'_>, Block<'_>)],
    advice: &[(&Voice<'_>, &str)],
    claims: &mut Claims,
) {
    let messages: Vec<(&str, RuleId)> =
        blocks.iter().filter_map(|(_, block)| block.message).filter(|(t, _)| !bare(t).is_empty()).collect();
    if let Some((_, rule)) = messages.first().filter(|_| messages.len() == blocks.len()) {
        let texts: Vec<&str> = messages.iter().map(|(text, _)| *text).collect();
        // In which manner an evaluator's reason is an instruction is not said.
        let how = (!evaluators::object(scene)).then_some(Manner::Feedback);
        one_of(Audience::Model, &texts, how, *rule, scene, claims);
    }
    if let [(_, Block { displaced: Some(stderr), .. })] = blocks {
        claims.keep_from(Audience::Model, stderr, rule!("EXIT-2-05"));
    }
    if blocks.iter().any(|(voice, _)| voice.end != Ended::Two && voice.blocks()) {
        // Shown as an error, in contrast to advice; its wording is not given.
        claims.say(Audience::User, Say::default(), rule!("STOP-OUT-BLOCKSHOWN"), &[]);
    }
    for (voice, text) in advice {
        told(scene, voice, text, claims);
    }
    if blocks.is_empty() && !advice.is_empty() {
        let no_error = if scene.row.event == Event::Stop {
            claims.say(Audience::User, parts(["Stop hook feedback"], Manner::Feedback), rule!("STOP-OUT-06"), &[]);
            rule!("STOP-OUT-06")
        } else {
            // Under which label a subagent's is shown is not said.
            rule!("SUBSTOP-OUT-01")
        };
        if scene.voices.iter().all(|v| matches!(v.end, Ended::Zero | Ended::HttpOk) && v.object().is_some()) {
            claims.not_say(Audience::User, HEADING, no_error, &[]);
        }
    }
}

/// Feedback that is no error reaches the model. Whether that is context or feedback in manner is not said.
fn told(scene: &Scene<'_, '_>, voice: &Voice<'_>, text: &str, claims: &mut Claims) {
    let several = scene.voices.iter().filter(|v| v.context().is_some()).count() > 1;
    let rule = if several { rule!("CTX-09") } else { voice.by(rule!("CTX-07")) };
    envelope::limited(scene, voice, text, Audience::Model, Manner::Context, rule, claims);
}
