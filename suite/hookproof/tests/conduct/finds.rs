//! What the generator finds by itself, without the corpus: the first generated case in which each fault breaks a claim.

use crate::stage::{expectation, many_seeds, weigh};
use hookproof_reference::{FAULTS, Fault, Runtime, hello};
use std::sync::Arc;

/// How many cases the ordinary test draws.
const SEEDS: u64 = 20_000;

/// For each fault, in how many cases of how many drawn it was found first; the same cases are drawn for all.
fn finds(limit: u64) -> Vec<(&'static Fault, Option<u64>)> {
    let hello = hello();
    let mut finds: Vec<_> = FAULTS.iter().map(|fault| (fault, None)).collect();
    let mut runtimes: Vec<_> = FAULTS.iter().map(Runtime::with_fault).enumerate().collect();
    for seed in 0..limit {
        if runtimes.is_empty() {
            break;
        }
        let case = Arc::new(hookproof_generate::from_seed(seed));
        let Some(expectation) = expectation(&case) else { continue };
        runtimes.retain(|(number, runtime)| {
            let is_clean = weigh(&case, &expectation, &runtime.play(&case), &hello).is_clean();
            if !is_clean {
                finds[*number].1 = Some(seed + 1);
            }
            is_clean
        });
    }
    finds
}

fn count(finds: &[(&'static Fault, Option<u64>)]) -> usize {
    finds.iter().filter(|(_, seed)| seed.is_some()).count()
}

#[test]
fn twenty_thousand_generated_cases_find_four_fifths_of_the_faults() {
    let finds = finds(SEEDS);
    let missed: Vec<&str> = finds.iter().filter(|(_, seed)| seed.is_none()).map(|(fault, _)| fault.name).collect();
    assert!(count(&finds) * 5 >= FAULTS.len() * 4, "not found: {}", missed.join(", "));
}

#[test]
#[ignore = "minutes: scripts/find-faults"]
fn a_million_generated_cases_find_nine_tenths_of_the_faults() {
    let limit = many_seeds("FIND_FAULTS_SEEDS");
    let mut finds = finds(limit);
    finds.sort_by_key(|(_, seed)| seed.unwrap_or(u64::MAX));
    for (fault, seed) in &finds {
        println!("{:>9}  {}", seed.map_or_else(|| "-".to_owned(), |seed| seed.to_string()), fault.name);
    }
    println!("{} of {} faults found in {limit} generated cases", count(&finds), FAULTS.len());
    assert!(count(&finds) * 10 >= FAULTS.len() * 9);
}
