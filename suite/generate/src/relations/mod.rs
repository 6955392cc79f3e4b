//! Metamorphic relations: changes to a case after which a runtime must do the same, or at least nothing weaker. They need no
//! model, so they can be tried on any candidate and any case.
//!
//! A relation only changes a case for which the contract settles the answer: where an open point lets a conforming runtime
//! answer otherwise (several hooks that contradict each other and end in no fixed order, several worktree makers, copies of a
//! handler inside one file, …), it declines.

mod calm;
mod change;
mod compare;
mod deny;
mod order;
mod renamed;
mod second_layer;
mod silent;
mod split;
mod white_space;

pub use compare::Plays;

use hookproof_contract::{Case, RuleId};

/// What must hold of the outcomes before and after a change; the error says where they differ.
pub type Compare = fn(&Plays<'_>) -> Result<(), String>;

/// A change that must not matter.
#[derive(Clone, Copy, Debug)]
pub struct Relation {
    /// A short name.
    pub name: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// The rules that it follows from.
    pub rules: &'static [RuleId],
    /// The changed case; nothing where the relation cannot be made of this case, or need not hold.
    pub change: fn(&Case, seed: u64) -> Option<Case>,
    /// Compares the two plays.
    pub compare: Compare,
}

/// All relations.
pub const ALL: &[Relation] = &[
    silent::RELATION,
    order::RELATION,
    second_layer::RELATION,
    renamed::RELATION,
    white_space::RELATION,
    deny::RELATION,
    split::RELATION,
];

#[cfg(test)]
mod tests;
