//! A ratchet on proof: which scored rules are not proven yet stands in a list that may only grow shorter.

use crate::common::ROOT;
use hookproof::{
    corpus::Corpus,
    coverage::{Standing, coverage},
    select::Filters,
};
use std::{collections::BTreeSet, env, fs, path::Path};

/// The list: an id a line.
const LIST: &str = "snapshots/unproven.txt";
/// With this variable set, what is proven by now is taken off the list. Nothing is ever put on it but by hand.
const TIGHTEN: &str = "TIGHTEN";

/// The scored rules that are not proven, in the order of the rule table.
fn unproven() -> Vec<&'static str> {
    let corpus = Corpus::embedded().expect("names are unique");
    let all = coverage(&corpus, &Filters::default()).expect("the corpus is well-formed");
    let open = all.iter().filter(|c| !matches!(c.standing, Standing::Proven | Standing::NotScored(_)));
    open.map(|covered| covered.rule.id.as_str()).collect()
}

#[test]
fn every_scored_rule_is_proven_or_on_the_list_of_those_that_are_not_yet() {
    let path = Path::new(ROOT).join(LIST);
    let unproven = unproven();
    let list = fs::read_to_string(&path).expect("the list is there");
    let listed: BTreeSet<&str> = list.lines().collect();
    if env::var_os(TIGHTEN).is_some() {
        let left = unproven.iter().filter(|id| listed.contains(*id));
        fs::write(&path, left.map(|id| format!("{id}\n")).collect::<String>()).expect("the list is written");
    }
    let new: Vec<&str> = unproven.iter().copied().filter(|id| !listed.contains(id)).collect();
    assert!(
        new.is_empty(),
        "these scored rules are not proven, and not in {LIST}: each wants a case whose `then` names it and a fault that breaks it \
         (`hookproof explain ID` tells which lacks)\n{}",
        new.join("\n")
    );
    let list = fs::read_to_string(&path).expect("the list is there");
    let wanted: String = unproven.iter().map(|id| format!("{id}\n")).collect();
    let open: BTreeSet<&str> = unproven.into_iter().collect();
    let gone: Vec<&str> = list.lines().filter(|id| !open.contains(id)).collect();
    assert!(
        gone.is_empty(),
        "these are proven by now, or not scored: take them off {LIST} (`{TIGHTEN}=1 cargo test --test cli ratchet` does)\n{}",
        gone.join("\n")
    );
    assert!(list == wanted, "{LIST} has each rule once, in the order of the rule table: `{TIGHTEN}=1` puts it so");
}
