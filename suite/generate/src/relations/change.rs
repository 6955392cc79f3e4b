//! What the changes have in common: choosing a place by the seed, and adding to a case.

use super::calm::Configured;
use hookproof_contract::{Case, Event, Layer, Source};
use serde_json::{Map, Value};

/// The sources that are settings files without any doubt.
pub(super) const FILES: [Source; 3] = [Source::User, Source::Project, Source::Local];

/// The one that a seed stands for.
pub(super) fn chosen<T>(items: &[T], seed: u64) -> Option<&T> {
    items.get(usize::try_from(seed).ok()?.checked_rem(items.len())?)
}

/// The groups among which that of this handler stands.
pub(super) fn groups<'a>(case: &'a mut Case, beside: &Configured<'_>) -> Option<&'a mut Vec<Value>> {
    case.settings.get_mut(beside.layer)?.settings.get_mut("hooks")?.get_mut(beside.event.name())?.as_array_mut()
}

/// Writes one more group into a layer.
pub(super) fn add_group(layer: &mut Layer, event: Event, group: Value) -> Option<()> {
    let hooks = layer.settings.entry("hooks").or_insert_with(|| Value::Object(Map::new()));
    let groups = hooks.as_object_mut()?.entry(event.name()).or_insert_with(|| Value::Array(Vec::new()));
    groups.as_array_mut()?.push(group);
    Some(())
}

/// A handler's text that the case does not hold yet.
pub(super) fn new_name(all: &[Configured<'_>], wanted: &str) -> String {
    let mut name = wanted.to_owned();
    while all.iter().any(|c| c.name == name) {
        name.push('x');
    }
    name
}

/// The rank of a handler that ends after all others.
pub(super) fn last_rank(case: &Case) -> u16 {
    case.results.values().map(|result| result.rank).max().unwrap_or(0).saturating_add(1)
}
