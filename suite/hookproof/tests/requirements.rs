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
    for (name, rule) in [("explain-not-scored", "JSON-07"), ("explain-in-part", "INPUT-CWD-01")] {
        let arguments = [&["explain", rule], &CORPUS[..]].concat();
        snapshot!(name, shown(&run(&arguments), &[]));
    }
}
