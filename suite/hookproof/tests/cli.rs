//! The commands, their exit codes, and everything that they say.

use crate::common::{CORPUS, canned, finish, hookproof, run, shown, snapshot};
use serde_json::{Value, json};
use std::fs;

const GUARD: &str = "a-guard-that-exits-2-blocks";
/// A runtime that runs no hook and says nothing.
const NOTHING: &[&str] = &["{}"];
/// A runtime that blocks everything.
const BLOCKS: &[&str] =
    &[r#"{"ran":[{"handler":"guard"}],"fate":"prevented","said":[{"to":"model","text":"GUARD-ERR NOTES-1"}]}"#];
/// A runtime that says of nothing what it did.
const BLIND: &str = r#"{"unseen":["ran","fate","agent","said/model","said/user"]}"#;

fn with<'a>(parts: &[&[&'a str]]) -> Vec<&'a str> {
    parts.concat()
}

#[test]
fn the_reference_keeps_the_contract() {
    let ran = run(&["run"]);
    assert_eq!(ran.code, 0, "{}\n{}", ran.out, ran.err);
    assert!(ran.out.contains(" played: ") && ran.out.contains("in scope checked, 0 broken"), "{}", ran.out);
}

#[test]
fn a_runtime_that_does_nothing_is_told_what_it_owes() {
    let ran = run(&with(&[&["run"], &CORPUS, &canned(NOTHING)]));
    assert_eq!(ran.code, 1);
    snapshot!("run-does-nothing", shown(&ran, &[]));
}

#[test]
fn a_runtime_that_blocks_everything_fails_closed() {
    let ran = run(&with(&[&["run"], &CORPUS, &canned(BLOCKS)]));
    assert_eq!(ran.code, 1);
    snapshot!("run-blocks-everything", shown(&ran, &[]));
}

#[test]
fn failures_are_told_in_full_with_v_and_in_colour_if_wanted() {
    let ran = run(&with(&[&["run", "-v", "--color", "always"], &CORPUS, &canned(BLOCKS)]));
    assert_eq!(ran.code, 1);
    snapshot!("run-verbose-in-colour", shown(&ran, &[("\u{1b}", "␛")]));
}

#[test]
fn colour_is_for_terminals_and_for_those_who_ask() {
    let arguments = with(&[&["run"], &CORPUS[..], &canned(BLOCKS)]);
    assert!(!run(&arguments).out.contains('\u{1b}'), "stdout is no terminal");
    let forced = with(&[&["run", "--color", "always"], &CORPUS, &canned(BLOCKS)]);
    assert!(run(&forced).out.contains('\u{1b}'));
    let mut no_color = hookproof(&arguments);
    no_color.env("NO_COLOR", "1").env("CLICOLOR_FORCE", "0");
    assert!(!finish(no_color).out.contains('\u{1b}'));
    let never = with(&[&["run", "--color", "never"], &CORPUS, &canned(BLOCKS)]);
    let mut never = hookproof(&never);
    never.env("CLICOLOR_FORCE", "1");
    assert!(!finish(never).out.contains('\u{1b}'));
}

#[test]
fn the_events_of_a_run_as_ndjson() {
    let ran = run(&with(&[&["run", "--format", "ndjson"], &CORPUS, &canned(NOTHING)]));
    assert_eq!(ran.code, 1);
    for line in ran.out.lines() {
        let event: Value = serde_json::from_str(line).expect("each line is JSON");
        assert!(event["type"].is_string());
    }
    snapshot!("run-ndjson", shown(&ran, &[]));
}

#[test]
fn a_report_goes_to_a_file_and_a_trace_to_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let (report, trace) = (folder.path().join("report.txt"), folder.path().join("trace.txt"));
    for candidate in [canned(NOTHING), Vec::new()] {
        let files = ["--output", report.to_str().expect("UTF-8"), "--trace", trace.to_str().expect("UTF-8")];
        let ran = run(&with(&[&["run", "--color", "always", GUARD], &files, &CORPUS, &candidate]));
        assert_eq!(ran.out, "");
        let written = fs::read_to_string(&report).expect("a report");
        assert!(written.contains("cases    2 of 2 played") && !written.contains('\u{1b}'), "{written}");
        let traced = fs::read_to_string(&trace).expect("a trace");
        assert!(traced.contains("← {") && traced.contains("→ {\"type\":\"run\""), "{traced}");
        assert!(!traced.contains(GUARD), "a case's name is not sent");
    }
}

