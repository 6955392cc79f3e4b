//! Faults of the second step: how a handler ended, and what of its answer can be read, on all events alike.

use super::{is_worktree, with_end, with_out};
use crate::{
    Scene, environment,
    read::{Answer, Ending, Spoken, read},
    select::{Handler, Kind},
};
use hookproof_contract::{End, Event, Firing, HandlerResult};
use serde_json::{Map, Value};

pub(in crate::faults) fn two_is_an_error<'a>(
    scene: &Scene<'a>,
    handler: &Handler<'a>,
    result: &HandlerResult,
) -> Answer {
    let is_two = handler.kind == Kind::Command && result.end == End::Exit(2);
    if is_two { with_end(scene, handler, result, End::Exit(1)) } else { read(scene, handler, result) }
}

pub(in crate::faults) fn servers_block<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    let mut answer = read(scene, handler, result);
    if handler.kind != Kind::Command
        && let Ending::Failed(message) = &answer.ending
    {
        answer.err.clone_from(message);
        answer.ending = Ending::Blocking;
    }
    answer
}

pub(in crate::faults) fn unknown_keys_fail<'a>(
    scene: &Scene<'a>,
    handler: &Handler<'a>,
    result: &HandlerResult,
) -> Answer {
    let mut answer = read(scene, handler, result);
    let unknown = answer.output().and_then(|output| output.unknown.first()).map(|key| format!("{key} is not allowed"));
    if let Some(message) = unknown {
        answer.spoken = Spoken::Rejected(message);
    }
    answer
}

pub(in crate::faults) fn lines_are_garbled<'a>(
    scene: &Scene<'a>,
    handler: &Handler<'a>,
    result: &HandlerResult,
) -> Answer {
    let mut answer = read(scene, handler, result);
    if let Spoken::Plain(text) = &answer.spoken
        && text.trim().starts_with('{')
        && text.trim().ends_with('}')
    {
        answer.spoken = Spoken::Garbled("there is more than one object".to_owned());
    }
    answer
}

/// The object that was printed, if it is one.
fn printed(result: &HandlerResult) -> Option<Map<String, Value>> {
    serde_json::from_str(&result.out.lossy()).ok()
}

pub(in crate::faults) fn event_unnamed<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    let named = printed(result).and_then(|mut object| {
        let own = object.get_mut("hookSpecificOutput")?.as_object_mut()?;
        own.insert("hookEventName".to_owned(), Value::from(scene.event().name()));
        Some(Value::Object(object).to_string())
    });
    match named {
        Some(out) if handler.kind == Kind::Command => with_out(scene, handler, result, &out),
        _ => read(scene, handler, result),
    }
}

pub(in crate::faults) fn fields_anywhere<'a>(
    scene: &Scene<'a>,
    handler: &Handler<'a>,
    result: &HandlerResult,
) -> Answer {
    let moved = printed(result).and_then(|mut object| {
        let context = object.remove("additionalContext")?;
        let mut own = Map::new();
        own.insert("hookEventName".to_owned(), Value::from(scene.event().name()));
        own.insert("additionalContext".to_owned(), context);
        object.insert("hookSpecificOutput".to_owned(), Value::Object(own));
        Some(Value::Object(object).to_string())
    });
    match moved {
        Some(out) if handler.kind == Kind::Command => with_out(scene, handler, result, &out),
        _ => read(scene, handler, result),
    }
}

pub(in crate::faults) fn failed_path_counts<'a>(
    scene: &Scene<'a>,
    handler: &Handler<'a>,
    result: &HandlerResult,
) -> Answer {
    match result.end {
        End::Exit(_) if scene.event() == Event::WorktreeCreate => with_end(scene, handler, result, End::Exit(0)),
        _ => read(scene, handler, result),
    }
}

/// The ordinary step, but hooks of these events have no file for variables.
fn without_file<'a>(
    scene: &Scene<'a>,
    handler: &Handler<'a>,
    result: &HandlerResult,
    lacks: impl Fn(Event) -> bool,
) -> Answer {
    let mut answer = read(scene, handler, result);
    if lacks(scene.event()) {
        answer.exports.clear();
    }
    answer
}

