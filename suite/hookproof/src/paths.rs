//! Where the paths that a person names lead to.

use crate::exit::Failure;
use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// How many links are followed to a place where nothing is yet; a ring of links has no end.
const LINKS: usize = 40;

/// The path with its links followed, also to where nothing is yet: what is created at the path, is created there.
#[must_use]
pub fn resolved(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        if let Ok(whole) = path.canonicalize() {
            return whole;
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let folder = folder.canonicalize().unwrap_or(folder);
        match (fs::read_link(&path), path.file_name()) {
            (Ok(target), _) => path = folder.join(target),
            (Err(_), Some(name)) => return folder.join(name),
            (Err(_), None) => return path,
        }
    }
    path
}

/// Sees to it that no two options name the same file, of which one would overwrite the other's.
///
/// # Errors
///
/// When two do.
pub fn apart(named: &[(&str, Option<&Path>)]) -> Result<(), Failure> {
    let given: Vec<(&str, &Path)> = named.iter().filter_map(|(what, path)| path.map(|path| (*what, path))).collect();
    for (i, (one, path)) in given.iter().enumerate() {
        if let Some((other, _)) = given[i + 1..].iter().find(|(_, other)| is_same(path, other)) {
            return Err(Failure::usage(format_args!(
                "{one} and {other} name the same file, {}; each needs one of its own",
                resolved(path).display()
            )));
        }
    }
    Ok(())
}

/// Whether two paths lead to one file, by links of either kind.
fn is_same(a: &Path, b: &Path) -> bool {
    let id = |path: &Path| fs::metadata(path).ok().map(|found| (found.dev(), found.ino()));
    resolved(a) == resolved(b) || id(a).is_some_and(|one| id(b) == Some(one))
}

#[cfg(test)]
mod tests {
    use super::{apart, resolved};
    use std::{fs, os::unix::fs::symlink};

    #[test]
    fn two_spellings_of_a_file_are_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("there"), "").expect("a file");
        fs::hard_link(path("there"), path("hard")).expect("a link");
        symlink("there", path("soft")).expect("a link");
        symlink("./new", path("to-new")).expect("a link");
        symlink("ring", path("ring")).expect("a link");
        let same = |a: &str, b: &str| apart(&[("--a", Some(&path(a))), ("none", None), ("--b", Some(&path(b)))]);
        for (a, b) in [("there", "./there"), ("there", "hard"), ("soft", "there"), ("new", "./new"), ("to-new", "new")]
        {
            let told = same(a, b).expect_err("they are one").message;
            assert!(told.starts_with("--a and --b name the same file, /"), "{told}");
        }
        for (a, b) in [("there", "new"), ("soft", "to-new"), ("ring", "there"), ("no/where", "where")] {
            assert_eq!(same(a, b), Ok(()), "{a} {b}");
        }
        assert_eq!(
            resolved(&path("to-new")),
            path("new").parent().expect("a folder").canonicalize().expect("it is there").join("new")
        );
    }
}
