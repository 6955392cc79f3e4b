//! A session begins or is taken up again (chapter *session*). Nothing can keep it from that.

use super::Effect;
use crate::{
    merge::{Remark, Start},
    spill,
};
use hookproof_contract::{Fate, Slot};
use serde_json::Value;

pub(super) fn apply(effect: &mut Effect<'_, '_>, start: Start, context: Vec<Remark>) {
    effect.fate(Fate::Proceeds);
    effect.say_all(context);
    if let Some(text) = start.first_prompt {
        // It is limited as context is, strange as a first message with the name of a file may be.
        let (text, _) = spill::fit(effect.scene.stance, effect.session, text);
        effect.outcome.set.insert(Slot::FirstPrompt, Value::from(text));
    }
    if let Some(title) = start.title {
        effect.outcome.set.insert(Slot::SessionTitle, Value::from(title.as_str()));
        effect.session.title = Some(title);
    }
    if !start.watch_paths.is_empty() {
        effect.outcome.set.insert(Slot::WatchPaths, Value::from(start.watch_paths));
    }
    if start.reloads_skills {
        effect.outcome.set.insert(Slot::SkillsReloaded, Value::Bool(true));
    }
    effect.stop_if_asked();
}

#[cfg(test)]
mod tests {
    use crate::testing::{numbered, ran, said, stage, stage_at, stage_read};
    use hookproof_contract::{Audience, Outcome, Revision, Slot, reading};
    use serde_json::{Value, json};

    fn case(source: &str, results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        json!({"host": {}, "settings": [{"from": "user", "settings": {"hooks": {"SessionStart": [{"hooks": handlers}]}}}],
               "results": results, "steps": [{"fire": {"event": "SessionStart", "input": {"source": source}}}]})
    }

    fn play(results: &[Value]) -> Outcome {
        stage(case("startup", results)).remove(0)
    }

    fn output(fields: Value) -> Value {
        let mut fields = fields;
        fields["hookEventName"] = json!("SessionStart");
        json!({"out": json!({"hookSpecificOutput": fields}).to_string()})
    }

    fn with(mut result: Value, key: &str, value: Value) -> Value {
        result[key] = value;
        result
    }

    #[test]
    fn plain_text_and_additional_context_of_every_hook_are_context() {
        let outcome = play(&[json!({"out": "TEXT-1"}), output(json!({"additionalContext": "CTX-1"}))]);
        let heard = said(&outcome, Audience::Model);
        assert_eq!(heard, ["SessionStart:h0 hook context: TEXT-1", "SessionStart:h1 hook context: CTX-1"]);
        assert!(said(&outcome, Audience::User).is_empty() && outcome.fate.is_none());
        for out in ["{x}", "{\"additionalContext\":\"CTX-1\"}"] {
            assert!(said(&play(&[json!({"out": out})]), Audience::Model).is_empty(), "{out}");
        }
    }

    #[test]
    fn exit_two_blocks_nothing_and_is_noticed_by_the_user_alone() {
        let two = |result: Value| with(with(result, "end", json!({"exit": 2})), "err", json!("ERR-1"));
        let outcome = play(&[two(output(json!({"additionalContext": "CTX-1", "reloadSkills": true})))]);
        assert_eq!((outcome.fate, outcome.agent), (None, None));
        assert_eq!(said(&outcome, Audience::User), ["SessionStart:h0 hook error: ERR-1"]);
        assert_eq!(said(&outcome, Audience::Model), ["SessionStart:h0 hook context: CTX-1"]);
        assert_eq!(outcome.set[&Slot::SkillsReloaded], true);
        let plain = case("startup", &[two(json!({"out": "TEXT-1"}))]);
        assert!(said(&stage(plain.clone())[0], Audience::Model).is_empty());
        assert_eq!(said(&stage_read(plain, &[reading!("A-20", "added")])[0], Audience::Model).len(), 1);
    }

    #[test]
    fn stderr_of_success_informs_and_the_object_counts() {
        let outcome = play(&[with(output(json!({"reloadSkills": true})), "err", json!("ERR-1"))]);
        assert_eq!(outcome.set[&Slot::SkillsReloaded], true);
        assert!(said(&outcome, Audience::User).is_empty() && said(&outcome, Audience::Model).is_empty());
        assert!(play(&[output(json!({"reloadSkills": false}))]).set.is_empty());
        assert_eq!(play(&[output(json!({"reloadSkills": true})), json!({})]).set[&Slot::SkillsReloaded], true);
    }

