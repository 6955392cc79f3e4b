//! A command that the user has typed, about to become a prompt (chapter *prompt*).

use super::Effect;
use crate::merge::{Expansion, Remark};
use hookproof_contract::Fate;

pub(super) fn apply(effect: &mut Effect<'_, '_>, expansion: Expansion, context: Vec<Remark>) {
    let stance = effect.scene.stance;
    let blocked = !expansion.blocks.is_empty() || effect.ends_turn;
    // What is open about prompts is open about a command's prompt too.
    if blocked || (effect.stop && stance.stopping_prevents_prompt) {
        effect.fate(Fate::Prevented);
    }
    effect.say_all(expansion.blocks);
    if !blocked || stance.blocked_prompt_has_context {
        effect.say_all(context);
    }
    effect.stop_if_asked();
}

#[cfg(test)]
mod tests {
    use crate::testing::{numbered, ran, said, stage, stage_at, stage_read};
    use hookproof_contract::{Agent, Audience, Fate, Outcome, Reading, Revision, reading};
    use serde_json::{Value, json};

    fn case(matcher: &str, results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        let input = json!({"expansion_type": "slash_command", "command_name": "deploy", "command_args": "ARGS-1",
                           "command_source": "project", "prompt": "/deploy PROMPT-1"});
        json!({"settings": [{"from": "user", "settings": {"hooks": {"UserPromptExpansion": [{"matcher": matcher, "hooks": handlers}]}}}],
               "results": results, "steps": [{"fire": {"event": "UserPromptExpansion", "input": input}}]})
    }

    fn play_read(results: &[Value], readings: &[Reading]) -> Outcome {
        stage_read(case("", results), readings).remove(0)
    }

    fn play(results: &[Value]) -> Outcome {
        play_read(results, &[])
    }

    fn two() -> Value {
        json!({"end": {"exit": 2}, "err": "ERR-1"})
    }

    fn block() -> Value {
        json!({"out": r#"{"decision":"block","reason":"WHY-1"}"#})
    }

    fn context() -> Value {
        let fields = json!({"hookEventName": "UserPromptExpansion", "additionalContext": "CTX-1"});
        json!({"out": json!({"hookSpecificOutput": fields}).to_string()})
    }

    #[test]
    fn a_block_keeps_the_command_from_expanding_and_tells_the_user_alone() {
        let mut both = two();
        both["out"] = block()["out"].clone();
        for (result, heard) in [(two(), "ERR-1"), (block(), "WHY-1"), (both, "WHY-1")] {
            let outcome = play(&[json!({}), result, json!({})]);
            assert_eq!((outcome.fate, outcome.agent), (Some(Fate::Prevented), None));
            let told = said(&outcome, Audience::User);
            assert!(told.len() == 1 && told[0].ends_with(heard), "{told:?}");
            assert!(said(&outcome, Audience::Model).is_empty());
        }
    }

    #[test]
    fn exit_two_blocks_whatever_is_printed() {
        for out in ["", "TEXT-1", "{}", "{x}", r#"{"reason":5}"#, r#"{"decision":"approve","reason":"WHY-1"}"#] {
            let mut result = two();
            result["out"] = json!(out);
            let outcome = play(&[result]);
            assert_eq!(outcome.fate, Some(Fate::Prevented), "{out}");
            assert!(said(&outcome, Audience::User).concat().ends_with("ERR-1"), "{out}");
            assert!(said(&outcome, Audience::Model).is_empty(), "{out}");
        }
    }

    #[test]
    fn plain_text_and_context_go_with_the_prompt() {
        let outcome = play(&[json!({"out": "TEXT-1"}), context()]);
        let told = said(&outcome, Audience::Model);
        assert!(told.len() == 2 && told[0].ends_with("TEXT-1") && told[1].ends_with("CTX-1"), "{told:?}");
        assert!(outcome.fate.is_none() && said(&outcome, Audience::User).is_empty());
        let garbled = case("", &[json!({"out": "{TEXT-1}"})]);
        assert!(said(&stage(garbled.clone())[0], Audience::Model).is_empty());
        assert!(said(&stage(garbled.clone())[0], Audience::User).concat().contains("hook error"));
        assert_eq!(said(&stage_at(garbled, Revision(2, 1, 247))[0], Audience::Model).len(), 1);
    }

    #[test]
    fn what_becomes_of_context_beside_a_block_is_open() {
        let results = [context(), two()];
        assert!(said(&play(&results), Audience::Model).is_empty());
        assert_eq!(said(&play_read(&results, &[reading!("A-57", "delivered")]), Audience::Model).len(), 1);
        let mut printed = two();
        printed["out"] = json!("TEXT-1");
        assert_eq!(said(&play_read(&[printed], &[reading!("A-20", "added")]), Audience::Model).len(), 1);
    }

    #[test]
    fn the_universal_fields_count() {
        let fields = json!({"continue": false, "stopReason": "STOP-1", "systemMessage": "MSG-1"});
        let result = json!({"end": {"exit": 1}, "out": fields.to_string()});
        let outcome = play(std::slice::from_ref(&result));
        assert_eq!((outcome.agent, outcome.fate), (Some(Agent::Stops), None));
        let heard = said(&outcome, Audience::User).concat();
        assert!(heard.contains("MSG-1") && heard.contains("STOP-1") && !heard.contains("hook error"), "{heard}");
        let kept = play_read(&[result], &[reading!("A-183", "does not happen")]);
        assert_eq!(kept.fate, Some(Fate::Prevented));
    }

    #[test]
    fn the_commands_name_selects_and_a_late_answer_is_none() {
        let runs = |matcher: &str| !ran(&stage(case(matcher, &[json!({})]))[0]).is_empty();
        assert!(runs("") && runs("*") && runs("deploy") && runs("review|deploy") && runs("^dep"));
        assert!(!runs("/deploy") && !runs("Deploy") && !runs("dep"));
        let late = play(&[json!({"end": "timed_out", "out": block()["out"], "err": "ERR-1"})]);
        assert!(late.fate.is_none() && late.said.is_empty());
        let given = &late.ran[0].given;
        assert_eq!((&given["timeout"], &given["input"]["permission_mode"]), (&json!(600), &json!("default")));
        assert_eq!(given["input"]["command_args"], "ARGS-1");
    }
}
