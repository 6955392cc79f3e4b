use super::{Harm, Judgement, implies, judge};
use crate::{Case, Claim, Expectation, Outcome, Place, World};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn observed(places: &[&str]) -> BTreeSet<Place> {
    places.iter().map(|p| p.parse().expect("a place")).collect()
}

fn everything() -> BTreeSet<Place> {
    let given = ["given/input", "given/timeout", "given/prompt"];
    &observed(&["ran", "fate", "agent", "said/model", "said/user", "set/tool_input"]) | &observed(&given)
}

fn claim(json: Value) -> Claim {
    let mut json = json;
    json["rule"] = json!("EXIT-2-05");
    let claim: Claim = serde_json::from_value(json).expect("a claim");
    claim.check_form().expect("a possible claim");
    claim
}

/// Judges one claim on one step of one event.
fn one(event: &str, claim_json: Value, outcome: Value) -> Judgement {
    let case: Case =
        serde_json::from_value(json!({"settings": [], "steps": [{"fire": {"event": event}}]})).expect("a case");
    let expectation = Expectation { claims: vec![claim(claim_json)], worlds: vec![] };
    let outcome: Outcome = serde_json::from_value(outcome).expect("an outcome");
    judge(&case, &expectation, &[outcome], &everything())
}

fn holds(claim_json: Value, outcome: Value) -> bool {
    let judgement = one("PreToolUse", claim_json, outcome);
    assert!(judgement.held.len() + judgement.misses.len() == 1, "it must have been looked at");
    judgement.is_clean()
}

fn harm(claim_json: Value, outcome: Value) -> Harm {
    one("PreToolUse", claim_json, outcome).misses[0].harm
}

#[test]
fn handlers_are_compared_as_a_bag() {
    let wanted = json!({"at": "ran", "must": {"run_exactly": ["a", "b", "a"]}});
    let ran = |names: &[&str]| json!({"ran": names.iter().map(|n| json!({"handler": n})).collect::<Vec<_>>()});
    assert!(holds(wanted.clone(), ran(&["b", "a", "a"])));
    assert!(!holds(wanted.clone(), ran(&["a", "b"])));
    assert!(!holds(wanted.clone(), ran(&["a", "b", "b"])));
    assert_eq!(harm(wanted.clone(), ran(&["a", "b", "b"])), Harm::FailsOpen, "one run of `a` is missing");
    assert_eq!(harm(wanted, ran(&["a", "a", "b", "c"])), Harm::Cosmetic, "one ran too many");
}

#[test]
fn a_fate_left_out_is_what_the_action_comes_to_without_hooks() {
    let proceeds = json!({"at": "fate", "must": {"be": "proceeds"}});
    assert!(holds(proceeds.clone(), json!({})));
    assert_eq!(harm(proceeds, json!({"fate": "asked"})), Harm::FailsClosed);
    let prevented = json!({"at": "fate", "must": {"be": "prevented"}});
    assert_eq!(harm(prevented.clone(), json!({})), Harm::FailsOpen);
    assert_eq!(harm(prevented, json!({"fate": "asked"})), Harm::FailsOpen);
    assert!(holds(json!({"at": "fate", "must": {"be_one_of": ["asked", "deferred"]}}), json!({"fate": "deferred"})));
}

#[test]
fn an_agent_left_out_follows_the_ordinary_course() {
    let ends = json!({"at": "agent", "must": {"be": "ends_turn"}});
    assert!(one("Stop", ends.clone(), json!({})).is_clean());
    assert!(!one("Stop", ends, json!({"fate": "prevented"})).is_clean());
    let stops = json!({"at": "agent", "must": {"be": "stops"}});
    assert_eq!(harm(stops, json!({})), Harm::FailsOpen);
    assert_eq!(harm(json!({"at": "agent", "must": {"be": "goes_on"}}), json!({"agent": "stops"})), Harm::FailsClosed);
}

