//! The case: everything that decides an outcome, and nothing that gives it away.

use crate::{Event, Text};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// A handler's name: its own `command`, `url`, `tool` or `prompt` text, so that equal handlers share it.
pub type Name = Arc<str>;

/// What a candidate is given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Case {
    /// The declared world around the hooks.
    #[serde(default)]
    pub host: Host,
    /// The settings sources, each with its file word for word.
    pub settings: Vec<Layer>,
    /// What the outside world answers when a handler runs; a handler left out exits 0 in silence.
    #[serde(default)]
    pub results: BTreeMap<Name, HandlerResult>,
    /// What happens, in order.
    pub steps: Vec<Step>,
}

/// The world around the hooks. A fact left out has its default; a case writes only what it changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Host {
    /// How the program runs.
    pub surface: Surface,
    /// `default`, `plan`, `acceptEdits`, `auto`, `dontAsk` or `bypassPermissions`.
    pub permission_mode: String,
    /// The permission rules in force.
    pub permissions: Permissions,
    /// In `print` and `sdk`: somebody can answer a permission prompt.
    pub permission_host: bool,
    /// The workspace is trusted.
    pub trusted: bool,
    /// How many tool calls the model made at once.
    pub tool_calls_in_turn: u8,
    /// Further facts about the call or the turn.
    pub facts: BTreeSet<Fact>,
    /// Model alias → canonical name.
    pub models: BTreeMap<String, String>,
    /// The runtime's environment.
    pub env: BTreeMap<String, String>,
    /// The working directory.
    pub cwd: String,
    /// The directories that exist; left out: every path that a hook returns is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directories: Option<BTreeSet<String>>,
}

impl Default for Host {
    fn default() -> Self {
        Self {
            surface: Surface::default(),
            permission_mode: "default".to_owned(),
            permissions: Permissions::default(),
            permission_host: false,
            trusted: true,
            tool_calls_in_turn: 1,
            facts: BTreeSet::new(),
            models: BTreeMap::new(),
            env: BTreeMap::new(),
            cwd: "/work/project".to_owned(),
            directories: None,
        }
    }
}

/// How the program runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Surface {
    /// Interactive, its interface on screen.
    #[default]
    Terminal,
    /// Non-interactive, `-p`.
    Print,
    /// Inside an SDK.
    Sdk,
    /// An isolated background session, without an interface.
    Background,
}

/// A fact that hooks are not told but that decides what their answers can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Fact {
    /// The MCP server marks the tool as requiring user interaction.
    RequiresInteraction,
    /// The action is one that no permission mode approves by itself.
    NoModeApproves,
    /// The model is still writing its response.
    Streaming,
    /// A teammate's turn is at its end, which completes a task that it still has; otherwise `TaskUpdate` does.
    TurnEnds,
    /// A launch flag made it possible to go over to `bypassPermissions` (PERMUPD-09).
    BypassAvailable,
    /// The settings turn `bypassPermissions` off, or the session was launched restricted (PERMUPD-10).
    BypassDisabled,
    /// The Bash command is to run outside the sandbox (PRETOOL-ASK-02B).
    WithoutSandbox,
    /// The switch of model was asked for by `/model`, typed or in its picker (PREMODEL-OUT-05).
    ModelCommand,
    /// The switch of model was asked for by a client's `set_model` request (PREMODEL-OUT-06B).
    SetModel,
}

/// Permission rules, in the settings' syntax.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Permissions {
    /// Run without asking.
    pub allow: Vec<String>,
    /// Always ask.
    pub ask: Vec<String>,
    /// Never run.
    pub deny: Vec<String>,
}

/// One settings source, with its file word for word: the model and each candidate read it with their own code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Layer {
    /// Where it comes from.
    pub from: Source,
    /// The settings file.
    pub settings: Map<String, Value>,
}

/// Where settings come from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Source {
    /// Managed (policy) settings.
    Managed,
    /// The user's settings file.
    User,
    /// The project's shared settings file.
    Project,
    /// The project's local settings file.
    Local,
    /// `--settings`.
    Flag,
    /// A plugin of that name.
    Plugin(String),
    /// The frontmatter of a skill.
    Skill(String),
    /// The frontmatter of an agent.
    Agent(String),
}

/// What the outside world answered when a handler ran; one shape for all handler types.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HandlerResult {
    /// How it ended.
    pub end: End,
    /// Stdout, the HTTP body, the tool's text, the evaluator's answer.
    pub out: Text,
    /// Stderr; where a command could not start, what the shell said.
    pub err: Text,
    /// Orders the ends of handlers that run together, lower first; equal ranks have no order.
    pub rank: u16,
    /// What else it left in the world.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub did: Vec<Deed>,
}

/// How a handler ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum End {
    /// A command exited with this code. For an HTTP handler, 0 is "200 with an empty body".
    Exit(i32),
    /// A command was ended by this signal.
    Signal(i32),
    /// An HTTP server answered with this status.
    Status(u16),
    /// An evaluator, a tool or a callback answered.
    Answered,
    /// An MCP tool answered with `isError: true` (MCPHOOK-05).
    ToolError,
    /// The HTTP connection was refused; the MCP server is not connected.
    Refused,
    /// It was cancelled at its timeout.
    TimedOut,
    /// A command could not be started.
    NotStarted,
    /// An HTTP server closed the connection without an answer.
    NoResponse,
}

impl Default for End {
    fn default() -> Self {
        End::Exit(0)
    }
}

/// Something that a handler left in the world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Deed {
    /// It removed this directory.
    RemovedDirectory(String),
    /// It wrote this to `CLAUDE_ENV_FILE`.
    WroteEnvironment(Text),
    /// It changed this file.
    ChangedFile(String),
}

