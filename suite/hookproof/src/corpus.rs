//! The corpus: the case files that lie in the binary, or those of a directory.
//!
//! The embedded files are decoded one at a time, when a run reaches them; a test reads them all. The files of a directory are
//! all read and checked before anything is played, so that a wrong file is one error and not half a report.

use crate::{
    bounds,
    exit::{Failure, read_text},
    written,
};
use hookproof_contract::{CaseFile, Chapter};
use std::{
    borrow::Cow,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/corpus.rs"));
}

/// Where a case file that is no chapter's lies: cases that once went wrong.
const REGRESSIONS: &str = "regressions";

/// A case file, not yet decoded.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name by which commands and reports speak of it: `chapter/sentence`.
    pub name: String,
    /// The chapter whose folder it lies in; a regression has none.
    pub chapter: Option<Chapter>,
    /// The file, as errors and replay lines show it.
    pub file: String,
    /// What is in it.
    pub text: Cow<'static, str>,
}

/// A set of case files, in the order of their names.
#[derive(Clone, Debug)]
pub struct Corpus {
    entries: Vec<Entry>,
    /// Whether the names alone find the files again.
    is_embedded: bool,
}

impl Corpus {
    /// The corpus that lies in the binary.
    ///
    /// # Errors
    ///
    /// When two files have the same name; a test proves that none do.
    pub fn embedded() -> Result<Corpus, Failure> {
        let strip = |path: &'static str| {
            path.strip_prefix("corpus/cases/").or_else(|| path.strip_prefix("corpus/")).unwrap_or(path)
        };
        let entries =
            embedded::FILES.iter().map(|(path, text)| entry(strip(path), (*path).to_owned(), Cow::Borrowed(*text)));
        Ok(Corpus { entries: without_twins(entries.collect::<Result<_, _>>()?)?, is_embedded: true })
    }

    /// The case files of a directory: `DIR/<chapter>/*.json`, or `DIR/cases/<chapter>/*.json` and `DIR/regressions/*.json`.
    ///
    /// # Errors
    ///
    /// Names the first file that is wrong, with the pointer and what is allowed there.
    pub fn at(directory: &Path) -> Result<Corpus, Failure> {
        let cases = directory.join("cases");
        let mut files = Vec::new();
        if cases.is_dir() {
            collect(&cases, &cases, &mut Vec::new(), &mut files)?;
            if directory.join(REGRESSIONS).is_dir() {
                collect(directory, &directory.join(REGRESSIONS), &mut Vec::new(), &mut files)?;
            }
        } else {
            collect(directory, directory, &mut Vec::new(), &mut files)?;
        }
        files.sort();
        let mut entries = Vec::with_capacity(files.len());
        for (below, path) in files {
            let text = read_text(&path)?;
            entries.push(entry(&below, path.display().to_string(), Cow::Owned(text))?);
        }
        let corpus = Corpus { entries: without_twins(entries)?, is_embedded: false };
        for entry in &corpus.entries {
            let file = entry.read()?;
            bounds::check_file(&file)
                .and_then(|()| written::check(&file))
                .map_err(|flaw| Failure::in_file(&entry.file, &flaw))?;
        }
        Ok(corpus)
    }

    /// The corpus of a `--corpus` option.
    ///
    /// # Errors
    ///
    /// As [`Corpus::at`].
    pub fn open(directory: Option<&Path>) -> Result<Corpus, Failure> {
        directory.map_or_else(Corpus::embedded, Corpus::at)
    }

    /// All files.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The file of that name, with or without its chapter.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Entry> {
        let name = name.strip_suffix(".json").unwrap_or(name);
        self.entries.iter().find(|e| e.name == name || e.stem() == name)
    }

    /// What `hookproof replay` finds a file by.
    #[must_use]
    pub fn shown<'a>(&self, entry: &'a Entry) -> &'a str {
        if self.is_embedded { &entry.name } else { &entry.file }
    }
}

impl Entry {
    /// The name without its chapter.
    #[must_use]
    pub fn stem(&self) -> &str {
        self.name.rsplit_once('/').map_or(&self.name, |(_, stem)| stem)
    }

