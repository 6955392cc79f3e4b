//! DirectoryAdded (chapter *workspace*): a directory is there, and hooks, which run in the background, cannot take it away.

use super::{
    Scene, envelope,
    unblockable::{self, Rules},
};
use crate::{
    claims::Claims,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{Agent, Audience, Manner, RuleId, Say, bare, rule};
use serde_json::Value;

const RULES: Rules = Rules { exit_2: rule!("EXIT-2-EV-DirectoryAdded"), no_say: rule!("DIRADD-OUT-01") };

/// Who added the directory, where it is one of the two that can.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The user, by `/add-dir`.
    Command,
    /// A client, by `register_repo_root`.
    Client,
}

pub(super) fn claims(scene: &mut Scene<'_, '_>, claims: &mut Claims) {
    let source = match scene.firing.input.get("source").and_then(Value::as_str) {
        Some("slash_command") => Some(Source::Command),
        Some("register_repo_root") => Some(Source::Client),
        _ => None,
    };
    for voice in &scene.voices {
        match source {
            Some(Source::Command) => for_the_user(voice, claims),
            Some(Source::Client) => for_a_client(scene, voice, claims),
            None => {}
        }
        errors(voice, source, claims);
        around(scene, voice, claims);
    }
    if source == Some(Source::Command) && scene.voices.iter().any(has_failed) {
        // How the number is worded is not said.
        claims.say(Audience::User, Say::default(), rule!("DIRADD-OUT-03"), &[]);
    }
    unblockable::fate(scene, &RULES, claims);
    if source == Some(Source::Command) {
        next_turn(scene, claims);
    }
}

/// `continue` is dropped, and the message goes elsewhere; a terminal sequence is written all the same.
fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    envelope::stderr(voice, claims);
    envelope::stdout(scene, voice, claims);
    let Some(output) = voice.object() else { return };
    if output.stops() {
        claims.agent(Agent::GoesOn, rule!("DIRADD-OUT-01"), &[rule!("JSON-DISCARD-01")]);
        if let Some(reason) = &output.stop_reason {
            claims.keep_from(Audience::User, reason, rule!("DIRADD-OUT-01"));
        }
    }
    envelope::stray(scene, voice, output, claims);
    envelope::terminal_sequence(scene, voice, output, claims);
}

fn for_the_user(voice: &Voice<'_>, claims: &mut Claims) {
    if let Some(message) = voice.object().and_then(|o| o.system_message.as_deref()) {
        claims.keep_from(Audience::User, message, rule!("DIRADD-OUT-02"));
    }
}

/// Nobody but the debug log gets what hooks say of it.
fn for_a_client(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    let Some(message) = voice.object().and_then(|o| o.system_message.as_deref()) else { return };
    hidden(message, claims);
    if scene.counts(voice) {
        envelope::logged(message, rule!("DIRADD-OUT-04"), claims);
    }
}

fn hidden(text: &str, claims: &mut Claims) {
    for to in [Audience::User, Audience::Caller, Audience::Model] {
        claims.keep_from(to, text, rule!("DIRADD-OUT-04"));
    }
}

/// What a hook that failed wrote is in the debug log; whether the user is shown any of it where the user added the directory, beside
/// the number of those that failed, is not said.
fn errors(voice: &Voice<'_>, source: Option<Source>, claims: &mut Claims) {
    // Of exit 2 it is said whatever the hook printed beside it.
    if !(has_failed(voice) || voice.end == Ended::Two) || bare(&voice.err).is_empty() {
        return;
    }
    let by: Option<RuleId> = match (voice.end, source) {
        (Ended::Two, _) => Some(RULES.exit_2),
        (_, Some(Source::Command)) => Some(rule!("DIRADD-OUT-03")),
        (_, Some(Source::Client)) => Some(rule!("DIRADD-OUT-04")),
        (_, None) => None,
    };
    if let Some(rule) = by {
        envelope::logged(&voice.err, rule, claims);
    }
    if source == Some(Source::Command) && has_failed(voice) {
        // Here the log has all of it.
        let last = voice.err.lines().rfind(|line| !bare(line).is_empty()).unwrap_or_default();
        envelope::logged(last, rule!("DIRADD-OUT-03"), claims);
    }
    if source == Some(Source::Client) {
        hidden(&voice.err, claims);
    }
}

/// Whether a hook has failed for certain: what a code comes to beside JSON is said of the standard events only.
fn has_failed(voice: &Voice<'_>) -> bool {
    let by_code = matches!(voice.end, Ended::Two | Ended::Other(_) | Ended::NotStarted);
    by_code && matches!(voice.word, Word::Silent | Word::Plain(_))
}

/// What hooks have to tell the user is context of the next turn instead.
fn next_turn(scene: &mut Scene<'_, '_>, claims: &Claims) {
    let mut later = claims.apart();
    for voice in &scene.voices {
        let output = voice.object().filter(|_| voice.end != Ended::Two);
        let message = output.and_then(|output| output.system_message.as_deref());
        let Some(message) = message.filter(|message| !bare(message).is_empty()) else { continue };
        if !scene.counts(voice) {
            later.keep_from(Audience::Model, message, rule!("EXIT-N-21"));
            continue;
        }
        let rule = voice.by(rule!("DIRADD-OUT-02"));
        envelope::limited(scene, voice, message, Audience::Model, Manner::Context, rule, &mut later);
    }
    scene.session.pending.add(scene.firing, &scene.voices, later);
}
