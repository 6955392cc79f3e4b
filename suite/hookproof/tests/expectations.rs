//! What the model demands of every case of the corpus, as one table a chapter that a reviewer can read.
//!
//! Left out is what is demanded of every handler alike (the fields that all inputs share), told once by
//! `what_every_handler_is_given` below.

#![expect(clippy::expect_used, reason = "a test says what is wrong and ends")]

use hookproof::{corpus::Corpus, words};
use hookproof_contract::{Claim, Expectation, Place, Readings, Revision, Rule, RuleId, rule};
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

/// For each gate of the rule table the claims that come and go with it: how many in the corpus, or why none.
#[test]
fn what_flips_at_each_gate() {
    let mut table = String::new();
    let gates = gates();
    for (older, newer) in gates.iter().zip(&gates[1..]) {
        let flips = flips(*older, *newer);
        let _ = writeln!(table, "{newer}");
        for (sign, rule) in gated(*newer) {
            if !flips.contains_key(&(sign, rule)) {
                let why = rule.rule().why_not_scored().map_or_else(|| "flips no claim".to_owned(), |w| w.to_string());
                let _ = writeln!(table, "  {sign} {rule}: {why}");
            }
        }
        for ((sign, rule), claims) in flips {
            let _ = writeln!(table, "  {sign} {rule}: {claims}");
        }
    }
    let _ = writeln!(table, "up to {}, so that nothing flips", Revision::OLDEST);
    for rule in Rule::all().iter().filter(|rule| rule.since.is_some_and(|since| since <= Revision::OLDEST)) {
        let _ = writeln!(table, "  + {}", rule.id);
    }
    settings().bind(|| insta::assert_snapshot!("gates", table));
}

/// The oldest revision, and each later one at which a rule begins or ceases to hold.
fn gates() -> Vec<Revision> {
    let all = Rule::all().iter().flat_map(|rule| [rule.since, rule.until]).flatten();
    let mut all: Vec<Revision> = all.filter(|gate| *gate > Revision::OLDEST).chain([Revision::OLDEST]).collect();
    all.sort_unstable();
    all.dedup();
    assert!(all.last().is_some_and(|last| *last <= Revision::NEWEST), "a gate lies beyond what is known");
    all
}

/// The rules that begin (`+`) or cease (`-`) to hold at a revision.
fn gated(revision: Revision) -> Vec<(char, RuleId)> {
    let with = |sign, gate: fn(&Rule) -> Option<Revision>| {
        Rule::all().iter().filter(move |rule| gate(rule) == Some(revision)).map(move |rule| (sign, rule.id))
    };
    with('+', |rule| rule.since).chain(with('-', |rule| rule.until)).collect()
}

/// How many claims of each rule the corpus gains and loses from one revision to another.
fn flips(older: Revision, newer: Revision) -> BTreeMap<(char, RuleId), usize> {
    let corpus = Corpus::embedded().expect("the corpus is well-formed");
    let mut flips: BTreeMap<(char, RuleId), usize> = BTreeMap::new();
    for entry in corpus.entries() {
        let file = entry.read().expect("the corpus is well-formed");
        for (_, case, _) in file.variants().expect("they were checked") {
            let at = |revision| expect(revision, &Readings::default(), &case).expect("the corpus is modelled").claims;
            let (old, new) = (at(older), at(newer));
            let same = |a: &Claim, b: &Claim| {
                a.at == b.at && a.of == b.of && a.path == b.path && a.must == b.must && a.steps == b.steps
            };
            for claim in new.iter().filter(|n| !old.iter().any(|o| same(o, n))) {
                *flips.entry(('+', claim.rule)).or_default() += 1;
            }
            for claim in old.iter().filter(|o| !new.iter().any(|n| same(o, n))) {
                *flips.entry(('-', claim.rule)).or_default() += 1;
            }
        }
    }
    flips
}
