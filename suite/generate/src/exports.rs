//! Variables that hooks export for Bash commands, and the calls that find them or do not.

use crate::{
    draw::Draw,
    handler::Kind,
    plan::{Course, Plan, Subject},
    settings::Handler,
    steps, tools,
};
use hookproof_contract::{Case, Deed, Event, Firing, HandlerResult, Happening, Name, Step, Text};
use serde_json::Value;

/// What hooks export. No name is the beginning of another.
const VALUES: [&str; 4] = ["test", "8080", "/work/lib-2", "http://localhost:9000/v1"];

/// Has some commands export variables, and Bash commands follow.
pub(crate) fn draw(draw: &mut Draw<'_, '_>, plan: &Plan, handlers: &[Handler], case: &mut Case) {
    let has_the_file =
        |s: Subject| matches!(s.event, Event::SessionStart | Event::Setup | Event::CwdChanged | Event::FileChanged);
    let often = if plan.subjects().any(has_the_file) { 55 } else { 2 };
    if plan.course == Course::Stops || plan.subjects().any(is_the_last) || !draw.chance(often) {
        return;
    }
    let mut made = 0;
    for handler in handlers.iter().filter(|handler| handler.kind == Kind::Command) {
        let result = case.results.entry(Name::clone(&handler.name)).or_default();
        result.did.push(export(draw, made));
        made += 1;
        if draw.chance(25) {
            *result = HandlerResult { did: std::mem::take(&mut result.did), ..HandlerResult::default() };
        }
    }
    if made > 0 {
        follow(draw, plan, handlers, case);
    }
}

/// Whether a session is over with an event.
fn is_the_last(subject: Subject) -> bool {
    matches!(subject.event, Event::SessionEnd | Event::WorktreeRemove)
}

fn export(draw: &mut Draw<'_, '_>, number: usize) -> Deed {
    let line = |name: char, value: &str| format!("export {name}_VAR_{number}={value}\n");
    let mut text = line('A', draw.pick(&VALUES));
    if draw.chance(20) {
        text.push_str(&line('B', draw.pick(&VALUES)));
    }
    Deed::WroteEnvironment(Text::Plain(text))
}

/// What happens between one Bash command and the next.
#[derive(Clone, Copy)]
enum Between {
    Nothing,
    Happens(Happening),
    /// Another directory, in which the first command exports something else or nothing.
    Moves,
}

fn follow(draw: &mut Draw<'_, '_>, plan: &Plan, handlers: &[Handler], case: &mut Case) {
    if plan.first.event == Event::Setup && draw.chance(50) {
        let mut start = Firing::of(Event::SessionStart);
        start.input.insert("source".to_owned(), Value::from("startup"));
        case.steps.push(Step::Fire(start));
    }
    if plan.subjects().any(|s| matches!(s.event, Event::Stop | Event::SubagentStop)) {
        case.steps.push(Step::Happen(Happening::NewPrompt));
    }
    case.steps.push(bash(draw, case));
    let between = draw.weighted(&[
        (90, Between::Nothing),
        (90, Between::Moves),
        (20, Between::Happens(Happening::NewPrompt)),
        (20, Between::Happens(Happening::Compacted)),
        (20, Between::Happens(Happening::Cleared)),
        (16, Between::Happens(Happening::Resumed)),
    ]);
    match between {
        Between::Nothing => return,
        Between::Happens(what) => case.steps.push(Step::Happen(what)),
        Between::Moves => {
            let mut moves = Firing::of(Event::CwdChanged);
            moves.input.insert("new_cwd".to_owned(), Value::from("/work/third"));
            if let Some(first) = handlers.iter().find(|h| h.kind == Kind::Command).filter(|_| draw.chance(60)) {
                let did = if draw.chance(50) { vec![export(draw, 9)] } else { Vec::new() };
                let result = HandlerResult { did, ..HandlerResult::default() };
                moves.results.insert(Name::clone(&first.name), result);
            }
            case.steps.push(Step::Fire(moves));
        }
    }
    case.steps.push(bash(draw, case));
}

fn bash(draw: &mut Draw<'_, '_>, case: &Case) -> Step {
    Step::Fire(steps::fire(draw, &case.host, Subject { event: Event::PreToolUse, tool: Some(tools::CALLED[0]) }))
}
