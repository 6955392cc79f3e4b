//! What is required at each revision, and what of it is proven.

use crate::common::{CORPUS, ROOT, run, shown, snapshot};
use std::{fs, path::Path};

#[test]
fn the_command_prints_the_frozen_sets() {
    for revision in ["2.1.240", "2.1.290"] {
        let file = Path::new(ROOT).join(format!("suite/contract/requirements/{revision}.txt"));
        let ran = run(&["requirements", "--revision", revision]);
        assert_eq!((ran.code, ran.out), (0, fs::read_to_string(file).expect("a frozen set")));
    }
    assert_eq!(run(&["requirements"]).out, run(&["requirements", "--revision", "2.1.290"]).out);
}

#[test]
fn a_set_between_the_frozen_ones_is_computed() {
    let line = |revision: &str| {
        let set = run(&["requirements", "--revision", revision]).out;
        set.lines().find(|line| line.starts_with("PREMODEL-OUT-02 ")).expect("each rule has a line").to_owned()
    };
    assert_eq!(line("2.1.250"), "PREMODEL-OUT-02 does not hold");
    assert_eq!(line("2.1.251"), "PREMODEL-OUT-02 scored");
}

#[test]
fn a_rule_is_explained_with_why_it_is_not_scored() {
    for (name, rule) in [("explain-not-scored", "CONFIG-HANDLER-01"), ("explain-in-part", "INPUT-CWD-01")] {
        let arguments = [&["explain", rule], &CORPUS[..]].concat();
        snapshot!(name, shown(&run(&arguments), &[]));
    }
}

#[test]
fn a_profile_chooses_cases_and_the_report_says_out_of_how_many() {
    let ran = run(&[&["run", "--profile", "core"], &CORPUS[..]].concat());
    snapshot!("run-profile-core", shown(&ran, &[]));
    let whole = run(&[&["run", "--profile", "full"], &CORPUS[..]].concat());
    assert_eq!(whole.out, run(&[&["run"], &CORPUS[..]].concat()).out, "full is what is played unless told otherwise");
    let none = run(&["run", "--profile", "core", "--chapter", "elicitation"]);
    assert_eq!(none.code, 4);
    snapshot!("profile-without-a-case", shown(&none, &[]));
    let wrong = run(&["run", "--profile", "small"]);
    assert_eq!(wrong.code, 2);
    snapshot!("unknown-profile", shown(&wrong, &[]));
}

#[test]
fn a_profile_chooses_what_is_listed() {
    let count = |arguments: &[&str]| run(arguments).out.lines().count();
    for what in ["--cases", "--rules"] {
        let (core, standard) = (["list", what, "--profile", "core"], ["list", what, "--profile", "standard"]);
        assert!(0 < count(&core) && count(&core) < count(&standard) && count(&standard) < count(&["list", what]));
    }
    let covered = run(&["coverage", "--profile", "core"]);
    assert!(covered.code == 0 && !covered.out.contains("\nelicitation"), "{}", covered.out);
}
