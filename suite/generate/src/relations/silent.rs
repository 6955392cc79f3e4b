//! A handler that says nothing changes nothing.

use super::{
    Relation, calm,
    change::{chosen, groups, last_rank, new_name},
    compare::{Except, Plays},
};
use hookproof_contract::{Case, Event, HandlerResult, Place, rule};
use serde_json::{Value, json};

pub(super) const RELATION: Relation = Relation {
    name: "append-a-silent-handler",
    about: "a handler that exits 0 in silence runs beside the others and changes nothing",
    rules: &[rule!("CONFIG-NEST-03"), rule!("CONFIG-NEST-02")],
    change,
    compare,
};

const NAME: &str = "silence";

fn change(case: &Case, seed: u64) -> Option<Case> {
    let all = calm::ordinary(case)?;
    if !calm::steady(case, &all) {
        return None;
    }
    // A silent maker of worktrees is one that failed, and who removes one in silence says that it is gone.
    let says_nothing = |event: Event| rule!("CONFIG-NEST-03").rule().speaks_of(event);
    let places: Vec<_> = all.iter().filter(|c| says_nothing(c.event)).collect();
    let beside = chosen(&places, seed)?;
    let name = new_name(&all, NAME);
    let mut new = case.clone();
    let handlers = groups(&mut new, beside)?.get_mut(beside.group)?.get_mut("hooks")?.as_array_mut()?;
    handlers.push(json!({ "type": "command", "command": name }));
    new.results.insert(name.into(), HandlerResult { rank: last_rank(case), ..HandlerResult::default() });
    Some(new)
}

fn compare(plays: &Plays<'_>) -> Result<(), String> {
    let Plays { before, after, is, .. } = *plays;
    let new = after.results.keys().find(|name| !before.results.contains_key(*name) && name.starts_with(NAME));
    plays.same(&Except { handler: new.map(AsRef::as_ref), ..Except::default() })?;
    let (Some(new), Some(all)) = (new, calm::ordinary(after)) else { return Ok(()) };
    // It runs exactly when a handler of its group runs that stands nowhere else.
    let Some(own) = all.iter().find(|c| c.name == &**new) else { return Ok(()) };
    let beside = all.iter().find(|c| {
        (c.layer, c.event, c.group) == (own.layer, own.event, own.group)
            && c.name != own.name
            // Of some types of handlers it is said that they do not run there.
            && !(matches!(c.event, Event::SessionStart | Event::Setup) && c.handler.contains_key("url"))
            && all.iter().filter(|other| other.name == c.name).count() == 1
    });
    let Some(beside) = beside else { return Ok(()) };
    for (step, outcome) in is.iter().enumerate().filter(|(step, _)| plays.sees(Place::Ran, *step)) {
        let times = |name: &str| outcome.ran.iter().filter(|ran| &*ran.handler == name).count();
        if times(new) != times(beside.name) {
            let ran: Vec<Value> = outcome.ran.iter().map(|ran| Value::from(&*ran.handler)).collect();
            return Err(format!(
                "step {step}, ran: `{new}` stands beside `{}`, but there ran {}",
                beside.name,
                Value::from(ran)
            ));
        }
    }
    Ok(())
}
