//! How far each rule is proven: by a case that names it, a model that claims it there, and a fault that breaks it.

use crate::{
    corpus::Corpus,
    exit::Failure,
    select::{Filters, trials},
};
use hookproof_contract::{Evidence, Level, Readings, Revision, Rule, RuleId};
use hookproof_reference::FAULTS;
use std::{collections::BTreeSet, fmt};

/// How far a rule is proven. What was not scored is no gap, what was never exercised is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// The model claims it in a case whose `then` names it, and a fault that declares it is there to be noticed.
    Proven,
    /// Some of that is true; this is what lacks.
    Exercised(Lack),
    /// Values could decide it, and no case of the corpus has it.
    Unexercised,
    /// It is not there to be judged at depth `resolve`, for this reason.
    NotScored(Reason),
}

/// What a rule that is exercised lacks to be proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lack {
    /// No fault breaks it.
    Fault,
    /// No `then` names it, though the model claims it.
    Then,
}

/// Why a rule is not scored: the closed list of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It demands nothing: its level is `may` or `info`.
    DemandsNothing,
    /// It does not hold at the newest revision.
    OtherRevision,
    /// Values are not enough to see it.
    Evidence(Evidence),
}

/// A rule with its standing.
#[derive(Clone, Copy, Debug)]
pub struct Covered {
    /// The rule.
    pub rule: &'static Rule,
    /// How far it is proven.
    pub standing: Standing,
}

/// The standing of every rule that passes the filters, by a corpus.
///
/// # Errors
///
/// When a case file is wrong.
pub fn coverage(corpus: &Corpus, filters: &Filters) -> Result<Vec<Covered>, Failure> {
    let (mut claimed, mut named) = (BTreeSet::new(), BTreeSet::new());
    for trial in trials(corpus, &Filters::default()) {
        let trial = trial?;
        named.extend(trial.rules.iter().copied());
        if let Ok(expectation) = hookproof_model::expect(Revision::NEWEST, &Readings::default(), &trial.case) {
            claimed.extend(expectation.claims.iter().map(|claim| claim.rule));
        }
    }
    let broken: BTreeSet<RuleId> = FAULTS.iter().flat_map(|fault| fault.rules).copied().collect();
    let some = Rule::all().iter().filter(|rule| filters.pass_rule(rule));
    Ok(some.map(|rule| Covered { rule, standing: standing(rule, &claimed, &named, &broken) }).collect())
}

fn standing(rule: &Rule, claimed: &BTreeSet<RuleId>, named: &BTreeSet<RuleId>, broken: &BTreeSet<RuleId>) -> Standing {
    match () {
        () if rule.level != Level::Must => Standing::NotScored(Reason::DemandsNothing),
        () if !rule.holds_at(Revision::NEWEST) => Standing::NotScored(Reason::OtherRevision),
        () if named.contains(&rule.id) && claimed.contains(&rule.id) && broken.contains(&rule.id) => Standing::Proven,
        () if named.contains(&rule.id) => Standing::Exercised(Lack::Fault),
        () if claimed.contains(&rule.id) => Standing::Exercised(Lack::Then),
        () if rule.evidence != Evidence::Values => Standing::NotScored(Reason::Evidence(rule.evidence)),
        () => Standing::Unexercised,
    }
}

impl Standing {
    /// The words of the columns of a report.
    pub const NAMES: [&'static str; 4] = ["proven", "exercised only", "unexercised", "not scored"];

    /// Which of [`Standing::NAMES`] it is.
    #[must_use]
    pub const fn column(self) -> usize {
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
            Standing::NotScored(Reason::DemandsNothing) => "not scored: it demands nothing",
            Standing::NotScored(Reason::OtherRevision) => "not scored: it holds at other revisions",
            Standing::NotScored(Reason::Evidence(Evidence::Values)) => "not scored",
            Standing::NotScored(Reason::Evidence(Evidence::Host)) => "not scored: it takes a runtime that really acts",
            Standing::NotScored(Reason::Evidence(Evidence::Process)) => "not scored: it takes processes",
            Standing::NotScored(Reason::Evidence(Evidence::Interactive)) => "not scored: it takes a person at a screen",
            Standing::NotScored(Reason::Evidence(Evidence::Timing)) => "not scored: it takes time",
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
        let of = |id| all.iter().find(|c| c.rule.id == id).map(|c| c.standing);
        assert_eq!(of(rule!("MATCH-PAT-04")), Some(Standing::Proven));
        for standing in all.iter().map(|c| c.standing) {
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