#[test]
fn skips_are_counted_with_their_reasons_and_nothing_decided_is_no_success() {
    let ran = run(&with(&[&["run"], &CORPUS, &canned(&["--events", "UserPromptSubmit", "--capabilities", "", "{}"])]));
    assert_eq!(ran.code, 6);
    snapshot!("run-all-skipped", shown(&ran, &[]));
}

#[test]
fn what_was_never_seen_is_not_trusted() {
    let observing = ["--observes", "said/model", r#"{}"#];
    let arguments = with(&[&["run", "--chapter", "universal", "suppress-output"], &canned(&observing)[..]]);
    let ran = run(&arguments);
    assert!(ran.code == 1 || ran.code == 6, "nothing is ever reported: {}", ran.out);
}

#[test]
fn strict_counts_what_is_undetermined() {
    let observing = ["--observes", "fate", "{}"];
    let arguments = |more: &[&'static str]| with(&[&["run"], more, &CORPUS, &canned(&observing)[..]]);
    // The prompt case has nothing that can be judged by the fate alone but that it proceeds.
    let (lax, strict) = (run(&arguments(&["proceeds-nowhere"])), run(&arguments(&["--strict"])));
    assert_eq!(lax.code, 4, "{}", lax.err);
    assert_eq!(strict.code, 1, "{}", strict.out);
}

#[test]
fn a_run_stops_when_it_has_failed_often_enough() {
    let fast = run(&with(&[&["run", "--fail-fast"], &CORPUS, &canned(NOTHING)]));
    assert_eq!(fast.code, 1);
    assert!(fast.out.contains("the run was stopped before all were played"), "{}", fast.out);
    let wrong = run(&["run", "--max-fail", "0"]);
    assert_eq!(wrong.code, 2);
}

#[test]
fn an_adapter_that_cannot_play_what_it_declares_fails() {
    let ran = run(&with(&[&["run", "--exec", GUARD], &CORPUS, &canned(&["errored"])]));
    assert_eq!(ran.code, 1);
    snapshot!("run-errored", shown(&ran, &[]));
    let few = run(&with(&[&["run", GUARD], &CORPUS, &canned(&["few"])]));
    assert_eq!(few.code, 1);
    snapshot!("run-few-outcomes", shown(&few, &[]));
}

#[test]
fn a_missing_adapter_is_the_adapters_trouble() {
    let ran = run(&["run", "--", "/no/such/adapter"]);
    assert_eq!(ran.code, 5);
    snapshot!("run-no-adapter", shown(&ran, &[]));
}

#[test]
fn fresh_names_change_no_verdict() {
    let plain = run(&with(&[&["run"], &CORPUS[..]]));
    let fresh = run(&with(&[&["run", "--fresh", "7"], &CORPUS[..]]));
    assert_eq!((plain.code, plain.out), (fresh.code, fresh.out));
}

#[test]
fn every_printed_replay_line_plays_the_failure_again() {
    let ran = run(&with(&[&["run"], &CORPUS, &canned(NOTHING)]));
    let line = ran.out.lines().find_map(|l| l.trim().strip_prefix("replay  hookproof ")).expect("a replay line");
    let words: Vec<&str> = line.split(' ').map(|word| word.trim_matches('\'')).collect();
    let again = run(&words);
    assert_eq!(again.code, 1, "{line}\n{}{}", again.out, again.err);
    snapshot!("replay", shown(&again, &[]));
}

#[test]
fn what_fails_in_company_only_is_told_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let chapter = folder.path().join("corpus/exit-codes");
    fs::create_dir_all(&chapter).expect("a folder");
    let guard = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/suite/hookproof/tests/fixtures/corpus/exit-codes/a-guard-that-exits-2-blocks.json"
    );
    // The first of two equal cases goes well.
    for name in ["one.json", "two.json"] {
        fs::copy(guard, chapter.join(name)).expect("a copy");
    }
    let (corpus, out) = (folder.path().join("corpus"), folder.path().join("out"));
    let (corpus, out) = (corpus.to_str().expect("UTF-8"), out.to_str().expect("UTF-8"));
    let leaky = canned(&["--then", NOTHING[0], BLOCKS[0]]);
    let ran = run(&with(&[&["run", "--corpus", corpus], &leaky]));
    assert_eq!(ran.code, 1, "{}", ran.err);
    let note = ran.out.lines().find(|line| line.contains("in company only")).expect("a note");
    assert!(note.contains("1 did not fail (exit-codes/two)"), "{note}");
    let honest = run(&with(&[&["run", "--corpus", corpus], &canned(NOTHING)]));
    assert!(!honest.out.contains("in company only"), "{}", honest.out);
    // In the first case of a process it says of nothing what it did, so that nothing can fail.
    let leaky = canned(&["--then", NOTHING[0], BLIND]);
    let fuzzed = run(&with(&[&["fuzz", "--cases", "256", "--seed", "1", "--out", out], &leaky]));
    assert!(fuzzed.out.contains("played alone, in a fresh process, it passes"), "{}", fuzzed.out);
}

