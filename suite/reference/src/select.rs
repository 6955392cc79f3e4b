//! The first step: which handlers run, and what each is given (chapters *settings* and *matchers*).

use crate::{
    Scene,
    condition::{self, Holds, is_tool_event},
    given, kinds, matcher,
    session::Session,
    settings::{self, Entry, Place, is_settings_file},
};
use hookproof_contract::{Audience, Event, Field, Name, Said, Source, Text};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Whether a group's matcher selects what happens here.
pub(crate) type Matches = fn(&Scene<'_>, Option<&Value>) -> bool;

pub(crate) use crate::kinds::Kind;

/// A handler that runs.
#[derive(Clone, Debug)]
pub(crate) struct Handler<'a> {
    pub(crate) name: Name,
    pub(crate) kind: Kind,
    pub(crate) source: &'a Source,
    pub(crate) json: &'a Map<String, Value>,
    pub(crate) place: Place,
    /// The event for which it stands there.
    pub(crate) declared: Event,
    /// The event's JSON, until it is handed over.
    pub(crate) input: Map<String, Value>,
    /// The seconds that it has, until they are handed over; null where no time is given.
    pub(crate) timeout: Value,
    /// What else it is given, until it is handed over.
    pub(crate) besides: Option<(Field, Value)>,
}

impl<'a> Handler<'a> {
    /// A handler that has been given nothing yet.
    pub(crate) fn of(entry: Entry<'a>, kind: Kind, name: Name) -> Handler<'a> {
        let Entry { place, declared, source, json } = entry;
        Handler { name, kind, source, json, place, declared, input: Map::new(), timeout: Value::Null, besides: None }
    }
}

/// The handlers that run, in the order of the settings, each with what it is given.
pub(crate) fn select<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    given::hand_out(scene, session, unique(scene, gather(scene, session, matcher::selects)))
}

/// All handlers in force whose group, and whose own condition, selects this occurrence.
pub(crate) fn gather<'a>(scene: &Scene<'a>, session: &Session, matches: Matches) -> Vec<Handler<'a>> {
    gather_if(scene, session, matches, condition::holds)
}

/// The same, with these conditions.
pub(crate) fn gather_if<'a>(scene: &Scene<'a>, session: &Session, matches: Matches, holds: Holds) -> Vec<Handler<'a>> {
    let mut handlers = meant(scene, session, matches, holds);
    handlers.retain(|handler| kinds::runs(scene, handler.kind));
    handlers
}

/// The same, and those besides whose type the event does not run.
fn meant<'a>(scene: &Scene<'a>, session: &Session, matches: Matches, holds: Holds) -> Vec<Handler<'a>> {
    let mut handlers = Vec::new();
    if matcher::target(scene) == Some("EndConversation") && is_tool_event(scene.event()) {
        return handlers;
    }
    for entry in settings::entries(scene, session, |matcher| matches(scene, matcher)) {
        let spent = session.spent.contains(&(scene.event(), entry.place));
        let over = session.skills_over && matches!(entry.source, Source::Skill(_));
        if spent || over || !holds(scene, session, entry.json) || is_refused(scene, &entry) {
            continue;
        }
        if let Some((kind, text)) = kinds::of(entry.json)
            && (kind != Kind::Http || settings::may_call(&scene.case.settings, text))
        {
            handlers.push(Handler::of(entry, kind, name_of(scene, text)));
        }
    }
    handlers
}

