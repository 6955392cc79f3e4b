//! The list of known failures: a file that says of each case in which ways it fails, so that a run can tell what is new, what is
//! mended, and what fails otherwise than before.

use crate::{
    exit::{Failure, read_text},
    paths,
    verdict::{CaseResult, Verdict},
    words,
};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs,
    path::{Path, PathBuf},
};

/// What stands at the beginning of a file.
const HEADER: &str = "\
# What is known to fail. `hookproof run --baseline FILE` ends with 0 as long as this is just what fails, and with 3 if not;
# with --update-baseline it writes the list anew. `why` is for people: it is kept.
";

/// A list of known failures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The cases, by name.
    #[serde(default, rename = "case")]
    cases: Vec<Known>,
}

/// A case that is known to fail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    name: String,
    /// In which ways: rule, place and harm, or what came instead of an answer.
    fails: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// Something about which the list and the run disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// It fails and is not in the list.
    Unknown(String),
    /// It is in the list and does not fail any more.
    Stale(String),
    /// It fails otherwise than the list says: the ways that are new, and those that are gone.
    Otherwise(String, Vec<String>, Vec<String>),
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The list is anybody's text.
        let (Misfit::Unknown(name) | Misfit::Stale(name) | Misfit::Otherwise(name, ..)) = self;
        let name = words::visible(name);
        match self {
            Misfit::Unknown(_) => write!(f, "unknown: {name} fails and is not in the list"),
            Misfit::Stale(_) => write!(f, "stale: {name} is in the list and does not fail"),
            Misfit::Otherwise(_, new, gone) => {
                write!(f, "otherwise: {name} fails in other ways than the list says")?;
                for (what, ways) in [("new", new), ("gone", gone)] {
                    if !ways.is_empty() {
                        write!(f, "; {what}: {}", words::visible(&ways.join(", ")))?;
                    }
                }
                Ok(())
            }
        }
    }
}

impl Baseline {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is no such list; says where and what is wrong.
    pub fn read(path: &Path) -> Result<Baseline, Failure> {
        let wrong = |what: &dyn fmt::Display| Failure::usage(format_args!("{}: {what}", path.display()));
        let text = read_text(path)?;
        let baseline: Baseline = toml::from_str(&text).map_err(|e| wrong(&flaw(&text, &e)))?;
        let mut names = BTreeSet::new();
        match baseline.cases.iter().find(|known| !names.insert(&known.name)) {
            Some(twice) => Err(wrong(&format_args!("the case `{}` stands there twice", words::visible(&twice.name)))),
            None => Ok(baseline),
        }
    }

    /// Tries whether the list can be written at the end of a run, so that the run is not for nothing.
    ///
    /// # Errors
    ///
    /// When it cannot. Nothing is left behind.
    pub fn has_room(path: &Path) -> Result<(), Failure> {
        let new = beside(&paths::resolved(path));
        let tried = fs::write(&new, "").and_then(|()| fs::remove_file(&new));
        tried.map_err(|e| Failure::io("write", path.display(), &e))
    }

    /// Writes a file: where a link leads to, and as open to others as it was.
    ///
    /// # Errors
    ///
    /// When it cannot be written; what was there before is then still there.
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        let unwritable = |e: &std::io::Error| Failure::io("write", path.display(), e);
        let text = toml::to_string_pretty(self).map_err(|e| unwritable(&std::io::Error::other(e)))?;
        let file = paths::resolved(path);
        let new = beside(&file);
        let written = fs::write(&new, format!("{HEADER}\n{text}"))
            .and_then(|()| fs::metadata(&file).map_or(Ok(()), |old| fs::set_permissions(&new, old.permissions())))
            .and_then(|()| fs::rename(&new, &file));
        written.map_err(|e| {
            drop(fs::remove_file(&new));
            unwritable(&e)
        })
    }

    fn find(&self, name: &str) -> Option<&Known> {
        self.cases.iter().find(|known| known.name == name)
    }
}

/// Where a list is written before it takes its place.
fn beside(file: &Path) -> PathBuf {
    file.with_extension(format!("{}.new", std::process::id()))
}

/// What is wrong with a text that is no list: where, and what is allowed, without the line, which may be of any length.
fn flaw(text: &str, error: &toml::de::Error) -> String {
    let what = words::cut_inside(&words::visible(error.message()));
    let Some(before) = error.span().and_then(|span| text.get(..span.start)) else { return what };
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    format!("line {line}, column {column}: {what}")
}

