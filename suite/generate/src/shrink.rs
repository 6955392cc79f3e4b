//! The one shrinker: greedy, deterministic, on the value. It never asks a runtime itself; it is told whether a smaller case
//! still fails.

mod passes;
mod text;

use crate::{canary, host, steps};
use hookproof_contract::{Case, Deed, End, Fate, HandlerResult, Host, Name, Source, Step, Surface, Text};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// How many smaller cases are tried at most.
pub const ATTEMPTS: usize = 4_000;

/// Makes a failing case as small as can be reached by one simplification after the other. The result still fails; each
/// accepted step is smaller by [`size`]. What a case keeps to is kept: canaries of its own in every text, firings that agree
/// with the permission rules, no Stop after one that ended the turn.
pub fn shrink(case: &Case, still_fails: &mut dyn FnMut(&Case) -> bool) -> Case {
    let manners = Manners::of(case);
    let mut best = case.clone();
    let mut left = ATTEMPTS;
    loop {
        let before = size(&best);
        for pass in passes::ALL {
            improve(&mut best, *pass, &manners, &mut left, still_fails);
        }
        if size(&best) == before {
            return best;
        }
    }
}

/// A way to make a case smaller: all cases that one simplification of this kind makes of it, the boldest first.
type Pass = fn(&Case) -> Vec<Case>;

/// Runs one pass until nothing that it offers is accepted. After a success it goes on at the same place: what stands before
/// has just been refused.
fn improve(
    best: &mut Case,
    pass: Pass,
    manners: &Manners,
    left: &mut usize,
    still_fails: &mut dyn FnMut(&Case) -> bool,
) {
    let pass = |case: &Case| -> Vec<Case> { pass(case).into_iter().map(|offer| manners.tidy(offer)).collect() };
    let mut at = 0;
    let mut offers = pass(best);
    while at < offers.len() {
        if *left == 0 {
            return;
        }
        let offer = &offers[at];
        if size(offer) < size(best) && manners.kept_by(offer) {
            *left -= 1;
            if still_fails(offer) {
                *best = offers.swap_remove(at);
                offers = pass(best);
                continue;
            }
        }
        at += 1;
    }
}

/// What the case that came in keeps to, and every smaller one therefore as well.
struct Manners {
    marked: bool,
    agrees: bool,
    stops_follow: bool,
    /// Each result is that of a handler.
    named: bool,
}

impl Manners {
    fn of(case: &Case) -> Manners {
        Manners {
            marked: canary::lint(case).is_ok(),
            agrees: host::agrees(case),
            stops_follow: steps::stops_follow(case),
            named: without_orphans(case.clone()) == *case,
        }
    }

    /// The case without what went with something that is gone.
    fn tidy(&self, case: Case) -> Case {
        if self.named { without_orphans(case) } else { case }
    }

    fn kept_by(&self, case: &Case) -> bool {
        (!self.agrees || host::agrees(case))
            && (!self.stops_follow || steps::stops_follow(case))
            && (!self.marked || canary::lint(case).is_ok())
    }
}

/// The case without results of handlers that it does not have: nobody could play it.
fn without_orphans(mut case: Case) -> Case {
    let settings = case.settings.iter().filter_map(|layer| layer.settings.get("hooks")?.as_object());
    let groups = settings.flat_map(Map::values).filter_map(Value::as_array).flatten();
    let handlers = groups.filter_map(|group| group.get("hooks")?.as_array()).flatten().filter_map(Value::as_object);
    let names: BTreeSet<String> = handlers.filter_map(canary::name).map(str::to_owned).collect();
    let is_there = |name: &Name, _: &mut HandlerResult| names.contains(name.as_ref());
    case.results.retain(is_there);
    for step in &mut case.steps {
        if let Step::Fire(firing) = step {
            firing.results.retain(is_there);
        }
    }
    case
}

