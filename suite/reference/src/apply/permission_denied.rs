//! A call that auto mode has refused (chapter *permissions*).

use super::Effect;
use crate::merge::Refusal;
use hookproof_contract::Slot;
use serde_json::Value;

/// It stays refused, as it is already, even where the model may make it again.
pub(super) fn apply(effect: &mut Effect<'_, '_>, refusal: Refusal) {
    if let Some(told) = refusal.retry {
        effect.say(told);
        effect.outcome.set.insert(Slot::RetryAllowed, Value::Bool(true));
    }
    effect.stop_if_asked();
}

#[cfg(test)]
mod tests {
    use crate::testing::{numbered, ran, said, stage, stage_read};
    use hookproof_contract::{Agent, Audience, Outcome, Slot, reading};
    use serde_json::{Value, json};

    fn case(reason: &str, results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        let input = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t", "reason": reason});
        json!({"host": {"permission_mode": "auto"},
               "settings": [{"from": "user", "settings": {"hooks": {"PermissionDenied": [{"matcher": "Bash", "hooks": handlers}]}}}],
               "results": results,
               "steps": [{"fire": {"event": "PermissionDenied", "input": input, "otherwise": "prevented"}}]})
    }

    fn retry(value: bool) -> Value {
        json!({"out": json!({"hookSpecificOutput": {"hookEventName": "PermissionDenied", "retry": value}}).to_string()})
    }

    fn play(reason: &str, results: &[Value]) -> Outcome {
        stage(case(reason, results)).remove(0)
    }

    fn allowed(outcome: &Outcome) -> bool {
        outcome.set.get(&Slot::RetryAllowed) == Some(&json!(true))
    }

    #[test]
    fn one_hook_lets_the_model_try_again_and_the_call_stays_refused() {
        for results in [vec![retry(true)], vec![retry(true), json!({})], vec![retry(false), retry(true)]] {
            let outcome = play("[Data Exfiltration] R-1", &results);
            assert!(allowed(&outcome) && outcome.fate.is_none() && outcome.agent.is_none());
            assert_eq!(said(&outcome, Audience::Model).len(), 1);
        }
        for end in [1, 2] {
            let mut failing = retry(true);
            failing["end"] = json!({"exit": end});
            assert!(allowed(&play("R-1", &[failing])), "exit {end}");
        }
    }

    #[test]
    fn without_a_verdict_nobody_can_let_it_try_again() {
        let reason = concat!("Auto mode could not evaluate this action", " and is blocking it for safety: R-1");
        let outcome = play(reason, &[retry(true)]);
        assert!(outcome.set.is_empty() && said(&outcome, Audience::Model).is_empty());
        assert!(allowed(&play("Auto mode R-1", &[retry(true)])));
    }

    #[test]
    fn whether_the_fields_of_all_events_count_is_open() {
        let out = json!({"continue": false, "stopReason": "STOP-1", "systemMessage": "MSG-1", "terminalSequence": "\u{7}",
                         "hookSpecificOutput": {"hookEventName": "PermissionDenied", "retry": true}});
        let case = case("R-1", &[json!({"out": out.to_string()})]);
        let honoured = stage(case.clone()).remove(0);
        assert_eq!(honoured.agent, Some(Agent::Stops));
        assert!(["STOP-1", "MSG-1"].iter().all(|text| said(&honoured, Audience::User).concat().contains(text)));
        let dropped = stage_read(case, &[reading!("A-03", "dropped")]).remove(0);
        assert!(dropped.agent.is_none() && said(&dropped, Audience::User).is_empty());
        for outcome in [honoured, dropped] {
            assert!(allowed(&outcome));
            assert_eq!(said(&outcome, Audience::Terminal), ["\u{7}"]);
        }
    }

    #[test]
    fn exit_codes_and_stderr_are_ignored() {
        for end in [json!({"exit": 2}), json!({"exit": 1}), json!("timed_out"), json!("not_started")] {
            let outcome = play("R-1", &[json!({"end": end, "err": "ERR-1"}), retry(false), json!({"out": "TEXT-1"})]);
            assert!(outcome.fate.is_none() && outcome.set.is_empty(), "{end}");
            assert!(outcome.said.iter().all(|said| said.to == Audience::Debug), "{end}");
        }
        let top = json!({"out": r#"{"retry":true,"decision":"approve"}"#});
        assert!(play("R-1", &[top]).set.is_empty());
    }

    #[test]
    fn the_tool_selects_and_the_mode_is_given() {
        let outcome = play("R-1", &[json!({})]);
        let input = &outcome.ran[0].given["input"];
        assert_eq!((&input["permission_mode"], &input["reason"]), (&json!("auto"), &json!("R-1")));
        let mut other = case("R-1", &[json!({})]);
        other["steps"][0]["fire"]["input"]["tool_name"] = json!("Write");
        assert!(ran(&stage(other)[0]).is_empty());
    }
}
