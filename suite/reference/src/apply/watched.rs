//! The directory has changed, or a watched file (CwdChanged and FileChanged; chapter *workspace*).

use super::Effect;
use crate::merge::Watched;
use hookproof_contract::{Fate, Slot};
use serde_json::Value;

/// The change stands. What hooks name is watched from now on; an empty list leaves nothing but what matchers name.
pub(super) fn apply(effect: &mut Effect<'_, '_>, watched: Watched) {
    effect.fate(Fate::Proceeds);
    effect.say_all(watched.said);
    if let Some(paths) = watched.paths {
        effect.outcome.set.insert(Slot::WatchPaths, Value::from(paths));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{numbered, ran, said, stage, stage_read};
    use hookproof_contract::{Audience, Outcome, Slot, reading};
    use serde_json::{Value, json};

    const EVENTS: [&str; 2] = ["CwdChanged", "FileChanged"];

    fn case(event: &str, results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        let input = json!({"old_cwd": "/w", "new_cwd": "/w/a", "file_path": "/w/a/.env", "event": "change"});
        json!({"host": {}, "settings": [{"from": "user", "settings": {"hooks": {event: [{"hooks": handlers}]}}}],
               "results": results, "steps": [{"fire": {"event": event, "input": input}}]})
    }

    fn play(event: &str, results: &[Value]) -> Outcome {
        stage(case(event, results)).remove(0)
    }

    fn paths(event: &str, paths: Value) -> Value {
        json!({"out": json!({"hookSpecificOutput": {"hookEventName": event, "watchPaths": paths}}).to_string()})
    }

    #[test]
    fn the_paths_of_all_hooks_are_watched_and_an_empty_list_is_one() {
        for event in EVENTS {
            let watched = |results: &[Value]| play(event, results).set.get(&Slot::WatchPaths).cloned();
            let (first, second) = (paths(event, json!(["/w/x", "/w/y"])), paths(event, json!(["/w/y", "relative"])));
            assert_eq!(watched(&[first.clone(), json!({}), second]), Some(json!(["/w/x", "/w/y"])), "{event}");
            assert_eq!(watched(&[paths(event, json!([]))]), Some(json!([])), "{event}");
            assert_eq!(watched(&[json!({}), json!({"out": "{\"watchPaths\":[\"/w/x\"]}"})]), None, "{event}");
            assert_eq!(watched(&[json!({"end": "timed_out", "out": first["out"]})]), None, "{event}");
            let flawed = play(event, &[paths(event, json!("/w/x"))]);
            assert!(flawed.set.is_empty() && said(&flawed, Audience::User).concat().contains("watchPaths"), "{event}");
        }
    }

    #[test]
    fn what_is_left_where_no_hook_names_paths_is_open() {
        let watched = |event: &str, results: &[Value]| {
            let outcome = stage_read(case(event, results), &[reading!("A-168", "cleared")]).remove(0);
            outcome.set.get(&Slot::WatchPaths).cloned()
        };
        let named = paths("CwdChanged", json!(["/w/x"]));
        assert_eq!(watched("CwdChanged", &[json!({}), json!({"out": "{}"})]), Some(json!([])));
        assert_eq!(watched("CwdChanged", &[json!({}), named]), Some(json!(["/w/x"])));
        assert_eq!(watched("FileChanged", &[json!({})]), None);
        assert_eq!(watched("CwdChanged", &[]), None);
        for failed in [
            json!({"end": {"exit": 1}}),
            json!({"end": {"exit": 2}}),
            json!({"end": "timed_out"}),
            json!({"out": "{x}"}),
        ] {
            assert_eq!(watched("CwdChanged", &[json!({}), failed.clone()]), None, "{failed}");
        }
    }

    #[test]
    fn nothing_is_held_back_and_stderr_of_exit_two_is_the_users() {
        let two = json!({"end": {"exit": 2}, "err": "ERR-1\nERR-2"});
        for event in EVENTS {
            let outcome = play(event, &[two.clone(), json!({"out": r#"{"decision":"block","reason":"WHY-1"}"#})]);
            assert!(outcome.fate.is_none() && outcome.agent.is_none() && outcome.set.is_empty(), "{event}");
            assert_eq!(said(&outcome, Audience::User), ["ERR-1\nERR-2"], "{event}");
            assert!(said(&outcome, Audience::Model).is_empty(), "{event}");
            assert!(said(&play(event, &[json!({"out": "TEXT-1"})]), Audience::Model).is_empty(), "{event}");
        }
    }

    #[test]
    fn messages_come_up_in_the_terminal_alone_and_nobody_stops() {
        let fields = json!({"continue": false, "stopReason": "STOP-1", "systemMessage": "MSG-1"});
        for event in EVENTS {
            for (surface, shown) in [("terminal", true), ("print", false), ("sdk", false), ("background", false)] {
                let mut case = case(event, &[json!({"out": fields.to_string()})]);
                case["host"]["surface"] = json!(surface);
                let outcome = stage(case).remove(0);
                let heard = said(&outcome, Audience::User).concat();
                assert_eq!(heard.contains("MSG-1"), shown, "{event} {surface}");
                assert!(outcome.agent.is_none() && !heard.contains("STOP-1"), "{event} {surface}");
                assert!(said(&outcome, Audience::Model).is_empty(), "{event} {surface}");
            }
        }
    }

    #[test]
    fn the_base_name_of_the_file_selects() {
        for (matcher, runs) in [
            ("", true),
            ("*", true),
            (".env", true),
            (".envrc|.env", true),
            ("^\\.env", true),
            ("env", false),
            ("/w/a/.env", false),
            ("^/w", false),
            (".ENV", false),
        ] {
            let mut case = case("FileChanged", &[json!({})]);
            case["settings"][0]["settings"]["hooks"]["FileChanged"][0]["matcher"] = json!(matcher);
            assert_eq!(!ran(&stage(case)[0]).is_empty(), runs, "{matcher}");
        }
        for (matcher, runs) in [("a|Makefile", true), ("Makefile", true), ("a, Makefile", false), ("Make", false)] {
            let mut case = case("FileChanged", &[json!({})]);
            case["settings"][0]["settings"]["hooks"]["FileChanged"][0]["matcher"] = json!(matcher);
            case["steps"][0]["fire"]["input"]["file_path"] = json!("/w/Makefile");
            assert_eq!(!ran(&stage(case)[0]).is_empty(), runs, "{matcher}");
        }
    }

    #[test]
    fn from_then_on_the_session_works_in_the_new_directory() {
        let mut case = case("CwdChanged", &[json!({})]);
        case["settings"][0]["settings"]["hooks"]["CwdChanged"][0]["matcher"] = json!("Nothing");
        case["settings"][0]["settings"]["hooks"]["Stop"] = json!([{"hooks": [{"type": "command", "command": "h0"}]}]);
        case["host"]["cwd"] = json!("/w");
        case["steps"] = json!([{"fire": {"event": "Stop"}}, case["steps"][0], {"fire": {"event": "Stop"}}]);
        let outcomes = stage(case);
        let given = |step: usize| outcomes[step].ran[0].given["input"].clone();
        let cwds: Vec<Value> = (0..3).map(|step| given(step)["cwd"].clone()).collect();
        assert_eq!(cwds, ["/w", "/w/a", "/w/a"]);
        assert_eq!((&given(1)["old_cwd"], &given(1)["new_cwd"]), (&json!("/w"), &json!("/w/a")));
        assert!(given(1).get("permission_mode").is_none());
    }
}
