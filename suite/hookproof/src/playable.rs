//! Whether a candidate can be given a case, decided from what it declared and before anything is sent.

use hookproof_contract::{
    Case, Event, Layer, Source, Step, WhatHappens,
    message::{Depth, Hello},
};
use serde_json::Value;
use std::fmt;

/// The handler types of the contract. Any other word is not a type that a candidate could declare: it is part of the case.
pub(crate) const TYPES: [&str; 5] = ["command", "http", "mcp_tool", "prompt", "agent"];

/// Why a case is not played. Reasons are counted, so equal ones are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipReason {
    /// The candidate does not fire an event of the case.
    EventNotDeclared(Event),
    /// The candidate does not run handlers of a type in the case.
    HandlerNotDeclared(&'static str),
    /// None of the case's rules holds at the candidate's revision.
    OtherRevision,
    /// The candidate cannot be exercised at this depth.
    DepthNotDeclared(Depth),
    /// The candidate lacks a capability.
    CapabilityNotDeclared(&'static str),
    /// The model has nothing to say about the case.
    OutsideModel(String),
}

impl SkipReason {
    /// Whether the case is about something that the candidate does not set out to do; otherwise it is something that could not
    /// be tested.
    #[must_use]
    pub fn is_not_applicable(&self) -> bool {
        matches!(self, Self::EventNotDeclared(_) | Self::HandlerNotDeclared(_) | Self::OtherRevision)
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EventNotDeclared(event) => write!(f, "event not declared: {event}"),
            Self::HandlerNotDeclared(kind) => write!(f, "handler type not declared: {kind}"),
            Self::OtherRevision => f.write_str("its rules hold at another revision"),
            Self::DepthNotDeclared(depth) => write!(f, "depth not declared: {}", depth_name(*depth)),
            Self::CapabilityNotDeclared(what) => write!(f, "capability not declared: {what}"),
            Self::OutsideModel(what) => write!(f, "outside the model: {what}"),
        }
    }
}

/// The depth as messages write it.
#[must_use]
pub const fn depth_name(depth: Depth) -> &'static str {
    match depth {
        Depth::Resolve => "resolve",
        Depth::Run => "run",
        Depth::Agent => "agent",
    }
}

/// Whether a case can be played at a depth by a candidate. Says yes or gives one reason, for every case.
///
/// # Errors
///
/// The first reason why not.
pub fn playable(case: &Case, depth: Depth, hello: &Hello) -> Result<(), SkipReason> {
    if !hello.depths.contains(&depth) {
        return Err(SkipReason::DepthNotDeclared(depth));
    }
    for moment in case.moments() {
        if let WhatHappens::Fires(firing) = moment.what
            && !hello.events.contains(&firing.event)
        {
            return Err(SkipReason::EventNotDeclared(firing.event));
        }
    }
    for handler in handlers(case) {
        let kind = handler.get("type").and_then(Value::as_str);
        if let Some(kind) = TYPES.into_iter().find(|t| Some(*t) == kind)
            && !hello.handlers.contains(kind)
        {
            return Err(SkipReason::HandlerNotDeclared(kind));
        }
    }
    match needs(case).find(|name| !hello.capabilities.contains(*name)) {
        Some(name) => Err(SkipReason::CapabilityNotDeclared(name)),
        None => Ok(()),
    }
}

/// The capabilities that a case takes.
pub(crate) fn needs(case: &Case) -> impl Iterator<Item = &'static str> {
    CAPABILITIES.into_iter().filter(|(_, needed)| needed(case)).map(|(name, _)| name)
}

/// Whether a case takes a capability.
type Needed = fn(&Case) -> bool;

/// What a candidate can declare, and which cases take it (`docs/protocol.md`, hello).
const CAPABILITIES: [(&str, Needed); 7] = [
    ("if", |case| any_handler_has(case, &["if"])),
    ("async", |case| any_handler_has(case, &["async", "asyncRewake"])),
    ("once", |case| any_handler_has(case, &["once"])),
    ("agents", |case| is_of_agents(case)),
    ("trust", |case| !case.host.trusted),
    ("policy", |case| {
        let mut keys = case.settings.iter().flat_map(|layer| layer.settings.keys());
        keys.any(|key| !["hooks", "disableAllHooks", "description"].contains(&key.as_str()))
    }),
    ("session", |case| case.moments_count() > 1),
];

