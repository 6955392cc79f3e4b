//! What a model, or a subagent, that was asked for a verdict has answered (chapter *evaluators*).

use super::{Answer, Ending, Spoken, json, stdout};
use crate::Scene;
use hookproof_contract::{End, Event, HandlerResult};
use serde_json::Value;

/// What an evaluator objects to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Objection {
    pub(crate) reason: String,
    /// It holds what was asked for to be impossible.
    pub(crate) impossible: bool,
}

/// Reads a verdict (PROMPT-RESP-01). Only `ok` tells whether there is an objection, whatever the reason says. What is no
/// verdict is an error that blocks nothing.
pub(crate) fn read(scene: &Scene<'_>, result: &HandlerResult) -> Answer {
    let mut answer = Answer::default();
    // There, it is asked and not listened to (PERMDEN-OUT-05).
    if scene.event() == Event::PermissionDenied {
        return answer;
    }
    match result.end {
        End::Exit(0) | End::Answered => {}
        End::TimedOut => return Answer { ending: Ending::TimedOut, ..answer },
        _ => return Answer { ending: Ending::Failed("the evaluator gave no answer".to_owned()), ..answer },
    }
    let text = result.out.lossy();
    if stdout::trim(&text, scene.stance.space).is_empty() {
        return answer;
    }
    answer.log.push(format!("the evaluator answered: {text}"));
    match json::parse(&text, scene.stance) {
        Ok(Value::Object(fields)) => match (fields.get("ok"), fields.get("reason")) {
            (Some(Value::Bool(true)), _) => {}
            (Some(Value::Bool(false)), Some(Value::String(reason))) => {
                let impossible = fields.get("impossible") == Some(&Value::Bool(true));
                answer.spoken = Spoken::Objection(Objection { reason: reason.clone(), impossible });
            }
            _ => answer.ending = Ending::Failed("the evaluator's answer is no verdict".to_owned()),
        },
        Ok(_) => answer.ending = Ending::Failed("the evaluator's answer is not a JSON object".to_owned()),
        Err(message) => answer.ending = Ending::Failed(format!("the evaluator's answer is {message}")),
    }
    answer
}
