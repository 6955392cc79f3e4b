//! For which cases the contract settles the answer.

use crate::{
    canary,
    fields::{self, DECISION, Field, Kind, REASON, UNIVERSAL},
};
use hookproof_contract::{Case, Deed, End, Event, Firing, HandlerResult, Source};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// A handler where it stands in the settings.
#[derive(Clone, Copy)]
pub(super) struct Configured<'a> {
    pub(super) layer: usize,
    pub(super) event: Event,
    pub(super) group: usize,
    pub(super) handler: &'a Map<String, Value>,
    pub(super) matcher: Option<&'a str>,
    pub(super) name: &'a str,
    /// Whether it is a subagent's own, whose `Stop` is a SubagentStop.
    of_a_subagent: bool,
}

impl Configured<'_> {
    /// The event on which it may run.
    pub(super) fn runs_on(&self) -> Event {
        if self.of_a_subagent && self.event == Event::Stop { Event::SubagentStop } else { self.event }
    }
}

/// Every handler, in the order of the settings. Nothing, where the settings hold anything but ordinary groups of ordinary
/// commands and HTTP hooks: switches, other handler types, conditions, malformed parts.
pub(super) fn ordinary(case: &Case) -> Option<Vec<Configured<'_>>> {
    let mut all = Vec::new();
    if !case.host.trusted {
        return None;
    }
    for (layer, settings) in case.settings.iter().enumerate() {
        let of_a_subagent = matches!(settings.from, Source::Agent(_));
        if settings.settings.keys().any(|key| key != "hooks") {
            return None;
        }
        let Some(hooks) = settings.settings.get("hooks") else { continue };
        for (event, groups) in hooks.as_object()? {
            let event = Event::from_name(event)?;
            for (group, object) in groups.as_array()?.iter().enumerate() {
                let object = object.as_object()?;
                let matcher = object.get("matcher").map(|m| m.as_str().ok_or(())).transpose().ok()?;
                if object.keys().any(|key| key != "matcher" && key != "hooks") {
                    return None;
                }
                for handler in object.get("hooks")?.as_array()? {
                    let handler = ordinary_handler(handler)?;
                    // One with a place for an option in it may not be launched at all.
                    let name = canary::name(handler).filter(|name| !name.contains("${"))?;
                    all.push(Configured { layer, event, group, handler, matcher, name, of_a_subagent });
                }
            }
        }
    }
    Some(all)
}

fn ordinary_handler(handler: &Value) -> Option<&Map<String, Value>> {
    let handler = handler.as_object()?;
    let field = match handler.get("type")?.as_str()? {
        "command" => "command",
        "http" => "url",
        _ => return None,
    };
    let known = |key: &str| ["type", field, "timeout", "statusMessage"].contains(&key);
    let timed = handler.get("timeout").is_none_or(|timeout| timeout.as_u64().is_some_and(|seconds| seconds > 0));
    (timed && handler.keys().all(|key| known(key))).then_some(handler)
}