/// Whether it takes a runtime that knows whose doing an event is: hooks in an agent's definition, or an agent named in the input of an
/// event that is not about agents by itself.
fn is_of_agents(case: &Case) -> bool {
    let by_itself =
        [Event::SubagentStart, Event::SubagentStop, Event::TeammateIdle, Event::TaskCreated, Event::TaskCompleted];
    let names_one = |step: &Step| match step {
        Step::Fire(firing) => {
            !by_itself.contains(&firing.event)
                && ["agent_id", "agent_type"].iter().any(|key| firing.input.contains_key(*key))
        }
        Step::Happen(_) => false,
    };
    let defines = |layer: &Layer| matches!(layer.from, Source::Agent(_));
    case.settings.iter().any(defines) || case.steps.iter().any(names_one)
}

fn any_handler_has(case: &Case, fields: &[&str]) -> bool {
    handlers(case).any(|handler| fields.iter().any(|field| handler.get(field).is_some()))
}

/// Whatever stands where settings keep their handlers, in all layers; settings may be malformed on purpose.
pub(crate) fn handlers(case: &Case) -> impl Iterator<Item = &Value> {
    let hooks = case.settings.iter().filter_map(|layer| layer.settings.get("hooks").and_then(Value::as_object));
    let groups = hooks.flat_map(|events| events.values()).filter_map(Value::as_array).flatten();
    groups.filter_map(|group| group.get("hooks").and_then(Value::as_array)).flatten()
}

#[cfg(test)]
mod tests {
    use super::{SkipReason, playable};
    use hookproof_contract::{Case, Event, Source, Step, message::Depth};
    use serde_json::json;

    fn case(kind: &str, event: &str, times: u32) -> Case {
        serde_json::from_value(json!({
            "settings": [{"from": "user", "settings": {"hooks": {event: [{"hooks": [{"type": kind, "command": "a"}]}, 7], "x": 5}}}],
            "steps": [{"fire": {"event": event, "times": times}}]
        }))
        .expect("a case")
    }

    fn with(change: impl Fn(&mut Case)) -> Case {
        let mut case = case("command", "Stop", 1);
        change(&mut case);
        case
    }

    /// An event with an agent in its input.
    fn named(event: &str) -> Case {
        let mut case = case("command", event, 1);
        if let Step::Fire(firing) = &mut case.steps[0] {
            firing.input.insert("agent_id".to_owned(), json!("a1"));
        }
        case
    }

    #[test]
    fn every_reason_comes_from_what_was_declared() {
        let mut hello = hookproof_reference::hello();
        hello.events = [Event::Stop, Event::SubagentStop].into();
        hello.handlers = ["command".to_owned()].into();
        hello.capabilities.clear();
        for (case, depth, wanted) in [
            (case("command", "Stop", 1), Depth::Resolve, Ok(())),
            (case("http", "Stop", 1), Depth::Resolve, Err(SkipReason::HandlerNotDeclared("http"))),
            (case("carrier-pigeon", "Stop", 1), Depth::Resolve, Ok(())),
            (case("command", "PreToolUse", 1), Depth::Resolve, Err(SkipReason::EventNotDeclared(Event::PreToolUse))),
            (case("command", "Stop", 2), Depth::Resolve, Err(SkipReason::CapabilityNotDeclared("session"))),
            (
                with(|case| case.settings[0].from = Source::Agent("reviewer".to_owned())),
                Depth::Resolve,
                Err(SkipReason::CapabilityNotDeclared("agents")),
            ),
            (named("Stop"), Depth::Resolve, Err(SkipReason::CapabilityNotDeclared("agents"))),
            (named("SubagentStop"), Depth::Resolve, Ok(())),
            (with(|case| case.host.trusted = false), Depth::Resolve, Err(SkipReason::CapabilityNotDeclared("trust"))),
            (
                with(|case| drop(case.settings[0].settings.insert("allowManagedHooksOnly".into(), json!(true)))),
                Depth::Resolve,
                Err(SkipReason::CapabilityNotDeclared("policy")),
            ),
            (case("command", "Stop", 1), Depth::Agent, Err(SkipReason::DepthNotDeclared(Depth::Agent))),
        ] {
            assert_eq!(playable(&case, depth, &hello), wanted);
        }
    }
}
