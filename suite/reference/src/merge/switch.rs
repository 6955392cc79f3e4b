//! Whether the session goes over to another model (PreModelSwitch; chapter *model-switch*).

use super::{Answered, block_message, contest::told};
use crate::{
    Scene,
    read::{Ending, Ruling},
    settings::Place,
};
use hookproof_contract::Name;

/// What hooks decide about a switch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Switch {
    /// The strongest decision: deny, then ask, then allow.
    pub(crate) ruling: Option<Ruling>,
    /// Why, from all hooks that decided so.
    pub(crate) reasons: Vec<Reason>,
}

/// Why a hook decided as it did.
#[derive(Clone, Debug)]
pub(crate) struct Reason {
    pub(crate) by: Name,
    pub(crate) text: String,
    pub(crate) from: Origin,
}

impl Reason {
    /// What the hook itself said.
    fn of_the_hook(&self) -> &str {
        if self.from == Origin::Timeout { "" } else { &self.text }
    }
}

/// Where a reason comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The hook gave it with its decision.
    Decision,
    Stderr,
    /// It tells what happened to the hook, which has said nothing.
    Timeout,
}

/// What one hook decides, and why.
struct Vote {
    place: Place,
    ruling: Ruling,
    reasons: Vec<Reason>,
}

/// The strongest decision counts. Whoever does not answer in time blocks.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>) -> Switch {
    let votes: Vec<Vote> = answers.into_iter().filter_map(|answered| vote(scene, answered)).collect();
    let ruling = votes.iter().map(|vote| vote.ruling).max();
    let strongest = votes.into_iter().filter(|vote| Some(vote.ruling) == ruling);
    let of = |vote: Vote| vote.reasons.into_iter().map(move |reason| (vote.place, reason));
    Switch { ruling, reasons: told(scene.stance, strongest.flat_map(of).collect(), Reason::of_the_hook) }
}

fn vote(scene: &Scene<'_>, (handler, mut answer): Answered<'_>) -> Option<Vote> {
    let place = handler.place;
    let reason = |text: String, from| Reason { by: Name::clone(&handler.name), text, from };
    if answer.ending == Ending::TimedOut {
        let reasons = vec![reason("it reached its timeout".to_owned(), Origin::Timeout)];
        return Some(Vote { place, ruling: Ruling::Deny, reasons });
    }
    let (decides, blocks) = (answer.decides_block(), answer.blocks());
    let (own, why, top) = answer.output_mut().map_or((None, None, None), |output| {
        (output.ruling, output.ruling_reason.take(), output.reason.take().filter(|_| decides))
    });
    let ruling = if blocks { Ruling::Deny } else { own? };
    let given = [why.filter(|_| own == Some(ruling)), top].into_iter().flatten().filter(|text| !text.is_empty());
    let mut reasons: Vec<Reason> = given.map(|text| reason(text, Origin::Decision)).collect();
    if reasons.is_empty() && ruling == Ruling::Deny {
        let message = block_message(scene, &mut answer, decides || own == Some(Ruling::Deny), None);
        reasons.extend(message.map(|text| reason(text, Origin::Stderr)));
    }
    Some(Vote { place, ruling, reasons })
}
