//! Faults of the first step: when the hooks of a subagent's own definition are in force.

use super::settings::elsewhere;
use crate::{
    Scene,
    select::{Handler, select},
    session::Session,
};
use hookproof_contract::{Event, Layer, Source, Surface};
use serde_json::Value;

/// The ordinary step, but agents of which this is true have their hooks in force as a skill has.
fn always_in_force<'a>(scene: &Scene<'a>, session: &Session, is: impl Fn(&str) -> bool) -> Vec<Handler<'a>> {
    // A skill's hooks are trusted in other circumstances.
    if !scene.host().trusted {
        return select(scene, session);
    }
    elsewhere(scene, session, |case| {
        for layer in &mut case.settings {
            if let Source::Agent(kind) = &layer.from
                && is(kind)
            {
                layer.from = Source::Skill(kind.clone());
            }
        }
    })
}

pub(in crate::faults) fn before_the_start<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    // When the main agent stops, no such hook runs, whoever is at work.
    if scene.event() == Event::Stop {
        return select(scene, session);
    }
    always_in_force(scene, session, |kind| session.agents.awaits(kind))
}

pub(in crate::faults) fn stop_of_the_session<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let forget_stop = |layer: &mut Layer| {
        if let (Source::Agent(_), Some(Value::Object(hooks))) = (&layer.from, layer.settings.get_mut("hooks")) {
            hooks.remove(Event::Stop.name());
        }
    };
    match scene.event() {
        Event::Stop => always_in_force(scene, session, |kind| session.agents.is_at_work(scene, kind)),
        Event::SubagentStop => elsewhere(scene, session, |case| case.settings.iter_mut().for_each(forget_stop)),
        _ => select(scene, session),
    }
}

pub(in crate::faults) fn blind_to_subagents<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    let is_a_call = matches!(scene.event(), Event::PreToolUse | Event::PostToolUse | Event::PostToolUseFailure);
    if is_a_call && scene.firing.input.contains_key("agent_id") {
        handlers.retain(|handler| matches!(handler.source, Source::Agent(_)));
    }
    handlers
}

pub(in crate::faults) fn trusted_by_print<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    elsewhere(scene, session, |case| case.host.trusted |= case.host.surface != Surface::Terminal)
}
