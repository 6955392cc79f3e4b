//! A file of instructions has come into the context (chapter *instructions*). Hooks learn of it on the side.

use super::Effect;
use hookproof_contract::Fate;

/// The instructions stay, word for word: the model has them already, and nobody waits for the hooks.
pub(super) fn apply(effect: &mut Effect<'_, '_>) {
    effect.fate(Fate::Proceeds);
}

#[cfg(test)]
mod tests {
    use crate::testing::{is_untouched, numbered, ran, said, stage};
    use hookproof_contract::{Audience, Outcome};
    use serde_json::{Value, json};

    fn case(matcher: &str, reason: &str, results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        let input = json!({"file_path": "/work/project/RULES.md", "memory_type": "Project", "load_reason": reason});
        json!({"settings": [{"from": "user", "settings": {"hooks": {"InstructionsLoaded": [{"matcher": matcher, "hooks": handlers}]}}}],
               "results": results, "steps": [{"fire": {"event": "InstructionsLoaded", "input": input}}]})
    }

    fn play(result: Value) -> Outcome {
        stage(case("*", "session_start", &[result])).remove(0)
    }

    #[test]
    fn neither_the_code_nor_the_output_changes_anything() {
        let specific = json!({"hookEventName": "InstructionsLoaded", "additionalContext": "CTX-1"});
        let fields = json!({"continue": false, "stopReason": "STOP-1", "systemMessage": "MSG-1", "decision": "block",
                            "reason": "WHY-1", "hookSpecificOutput": specific});
        for out in ["", "TEXT-1", "{x}", &fields.to_string()] {
            for end in
                [json!({"exit": 0}), json!({"exit": 1}), json!({"exit": 2}), json!("timed_out"), json!("not_started")]
            {
                assert!(is_untouched(&play(json!({"out": out, "end": end, "err": "ERR-1"}))), "{out} {end}");
            }
        }
    }

    #[test]
    fn the_terminal_is_written_to_whatever_the_code_is() {
        let out = json!({"terminalSequence": "\u{7}"}).to_string();
        for code in [0, 1, 2] {
            let outcome = play(json!({"out": out, "end": {"exit": code}}));
            assert_eq!(said(&outcome, Audience::Terminal), ["\u{7}"], "{code}");
        }
    }

    #[test]
    fn the_reason_of_the_load_selects_and_the_file_is_given() {
        for (matcher, reason, runs) in [
            ("session_start", "session_start", true),
            ("path_glob_match|nested_traversal", "nested_traversal", true),
            ("path_glob_match|nested_traversal", "session_start", false),
            ("include", "compact", false),
        ] {
            assert_eq!(!ran(&stage(case(matcher, reason, &[json!({})]))[0]).is_empty(), runs, "{matcher} {reason}");
        }
        let given = &play(json!({})).ran[0].given;
        assert_eq!((&given["timeout"], &given["input"]["load_reason"]), (&json!(600), &json!("session_start")));
        assert_eq!(given["input"]["file_path"], "/work/project/RULES.md");
        assert!(given["input"].get("permission_mode").is_none() && given["input"].get("prompt_id").is_none());
    }
}
