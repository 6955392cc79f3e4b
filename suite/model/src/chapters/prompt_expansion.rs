//! UserPromptExpansion (chapter *prompt*): whether a command that the user typed becomes a prompt.
//!
//! Much that is said of a submitted prompt is said of that event alone: what ends the block message, that the message is no
//! context, what context comes to beside a block, and that no context is shown.

use super::{
    Scene,
    blocking::{self, Block},
    envelope::{self, one_of},
};
use crate::{
    claims::Claims,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{Audience, Fate, Manner, RuleId, bare, rule};

const BLOCKING: blocking::Rules = blocking::Rules {
    exit_2: rule!("EXIT-2-EV-UserPromptExpansion"),
    stderr: rule!("PROMPTEXP-OUT-05"),
    beside_json: rule!("PROMPTEXP-OUT-05"),
    json: rule!("PROMPTEXP-OUT-02"),
    reason: rule!("PROMPTEXP-OUT-03"),
};

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let blocks = blocking::all(scene, &BLOCKING);
    fate(scene, &blocks, claims);
    for voice in &scene.voices {
        kept(voice, claims);
    }
    if scene.is_over() {
        return;
    }
    message(scene, &blocks, claims);
    if blocks.is_empty() && scene.firing.otherwise == Fate::Proceeds {
        for voice in &scene.voices {
            context(scene, voice, claims);
        }
    }
}

fn fate(scene: &Scene<'_, '_>, blocks: &[(&Voice<'_>, Block<'_>)], claims: &mut Claims) {
    // Beside `continue: false` only exit 2 is certain to count, and whether the prompt still goes to the model is not said.
    let stopped = scene.is_over();
    match blocks.iter().find(|(voice, _)| !stopped || voice.end == Ended::Two) {
        Some((_, block)) => claims.fate(Fate::Prevented, block.rule, &[]),
        None if stopped => {}
        None => claims.fate(scene.firing.otherwise, scene.silence(), &[]),
    }
}

/// The block message is shown to the user.
fn message(scene: &Scene<'_, '_>, blocks: &[(&Voice<'_>, Block<'_>)], claims: &mut Claims) {
    let messages: Vec<(&str, RuleId)> = blocks.iter().filter_map(|(_, block)| block.message).collect();
    let texts: Vec<&str> = messages.iter().map(|(text, _)| bare(text)).filter(|t| !t.is_empty()).collect();
    // A block without a message of its own leaves open which text is shown.
    if let Some((_, rule)) = messages.first().filter(|_| texts.len() == blocks.len()) {
        one_of(Audience::User, &texts, Manner::Block, *rule, scene, claims);
    }
    if let [(_, Block { displaced: Some(stderr), .. })] = blocks {
        claims.keep_from(Audience::User, stderr, rule!("EXIT-2-05"));
    }
}

/// What goes to the model along with the expanded prompt.
fn context(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    if let Some(text) = voice.context() {
        envelope::context(scene, voice, text, rule!("PROMPTEXP-CTX"), claims);
    }
    if let (Ended::Zero, Word::Plain(by)) = (&voice.end, &voice.word) {
        let ordinary = *by == rule!("STDOUT-PARSE-06") && !bare(&voice.out).starts_with(['[', '"']);
        let rule = voice.by(if ordinary { rule!("STDOUT-02") } else { *by });
        envelope::limited(scene, voice, &voice.out, Audience::Model, Manner::Context, rule, claims);
    }
}

/// Output that is no context on any event. Of plain text beside another exit code than 0 nothing is said.
fn kept(voice: &Voice<'_>, claims: &mut Claims) {
    match (&voice.end, &voice.word) {
        (Ended::Zero | Ended::Other(_), Word::Unparsable(_)) => {
            claims.keep_from(Audience::Model, &voice.out, voice.carrier().unwrap_or(rule!("STDOUT-PARSE-10")));
        }
        (Ended::HttpOk, Word::OtherBody) => claims.keep_from(Audience::Model, &voice.out, rule!("HTTP-07")),
        _ => {}
    }
}
