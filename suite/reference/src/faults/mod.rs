//! The faults: mistakes that people make when they write a hook runtime. Each replaces one of the four steps by a function
//! that calls the ordinary one and spoils what goes in or what comes out; the runtime itself knows nothing of them.

mod apply;
mod merge;
mod read;
mod select;
mod table;

pub use table::FAULTS;

use crate::{Scene, Seam};
use hookproof_contract::{Case, Host, Revision, RuleId};

/// A deliberately wrong version of the reference.
#[derive(Clone)]
pub struct Fault {
    /// The mistake, as a sentence with hyphens.
    pub name: &'static str,
    /// The mistake, and how one comes to make it.
    pub about: &'static str,
    /// The rules that it breaks, declared beforehand.
    pub rules: &'static [RuleId],
    /// The rules that are broken besides, declared beforehand: what the mistake brings with it, and what no case shows without
    /// showing the mistake itself.
    pub follows: &'static [RuleId],
    /// What a case must have to show it.
    pub needs: Needs,
    /// The revision at which it shows: the newest, unless the rules that it breaks have gone since.
    pub revision: Revision,
    pub(crate) seam: Seam,
}

/// What a case must have to show a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Needs {
    /// One handler in one step.
    OneHandler,
    /// Two handlers that match together.
    TwoHandlers,
    /// A second step.
    TwoSteps,
    /// A text, or a count, at a limit.
    Limit,
}

const fn fault(name: &'static str, about: &'static str, rules: &'static [RuleId], needs: Needs, seam: Seam) -> Fault {
    Fault { name, about, rules, follows: &[], needs, revision: Revision::NEWEST, seam }
}

impl Fault {
    /// The same fault with what it brings with it.
    const fn and(self, follows: &'static [RuleId]) -> Fault {
        Fault { follows, ..self }
    }

    /// The same fault, where it shows at this revision.
    const fn at(self, revision: Revision) -> Fault {
        Fault { revision, ..self }
    }
}

/// A case for the steps that look at the world alone: the scene's own world, with something changed.
fn other_world(scene: &Scene<'_>, change: impl FnOnce(&mut Host)) -> Case {
    let mut host = scene.host().clone();
    change(&mut host);
    Case { host, ..Case::default() }
}

#[cfg(test)]
mod tests;
