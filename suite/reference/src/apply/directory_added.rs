//! A directory has been added (chapter *workspace*). Nobody waits for its hooks.

use super::Effect;
use crate::merge::Addition;
use hookproof_contract::{Audience, Fate, Manner, Said, Text};

pub(super) fn apply(effect: &mut Effect<'_, '_>, addition: Addition) {
    effect.fate(Fate::Proceeds);
    let mut news = effect.deliver_all(addition.news);
    effect.session.kept.for_turn.append(&mut news);
    if addition.failures > 0 {
        let text = Text::Plain(format!("DirectoryAdded hooks that failed: {}", addition.failures));
        let told = Said { to: Audience::User, text, how: Some(Manner::Notice), by: None, spill: None };
        effect.outcome.said.push(told);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{numbered, ran, said, stage, stage_read};
    use hookproof_contract::{Audience, Outcome, reading};
    use serde_json::{Value, json};

    fn case(source: &str, results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        let input = json!({"directory": "/srv/a", "source": source});
        json!({"settings": [{"from": "user", "settings": {"hooks": {"DirectoryAdded": [{"matcher": source, "hooks": handlers}]}}}],
               "results": results,
               "steps": [{"fire": {"event": "DirectoryAdded", "input": input}}, {"happen": "model_request"},
                         {"happen": "new_prompt"}, {"happen": "model_request"}, {"happen": "model_request"}]})
    }

    fn message() -> Value {
        let fields = json!({"systemMessage": "MSG-1", "continue": false, "stopReason": "STOP-1", "decision": "block"});
        json!({"out": fields.to_string()})
    }

    fn model(outcomes: &[Outcome]) -> Vec<usize> {
        outcomes.iter().map(|outcome| said(outcome, Audience::Model).len()).collect()
    }

    #[test]
    fn a_message_goes_to_the_model_with_the_next_turn_where_the_user_added_the_directory() {
        let outcomes = stage(case("slash_command", &[message(), json!({"out": "TEXT-1"})]));
        assert_eq!(model(&outcomes), [0, 0, 0, 1, 0]);
        assert_eq!(said(&outcomes[3], Audience::Model), ["DirectoryAdded:h0 hook context: MSG-1"]);
        assert!(said(&outcomes[0], Audience::User).is_empty() && outcomes[0].fate.is_none());
        assert!(outcomes.iter().all(|outcome| outcome.agent.is_none()));
    }

    #[test]
    fn where_a_client_did_the_log_has_it_all() {
        let failed = json!({"end": {"exit": 2}, "err": "ERR-1"});
        let outcomes = stage(case("register_repo_root", &[message(), failed]));
        assert_eq!(model(&outcomes), [0, 0, 0, 0, 0]);
        assert!(said(&outcomes[0], Audience::User).is_empty());
        let log = said(&outcomes[0], Audience::Debug).concat();
        assert!(log.contains("MSG-1") && log.contains("ERR-1"));
    }

    #[test]
    fn the_user_is_told_how_many_failed_and_the_log_why() {
        let results = [
            json!({"end": {"exit": 2}, "err": "ERR-1"}),
            json!({"end": {"exit": 1}, "err": "ERR-2\nERR-3"}),
            json!({"out": "{x}"}),
            json!({"end": {"exit": 1}, "out": "{}"}),
            json!({}),
        ];
        let outcome = stage(case("slash_command", &results)).remove(0);
        assert_eq!(said(&outcome, Audience::User), ["DirectoryAdded hooks that failed: 3"]);
        let log = said(&outcome, Audience::Debug).concat();
        assert!(log.contains("ERR-1") && log.contains("ERR-3"));
    }

    #[test]
    fn whether_a_message_beside_a_failing_code_arrives_is_open() {
        let mut failed = message();
        failed["end"] = json!({"exit": 1});
        let case = case("slash_command", &[failed]);
        assert_eq!(model(&stage(case.clone())), [0, 0, 0, 1, 0]);
        assert_eq!(model(&stage_read(case, &[reading!("A-01", "ignored")])), [0, 0, 0, 0, 0]);
    }

    #[test]
    fn how_it_was_added_selects() {
        let mut other = case("slash_command", &[json!({})]);
        other["steps"][0]["fire"]["input"]["source"] = json!("register_repo_root");
        assert!(ran(&stage(other)[0]).is_empty());
        let ran = &stage(case("slash_command", &[json!({})]))[0].ran[0];
        assert_eq!((&ran.given["timeout"], &ran.given["input"]["directory"]), (&json!(600), &json!("/srv/a")));
    }
}
