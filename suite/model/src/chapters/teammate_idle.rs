//! TeammateIdle (chapter *agents*): a hook may keep a teammate at work, or halt it for good.

use super::{
    Scene, blocking,
    evaluators::{self, Effect},
    teams,
};
use crate::claims::Claims;
use hookproof_contract::{Agent, Fate, Manner, rule};

const BLOCKING: blocking::Rules = blocking::Rules {
    exit_2: rule!("EXIT-2-EV-TeammateIdle"),
    stderr: rule!("TEAMIDLE-OUT-01"),
    beside_json: rule!("TEAMIDLE-OUT-01"),
    // A top-level decision is not among what the event is said to listen to.
    json: rule!("DECISION-TEAM-01"),
    reason: rule!("DECISION-TEAM-01"),
};

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        teams::around(scene, voice, claims);
    }
    let blocks = teams::by_exit_2(scene, &BLOCKING);
    if scene.is_stopped() {
        // The one keeps the teammate at work, the other halts it: which counts is open.
        if blocks.is_empty() && !evaluators::object(scene) {
            teams::halted(scene, rule!("TEAMIDLE-OUT-02"), claims);
        }
        return;
    }
    if evaluators::object(scene) {
        return judged(scene, blocks.is_empty(), claims);
    }
    let decides = teams::decides_at_the_top(scene);
    if let Some((_, block)) = blocks.first() {
        claims.fate(Fate::Prevented, block.rule, &[]);
        claims.agent(Agent::GoesOn, block.rule, &[]);
        if !decides {
            teams::told(scene, &blocks, Some(Manner::Feedback), claims);
        }
    } else if decides {
        teams::decided_at_the_top(scene, claims);
    } else if let Some(rule) = scene.own_silence() {
        claims.fate(scene.firing.otherwise, rule, &[]);
    }
}

/// Where evaluators object, and no other hook decides anything, the teammate goes on working if that is what they want. One that is
/// halted is not said to go idle or not.
fn judged(scene: &Scene<'_, '_>, alone: bool, claims: &mut Claims) {
    let mut effects = scene.voices.iter().filter_map(|voice| evaluators::effect(scene, voice));
    let first = effects.next().filter(|(effect, _)| *effect == Effect::GoesOn);
    if let Some((_, rule)) = first.filter(|_| alone && !scene.is_cut_short()) {
        claims.fate(Fate::Prevented, rule, &[]);
    }
}
