//! The configuration has changed while the session runs (chapter *workspace*).

use super::Effect;
use crate::merge::Change;
use hookproof_contract::Fate;

pub(super) fn apply(effect: &mut Effect<'_, '_>, change: Change) {
    if change.blocked {
        effect.fate(Fate::Prevented);
    }
    effect.say_all(change.log);
}

#[cfg(test)]
mod tests {
    use crate::testing::{numbered, ran, said, stage, stage_at, stage_read};
    use hookproof_contract::{Audience, Fate, Outcome, Revision, reading};
    use serde_json::{Value, json};

    const SOURCES: [&str; 4] = ["user_settings", "project_settings", "local_settings", "skills"];

    fn case(matcher: &str, source: &str, results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        let input = json!({"source": source, "file_path": "/home/me/settings.json"});
        json!({"settings": [{"from": "user", "settings": {"hooks": {"ConfigChange": [{"matcher": matcher, "hooks": handlers}]}}}],
               "results": results, "steps": [{"fire": {"event": "ConfigChange", "input": input}}]})
    }

    fn play(source: &str, results: &[Value]) -> Outcome {
        stage(case("*", source, results)).remove(0)
    }

    fn two() -> Value {
        json!({"end": {"exit": 2}, "err": "ERR-1"})
    }

    fn block() -> Value {
        json!({"out": r#"{"decision":"block","reason":"WHY-1"}"#})
    }

    /// Whether nobody but the debug log hears anything.
    fn is_silent(outcome: &Outcome) -> bool {
        outcome.said.iter().all(|said| said.to == Audience::Debug) && outcome.agent.is_none()
    }

    #[test]
    fn a_change_is_blocked_without_a_word_and_one_hook_is_enough() {
        for source in SOURCES {
            for results in [vec![two()], vec![block()], vec![json!({}), two(), json!({})], vec![block(), json!({})]] {
                let outcome = play(source, &results);
                assert_eq!(outcome.fate, Some(Fate::Prevented), "{source}");
                assert!(is_silent(&outcome));
                assert!(said(&outcome, Audience::Debug).concat().contains("blocked"));
            }
        }
    }

    #[test]
    fn managed_settings_are_taken_up_whatever_hooks_say() {
        for result in [two(), block()] {
            let outcome = play("policy_settings", &[result]);
            assert!(outcome.fate.is_none() && is_silent(&outcome));
            assert_eq!(ran(&outcome), ["h0"]);
        }
    }

    #[test]
    fn exit_two_blocks_whatever_is_printed() {
        for out in ["", "TEXT-1", "{}", "{x}", r#"{"reason":5}"#, r#"{"decision":"approve"}"#, r#"{"continue":true}"#] {
            let mut result = two();
            result["out"] = json!(out);
            let outcome = play("user_settings", &[result]);
            assert!(outcome.fate == Some(Fate::Prevented) && is_silent(&outcome), "{out}");
        }
        let mut rejected = two();
        rejected["out"] = json!(r#"{"reason":5}"#);
        let before = stage_at(case("*", "skills", &[rejected]), Revision(2, 1, 213)).remove(0);
        assert!(before.fate.is_none() && is_silent(&before));
    }

    #[test]
    fn nothing_else_blocks_or_is_shown() {
        let late = json!({"end": "timed_out", "out": block()["out"]});
        let failed = json!({"end": {"exit": 1}, "err": "ERR-1"});
        for result in [json!({}), json!({"out": "TEXT-1"}), json!({"out": "{x}"}), late, failed] {
            let outcome = play("user_settings", std::slice::from_ref(&result));
            assert!(outcome.fate.is_none() && is_silent(&outcome), "{result}");
        }
        let fields = json!({"continue": false, "stopReason": "STOP-1", "systemMessage": "MSG-1"});
        let outcome = play("user_settings", &[json!({"out": fields.to_string()})]);
        assert!(outcome.fate.is_none() && is_silent(&outcome));
    }

    #[test]
    fn a_decision_beside_a_failing_code_is_open() {
        let mut result = block();
        result["end"] = json!({"exit": 1});
        assert_eq!(play("skills", std::slice::from_ref(&result)).fate, Some(Fate::Prevented));
        let ignored = stage_read(case("*", "skills", &[result]), &[reading!("A-59", "the JSON is ignored")]);
        assert!(ignored[0].fate.is_none());
    }

    #[test]
    fn the_source_selects_and_an_answer_over_http_blocks() {
        let runs = |matcher: &str| !ran(&play_matching(matcher)).is_empty();
        assert!(runs("skills") && runs("user_settings|skills") && runs("") && !runs("user_settings") && !runs("skill"));
        let mut server = case("*", "skills", &[]);
        server["settings"][0]["settings"]["hooks"]["ConfigChange"][0]["hooks"] =
            json!([{"type": "http", "url": "http://u"}]);
        server["results"] = json!({"http://u": block()});
        assert_eq!(stage(server)[0].fate, Some(Fate::Prevented));
        let given = &play("skills", &[json!({})]).ran[0].given;
        assert!(given["timeout"] == 600 && given["input"].get("permission_mode").is_none());
        assert_eq!(given["input"]["file_path"], "/home/me/settings.json");
    }

    fn play_matching(matcher: &str) -> Outcome {
        stage(case(matcher, "skills", &[json!({})])).remove(0)
    }
}
