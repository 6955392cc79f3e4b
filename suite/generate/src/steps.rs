//! What happens, in order: one firing, a Stop or a SubagentStop that fires again and again, or two firings with a new prompt between them.

use crate::{
    conditions,
    draw::Draw,
    host, input,
    plan::{Course, Plan, Subject},
};
use hookproof_contract::{Case, End, Event, Firing, HandlerResult, Happening, Host, Layer, Name, Step};
use serde_json::Value;
use std::collections::BTreeMap;

/// Draws the steps.
pub(crate) fn draw(
    draw: &mut Draw<'_, '_>,
    plan: &Plan,
    host: &Host,
    settings: &[Layer],
    overlay: BTreeMap<Name, HandlerResult>,
) -> Vec<Step> {
    let mut steps = course(draw, plan, host, overlay);
    if plan.course != Course::Stops {
        for step in &mut steps {
            if let Step::Fire(firing) = step {
                conditions::call(draw, host, settings, firing);
            }
        }
        conditions::follow(draw, settings, &mut steps);
    }
    steps
}

fn course(draw: &mut Draw<'_, '_>, plan: &Plan, host: &Host, overlay: BTreeMap<Name, HandlerResult>) -> Vec<Step> {
    let first = fire(draw, host, plan.first);
    match (plan.course, plan.second) {
        (Course::Stops, _) => stops(draw, host, first),
        (Course::Two, Some(second)) => {
            let mut second = fire(draw, host, second);
            second.results = overlay;
            let last = second.event;
            let mut steps = vec![Step::Fire(first), Step::Happen(Happening::NewPrompt), Step::Fire(second)];
            steps.extend(arrival(draw, last));
            steps
        }
        (Course::Again, _) => again(draw, host, plan, first, overlay),
        _ if !first.input.is_empty() && first.event != Event::SessionStart && draw.chance(1) => {
            // Without hooks of its own.
            let mut begins = Firing::of(Event::SessionStart);
            begins.input.insert("source".to_owned(), Value::from("resume"));
            vec![Step::Fire(first), Step::Happen(Happening::Resumed), Step::Fire(begins)]
        }
        _ if first.event == Event::Stop && draw.chance(50) => {
            vec![Step::Happen(Happening::NewPrompt), Step::Fire(first)]
        }
        _ => {
            let event = first.event;
            std::iter::once(Step::Fire(first)).chain(arrival(draw, event)).collect()
        }
    }
}

/// What follows so that what hooks said reaches the model, where it does so later.
fn arrival(draw: &mut Draw<'_, '_>, event: Event) -> Vec<Step> {
    let (prompt, request) = (Step::Happen(Happening::NewPrompt), Step::Happen(Happening::ModelRequest));
    match event {
        Event::DirectoryAdded if draw.chance(75) => match draw.chance(20) {
            true => vec![request.clone(), prompt, request],
            false => vec![prompt, request],
        },
        Event::PostModelSwitch if draw.chance(75) => match draw.chance(30) {
            true => vec![prompt, request],
            false => vec![request],
        },
        _ => Vec::new(),
    }
}

/// The same once more: a deferred call comes again with the session that is resumed; a directory or a file changes again, and so does
/// the model; a subagent begins again.
fn again(
    draw: &mut Draw<'_, '_>,
    host: &Host,
    plan: &Plan,
    first: Firing,
    overlay: BTreeMap<Name, HandlerResult>,
) -> Vec<Step> {
    let same = matches!(first.event, Event::PreToolUse | Event::SubagentStart);
    let mut second = if same { first.clone() } else { fire(draw, host, plan.first) };
    if first.event == Event::CwdChanged {
        let (gone, back) = (first.input["new_cwd"].clone(), first.input["old_cwd"].clone());
        second.input.extend([("old_cwd".to_owned(), gone), ("new_cwd".to_owned(), back)]);
    }
    second.results = overlay;
    let between = match first.event {
        Event::PreToolUse => Some(Step::Happen(Happening::Resumed)),
        Event::SubagentStart if draw.chance(40) => Some(Step::Happen(Happening::Compacted)),
        _ => None,
    };
    let after = (first.event == Event::PostModelSwitch).then_some(Step::Happen(Happening::ModelRequest));
    std::iter::once(Step::Fire(first)).chain(between).chain([Step::Fire(second)]).chain(after).collect()
}

/// A Stop that is kept from stopping each time, up to the limit and one beyond, where the turn ends.
fn stops(draw: &mut Draw<'_, '_>, host: &Host, first: Firing) -> Vec<Step> {
    let cap = host.env.get(host::CAP).and_then(|cap| cap.parse().ok()).filter(|cap| *cap > 8).unwrap_or(8);
    let times = match draw.weighted(&[(80, 2), (70, 1), (60, 0), (40, 3)]) {
        0 => cap,
        1 => cap + 1,
        2 => 2,
        _ => 1 + u32::try_from(draw.below(8)).unwrap_or(0),
    };
    let mut steps = vec![Step::Happen(Happening::NewPrompt), Step::Fire(Firing { times, ..first.clone() })];
    if !draw.chance(45) {
        return steps;
    }
    // The turn may be over, and then only a new prompt moves the session on.
    let ended = times > 8;
    steps.push(Step::Happen(if ended || draw.chance(25) { Happening::NewPrompt } else { Happening::ToolCall }));
    let again = draw.pick(&[1, 9, 8, 2, 4]);
    steps.push(Step::Fire(Firing { times: again, ..first }));
    steps
}

/// Draws one firing.
pub(crate) fn fire(draw: &mut Draw<'_, '_>, host: &Host, subject: Subject) -> Firing {
    let mut firing = Firing::of(subject.event);
    firing.input = input::draw(draw, host, subject);
    firing.otherwise = host::otherwise(draw, host, subject, &firing);
    firing
}

/// Whether no Stop fires after one that may have ended the turn, as far as that can be told without a runtime: before
/// another Stop something must happen, or some handler must be one that keeps the agent from stopping.
pub(crate) fn stops_follow(case: &Case) -> bool {
    let mut open = false;
    let blocks = case.results.values().any(blocks);
    for step in &case.steps {
        match step {
            Step::Fire(f) if matches!(f.event, Event::Stop | Event::SubagentStop) => {
                if (open || f.times > 1) && !blocks {
                    return false;
                }
                open = true;
            }
            Step::Happen(Happening::NewPrompt | Happening::Cleared | Happening::Resumed) => open = false,
            _ => {}
        }
    }
    true
}

fn blocks(result: &HandlerResult) -> bool {
    let out = result.out.lossy();
    result.end == End::Exit(2)
        || out.contains("\"ok\":false")
        || out.contains("\"block\"")
        || out.contains("additionalContext")
}
