//! Rough handling: signals, full disks, readers that leave, arguments that are no text.

use crate::common::{CORPUS, ROOT, canned, finish, hookproof, run, shown, snapshot};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use std::{
    ffi::OsStr,
    fs,
    os::unix::{ffi::OsStrExt, process::ExitStatusExt},
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

/// No command may take longer to end.
const BOUND: Duration = Duration::from_secs(10);

fn with<'a>(parts: &[&[&'a str]]) -> Vec<&'a str> {
    parts.concat()
}

/// An adapter that heeds no polite signal, writes its process id into the file `$0` when it has got its first case, and answers
/// none.
const STUBBORN: &str = r#"
trap '' TERM INT HUP
read hello
echo '{"type":"hello","protocol":1,"candidate":{"name":"stubborn"},"revision":"2.1.290","depths":["resolve"],"events":["PreToolUse","Stop"],"handlers":["command"],"observes":["fate"]}'
read case
echo $$ > "$0"
while :; do sleep 1; done
"#;

/// Becomes the program that it is given, with no signal ignored: whoever runs the tests in the background ignores SIGINT, and what
/// is ignored stays so, in the tests and in what they start.
const HEEDFUL: &str = "import os, signal, sys
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])";

fn start(args: &[&str]) -> Child {
    let mut command = Command::new("python3");
    command.args(["-c", HEEDFUL]).arg(assert_cmd::cargo::cargo_bin("hookproof")).args(args);
    command.current_dir(ROOT).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("it starts")
}

fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let since = Instant::now();
    while !holds() {
        assert!(since.elapsed() < BOUND, "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

fn send(child: &Child, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a process id")).expect("a process id");
    kill_process(pid, signal).expect("it can be sent");
}

/// Starts a command against the stubborn adapter, sends a signal when the adapter is at work, and sees to it that neither is left.
fn interrupted(args: &[&str], signal: Signal) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let noted = folder.path().join("pid");
    let note = noted.to_str().expect("UTF-8");
    let child = start(&with(&[args, &["--", "sh", "-c", STUBBORN, note]]));
    let read = || fs::read_to_string(&noted).unwrap_or_default().trim().parse().ok().and_then(Pid::from_raw);
    wait_for("the adapter gets a case", || read().is_some());
    let adapter = read().expect("a process id");
    send(&child, signal);
    let since = Instant::now();
    let output = child.wait_with_output().expect("it ends");
    assert!(since.elapsed() < BOUND);
    wait_for("the adapter ends", || test_kill_process(adapter).is_err());
    assert_eq!(output.status.signal(), Some(signal.as_raw()), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

#[test]
fn a_signal_ends_a_run_and_its_adapter_and_what_was_found_is_told() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let output = interrupted(&with(&[&["run"], &CORPUS]), signal);
        let out = String::from_utf8_lossy(&output.stdout);
        assert!(out.contains("1 undetermined; the run was stopped before all were played"), "{out}");
        assert!(out.ends_with("the run ended early: a signal ended it\n"), "{out}");
    }
}

#[test]
fn a_run_that_a_signal_ended_is_not_called_as_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = folder.path().join("known.toml");
    fs::write(&list, "").expect("a file");
    let output = interrupted(&with(&[&["run", "--baseline", list.to_str().expect("UTF-8")], &CORPUS]), Signal::INT);
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(out.ends_with("the run ended early: a signal ended it\n"), "{out}");
}

#[test]
fn a_signal_ends_every_command_that_has_an_adapter() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("found");
    let out = out.to_str().expect("UTF-8");
    let case = "suite/hookproof/tests/fixtures/corpus/exit-codes/a-guard-that-exits-2-blocks.json";
    for args in [&["fuzz", "--seed", "1", "--out", out][..], &["shrink", case], &["replay", case], &["why", case]] {
        interrupted(args, Signal::TERM);
    }
    interrupted(&with(&[&["run", "--exec"], &CORPUS]), Signal::INT);
    interrupted(&with(&[&["smoke"], &CORPUS]), Signal::INT);
}

