//! What a session remembers from one step to the next (chapters *stop* and *prompt*).

use crate::{
    read::{Answer, Ending, Spoken},
    select::Handler,
    settings::Place,
};
use hookproof_contract::{Event, Happening, Source};
use serde_json::Value;

/// The state of a session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Session {
    /// How often in a row stop hooks have kept the turn going.
    pub(crate) continuations: u32,
    /// Whether the model called a tool since stop hooks were last counted.
    pub(crate) tool_called: bool,
    /// Whether the agent works on because of a stop hook.
    pub(crate) kept_going: bool,
    /// The title that a hook gave.
    pub(crate) title: Option<String>,
    /// How many prompts the user has given.
    pub(crate) prompts: u32,
    /// How many texts were written to files.
    pub(crate) files: u32,
    /// The handlers that run once and have run.
    pub(crate) spent: Vec<Place>,
}

impl Session {
    /// Something moves the session on between two events.
    pub(crate) fn happens(&mut self, happening: Happening) {
        match happening {
            Happening::ToolCall => self.tool_called = true,
            Happening::NewPrompt => {
                self.prompts += 1;
                self.new_turn();
            }
            Happening::NewTurn | Happening::Resumed => self.new_turn(),
            Happening::Cleared | Happening::SessionEnds => *self = Session::default(),
            Happening::ModelRequest | Happening::Compacted => {}
        }
    }

    /// An event fires: that alone tells something about the turn.
    pub(crate) fn fires(&mut self, event: Event) {
        match event {
            Event::PreToolUse | Event::PostToolUse | Event::PostToolUseFailure | Event::PostToolBatch => {
                self.happens(Happening::ToolCall)
            }
            Event::UserPromptSubmit => self.happens(Happening::NewPrompt),
            // Who types a command has said something; whether that begins a turn is not said.
            Event::UserPromptExpansion => self.prompts = self.prompts.max(1),
            _ => {}
        }
    }

    /// The turn is over, or another one begins.
    pub(crate) fn new_turn(&mut self) {
        self.continuations = 0;
        self.tool_called = false;
        self.kept_going = false;
    }

    /// Takes out a skill's handler that runs only once, after it has succeeded (chapter *settings*).
    pub(crate) fn took(&mut self, handler: &Handler<'_>, answer: &Answer) {
        let once = matches!(handler.source, Source::Skill(_)) && handler.json.get("once") == Some(&Value::Bool(true));
        let succeeded =
            matches!(answer.ending, Ending::Done) && !matches!(answer.spoken, Spoken::Rejected(_) | Spoken::Garbled(_));
        if once && succeeded {
            self.spent.push(handler.place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Session;
    use hookproof_contract::{Event, Happening};

    #[test]
    fn a_prompt_begins_a_new_turn() {
        let mut session = Session { continuations: 3, kept_going: true, ..Session::default() };
        session.happens(Happening::NewPrompt);
        assert!(session.continuations == 0 && !session.kept_going && session.prompts == 1);
    }

    #[test]
    fn a_tool_call_is_remembered_and_the_turn_goes_on() {
        let mut session = Session { continuations: 3, kept_going: true, ..Session::default() };
        session.happens(Happening::ToolCall);
        assert!(session.tool_called && session.kept_going && session.continuations == 3);
        session.tool_called = false;
        session.fires(Event::PreToolUse);
        assert!(session.tool_called);
    }

    #[test]
    fn a_typed_command_is_input_and_leaves_the_turn_alone() {
        let mut session = Session { continuations: 3, ..Session::default() };
        session.fires(Event::UserPromptExpansion);
        assert!(session.prompts == 1 && session.continuations == 3);
    }

    #[test]
    fn compaction_changes_nothing_and_clearing_everything() {
        let mut session = Session { continuations: 3, title: Some("t".to_owned()), ..Session::default() };
        session.happens(Happening::Compacted);
        assert_eq!(session.continuations, 3);
        session.happens(Happening::Cleared);
        assert!(session.continuations == 0 && session.title.is_none());
    }
}