/// What is said of the handlers whose type the event does not run: in the debug log, that a tool is not called since hooks
/// cannot reach its server yet (MCPHOOK-11); and to the user, of any of them, which is open (PROMPT-SUP-05).
pub(crate) fn passed_over(scene: &Scene<'_>, session: &Session) -> Vec<Said> {
    let (logs, warns) = (scene.since(290) && !kinds::runs(scene, Kind::Tool), scene.stance.warns_of_passed_over);
    if !logs && !warns {
        return Vec::new();
    }
    let event = scene.event();
    let say = |to, text: String, by: &Name| {
        let (text, by) = (Text::from(text.as_str()), Some(Name::clone(by)));
        Said { to, text, how: None, by, spill: None }
    };
    let mut said = Vec::new();
    for Handler { kind, name, .. } in meant(scene, session, matcher::selects, condition::holds) {
        if kinds::runs(scene, kind) {
            continue;
        }
        if logs && kind == Kind::Tool {
            let text = format!("mcp_tool hooks are not available for the '{event}' hook event (no MCP client context)");
            said.push(say(Audience::Debug, text, &name));
        }
        if warns {
            said.push(say(
                Audience::User,
                format!("{event}:{name} was passed over: the event runs no such hooks"),
                &name,
            ));
        }
    }
    said
}

/// Runs the same handler of several settings files once. What plugins, skills and agents bring runs in its own right.
pub(crate) fn unique<'a>(scene: &Scene<'a>, handlers: Vec<Handler<'a>>) -> Vec<Handler<'a>> {
    if handlers.len() < 2 {
        return handlers;
    }
    let mut kept: Vec<Handler<'a>> = Vec::with_capacity(handlers.len());
    for handler in handlers {
        if !kept.iter().any(|other| is_copy(scene, other, &handler)) {
            kept.push(handler);
        }
    }
    kept
}

/// Whether a handler does not run because this one does.
fn is_copy(scene: &Scene<'_>, other: &Handler<'_>, handler: &Handler<'_>) -> bool {
    let elsewhere = !scene.stance.same_across_files || other.place.0 != handler.place.0;
    let counts = match (is_settings_file(other.source), is_settings_file(handler.source)) {
        (true, true) => elsewhere,
        // What plugins and skills bring runs in its own right; whether their own copies do is an open point.
        (false, false) => scene.stance.plugin_copies_run_once && other.source == handler.source,
        _ => false,
    };
    counts && is_same(scene, other, handler)
}

/// Whether two handlers are the same one (an open point).
pub(crate) fn is_same(scene: &Scene<'_>, a: &Handler<'_>, b: &Handler<'_>) -> bool {
    if scene.stance.same_by_all_fields {
        return a.json == b.json;
    }
    // With arguments, the shell has no say.
    let shell = |h: &Handler<'_>| if h.json.contains_key("args") { None } else { h.json.get("shell").cloned() };
    let alike = |key: &str| a.json.get(key) == b.json.get(key);
    let same_work = match a.kind {
        Kind::Command => alike("args") && shell(a) == shell(b),
        Kind::Tool => alike("server") && alike("input"),
        Kind::Http | Kind::Prompt | Kind::Agent => true,
    };
    a.kind == b.kind && a.name == b.name && same_work
}

/// The texts of the handlers that would run if they were not refused.
pub(crate) fn refused<'a>(scene: &Scene<'a>, session: &Session) -> Vec<&'a str> {
    if !scene.case.settings.iter().any(|layer| matches!(layer.from, Source::Plugin(_))) {
        return Vec::new();
    }
    let entries = settings::entries(scene, session, |matcher| matcher::selects(scene, matcher)).into_iter();
    let refused = entries.filter(|entry| is_refused(scene, entry) && condition::holds(scene, session, entry.json));
    refused.filter_map(|entry| Some(kinds::of(entry.json)?.1)).collect()
}

/// Whether a handler is a plugin's command for a shell that wants one of the plugin's settings in its text. A shell would read
/// the value as part of the command, so that it is not started (CONFIG-EXEC-09).
pub(crate) fn is_refused(scene: &Scene<'_>, entry: &Entry<'_>) -> bool {
    let wants_setting = |text: &str| text.split("${user_config.").skip(1).any(|rest| rest.contains('}'));
    let by_shell = matches!(entry.source, Source::Plugin(_)) && !entry.json.contains_key("args");
    let command = kinds::of(entry.json).filter(|(kind, _)| *kind == Kind::Command);
    scene.since(207) && by_shell && command.is_some_and(|(_, text)| wants_setting(text))
}

