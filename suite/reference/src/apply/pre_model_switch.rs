//! The session is about to go over to another model (chapter *model-switch*).

use super::Effect;
use crate::{
    merge::{Origin, Remark, Switch},
    read::Ruling,
    spill::Limit,
};
use hookproof_contract::{Audience, Fact, Fate, Manner, Surface};

pub(super) fn apply(effect: &mut Effect<'_, '_>, switch: Switch) {
    let fate = match switch.ruling {
        Some(Ruling::Ask) if can_ask(effect) => Fate::Asked,
        Some(Ruling::Deny | Ruling::Ask) => Fate::Prevented,
        Some(Ruling::Allow) => Fate::Proceeds,
        Some(Ruling::Defer) | None => effect.scene.firing.otherwise,
    };
    effect.fate(fate);
    speak(effect, switch, fate);
    effect.stop_if_asked();
}

/// Only who types `/model`, or uses its picker, can be asked. Everybody else is refused instead.
fn can_ask(effect: &Effect<'_, '_>) -> bool {
    let host = effect.scene.host();
    host.surface == Surface::Terminal && host.facts.contains(&Fact::ModelCommand)
}

/// The user is told why, or is asked with it; a request of a client gets the reason as its error. What a hook did not say
/// itself is the user's in any case. An allow needs no reason.
fn speak(effect: &mut Effect<'_, '_>, switch: Switch, fate: Fate) {
    let requested = effect.scene.host().facts.contains(&Fact::SetModel);
    for reason in switch.reasons.into_iter().filter(|_| switch.ruling != Some(Ruling::Allow)) {
        let how = if fate == Fate::Asked { Manner::Prompt } else { Manner::Block };
        let told = Remark::new(Audience::User, how, &reason.by, reason.text).limited(Limit::Open);
        if requested {
            effect.say(Remark { to: Audience::Caller, ..told.clone() });
        }
        if !requested || reason.from != Origin::Decision {
            effect.say(told);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{numbered, said, stage, stage_read};
    use hookproof_contract::{Agent, Audience, Fate, Outcome, reading};
    use serde_json::{Value, json};

    fn case(host: Value, otherwise: &str, results: &[Value]) -> Value {
        let (handlers, results) = numbered(results);
        let step = json!({"event": "PreModelSwitch", "input": {"to_model": "claude-opus-5"}, "otherwise": otherwise});
        json!({"host": host, "settings": [{"from": "user", "settings": {"hooks": {"PreModelSwitch": [{"hooks": handlers}]}}}],
               "results": results, "steps": [{"fire": step}]})
    }

    fn command(results: &[Value]) -> Outcome {
        stage(case(json!({"facts": ["model_command"]}), "proceeds", results)).remove(0)
    }

    fn ruling(decision: &str) -> Value {
        let why = format!("{}-WHY", decision.to_uppercase());
        let fields =
            json!({"hookEventName": "PreModelSwitch", "permissionDecision": decision, "permissionDecisionReason": why});
        json!({"out": json!({"hookSpecificOutput": fields}).to_string()})
    }

    fn user(outcome: &Outcome) -> Vec<String> {
        said(outcome, Audience::User)
    }

    #[test]
    fn the_strongest_decision_counts_and_its_reason_is_told() {
        let (allow, ask, deny) = (ruling("allow"), ruling("ask"), ruling("deny"));
        let outcome = command(&[deny.clone(), allow.clone(), ask.clone()]);
        assert_eq!((outcome.fate, user(&outcome)), (Some(Fate::Prevented), vec!["DENY-WHY".to_owned()]));
        let outcome = command(&[allow.clone(), ask, allow.clone()]);
        assert_eq!((outcome.fate, user(&outcome)), (Some(Fate::Asked), vec!["ASK-WHY".to_owned()]));
        let outcome = command(std::slice::from_ref(&allow));
        assert!(outcome.fate.is_none() && user(&outcome).is_empty() && said(&outcome, Audience::Model).is_empty());
        let block = json!({"out": r#"{"decision":"block","reason":"WHY-1"}"#});
        let outcome = command(&[block, allow]);
        assert_eq!((outcome.fate, user(&outcome)), (Some(Fate::Prevented), vec!["WHY-1".to_owned()]));
    }

    #[test]
    fn exit_two_and_a_timeout_block_whatever_is_printed() {
        for out in [
            json!(""),
            json!("{x}"),
            json!("{\"reason\":5}"),
            ruling("allow")["out"].clone(),
            ruling("ask")["out"].clone(),
        ] {
            let outcome = command(&[json!({"end": {"exit": 2}, "err": "ERR-1", "out": out})]);
            assert_eq!((outcome.fate, user(&outcome)), (Some(Fate::Prevented), vec!["ERR-1".to_owned()]), "{out}");
        }
        let both = command(&[json!({"end": {"exit": 2}, "err": "ERR-1", "out": ruling("deny")["out"]})]);
        assert_eq!(user(&both), ["DENY-WHY"]);
        let late = command(&[json!({"end": "timed_out", "out": ruling("allow")["out"]}), ruling("allow")]);
        assert_eq!(late.fate, Some(Fate::Prevented));
    }

    #[test]
    fn what_asks_elsewhere_refuses() {
        for host in [
            json!({}),
            json!({"surface": "print", "facts": ["model_command"]}),
            json!({"surface": "sdk", "facts": ["set_model"]}),
            json!({"surface": "background", "facts": ["model_command"]}),
        ] {
            let outcome = stage(case(host.clone(), "proceeds", &[ruling("ask")])).remove(0);
            assert_eq!(outcome.fate, Some(Fate::Prevented), "{host}");
        }
    }

    #[test]
    fn who_requested_the_switch_gets_the_reason() {
        let outcome =
            stage(case(json!({"surface": "sdk", "facts": ["set_model"]}), "proceeds", &[ruling("deny")])).remove(0);
        assert_eq!((said(&outcome, Audience::Caller), user(&outcome)), (vec!["DENY-WHY".to_owned()], vec![]));
        assert!(said(&command(&[ruling("deny")]), Audience::Caller).is_empty());
    }

    #[test]
    fn only_an_allow_skips_the_confirmation() {
        let warm = |result: Value| stage(case(json!({"facts": ["model_command"]}), "asked", &[result])).remove(0).fate;
        assert_eq!(warm(ruling("allow")), Some(Fate::Proceeds));
        for result in [
            json!({}),
            json!({"out": "TEXT-1"}),
            json!({"end": {"exit": 1}}),
            json!({"out": r#"{"decision":"approve"}"#}),
        ] {
            assert_eq!(warm(result.clone()), None, "{result}");
        }
    }

    #[test]
    fn a_failure_is_noticed_and_a_defer_decides_nothing() {
        let failed = command(&[json!({"end": {"exit": 1}, "err": "ERR-1\nERR-2"})]);
        let heard = user(&failed).concat();
        assert!(failed.fate.is_none() && heard.contains("ERR-1") && !heard.contains("ERR-2"));
        assert!(command(&[ruling("defer")]).fate.is_none());
        let ignored = stage_read(case(json!({}), "proceeds", &[ruling("defer")]), &[reading!("A-38", "ignored")]);
        assert!(ignored[0].fate.is_none() && user(&ignored[0]).is_empty());
    }

    #[test]
    fn messages_are_shown_whatever_is_decided() {
        let fields = json!({"continue": false, "stopReason": "STOP-1", "systemMessage": "MSG-1", "decision": "block"});
        let outcome = command(&[json!({"out": fields.to_string()})]);
        assert_eq!((outcome.fate, outcome.agent), (Some(Fate::Prevented), Some(Agent::Stops)));
        assert!(user(&outcome).concat().contains("MSG-1"));
        assert_eq!(outcome.ran[0].given["timeout"], 30);
    }
}
