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

    /// What people write where the name of a server, a tool of a server or a plugin's agent is meant; nothing for other subjects.
    pub(crate) fn others_write(self, draw: &mut Draw<'_, '_>) -> Option<&'static str> {
        match self.event {
            Event::SubagentStop | Event::SubagentStart => Some(draw.pick(&[PLUGINS_AGENT, "^kit:code-reviewer$"])),
            Event::StopFailure => Some(draw.pick(&["cloud_credential_error", "unknown|cloud_credential_error"])),
            _ if self.tool.is_some_and(|tool| tool.server.is_some()) => {
                let tools = ["mcp__.*__write.*", "mcp__memory__create", "mcp__memory", "mcp__.*__create"];
                Some(draw.pick(&tools))
            }
            _ => None,
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
pub(crate) const ERRORS: [&str; 6] =
    ["rate_limit", "overloaded", "cloud_credential_error", "server_error", "unknown", "cloud_credential_error"];
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

/// The type of the agent that begins or stops, and one that a plugin brings.
pub(crate) const AGENT: &str = "code-reviewer";
pub(crate) const PLUGINS_AGENT: &str = "kit:code-reviewer";

/// How the steps follow one another.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Course {
    /// The first subject fires once.
    Once,
    /// Stop or SubagentStop fires again and again, each time kept from stopping.
    Stops,
    /// Two subjects, a new prompt between them.
    Two,
    /// The first subject fires twice: as a deferred call does once the session is resumed, or a change after a change.
    Again,
}

/// The events that fire again, as often as their weights say.
const REPEATED: [(u8, Event); 6] = [
    (100, Event::PreToolUse),
    (28, Event::PostModelSwitch),
    (40, Event::SubagentStart),
    (30, Event::CwdChanged),
    (28, Event::FileChanged),
    (30, Event::PermissionRequest),
];

/// What a case is about.
pub(crate) struct Plan {
    pub(crate) first: Subject,
    pub(crate) second: Option<Subject>,
    pub(crate) course: Course,
    /// Everything about it is in order, so that what a hook decides comes to bear: no odd matcher, end, frame or value.
    pub(crate) calm: bool,
}

/// The events that are drawn, and how often. The weights add up to 256 at most; zeros pick the first.
pub(crate) const EVENTS: [(u8, Event); 33] = [
    (24, Event::PreToolUse),
    (15, Event::PostToolUse),
    (11, Event::UserPromptSubmit),
    (8, Event::Stop),
    (6, Event::Elicitation),
    (8, Event::WorktreeCreate),
    (6, Event::PreCompact),
    (7, Event::PostToolUseFailure),
    (7, Event::UserPromptExpansion),
    (7, Event::ConfigChange),
    (7, Event::PostToolBatch),
    (7, Event::SubagentStop),
    (6, Event::TaskCreated),
    (6, Event::TeammateIdle),
    (8, Event::TaskCompleted),
    (7, Event::SubagentStart),
    (5, Event::PostCompact),
    (6, Event::StopFailure),
    (5, Event::ElicitationResult),
    (7, Event::SessionStart),
    (5, Event::Notification),
    (5, Event::InstructionsLoaded),
    (7, Event::SessionEnd),
    (7, Event::Setup),
    (6, Event::MessageDisplay),
    (6, Event::WorktreeRemove),
    (14, Event::PermissionRequest),
    (7, Event::PermissionDenied),
    (7, Event::CwdChanged),
    (6, Event::DirectoryAdded),
    (6, Event::FileChanged),
    (10, Event::PreModelSwitch),
    (7, Event::PostModelSwitch),
];

impl Plan {
    pub(crate) fn draw(draw: &mut Draw<'_, '_>) -> Plan {
        let course = draw.weighted(&[(69, Course::Once), (8, Course::Stops), (10, Course::Two), (13, Course::Again)]);
        let first = match course {
            Course::Stops => {
                Subject { event: draw.weighted(&[(206, Event::Stop), (50, Event::SubagentStop)]), tool: None }
            }
            Course::Again => subject(draw, &REPEATED),
            // A session begins, and goes on.
            Course::Two if draw.chance(20) => Subject { event: Event::SessionStart, tool: None },
            Course::Once | Course::Two => subject(draw, &EVENTS),
        };
        let second = (course == Course::Two).then(|| subject(draw, &EVENTS));
        let calm = course != Course::Stops && draw.chance(44);
        Plan { first, second, course, calm }
    }

    /// Whether a call comes again once the session is resumed.
    pub(crate) fn resumes(&self) -> bool {
        self.course == Course::Again && self.first.event == Event::PreToolUse
    }

    /// The subjects, each once.
    pub(crate) fn subjects(&self) -> impl Iterator<Item = Subject> {
        std::iter::once(self.first).chain(self.second)
    }
}

fn subject<const N: usize>(draw: &mut Draw<'_, '_>, events: &[(u8, Event); N]) -> Subject {
    let event = draw.weighted(events);
    let tool = match event {
        Event::PreToolUse if draw.chance(3) => Some(&tools::FAREWELL),
        Event::PermissionRequest if draw.chance(30) => Some(tools::CALLED[0]),
        Event::PreToolUse | Event::PermissionRequest => Some(draw.pick(&tools::CALLED)),
        Event::PermissionDenied => Some(draw.pick(&tools::FINISHED)),
        Event::PostToolUse | Event::PostToolUseFailure => Some(draw.pick(&tools::FINISHED)),
        _ => None,
    };
    Subject { event, tool }
}
