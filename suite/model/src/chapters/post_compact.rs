//! PostCompact (chapter *compaction*): a compaction is done, and hooks have no say in it.

use super::{
    Scene, envelope,
    unblockable::{self, Rules},
};
use crate::{
    claims::Claims,
    voice::{Ended, Voice},
};
use hookproof_contract::{Agent, Audience, rule};

const RULES: Rules = Rules { exit_2: rule!("EXIT-2-EV-PostCompact"), no_say: rule!("POSTCOMPACT-OUT-01") };

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        around(scene, voice, claims);
    }
    unblockable::fate(scene, &RULES, claims);
    unblockable::stderr_is_shown(scene, RULES.exit_2, claims);
}

/// `continue` and `systemMessage` are discarded; a terminal sequence is written all the same.
fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    envelope::stderr(voice, claims);
    envelope::stdout(scene, voice, claims);
    if voice.end == Ended::Two {
        claims.keep_from(Audience::Model, &voice.err, RULES.exit_2);
    }
    let Some(output) = voice.object() else { return };
    for text in [&output.system_message, &output.stop_reason].into_iter().flatten() {
        claims.keep_from(Audience::User, text, rule!("POSTCOMPACT-02"));
    }
    if output.stops() {
        claims.agent(Agent::GoesOn, rule!("POSTCOMPACT-02"), &[rule!("JSON-DISCARD-01")]);
    }
    envelope::stray(scene, voice, output, claims);
    envelope::terminal_sequence(scene, voice, output, claims);
}
