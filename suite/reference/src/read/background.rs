//! What a command says that runs in the background (chapter *background*): it comes too late to decide anything.

use super::{Answer, command};
use crate::{Scene, postures::Stance, select::Handler};
use hookproof_contract::HandlerResult;
use serde_json::Value;

/// What is left of the answer of a command in the background.
#[derive(Clone, Debug, Default)]
pub(crate) struct Late {
    /// `systemMessage`.
    pub(crate) message: Option<String>,
    /// `additionalContext`.
    pub(crate) context: Option<String>,
    /// What the agent is woken with.
    pub(crate) reminder: Option<String>,
}

/// Whether a command runs in the background. `asyncRewake` sends it there by itself.
pub(crate) fn is_background(handler: &Handler<'_>) -> bool {
    is_set(handler, "async") || wakes(handler)
}

fn wakes(handler: &Handler<'_>) -> bool {
    is_set(handler, "asyncRewake")
}

fn is_set(handler: &Handler<'_>, key: &str) -> bool {
    handler.json.get(key) == Some(&Value::Bool(true))
}

/// Reads what it said as if it ran in the foreground, but that a field of the wrong type costs the answer nothing else.
pub(super) fn read(scene: &Scene<'_>, handler: &Handler<'_>, result: &HandlerResult) -> Answer {
    let drops_wrong_types = scene.since(202) || scene.stance.drops_wrong_types;
    let stance = Stance { drops_wrong_types, ..scene.stance.clone() };
    let mut answer = command(&Scene { stance: &stance, ..*scene }, result);
    let mut late = Late::default();
    if wakes(handler) && answer.exits_two() {
        let shown = [answer.err.clone(), result.out.lossy().into_owned()];
        late.reminder = shown.into_iter().find(|text| !text.trim().is_empty());
    }
    if let Some(output) = answer.output_mut() {
        late.message = output.system_message.take();
        late.context = output.context.take();
    }
    Answer { late: Some(late), ..answer }
}