#[test]
fn parts_must_come_in_order_and_to_the_right_audience() {
    let say = json!({"at": "said/model", "must": {"say": {"parts": ["A-1", "B-2"]}}});
    assert!(holds(say.clone(), json!({"said": [{"to": "model", "text": "x A-1 y B-2"}]})));
    assert!(!holds(say.clone(), json!({"said": [{"to": "model", "text": "B-2 A-1"}]})));
    assert!(!holds(say.clone(), json!({"said": [{"to": "user", "text": "A-1 B-2"}]})));
    assert!(!holds(say.clone(), json!({"said": [{"to": "model", "text": "A-1"}, {"to": "model", "text": "B-2"}]})));
    assert_eq!(harm(say, json!({})), Harm::Lost);
    let twice = json!({"at": "said/model", "must": {"say": {"parts": ["A-1", "A-1"]}}});
    assert!(!holds(twice, json!({"said": [{"to": "model", "text": "A-1"}]})), "one text cannot be two parts");
    let any = json!({"at": "said/model", "must": {"say_any": [{"parts": ["A-1"]}, {"parts": ["B-2"]}]}});
    assert!(holds(any.clone(), json!({"said": [{"to": "model", "text": "B-2"}]})));
    assert!(!holds(any, json!({"said": [{"to": "model", "text": "C-3"}]})));
}

#[test]
fn a_prohibition_is_broken_by_any_text_and_by_a_spilled_one() {
    let no = json!({"at": "said/user", "must": {"not_say": {"parts": ["A-1"]}}});
    assert!(holds(no.clone(), json!({"said": [{"to": "user", "text": "else"}, {"to": "model", "text": "A-1"}]})));
    assert_eq!(
        harm(no.clone(), json!({"said": [{"to": "user", "text": "else"}, {"to": "user", "text": "A-1"}]})),
        Harm::Leak
    );
    assert!(!holds(no, json!({"said": [{"to": "user", "text": "path", "spill": {"content": "A-1"}}]})));
}

#[test]
fn an_untold_manner_is_taken_in_favour_of_the_candidate() {
    let say = json!({"at": "said/model", "must": {"say": {"parts": ["A-1"], "how": "context"}}});
    assert!(holds(say.clone(), json!({"said": [{"to": "model", "text": "A-1"}]})));
    assert!(holds(say.clone(), json!({"said": [{"to": "model", "text": "A-1", "how": "context"}]})));
    assert!(!holds(say, json!({"said": [{"to": "model", "text": "A-1", "how": "refusal"}]})));
    let no = json!({"at": "said/model", "must": {"not_say": {"parts": ["A-1"], "how": "context"}}});
    assert!(holds(no.clone(), json!({"said": [{"to": "model", "text": "A-1"}]})));
    assert!(!holds(no, json!({"said": [{"to": "model", "text": "A-1", "how": "context"}]})));
}

#[test]
fn a_spilled_text_lies_in_its_file_whole_and_shows_a_short_preview() {
    let whole = "h".repeat(12000);
    let say =
        json!({"at": "said/model", "must": {"say": {"parts": [{"fill": ["h", 12000]}], "lies": {"in_file": 2000}}}});
    let said = |text: &str, file: &str| json!({"said": [{"to": "model", "text": text, "spill": {"content": file}}]});
    assert!(holds(say.clone(), said(&format!("/tmp/f {}", &whole[..2000]), &whole)));
    assert!(holds(say.clone(), said("/tmp/f", &format!("{whole}\n"))), "no preview, and a line end, are fine");
    assert!(!holds(say.clone(), said(&whole[..2001], &whole)), "the preview is too long");
    assert!(!holds(say.clone(), said("/tmp/f", &whole[..11999])), "the file is not whole");
    assert!(!holds(say, json!({"said": [{"to": "model", "text": whole}]})), "it was not spilled");
    let in_text = json!({"at": "said/model", "must": {"say": {"parts": ["A-1"], "lies": "in_text"}}});
    assert!(!holds(in_text, said("path", "A-1")));
    let blank = json!({"at": "said/model", "must": {"say": {"parts": ["NOTE-1"], "lies": {"in_file": 2000}}}});
    let file = format!("\u{feff}NOTE-1{}", " ".repeat(10_000));
    assert!(holds(blank, said("NOTE-1", &file)), "all of it is preview, and white space at the ends is no part of it");
}

