//! What of the corpus could go without a loss: `scripts/redundant`.
//!
//! A near-miss, or a case file with all its near-misses, proves something that is lost with it if nothing else does: it names a rule,
//! makes a fault break a rule, does so with no more than the fault needs, shows a posture variant as itself, or has an event meet a kind
//! of ending or fills its cell with a claim.

use crate::{
    cells::{Ending, filling, met},
    faults::meets,
    stage::{expectation, weigh},
};
use hookproof::{
    corpus::Corpus,
    posture::Observed,
    run::Trial,
    select::{Filters, trials},
};
use hookproof_contract::{Event, Reading, Readings, RuleId};
use hookproof_reference::{FAULTS, Runtime, hello, variants};
use std::collections::{BTreeMap, BTreeSet};

/// Something that a case proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Proof {
    /// It names the rule.
    Names(RuleId),
    /// In it the fault breaks the rule.
    Breaks(&'static str, RuleId),
    /// In it the fault shows, with what it needs for that and no more.
    Suits(&'static str),
    /// It tells the variant with this reading from the reference.
    Shows(Reading),
    /// In it a handler of the event ends so, and prints something or nothing.
    Meets(Event, Ending, bool),
    /// It fills the cell of the table of events and endings.
    Fills(Event, Ending),
}

/// What could go: the numbers of the trials, by the name of the near-miss or of the file.
type Parts = BTreeMap<String, Vec<usize>>;

/// What each trial proves.
fn proofs(trials: &[Trial]) -> Vec<BTreeSet<Proof>> {
    let hello = hello();
    let faults: Vec<_> = FAULTS.iter().map(|fault| (fault, Runtime::with_fault(fault))).collect();
    let variant = |readings: Readings| {
        let own = readings.iter().next()?;
        Some((own, Runtime::with_readings(readings)))
    };
    let variants: Vec<_> = variants().into_iter().filter_map(|(_, readings)| variant(readings)).collect();
    let of = |trial: &Trial| {
        let mut proofs: BTreeSet<Proof> = trial.rules.iter().copied().map(Proof::Names).collect();
        let expectation = expectation(&trial.case).expect("the corpus is modelled");
        for (fault, runtime) in &faults {
            let judgement = weigh(&trial.case, &expectation, &runtime.play(&trial.case), &hello);
            let rules = judgement.misses.iter().map(|miss| expectation.claims[miss.claim].rule);
            proofs.extend(rules.map(|rule| Proof::Breaks(fault.name, rule)));
            let suits = !judgement.misses.is_empty() && meets(&trial.case, fault.needs);
            proofs.extend(suits.then_some(Proof::Suits(fault.name)));
        }
        for (own, runtime) in variants.iter().filter(|_| !expectation.worlds.is_empty()) {
            let judgement = weigh(&trial.case, &expectation, &runtime.play(&trial.case), &hello);
            let mut observed = Observed::default();
            observed.see(&trial.name, &expectation.worlds, &judgement);
            let shows = observed.points().any(|(point, shown)| point == own.point && !shown.fits.contains(&0));
            proofs.extend(shows.then_some(Proof::Shows(*own)));
        }
        let met = met(&trial.case, &Runtime::new().play(&trial.case));
        proofs.extend(met.iter().map(|met| Proof::Meets(met.event, met.ending, met.spoke)));
        proofs
    };
    let cells = filling();
    assert_eq!(cells.len(), trials.len(), "both are in the order of the corpus");
    let fills = |cells: BTreeSet<(Event, Ending)>| cells.into_iter().map(|(event, ending)| Proof::Fills(event, ending));
    trials.iter().zip(cells).map(|(trial, cells)| of(trial).into_iter().chain(fills(cells)).collect()).collect()
}

/// Which parts could each go alone, and which of these can all go together, taken in the order of their names.
fn redundant<'p>(parts: &'p Parts, proofs: &[BTreeSet<Proof>]) -> (Vec<&'p str>, BTreeSet<&'p str>) {
    let mut left: BTreeMap<Proof, usize> = BTreeMap::new();
    proofs.iter().flatten().for_each(|proof| *left.entry(*proof).or_default() += 1);
    let of = |part: &[usize]| {
        let mut of: BTreeMap<Proof, usize> = BTreeMap::new();
        part.iter().flat_map(|trial| &proofs[*trial]).for_each(|proof| *of.entry(*proof).or_default() += 1);
        of
    };
    let can_go = |part: &[usize], left: &BTreeMap<Proof, usize>| of(part).iter().all(|(proof, n)| left[proof] > *n);
    let alone: Vec<&str> =
        parts.iter().filter(|(_, part)| can_go(part, &left)).map(|(name, _)| name.as_str()).collect();
    let mut together = BTreeSet::new();
    for name in &alone {
        if can_go(&parts[*name], &left) {
            of(&parts[*name]).iter().for_each(|(proof, n)| *left.entry(*proof).or_default() -= n);
            together.insert(*name);
        }
    }
    (alone, together)
}

#[test]
#[ignore = "a list for people: scripts/redundant"]
fn what_could_go_without_a_loss() {
    let corpus = Corpus::embedded().expect("names are unique");
    let trials: Vec<Trial> = trials(&corpus, &Filters::default()).map(|trial| trial.expect("well-formed")).collect();
    let proofs = proofs(&trials);
    let (mut files, mut near) = (Parts::new(), Parts::new());
    for (number, trial) in trials.iter().enumerate() {
        let file = trial.name.split_once('#').map_or(trial.name.as_str(), |(file, _)| file);
        files.entry(file.to_owned()).or_default().push(number);
        if trial.name != file {
            near.insert(trial.name.clone(), vec![number]);
        }
    }
    for (what, parts) in [("case files, with their near-misses", files), ("near-misses", near)] {
        let (alone, together) = redundant(&parts, &proofs);
        println!(
            "{what}: of {} each of {} could go alone, {} (*) all together",
            parts.len(),
            alone.len(),
            together.len()
        );
        for name in alone {
            println!("  {} {name}", if together.contains(name) { '*' } else { ' ' });
        }
    }
}

#[test]
fn what_alone_proves_something_cannot_go() {
    let (a, b) = (Proof::Meets(Event::Stop, Ending::Zero, false), Proof::Meets(Event::Stop, Ending::Two, false));
    let proofs = [[a].into(), [a].into(), [a, b].into(), [b].into()];
    let parts: Parts = (0..4).map(|trial| (format!("case {trial}"), vec![trial])).collect();
    let (alone, together) = redundant(&parts, &proofs);
    assert_eq!(alone, ["case 0", "case 1", "case 2", "case 3"]);
    assert_eq!(together, ["case 0", "case 1", "case 3"].into(), "one that has each of both stays");
    let whole: Parts = [("both".to_owned(), vec![2, 3])].into();
    assert_eq!(redundant(&whole, &proofs).0, Vec::<&str>::new(), "nothing else has the second");
}
