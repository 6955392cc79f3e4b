//! Tests of the shrinker.

use super::{ATTEMPTS, shrink, size};
use crate::{canary::lint, from_seed, host};
use hookproof_contract::{Case, End, Event, Fate, Step};
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[test]
fn the_smallest_case_of_a_kind_is_reached() {
    let mut seed = 0;
    let large = loop {
        let case = from_seed(seed);
        let exit_2 = case.results.values().any(|r| r.end == End::Exit(2) && !r.err.is_empty());
        if exit_2 && case.results.len() > 2 {
            break case;
        }
        seed += 1;
    };
    let mut fails = |case: &Case| case.results.values().any(|r| r.end == End::Exit(2) && !r.err.is_empty());
    let small = shrink(&large, &mut fails);
    assert!(fails(&small));
    assert_eq!(small.results.len(), 1, "{small:?}");
    // Its handler stays, for a result of no handler is none that could be played.
    assert!(small.settings.len() == 1 && small.steps.is_empty(), "{small:?}");
    assert!(size(&small) < 120, "{} {small:?}", size(&small));
    assert_eq!(lint(&small), Ok(()));
}

#[test]
fn the_result_still_fails_is_no_larger_and_comes_out_the_same_again() {
    for seed in 0..120 {
        let case = from_seed(seed);
        let event = first_event(&case);
        let mut fails = |c: &Case| first_event(c) == event && c.settings.iter().any(|l| !l.settings.is_empty());
        let small = shrink(&case, &mut fails);
        assert!(fails(&small) && size(&small) <= size(&case), "seed {seed}");
        assert_eq!(shrink(&case, &mut fails), small, "seed {seed}");
        assert!(small.settings.len() == 1 && small.results.is_empty(), "seed {seed}: {small:?}");
    }
}

#[test]
fn a_long_text_shrinks_to_the_limit_that_matters() {
    let case: Case = serde_json::from_str(
        r#"{"settings":[],"results":{"notes":{"out":{"join":["LONG-01 ",{"fill":["x",12000]}," END-02"]}}},
           "steps":[{"fire":{"event":"Stop"}}]}"#,
    )
    .expect("a case");
    let small = shrink(&case, &mut |c| c.results.values().any(|r| r.out.len() > 10_000));
    assert_eq!(small.results["notes"].out.len(), 10_001);
}

#[test]
fn a_case_that_fails_in_every_form_ends_as_nothing() {
    let small = shrink(&from_seed(3), &mut |_| true);
    assert_eq!(small, Case::default());
    assert_eq!(size(&small), 0);
}

