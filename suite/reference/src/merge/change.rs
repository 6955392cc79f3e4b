//! Whether a changed configuration is taken up (ConfigChange; chapter *workspace*).

use super::{Answered, Remark};
use crate::Scene;

/// What hooks decide about a change of the configuration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Change {
    /// The session goes on with what it had.
    pub(crate) blocked: bool,
    /// What the debug log gets of it.
    pub(crate) log: Vec<Remark>,
}

/// One block is enough, unless the change is to managed settings: they are always taken up. Nobody is told why.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>) -> Change {
    let source = scene.input_text("source").unwrap_or_default();
    let mut change = Change::default();
    for (handler, _) in answers.into_iter().filter(|(_, answer)| answer.blocks()) {
        let line = if source == "policy_settings" {
            "a block of managed settings is ignored".to_owned()
        } else {
            change.blocked = true;
            format!("the change of {source} is blocked")
        };
        change.log.push(Remark::debug(&handler.name, line));
    }
    change
}
