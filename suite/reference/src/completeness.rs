//! No event is played by halves: what the rule table says of every event shows.
//!
//! Several steps look at the event and have an arm for all others, so an event that was forgotten there would play and do
//! nothing. These tests name the event and the part that it lacks.

use crate::{Scene, merge, postures::Stance, testing};
use hookproof_contract::{Agent, Audience, Event, Fate, Level, Outcome, Readings, Rule, RuleId, WhatHappens, rule};
use serde_json::{Value, json};

/// Whether a rule speaks of an event.
fn speaks_of(rule: &Rule, event: Event) -> bool {
    rule.events.contains(&event)
}

fn says(id: RuleId, event: Event) -> bool {
    speaks_of(id.rule(), event)
}

/// An event with an empty input, and a server that answers with these fields; a command, where no server is asked.
fn play(event: Event, matcher: &str, fields: Value) -> Outcome {
    let mut out = json!({"hookSpecificOutput": {"hookEventName": event.name(), "worktreePath": "/w/a"}});
    for (key, value) in fields.as_object().expect("fields") {
        out[key] = value.clone();
    }
    let server = json!({"type": "http", "url": "http://u"});
    let command = json!({"type": "command", "command": "http://u"});
    let handler = if says(rule!("HTTP-04"), event) { server } else { command };
    let group = json!({"matcher": matcher, "hooks": [handler]});
    // The rules say of an event what holds of one of its occurrences; a tool that completes a task is an exception.
    testing::stage(json!({"host": {"facts": ["turn_ends"]},
        "settings": [{"from": "user", "settings": {"hooks": {event.name(): [group]}}}],
        "results": {"http://u": {"out": out.to_string()}}, "steps": [{"fire": {"event": event.name()}}]}))
    .remove(0)
}

fn exit_two(event: Event) -> Outcome {
    let group = json!({"hooks": [{"type": "command", "command": "a"}]});
    testing::stage(json!({"settings": [{"from": "user", "settings": {"hooks": {event.name(): [group]}}}],
        "results": {"a": {"end": {"exit": 2}, "err": "ERR-1"}}, "steps": [{"fire": {"event": event.name()}}]}))
    .remove(0)
}

#[test]
fn every_event_has_rules_to_be_played_by() {
    for event in Event::ALL {
        assert!(Rule::all().iter().any(|rule| rule.events == [event] && rule.level == Level::Must), "{event}");
    }
}

#[test]
fn every_event_has_a_verdict() {
    for event in Event::ALL {
        let case = testing::case(json!({"settings": [], "steps": [{"fire": {"event": event.name()}}]}));
        let stance = Stance::of(&Readings::default());
        let moment = case.moments().next().expect("a step");
        let WhatHappens::Fires(firing) = moment.what else { panic!("{event} does not fire") };
        let decision = merge::merge(&Scene { case: &case, firing, stance: &stance, declared: event }, Vec::new());
        let decides = !matches!(decision.verdict, merge::Verdict::Nothing);
        assert!(decides || says(rule!("DECISION-NONE-01"), event), "{event}: merge/mod.rs has no arm for it");
    }
}

#[test]
fn matchers_count_where_a_rule_gives_them_a_target() {
    for event in Event::ALL {
        let targets = || Rule::all().iter().filter(|rule| rule.id.as_str().starts_with("MATCH-TGT-"));
        let counts = targets().any(|rule| speaks_of(rule, event)) && !says(rule!("MATCH-TGT-NONE"), event);
        assert_ne!(counts, says(rule!("MATCH-PAT-07"), event), "{event}: the rules disagree");
        let selected = !play(event, "no-such-target", json!({})).ran.is_empty();
        assert_eq!(selected, !counts, "{event}: matcher.rs::target");
    }
}

#[test]
fn every_event_gives_the_time_and_the_mode_that_it_should() {
    for event in Event::ALL {
        let given = &play(event, "*", json!({})).ran[0].given;
        assert_eq!(given["timeout"] == 600, says(rule!("TIMEOUT-DEF-02"), event), "{event}: given.rs::default_timeout");
        let shown = given["input"].get("permission_mode").is_some();
        assert_eq!(shown, says(rule!("INPUT-PERMMODE-04"), event), "{event}: given.rs::has_permission_mode");
    }
}

#[test]
fn universal_fields_count_where_they_are_not_discarded() {
    let fields = json!({"continue": false, "systemMessage": "MSG-1", "terminalSequence": "\u{7}"});
    for event in Event::ALL {
        let outcome = play(event, "*", fields.clone());
        let shown = !testing::said(&outcome, Audience::User).is_empty();
        let discarded = [rule!("JSON-DISCARD-02"), rule!("SETUP-OUT-02")].iter().any(|rule| says(*rule, event));
        assert_ne!(shown, discarded, "{event}: systemMessage; `honoured` in merge/mod.rs");
        let stops = outcome.agent == Some(Agent::Stops);
        assert_eq!(
            stops,
            says(rule!("JSON-CONT-01"), event),
            "{event}: continue; `honoured` in merge/mod.rs, or apply"
        );
        assert_eq!(testing::said(&outcome, Audience::Terminal), ["\u{7}"], "{event}: terminalSequence");
    }
}

#[test]
fn what_can_be_blocked_is_blocked() {
    for event in Event::ALL {
        let can_be = says(rule!("EXIT-2-01"), event);
        assert_eq!(exit_two(event).fate, can_be.then_some(Fate::Prevented), "{event}: exit 2");
        if can_be && says(rule!("DECISION-TOP-01"), event) {
            let block = json!({"decision": "block", "reason": "WHY-1"});
            assert_eq!(play(event, "*", block).fate, Some(Fate::Prevented), "{event}: decision");
        }
    }
}
