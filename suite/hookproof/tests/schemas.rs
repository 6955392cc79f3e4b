//! The JSON Schemas: current in the repository, and right about good and malformed samples.

use crate::common::{ROOT, fixture, run};
use hookproof_contract::{CaseFile, Outcome, message::Reply, read};
use serde_json::{Value, json};
use std::{fs, path::Path};

fn schema(of: &str) -> Value {
    let ran = run(&["schema", of]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    serde_json::from_str(&ran.out).expect("a schema is JSON")
}

fn accepts(schema: &Value) -> impl Fn(&Value) -> bool + use<> {
    let validator = jsonschema::validator_for(schema).expect("a schema");
    move |value| validator.is_valid(value)
}

#[test]
fn the_schemas_in_the_repository_are_current() {
    for of in ["case", "outcome", "message"] {
        let file = Path::new(ROOT).join(format!("docs/schema/{of}.json"));
        let kept = fs::read_to_string(&file).expect("docs/schema has it");
        assert!(
            kept == run(&["schema", of]).out,
            "out of date: run `cargo run -- schema {of} > docs/schema/{of}.json`"
        );
    }
}

#[test]
fn every_case_file_of_the_corpus_satisfies_the_schema() {
    let accepts = accepts(&schema("case"));
    for entry in hookproof::corpus::Corpus::embedded().expect("names are unique").entries() {
        let value = read::value(&entry.text).expect("JSON");
        assert!(accepts(&value), "{}", entry.name);
    }
}

/// Makes a value wrong at a pointer.
fn spoilt(good: &Value, pointer: &str, value: Value) -> Value {
    let mut bad = good.clone();
    read::put(&mut bad, pointer, value).expect("the pointer leads somewhere");
    bad
}

#[test]
fn the_schema_and_the_reader_of_case_files_agree() {
    let accepts = accepts(&schema("case"));
    let text = fs::read_to_string(fixture("corpus/exit-codes/a-guard-that-exits-2-blocks.json")).expect("a case file");
    let good: Value = serde_json::from_str(&text).expect("JSON");
    assert!(accepts(&good));
    for (pointer, value) in [
        ("/about", json!(5)),
        ("/abuot", json!("x")),
        ("/rules/0", json!("EXIT-2-0")),
        ("/case/hosts", json!({})),
        ("/case/host", json!({"surface": "screen"})),
        ("/case/host", json!({"tool_calls_in_turn": 300})),
        ("/case/settings/0/from", json!({"plugin": 5})),
        ("/case/settings/0/from", json!("nowhere")),
        ("/case/results/guard/end", json!({"exit": "2"})),
        ("/case/results/guard/out", json!({"fill": ["x"]})),
        ("/case/results/guard/out", json!({"base64": "x", "join": []})),
        ("/case/steps/0/fire/event", json!("PreTool")),
        ("/case/steps/0/fire/times", json!(-1)),
        ("/case/steps/0", json!({"happen": "nothing"})),
        ("/then/0/at", json!({"said": "nobody"})),
        ("/then/0/at", json!("fates")),
        ("/then/0/must", json!({"be_a": "thing"})),
        ("/then/0/must", json!("present")),
        ("/then/0/steps", json!([0])),
        ("/but/0/change", json!([])),
    ] {
        let bad = spoilt(&good, pointer, value);
        assert!(!accepts(&bad), "the schema accepts {pointer}");
        assert!(CaseFile::read(&bad.to_string()).is_err(), "the reader accepts {pointer}");
    }
    for (pointer, value) in [
        ("/case/results/guard/out", json!({"join": ["a", {"fill": ["b", 3]}, {"base64": "/w=="}]})),
        ("/then/0/at", json!({"said": "model"})),
        ("/case/settings/0/from", json!({"plugin": "p"})),
        ("/case/steps/1", json!({"happen": "tool_call"})),
    ] {
        assert!(accepts(&spoilt(&good, pointer, value)), "{pointer}");
    }
}

#[test]
fn the_schema_and_the_reader_of_outcomes_agree() {
    let accepts = accepts(&schema("outcome"));
    let good = json!({
        "ran": [{"handler": "a", "given": {"timeout": 600}}], "fate": "asked", "agent": "stops",
        "said": [{"to": "model", "text": {"base64": "/w=="}, "how": "context", "by": "a", "spill": {"content": "x"}}],
        "set": {"tool_input": {"x": 1}}, "unseen": ["said/user"]
    });
    assert!(accepts(&good) && accepts(&json!({})));
    for (pointer, value) in [
        ("/fate", json!("blocked")),
        ("/agent", json!(null)),
        ("/ran/0", json!({"given": {}})),
        ("/said/0/to", json!("everyone")),
        ("/said/0/how", json!("loudly")),
        ("/said/0/spill", json!({"file": "/x"})),
        ("/set/tool", json!(1)),
        ("/unseen/0", json!("said/everyone")),
        ("/extra", json!(1)),
    ] {
        let bad = spoilt(&good, pointer, value);
        let read: Result<Outcome, _> = read::typed(&bad);
        // `null` is what serde reads a left-out option from.
        assert!(read.is_err() || pointer == "/agent", "the reader accepts {pointer}");
        assert!(!accepts(&bad) || pointer == "/agent", "the schema accepts {pointer}");
    }
}

#[test]
fn the_schema_and_the_reader_of_messages_agree() {
    let accepts = accepts(&schema("message"));
    let hello = json!({
        "type": "hello", "protocol": 1, "candidate": {"name": "x"}, "revision": "2.1.290", "depths": ["resolve"],
        "events": ["Stop"], "handlers": ["command"], "observes": ["fate", "said/model"], "postures": {"A-31": "the field is dropped"}
    });
    let outcome = json!({"type": "outcome", "id": "1", "steps": [{}]});
    let errored = json!({"type": "errored", "id": "1", "message": "x"});
    for good in [&hello, &outcome, &errored] {
        assert!(accepts(good), "{good}");
        assert!(Reply::read(&good.to_string()).is_ok(), "{good}");
    }
    for (good, pointer, value) in [
        (&hello, "/revision", json!("newest")),
        (&hello, "/depths/0", json!("deep")),
        (&hello, "/events/0", json!("stop")),
        (&hello, "/observes/0", json!("everything")),
        (&hello, "/postures", json!({"A-31": "whatever"})),
        (&hello, "/postures", json!({"A-9999": "x"})),
        (&hello, "/extra", json!(1)),
        (&outcome, "/type", json!("result")),
        (&outcome, "/id", json!(1)),
        (&outcome, "/steps", json!({})),
        (&outcome, "/steps/0/fate", json!("blocked")),
        (&errored, "/message", json!(null)),
    ] {
        let bad = spoilt(good, pointer, value);
        assert!(!accepts(&bad), "the schema accepts {bad}");
        assert!(Reply::read(&bad.to_string()).is_err(), "the reader accepts {bad}");
    }
    for request in [
        json!({"type": "hello", "protocol": 1, "suite": "0.1.0", "revisions": ["2.1.290"]}),
        json!({"type": "run", "id": "1", "depth": "resolve", "deadline_ms": 5000, "case": {"settings": [], "steps": []}}),
        json!({"type": "bye"}),
    ] {
        assert!(accepts(&request), "{request}");
    }
}
