//! A tool call that is done: nothing can be prevented any more (chapter *tool-results*).

use super::Effect;
use crate::merge::{Finished, Remark};
use hookproof_contract::{Fate, Slot};

pub(super) fn apply(effect: &mut Effect<'_, '_>, finished: Finished, context: Vec<Remark>) {
    effect.fate(Fate::Proceeds);
    effect.say_all(finished.feedback);
    effect.say_all(context);
    effect.say_all(finished.notes);
    if let Some(output) = finished.output {
        effect.outcome.set.insert(Slot::ToolOutput, output);
    }
    effect.stop_if_asked();
}

#[cfg(test)]
mod tests {
    use crate::testing::{said, stage, stage_read};
    use hookproof_contract::{Agent, Audience, Outcome, Reading, Slot, reading};
    use serde_json::{Value, json};

    fn case(tool: &str, outputs: &[Value]) -> Value {
        let handlers: Vec<Value> =
            (0..outputs.len()).map(|i| json!({"type": "command", "command": format!("h{i}")})).collect();
        let results: serde_json::Map<String, Value> = outputs
            .iter()
            .enumerate()
            .map(|(i, fields)| {
                let mut fields = fields.clone();
                fields["hookEventName"] = json!("PostToolUse");
                (format!("h{i}"), json!({"rank": i, "out": json!({"hookSpecificOutput": fields}).to_string()}))
            })
            .collect();
        json!({"settings": [{"from": "user", "settings": {"hooks": {"PostToolUse": [{"hooks": handlers}]}}}], "results": results,
               "steps": [{"fire": {"event": "PostToolUse", "input": {"tool_name": tool, "tool_input": {}, "tool_response": {}}}}]})
    }

    fn play(tool: &str, outputs: &[Value], readings: &[Reading]) -> Outcome {
        stage_read(case(tool, outputs), readings).remove(0)
    }

    fn plain(result: Value) -> Outcome {
        let mut case = case("Bash", &[json!({})]);
        case["results"]["h0"] = result;
        stage(case).remove(0)
    }

    #[test]
    fn feedback_goes_to_the_model_and_the_call_stands() {
        for result in [
            json!({"end": {"exit": 2}, "err": "WHY-1"}),
            json!({"out": r#"{"decision":"block","reason":"WHY-1"}"#}),
            json!({"end": {"exit": 2}, "err": "ERR-1", "out": r#"{"decision":"block","reason":"WHY-1"}"#}),
        ] {
            let outcome = plain(result);
            assert!(outcome.fate.is_none() && outcome.set.is_empty());
            assert_eq!(said(&outcome, Audience::Model), ["WHY-1"]);
        }
    }

    #[test]
    fn a_built_in_tool_takes_only_what_fits() {
        let whole = json!({"stdout": "OUT-1", "stderr": "", "interrupted": false, "isImage": false});
        assert_eq!(play("Bash", &[json!({"updatedToolOutput": whole})], &[]).set[&Slot::ToolOutput], whole);
        for wrong in [json!("OUT-1"), json!([]), json!({"stdout": 5})] {
            assert!(play("Bash", &[json!({"updatedToolOutput": wrong})], &[]).set.is_empty());
        }
        assert!(play("Bash", &[json!({"updatedMCPToolOutput": whole})], &[]).set.is_empty());
    }

    #[test]
    fn an_mcp_tool_takes_anything() {
        assert_eq!(play("mcp__s__t", &[json!({"updatedToolOutput": "OUT-1"})], &[]).set[&Slot::ToolOutput], "OUT-1");
        let both = [json!({"updatedToolOutput": "OUT-1", "updatedMCPToolOutput": "OUT-2"})];
        assert_eq!(play("mcp__s__t", &both, &[]).set[&Slot::ToolOutput], "OUT-1");
        let readings = [reading!("A-76", "updatedMCPToolOutput")];
        assert_eq!(play("mcp__s__t", &both, &readings).set[&Slot::ToolOutput], "OUT-2");
    }

    #[test]
    fn notes_go_to_the_classifier_and_share_their_room() {
        let notes = [json!({"classifierContext": "N-1 ".repeat(400)}), json!({"classifierContext": "M".repeat(900)})];
        let outcome = play("Bash", &notes, &[]);
        let told = said(&outcome, Audience::Classifier);
        assert_eq!(told.iter().map(String::len).sum::<usize>(), 2_000);
        assert_eq!(told[1], "M".repeat(400));
        assert!(said(&outcome, Audience::Model).is_empty());
        assert!(said(&play("Read", &notes, &[]), Audience::Classifier).is_empty());
    }

    #[test]
    fn a_note_shares_the_fate_of_its_rewrite() {
        let (a, b) = (json!({"stdout": "A"}), json!({"stdout": "B"}));
        let pair = |note: &str, output: &Value| json!({"classifierContext": note, "updatedToolOutput": output});
        let superseded = play("Bash", &[pair("NOTE-1", &a), pair("NOTE-2", &b)], &[]);
        assert_eq!(said(&superseded, Audience::Classifier), ["NOTE-2"]);
        assert_eq!(superseded.set[&Slot::ToolOutput], b);
        let rejected = play("Bash", &[pair("NOTE-1", &json!("x")), json!({"classifierContext": "NOTE-2"})], &[]);
        assert_eq!(said(&rejected, Audience::Classifier), ["NOTE-2"]);
        let alone = play("Bash", &[json!({"classifierContext": "NOTE-1"}), json!({"updatedToolOutput": a})], &[]);
        assert_eq!(said(&alone, Audience::Classifier), ["NOTE-1"]);
    }

    #[test]
    fn all_context_arrives_and_stop_stops() {
        let outcome =
            play("Bash", &[json!({"additionalContext": "CTX-1"}), json!({"additionalContext": "CTX-2"})], &[]);
        let told = said(&outcome, Audience::Model).concat();
        assert!(told.contains("CTX-1") && told.contains("CTX-2"));
        assert_eq!(plain(json!({"out": r#"{"continue":false}"#})).agent, Some(Agent::Stops));
    }
}
