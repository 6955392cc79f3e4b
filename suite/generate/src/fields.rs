//! The fields of an event's output object: their names, their types, and how often each is drawn.

use hookproof_contract::Event;

/// What a field holds when it is right.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `true` or `false`; the first as often as the percentage says.
    Bool(usize),
    /// A text that surfaces, with the label of its canary.
    Text(&'static str),
    /// One of a few words.
    Words(Words),
    /// A tool's input.
    Input,
    /// A tool's result.
    Output,
    /// The values of a form.
    Content,
    /// Bytes for the terminal.
    Sequence,
    /// A path.
    Path,
    /// A list of paths.
    Paths,
    /// What a request for permission is answered.
    Request,
}

/// The words that a field takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Words {
    /// `permissionDecision`.
    Permission,
    /// The same where a switch of model is decided.
    Switch,
    /// Top-level `decision`.
    Decision,
    /// `action`.
    Action,
}

impl Words {
    /// The words that mean something.
    pub(crate) const fn known(self) -> &'static [&'static str] {
        match self {
            Words::Permission => &["allow", "deny", "ask", "defer"],
            Words::Switch => &["allow", "deny", "ask"],
            Words::Decision => &["block", "approve"],
            Words::Action => &["accept", "decline", "cancel"],
        }
    }
}

/// A field of an output object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) weight: u8,
}

const fn field(name: &'static str, kind: Kind, weight: u8) -> Field {
    Field { name, kind, weight }
}

/// The fields that every event takes.
pub(crate) const UNIVERSAL: [Field; 5] = [
    field("systemMessage", Kind::Text("MSG"), 40),
    field("continue", Kind::Bool(25), 30),
    STOP_REASON,
    field("suppressOutput", Kind::Bool(50), 10),
    field("terminalSequence", Kind::Sequence, 16),
];
/// The reason of `"continue": false`.
pub(crate) const STOP_REASON: Field = field("stopReason", Kind::Text("HALT"), 12);
/// The older decision, at the top level.
pub(crate) const DECISION: Field = field("decision", Kind::Words(Words::Decision), 0);
/// Its reason.
pub(crate) const REASON: Field = field("reason", Kind::Text("WHY"), 0);
/// The reason of a permission decision.
pub(crate) const PERMISSION_REASON: Field = field("permissionDecisionReason", Kind::Text("WHY"), 6);
/// The values that go with `accept`.
pub(crate) const CONTENT: Field = field("content", Kind::Content, 20);

const CONTEXT: Field = field("additionalContext", Kind::Text("CTX"), 60);
const PRE_TOOL_USE: [Field; 4] = [
    field("permissionDecision", Kind::Words(Words::Permission), 110),
    CONTEXT,
    field("updatedInput", Kind::Input, 55),
    PERMISSION_REASON,
];
const POST_TOOL_USE: [Field; 4] = [
    CONTEXT,
    field("updatedToolOutput", Kind::Output, 50),
    field("classifierContext", Kind::Text("NOTE"), 95),
    field("updatedMCPToolOutput", Kind::Output, 25),
];
const USER_PROMPT_SUBMIT: [Field; 3] =
    [CONTEXT, field("sessionTitle", Kind::Text("TITLE"), 40), field("suppressOriginalPrompt", Kind::Bool(80), 40)];
const STOP: [Field; 1] = [CONTEXT];
const CONTEXT_ALONE: [Field; 1] = [CONTEXT];
const SESSION_START: [Field; 5] = [
    CONTEXT,
    field("sessionTitle", Kind::Text("TITLE"), 40),
    field("initialUserMessage", Kind::Text("FIRST"), 40),
    field("watchPaths", Kind::Paths, 30),
    field("reloadSkills", Kind::Bool(80), 30),
];
const ELICITATION: [Field; 2] = [field("action", Kind::Words(Words::Action), 120), CONTENT];
const MESSAGE_DISPLAY: [Field; 1] = [field("displayContent", Kind::Text("SHOW"), 60)];
const WORKTREE_CREATE: [Field; 1] = [field("worktreePath", Kind::Path, 60)];

const PERMISSION_REQUEST: [Field; 1] = [field("decision", Kind::Request, 60)];
const PERMISSION_DENIED: [Field; 1] = [field("retry", Kind::Bool(75), 60)];
const WATCH: [Field; 1] = [field("watchPaths", Kind::Paths, 60)];
const PRE_MODEL_SWITCH: [Field; 2] = [field("permissionDecision", Kind::Words(Words::Switch), 110), PERMISSION_REASON];

/// The fields inside `hookSpecificOutput`.
pub(crate) const fn specific(event: Event) -> &'static [Field] {
    match event {
        Event::PreToolUse => &PRE_TOOL_USE,
        Event::PostToolUse => &POST_TOOL_USE,
        Event::UserPromptSubmit => &USER_PROMPT_SUBMIT,
        Event::Elicitation | Event::ElicitationResult => &ELICITATION,
        Event::SessionStart => &SESSION_START,
        Event::WorktreeCreate => &WORKTREE_CREATE,
        Event::MessageDisplay => &MESSAGE_DISPLAY,
        // It is dropped there.
        Event::Setup => &CONTEXT_ALONE,
        Event::PermissionRequest => &PERMISSION_REQUEST,
        Event::PermissionDenied => &PERMISSION_DENIED,
        Event::CwdChanged | Event::FileChanged => &WATCH,
        Event::PreModelSwitch => &PRE_MODEL_SWITCH,
        Event::PostModelSwitch => &CONTEXT_ALONE,
        Event::Stop | Event::SubagentStop => &STOP,
        Event::PostToolUseFailure | Event::UserPromptExpansion | Event::PostToolBatch | Event::SubagentStart => {
            &CONTEXT_ALONE
        }
        _ => &[],
    }
}

/// How often an event's output has the older decision, in percent.
pub(crate) const fn decides_at_the_top(event: Event) -> usize {
    match event {
        Event::UserPromptSubmit
        | Event::PostToolUse
        | Event::PostToolUseFailure
        | Event::UserPromptExpansion
        | Event::PostToolBatch => 35,
        Event::Stop | Event::SubagentStop | Event::PreCompact | Event::TaskCreated | Event::ConfigChange => 60,
        Event::Elicitation | Event::ElicitationResult => 15,
        // It decides nothing there, which somebody may get wrong.
        Event::SubagentStart | Event::PostCompact | Event::StopFailure => 20,
        Event::Notification | Event::InstructionsLoaded | Event::SessionEnd | Event::Setup => 20,
        Event::MessageDisplay | Event::WorktreeRemove => 20,
        Event::PermissionRequest | Event::PermissionDenied | Event::PostModelSwitch => 12,
        Event::CwdChanged | Event::DirectoryAdded | Event::FileChanged => 12,
        Event::PreModelSwitch => 25,
        Event::PreToolUse => 9,
        _ => 4,
    }
}