pub(in crate::faults) fn file_unnamed<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    without_file(scene, handler, result, |event| event == Event::SessionStart)
}

pub(in crate::faults) fn every_event_has_a_file<'a>(
    scene: &Scene<'a>,
    handler: &Handler<'a>,
    result: &HandlerResult,
) -> Answer {
    let mut answer = read(scene, handler, result);
    if handler.kind == Kind::Command {
        let firing = Firing::of(Event::SessionStart);
        answer.exports.extend(environment::written(&Scene { firing: &firing, ..*scene }, result));
    }
    answer
}

pub(in crate::faults) fn one_event_has_a_file<'a>(
    scene: &Scene<'a>,
    handler: &Handler<'a>,
    result: &HandlerResult,
) -> Answer {
    without_file(scene, handler, result, |event| event != Event::SessionStart)
}

pub(in crate::faults) fn one_line_parsed<'a>(
    scene: &Scene<'a>,
    handler: &Handler<'a>,
    result: &HandlerResult,
) -> Answer {
    let mut answer = read(scene, handler, result);
    let lines = result.out.lossy().trim().lines().count();
    if handler.kind == Kind::Command && lines > 1 && !is_worktree(scene) && answer.output().is_some() {
        answer.spoken = Spoken::Garbled("unexpected end of input".to_owned());
    }
    answer
}

pub(in crate::faults) fn blanks_are_text<'a>(
    scene: &Scene<'a>,
    handler: &Handler<'a>,
    result: &HandlerResult,
) -> Answer {
    let mut answer = read(scene, handler, result);
    let out = result.out.lossy();
    if handler.kind == Kind::Command && !is_worktree(scene) && answer.output().is_some() && !out.starts_with('{') {
        answer.spoken = Spoken::Plain(out.into_owned());
    }
    answer
}

pub(in crate::faults) fn first_object<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    let answer = read(scene, handler, result);
    let out = result.out.lossy();
    let first = serde_json::Deserializer::from_str(&out).into_iter::<Value>().next();
    match (&answer.spoken, first) {
        (Spoken::Garbled(_), Some(Ok(first))) if handler.kind == Kind::Command => {
            with_out(scene, handler, result, &first.to_string())
        }
        _ => answer,
    }
}

pub(in crate::faults) fn invalid_body_blocks<'a>(
    scene: &Scene<'a>,
    handler: &Handler<'a>,
    result: &HandlerResult,
) -> Answer {
    let mut answer = read(scene, handler, result);
    if handler.kind == Kind::Http
        && let Spoken::Rejected(message) = &answer.spoken
    {
        answer.err.clone_from(message);
        answer.ending = Ending::Blocking;
    }
    answer
}

pub(in crate::faults) fn path_with_sequence<'a>(
    scene: &Scene<'a>,
    handler: &Handler<'a>,
    result: &HandlerResult,
) -> Answer {
    let mut answer = read(scene, handler, result);
    let out = result.out.lossy();
    let first = out.lines().next().and_then(|line| serde_json::from_str::<Value>(line).ok());
    let bytes = first.as_ref().and_then(|object| object.get("terminalSequence")?.as_str());
    if is_worktree(scene)
        && handler.kind == Kind::Command
        && let Some(output) = answer.output_mut()
    {
        output.terminal_sequence = bytes.map(str::to_owned);
    }
    answer
}

pub(in crate::faults) fn prompt_rewritten<'a>(
    scene: &Scene<'a>,
    handler: &Handler<'a>,
    result: &HandlerResult,
) -> Answer {
    let mut answer = read(scene, handler, result);
    let object = printed(result).unwrap_or_default();
    let prompt = object.get("hookSpecificOutput").and_then(|own| own.pointer("/updatedInput/prompt")?.as_str());
    if scene.event() == Event::UserPromptSubmit
        && let (Some(output), Some(prompt)) = (answer.output_mut(), prompt)
    {
        output.context = Some(prompt.to_owned());
    }
    answer
}

pub(in crate::faults) fn never_text<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    let today = read(&Scene { stance: &scene.stance.at_newest(), ..*scene }, handler, result);
    match today.spoken {
        Spoken::Garbled(_) if handler.kind == Kind::Command => today,
        _ => read(scene, handler, result),
    }
}