#[test]
fn a_denial_in_a_loud_session_shrinks_to_the_denial_alone() {
    let command = |name: &str| json!({"type": "command", "command": name, "timeout": 5});
    let groups = json!([{"matcher": "*", "hooks": [command("log"), command("guard")]}, {"hooks": [command("log")]}]);
    let case = read(json!({
        "host": {"surface": "print", "permissions": {"deny": ["Bash"]}, "facts": ["streaming"], "env": {"A": "b"}},
        "settings": [
            {"from": "local", "settings": {"theme": "dark", "hooks": {"Stop": groups}}},
            {"from": "project", "settings": {"theme": "light", "hooks": {"PreToolUse": groups, "Stop": groups}}},
        ],
        "results": {
            "guard": {"end": {"exit": 2}, "out": " \n", "err": "not that:\nGUARD-ERR for now", "rank": 2},
            "log": {"out": "LOG-1", "did": [{"changed_file": "/f"}]},
        },
        "steps": [
            {"happen": "new_prompt"},
            {"fire": {"event": "PreToolUse", "otherwise": "prevented", "times": 3, "results": {"log": {}},
                "input": {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t"}}},
            {"fire": {"event": "Stop"}},
        ],
    }));
    let denies = |case: &Case| {
        let configured = case.settings.iter().any(|layer| {
            layer.settings.get("hooks").is_some_and(|hooks| hooks["PreToolUse"].to_string().contains("guard"))
        });
        let result = case.results.get("guard").is_some_and(|r| r.end == End::Exit(2) && !r.err.is_empty());
        configured && result && first_event(case) == Some(Event::PreToolUse)
    };
    assert!(denies(&case));
    let smallest = read(json!({
        "settings": [{"from": "user", "settings": {
            "hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "guard"}]}]},
        }}],
        "results": {"guard": {"end": {"exit": 2}, "err": "GUARD-ERR"}},
        "steps": [{"fire": {
            "event": "PreToolUse", "input": {"tool_name": "Bash", "tool_input": {"command": "ls"}},
        }}],
    }));
    assert_eq!(shrink(&case, &mut |c| denies(c)), smallest);
}

#[test]
fn what_a_document_says_shrinks_to_its_canary() {
    let out = r#"{ "continue": true, "systemMessage": "this is MSG-1, or MSG-2", "list": [1, 2] }"#;
    let case = read(json!({"settings": [], "results": {"a": {"out": out}}, "steps": []}));
    let small = shrink(&case, &mut |c| c.results.values().any(|r| r.out.lossy().contains("systemMessage")));
    let smallest = json!({"settings": [], "results": {"a": {"out": r#"{"systemMessage":"MSG-1"}"#}}, "steps": []});
    assert_eq!(small, read(smallest));
}

#[test]
fn what_a_later_simplification_makes_possible_is_done_in_another_round() {
    // While the Stop is repeated, what blocks it has to stay; and results are tried before repeats.
    let results = json!({"a": {"end": {"exit": 2}, "err": "WHY-1"}});
    let case = read(json!({"settings": [], "results": results, "steps": [{"fire": {"event": "Stop", "times": 5}}]}));
    let small = shrink(&case, &mut |c| !c.steps.is_empty());
    assert_eq!(small, read(json!({"settings": [], "steps": [{"fire": {"event": "Stop"}}]})));
}

#[test]
fn a_repeated_stop_keeps_what_blocks_it() {
    let stops = |c: &Case| c.steps.iter().any(|s| matches!(s, Step::Fire(f) if f.event == Event::Stop && f.times > 4));
    let case = (0..).map(from_seed).find(stops).expect("some seed has it");
    let small = shrink(&case, &mut |c| stops(c));
    assert!(crate::steps::stops_follow(&small), "{small:?}");
    assert!(small.steps.len() == 1 && small.results.len() == 1, "{small:?}");
}

fn first_event(case: &Case) -> Option<Event> {
    case.steps.iter().find_map(|s| if let Step::Fire(f) = s { Some(f.event) } else { None })
}

#[test]
fn it_gives_up_after_so_many_attempts() {
    // Texts that can be made shorter in more ways than that, and that keep to nothing that had to be looked at each time.
    let result = json!({"out": json!({"k": vec![0; 60]}).to_string(), "err": "unmarked"});
    let results: BTreeMap<String, Value> = (0..ATTEMPTS / 60 + 1).map(|n| (n.to_string(), result.clone())).collect();
    let case = read(json!({"settings": [], "results": results, "steps": []}));
    let mut asked = 0;
    let small = shrink(&case, &mut |_| {
        asked += 1;
        false
    });
    assert_eq!((asked, &small), (ATTEMPTS, &case));
}

#[test]
fn what_is_accepted_counts_as_an_attempt_too() {
    let mut times = 2 * ATTEMPTS;
    let case = read(json!({"settings": [], "steps": [{"fire": {"event": "Stop", "times": times}}]}));
    let mut asked = 0;
    shrink(&case, &mut |c| {
        asked += 1;
        let one_less = c.moments_count() == times - 1;
        times -= usize::from(one_less);
        one_less
    });
    // No step, once and half as often were refused.
    assert_eq!((asked, times), (ATTEMPTS, ATTEMPTS + 3));
}

#[test]
fn what_a_case_keeps_to_is_kept() {
    let call = json!({"event": "PreToolUse", "otherwise": "prevented",
        "input": {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t"}});
    let case = read(json!({"host": {"permissions": {"deny": ["Bash(ls)"]}}, "settings": [],
        "results": {"a": {"err": "why GUARD-ERR at last"}}, "steps": [{"fire": call}]}));
    let ruled = |c: &Case| !c.host.permissions.deny.is_empty() && c.steps.len() == 1;
    let small = shrink(&case, &mut |c| ruled(c) && c.results.values().any(|r| !r.err.is_empty()));
    assert!(host::agrees(&case) && host::agrees(&small), "{small:?}");
    assert_eq!(small.results["a"].err.lossy(), "GUARD-ERR");

    // A case that keeps to nothing need not be brought to it, and its texts become nothing but short.
    let mut wild = case;
    if let Step::Fire(firing) = &mut wild.steps[0] {
        firing.otherwise = Fate::Asked;
    }
    wild.results.values_mut().for_each(|result| result.err = "why".into());
    assert!(!host::agrees(&wild) && lint(&wild).is_err());
    let small = shrink(&wild, &mut |c| ruled(c) && c.results.len() == 1);
    assert!(small.results["a"].err.is_empty(), "{small:?}");
}

#[test]
fn a_text_that_holds_a_canary_keeps_it_and_any_other_needs_none() {
    let shrunk = |err: &str| {
        let case = read(json!({"settings": [], "results": {"a": {"err": err}}, "steps": []}));
        let small = shrink(&case, &mut |c| c.results.values().any(|r| r.err.lossy().contains("why")));
        small.results["a"].err.lossy().into_owned()
    };
    assert_eq!(shrunk("GUARD-ERR\nwhy\nnot"), "GUARD-ERR\nwhy");
    assert_eq!(shrunk("guard\nwhy\nnot"), "why");
}

#[test]
fn every_part_of_a_case_makes_it_larger_by_what_it_holds() {
    let plain = json!({"host": {}, "settings": [], "results": {}, "steps": []});
    for (pointer, part, wanted) in [
        ("/settings", json!([{"from": "user", "settings": {}}]), 10),
        ("/settings", json!([{"from": "local", "settings": {}}]), 11),
        ("/settings", json!([{"from": {"plugin": "abcd"}, "settings": {}}]), 17),
        (
            "/settings",
            json!([{"from": "user", "settings": {"abc": [null, true, "xy", 100, {"kl": false}]}}]),
            10 + 5 + 1 + 2 + 3 + 4 + 4 + 7,
        ),
        ("/host/surface", json!("print"), 10),
        ("/host/surface", json!("sdk"), 11),
        ("/host/permission_mode", json!("plan"), 10),
        ("/host/permissions", json!({"allow": ["ab"], "ask": ["abc"], "deny": ["abcd"]}), 6 + 7 + 8),
        ("/host/permission_host", json!(true), 10),
        ("/host/trusted", json!(false), 10),
        ("/host/tool_calls_in_turn", json!(4), 6),
        ("/host/facts", json!(["streaming", "turn_ends"]), 20),
        ("/host/models", json!({"ab": "cde"}), 9),
        ("/host/env", json!({"A": "bc", "D": ""}), 7 + 5),
        ("/host/cwd", json!("/x"), 10),
        ("/host/directories", json!([]), 10),
        ("/host/directories", json!(["/a", "/bc"]), 10 + 4 + 5),
        ("/results", json!({"ab": {}}), 10),
        ("/results", json!({"ab": {"end": {"exit": 2}}}), 16),
        ("/results", json!({"ab": {"end": {"exit": 1}, "rank": 3}}), 19),
        ("/results", json!({"ab": {"end": {"status": 200}}}), 16),
        ("/results", json!({"ab": {"end": "timed_out"}}), 18),
        ("/results", json!({"ab": {"out": "xyz", "err": {"base64": "/w=="}}}), 10 + 3 + 5),
        ("/results", json!({"ab": {"out": {"join": ["x", {"fill": ["yz", 100]}]}}}), 10 + 2 + 2 + 203),
        ("/results", json!({"ab": {"did": [{"removed_directory": "/a"}, {"wrote_environment": "xyz"}]}}), 10 + 22 + 23),
        ("/steps", json!([{"happen": "new_prompt"}]), 8),
        ("/steps", json!([{"fire": {"event": "Stop"}}]), 14),
        ("/steps", json!([{"fire": {"event": "Stop", "times": 3}}]), 22),
        ("/steps", json!([{"fire": {"event": "PreToolUse", "otherwise": "asked"}}]), 18),
        ("/steps", json!([{"fire": {"event": "Stop", "input": {"ab": 7}, "results": {"c": {}}}}]), 14 + 5 + 9),
    ] {
        let mut case = plain.clone();
        match pointer.strip_prefix("/host/") {
            Some(fact) => case["host"][fact] = part.clone(),
            None => case[&pointer[1..]] = part.clone(),
        }
        assert_eq!(size(&read(case)), wanted, "{pointer} {part}");
    }
    assert!(
        size(&read(json!({"settings": [], "steps": [{"fire": {"event": "Stop", "times": 4_000_000_000_u32}}]})))
            > 1 << 30
    );
}

pub(super) fn read(case: Value) -> Case {
    serde_json::from_value(case).expect("a case")
}
