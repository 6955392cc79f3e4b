//! What a session remembers of its permissions (chapter *permissions*): the mode, and whether rules may be others by now.

use crate::{chapters::permission_request::updates::Changes, voice::Voice};
use hookproof_contract::Host;

/// The permissions of a session.
pub(crate) struct Standing<'a> {
    /// The mode, where it is certain.
    pub(crate) mode: Option<&'a str>,
    /// Whether hooks may have changed rules, directories or the mode.
    pub(crate) changed: bool,
}

impl<'a> Standing<'a> {
    pub(crate) fn of(host: &'a Host) -> Self {
        Standing { mode: Some(&host.permission_mode), changed: false }
    }

    /// Hooks answered a request; `changes` is what they surely changed.
    pub(crate) fn change(&mut self, voices: &[Voice<'_>], changes: Option<Changes>) {
        let updates = |voice: &Voice<'_>| {
            let decision = voice.object().and_then(|output| output.specific.get("decision"));
            decision.and_then(|decision| decision.get("updatedPermissions")).is_some()
        };
        if !voices.iter().any(updates) {
            return;
        }
        self.changed = true;
        self.mode = changes.and_then(|changes| changes.mode_after(self.mode));
    }

    /// Nobody can say any more.
    pub(crate) fn lose(&mut self) {
        self.changed = true;
        self.mode = None;
    }

    /// Another session goes on: whether with what was changed for this one is not said.
    pub(crate) fn begin(&mut self) {
        if self.changed {
            self.mode = None;
        }
    }
}
