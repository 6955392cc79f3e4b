//! Setup (chapter *session*): a launch with a flag for it prepares the project, and goes on whatever hooks make of it.

use super::{
    Scene, envelope,
    unblockable::{self, Rules, hidden},
};
use crate::{
    claims::Claims,
    read::schema::Output,
    voice::{Ended, Voice},
};
use hookproof_contract::{Agent, Audience, rule};

const RULES: Rules = Rules { exit_2: rule!("EXIT-2-EV-Setup"), no_say: rule!("SETUP-OUT-01") };

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        around(scene, voice, claims);
    }
    unblockable::fate_at_any_exit(scene, &RULES, claims);
}

/// All JSON is dropped at every exit code, context for the model included.
fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    envelope::stderr(voice, claims);
    envelope::stdout(scene, voice, claims);
    if voice.end == Ended::Two {
        hidden(&voice.err, RULES.exit_2, claims);
    }
    if let Some(output) = voice.object() {
        dropped(scene, voice, output, claims);
    }
    // Last, since a field of its output has the more special rule.
    if matches!(voice.end, Ended::Other(_) | Ended::NotStarted) {
        no_trace(scene, voice, claims);
    }
}

fn dropped(scene: &Scene<'_, '_>, voice: &Voice<'_>, output: &Output, claims: &mut Claims) {
    let dropped = rule!("SETUP-OUT-02");
    unblockable::texts_are_hidden(output, dropped, claims);
    let strays = output.stray.iter().filter_map(|(_, text)| text.as_deref());
    for text in strays.chain(output.text("additionalContext")) {
        hidden(text, dropped, claims);
    }
    if output.stops() {
        claims.agent(Agent::GoesOn, dropped, &[rule!("JSON-DISCARD-01")]);
    }
    envelope::terminal_sequence(scene, voice, output, claims);
}

/// What a run under `-p` prints tells nothing of the hook. Only `--maintenance` needs `-p`: what `--init-only` prints when a hook
/// fails is not said.
fn no_trace(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    if scene.firing.input.get("trigger").is_some_and(|trigger| trigger == "maintenance") {
        for text in [&voice.err, &voice.out] {
            claims.keep_from(Audience::User, text, rule!("SETUP-OUT-03B"));
        }
    }
}
