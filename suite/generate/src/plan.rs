//! What a case is about, decided before anything is written: which events fire, with which tool, and whether a Stop repeats.

use crate::{
    draw::Draw,
    tools::{self, Tool},
};
use hookproof_contract::Event;

/// What one event is about.
#[derive(Clone, Copy)]
pub(crate) struct Subject {
    pub(crate) event: Event,
    /// The tool, on the events of a call.
    pub(crate) tool: Option<&'static Tool>,
}

impl Subject {
    /// What a matcher is compared with; nothing where matchers do not count.
    pub(crate) fn target(self) -> Option<&'static str> {
        match self.event {
            Event::Elicitation | Event::ElicitationResult => Some(SERVER),
            Event::PreCompact | Event::PostCompact => Some(BY_HAND),
            Event::StopFailure => Some(ERRORS[0]),
            Event::SessionStart => Some(BEGINNINGS[0]),
            Event::UserPromptExpansion => Some(COMMAND),
            Event::ConfigChange => Some(SOURCES[0]),
            Event::DirectoryAdded => Some(ADDED_BY[0]),
            Event::FileChanged => Some(FILES[0]),
            Event::PreModelSwitch | Event::PostModelSwitch => Some(MODELS[0].1),
            Event::SubagentStop | Event::SubagentStart => Some(AGENT),
            Event::Notification => Some(NOTICES[0]),
            Event::InstructionsLoaded => Some(LOADS[0]),
            Event::SessionEnd => Some(ENDINGS[0]),
            Event::Setup => Some(FLAGS[0]),
            _ => self.tool.map(|tool| tool.name),
        }
    }

    /// Another name of the same kind, for matchers that list two or look for the wrong one.
    pub(crate) fn neighbour(self) -> &'static str {
        match self.event {
            Event::Elicitation | Event::ElicitationResult => "other-server",
            Event::PreCompact | Event::PostCompact => BY_ITSELF,
            Event::StopFailure => ERRORS[1],
            Event::SessionStart => BEGINNINGS[1],
            Event::UserPromptExpansion => "deploy-all",
            Event::ConfigChange => SOURCES[1],
            Event::DirectoryAdded => ADDED_BY[1],
            Event::FileChanged => FILES[1],
            Event::PreModelSwitch | Event::PostModelSwitch => MODELS[1].1,
            Event::SubagentStop | Event::SubagentStart => "Explore",
            Event::Notification => NOTICES[1],
            Event::InstructionsLoaded => LOADS[1],
            Event::SessionEnd => ENDINGS[1],
            Event::Setup => FLAGS[1],
            _ => "NotebookEdit",
        }
    }
}

/// The server that asks in an elicitation.
pub(crate) const SERVER: &str = "issue-tracker";
/// What triggers a compaction that a person asks for; it is what matchers look for.
pub(crate) const BY_HAND: &str = "manual";
/// What triggers the others.
pub(crate) const BY_ITSELF: &str = "auto";
/// The command that a person types.
pub(crate) const COMMAND: &str = "deploy";
/// Where a changed configuration comes from; matchers look for the first.
pub(crate) const SOURCES: [&str; 5] =
    ["project_settings", "user_settings", "policy_settings", "local_settings", "skills"];

/// Who adds directories; matchers look for the first.
pub(crate) const ADDED_BY: [&str; 2] = ["slash_command", "register_repo_root"];
/// The files that change; matchers look for the first, whose name is all letters.
pub(crate) const FILES: [&str; 4] = ["Makefile", ".envrc", "data.csv", "read-me"];
/// The models, each by an alias and its canonical name; matchers look for the first.
pub(crate) const MODELS: [(&str, &str); 2] = [("opus", "claude-opus-5"), ("sonnet", "claude-sonnet-5")];

/// What API errors there are; matchers look for the first.
pub(crate) const ERRORS: [&str; 4] = ["rate_limit", "overloaded", "server_error", "unknown"];
/// How a session begins; matchers look for the first.
pub(crate) const BEGINNINGS: [&str; 5] = ["startup", "resume", "clear", "compact", "fork"];

