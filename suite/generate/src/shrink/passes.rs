//! The simplifications, the boldest first.

use super::{Pass, text};
use crate::canary;
use hookproof_contract::{Case, Deed, End, Fate, Firing, HandlerResult, Host, Name, Source, Step, Text};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// All kinds of simplifications, in the order in which they are tried.
pub(super) const ALL: &[Pass] = &[
    fewer_steps,
    fewer_layers,
    fewer_groups,
    fewer_handlers,
    fewer_results,
    plainer_host,
    fewer_times,
    quieter_results,
    fewer_deeds,
    plainer_settings,
    plainer_inputs,
    shorter_texts,
];

/// The case with a change made to a copy of it.
fn with(case: &Case, change: impl FnOnce(&mut Case)) -> Case {
    let mut new = case.clone();
    change(&mut new);
    new
}

fn fewer_steps(case: &Case) -> Vec<Case> {
    (0..case.steps.len()).map(|at| with(case, |c| drop(c.steps.remove(at)))).collect()
}

fn fewer_times(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    for (at, step) in case.steps.iter().enumerate() {
        let Step::Fire(firing) = step else { continue };
        for times in [1, firing.times / 2, firing.times.saturating_sub(1)] {
            if times > 0 && times < firing.times {
                all.push(with(case, |c| {
                    if let Step::Fire(firing) = &mut c.steps[at] {
                        firing.times = times;
                    }
                }));
            }
        }
    }
    all
}

fn fewer_layers(case: &Case) -> Vec<Case> {
    let mut all: Vec<Case> = (0..case.settings.len()).map(|at| with(case, |c| drop(c.settings.remove(at)))).collect();
    for (at, layer) in case.settings.iter().enumerate() {
        if case.settings.iter().all(|l| l.from != Source::User) {
            all.push(with(case, |c| c.settings[at].from = Source::User));
        }
        for key in layer.settings.keys() {
            all.push(with(case, |c| drop(c.settings[at].settings.remove(key))));
        }
    }
    all
}

/// Where a list inside the settings is: the keys and places that lead to it.
type Path = Vec<String>;

/// Lists inside the settings, each with the number of its layer.
type Lists = Vec<(usize, Path)>;

/// The lists of groups, and the lists of handlers inside them.
fn lists(case: &Case) -> (Lists, Lists) {
    let (mut groups, mut handlers) = (Vec::new(), Vec::new());
    for (layer, settings) in case.settings.iter().enumerate() {
        let Some(Value::Object(hooks)) = settings.settings.get("hooks") else { continue };
        for (event, list) in hooks {
            groups.push((layer, vec![event.clone()]));
            for at in 0..list.as_array().map_or(0, Vec::len) {
                handlers.push((layer, vec![event.clone(), at.to_string(), "hooks".to_owned()]));
            }
        }
    }
    (groups, handlers)
}

fn hooks_at<'a>(case: &'a mut Case, layer: usize, path: &[String]) -> Option<&'a mut Value> {
    let hooks = case.settings.get_mut(layer)?.settings.get_mut("hooks")?;
    path.iter().try_fold(hooks, |value, key| match value {
        Value::Object(map) => map.get_mut(key),
        Value::Array(items) => items.get_mut(key.parse::<usize>().ok()?),
        _ => None,
    })
}

fn shorter_lists(case: &Case, lists: &[(usize, Path)]) -> Vec<Case> {
    let mut all = Vec::new();
    for (layer, path) in lists {
        let mut probe = case.clone();
        let length = hooks_at(&mut probe, *layer, path).and_then(|v| v.as_array().map(Vec::len)).unwrap_or(0);
        for at in 0..length {
            all.push(with(case, |c| {
                if let Some(Value::Array(items)) = hooks_at(c, *layer, path) {
                    items.remove(at);
                }
            }));
        }
    }
    all
}

