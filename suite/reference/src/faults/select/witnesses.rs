//! Faults of the first step on events whose hooks look on, and on the time that they have when a session ends.

use super::{states_time, ten_minutes_on};
use crate::{
    Scene,
    end_time::{USUAL, VARIABLE},
    given,
    matcher::selects,
    select::{Handler, Kind, select},
    session::Session,
    settings,
};
use hookproof_contract::{Event, Source};
use serde_json::Value;
use std::sync::Arc;

pub(in crate::faults) fn one_listener<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    if scene.event() == Event::Notification {
        handlers.truncate(1);
    }
    handlers
}

pub(in crate::faults) fn setup_calls_servers<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    if scene.event() != Event::Setup {
        return handlers;
    }
    for entry in settings::entries(scene, session, |matcher| selects(scene, matcher)) {
        let (kind, url) = (entry.json.get("type"), entry.json.get("url").and_then(Value::as_str));
        if let (Some("http"), Some(url)) = (kind.and_then(Value::as_str), url) {
            handlers.push(Handler::of(entry, Kind::Http, Arc::from(url)));
        }
    }
    given::hand_out(scene, session, handlers)
}

/// The ordinary step, but when a session ends with another time for some of the handlers.
fn timed<'a>(
    scene: &Scene<'a>,
    session: &Session,
    time: impl Fn(&Handler<'a>, &[Handler<'a>]) -> Option<Value>,
) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    if scene.event() == Event::SessionEnd {
        let times: Vec<Option<Value>> = handlers.iter().map(|handler| time(handler, &handlers)).collect();
        for (handler, time) in handlers.iter_mut().zip(times) {
            handler.timeout = time.unwrap_or_else(|| handler.timeout.take());
        }
    }
    handlers
}

pub(in crate::faults) fn ends_after_ten_minutes<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    // Where the variable states a time, it is read.
    let stated = scene.host().env.contains_key(VARIABLE);
    if stated { select(scene, session) } else { ten_minutes_on(Event::SessionEnd, scene, session) }
}

pub(in crate::faults) fn time_for_all<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    timed(scene, session, |handler, all| {
        let longest = all.iter().filter_map(|other| other.timeout.as_f64()).fold(0.0, f64::max);
        (!states_time(handler)).then(|| Value::from(longest))
    })
}

pub(in crate::faults) fn time_divided<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let stated = scene.host().env.contains_key(VARIABLE);
    timed(scene, session, |handler, all| {
        let parts = u32::try_from(all.len()).ok().filter(|_| !stated && !states_time(handler))?;
        Some(Value::from(USUAL / f64::from(parts)))
    })
}

pub(in crate::faults) fn plugin_gives_time<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let stated = |other: &Handler<'a>| other.json.get("timeout").and_then(Value::as_f64);
    timed(scene, session, |handler, all| {
        let plugins = all.iter().filter(|other| matches!(other.source, Source::Plugin(_)));
        let longest = plugins.filter_map(stated).reduce(f64::max)?;
        (!states_time(handler)).then(|| Value::from(longest))
    })
}

pub(in crate::faults) fn milliseconds_are_seconds<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let stated: Option<u32> = scene.host().env.get(VARIABLE).and_then(|value| value.parse().ok());
    timed(scene, session, |handler, _| stated.filter(|_| !states_time(handler)).map(Value::from))
}
