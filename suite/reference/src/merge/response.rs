//! Whether the user's answer goes to the MCP server as it is (ElicitationResult; chapter *elicitation*).

use super::{Answered, Remark, dialog::Reply};
use crate::{Scene, read::Action};
use serde_json::{Map, Value};

/// What goes to the server in the place of the user's answer. One block or decline is enough; beyond that, whoever ended first
/// replaces it.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>, said: &mut Vec<Remark>) -> Option<Reply> {
    let mut reply: Option<Reply> = None;
    for (handler, mut answer) in answers {
        let blocks = answer.exits_two() || (scene.since(284) && answer.decides_block());
        let action = answer.output_mut().and_then(|output| Some((output.action?, output.content.take())));
        let own = match action {
            _ if blocks => Reply { action: Action::Decline, content: None },
            Some((action, content)) => replacement(scene, action, content),
            None => continue,
        };
        // The values may be nobody's business, so the log has the action alone.
        said.push(Remark::debug(&handler.name, format!("the user's answer is replaced ({:?})", own.action)));
        if reply.is_none() || own.action == Action::Decline {
            reply = Some(own);
        }
    }
    reply
}

/// A hook's own answer. A decline goes without values and a cancel with those that the user gave; what an accept without
/// values of its own goes with is open.
fn replacement(scene: &Scene<'_>, action: Action, content: Option<Map<String, Value>>) -> Reply {
    let given = || scene.firing.input.get("content").and_then(Value::as_object).cloned();
    let content = match action {
        Action::Accept if scene.stance.bare_accept_is_empty => content,
        Action::Accept => content.or_else(given),
        Action::Cancel => given(),
        Action::Decline => None,
    };
    Reply { action, content }
}
