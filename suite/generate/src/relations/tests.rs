//! Each relation on a case of its own, and all of them on many.

use super::{ALL, Plays, Relation};
use crate::{canary::lint, from_seed, host, steps};
use hookproof_contract::{Audience, Case, Fate, Outcome, Place, Ran, Said, Slot};
use std::collections::BTreeSet;

fn relation(name: &str) -> &'static Relation {
    ALL.iter().find(|relation| relation.name == name).expect("there is such a relation")
}

fn compared(
    relation: &Relation,
    before: &Case,
    was: &[Outcome],
    after: &Case,
    is: &[Outcome],
    observes: &BTreeSet<Place>,
) -> Result<(), String> {
    (relation.compare)(&Plays { before, was, after, is, observes })
}

fn case(json: &str) -> Case {
    serde_json::from_str(json).expect("a case")
}

/// One command `guard` on PreToolUse, with this matcher and this result.
fn guard(matcher: &str, result: &str) -> Case {
    case(&format!(
        r#"{{"settings":[{{"from":"user","settings":{{"hooks":{{"PreToolUse":[{{"matcher":"{matcher}","hooks":[
           {{"type":"command","command":"guard"}}]}}]}}}}}}],"results":{{"guard":{result}}},
           "steps":[{{"fire":{{"event":"PreToolUse","input":{{"tool_name":"Bash"}}}}}}]}}"#
    ))
}

const DENY: &str = r#"{"out":"{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"WHY-1\"}}"}"#;

fn everything() -> BTreeSet<Place> {
    let said = Audience::ALL.iter().map(|audience| Place::Said(*audience));
    let set = Slot::ALL.iter().map(|slot| Place::Set(*slot));
    said.chain(set).chain([Place::Ran, Place::Fate, Place::Agent, Place::INPUT]).collect()
}

fn ran(names: &[&str]) -> Vec<Ran> {
    names.iter().map(|name| Ran { handler: (*name).into(), given: serde_json::Map::new() }).collect()
}

fn refused(names: &[&str], text: &str) -> Outcome {
    let said = vec![Said { to: Audience::Model, text: text.into(), how: None, by: None, spill: None }];
    Outcome { ran: ran(names), fate: Some(Fate::Prevented), said, ..Outcome::default() }
}

#[test]
fn every_change_keeps_a_case_well_marked_and_every_relation_finds_cases() {
    for relation in ALL {
        let mut made = 0;
        for seed in 0..6_000 {
            let before = from_seed(seed);
            let Some(after) = (relation.change)(&before, seed) else { continue };
            made += 1;
            assert_ne!(before, after, "{} changes nothing in seed {seed}", relation.name);
            assert_eq!(lint(&after), Ok(()), "{}, seed {seed}", relation.name);
            assert!(host::agrees(&after) && steps::stops_follow(&after), "{}, seed {seed}", relation.name);
            assert_eq!((relation.change)(&before, seed), Some(after), "{} is not deterministic", relation.name);
        }
        assert!(made >= 40, "{} finds {made} cases of 6,000", relation.name);
    }
}

#[test]
fn a_runtime_that_does_nothing_keeps_all_relations_but_those_that_demand_something() {
    for relation in ALL.iter().filter(|relation| relation.name != "add-a-deny") {
        for seed in 0..300 {
            let before = from_seed(seed);
            let Some(after) = (relation.change)(&before, seed) else { continue };
            let was = vec![Outcome::default(); before.moments_count()];
            let is = vec![Outcome::default(); after.moments_count()];
            assert_eq!(compared(relation, &before, &was, &after, &is, &everything()), Ok(()), "{}", relation.name);
            let none = compared(relation, &before, &was, &after, &is[1..], &everything());
            assert!(none.is_err_and(|e| e.contains("outcomes for")), "{}", relation.name);
        }
    }
}

#[test]
fn a_silent_handler_runs_beside_its_group_and_changes_nothing() {
    let silent = relation("append-a-silent-handler");
    let before = guard("Bash", DENY);
    let after = (silent.change)(&before, 0).expect("it can be made");
    assert_eq!(after.settings[0].settings["hooks"]["PreToolUse"][0]["hooks"][1]["command"], "silence");
    let compare =
        |is: Outcome| compared(silent, &before, &[refused(&["guard"], "x WHY-1")], &after, &[is], &everything());
    assert_eq!(compare(refused(&["silence", "guard"], "other words, WHY-1")), Ok(()));
    for (wrong, shown) in [
        (refused(&["guard"], "WHY-1"), "ran: `silence` stands beside `guard`, but there ran [\"guard\"]"),
        (refused(&["guard", "silence"], "nothing"), "said/model: before the change [\"WHY-1\"], after it []"),
        (
            Outcome { fate: None, ..refused(&["guard", "silence"], "WHY-1") },
            "fate: before the change \"prevented\", after it \"proceeds\"",
        ),
    ] {
        let error = compare(wrong).expect_err(shown);
        assert!(error.contains(shown), "wanted: {shown}\n  gave: {error}");
    }
}

