//! PostModelSwitch (chapter *model-switch*): the session is on another model, and hooks may tell that model something.

use super::{
    Scene, envelope,
    unblockable::{self, Rules, Stopping},
};
use crate::{
    claims::Claims,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{Audience, Manner, bare, rule};

const RULES: Rules = Rules { exit_2: rule!("EXIT-2-EV-PostModelSwitch"), no_say: rule!("POSTMODEL-01B") };

pub(super) fn claims(scene: &mut Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        unblockable::around(scene, voice, claims);
    }
    unblockable::stderr_is_shown(scene, RULES.exit_2, claims);
    unblockable::stderr_is_a_notice(scene, claims);
    unblockable::fate(scene, &RULES, claims);
    let stopping = unblockable::stopping(scene, RULES.no_say, claims);
    let mut later = claims.apart();
    for voice in &scene.voices {
        withheld(voice, claims);
        withheld(voice, &mut later);
        // Where the agent stops, there need be no request that anything arrives with.
        if stopping == Stopping::Not {
            context(scene, voice, &mut later);
        }
    }
    scene.session.pending.add(scene.firing, &scene.voices, later);
}

/// What reaches no model, neither now nor with the next request.
fn withheld(voice: &Voice<'_>, claims: &mut Claims) {
    match (&voice.end, &voice.word) {
        (Ended::Two, _) => claims.keep_from(Audience::Model, &voice.err, rule!("EXIT-2-NOTICE-02")),
        (Ended::Zero, Word::Unparsable(_)) => {
            claims.keep_from(Audience::Model, &voice.out, rule!("STDOUT-PARSE-10"));
        }
        (Ended::TimedOut, _) => claims.keep_from(Audience::Model, &voice.out, rule!("TIMEOUT-02")),
        (Ended::HttpOk, Word::OtherBody) => claims.keep_from(Audience::Model, &voice.out, rule!("HTTP-07")),
        _ => {}
    }
}

/// What the next request brings along.
fn context(scene: &Scene<'_, '_>, voice: &Voice<'_>, later: &mut Claims) {
    unblockable::context(scene, voice, rule!("POSTMODEL-OUT-01"), later);
    let (Ended::Zero, Word::Plain(by)) = (&voice.end, &voice.word) else { return };
    let ordinary = *by == rule!("STDOUT-PARSE-06") && !bare(&voice.out).starts_with(['[', '"']);
    let rule = voice.carrier().unwrap_or(if ordinary { rule!("POSTMODEL-OUT-01") } else { *by });
    envelope::limited(scene, voice, &voice.out, Audience::Model, Manner::Context, rule, later);
}
