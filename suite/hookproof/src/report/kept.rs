//! What a report that is told at its end keeps until then.

use crate::{baseline::Misfit, verdict::CaseResult};

/// Failures, and how the list of known ones fits.
#[derive(Default)]
pub(super) struct Kept {
    /// The failures that are not known.
    pub(super) failures: Vec<CaseResult>,
    /// How many failures are known, and where list and run disagree, if there is a list.
    pub(super) baseline: Option<(usize, Vec<Misfit>)>,
}

impl Kept {
    pub(super) fn case(&mut self, mut result: CaseResult) {
        if result.verdict.is_bad() && !result.is_known {
            // What is told of them stands in the misses.
            result.outcomes = Vec::new();
            self.failures.push(result);
        }
    }

    pub(super) fn baseline(&mut self, known: usize, misfits: &[Misfit]) {
        self.baseline = Some((known, misfits.to_vec()));
    }
}
