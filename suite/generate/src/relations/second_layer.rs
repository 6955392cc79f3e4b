//! The same handler in a second settings file runs once all the same.

use super::{
    Relation, calm,
    compare::{Except, Plays},
};
use hookproof_contract::{Case, Layer, Outcome, Place, Source, rule};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

pub(super) const RELATION: Relation = Relation {
    name: "same-handler-in-a-second-layer",
    about: "an identical handler that stands in two settings files runs once",
    rules: &[rule!("CONFIG-HANDLER-03")],
    change,
    compare,
};

/// The sources that are settings files without any doubt.
const FILES: [Source; 3] = [Source::User, Source::Project, Source::Local];

fn change(case: &Case, seed: u64) -> Option<Case> {
    let all = calm::ordinary(case)?;
    // Whether copies inside one file, or copies that differ in a field, are the same handler is open.
    if !calm::once_each(&all) || !calm::order_free(case, &all) {
        return None;
    }
    let free = FILES.iter().find(|source| case.settings.iter().all(|layer| layer.from != **source))?;
    let in_files: Vec<_> = all.iter().filter(|c| FILES.contains(&case.settings[c.layer].from)).collect();
    let chosen = in_files.get(usize::try_from(seed).ok()?.checked_rem(in_files.len())?)?;
    let mut group = Map::new();
    if let Some(matcher) = chosen.matcher {
        group.insert("matcher".to_owned(), Value::from(matcher));
    }
    group.insert("hooks".to_owned(), Value::Array(vec![Value::Object(chosen.handler.clone())]));
    let hooks = Map::from_iter([(chosen.event.name().to_owned(), Value::Array(vec![Value::Object(group)]))]);
    let settings = Map::from_iter([("hooks".to_owned(), Value::Object(hooks))]);
    let mut new = case.clone();
    new.settings.push(Layer { from: free.clone(), settings });
    Some(new)
}

fn compare(
    before: &Case,
    was: &[Outcome],
    after: &Case,
    is: &[Outcome],
    observes: &BTreeSet<Place>,
) -> Result<(), String> {
    Plays { before, was, after, is, observes }.same(&Except::default())
}