#[test]
fn what_is_not_observed_is_not_compared() {
    let silent = relation("append-a-silent-handler");
    let before = guard("Bash", DENY);
    let after = (silent.change)(&before, 0).expect("it can be made");
    let wrong = Outcome { fate: None, ..refused(&["guard"], "") };
    let was = [refused(&["guard"], "WHY-1")];
    let model = BTreeSet::from([Place::Agent]);
    assert_eq!(compared(silent, &before, &was, &after, std::slice::from_ref(&wrong), &model), Ok(()));
    let unseen = Outcome { unseen: everything(), ..wrong };
    assert_eq!(compared(silent, &before, &was, &after, &[unseen], &everything()), Ok(()));
}

#[test]
fn a_list_is_split_where_it_names_different_tools() {
    let split = relation("split-a-list-of-names");
    let after = (split.change)(&guard("Edit|Bash,Write", DENY), 0).expect("it can be split");
    let groups = &after.settings[0].settings["hooks"]["PreToolUse"];
    assert_eq!((&groups[0]["matcher"], &groups[1]["matcher"]), (&"Edit".into(), &"Bash,Write".into()));
    assert_eq!(groups[0]["hooks"], groups[1]["hooks"]);
    for matcher in ["Bash", "Bash|Bash", "Edit||Bash", "Edit | Bash", "Ed.t|Bash", "", "*"] {
        assert_eq!((split.change)(&guard(matcher, DENY), 0), None, "{matcher}");
    }
}

#[test]
fn json_is_respelt_and_nothing_else() {
    let respell = relation("respell-json-output");
    let before = guard("Bash", DENY);
    for seed in 0..50 {
        let Some(after) = (respell.change)(&before, seed) else { continue };
        let text = after.results["guard"].out.lossy().into_owned();
        assert_ne!(text, before.results["guard"].out.lossy());
        let (old, new): (serde_json::Value, serde_json::Value) = (
            serde_json::from_str(&before.results["guard"].out.lossy()).expect("JSON"),
            serde_json::from_str(&text).expect("JSON"),
        );
        assert_eq!(old, new);
    }
    for out in [
        r#""plain NOTE-1""#,
        r#""{\"reason\":\"WHY-1\",\"reason\":\"WHY-1\"}""#,
        r#""{\"a\":1.5}""#,
        r#""{\"a\":1}{\"b\":2}""#,
        r#""\ufeff{}""#,
        r#""{\"async\":true}""#,
        r#""{\"__proto__\":1}""#,
        r#""[1]""#,
    ] {
        for seed in 0..8 {
            assert_eq!((respell.change)(&guard("Bash", &format!("{{\"out\":{out}}}")), seed), None, "{out}");
        }
    }
}

#[test]
fn a_worktree_maker_is_left_alone() {
    let before = case(
        r#"{"settings":[{"from":"user","settings":{"hooks":{"WorktreeCreate":[{"hooks":[{"type":"command","command":"maker"}]}]}}}],
            "results":{"maker":{"out":"{\"a\": 1}"}},"steps":[{"fire":{"event":"WorktreeCreate","input":{"name":"x"}}}]}"#,
    );
    for name in ["append-a-silent-handler", "respell-json-output", "add-a-deny", "permute-the-configuration"] {
        assert_eq!((relation(name).change)(&before, 1), None, "{name}");
    }
}

#[test]
fn a_refusal_prevents_whatever_the_others_say() {
    let deny = relation("add-a-deny");
    let allow = guard("Bash", &DENY.replace("deny", "allow"));
    for seed in 0..4 {
        let after = (deny.change)(&allow, seed).expect("it can be added");
        assert!(after.results.contains_key("refusal"));
        let compare = |is: Outcome| compared(deny, &allow, &[Outcome::default()], &after, &[is], &everything());
        assert_eq!(compare(refused(&["guard", "refusal"], "")), Ok(()));
        let error = compare(Outcome::default()).expect_err("it got through");
        assert_eq!(error, "step 0, fate: a handler refuses, yet after it is proceeds; without it was proceeds");
    }
    let pattern = guard("[", DENY);
    assert_eq!((deny.change)(&pattern, 0), None, "a broken matcher may spoil the file");
}