/// What notifications there are; matchers look for the first.
pub(crate) const NOTICES: [&str; 5] =
    ["idle_prompt", "permission_prompt", "auth_success", "elicitation_complete", "agent_completed"];
/// Why instructions are loaded; matchers look for the first.
pub(crate) const LOADS: [&str; 5] = ["session_start", "path_glob_match", "nested_traversal", "include", "compact"];
/// Why a session ends; matchers look for the first.
pub(crate) const ENDINGS: [&str; 5] = ["clear", "prompt_input_exit", "resume", "logout", "other"];
/// The flags by which a run sets up; matchers look for the first.
pub(crate) const FLAGS: [&str; 2] = ["init", "maintenance"];
/// The worktree that is removed, and the directory in which it lies.
pub(crate) const TREE: &str = "/work/trees/quiet-otter";
pub(crate) const TREES: &str = "/work/trees";

/// The type of the agent that begins or stops.
pub(crate) const AGENT: &str = "code-reviewer";

/// How the steps follow one another.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Course {
    /// The first subject fires once.
    Once,
    /// Stop or SubagentStop fires again and again, each time kept from stopping.
    Stops,
    /// Two subjects, a new prompt between them.
    Two,
}

/// What a case is about.
pub(crate) struct Plan {
    pub(crate) first: Subject,
    pub(crate) second: Option<Subject>,
    pub(crate) course: Course,
}

/// The events that are drawn, and how often. The weights add up to 256 at most; zeros pick the first.
pub(crate) const EVENTS: [(u8, Event); 33] = [
    (18, Event::PreToolUse),
    (13, Event::PostToolUse),
    (11, Event::UserPromptSubmit),
    (9, Event::Stop),
    (7, Event::Elicitation),
    (9, Event::WorktreeCreate),
    (7, Event::PreCompact),
    (7, Event::PostToolUseFailure),
    (7, Event::UserPromptExpansion),
    (7, Event::ConfigChange),
    (7, Event::PostToolBatch),
    (7, Event::SubagentStop),
    (7, Event::TaskCreated),
    (7, Event::TeammateIdle),
    (7, Event::TaskCompleted),
    (7, Event::SubagentStart),
    (7, Event::PostCompact),
    (7, Event::StopFailure),
    (7, Event::ElicitationResult),
    (7, Event::SessionStart),
    (7, Event::Notification),
    (7, Event::InstructionsLoaded),
    (7, Event::SessionEnd),
    (7, Event::Setup),
    (7, Event::MessageDisplay),
    (7, Event::WorktreeRemove),
    (7, Event::PermissionRequest),
    (7, Event::PermissionDenied),
    (7, Event::CwdChanged),
    (7, Event::DirectoryAdded),
    (7, Event::FileChanged),
    (7, Event::PreModelSwitch),
    (7, Event::PostModelSwitch),
];

impl Plan {
    pub(crate) fn draw(draw: &mut Draw<'_, '_>) -> Plan {
        match draw.weighted(&[(80, Course::Once), (9, Course::Stops), (11, Course::Two)]) {
            Course::Stops => {
                let event = draw.weighted(&[(206, Event::Stop), (50, Event::SubagentStop)]);
                Plan { first: Subject { event, tool: None }, second: None, course: Course::Stops }
            }
            course => {
                let first = subject(draw);
                let second = (course == Course::Two).then(|| subject(draw));
                Plan { first, second, course }
            }
        }
    }

    /// The subjects, each once.
    pub(crate) fn subjects(&self) -> impl Iterator<Item = Subject> {
        std::iter::once(self.first).chain(self.second)
    }
}

fn subject(draw: &mut Draw<'_, '_>) -> Subject {
    let event = draw.weighted(&EVENTS);
    let tool = match event {
        Event::PreToolUse | Event::PermissionRequest => Some(draw.pick(&tools::CALLED)),
        Event::PermissionDenied => Some(draw.pick(&tools::FINISHED)),
        Event::PostToolUse | Event::PostToolUseFailure => Some(draw.pick(&tools::FINISHED)),
        _ => None,
    };
    Subject { event, tool }
}
