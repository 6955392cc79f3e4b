//! The same handler in a second settings file runs once all the same.

use super::{
    Relation, calm,
    change::{FILES, add_group, chosen},
    compare,
};
use hookproof_contract::{Case, Layer, rule};
use serde_json::{Map, Value};

pub(super) const RELATION: Relation = Relation {
    name: "same-handler-in-a-second-layer",
    about: "an identical handler that stands in two settings files runs once",
    rules: &[rule!("CONFIG-HANDLER-03")],
    change,
    compare: compare::same,
};

fn change(case: &Case, seed: u64) -> Option<Case> {
    let all = calm::ordinary(case)?;
    // Whether copies inside one file, or copies that differ in a field, are the same handler is open.
    if !calm::once_each(&all) || !calm::order_free(case, &all) {
        return None;
    }
    let free = FILES.iter().find(|source| case.settings.iter().all(|layer| layer.from != **source))?;
    let in_files: Vec<_> = all.iter().filter(|c| FILES.contains(&case.settings[c.layer].from)).collect();
    let original = chosen(&in_files, seed)?;
    let mut group = Map::new();
    if let Some(matcher) = original.matcher {
        group.insert("matcher".to_owned(), Value::from(matcher));
    }
    group.insert("hooks".to_owned(), Value::Array(vec![Value::Object(original.handler.clone())]));
    let mut layer = Layer { from: free.clone(), settings: Map::new() };
    add_group(&mut layer, original.event, Value::Object(group))?;
    let mut new = case.clone();
    new.settings.push(layer);
    Some(new)
}
