//! PostToolUseFailure (chapter *tool-results*): nothing undoes a call that has failed; hooks may tell the model of it.

use super::{
    Scene, envelope, evaluators,
    post_tool_use::{Told, feedback},
};
use crate::{
    claims::Claims,
    voice::{Ended, Voice},
};
use hookproof_contract::{Audience, Fate, bare, reading, rule};

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let voices = &scene.voices;
    let decides = voices.iter().any(|v| v.end == Ended::Two || v.blocks());
    let own = rule!("EXIT-2-EV-PostToolUseFailure");
    if !evaluators::object(scene) {
        claims.fate(Fate::Proceeds, if decides { own } else { scene.silence() }, &[]);
    }
    let interrupted = scene.firing.input.get("is_interrupt").is_some_and(|value| *value == true);
    if scene.is_stopped() || interrupted {
        // There may be no further request that could carry anything to the model.
        return;
    }
    feedback(scene, voices.iter().filter_map(|voice| told(scene, voice, claims)).collect(), claims);
    for voice in voices {
        if let Some(text) = voice.context() {
            envelope::context(scene, voice, text, rule!("POSTFAIL-CTX"), claims);
        }
    }
}

/// What one hook has the model told. Whether that holds of the reason of a block is open; beside exit 2 it is so twice, and
/// where stderr goes there is not said.
fn told<'v>(scene: &Scene<'_, '_>, voice: &'v Voice<'_>, claims: &mut Claims) -> Option<Told<'v>> {
    if voice.end == Ended::Two {
        let stderr = bare(&voice.err);
        let is_told = !voice.blocks() && !stderr.is_empty();
        return Some(is_told.then_some((stderr, rule!("EXIT-2-EV-PostToolUseFailure"))));
    }
    let output = voice.object().filter(|output| output.blocks())?;
    let Some(reason) = output.reason.as_deref().filter(|reason| !bare(reason).is_empty()) else { return Some(None) };
    let rule = rule!("POSTFAIL-OUT-02");
    if scene.oracle().is(reading!("A-06", "feedback")) {
        return Some(Some((reason, rule)));
    }
    claims.keep_from(Audience::Model, reason, rule);
    None
}
