//! Turns the ids in `rules.json` and `open-points.json` into constants, so that a misspelt rule or reading is a compile error.
//!
//! Both files hold one entry a line; only the ids and the readings are read here. `the_constants_and_the_table_agree` in
//! `rules.rs` and `points.rs` proves that the full JSON readers see the same.

#![expect(clippy::expect_used, clippy::panic, reason = "a build script says what is wrong and ends")]

use std::{env, fs, path::Path};

fn main() {
    let rules = lines("rules.json");
    // An entry without readings is a question that is settled, and not one that anybody asks.
    let points: Vec<String> = lines("open-points.json").into_iter().filter(|l| l.contains("\"readings\":")).collect();
    let mut out = String::from("pub(crate) const RULES: &[&str] = &[\n");
    for line in &rules {
        out.push_str(&format!("    {:?},\n", string_after(line, "\"id\":")));
    }
    out.push_str("];\npub(crate) const POINTS: &[(&str, &[&str])] = &[\n");
    for line in &points {
        out.push_str(&format!(
            "    ({:?}, &{:?}),\n",
            string_after(line, "\"id\":"),
            strings_after(line, "\"readings\":")
        ));
    }
    out.push_str("];\n");
    let target = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&target).join("ids.rs"), out).expect("OUT_DIR is writable");
}

/// The lines of a table that hold an entry.
fn lines(file: &str) -> Vec<String> {
    println!("cargo:rerun-if-changed={file}");
    let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{file}: {e}"));
    text.lines().filter(|l| l.contains("\"id\":")).map(str::to_owned).collect()
}

/// The JSON string that follows a key. Ids hold no escapes.
fn string_after<'a>(line: &'a str, key: &str) -> &'a str {
    let rest = &line[line.find(key).unwrap_or_else(|| panic!("no {key} in {line}")) + key.len()..];
    rest.split('"').nth(1).expect("a string follows the key")
}

/// The JSON strings of the array that follows a key. Readings hold no escapes and no brackets.
fn strings_after<'a>(line: &'a str, key: &str) -> Vec<&'a str> {
    let rest = &line[line.find(key).unwrap_or_else(|| panic!("no {key} in {line}")) + key.len()..];
    let inside = &rest[rest.find('[').expect("an array follows") + 1..rest.find(']').expect("the array ends")];
    inside.split('"').skip(1).step_by(2).collect()
}
