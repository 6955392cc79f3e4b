//! The order in which handlers are written changes nothing.

use super::{Relation, calm, compare};
use crate::draw::shuffle;
use hookproof_contract::{Case, Event, rule};
use serde_json::Value;

pub(super) const RELATION: Relation = Relation {
    name: "permute-the-configuration",
    about: "handlers of one event run in parallel: the order in which they are written does not matter",
    rules: &[rule!("CONFIG-HANDLER-02")],
    change,
    compare: compare::same,
};

fn change(case: &Case, seed: u64) -> Option<Case> {
    let all = calm::ordinary(case)?;
    let count = |event: Event| all.iter().filter(|c| c.event == event).count();
    // What contradicting hooks come to, and which of several copies counts, may go by the order. A worktree's hooks contradict each
    // other even by their silence.
    let contradict = count(Event::WorktreeCreate) > 1 || count(Event::WorktreeRemove) > 1;
    if contradict || !calm::once_each(&all) || !calm::order_free(case, &all) {
        return None;
    }
    let mut state = seed;
    let mut new = case.clone();
    for layer in &mut new.settings {
        let Some(Value::Object(hooks)) = layer.settings.get_mut("hooks") else { continue };
        for groups in hooks.values_mut().filter_map(Value::as_array_mut) {
            for group in groups.iter_mut() {
                if let Some(Value::Array(handlers)) = group.get_mut("hooks") {
                    permute(handlers, &mut state);
                }
            }
            permute(groups, &mut state);
        }
    }
    (new != *case).then_some(new)
}

/// Shuffled, or else turned round, so that two things always change places.
fn permute(items: &mut [Value], state: &mut u64) {
    let before = items.to_vec();
    shuffle(items, state);
    if items == before.as_slice() {
        items.reverse();
    }
}
