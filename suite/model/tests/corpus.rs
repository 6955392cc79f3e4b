//! The third reading: what a person wrote in the corpus, from the contract's text alone, must follow from the model.

#![expect(clippy::expect_used, reason = "a test says what is wrong and ends")]

use hookproof_contract::{Case, CaseFile, Claim, Readings, Revision, Rule, WhatHappens, judge::implies};
use hookproof_model::{expect, is_there};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/cases")
}

fn files() -> Vec<PathBuf> {
    let chapters = fs::read_dir(corpus()).expect("there is a corpus").map(|e| e.expect("readable").path());
    let mut all: Vec<PathBuf> =
        chapters.flat_map(|c| fs::read_dir(c).expect("a chapter").map(|e| e.expect("readable").path())).collect();
    all.sort();
    all
}

/// The steps that a claim speaks of.
fn steps(claim: &Claim, case: &Case) -> Vec<usize> {
    let fires = |m: &hookproof_contract::Moment<'_>| matches!(m.what, WhatHappens::Fires(_)) || claim.steps.is_some();
    case.moments().filter(fires).filter(|m| claim.covers(m.number)).map(|m| m.number).collect()
}

/// Whether a revision has all events of a case. Where it has not, most lines name rules that hold there, and still say nothing of it.
fn knows(case: &Case, revision: Revision) -> bool {
    case.moments().all(|moment| match moment.what {
        WhatHappens::Fires(firing) => is_there(firing.event, revision),
        _ => true,
    })
}

/// What is wrong with one hand-written claim, if anything.
fn disagreement(wanted: &Claim, case: &Case, made: &[Claim], revision: Revision) -> Option<String> {
    for step in steps(wanted, case) {
        let covering: Vec<&Claim> =
            made.iter().filter(|c| c.covers(step) && c.at == wanted.at && c.of == wanted.of).collect();
        let implying: Vec<&&Claim> = covering.iter().filter(|c| implies(c, wanted)).collect();
        if implying.is_empty() {
            let found: Vec<String> = covering
                .iter()
                .map(|c| format!("{} {}", c.rule, serde_json::to_string(&c.must).expect("serialises")))
                .collect();
            return Some(format!("step {step}: not implied; the model has: {}", found.join(" | ")));
        }
        // At older revisions a general rule may stand in for one that is gated out.
        if revision == Revision::NEWEST && !implying.iter().any(|c| c.rule == wanted.rule) {
            return Some(format!("step {step}: the model demands it by {}", implying[0].rule));
        }
    }
    None
}

#[test]
fn the_model_implies_every_line_that_was_written_by_hand() {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for path in files() {
        let name = path.strip_prefix(corpus()).expect("inside").display().to_string();
        let file =
            CaseFile::read(&fs::read_to_string(&path).expect("readable")).unwrap_or_else(|e| panic!("{name}: {e}"));
        if !file.rules.iter().any(|rule| name.starts_with(rule.rule().chapter.name())) {
            wrong.push(format!("{name}: none of its rules is of the chapter in whose folder it lies"));
        }
        for (about, case, then) in file.variants().expect("they were checked") {
            for revision in Revision::KNOWN.into_iter().filter(|revision| knows(&case, *revision)) {
                let made = match expect(revision, &Readings::default(), &case) {
                    Ok(expectation) => expectation.claims,
                    Err(e) => {
                        wrong.push(format!("{name}: {about}\n    {e}"));
                        continue;
                    }
                };
                for claim in then.iter().filter(|c| Rule::holds_at(c.rule.rule(), revision)) {
                    checked += 1;
                    if let Some(why) = disagreement(claim, &case, &made, revision) {
                        let claim = serde_json::to_string(claim).expect("serialises");
                        wrong.push(format!("{name}: {about} ({revision})\n    {claim}\n    {why}"));
                    }
                }
            }
        }
    }
    // What no revision covers is told once.
    wrong.dedup();
    assert!(checked > 500, "the corpus has gone: {checked} claims");
    assert!(wrong.is_empty(), "{} of {checked} claims:\n{}", wrong.len(), wrong.join("\n"));
}
