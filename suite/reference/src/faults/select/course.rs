//! Faults of the first step: what has happened before, and whether permission is needed, where neither matters.

use crate::{
    Scene,
    condition::is_tool_event,
    permissions,
    read::is_background,
    select::{Handler, select},
    session::Session,
};
use hookproof_contract::{Event, Firing, Step};
use serde_json::Value;

/// The firings of the case before this one.
pub(super) fn earlier<'a>(scene: &Scene<'a>) -> impl Iterator<Item = &'a Firing> {
    let this = scene.firing;
    let all =
        scene.case.steps.iter().filter_map(|step| if let Step::Fire(firing) = step { Some(firing) } else { None });
    all.take_while(move |firing| !std::ptr::eq(*firing, this))
}

pub(in crate::faults) fn one_run_in_the_background<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    if earlier(scene).any(|firing| firing.event == scene.event()) {
        handlers.retain(|handler| !is_background(handler));
    }
    handlers
}

pub(in crate::faults) fn past_turns_run_again<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    if scene.event() == Event::SessionStart && scene.input_text("source") == Some("resume") {
        let of_a_turn = |event: Event| is_tool_event(event) || event == Event::UserPromptSubmit;
        for firing in earlier(scene).filter(|firing| of_a_turn(firing.event)) {
            handlers.extend(select(&Scene { firing, ..*scene }, session));
        }
    }
    handlers
}

pub(in crate::faults) fn allowed_calls_seen_once<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let (tool, input) = (scene.input_text("tool_name").unwrap_or_default(), scene.firing.input.get("tool_input"));
    let say = permissions::of(scene.host(), &session.rules, tool, input.unwrap_or(&Value::Null));
    let before = earlier(scene).any(|firing| firing.event == scene.event());
    match say {
        permissions::Say::Allow if before && scene.event() == Event::PreToolUse => Vec::new(),
        _ => select(scene, session),
    }
}
