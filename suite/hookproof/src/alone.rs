//! Failures that show only in company: what one case leaves behind in the runtime spoils the next. Such a runtime is wrong, but not
//! where its failures point.

use crate::{
    run::{Options, Trial},
    single::{Opener, Single},
    verdict::{CaseResult, Signature, Verdict},
};
use std::{collections::BTreeSet, sync::Arc};

/// How many failing cases are played again; each costs a start of the runtime.
const TRIED: usize = 5;

/// What is said of a case that passes alone.
pub const PASSES_ALONE: &str =
    "played alone, in a fresh process, it passes: the runtime carries something from one case to the next";

/// Failing cases, of as many kinds as there are.
#[derive(Default)]
pub struct Suspects {
    kinds: BTreeSet<Signature>,
    /// The first of each kind.
    firsts: Vec<Trial>,
    /// Those that fail as one before them did.
    others: Vec<Trial>,
}

impl Suspects {
    /// Takes a result in.
    pub fn see(&mut self, result: &CaseResult) {
        if result.verdict != Verdict::Fail {
            return;
        }
        let is_new = result.signatures().into_iter().next().is_some_and(|kind| self.kinds.insert(kind));
        let those = if is_new { &mut self.firsts } else { &mut self.others };
        if those.len() < TRIED {
            those.push(Trial::bare(result.name.clone(), Arc::clone(&result.case)));
        }
    }

    /// Plays each alone, in a process of its own, and says which pass there; nothing if none does.
    #[must_use]
    pub fn alone(self, open: &Opener<'_>) -> Option<String> {
        let trials: Vec<Trial> = self.firsts.into_iter().chain(self.others).take(TRIED).collect();
        let (all, mut passing) = (trials.len(), Vec::new());
        for trial in trials {
            let name = trial.name.clone();
            let played = Single::start(open, Options::default()).and_then(|mut single| single.play(trial));
            // One that cannot be started again proves nothing, and its failures stand.
            if played.is_ok_and(|(result, _)| !result.verdict.is_bad()) {
                passing.push(name);
            }
        }
        (!passing.is_empty()).then(|| {
            format!(
                "in company only: of {all} failing cases that were played again, each alone and in a fresh process, {} did not fail \
                 ({}): the runtime carries something from one case to the next, so mend that first; `--exec` starts it anew for each",
                passing.len(),
                passing.join(", ")
            )
        })
    }
}