/// How large a case is. Every part counts: a layer, a group, a handler, a result and a step by what they hold and a little for
/// being there; a host fact only where it differs from its default; a repeat as one step more; a text by its length. An
/// ordinary end (exit 0) counts nothing, so that a result that says nothing is smaller than one that fails.
#[must_use]
pub fn size(case: &Case) -> usize {
    let layers: usize =
        case.settings.iter().map(|layer| 10 + source_size(&layer.from) + map_size(&layer.settings)).sum();
    let steps: usize = case.steps.iter().map(step_size).sum();
    host_size(&case.host) + layers + results_size(&case.results) + steps
}

fn source_size(source: &Source) -> usize {
    match source {
        Source::User => 0,
        Source::Plugin(name) | Source::Skill(name) | Source::Agent(name) => 3 + name.len(),
        _ => 1,
    }
}

fn step_size(step: &Step) -> usize {
    match step {
        Step::Happen(_) => 8,
        Step::Fire(firing) => {
            let otherwise = if firing.otherwise == Fate::default() { 0 } else { 4 };
            10 + 4 * firing.times as usize + otherwise + map_size(&firing.input) + results_size(&firing.results)
        }
    }
}

fn host_size(host: &Host) -> usize {
    let plain = Host::default();
    let differs = |unlike: bool| if unlike { 10 } else { 0 };
    let rules = [&host.permissions.allow, &host.permissions.ask, &host.permissions.deny];
    let rules: usize = rules.into_iter().flatten().map(|rule| 4 + rule.len()).sum();
    let surface = match host.surface {
        Surface::Terminal => 0,
        Surface::Print => 10,
        Surface::Sdk | Surface::Background => 11,
    };
    let named = |all: &BTreeMap<String, String>| -> usize { all.iter().map(|(k, v)| 4 + k.len() + v.len()).sum() };
    surface
        + rules
        + differs(host.permission_mode != plain.permission_mode)
        + differs(host.permission_host)
        + differs(!host.trusted)
        + usize::from(host.tool_calls_in_turn.abs_diff(1)) * 2
        + 10 * host.facts.len()
        + named(&host.models)
        + named(&host.env)
        + differs(host.cwd != plain.cwd)
        + host.directories.as_ref().map_or(0, |there| 10 + there.iter().map(|d| 2 + d.len()).sum::<usize>())
}

fn results_size(results: &BTreeMap<Name, HandlerResult>) -> usize {
    let one = |(name, result): (&Name, &HandlerResult)| {
        let end = match result.end {
            End::Exit(0) => 0,
            End::Exit(1 | 2) | End::Status(200) | End::Answered => 6,
            _ => 8,
        };
        let did: usize = result.did.iter().map(deed_size).sum();
        8 + name.len() + end + text_size(&result.out) + text_size(&result.err) + usize::from(result.rank) + did
    };
    results.iter().map(one).sum()
}

fn deed_size(deed: &Deed) -> usize {
    20 + match deed {
        Deed::WroteEnvironment(text) => text_size(text),
        Deed::RemovedDirectory(path) | Deed::ChangedFile(path) => path.len(),
    }
}

fn text_size(text: &Text) -> usize {
    match text {
        Text::Plain(string) => string.len(),
        Text::Bytes(bytes) => 4 + bytes.len(),
        Text::Fill(run, times) => 2 + run.len().saturating_mul(*times),
        Text::Join(parts) => 2 + parts.iter().map(|part| 1 + text_size(part)).sum::<usize>(),
    }
}

fn map_size(map: &Map<String, Value>) -> usize {
    map.iter().map(|(key, value)| 2 + key.len() + value_size(value)).sum()
}

fn value_size(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(false) => 1,
        Value::Bool(true) => 2,
        Value::Number(number) => number.to_string().len(),
        Value::String(string) => 1 + string.len(),
        Value::Array(items) => 1 + items.iter().map(|item| 1 + value_size(item)).sum::<usize>(),
        Value::Object(map) => 1 + map_size(map),
    }
}

#[cfg(test)]
mod tests;
