//! An MCP server asks the user something (chapter *elicitation*).

use super::Effect;
use crate::merge::Reply;
use hookproof_contract::{Fate, Slot};

pub(super) fn apply(effect: &mut Effect<'_, '_>, reply: Option<Reply>) {
    if let Some(reply) = reply {
        effect.fate(Fate::Prevented);
        effect.outcome.set.insert(Slot::McpReply, reply.json());
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{numbered, said, stage, stage_at, stage_read};
    use hookproof_contract::{Audience, Fate, Outcome, Reading, Revision, Slot, reading};
    use serde_json::{Value, json};

    fn case(results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        json!({"settings": [{"from": "user", "settings": {"hooks": {"Elicitation": [{"hooks": handlers}]}}}], "results": results,
               "steps": [{"fire": {"event": "Elicitation", "input": {"mcp_server_name": "s", "message": "m"}}}]})
    }

    fn answer(fields: &str) -> Value {
        json!({"out": format!(r#"{{"hookSpecificOutput":{{"hookEventName":"Elicitation",{fields}}}}}"#)})
    }

    fn play(results: &[Value]) -> Outcome {
        stage(case(results)).remove(0)
    }

    fn reply(outcome: &Outcome) -> Value {
        outcome.set.get(&Slot::McpReply).cloned().unwrap_or_default()
    }

    #[test]
    fn a_hook_answers_in_the_place_of_the_dialog() {
        let outcome = play(&[answer(r#""action":"accept","content":{"k":"V-1"}"#)]);
        assert_eq!(
            (outcome.fate, reply(&outcome)),
            (Some(Fate::Prevented), json!({"action": "accept", "content": {"k": "V-1"}}))
        );
        let log = said(&outcome, Audience::Debug);
        assert!(
            log.iter().any(
                |line| line.ends_with(r#"Elicitation resolved by hook: {"action":"accept","content":{"k":"V-1"}}"#)
            )
        );
        assert_eq!(reply(&play(&[answer(r#""action":"cancel","content":{"k":1}"#)])), json!({"action": "cancel"}));
    }

    #[test]
    fn whether_a_refusal_goes_with_values_is_open() {
        let case = case(&[answer(r#""action":"decline","content":{"k":"V-1"}"#)]);
        assert_eq!(reply(&stage(case.clone())[0]), json!({"action": "decline"}));
        let sent = stage_read(case, &[reading!("A-189", "sent")]);
        assert_eq!(reply(&sent[0]), json!({"action": "decline", "content": {"k": "V-1"}}));
    }

    #[test]
    fn who_answers_of_several_is_open() {
        let mut first = answer(r#""action":"accept","content":{"k":"V-1"}"#);
        first["rank"] = json!(2);
        let mut second = answer(r#""action":"cancel""#);
        second["rank"] = json!(1);
        for (name, action) in [
            ("last to end", "accept"),
            ("first to end", "cancel"),
            ("last in the settings", "cancel"),
            ("first in the settings", "accept"),
        ] {
            let reading = Reading::parse("A-77", name).expect("a reading");
            let outcomes = stage_read(case(&[first.clone(), second.clone()]), &[reading]);
            assert_eq!(reply(&outcomes[0])["action"], action, "{name}");
        }
    }

    #[test]
    fn silence_leaves_the_dialog() {
        let outcome = play(&[json!({})]);
        assert!(outcome.fate.is_none() && outcome.set.is_empty());
    }

    #[test]
    fn exit_two_declines_and_tells_nobody_why() {
        let mut result = answer(r#""action":"accept","content":{"k":"V-1"}"#);
        result["end"] = json!({"exit": 2});
        result["err"] = json!("ERR-1");
        let outcome = play(&[result]);
        assert_eq!(reply(&outcome), json!({"action": "decline"}));
        assert!(outcome.said.iter().all(|said| said.to == Audience::Debug));
    }

    #[test]
    fn a_block_declines_since_a_revision() {
        let both = json!({"out": r#"{"decision":"block","reason":"WHY-1","systemMessage":"MSG-1","continue":false,"hookSpecificOutput":{"hookEventName":"Elicitation","action":"accept"}}"#});
        let outcome = play(std::slice::from_ref(&both));
        assert_eq!((reply(&outcome), outcome.agent), (json!({"action": "decline"}), None));
        assert!(said(&outcome, Audience::User).is_empty());
        assert_eq!(reply(&stage_at(case(&[both]), Revision(2, 1, 283))[0]), json!({"action": "accept"}));
    }

    #[test]
    fn one_decline_wins() {
        for decline in
            [answer(r#""action":"decline""#), json!({"end": {"exit": 2}}), json!({"out": r#"{"decision":"block"}"#})]
        {
            for other in [answer(r#""action":"accept","content":{}"#), answer(r#""action":"cancel""#)] {
                assert_eq!(reply(&play(&[decline.clone(), other.clone()])), json!({"action": "decline"}));
                assert_eq!(reply(&play(&[other, decline.clone()])), json!({"action": "decline"}));
            }
        }
    }
}