#[test]
fn reports_for_ci_tell_the_same() {
    for (format, name) in [("junit", "run-junit"), ("markdown", "run-markdown")] {
        let ran = run(&with(&[&["run", "--format", format], &CORPUS, &canned(BLOCKS)]));
        assert_eq!(ran.code, 1, "{}", ran.err);
        snapshot!(name, shown(&ran, &[]));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.xml");
    let file = file.to_str().expect("UTF-8");
    run(&with(&[&["run", "--format", "junit", "--output", file], &canned(BLOCKS)]));
    let parsed = std::process::Command::new("python3")
        .args([
            "-c",
            "import sys, xml.dom.minidom as dom; print(len(dom.parse(sys.argv[1]).getElementsByTagName('failure')))",
            file,
        ])
        .output()
        .expect("Python");
    let failures = String::from_utf8_lossy(&parsed.stdout).trim().parse::<usize>().expect("it is XML");
    assert!(failures > 100, "{failures}");
}

#[test]
fn what_a_candidate_does_is_written_down_and_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (one, two) = (path("one"), path("two"));
    let taken = |out: &str, more: &[&str], outcome: &[&str]| {
        run(&with(&[&["snapshot", "--out", out], more, &CORPUS, &canned(outcome)]))
    };
    let missing = taken(&one, &["--check"], NOTHING);
    assert_eq!(missing.code, 2, "{}", missing.err);
    assert_eq!(taken(&one, &[], NOTHING).code, 0);
    snapshot!("snapshot-file", fs::read_to_string(format!("{one}/exit-codes.txt")).expect("a file"));
    assert_eq!(taken(&one, &["--check"], NOTHING).code, 0);
    let other = taken(&one, &["--check"], BLOCKS);
    assert_eq!(other.code, 3, "{}{}", other.out, other.err);
    snapshot!("snapshot-check", shown(&other, &[]));
    assert_eq!(taken(&two, &[], BLOCKS).code, 0);
    let mended = run(&["diff", &one, &two]);
    assert_eq!(mended.code, 0, "{}", mended.out);
    snapshot!("diff", shown(&mended, &[]));
    assert_eq!(run(&["diff", &two, &one]).code, 1);
}

