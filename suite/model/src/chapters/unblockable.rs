//! What events have in common at which nothing can be blocked and of which it is not said that they are of the standard decision
//! model: no notices of errors, and JSON is certain to count only where the hook succeeded.

use super::{Scene, envelope};
use crate::{
    claims::{Claims, HEADING, head, parts},
    read::schema::Output,
    spill,
    voice::{Ended, Voice},
};
use hookproof_contract::{Agent, Audience, Fate, Manner, Must, Place, RuleId, Say, Text, bare, reading, rule};

/// The rules by which hooks have no say.
pub(super) struct Rules {
    /// Exit 2 blocks nothing.
    pub(super) exit_2: RuleId,
    /// Nor does anything else.
    pub(super) no_say: RuleId,
}

/// What the event is about takes place, whatever hooks say.
pub(super) fn fate(scene: &Scene<'_, '_>, rules: &Rules, claims: &mut Claims) {
    let rule = match () {
        () if scene.voices.iter().any(|v| v.end == Ended::Two) => rules.exit_2,
        () if scene.voices.iter().any(|v| v.blocks() && discards_all(scene, v)) => rule!("EXIT-N-12"),
        () if scene.voices.iter().any(Voice::blocks) => rules.no_say,
        () => scene.own_silence().unwrap_or(rules.no_say),
    };
    claims.fate(Fate::Proceeds, rule, &[]);
}

/// The same where the event's own rule says of every exit code that hooks have no say.
pub(super) fn fate_at_any_exit(scene: &Scene<'_, '_>, rules: &Rules, claims: &mut Claims) {
    let tries = |v: &Voice<'_>| matches!(v.end, Ended::Other(_)) || v.blocks() || v.stops();
    let rule = match () {
        () if scene.voices.iter().any(|v| v.end == Ended::Two) => rules.exit_2,
        () if scene.voices.iter().any(tries) => rules.no_say,
        () => scene.own_silence().unwrap_or(rules.no_say),
    };
    claims.fate(Fate::Proceeds, rule, &[]);
}

/// Whether the exit code, of which it might be thought that it lets JSON count, does not.
fn discards_all(scene: &Scene<'_, '_>, voice: &Voice<'_>) -> bool {
    matches!(voice.end, Ended::Other(_)) && rule!("EXIT-N-12").rule().speaks_of(scene.row.event)
}

/// The stderr of a hook that exits 2 is shown to the user, by `rule`. Which is shown where the JSON beside it gives a reason of its
/// own is not said, nor, of several, whether all are.
pub(super) fn stderr_is_shown(scene: &Scene<'_, '_>, rule: RuleId, claims: &mut Claims) {
    let lines = lines_of_exit_2(scene);
    let say = |part: &str| Say { parts: vec![Text::from(part)], ..Say::default() };
    match lines.as_slice() {
        [] => {}
        [line] => claims.say(Audience::User, say(line), rule, &[]),
        several => {
            let says = several.iter().map(|line| say(line)).collect();
            claims.claim(Place::Said(Audience::User), Must::SayAny(says), rule, &[]);
        }
    }
}

/// It is shown in the manner of an error that blocks nothing.
pub(super) fn stderr_is_a_notice(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in scene.voices.iter().filter(|v| v.end == Ended::Two) {
        claims.keep_from(Audience::Model, &voice.err, rule!("EXIT-2-NOTICE-02"));
    }
    // A long text may be limited, so that it lies in a file and its heading does not.
    let short = scene.voices.iter().all(|v| spill::is_short(&v.err));
    if let ([line], true) = (lines_of_exit_2(scene).as_slice(), short) {
        claims.say(Audience::User, parts([HEADING, line], Manner::Notice), rule!("EXIT-2-NOTICE-01"), &[]);
    }
}

