//! Each fault breaks exactly the rules that it declared, on the embedded corpus with all its near-misses.

use crate::stage::{Scene, corpus_at};
use hookproof_contract::{Case, Revision, RuleId};
use hookproof_reference::{FAULTS, Fault, Needs, Runtime, hello};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

/// What a fault breaks: the rules, by the name of the case.
type Broken = BTreeMap<String, BTreeSet<RuleId>>;

/// The corpus at the revision at which a fault shows.
fn cases(fault: &Fault) -> &'static [Scene] {
    static NEWEST: OnceLock<Vec<Scene>> = OnceLock::new();
    static OLDEST: OnceLock<Vec<Scene>> = OnceLock::new();
    match fault.revision {
        Revision::NEWEST => NEWEST.get_or_init(|| corpus_at(Revision::NEWEST)),
        _ => OLDEST.get_or_init(|| corpus_at(Revision::OLDEST)),
    }
}

fn broken_by(fault: &'static Fault) -> Broken {
    let (runtime, hello) = (Runtime::with_fault(fault).at(fault.revision), hello());
    let each = cases(fault).iter().map(|scene| {
        let judgement = scene.judge(&runtime, &hello);
        (scene.name.clone(), scene.broken(&judgement).collect::<BTreeSet<_>>())
    });
    each.filter(|(_, rules)| !rules.is_empty()).collect()
}

/// The first case that breaks a rule.
fn shown_by(broken: &Broken, rule: RuleId) -> &str {
    broken.iter().find(|(_, rules)| rules.contains(&rule)).map_or("no case", |(name, _)| name)
}

#[test]
fn each_fault_breaks_exactly_the_rules_that_it_declared() {
    let mut wrong = Vec::new();
    for fault in FAULTS.iter() {
        let broken = broken_by(fault);
        let found: BTreeSet<RuleId> = broken.values().flatten().copied().collect();
        let declared: BTreeSet<RuleId> = fault.rules.iter().chain(fault.follows).copied().collect();
        let more = found.difference(&declared);
        wrong.extend(more.map(|r| format!("{} breaks {r} as well, in {}", fault.name, shown_by(&broken, *r))));
        wrong.extend(declared.difference(&found).map(|r| format!("{} does not break {r}", fault.name)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_follows_from_a_mistake_is_never_broken_alone() {
    let mut wrong = Vec::new();
    for fault in FAULTS.iter().filter(|fault| !fault.follows.is_empty()) {
        for (name, rules) in broken_by(fault) {
            if !rules.iter().any(|rule| fault.rules.contains(rule)) {
                let rules: Vec<&str> = rules.into_iter().map(RuleId::as_str).collect();
                wrong.push(format!("{}: {name} breaks {} and no rule of its own", fault.name, rules.join(", ")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_fault_shows_where_its_needs_are_met_and_nowhere_else() {
    let mut wrong = Vec::new();
    for fault in FAULTS.iter() {
        let broken = broken_by(fault);
        let (met, unmet): (Vec<_>, Vec<_>) =
            cases(fault).iter().filter(|s| broken.contains_key(&s.name)).partition(|s| meets(&s.case, fault.needs));
        if met.is_empty() {
            wrong.push(format!("{} shows in no case that has what it needs", fault.name));
        }
        if fault.needs != Needs::OneHandler {
            wrong.extend(unmet.iter().map(|s| format!("{} shows in {} as well", fault.name, s.name)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether a case has what a fault needs to show; for [`Needs::OneHandler`], no more than that.
pub(crate) fn meets(case: &Case, needs: Needs) -> bool {
    match needs {
        Needs::OneHandler => handlers(case) == 1 && case.moments_count() == 1,
        Needs::TwoHandlers => handlers(case) > 1,
        Needs::TwoSteps => case.moments_count() > 1,
        Needs::Limit => is_at_a_limit(case),
    }
}

/// How many handlers the settings hold, copies included.
fn handlers(case: &Case) -> usize {
    let events = case.settings.iter().filter_map(|layer| layer.settings.get("hooks")?.as_object());
    let groups = events.flat_map(|events| events.values()).filter_map(Value::as_array).flatten();
    groups.filter_map(|group| group.get("hooks")?.as_array()).map(Vec::len).sum()
}

/// Whether a text is about as long, or a step repeated about as often, as the least limit of the contract.
fn is_at_a_limit(case: &Case) -> bool {
    let long = |text: &hookproof_contract::Text| text.bytes().len() >= 2_000;
    case.moments_count() >= 8 || case.results.values().any(|result| long(&result.out) || long(&result.err))
}
