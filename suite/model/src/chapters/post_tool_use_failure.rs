//! PostToolUseFailure (chapter *tool-results*): nothing undoes a call that has failed; hooks may tell the model of it.

use super::{
    Scene,
    envelope::{self, one_of},
    evaluators,
};
use crate::{
    claims::Claims,
    voice::{Ended, Voice},
};
use hookproof_contract::{Audience, Fate, Manner, bare, reading, rule};

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let voices = &scene.voices;
    let decides = voices.iter().any(|v| v.end == Ended::Two || v.blocks());
    let own = rule!("EXIT-2-EV-PostToolUseFailure");
    if !evaluators::object(scene) {
        claims.fate(Fate::Proceeds, if decides { own } else { scene.silence() }, &[]);
    }
    if scene.is_stopped() {
        // There may be no further request that could carry anything to the model.
        return;
    }
    for voice in voices {
        reason(scene, voice, claims);
        // Where stderr goes beside a block is not said.
        let stderr = bare(&voice.err);
        if voice.end == Ended::Two && !voice.blocks() && !stderr.is_empty() {
            one_of(Audience::Model, &[stderr], Manner::Feedback, own, scene, claims);
        }
        if let Some(text) = voice.context() {
            envelope::context(scene, voice, text, rule!("POSTFAIL-CTX"), claims);
        }
    }
}

/// Whether the reason of a block goes to the model is open; beside exit 2 it is so twice.
fn reason(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    let blocking = voice.object().filter(|output| output.blocks() && voice.end != Ended::Two);
    let reason = blocking.and_then(|output| output.reason.as_deref()).filter(|reason| !bare(reason).is_empty());
    let Some(reason) = reason else { return };
    let rule = rule!("POSTFAIL-OUT-02");
    match scene.oracle().is(reading!("A-06", "feedback")) {
        true => one_of(Audience::Model, &[reason], Manner::Feedback, rule, scene, claims),
        false => claims.keep_from(Audience::Model, reason, rule),
    }
}
