//! What holds around the decisions about tasks and teammates (chapter *agents*): their events are not said to be of the standard
//! decision model. So nothing is claimed of notices, and JSON is certain to count only where the hook succeeded.

use super::{
    Scene,
    blocking::{self, Block},
    envelope,
};
use crate::{
    claims::{Claims, head},
    spill,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{Agent, Audience, Fate, Lies, Manner, Must, Place, RuleId, Say, Text, bare, reading, rule};

/// What each handler says to others than the decision is about.
pub(super) fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    envelope::stderr(voice, claims);
    envelope::stdout(scene, voice, claims);
    if voice.end == Ended::Two && voice.word == Word::Invalid {
        envelope::invalid_beside_exit_2(scene, claims);
    }
    let Some(output) = voice.object() else { return };
    envelope::stray(scene, voice, output, claims);
    envelope::terminal_sequence(scene, voice, output, claims);
    envelope::warning_if_it_counts(rule!("JSON-SYSMSG-01"), scene, voice, output, claims);
}

/// The model is told why, by one of the blocks at least, if each has something to say. In which manner is claimed only where the
/// event's section says so.
pub(super) fn told(
    scene: &Scene<'_, '_>,
    blocks: &[(&Voice<'_>, Block<'_>)],
    how: Option<Manner>,
    claims: &mut Claims,
) {
    if let [(_, Block { displaced: Some(stderr), .. })] = blocks {
        claims.keep_from(Audience::Model, stderr, rule!("EXIT-2-05"));
    }
    let messages: Vec<(&str, RuleId)> =
        blocks.iter().filter_map(|(_, block)| block.message).filter(|(text, _)| !bare(text).is_empty()).collect();
    let Some((first, rule)) = messages.first().filter(|_| messages.len() == blocks.len()) else {
        return;
    };
    if messages.iter().all(|(text, _)| text == first) && spill::is_short(first) {
        let say = Say { parts: vec![Text::from(bare(first))], how, lies: Lies::InText };
        return claims.say(Audience::Model, say, *rule, &[]);
    }
    // Which of several is told is not said, nor whether a long one lies in a file.
    let says = messages.iter().map(|(text, _)| Say { parts: vec![Text::from(head(text))], how, ..Say::default() });
    claims.claim(Place::Said(Audience::Model), Must::SayAny(says.collect()), *rule, &[]);
    let texts: Vec<&str> = messages.iter().map(|(text, _)| *text).collect();
    envelope::each_of(Audience::Model, &texts, how, *rule, scene, claims);
}

/// The blocks by exit 2, which alone decides where a top-level `decision` is not among what the event listens to.
pub(super) fn by_exit_2<'s>(scene: &'s Scene<'_, '_>, rules: &blocking::Rules) -> Vec<(&'s Voice<'s>, Block<'s>)> {
    let all = scene.voices.iter().filter(|voice| voice.end == Ended::Two);
    all.filter_map(|voice| Some((voice, blocking::block(voice, None, rules, scene.oracle())?))).collect()
}

/// Whether some hook makes a top-level decision, of which it is not said whether it counts.
pub(super) fn decides_at_the_top(scene: &Scene<'_, '_>) -> bool {
    scene.voices.iter().any(Voice::blocks)
}

/// What comes of a top-level block where nothing else decides: what exit 2 does, or nothing (open point A-07).
pub(super) fn decided_at_the_top(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let blocking: Vec<&Voice<'_>> = scene.voices.iter().filter(|v| v.blocks()).collect();
    if scene.own_silence().is_none() {
        return;
    }
    let rule = rule!("DECISION-TEAM-02");
    let counting: Vec<&Voice<'_>> = blocking.iter().copied().filter(|v| scene.counts(v)).collect();
    if counting.is_empty() {
        return claims.fate(scene.firing.otherwise, rule!("EXIT-N-21"), &[]);
    }
    let reasons: Vec<&str> = counting.iter().filter_map(|v| v.object()?.reason.as_deref()).collect();
    if scene.oracle().is(reading!("A-07", "blocks")) {
        claims.fate(Fate::Prevented, rule, &[]);
        if reasons.len() == counting.len() && reasons.iter().all(|reason| !bare(reason).is_empty()) {
            envelope::one_of(Audience::Model, &reasons, Manner::Feedback, rule, scene, claims);
        }
        return;
    }
    claims.fate(scene.firing.otherwise, rule, &[]);
    for reason in reasons {
        claims.keep_from(Audience::Model, reason, rule);
    }
}

/// `continue: false` halts the agent, by the event's own `rule` where it comes with a reason.
pub(super) fn halted(scene: &Scene<'_, '_>, rule: RuleId, claims: &mut Claims) {
    let stopping: Vec<&Voice<'_>> = scene.voices.iter().filter(|v| v.stops()).collect();
    // One whose JSON is certain to count comes first, so that nothing is asked without need.
    let first = stopping.iter().find(|v| v.succeeded()).or_else(|| stopping.iter().find(|v| scene.counts(v)));
    let Some(first) = first else {
        if stopping.iter().all(|v| v.end != Ended::Two) {
            claims.agent(Agent::GoesOn, rule!("EXIT-N-21"), &[]);
        }
        return;
    };
    let explains = |v: &Voice<'_>| {
        v.object().and_then(|o| o.stop_reason.as_deref()).is_some_and(|reason| !bare(reason).is_empty())
    };
    let own = if explains(first) { rule } else { rule!("JSON-CONT-01") };
    claims.agent(Agent::Stops, first.by(own), &[rule!("JSON-CONT-01")]);
    let reasons: Vec<&str> = stopping.iter().filter_map(|v| v.object()?.stop_reason.as_deref()).collect();
    // Which of several hooks speaks is not said; one without a reason may be it.
    if stopping.iter().all(|v| explains(v)) && stopping.iter().all(|v| scene.counts(v)) {
        envelope::one_of(Audience::User, &reasons, Manner::Block, first.by(rule), scene, claims);
    }
}
