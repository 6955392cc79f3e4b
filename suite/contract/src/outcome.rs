//! The outcome: what a runtime did in one step because of hooks, in five places.

use crate::{Event, Fate, Firing, Name, Text};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    str::FromStr,
};

/// What the runtime did in one step because of hooks. A place that the candidate observes and leaves out means "nothing
/// happened there"; a place that it does not observe (handshake, or `unseen` for this step) is never judged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Outcome {
    /// The handlers that were started, as a bag.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ran: Vec<Ran>,
    /// What became of the action; left out: what it comes to without hooks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fate: Option<Fate>,
    /// What follows for the agent; left out: the ordinary course ([`Outcome::agent_in`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<Agent>,
    /// The texts that arrived, each with its audience.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<Said>,
    /// What hooks replaced or changed.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<Slot, Value>,
    /// The places that this step could not observe.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub unseen: BTreeSet<Place>,
}

impl Outcome {
    /// The fate, with "left out" spelled out.
    #[must_use]
    pub fn fate_in(&self, firing: &Firing) -> Fate {
        self.fate.unwrap_or(firing.otherwise)
    }

    /// What follows for the agent, with "left out" spelled out.
    #[must_use]
    pub fn agent_in(&self, firing: &Firing) -> Agent {
        let stopping = matches!(firing.event, Event::Stop | Event::SubagentStop);
        self.agent.unwrap_or(match self.fate_in(firing) {
            Fate::Proceeds if stopping => Agent::EndsTurn,
            _ => Agent::GoesOn,
        })
    }
}

/// One handler that was started, and what it was given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ran {
    /// Its name.
    pub handler: Name,
    /// What it was given, by [`Field`] name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub given: Map<String, Value>,
}

/// A text and who got it, reported in the step in which it arrives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Said {
    /// Who got it.
    pub to: Audience,
    /// The text as they got it.
    pub text: Text,
    /// In which manner; left out: unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how: Option<Manner>,
    /// Whose it is; left out: unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Name>,
    /// Where the whole text lies, if it was too long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spill: Option<Spill>,
}

/// The whole text lies in a file: its path, or, without a disk, what it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Spill {
    /// The file's absolute path. The harness reads and checks it.
    Path(String),
    /// What the file holds.
    Content(Text),
}

/// Names of one word each: an enum with its spelling in one place.
macro_rules! names {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$vdoc:meta])* $variant:ident $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $text)] $variant),* }

        impl $name {
            /// All of them.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// The name as it is written.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(s: &str) -> Result<Self, String> {
                match s {
                    $($text => Ok($name::$variant),)*
                    _ => Err(format!(concat!("unknown ", $what, " `{}`; allowed are {}"), s, [$($text),*].join(", "))),
                }
            }
        }
    };
}

names!(
    /// What follows for the agent concerned (main agent, subagent or teammate).
    Agent, "agent state" {
        /// It works on.
        GoesOn "goes_on",
        /// Its turn is over in the ordinary way.
        EndsTurn "ends_turn",
        /// It does no more work at all.
        Stops "stops",
        /// The request in hand fails.
        RequestFails "request_fails",
    }
);
names!(
    /// Who gets a text.
    Audience, "audience" {
        /// The model of the agent concerned.
        Model "model",
        /// The person: transcript, warnings, block messages, prompts.
        User "user",
        /// The debug log.
        Debug "debug",
        /// Bytes written to the terminal.
        Terminal "terminal",
        /// The permission classifier.
        Classifier "classifier",
        /// An SDK or control request.
        Caller "caller",
        /// An MCP server.
        Server "server",
    }
);
names!(
    /// In which manner a text arrives.
    Manner, "manner" {
        /// Context beside the conversation.
        Context "context",
        /// A reason to go on, or about a finished call.
        Feedback "feedback",
        /// Why a call was denied.
        Refusal "refusal",
        /// A hook error line.
        Notice "notice",
        /// A `systemMessage`.
        Warning "warning",
        /// Inside a permission prompt.
        Prompt "prompt",
        /// A block message or a stop reason.
        Block "block",
    }
);
names!(
    /// What a hook replaced or changed. A slot that is not there is unchanged.
    Slot, "slot" {
        /// The tool's input.
        ToolInput "tool_input",
        /// The tool's result, as the model gets it.
        ToolOutput "tool_output",
        /// The text on screen.
        Display "display",
        /// Where the worktree is.
        WorktreePath "worktree_path",
        /// What the MCP server is answered.
        McpReply "mcp_reply",
        /// The session's title.
        SessionTitle "session_title",
        /// The first prompt.
        FirstPrompt "first_prompt",
        /// The paths that are watched.
        WatchPaths "watch_paths",
        /// Permission updates.
        Permissions "permissions",
        /// The permission mode.
        PermissionMode "permission_mode",
        /// Skills were scanned again.
        SkillsReloaded "skills_reloaded",
        /// The label of a permission prompt.
        PromptLabel "prompt_label",
        /// Environment variables.
        Environment "environment",
        /// The task was rolled back.
        TaskGone "task_gone",
        /// The model was told that it may make a refused call again.
        RetryAllowed "retry_allowed",
    }
);
names!(
    /// A part of what a handler is given.
    Field, "field" {
        /// The event's JSON.
        Input "input",
        /// Seconds until it is cancelled.
        Timeout "timeout",
        /// HTTP headers.
        Headers "headers",
        /// Arguments of a tool.
        Arguments "arguments",
        /// The prompt of an evaluator.
        Prompt "prompt",
        /// The shell.
        Shell "shell",
        /// The working directory.
        Cwd "cwd",
        /// The environment.
        Environment "environment",
    }
);

