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
    // Whether an evaluator that objects undoes the task is not said.
    let is_open = evaluators::object(scene);
    let counts = |voice: &Voice<'_>| voice.end == Ended::Two || scene.counts(voice);
    let blocks: Vec<(&Voice<'_>, Block<'_>)> =
        blocking::all(scene, &BLOCKING).into_iter().filter(|(voice, _)| counts(voice)).collect();
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
        teams::told(scene, &blocks, None, claims);
    }
}
