//! Faults of the first step: which settings count, whom they reach, and what a handler's own fields come to.

use crate::{
    Scene, given, matcher,
    select::{Handler, Kind, is_refused, refused, select},
    session::Session,
    settings::{self, level},
};
use hookproof_contract::{Case, Layer, Source, Surface};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The ordinary step in another world. Layers may be changed and added at the end; the handlers are those of the real world.
pub(super) fn elsewhere<'a>(scene: &Scene<'a>, session: &Session, change: impl FnOnce(&mut Case)) -> Vec<Handler<'a>> {
    let (host, settings) = (scene.host().clone(), scene.case.settings.clone());
    let mut case = Case { host, settings, ..Case::default() };
    change(&mut case);
    let found = select(&Scene { case: &case, ..*scene }, session);
    found.into_iter().filter_map(|handler| brought_home(scene, handler)).collect()
}

/// The handler of the real world that stands in the same place.
fn brought_home<'a>(scene: &Scene<'a>, found: Handler<'_>) -> Option<Handler<'a>> {
    let source = &scene.case.settings.get(found.place.0)?.from;
    let json = settings::at(scene, found.place)?;
    let Handler { name, kind, place, declared, input, timeout, besides, .. } = found;
    Some(Handler { name, kind, source, json, place, declared, input, timeout, besides })
}

/// The layers from this source.
fn from<'c>(case: &'c mut Case, source: &Source) -> impl Iterator<Item = &'c mut Layer> {
    case.settings.iter_mut().filter(move |layer| layer.from == *source)
}

fn is_on(layer: &Layer, key: &str) -> bool {
    layer.settings.get(key) == Some(&Value::Bool(true))
}

pub(in crate::faults) fn forced_plugins_silent<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    elsewhere(scene, session, |case| {
        for layer in from(case, &Source::Managed) {
            if let Some(Value::Object(plugins)) = layer.settings.get_mut("enabledPlugins") {
                plugins.retain(|_, enabled| *enabled == Value::Bool(false));
            }
        }
    })
}

pub(in crate::faults) fn anyone_forces<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    elsewhere(scene, session, |case| {
        let lists = case.settings.iter().filter_map(|layer| layer.settings.get("enabledPlugins")?.as_object());
        let all: Map<String, Value> = lists.flatten().map(|(key, value)| (key.clone(), value.clone())).collect();
        let settings = Map::from_iter([("enabledPlugins".to_owned(), Value::Object(all))]);
        case.settings.push(Layer { from: Source::Managed, settings });
    })
}

pub(in crate::faults) fn every_plugin_by_command<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let spared = |layer: &Layer| layer.settings.get("disableCommandPluginSources") == Some(&Value::Bool(false));
    if scene.case.settings.iter().any(spared) { select(scene, session) } else { forced_plugins_silent(scene, session) }
}

/// Takes the lists of addresses out of some layers.
fn without_lists(case: &mut Case, is_lost: impl Fn(&Layer) -> bool) {
    case.settings
        .iter_mut()
        .filter(|layer| is_lost(layer))
        .for_each(|layer| drop(layer.settings.remove("allowedHttpHookUrls")));
}

pub(in crate::faults) fn managed_call_anywhere<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = elsewhere(scene, session, |case| without_lists(case, |_| true));
    handlers.retain(|handler| {
        let bound = handler.kind == Kind::Http && *handler.source != Source::Managed;
        !bound || settings::may_call(&scene.case.settings, &handler.name)
    });
    handlers
}

pub(in crate::faults) fn one_list_of_addresses<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    elsewhere(scene, session, |case| {
        let with_list = case.settings.iter().filter(|layer| layer.settings.contains_key("allowedHttpHookUrls"));
        let strongest = with_list.filter_map(|layer| level(&layer.from)).max();
        without_lists(case, |layer| level(&layer.from) != strongest);
    })
}

pub(in crate::faults) fn own_hooks_trusted<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let usual: Vec<settings::Place> = select(scene, session).iter().map(|handler| handler.place).collect();
    let mut handlers = elsewhere(scene, session, |case| case.host.trusted = true);
    handlers.retain(|handler| *handler.source == Source::User || usual.contains(&handler.place));
    handlers
}

pub(in crate::faults) fn trust_wanted_everywhere<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    elsewhere(scene, session, |case| {
        if matches!(case.host.surface, Surface::Print | Surface::Sdk) {
            case.host.surface = Surface::Terminal;
        }
    })
}

pub(in crate::faults) fn flag_unheard<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    elsewhere(scene, session, |case| {
        from(case, &Source::Flag).for_each(|layer| drop(layer.settings.remove("disableAllHooks")));
    })
}

pub(in crate::faults) fn managed_always_spared<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    elsewhere(scene, session, |case| {
        let off = case.settings.iter().any(|layer| layer.from == Source::Managed && is_on(layer, "disableAllHooks"));
        if off {
            from(case, &Source::Managed).for_each(|layer| drop(layer.settings.remove("disableAllHooks")));
            let settings = Map::from_iter([("disableAllHooks".to_owned(), json!(true))]);
            case.settings.push(Layer { from: Source::Flag, settings });
        }
    })
}

pub(in crate::faults) fn setting_in_a_command<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let mut handlers = select(scene, session);
    for entry in settings::entries(scene, session, |matcher| matcher::selects(scene, matcher)) {
        let text = entry.json.get("command").and_then(Value::as_str).filter(|_| is_refused(scene, &entry));
        if let Some(text) = text {
            handlers.push(Handler::of(entry, Kind::Command, Arc::from(text)));
        }
    }
    given::hand_out(scene, session, handlers)
}

pub(in crate::faults) fn never_spent<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    select(scene, &Session { spent: Vec::new(), ..session.clone() })
}

pub(in crate::faults) fn refusal_stops_all<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    if refused(scene, session).is_empty() { select(scene, session) } else { Vec::new() }
}

pub(in crate::faults) fn address_stops_all<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let usual = select(scene, session);
    let all = elsewhere(scene, session, |case| without_lists(case, |_| true));
    if all.len() == usual.len() { usual } else { Vec::new() }
}

pub(in crate::faults) fn emptied_lists_count<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let empties = |layer: &Layer| {
        let groups = layer.settings.get("hooks").and_then(|hooks| hooks.get(scene.event().name())?.as_array());
        let is_empty = |group: &Value| group.get("hooks").and_then(Value::as_array).is_some_and(Vec::is_empty);
        layer.from != Source::Managed && groups.is_some_and(|groups| groups.iter().all(is_empty))
    };
    let mut handlers = select(scene, session);
    if scene.case.settings.iter().any(empties) {
        handlers.retain(|handler| *handler.source != Source::Managed);
    }
    handlers
}

pub(in crate::faults) fn skills_end_with_the_turn<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let over = session.skills_over || session.prompts > 0;
    select(scene, &Session { skills_over: over, ..session.clone() })
}

pub(in crate::faults) fn disabled_plugins_run<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    elsewhere(scene, session, |case| {
        for layer in &mut case.settings {
            if let Some(Value::Object(plugins)) = layer.settings.get_mut("enabledPlugins") {
                plugins.retain(|_, enabled| *enabled != Value::Bool(false));
            }
        }
    })
}
