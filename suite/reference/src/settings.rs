//! The settings files: which handlers are configured for an event, and which of them are in force (chapter *settings*).

use crate::{Scene, session::Session};
use hookproof_contract::{Event, Layer, Source, Surface};
use serde_json::{Map, Value};

/// The file, the group and the number of a handler.
pub(crate) type Place = (usize, usize, usize);

/// A handler as it stands in a settings file.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'a> {
    pub(crate) place: Place,
    /// The event for which it stands there.
    pub(crate) declared: Event,
    pub(crate) source: &'a Source,
    pub(crate) json: &'a Map<String, Value>,
}

/// The handlers for this event that are in force and whose group's matcher selects it, in the order in which they are
/// written. All files add up; what is malformed is passed over.
pub(crate) fn entries<'a>(
    scene: &Scene<'a>,
    session: &Session,
    selects: impl Fn(Option<&Value>) -> bool,
) -> Vec<Entry<'a>> {
    let layers = &scene.case.settings;
    let switches = Switches::of(layers);
    let mut all = Vec::new();
    for (number, layer) in layers.iter().enumerate() {
        let in_force = is_trusted(scene, &layer.from) && is_active(scene, session, &layer.from);
        if switches.silence(&layer.from) || !in_force {
            continue;
        }
        for (group_number, (declared, group)) in groups(scene, layer).enumerate() {
            let Some(handlers) = group.get("hooks").and_then(Value::as_array) else { continue };
            if !selects(group.get("matcher")) {
                continue;
            }
            for (handler_number, handler) in handlers.iter().enumerate() {
                let Some(json) = handler.as_object() else { continue };
                let place = (number, group_number, handler_number);
                all.push(Entry { place, declared, source: &layer.from, json });
            }
        }
    }
    all
}

/// The groups that a layer has for this event, each with the event for which it stands there. What an agent declares for `Stop`
/// is for the end of that agent.
fn groups<'a>(scene: &Scene<'a>, layer: &'a Layer) -> impl Iterator<Item = (Event, &'a Value)> {
    let is_own_end = scene.event() == Event::SubagentStop && matches!(layer.from, Source::Agent(_));
    let events = [Some(scene.event()), is_own_end.then_some(Event::Stop)];
    let of = |event: Event| {
        let groups = layer.settings.get("hooks")?.get(event.name())?.as_array()?;
        Some(groups.iter().map(move |group| (event, group)))
    };
    events.into_iter().flatten().filter_map(of).flatten()
}

/// The handler for this event in a place.
pub(crate) fn at<'a>(scene: &Scene<'a>, (layer, group, handler): Place) -> Option<&'a Map<String, Value>> {
    let mut groups = groups(scene, scene.case.settings.get(layer)?);
    groups.nth(group)?.1.get("hooks")?.as_array()?.get(handler)?.as_object()
}

/// Whether an HTTP address may be called. There is no restriction until some level of the settings makes one; the lists of
/// all levels add up, and `*` stands for anything.
pub(crate) fn may_call(layers: &[Layer], url: &str) -> bool {
    admits(layers, "allowedHttpHookUrls", |pattern| is_like(url, pattern))
}

/// Whether the headers of HTTP handlers may hold the value of a variable, as far as the settings have a say in it.
pub(crate) fn may_expand(layers: &[Layer], variable: &str) -> bool {
    admits(layers, "httpHookAllowedEnvVars", |listed| listed == variable)
}

/// Whether some list of this name admits something, or no level of the settings has one.
fn admits(layers: &[Layer], key: &str, is_it: impl Fn(&str) -> bool) -> bool {
    let mut lists = layers.iter().filter(|layer| is_settings_file(&layer.from));
    let mut restricted = false;
    let admitted = lists.any(|layer| {
        let Some(list) = layer.settings.get(key).and_then(Value::as_array) else { return false };
        restricted = true;
        list.iter().filter_map(Value::as_str).any(&is_it)
    });
    admitted || !restricted
}

/// The switches that turn hooks off.
struct Switches<'a> {
    layers: &'a [Layer],
    /// All hooks are off, the managed ones included.
    all_off: bool,
    /// All hooks but the managed ones are off.
    others_off: bool,
    managed_only: bool,
}

impl<'a> Switches<'a> {
    fn of(layers: &'a [Layer]) -> Self {
        let set = |layer: &Layer| layer.settings.get("disableAllHooks").and_then(Value::as_bool);
        let managed = |key: &str| {
            let on =
                |layer: &Layer| layer.from == Source::Managed && layer.settings.get(key) == Some(&Value::Bool(true));
            layers.iter().any(on)
        };
        let highest = layers.iter().filter_map(|l| Some((level(&l.from)?, set(l)?))).max_by_key(|(level, _)| *level);
        Switches {
            layers,
            all_off: managed("disableAllHooks"),
            others_off: highest.is_some_and(|(_, off)| off),
            managed_only: managed("allowManagedHooksOnly"),
        }
    }

