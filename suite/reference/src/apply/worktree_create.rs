//! A worktree that a hook makes (chapter *worktrees*).

use super::Effect;
use crate::{
    given::resolved,
    merge::{Remark, Worktree, hook_name},
    spill::Limit,
};
use hookproof_contract::{Agent, Audience, Fate, Manner, Name, Slot};
use serde_json::Value;

pub(super) fn apply(effect: &mut Effect<'_, '_>, worktree: Worktree) {
    let (path, by) = match worktree {
        Worktree::Ordinary => return,
        Worktree::Failed { error, by } => return fail(effect, &by, error),
        Worktree::At { path, by } => (path, by),
    };
    let host = effect.scene.host();
    let path = match path.strip_prefix('/') {
        None => resolved(effect.session.cwd(effect.scene), &path),
        Some(rest) => match rest.split('/').find(|segment| matches!(*segment, "." | "..")) {
            Some(segment) if effect.scene.since(216) => {
                return fail(effect, &by, format!("the path {path} is refused: it has the segment `{segment}`"));
            }
            _ => path,
        },
    };
    let exists = |known: &String| known.trim_end_matches('/') == path.trim_end_matches('/');
    if host.directories.as_ref().is_some_and(|all| !all.iter().any(exists)) {
        // The session ends there, with an error code.
        effect.agent(Agent::Stops);
        return fail(effect, &by, format!("{path} is not a directory that can be entered"));
    }
    effect.fate(Fate::Proceeds);
    effect.outcome.set.insert(Slot::WorktreePath, Value::from(path));
}

fn fail(effect: &mut Effect<'_, '_>, by: &Name, text: String) {
    effect.fate(Fate::Prevented);
    let lead = format!("No worktree was created, because of {}: ", hook_name(effect.scene, by));
    effect.say(Remark::new(Audience::User, Manner::Block, by, text).led_by(lead).limited(Limit::Open));
}

#[cfg(test)]
mod tests {
    use crate::testing::{said, stage, stage_at};
    use hookproof_contract::{Agent, Audience, Fate, Outcome, Revision, Slot};
    use serde_json::{Value, json};

    fn case(handler: &Value, result: Value) -> Value {
        json!({"host": {"cwd": "/w/p"}, "settings": [{"from": "user", "settings": {"hooks": {"WorktreeCreate": [{"hooks": [handler]}]}}}],
               "results": {"a": result}, "steps": [{"fire": {"event": "WorktreeCreate", "input": {"name": "n"}}}]})
    }

    fn command(result: Value) -> Outcome {
        stage(case(&json!({"type": "command", "command": "a"}), result)).remove(0)
    }

    fn http(body: &str) -> Outcome {
        stage(case(&json!({"type": "http", "url": "a"}), json!({"end": {"status": 200}, "out": body}))).remove(0)
    }

    fn fails(outcome: &Outcome) -> bool {
        outcome.fate == Some(Fate::Prevented) && outcome.set.is_empty() && !said(outcome, Audience::User).is_empty()
    }

    #[test]
    fn the_path_is_the_last_line_of_a_command() {
        let outcome = command(json!({"out": "banner\n\u{1b}[32m/w/t\u{1b}[0m\n"}));
        assert_eq!((outcome.fate, &outcome.set[&Slot::WorktreePath]), (None, &json!("/w/t")));
        assert_eq!(command(json!({"out": "../t/./x"})).set[&Slot::WorktreePath], "/w/t/x");
    }

    #[test]
    fn every_failure_and_every_missing_path_prevents_it() {
        for end in
            [json!({"exit": 1}), json!({"exit": 2}), json!({"signal": 9}), json!("timed_out"), json!("not_started")]
        {
            assert!(fails(&command(json!({"end": end, "out": "/w/t"}))), "{end}");
        }
        assert!(fails(&command(json!({}))));
        assert!(fails(&http("")) && fails(&http("{}")) && fails(&http("/w/t")));
    }

    #[test]
    fn an_http_hook_returns_json() {
        let body = r#"{"terminalSequence":"\u0007","systemMessage":"MSG-1","continue":false,"hookSpecificOutput":{"hookEventName":"WorktreeCreate","worktreePath":"/w/t"}}"#;
        let outcome = http(body);
        assert_eq!((&outcome.set[&Slot::WorktreePath], outcome.agent), (&json!("/w/t"), None));
        assert_eq!(said(&outcome, Audience::Terminal), ["\u{7}"]);
        assert!(said(&outcome, Audience::User).is_empty());
        assert!(said(&command(json!({"out": body})), Audience::Terminal).is_empty());
    }

    #[test]
    fn an_absolute_path_with_dots_is_refused_since_a_revision() {
        for path in ["/w/../t", "/w/./t", "/w/.."] {
            assert!(fails(&command(json!({"out": path}))), "{path}");
        }
        let before =
            stage_at(case(&json!({"type": "command", "command": "a"}), json!({"out": "/w/../t"})), Revision(2, 1, 215));
        assert!(before[0].fate.is_none());
        assert_eq!(command(json!({"out": "/w/..t"})).set[&Slot::WorktreePath], "/w/..t");
    }

    #[test]
    fn the_directory_must_be_there() {
        let mut case = case(&json!({"type": "command", "command": "a"}), json!({"out": "/w/t"}));
        case["host"]["directories"] = json!(["/w/t/"]);
        assert!(stage(case.clone())[0].fate.is_none());
        case["host"]["directories"] = json!(["/w"]);
        let outcome = stage(case).remove(0);
        assert!(fails(&outcome) && said(&outcome, Audience::User).concat().contains("/w/t"));
        assert_eq!(outcome.agent, Some(Agent::Stops));
    }
}
