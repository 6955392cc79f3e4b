//! A tool call that has failed: there is nothing left to prevent (chapter *tool-results*).

use super::Effect;
use crate::merge::{Failure, Remark};
use hookproof_contract::Fate;

pub(super) fn apply(effect: &mut Effect<'_, '_>, failure: Failure, context: Vec<Remark>) {
    effect.fate(Fate::Proceeds);
    effect.say_all(failure.feedback);
    effect.say_all(context);
    effect.stop_if_asked();
}

#[cfg(test)]
mod tests {
    use crate::testing::{numbered, ran, said, stage, stage_read};
    use hookproof_contract::{Agent, Audience, Outcome, reading};
    use serde_json::{Value, json};

    fn case(matcher: &str, tool: &Value, results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        let mut input = tool.clone();
        input["error"] = json!("Exit code 1\nERROR-1");
        json!({"settings": [{"from": "user", "settings": {"hooks": {"PostToolUseFailure": [{"matcher": matcher, "hooks": handlers}]}}}],
               "results": results, "steps": [{"fire": {"event": "PostToolUseFailure", "input": input}}]})
    }

    fn bash() -> Value {
        json!({"tool_name": "Bash", "tool_input": {"command": "npm test"}})
    }

    fn play(results: &[Value]) -> Outcome {
        stage(case("*", &bash(), results)).remove(0)
    }

    #[test]
    fn stderr_of_exit_two_and_a_reason_go_to_the_model_and_the_failure_stands() {
        let two = json!({"end": {"exit": 2}, "err": "ERR-1"});
        let block = json!({"out": r#"{"decision":"block","reason":"WHY-1"}"#});
        let mut both = two.clone();
        both["out"] = block["out"].clone();
        for (results, heard) in [
            (vec![two.clone()], vec!["ERR-1"]),
            (vec![block.clone()], vec!["WHY-1"]),
            (vec![both], vec!["WHY-1", "ERR-1"]),
            (vec![two, block], vec!["ERR-1", "WHY-1"]),
        ] {
            let outcome = play(&results);
            assert!(outcome.fate.is_none() && outcome.agent.is_none());
            assert_eq!(said(&outcome, Audience::Model), heard);
            assert!(said(&outcome, Audience::User).is_empty());
        }
    }

    #[test]
    fn whether_a_reason_is_heard_is_open_and_an_objection_always_is() {
        let ignored = [reading!("A-06", "ignored")];
        let block = r#"{"decision":"block","reason":"WHY-1"}"#;
        let heard = |result: Value| said(&stage_read(case("*", &bash(), &[result]), &ignored)[0], Audience::Model);
        assert!(heard(json!({"out": block})).is_empty());
        assert_eq!(heard(json!({"end": {"exit": 2}, "err": "ERR-1", "out": block})), ["ERR-1"]);
        let mut asked = case("*", &bash(), &[]);
        asked["settings"][0]["settings"]["hooks"]["PostToolUseFailure"][0]["hooks"] =
            json!([{"type": "prompt", "prompt": "p"}]);
        asked["results"] = json!({"p": {"end": "answered", "out": r#"{"ok":false,"reason":"WHY-1"}"#}});
        assert_eq!(said(&stage_read(asked, &ignored)[0], Audience::Model), ["WHY-1"]);
    }

    #[test]
    fn nothing_else_is_feedback() {
        let plain = json!({"out": "TEXT-1", "err": "ERR-1"});
        let approved = json!({"out": r#"{"decision":"approve","reason":"WHY-1"}"#});
        let late = json!({"end": "timed_out", "err": "ERR-1"});
        for result in [plain, approved, late, json!({"end": {"exit": 2}})] {
            assert!(said(&play(std::slice::from_ref(&result)), Audience::Model).is_empty(), "{result}");
        }
        let failed = play(&[json!({"end": {"exit": 1}, "err": "ERR-1"})]);
        assert!(said(&failed, Audience::Model).is_empty());
        assert!(said(&failed, Audience::User).concat().contains("Failed with non-blocking status code: ERR-1"));
    }

    #[test]
    fn context_arrives_beside_feedback_and_stop_stops() {
        let context =
            json!({"hookSpecificOutput": {"hookEventName": "PostToolUseFailure", "additionalContext": "CTX-1"}});
        let result = json!({"end": {"exit": 2}, "err": "ERR-1", "out": context.to_string()});
        let heard = said(&play(&[result]), Audience::Model).concat();
        assert!(heard.contains("CTX-1") && heard.contains("ERR-1"));
        let stopped = play(&[json!({"out": r#"{"continue":false,"stopReason":"STOP-1"}"#})]);
        assert_eq!(stopped.agent, Some(Agent::Stops));
        assert_eq!(said(&stopped, Audience::User), ["STOP-1"]);
    }

    #[test]
    fn the_tools_name_selects_and_its_input_is_given_as_to_other_tool_events() {
        let edit = json!({"tool_name": "Edit", "tool_input": {"file_path": "a.ts"}});
        let outcome = stage(case("Edit|Write", &edit, &[json!({})])).remove(0);
        assert_eq!(ran(&outcome), ["h0"]);
        let given = &outcome.ran[0].given["input"];
        assert_eq!(given["tool_input"]["file_path"], "/work/project/a.ts");
        assert_eq!((&given["error"], &given["permission_mode"]), (&json!("Exit code 1\nERROR-1"), &json!("default")));
        assert!(ran(&stage(case("Edit", &bash(), &[json!({})])).remove(0)).is_empty());
    }

    #[test]
    fn a_handlers_own_condition_is_looked_at_and_the_call_counts_for_the_stop_hooks() {
        let mut case = case("*", &bash(), &[json!({})]);
        case["settings"][0]["settings"]["hooks"]["PostToolUseFailure"][0]["hooks"][0]["if"] = json!("Bash");
        assert_eq!(ran(&stage(case)[0]), ["h0"]);
        let block = json!({"out": r#"{"decision":"block","reason":"WHY-1"}"#});
        let stop = json!({"fire": {"event": "Stop", "times": 8}});
        let outcomes = stage(
            json!({"settings": [{"from": "user", "settings": {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "s"}]}]}}}],
            "results": {"s": block}, "steps": [stop, {"fire": {"event": "PostToolUseFailure", "input": bash()}}, stop]}),
        );
        assert!(outcomes.iter().filter(|outcome| !outcome.ran.is_empty()).all(|outcome| outcome.fate.is_some()));
    }
}
