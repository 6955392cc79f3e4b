//! The pages about the rules in `docs/rules`.

use crate::common::{ROOT, run, shown, snapshot};
use hookproof::{corpus::Corpus, pages::pages};
use hookproof_contract::{Point, Rule, Settled};
use std::{collections::BTreeSet, fs, path::Path};

const FOLDER: &str = "docs/rules";
const RENEW: &str = "cargo run -- pages docs/rules";

#[test]
fn the_pages_are_those_of_the_rule_table_the_corpus_and_the_faults() {
    let pages = pages(&Corpus::embedded().expect("names are unique")).expect("the corpus is well-formed");
    let folder = Path::new(ROOT).join(FOLDER);
    let old: Vec<&String> = pages
        .iter()
        .filter(|(name, text)| fs::read_to_string(folder.join(name)).ok().as_ref() != Some(*text))
        .map(|(name, _)| name)
        .collect();
    assert!(old.is_empty(), "not current: {old:?}; write them anew: {RENEW}");
    for found in fs::read_dir(folder).expect("the pages are there") {
        let name = found.expect("it can be read").file_name().into_string().expect("UTF-8");
        assert!(pages.contains_key(&name), "{FOLDER}/{name} is no page that `{RENEW}` writes");
    }
}

#[test]
fn every_rule_has_a_section_and_every_link_leads_somewhere() {
    let pages = pages(&Corpus::embedded().expect("names are unique")).expect("the corpus is well-formed");
    for rule in Rule::all() {
        let page = &pages[&format!("{}.md", rule.chapter)];
        assert_eq!(page.matches(&format!("\n## {}\n", rule.id)).count(), 1, "{}", rule.id);
    }
    let targets: BTreeSet<&str> =
        pages.values().flat_map(|page| page.split("](").skip(1)).filter_map(|rest| rest.split(')').next()).collect();
    for target in targets {
        match target.split_once('#') {
            Some((page, anchor)) => {
                assert!(pages[page].to_lowercase().contains(&format!("\n## {anchor}\n")), "{target}")
            }
            None => {
                let is_there = pages.contains_key(target) || Path::new(ROOT).join(FOLDER).join(target).is_file();
                assert!(is_there, "{target}");
            }
        }
    }
}

#[test]
fn every_open_point_and_every_settled_question_has_a_row() {
    let pages = pages(&Corpus::embedded().expect("names are unique")).expect("the corpus is well-formed");
    let open = Point::all().iter().map(|point| point.id.as_str());
    for id in open.chain(Settled::all().iter().map(|settled| settled.id.as_str())) {
        assert_eq!(pages["open-points.md"].matches(&format!("\n| {id} | ")).count(), 1, "{id}");
    }
}

#[test]
fn the_command_writes_the_pages() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("new/rules");
    let out = out.to_str().expect("UTF-8");
    let ran = run(&["pages", out]);
    assert_eq!(ran.code, 0);
    snapshot!("pages", shown(&ran, &[(out, "[DIR]")]));
    let index = |path: &Path| fs::read_to_string(path.join("README.md")).expect("an index");
    assert_eq!(index(Path::new(out)), index(&Path::new(ROOT).join(FOLDER)));
    let taken = folder.path().join("taken");
    fs::write(&taken, "").expect("a file");
    let taken = taken.to_str().expect("UTF-8");
    let ran = run(&["pages", taken]);
    assert_eq!(ran.code, 2);
    snapshot!("pages-into-a-file", shown(&ran, &[(taken, "[FILE]")]));
}
