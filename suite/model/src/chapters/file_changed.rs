//! FileChanged (chapter *workspace*): a watched file is another than before.

use super::{Scene, unblockable, watch};
use crate::claims::Claims;
use hookproof_contract::rule;

const RULES: watch::Rules = watch::Rules {
    no_say: unblockable::Rules { exit_2: rule!("EXIT-2-EV-FileChanged"), no_say: rule!("FILECHG-OUT-02") },
    universal: rule!("FILECHG-OUT-03"),
    // That an empty list takes the place of another like any list follows from the same sentence.
    paths: watch::Paths { replaced: rule!("FILECHG-OUT-01"), cleared: Some(rule!("FILECHG-OUT-01")) },
};

pub(super) fn claims(scene: &mut Scene<'_, '_>, claims: &mut Claims) {
    watch::claims(scene, &RULES, claims);
}
