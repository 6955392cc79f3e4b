//! SubagentStart (chapter *agents*): a subagent begins, and hooks may give it something to read.

use super::{
    Scene, envelope,
    unblockable::{self, Rules, Stopping},
};
use crate::{
    begun::Copy,
    claims::Claims,
    session,
    voice::{Ended, Voice},
};
use hookproof_contract::{Audience, rule};

const RULES: Rules = Rules { exit_2: rule!("EXIT-2-EV-SubagentStart"), no_say: rule!("SUBSTART-OUT-01") };

pub(super) fn claims(scene: &mut Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        unblockable::around(scene, voice, claims);
    }
    unblockable::stderr_is_shown(scene, RULES.exit_2, claims);
    unblockable::stderr_is_a_notice(scene, claims);
    if unblockable::stopping(scene, RULES.no_say, claims) != Stopping::Not {
        // The subagent need not get as far as to read anything.
        let id = session::agent_id(scene.firing);
        return scene.session.begun.begins(id, Vec::new(), false);
    }
    unblockable::fate(scene, &RULES, claims);
    context(scene, claims);
}

/// The context is in the subagent's conversation, unless what an earlier run of hooks gave to it is still there.
fn context(scene: &mut Scene<'_, '_>, claims: &mut Claims) {
    let id = session::agent_id(scene.firing);
    let given: Vec<(&Voice<'_>, &str)> = scene.voices.iter().filter_map(|v| Some((v, certain(scene, v)?))).collect();
    for (voice, text) in &given {
        match scene.session.begun.has(id, text) {
            Some(Copy::Never) => envelope::context(scene, voice, text, rule!("SUBSTART-OUT-01"), claims),
            Some(Copy::Gone) => envelope::context(scene, voice, text, rule!("SUBSTART-OUT-03"), claims),
            Some(Copy::There) => claims.keep_from(Audience::Model, text, rule!("SUBSTART-OUT-02")),
            None => {}
        }
    }
    for voice in scene.voices.iter().filter(|v| matches!(v.end, Ended::Other(_))) {
        if let Some(text) = voice.context().filter(|_| !scene.counts(voice)) {
            claims.keep_from(Audience::Model, text, rule!("EXIT-N-21"));
        }
    }
    let certain = given.len() == scene.voices.iter().filter(|v| v.context().is_some()).count();
    let texts = given.iter().map(|(_, text)| (*text).to_owned()).collect();
    scene.session.begun.begins(id, texts, certain);
}

fn certain<'v>(scene: &Scene<'_, '_>, voice: &'v Voice<'_>) -> Option<&'v str> {
    voice.context().filter(|_| scene.counts(voice))
}