    #[test]
    fn a_title_is_set_where_a_session_begins_or_is_taken_up() {
        for (source, set) in [("startup", true), ("resume", true), ("fork", true), ("clear", false), ("compact", false)]
        {
            let mut case = case(source, &[output(json!({"sessionTitle": "TITLE-1"}))]);
            case["settings"][0]["settings"]["hooks"]["UserPromptSubmit"] =
                json!([{"hooks": [{"type": "command", "command": "p"}]}]);
            let prompt = json!({"fire": {"event": "UserPromptSubmit", "input": {"prompt": "P-1"}}});
            case["steps"] = json!([case["steps"][0], prompt]);
            let outcomes = stage(case);
            assert_eq!(outcomes[0].set.contains_key(&Slot::SessionTitle), set, "{source}");
            let told = &outcomes[1].ran[0].given["input"];
            assert_eq!(told.get("session_title"), set.then_some(&json!("TITLE-1")), "{source}");
        }
    }

    #[test]
    fn a_first_message_is_for_sessions_without_a_screen() {
        let long = "x".repeat(10_001);
        for (surface, text, set) in [("print", "FIRST-1", true), ("terminal", "FIRST-1", false), ("print", &long, true)]
        {
            let mut case = case("startup", &[output(json!({"initialUserMessage": text}))]);
            case["host"]["surface"] = json!(surface);
            let outcome = stage(case).remove(0);
            assert_eq!(outcome.set.contains_key(&Slot::FirstPrompt), set, "{surface}");
            let whole = outcome.set.get(&Slot::FirstPrompt) == Some(&json!(text));
            assert_eq!(whole, set && text.len() <= 10_000, "{surface}");
            assert!(said(&outcome, Audience::Model).is_empty());
        }
    }

    #[test]
    fn the_paths_of_all_hooks_are_watched() {
        let paths = |paths: Value| output(json!({"watchPaths": paths}));
        let outcome = play(&[paths(json!(["/w/.env", "/w/b"])), paths(json!(["/w/.env", "relative"])), json!({})]);
        assert_eq!(outcome.set[&Slot::WatchPaths], json!(["/w/.env", "/w/b"]));
        for flawed in [json!("/w/.env"), json!([5])] {
            let outcome = play(&[paths(flawed)]);
            assert!(outcome.set.is_empty() && said(&outcome, Audience::User).concat().contains("watchPaths"));
        }
    }

    #[test]
    fn commands_run_and_addresses_are_not_called() {
        let mut case = case("startup", &[json!({})]);
        case["settings"][0]["settings"]["hooks"]["SessionStart"][0]["hooks"] =
            json!([{"type": "http", "url": "http://u"}, {"type": "command", "command": "h0"}]);
        assert_eq!(ran(&stage(case)[0]), ["h0"]);
    }

    #[test]
    fn how_the_session_began_selects_and_is_given() {
        let matching = |matcher: &str, source: &str| {
            let mut case = case(source, &[json!({})]);
            case["settings"][0]["settings"]["hooks"]["SessionStart"][0]["matcher"] = json!(matcher);
            case
        };
        for (matcher, source, runs) in [
            ("startup", "startup", true),
            ("startup|resume", "resume", true),
            ("startup", "clear", false),
            ("resume", "fork", false),
            ("fork", "fork", true),
        ] {
            assert_eq!(!ran(&stage(matching(matcher, source))[0]).is_empty(), runs, "{matcher} {source}");
        }
        let before = stage_at(matching("resume", "fork"), Revision(2, 1, 213)).remove(0);
        assert_eq!(before.ran[0].given["input"]["source"], "resume");
    }

    #[test]
    fn what_it_costs_is_told_since_a_revision() {
        let mut case = case("resume", &[json!({})]);
        case["steps"][0]["fire"]["input"]["context_tokens"] = json!(5);
        case["steps"][0]["fire"]["input"]["session_title"] = json!("NAME-1");
        let given = |revision: Revision| stage_at(case.clone(), revision).remove(0).ran.remove(0).given;
        let newest = given(Revision::NEWEST);
        assert_eq!((&newest["input"]["context_tokens"], &newest["timeout"]), (&json!(5), &json!(600)));
        assert_eq!(newest["input"]["session_title"], "NAME-1");
        assert!(newest["input"].get("permission_mode").is_none() && newest["input"].get("prompt_id").is_none());
        assert!(given(Revision(2, 1, 250))["input"].get("context_tokens").is_none());
    }
}
