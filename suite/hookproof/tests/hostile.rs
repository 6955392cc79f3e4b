//! Adapters that misbehave. Whatever they do: a diagnosis with a name, bounded time, one answer for each case, no process left.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use hookproof::{
    adapter::{Command, Exec, External, Limits, Trace},
    candidate::{Answer, Candidate, Ending, Job, Trouble},
};
use hookproof_contract::Case;
use rustix::process::{Pid, test_kill_process};
use serde_json::json;
use std::{
    ffi::OsString,
    fmt::Write as _,
    fs, io,
    ops::ControlFlow,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

/// No adapter, however bad, may take longer.
const BOUND: Duration = Duration::from_secs(20);
/// How many cases are played; the marked one is in the middle.
const CASES: usize = 5;
const MARKED: usize = 2;

fn limits() -> Limits {
    Limits { deadline_ms: 10_000, grace_ms: 2_000, max_line: 64 << 10, crashes_in_a_row: 3, ..Limits::default() }
}

/// For adapters of which some case waits in vain.
fn impatient() -> Limits {
    Limits { deadline_ms: 2_000, ..limits() }
}

fn jobs() -> impl Iterator<Item = Job> {
    (0..CASES).map(|number| {
        let cwd = if number == MARKED { "/marked" } else { "/work" };
        let case = json!({"host": {"cwd": cwd}, "settings": [], "steps": [{"fire": {"event": "PreToolUse"}}]});
        Job { number, case: Arc::new(serde_json::from_value::<Case>(case).expect("a case")) }
    })
}

/// A directory for one adapter, in which it notes the processes that there are.
struct Lair {
    dir: tempfile::TempDir,
    since: Instant,
}

impl Lair {
    fn new() -> Lair {
        Lair { dir: tempfile::tempdir().expect("a directory"), since: Instant::now() }
    }

    fn pids(&self) -> PathBuf {
        self.dir.path().join("pids")
    }

    fn command(&self, mode: &str) -> Command {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/hookproof/tests/fixtures/hostile.py");
        let mut command = Command::new("python3", [script.into_os_string(), mode.into()]);
        command.set.insert("HOSTILE_PIDS".into(), self.pids().into_os_string());
        command
    }

    /// Everything is over: nothing runs any more, and it did not take long.
    fn assert_empty(&self) {
        for pid in fs::read_to_string(self.pids()).unwrap_or_default().lines() {
            let pid = pid.parse().expect("a process id");
            while !gone(pid) {
                assert!(self.since.elapsed() < BOUND, "process {pid} is left");
                thread::sleep(Duration::from_millis(10));
            }
        }
        assert!(self.since.elapsed() < BOUND, "it took {:?}", self.since.elapsed());
    }
}

/// The process is gone. One that is not our child may be waiting for somebody else to see that.
fn gone(pid: i32) -> bool {
    let buried = |stat: String| {
        let mut fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().map(str::to_owned);
        fields.next().is_some_and(|state| state == "Z") && fields.next() != Some(std::process::id().to_string())
    };
    test_kill_process(Pid::from_raw(pid).expect("a process id")).is_err()
        || fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(buried)
}

/// Plays the cases and tells what came of each.
fn play(candidate: &mut dyn Candidate) -> String {
    let mut answers: Vec<Answer> = Vec::new();
    let end = candidate.play(&mut jobs(), &mut |answer| {
        answers.push(answer);
        ControlFlow::Continue(())
    });
    answers.sort_by_key(|answer| answer.number);
    let taken = answers.len();
    assert!(answers.iter().map(|answer| answer.number).eq(0..taken), "each case once: {answers:?}");
    assert!(taken == CASES || end.is_err(), "no case may be lost: {answers:?}");
    let mut report = String::new();
    for Answer { number, end, stderr } in &answers {
        let (how, why) = match end {
            Ending::Played(steps) => ("played", format!("{} step", steps.len())),
            Ending::Errored(why) => ("errored", why.clone()),
            Ending::Malformed(why) => ("malformed", why.clone()),
            Ending::Crashed(why) => ("crashed", why.clone()),
            Ending::TimedOut(why) => ("timed out", why.clone()),
            Ending::NotPlayed(why) => ("not played", why.clone()),
        };
        writeln!(report, "case {number}: {how}, {why}").unwrap();
        // Of the others it is left to chance how much of its stderr came before their replies.
        if let (MARKED, Some(last)) = (*number, stderr.lines().last()) {
            writeln!(report, "    stderr: {}", &last[..last.len().min(40)]).unwrap();
        }
    }
    if let Err(trouble) = end {
        report += &told(&trouble);
    }
    report
}

fn told(trouble: &Trouble) -> String {
    let stderr = trouble.stderr.lines().last().map(|line| format!("    stderr: {line}\n")).unwrap_or_default();
    format!("trouble: {trouble}\n{stderr}")
}

/// Everything that is to be told of an adapter.
fn report(command: Command, limits: Limits) -> String {
    match External::start(command, limits) {
        Err(trouble) => told(&trouble),
        Ok(mut external) => {
            let mut report = play(&mut external);
            external.finish();
            for note in external.notes() {
                writeln!(report, "note: {note}").unwrap();
            }
            report
        }
    }
}

fn assert_snapshot(name: &str, report: &str, lair: &Lair) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let report = report.replace(&*lair.dir.path().to_string_lossy(), "DIR");
    settings.bind(|| insta::assert_snapshot!(format!("hostile__{name}"), report));
}

