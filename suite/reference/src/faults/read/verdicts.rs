//! Faults of the second step: what an evaluator answers, and where a command says that a worktree is.

use super::{is_worktree, with_out};
use crate::{
    Scene,
    read::{Answer, Objection, Spoken, command, read},
    select::{Handler, Kind},
};
use hookproof_contract::{Event, HandlerResult};
use serde_json::Value;

pub(in crate::faults) fn judge_is_a_hook<'a>(
    scene: &Scene<'a>,
    handler: &Handler<'a>,
    result: &HandlerResult,
) -> Answer {
    let judges = handler.kind.is_evaluator() && scene.event() == Event::PermissionDenied;
    if judges { command(scene, result) } else { read(scene, handler, result) }
}

pub(in crate::faults) fn reason_is_a_no<'a>(
    scene: &Scene<'a>,
    handler: &Handler<'a>,
    result: &HandlerResult,
) -> Answer {
    let mut answer = read(scene, handler, result);
    if handler.kind.is_evaluator() && scene.event() != Event::PermissionDenied {
        let said: Option<Value> = serde_json::from_str(&result.out.lossy()).ok();
        let reason = said.as_ref().and_then(|said| said.get("reason")?.as_str());
        if let (Spoken::Nothing, Some(reason)) = (&answer.spoken, reason) {
            answer.spoken = Spoken::Objection(Objection { reason: reason.to_owned(), impossible: false });
        }
    }
    answer
}

pub(in crate::faults) fn empty_line_is_the_path<'a>(
    scene: &Scene<'a>,
    handler: &Handler<'a>,
    result: &HandlerResult,
) -> Answer {
    let printed = is_worktree(scene) && handler.kind == Kind::Command;
    if printed && result.out.lossy().ends_with("\n\n") {
        return with_out(scene, handler, result, "");
    }
    read(scene, handler, result)
}