/// Whether no handler's text stands twice.
pub(super) fn once_each(all: &[Configured<'_>]) -> bool {
    let names: BTreeSet<&str> = all.iter().map(|c| c.name).collect();
    names.len() == all.len()
}

/// Whether the order of the handlers cannot matter: in every firing at most one handler says anything, or all that do only
/// add context and warnings.
pub(super) fn order_free(case: &Case, all: &[Configured<'_>]) -> bool {
    canary::firings(case).into_iter().all(|firing| {
        let speakers = speakers(case, firing, all);
        speakers.len() <= 1 || speakers.iter().all(|(http, result)| only_adds(*http, result, firing.event))
    })
}

/// Whether a runtime that is deterministic answers the same twice: the order does not matter, or it is fixed by the ranks.
pub(super) fn steady(case: &Case, all: &[Configured<'_>]) -> bool {
    order_free(case, all)
        || canary::firings(case).into_iter().all(|firing| {
            let speakers = speakers(case, firing, all);
            let ranks: BTreeSet<u16> = speakers.iter().map(|(_, result)| result.rank).collect();
            ranks.len() == speakers.len()
        })
}

/// The handlers of a firing's event that say or do anything, each once; matchers are not asked.
fn speakers<'a>(case: &'a Case, firing: &'a Firing, all: &[Configured<'a>]) -> Vec<(bool, &'a HandlerResult)> {
    let mut seen = BTreeSet::new();
    let own = all.iter().filter(|c| c.runs_on() == firing.event && seen.insert(c.name));
    let results = own.filter_map(|c| Some((c.handler.contains_key("url"), case.result(firing, c.name)?)));
    results.filter(|(http, result)| !is_silent(*http, result)).collect()
}

fn is_silent(http: bool, result: &HandlerResult) -> bool {
    succeeded(http, result) && result.did.is_empty() && result.out.is_empty()
}

fn succeeded(http: bool, result: &HandlerResult) -> bool {
    result.end == End::Exit(0) || (http && result.end == End::Status(200))
}

/// Whether all that a handler does is to add context or a warning, so that several of them cannot get in each other's way.
fn only_adds(http: bool, result: &HandlerResult, event: Event) -> bool {
    // What several export is there in any order.
    let exports = |deed: &Deed| matches!(deed, Deed::WroteEnvironment(_));
    if !succeeded(http, result) || !result.did.iter().all(exports) || event == Event::WorktreeCreate {
        return false;
    }
    let Ok(out) = String::from_utf8(result.out.bytes().into_owned()) else { return false };
    if out.is_empty() {
        return true;
    }
    let Ok(Value::Object(object)) = serde_json::from_str(&out) else {
        return !http && out.starts_with(|c: char| c.is_ascii_alphanumeric());
    };
    let adds = |key: &String| matches!(key.as_str(), "systemMessage" | "suppressOutput" | "hookSpecificOutput");
    let inner = object.get("hookSpecificOutput").and_then(Value::as_object);
    let context = |key: &String| key == "hookEventName" || key == "additionalContext";
    object.keys().all(adds) && inner.is_none_or(|inner| inner.keys().all(context)) && well_formed(event, &object)
}

/// Whether an output object holds nothing but fields of its event, each of its type, under the right name.
pub(super) fn well_formed(event: Event, object: &Map<String, Value>) -> bool {
    object.iter().all(|(key, value)| match (key.as_str(), value) {
        // What it does on an event that has no fields for it is open.
        ("hookSpecificOutput", Value::Object(inner)) if !fields::specific(event).is_empty() => {
            inner.get("hookEventName").and_then(Value::as_str) == Some(event.name())
                && inner.iter().all(|(key, value)| key == "hookEventName" || fits(fields::specific(event), key, value))
        }
        ("decision", value) => value == "block" || (event == Event::PreToolUse && value == "approve"),
        _ => fits(&UNIVERSAL, key, value) || fits(&[DECISION, REASON], key, value),
    })
}

fn fits(table: &[Field], key: &str, value: &Value) -> bool {
    table.iter().any(|field| {
        field.name == key
            && match field.kind {
                Kind::Bool(_) => value.is_boolean(),
                Kind::Text(_) | Kind::Sequence | Kind::Path => value.is_string(),
                Kind::Words(words) => value.as_str().is_some_and(|word| words.known().contains(&word)),
                Kind::Input | Kind::Content => value.is_object(),
                // What the entries of a list have to be, and the parts of an answer, is another question.
                Kind::Paths => value.as_array().is_some_and(|all| all.iter().all(Value::is_string)),
                Kind::Request => false,
                Kind::Output => true,
            }
    })
}

/// Whether some output speaks of `continue`.
pub(super) fn may_stop(case: &Case) -> bool {
    let firings = canary::firings(case);
    let mut results = case.results.values().chain(firings.iter().flat_map(|f| f.results.values()));
    results.any(|result| result.out.lossy().contains("continue"))
}

/// Whether a matcher is compared as a name or a list of names, white space left aside.
pub(super) fn is_list(matcher: &str) -> bool {
    !matcher.is_empty() && matcher.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b',' | b'|'))
}
