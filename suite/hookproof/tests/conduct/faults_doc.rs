//! `docs/faults.md` tells of every fault what it does and what it breaks.

use hookproof_contract::RuleId;
use hookproof_reference::{FAULTS, Fault, Needs};
use std::{fs, path::Path};

fn list(rules: &[RuleId]) -> String {
    rules.iter().map(|rule| rule.as_str()).collect::<Vec<_>>().join(", ")
}

fn needs(needs: Needs) -> &'static str {
    match needs {
        Needs::OneHandler => "one handler",
        Needs::TwoHandlers => "two handlers",
        Needs::TwoSteps => "two steps",
        Needs::Limit => "a limit",
    }
}

fn row(fault: &Fault) -> String {
    format!(
        "| `{}` | {} | {} | {} | {} |",
        fault.name,
        fault.about,
        list(fault.rules),
        list(fault.follows),
        needs(fault.needs)
    )
}

#[test]
fn the_page_about_faults_has_a_row_for_each() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/faults.md");
    let page = fs::read_to_string(page).expect("the page is there");
    let told: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let wanted: Vec<String> = FAULTS.iter().map(row).collect();
    assert!(told == wanted, "the rows of docs/faults.md should be:\n\n{}\n", wanted.join("\n"));
}