fn hostile(mode: &str, limits: Limits) {
    let lair = Lair::new();
    let report = report(lair.command(mode), limits);
    lair.assert_empty();
    assert_snapshot(mode, &report, &lair);
}

fn hostile_exec(mode: &str, limits: Limits) {
    let lair = Lair::new();
    let report = match Exec::start(lair.command(mode), limits) {
        Err(trouble) => told(&trouble),
        Ok(mut exec) => {
            let mut report = play(&mut exec);
            for note in exec.notes() {
                writeln!(report, "note: {note}").unwrap();
            }
            report
        }
    };
    lair.assert_empty();
    assert_snapshot(&format!("exec-{mode}"), &report, &lair);
}

macro_rules! modes {
    ($($name:ident: $run:ident($mode:literal, $limits:expr);)+) => {
        $(#[test]
        fn $name() {
            $run($mode, $limits);
        })+
    };
}

modes! {
    a_good_adapter: hostile("good", limits());
    a_good_adapter_that_takes_one_case_at_a_time: hostile("one-at-a-time", limits());
    replies_may_come_in_another_order: hostile("out-of-order", limits());
    a_banner_before_the_protocol: hostile("banner", limits());
    a_banner_at_a_restart: hostile("banner-at-restart", limits());
    an_exit_before_the_first_word: hostile("silent-exit", limits());
    a_hello_that_never_comes: hostile("hello-never-comes", Limits { hello_ms: 500, ..limits() });
    a_hello_that_is_none: hostile("no-hello", limits());
    a_hello_of_wrong_types: hostile("hello-of-wrong-types", limits());
    a_hello_without_an_end: hostile("gigantic-hello", limits());
    a_hello_that_changes: hostile("hello-changes", limits());
    a_wrong_version_of_the_protocol: hostile("wrong-version", limits());
    an_exit_in_mid_run: hostile("exit-mid-run", limits());
    an_exit_in_mid_line: hostile("exit-in-mid-line", limits());
    a_crash_on_one_case: hostile("crash", limits());
    a_crash_with_an_exit_code: hostile("crash-with-code", limits());
    a_crash_in_company: hostile("crash-in-company", limits());
    a_crash_on_every_case: hostile("crash-always", limits());
    one_case_that_hangs: hostile("hangs", impatient());
    no_answer_at_all: hostile("never-answers", Limits { deadline_ms: 500, ..limits() });
    two_answers_to_one_case: hostile("answers-twice", limits());
    an_answer_after_the_end: hostile("answers-after-bye", limits());
    an_unknown_id: hostile("unknown-id", limits());
    wrong_types: hostile("wrong-types", limits());
    wrong_types_and_no_id: hostile("wrong-types-no-id", limits());
    a_second_hello: hostile("second-hello", limits());
    a_closed_stdin: hostile("closes-stdin", impatient());
    a_closed_stdout: hostile("closes-stdout", limits());
    talk_on_stdout: hostile("talks", limits());
    talk_that_is_no_utf8: hostile("noise-in-latin-1", limits());
    a_flood_on_stdout: hostile("floods-stdout", limits());
    a_flood_of_blank_lines: hostile("floods-with-blank-lines", limits());
    a_flood_on_stderr: hostile("floods-stderr", impatient());
    much_on_stderr_and_an_answer: hostile("chatty", limits());
    a_deaf_ear_for_the_polite_signal: hostile("ignores-signal", impatient());
    a_deaf_ear_for_the_farewell: hostile("ignores-bye", limits());
    a_child_that_holds_the_pipe: hostile("holds-pipe", limits());
    a_child_that_holds_the_pipe_at_the_end: hostile("holds-pipe-at-the-end", limits());
    a_gigantic_line: hostile("gigantic-line", limits());
    invalid_utf8: hostile("invalid-utf8", limits());
    a_reply_that_is_nested_too_deeply: hostile("nested-too-deeply", limits());
    a_reply_with_a_number_out_of_range: hostile("number-out-of-range", limits());
    a_reply_with_what_is_not_a_number: hostile("not-a-number", limits());
    a_reply_with_a_bare_control_character: hostile("bare-control-character", limits());
    a_reply_with_a_key_that_stands_twice: hostile("key-twice", limits());
    half_a_surrogate_pair_is_mended: hostile("surrogate", limits());
    more_declared_than_done: hostile("declares-too-much", limits());
    a_good_adapter_for_each_case: hostile_exec("good", limits());
    for_each_case_a_crash: hostile_exec("crash", limits());
    for_each_case_a_crash_on_every_one: hostile_exec("crash-always", limits());
    for_each_case_a_hang: hostile_exec("hangs", impatient());
    for_each_case_a_banner: hostile_exec("banner", limits());
    for_each_case_two_answers: hostile_exec("answers-twice", limits());
    for_each_case_an_unknown_id: hostile_exec("unknown-id", limits());
    for_each_case_talk_on_stdout: hostile_exec("talks", limits());
    for_each_case_a_child_that_holds_the_pipe: hostile_exec("holds-pipe", limits());
}