/// Whether all of stderr is shown or only its first line is not said: the first lines, unless one of them is blank.
fn lines_of_exit_2<'s>(scene: &'s Scene<'_, '_>) -> Vec<&'s str> {
    // Where all JSON is dropped, a block in it is none that gives a reason of its own.
    let drops_all = rule!("EXIT-N-12").rule().speaks_of(scene.row.event);
    let has_a_say = |v: &Voice<'_>| v.blocks() && !drops_all;
    let shown = || scene.voices.iter().filter(|v| v.end == Ended::Two && !has_a_say(v) && !bare(&v.err).is_empty());
    if shown().any(|v| v.err.lines().next().is_none_or(|first| bare(first).is_empty())) {
        return Vec::new();
    }
    shown().map(|v| head(&v.err)).collect()
}

/// None of the texts that its JSON has at the top level reaches anybody in the session, and no context the model.
pub(super) fn texts_are_hidden(output: &Output, rule: RuleId, claims: &mut Claims) {
    for text in [&output.system_message, &output.stop_reason, &output.reason].into_iter().flatten() {
        hidden(text, rule, claims);
    }
    claims.keep_from(Audience::Model, output.dropped_context.as_deref().unwrap_or_default(), rule);
}

/// A text reaches neither the user nor the model.
pub(super) fn hidden(text: &str, rule: RuleId, claims: &mut Claims) {
    claims.keep_from(Audience::User, text, rule);
    claims.keep_from(Audience::Model, text, rule);
}

/// What each handler says beside that, on an event that keeps the universal fields.
pub(super) fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    envelope::stderr(voice, claims);
    envelope::stdout(scene, voice, claims);
    let Some(output) = voice.object().filter(|_| voice.end != Ended::Two) else { return };
    if voice.succeeded() {
        envelope::stray(scene, voice, output, claims);
        envelope::terminal_sequence(scene, voice, output, claims);
    }
    envelope::warning_if_it_counts(rule!("JSON-SYSMSG-01"), scene, voice, output, claims);
}

/// What `continue: false` comes to on an event that is said both to accept it and to decide nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stopping {
    /// No hook asks for it, or none that is heeded.
    Not,
    Stops,
    /// It is not said whether it counts, beside exit code 2.
    Unknown,
}

/// Claims it by the reading of open point A-04; `no_say` is the rule by which nothing comes of it.
pub(super) fn stopping(scene: &Scene<'_, '_>, no_say: RuleId, claims: &mut Claims) -> Stopping {
    let asking: Vec<&Voice<'_>> = scene.voices.iter().filter(|v| v.stops()).collect();
    if asking.iter().any(|v| v.end == Ended::Two) {
        return Stopping::Unknown;
    }
    let asking: Vec<&Voice<'_>> = asking.into_iter().filter(|v| scene.counts(v)).collect();
    let reasons: Vec<&str> = asking.iter().filter_map(|v| v.object()?.stop_reason.as_deref()).collect();
    if asking.is_empty() {
        return Stopping::Not;
    }
    if scene.oracle().is(reading!("A-04", "stops")) {
        claims.agent(Agent::Stops, rule!("JSON-CONT-01"), &[]);
        if reasons.len() == asking.len() && reasons.iter().all(|reason| !bare(reason).is_empty()) {
            let rule = rule!("JSON-STOPREASON-01");
            envelope::one_of(Audience::User, &reasons, Manner::Block, rule, scene, claims);
        }
        return Stopping::Stops;
    }
    // A refusal may end the turn by itself.
    if !scene.voices.iter().any(|v| v.object().is_some_and(|o| o.specific.contains_key("decision"))) {
        claims.agent(Agent::GoesOn, no_say, &[]);
    }
    for reason in reasons {
        claims.keep_from(Audience::User, reason, no_say);
    }
    Stopping::Not
}

/// The context that a hook gives to the model, by the event's `rule`. Beside exit code 2 it is not said whether it counts.
pub(super) fn context(scene: &Scene<'_, '_>, voice: &Voice<'_>, rule: RuleId, claims: &mut Claims) {
    let Some(text) = voice.context().filter(|_| voice.end != Ended::Two) else { return };
    match scene.counts(voice) {
        true => envelope::context(scene, voice, text, rule, claims),
        false => claims.keep_from(Audience::Model, text, rule!("EXIT-N-21")),
    }
}
