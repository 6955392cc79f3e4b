//! What a command says that runs in the background (chapter *background*): it comes too late to decide anything.

use super::{Answer, Ending, Spoken, command, is_context};
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

/// Whether a command in the background can wake the agent.
pub(crate) fn wakes(handler: &Handler<'_>) -> bool {
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
    if is_set(handler, "async")
        && is_late_context(scene, &answer.ending)
        && let Spoken::Plain(text) = &mut answer.spoken
    {
        late.context = Some(std::mem::take(text));
    }
    Answer { late: Some(late), ..answer }
}

/// Whether plain text is context, though late, where that of a command for which the event waits would be.
fn is_late_context(scene: &Scene<'_>, ending: &Ending) -> bool {
    let counts = match ending {
        Ending::Done => true,
        Ending::Blocking => scene.stance.blocked_stdout_is_context,
        Ending::Failed(_) | Ending::TimedOut => false,
    };
    counts && scene.stance.late_stdout_is_context && is_context(scene.event())
}
