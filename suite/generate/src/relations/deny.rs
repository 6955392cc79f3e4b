//! One more handler that says no: nothing gets through that did not before.

use super::{
    Relation, calm,
    change::{FILES, add_group, chosen, last_rank, new_name},
    compare::{self, Plays},
};
use crate::{canary, host::CAP, rename};
use hookproof_contract::{Case, End, Event, Fate, Firing, HandlerResult, Layer, Place, Source, Text, rule};
use serde_json::{Map, Value, json};

pub(super) const RELATION: Relation = Relation {
    name: "add-a-deny",
    about: "with one more handler that blocks, the action is prevented whatever the others say",
    rules: &[rule!("PREC-PRETOOL-01"), rule!("EXIT-2-01"), rule!("PREC-ELICIT-01")],
    change,
    compare,
};

const NAME: &str = "refusal";

fn change(case: &Case, seed: u64) -> Option<Case> {
    let all = calm::ordinary(case)?;
    // Whether anything fires after the agent was stopped for good is not this relation's business.
    if case.moments_count() > 1 && calm::may_stop(case) {
        return None;
    }
    // A matcher that is no valid pattern may spoil more than its own group.
    if !all.iter().all(|c| c.matcher.is_none_or(|m| m.is_empty() || m == "*" || calm::is_list(m))) {
        return None;
    }
    let events: Vec<Event> = fired(case).filter(|event| can_refuse(case, *event)).collect();
    let event = *chosen(&events, seed)?;
    let name = new_name(&all, NAME);
    let mut new = case.clone();
    if !new.settings.iter().any(|layer| FILES.contains(&layer.from)) {
        new.settings.push(Layer { from: Source::User, settings: Map::new() });
    }
    let file = new.settings.iter_mut().find(|layer| FILES.contains(&layer.from))?;
    let group = json!({ "hooks": [{ "type": "command", "command": name }] });
    add_group(file, event, group)?;
    let result = refusal(case, event, seed / 2 % 2 == 1 && !calm::may_stop(case));
    new.results.insert(name.into(), result);
    Some(new)
}

fn fired(case: &Case) -> impl Iterator<Item = Event> {
    case.moments().filter_map(|moment| Some(compare::firing(moment.what)?.event))
}

/// Whether one refusal decides an event, whatever else its handlers say.
fn can_refuse(case: &Case, event: Event) -> bool {
    let unhookable = |firing: &Firing| firing.input.get("tool_name").is_some_and(|tool| tool == "EndConversation");
    let holds = |field: &str, what: &dyn Fn(&Value) -> bool| {
        canary::firings(case).into_iter().any(|firing| firing.input.get(field).is_some_and(what))
    };
    match event {
        Event::PreToolUse => !canary::firings(case).into_iter().any(unhookable),
        Event::UserPromptSubmit | Event::Elicitation | Event::PreCompact | Event::UserPromptExpansion => true,
        Event::TaskCreated | Event::TaskCompleted => true,
        // What managed policy says is applied whatever hooks say of it; and one call alone may be no batch.
        Event::ConfigChange => !holds("source", &|source| source == "policy_settings"),
        Event::PostToolBatch => !holds("tool_calls", &|calls| calls.as_array().is_some_and(|calls| calls.len() < 2)),
        // A switch of model is refused at all revisions at which hooks are asked of it; at others there is no such event.
        Event::PreModelSwitch => false,
        // Where it is not halted for good.
        Event::TeammateIdle => !calm::may_stop(case),
        // Up to the limit, and where nobody stops the agent altogether.
        Event::Stop | Event::SubagentStop => {
            fired(case).filter(|event| matches!(event, Event::Stop | Event::SubagentStop)).count() <= 8
                && !case.host.env.contains_key(CAP)
                && !calm::may_stop(case)
        }
        _ => false,
    }
}

fn refusal(case: &Case, event: Event, as_json: bool) -> HandlerResult {
    let used = rename::used_tokens(case);
    let token = (0..).map(|n: u32| format!("REFUSED-{n:02}")).find(|t| used.iter().all(|u| !u.contains(t.as_str())));
    let token = token.unwrap_or_default();
    let rank = last_rank(case);
    if as_json && event == Event::PreToolUse {
        let out = json!({ "hookSpecificOutput": { "hookEventName": event.name(), "permissionDecision": "deny",
            "permissionDecisionReason": token } });
        return HandlerResult { out: Text::Plain(out.to_string()), rank, ..HandlerResult::default() };
    }
    HandlerResult { end: End::Exit(2), err: Text::Plain(token), rank, ..HandlerResult::default() }
}

fn compare(plays: &Plays<'_>) -> Result<(), String> {
    let Plays { before, was, after, is, .. } = *plays;
    plays.check_counts()?;
    let refused = calm::ordinary(after).and_then(|all| {
        let new = |c: &&calm::Configured<'_>| c.name.starts_with(NAME) && !before.results.contains_key(c.name);
        all.iter().find(new).map(|c| c.event)
    });
    for moment in after.moments() {
        let Some(firing) = compare::firing(moment.what) else { continue };
        let step = moment.number;
        if Some(firing.event) != refused || !plays.sees(Place::Fate, step) {
            continue;
        }
        let (old, new) = (was[step].fate_in(firing), is[step].fate_in(firing));
        if new != Fate::Prevented {
            return Err(format!(
                "step {step}, fate: a handler refuses, yet after it is {}; without it was {}",
                new.name(),
                old.name()
            ));
        }
    }
    Ok(())
}
