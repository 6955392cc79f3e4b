//! Notification (chapter *display*): a notification goes out, and hooks can only watch it go.

use super::{
    Scene, envelope,
    unblockable::{self, Rules, hidden},
};
use crate::{
    claims::Claims,
    voice::{Ended, Voice},
};
use hookproof_contract::{Agent, Audience, rule};

const RULES: Rules = Rules { exit_2: rule!("EXIT-2-EV-Notification"), no_say: rule!("NOTIF-OUT-01") };

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        around(scene, voice, claims);
    }
    unblockable::fate_at_any_exit(scene, &RULES, claims);
}

/// `continue` and `systemMessage` are dropped; a terminal sequence is written all the same. That stderr is disregarded is said of
/// exit 2.
fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    envelope::stderr(voice, claims);
    envelope::stdout(scene, voice, claims);
    if voice.end == Ended::Two {
        hidden(&voice.err, RULES.exit_2, claims);
    }
    let Some(output) = voice.object() else { return };
    if let Some(message) = &output.system_message {
        claims.keep_from(Audience::User, message, rule!("JSON-DISCARD-02"));
    }
    if output.stops() {
        claims.agent(Agent::GoesOn, rule!("JSON-DISCARD-01"), &[]);
        if let Some(reason) = &output.stop_reason {
            claims.keep_from(Audience::User, reason, rule!("JSON-DISCARD-01"));
        }
    }
    envelope::stray(scene, voice, output, claims);
    envelope::terminal_sequence(scene, voice, output, claims);
}