fn fewer_groups(case: &Case) -> Vec<Case> {
    let groups = lists(case).0;
    let mut all: Vec<Case> = Vec::new();
    for (layer, path) in &groups {
        all.push(with(case, |c| {
            if let Some(Value::Object(hooks)) = hooks_at(c, *layer, &[]) {
                path.first().map(|event| hooks.remove(event));
            }
        }));
    }
    all.extend(shorter_lists(case, &groups));
    all
}

fn fewer_handlers(case: &Case) -> Vec<Case> {
    shorter_lists(case, &lists(case).1)
}

/// A change to the results of a case, or to those of one of its steps.
fn in_results(case: &Case, step: Option<usize>, change: impl FnOnce(&mut BTreeMap<Name, HandlerResult>)) -> Case {
    with(case, |c| match step {
        None => change(&mut c.results),
        Some(at) => {
            if let Step::Fire(firing) = &mut c.steps[at] {
                change(&mut firing.results);
            }
        }
    })
}

/// Every result of a case, with the step that it belongs to.
fn all_results(case: &Case) -> Vec<(Option<usize>, &Name, &HandlerResult)> {
    let mut all: Vec<_> = case.results.iter().map(|(name, result)| (None, name, result)).collect();
    for (at, step) in case.steps.iter().enumerate() {
        if let Step::Fire(firing) = step {
            all.extend(firing.results.iter().map(|(name, result)| (Some(at), name, result)));
        }
    }
    all
}

fn fewer_results(case: &Case) -> Vec<Case> {
    let gone =
        |(step, name, _): (Option<usize>, &Name, &HandlerResult)| in_results(case, step, |r| drop(r.remove(name)));
    all_results(case).into_iter().map(gone).collect()
}

fn quieter_results(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    for (step, name, result) in all_results(case) {
        let ordinary = match result.end {
            End::Status(_) => [End::Exit(0), End::Status(200)],
            End::Answered | End::ToolError => [End::Exit(0), End::Answered],
            _ => [End::Exit(0), End::Exit(1)],
        };
        let mut offer = |new: HandlerResult| {
            if new != *result {
                all.push(in_results(case, step, |r| drop(r.insert(Name::clone(name), new))));
            }
        };
        for end in ordinary {
            offer(HandlerResult { end, ..result.clone() });
        }
        offer(HandlerResult { out: Text::default(), ..result.clone() });
        offer(HandlerResult { err: Text::default(), ..result.clone() });
        offer(HandlerResult { rank: 0, ..result.clone() });
        offer(HandlerResult { did: Vec::new(), ..result.clone() });
    }
    all
}

/// One deed less, or one line less of what was exported.
fn fewer_deeds(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    for (step, name, result) in all_results(case) {
        let mut offer = |change: &dyn Fn(&mut Vec<Deed>)| {
            let mut new = result.clone();
            change(&mut new.did);
            all.push(in_results(case, step, |r| drop(r.insert(Name::clone(name), new))));
        };
        for (at, deed) in result.did.iter().enumerate() {
            if result.did.len() > 1 {
                offer(&|did| drop(did.remove(at)));
            }
            let Deed::WroteEnvironment(Text::Plain(text)) = deed else { continue };
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            for gone in (0..lines.len()).filter(|_| lines.len() > 1) {
                let rest = lines.iter().enumerate().filter(|(line, _)| *line != gone).map(|(_, line)| *line).collect();
                let rest = Deed::WroteEnvironment(Text::Plain(rest));
                offer(&|did| did[at] = rest.clone());
            }
        }
    }
    all
}

fn shorter_texts(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    for (step, name, result) in all_results(case) {
        for out in text::simpler(case, &result.out) {
            let new = HandlerResult { out, ..result.clone() };
            all.push(in_results(case, step, |r| drop(r.insert(Name::clone(name), new))));
        }
        for err in text::simpler(case, &result.err) {
            let new = HandlerResult { err, ..result.clone() };
            all.push(in_results(case, step, |r| drop(r.insert(Name::clone(name), new))));
        }
    }
    all
}

