//! What is heard of hooks once a directory has been added (DirectoryAdded; chapter *workspace*).

use super::{Answered, Remark, context};
use crate::{
    Scene,
    read::{Answer, Ending, Spoken},
};

/// What hooks say of a new directory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Addition {
    /// For the model, in the next turn.
    pub(crate) news: Vec<Remark>,
    /// How many hooks failed, where the user is told.
    pub(crate) failures: usize,
}

/// Nothing is decided. Where the user added the directory, messages go to the model and failures are counted; where a client
/// did, the debug log has it all.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>, said: &mut Vec<Remark>) -> Addition {
    let by_user = scene.input_text("source") == Some("slash_command");
    let mut addition = Addition::default();
    for (handler, mut answer) in answers {
        if let Some(error) = failure(&answer) {
            said.push(Remark::debug(&handler.name, format!("failed: {error}")));
            addition.failures += usize::from(by_user);
        }
        match answer.output_mut().and_then(|output| output.system_message.take()) {
            Some(message) if by_user => addition.news.push(context(scene, &handler.name, message)),
            Some(message) => said.push(Remark::debug(&handler.name, message)),
            None => {}
        }
    }
    addition
}

/// Why a hook counts as failed, if it does. Nobody waits for it, so one that takes too long has failed as well.
fn failure(answer: &Answer) -> Option<&str> {
    match (&answer.ending, &answer.spoken) {
        (Ending::Blocking, _) => Some(&answer.err),
        (Ending::TimedOut, _) => Some("it reached its timeout"),
        (_, Spoken::Rejected(message) | Spoken::Garbled(message)) | (Ending::Failed(message), _) => Some(message),
        (Ending::Done, _) => None,
    }
}
