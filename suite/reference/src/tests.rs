//! The runtime as a whole.

use crate::{Runtime, hello, testing, variants};
use hookproof_contract::{CaseFile, Claim, Expectation, judge::judge};
use serde_json::json;

/// The worked examples: a case and what the contract demands of it.
const EXAMPLES: [&str; 4] = [
    include_str!("../examples/deny-outweighs-allow.json"),
    include_str!("../examples/long-plain-stdout-becomes-a-file.json"),
    include_str!("../examples/eight-continuations-and-no-more.json"),
    include_str!("../examples/exit-2-declines-in-silence.json"),
];

#[test]
fn every_example_is_played_as_the_contract_demands() {
    for text in EXAMPLES {
        let file = CaseFile::read(text).expect("an example");
        for (about, case, then) in file.variants().expect("its near-misses") {
            let expectation = Expectation { claims: then.to_vec(), worlds: Vec::new() };
            let outcomes = Runtime::new().play(&case);
            let judgement = judge(&case, &expectation, &outcomes, &hello().observes);
            let broken: Vec<&Claim> = judgement.misses.iter().map(|miss| &then[miss.claim]).collect();
            assert!(judgement.is_clean(), "{about}: {broken:#?}\n{outcomes:#?}");
            assert_eq!(judgement.held.len(), then.len(), "{about}");
        }
    }
}

#[test]
fn there_is_one_outcome_for_each_moment() {
    let case = testing::case(json!({"settings": [], "steps": [
        {"happen": "new_prompt"}, {"fire": {"event": "Stop", "times": 3}}, {"fire": {"event": "SessionEnd"}}]}));
    let outcomes = Runtime::new().play(&case);
    assert_eq!(outcomes.len(), 5);
    assert!(outcomes.iter().all(|outcome| *outcome == hookproof_contract::Outcome::default()));
}

#[test]
fn texts_that_are_not_utf8_are_read_all_the_same() {
    let out = json!({"base64": "eyJzeXN0ZW1NZXNzYWdlIjoiTVNHLTH/In0="});
    let outcome = testing::stage(
        json!({"settings": [{"from": "user", "settings": {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}]}}}],
        "results": {"a": {"out": out}}, "steps": [{"fire": {"event": "Stop"}}]}),
    );
    assert!(testing::said(&outcome[0], hookproof_contract::Audience::User)[0].contains("MSG-1\u{fffd}"));
}

#[test]
fn no_variant_disturbs_an_example_that_meets_no_open_point() {
    let file = CaseFile::read(EXAMPLES[2]).expect("an example");
    let usual = Runtime::new().play(&file.case);
    for (name, readings) in variants() {
        assert!(Runtime::with_readings(readings).play(&file.case) == usual, "{name}");
    }
}

/// `cargo test --release -p hookproof-reference -- --ignored --nocapture`
#[test]
#[ignore = "measures; run by hand in release"]
fn a_case_of_one_handler_takes_few_microseconds() {
    let group = json!([{"matcher": "Bash", "hooks": [{"type": "command", "command": "guard"}]}]);
    let out = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"WHY-1"}}"#;
    let case = testing::case(
        json!({"settings": [{"from": "user", "settings": {"hooks": {"PreToolUse": group}}}], "results": {"guard": {"out": out}},
        "steps": [{"fire": {"event": "PreToolUse", "input": {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t"}}}]}),
    );
    let runtime = Runtime::new();
    let rounds = 200_000;
    let start = std::time::Instant::now();
    for _ in 0..rounds {
        std::hint::black_box(runtime.play(std::hint::black_box(&case)));
    }
    println!("{:?} a case", start.elapsed() / rounds);
}