/// A list, held against a run.
#[derive(Clone, Debug)]
pub struct Comparison {
    baseline: Baseline,
    /// What failed, and in which ways.
    failed: BTreeMap<String, BTreeSet<String>>,
    /// What came to another verdict. What was not played, or not decided, says nothing about the list.
    others: BTreeSet<String>,
    undecided: BTreeSet<String>,
}

impl Comparison {
    /// Begins a comparison.
    #[must_use]
    pub fn new(baseline: Baseline) -> Comparison {
        Comparison { baseline, failed: BTreeMap::new(), others: BTreeSet::new(), undecided: BTreeSet::new() }
    }

    /// Takes a result in, and says whether it is a failure just as the list has it.
    pub fn see(&mut self, result: &CaseResult) -> bool {
        let name = result.name.clone();
        if !result.verdict.is_bad() {
            let is_open = result.verdict == Verdict::Undetermined || result.verdict.is_skip();
            let those = if is_open { &mut self.undecided } else { &mut self.others };
            those.insert(name);
            return false;
        }
        let ways: BTreeSet<String> = result.signatures().iter().map(ToString::to_string).collect();
        let is_known = self.baseline.find(&name).is_some_and(|known| known.fails == ways);
        self.failed.insert(name, ways);
        is_known
    }

    /// Where list and run disagree. `whole`: every case was played, so that a name that was not seen is none.
    #[must_use]
    pub fn misfits(&self, whole: bool) -> Vec<Misfit> {
        let unknown = self.failed.keys().filter(|name| self.baseline.find(name).is_none());
        let mut all: Vec<Misfit> = unknown.cloned().map(Misfit::Unknown).collect();
        for Known { name, fails, .. } in &self.baseline.cases {
            match self.failed.get(name) {
                Some(ways) if ways == fails => {}
                Some(ways) => {
                    let but = |a: &BTreeSet<String>, b| a.difference(b).cloned().collect();
                    all.push(Misfit::Otherwise(name.clone(), but(ways, fails), but(fails, ways)));
                }
                None if self.others.contains(name) || whole && !self.undecided.contains(name) => {
                    all.push(Misfit::Stale(name.clone()));
                }
                None => {}
            }
        }
        all
    }

    /// The list as it should be after this run: what was not played, or not decided, stays.
    #[must_use]
    pub fn updated(&self, whole: bool) -> Baseline {
        let is_kept = |known: &&Known| {
            let is_unseen = !self.failed.contains_key(&known.name) && !self.others.contains(&known.name);
            is_unseen && (!whole || self.undecided.contains(&known.name))
        };
        let mut cases: Vec<Known> = self.baseline.cases.iter().filter(is_kept).cloned().collect();
        cases.extend(self.failed.iter().map(|(name, ways)| Known {
            name: name.clone(),
            fails: ways.clone(),
            why: self.baseline.find(name).and_then(|known| known.why.clone()),
        }));
        cases.sort_by(|a, b| a.name.cmp(&b.name));
        Baseline { cases }
    }

