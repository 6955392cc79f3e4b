//! What must hold of every case file and of every claim, wherever it comes from.

#![expect(clippy::expect_used, reason = "a test says what is wrong and ends")]

use hookproof::corpus::Corpus;
use hookproof_contract::{
    Case, Claim, Event, Expectation, Level, NotScored, Place, Readings, Revision, Slot, WhatHappens, judge::judge,
};
use hookproof_model::expect;
use hookproof_reference::Runtime;
use proptest::prelude::{any, prop_assert, prop_assert_eq, prop_assume, proptest};
use std::collections::BTreeSet;

/// How many generated cases are looked at beside the corpus.
const GENERATED: u64 = 2_000;

/// Every case of the corpus, near-misses included, with the name by which it is told.
fn cases() -> Vec<(String, Case, Vec<Claim>)> {
    let corpus = Corpus::embedded().expect("the corpus is well-formed");
    let mut all = Vec::new();
    for entry in corpus.entries() {
        let file = entry.read().expect("the corpus is well-formed");
        for (about, case, then) in file.variants().expect("they were checked") {
            all.push((format!("{}: {about}", entry.name), case, then.to_vec()));
        }
    }
    all
}

/// All claims of an expectation, those of its worlds included.
fn claims(expectation: &Expectation) -> impl Iterator<Item = &Claim> {
    expectation.claims.iter().chain(expectation.worlds.iter().flat_map(|world| &world.claims))
}

/// The claim of a rule that says nothing of the event that it is claimed of, nor, where what hooks did shows later only, of one before.
fn out_of_place(case: &Case, expectation: &Expectation) -> Option<String> {
    let mut before = Vec::new();
    for moment in case.moments() {
        let WhatHappens::Fires(firing) = moment.what else { continue };
        let speaks_of_one_before = |c: &Claim| before.iter().any(|event| c.rule.rule().speaks_of(*event));
        let shows_later = |c: &Claim| c.at == Place::Set(Slot::Environment) && speaks_of_one_before(c);
        let stranger =
            |c: &&Claim| c.covers(moment.number) && !c.rule.rule().speaks_of(firing.event) && !shows_later(c);
        if let Some(claim) = claims(expectation).find(stranger) {
            return Some(format!("{} says nothing of {}: {claim:?}", claim.rule, firing.event));
        }
        before.push(firing.event);
    }
    None
}

/// What is wrong with the claims of an expectation.
fn malformed(case: &Case, expectation: &Expectation) -> Option<String> {
    if let Some(why) = out_of_place(case, expectation) {
        return Some(why);
    }
    for claim in claims(expectation) {
        if let Err(e) = claim.check_form() {
            return Some(format!("{claim:?}: {e}"));
        }
        if claim.rule.rule().level != Level::Must {
            return Some(format!("{} is not binding, so nothing may be claimed by it", claim.rule));
        }
        if claim.because.contains(&claim.rule) {
            return Some(format!("{} follows from itself", claim.rule));
        }
    }
    let worlds = std::iter::once(&expectation.claims).chain(expectation.worlds.iter().map(|w| &w.claims));
    for claims in worlds {
        for (i, claim) in claims.iter().enumerate() {
            let same = |c: &Claim| {
                c.steps == claim.steps
                    && c.at == claim.at
                    && c.of == claim.of
                    && c.path == claim.path
                    && c.must == claim.must
            };
            if claims[..i].iter().any(same) {
                return Some(format!("demanded twice: {claim:?}"));
            }
        }
    }
    None
}