fn plainer_host(case: &Case) -> Vec<Case> {
    let plain = Host::default();
    let host = &case.host;
    let mut all = vec![with(case, |c| c.host = Host::default())];
    let mut offer = |change: &dyn Fn(&mut Host)| all.push(with(case, |c| change(&mut c.host)));
    offer(&|h| h.surface = plain.surface);
    offer(&|h| h.permission_mode.clone_from(&plain.permission_mode));
    offer(&|h| h.permissions.allow.clear());
    offer(&|h| h.permissions.ask.clear());
    offer(&|h| h.permissions.deny.clear());
    offer(&|h| h.permission_host = false);
    offer(&|h| h.trusted = true);
    offer(&|h| h.tool_calls_in_turn = 1);
    offer(&|h| h.models.clear());
    offer(&|h| h.cwd.clone_from(&plain.cwd));
    offer(&|h| h.directories = None);
    for fact in &host.facts {
        offer(&|h| h.facts.retain(|other| other != fact));
    }
    for name in host.env.keys() {
        offer(&|h| drop(h.env.remove(name)));
    }
    all
}

/// Plainer groups and handlers: no matcher, or the exact name; no key that a handler can do without.
fn plainer_settings(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    for (layer, path) in lists(case).1 {
        let group = &path[..2];
        all.push(with(case, |c| without(hooks_at(c, layer, group), "matcher")));
        for target in targets(case) {
            all.push(with(case, |c| {
                if let Some(Value::Object(group)) = hooks_at(c, layer, group)
                    && group.contains_key("matcher")
                {
                    group.insert("matcher".to_owned(), Value::String(target));
                }
            }));
        }
        let mut probe = case.clone();
        let handlers = hooks_at(&mut probe, layer, &path).and_then(Value::as_array_mut).map(std::mem::take);
        for (at, handler) in handlers.unwrap_or_default().iter().enumerate() {
            let Some(handler) = handler.as_object() else { continue };
            let path: Path = path.iter().cloned().chain([at.to_string()]).collect();
            for key in handler.keys().filter(|key| needless(key, handler)) {
                all.push(with(case, |c| without(hooks_at(c, layer, &path), key)));
            }
        }
    }
    all
}

fn without(value: Option<&mut Value>, key: &str) {
    if let Some(Value::Object(map)) = value {
        map.remove(key);
    }
}

fn needless(key: &str, handler: &Map<String, Value>) -> bool {
    key != "type" && key != "server" && canary::name(handler).is_none_or(|name| handler[key] != *name)
}

fn targets(case: &Case) -> Vec<String> {
    let inputs = canary::firings(case).into_iter().map(|f| &f.input);
    let named = inputs.filter_map(|input| input.get("tool_name").or_else(|| input.get("mcp_server_name"))?.as_str());
    named.map(str::to_owned).collect()
}

/// The fields of an input that an event is not itself without.
const NEEDED: [&str; 9] = [
    "tool_name",
    "tool_input",
    "tool_response",
    "prompt",
    "mcp_server_name",
    "message",
    "mode",
    "name",
    "requested_schema",
];

fn plainer_inputs(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    for (at, firing) in
        case.steps.iter().enumerate().filter_map(|(at, s)| if let Step::Fire(f) = s { Some((at, f)) } else { None })
    {
        let mut offer = |change: &dyn Fn(&mut Firing)| {
            all.push(with(case, |c| {
                if let Step::Fire(firing) = &mut c.steps[at] {
                    change(firing);
                }
            }));
        };
        offer(&|f| f.otherwise = Fate::default());
        for (key, value) in &firing.input {
            if !NEEDED.contains(&key.as_str()) {
                offer(&|f| drop(f.input.remove(key)));
            } else if key == "prompt" {
                let text = value.as_str().unwrap_or_default();
                for token in canary::own_tokens(case, text).into_iter().filter(|token| *token != text) {
                    offer(&|f| drop(f.input.insert(key.clone(), Value::from(token))));
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests;