/// A hook event, or something else that moves the session on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Step {
    /// A hook event.
    Fire(Firing),
    /// What happens in between.
    Happen(Happening),
}

/// A hook event that fires.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Firing {
    /// Which.
    pub event: Event,
    /// The fields of this event only; common fields come from the host.
    #[serde(default)]
    pub input: Map<String, Value>,
    /// What the action would come to without hooks.
    #[serde(default)]
    pub otherwise: Fate,
    /// Overlays the case's results for this step.
    #[serde(default)]
    pub results: BTreeMap<Name, HandlerResult>,
    /// How often the step is repeated; repeats are numbered like steps.
    #[serde(default = "one")]
    pub times: u32,
}

impl Firing {
    /// A single firing without input.
    #[must_use]
    pub fn of(event: Event) -> Self {
        Firing { event, input: Map::new(), otherwise: Fate::default(), results: BTreeMap::new(), times: 1 }
    }
}

fn one() -> u32 {
    1
}

/// Something that happens between events and moves the session on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(missing_docs, reason = "docs/case-language.md tells what each means")]
pub enum Happening {
    ModelRequest,
    ToolCall,
    NewTurn,
    NewPrompt,
    Compacted,
    Cleared,
    Resumed,
    SessionEnds,
}

/// What became of the action that an event is about (`docs/case-language.md` says which action that is).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Fate {
    /// It goes ahead.
    #[default]
    Proceeds,
    /// It does not happen.
    Prevented,
    /// The user is asked.
    Asked,
    /// It is put off, to be resumed.
    Deferred,
}

impl Fate {
    /// The name as it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Fate::Proceeds => "proceeds",
            Fate::Prevented => "prevented",
            Fate::Asked => "asked",
            Fate::Deferred => "deferred",
        }
    }
}

/// One step with its repeats unrolled, numbered from 0.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The number by which claims and outcomes speak of it.
    pub number: usize,
    /// What takes place.
    pub what: WhatHappens<'a>,
}

/// What takes place at a [`Moment`].
#[derive(Clone, Copy, Debug)]
pub enum WhatHappens<'a> {
    /// A hook event fires.
    Fires(&'a Firing),
    /// Something else moves the session on.
    Happens(Happening),
}

impl Case {
    /// The steps with their repeats unrolled: one moment for each outcome that is expected.
    pub fn moments(&self) -> impl Iterator<Item = Moment<'_>> {
        let unrolled = self.steps.iter().flat_map(|step| match step {
            Step::Fire(firing) => std::iter::repeat_n(WhatHappens::Fires(firing), firing.times as usize),
            Step::Happen(happening) => std::iter::repeat_n(WhatHappens::Happens(*happening), 1),
        });
        unrolled.enumerate().map(|(number, what)| Moment { number, what })
    }

    /// How many outcomes are expected.
    #[must_use]
    pub fn moments_count(&self) -> usize {
        self.steps.iter().map(|s| if let Step::Fire(f) = s { f.times as usize } else { 1 }).sum()
    }

    /// What a handler answers when it runs in this firing: the step's own result, or else the case's.
    #[must_use]
    pub fn result<'a>(&'a self, firing: &'a Firing, handler: &str) -> Option<&'a HandlerResult> {
        firing.results.get(handler).or_else(|| self.results.get(handler))
    }

    /// The same case with every text in the form that goes over the wire; most cases have it already.
    #[must_use]
    pub fn to_wire(&self) -> Cow<'_, Case> {
        let in_steps = self.steps.iter().filter_map(|s| if let Step::Fire(f) = s { Some(&f.results) } else { None });
        let mut results = std::iter::once(&self.results).chain(in_steps).flat_map(BTreeMap::values);
        if results.all(|result| result.out.is_plain() && result.err.is_plain() && result.did.is_empty()) {
            return Cow::Borrowed(self);
        }
        let mut case = self.clone();
        let in_steps =
            case.steps.iter_mut().filter_map(|s| if let Step::Fire(f) = s { Some(&mut f.results) } else { None });
        for result in std::iter::once(&mut case.results).chain(in_steps).flat_map(BTreeMap::values_mut) {
            for text in [&mut result.out, &mut result.err] {
                *text = text.to_wire();
            }
            for deed in &mut result.did {
                if let Deed::WroteEnvironment(text) = deed {
                    *text = text.to_wire();
                }
            }
        }
        Cow::Owned(case)
    }
}

#[cfg(test)]
mod tests {
    use super::{Case, Host};

    #[test]
    fn repeats_are_numbered_like_steps() {
        let case: Case = serde_json::from_str(
            r#"{"settings":[],"steps":[{"happen":"new_prompt"},{"fire":{"event":"Stop","times":3}},{"happen":"tool_call"}]}"#,
        )
        .expect("a case");
        assert_eq!(case.moments().map(|m| m.number).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(case.moments_count(), 5);
    }

    #[test]
    fn the_wire_has_no_shorthand_left() {
        let case: Case = serde_json::from_str(
            r#"{"settings":[],"results":{"a":{"out":{"fill":["x",3]}}},
               "steps":[{"fire":{"event":"Stop","results":{"a":{"err":{"join":["y","z"]}}}}}]}"#,
        )
        .expect("a case");
        let wire = serde_json::to_string(&case.to_wire()).expect("serialises");
        assert!(wire.contains(r#""out":"xxx""#) && wire.contains(r#""err":"yz""#), "{wire}");
    }

    #[test]
    fn a_fact_left_out_has_its_default() {
        let host: Host = serde_json::from_str("{}").expect("a host");
        assert!(host.trusted && host.permission_mode == "default" && host.tool_calls_in_turn == 1);
    }
}