#[test]
fn contradictions_without_an_order_are_left_alone() {
    let two = |rank: u16, second: &str| {
        case(&format!(
            r#"{{"settings":[{{"from":"user","settings":{{"hooks":{{"Stop":[{{"hooks":[
               {{"type":"command","command":"a"}},{{"type":"command","command":"b"}}]}}]}}}}}}],
               "results":{{"a":{{"end":{{"exit":2}},"err":"ERR-1"}},"b":{{"rank":{rank},{second}}}}},
               "steps":[{{"fire":{{"event":"Stop"}}}}]}}"#
        ))
    };
    let (same_rank, ranked) =
        (two(0, r#""end":{"exit":2},"err":"ERR-2""#), two(1, r#""end":{"exit":2},"err":"ERR-2""#));
    let quiet = two(0, r#""err":"ERR-2""#);
    let change = |name: &str, case: &Case| (relation(name).change)(case, 3).is_some();
    assert!(!change("append-a-silent-handler", &same_rank) && change("append-a-silent-handler", &ranked));
    for name in ["permute-the-configuration", "same-handler-in-a-second-layer", "rename-canaries-and-handlers"] {
        assert!(!change(name, &same_rank) && !change(name, &ranked) && change(name, &quiet), "{name}");
    }
}

#[test]
fn a_copy_in_a_second_file_is_a_copy_to_the_letter() {
    let copy = relation("same-handler-in-a-second-layer");
    let after = (copy.change)(&guard("Bash", DENY), 0).expect("it can be made");
    assert_eq!(after.settings.len(), 2);
    assert_eq!(after.settings[0].settings, after.settings[1].settings);
    let mut plugin = guard("Bash", DENY);
    plugin.settings[0].from = hookproof_contract::Source::Plugin("tools".into());
    assert_eq!((copy.change)(&plugin, 0), None, "a plugin's copy is a handler of its own");
}

#[test]
fn what_bash_finds_is_compared_by_the_old_names_of_variables() {
    let renamed = relation("rename-canaries-and-handlers");
    let before = case(
        r#"{"settings":[{"from":"user","settings":{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"guard"}]}]}}}],
            "results":{"guard":{"did":[{"wrote_environment":"export NODE_ENV=test\n"}]}},
            "steps":[{"fire":{"event":"SessionStart","input":{"source":"startup"}}},
                     {"fire":{"event":"PreToolUse","input":{"tool_name":"Bash","tool_input":{"command":"ls"}}}}]}"#,
    );
    let after = (renamed.change)(&before, 9).expect("it can be renamed");
    let renaming = crate::rename::Renaming::of(&before, 9);
    let found = |environment: serde_json::Value| {
        vec![Outcome::default(), Outcome { set: [(Slot::Environment, environment)].into(), ..Outcome::default() }]
    };
    let was = found(serde_json::json!({"NODE_ENV": "test"}));
    let new = renaming.environment(&serde_json::json!({"NODE_ENV": "test"}));
    assert_eq!(compared(renamed, &before, &was, &after, &found(new), &everything()), Ok(()));
    assert!(compared(renamed, &before, &was, &after, &was, &everything()).is_err());
}

#[test]
fn several_hooks_of_a_subagents_stop_have_an_order() {
    let of = |event: &str| {
        case(&format!(
            r#"{{"settings":[{{"from":{{"agent":"reviewer"}},"settings":{{"hooks":{{"{event}":[{{"hooks":[
               {{"type":"command","command":"a"}},{{"type":"command","command":"b"}}]}}]}}}}}}],
               "results":{{"a":{{"end":{{"exit":2}},"err":"ERR-1"}},"b":{{"end":{{"exit":2}},"err":"ERR-2"}}}},
               "steps":[{{"fire":{{"event":"SubagentStop","input":{{"agent_id":"a1","agent_type":"reviewer"}}}}}}]}}"#
        ))
    };
    for event in ["Stop", "SubagentStop"] {
        assert_eq!((relation("permute-the-configuration").change)(&of(event), 3), None, "{event}");
    }
    assert!((relation("permute-the-configuration").change)(&of("PreCompact"), 3).is_some());
}

#[test]
fn renamed_outcomes_are_compared_by_their_old_names() {
    let renamed = relation("rename-canaries-and-handlers");
    let before = guard("Bash", DENY);
    let after = (renamed.change)(&before, 9).expect("it can be renamed");
    let renaming = crate::rename::Renaming::of(&before, 9);
    let name = renaming.name("guard");
    let is = refused(&[&name], &renaming.string("because: WHY-1"));
    let was = [refused(&["guard"], "because: WHY-1")];
    assert_eq!(compared(renamed, &before, &was, &after, &[is], &everything()), Ok(()));
    let stale = refused(&[&name], "because: WHY-1");
    assert!(compared(renamed, &before, &was, &after, &[stale], &everything()).is_err());
}
