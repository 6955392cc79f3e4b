//! How far each rule is proven: by a case that names it, a model that claims it there, and a fault that breaks it.

use crate::{
    corpus::Corpus,
    exit::Failure,
    select::{Filters, trials},
};
use hookproof_contract::{NotScored, Readings, Revision, Rule, RuleId};
use hookproof_reference::FAULTS;
use std::{collections::BTreeSet, fmt};

/// How far a rule is proven. What is not scored is no gap, what was never exercised is one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// The model claims it in a case whose `then` names it, and a fault that declares it is there to be noticed.
    Proven,
    /// Some of that is true; this is what lacks.
    Exercised(Lack),
    /// It is scored, and no case of the corpus has it.
    Unexercised,
    /// It is not there to be judged at depth `resolve`, for this reason.
    NotScored(NotScored),
}

/// What a rule that is exercised lacks to be proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lack {
    /// No fault breaks it.
    Fault,
    /// No `then` names it, though the model claims it.
    Then,
}

/// A rule with its standing.
#[derive(Clone, Debug)]
pub struct Covered {
    /// The rule.
    pub rule: &'static Rule,
    /// How far it is proven.
    pub standing: Standing,
}

/// The standing of every rule that passes the filters, by a corpus. A rule need not hold at the newest revision: the claims of all
/// revisions with a frozen requirement set count.
///
/// # Errors
///
/// When a case file is wrong.
pub fn coverage(corpus: &Corpus, filters: &Filters) -> Result<Vec<Covered>, Failure> {
    let (mut claimed, mut named) = (BTreeSet::new(), BTreeSet::new());
    for trial in trials(corpus, &Filters::default()) {
        let trial = trial?;
        named.extend(trial.rules.iter().copied());
        for revision in Revision::KNOWN {
            if let Ok(expectation) = hookproof_model::expect(revision, &Readings::default(), &trial.case) {
                claimed.extend(expectation.claims.iter().map(|claim| claim.rule));
            }
        }
    }
    let broken: BTreeSet<RuleId> = FAULTS.iter().flat_map(|fault| fault.rules).copied().collect();
    let some = Rule::all().iter().filter(|rule| filters.pass_rule(rule));
    Ok(some.map(|rule| Covered { rule, standing: standing(rule, &claimed, &named, &broken) }).collect())
}

fn standing(rule: &Rule, claimed: &BTreeSet<RuleId>, named: &BTreeSet<RuleId>, broken: &BTreeSet<RuleId>) -> Standing {
    if let Some(reason) = rule.why_not_scored() {
        return Standing::NotScored(reason);
    }
    match (named.contains(&rule.id), claimed.contains(&rule.id)) {
        (true, true) if broken.contains(&rule.id) => Standing::Proven,
        (true, _) => Standing::Exercised(Lack::Fault),
        (false, true) => Standing::Exercised(Lack::Then),
        (false, false) => Standing::Unexercised,
    }
}

impl Standing {
    /// The words of the columns of a report.
    pub const NAMES: [&'static str; 4] = ["proven", "exercised only", "unexercised", "not scored"];

    /// Which of [`Standing::NAMES`] it is.
    #[must_use]
    pub const fn column(&self) -> usize {
        match self {
            Standing::Proven => 0,
            Standing::Exercised(_) => 1,
            Standing::Unexercised => 2,
            Standing::NotScored(_) => 3,
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Standing::Proven => "proven",
            Standing::Exercised(Lack::Fault) => "exercised only: no fault breaks it",
            Standing::Exercised(Lack::Then) => "exercised only: no case names it",
            Standing::Unexercised => "unexercised",
            Standing::NotScored(reason) => return write!(f, "not scored: {reason}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Standing, coverage};
    use crate::{corpus::Corpus, select::Filters};
    use hookproof_contract::{Rule, rule};

    #[test]
    fn every_rule_stands_somewhere_once() {
        let corpus = Corpus::embedded().expect("names are unique");
        let all = coverage(&corpus, &Filters::default()).expect("the corpus is well-formed");
        assert_eq!(all.len(), Rule::all().len());
        let of = |id| all.iter().find(|c| c.rule.id == id).map(|c| c.standing.clone());
        assert_eq!(of(rule!("MATCH-PAT-04")), Some(Standing::Proven));
        for standing in all.iter().map(|c| &c.standing) {
            assert!(standing.to_string().starts_with(Standing::NAMES[standing.column()]), "{standing}");
        }
    }

    #[test]
    fn without_cases_nothing_is_proven() {
        let folder = tempfile::tempdir().expect("a folder");
        let corpus = Corpus::open(Some(folder.path()));
        let all = corpus.and_then(|corpus| coverage(&corpus, &Filters::default()));
        // A corpus without a case is an error of its own.
        assert!(all.is_err() || all.is_ok_and(|all| all.iter().all(|c| c.standing.column() >= 2)));
    }
}
