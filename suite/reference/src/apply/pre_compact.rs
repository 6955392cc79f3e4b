//! The conversation is about to be compacted (chapter *compaction*).

use super::Effect;
use crate::merge::Compaction;
use hookproof_contract::Fate;

pub(super) fn apply(effect: &mut Effect<'_, '_>, compaction: Compaction) {
    if compaction.blocked {
        effect.fate(Fate::Prevented);
    }
    effect.say_all(compaction.said);
}

#[cfg(test)]
mod tests {
    use crate::testing::{numbered, ran, said, stage, stage_at, stage_read};
    use hookproof_contract::{Audience, Fate, Outcome, Revision, reading};
    use serde_json::{Value, json};

    fn case(trigger: &str, results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        json!({"settings": [{"from": "user", "settings": {"hooks": {"PreCompact": [{"hooks": handlers}]}}}], "results": results,
               "steps": [{"fire": {"event": "PreCompact", "input": {"trigger": trigger, "custom_instructions": null}}}]})
    }

    fn play(trigger: &str, results: &[Value]) -> Outcome {
        stage(case(trigger, results)).remove(0)
    }

    fn two() -> Value {
        json!({"end": {"exit": 2}, "err": "ERR-1\nERR-2"})
    }

    fn block() -> Value {
        json!({"out": r#"{"decision":"block","reason":"WHY-1"}"#})
    }

    /// Whether nobody but the debug log hears anything.
    fn is_silent(outcome: &Outcome) -> bool {
        outcome.said.iter().all(|said| said.to == Audience::Debug)
    }

    #[test]
    fn exit_two_blocks_and_tells_whoever_asked_for_the_compaction() {
        let outcome = play("manual", &[two()]);
        assert_eq!((outcome.fate, outcome.agent), (Some(Fate::Prevented), None));
        assert_eq!(said(&outcome, Audience::User), ["Compaction blocked: ERR-1\nERR-2"]);
        assert!(said(&outcome, Audience::Model).is_empty());
    }

    #[test]
    fn an_automatic_compaction_is_dropped_without_a_word() {
        for result in [two(), block()] {
            let outcome = play("auto", &[result]);
            assert_eq!((outcome.fate, outcome.agent), (Some(Fate::Prevented), None));
            assert!(is_silent(&outcome));
        }
    }

    #[test]
    fn exit_two_blocks_whatever_is_printed_and_stderr_stays_the_message() {
        for out in ["", "TEXT-1", "{}", "{x}", r#"{"reason":5}"#, r#"{"reason":"WHY-1"}"#] {
            let mut result = two();
            result["out"] = json!(out);
            let outcome = play("manual", &[result]);
            assert_eq!(outcome.fate, Some(Fate::Prevented), "{out}");
            assert_eq!(said(&outcome, Audience::User), ["Compaction blocked: ERR-1\nERR-2"], "{out}");
        }
    }

    #[test]
    fn whether_the_reason_of_a_decision_is_told_beside_stderr_is_open() {
        let hidden = |result: Value| stage_read(case("manual", &[result]), &[reading!("A-170", "not shown")]).remove(0);
        assert_eq!(said(&play("manual", &[block()]), Audience::User), ["Compaction blocked: WHY-1"]);
        assert!(is_silent(&hidden(block())));
        let mut both = two();
        both["out"] = block()["out"].clone();
        let heard = said(&play("manual", std::slice::from_ref(&both)), Audience::User);
        assert_eq!(heard, ["Compaction blocked: WHY-1", "Compaction blocked: ERR-1\nERR-2"]);
        assert_eq!(said(&hidden(both), Audience::User), ["Compaction blocked: ERR-1\nERR-2"]);
    }

    #[test]
    fn a_decision_blocks_too_and_one_of_several_is_enough() {
        assert_eq!(play("manual", &[block()]).fate, Some(Fate::Prevented));
        for results in [[block(), json!({})], [json!({}), two()]] {
            assert_eq!(play("auto", &results).fate, Some(Fate::Prevented));
        }
        let both = play("manual", &[two(), json!({"end": {"exit": 2}, "err": "ERR-3"})]);
        assert_eq!(said(&both, Audience::User).len(), 2);
        let mut server = case("auto", &[]);
        server["settings"][0]["settings"]["hooks"]["PreCompact"][0]["hooks"] =
            json!([{"type": "http", "url": "http://u"}]);
        server["results"] = json!({"http://u": block()});
        assert_eq!(stage(server)[0].fate, Some(Fate::Prevented));
    }

    #[test]
    fn nothing_else_blocks_or_is_an_error_that_people_see() {
        let approve = json!({"out": r#"{"decision":"approve","reason":"WHY-1"}"#});
        let rejected = json!({"out": r#"{"decision":"block","reason":5}"#});
        let late = json!({"end": "timed_out", "out": r#"{"decision":"block"}"#});
        let failed = json!({"end": {"exit": 1}, "err": "ERR-1"});
        let absent = json!({"end": "not_started", "err": "ERR-1"});
        for result in [json!({}), json!({"out": "TEXT-1"}), approve, rejected, late, failed, absent] {
            let outcome = play("manual", std::slice::from_ref(&result));
            assert!(outcome.fate.is_none() && outcome.agent.is_none() && is_silent(&outcome), "{result}");
        }
    }

    #[test]
    fn universal_fields_are_dropped_but_for_the_terminal() {
        let out = json!({"continue": false, "stopReason": "STOP-1", "systemMessage": "MSG-1", "terminalSequence": "\u{7}",
                         "hookSpecificOutput": {"hookEventName": "PreCompact", "additionalContext": "CTX-1"}});
        let outcome = play("manual", &[json!({"out": out.to_string()})]);
        assert!(outcome.fate.is_none() && outcome.agent.is_none());
        assert!(said(&outcome, Audience::User).is_empty() && said(&outcome, Audience::Model).is_empty());
        assert_eq!(said(&outcome, Audience::Terminal), ["\u{7}"]);
    }

    #[test]
    fn a_decision_beside_a_failing_code_is_an_open_point() {
        let mut result = block();
        result["end"] = json!({"exit": 1});
        let case = case("auto", &[result]);
        assert_eq!(stage(case.clone())[0].fate, Some(Fate::Prevented));
        assert!(stage_read(case, &[reading!("A-59", "the JSON is ignored")])[0].fate.is_none());
    }

    #[test]
    fn matchers_select_what_triggered_it() {
        for (matcher, trigger, runs) in [
            ("manual", "manual", true),
            ("auto", "manual", false),
            ("auto|manual", "auto", true),
            ("man", "manual", false),
        ] {
            let mut case = case(trigger, &[json!({})]);
            case["settings"][0]["settings"]["hooks"]["PreCompact"][0]["matcher"] = json!(matcher);
            assert_eq!(!ran(&stage(case)[0]).is_empty(), runs, "{matcher} {trigger}");
        }
    }

    #[test]
    fn the_instructions_are_what_followed_the_command_or_null() {
        let given = |trigger: &str, written: Value, revision: Revision| {
            let mut case = case(trigger, &[json!({})]);
            case["steps"][0]["fire"]["input"]["custom_instructions"] = written;
            stage_at(case, revision)[0].ran[0].given["input"]["custom_instructions"].clone()
        };
        assert_eq!(given("manual", json!("KEEP-1"), Revision::NEWEST), "KEEP-1");
        assert_eq!(given("manual", json!(""), Revision::NEWEST), Value::Null);
        assert_eq!(given("manual", Value::Null, Revision(2, 1, 289)), Value::Null);
        for written in [Value::Null, json!(""), json!("KEEP-1")] {
            assert_eq!(given("auto", written.clone(), Revision::NEWEST), Value::Null);
            assert_eq!(given("auto", written, Revision(2, 1, 289)), "");
        }
    }

    #[test]
    fn instructions_that_the_case_leaves_out_are_null() {
        let mut case = case("manual", &[json!({})]);
        case["steps"][0]["fire"]["input"] = json!({"trigger": "manual"});
        let outcome = stage(case).remove(0);
        let input = &outcome.ran[0].given["input"];
        assert_eq!((&input["trigger"], input.get("custom_instructions")), (&json!("manual"), Some(&Value::Null)));
    }
}
