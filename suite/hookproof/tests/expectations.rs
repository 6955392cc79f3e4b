//! What the model demands of every case of the corpus, as one table a chapter that a reviewer can read.
//!
//! Left out is what is demanded of every handler alike (the fields that all inputs share), told once by
//! `what_every_handler_is_given` below.

use hookproof::{corpus::Corpus, words};
use hookproof_contract::{Claim, Expectation, Place, Readings, Revision, RuleId, rule};
use hookproof_model::expect;
use std::{collections::BTreeMap, fmt::Write as _};

/// The rules of the input fields that all events share.
const SHARED: &[RuleId] = &[
    rule!("INPUT-EVENTNAME-01"),
    rule!("INPUT-SESSIONID-01"),
    rule!("INPUT-TRANSCRIPT-01"),
    rule!("INPUT-CWD-01"),
    rule!("INPUT-AGENTID-01"),
    rule!("INPUT-AGENTTYPE-01"),
    rule!("INPUT-MODEL-01"),
    rule!("INPUT-PERMMODE-04"),
];

fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/expectations"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

fn line(table: &mut String, claim: &Claim) {
    let steps = match claim.steps {
        None => "*".to_owned(),
        Some([first, last]) if first == last => first.to_string(),
        Some([first, last]) => format!("{first}-{last}"),
    };
    let _ =
        writeln!(table, "    {steps:4} {:40} {:60} {}", words::place(claim), words::demand(&claim.must), claim.rule);
}

fn rows(table: &mut String, about: &str, expectation: &Expectation) {
    let _ = writeln!(table, "  {about}");
    let telling = |claim: &&Claim| !(matches!(claim.at, Place::Given(_)) && SHARED.contains(&claim.rule));
    expectation.claims.iter().filter(telling).for_each(|claim| line(table, claim));
    for world in &expectation.worlds {
        let _ = writeln!(table, "   where {}", world.readings);
        world.claims.iter().filter(telling).for_each(|claim| line(table, claim));
    }
}

#[test]
fn what_each_chapter_demands_is_as_reviewed() {
    let corpus = Corpus::embedded().expect("the corpus is well-formed");
    let mut chapters: BTreeMap<&str, String> = BTreeMap::new();
    for entry in corpus.entries() {
        let file = entry.read().expect("the corpus is well-formed");
        let chapter = entry.chapter.map_or("regressions", |c| c.name());
        let table = chapters.entry(chapter).or_insert_with(|| "case\n    step place, demand, rule\n\n".to_owned());
        let _ = writeln!(table, "{}", entry.name);
        for (about, case, _) in file.variants().expect("they were checked") {
            let expectation = expect(Revision::NEWEST, &Readings::default(), &case).expect("the corpus is modelled");
            rows(table, about, &expectation);
        }
    }
    settings().bind(|| {
        for (chapter, table) in &chapters {
            insta::assert_snapshot!(*chapter, table);
        }
    });
}

#[test]
fn what_every_handler_is_given() {
    let corpus = Corpus::embedded().expect("the corpus is well-formed");
    let mut told: BTreeMap<RuleId, String> = BTreeMap::new();
    for entry in corpus.entries() {
        let file = entry.read().expect("the corpus is well-formed");
        let expectation = expect(Revision::NEWEST, &Readings::default(), &file.case).expect("the corpus is modelled");
        for claim in expectation.claims.iter().filter(|c| SHARED.contains(&c.rule)) {
            let first = || format!("{} {}", claim.path.as_deref().unwrap_or_default(), words::demand(&claim.must));
            told.entry(claim.rule).or_insert_with(first);
        }
    }
    let table: Vec<String> = told.iter().map(|(rule, first)| format!("{rule:22} {first}")).collect();
    settings().bind(|| insta::assert_snapshot!("shared-input", table.join("\n")));
}

/// The claims that come and go between the two frozen revisions: one line for each gate that the corpus touches.
#[test]
fn what_flips_between_the_revisions() {
    let corpus = Corpus::embedded().expect("the corpus is well-formed");
    let mut flips: BTreeMap<String, usize> = BTreeMap::new();
    for entry in corpus.entries() {
        let file = entry.read().expect("the corpus is well-formed");
        for (_, case, _) in file.variants().expect("they were checked") {
            let at = |revision| expect(revision, &Readings::default(), &case).expect("the corpus is modelled").claims;
            let [old, new] = Revision::KNOWN.map(at);
            let same = |a: &Claim, b: &Claim| {
                a.at == b.at && a.of == b.of && a.path == b.path && a.must == b.must && a.steps == b.steps
            };
            for claim in new.iter().filter(|n| !old.iter().any(|o| same(o, n))) {
                *flips.entry(format!("+ {}", claim.rule)).or_default() += 1;
            }
            for claim in old.iter().filter(|o| !new.iter().any(|n| same(o, n))) {
                *flips.entry(format!("- {}", claim.rule)).or_default() += 1;
            }
        }
    }
    let table: Vec<String> = flips.iter().map(|(rule, n)| format!("{rule}: {n}")).collect();
    settings().bind(|| insta::assert_snapshot!("gates", table.join("\n")));
}
