//! What may be reported of hooks although it is not said (open points ).

use super::Scene;
use crate::{
    claims::{Claims, HEADING, parts},
    select::Refused,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{Audience, Manner, Must, Place, Say, reading, rule};

/// Claims a notice, or that there is none, where a command failed and nothing else can bring one about.
pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let rule = rule!("EXIT-N-22");
    let may_be_told = |v: &Voice<'_>| matches!(v.end, Ended::Two | Ended::TimedOut | Ended::Failed(_) | Ended::HttpOk);
    let alone = scene.background.is_empty() && scene.refused == Refused::Nothing;
    let certain = alone && !scene.voices.iter().any(may_be_told);
    if !rule.rule().speaks_of(scene.row.event) || !claims.shown || !certain || !scene.voices.iter().any(has_failed) {
        return;
    }
    match scene.oracle().is(reading!("A-187", "notice")) {
        true => claims.say(Audience::User, parts([HEADING], Manner::Notice), rule, &[]),
        false => claims.not_say(Audience::User, HEADING, rule, &[]),
    }
}

/// Whether a hook has failed as an event of the standard decision model would report it.
fn has_failed(voice: &Voice<'_>) -> bool {
    match (voice.end, &voice.word) {
        (Ended::NotStarted, _) => true,
        (Ended::Zero, word) => matches!(word, Word::Invalid | Word::Unparsable(_)),
        (Ended::Other(_), word) => !matches!(word, Word::Object(_)),
        _ => false,
    }
}

/// Whether the user is told that handlers are passed over because of their type is open. Claimed where no hook can have
/// anything else shown.
pub(super) fn of_those_passed_over(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let alone = scene.voices.is_empty() && scene.background.is_empty() && scene.refused == Refused::Nothing;
    if !alone || !claims.shown {
        return;
    }
    let (rule, anything) = (rule!("PROMPT-SUP-05"), Say::default());
    match scene.oracle().is(reading!("A-156", "silently")) {
        true => claims.claim(Place::TO_USER, Must::NotSay(anything), rule, &[]),
        false => claims.say(Audience::User, anything, rule, &[]),
    }
}