#[test]
fn programs_that_cannot_be_started() {
    let lair = Lair::new();
    let file = |name: &str, text: &str, mode: u32| {
        let path = lair.dir.path().join(name);
        fs::write(&path, text).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("permissions");
        path.into_os_string()
    };
    let none: [OsString; 0] = [];
    let command = |program: OsString| Command::new(program, none.clone());
    let mut elsewhere = lair.command("good");
    elsewhere.cwd = Some(lair.dir.path().join("nowhere"));
    let tries = [
        ("no such file", command(lair.dir.path().join("nobody").into_os_string())),
        ("no such name", command("hookproof-has-no-such-program".into())),
        ("no right to run", command(file("plain", "#!/bin/sh\n", 0o644))),
        ("a directory", command(lair.dir.path().into())),
        ("no interpreter", command(file("lost", "#!/no/such/interpreter\n", 0o755))),
        ("no such directory", elsewhere),
    ];
    let reports: String =
        tries.into_iter().map(|(what, command)| format!("{what}\n  {}", report(command, limits()))).collect();
    assert_snapshot("not-started", &reports, &lair);
}

#[test]
fn an_adapter_that_ends_after_each_case_loses_none() {
    let lair = Lair::new();
    let mut external = External::start(lair.command("exits-after-each"), limits()).expect("starts");
    assert_eq!(play(&mut external).matches("played, 1 step").count(), CASES);
    assert!(!external.notes().is_empty());
    drop(external);
    lair.assert_empty();
}

#[test]
fn a_run_that_is_stopped_answers_what_it_took_and_can_go_on() {
    let lair = Lair::new();
    let mut external = External::start(lair.command("good"), limits()).expect("starts");
    let mut seen = Vec::new();
    external
        .play(&mut jobs(), &mut |answer| {
            seen.push(answer.number);
            ControlFlow::Break(())
        })
        .expect("no trouble");
    seen.sort_unstable();
    assert!(seen.iter().copied().eq(0..seen.len()), "each once: {seen:?}");
    assert_eq!(play(&mut external).matches("played, 1 step").count(), CASES);
    drop(external);
    lair.assert_empty();
}

#[test]
fn many_large_cases_neither_block_nor_get_lost() {
    let lair = Lair::new();
    let mut external = External::start(lair.command("good"), limits()).expect("starts");
    let case = json!({
        "host": {"cwd": "/work"}, "settings": [], "steps": [{"fire": {"event": "PreToolUse"}}],
        "results": {"guard": {"out": {"fill": ["a", 200_000]}}},
    });
    let case: Arc<Case> = Arc::new(serde_json::from_value(case).expect("a case"));
    let mut played = 0;
    let mut many = (0..100).map(|number| Job { number, case: Arc::clone(&case) });
    external
        .play(&mut many, &mut |answer| {
            played += usize::from(matches!(answer.end, Ending::Played(_)));
            ControlFlow::Continue(())
        })
        .expect("no trouble");
    assert_eq!(played, 100);
    drop(external);
    lair.assert_empty();
}

#[test]
fn the_environment_is_cleared_but_for_what_is_let_through() {
    let lair = Lair::new();
    let seen = |command: Command| {
        let mut external = External::start(command, limits()).expect("starts");
        let mut variables = String::new();
        external
            .play(&mut jobs(), &mut |answer| {
                variables += &answer.stderr;
                ControlFlow::Continue(())
            })
            .expect("no trouble");
        variables
    };
    let variable = "CARGO_MANIFEST_DIR"; // which cargo sets for tests
    let plain = seen(lair.command("environment"));
    assert!(plain.contains("PATH") && plain.contains("HOSTILE_PIDS") && !plain.contains(variable), "{plain}");
    let mut command = lair.command("environment");
    command.keep.push(variable.into());
    assert!(seen(command).contains(variable));
    lair.assert_empty();
}

#[test]
fn the_trace_has_every_message() {
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);
    impl io::Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (lair, shared) = (Lair::new(), Shared::default());
    let mut command = lair.command("good");
    command.trace = Some(Trace::new(shared.clone()));
    report(command, limits());
    let trace = String::from_utf8(shared.0.lock().unwrap().clone()).expect("UTF-8");
    let count = |beginning: &str| trace.lines().filter(|line| line.starts_with(beginning)).count();
    assert_eq!(count(r#"→ {"type":"hello""#), 1, "{trace}");
    assert_eq!(count(r#"→ {"type":"run""#), CASES, "{trace}");
    assert_eq!(count(r#"→ {"type":"bye""#), 1, "{trace}");
    assert_eq!(count("← {"), CASES + 1, "{trace}");
    lair.assert_empty();
}