#[test]
fn values_are_compared_by_value() {
    let at = |must: Value| json!({"at": "set/tool_input", "must": must});
    let set = |value: Value| json!({"set": {"tool_input": value}});
    assert!(holds(at(json!({"be": {"a": 1, "b": [2.0]}})), set(json!({"b": [2], "a": 1.0}))));
    assert!(!holds(at(json!({"be": {"a": 1}})), set(json!({"a": 1, "b": 2}))), "nothing may be added");
    assert!(!holds(at(json!({"be": 9007199254740993u64})), set(json!(9007199254740992u64))), "whole numbers are exact");
    assert!(holds(at(json!("absent")), json!({})));
    assert!(!holds(at(json!("absent")), set(Value::Null)), "null is there");
    let inside = json!({"at": "set/tool_input", "path": "/a", "must": "absent"});
    assert!(holds(inside.clone(), set(json!({"b": 1}))));
    assert!(holds(inside, json!({})));
    for (kind, good, bad) in [
        ("absolute_path", json!("/a"), json!("a/b")),
        ("absolute_path", json!("C:\\a"), json!("C:")),
        ("uuid", json!("123e4567-e89b-12d3-a456-426614174000"), json!("123e4567-e89b-12d3-a456-42661417400g")),
        ("bool", json!(true), json!("true")),
        ("object", json!({}), json!([])),
    ] {
        assert!(holds(at(json!({"be_a": kind})), set(good)), "{kind}");
        assert!(!holds(at(json!({"be_a": kind})), set(bad)), "{kind}");
    }
}

#[test]
fn what_a_handler_was_given_is_judged_in_every_run_of_it() {
    let wanted = json!({"at": "given/input", "of": "a", "path": "/x", "must": {"be": 1}});
    let ran = |xs: &[i32]| json!({"ran": xs.iter().map(|x| json!({"handler": "a", "given": {"input": {"x": x}}})).collect::<Vec<_>>()});
    assert!(holds(wanted.clone(), ran(&[1, 1])));
    assert!(!holds(wanted.clone(), ran(&[1, 2])));
    let absent = one("PreToolUse", wanted, json!({"ran": [{"handler": "b"}]}));
    assert!(absent.is_clean() && absent.held.is_empty(), "a handler that did not run is the business of `ran`");
}

#[test]
fn of_the_text_that_an_evaluator_got_parts_are_demanded() {
    let got = |prompt: Value| json!({"ran": [{"handler": "judge", "given": {"prompt": prompt}}]});
    let at = |must: Value| json!({"at": {"given": "prompt"}, "of": "judge", "must": must});
    let in_place = at(json!({"say": {"parts": ["before", "CMD-1", "after"]}}));
    assert!(holds(in_place.clone(), got(json!("before {\"command\":\"CMD-1\"} after"))));
    assert!(!holds(in_place.clone(), got(json!("before $ARGUMENTS after {\"command\":\"CMD-1\"}"))));
    assert!(!holds(in_place, got(json!(5))));
    let replaced = at(json!({"not_say": {"parts": ["$ARGUMENTS"]}}));
    assert!(holds(replaced.clone(), got(json!("before after"))));
    assert!(!holds(replaced, got(json!("before $ARGUMENTS"))));
}

#[test]
fn what_was_not_observed_is_not_judged() {
    let case: Case =
        serde_json::from_value(json!({"settings": [], "steps": [{"fire": {"event": "Stop"}}]})).expect("a case");
    let expectation =
        Expectation { claims: vec![claim(json!({"at": "fate", "must": {"be": "prevented"}}))], worlds: vec![] };
    let unseen: Outcome = serde_json::from_value(json!({"unseen": ["fate"]})).expect("an outcome");
    for (outcome, observes) in [(Outcome::default(), observed(&["ran"])), (unseen, everything())] {
        let judgement = judge(&case, &expectation, &[outcome], &observes);
        assert!(judgement.is_clean() && judgement.held.is_empty());
    }
}

