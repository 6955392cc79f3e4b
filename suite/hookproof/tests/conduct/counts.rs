//! By which rules the generated cases are claimed of: what no generated case is about, the fuzzer cannot find.

use crate::stage::{MILLION, many_seeds};
use hookproof_contract::{Case, Readings, Revision, Rule, RuleId};
use std::collections::BTreeMap;

/// How often each scored rule is to be a claim's in a million cases.
const ENOUGH: u64 = 100;

/// For each scored rule, in how many of the cases it makes a claim: at the newest revision, or at an older one if it holds there only.
fn counts(limit: u64) -> BTreeMap<RuleId, u64> {
    let scored = |rule: &&Rule| rule.is_scored();
    let mut counts: BTreeMap<RuleId, u64> = Rule::all().iter().filter(scored).map(|rule| (rule.id, 0)).collect();
    let old: Vec<RuleId> = counts.keys().copied().filter(|id| !id.rule().holds_at(Revision::NEWEST)).collect();
    for seed in 0..limit {
        let case = hookproof_generate::from_seed(seed);
        let mut of_this = rules(Revision::NEWEST, &case);
        of_this.extend(rules(Revision::OLDEST, &case).into_iter().filter(|rule| old.contains(rule)));
        of_this.sort_unstable();
        of_this.dedup();
        for rule in of_this {
            if let Some(count) = counts.get_mut(&rule) {
                *count += 1;
            }
        }
    }
    counts
}

/// The rules of the claims of a case.
fn rules(revision: Revision, case: &Case) -> Vec<RuleId> {
    let expectation = hookproof_model::expect(revision, &Readings::default(), case);
    expectation.map(|e| e.claims.iter().map(|claim| claim.rule).collect()).unwrap_or_default()
}

#[test]
#[ignore = "minutes: scripts/count-claims"]
fn a_million_generated_cases_are_about_each_scored_rule_a_hundred_times() {
    let limit = many_seeds("COUNT_CLAIMS_SEEDS");
    let counts = counts(limit);
    let mut seldom: Vec<_> = counts.iter().filter(|(_, count)| **count * MILLION < ENOUGH * limit).collect();
    seldom.sort_by_key(|(_, count)| **count);
    for (rule, count) in &seldom {
        println!("{count:>9}  {rule}");
    }
    println!(
        "{} of {} scored rules often enough in {limit} generated cases",
        counts.len() - seldom.len(),
        counts.len()
    );
    assert!(seldom.is_empty());
}
