//! Smoke: whether the adapter reports anything at all at each place that it says it observes.
//!
//! For each place, up to three cases in which something must appear there. A place at which none of them shows anything is the
//! adapter's trouble before it is the runtime's.

use crate::{exit::Failure, playable::playable, run::Trial, verdict::reported};
use hookproof_contract::{
    Claim, Event, Fate, Must, Outcome, Place, WhatHappens,
    message::{Depth, Hello},
};
use std::collections::{BTreeMap, BTreeSet};

/// How many cases are tried for a place before it counts as silent.
const TRIES: usize = 3;

/// The cases for each place that a candidate observes.
#[derive(Debug, Default)]
pub struct Plan {
    /// The trials; one may serve several places.
    pub trials: Vec<Trial>,
    /// Place → the trials, by index.
    pub places: BTreeMap<Place, Vec<usize>>,
}

/// What came of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Something was reported there.
    Alive,
    /// Nothing was, though cases ask for it.
    Silent,
    /// No case asks for anything there.
    NoCase,
}

/// Finds the cases.
///
/// # Errors
///
/// When a case file is wrong.
pub fn plan(hello: &Hello, trials: &mut dyn Iterator<Item = Result<Trial, Failure>>) -> Result<Plan, Failure> {
    let mut plan = Plan { trials: Vec::new(), places: hello.observes.iter().map(|p| (*p, Vec::new())).collect() };
    for trial in trials {
        if plan.places.values().all(|tries| tries.len() >= TRIES) {
            break;
        }
        let trial = trial?;
        if playable(&trial.case, Depth::Resolve, hello).is_err() {
            continue;
        }
        let Ok(expectation) = hookproof_model::expect(hello.revision, &hello.postures, &trial.case) else { continue };
        let positive: BTreeSet<Place> =
            expectation.claims.iter().filter(|claim| shows(claim, &trial)).map(|claim| claim.at).collect();
        let wanting: Vec<Place> =
            positive.into_iter().filter(|place| plan.places.get(place).is_some_and(|t| t.len() < TRIES)).collect();
        if wanting.is_empty() {
            continue;
        }
        for place in wanting {
            plan.places.entry(place).or_default().push(plan.trials.len());
        }
        plan.trials.push(trial);
    }
    Ok(plan)
}

/// Whether a candidate can satisfy a claim only by reporting something.
fn shows(claim: &Claim, trial: &Trial) -> bool {
    match &claim.must {
        Must::NotSay(_) | Must::Absent => false,
        Must::RunExactly(names) => !names.is_empty(),
        Must::Be(value) if claim.at == Place::Fate || claim.at == Place::Agent => {
            trial.case.moments().filter(|m| claim.covers(m.number)).any(|m| match m.what {
                WhatHappens::Fires(f) if claim.at == Place::Fate => *value != f.otherwise.name(),
                WhatHappens::Fires(f) => {
                    *value != "goes_on"
                        && !(matches!(f.event, Event::Stop | Event::SubagentStop) && *value == "ends_turn")
                }
                WhatHappens::Happens(_) => false,
            })
        }
        Must::BeOneOf(values) if claim.at == Place::Fate => values.iter().all(|v| *v != Fate::Proceeds.name()),
        Must::BeOneOf(_) if claim.at == Place::Agent => false,
        _ => true,
    }
}

/// What each place showed. `outcomes` has an entry for each trial that was answered.
#[must_use]
pub fn signs(plan: &Plan, outcomes: &BTreeMap<usize, Vec<Outcome>>) -> BTreeMap<Place, Sign> {
    let alive = |place: Place, trial: &usize| {
        let mut found = false;
        for outcome in outcomes.get(trial).into_iter().flatten() {
            reported(outcome, |p| found |= p == place);
        }
        found
    };
    plan.places
        .iter()
        .map(|(place, trials)| {
            let sign = match trials {
                t if t.is_empty() => Sign::NoCase,
                t if t.iter().any(|trial| alive(*place, trial)) => Sign::Alive,
                _ => Sign::Silent,
            };
            (*place, sign)
        })
        .collect()
}
