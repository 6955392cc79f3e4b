//! A prompt that the user has given (chapter *prompt*).

use super::Effect;
use crate::merge::{Prompt, Remark};
use hookproof_contract::{Fate, Slot};
use serde_json::Value;

pub(super) fn apply(effect: &mut Effect<'_, '_>, prompt: Prompt, context: Vec<Remark>) {
    let stance = effect.scene.stance;
    let blocked = !prompt.blocks.is_empty() || effect.ends_turn;
    if blocked || (effect.stop && stance.stopping_prevents_prompt) {
        effect.fate(Fate::Prevented);
    }
    effect.say_all(prompt.blocks);
    if !blocked || stance.blocked_prompt_has_context {
        effect.say_all(context);
    }
    if let Some(title) = prompt.title.filter(|_| !blocked || !stance.blocked_sets_no_title) {
        effect.outcome.set.insert(Slot::SessionTitle, Value::from(title.as_str()));
        effect.session.title = Some(title);
    }
    if effect.outcome.fate != Some(Fate::Prevented) {
        effect.session.kept.turn_begins();
    }
    effect.stop_if_asked();
}

#[cfg(test)]
mod tests {
    use crate::testing::{numbered, said, stage, stage_read};
    use hookproof_contract::{Agent, Audience, Fate, Outcome, Reading, Slot, reading};
    use serde_json::{Value, json};

    fn case(results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        json!({"settings": [{"from": "user", "settings": {"hooks": {"UserPromptSubmit": [{"hooks": handlers}]}}}], "results": results,
               "steps": [{"fire": {"event": "UserPromptSubmit", "input": {"prompt": "PROMPT-1"}}}]})
    }

    fn play(results: &[Value], readings: &[Reading]) -> Outcome {
        stage_read(case(results), readings).remove(0)
    }

    fn out(json: &Value) -> Value {
        json!({"out": json.to_string()})
    }

    fn specific(fields: Value) -> Value {
        let mut fields = fields;
        fields["hookEventName"] = json!("UserPromptSubmit");
        fields
    }

    #[test]
    fn a_block_is_told_to_the_user_with_the_prompt() {
        let by_json = out(&json!({"decision": "block", "reason": "WHY-1"}));
        for result in [by_json, json!({"end": {"exit": 2}, "err": "WHY-1"})] {
            let outcome = play(&[result], &[]);
            assert_eq!(outcome.fate, Some(Fate::Prevented));
            let heard = said(&outcome, Audience::User).concat();
            assert!(heard.contains("WHY-1") && heard.ends_with("Original prompt: PROMPT-1"), "{heard}");
            assert!(said(&outcome, Audience::Model).is_empty());
        }
    }

    #[test]
    fn a_hook_that_blocks_can_leave_the_prompt_out() {
        let hide = json!({"hookSpecificOutput": specific(json!({"suppressOriginalPrompt": true}))});
        let mut blocking = out(&hide);
        blocking["end"] = json!({"exit": 2});
        let heard = said(&play(&[blocking], &[]), Audience::User).concat();
        assert!(!heard.contains("PROMPT-1") && heard.contains("blocked"), "{heard}");
        let other = play(&[out(&hide), json!({"end": {"exit": 2}, "err": "ERR-1"})], &[]);
        assert!(said(&other, Audience::User).concat().contains("PROMPT-1"), "it does not block itself");
    }

    #[test]
    fn context_comes_from_plain_text_and_from_json_and_shows_the_hooks_name() {
        let context = out(&json!({"hookSpecificOutput": specific(json!({"additionalContext": "CTX-1"}))}));
        let outcome = play(&[json!({"out": "TEXT-1"}), context], &[]);
        let told = said(&outcome, Audience::Model);
        assert!(told[0].contains("TEXT-1") && told[1].contains("CTX-1") && told[0].starts_with("UserPromptSubmit:h0"));
        assert!(said(&outcome, Audience::User).is_empty());
    }

    #[test]
    fn a_blocked_prompt_has_no_context_and_that_is_open() {
        let results = [json!({"out": "TEXT-1"}), json!({"end": {"exit": 2}, "err": "ERR-1", "out": "TEXT-2"})];
        assert!(said(&play(&results, &[]), Audience::Model).is_empty());
        let delivered = said(&play(&results, &[reading!("A-57", "delivered")]), Audience::Model).concat();
        assert!(delivered.contains("TEXT-1") && !delivered.contains("TEXT-2"));
        let added = said(&play(&results, &[reading!("A-20", "added")]), Audience::Model).concat();
        assert!(added.contains("TEXT-2") && !added.contains("TEXT-1"));
    }

    #[test]
    fn the_title_is_set_and_beside_a_block_that_is_open() {
        let title = json!({"decision": "block", "hookSpecificOutput": specific(json!({"sessionTitle": "TITLE-1"}))});
        assert_eq!(play(&[out(&title)], &[]).set[&Slot::SessionTitle], "TITLE-1");
        assert!(play(&[out(&title)], &[reading!("A-164", "not set")]).set.is_empty());
    }

    #[test]
    fn a_timeout_is_noticed_and_the_prompt_goes_on() {
        let outcome = play(&[json!({"end": "timed_out", "out": "TEXT-1"})], &[]);
        let heard = said(&outcome, Audience::User).concat();
        assert!(
            outcome.fate.is_none() && heard.contains("h0") && heard.contains("30") && !heard.contains("TEXT-1"),
            "{heard}"
        );
        assert!(said(&outcome, Audience::Model).is_empty());
    }

    #[test]
    fn stopping_is_told_to_the_user_and_kept_for_the_model() {
        let outcome = stage(case(&[out(&json!({"continue": false, "stopReason": "STOP-1"}))])).remove(0);
        assert_eq!((outcome.agent, outcome.fate), (Some(Agent::Stops), None));
        assert_eq!(said(&outcome, Audience::User), ["STOP-1"]);
        assert_eq!(said(&outcome, Audience::Model), ["STOP-1"]);
        let prevented = play(&[out(&json!({"continue": false}))], &[reading!("A-183", "does not happen")]);
        assert_eq!(prevented.fate, Some(Fate::Prevented));
    }
}
