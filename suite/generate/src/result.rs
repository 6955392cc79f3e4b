//! What the outside world answers when a handler runs: how it ended, what it wrote, and in which order handlers end.

use crate::{
    answer,
    draw::Draw,
    handler::Kind,
    output::{self, Pieces, Reader},
    plan::{Course, Plan, TREE, TREES},
    settings::Handler,
};
use hookproof_contract::{Deed, End, Event, HandlerResult, Name, Text};
use std::collections::BTreeMap;

type Results = BTreeMap<Name, HandlerResult>;

/// Draws the results of all handlers, and those that hold for the second step only.
pub(crate) fn draw(draw: &mut Draw<'_, '_>, plan: &Plan, handlers: &[Handler]) -> (Results, Results) {
    let mut results = Results::new();
    let mut overlay = Results::new();
    let grants = plan.course == Course::Again && plan.first.event == Event::PermissionRequest;
    let of_rules = draw.chance(50);
    let order = draw.weighted(&[(120, Order::Forward), (90, Order::Backward), (40, Order::None)]);
    for (at, handler) in handlers.iter().enumerate() {
        let rank = match order {
            Order::Forward => at,
            Order::Backward => handlers.len() - 1 - at,
            Order::None => 0,
        };
        let rank = u16::try_from(rank).unwrap_or(u16::MAX);
        let stops = plan.course == Course::Stops;
        let mood = Mood { keeps_going: stops, calm: plan.calm };
        let mut result = if stops && at == 0 {
            keeps_going(draw, handler)
        } else if plan.resumes() && handler.kind == Kind::Command && draw.chance(60) {
            HandlerResult { out: output::deferring(draw), ..HandlerResult::default() }
        } else if grants && handler.kind == Kind::Command && draw.chance(60) {
            HandlerResult { out: output::granting("add", of_rules), ..HandlerResult::default() }
        } else {
            result(draw, handler, mood)
        };
        result.rank = rank;
        let often = match plan.course {
            Course::Two => 12,
            Course::Again => 60,
            Course::Once | Course::Stops => 0,
        };
        if often > 0 && draw.chance(often) {
            let mut second = if grants && handler.kind == Kind::Command && draw.chance(80) {
                HandlerResult { out: output::granting("remove", of_rules), ..HandlerResult::default() }
            } else {
                self::result(draw, handler, mood)
            };
            second.rank = rank;
            overlay.insert(Name::clone(&handler.name), second);
        }
        if result != HandlerResult::default() {
            results.insert(Name::clone(&handler.name), result);
        }
    }
    (results, overlay)
}

/// In which order the handlers end.
#[derive(Clone, Copy)]
enum Order {
    Forward,
    Backward,
    None,
}

/// What all handlers of a case have in common.
#[derive(Clone, Copy)]
struct Mood {
    /// Nothing in it may stop the agent.
    keeps_going: bool,
    /// Everything is in order.
    calm: bool,
}

fn result(draw: &mut Draw<'_, '_>, handler: &Handler, mood: Mood) -> HandlerResult {
    if handler.background && draw.chance(55) {
        return HandlerResult { out: output::late(draw, handler.subject.event), ..HandlerResult::default() };
    }
    let Mood { keeps_going, calm } = mood;
    let end = match handler.kind {
        Kind::Command if calm => draw.weighted(&[(216, End::Exit(0)), (40, End::Exit(2))]),
        Kind::Command => command_end(draw),
        Kind::Http if calm => End::Status(200),
        Kind::Http => http_end(draw),
        Kind::McpTool if calm => End::Answered,
        Kind::McpTool => tool_end(draw),
        Kind::Prompt | Kind::Agent => return answer::draw(draw, handler.subject, keeps_going),
    };
    let failed = !matches!(end, End::Exit(0) | End::Status(200..=299) | End::Answered);
    let err = if handler.kind == Kind::Command { err(draw, end) } else { Text::default() };
    let http = handler.kind == Kind::Http;
    let out = match end {
        End::Refused | End::NoResponse | End::NotStarted => Text::default(),
        // A tool without a result answered with an empty text.
        End::Exit(0) if handler.kind == Kind::McpTool => Text::default(),
        _ => output::draw(draw, Reader { subject: handler.subject, http, keeps_going, calm }, failed),
    };
    let removes = handler.subject.event == Event::WorktreeRemove && draw.chance(35);
    let did = if removes { vec![removal(draw)] } else { Vec::new() };
    HandlerResult { end, out, err, did, ..HandlerResult::default() }
}

/// The directory that a hook removes is the worktree, one in which it lies, or another.
fn removal(draw: &mut Draw<'_, '_>) -> Deed {
    let path = draw.weighted(&[(170, TREE), (36, TREES), (30, "/work/trees/quiet-otter-2"), (20, "/work/tree")]);
    Deed::RemovedDirectory(path.to_owned())
}

/// A result that surely keeps the agent from stopping.
fn keeps_going(draw: &mut Draw<'_, '_>, handler: &Handler) -> HandlerResult {
    if handler.kind.is_evaluator() {
        return answer::objection(draw);
    }
    if handler.kind != Kind::Command || draw.chance(60) {
        let end = match handler.kind {
            Kind::Http => End::Status(200),
            Kind::McpTool => End::Answered,
            _ => End::Exit(0),
        };
        return HandlerResult {
            end,
            out: output::blocking(draw, handler.subject.event).finish(),
            ..HandlerResult::default()
        };
    }
    let err = Text::Plain(draw.mint("ERR"));
    HandlerResult { end: End::Exit(2), err, ..HandlerResult::default() }
}

fn command_end(draw: &mut Draw<'_, '_>) -> End {
    draw.weighted(&[
        (136, End::Exit(0)),
        (52, End::Exit(2)),
        (26, End::Exit(1)),
        (4, End::Exit(3)),
        (4, End::Exit(127)),
        (4, End::Exit(255)),
        (3, End::Signal(9)),
        (3, End::Signal(15)),
        (9, End::TimedOut),
        (8, End::NotStarted),
    ])
}

fn http_end(draw: &mut Draw<'_, '_>) -> End {
    draw.weighted(&[
        (150, End::Status(200)),
        (8, End::Status(201)),
        (5, End::Status(204)),
        (22, End::Status(500)),
        (14, End::Status(404)),
        (8, End::Status(403)),
        (3, End::Status(302)),
        (12, End::Refused),
        (14, End::TimedOut),
        (10, End::NoResponse),
    ])
}

fn tool_end(draw: &mut Draw<'_, '_>) -> End {
    draw.weighted(&[
        (40, End::Exit(0)),
        (150, End::Answered),
        (32, End::ToolError),
        (16, End::Refused),
        (18, End::TimedOut),
    ])
}

fn err(draw: &mut Draw<'_, '_>, end: End) -> Text {
    let often = match end {
        End::Exit(0) => 16,
        End::Exit(2) | End::NotStarted => 88,
        _ => 72,
    };
    if !draw.chance(often) {
        return Text::default();
    }
    let mut text = Pieces::default();
    if end == End::NotStarted {
        text.around("sh: ", draw, "ERR", ": not found\n");
        return text.finish();
    }
    let (before, after) = draw.weighted(&[
        (120, ("", "")),
        (60, ("not here: ", "\n")),
        (16, ("", " \u{2717}\n")),
        (6, ("\n", "\n")),
        (10, ("{\"decision\":\"approve\",\"reason\":\"", "\"}")),
    ]);
    text.around(before, draw, "ERR", after);
    if after == "\n" && draw.chance(40) {
        text.around("then ", draw, "MORE", "\n");
    }
    text.finish()
}
