//! Faults of the first step: what matchers are compared with, and how, on all events alike.

use super::with;
use crate::{
    Scene,
    condition::is_tool_event,
    matcher::{selects, target},
    select::{Handler, select},
    session::Session,
    settings::is_settings_file,
};
use hookproof_contract::Source;
use regress::Regex;
use serde_json::Value;

/// What is written as a matcher, unless it stands for everything.
fn written(matcher: Option<&Value>) -> Option<&str> {
    matcher.and_then(Value::as_str).filter(|matcher| !matches!(*matcher, "" | "*"))
}

pub(in crate::faults) fn tools_only<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| !is_tool_event(scene.event()) || selects(scene, matcher))
}

pub(in crate::faults) fn names_only<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| match (written(matcher), target(scene)) {
        (Some(names), Some(target)) => names.split(['|', ',']).any(|name| name.trim() == target),
        _ => selects(scene, matcher),
    })
}

pub(in crate::faults) fn patterns_only<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| match (written(matcher), target(scene)) {
        (Some(pattern), Some(target)) => Regex::new(pattern).is_ok_and(|pattern| pattern.find(target).is_some()),
        _ => selects(scene, matcher),
    })
}

pub(in crate::faults) fn matcher_needed<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| {
        selects(scene, matcher) && (written(matcher).is_some() || target(scene).is_none())
    })
}

pub(in crate::faults) fn first_handler_only<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    handlers.truncate(1);
    handlers
}

/// The ordinary step, but without the hooks from some sources.
fn without<'a>(scene: &Scene<'a>, session: &Session, is_lost: impl Fn(&Source) -> bool) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    handlers.retain(|handler| !is_lost(handler.source));
    handlers
}

pub(in crate::faults) fn users_only<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    without(scene, session, |source| is_settings_file(source) && !matches!(source, Source::User | Source::Flag))
}

pub(in crate::faults) fn files_only<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    without(scene, session, |source| !is_settings_file(source))
}
