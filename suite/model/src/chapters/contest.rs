//! Which of several hooks has its way, where they set one thing differently and the contract does not say (open points
//! and A-78, which have the same readings).

use super::Scene;
use crate::{claims::Claims, voice::Voice};
use hookproof_contract::{Must, PointId, RuleId, Slot, reading};
use serde_json::Value;

/// Which of several inputs a call goes on with.
pub(super) const INPUTS: PointId = reading!("A-72", "last to end").point;
/// Which of several answers goes to a server.
pub(super) const ANSWERS: PointId = reading!("A-77", "last to end").point;
/// Which of several values something else is set to.
pub(super) const VALUES: PointId = reading!("A-78", "last to end").point;

/// Of hooks that give values to one thing, the one that has its way: any where all give the same, and otherwise by the reading of a
/// point; nothing where that does not tell: hooks that end at one time, or stand in different files.
pub(super) fn winner<'g, 'v, T: PartialEq>(
    scene: &Scene<'_, '_>,
    point: PointId,
    given: &'g [(&'v Voice<'v>, T)],
) -> Option<&'g (&'v Voice<'v>, T)> {
    let (first, last) = (given.first()?, given.last()?);
    if given.iter().all(|(_, value)| *value == first.1) {
        return Some(first);
    }
    let rank = |voice: &Voice<'_>| scene.session.case.result(scene.firing, voice.handler.name).map_or(0, |r| r.rank);
    let ranks = given.iter().map(|(voice, _)| rank(voice));
    let alone_at = |at: Option<u16>| {
        let mut ending = given.iter().filter(|(voice, _)| Some(rank(voice)) == at);
        ending.next().filter(|one| ending.all(|other| other.1 == one.1))
    };
    let of_one_file = given.iter().all(|(voice, _)| voice.handler.layer == first.0.handler.layer);
    match scene.oracle().read(point).name() {
        "last to end" => alone_at(ranks.max()),
        "first to end" => alone_at(ranks.min()),
        "last in the settings" => Some(last).filter(|_| of_one_file),
        _ => Some(first).filter(|_| of_one_file),
    }
}

/// A slot that hooks set: to the only value that they give, or to that of the one that has its way.
pub(super) fn set(
    scene: &Scene<'_, '_>,
    point: PointId,
    slot: Slot,
    given: &[(&Voice<'_>, &Value)],
    rule: RuleId,
    claims: &mut Claims,
) {
    if let Some((_, value)) = winner(scene, point, given) {
        claims.set(slot, Must::Be((*value).clone()), rule, &[]);
    }
}
