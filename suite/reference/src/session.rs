//! What a session remembers from one step to the next (chapters *stop* and *prompt*).

use crate::{
    Scene, environment::Environment, permissions::Rules, read::Answer, select::Handler, settings::Place,
    subagents::Subagents,
};
use hookproof_contract::{Event, Happening, Said, Source};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The state of a session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Session {
    /// The turn of the main agent.
    pub(crate) turn: Turn,
    /// The turns of the subagents that stop hooks have kept going, by `agent_id`.
    pub(crate) subagents: BTreeMap<String, Turn>,
    /// The subagents that have what their first hooks told them still before their eyes, by `agent_id`.
    pub(crate) briefed: BTreeSet<String>,
    /// Where the session works, if that is no longer where it began.
    pub(crate) cwd: Option<String>,
    /// The permission mode, if a hook has changed it.
    pub(crate) mode: Option<String>,
    /// What hooks have made of the permission rules.
    pub(crate) rules: Rules,
    /// The title that a hook gave.
    pub(crate) title: Option<String>,
    /// How many prompts the user has given.
    pub(crate) prompts: u32,
    /// How many texts were written to files.
    pub(crate) files: u32,
    /// The handlers that run once and have run, each on its event.
    pub(crate) spent: Vec<(Event, Place)>,
    /// The session in which the skills were invoked is over, and their hooks with it.
    pub(crate) skills_over: bool,
    /// Which subagents run.
    pub(crate) agents: Subagents,
    /// What hooks have handed on to Bash commands.
    pub(crate) environment: Environment,
    /// What the model does not have yet.
    pub(crate) kept: Kept,
}

/// Texts that are kept for a later request to the model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    /// For the first request of the next turn.
    pub(crate) for_turn: Vec<Said>,
    /// For the next request.
    pub(crate) for_request: Vec<Said>,
    /// For the next request too, while the session does not go over to yet another model.
    pub(crate) for_model: Vec<Said>,
}

impl Kept {
    /// A prompt goes to the model, and what was kept for its turn with it.
    pub(crate) fn turn_begins(&mut self) {
        self.for_request.append(&mut self.for_turn);
    }
}

/// What stop hooks have done to the turn of one agent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turn {
    /// How often in a row stop hooks have kept it going.
    pub(crate) continuations: u32,
    /// Whether a tool was called since stop hooks were last counted.
    pub(crate) tool_called: bool,
    /// Whether the agent works on because of a stop hook.
    pub(crate) kept_going: bool,
}

impl Session {
    /// Something moves the session on between two events.
    pub(crate) fn happens(&mut self, happening: Happening) {
        match happening {
            Happening::ToolCall => {
                self.turn.tool_called = true;
                // Nobody says which agent called the tool.
                self.subagents.values_mut().for_each(|turn| turn.tool_called = true);
            }
            Happening::NewPrompt => {
                self.prompted();
                self.kept.turn_begins();
            }
            Happening::NewTurn | Happening::Resumed => self.turn = Turn::default(),
            // What begins anew begins where the session is, with what is written in files.
            Happening::Cleared | Happening::SessionEnds => {
                *self = Session {
                    cwd: self.cwd.take(),
                    rules: std::mem::take(&mut self.rules).saved(),
                    skills_over: true,
                    agents: Subagents::none(),
                    ..Session::default()
                }
            }
            // Nobody says whose conversation was compacted, so it may be any agent's.
            Happening::Compacted => self.briefed.clear(),
            Happening::ModelRequest => {}
        }
    }

    /// The user has given a prompt; whether it goes through is another matter.
    fn prompted(&mut self) {
        self.prompts += 1;
        self.turn = Turn::default();
    }

    /// What the model gets, of all that was kept for it, where this happens.
    pub(crate) fn arrives(&mut self, happening: Happening) -> Vec<Said> {
        if happening != Happening::ModelRequest {
            return Vec::new();
        }
        let mut said = std::mem::take(&mut self.kept.for_request);
        said.append(&mut self.kept.for_model);
        said
    }

    /// An event fires: that alone tells something about the turn.
    pub(crate) fn fires(&mut self, scene: &Scene<'_>) {
        self.agents.fires(scene);
        match scene.event() {
            Event::PreToolUse
            | Event::PermissionRequest
            | Event::PermissionDenied
            | Event::PostToolUse
            | Event::PostToolUseFailure
            | Event::PostToolBatch => self.happens(Happening::ToolCall),
            // A task is created by a tool, and completed by one unless a teammate's turn ends.
            Event::TaskCreated => self.happens(Happening::ToolCall),
            Event::TaskCompleted if !scene.turn_ends() => self.happens(Happening::ToolCall),
            Event::UserPromptSubmit => self.prompted(),
            // Who types a command has said something; whether that begins a turn is not said.
            Event::UserPromptExpansion => self.prompts = self.prompts.max(1),
            // Whatever conversation begins or is taken up, no stop hook has kept it going; a compaction leaves it the same.
            Event::SessionStart if scene.input_text("source") != Some("compact") => self.turn = Turn::default(),
            Event::CwdChanged => self.cwd = scene.input_text("new_cwd").map(str::to_owned).or(self.cwd.take()),
            _ => {}
        }
    }

