//! SessionStart (chapter *session*): a session begins or is taken up again, and hooks may set out what it begins with.

use super::{
    Scene, envelope,
    unblockable::{self, Rules, counting},
    watch,
};
use crate::{
    claims::Claims,
    read::schema::Output,
    spill,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{Audience, Manner, Must, Slot, Surface, bare, rule};
use serde_json::Value;

const RULES: Rules = Rules { exit_2: rule!("EXIT-2-EV-SessionStart"), no_say: rule!("SESSTART-OUT-15") };
const WATCH: watch::Paths = watch::Paths { replaced: rule!("SESSTART-OUT-08"), cleared: None };

pub(super) fn claims(scene: &mut Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        unblockable::around(scene, voice, claims);
        if let (Ended::Zero, Word::Unparsable(_)) = (&voice.end, &voice.word) {
            claims.keep_from(Audience::Model, &voice.out, rule!("STDOUT-PARSE-10"));
        }
    }
    unblockable::stderr_is_shown(scene, RULES.exit_2, claims);
    unblockable::stderr_is_a_notice(scene, claims);
    if scene.is_stopped() {
        // What `continue: false` comes to is open: there need be nothing that goes on with what hooks gave.
        return watch::forget(scene);
    }
    unblockable::fate(scene, &RULES, claims);
    for voice in &scene.voices {
        context(scene, voice, claims);
    }
    title(scene, claims);
    first_prompt(scene, claims);
    watch::paths(scene, &WATCH, claims);
    skills(scene, claims);
}

/// How the session came about.
fn source<'a>(scene: &Scene<'_, 'a>) -> &'a str {
    scene.firing.input.get("source").and_then(Value::as_str).unwrap_or_default()
}

fn context(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    if let Some(text) = voice.context().filter(|_| voice.succeeded()) {
        envelope::context(scene, voice, text, rule!("SESSTART-CTX"), claims);
    }
    if let (Ended::Zero, Word::Plain(by)) = (&voice.end, &voice.word) {
        let ordinary = *by == rule!("STDOUT-PARSE-06") && !bare(&voice.out).starts_with(['[', '"']);
        let rule = voice.by(if ordinary { rule!("STDOUT-02") } else { *by });
        envelope::limited(scene, voice, &voice.out, Audience::Model, Manner::Context, rule, claims);
    }
}

/// The one value that hooks give to a field. Which of several counts is open, and so is whether one does beside another code.
fn only<'s, T>(scene: &'s Scene<'_, '_>, field: impl Fn(&'s Output) -> Option<T>) -> Option<T> {
    let mut values = scene.voices.iter().filter_map(|voice| Some((counting(voice).is_some(), field(voice.object()?)?)));
    match (values.next(), values.next()) {
        (Some((true, value)), None) => Some(value),
        _ => None,
    }
}

fn title(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let there = scene.firing.input.get("session_title").and_then(Value::as_str);
    match (source(scene), only(scene, |o| o.text("sessionTitle"))) {
        ("startup" | "resume" | "fork", Some(title)) if is_clear(title) && there != Some(title) => {
            claims.set(Slot::SessionTitle, Must::Be(Value::from(title)), rule!("SESSTART-OUT-06"), &[]);
        }
        ("clear" | "compact", Some(_)) => {
            claims.set(Slot::SessionTitle, Must::Absent, rule!("SESSTART-OUT-07"), &[]);
        }
        _ => {}
    }
}

/// Under `-p` a hook may say the first word. Of other sessions nothing is said, and what a later beginning makes of it neither.
fn first_prompt(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let begins = matches!(source(scene), "startup" | "resume");
    if scene.session.case.host.surface != Surface::Print || !begins {
        return;
    }
    if let Some(text) = only(scene, |o| o.text("initialUserMessage")).filter(|text| is_clear(text)) {
        claims.set(Slot::FirstPrompt, Must::Be(Value::from(text)), rule!("SESSTART-OUT-02"), &[]);
    }
    let none = scene.voices.iter().all(|voice| !voice.out.contains("initialUserMessage"));
    if none && scene.voices.iter().any(|voice| voice.succeeded() && voice.context().is_some()) {
        claims.set(Slot::FirstPrompt, Must::Absent, rule!("SESSTART-OUT-04"), &[]);
    }
}

fn skills(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let asks = |v: &&Voice<'_>| counting(v).is_some_and(|o| o.specific.get("reloadSkills") == Some(&Value::Bool(true)));
    let Some(voice) = scene.voices.iter().find(asks) else { return };
    let warned = voice.end == Ended::Zero && !bare(&voice.err).is_empty();
    let rule = if warned { rule!("SESSTART-OUT-11") } else { rule!("SESSTART-OUT-09") };
    claims.set(Slot::SkillsReloaded, Must::Be(Value::Bool(true)), rule, &[]);
}

/// Whether a text is the same however it is trimmed and measured.
fn is_clear(text: &str) -> bool {
    !text.is_empty() && bare(text) == text && spill::is_short(text)
}
