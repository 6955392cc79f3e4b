//! InstructionsLoaded (chapter *instructions*): a file of instructions is in the context, and hooks are only told of it.

use super::{
    Scene, envelope,
    unblockable::{self, Rules},
};
use crate::{
    claims::Claims,
    voice::{Ended, Voice},
};
use hookproof_contract::{Agent, Audience, rule};

const RULES: Rules = Rules { exit_2: rule!("EXIT-2-EV-InstructionsLoaded"), no_say: rule!("INSTR-OUT-01") };

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        around(scene, voice, claims);
    }
    unblockable::fate(scene, &RULES, claims);
}

/// All JSON is dropped, but for a terminal sequence. Who sees the stderr of a hook that exits with another code than 0 is not said.
fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    envelope::stderr(voice, claims);
    envelope::stdout(scene, voice, claims);
    let Some(output) = voice.object() else { return };
    let at_odd_exit = matches!(voice.end, Ended::Other(_));
    let by = |rule| if at_odd_exit { rule!("EXIT-N-12") } else { rule };
    if let Some(message) = &output.system_message {
        claims.keep_from(Audience::User, message, by(rule!("JSON-DISCARD-02")));
    }
    if output.stops() {
        claims.agent(Agent::GoesOn, by(rule!("JSON-DISCARD-01")), &[]);
        if let Some(reason) = &output.stop_reason {
            claims.keep_from(Audience::User, reason, by(rule!("JSON-DISCARD-01")));
        }
    }
    // What has no rule of its own is part of all that is dropped.
    unblockable::texts_are_hidden(output, rule!("EXIT-N-12"), claims);
    envelope::stray(scene, voice, output, claims);
    envelope::terminal_sequence(scene, voice, output, claims);
}