    /// How many failures are just as the list has them.
    #[must_use]
    pub fn known(&self) -> usize {
        self.failed.iter().filter(|(name, ways)| self.baseline.find(name).is_some_and(|k| k.fails == **ways)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::{Baseline, Comparison, Misfit};
    use crate::profile::Profile;
    use crate::verdict::{CaseResult, Verdict};
    use std::{fs, os::unix::fs::PermissionsExt};

    fn result(name: &str, verdict: Verdict) -> CaseResult {
        CaseResult {
            name: name.to_owned(),
            replay: String::new(),
            about: String::new(),
            profile: Profile::Full,
            case: std::sync::Arc::default(),
            verdict,
            why: None,
            misses: Vec::new(),
            held: 0,
            outcomes: Vec::new(),
            stderr: String::new(),
            is_known: false,
        }
    }

    fn list(text: &str) -> Baseline {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("baseline.toml");
        fs::write(&file, text).expect("a file");
        Baseline::read(&file).expect("a list")
    }

    #[test]
    fn list_and_run_are_compared_both_ways() {
        let mut run = Comparison::new(list(
            r#"
            [[case]]
            name = "a/known"
            fails = ["crashed"]
            why = "it is old"
            [[case]]
            name = "a/stale"
            fails = ["failed"]
            [[case]]
            name = "a/otherwise"
            fails = ["crashed"]
            [[case]]
            name = "a/elsewhere"
            fails = ["failed"]
            "#,
        ));
        assert!(run.see(&result("a/known", Verdict::Crashed)));
        assert!(!run.see(&result("a/stale", Verdict::Pass)));
        assert!(!run.see(&result("a/otherwise", Verdict::TimedOut)));
        assert!(!run.see(&result("a/new", Verdict::Fail)));
        let stale = |name: &str| Misfit::Stale(name.to_owned());
        let otherwise = Misfit::Otherwise("a/otherwise".into(), vec!["timed-out".into()], vec!["crashed".into()]);
        let wanted = [Misfit::Unknown("a/new".into()), stale("a/stale"), otherwise];
        assert_eq!(run.misfits(false), wanted);
        assert_eq!(run.misfits(true).last(), Some(&stale("a/elsewhere")));
        assert_eq!(run.known(), 1);
        let names = |list: &Baseline| list.cases.iter().map(|known| known.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&run.updated(false)), ["a/elsewhere", "a/known", "a/new", "a/otherwise"]);
        let whole = run.updated(true);
        assert_eq!(names(&whole), ["a/known", "a/new", "a/otherwise"]);
        assert_eq!(whole.cases[0].why.as_deref(), Some("it is old"));
    }

    #[test]
    fn what_was_not_played_stays_in_the_list() {
        let known = list("[[case]]\nname = \"a/b\"\nfails = [\"failed\"]\nwhy = \"it is old\"\n");
        for verdict in [Verdict::NotApplicable, Verdict::NotTestable, Verdict::Undetermined] {
            let mut run = Comparison::new(known.clone());
            run.see(&result("a/b", verdict));
            for whole in [false, true] {
                assert_eq!(run.misfits(whole), [], "{verdict:?}");
                assert_eq!(run.updated(whole), known, "{verdict:?}");
            }
        }
    }

    #[test]
    fn a_list_is_written_where_a_link_leads_and_with_the_mode_it_had() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("list.toml"), folder.path().join("link.toml"));
        fs::write(&file, "").expect("a file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("a mode");
        std::os::unix::fs::symlink("list.toml", &link).expect("a link");
        Baseline::has_room(&link).expect("there is room");
        let known = list("[[case]]\nname = \"a/b\"\nfails = [\"failed\"]\n");
        known.write(&link).expect("it can be written");
        assert!(link.is_symlink());
        assert_eq!(Baseline::read(&file).expect("a list"), known);
        assert_eq!(fs::metadata(&file).expect("it is there").permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2, "nothing is left behind");
        Baseline::has_room(&folder.path().join("no/list.toml")).expect_err("there is no such folder");
    }

    #[test]
    fn what_a_list_holds_is_told_without_harm() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("list.toml");
        let told = |text: &str| {
            fs::write(&file, text).expect("a file");
            Baseline::read(&file).expect_err("it is no list").message
        };
        let long = "x".repeat(10_000);
        for text in [format!("\n{long} = 5\n"), format!("\ncase = \"{long}\""), format!("\ncase = {long}")] {
            let told = told(&text);
            assert!(told.contains(": line 2, column ") && told.len() < 1_000, "{told}");
        }
        assert!(told(&format!("{long} = 5\n")).contains("expected `case`"), "what is allowed is told");
        let twice = "[[case]]\nname = \"a\\u001b\\n\"\nfails = []\n";
        assert!(told(&twice.repeat(2)).contains(r"`a\u{1b}\n`"));
        for misfit in [
            Misfit::Unknown("a\u{1b}\n".into()),
            Misfit::Stale("a\u{1b}\n".into()),
            Misfit::Otherwise("a".into(), Vec::new(), vec!["a\u{1b}\n".into()]),
        ] {
            assert!(misfit.to_string().contains(r"a\u{1b}\n"), "{misfit}");
        }
    }

    #[test]
    fn a_list_that_is_written_reads_the_same() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("baseline.toml");
        let known = list("[[case]]\nname = \"a/b#1\"\nfails = [\"EXIT-2-02 fate fails-open\"]\nwhy = \"\\u00e9\"\n");
        known.write(&file).expect("it can be written");
        assert_eq!(Baseline::read(&file).expect("a list"), known);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left behind");
    }
}