/// The name under which the case knows the handler.
fn name_of(scene: &Scene<'_>, text: &str) -> Name {
    let known = scene.firing.results.get_key_value(text).or_else(|| scene.case.results.get_key_value(text));
    known.map_or_else(|| Arc::from(text), |(name, _)| Arc::clone(name))
}

#[cfg(test)]
mod tests {
    use crate::testing::{ran, said, stage, stage_at, stage_read};
    use hookproof_contract::{Audience, Reading, Revision, reading};
    use serde_json::{Value, json};

    fn of(layers: &[(Value, Value)]) -> Value {
        let layers: Vec<Value> = layers
            .iter()
            .map(|(from, handlers)| json!({"from": from, "settings": {"hooks": {"Stop": [{"hooks": handlers}]}}}))
            .collect();
        json!({"settings": layers, "steps": [{"fire": {"event": "Stop"}}]})
    }

    fn count(layers: &[(Value, Value)], readings: &[Reading]) -> usize {
        ran(&stage_read(of(layers), readings)[0]).len()
    }

    fn a() -> Value {
        json!([{"type": "command", "command": "a"}])
    }

    #[test]
    fn a_handler_in_two_files_runs_once_and_a_plugins_copy_besides() {
        assert_eq!(count(&[(json!("user"), a()), (json!("project"), a())], &[]), 1);
        let plugin = json!({"plugin": "p"});
        let skill = json!({"skill": "s"});
        assert_eq!(count(&[(json!("user"), a()), (plugin, a()), (skill, a())], &[]), 3);
    }

    #[test]
    fn what_is_executed_tells_handlers_apart() {
        let args = json!([{"type": "command", "command": "a", "args": []}]);
        let http = json!([{"type": "http", "url": "a"}]);
        let slow = json!([{"type": "command", "command": "a", "timeout": 5}]);
        assert_eq!(count(&[(json!("user"), a()), (json!("project"), args)], &[]), 2);
        assert_eq!(count(&[(json!("user"), a()), (json!("project"), http)], &[]), 2);
        assert_eq!(count(&[(json!("user"), a()), (json!("project"), slow.clone())], &[]), 1);
        let all_fields = [reading!("A-80", "all fields, everywhere")];
        assert_eq!(count(&[(json!("user"), a()), (json!("project"), slow)], &all_fields), 2);
    }

    #[test]
    fn tools_and_evaluators_are_told_apart_by_what_they_do() {
        let tool = |server: &str, path: &str| json!([{"type": "mcp_tool", "server": server, "tool": "a", "input": {"p": path}}]);
        let ask = |kind: &str, more: u32| json!([{"type": kind, "prompt": "a", "timeout": more}]);
        let both = |a: Value, b: Value| count(&[(json!("user"), a), (json!("project"), b)], &[]);
        assert_eq!(both(tool("s", "x"), tool("s", "x")), 1);
        assert_eq!(both(tool("s", "x"), tool("r", "x")) + both(tool("s", "x"), tool("s", "y")), 4);
        assert_eq!((both(ask("prompt", 1), ask("prompt", 2)), both(ask("prompt", 1), ask("agent", 1))), (1, 2));
    }

    #[test]
    fn copies_in_one_file_are_an_open_point() {
        let twice = json!([{"type": "command", "command": "a"}, {"type": "command", "command": "a"}]);
        assert_eq!(count(&[(json!("user"), twice.clone())], &[]), 1);
        assert_eq!(count(&[(json!("user"), twice)], &[reading!("A-80", "same execution, across files")]), 2);
    }

    #[test]
    fn types_that_nobody_knows_do_not_run() {
        let handlers = json!([{"type": "oracle", "prompt": "p"}, {"type": "http", "url": "http://u"}]);
        assert_eq!(ran(&stage(of(&[(json!("user"), handlers)]))[0]), ["http://u"]);
    }

