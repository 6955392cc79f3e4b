//! Faults of the first step: what matchers are compared with, and how, on all events alike.

use super::{course::earlier, is_exact, with};
use crate::{
    Scene,
    condition::is_tool_event,
    given, kinds,
    matcher::{is_match, selects, target},
    select::{Handler, select},
    session::Session,
    settings::{self, Place, is_settings_file},
};
use hookproof_contract::{Event, Firing, Source};
use regress::Regex;
use serde_json::Value;
use std::sync::Arc;

/// What is written as a matcher, unless it stands for everything.
fn written(matcher: Option<&Value>) -> Option<&str> {
    matcher.and_then(Value::as_str).filter(|matcher| !matches!(*matcher, "" | "*"))
}

pub(in crate::faults) fn tools_only<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| !is_tool_event(scene.event()) || selects(scene, matcher))
}

pub(in crate::faults) fn by_event<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| match (written(matcher), target(scene)) {
        (Some(matcher), Some(_)) => is_match(scene, matcher, scene.event().name()),
        _ => selects(scene, matcher),
    })
}

pub(in crate::faults) fn patterns_only<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| match (written(matcher), target(scene)) {
        (Some(pattern), Some(target)) => Regex::new(pattern).is_ok_and(|pattern| pattern.find(target).is_some()),
        _ => selects(scene, matcher),
    })
}

pub(in crate::faults) fn star_is_a_pattern<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| {
        let star = matcher.and_then(Value::as_str) == Some("*") && target(scene).is_some();
        selects(scene, matcher) && !star
    })
}

pub(in crate::faults) fn no_tools<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| is_tool_event(scene.event()) || selects(scene, matcher))
}

pub(in crate::faults) fn first_of_each_group<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    handlers.dedup_by_key(|handler| (handler.place.0, handler.place.1));
    handlers
}

/// The ordinary step, but where some handler is from such a source, no other runs.
fn preferring<'a>(scene: &Scene<'a>, session: &Session, is_preferred: fn(&Source) -> bool) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    if handlers.iter().any(|handler| is_preferred(handler.source)) {
        handlers.retain(|handler| is_preferred(handler.source));
    }
    handlers
}

pub(in crate::faults) fn managed_first<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    preferring(scene, session, |source| *source == Source::Managed)
}

pub(in crate::faults) fn files_first<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    preferring(scene, session, is_settings_file)
}

pub(in crate::faults) fn first_error_for_ever<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| {
        let before = earlier(scene).find(|firing| firing.event == scene.event());
        let first = before.and_then(|firing| firing.input.get("error")?.as_str());
        match (written(matcher), first.filter(|_| scene.event() == Event::StopFailure)) {
            (Some(matcher), Some(first)) => is_match(scene, matcher, first),
            _ => selects(scene, matcher),
        }
    })
}

pub(in crate::faults) fn new_errors_unknown<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| match (written(matcher), target(scene)) {
        (Some(matcher), Some("cloud_credential_error")) => is_match(scene, matcher, "unknown"),
        _ => selects(scene, matcher),
    })
}

pub(in crate::faults) fn tools_by_their_own_names<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| {
        let of_server = target(scene).filter(|target| target.starts_with("mcp__"));
        match (written(matcher), of_server.and_then(|target| target.rsplit("__").next())) {
            (Some(matcher), Some(own)) if is_exact(matcher) => is_match(scene, matcher, own),
            _ => selects(scene, matcher),
        }
    })
}

pub(in crate::faults) fn first_kind_for_ever<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| {
        let first = earlier(scene).find(|firing| firing.event == scene.event()).unwrap_or(scene.firing);
        let kind = |firing: &Firing| firing.input.get("notification_type").cloned();
        let is_another = scene.event() == Event::Notification && kind(first) != kind(scene.firing);
        selects(scene, matcher) && !(is_another && matcher.is_none())
    })
}

/// What is written as the matcher of a handler's group.
fn matcher_of<'a>(scene: &Scene<'a>, (layer, group, _): Place) -> Option<&'a str> {
    let groups = scene.case.settings.get(layer)?.settings.get("hooks")?.get(scene.event().name())?;
    groups.get(group)?.get("matcher")?.as_str()
}

pub(in crate::faults) fn star_is_the_rest<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    let named = |handler: &Handler<'a>| matcher_of(scene, handler.place).is_some_and(|m| !matches!(m, "" | "*"));
    if scene.event() == Event::PostToolUse && handlers.iter().any(named) {
        handlers.retain(|handler| matcher_of(scene, handler.place) != Some("*"));
    }
    handlers
}

pub(in crate::faults) fn farewell_is_a_call<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    if scene.event() != Event::PreToolUse || target(scene) != Some("EndConversation") {
        return select(scene, session);
    }
    let selected = settings::entries(scene, session, |matcher| selects(scene, matcher)).into_iter();
    let started = selected.filter_map(|entry| {
        let (kind, text) = kinds::of(entry.json)?;
        Some(Handler::of(entry, kind, Arc::from(text)))
    });
    given::hand_out(scene, session, started.collect())
}
