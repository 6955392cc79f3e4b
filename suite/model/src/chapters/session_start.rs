//! SessionStart (chapter *session*): a session begins or is taken up again, and hooks may set out what it begins with.

use super::{
    Scene, contest, envelope,
    unblockable::{self, Rules, Stopping},
    watch,
};
use crate::{
    claims::Claims,
    spill,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{Audience, Manner, Must, RuleId, Slot, Surface, bare, rule};
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
    if unblockable::stopping(scene, RULES.no_say, claims) != Stopping::Not {
        // There need be nothing that goes on with what hooks gave.
        return watch::forget(scene);
    }
    unblockable::fate(scene, &RULES, claims);
    if source(scene) == "startup" && scene.session.only_prepares {
        // No conversation opens that anything could be part of.
        return watch::forget(scene);
    }
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
    unblockable::context(scene, voice, rule!("SESSTART-CTX"), claims);
    if let (Ended::Zero, Word::Plain(by)) = (&voice.end, &voice.word) {
        let ordinary = *by == rule!("STDOUT-PARSE-06") && !bare(&voice.out).starts_with(['[', '"']);
        let rule = voice.by(if ordinary { rule!("STDOUT-02") } else { *by });
        envelope::limited(scene, voice, &voice.out, Audience::Model, Manner::Context, rule, claims);
    }
}

/// What hooks give to a field.
enum Given<'s> {
    Nothing,
    /// These values, each of which may count.
    Values(Vec<(&'s Voice<'s>, &'s Value)>),
    /// Values of hooks whose JSON does not count.
    Ignored,
    /// It is not said whether it counts: beside exit code 2, or since it need not be the same when it is measured or trimmed.
    Unknown,
}

fn given<'s>(scene: &'s Scene<'_, '_>, field: &str) -> Given<'s> {
    let of = |voice: &'s Voice<'s>| Some((voice, voice.object()?.specific.get(field)?));
    let all: Vec<(&Voice<'_>, &Value)> = scene.voices.iter().filter_map(of).collect();
    let is_clear = |value: &Value| value.as_str().is_some_and(spill::is_clear);
    if all.iter().any(|(voice, value)| voice.end == Ended::Two || !is_clear(value)) {
        return Given::Unknown;
    }
    let is_none = all.is_empty();
    let counting: Vec<_> = all.into_iter().filter(|(voice, _)| scene.counts(voice)).collect();
    match counting.is_empty() {
        true if is_none => Given::Nothing,
        true => Given::Ignored,
        false => Given::Values(counting),
    }
}

/// A slot that hooks set by a field, and which of several does.
fn set(scene: &Scene<'_, '_>, field: &str, slot: Slot, rule: RuleId, claims: &mut Claims) {
    match given(scene, field) {
        Given::Values(values) => {
            contest::set(scene, contest::VALUES, slot, &values, rule, claims);
        }
        Given::Ignored => claims.set(slot, Must::Absent, rule!("EXIT-N-21"), &[]),
        Given::Nothing | Given::Unknown => {}
    }
}

fn title(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let named = || scene.voices.iter().filter_map(|v| v.object()?.specific.get("sessionTitle"));
    match source(scene) {
        // Where the title is one that is there, nothing need be told of it.
        "startup" | "resume" | "fork" if !named().any(|title| scene.session.may_be_titled(scene.firing, title)) => {
            set(scene, "sessionTitle", Slot::SessionTitle, rule!("SESSTART-OUT-06"), claims);
        }
        "clear" | "compact" if named().next().is_some() => {
            claims.set(Slot::SessionTitle, Must::Absent, rule!("SESSTART-OUT-07"), &[]);
        }
        _ => {}
    }
}

/// Under `-p` a hook may say the first word. Of other sessions nothing is said, and what a later beginning makes of it neither.
fn first_prompt(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let begins = matches!(source(scene), "startup" | "resume");
    if scene.session.case.host.surface == Surface::Print && begins {
        set(scene, "initialUserMessage", Slot::FirstPrompt, rule!("SESSTART-OUT-02"), claims);
    }
    let none = scene.voices.iter().all(|voice| !voice.out.contains("initialUserMessage"));
    if none && scene.voices.iter().any(|voice| voice.succeeded() && voice.context().is_some()) {
        claims.set(Slot::FirstPrompt, Must::Absent, rule!("SESSTART-OUT-04"), &[]);
    }
}

fn skills(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let asks = |v: &Voice<'_>| v.object().is_some_and(|o| o.specific.get("reloadSkills") == Some(&Value::Bool(true)));
    let asking: Vec<&Voice<'_>> = scene.voices.iter().filter(|v| v.end != Ended::Two && asks(v)).collect();
    // One whose JSON is certain to count comes first, so that nothing is asked without need.
    let certain = asking.iter().find(|v| v.succeeded());
    let Some(voice) = certain.or_else(|| asking.iter().find(|v| scene.counts(v))) else {
        let beside_exit_2 = scene.voices.iter().any(|v| v.end == Ended::Two && asks(v));
        if !asking.is_empty() && !beside_exit_2 {
            claims.set(Slot::SkillsReloaded, Must::Absent, rule!("EXIT-N-21"), &[]);
        }
        return;
    };
    let warned = voice.end == Ended::Zero && !bare(&voice.err).is_empty();
    let own = if voice.succeeded() { rule!("SESSTART-OUT-09") } else { rule!("EXIT-N-21") };
    let rule = if warned { rule!("SESSTART-OUT-11") } else { own };
    claims.set(Slot::SkillsReloaded, Must::Be(Value::Bool(true)), rule, &[]);
}
