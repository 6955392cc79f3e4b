//! SubagentStop (chapter *agents*): whether a subagent may stop. Its decisions are those of Stop; its loop is its own.

use super::{
    Scene,
    blocking::{self, Block},
    stop::{self, Wanted},
};
use crate::{claims::Claims, voice::Voice};
use hookproof_contract::{Agent, Fate, Field, Must, RuleId, rule};
use serde_json::Value;
use std::borrow::Cow;

const BLOCKING: blocking::Rules = blocking::Rules {
    exit_2: rule!("EXIT-2-EV-SubagentStop"),
    stderr: rule!("SUBSTOP-OUT-03"),
    beside_json: rule!("SUBSTOP-OUT-03"),
    json: rule!("SUBSTOP-OUT-02"),
    reason: rule!("SUBSTOP-OUT-02"),
};

pub(super) fn claims(scene: &mut Scene<'_, '_>, claims: &mut Claims) {
    active(scene, claims);
    let (fate, rule) = decide(scene, &stop::all_blocks(scene, &BLOCKING), claims);
    let id = scene.agent_id();
    match fate {
        Some(Fate::Prevented) => {
            claims.fate(Fate::Prevented, rule, &[]);
            claims.agent(Agent::GoesOn, rule, &[]);
            scene.session.subagents.goes_on(id);
            // Whether the session then goes on "because of a stop hook" as well is not said.
            scene.session.stop.is_lost();
        }
        Some(fate) => {
            claims.fate(fate, rule, &[]);
            if !scene.is_stopped() {
                claims.agent(Agent::EndsTurn, rule, &[]);
            }
            scene.session.subagents.stops(id);
            scene.session.running.stops(scene.firing, true);
        }
        None => scene.session.lose(scene.firing),
    }
}

/// Every handler is told whether the subagent goes on because of a stop hook.
fn active(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let Some(active) = scene.session.subagents.active(scene.agent_id()) else {
        return;
    };
    for voice in scene.voices.iter().filter(|v| v.gets_input()) {
        let path = Some(Cow::Borrowed("/stop_hook_active"));
        claims.given(&voice.name, Field::Input, path, Must::Be(Value::from(active)), rule!("STOP-IN-01"));
    }
}

/// What becomes of the stop, and by which rule. Makes the claims about what is said on the way.
fn decide(scene: &Scene<'_, '_>, blocks: &[(&Voice<'_>, Block<'_>)], claims: &mut Claims) -> (Option<Fate>, RuleId) {
    if scene.is_stopped() {
        return stop::when_stopped(scene, blocks);
    }
    let advice = stop::advice(scene);
    match stop::wanted(scene, blocks, &advice, rule!("SUBSTOP-OUT-01")) {
        Wanted::GoingOn(rule) if scene.session.subagent_may_go_on() => {
            stop::said(scene, blocks, &advice, claims);
            (Some(Fate::Prevented), rule)
        }
        // Whether there is a limit is not said.
        Wanted::GoingOn(rule) => (None, rule),
        Wanted::Nothing => (Some(scene.firing.otherwise), scene.silence()),
        Wanted::Unknown => (None, rule!("SUBSTOP-OUT-01")),
    }
}
