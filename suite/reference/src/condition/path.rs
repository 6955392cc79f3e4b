//! Patterns of paths, as in rules about file tools.

use crate::{given::resolved, settings::is_like};

/// A file, and what its path and patterns are taken from.
pub(super) struct Place<'a> {
    pub(super) cwd: &'a str,
    pub(super) home: Option<&'a String>,
    pub(super) file: &'a str,
}

impl Place<'_> {
    /// Whether the file is like a pattern. Without a slash in its middle it may lie anywhere under the directory in which the
    /// pattern begins. Whether `directory/**` is such a pattern too depends on the revision.
    pub(super) fn is_like(&self, pattern: &str, one_directory_is_anchored: bool) -> bool {
        let (from, pattern) = self.beginning(pattern);
        let file = self.absolute(self.file);
        let Some(below) = file.strip_prefix(from.trim_end_matches('/')).filter(|rest| rest.starts_with('/')) else {
            return false;
        };
        let mut pattern: Vec<&str> = segments(pattern).collect();
        let one_directory = matches!(pattern[..], [directory, "**"] if directory != "**");
        if pattern.len() == 1 || (one_directory && !one_directory_is_anchored) {
            pattern.insert(0, "**");
        }
        segments_fit(&pattern, &segments(below).collect::<Vec<_>>())
    }

    /// The directory in which a pattern begins, and the rest of it.
    fn beginning<'p>(&self, pattern: &'p str) -> (String, &'p str) {
        if let Some(rest) = pattern.strip_prefix("//") {
            return ("/".to_owned(), rest);
        }
        match pattern.strip_prefix("~/") {
            Some(rest) => (self.absolute("~"), rest),
            None => (resolved(self.cwd, ""), pattern),
        }
    }

    fn absolute(&self, path: &str) -> String {
        match path.strip_prefix('~').filter(|below| below.is_empty() || below.starts_with('/')) {
            Some(below) => resolved(self.home.map_or("/home/user", String::as_str), below),
            None if path.starts_with('/') => resolved("/", path),
            None => resolved(self.cwd, path),
        }
    }
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|segment| !matches!(*segment, "" | "."))
}

/// Whether the parts of a path are like those of a pattern, in which `**` stands for any number of them.
fn segments_fit(pattern: &[&str], path: &[&str]) -> bool {
    let (mut at, mut done) = (0, 0);
    // Where the last `**` stood, and how much of the path it stands for the end of.
    let mut open: Option<(usize, usize)> = None;
    while done < path.len() {
        match pattern.get(at) {
            Some(&"**") => {
                open = Some((at, done));
                at += 1;
            }
            Some(part) if is_like(path[done], part) => {
                at += 1;
                done += 1;
            }
            _ => {
                let Some((stars, end)) = open else { return false };
                open = Some((stars, end + 1));
                (at, done) = (stars + 1, end + 1);
            }
        }
    }
    pattern[at..].iter().all(|part| *part == "**")
}