#[test]
fn steps_are_judged_where_the_claim_says() {
    let case: Case = serde_json::from_value(
        json!({"settings": [], "steps": [{"happen": "new_prompt"}, {"fire": {"event": "Stop", "times": 3}}]}),
    )
    .expect("a case");
    let fate = |f: &str| serde_json::from_value::<Outcome>(json!({"fate": f})).expect("an outcome");
    let outcomes = [Outcome::default(), fate("prevented"), fate("prevented"), fate("proceeds")];
    let run = |steps: Value| {
        let mut json = json!({"at": "fate", "must": {"be": "prevented"}});
        if !steps.is_null() {
            json["steps"] = steps;
        }
        judge(&case, &Expectation { claims: vec![claim(json)], worlds: vec![] }, &outcomes, &everything())
    };
    assert!(run(json!([1, 2])).is_clean());
    assert_eq!(run(json!([1, 3])).misses[0].step, 3);
    assert_eq!(run(Value::Null).misses[0].step, 3, "every firing is meant, and no happening");
    assert_eq!(judge(&case, &Expectation::default(), &outcomes[1..], &everything()).wrong_count, Some(3));
}

#[test]
fn the_worlds_that_hold_are_the_posture_and_fail_nobody() {
    let case: Case =
        serde_json::from_value(json!({"settings": [], "steps": [{"fire": {"event": "Stop"}}]})).expect("a case");
    let world =
        |fate: &str| World { claims: vec![claim(json!({"at": "fate", "must": {"be": fate}}))], ..World::default() };
    let expectation =
        Expectation { claims: vec![], worlds: vec![world("prevented"), world("proceeds"), world("asked")] };
    let judgement = judge(&case, &expectation, &[Outcome::default()], &everything());
    assert_eq!((judgement.is_clean(), judgement.worlds.as_slice()), (true, &[1][..]));
}

#[test]
fn a_stronger_claim_implies_a_weaker_one_and_not_the_reverse() {
    let pairs = [
        (
            json!({"at": "fate", "must": {"be": "asked"}}),
            json!({"at": "fate", "must": {"be_one_of": ["asked", "prevented"]}}),
        ),
        (
            json!({"at": "set/tool_input", "must": {"be": {"a": {"b": 1}}}}),
            json!({"at": "set/tool_input", "path": "/a/b", "must": {"be": 1}}),
        ),
        (
            json!({"at": "set/tool_input", "path": "/a", "must": {"be": {"b": 1}}}),
            json!({"at": "set/tool_input", "path": "/a/b", "must": {"be_a": "number"}}),
        ),
        (
            json!({"at": "set/tool_input", "must": {"be": {"a": 1}}}),
            json!({"at": "set/tool_input", "path": "/c", "must": "absent"}),
        ),
        (
            json!({"at": "said/model", "must": {"say": {"parts": ["XA-1 Y"], "how": "context", "lies": "in_text"}}}),
            json!({"at": "said/model", "must": {"say": {"parts": ["A-1"]}}}),
        ),
        (
            json!({"at": "said/model", "must": {"say": {"parts": ["A-1", "B-2"]}}}),
            json!({"at": "said/model", "must": {"say": {"parts": ["B-2"]}}}),
        ),
        (
            json!({"at": "said/model", "must": {"not_say": {"parts": ["A-1"]}}}),
            json!({"at": "said/model", "must": {"not_say": {"parts": ["A-1"], "lies": "in_text"}}}),
        ),
        (
            json!({"at": "set/tool_input", "must": "absent"}),
            json!({"at": "set/tool_input", "path": "/a", "must": "absent"}),
        ),
        (
            json!({"at": "set/tool_input", "must": {"be_one_of": [{"a": 1}, {"a": 1, "b": 2}]}}),
            json!({"at": "set/tool_input", "path": "/a", "must": {"be": 1}}),
        ),
        (
            json!({"at": "said/model", "must": {"say": {"parts": ["A-1"], "lies": {"in_file": 1000}}}}),
            json!({"at": "said/model", "must": {"say": {"parts": ["A-1"], "lies": {"in_file": 2000}}}}),
        ),
    ];
    for (strong, weak) in pairs {
        assert!(implies(&claim(strong.clone()), &claim(weak.clone())), "{strong} must imply {weak}");
        assert!(!implies(&claim(weak.clone()), &claim(strong.clone())), "{weak} must not imply {strong}");
    }
}

