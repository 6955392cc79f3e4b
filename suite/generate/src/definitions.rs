//! Hooks in the definition of a subagent: one layer becomes such a definition, and subagents begin, act and stop.

use crate::{
    draw::Draw,
    plan::{AGENT, Course, Plan},
};
use hookproof_contract::{Case, Event, Firing, Happening, Source, Step};
use serde_json::Value;
use std::collections::BTreeMap;

/// The subagents of the definition, and one of another name.
const OWN: [&str; 2] = ["a4d2c8f1", "b2e7"];
const OTHER: (&str, &str) = ("e1c9", "Explore");

/// Makes the last layer the definition of a subagent, and tells what such subagents do meanwhile.
pub(crate) fn draw(draw: &mut Draw<'_, '_>, plan: &Plan, case: &mut Case) {
    let about = |event: Event| is_of_a_call(event) || matches!(event, Event::Stop | Event::SubagentStop);
    let often = if plan.subjects().any(|s| about(s.event)) { 11 } else { 2 };
    let of_an_agent = |f: &Firing| f.event == Event::SessionStart && f.input.contains_key("agent_type");
    let session = case.steps.iter().any(|step| matches!(step, Step::Fire(firing) if of_an_agent(firing)));
    if session {
        // A subagent of another type at work in it.
        for step in &mut case.steps {
            if let Step::Fire(firing) = step
                && is_of_a_call(firing.event)
                && draw.chance(60)
            {
                told(firing, OTHER);
            }
        }
        return;
    }
    if plan.course == Course::Stops || !draw.chance(often) {
        return;
    }
    let Some(layer) = case.settings.iter_mut().rev().find(|layer| layer.settings.keys().all(|key| key == "hooks"))
    else {
        return;
    };
    layer.from = Source::Agent(AGENT.to_owned());
    let mut steps = Vec::with_capacity(case.steps.len() + 4);
    if draw.chance(50) {
        steps.push(event(Event::SubagentStart, (OWN[0], AGENT)));
    }
    for step in case.steps.drain(..) {
        let Step::Fire(firing) = &step else {
            steps.push(step);
            continue;
        };
        let is_call = is_of_a_call(firing.event);
        if firing.event == Event::Stop && draw.chance(60) {
            steps.extend([event(Event::SubagentStop, who(draw)), Step::Happen(Happening::NewPrompt)]);
        }
        let mut own = firing.clone();
        if is_call && draw.chance(75) {
            told(&mut own, who(draw));
        }
        steps.push(Step::Fire(own));
        if is_call && draw.chance(50) {
            steps.push(event(Event::SubagentStop, who(draw)));
            let mut again = Firing { results: BTreeMap::new(), ..firing.clone() };
            if draw.chance(35) {
                told(&mut again, who(draw));
            }
            steps.extend([Step::Happen(Happening::NewPrompt), Step::Fire(again)]);
        }
    }
    case.steps = steps;
}

fn is_of_a_call(event: Event) -> bool {
    matches!(
        event,
        Event::PreToolUse
            | Event::PermissionRequest
            | Event::PermissionDenied
            | Event::PostToolUse
            | Event::PostToolUseFailure
    )
}

/// Most often the subagent that began.
fn who(draw: &mut Draw<'_, '_>) -> (&'static str, &'static str) {
    draw.weighted(&[(190, (OWN[0], AGENT)), (26, (OWN[1], AGENT)), (40, OTHER)])
}

fn event(event: Event, who: (&str, &str)) -> Step {
    let mut firing = Firing::of(event);
    told(&mut firing, who);
    Step::Fire(firing)
}

fn told(firing: &mut Firing, (id, kind): (&str, &str)) {
    firing.input.insert("agent_id".to_owned(), Value::from(id));
    firing.input.insert("agent_type".to_owned(), Value::from(kind));
}
