//! Faults of the second step: what one handler said.

use crate::{
    Scene,
    read::{Answer, Ending, Ruling, Spoken, read},
    select::{Handler, Kind},
};
use hookproof_contract::{End, Event, HandlerResult, Text};

pub(super) mod background;
pub(super) mod endings;
pub(super) mod verdicts;

/// The ordinary step with another stdout; the debug log has what was really printed.
fn with_out<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult, out: &str) -> Answer {
    let mut answer = read(scene, handler, &HandlerResult { out: Text::from(out), ..result.clone() });
    answer.log.retain(|line| !line.starts_with("stdout: "));
    answer.log.push(format!("stdout: {}", result.out.lossy()));
    answer
}

/// The ordinary step with another end.
fn with_end<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult, end: End) -> Answer {
    read(scene, handler, &HandlerResult { end, ..result.clone() })
}

fn is_worktree(scene: &Scene<'_>) -> bool {
    scene.event() == Event::WorktreeCreate
}

pub(super) fn one_blocks<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    // Where a worktree is to go, every failing code blocks anyway.
    let failed = handler.kind == Kind::Command
        && scene.event() != Event::WorktreeRemove
        && matches!(result.end, End::Exit(code) if code != 0);
    let answer = read(scene, handler, result);
    if failed && matches!(answer.ending, Ending::Failed(_)) {
        with_end(scene, handler, result, End::Exit(2))
    } else {
        answer
    }
}

pub(super) fn allow_beats_two<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    let mut answer = read(scene, handler, result);
    if answer.output().is_some_and(|output| output.ruling == Some(Ruling::Allow)) {
        answer.ending = Ending::Done;
    }
    answer
}

pub(super) fn zero_only<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    match result.end {
        End::Exit(0 | 2) => read(scene, handler, result),
        _ if handler.kind != Kind::Command => read(scene, handler, result),
        _ => with_out(scene, handler, result, ""),
    }
}

pub(super) fn brace_searched<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    let out = result.out.lossy();
    match out.find('{') {
        Some(at) if handler.kind == Kind::Command && !is_worktree(scene) => {
            with_out(scene, handler, result, &out[at..])
        }
        _ => read(scene, handler, result),
    }
}

pub(super) fn tail_cut<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    let out = result.out.lossy();
    match out.rfind('}') {
        Some(at) if handler.kind == Kind::Command && !is_worktree(scene) && out.trim_start().starts_with('{') => {
            with_out(scene, handler, result, &out[..=at])
        }
        _ => read(scene, handler, result),
    }
}

pub(super) fn last_line_counts<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    let answer = read(scene, handler, result);
    if handler.kind != Kind::Command || !matches!(answer.spoken, Spoken::Garbled(_)) {
        return answer;
    }
    let out = result.out.lossy();
    let at = out.rfind("}{").map_or_else(|| out.trim_end().rfind('\n').unwrap_or(0), |at| at + 1);
    with_out(scene, handler, result, &out[at..])
}

pub(super) fn garbled_is_plain<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    let mut answer = read(scene, handler, result);
    if handler.kind == Kind::Command && matches!(answer.spoken, Spoken::Garbled(_)) {
        answer.spoken = Spoken::Plain(result.out.lossy().into_owned());
    }
    answer
}

pub(super) fn rejection_undoes_two<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    let mut answer = read(scene, handler, result);
    if matches!(answer.spoken, Spoken::Rejected(_)) && answer.exits_two() {
        answer.ending = Ending::Done;
    }
    answer
}

pub(super) fn late_output_counts<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    match result.end {
        End::TimedOut => with_end(scene, handler, result, End::Exit(0)),
        _ => read(scene, handler, result),
    }
}

pub(super) fn any_status<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    match result.end {
        End::Status(_) => with_end(scene, handler, result, End::Status(200)),
        _ => read(scene, handler, result),
    }
}

pub(super) fn body_is_stdout<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    let mut answer = read(scene, handler, result);
    let answered = matches!(result.end, End::Status(200..=299) | End::Exit(0));
    if handler.kind == Kind::Http && answered && matches!(answer.ending, Ending::Failed(_)) {
        answer.ending = Ending::Done;
        answer.spoken = Spoken::Plain(result.out.lossy().into_owned());
    }
    answer
}

pub(super) fn first_line<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    let out = result.out.lossy();
    match out.trim_start().lines().next() {
        Some(line) if handler.kind == Kind::Command && is_worktree(scene) => with_out(scene, handler, result, line),
        _ => read(scene, handler, result),
    }
}

pub(super) fn tool_error_counts<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    match result.end {
        End::ToolError => with_end(scene, handler, result, End::Answered),
        _ => read(scene, handler, result),
    }
}

pub(super) fn tool_speaks_json<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    let mut answer = read(scene, handler, result);
    if handler.kind == Kind::Tool && matches!(answer.spoken, Spoken::Plain(_)) {
        answer.spoken = Spoken::Nothing;
    }
    answer
}

pub(super) fn agent_gives_up<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    let mut answer = read(scene, handler, result);
    let ends = matches!(scene.event(), Event::Stop | Event::SubagentStop);
    if ends && matches!(&answer.spoken, Spoken::Objection(objection) if objection.impossible) {
        answer.spoken = Spoken::Nothing;
    }
    answer
}
