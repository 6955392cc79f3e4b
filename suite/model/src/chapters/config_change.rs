//! ConfigChange (chapter *workspace*): a hook may keep a changed configuration from the session, unless it is managed policy. Nobody
//! is shown why.

use super::{Scene, blocking::exit_2_rule, envelope};
use crate::{
    claims::Claims,
    voice::{Ended, Voice},
};
use hookproof_contract::{Agent, Audience, Fate, RuleId, Say, reading, rule};
use serde_json::Value;

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        around(scene, voice, claims);
    }
    match source(scene) {
        Some("policy_settings") => fate_of_policy(scene, claims),
        Some("user_settings" | "project_settings" | "local_settings" | "skills") => fate(scene, claims),
        // There is no other source, so a case with one is none.
        _ => {}
    }
}

/// Where the change comes from.
fn source<'a>(scene: &Scene<'_, 'a>) -> Option<&'a str> {
    scene.firing.input.get("source").and_then(Value::as_str)
}

/// Whatever hooks decide of managed policy, it is applied.
fn fate_of_policy(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let blocks = |v: &Voice<'_>| v.end == Ended::Two || v.blocks();
    let ignored = scene.voices.iter().any(blocks).then_some(rule!("CONFCHG-OUT-03"));
    if let Some(rule) = ignored.or_else(|| unblocked_by(scene)) {
        claims.fate(scene.firing.otherwise, rule, &[]);
    }
}

fn fate(scene: &Scene<'_, '_>, claims: &mut Claims) {
    // An open point is asked about only where no other hook has blocked for certain.
    let odd = || scene.voices.iter().any(Voice::blocks) && scene.oracle().is(reading!("A-59", "the JSON decides"));
    let certain = scene.voices.iter().find_map(blocked_by);
    if let Some(rule) = certain.or_else(|| odd().then_some(rule!("CONFCHG-OUT-01"))) {
        claims.fate(Fate::Prevented, rule, &[rule!("CONFCHG-OUT-01")]);
        quietly(scene, claims);
    } else if let Some(rule) = unblocked_by(scene) {
        claims.fate(scene.firing.otherwise, rule, &[]);
    }
}

/// The rule by which a hook blocks for certain.
fn blocked_by(voice: &Voice<'_>) -> Option<RuleId> {
    match voice.end {
        Ended::Two => Some(exit_2_rule(&voice.word, rule!("EXIT-2-EV-ConfigChange"))),
        Ended::Other(_) => None,
        _ => voice.blocks().then(|| voice.carrier().unwrap_or(rule!("CONFCHG-OUT-01"))),
    }
}

/// The rule by which the change goes through although hooks ran, if there is one.
fn unblocked_by(scene: &Scene<'_, '_>) -> Option<RuleId> {
    if scene.is_stopped() { Some(rule!("CONFCHG-OUT-04")) } else { scene.own_silence() }
}

/// All that is told of a change that is blocked is a line in the debug log, of which the wording is not given.
fn quietly(scene: &Scene<'_, '_>, claims: &mut Claims) {
    claims.say(Audience::Debug, Say::default(), rule!("CONFCHG-OUT-05"), &[]);
    for voice in scene.voices.iter().filter(|v| v.end == Ended::Two) {
        for to in [Audience::User, Audience::Model] {
            claims.keep_from(to, &voice.err, rule!("CONFCHG-OUT-05"));
        }
    }
}

/// `continue` and `systemMessage` are discarded, a reason is shown to nobody; a terminal sequence is written all the same.
fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    envelope::stderr(voice, claims);
    envelope::stdout(scene, voice, claims);
    let Some(output) = voice.object() else { return };
    if let Some(reason) = &output.reason {
        for to in [Audience::User, Audience::Model] {
            claims.keep_from(to, reason, rule!("CONFCHG-OUT-02"));
        }
    }
    if let Some(message) = &output.system_message {
        claims.keep_from(Audience::User, message, rule!("CONFCHG-OUT-04"));
    }
    if output.stops() {
        claims.agent(Agent::GoesOn, rule!("CONFCHG-OUT-04"), &[]);
        if let Some(reason) = &output.stop_reason {
            claims.keep_from(Audience::User, reason, rule!("CONFCHG-OUT-04"));
        }
    }
    envelope::stray(scene, voice, output, claims);
    if !matches!(voice.end, Ended::Other(_)) {
        envelope::terminal_sequence(scene, voice, output, claims);
    }
}