#[test]
fn failures_are_held_against_a_list_of_known_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = folder.path().join("known.toml");
    let file = list.to_str().expect("UTF-8");
    let missing = run(&with(&[&["run", "--baseline", file], &CORPUS, &canned(NOTHING)]));
    assert_eq!(missing.code, 2, "{}", missing.err);
    let written = run(&with(&[&["run", "--baseline", file, "--update-baseline"], &CORPUS, &canned(NOTHING)]));
    assert_eq!(written.code, 0, "{}{}", written.out, written.err);
    snapshot!("baseline", fs::read_to_string(&list).expect("a list"));
    let same = run(&with(&[&["run", "--baseline", file], &CORPUS, &canned(NOTHING)]));
    assert_eq!(same.code, 0, "{}{}", same.out, same.err);
    snapshot!("run-as-known", shown(&same, &[]));
    let other = run(&with(&[&["run", "--baseline", file], &CORPUS, &canned(BLOCKS)]));
    assert_eq!(other.code, 3, "{}{}", other.out, other.err);
    snapshot!(
        "run-not-as-known",
        other.out.lines().filter(|l| l.contains("baseline") || l.contains("known")).collect::<Vec<_>>().join("\n")
    );
    let events = run(&with(&[&["run", "--format", "ndjson", "--baseline", file], &CORPUS, &canned(BLOCKS)]));
    assert!(events.out.lines().any(|line| line.contains("\"type\":\"misfit\"")), "{}", events.out);
    // Of cases that were not played the list says what it said.
    let some = run(&with(&[
        &["run", "--baseline", file, "--update-baseline", "--event", "UserPromptSubmit"],
        &CORPUS,
        &canned(NOTHING),
    ]));
    assert_eq!(some.code, 0, "{}", some.err);
    assert_eq!(run(&with(&[&["run", "--baseline", file], &CORPUS, &canned(NOTHING)])).code, 0);
    fs::write(&list, "[[case]]\nname = 5\n").expect("a file");
    let wrong = run(&with(&[&["run", "--baseline", file], &CORPUS, &canned(NOTHING)]));
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("line 2") && wrong.err.contains("expected a string"), "{}", wrong.err);
}

#[test]
fn a_list_that_cannot_be_written_is_told_before_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = folder.path().join("no/known.toml");
    let list = list.to_str().expect("UTF-8");
    let ran = run(&with(&[&["run", "--baseline", list, "--update-baseline"], &CORPUS, &canned(NOTHING)]));
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(ran.err.contains(list), "{}", ran.err);
}

#[test]
fn no_file_is_named_for_two_purposes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (list, link, dotted, new) = (path("known.toml"), path("link.toml"), path("./known.toml"), path("new"));
    let text = "[[case]]\nname = \"a/b\"\nfails = [\"failed\"]\n";
    fs::write(&list, text).expect("a file");
    std::os::unix::fs::symlink(&list, &link).expect("a link");
    for arguments in [
        ["--baseline", &list, "--output", &list],
        ["--baseline", &list, "--trace", &dotted],
        ["--baseline", &link, "--output", &list],
        ["--output", &new, "--trace", &path("./new")],
    ] {
        let ran = run(&with(&[&["run"], &arguments[..], &CORPUS, &canned(NOTHING)]));
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.out);
        let told = format!("{} and {} name the same file", arguments[0], arguments[2]);
        assert!(ran.err.contains(&told), "{}", ran.err);
        assert_eq!(fs::read_to_string(&list).expect("the list"), text);
        assert!(!std::path::Path::new(&new).exists(), "nothing was opened");
    }
    let case = path("case.json");
    fs::write(&case, r#"{"settings": [], "steps": [{"fire": {"event": "Stop"}}]}"#).expect("a file");
    for command in ["replay", "shrink", "why"] {
        let ran = run(&with(&[&[command, &case, "--trace", &case], &canned(NOTHING)[..]]));
        assert_eq!(ran.code, 2, "{command}: {}", ran.out);
        assert!(fs::read_to_string(&case).expect("the case").starts_with('{'), "{command}");
    }
}

#[test]
fn fuzz_tells_what_was_noticed_beside_the_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("found");
    let crashing = canned(&["--crash-at", "3", BLIND]);
    let ran =
        run(&with(&[&["fuzz", "--cases", "20", "--seed", "5", "--out", out.to_str().expect("UTF-8")], &crashing]));
    assert!(ran.out.contains("adapter  ") && ran.out.contains("crash only in company"), "{}{}", ran.out, ran.err);
}

#[test]
fn fuzz_looks_at_the_clock_between_cases() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("found");
    let slow = canned(&["--slow", "0.2", BLIND]);
    let since = std::time::Instant::now();
    let ran = run(&with(&[&["fuzz", "--seconds", "1", "--seed", "5", "--out", out.to_str().expect("UTF-8")], &slow]));
    // A lot of cases would take longer than fifty seconds.
    assert!(since.elapsed().as_secs() < 25, "{}", ran.out);
    let told = ran.out.lines().find_map(|line| line.split_once(" generated cases")).expect("a count").0;
    assert!((1..100).contains(&told.parse::<u32>().expect("a number")), "only what was begun counts: {told}");
}

