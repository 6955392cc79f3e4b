//! Case files that are wrong: one error, with the file, the pointer and what is allowed, and exit 2.

use crate::common::{ROOT, finish, fixture, hookproof, shown, snapshot};
use std::{
    ffi::OsStr,
    fs,
    os::unix::{ffi::OsStrExt, fs::symlink},
    path::Path,
};

const NAME: &str = "exit-codes/a-guard-that-exits-2-blocks.json";

fn good() -> String {
    fs::read_to_string(fixture("corpus").join(NAME)).expect("a case file")
}

fn put(folder: &Path, name: &str, text: &[u8]) {
    let file = folder.join(name);
    fs::create_dir_all(file.parent().expect("a folder")).expect("it can be made");
    fs::write(file, text).expect("it can be written");
}

fn error(folder: &Path, arguments: &[&str]) -> String {
    let mut command = hookproof(arguments);
    command.current_dir(folder);
    let ran = finish(command);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    shown(&ran, &[])
}

/// The ways in which a case file can be wrong.
fn wrong() -> Vec<(&'static str, String)> {
    let good = good();
    let edit = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        good.replacen(from, to, 1)
    };
    vec![
        ("syntax", edit("\"case\": {", "\"case\": {,")),
        ("cut-short", good[..good.len() / 2].to_owned()),
        ("empty", String::new()),
        ("unknown-field", edit("\"case\": {", "\"case\": {\"hosts\": {},")),
        ("unknown-event", edit("\"event\": \"PreToolUse\"", "\"event\": \"PreToolUsed\"")),
        ("wrong-type", edit("{\"exit\": 2}", "{\"exit\": \"2\"}")),
        (
            "missing-field",
            edit("\"about\": \"a guard that exits 2 blocks the call, and the model reads its stderr\",", ""),
        ),
        ("unknown-rule", edit("\"EXIT-2-05\"", "\"EXIT-2-5\"")),
        ("rule-not-listed", edit("\"EXIT-2-05\", ", "")),
        ("key-twice", edit("\"case\": {", "\"case\": {\"results\": {},")),
        ("impossible-claim", edit("{\"be\": \"prevented\"}", "{\"run_exactly\": []}")),
        ("no-such-step", edit("{\"at\": \"fate\"", "{\"steps\": [0, 3], \"at\": \"fate\"")),
        ("near-miss-of-nothing", edit("/results/guard/end\"", "/results/nobody/end\"")),
        ("byte-order-mark", format!("\u{feff}{good}")),
        ("number-out-of-range", edit("{\"exit\": 2}", "{\"exit\": 2}, \"rank\": 70000")),
        ("nested-too-deeply", edit("\"case\": {", &format!("\"case\": {{\"host\": {}", "[".repeat(10_000)))),
        ("too-many-steps", edit("{\"fire\": {", "{\"fire\": {\"times\": 4294967295, ")),
        (
            "near-miss-too-large",
            edit("\"/results/guard/end\"", "\"/steps/0/fire/times\": 5000, \"/results/guard/end\""),
        ),
        ("unknown-mode", edit("\"case\": {", "\"case\": {\"host\": {\"permission_mode\": \"yolo\"},")),
        ("result-of-nobody", edit("\"results\": {", "\"results\": {\"nobody\": {\"end\": {\"exit\": 2}}, ")),
        (
            "endless-pattern",
            edit("\"matcher\": \"Bash\"", "\"matcher\": \"((a|b)+)+$\"")
                .replace("\"Bash\"", &format!("\"{}\"", "ab".repeat(20))),
        ),
        ("no-end", edit("{\"exit\": 2}", "{}")),
        ("end-without-code", edit("{\"exit\": 2}", "\"exit\"")),
        ("no-text", edit("\"GUARD-ERR\"}", "{}}")),
        ("fill-without-count", edit("\"GUARD-ERR\"}", "{\"fill\": \"x\"}}")),
        ("empty-step", edit("\"steps\": [", "\"steps\": [{}, ")),
        ("an-array", "[]".to_owned()),
        ("too-much-text", edit("\"GUARD-ERR\"}", "{\"fill\": [\"GUARD-ERR\", 9000000000]}}")),
    ]
}

#[test]
fn each_flaw_of_a_corpus_names_file_pointer_and_what_is_allowed() {
    for (name, text) in wrong() {
        let folder = tempfile::tempdir().expect("a folder");
        put(folder.path(), &format!("corpus/{NAME}"), text.as_bytes());
        snapshot!(format!("file-{name}"), error(folder.path(), &["run", "--corpus", "corpus"]));
    }
}

#[test]
fn each_flaw_of_a_named_file_is_the_same_error() {
    for (name, text) in wrong() {
        let folder = tempfile::tempdir().expect("a folder");
        put(folder.path(), "x.json", text.as_bytes());
        for command in ["replay", "expect", "why", "shrink"] {
            let said = error(folder.path(), &[command, "x.json"]);
            assert!(said.contains("error: x.json: "), "{name}: {said}");
        }
    }
}

