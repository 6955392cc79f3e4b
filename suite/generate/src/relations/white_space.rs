//! A JSON object is the same object with more white space and its keys in another order.

use super::{
    Relation, calm,
    compare::{Except, Plays},
};
use crate::{
    canary,
    draw::{shuffle, split_mix_below},
};
use hookproof_contract::{Case, Event, HandlerResult, Name, Place, Step, Text, read, rule};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const RELATION: Relation = Relation {
    name: "respell-json-output",
    about: "white space in and around a JSON object, and the order of its keys, do not matter",
    rules: &[rule!("STDOUT-PARSE-01"), rule!("STDOUT-PARSE-02")],
    change,
    compare,
};

/// Longer outputs are left alone.
const LONGEST: usize = 40_000;

fn change(case: &Case, seed: u64) -> Option<Case> {
    let all = calm::ordinary(case)?;
    if !calm::steady(case, &all) {
        return None;
    }
    let makers: BTreeSet<&str> = all.iter().filter(|c| c.event == Event::WorktreeCreate).map(|c| c.name).collect();
    let mut new = case.clone();
    let mut state = seed;
    let mut respelt = respell_all(&mut new.results, &makers, &mut state);
    for step in &mut new.steps {
        if let Step::Fire(firing) = step {
            respelt |= respell_all(&mut firing.results, &makers, &mut state);
        }
    }
    respelt.then_some(new)
}

fn respell_all(results: &mut BTreeMap<Name, HandlerResult>, makers: &BTreeSet<&str>, state: &mut u64) -> bool {
    let mut any = false;
    // What a worktree's maker prints is a path: not even JSON is read as such.
    for (_, result) in results.iter_mut().filter(|(name, _)| !makers.contains(name.as_ref())) {
        let Some(object) = document(&result.out) else { continue };
        let mut out = String::from(["", " ", "\n", "\t\n  "][split_mix_below(state, 4)]);
        let style = [Style::Tight, Style::Spaced, Style::Lines][split_mix_below(state, 3)];
        write_object(&object, style, 0, state, &mut out);
        out.push_str(["\n", "", "\r\n", " \n\n"][split_mix_below(state, 4)]);
        any |= *result.out.bytes() != *out.as_bytes();
        result.out = Text::Plain(out);
    }
    any
}

/// The object that an output is beyond doubt: strict JSON in UTF-8, no key twice, no number that rounding could change, no
/// key that a runtime may treat as its own, nothing about running in the background.
fn document(out: &Text) -> Option<Map<String, Value>> {
    if out.len() > LONGEST {
        return None;
    }
    let text = String::from_utf8(out.bytes().into_owned()).ok()?;
    let Value::Object(object) = read::value(text.trim_matches([' ', '\t', '\r', '\n'])).ok()? else { return None };
    (!object.contains_key("async") && object.iter().all(|(key, value)| is_plain_key(key) && is_plain(value, 0)))
        .then_some(object)
}

fn is_plain_key(key: &str) -> bool {
    !matches!(key, "__proto__" | "constructor" | "prototype" | "toString" | "valueOf" | "hasOwnProperty")
        && key.is_ascii()
}

fn is_plain(value: &Value, depth: usize) -> bool {
    match value {
        Value::Number(number) => {
            number.as_i64().is_some_and(|n| n.unsigned_abs() < 1 << 53) && number.to_string() != "-0"
        }
        Value::Array(items) => depth < 20 && items.iter().all(|item| is_plain(item, depth + 1)),
        Value::Object(map) => {
            depth < 20 && map.iter().all(|(key, value)| is_plain_key(key) && is_plain(value, depth + 1))
        }
        _ => true,
    }
}

/// How JSON is laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Tight,
    Spaced,
    Lines,
}

fn write_object(map: &Map<String, Value>, style: Style, depth: usize, state: &mut u64, out: &mut String) {
    let mut members: Vec<_> = map.iter().collect();
    shuffle(&mut members, state);
    out.push('{');
    for (at, (key, value)) in members.into_iter().enumerate() {
        separate(at, style, depth + 1, out);
        out.push_str(&Value::from(key.as_str()).to_string());
        out.push_str(if style == Style::Tight { ":" } else { ": " });
        write(value, style, depth + 1, state, out);
    }
    close(map.is_empty(), style, depth, out);
    out.push('}');
}

fn write(value: &Value, style: Style, depth: usize, state: &mut u64, out: &mut String) {
    match value {
        Value::Object(map) => write_object(map, style, depth, state, out),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                separate(at, style, depth + 1, out);
                write(item, style, depth + 1, state, out);
            }
            close(items.is_empty(), style, depth, out);
            out.push(']');
        }
        other => out.push_str(&other.to_string()),
    }
}

fn separate(at: usize, style: Style, depth: usize, out: &mut String) {
    if at > 0 {
        out.push(',');
    }
    match style {
        Style::Tight => {}
        Style::Spaced => out.push(' '),
        Style::Lines => line(depth, out),
    }
}

fn close(empty: bool, style: Style, depth: usize, out: &mut String) {
    match style {
        Style::Lines if !empty => line(depth, out),
        Style::Spaced => out.push(' '),
        _ => {}
    }
}

fn line(depth: usize, out: &mut String) {
    out.push('\n');
    (0..depth).for_each(|_| out.push_str("  "));
}

fn compare(plays: &Plays<'_>) -> Result<(), String> {
    // The debug log may hold only the beginning of an output, and an error message may quote one: there the layout shows.
    let quoted = [Place::TO_DEBUG, Place::TO_USER];
    let places = if all_well_formed(plays.before) { &quoted[..1] } else { &quoted[..] };
    plays.same(&Except { places, ..Except::default() })
}

/// Whether every JSON output is valid under every event that its handler is configured for.
fn all_well_formed(case: &Case) -> bool {
    let Some(all) = calm::ordinary(case) else { return false };
    let firings = canary::firings(case);
    all.iter().all(|c| {
        let results = firings.iter().filter_map(|f| case.result(f, c.name)).chain(case.results.get(c.name));
        let mut documents = results.filter_map(|r| document(&r.out));
        // By which name a subagent's own `Stop` calls the event is open.
        documents.all(|object| [c.event, c.runs_on()].iter().all(|event| calm::well_formed(*event, &object)))
    })
}
