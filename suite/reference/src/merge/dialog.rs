//! Whether hooks answer an MCP server's question (Elicitation; chapter *elicitation*).

use super::{Answered, Remark, contest::replaces};
use crate::{Scene, read::Action, settings::Place};
use serde_json::{Map, Value};

/// What the server is answered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reply {
    pub(crate) action: Action,
    /// The values of the form; those of a cancel are what the user had sent.
    pub(crate) content: Option<Map<String, Value>>,
}

impl Reply {
    /// The reply as the server gets it.
    pub(crate) fn json(self) -> Value {
        let name = match self.action {
            Action::Accept => "accept",
            Action::Decline => "decline",
            Action::Cancel => "cancel",
        };
        let mut reply = Map::new();
        reply.insert("action".to_owned(), Value::from(name));
        if let Some(content) = self.content {
            reply.insert("content".to_owned(), Value::Object(content));
        }
        Value::Object(reply)
    }
}

/// A decline wins over everything else; beyond that, who answers is open.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>, said: &mut Vec<Remark>) -> Option<Reply> {
    let mut reply: Option<(Reply, Place)> = None;
    for (handler, mut answer) in answers {
        let blocks = answer.exits_two() || (scene.since(284) && answer.decides_block());
        let action = answer.output_mut().and_then(|o| Some((o.action?, o.content.take())));
        let own = match action {
            _ if blocks => Reply { action: Action::Decline, content: None },
            Some((action, content)) => {
                let sends = action == Action::Accept || scene.stance.refusal_has_content;
                Reply { action, content: content.filter(|_| sends) }
            }
            None => continue,
        };
        said.push(Remark::debug(&handler.name, format!("Elicitation resolved by hook: {}", own.clone().json())));
        let wins = reply.as_ref().is_none_or(|(reply, winner)| match (own.action, reply.action) {
            (Action::Decline, other) if other != Action::Decline => true,
            (own, Action::Decline) if own != Action::Decline => false,
            _ => replaces(scene.stance.reply_order, handler.place, *winner),
        });
        if wins {
            reply = Some((own, handler.place));
        }
    }
    reply.map(|(reply, _)| reply)
}
