//! A list of names is the same as a group for each name.

use super::{
    Relation, calm,
    change::{chosen, groups},
    compare,
};
use hookproof_contract::{Case, Event, rule};
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) const RELATION: Relation = Relation {
    name: "split-a-list-of-names",
    about: "a group that matches `A|B` is the same as a group for `A` and one for `B`",
    rules: &[rule!("MATCH-PAT-02"), rule!("MATCH-PAT-03")],
    change,
    compare: compare::same,
};

fn change(case: &Case, seed: u64) -> Option<Case> {
    let all = calm::ordinary(case)?;
    if !calm::steady(case, &all) {
        return None;
    }
    // Where matchers count, and a bar or a comma divides them.
    let divided = |event: Event| {
        // Where a switch leads to a model without a name, both groups may run.
        let by_model = matches!(event, Event::PreModelSwitch | Event::PostModelSwitch);
        rule!("MATCH-PAT-03").rule().speaks_of(event) && !by_model
    };
    let lists: Vec<_> = all.iter().filter(|c| divided(c.event) && c.matcher.is_some_and(can_split)).collect();
    let list = chosen(&lists, seed)?;
    let matcher = list.matcher?;
    let at = matcher.find(['|', ','])?;
    let (first, rest) = (&matcher[..at], &matcher[at + 1..]);
    let mut new = case.clone();
    let groups = groups(&mut new, list)?;
    let mut second = groups.get(list.group)?.clone();
    groups.get_mut(list.group)?.as_object_mut()?.insert("matcher".to_owned(), Value::from(first));
    second.as_object_mut()?.insert("matcher".to_owned(), Value::from(rest));
    groups.insert(list.group + 1, second);
    Some(new)
}

/// Two or more different names, none of them empty.
fn can_split(matcher: &str) -> bool {
    let names: Vec<&str> = matcher.split(['|', ',']).collect();
    let different: BTreeSet<&str> = names.iter().copied().collect();
    calm::is_list(matcher) && names.len() > 1 && different.len() == names.len() && !different.contains("")
}
