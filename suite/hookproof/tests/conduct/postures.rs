//! Each posture variant passes everything and is observed as itself; the untouched reference shows the default readings.

use crate::stage::{Scene, corpus, generated};
use hookproof_contract::{PointId, Reading, Readings, World};
use hookproof_reference::{Runtime, hello, variants};
use std::collections::{BTreeMap, BTreeSet};

/// How many generated cases the ordinary tests play.
const SEEDS: u64 = 3_000;
/// How many the long one plays.
const MANY_SEEDS: u64 = 200_000;

/// The reference, or one of its variants.
struct Candidate {
    name: String,
    /// The reading that makes it a variant.
    own: Option<Reading>,
    runtime: Runtime,
}

fn candidates() -> Vec<Candidate> {
    let reference = Candidate { name: "the reference".to_owned(), own: None, runtime: Runtime::new() };
    let variant = |(name, readings): (String, Readings)| {
        let own = readings.iter().next();
        Candidate { name, own, runtime: Runtime::with_readings(readings) }
    };
    std::iter::once(reference).chain(variants().into_iter().map(variant)).collect()
}

/// The worlds of a case that a candidate holds entirely, case by case.
type Held<'s> = Vec<(&'s str, Vec<&'s World>)>;

fn held<'s>(candidate: &Candidate, scenes: &'s [Scene]) -> Held<'s> {
    let hello = hello();
    let asking = scenes.iter().filter(|scene| !scene.expectation.worlds.is_empty());
    asking
        .map(|scene| {
            let worlds = scene.judge(&candidate.runtime, &hello).worlds;
            (scene.name.as_str(), worlds.into_iter().map(|at| &scene.expectation.worlds[at]).collect())
        })
        .collect()
}

/// What the cases together leave of each point's readings: a world counts only as long as all its readings are still possible.
fn possible(held: &Held<'_>) -> BTreeMap<PointId, BTreeSet<u8>> {
    let points = held.iter().flat_map(|(_, worlds)| worlds).flat_map(|world| world.readings.iter());
    let mut possible: BTreeMap<PointId, BTreeSet<u8>> = points.map(|r| (r.point, all(r.point))).collect();
    loop {
        let before = possible.clone();
        for (_, worlds) in held {
            let fits = |world: &&&World| world.readings.iter().all(|r| possible[&r.point].contains(&r.index));
            let fitting: Vec<&&World> = worlds.iter().filter(fits).collect();
            let asked: BTreeSet<PointId> =
                worlds.iter().flat_map(|world| world.readings.iter()).map(|reading| reading.point).collect();
            for point in asked {
                let allowed = fitting.iter().flat_map(|world| match world.readings.get(point) {
                    Some(reading) => BTreeSet::from([reading.index]),
                    None => all(point),
                });
                let allowed: BTreeSet<u8> = allowed.collect();
                possible.entry(point).and_modify(|left| left.retain(|index| allowed.contains(index)));
            }
        }
        if possible == before {
            return possible;
        }
    }
}

fn all(point: PointId) -> BTreeSet<u8> {
    (0..point.readings().len()).filter_map(|at| u8::try_from(at).ok()).collect()
}

/// How many readings a point has under which something is claimed.
fn telling(point: PointId) -> usize {
    point.readings().iter().filter(|name| **name != "free").count()
}

/// Whether a world is one of a runtime with this reading, as far as the point goes.
fn is_of(world: &World, reading: Reading) -> bool {
    world.readings.get(reading.point).is_none_or(|other| other == reading)
}

/// What is wrong with the conduct of the candidates: common claims that are broken, and cases that no reading explains, or
/// not the candidate's own.
fn misconduct(scenes: impl Iterator<Item = Scene>) -> Vec<String> {
    let (candidates, hello) = (candidates(), hello());
    let mut wrong = Vec::new();
    for scene in scenes {
        for candidate in &candidates {
            let judgement = scene.judge(&candidate.runtime, &hello);
            let worlds = &scene.expectation.worlds;
            if !judgement.is_clean() {
                let rules: Vec<&str> = scene.broken(&judgement).map(|rule| rule.as_str()).collect();
                wrong.push(format!("{} breaks {} in {}", candidate.name, rules.join(", "), scene.name));
            }
            let explains = |at: &usize| candidate.own.is_none_or(|own| is_of(&worlds[*at], own));
            if !worlds.is_empty() && !judgement.worlds.iter().any(explains) {
                wrong.push(format!("{}: no fitting reading explains {}", candidate.name, scene.name));
            }
        }
    }
    wrong
}

#[test]
fn every_variant_passes_the_corpus_and_generated_cases_and_its_reading_explains_them() {
    let wrong = misconduct(corpus().into_iter().chain(generated(0..SEEDS)));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "minutes: cargo test --release --test conduct -- --ignored"]
fn every_variant_passes_two_hundred_thousand_generated_cases() {
    let wrong = misconduct(generated(0..MANY_SEEDS));
    assert!(wrong.is_empty(), "{} failures\n{}", wrong.len(), wrong[..wrong.len().min(50)].join("\n"));
}

#[test]
fn every_variant_is_observed_as_itself_on_the_corpus() {
    let scenes = corpus();
    let mut wrong = Vec::new();
    for candidate in candidates() {
        let Some(own) = candidate.own else { continue };
        let possible = possible(&held(&candidate, &scenes));
        let left = possible.get(&own.point).cloned().unwrap_or_else(|| all(own.point));
        if !left.contains(&own.index) || left.contains(&0) {
            wrong.push(format!("{} could be {}", candidate.name, words(own.point, &left)));
        }
        for (point, left) in possible.iter().filter(|(point, left)| **point != own.point && !left.contains(&0)) {
            wrong.push(format!("{} shows {point} as {}", candidate.name, words(*point, left)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_corpus_asks_about_every_point_and_the_reference_shows_its_default() {
    let scenes = corpus();
    let reference = Candidate { name: String::new(), own: None, runtime: Runtime::new() };
    let possible = possible(&held(&reference, &scenes));
    let mut wrong = Vec::new();
    for point in PointId::all().filter(|point| telling(*point) > 1) {
        match possible.get(&point) {
            None => wrong.push(format!("{point} is not asked about")),
            Some(left) if !left.contains(&0) => wrong.push(format!("{point} could be {}", words(point, left))),
            Some(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn words(point: PointId, indices: &BTreeSet<u8>) -> String {
    let names: Vec<&str> = indices.iter().map(|at| point.readings()[usize::from(*at)]).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", or ") }
}