/// Where a claim looks, and the unit of what a candidate observes. In a claim it is written `"ran"` or `{"said": "model"}`; in
/// a handshake and in `unseen`, `"ran"` or `"said/model"`. Both forms are read everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// Which handlers were started.
    Ran,
    /// What became of the action.
    Fate,
    /// What follows for the agent.
    Agent,
    /// The texts to an audience.
    Said(Audience),
    /// A slot.
    Set(Slot),
    /// What a handler was given.
    Given(Field),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Ran => f.pad("ran"),
            Place::Fate => f.pad("fate"),
            Place::Agent => f.pad("agent"),
            Place::Said(audience) => f.pad(&format!("said/{}", audience.name())),
            Place::Set(slot) => f.pad(&format!("set/{}", slot.name())),
            Place::Given(field) => f.pad(&format!("given/{}", field.name())),
        }
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        match s.split_once('/') {
            None if s == "ran" => Ok(Place::Ran),
            None if s == "fate" => Ok(Place::Fate),
            None if s == "agent" => Ok(Place::Agent),
            Some(("said", audience)) => audience.parse().map(Place::Said),
            Some(("set", slot)) => slot.parse().map(Place::Set),
            Some(("given", field)) => field.parse().map(Place::Given),
            _ => Err(format!(
                "unknown place `{s}`; allowed are ran, fate, agent, said/<audience>, set/<slot>, given/<field>"
            )),
        }
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Place;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(r#"a place, such as "fate", "said/model" or {"said": "model"}"#)
            }

            fn visit_str<E: de::Error>(self, s: &str) -> Result<Place, E> {
                s.parse().map_err(E::custom)
            }

            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Place, A::Error> {
                let Some((family, member)) = map.next_entry::<String, String>()? else {
                    return Err(de::Error::invalid_length(0, &self));
                };
                format!("{family}/{member}").parse().map_err(de::Error::custom)
            }
        }
        d.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::{Agent, Audience, Outcome, Place};
    use crate::{Event, Fate, Firing};

    #[test]
    fn a_place_is_read_in_both_forms_and_written_in_one() {
        let place = Place::Said(Audience::Model);
        for form in [r#""said/model""#, r#"{"said":"model"}"#] {
            assert_eq!(serde_json::from_str::<Place>(form).expect(form), place);
        }
        assert_eq!(serde_json::to_string(&place).expect("serialises"), r#""said/model""#);
        let error = serde_json::from_str::<Place>(r#"{"said":"modle"}"#).expect_err("misspelt").to_string();
        assert!(error.contains("unknown audience `modle`; allowed are model, user"), "{error}");
    }

    #[test]
    fn what_is_left_out_is_the_ordinary_course() {
        let mut stop = Firing::of(Event::Stop);
        let nothing = Outcome::default();
        assert_eq!(nothing.agent_in(&stop), Agent::EndsTurn);
        let blocked = Outcome { fate: Some(Fate::Prevented), ..Outcome::default() };
        assert_eq!(blocked.agent_in(&stop), Agent::GoesOn);
        stop.event = Event::PreToolUse;
        stop.otherwise = Fate::Asked;
        assert_eq!(nothing.fate_in(&stop), Fate::Asked);
        assert_eq!(nothing.agent_in(&stop), Agent::GoesOn);
    }
}