#[test]
fn claims_that_have_nothing_to_do_with_each_other_imply_nothing() {
    let say = |say: Value| json!({"at": "said/model", "must": {"say": say}});
    for (one, other) in [
        (
            json!({"at": "set/tool_input", "must": {"be": {"a": 1}}}),
            json!({"at": "set/tool_output", "must": {"be": {"a": 1}}}),
        ),
        (
            json!({"at": "given/timeout", "of": "g", "must": {"be": 600}}),
            json!({"at": "given/timeout", "of": "h", "must": {"be": 600}}),
        ),
        (
            json!({"at": "set/tool_input", "must": "absent"}),
            json!({"at": "set/tool_input", "path": "/a", "must": {"be": 1}}),
        ),
        (
            json!({"at": "set/tool_input", "must": {"be_one_of": [{"a": 1}, {"a": 2}]}}),
            json!({"at": "set/tool_input", "path": "/a", "must": {"be": 1}}),
        ),
        (say(json!({"parts": ["A-1"], "how": "context"})), say(json!({"parts": ["A-1"], "how": "feedback"}))),
        (
            say(json!({"parts": ["A-1 B-2"], "lies": {"in_file": 2000}})),
            say(json!({"parts": ["A-1"], "lies": {"in_file": 2000}})),
        ),
        (say(json!({"parts": ["A-1 B-2"]})), say(json!({"parts": ["B-2", "A-1"]}))),
        (say(json!({"parts": ["A-1 B-2"]})), say(json!({"parts": ["B-2", "B-2"]}))),
    ] {
        assert!(!implies(&claim(one.clone()), &claim(other.clone())), "{one} must not imply {other}");
        assert!(!implies(&claim(other.clone()), &claim(one.clone())), "{other} must not imply {one}");
    }
    let strong = claim(say(json!({"parts": ["A-1 B-2"], "how": "context"})));
    assert!(implies(&strong, &claim(say(json!({"parts": ["A-1", "B-2"], "how": "context"})))), "in this order");
}

#[test]
fn values_are_equal_by_what_they_say() {
    let be = |wanted: Value, found: Value| {
        let claim = json!({"at": "set/tool_input", "must": {"be": {"a": wanted}}});
        one("PreToolUse", claim, json!({"set": {"tool_input": {"a": found}}})).is_clean()
    };
    for (wanted, found, same) in [
        (json!(1), json!(1.0), true),
        (json!(1.5), json!(2.5), false),
        (json!(9_007_199_254_740_993_i64), json!(9_007_199_254_740_992_i64), false),
        (json!("x"), json!("x"), true),
        (json!("x"), json!("y"), false),
        (json!("1"), json!(1), false),
        (json!([1, 2]), json!([2, 1]), false),
        (json!({"b": 1, "c": 2}), json!({"c": 2, "b": 1}), true),
        (json!({"b": 1}), json!({"b": 1, "c": 2}), false),
    ] {
        assert_eq!(be(wanted.clone(), found.clone()), same, "{wanted} and {found}");
    }
    for (found, holds) in [("asked", true), ("prevented", true), ("proceeds", false)] {
        let claim = json!({"at": "fate", "must": {"be_one_of": ["asked", "prevented"]}});
        assert_eq!(one("PreToolUse", claim, json!({"fate": found})).is_clean(), holds, "{found}");
    }
}

