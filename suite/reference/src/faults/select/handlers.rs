//! Faults of the first step: which types of handlers run where, and what they are given besides the event's JSON.

use super::states_time;
use crate::{
    Scene, given, kinds,
    matcher::selects,
    requests,
    select::{Handler, Kind, gather, select, unique},
    session::Session,
    settings,
};
use hookproof_contract::{Event, Field, Firing, Step};
use serde_json::Value;
use std::sync::Arc;

/// The ordinary step, but with handlers of more types than the event has.
fn with_more<'a>(scene: &Scene<'a>, session: &Session, more: impl Fn(Kind) -> bool) -> Vec<Handler<'a>> {
    let mut handlers = gather(scene, session, selects);
    for entry in settings::entries(scene, session, |matcher| selects(scene, matcher)) {
        let Some((kind, text)) = kinds::of(entry.json) else { continue };
        if more(kind) && !kinds::runs(scene, kind) && !entry.json.contains_key("if") {
            handlers.push(Handler::of(entry, kind, Arc::from(text)));
        }
    }
    given::hand_out(scene, session, unique(scene, handlers))
}

pub(in crate::faults) fn evaluators_everywhere<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with_more(scene, session, Kind::is_evaluator)
}

pub(in crate::faults) fn tools_at_launch<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with_more(scene, session, |kind| kind == Kind::Tool && scene.event() == Event::SessionStart)
}

pub(in crate::faults) fn every_type_at_the_beginning<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with_more(scene, session, |kind| match scene.event() {
        Event::SessionStart => kind == Kind::Http,
        Event::Setup => kind == Kind::Tool,
        _ => false,
    })
}

pub(in crate::faults) fn no_tools_at_the_beginning<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    handlers.retain(|handler| scene.event() != Event::SessionStart || handler.kind != Kind::Tool);
    handlers
}

pub(in crate::faults) fn prompts_as_written<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    giving(Kind::Prompt, scene, session, |handler, _| (Field::Prompt, Value::from(&*handler.name)))
}

pub(in crate::faults) fn asked_once_a_turn<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    let stops = matches!(scene.event(), Event::Stop | Event::SubagentStop);
    handlers.retain(|handler| !(stops && session.stopping(scene).kept_going && handler.kind.is_evaluator()));
    handlers
}

pub(in crate::faults) fn evaluated_after_ten_minutes<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    for handler in handlers.iter_mut().filter(|handler| handler.kind.is_evaluator() && !states_time(handler)) {
        handler.timeout = Value::from(600);
    }
    handlers
}

/// The ordinary step, but with something else besides for the handlers of a type.
fn giving<'a>(
    kind: Kind,
    scene: &Scene<'a>,
    session: &Session,
    besides: impl Fn(&Handler<'a>, &[Handler<'a>]) -> (Field, Value),
) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    let of_kind = |handler: &Handler<'a>| handler.kind == kind;
    let given: Vec<_> = handlers.iter().filter(|h| of_kind(h)).map(|handler| besides(handler, &handlers)).collect();
    for (handler, given) in handlers.iter_mut().filter(|h| of_kind(h)).zip(given) {
        handler.besides = Some(given);
    }
    handlers
}

pub(in crate::faults) fn any_variable<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let listed = |name: &str| settings::may_expand(&scene.case.settings, name);
    giving(Kind::Http, scene, session, |handler, _| (Field::Headers, requests::headers(scene, handler.json, listed)))
}

pub(in crate::faults) fn own_list_is_enough<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    giving(Kind::Http, scene, session, |handler, _| {
        (Field::Headers, requests::headers(scene, handler.json, |name| requests::lists(handler.json, name)))
    })
}

pub(in crate::faults) fn one_list_for_all<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    giving(Kind::Http, scene, session, |handler, all| {
        let somewhere = |name: &str| all.iter().any(|other| requests::lists(other.json, name));
        let listed = |name: &str| somewhere(name) && settings::may_expand(&scene.case.settings, name);
        (Field::Headers, requests::headers(scene, handler.json, listed))
    })
}

/// What the first handler of a type is given, for all of them.
fn as_the_first<'a>(kind: Kind, scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    giving(kind, scene, session, |handler, all| {
        let first = all.iter().find(|other| other.kind == kind).unwrap_or(handler);
        first.besides.clone().unwrap_or((Field::Headers, Value::Null))
    })
}

pub(in crate::faults) fn same_headers<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    as_the_first(Kind::Http, scene, session)
}

pub(in crate::faults) fn same_arguments<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    as_the_first(Kind::Tool, scene, session)
}

pub(in crate::faults) fn references_stay<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    giving(Kind::Tool, scene, session, |handler, _| {
        (Field::Arguments, handler.json.get("input").cloned().unwrap_or_default())
    })
}

/// The step in which the event of this one fired first.
pub(super) fn first_firing<'a>(scene: &Scene<'a>) -> Option<&'a Firing> {
    let firings =
        scene.case.steps.iter().filter_map(|step| if let Step::Fire(firing) = step { Some(firing) } else { None });
    firings.into_iter().find(|firing| firing.event == scene.event())
}

pub(in crate::faults) fn first_arguments<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let first = first_firing(scene).filter(|first| !std::ptr::eq(*first, scene.firing));
    let Some(first) = first else { return select(scene, session) };
    giving(Kind::Tool, scene, session, |handler, _| {
        let mut input = handler.input.clone();
        input.extend(first.input.clone());
        (Field::Arguments, requests::arguments(handler.json, &input))
    })
}

pub(in crate::faults) fn shell_beside_arguments<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    for handler in handlers.iter_mut().filter(|handler| handler.json.contains_key("args")) {
        handler.besides = handler.json.get("shell").map(|shell| (Field::Shell, shell.clone()));
    }
    handlers
}

pub(in crate::faults) fn odd_type_spoils_its_group<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    if scene.event() == Event::PreModelSwitch {
        let entries = settings::entries(scene, session, |matcher| selects(scene, matcher)).into_iter();
        let odd = entries.filter(|entry| kinds::of(entry.json).is_some_and(|(kind, _)| !kinds::runs(scene, kind)));
        let spoilt: Vec<_> = odd.map(|entry| (entry.place.0, entry.place.1)).collect();
        handlers.retain(|handler| !spoilt.contains(&(handler.place.0, handler.place.1)));
    }
    handlers
}

pub(in crate::faults) fn one_shell<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    for (field, shell) in handlers.iter_mut().filter_map(|handler| handler.besides.as_mut()) {
        if *field == Field::Shell {
            *shell = Value::from("sh");
        }
    }
    handlers
}

pub(in crate::faults) fn judge_spared<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    let others = handlers.iter().any(|handler| !handler.kind.is_evaluator());
    handlers.retain(|h| !(others && scene.event() == Event::PermissionRequest && h.kind.is_evaluator()));
    handlers
}
