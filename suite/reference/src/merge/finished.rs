//! What the model and the classifier get besides, or instead of, a tool's result (PostToolUse; chapters *tool-results* and
//! *classifier*).

use super::{Answered, Remark, contest::Contest, top_message};
use crate::{
    Scene,
    spill::{self, Limit},
};
use hookproof_contract::{Audience, Manner, Name};
use serde_json::Value;

/// The most characters that the notes on one call have together.
const NOTES: usize = 2_000;

/// What hooks say about a call that is done.
#[derive(Clone, Debug, Default)]
pub(crate) struct Finished {
    /// Reasons and stderr, for the model.
    pub(crate) feedback: Vec<Remark>,
    /// What replaces the result.
    pub(crate) output: Option<Value>,
    /// What the classifier is told.
    pub(crate) notes: Vec<Remark>,
}

/// A note, and the rewrite that it came with, by number.
struct Note {
    by: Name,
    text: String,
    rewrite: Option<usize>,
}

/// All feedback and all notes count; whose output does, of several, is open.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>) -> Finished {
    let mut finished = Finished::default();
    let mut notes = Vec::new();
    let mut rewrites = Contest::new(scene.stance.value_order);
    for (number, (handler, mut answer)) in answers.into_iter().enumerate() {
        if let Some(text) = top_message(scene, &mut answer) {
            let remark = Remark::new(Audience::Model, Manner::Feedback, &handler.name, text);
            finished.feedback.push(remark.limited(Limit::Open));
        }
        let Some(output) = answer.output_mut() else { continue };
        let pairs = output.tool_output.is_some();
        let (built_in, mcp) = (output.tool_output.take(), output.mcp_output.take());
        rewrites.offer(handler.place, rewrite(scene, built_in, mcp).map(|output| (number, output)));
        if let Some(text) = output.note.take() {
            notes.push(Note { by: handler.name, text, rewrite: pairs.then_some(number) });
        }
    }
    let (winner, output) = rewrites.winner().unzip();
    finished.output = output;
    if !is_lookup(scene) {
        notes.retain(|note| note.rewrite.is_none() || note.rewrite == winner);
        finished.notes = deliver_notes(scene, notes);
    }
    finished
}

/// The value that replaces the result, if one may.
fn rewrite(scene: &Scene<'_>, output: Option<Value>, mcp_output: Option<Value>) -> Option<Value> {
    let tool = scene.input_text("tool_name").unwrap_or_default();
    if tool.starts_with("mcp__") {
        return if scene.stance.mcp_output_wins { mcp_output.or(output) } else { output.or(mcp_output) };
    }
    output.filter(|value| fits(tool, value))
}

/// Whether a value can be the output of a built-in tool: they all give objects, and the fields of Bash are known.
fn fits(tool: &str, value: &Value) -> bool {
    let Some(fields) = value.as_object() else { return false };
    let all = |keys: [&str; 2], is: fn(&Value) -> bool| keys.iter().all(|key| fields.get(*key).is_none_or(is));
    tool != "Bash"
        || (all(["stdout", "stderr"], Value::is_string) && all(["interrupted", "isImage"], Value::is_boolean))
}

/// Whether the classifier hears nothing of calls to this tool.
fn is_lookup(scene: &Scene<'_>) -> bool {
    matches!(scene.input_text("tool_name"), Some("Read" | "Grep" | "Glob"))
}

/// The notes, as far as the room that they share is enough.
fn deliver_notes(scene: &Scene<'_>, notes: Vec<Note>) -> Vec<Remark> {
    let mut room = NOTES;
    let mut told = Vec::with_capacity(notes.len());
    for note in notes {
        let text = spill::beginning(&note.text, room, scene.stance);
        room -= spill::characters(text, scene.stance);
        if !text.is_empty() {
            told.push(Remark::new(Audience::Classifier, None, &note.by, text));
        }
    }
    told
}
