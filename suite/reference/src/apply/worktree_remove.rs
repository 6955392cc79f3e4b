//! A worktree that a hook made is to go (chapter *worktrees*).

use super::Effect;
use crate::{
    merge::{Remark, Removal},
    spill::Limit,
};
use hookproof_contract::{Audience, Fate, Manner, Surface};

/// How many characters of stderr are quoted.
const QUOTED: usize = 200;

pub(super) fn apply(effect: &mut Effect<'_, '_>, removal: Option<Removal>) {
    let Some(removal) = removal else { return };
    effect.say_all(removal.log);
    if removal.failures.is_empty() {
        return effect.fate(Fate::Proceeds);
    }
    effect.fate(Fate::Prevented);
    // Only who deletes a session in the background has a place to read why it is still there.
    if effect.scene.host().surface != Surface::Background {
        return;
    }
    for failed in removal.failures {
        let beginning: String = failed.err.trim_start().chars().take(QUOTED).collect();
        let mut message = Remark::new(Audience::User, Manner::Block, &failed.by, beginning).limited(Limit::Open);
        message.before = format!("The session is kept: {} {}: ", failed.by, failed.how);
        message.after = "\nDeleting it once more does not remove the directory either.".to_owned();
        effect.say(message);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{is_untouched, numbered, said, stage};
    use hookproof_contract::{Audience, Fate, Outcome};
    use serde_json::{Value, json};

    fn case(surface: &str, results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        let input = json!({"worktree_path": "/work/trees/a"});
        json!({"host": {"surface": surface},
               "settings": [{"from": "user", "settings": {"hooks": {"WorktreeRemove": [{"matcher": "nothing", "hooks": handlers}]}}}],
               "results": results, "steps": [{"fire": {"event": "WorktreeRemove", "input": input}}]})
    }

    fn play(results: &[Value]) -> Outcome {
        stage(case("terminal", results)).remove(0)
    }

    fn ends() -> [Value; 5] {
        [json!({"exit": 1}), json!({"exit": 2}), json!({"signal": 9}), json!("timed_out"), json!("not_started")]
    }

    fn gone(path: &str, end: &Value) -> Value {
        json!({"end": end, "err": "ERR-1", "did": [{"removed_directory": path}]})
    }

    #[test]
    fn every_failure_counts_while_the_directory_is_there() {
        for end in ends() {
            let outcome = play(&[json!({"end": end, "err": "ERR-1"})]);
            assert_eq!((outcome.fate, outcome.agent), (Some(Fate::Prevented), None), "{end}");
            assert!(said(&outcome, Audience::User).is_empty() && said(&outcome, Audience::Model).is_empty(), "{end}");
        }
        let outcome = play(&[json!({"end": {"exit": 3}, "err": "ERR-1\nERR-2"})]);
        let log = said(&outcome, Audience::Debug);
        assert!(log.iter().any(|line| line == "WorktreeRemove:h0 hook failed: exited 3: ERR-1\nERR-2"), "{log:?}");
    }

    #[test]
    fn a_directory_that_is_gone_makes_up_for_any_failure() {
        for end in ends() {
            for path in ["/work/trees/a", "/work/trees/a/", "/work/trees"] {
                assert!(is_untouched(&play(&[gone(path, &end)])), "{path} {end}");
            }
            for path in ["/work/trees/ab", "/work/trees/a/b", "/work/tree"] {
                assert_eq!(play(&[gone(path, &end)]).fate, Some(Fate::Prevented), "{path} {end}");
            }
        }
    }

    #[test]
    fn without_a_hook_git_removes_it_or_does_not() {
        for otherwise in ["proceeds", "prevented"] {
            let mut case = case("terminal", &[]);
            case["steps"][0]["fire"]["otherwise"] = json!(otherwise);
            assert!(is_untouched(&stage(case)[0]), "{otherwise}");
        }
    }

    #[test]
    fn success_is_believed_whatever_is_printed() {
        let fields = json!({"continue": false, "stopReason": "STOP-1", "systemMessage": "MSG-1", "decision": "block",
                            "reason": "WHY-1"});
        for out in ["", "TEXT-1", "{x}", "{\"reason\":5}", &fields.to_string()] {
            assert!(is_untouched(&play(&[json!({"out": out, "err": "ERR-1"})])), "{out}");
        }
    }

    #[test]
    fn no_json_makes_up_for_the_code() {
        let output = json!({"continue": true, "systemMessage": "MSG-1", "terminalSequence": "\u{7}"}).to_string();
        for code in [1, 2] {
            for out in [output.as_str(), "{\"reason\":5}", "{x}"] {
                let outcome = play(&[json!({"end": {"exit": code}, "out": out})]);
                assert_eq!(outcome.fate, Some(Fate::Prevented), "{code} {out}");
                assert!(said(&outcome, Audience::User).is_empty());
            }
        }
        assert_eq!(said(&play(&[json!({"out": output})]), Audience::Terminal), ["\u{7}"]);
    }

    #[test]
    fn one_failure_of_several_hooks_is_enough() {
        let failed = json!({"end": {"exit": 1}, "err": "ERR-1"});
        for results in [[failed.clone(), json!({})], [json!({}), failed.clone()]] {
            assert_eq!(play(&results).fate, Some(Fate::Prevented));
        }
        assert!(is_untouched(&play(&[gone("/work/trees/a", &json!({"exit": 0})), failed])), "another one removed it");
    }

    #[test]
    fn who_deletes_a_session_in_the_background_is_told_how_the_hook_ended() {
        let failed = json!({"end": {"exit": 1}, "err": format!("ERR-1 {}ERR-2", "x".repeat(1_000))});
        let outcome = stage(case("background", &[failed])).remove(0);
        let heard = said(&outcome, Audience::User).concat();
        assert!(heard.contains("h0 exited 1: ERR-1 x") && !heard.contains("ERR-2"), "{heard}");
        let second = stage(case("background", &[json!({"end": {"exit": 2}, "err": "ERR-1"})])).remove(0);
        assert!(said(&second, Audience::User).concat().contains("exited 2: ERR-1"));
        assert!(is_untouched(&stage(case("background", &[gone("/work/trees/a", &json!({"exit": 1}))]))[0]));
    }

    #[test]
    fn a_server_that_fails_fails_the_removal() {
        let mut case = case("terminal", &[]);
        case["settings"][0]["settings"]["hooks"]["WorktreeRemove"] =
            json!([{"hooks": [{"type": "http", "url": "http://u"}]}]);
        for (end, fails) in [(json!({"status": 200}), false), (json!({"status": 500}), true), (json!("refused"), true)]
        {
            case["results"] = json!({"http://u": {"end": end, "out": "{}"}});
            assert_eq!(stage(case.clone())[0].fate, fails.then_some(Fate::Prevented), "{end}");
        }
    }

    #[test]
    fn the_path_is_given() {
        let outcome = play(&[json!({})]);
        let given = &outcome.ran[0].given;
        assert_eq!((&given["timeout"], &given["input"]["worktree_path"]), (&json!(600), &json!("/work/trees/a")));
        assert!(given["input"].get("permission_mode").is_none());
    }
}