    /// Whether the hooks of a source are off.
    fn silence(&self, source: &Source) -> bool {
        if self.all_off {
            return true;
        }
        match source {
            Source::Managed => false,
            Source::Plugin(name) if self.managed_only => self.others_off || !self.forces(name),
            Source::Plugin(_) | Source::Skill(_) | Source::Agent(_) => self.others_off,
            Source::User | Source::Project | Source::Local | Source::Flag => self.others_off || self.managed_only,
        }
    }

    /// Whether managed settings force a plugin on. No plugin here was installed by a command, so that the switch for those
    /// (`disableCommandPluginSources`) changes nothing.
    fn forces(&self, plugin: &str) -> bool {
        let managed = self.layers.iter().filter(|layer| layer.from == Source::Managed);
        managed
            .filter_map(|layer| layer.settings.get("enabledPlugins")?.as_object())
            .any(|plugins| plugins.get(plugin) == Some(&Value::Bool(true)))
    }
}

/// Whether a source is a level of the settings, and nothing that a plugin, a skill or an agent brings.
pub(crate) fn is_settings_file(source: &Source) -> bool {
    level(source).is_some()
}

/// How much a level of the settings weighs; nothing where the source is none.
pub(crate) fn level(source: &Source) -> Option<u8> {
    match source {
        Source::Managed => Some(5),
        Source::Flag => Some(4),
        Source::Local => Some(3),
        Source::Project => Some(2),
        Source::User => Some(1),
        Source::Plugin(_) | Source::Skill(_) | Source::Agent(_) => None,
    }
}

/// Whether workspace trust lets the hooks of a source run.
fn is_trusted(scene: &Scene<'_>, source: &Source) -> bool {
    let host = scene.host();
    match source {
        _ if host.trusted => true,
        Source::Managed | Source::Plugin(_) => true,
        Source::Agent(_) if scene.since(218) => false,
        _ => host.surface != Surface::Terminal,
    }
}

/// Whether the owner of hooks is at work: a plugin while it is enabled, a skill since it was invoked, an agent while it runs. The
/// `Stop` of an agent is a `SubagentStop`.
fn is_active(scene: &Scene<'_>, session: &Session, source: &Source) -> bool {
    let kind = match source {
        Source::Plugin(name) => return is_enabled(&scene.case.settings, name),
        Source::Agent(kind) => kind,
        _ => return true,
    };
    let is_meant = match scene.event() {
        Event::Stop => false,
        Event::SubagentStop => scene.input_text("agent_type") == Some(kind),
        _ => true,
    };
    is_meant && session.agents.is_at_work(scene, kind)
}

/// Whether a plugin is enabled, as it is unless the strongest level that speaks of it says otherwise.
fn is_enabled(layers: &[Layer], plugin: &str) -> bool {
    let of = |layer: &Layer| Some((level(&layer.from)?, layer.settings.get("enabledPlugins")?.get(plugin)?.as_bool()?));
    layers.iter().filter_map(of).max_by_key(|(level, _)| *level).is_none_or(|(_, enabled)| enabled)
}