#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let program = assert_cmd::cargo::cargo_bin("hookproof");
    let mut command = Command::new("sh");
    command.args(["-c", r#"trap '' HUP; exec "$0" fuzz --seconds 1"#]).arg(program).stdout(Stdio::piped());
    let mut child = command.current_dir(ROOT).spawn().expect("it starts");
    thread::sleep(Duration::from_millis(400));
    assert!(child.try_wait().expect("a child").is_none(), "it runs for a second");
    send(&child, Signal::HUP);
    assert_eq!(child.wait_with_output().expect("it ends").status.code(), Some(0));
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    for args in [&["run"][..], &["run", "--format", "ndjson"], &["list"], &["schema", "case"], &["--help"]] {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("hookproof"));
        let full = fs::File::options().write(true).open("/dev/full").expect("it is there");
        let status = command.args(args).current_dir(ROOT).stdout(full).stderr(Stdio::null()).status();
        assert_eq!(status.expect("it runs").code(), Some(2), "{args:?}");
    }
    let ran = run(&with(&[&["run", "--output", "/dev/full"], &CORPUS, &canned(&["{}"])]));
    snapshot!("report-breaks-off", shown(&ran, &[]));
}

#[test]
fn a_reader_who_leaves_is_no_error() {
    for args in ["list", "list --cases", "run", "schema case", "--help"] {
        let script = format!(r#""$0" {args} 2>&1 | head -n 1 >/dev/null; exit "${{PIPESTATUS[0]}}""#);
        let mut command = Command::new("bash");
        command.args(["-c", &script]).arg(assert_cmd::cargo::cargo_bin("hookproof")).current_dir(ROOT);
        assert_eq!(command.status().expect("it runs").code(), Some(0), "{args}");
    }
}

#[test]
fn a_trace_that_breaks_off_is_told_and_changes_nothing() {
    for candidate in [canned(&["{}"]), Vec::new()] {
        let ran = run(&with(&[&["run", "--trace", "/dev/full"], &CORPUS, &candidate]));
        assert_eq!(ran.code, i32::from(!candidate.is_empty()), "{}", ran.err);
        let told = "warning: the trace breaks off: cannot write /dev/full: No space left on device (os error 28)\n";
        assert_eq!(ran.err, told);
    }
}

#[test]
fn one_file_cannot_hold_both_the_report_and_the_trace() {
    let ran = run(&["run", "--output", "x", "--trace", "x"]);
    assert_eq!(ran.code, 2);
    let told = ran.err.starts_with("error: --output and --trace name the same file, ");
    assert!(told && ran.err.ends_with("/x; each needs one of its own\n"), "{}", ran.err);
}

fn fuzz(out: &Path) -> assert_cmd::Command {
    let out = out.to_str().expect("UTF-8");
    hookproof(&with(&[&["fuzz", "--seed", "1", "--cases", "256", "--out", out], &canned(&["{}"])]))
}

#[test]
fn fuzzing_does_not_begin_where_nothing_can_be_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("it can be written");
    let ran = finish(fuzz(&file));
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("error: cannot write into ") && ran.err.contains("file: File exists"), "{}", ran.err);
    assert!(!ran.out.contains("FAIL"), "{}", ran.out);
    let nothing = folder.path().join("nothing");
    let ran = run(&["fuzz", "--seed", "1", "--cases", "10", "--out", nothing.to_str().expect("UTF-8")]);
    assert_eq!((ran.code, nothing.exists()), (0, false), "a place for findings is there when there are any");
}

#[test]
fn a_finding_that_cannot_be_kept_is_told_all_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let ran = finish(fuzz(folder.path()));
    assert_eq!(ran.code, 1);
    let found: Vec<_> =
        fs::read_dir(folder.path()).expect("a folder").map(|e| e.expect("an entry").file_name()).collect();
    assert!(!found.is_empty() && found.iter().all(|name| name.to_string_lossy().ends_with(".json")), "{found:?}");
    for name in &found {
        fs::remove_file(folder.path().join(name)).expect("it can go");
        // What stands in its place cannot be replaced by a file.
        fs::create_dir_all(folder.path().join(name).join("full")).expect("a folder");
    }
    let ran = finish(fuzz(folder.path()));
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("error: cannot write "), "{}", ran.err);
    assert!(ran.out.matches("\n  replay").count() >= found.len(), "{}", ran.out);
}

