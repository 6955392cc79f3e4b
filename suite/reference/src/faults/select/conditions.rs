//! Faults of the first step: how a handler's own condition is read.

use super::handlers::first_firing;
use crate::{
    Scene,
    condition::{self, Holds, argument, is_bare, is_command, is_tool_event, parts, shell},
    given,
    matcher::selects,
    postures::Stance,
    select::{Handler, gather_if, select, unique},
    session::Session,
    settings,
};
use hookproof_contract::{Firing, Revision};
use serde_json::{Map, Value, json};

/// The ordinary step with another way to read conditions.
fn with<'a>(scene: &Scene<'a>, session: &Session, holds: Holds) -> Vec<Handler<'a>> {
    given::hand_out(scene, session, unique(scene, gather_if(scene, session, selects, holds)))
}

/// The pattern and the command, where a condition is about Bash.
fn bash<'s>(scene: &Scene<'s>, handler: &'s Map<String, Value>) -> Option<(&'s str, &'s str)> {
    let (tool, pattern) = parts(handler.get("if")?.as_str()?);
    let is_bash = tool == "Bash" && scene.input_text("tool_name") == Some("Bash") && is_tool_event(scene.event());
    Some((pattern?, argument(scene, "command")?)).filter(|_| is_bash)
}

/// Whether a condition holds for another call.
fn holds_for(
    scene: &Scene<'_>,
    session: &Session,
    handler: &Map<String, Value>,
    change: impl FnOnce(&mut Firing),
) -> bool {
    let mut firing = Firing { results: std::collections::BTreeMap::new(), ..scene.firing.clone() };
    change(&mut firing);
    condition::holds(&Scene { firing: &firing, ..*scene }, session, handler)
}

/// Whether a condition holds for another command.
fn holds_for_command(scene: &Scene<'_>, session: &Session, handler: &Map<String, Value>, command: &str) -> bool {
    holds_for(scene, session, handler, |firing| {
        drop(firing.input.insert("tool_input".to_owned(), json!({"command": command})))
    })
}

pub(in crate::faults) fn on_every_event<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, session, handler| {
        !is_tool_event(scene.event()) || condition::holds(scene, session, handler)
    })
}

pub(in crate::faults) fn of_any_tool<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, session, handler| {
        let rule = handler.get("if").and_then(Value::as_str).unwrap_or_default();
        holds_for(scene, session, handler, |firing| {
            drop(firing.input.insert("tool_name".to_owned(), json!(parts(rule).0)))
        })
    })
}

pub(in crate::faults) fn first_command<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, session, handler| {
        let first = bash(scene, handler).and_then(|(_, command)| command.split(['&', '|', ';', '\n']).next());
        match first {
            Some(first) => holds_for_command(scene, session, handler, first),
            None => condition::holds(scene, session, handler),
        }
    })
}

pub(in crate::faults) fn assignments_kept<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, session, handler| match bash(scene, handler) {
        Some((pattern, command)) if shell::without_assignments(command) != command.trim() => {
            is_command(command.trim(), pattern)
        }
        _ => condition::holds(scene, session, handler),
    })
}

pub(in crate::faults) fn substitutions_unread<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, session, handler| match bash(scene, handler) {
        Some((pattern, command)) if is_bare(pattern) && shell::commands(command).is_some() => {
            let before = command.split('`').next().and_then(|text| text.split("$(").next()).unwrap_or_default();
            // What is quoted ends with the text, as it would have.
            let open = before.matches('"').count() % 2 == 1;
            holds_for_command(scene, session, handler, &format!("{before}{}", if open { "\"" } else { "" }))
        }
        _ => condition::holds(scene, session, handler),
    })
}

pub(in crate::faults) fn substitutions_satisfy<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, session, handler| {
        let filled_in = bash(scene, handler).is_some_and(|(_, command)| shell::substitutes(command));
        filled_in || condition::holds(scene, session, handler)
    })
}

pub(in crate::faults) fn substitutions_as_they_stand<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, session, handler| match bash(scene, handler) {
        Some((pattern, command)) if !is_bare(pattern) => {
            shell::commands(command).is_none_or(|commands| commands.iter().any(|command| is_command(command, pattern)))
        }
        _ => condition::holds(scene, session, handler),
    })
}

pub(in crate::faults) fn unclear_is_no<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, session, handler| {
        let unclear = bash(scene, handler).is_some_and(|(_, command)| shell::commands(command).is_none());
        !unclear && condition::holds(scene, session, handler)
    })
}

pub(in crate::faults) fn any_depth<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, session, handler| {
        let before = Stance { revision: Revision(2, 1, 213), ..scene.stance.clone() };
        condition::holds(&Scene { stance: &before, ..*scene }, session, handler)
    })
}

pub(in crate::faults) fn two_stars_are_one<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, session, handler| {
        let mut handler = handler.clone();
        if let Some(Value::String(rule)) = handler.get_mut("if") {
            *rule = rule.replace("**/", "*/");
        }
        condition::holds(scene, session, &handler)
    })
}

pub(in crate::faults) fn whole_group<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    let entries = settings::entries(scene, session, |matcher| selects(scene, matcher)).into_iter();
    // On other events no handler with `if` runs, whatever it says.
    let failing = entries.filter(|entry| is_tool_event(scene.event()) && !condition::holds(scene, session, entry.json));
    let failing: Vec<(usize, usize)> = failing.map(|entry| (entry.place.0, entry.place.1)).collect();
    let mut handlers = select(scene, session);
    handlers.retain(|handler| !failing.contains(&(handler.place.0, handler.place.1)));
    handlers
}

pub(in crate::faults) fn answered_once<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, session, handler| {
        let first = first_firing(scene).unwrap_or(scene.firing);
        condition::holds(&Scene { firing: first, ..*scene }, session, handler)
    })
}

pub(in crate::faults) fn searched_in_names<'a>(scene: &Scene<'a>, session: &Session) -> Vec<Handler<'a>> {
    with(scene, session, |scene, session, handler| {
        let rule = parts(handler.get("if").and_then(Value::as_str).unwrap_or_default());
        let ending = rule.1.and_then(|pattern| pattern.strip_prefix('*')).filter(|ending| ending.starts_with('.'));
        let found = ending.zip(argument(scene, "file_path")).is_some_and(|(ending, path)| path.contains(ending));
        let of_tool = scene.input_text("tool_name") == Some(rule.0) && is_tool_event(scene.event());
        (of_tool && found) || condition::holds(scene, session, handler)
    })
}
