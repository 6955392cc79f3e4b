//! Records: what a candidate does, case by case, as files that a person can read and a later release can be held against. One file a
//! chapter; in it a paragraph a case: its name, its verdict with the ways in which it fails, and what was done in each step.

use crate::{
    exit::{Failure, read_text},
    verdict::CaseResult,
    words,
};
use hookproof_contract::{Case, Outcome, Spill, Text, WhatHappens};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// What the files are called, after the name of the chapter.
const ENDING: &str = "txt";
/// How much of a text is written down; of a longer one its length is told as well.
const SHOWN: usize = 300;

/// What a candidate does in the cases of each chapter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    chapters: BTreeMap<String, BTreeMap<String, Entry>>,
}

/// What it does in a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The verdict, and for a failure the ways in which it fails.
    pub verdict: String,
    /// What was done, a line each.
    pub lines: Vec<String>,
}

/// How a case differs between two records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is in the second only.
    Appeared,
    /// It is in the first only.
    Gone,
    /// It fails now and did not.
    NewlyFailing(String),
    /// It passes now and did not.
    NewlyPassing(String),
    /// Verdict or deeds are others.
    Changed,
}

impl Record {
    /// Takes a result in.
    pub fn see(&mut self, result: &CaseResult) {
        let (chapter, name) = result.name.split_once('/').unwrap_or(("regressions", &result.name));
        let mut verdict = result.verdict.name().to_owned();
        let ways: Vec<String> = result.signatures().iter().map(ToString::to_string).collect();
        if !result.misses.is_empty() {
            verdict.push_str(&format!(": {}", ways.join("; ")));
        }
        let steps = result.outcomes.iter().enumerate();
        let lines = steps.flat_map(|(number, outcome)| told(&result.case, number, outcome)).collect();
        self.chapters.entry(chapter.to_owned()).or_default().insert(name.to_owned(), Entry { verdict, lines });
    }

    /// How many cases there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chapters.values().map(BTreeMap::len).sum()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chapters.is_empty()
    }

    /// The files, by name, with what is in them.
    #[must_use]
    pub fn files(&self) -> BTreeMap<String, String> {
        let text = |cases: &BTreeMap<String, Entry>| {
            let mut text = String::new();
            for (name, entry) in cases {
                text.push_str(&format!("{name}\n  {}\n", entry.verdict));
                entry.lines.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
                text.push('\n');
            }
            text
        };
        self.chapters.iter().map(|(chapter, cases)| (format!("{chapter}.{ENDING}"), text(cases))).collect()
    }

    /// Writes the files into a directory. Those of chapters that are not in the record are left alone.
    ///
    /// # Errors
    ///
    /// When one cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), Failure> {
        let unwritable = |path: &Path, e: &std::io::Error| Failure::io("write", path.display(), e);
        fs::create_dir_all(folder).map_err(|e| unwritable(folder, &e))?;
        for (name, text) in self.files() {
            let path = folder.join(name);
            fs::write(&path, text).map_err(|e| unwritable(&path, &e))?;
        }
        Ok(())
    }

    /// Reads the files of a directory.
    ///
    /// # Errors
    ///
    /// When it cannot be read, holds no record, or a file is none; says where.
    pub fn read(folder: &Path) -> Result<Record, Failure> {
        let unreadable = |e: &std::io::Error| Failure::io("read", folder.display(), e);
        let mut files: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(folder).map_err(|e| unreadable(&e))? {
            files.push(entry.map_err(|e| unreadable(&e))?.path());
        }
        files.retain(|path| path.extension().is_some_and(|ending| ending == ENDING) && path.is_file());
        let mut record = Record::default();
        for path in files {
            let chapter = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            record.chapters.insert(chapter, cases(&path, &read_text(&path)?)?);
        }
        if record.is_empty() {
            return Err(Failure::usage(format_args!("{}: there is no record in it (*.{ENDING})", folder.display())));
        }
        Ok(record)
    }

    /// What has changed from this record to another, by the name of the case.
    #[must_use]
    pub fn changes(&self, later: &Record) -> BTreeMap<String, Change> {
        let all = |record: &Record| -> BTreeMap<String, Entry> {
            let cases = record.chapters.iter().flat_map(|(chapter, cases)| {
                cases.iter().map(move |(name, entry)| (format!("{chapter}/{name}"), entry.clone()))
            });
            cases.collect()
        };
        let (before, after) = (all(self), all(later));
        let gone = before.keys().filter(|name| !after.contains_key(*name)).map(|name| (name.clone(), Change::Gone));
        let others = after.iter().filter_map(|(name, now)| Some((name.clone(), change(before.get(name), now)?)));
        gone.chain(others).collect()
    }
}

