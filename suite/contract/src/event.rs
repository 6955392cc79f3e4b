//! The 33 hook events of the contract.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! events {
    ($($name:ident),* $(,)?) => {
        /// A hook event, spelled as the contract spells it (chapter *lifecycle*).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[expect(missing_docs, reason = "the names are the contract's; each event has a chapter of rules")]
        pub enum Event { $($name),* }

        impl Event {
            /// All events, in the contract's order.
            pub const ALL: [Event; [$(stringify!($name)),*].len()] = [$(Event::$name),*];

            /// The name as the contract, the settings files and `hook_event_name` spell it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Event::$name => stringify!($name)),* }
            }

            /// The event of that name, if there is one.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Event> {
                match name { $(stringify!($name) => Some(Event::$name),)* _ => None }
            }
        }
    };
}

events!(
    SessionStart,
    Setup,
    UserPromptSubmit,
    UserPromptExpansion,
    PreToolUse,
    PermissionRequest,
    PermissionDenied,
    PostToolUse,
    PostToolUseFailure,
    PostToolBatch,
    Notification,
    MessageDisplay,
    SubagentStart,
    SubagentStop,
    TaskCreated,
    TaskCompleted,
    Stop,
    StopFailure,
    TeammateIdle,
    InstructionsLoaded,
    ConfigChange,
    CwdChanged,
    DirectoryAdded,
    FileChanged,
    WorktreeCreate,
    WorktreeRemove,
    PreCompact,
    PostCompact,
    PreModelSwitch,
    PostModelSwitch,
    Elicitation,
    ElicitationResult,
    SessionEnd,
);

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Event;

    #[test]
    fn every_event_is_found_by_its_name_and_there_are_33() {
        assert_eq!(Event::ALL.len(), 33);
        for event in Event::ALL {
            assert_eq!(Event::from_name(event.name()), Some(event));
        }
        assert_eq!(Event::from_name("pretooluse"), None, "names are case-sensitive");
    }
}
