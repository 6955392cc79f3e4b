//! PostToolBatch (chapter *tool-results*): whether a request to the model follows a batch of calls, and what it carries.

use super::{
    Scene,
    blocking::{self, Block},
    envelope, evaluators,
};
use crate::{
    claims::{Claims, head},
    spill,
    voice::{Ended, Voice},
};
use hookproof_contract::{Audience, Fate, Lies, Must, Place, RuleId, Say, Text, bare, rule};

const BLOCKING: blocking::Rules = blocking::Rules {
    exit_2: rule!("EXIT-2-EV-PostToolBatch"),
    stderr: rule!("POSTBATCH-OUT-03"),
    beside_json: rule!("POSTBATCH-OUT-03"),
    json: rule!("POSTBATCH-OUT-02"),
    reason: rule!("POSTBATCH-OUT-03"),
};

pub(super) fn claims(scene: &mut Scene<'_, '_>, claims: &mut Claims) {
    if ends_loop(scene, claims) {
        // Whether the agent stops in the ordinary way then is not said.
        scene.session.stop.is_lost();
        return;
    }
    claims.fate(scene.firing.otherwise, scene.silence(), &[]);
    if scene.firing.otherwise != Fate::Proceeds {
        // There is no request that could carry anything.
        return;
    }
    for voice in &scene.voices {
        if let Some(text) = voice.context() {
            envelope::context(scene, voice, text, rule!("POSTBATCH-OUT-01"), claims);
        }
    }
}

/// Whether some hook ends the agent loop, and what the user is told then. What of it the model reads, it reads when the
/// conversation goes on, which need not be in this step.
fn ends_loop(scene: &Scene<'_, '_>, claims: &mut Claims) -> bool {
    let blocks = blocking::all(scene, &BLOCKING);
    let stopping = scene.voices.iter().find(|v| v.stops()).map(|v| v.by(BLOCKING.json));
    let first = blocks.first();
    let ended = || scene.voices.iter().find_map(|v| evaluators::effect(scene, v)).map(|(_, rule)| rule);
    let Some(rule) = first.map(|(_, block)| block.rule).or(stopping).or_else(ended) else {
        return false;
    };
    claims.fate(Fate::Prevented, rule, &[]);
    // Beside the reason of an evaluator, whose words are shown is not said.
    if !is_contested(scene) && !evaluators::object(scene) {
        told(scene, &blocks, claims);
    }
    true
}

/// Exit 2 beside `continue: false`: both end the loop, but how, and in whose words, is open.
pub(super) fn is_contested(scene: &Scene<'_, '_>) -> bool {
    scene.is_stopped() && scene.voices.iter().any(|v| v.end == Ended::Two)
}

/// The message of a block is a warning in the transcript; whether that is a warning in manner is not said.
fn told(scene: &Scene<'_, '_>, blocks: &[(&Voice<'_>, Block<'_>)], claims: &mut Claims) {
    let mut texts: Vec<(&str, RuleId)> = Vec::new();
    let mut ending = 0;
    for voice in &scene.voices {
        let block = blocks.iter().find(|(blocking, _)| std::ptr::eq(*blocking, voice)).map(|(_, block)| block);
        if block.is_none() && !voice.stops() {
            continue;
        }
        ending += 1;
        // Of several messages, which is shown is not said; one that has none leaves open what is.
        match messages(voice, block) {
            Some(of_voice) => texts.extend(of_voice),
            None => return,
        }
    }
    let Some((first, rule)) = texts.first().copied() else { return };
    if texts.iter().all(|(text, _)| *text == first) {
        let lies = if spill::is_short(first) { Lies::InText } else { Lies::InTextOrFile };
        let say = Say { parts: vec![Text::from(bare(first))], how: None, lies };
        claims.say(Audience::User, say, rule, &[rule!("POSTBATCH-OUT-04")]);
        envelope::stays_in_the_conversation(scene, first, rule!("POSTBATCH-OUT-04"), claims);
    } else {
        let any = texts.iter().map(|(text, _)| Say { parts: vec![Text::from(head(text))], ..Say::default() });
        claims.claim(Place::TO_USER, Must::SayAny(any.collect()), rule, &[rule!("POSTBATCH-OUT-04")]);
    }
    if let (1, [(_, Block { displaced: Some(stderr), .. })]) = (ending, blocks) {
        claims.keep_from(Audience::User, stderr, rule!("EXIT-2-05"));
    }
}

/// The texts of which one is the message of a hook that ends the loop; none where that is not said.
fn messages<'v>(voice: &'v Voice<'_>, block: Option<&Block<'v>>) -> Option<Vec<(&'v str, RuleId)>> {
    let said = |text: Option<&'v str>| text.filter(|text| !bare(text).is_empty());
    let halt = said(voice.object().and_then(|o| o.stop_reason.as_deref()));
    let own = block.and_then(|block| block.message).filter(|(text, _)| !bare(text).is_empty());
    match (block, own, halt) {
        // Beside a reason, a stop reason may be the message as well as the reason.
        (Some(_), Some(own), Some(halt)) if voice.blocks() => Some(vec![own, (halt, own.1)]),
        (Some(_), Some(own), None) => Some(vec![own]),
        (None, _, Some(halt)) => {
            let rule = BLOCKING.reason;
            let reason = said(voice.object().and_then(|o| o.reason.as_deref()));
            Some(std::iter::once(halt).chain(reason).map(|text| (text, rule)).collect())
        }
        // Of a stop reason of a hook whose JSON does not end the loop, whether it is the message is not said.
        _ => None,
    }
}
