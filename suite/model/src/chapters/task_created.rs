//! TaskCreated (chapter *agents*): a hook may undo the creation of a task.

use super::{
    Scene,
    blocking::{self, Block},
    evaluators, teams,
};
use crate::{
    claims::Claims,
    voice::{Ended, Voice},
};
use hookproof_contract::{Agent, Fate, Must, Slot, rule};
use serde_json::Value;

const BLOCKING: blocking::Rules = blocking::Rules {
    exit_2: rule!("EXIT-2-EV-TaskCreated"),
    stderr: rule!("TASKCREATE-OUT-02"),
    beside_json: rule!("TASKCREATE-OUT-02"),
    json: rule!("DECISION-TASKC-01"),
    reason: rule!("TASKCREATE-OUT-03"),
};

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        teams::around(scene, voice, claims);
    }
    if scene.is_stopped() {
        claims.agent(Agent::GoesOn, rule!("TASKCREATE-OUT-04"), &[]);
    }
    let odd = |voice: &Voice<'_>| matches!(voice.end, Ended::Other(_)) && voice.blocks();
    // Whether a decision counts beside another exit code is said of the standard events only; whether an evaluator that objects
    // undoes the task is not said.
    let is_open = scene.voices.iter().any(odd) || evaluators::object(scene);
    let blocks: Vec<(&Voice<'_>, Block<'_>)> =
        blocking::all(scene, &BLOCKING).into_iter().filter(|(voice, _)| !odd(voice)).collect();
    let Some((_, block)) = blocks.first() else {
        if let Some(rule) = scene.own_silence().filter(|_| !is_open) {
            let rule = if scene.is_stopped() { rule!("TASKCREATE-OUT-04") } else { rule };
            claims.fate(scene.firing.otherwise, rule, &[]);
            if scene.firing.otherwise == Fate::Proceeds {
                claims.set(Slot::TaskGone, Must::Absent, rule, &[]);
            }
        }
        return;
    };
    claims.fate(Fate::Prevented, block.rule, &[]);
    if scene.firing.otherwise == Fate::Proceeds {
        claims.set(Slot::TaskGone, Must::Be(Value::from(true)), rule!("TASKCREATE-OUT-01"), &[]);
    }
    if !is_open {
        teams::told(&blocks, None, claims);
    }
}