#[test]
fn the_report_in_the_readme_is_what_the_command_says() {
    let readme = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"));
    let (_, shown) = readme.split_once("$ hookproof run --candidate ").expect("a report");
    let (shown, _) = shown.split_once("```").expect("its end");
    let (arguments, report) = shown.split_once('\n').expect("a command line");
    let ran = run(&[&["run", "--candidate"], arguments.split(' ').collect::<Vec<_>>().as_slice()].concat());
    assert_eq!(ran.code, 1, "{}", ran.err);
    // An ellipsis stands for lines that are left out.
    for part in report.split("…\n").filter(|part| !part.is_empty()) {
        assert!(ran.out.contains(part), "wanted\n{part}\nin\n{}", ran.out);
    }
}

#[test]
fn the_adapter_in_the_readme_is_alive() {
    let readme = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"));
    let (_, code) = readme.split_once("```python\n").expect("an adapter");
    let (code, rest) = code.split_once("```").expect("its end");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("my_adapter.py");
    fs::write(&file, code).expect("a file");
    let smoke = run(&["smoke", "--", "python3", file.to_str().expect("UTF-8")]);
    assert_eq!(smoke.code, 0, "{}{}", smoke.out, smoke.err);
    let last = smoke.out.lines().last().expect("a line");
    assert!(rest.contains(last), "README.md does not show: {last}");
}

#[test]
fn replay_tells_a_pass_too() {
    let ran = run(&with(&[&["replay", "a-guard-that-exits-2-blocks#1"], &CORPUS[..]]));
    assert_eq!(ran.code, 0);
    snapshot!("replay-pass", shown(&ran, &[]));
}

#[test]
fn smoke_finds_silent_places() {
    let alive = run(&["smoke"]);
    assert_eq!(alive.code, 0, "{}{}", alive.out, alive.err);
    let silent = run(&with(&[&["smoke"], &CORPUS, &canned(NOTHING)]));
    assert_eq!(silent.code, 5);
    snapshot!("smoke-silent", shown(&silent, &[]));
    let some = run(&with(&[&["smoke"], &CORPUS, &canned(&["--observes", "fate,said/model,set/display", BLOCKS[0]])]));
    assert_eq!(some.code, 0);
    snapshot!("smoke-alive", shown(&some, &[]));
}

