//! Faults of the second step: commands in the background.

use crate::{
    Scene,
    read::{Answer, Late, Spoken, command, is_background, read},
    select::{Handler, Kind},
};
use hookproof_contract::HandlerResult;
use serde_json::Value;

/// Whether a handler is a command in the background.
fn is_late(handler: &Handler<'_>) -> bool {
    handler.kind == Kind::Command && is_background(handler)
}

pub(in crate::faults) fn still_decides<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    if is_late(handler) { command(scene, result) } else { read(scene, handler, result) }
}

pub(in crate::faults) fn wrong_type_loses_all<'a>(
    scene: &Scene<'a>,
    handler: &Handler<'a>,
    result: &HandlerResult,
) -> Answer {
    let mut answer = read(scene, handler, result);
    if is_late(handler) && matches!(command(scene, result).spoken, Spoken::Rejected(_)) {
        answer.late = Some(Late::default());
    }
    answer
}

pub(in crate::faults) fn servers_unwaited<'a>(
    scene: &Scene<'a>,
    handler: &Handler<'a>,
    result: &HandlerResult,
) -> Answer {
    let mut answer = read(scene, handler, result);
    if handler.kind != Kind::Command && handler.json.get("async") == Some(&Value::Bool(true)) {
        let output = answer.output_mut();
        answer.late = Some(output.map_or_else(Late::default, |output| Late {
            message: output.system_message.take(),
            context: output.context.take(),
            reminder: None,
        }));
    }
    answer
}
