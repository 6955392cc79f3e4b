//! StopFailure (chapter *stop*): an API error ended the turn. Whatever hooks print and however they exit, nothing comes of it but
//! bytes for the terminal.

use super::{
    Scene, envelope,
    unblockable::{self, Rules, hidden},
};
use crate::{
    claims::Claims,
    voice::{Ended, Voice},
};
use hookproof_contract::{RuleId, rule};

const RULES: Rules = Rules { exit_2: rule!("EXIT-2-EV-StopFailure"), no_say: rule!("STOPFAIL-OUT-01") };

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        around(scene, voice, claims);
    }
    unblockable::fate(scene, &RULES, claims);
}

/// What a hook prints reaches nobody. Whether its stderr is part of that where it exits with another code than 0 and 2 is not said.
fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    if voice.end == Ended::Two {
        for text in [&voice.err, &voice.out] {
            hidden(text, RULES.exit_2, claims);
        }
    }
    envelope::stderr(voice, claims);
    envelope::stdout(scene, voice, claims);
    let Some(output) = voice.object() else { return };
    unblockable::texts_are_hidden(output, discarded_by(voice), claims);
    envelope::stray(scene, voice, output, claims);
    envelope::terminal_sequence(scene, voice, output, claims);
}

/// The rule by which its JSON does nothing, a terminal sequence excepted.
pub(super) fn discarded_by(voice: &Voice<'_>) -> RuleId {
    if matches!(voice.end, Ended::Other(_)) { rule!("EXIT-N-12") } else { RULES.exit_2 }
}
