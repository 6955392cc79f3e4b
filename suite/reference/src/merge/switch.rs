//! Whether the session goes over to another model (PreModelSwitch; chapter *model-switch*).

use super::{Answered, block_message};
use crate::{
    Scene,
    read::{Ending, Ruling},
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
    /// It is stderr, or what happened to the hook, and not a reason that the hook gave.
    pub(crate) is_report: bool,
}

/// The strongest decision counts. Whoever does not answer in time blocks.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>) -> Switch {
    let votes: Vec<(Ruling, Vec<Reason>)> = answers.into_iter().filter_map(|answered| vote(scene, answered)).collect();
    let ruling = votes.iter().map(|(ruling, _)| *ruling).max();
    let strongest = votes.into_iter().filter(|(own, _)| Some(*own) == ruling);
    Switch { ruling, reasons: strongest.flat_map(|(_, reasons)| reasons).collect() }
}

/// What one hook decides, and why.
fn vote(scene: &Scene<'_>, (handler, mut answer): Answered<'_>) -> Option<(Ruling, Vec<Reason>)> {
    let reason = |text: String, is_report| Reason { by: Name::clone(&handler.name), text, is_report };
    if answer.ending == Ending::TimedOut {
        return Some((Ruling::Deny, vec![reason("it reached its timeout".to_owned(), true)]));
    }
    let (decides, blocks) = (answer.decides_block(), answer.blocks());
    let (own, why, top) = answer.output_mut().map_or((None, None, None), |output| {
        (output.ruling, output.ruling_reason.take(), output.reason.take().filter(|_| decides))
    });
    let ruling = if blocks { Ruling::Deny } else { own? };
    let given = [why.filter(|_| own == Some(ruling)), top].into_iter().flatten().filter(|text| !text.is_empty());
    let mut reasons: Vec<Reason> = given.map(|text| reason(text, false)).collect();
    if reasons.is_empty() && ruling == Ruling::Deny {
        let message = block_message(scene, &mut answer, decides || own == Some(Ruling::Deny), None);
        reasons.extend(message.map(|text| reason(text, true)));
    }
    Some((ruling, reasons))
}
