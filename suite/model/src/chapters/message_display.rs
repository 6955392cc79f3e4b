//! MessageDisplay (chapter *display*): a text goes on screen, and a hook may have another shown in its place. Nothing else comes of it.

use super::{Scene, contest, envelope, unblockable::hidden};
use crate::{
    claims::{Claims, HEADING},
    select::HandlerKind,
    spill,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{Agent, Audience, Fate, Must, RuleId, Say, Slot, Surface, bare, reading, rule};
use serde_json::Value;

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        around(scene, voice, claims);
    }
    claims.fate(Fate::Proceeds, fate_by(scene), &[]);
    display(scene, claims);
}

/// The rule by which the text goes on screen, in whichever form.
fn fate_by(scene: &Scene<'_, '_>) -> RuleId {
    let no_say = rule!("MSGDISP-OUT-02");
    let failed = |v: &Voice<'_>| match shown(scene, v) {
        // By a rule that is open nothing is claimed that holds either way.
        Shown::Failed(rule) => Some(rule).filter(|rule| *rule != rule!("MSGDISP-11")),
        _ => None,
    };
    match () {
        () if scene.voices.iter().any(|v| v.end == Ended::Two) => rule!("EXIT-2-EV-MessageDisplay"),
        () if scene.voices.iter().any(|v| v.blocks() || v.stops()) => no_say,
        () => scene.voices.iter().find_map(failed).or_else(|| scene.own_silence()).unwrap_or(no_say),
    }
}

/// What is shown as far as one hook goes.
enum Shown<'v> {
    /// The text as it was, by this rule.
    Original(RuleId),
    /// The same, since the hook failed, by this rule.
    Failed(RuleId),
    /// Another, by this rule.
    Replaced(&'v str, RuleId),
    /// The contract does not say.
    Unknown,
}

fn shown<'v>(scene: &Scene<'_, '_>, voice: &'v Voice<'_>) -> Shown<'v> {
    let text = voice.object().and_then(|output| output.text("displayContent"));
    match (&voice.end, &voice.word) {
        (Ended::Two, _) => Shown::Failed(rule!("EXIT-2-EV-MessageDisplay")),
        (Ended::Other(_), _) if text.is_some() => match text {
            Some(text) if scene.oracle().is(reading!("A-58", "replaced")) => Shown::Replaced(text, rule!("MSGDISP-11")),
            _ => Shown::Failed(rule!("MSGDISP-11")),
        },
        (Ended::Other(_) | Ended::NotStarted | Ended::TimedOut, _) => Shown::Failed(rule!("MSGDISP-03")),
        (Ended::Failed(_), _) if voice.handler.kind != HandlerKind::Http => Shown::Failed(rule!("MSGDISP-03")),
        (Ended::Failed(_), _) | (Ended::HttpOk, Word::OtherBody) => Shown::Failed(rule!("HTTP-02")),
        (_, Word::Invalid | Word::Free) => Shown::Unknown,
        (_, Word::Object(output)) => match text {
            Some(text) => Shown::Replaced(text, voice.by(rule!("MSGDISP-OUT-01"))),
            None if output.stray.is_empty() => Shown::Original(voice.by(rule!("MSGDISP-OUT-01"))),
            None => Shown::Original(voice.silence(scene.row)),
        },
        // Whether what does not parse is a failure or not, there is no other text. (No evaluator runs here.)
        _ => Shown::Original(rule!("MSGDISP-OUT-01")),
    }
}

/// What is shown. Which of several texts that is, is open; whether any is where another hook failed is not said. A session in
/// the background has no screen.
fn display(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let (mut replaced, mut original, mut failed) = (Vec::new(), Vec::new(), false);
    for voice in &scene.voices {
        match shown(scene, voice) {
            Shown::Original(rule) => original.push(rule),
            Shown::Failed(rule) => {
                original.push(rule);
                failed = true;
            }
            Shown::Replaced(text, rule) => replaced.push((voice, text, rule)),
            Shown::Unknown => return,
        }
    }
    match replaced.as_slice() {
        [] => {
            if let Some(rule) = original.first() {
                claims.set(Slot::Display, Must::Absent, *rule, &[]);
            }
        }
        _ if failed || scene.session.case.host.surface == Surface::Background => {}
        [(_, "", rule)] => {
            let nothing = scene.oracle().is(reading!("A-172", "nothing"));
            claims.set(Slot::Display, if nothing { Must::Be(Value::from("")) } else { Must::Absent }, *rule, &[]);
        }
        [(_, text, rule)] if is_clear(text) => claims.set(Slot::Display, Must::Be(Value::from(*text)), *rule, &[]),
        several if several.iter().all(|(_, text, _)| is_clear(text)) => {
            let given: Vec<(&Voice<'_>, &str)> = several.iter().map(|(voice, text, _)| (*voice, *text)).collect();
            if let Some((_, text)) = contest::winner(scene, contest::VALUES, &given) {
                claims.set(Slot::Display, Must::Be(Value::from(*text)), rule!("MSGDISP-OUT-01"), &[]);
            }
        }
        _ => {}
    }
}

/// Whether it is certain how a text is shown. Whether it is limited is open, and one of white space may be none.
fn is_clear(text: &str) -> bool {
    !bare(text).is_empty() && spill::is_short(text)
}

/// `continue` and `systemMessage` are dropped, and the model sees the original alone.
fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    envelope::stderr(voice, claims);
    envelope::stdout(scene, voice, claims);
    failure(voice, claims);
    let Some(output) = voice.object() else { return };
    let dropped = rule!("MSGDISP-OUT-03");
    if let Some(message) = &output.system_message {
        claims.keep_from(Audience::User, message, dropped);
    }
    if output.stops() {
        claims.agent(Agent::GoesOn, dropped, &[]);
        if let Some(reason) = &output.stop_reason {
            claims.keep_from(Audience::User, reason, dropped);
        }
    }
    if let Some(text) = output.text("displayContent") {
        claims.keep_from(Audience::Model, text, rule!("MSGDISP-05"));
    }
    envelope::stray(scene, voice, output, claims);
    envelope::terminal_sequence(scene, voice, output, claims);
}

/// Only the debug log tells that a hook failed.
fn failure(voice: &Voice<'_>, claims: &mut Claims) {
    let failed = matches!(voice.end, Ended::Two | Ended::Other(_) | Ended::NotStarted);
    if !failed || voice.handler.kind != HandlerKind::Command {
        return;
    }
    let rule = rule!("MSGDISP-10");
    hidden(&voice.err, rule, claims);
    claims.not_say(Audience::User, HEADING, rule, &[]);
    // Whether a hook has failed whose JSON may count, or that meant to exit so, is not said.
    if voice.end != Ended::Two && voice.object().is_none() {
        claims.say(Audience::Debug, Say::default(), rule, &[]);
    }
}
