//! PreCompact (chapter *compaction*): a hook may keep a compaction from happening, and has no other say.

use super::{Scene, blocking::exit_2_rule, envelope};
use crate::{
    claims::{Claims, head},
    voice::{Ended, Voice},
};
use hookproof_contract::{Agent, Audience, Fate, Must, Place, RuleId, Say, Text, bare, reading, rule};
use serde_json::Value;

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        around(scene, voice, claims);
    }
    match blocked_by(scene) {
        Some(rule) => blocked(scene, rule, claims),
        None => {
            if let Some(rule) = unblocked_by(scene) {
                claims.fate(scene.firing.otherwise, rule, &[]);
            }
        }
    }
}

/// The rule by which the compaction does not happen, if some hook blocks it.
fn blocked_by(scene: &Scene<'_, '_>) -> Option<RuleId> {
    // An open point is asked about only where no other hook has blocked for certain.
    let certain = scene.voices.iter().find_map(|v| by_exit_2(v).or_else(|| by_json(v).filter(|_| !is_odd(v))));
    let odd = || scene.voices.iter().filter(|v| is_odd(v)).find_map(by_json);
    certain.or_else(|| odd().filter(|_| scene.oracle().is(reading!("A-59", "the JSON decides"))))
}

fn by_exit_2(voice: &Voice<'_>) -> Option<RuleId> {
    (voice.end == Ended::Two).then(|| exit_2_rule(&voice.word, rule!("EXIT-2-EV-PreCompact")))
}

fn by_json(voice: &Voice<'_>) -> Option<RuleId> {
    voice.blocks().then(|| voice.carrier().unwrap_or(rule!("PRECOMPACT-02")))
}

/// Whether it ended with a code that leaves open what its JSON counts for.
fn is_odd(voice: &Voice<'_>) -> bool {
    matches!(voice.end, Ended::Other(_))
}

/// The rule by which the compaction happens although hooks ran, if there is one.
fn unblocked_by(scene: &Scene<'_, '_>) -> Option<RuleId> {
    if scene.is_stopped() { Some(rule!("PRECOMPACT-06")) } else { scene.own_silence() }
}

/// The compaction does not happen.
fn blocked(scene: &Scene<'_, '_>, rule: RuleId, claims: &mut Claims) {
    claims.fate(Fate::Prevented, rule, &[rule!("PRECOMPACT-02")]);
    match scene.firing.input.get("trigger").and_then(Value::as_str) {
        Some("manual") => shown(scene, claims),
        Some("auto") => claims.agent(Agent::GoesOn, rule!("PRECOMPACT-04"), &[]),
        _ => {}
    }
}

/// Who asked for a compaction reads the stderr of a hook that blocks it by exit 2. What is shown where JSON blocks beside it is not
/// said, nor in which manner.
fn shown(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let blocking: Vec<&Voice<'_>> = scene.voices.iter().filter(|v| v.end == Ended::Two || v.blocks()).collect();
    if let [voice] = blocking.as_slice()
        && voice.end != Ended::Two
    {
        return reason(scene, voice, claims);
    }
    let has_stderr = |v: &&Voice<'_>| v.end == Ended::Two && !v.blocks() && !bare(&v.err).is_empty();
    if !blocking.iter().all(has_stderr) {
        return;
    }
    let say = |part: &str| Say { parts: vec![Text::from(part)], ..Say::default() };
    match blocking.as_slice() {
        [] => {}
        [voice] => {
            let rule = by_exit_2(voice).filter(|rule| *rule != rule!("EXIT-2-EV-PreCompact"));
            claims.say(Audience::User, say(bare(&voice.err)), rule.unwrap_or(rule!("PRECOMPACT-03")), &[]);
        }
        several => {
            let says = several.iter().map(|v| say(head(&v.err))).collect();
            claims.claim(Place::Said(Audience::User), Must::SayAny(says), rule!("PRECOMPACT-03"), &[]);
            let texts: Vec<&str> = several.iter().map(|v| &*v.err).collect();
            envelope::each_of(Audience::User, &texts, None, rule!("PRECOMPACT-03"), scene, claims);
        }
    }
}

/// Whether the reason is shown with which JSON blocks is open.
fn reason(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    let reason = voice.object().and_then(|output| output.reason.as_deref());
    let Some(reason) = reason.filter(|reason| !bare(reason).is_empty() && claims.shown) else { return };
    let rule = rule!("PRECOMPACT-07");
    match scene.oracle().is(reading!("A-170", "shown")) {
        true => claims.say(Audience::User, Say { parts: vec![Text::from(head(reason))], ..Say::default() }, rule, &[]),
        false => claims.keep_from(Audience::User, reason, rule),
    }
}

/// `continue` and `systemMessage` are discarded; a terminal sequence is written all the same.
fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    envelope::stderr(voice, claims);
    envelope::stdout(scene, voice, claims);
    let Some(output) = voice.object() else { return };
    for text in [&output.system_message, &output.stop_reason].into_iter().flatten() {
        claims.keep_from(Audience::User, text, rule!("PRECOMPACT-06"));
    }
    if output.stops() {
        claims.agent(Agent::GoesOn, rule!("PRECOMPACT-06"), &[]);
    }
    envelope::stray(scene, voice, output, claims);
    envelope::terminal_sequence(scene, voice, output, claims);
}