#[test]
fn a_bare_case_is_read_as_one() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "bare.json", br#"{"settings": [], "steps": [{"fire": {"event": "PreToolUse", "times": "2"}}]}"#);
    snapshot!("file-bare-case", error(folder.path(), &["replay", "bare.json"]));
}

#[test]
fn names_are_unique_and_files_lie_in_their_chapter() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), &format!("corpus/{NAME}"), good().as_bytes());
    put(folder.path(), "corpus/stdout/a-guard-that-exits-2-blocks.json", good().as_bytes());
    snapshot!("file-duplicate-name", error(folder.path(), &["run", "--corpus", "corpus"]));

    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "corpus/stdout/a-guard.json", good().as_bytes());
    snapshot!("file-wrong-chapter", error(folder.path(), &["run", "--corpus", "corpus"]));

    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "corpus/exits/a-guard.json", good().as_bytes());
    snapshot!("file-unknown-chapter", error(folder.path(), &["run", "--corpus", "corpus"]));

    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "corpus/a-guard.json", good().as_bytes());
    snapshot!("file-no-chapter", error(folder.path(), &["run", "--corpus", "corpus"]));
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    snapshot!("file-no-corpus", error(folder.path(), &["run", "--corpus", "nowhere"]));
    put(folder.path(), "latin.json", b"{\"about\": \"caf\xe9\"}");
    snapshot!("file-not-utf-8", error(folder.path(), &["replay", "latin.json"]));
    snapshot!("file-no-output", error(folder.path(), &["run", "--output", "no/such/folder/report"]));
    snapshot!("file-no-trace", error(folder.path(), &["run", "--trace", "no/such/folder/trace"]));
}

#[test]
fn a_near_miss_that_is_not_there_is_told_how_many_are() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "x.json", good().as_bytes());
    snapshot!("file-no-near-miss", error(folder.path(), &["replay", "x.json#2"]));
    let said = error(folder.path(), &["replay", "x.json#99999999999999999999999"]);
    assert!(said.contains("there is no near-miss 99999999999999999999999: it has 1"), "{said}");
}

#[test]
fn what_is_no_ordinary_file_or_too_long_is_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), &format!("corpus/{NAME}"), good().as_bytes());
    let odd = folder.path().join("corpus/exit-codes/odd.json");
    let fifo = std::process::Command::new("mkfifo").arg(&odd).status().expect("mkfifo runs");
    assert!(fifo.success());
    let run = ["run", "--corpus", "corpus"];
    snapshot!("file-fifo", error(folder.path(), &run));
    for target in ["/dev/zero", "nowhere"] {
        fs::remove_file(&odd).expect("it can go");
        symlink(target, &odd).expect("a link");
        assert!(error(folder.path(), &run).contains("corpus/exit-codes/odd.json"));
    }
    fs::remove_file(&odd).expect("it can go");
    fs::write(&odd, vec![b' '; 5 << 20]).expect("it can be written");
    snapshot!("file-too-long", error(folder.path(), &run));
}

#[test]
fn a_link_that_leads_back_and_a_name_that_is_no_text_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), &format!("corpus/{NAME}"), good().as_bytes());
    symlink(".", folder.path().join("corpus/exit-codes/again")).expect("a link");
    snapshot!("file-link-back", error(folder.path(), &["run", "--corpus", "corpus"]));
    fs::remove_file(folder.path().join("corpus/exit-codes/again")).expect("it can go");
    let name = OsStr::from_bytes(b"caf\xe9.json");
    fs::write(folder.path().join("corpus/exit-codes").join(name), good()).expect("it can be written");
    assert!(error(folder.path(), &["run", "--corpus", "corpus"]).contains("the file's path is no UTF-8"));
}

#[test]
fn a_folder_that_is_named_like_a_file_is_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "corpus/exit-codes/x.json/a-guard.json", good().as_bytes());
    let mut command = hookproof(&["run", "--corpus", "corpus"]);
    command.current_dir(folder.path());
    assert_eq!(finish(command).code, 0);
}

#[test]
fn regressions_are_played_with_the_cases() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), &format!("corpus/cases/{NAME}"), good().as_bytes());
    put(folder.path(), "corpus/regressions/once-it-crashed.json", good().as_bytes());
    let mut command = hookproof(&["list", "--cases", "--corpus", "corpus"]);
    command.current_dir(folder.path());
    let ran = finish(command);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("regressions/once-it-crashed"), "{}", ran.out);
}

#[test]
fn the_binary_holds_every_case_file_of_the_repository() {
    let mut count = 0;
    let mut folders = vec![Path::new(ROOT).join("corpus/cases")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "json") {
                count += 1;
            }
        }
    }
    let corpus = hookproof::corpus::Corpus::embedded().expect("names are unique");
    assert_eq!(corpus.entries().iter().filter(|e| e.chapter.is_some()).count(), count);
}