#[test]
fn nothing_behind_the_dashes_does_not_try_the_reference() {
    let ran = run(&["run", "--"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    snapshot!("wrong-no-adapter", shown(&ran, &[]));
    assert_eq!(run(&["list", "--chapters", "--"]).code, 0, "where no adapter can stand, nothing is missing");
}

#[test]
fn numbers_that_mean_nothing_are_refused() {
    for args in [
        &["run", "--deadline", "0"][..],
        &["run", "--max-fail", "0"],
        &["fuzz", "--max-fail", "0"],
        &["fuzz", "--cases", "18446744073709551616"],
        &["run", "--revision", "9.0.0"],
        &["expect", "x", "--revision", "2.1.291"],
    ] {
        let ran = run(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
    }
}

#[test]
fn a_replay_line_leads_back_to_a_program_whose_name_is_no_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = OsStr::from_bytes(b"it's\xff.py");
    fs::copy(Path::new(ROOT).join("suite/hookproof/tests/fixtures/canned.py"), folder.path().join(name))
        .expect("a copy");
    let mut command = hookproof(&with(&[&["run", "a-guard"], &CORPUS, &["--", "python3"]]));
    let ran = finish({
        command.arg(folder.path().join(name)).arg("{}");
        command
    });
    assert_eq!(ran.code, 1, "{}", ran.err);
    let line = ran.out.lines().find_map(|line| line.strip_prefix("  replay  hookproof ")).expect("a line");
    let mut again = Command::new("bash");
    again.args(["-c", &format!(r#""$0" {line}"#)]).arg(assert_cmd::cargo::cargo_bin("hookproof")).current_dir(ROOT);
    assert_eq!(again.output().expect("it runs").status.code(), Some(1), "{line}");
}

#[test]
fn filters_of_open_points_are_heeded() {
    let count = |args: &[&str]| run(&with(&[&["list", "--points"], args])).out.lines().count();
    let all = count(&[]);
    for filter in
        [&["--event", "WorktreeCreate"][..], &["--level", "may"], &["--chapter", "stop"], &["--rule", "STOP-CAP-03"]]
    {
        assert!(count(filter) < all, "{filter:?}");
    }
}

#[test]
fn an_adapter_cannot_dress_up_the_report() {
    let script = r#"
read hello
printf '%s\n' '{"type":"hello","protocol":1,"candidate":{"name":"\u001b[2Jx\nconformant\u202e"},"revision":"2.1.290","depths":["resolve"],"events":["PreToolUse"],"handlers":["command"],"observes":["ran","fate"]}'
while read case; do
  printf '\033[2Jon stderr\n' >&2
  id=${case#*\"id\":\"}
  printf '%s\n' '{"type":"outcome","id":"'"${id%%\"*}"'","steps":[{"ran":[{"handler":"\u001b[2J\nconformant"}]}]}'
done
"#;
    let ran = run(&with(&[&["run", "--color", "always", "a-guard"], &CORPUS, &["--", "bash", "-c", script]]));
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(!ran.out.contains("\u{1b}[2J") && !ran.out.contains('\u{202e}'), "{}", ran.out);
    assert!(
        ran.out.contains(r"\u{1b}[2Jx\nconformant\u{202e}") && ran.out.contains(r"\u{1b}[2Jon stderr"),
        "{}",
        ran.out
    );
    assert!(!ran.out.lines().any(|line| line.starts_with("conformant")), "{}", ran.out);
}

#[test]
fn outcomes_that_nobody_will_look_at_do_not_fill_the_memory() {
    let outcome = format!(r#"{{"said":[{{"to":"user","text":"{}"}}]}}"#, "x".repeat(100_000));
    let large =
        format!(r#"{{"said":[{}]}}"#, vec![format!(r#"{{"to":"user","text":"{}"}}"#, "x".repeat(90_000)); 3].join(","));
    for (outcome, told) in [(outcome.as_str(), false), (large.as_str(), true)] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("outcome.json");
        fs::write(&file, outcome).expect("it can be written");
        let adapter = ["--", "python3", "-c", FROM_FILE, file.to_str().expect("UTF-8")];
        let ran = run(&with(&[&["run", "--format", "ndjson", "a-guard"], &CORPUS, &adapter]));
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert_eq!(ran.out.contains("were judged and are too large to be kept"), told, "{}", ran.out.len());
        assert_eq!(ran.out.len() > 100_000, !told, "{}", ran.out.len());
        assert!(ran.out.contains("EXIT-2-EV-PreToolUse"), "they are judged");
    }
}

/// Runs the canned adapter with an outcome that is too long for a command line.
const FROM_FILE: &str = r#"
import sys
outcome = open(sys.argv[1]).read()
sys.argv = ["canned.py", outcome]
exec(open("suite/hookproof/tests/fixtures/canned.py").read())
"#;
