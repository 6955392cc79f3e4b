//! PostToolUseFailure (chapter *tool-results*): nothing undoes a call that has failed; hooks may tell the model of it.

use super::{
    Scene,
    envelope::{self, one_of},
    evaluators,
};
use crate::{claims::Claims, voice::Ended};
use hookproof_contract::{Audience, Fate, Manner, bare, rule};

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
        // Where the reason of a block goes is not said for certain, nor where stderr goes beside one.
        let stderr = bare(&voice.err);
        if voice.end == Ended::Two && !voice.blocks() && !stderr.is_empty() {
            one_of(Audience::Model, &[stderr], Manner::Feedback, own, scene, claims);
        }
        if let Some(text) = voice.context() {
            envelope::context(scene, voice, text, rule!("POSTFAIL-CTX"), claims);
        }
    }
}
