//! Faults of the first step: what hooks are told of an event, and how long they have.

use crate::{
    Scene,
    select::{Handler, select},
    session::Session,
};
use hookproof_contract::{Event, Firing, Step};
use serde_json::{Map, Value};

/// The fields that the inputs of all events have, or of many.
const COMMON: [&str; 6] = ["session_id", "transcript_path", "cwd", "hook_event_name", "permission_mode", "prompt_id"];

/// The ordinary step, but with another input for all handlers.
fn telling<'a>(scene: &Scene<'a>, session: &Session, change: impl Fn(&mut Map<String, Value>)) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    handlers.iter_mut().for_each(|handler| change(&mut handler.input));
    handlers
}

pub(in crate::faults) fn common_fields_only<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    telling(scene, session, |input| input.retain(|field, _| COMMON.contains(&field.as_str())))
}

pub(in crate::faults) fn own_fields_only<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    telling(scene, session, |input| input.retain(|field, _| !COMMON.contains(&field.as_str())))
}

pub(in crate::faults) fn everything_always_told<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    telling(scene, session, |input| {
        let fields = [
            ("permission_mode", "default"),
            ("prompt_id", "0f6f1f2e-0000-4000-9000-000000000000"),
            ("agent_id", "main"),
            ("agent_type", "main"),
            ("model", "unknown"),
        ];
        for (field, text) in fields {
            input.entry(field).or_insert_with(|| Value::from(text));
        }
    })
}

pub(in crate::faults) fn type_of_the_session<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let starts = |step: &'a Step| match step {
        Step::Fire(firing) if firing.event == Event::SessionStart => firing.input.get("agent_type"),
        _ => None,
    };
    let own = scene.case.steps.iter().find_map(starts);
    telling(scene, session, |input| {
        if let (Some(own), Some(told)) = (own, input.get_mut("agent_type")) {
            told.clone_from(own);
        }
    })
}

pub(in crate::faults) fn one_minute<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    for handler in handlers.iter_mut().filter(|handler| !super::states_time(handler)) {
        // What is said at the end has a budget of its own.
        if scene.event() != Event::SessionEnd {
            handler.timeout = Value::from(60);
        }
    }
    handlers
}

/// The step in which the event of this one fired first, if it was another.
fn before<'a>(scene: &Scene<'a>) -> Option<&'a Firing> {
    let mut firings =
        scene.case.steps.iter().filter_map(|step| if let Step::Fire(firing) = step { Some(firing) } else { None });
    let first = firings.find(|firing| firing.event == scene.event())?;
    (!std::ptr::eq(first, scene.firing)).then_some(first)
}

pub(in crate::faults) fn first_input_for_ever<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let first = before(scene);
    telling(scene, session, |input| input.extend(first.into_iter().flat_map(|first| first.input.clone())))
}

pub(in crate::faults) fn path_as_written<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let written = scene.firing.input.get("tool_input").filter(|_| scene.event() == Event::PostToolUse);
    telling(scene, session, |input| {
        if let (Some(told), Some(written)) = (input.get_mut("tool_input"), written) {
            told.clone_from(written);
        }
    })
}
