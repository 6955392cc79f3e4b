//! Canaries and handler texts are names: others would do as well.

use super::{
    Relation, calm,
    compare::{Except, Plays},
};
use crate::rename::{Renaming, fresh};
use hookproof_contract::Case;

pub(super) const RELATION: Relation = Relation {
    name: "rename-canaries-and-handlers",
    about: "with other words in its texts and other names for its handlers a case comes to the same",
    rules: &[],
    change,
    compare,
};

fn change(case: &Case, seed: u64) -> Option<Case> {
    // A runtime may go through handlers in the order of their names, so that order must not matter.
    let all = calm::ordinary(case)?;
    if !calm::order_free(case, &all) {
        return None;
    }
    let new = fresh(case, seed);
    (new != *case).then_some(new)
}

fn compare(plays: &Plays<'_>) -> Result<(), String> {
    let renaming = Renaming::between(plays.before, plays.after);
    plays.same(&Except { renaming: Some(&renaming), ..Except::default() })
}
