//! PermissionDenied (chapter *permissions*): auto mode has refused a call. A hook may let the model know that it can try again, and
//! nothing else.

use super::{Scene, envelope, unblockable::Rules};
use crate::{
    claims::Claims,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{Agent, Audience, Must, RuleId, Slot, bare, reading, rule};
use serde_json::Value;

const RULES: Rules = Rules { exit_2: rule!("EXIT-2-EV-PermissionDenied"), no_say: rule!("PERMDEN-OUT-02") };

/// How a refusal begins for which the classifier gave no verdict.
pub(super) const NO_VERDICT: &str = "Auto mode could not evaluate this action and is blocking it for safety";
/// The whole of a refusal because the classifier could not be reached.
pub(super) const UNAVAILABLE: &str = "Classifier unavailable";

/// Why an answer allows no other try although there is one: it has nothing that this event knows, came too late, or is of an evaluator.
const UNUSED: [RuleId; 5] = [
    rule!("SCHEMA-TYPE-05"),
    rule!("TIMEOUT-02"),
    rule!("PROMPT-RESP-10"),
    rule!("PROMPT-RESP-11"),
    rule!("PERMDEN-OUT-05"),
];

/// Whether the classifier judged the call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Given,
    None,
    /// The case does not say, or it is one of which nothing is said.
    Unknown,
}

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        around(scene, voice, claims);
    }
    fate(scene, claims);
    retry(scene, claims);
}

/// The call remains refused.
fn fate(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let exit_2 = scene.voices.iter().any(|v| v.end == Ended::Two);
    let asks = scene.voices.iter().any(|v| asked(v) == Some(true) || v.blocks());
    let rule = match () {
        () if exit_2 => RULES.exit_2,
        () if asks => RULES.no_say,
        () => scene.own_silence().unwrap_or(RULES.no_say),
    };
    claims.fate(scene.firing.otherwise, rule, &[]);
}

/// What a hook says of another try.
fn asked(voice: &Voice<'_>) -> Option<bool> {
    voice.object()?.specific.get("retry")?.as_bool()
}

/// What a hook says of another try, where it is certain that it says it: how it exits is ignored, at least where that is 2.
enum Answer {
    Yes(RuleId),
    No,
    Unknown,
}

fn answer(scene: &Scene<'_, '_>, voice: &Voice<'_>) -> Answer {
    match (&voice.end, &voice.word) {
        // What JSON is that is not valid is said of the standard events only.
        (_, Word::Invalid | Word::Free | Word::OtherBody) => Answer::Unknown,
        (Ended::Other(_), Word::Object(_)) if asked(voice) == Some(true) && !scene.counts(voice) => Answer::No,
        _ if asked(voice) == Some(true) => match voice.end {
            Ended::Two => Answer::Yes(RULES.exit_2),
            _ => Answer::Yes(voice.by(rule!("PERMDEN-OUT-01"))),
        },
        _ => Answer::No,
    }
}

/// Whether the model is told that it may make the call again.
fn retry(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let may = |rule: RuleId, claims: &mut Claims| claims.set(Slot::RetryAllowed, Must::Be(true.into()), rule, &[]);
    let may_not = |rule: RuleId, claims: &mut Claims| claims.set(Slot::RetryAllowed, Must::Absent, rule, &[]);
    let asks = scene.voices.iter().any(|v| asked(v) == Some(true));
    let verdict = verdict(scene);
    if asks && verdict == Verdict::None {
        return may_not(rule!("PERMDEN-OUT-04"), claims);
    }
    let answers: Vec<Answer> = scene.voices.iter().map(|voice| answer(scene, voice)).collect();
    // Where one says that it may and another that it may not, which counts is open.
    let contested = asks && scene.voices.iter().any(|v| asked(v) == Some(false));
    if answers.iter().any(|answer| matches!(answer, Answer::Unknown)) || contested {
        return;
    }
    let yes = answers.iter().find_map(|answer| if let Answer::Yes(rule) = answer { Some(*rule) } else { None });
    match yes {
        // Whether a model that is stopped is told anything is not said.
        Some(rule) if verdict == Verdict::Given && !scene.is_stopped() => may(rule, claims),
        Some(_) => {}
        None if scene.voices.is_empty() => may_not(scene.silence(), claims),
        None => match scene.unused() {
            Some(rule) if UNUSED.contains(&rule) => may_not(rule, claims),
            _ => may_not(rule!("PERMDEN-OUT-03"), claims),
        },
    }
}

fn verdict(scene: &Scene<'_, '_>) -> Verdict {
    match scene.firing.input.get("reason").and_then(Value::as_str) {
        Some(reason) if reason.starts_with(NO_VERDICT) => Verdict::None,
        // What another try comes to then is left undefined.
        Some(UNAVAILABLE) | None => Verdict::Unknown,
        // The beginning of a reason of which the rest is missing.
        Some(reason) if NO_VERDICT.starts_with(reason) || UNAVAILABLE.starts_with(reason) => Verdict::Unknown,
        Some(_) => Verdict::Given,
    }
}

/// What the universal fields come to is open, but for terminal sequences.
fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    envelope::stderr(voice, claims);
    envelope::stdout(scene, voice, claims);
    if voice.end == Ended::Two {
        for to in [Audience::User, Audience::Model] {
            claims.keep_from(to, &voice.err, RULES.exit_2);
        }
    }
    let Some(output) = voice.object() else { return };
    envelope::stray(scene, voice, output, claims);
    envelope::terminal_sequence(scene, voice, output, claims);
    let message = output.system_message.as_deref().filter(|message| !bare(message).is_empty());
    // Beside a code other than 0 it would be open twice.
    if (message.is_none() && !output.stops()) || !voice.succeeded() {
        return;
    }
    if scene.oracle().is(reading!("A-03", "honoured")) {
        envelope::warning(scene, voice, output, claims);
        if output.stops() {
            claims.agent(Agent::Stops, rule!("JSON-CONT-01"), &[]);
        }
        return;
    }
    for text in [message, output.stop_reason.as_deref()].into_iter().flatten() {
        claims.keep_from(Audience::User, text, rule!("PERMDEN-OUT-05"));
    }
    if scene.is_stopped() {
        claims.agent(Agent::GoesOn, rule!("PERMDEN-OUT-05"), &[]);
    }
}
