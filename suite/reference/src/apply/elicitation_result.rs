//! The user has answered an MCP server, and the answer is on its way (chapter *elicitation*).

// What goes to the server in the user's place, and in the place of the user's answer, goes there alike.
pub(super) use super::elicitation::apply;

#[cfg(test)]
mod tests {
    use crate::testing::{numbered, ran, said, stage, stage_at, stage_read};
    use hookproof_contract::{Audience, Fate, Outcome, Revision, Slot, reading};
    use serde_json::{Value, json};

    fn case(input: &Value, results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        json!({"settings": [{"from": "user", "settings": {"hooks": {"ElicitationResult": [{"matcher": "tracker", "hooks": handlers}]}}}],
               "results": results, "steps": [{"fire": {"event": "ElicitationResult", "input": input}}]})
    }

    fn accepted() -> Value {
        json!({"mcp_server_name": "tracker", "mode": "form", "action": "accept", "content": {"a": "USER-1", "b": "USER-2"}})
    }

    fn answer(fields: &str) -> Value {
        json!({"out": format!(r#"{{"hookSpecificOutput":{{"hookEventName":"ElicitationResult",{fields}}}}}"#)})
    }

    fn play(results: &[Value]) -> Outcome {
        stage(case(&accepted(), results)).remove(0)
    }

    fn reply(outcome: &Outcome) -> Value {
        outcome.set.get(&Slot::McpReply).cloned().unwrap_or_default()
    }

    fn decline() -> Value {
        json!({"action": "decline"})
    }

    #[test]
    fn a_hooks_values_replace_all_of_the_users() {
        let outcome = play(&[answer(r#""action":"accept","content":{"a":"NEW-1"}"#)]);
        assert_eq!(outcome.fate, Some(Fate::Prevented));
        assert_eq!(reply(&outcome), json!({"action": "accept", "content": {"a": "NEW-1"}}));
    }

    #[test]
    fn a_decline_goes_without_values_and_a_cancel_with_the_users() {
        assert_eq!(reply(&play(&[answer(r#""action":"decline","content":{"a":"NEW-1"}"#)])), decline());
        let cancel = answer(r#""action":"cancel","content":{"a":"NEW-1"}"#);
        let sent = json!({"action": "cancel", "content": accepted()["content"]});
        assert_eq!(reply(&play(std::slice::from_ref(&cancel))), sent);
        let refused = json!({"mcp_server_name": "tracker", "action": "decline"});
        assert_eq!(reply(&stage(case(&refused, &[cancel]))[0]), json!({"action": "cancel"}));
    }

    #[test]
    fn what_the_user_refused_can_be_accepted() {
        for action in ["decline", "cancel"] {
            let refused = json!({"mcp_server_name": "tracker", "action": action});
            let outcome = stage(case(&refused, &[answer(r#""action":"accept","content":{"a":"NEW-1"}"#)])).remove(0);
            assert_eq!(reply(&outcome), json!({"action": "accept", "content": {"a": "NEW-1"}}), "{action}");
        }
    }

    #[test]
    fn without_an_action_the_answer_goes_as_it_is() {
        let fields = r#"{"reason":"WHY-1","systemMessage":"MSG-1","continue":false}"#;
        for result in [
            json!({}),
            json!({"out": "TEXT-1"}),
            json!({"out": fields}),
            json!({"end": {"exit": 1}, "err": "ERR-1"}),
            answer(r#""content":{"a":"NEW-1"}"#),
        ] {
            let outcome = play(std::slice::from_ref(&result));
            assert!(outcome.fate.is_none() && outcome.agent.is_none() && outcome.set.is_empty(), "{result}");
            assert!(outcome.said.iter().all(|said| said.to == Audience::Debug), "{result}");
        }
    }

    #[test]
    fn exit_two_declines_whatever_is_printed_and_nobody_is_told_why() {
        for out in [json!(""), json!("{x}"), answer(r#""action":"accept""#)["out"].clone()] {
            let outcome = play(&[json!({"end": {"exit": 2}, "err": "ERR-1", "out": out})]);
            assert_eq!((outcome.fate, reply(&outcome)), (Some(Fate::Prevented), decline()), "{out}");
            assert!(outcome.said.iter().all(|said| said.to == Audience::Debug));
        }
    }

    #[test]
    fn a_block_declines_since_a_revision() {
        let both = json!({"out": r#"{"decision":"block","reason":"WHY-1","hookSpecificOutput":{"hookEventName":"ElicitationResult","action":"cancel"}}"#});
        assert_eq!(reply(&play(std::slice::from_ref(&both))), decline());
        let before = stage_at(case(&accepted(), &[both]), Revision(2, 1, 283)).remove(0);
        assert_eq!(reply(&before)["action"], "cancel");
    }

    #[test]
    fn a_silent_hook_lifts_no_block() {
        for block in [json!({"end": {"exit": 2}}), json!({"out": r#"{"decision":"block"}"#})] {
            for other in [json!({}), answer(r#""action":"accept","content":{}"#)] {
                assert_eq!(reply(&play(&[block.clone(), other.clone()])), decline());
                assert_eq!(reply(&play(&[other, block.clone()])), decline());
            }
        }
    }

    #[test]
    fn an_answer_beside_a_failing_code_is_an_open_point() {
        let mut result = answer(r#""action":"decline""#);
        result["end"] = json!({"exit": 1});
        let case = case(&accepted(), &[result]);
        assert_eq!(reply(&stage(case.clone())[0]), decline());
        assert!(stage_read(case, &[reading!("A-59", "the JSON is ignored")])[0].set.is_empty());
    }

    #[test]
    fn the_server_selects_and_the_answer_is_given() {
        let outcome = play(&[json!({})]);
        let input = &outcome.ran[0].given["input"];
        assert_eq!((&input["action"], &input["content"]), (&json!("accept"), &accepted()["content"]));
        assert!(input.get("permission_mode").is_none());
        let other = json!({"mcp_server_name": "other", "action": "accept"});
        assert!(ran(&stage(case(&other, &[json!({})]))[0]).is_empty());
        let sequence = json!({"out": json!({"terminalSequence": "\u{7}"}).to_string()});
        assert_eq!(said(&play(&[sequence]), Audience::Terminal), ["\u{7}"]);
    }
}