    /// The permission mode, by the name that hooks know it by: what people know as manual has always been `default` here.
    pub(crate) fn mode<'s>(&'s self, scene: &Scene<'s>) -> &'s str {
        match self.mode.as_deref().unwrap_or(&scene.host().permission_mode) {
            "manual" => "default",
            mode => mode,
        }
    }

    /// The directory in which the session works.
    pub(crate) fn cwd<'s>(&'s self, scene: &Scene<'s>) -> &'s str {
        self.cwd.as_deref().unwrap_or(&scene.host().cwd)
    }

    /// The turn of the agent that is about to stop, as far as stop hooks have kept it going.
    pub(crate) fn stopping(&self, scene: &Scene<'_>) -> Turn {
        match subagent(scene) {
            Some(id) => self.subagents.get(id).copied().unwrap_or_default(),
            None => self.turn,
        }
    }

    /// The turn of that agent goes on like this; without one, it is over.
    pub(crate) fn goes_on(&mut self, scene: &Scene<'_>, turn: Option<Turn>) {
        match (subagent(scene), turn) {
            (Some(id), Some(turn)) => drop(self.subagents.insert(id.to_owned(), turn)),
            (Some(id), None) => drop(self.subagents.remove(id)),
            (None, turn) => self.turn = turn.unwrap_or_default(),
        }
    }

    /// Takes out a skill's handler that runs only once, after it has succeeded (chapter *settings*). Before 2.1.290 it was
    /// gone after any run.
    pub(crate) fn took(&mut self, scene: &Scene<'_>, handler: &Handler<'_>, answer: &Answer) {
        let once = matches!(handler.source, Source::Skill(_)) && handler.json.get("once") == Some(&Value::Bool(true));
        let succeeded = answer.succeeded() && !(answer.is_excused && scene.stance.failing_run_stays);
        if once && (succeeded || !scene.since(290)) {
            self.spent.push((scene.event(), handler.place));
        }
    }
}

/// The subagent that is about to stop, if it is not the main agent that is.
fn subagent<'a>(scene: &Scene<'a>) -> Option<&'a str> {
    (scene.event() == Event::SubagentStop).then(|| scene.input_text("agent_id").unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{Session, Turn};
    use crate::testing::stage;
    use hookproof_contract::Happening;
    use serde_json::json;

    fn kept_going() -> Session {
        Session { turn: Turn { continuations: 3, kept_going: true, tool_called: false }, ..Session::default() }
    }

    #[test]
    fn a_prompt_begins_a_new_turn() {
        let mut session = kept_going();
        session.happens(Happening::NewPrompt);
        assert!(session.turn.continuations == 0 && !session.turn.kept_going && session.prompts == 1);
    }

    #[test]
    fn a_tool_call_is_remembered_and_the_turn_goes_on() {
        let mut session = kept_going();
        session.subagents.insert("a1".to_owned(), Turn::default());
        session.happens(Happening::ToolCall);
        assert!(session.turn.tool_called && session.turn.kept_going && session.turn.continuations == 3);
        assert!(session.subagents["a1"].tool_called);
    }

    #[test]
    fn a_prompt_leaves_subagents_alone() {
        let mut session = kept_going();
        session.subagents.insert("a1".to_owned(), session.turn);
        session.happens(Happening::NewPrompt);
        assert_eq!(session.subagents["a1"].continuations, 3);
    }

    #[test]
    fn a_typed_command_is_input_and_leaves_the_turn_alone() {
        let group = json!([{"hooks": [{"type": "command", "command": "h"}]}]);
        let fire = |event: &str| json!({"fire": {"event": event, "input": {"trigger": "manual"}}});
        let outcomes = stage(json!({
            "settings": [{"from": "user", "settings": {"hooks": {"PreCompact": group, "Stop": group}}}],
            "results": {"h": {"end": {"exit": 2}, "err": "ERR-1"}},
            "steps": [fire("PreCompact"), fire("Stop"), fire("UserPromptExpansion"), fire("PreCompact"), fire("Stop")]
        }));
        let given = |step: usize| &outcomes[step].ran[0].given["input"];
        assert!(given(0).get("prompt_id").is_none() && given(3).get("prompt_id").is_some());
        assert_eq!(given(4)["stop_hook_active"], true);
    }

    #[test]
    fn compaction_leaves_the_turn_alone_and_clearing_nothing() {
        let mut session = Session { title: Some("t".to_owned()), ..kept_going() };
        session.briefed.insert("a1".to_owned());
        session.happens(Happening::Compacted);
        assert!(session.turn.continuations == 3 && session.title.is_some() && session.briefed.is_empty());
        session.happens(Happening::Cleared);
        assert!(session.turn.continuations == 0 && session.title.is_none());
    }
}