#[test]
fn every_text_of_the_corpus_can_be_known_by_a_canary() {
    let wrong: Vec<String> = cases()
        .iter()
        .filter_map(|(name, case, _)| Some(format!("{name}: {}", hookproof_generate::lint(case).err()?)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_is_claimed_by_a_rule_that_does_not_bind() {
    for (name, case, then) in cases() {
        let expectation = expect(Revision::NEWEST, &Readings::default(), &case).expect("the corpus is modelled");
        assert_eq!(malformed(&case, &expectation), None, "{name}");
        for claim in then {
            assert_eq!(claim.rule.rule().level, Level::Must, "{name}: {}", claim.rule);
        }
    }
}

/// What a claim judges by is scored. A claim that only some readings of an open point demand may be of a rule that is open by it.
#[test]
fn every_rule_that_the_model_claims_is_scored() {
    let generated = (0..GENERATED).map(hookproof_generate::from_seed);
    let mut unscored: BTreeSet<String> = BTreeSet::new();
    for case in cases().into_iter().map(|(_, case, _)| case).chain(generated) {
        for revision in Revision::KNOWN {
            let Ok(expectation) = expect(revision, &Readings::default(), &case) else { continue };
            for rule in claims(&expectation).map(|claim| claim.rule.rule()) {
                let is_settled = expectation.claims.iter().any(|claim| claim.rule == rule.id);
                match rule.why_not_scored() {
                    None => {}
                    Some(NotScored::Open(_)) if !is_settled => {}
                    Some(reason) => _ = unscored.insert(format!("{}: {reason}", rule.id)),
                }
            }
        }
    }
    let unscored: Vec<String> = unscored.into_iter().collect();
    assert!(
        unscored.is_empty(),
        "the model claims them: take the `not_scored` out of rules.json, or say `\"in_part\":true` behind the evidence\n{}",
        unscored.join("\n")
    );
}

#[test]
fn every_case_says_what_follows_and_most_have_a_near_miss() {
    let corpus = Corpus::embedded().expect("the corpus is well-formed");
    let files: Vec<_> = corpus.entries().iter().map(|e| (e.name.clone(), e.read().expect("well-formed"))).collect();
    for (name, file) in &files {
        assert!(!file.then.is_empty(), "{name} claims nothing");
        assert!(file.but.iter().all(|near| !near.then.is_empty()), "{name} has a near-miss that claims nothing");
    }
    let with = files.iter().filter(|(_, file)| !file.but.is_empty()).count();
    assert!(with * 10 >= files.len() * 8, "{with} of {} cases have a near-miss", files.len());
}

#[test]
fn sentences_are_told_once() {
    let mut seen = BTreeSet::new();
    for entry in Corpus::embedded().expect("the corpus is well-formed").entries() {
        let about = entry.read().expect("well-formed").about;
        assert!(seen.insert(about.clone()), "two cases are about the same: {about}");
    }
}

/// An event is covered when all parts have it; this tells which has not.
#[test]
fn every_event_of_the_model_has_cases_is_drawn_and_is_played() {
    let events = |case: &Case| -> Vec<Event> {
        let fired = case.moments().filter_map(|m| match m.what {
            WhatHappens::Fires(firing) => Some(firing.event),
            WhatHappens::Happens(_) => None,
        });
        fired.collect()
    };
    let told: BTreeSet<Event> = cases().iter().flat_map(|(_, case, _)| events(case)).collect();
    let drawn: BTreeSet<Event> = (0..2_000).flat_map(|seed| events(&hookproof_generate::from_seed(seed))).collect();
    let hello = hookproof_reference::hello();
    for event in hookproof_model::modelled() {
        assert!(told.contains(&event), "no case of the corpus has {event}");
        assert!(drawn.contains(&event), "the generator draws no {event}: `EVENTS` of its plan.rs");
        assert!(hello.events.contains(&event), "the reference has no {event}: `EVENTS` of its hello.rs");
        let readme = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"));
        assert!(readme.contains(event.name()), "README.md does not name {event} among those that are covered");
    }
    for event in told.iter().chain(&drawn).chain(&hello.events) {
        assert!(
            hookproof_model::modelled().any(|known| known == *event),
            "the model has no {event}: `ROWS` of table.rs"
        );
    }
}

proptest! {
    /// Model, reference and judge agree on whatever the generator makes, and every claim has a possible form.
    #[test]
    fn the_readings_agree_on_generated_cases(bytes in proptest::collection::vec(any::<u8>(), 0..2048)) {
        let case = hookproof_generate::from_bytes(&bytes);
        let expectation = expect(Revision::NEWEST, &Readings::default(), &case);
        // A case may touch more open points than are worth playing through.
        prop_assume!(expectation.is_ok());
        let expectation = expectation.expect("it was assumed");
        prop_assert_eq!(malformed(&case, &expectation), None);
        let outcomes = Runtime::new().play(&case);
        let judgement = judge(&case, &expectation, &outcomes, &hookproof_reference::hello().observes);
        prop_assert!(judgement.is_clean(), "{:?}", judgement.misses.iter().map(|m| &expectation.claims[m.claim]).collect::<Vec<_>>());
        prop_assert!(expectation.worlds.is_empty() || !judgement.worlds.is_empty(), "no combination of readings explains it");
    }

    /// The model is a function of the case alone: the texts' spelling does not matter.
    #[test]
    fn a_case_over_the_wire_has_the_same_expectation(bytes in proptest::collection::vec(any::<u8>(), 0..1024)) {
        let case = hookproof_generate::from_bytes(&bytes);
        let wire: Case = serde_json::from_str(&serde_json::to_string(&case.to_wire()).expect("serialises")).expect("reads");
        let at = |case: &Case| expect(Revision::NEWEST, &Readings::default(), case);
        prop_assert_eq!(at(&case), at(&wire));
        prop_assert_eq!(Runtime::new().play(&case), Runtime::new().play(&wire));
    }
}
