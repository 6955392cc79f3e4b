//! What is simpler than a text, in order.

use super::{LONGEST, RUN, compact, simpler};
use crate::shrink::tests::read;
use hookproof_contract::Text;
use serde_json::{Value, json};

/// What is simpler than a text that a handler of a case says.
fn offered(text: &Value) -> Vec<Text> {
    let case = read(json!({"settings": [], "results": {"a": {"out": text}}, "steps": []}));
    simpler(&case, &case.results["a"].out)
}

/// Checks that these texts are offered for one, in this order, and nothing else.
#[track_caller]
fn offers<const N: usize>(text: Value, wanted: [Value; N]) {
    let wanted: Vec<Text> = wanted.into_iter().map(|text| serde_json::from_value(text).expect("a text")).collect();
    assert_eq!(offered(&text), wanted);
}

#[test]
fn nothing_is_simpler_than_an_empty_text_or_a_word() {
    for text in [json!(""), json!({"fill": ["", 3]}), json!({"join": []}), json!("word"), json!("WORD-1")] {
        offers(text, []);
    }
}

#[test]
fn a_text_becomes_one_of_its_canaries_or_loses_the_space_around_it() {
    offers(json!("\n say ONE-1 and TWO-2 "), [json!("ONE-1"), json!("TWO-2"), json!("say ONE-1 and TWO-2")]);
}

#[test]
fn a_text_loses_each_of_its_lines() {
    offers(json!("a\nb\nc"), [json!("b\nc"), json!("a\nc"), json!("a\nb")]);
}

#[test]
fn a_document_loses_each_member_and_then_the_space_in_it() {
    offers(
        json!(r#"{ "a": {"b": 1, "c": 2}, "d": [3, 4] }"#),
        [
            json!(r#"{"d":[3,4]}"#),
            json!(r#"{"a":{"b":1,"c":2}}"#),
            json!(r#"{"a":{"c":2},"d":[3,4]}"#),
            json!(r#"{"a":{"b":1},"d":[3,4]}"#),
            json!(r#"{"a":{"b":1,"c":2},"d":[4]}"#),
            json!(r#"{"a":{"b":1,"c":2},"d":[3]}"#),
            json!(r#"{"a":{"b":1,"c":2},"d":[3,4]}"#),
        ],
    );
}

#[test]
fn a_string_in_a_document_becomes_one_of_its_canaries() {
    offers(json!(r#"{"a":"say ONE-1 or TWO-2"}"#), [json!("{}"), json!(r#"{"a":"ONE-1"}"#), json!(r#"{"a":"TWO-2"}"#)]);
    offers(json!(r#"{"a":"ONE-1"}"#), [json!("{}")]);
}

#[test]
fn a_document_on_a_line_loses_its_members_there() {
    offers(
        json!("say\n[1]\n{\"a\":2}"),
        [json!("[1]\n{\"a\":2}"), json!("say\n{\"a\":2}"), json!("say\n[1]"), json!("say\n[1]\n{}")],
    );
}

#[test]
fn a_run_becomes_nothing_and_then_shorter_in_finer_and_finer_steps() {
    let fill = |times: usize| json!({"fill": ["x", times]});
    offers(fill(50_000), [0, 25_000, 45_000, 49_000, 49_900, 49_990, 49_999].map(fill));
    let fill = |times: usize| json!({"fill": ["ab", times]});
    offers(fill(5), [json!("ababababab"), fill(0), fill(3), fill(4)]);
}

#[test]
fn a_list_has_shorter_runs_fewer_parts_or_is_one_string() {
    let join = |times: usize| json!({"join": ["a ", {"fill": ["bc", times]}, "\n"]});
    offers(
        join(3),
        [
            json!("a bcbcbc"),
            join(0),
            join(2),
            join(2),
            json!({"join": [{"fill": ["bc", 3]}, "\n"]}),
            json!({"join": ["a ", "\n"]}),
            json!({"join": ["a ", {"fill": ["bc", 3]}]}),
            json!("a bcbcbc\n"),
        ],
    );
}

#[test]
fn a_list_of_one_part_left_is_that_part() {
    offers(json!({"join": ["a", {"base64": "/w=="}]}), [json!({"base64": "/w=="}), json!("a")]);
}

#[test]
fn only_a_list_that_is_shorter_than_a_run_becomes_one_string() {
    let becomes_a_string = |length: usize| {
        let string = format!("{}\n", &"ab".repeat(length)[..length - 1]);
        let parts = json!({"join": [string[..9], string[9..]]});
        offered(&parts).contains(&Text::from(string))
    };
    assert!(becomes_a_string(RUN - 1) && !becomes_a_string(RUN));
}

#[test]
fn only_a_text_that_is_not_too_long_is_read() {
    let is_read = |length: usize| {
        offered(&json!({"join": ["ONE-1 ", {"fill": ["x", length - 6]}]})).contains(&Text::from("ONE-1"))
    };
    assert!(is_read(LONGEST - 1) && !is_read(LONGEST));
}

#[test]
fn only_runs_are_written_as_such() {
    let (run, almost) = ("x".repeat(RUN), "x".repeat(RUN - 1));
    let fill = || Text::Fill("x".to_owned(), RUN);
    for (string, parts) in [
        (run.clone(), vec![fill()]),
        (format!("{run}a"), vec![fill(), "a".into()]),
        (format!("a{run}"), vec!["a".into(), fill()]),
        (
            format!("a{almost}y{run}{almost}y"),
            vec![format!("a{almost}y").into(), Text::Fill("x".to_owned(), 2 * RUN - 1), "y".into()],
        ),
    ] {
        assert_eq!(compact(&string), Text::Join(parts));
    }
    assert_eq!(compact(&almost), Text::from(almost.as_str()));
}

#[test]
fn long_runs_stay_readable() {
    let long = format!("A-\u{e9}{}{}z", "x".repeat(300), "\u{e9}".repeat(250));
    let text = compact(&long);
    assert_eq!(text.lossy(), long);
    assert!(matches!(&text, Text::Join(parts) if parts.len() == 4), "{text:?}");
    assert_eq!(compact("short"), Text::from("short"));
}

#[test]
fn a_key_goes_while_a_long_text_beside_it_stays() {
    let long = json!({"join": ["{\"continue\":true,\"systemMessage\":\"MSG-1 ", {"fill": ["x", 10001]}, "\"}"]});
    let wanted = |t: &Text| !t.lossy().contains("continue") && t.len() > 10_000 && matches!(t, Text::Join(_));
    assert!(offered(&long).iter().any(wanted));
}
