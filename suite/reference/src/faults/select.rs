//! Faults of the first step: which handlers run, and what each is given.

pub(super) mod conditions;
pub(super) mod course;
pub(super) mod handlers;
pub(super) mod inputs;
pub(super) mod matchers;
pub(super) mod settings;
pub(super) mod subagents;
pub(super) mod witnesses;

use crate::{
    Scene, given,
    matcher::{is_match, selects, target},
    select::{Handler, Matches, gather, is_same, select, unique},
    session::{Session, Turn},
    settings::is_settings_file,
};
use hookproof_contract::Event;
use regress::Regex;
use serde_json::Value;
use std::collections::BTreeMap;

/// The ordinary step with another way to compare matchers.
fn with<'a>(scene: &Scene<'a>, session: &Session, matches: Matches) -> Vec<Handler<'a>> {
    given::hand_out(scene, session, unique(scene, gather(scene, session, matches)))
}

fn is_exact(matcher: &str) -> bool {
    matcher.chars().all(|c| c.is_ascii_alphanumeric() || "_-, |".contains(c))
}

/// Whether this is true of one of the names of an exact matcher.
fn any_name(matcher: Option<&Value>, is: impl Fn(&str) -> bool) -> bool {
    let names = matcher.and_then(Value::as_str).filter(|matcher| is_exact(matcher));
    names.is_some_and(|names| names.split(['|', ',']).any(|name| is(name.trim())))
}

pub(super) fn prefix<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| {
        let begins = |name: &str| !name.is_empty() && target(scene).is_some_and(|target| target.starts_with(name));
        selects(scene, matcher) || any_name(matcher, begins)
    })
}

pub(super) fn case_blind<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| {
        let same = |name: &str| target(scene).is_some_and(|target| target.eq_ignore_ascii_case(name));
        selects(scene, matcher) || any_name(matcher, same)
    })
}

pub(super) fn anchored<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| {
        let whole = |matcher: &str| Regex::new(&format!("^(?:{matcher})$")).ok();
        let refused = matcher.and_then(Value::as_str).filter(|m| !is_exact(m) && *m != "*").and_then(whole);
        let misses = |pattern: Regex| target(scene).is_some_and(|target| pattern.find(target).is_none());
        selects(scene, matcher) && !refused.is_some_and(misses)
    })
}

pub(super) fn bars_only<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| {
        let comma = matcher.and_then(Value::as_str).is_some_and(|m| is_exact(m) && m.contains(','));
        selects(scene, matcher) && !(comma && target(scene).is_some())
    })
}

pub(super) fn always_heeded<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| {
        let written = matcher.and_then(Value::as_str).is_some_and(|m| !matches!(m, "" | "*"));
        let written = written && !is_switch(scene);
        selects(scene, matcher) && !(written && target(scene).is_none())
    })
}

pub(super) fn copies_run<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    given::hand_out(scene, session, gather(scene, session, selects))
}

pub(super) fn plugin_copies_dropped<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut kept: Vec<Handler<'a>> = Vec::new();
    for handler in select(scene, session) {
        if !kept.iter().any(|other| is_same(scene, other, &handler)) {
            kept.push(handler);
        }
    }
    kept
}

pub(super) fn last_file_only<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = gather(scene, session, selects);
    let last = handlers.iter().filter(|h| is_settings_file(h.source)).map(|h| h.place.0).max();
    handlers.retain(|h| !is_settings_file(h.source) || Some(h.place.0) == last);
    given::hand_out(scene, session, unique(scene, handlers))
}

pub(super) fn anyone_disables<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let off = |layer: &hookproof_contract::Layer| layer.settings.get("disableAllHooks") == Some(&Value::Bool(true));
    if scene.case.settings.iter().any(off) { Vec::new() } else { select(scene, session) }
}

/// Whether a handler states its own time.
fn states_time(handler: &Handler<'_>) -> bool {
    handler.json.contains_key("timeout")
}

/// The ordinary step, but on this event with the default time of most others.
fn ten_minutes_on<'a>(event: Event, scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    if scene.event() == event {
        for handler in handlers.iter_mut().filter(|handler| !states_time(handler) && !handler.kind.is_evaluator()) {
            handler.timeout = Value::from(600);
        }
    }
    handlers
}

pub(super) fn one_default_timeout<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    ten_minutes_on(Event::UserPromptSubmit, scene, session)
}

pub(super) fn shown_after_ten_minutes<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    ten_minutes_on(Event::MessageDisplay, scene, session)
}

pub(super) fn default_timeout_always<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    for handler in handlers.iter_mut().filter(|handler| states_time(handler)) {
        handler.timeout = given::usual_time(scene.event(), handler.kind);
    }
    handlers
}

pub(super) fn never_active<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    select(scene, &Session { turn: Turn::default(), subagents: BTreeMap::new(), ..session.clone() })
}

pub(super) fn nameless_selected<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| {
        selects(scene, matcher) || (scene.event() == Event::SubagentStop && target(scene) == Some(""))
    })
}

pub(super) fn errors_listed<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| {
        let listed = |name: &str| scene.event() == Event::StopFailure && target(scene) == Some(name);
        selects(scene, matcher) || any_name(matcher, listed)
    })
}

/// Compares a matcher with a field of the input, whatever it should be compared with.
fn by_field(scene: &Scene<'_>, matcher: Option<&Value>, field: &str) -> bool {
    match matcher.and_then(Value::as_str) {
        Some(matcher) => is_match(scene, matcher, scene.input_text(field).unwrap_or_default()),
        None => selects(scene, matcher),
    }
}

pub(super) fn whole_path<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    match scene.event() {
        Event::FileChanged => with(scene, session, |scene, matcher| by_field(scene, matcher, "file_path")),
        _ => select(scene, session),
    }
}

pub(super) fn first_directory<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    match scene.event() {
        Event::CwdChanged => select(scene, session),
        _ => select(scene, &Session { cwd: None, ..session.clone() }),
    }
}

/// Whether the event is one of those on which a matcher may have nothing to be compared with.
fn is_switch(scene: &Scene<'_>) -> bool {
    matches!(scene.event(), Event::PreModelSwitch | Event::PostModelSwitch)
}

pub(super) fn model_as_written<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| {
        // A model without a canonical name is selected all the same.
        if is_switch(scene) && target(scene).is_some() {
            by_field(scene, matcher, "to_model")
        } else {
            selects(scene, matcher)
        }
    })
}

pub(super) fn nameless_model<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, matcher| {
        let nameless = scene.event() == Event::PreModelSwitch && target(scene).is_none();
        if nameless { by_field(scene, matcher, "to_model") } else { selects(scene, matcher) }
    })
}