    /// Decodes and checks the file.
    ///
    /// # Errors
    ///
    /// Names the file, the pointer and what is allowed there.
    pub fn read(&self) -> Result<CaseFile, Failure> {
        let file = CaseFile::read(&self.text).map_err(|flaw| Failure::in_file(&self.file, &flaw))?;
        if let Some(folder) = self.chapter
            && !file.rules.iter().any(|rule| rule.rule().chapter == folder)
        {
            let mut chapters: Vec<&str> = file.rules.iter().map(|rule| rule.rule().chapter.name()).collect();
            chapters.dedup();
            return Err(Failure::usage(format_args!(
                "{}: at /rules: none is of chapter `{folder}`, in whose folder the file lies; its rules are of {}",
                self.file,
                chapters.join(", ")
            )));
        }
        Ok(file)
    }
}

/// An entry from its path below the folder of cases.
fn entry(below: &str, file: String, text: Cow<'static, str>) -> Result<Entry, Failure> {
    let name = below.strip_suffix(".json").unwrap_or(below).to_owned();
    let chapter = match name.split_once('/') {
        Some((REGRESSIONS, _)) => None,
        Some((folder, _)) => match Chapter::ALL.iter().find(|c| c.name() == folder) {
            Some(chapter) => Some(*chapter),
            None => {
                let allowed: Vec<&str> = Chapter::ALL.iter().map(|c| c.name()).collect();
                return Err(Failure::usage(format_args!(
                    "{file}: `{folder}` is no chapter; allowed are {}, {REGRESSIONS}",
                    allowed.join(", ")
                )));
            }
        },
        None => return Err(Failure::usage(format_args!("{file}: a case file lies in the folder of its chapter"))),
    };
    Ok(Entry { name, chapter, file, text })
}

fn without_twins(mut entries: Vec<Entry>) -> Result<Vec<Entry>, Failure> {
    let mut files: BTreeMap<&str, &str> = BTreeMap::new();
    for entry in &entries {
        if let Some(other) = files.insert(entry.stem(), &entry.file) {
            return Err(Failure::usage(format_args!(
                "{}: the name `{}` is taken by {other}; each case has a name of its own",
                entry.file,
                entry.stem()
            )));
        }
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

/// The JSON files under a folder, each with its path below `root`. `above` are the folders that it lies in, by their real paths:
/// a link can lead back to one of them.
fn collect(
    root: &Path,
    folder: &Path,
    above: &mut Vec<PathBuf>,
    files: &mut Vec<(String, PathBuf)>,
) -> Result<(), Failure> {
    let unreadable = |e: &std::io::Error| Failure::io("read", folder.display(), e);
    let real = fs::canonicalize(folder).map_err(|e| unreadable(&e))?;
    if above.contains(&real) {
        let what = "the link leads back to a folder that it lies in";
        return Err(Failure::usage(format_args!("{}: {what}", folder.display())));
    }
    above.push(real);
    for found in fs::read_dir(folder).map_err(|e| unreadable(&e))? {
        let path = found.map_err(|e| unreadable(&e))?.path();
        if path.is_dir() {
            collect(root, &path, above, files)?;
        } else if path.extension().is_some_and(|e| e == "json") {
            if path.to_str().is_none() {
                // A report could not name it so that it is found again.
                return Err(Failure::usage(format_args!("{}: the file's path is no UTF-8", path.display())));
            }
            let below = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            files.push((below, path));
        }
    }
    above.pop();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Corpus;

    #[test]
    fn every_embedded_case_file_is_well_formed_and_in_its_chapter() {
        let corpus = Corpus::embedded().expect("names are unique");
        assert!(!corpus.entries().is_empty());
        let wrong: Vec<String> = corpus.entries().iter().filter_map(|e| e.read().err()).map(|e| e.message).collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn a_case_is_found_with_and_without_its_chapter() {
        let corpus = Corpus::embedded().expect("names are unique");
        let first = &corpus.entries()[0];
        for name in [first.name.clone(), first.stem().to_owned(), format!("{}.json", first.name)] {
            assert_eq!(corpus.find(&name).map(|e| &e.name), Some(&first.name));
        }
        assert!(corpus.find("no such case").is_none());
    }
}