fn change(before: Option<&Entry>, now: &Entry) -> Option<Change> {
    let passes = |entry: &Entry| entry.verdict == "passed";
    let fails = |entry: &Entry| ["failed", "crashed", "timed out"].iter().any(|bad| entry.verdict.starts_with(bad));
    match before {
        None => Some(Change::Appeared),
        Some(before) if before == now => None,
        Some(before) if fails(now) && !fails(before) => Some(Change::NewlyFailing(now.verdict.clone())),
        Some(before) if passes(now) && !passes(before) => Some(Change::NewlyPassing(before.verdict.clone())),
        Some(_) => Some(Change::Changed),
    }
}

/// The paragraphs of a file.
fn cases(path: &Path, text: &str) -> Result<BTreeMap<String, Entry>, Failure> {
    let mut all = BTreeMap::new();
    let mut current: Option<(String, Entry)> = None;
    for (number, line) in text.lines().enumerate() {
        match (line.strip_prefix("  "), &mut current) {
            (Some(line), Some((_, entry))) if entry.verdict.is_empty() => entry.verdict = line.to_owned(),
            (Some(line), Some((_, entry))) => entry.lines.push(line.to_owned()),
            (Some(_), None) => {
                let (path, line) = (path.display(), number + 1);
                return Err(Failure::usage(format_args!("{path}: line {line}: a line of a case before its name")));
            }
            (None, _) => {
                all.extend(current.take());
                current = (!line.is_empty()).then(|| (line.to_owned(), Entry::default()));
            }
        }
    }
    all.extend(current);
    Ok(all)
}

/// What was done in a step, a line for each place; what differs from run to run is left out or written as what it is.
fn told(case: &Case, number: usize, outcome: &Outcome) -> Vec<String> {
    let firing = case.moments().nth(number).and_then(|moment| match moment.what {
        WhatHappens::Fires(firing) => Some(firing),
        WhatHappens::Happens(_) => None,
    });
    let mut lines = Vec::new();
    let mut line = |what: String| lines.push(format!("{number}: {what}"));
    let mut ran: Vec<String> = outcome.ran.iter().map(|ran| words::visible(&ran.handler)).collect();
    ran.sort();
    if !ran.is_empty() {
        line(format!("ran {}", ran.join(", ")));
    }
    if let Some(fate) = firing.map(|firing| outcome.fate_in(firing)).or(outcome.fate) {
        line(format!("fate {}", fate.name()));
    }
    if let Some(agent) = outcome.agent {
        line(format!("agent {}", agent.name()));
    }
    let mut said: Vec<String> = outcome
        .said
        .iter()
        .map(|said| {
            let how = said.how.map_or_else(String::new, |how| format!(", {}", how.name()));
            let file = match &said.spill {
                None => String::new(),
                Some(Spill::Path(_)) => ", the rest in a file".to_owned(),
                Some(Spill::Content(text)) => format!(", in a file of {} bytes", text.len()),
            };
            format!("said to {}{how}{file}: {}", said.to.name(), quoted(&said.text))
        })
        .collect();
    said.sort();
    said.into_iter().for_each(&mut line);
    for (slot, value) in &outcome.set {
        line(format!("set {}: {}", slot.name(), normal(value)));
    }
    lines
}

