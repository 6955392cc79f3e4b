//! What the integration tests share: running the command, and snapshots of all that it says.

use assert_cmd::Command;
use std::path::PathBuf;

/// The top of the repository.
pub(crate) const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A file of the fixtures.
pub(crate) fn fixture(name: &str) -> PathBuf {
    PathBuf::from(ROOT).join("suite/hookproof/tests/fixtures").join(name)
}

/// The command, without anything of this environment that colours its answers.
pub(crate) fn hookproof(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("hookproof").expect("it is built");
    command.args(args).current_dir(ROOT);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM", "COLORTERM", "CI"] {
        command.env_remove(name);
    }
    command
}

/// What a run of the command came to.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs the command.
pub(crate) fn run(args: &[&str]) -> Ran {
    finish(hookproof(args))
}

/// Runs a prepared command.
pub(crate) fn finish(mut command: Command) -> Ran {
    let output = command.output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Ran { code: output.status.code().expect("an exit code"), out: text(output.stdout), err: text(output.stderr) }
}

/// The words of a canned adapter that answers every step with this outcome.
pub(crate) fn canned<'a>(rest: &[&'a str]) -> Vec<&'a str> {
    let script = "suite/hookproof/tests/fixtures/canned.py";
    [&["--", "python3", script], rest].concat()
}

/// The corpus of the fixtures.
pub(crate) const CORPUS: [&str; 2] = ["--corpus", "suite/hookproof/tests/fixtures/corpus"];

/// Everything that a run said, as a snapshot shows it. What differs from release to release and from place to place is put out.
pub(crate) fn shown(ran: &Ran, replaced: &[(&str, &str)]) -> String {
    let mut text = format!("exit {}\n--- stdout\n{}--- stderr\n{}", ran.code, ran.out, ran.err);
    for (from, to) in replaced {
        text = text.replace(from, to);
    }
    for before in SCORED {
        text = without_number(&text, before);
    }
    text.replace(concat!("hookproof ", env!("CARGO_PKG_VERSION")), "hookproof [VERSION]")
        .replace(concat!("reference ", env!("CARGO_PKG_VERSION")), "reference [VERSION]")
        .replace(concat!("\"", env!("CARGO_PKG_VERSION"), "\""), "\"[VERSION]\"")
}

/// What stands around the number of scored rules, which changes with the rule table.
const SCORED: [(&str, &str); 5] = [
    (" of ", " in scope checked"),
    (" of ", " rules in scope checked"),
    (" of ", " scored rules checked"),
    ("\"in_scope\":", "}"),
    ("\"scored\":", "}"),
];

/// A text without the number that stands between two others.
fn without_number(text: &str, (before, after): (&str, &str)) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(after) {
        let (head, tail) = rest.split_at(at);
        let digits = head.len() - head.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let number = head.len() - digits;
        let is_it = digits > 0 && head[..number].ends_with(before);
        out.push_str(if is_it { &head[..number] } else { head });
        out.push_str(if is_it { "[SCORED]" } else { "" });
        out.push_str(after);
        rest = &tail[after.len()..];
    }
    out + rest
}

/// Asserts a snapshot in the folder of all snapshots.
macro_rules! snapshot {
    ($name:expr, $text:expr) => {
        insta::with_settings!({
            snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, { insta::assert_snapshot!($name, $text) })
    };
}
pub(crate) use snapshot;