#[test]
fn why_explains_every_claim() {
    let ran = run(&with(&[&["why", GUARD], &CORPUS, &canned(&[r#"{"fate":"asked"}"#])]));
    assert_eq!(ran.code, 1);
    snapshot!("why", shown(&ran, &[]));
}

#[test]
fn expect_shows_claims() {
    let ran = run(&with(&[&["expect", GUARD], &CORPUS[..]]));
    assert_eq!(ran.code, 0);
    snapshot!("expect", shown(&ran, &[]));
}

#[test]
fn shrink_keeps_the_way_of_failing() {
    let ran = run(&with(&[&["shrink", GUARD], &CORPUS, &canned(NOTHING)]));
    assert_eq!(ran.code, 1, "{}", ran.err);
    let case: hookproof_contract::Case = hookproof_contract::read::text(&ran.out).expect("a case");
    assert_eq!(case.moments_count(), 1);
    let none = run(&with(&[&["shrink", GUARD], &CORPUS[..]]));
    assert_eq!(none.code, 0);
    snapshot!("shrink-nothing", shown(&none, &[]));
}

#[test]
fn fuzz_writes_what_fails_and_how_to_play_it_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("failures");
    let out_text = out.to_str().expect("UTF-8");
    let arguments = with(&[&["fuzz", "--cases", "300", "--seed", "1", "--out", out_text], &canned(NOTHING)]);
    let ran = run(&arguments);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let files: Vec<_> = fs::read_dir(&out).expect("a folder").map(|f| f.expect("a file").path()).collect();
    assert!(!files.is_empty());
    for file in &files {
        let text = fs::read_to_string(file).expect("a file");
        hookproof_contract::read::text::<hookproof_contract::Case>(&text).expect("a bare case");
        assert!(ran.out.contains(file.to_str().expect("UTF-8")), "its replay line is printed");
    }
    let again = run(&with(&[&["replay", files[0].to_str().expect("UTF-8")], &canned(NOTHING)]));
    assert_eq!(again.code, 1, "{}", again.out);
    assert_eq!(run(&arguments).out, ran.out, "the same seed finds the same");
}

#[test]
fn fuzz_finds_nothing_in_the_reference_and_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("failures");
    let ran = run(&["fuzz", "--cases", "500", "--seed", "1", "--out", out.to_str().expect("UTF-8")]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(!out.exists());
    assert!(ran.out.contains("500 generated cases; kinds of failure: 0"), "{}", ran.out);
}

#[test]
fn fuzz_says_when_it_has_found_as_much_as_it_may() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("UTF-8");
    let ran =
        run(&with(&[&["fuzz", "--cases", "2000", "--seed", "1", "--max-fail", "2", "--out", out], &canned(NOTHING)]));
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let last = ran.out.lines().last().expect("a line");
    assert!(last.ends_with(", as many as `--max-fail` allows: the session ended before its time"), "{last}");
    assert!(
        last.ends_with("kinds of failure: 2, as many as `--max-fail` allows: the session ended before its time"),
        "{last}"
    );
    assert!(!last.starts_with("2000 "), "{last}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
}

#[test]
fn a_generated_case_is_found_by_its_seed() {
    let ran = run(&["replay", "seed-20"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("seed-20: "), "{}", ran.out);
    let shown = run(&["expect", "seed-20"]).out;
    assert!(!shown.is_empty() && shown != run(&["expect", "seed-23"]).out);
    assert_eq!(run(&["replay", "seed-"]).code, 2);
    assert_eq!(run(&["replay", "seed-+1"]).code, 2);
}

#[test]
fn a_relation_can_be_replayed() {
    let relation = hookproof_generate::relations::ALL[0].name;
    let ran = run(&with(&[&["replay", GUARD, "--relation", relation, "--seed", "1"], &CORPUS[..]]));
    assert!(ran.code == 0 || ran.code == 6, "{}{}", ran.out, ran.err);
    let wrong = run(&with(&[&["replay", GUARD, "--relation", "no-such", "--seed", "1"], &CORPUS[..]]));
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("unknown relation `no-such`; allowed are "), "{}", wrong.err);
}

#[test]
fn list_and_explain_tell_what_there_is() {
    for (name, arguments) in [
        ("list-cases", with(&[&["list", "--cases"], &CORPUS[..]])),
        ("list-rules", vec!["list", "--rules", "--rule", "EXIT-2-05", "--rule", "EXIT-N-08"]),
        ("list-points", vec!["list", "--points", "A-31", "A-13"]),
        (
            "list-chapters",
            with(&[&["list", "--chapters", "--chapter", "exit-codes", "--chapter", "spill"], &CORPUS[..]]),
        ),
        ("explain-rule", with(&[&["explain", "EXIT-2-05"], &CORPUS[..]])),
        ("coverage", with(&[&["coverage", "--chapter", "exit-codes", "--chapter", "spill"], &CORPUS[..]])),
        (
            "coverage-standing",
            with(&[&["coverage", "--chapter", "exit-codes", "--standing", "exercised"], &CORPUS[..]]),
        ),
        ("explain-point", with(&[&["explain", "A-31"], &CORPUS[..]])),
        ("explain-settled", with(&[&["explain", "A-55"], &CORPUS[..]])),
    ] {
        let ran = run(&arguments);
        assert_eq!(ran.code, 0, "{}", ran.err);
        snapshot!(name, shown(&ran, &[]));
    }
    assert_eq!(run(&["list"]).out.lines().count(), hookproof_contract::RuleId::COUNT);
}

#[test]
fn help_tells_the_exit_codes() {
    let ran = run(&["--help"]);
    assert_eq!(ran.code, 0);
    snapshot!("help", shown(&ran, &[]));
    for command in [
        "run",
        "smoke",
        "fuzz",
        "list",
        "coverage",
        "requirements",
        "explain",
        "expect",
        "why",
        "replay",
        "shrink",
        "snapshot",
        "diff",
        "schema",
    ] {
        let ran = run(&[command, "--help"]);
        assert_eq!(ran.code, 0);
        snapshot!(format!("help-{command}"), shown(&ran, &[]));
    }
    assert_eq!(run(&["--version"]).out, concat!("hookproof ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn a_wrong_command_line_is_told_what_is_allowed() {
    let wrong: [(&str, &[&str]); 14] = [
        ("no-command", &[]),
        ("unknown-command", &["rn"]),
        ("unknown-option", &["run", "--fressh", "1"]),
        ("unknown-rule", &["run", "--rule", "EXIT-2-0"]),
        ("unknown-event", &["run", "--event", "PreTool"]),
        ("unknown-chapter", &["run", "--chapter", "exit"]),
        ("unknown-level", &["run", "--level", "shall"]),
        ("unknown-candidate", &["run", "--candidate", "referenz"]),
        ("two-candidates", &["run", "--candidate", "reference", "--", "adapter"]),
        ("unknown-topic", &["explain", "A-9999"]),
        ("near-topic", &["explain", "a-31"]),
        ("unknown-case", &["replay", "no-such-case"]),
        ("near-case", &["replay", "an-allow-from-a-hook-does-not-lift-a-denyrule"]),
        ("unknown-schema", &["schema", "cases"]),
    ];
    for (name, arguments) in wrong {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}: {}", ran.err);
        snapshot!(format!("wrong-{name}"), shown(&ran, &[]));
    }
}

#[test]
fn filters_narrow_and_one_that_matches_nothing_is_an_error() {
    let count = |more: &[&'static str]| {
        let ran = run(&with(&[&["run"], more, &CORPUS[..]]));
        assert_eq!(ran.code, 0, "{}", ran.err);
        let line = ran.out.lines().find(|l| l.starts_with("cases")).expect("a line of cases").to_owned();
        line.split_whitespace().nth(1).and_then(|n| n.parse::<usize>().ok()).expect("a count")
    };
    assert_eq!(count(&[]), 3);
    assert_eq!(count(&["--chapter", "exit-codes"]), 2);
    assert_eq!(count(&["--event", "UserPromptSubmit"]), 1);
    assert_eq!(count(&["--rule", "EXIT-N-08"]), 2);
    assert_eq!(count(&["--level", "must"]), 3);
    assert_eq!(count(&["guard", "beside"]), 3);
    for (name, arguments) in [
        ("nothing-selected", with(&[&["run", "--rule", "SPILL-01", "--event", "Stop", "x"], &CORPUS[..]])),
        ("nothing-listed", vec!["list", "--level", "may", "--chapter", "http", "no such words"]),
    ] {
        let ran = run(&arguments);
        assert_eq!(ran.code, 4, "{}", ran.err);
        snapshot!(name, shown(&ran, &[]));
    }
}

#[test]
fn declared_readings_bind_and_are_shown() {
    let postures = ["--postures", r#"{"A-31":"the field is dropped"}"#, "{}"];
    let ran = run(&with(&[&["run", GUARD], &CORPUS, &canned(&postures)]));
    assert!(ran.out.contains("A-31: the field is dropped (declared, and binding)"), "{}", ran.out);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("case.json");
    // Whether a field of the wrong type spoils the block beside it is open.
    let case = json!({
        "settings": [{"from": "user", "settings": {"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "g"}]}]}}}],
        "results": {"g": {"out": "{\"decision\":\"block\",\"reason\":\"WHY-1\",\"systemMessage\":5}"}},
        "steps": [{"fire": {"event": "UserPromptSubmit", "input": {"prompt": "PROMPT-1"}}}]
    });
    fs::write(&file, case.to_string()).expect("a file");
    let ran = run(&with(&[
        &["replay", file.to_str().expect("UTF-8")],
        &canned(&["--observes", "fate", postures[0], postures[1], "{}"]),
    ]));
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("demanded since the candidate declares A-31: the field is dropped"), "{}", ran.out);
}