fn quoted(text: &Text) -> String {
    let text = text.lossy();
    let count = text.chars().count();
    let shown: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if count > SHOWN { format!("\"{shown}…\" ({count} characters)") } else { format!("\"{shown}\"") }
}

/// A value on one line.
fn normal(value: &Value) -> String {
    words::visible(&value.to_string())
}

#[cfg(test)]
mod tests {
    use super::{Change, Record};
    use crate::profile::Profile;
    use crate::verdict::{CaseResult, Verdict};
    use hookproof_contract::Outcome;
    use serde_json::{Value, json};
    use std::sync::Arc;

    fn result(name: &str, verdict: Verdict, outcome: Value) -> CaseResult {
        let case = json!({"settings": [], "steps": [{"fire": {"event": "PreToolUse"}}]});
        CaseResult {
            name: name.to_owned(),
            replay: String::new(),
            about: String::new(),
            profile: Profile::Full,
            case: Arc::new(serde_json::from_value(case).expect("a case")),
            verdict,
            why: None,
            misses: Vec::new(),
            held: 1,
            outcomes: vec![serde_json::from_value::<Outcome>(outcome).expect("an outcome")],
            stderr: String::new(),
            is_known: false,
        }
    }

    fn record(results: &[CaseResult]) -> Record {
        let mut record = Record::default();
        results.iter().for_each(|result| record.see(result));
        record
    }

    #[test]
    fn a_record_reads_as_it_was_written_and_tells_the_order_of_nothing() {
        let said = |a: &str, b: &str| json!({"said": [{"to": "user", "text": a}, {"to": "user", "text": b}], "set": {"tool_input": {"a": 1}}});
        let one =
            record(&[result("tools/a", Verdict::Pass, said("X\n", "Y")), result("b", Verdict::Crashed, json!({}))]);
        assert_eq!(
            one,
            record(&[result("b", Verdict::Crashed, json!({})), result("tools/a", Verdict::Pass, said("Y", "X\n"))])
        );
        let files = one.files();
        assert_eq!(
            files["tools.txt"],
            "a\n  passed\n  0: fate proceeds\n  0: said to user: \"X\\n\"\n  0: said to user: \"Y\"\n  0: set tool_input: {\"a\":1}\n\n"
        );
        let folder = tempfile::tempdir().expect("a folder");
        one.write(folder.path()).expect("it can be written");
        assert_eq!(Record::read(folder.path()).expect("a record"), one);
        assert!(Record::read(&folder.path().join("none")).is_err());
    }

    #[test]
    fn changes_are_told_by_what_they_mean() {
        let done = json!({"fate": "prevented"});
        let before = record(&[
            result("t/same", Verdict::Pass, json!({})),
            result("t/breaks", Verdict::Pass, json!({})),
            result("t/mends", Verdict::TimedOut, json!({})),
            result("t/other", Verdict::Pass, json!({})),
            result("t/gone", Verdict::Pass, json!({})),
        ]);
        let after = record(&[
            result("t/same", Verdict::Pass, json!({})),
            result("t/breaks", Verdict::Crashed, json!({})),
            result("t/mends", Verdict::Pass, json!({})),
            result("t/other", Verdict::Pass, done),
            result("t/new", Verdict::Pass, json!({})),
        ]);
        let changes: Vec<(String, Change)> = before.changes(&after).into_iter().collect();
        let name = |name: &str| format!("t/{name}");
        assert_eq!(
            changes,
            [
                (name("breaks"), Change::NewlyFailing("crashed".to_owned())),
                (name("gone"), Change::Gone),
                (name("mends"), Change::NewlyPassing("timed out".to_owned())),
                (name("new"), Change::Appeared),
                (name("other"), Change::Changed),
            ]
        );
    }
}
