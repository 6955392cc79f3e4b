//! Cases played on versions of the reference, and what the judge says of them.

use hookproof::{
    corpus::Corpus,
    select::{Filters, trials},
};
use hookproof_contract::{
    Case, Expectation, Outcome, Readings, Revision, RuleId,
    judge::{Judgement, judge},
    message::Hello,
};
use hookproof_reference::Runtime;
use std::sync::Arc;

/// How many generated cases the bars of the long runs speak of.
pub(crate) const MILLION: u64 = 1_000_000;

/// A case with what the contract demands of it.
pub(crate) struct Scene {
    /// The name by which the command line knows it, or the seed.
    pub(crate) name: String,
    pub(crate) case: Arc<Case>,
    pub(crate) expectation: Expectation,
}

/// The embedded corpus with all its near-misses.
pub(crate) fn corpus() -> Vec<Scene> {
    corpus_at(Revision::NEWEST)
}

/// The same at another revision.
pub(crate) fn corpus_at(revision: Revision) -> Vec<Scene> {
    let (corpus, filters) = (Corpus::embedded().expect("names are unique"), Filters::default());
    let all = trials(&corpus, &filters).map(|trial| trial.expect("well-formed"));
    all.map(|trial| scene(trial.name, trial.case, revision).expect("the model speaks of every case of the corpus"))
        .collect()
}

/// Generated cases; those are left out that touch so many open points that there is no expectation.
pub(crate) fn generated(seeds: std::ops::Range<u64>) -> impl Iterator<Item = Scene> {
    seeds.filter_map(|seed| {
        scene(format!("seed {seed}"), Arc::new(hookproof_generate::from_seed(seed)), Revision::NEWEST)
    })
}

fn scene(name: String, case: Arc<Case>, revision: Revision) -> Option<Scene> {
    let expectation = hookproof_model::expect(revision, &Readings::default(), &case).ok()?;
    Some(Scene { name, case, expectation })
}

/// How many cases the long runs draw (`scripts/find-faults`, `scripts/count-claims`), unless the variable named says otherwise.
pub(crate) fn many_seeds(variable: &str) -> u64 {
    match std::env::var(variable) {
        Ok(given) => given.parse().unwrap_or_else(|_| panic!("{variable} is a number of cases, not {given:?}")),
        Err(_) => MILLION,
    }
}

/// What the newest revision of the contract demands of a case; nothing where the model does not speak of it.
pub(crate) fn expectation(case: &Case) -> Option<Expectation> {
    hookproof_model::expect(Revision::NEWEST, &Readings::default(), case).ok()
}

/// Judges outcomes of a case.
pub(crate) fn weigh(case: &Case, expectation: &Expectation, outcomes: &[Outcome], hello: &Hello) -> Judgement {
    judge(case, expectation, outcomes, &hello.observes)
}

impl Scene {
    /// Judges what a runtime does with the case.
    pub(crate) fn judge(&self, runtime: &Runtime, hello: &Hello) -> Judgement {
        weigh(&self.case, &self.expectation, &runtime.play(&self.case), hello)
    }

    /// The rules of the claims that a judgement found broken.
    pub(crate) fn broken<'s>(&'s self, judgement: &'s Judgement) -> impl Iterator<Item = RuleId> + 's {
        judgement.misses.iter().map(|miss| self.expectation.claims[miss.claim].rule)
    }
}
