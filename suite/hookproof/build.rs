//! Puts the corpus into the binary: a table of names and texts, decoded only when a case is wanted.

#![expect(clippy::expect_used, reason = "a build script says what is wrong and ends")]

use std::{
    env, fs,
    path::{Path, PathBuf},
};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    // The folder above: one that is not there yet would make every build start anew.
    println!("cargo:rerun-if-changed=corpus");
    for folder in ["corpus/cases", "corpus/regressions"] {
        collect(&root.join(folder), &mut files);
    }
    files.sort();
    let mut table = String::from("pub(super) const FILES: &[(&str, &str)] = &[\n");
    for file in files {
        println!("cargo:rerun-if-changed={}", file.display());
        let name = file.strip_prefix(&root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        table.push_str(&format!("    ({name:?}, include_str!({:?})),\n", file.display().to_string()));
    }
    table.push_str("];\n");
    let target = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&target).join("corpus.rs"), table).expect("OUT_DIR is writable");
}

/// The JSON files under a folder; a folder that is not there has none.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            println!("cargo:rerun-if-changed={}", path.display());
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "json") {
            files.push(path);
        }
    }
}
