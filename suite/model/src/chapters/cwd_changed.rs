//! CwdChanged (chapter *workspace*): a command has gone to another directory.

use super::{Scene, unblockable, watch};
use crate::claims::Claims;
use hookproof_contract::rule;

const RULES: watch::Rules = watch::Rules {
    no_say: unblockable::Rules { exit_2: rule!("EXIT-2-EV-CwdChanged"), no_say: rule!("CWD-OUT-04") },
    universal: rule!("CWD-OUT-05"),
    paths: watch::Paths { replaced: rule!("CWD-OUT-01"), cleared: Some(rule!("CWD-OUT-03")) },
};

pub(super) fn claims(scene: &mut Scene<'_, '_>, claims: &mut Claims) {
    watch::claims(scene, &RULES, claims);
}