    #[test]
    fn a_plugins_setting_is_no_part_of_a_shells_command() {
        let command = |text: &str| json!([{"type": "command", "command": text}]);
        let (plugin, text) = (json!({"plugin": "p"}), "send ${user_config.url}");
        let case = of(&[(plugin.clone(), command(text))]);
        let outcome = stage(case.clone()).remove(0);
        assert!(outcome.ran.is_empty() && said(&outcome, Audience::User).concat().contains("was not started"));
        assert_eq!(ran(&stage_at(case, Revision(2, 1, 206))[0]), [text]);
        let with_args = json!([{"type": "command", "command": text, "args": []}]);
        for case in [of(&[(plugin.clone(), with_args)]), of(&[(json!("user"), command(text))])] {
            let outcome = stage(case).remove(0);
            assert_eq!(ran(&outcome), [text]);
            assert!(said(&outcome, Audience::User).is_empty());
        }
        assert_eq!(count(&[(plugin.clone(), command("send ${user_config"))], &[]), 1);
        assert_eq!(count(&[(plugin, command("send $user_config.url"))], &[]), 1);
    }

    #[test]
    fn an_address_must_be_admitted_once_there_is_a_list() {
        let mut case = of(&[(json!("user"), json!([{"type": "http", "url": "http://u/1"}]))]);
        case["settings"][0]["settings"]["allowedHttpHookUrls"] = json!([]);
        assert!(ran(&stage(case.clone())[0]).is_empty());
        case["settings"][0]["settings"]["allowedHttpHookUrls"] = json!(["http://u/*"]);
        assert_eq!(ran(&stage(case)[0]).len(), 1);
    }

    #[test]
    fn a_skills_handler_that_runs_once_is_gone_after_it_succeeded() {
        let once = json!([{"type": "command", "command": "a", "once": true}]);
        let mut case = of(&[(json!({"skill": "s"}), once)]);
        case["steps"][0]["fire"]["times"] = json!(3);
        case["steps"][0]["fire"]["results"] = json!({});
        let outcomes = stage(case.clone());
        assert_eq!(outcomes.iter().map(|o| o.ran.len()).collect::<Vec<_>>(), [1, 0, 0]);
        for end in [json!({"exit": 2}), json!({"exit": 1}), json!("timed_out")] {
            case["results"] = json!({"a": {"end": end, "err": "ERR-1"}});
            assert_eq!(stage(case.clone()).iter().map(|o| o.ran.len()).collect::<Vec<_>>(), [1, 1, 1]);
            let before = stage_at(case.clone(), Revision(2, 1, 240));
            assert_eq!(before.iter().map(|o| o.ran.len()).collect::<Vec<_>>(), [1, 0, 0]);
        }
        case["results"] = json!({"a": {"end": {"exit": 1}, "out": "{}"}});
        for (readings, runs) in [(&[][..], [1, 0, 0]), (&[reading!("A-157", "failure")], [1, 1, 1])] {
            let outcomes = stage_read(case.clone(), readings);
            assert_eq!(outcomes.iter().map(|o| o.ran.len()).collect::<Vec<_>>(), runs, "JSON makes up for the code");
        }
        for from in [json!("user"), json!({"plugin": "p"}), json!({"agent": "g"})] {
            case["settings"][0]["from"] = from;
            case["results"] = json!({});
            case["steps"][0]["fire"]["event"] = json!("Notification");
            case["settings"][0]["settings"]["hooks"]["Notification"] =
                case["settings"][0]["settings"]["hooks"]["Stop"].clone();
            assert!(stage(case.clone()).iter().all(|o| o.ran.len() == 1));
        }
    }

    #[test]
    fn what_has_run_once_on_one_event_is_still_there_on_others_and_gone_with_the_session() {
        let once = json!([{"hooks": [{"type": "command", "command": "a", "once": true}]}]);
        let fire = |event: &str| json!({"fire": {"event": event}});
        let case = json!({"settings": [{"from": {"skill": "s"}, "settings": {"hooks": {"Stop": once, "Notification": once, "Setup": once}}}],
            "steps": [fire("Stop"), fire("Notification"), fire("Notification"), {"happen": "session_ends"}, fire("Setup")]});
        assert_eq!(stage(case).iter().map(|o| o.ran.len()).collect::<Vec<_>>(), [1, 1, 0, 0, 0]);
    }
}