#[test]
fn one_of_several_texts_in_a_prompt_is_enough() {
    let claim = json!({"at": "given/prompt", "of": "g", "must": {"say_any": [{"parts": ["A-1"]}, {"parts": ["B-2"]}]}});
    let given = |prompt: &str| json!({"ran": [{"handler": "g", "given": {"prompt": prompt}}]});
    assert!(one("PreToolUse", claim.clone(), given("look at B-2")).is_clean());
    assert!(!one("PreToolUse", claim, given("look at C-3")).is_clean());
}

#[test]
fn what_happens_between_firings_is_spoken_of_only_where_a_claim_names_the_step() {
    let steps = json!([{"fire": {"event": "PreToolUse"}}, {"happen": "model_request"}]);
    let case: Case = serde_json::from_value(json!({"settings": [], "steps": steps})).expect("a case");
    let says = json!([{}, {"said": [{"to": "model", "text": "A-1"}]}]);
    let outcomes: Vec<Outcome> = serde_json::from_value(says).expect("outcomes");
    let keeps = json!({"at": "said/model", "must": {"not_say": {"parts": ["A-1"]}}});
    let mut names_the_step = keeps.clone();
    names_the_step["steps"] = json!([1, 1]);
    for (claim_json, clean) in [(keeps, true), (names_the_step, false)] {
        let expectation = Expectation { claims: vec![claim(claim_json.clone())], worlds: vec![] };
        assert_eq!(judge(&case, &expectation, &outcomes, &everything()).is_clean(), clean, "{claim_json}");
    }
}

#[test]
fn what_a_broken_claim_means_hangs_on_what_was_wanted_and_found() {
    let means = |claim: Value, outcome: Value| one("PreToolUse", claim, outcome).misses[0].harm;
    let fate = |must: Value, found: &str| means(json!({"at": "fate", "must": must}), json!({"fate": found}));
    assert_eq!(fate(json!({"be": "prevented"}), "proceeds"), Harm::FailsOpen);
    assert_eq!(fate(json!({"be": "prevented"}), "asked"), Harm::FailsOpen);
    assert_eq!(fate(json!({"be_one_of": ["prevented", "proceeds"]}), "asked"), Harm::FailsClosed);
    assert_eq!(fate(json!({"be": "proceeds"}), "prevented"), Harm::FailsClosed);
    let ran = |names: Value| {
        let ran: Vec<Value> = names.as_array().expect("names").iter().map(|name| json!({"handler": name})).collect();
        means(json!({"at": "ran", "must": {"run_exactly": ["g", "g"]}}), json!({"ran": ran}))
    };
    assert_eq!(ran(json!([])), Harm::FailsOpen);
    assert_eq!(ran(json!(["g"])), Harm::FailsOpen, "one of two did not run");
    assert_eq!(ran(json!(["g", "g", "g"])), Harm::Cosmetic, "one ran too often");
    let input = |must: Value| means(json!({"at": "set/tool_input", "must": must}), json!({"set": {"tool_input": 5}}));
    assert_eq!(input(json!("absent")), Harm::Leak);
    assert_eq!(input(json!({"be": 6})), Harm::Lost);
}

#[test]
fn a_file_of_bytes_that_are_no_text_is_compared_as_bytes() {
    // 0xff, 0x00 and 0xff, 0x01: neither is UTF-8.
    let claim =
        json!({"at": "said/model", "must": {"say": {"parts": [{"base64": "/wA="}], "lies": {"in_file": 2000}}}});
    let spilled = |bytes: &str| json!({"said": [{"to": "model", "text": "", "spill": {"content": {"base64": bytes}}}]});
    assert!(one("PreToolUse", claim.clone(), spilled("/wA=")).is_clean());
    assert!(!one("PreToolUse", claim, spilled("/wE=")).is_clean());
}

#[test]
fn each_harm_has_a_name_of_its_own_which_files_write_with_a_hyphen() {
    for harm in [Harm::FailsOpen, Harm::FailsClosed, Harm::Leak, Harm::Lost, Harm::Cosmetic] {
        assert_eq!(json!(harm), json!(harm.name().replace(' ', "-")));
    }
}
