//! A teammate is about to go idle (chapter *agents*).

use super::Effect;
use crate::merge::Objections;
use hookproof_contract::{Agent, Fate};

pub(super) fn apply(effect: &mut Effect<'_, '_>, objections: Objections) {
    // As where an agent is about to stop, it is open which is stronger, `continue: false` or exit 2.
    let stops = effect.stop && !(objections.exits_two && effect.scene.stance.exit_two_goes_on);
    if stops {
        effect.agent(Agent::Stops);
    } else if objections.any {
        effect.fate(Fate::Prevented);
        effect.say_all(objections.feedback);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{is_untouched, said, stage, stage_read};
    use hookproof_contract::{Agent, Audience, Fate, Outcome, reading};
    use serde_json::{Value, json};

    fn case(result: Value) -> Value {
        json!({"settings": [{"from": "user", "settings": {"hooks": {"TeammateIdle": [{"matcher": "nobody", "hooks": [{"type": "command", "command": "a"}]}]}}}],
               "results": {"a": result},
               "steps": [{"fire": {"event": "TeammateIdle", "input": {"teammate_name": "researcher", "team_name": "t"}}}]})
    }

    fn play(result: Value) -> Outcome {
        stage(case(result)).remove(0)
    }

    #[test]
    fn exit_two_keeps_the_teammate_working_and_tells_it_why() {
        for out in ["", "TEXT-1", "{}", "{x}", r#"{"reason":5}"#, r#"{"decision":"block","reason":"WHY-1"}"#] {
            let outcome = play(json!({"end": {"exit": 2}, "err": "ERR-1", "out": out}));
            assert_eq!((outcome.fate, outcome.agent), (Some(Fate::Prevented), None), "{out}");
            assert_eq!(said(&outcome, Audience::Model), ["ERR-1"], "{out}");
            assert!(said(&outcome, Audience::User).is_empty(), "{out}");
        }
    }

    #[test]
    fn continue_false_stops_it_and_the_user_is_told_why() {
        let outcome = play(json!({"out": r#"{"continue":false,"stopReason":"STOP-1"}"#}));
        assert_eq!((outcome.fate, outcome.agent), (None, Some(Agent::Stops)));
        assert_eq!(said(&outcome, Audience::User), ["STOP-1"]);
    }

    #[test]
    fn which_of_the_two_is_stronger_is_open() {
        let both = json!({"end": {"exit": 2}, "err": "ERR-1", "out": r#"{"continue":false}"#});
        assert_eq!(play(both.clone()).agent, Some(Agent::Stops));
        let on = stage_read(case(both), &[reading!("A-53", "goes on")]).remove(0);
        assert_eq!((on.fate, on.agent), (Some(Fate::Prevented), None));
        assert_eq!(said(&on, Audience::Model), ["ERR-1"]);
    }

    #[test]
    fn whether_a_decision_keeps_it_working_is_open() {
        let blocks = [reading!("A-07", "blocks")];
        let block = json!({"out": r#"{"decision":"block","reason":"WHY-1"}"#});
        assert!(is_untouched(&play(block.clone())));
        let kept = stage_read(case(block.clone()), &blocks).remove(0);
        assert_eq!((kept.fate, kept.agent), (Some(Fate::Prevented), None));
        assert_eq!(said(&kept, Audience::Model), ["WHY-1"]);
        let both = json!({"end": {"exit": 2}, "err": "ERR-1", "out": block["out"]});
        assert_eq!(said(&stage_read(case(both), &blocks)[0], Audience::Model), ["WHY-1"]);
        let bare = stage_read(case(json!({"out": r#"{"decision":"block"}"#})), &blocks).remove(0);
        assert!(bare.fate == Some(Fate::Prevented) && said(&bare, Audience::Model).is_empty());
    }

    #[test]
    fn a_decision_does_not_outweigh_a_stop() {
        let out = r#"{"continue":false,"decision":"block","reason":"WHY-1"}"#;
        let readings = [reading!("A-07", "blocks"), reading!("A-53", "goes on")];
        let stopped = stage_read(case(json!({"out": out})), &readings).remove(0);
        assert_eq!((stopped.fate, stopped.agent), (None, Some(Agent::Stops)));
    }

    #[test]
    fn nothing_else_keeps_it_working() {
        for result in [
            json!({}),
            json!({"out": "TEXT-1"}),
            json!({"end": {"exit": 1}, "err": "ERR-1"}),
            json!({"end": "timed_out"}),
        ] {
            let outcome = play(result);
            assert!(outcome.fate.is_none() && outcome.agent.is_none() && said(&outcome, Audience::Model).is_empty());
        }
    }

    #[test]
    fn the_input_is_the_events_own_and_the_mode() {
        let input = play(json!({})).ran[0].given["input"].clone();
        assert_eq!((&input["teammate_name"], &input["permission_mode"]), (&json!("researcher"), &json!("default")));
    }
}
