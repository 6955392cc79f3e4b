//! WorktreeRemove (chapter *worktrees*): a worktree is to go, and the hook's exit code and what it left on disk decide whether it has.

use super::{
    Scene, envelope,
    given::is_plain_absolute,
    unblockable::{self, hidden},
};
use crate::{
    claims::{Claims, head},
    select::HandlerKind,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{Agent, Audience, Deed, Fate, RuleId, Say, Surface, Text, bare, rule};
use serde_json::Value;

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        around(scene, voice, claims);
    }
    let verdicts: Option<Vec<(Fate, RuleId)>> = scene.voices.iter().map(|voice| verdict(scene, voice)).collect();
    match verdicts.as_deref() {
        Some([]) => {
            if let Some(rule) = scene.own_silence() {
                claims.fate(scene.firing.otherwise, rule, &[]);
            }
        }
        // What hooks come to of which one fails is not said, nor whether the directory was there still when it ended.
        Some([(fate, rule), others @ ..]) if others.iter().all(|(other, _)| other == fate) => {
            claims.fate(*fate, *rule, &[]);
            if *fate == Fate::Prevented {
                failure(scene, claims);
            }
        }
        _ => {}
    }
}

/// What the removal comes to as far as one hook goes, where that is said. Of a hook that is cancelled or does not start it is not.
fn verdict(scene: &Scene<'_, '_>, voice: &Voice<'_>) -> Option<(Fate, RuleId)> {
    if !matches!(voice.handler.kind, HandlerKind::Command | HandlerKind::Http) {
        // What a tool answers is no exit code.
        return None;
    }
    match (&voice.end, &voice.word) {
        (Ended::Zero, _) => Some((Fate::Proceeds, rule!("WTREMOVE-06"))),
        (Ended::HttpOk, Word::Silent) => Some((Fate::Proceeds, rule!("HTTP-03"))),
        // One that may be an error may be a failure.
        (Ended::HttpOk, Word::Object(output)) if output.doubtful => None,
        (Ended::HttpOk, Word::Object(_)) => Some((Fate::Proceeds, rule!("WTREMOVE-10"))),
        (Ended::Two, _) => failed(scene, voice, rule!("EXIT-2-EV-WorktreeRemove")),
        (Ended::Other(_), _) => failed(scene, voice, rule!("WTREMOVE-07")),
        (Ended::Failed(_), _) | (Ended::HttpOk, Word::OtherBody) => failed(scene, voice, rule!("HTTP-02")),
        _ => None,
    }
}

/// A hook that failed makes the removal fail unless it removed the directory itself.
fn failed(scene: &Scene<'_, '_>, voice: &Voice<'_>, rule: RuleId) -> Option<(Fate, RuleId)> {
    let path = worktree(scene)?;
    match removed(scene, voice, path)? {
        true => Some((Fate::Proceeds, rule!("WTREMOVE-08"))),
        false => Some((Fate::Prevented, rule)),
    }
}

/// The worktree, where it is a directory without any doubt.
fn worktree<'a>(scene: &Scene<'_, 'a>) -> Option<&'a str> {
    let path = scene.firing.input.get("worktree_path").and_then(Value::as_str).filter(|path| is_plain(path))?;
    let directories = scene.session.case.host.directories.as_ref();
    directories.is_none_or(|there| there.contains(path)).then_some(path)
}

/// Whether a hook removed this directory, or one in which it lies; nothing where its spelling may mean another.
fn removed(scene: &Scene<'_, '_>, voice: &Voice<'_>, path: &str) -> Option<bool> {
    let result = scene.session.case.result(scene.firing, voice.handler.name);
    let mut gone = false;
    for deed in result.map_or(&[][..], |result| &result.did) {
        let Deed::RemovedDirectory(removed) = deed else { continue };
        if !is_plain(removed) {
            return None;
        }
        gone |= path.strip_prefix(removed.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    }
    Some(gone)
}

fn is_plain(path: &str) -> bool {
    is_plain_absolute(path) && !path.contains("//") && !path.ends_with('/')
}

/// The debug log holds the hook's command and its stderr; where a session was to be deleted, agent view tells why it was not.
fn failure(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let say = |part: &str| Say { parts: vec![Text::from(part)], ..Say::default() };
    for voice in scene.voices.iter().filter(|v| v.handler.kind == HandlerKind::Command) {
        let by = rule!("WTREMOVE-IN-02");
        // Others may stand there in quotes of some kind.
        if voice.name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'.' | b'-' | b'_')) {
            claims.say(Audience::Debug, say(&voice.name), by, &[]);
        }
        envelope::logged(&voice.err, by, claims);
    }
    let [voice] = scene.voices.as_slice() else { return };
    if scene.session.case.host.surface != Surface::Background || voice.handler.kind != HandlerKind::Command {
        return;
    }
    // Of other codes the wording is not given.
    if voice.end == Ended::Other(Some(1)) {
        claims.say(Audience::User, say("exited 1"), rule!("WTREMOVE-IN-03"), &[]);
    }
    if voice.err.lines().next().is_some_and(|line| !bare(line).is_empty()) {
        claims.say(Audience::User, say(head(&voice.err)), rule!("WTREMOVE-IN-03B"), &[]);
    }
}

/// JSON is dropped, and of a hook that succeeds nothing is read; so it is not certain what the debug log holds of it.
fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    match (&voice.end, &voice.word) {
        (Ended::TimedOut, _) => envelope::stdout(scene, voice, claims),
        (Ended::Zero, _) => hidden(&voice.err, rule!("EXIT-0-02"), claims),
        _ => {}
    }
    if let Word::Plain(_) = voice.word {
        claims.keep_from(Audience::Model, &voice.out, rule!("STDOUT-03"));
        if voice.end == Ended::Zero {
            claims.keep_from(Audience::User, &voice.out, rule!("STDOUT-01"));
        }
    }
    let Some(output) = voice.object() else { return };
    let at_odd_exit = matches!(voice.end, Ended::Other(_));
    let dropped = if at_odd_exit { rule!("EXIT-N-12") } else { rule!("WTREMOVE-10") };
    unblockable::texts_are_hidden(output, dropped, claims);
    if output.stops() {
        claims.agent(Agent::GoesOn, dropped, &[rule!("JSON-DISCARD-01")]);
    }
    envelope::stray(scene, voice, output, claims);
    // Whether agent view, from which a session in the background is deleted, counts as an interface is not said.
    if scene.session.case.host.surface != Surface::Background {
        envelope::terminal_sequence(scene, voice, output, claims);
    }
}
