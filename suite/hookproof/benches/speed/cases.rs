//! The cases that are played: generated, and sorted by what they cost.

use hookproof::corpus::Corpus;
use hookproof_contract::{Case, Expectation, Readings, Revision, Step};
use serde_json::Value;
use std::error::Error;

/// How many cases of a kind are played over and over.
const MANY: usize = 2_000;

/// A case with what the contract demands of it.
pub(crate) struct Known {
    pub(crate) case: Case,
    pub(crate) expectation: Expectation,
}

/// Cases of one handler that fires once: those without open points, and those with.
pub(crate) fn single() -> (Vec<Case>, Vec<Case>) {
    let (mut settled, mut open) = (Vec::new(), Vec::new());
    for Known { case, expectation } in all().filter(|known| is_single(&known.case)) {
        let kind = if expectation.worlds.is_empty() { &mut settled } else { &mut open };
        if kind.len() < MANY {
            kind.push(case);
        }
        if settled.len() == MANY && open.len() == MANY {
            break;
        }
    }
    (settled, open)
}

/// Every case that the generator makes and the model covers.
pub(crate) fn all() -> impl Iterator<Item = Known> {
    (0..).map(hookproof_generate::from_seed).filter_map(|case| {
        let expectation = hookproof_model::expect(Revision::NEWEST, &Readings::default(), &case).ok()?;
        Some(Known { case, expectation })
    })
}

/// The cases of the corpus, near-misses included, which `hookproof run` plays.
pub(crate) fn corpus() -> Result<Vec<Case>, Box<dyn Error>> {
    let mut cases = Vec::new();
    for entry in Corpus::embedded()?.entries() {
        cases.extend(entry.read()?.variants()?.into_iter().map(|(_, case, _)| case));
    }
    Ok(cases)
}

/// The first cases of all.
pub(crate) fn mixed() -> Vec<Case> {
    all().map(|known| known.case).take(MANY).collect()
}

/// One handler is configured, and one event fires, once.
fn is_single(case: &Case) -> bool {
    let fires_once = matches!(case.steps.as_slice(), [Step::Fire(firing)] if firing.times == 1);
    let groups = case
        .settings
        .iter()
        .filter_map(|layer| layer.settings.get("hooks")?.as_object())
        .flat_map(|hooks| hooks.values());
    let handlers = groups.filter_map(Value::as_array).flatten().map(|group| {
        let handlers = group.get("hooks").and_then(Value::as_array);
        handlers.map_or(0, Vec::len)
    });
    fires_once && handlers.sum::<usize>() == 1
}
