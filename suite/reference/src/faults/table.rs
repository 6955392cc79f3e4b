//! The tables of the faults, one for each step: what each does, what it breaks and what a case must have to show it.

mod apply;
mod merge;
mod read;
mod select;

use super::Fault;
use std::sync::LazyLock;

/// All faults, in the order of the steps that they spoil.
pub static FAULTS: LazyLock<Vec<Fault>> =
    LazyLock::new(|| [select::FAULTS, read::FAULTS, merge::FAULTS, apply::FAULTS].concat());
