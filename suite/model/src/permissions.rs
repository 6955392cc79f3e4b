//! What a session remembers of its permissions (chapter *permissions*): the mode, and whether rules may be others by now.

use crate::{
    chapters::{permission_request::updates::Changes, pre_tool_use::permission::may_cover},
    voice::Voice,
};
use hookproof_contract::Host;
use serde_json::Value;

/// The permissions of a session.
pub(crate) struct Standing<'a> {
    /// The mode, where it is certain.
    pub(crate) mode: Option<&'a str>,
    /// Whether hooks may have changed rules, directories or the mode.
    pub(crate) changed: bool,
    /// The entries that took effect, where it is certain which did.
    effects: Option<Vec<Value>>,
}

impl<'a> Standing<'a> {
    pub(crate) fn of(host: &'a Host) -> Self {
        Standing { mode: Some(&host.permission_mode), changed: false, effects: Some(Vec::new()) }
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
        let applied = changes.as_ref().and_then(|changes| changes.applied.as_deref());
        self.effects = self.effects.take().zip(applied).map(|(before, applied)| [&before, applied].concat());
        self.mode = changes.and_then(|changes| changes.mode_after(self.mode));
    }

    /// The entries that took effect so far, where that is certain.
    pub(crate) fn effects(&self) -> Option<&[Value]> {
        self.effects.as_deref()
    }

    /// Whether hooks surely added what this entry removes, and nothing has been removed or replaced since.
    pub(crate) fn has_added(&self, kind: &str, entry: &Value) -> bool {
        let same = |added: &Value| {
            let fields = ["rules", "directories", "behavior", "destination"];
            text(added, "type") == kind && fields.iter().all(|key| added.get(*key) == entry.get(*key))
        };
        self.additions().is_some_and(|added| added.iter().any(same))
    }

    /// Whether the rules that bear on a tool are certainly those of the case.
    pub(crate) fn is_untouched(&self, tool: &str) -> bool {
        let elsewhere = |added: &Value| {
            let rules = added.get("rules").and_then(Value::as_array).into_iter().flatten();
            rules.map(|rule| text(rule, "toolName")).all(|other| other != tool && !may_cover(other, tool))
        };
        !self.changed || self.additions().is_some_and(|added| added.iter().all(elsewhere))
    }

    /// What hooks have changed, where that is certain and all of it was added.
    fn additions(&self) -> Option<&[Value]> {
        let adds = |added: &Value| matches!(text(added, "type"), "addRules" | "addDirectories" | "setMode");
        self.effects.as_deref().filter(|all| all.iter().all(adds))
    }

    /// Nobody can say any more.
    pub(crate) fn lose(&mut self) {
        self.changed = true;
        self.effects = None;
        self.mode = None;
    }

    /// The mode may be another by now.
    pub(crate) fn lose_mode(&mut self) {
        self.mode = None;
    }

    /// Another session goes on: whether with what was changed for this one is not said.
    pub(crate) fn begin(&mut self) {
        if self.changed {
            self.mode = None;
            self.effects = None;
        }
    }
}

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}
