//! TaskCompleted (chapter *agents*): a hook may keep a task from being marked as completed, and halt the teammate whose turn
//! ends with it.

use super::{Scene, blocking, evaluators, teams};
use crate::claims::Claims;
use hookproof_contract::{Agent, Fate, Manner, rule};

const BLOCKING: blocking::Rules = blocking::Rules {
    exit_2: rule!("EXIT-2-EV-TaskCompleted"),
    stderr: rule!("TASKDONE-OUT-01"),
    beside_json: rule!("TASKDONE-OUT-01"),
    // A top-level decision is not among what the event is said to listen to.
    json: rule!("DECISION-TEAM-01"),
    reason: rule!("DECISION-TEAM-01"),
};

/// What `continue: false` comes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stopping {
    /// No hook asks for it.
    Nobody,
    /// The teammate whose turn ends is halted.
    Halts,
    /// `TaskUpdate` is called, and it is ignored.
    Ignored,
}

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        teams::around(scene, voice, claims);
    }
    let stopping = match () {
        () if !scene.is_stopped() => Stopping::Nobody,
        () if scene.session.turn_ends() => Stopping::Halts,
        () => Stopping::Ignored,
    };
    let blocks = teams::by_exit_2(scene, &BLOCKING);
    match stopping {
        Stopping::Nobody => {}
        // What becomes of a teammate that one hook halts while another keeps its task open is not said.
        Stopping::Halts if blocks.is_empty() && !evaluators::object(scene) => {
            teams::halted(scene, rule!("TASKDONE-OUT-02"), claims)
        }
        Stopping::Halts => {}
        Stopping::Ignored => claims.agent(Agent::GoesOn, rule!("TASKDONE-OUT-03"), &[]),
    }
    // Whether an evaluator that objects keeps the task open is not said.
    let decides = teams::decides_at_the_top(scene) || evaluators::object(scene);
    if let Some((_, block)) = blocks.first() {
        let also = stopping == Stopping::Ignored && block.rule == BLOCKING.exit_2;
        claims.fate(Fate::Prevented, if also { rule!("TASKDONE-OUT-04") } else { block.rule }, &[]);
        // One that is halted reads nothing for certain, and what was ignored before that was said is not known.
        let reads = match stopping {
            Stopping::Nobody => true,
            Stopping::Halts => false,
            Stopping::Ignored => rule!("TASKDONE-OUT-03").holds_at(scene.oracle().revision),
        };
        if reads && !decides {
            teams::told(scene, &blocks, Some(Manner::Feedback), claims);
        }
        return;
    }
    if stopping == Stopping::Nobody && teams::decides_at_the_top(scene) && !evaluators::object(scene) {
        return teams::decided_at_the_top(scene, claims);
    }
    if let Some(rule) = scene.own_silence().filter(|_| !decides) {
        match stopping {
            Stopping::Nobody => claims.fate(scene.firing.otherwise, rule, &[]),
            // Whether the task of one that is halted is completed is not said.
            Stopping::Halts => {}
            Stopping::Ignored => claims.fate(scene.firing.otherwise, rule!("TASKDONE-OUT-03"), &[]),
        }
    }
}