/// Whether a text is like a pattern in which `*` stands for anything.
pub(crate) fn is_like(text: &str, pattern: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(mut rest) = pieces.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::is_like;
    use crate::testing::{ran, stage, stage_at};
    use hookproof_contract::Revision;
    use serde_json::json;

    const GROUP: &str = r#"{"Stop":[{"hooks":[{"type":"command","command":"NAME"}]}]}"#;

    fn layer(from: serde_json::Value, name: &str, more: serde_json::Value) -> serde_json::Value {
        let mut settings = more;
        settings["hooks"] = serde_json::from_str(&GROUP.replace("NAME", name)).expect("hooks");
        json!({"from": from, "settings": settings})
    }

    fn who_runs(host: serde_json::Value, layers: &[serde_json::Value]) -> Vec<String> {
        ran(&stage(json!({"host": host, "settings": layers, "steps": [{"fire": {"event": "Stop"}}]}))[0])
    }

    #[test]
    fn all_files_add_up() {
        let layers = [layer(json!("managed"), "a", json!({})), layer(json!("user"), "b", json!({}))];
        assert_eq!(who_runs(json!({}), &layers), ["a", "b"]);
    }

    #[test]
    fn a_managed_switch_turns_everything_off_and_another_spares_managed_hooks() {
        let off = json!({"disableAllHooks": true});
        let by_user = [layer(json!("managed"), "a", json!({})), layer(json!("user"), "b", off.clone())];
        assert_eq!(who_runs(json!({}), &by_user), ["a"]);
        let by_managed = [layer(json!("managed"), "a", off), layer(json!("user"), "b", json!({}))];
        assert!(who_runs(json!({}), &by_managed).is_empty());
    }

    #[test]
    fn the_stronger_level_decides_whether_hooks_are_off() {
        let (off, on) = (json!({"disableAllHooks": true}), json!({"disableAllHooks": false}));
        let defeated = [layer(json!("project"), "a", on.clone()), layer(json!("user"), "b", off.clone())];
        assert_eq!(who_runs(json!({}), &defeated), ["a", "b"]);
        let by_flag = [layer(json!("project"), "a", on), layer(json!("flag"), "b", off)];
        assert!(who_runs(json!({}), &by_flag).is_empty());
    }

    #[test]
    fn managed_hooks_only_spares_plugins_that_are_forced_on() {
        let only =
            json!({"allowManagedHooksOnly": true, "enabledPlugins": {"forced@market": true, "off@market": false}});
        let mine = json!({"enabledPlugins": {"free@market": true}});
        let layers = [
            layer(json!("managed"), "a", only),
            layer(json!("local"), "b", mine),
            layer(json!({"plugin": "forced@market"}), "c", json!({})),
            layer(json!({"plugin": "free@market"}), "d", json!({})),
            layer(json!({"plugin": "off@market"}), "e", json!({})),
            layer(json!({"plugin": "forced@elsewhere"}), "f", json!({})),
        ];
        assert_eq!(who_runs(json!({}), &layers), ["a", "c"]);
        let by_user =
            [layer(json!("user"), "a", json!({"allowManagedHooksOnly": true})), layer(json!("local"), "b", json!({}))];
        assert_eq!(who_runs(json!({}), &by_user), ["a", "b"]);
    }

    #[test]
    fn a_plugin_that_is_forced_on_is_off_where_hooks_are_off() {
        let only = json!({"allowManagedHooksOnly": true, "enabledPlugins": {"p": true}});
        let layers = [
            layer(json!("managed"), "a", only),
            layer(json!("user"), "b", json!({"disableAllHooks": true})),
            layer(json!({"plugin": "p"}), "c", json!({})),
        ];
        assert_eq!(who_runs(json!({}), &layers), ["a"]);
    }

    #[test]
    fn without_trust_an_interactive_session_runs_no_hooks_of_settings_files() {
        let layers = [layer(json!("user"), "a", json!({}))];
        assert!(who_runs(json!({"trusted": false}), &layers).is_empty());
        for surface in ["print", "sdk"] {
            assert_eq!(who_runs(json!({"trusted": false, "surface": surface}), &layers), ["a"], "{surface}");
        }
    }

    #[test]
    fn what_an_agent_declares_for_its_stop_is_for_the_end_of_that_agent() {
        let layers = [layer(json!({"agent": "reviewer"}), "a", json!({})), layer(json!("user"), "b", json!({}))];
        let ends = |event: &str, agent: &str| {
            let fire = json!({"event": event, "input": {"agent_id": "a1", "agent_type": agent}});
            ran(&stage(json!({"settings": layers, "steps": [{"fire": fire}]}))[0])
        };
        assert_eq!(ends("SubagentStop", "reviewer"), ["a"]);
        assert!(ends("SubagentStop", "explorer").is_empty() && ends("SubagentStop", "").is_empty());
        assert_eq!(who_runs(json!({}), &layers), ["b"]);
    }

    #[test]
    fn an_agents_hooks_wait_for_the_dialog_even_where_none_is_shown() {
        let hooks = json!({"Notification": [{"hooks": [{"type": "command", "command": "a"}]}]});
        let runs = |surface: &str, trusted: bool, patch: u16| {
            let case = json!({"host": {"surface": surface, "trusted": trusted},
                              "settings": [{"from": {"agent": "reviewer"}, "settings": {"hooks": hooks}}],
                              "steps": [{"fire": {"event": "Notification"}}]});
            !ran(&stage_at(case, Revision(2, 1, patch))[0]).is_empty()
        };
        for surface in ["terminal", "print", "sdk", "background"] {
            assert!(runs(surface, true, 218) && !runs(surface, false, 218), "{surface}");
        }
        assert!(runs("print", false, 217) && !runs("terminal", false, 217));
    }

    #[test]
    fn what_is_malformed_is_passed_over() {
        let settings = json!({"hooks": {"Stop": [5, {"hooks": "x"}, {"hooks": [7, {"type": "command"}, {"type": "command", "command": "a"}]}]}});
        assert_eq!(who_runs(json!({}), &[json!({"from": "user", "settings": settings})]), ["a"]);
    }

    #[test]
    fn a_star_stands_for_anything() {
        for (text, pattern, like) in [
            ("http://a/b", "http://a/b", true),
            ("http://a/bc", "http://a/b", false),
            ("http://a/bc", "http://a/*", true),
            ("http://a/bc", "*/bc", true),
            ("http://a/bc", "h*a*c", true),
            ("http://a/bc", "h*x*c", false),
        ] {
            assert_eq!(is_like(text, pattern), like, "{text} {pattern}");
        }
    }
}
