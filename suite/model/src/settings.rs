//! Which settings sources have a say (chapter *settings*): the switch that turns hooks off, and what it cannot reach.

use crate::{condition, policy, table};
use hookproof_contract::{Case, Event, Layer, Revision, RuleId, Source, Surface, rule};
use serde_json::{Map, Value};
use std::mem::discriminant;

/// What `disableAllHooks` comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    /// Nobody turns hooks off; where somebody would but is overruled, by this rule.
    On(Option<RuleId>),
    /// All hooks but the managed ones are off, by this rule.
    OthersOff(RuleId),
    /// All hooks are off.
    AllOff,
    /// A value has no meaning there; the contract does not say what comes of that.
    Unknown,
}

/// The settings whose effect on hooks the model knows, beside those of [`policy`]: for `description`, which plugins have, none. Many
/// others have one: permission rules, the environment.
const COVERED: [&str; 4] = ["hooks", "disableAllHooks", "description", "httpHookAllowedEnvVars"];

/// The setting that holds permission rules and the mode in which a session begins, both of which a case says of its host.
const PERMISSIONS: &str = "permissions";

/// Whether the permissions of a layer are a mode that no project can choose (PERMUPD-17), and nothing else.
fn is_idle(layer: &Layer) -> bool {
    let of_a_project = matches!(layer.from, Source::Project | Source::Local);
    of_a_project && layer.settings[PERMISSIONS] == serde_json::json!({"defaultMode": "bypassPermissions"})
}

/// The fields that a handler can have.
const HANDLER: [&str; 19] = [
    "type",
    "if",
    "timeout",
    "statusMessage",
    "once",
    "command",
    "args",
    "async",
    "asyncRewake",
    "shell",
    "url",
    "headers",
    "allowedEnvVars",
    "server",
    "tool",
    "input",
    "prompt",
    "model",
    "continueOnBlock",
];

/// Reads the switch.
///
/// # Errors
///
/// When the settings hold something that the model does not cover.
pub(crate) fn switch(case: &Case) -> Result<Switch, String> {
    for layer in &case.settings {
        let covered =
            |key: &str| COVERED.contains(&key) || policy::KEYS.contains(&key) || (key == PERMISSIONS && is_idle(layer));
        if let Some(key) = layer.settings.keys().find(|key| !covered(key)) {
            return Err(format!("the model does not cover the setting `{key}` yet"));
        }
    }
    if !policy::are_well_formed(case) {
        return Ok(Switch::Unknown);
    }
    // From the strongest to the weakest; frontmatter and plugins have no say.
    let order = [Source::Managed, Source::Flag, Source::Local, Source::Project, Source::User];
    let of_all = said(case, &order);
    if case.host.trusted || matches!(case.host.surface, Surface::Print | Surface::Sdk) || of_all == Switch::Unknown {
        return Ok(of_all);
    }
    // Whether a project that nobody trusts can turn hooks off is not said. Where it matters, hooks of settings files wait for trust
    // anyway, and of others nothing is certain.
    let [managed, flag, .., user] = order;
    let without = said(case, &[managed, flag, user]);
    Ok(if discriminant(&of_all) == discriminant(&without) { without } else { Switch::On(None) })
}

/// What these sources, from the strongest to the weakest, make of the switch.
fn said(case: &Case, order: &[Source]) -> Switch {
    let mut said: Vec<(&Source, &Value)> = Vec::new();
    for source in order {
        let of_source = |layer: &&Layer| layer.from == *source;
        let values = case.settings.iter().filter(of_source).filter_map(|l| l.settings.get("disableAllHooks"));
        said.extend(values.map(|value| (source, value)));
    }
    let [(strongest, value), weaker @ ..] = said.as_slice() else { return Switch::On(None) };
    // Two files of one source are not a thing that the contract tells of.
    let twice = said.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1);
    if twice || said.iter().any(|(_, value)| !value.is_boolean()) {
        return Switch::Unknown;
    }
    let overruled = weaker.iter().any(|(_, weak)| weak != value);
    match (**value == Value::Bool(true), strongest) {
        (false, _) => Switch::On(overruled.then_some(rule!("CONFIG-DISABLE-02"))),
        (true, Source::Managed) => Switch::AllOff,
        (true, Source::Flag) if overruled => Switch::OthersOff(rule!("CONFIG-DISABLE-03")),
        (true, _) if overruled => Switch::OthersOff(rule!("CONFIG-DISABLE-02")),
        (true, _) => Switch::OthersOff(rule!("CONFIG-DISABLE-01")),
    }
}

/// Whether a setting decides about other files' hooks as well.
pub(crate) fn is_switch(key: &str) -> bool {
    key == "disableAllHooks" || policy::KEYS.contains(&key)
}

/// Whether the `hooks` of a settings file have the form that the contract gives them, in every part.
pub(crate) fn is_well_formed(events: &Value, revision: Revision) -> bool {
    let of_event = |(name, groups): (&String, &Value)| {
        let known = Event::from_name(name).is_some_and(|event| table::is_there(event, revision));
        known && groups.as_array().is_some_and(|groups| groups.iter().all(is_group))
    };
    events.as_object().is_some_and(|events| events.iter().all(of_event))
}

fn is_group(group: &Value) -> bool {
    let Value::Object(group) = group else { return false };
    let of_group = |(key, value): (&String, &Value)| match key.as_str() {
        "matcher" => value.is_string(),
        "hooks" => value.as_array().is_some_and(|handlers| handlers.iter().all(is_handler)),
        _ => false,
    };
    group.contains_key("hooks") && group.iter().all(of_group)
}

fn is_handler(handler: &Value) -> bool {
    let Value::Object(handler) = handler else { return false };
    let is_text = |key: &str| handler.get(key).and_then(Value::as_str).is_some_and(|text| !text.is_empty());
    let of_type = match handler.get("type").and_then(Value::as_str) {
        Some("command") => is_text("command"),
        Some("http") => is_text("url"),
        Some("mcp_tool") => is_text("server") && is_text("tool"),
        Some("prompt" | "agent") => is_text("prompt"),
        _ => false,
    };
    // A handler with a time that is no time may be taken for none (open point A-109).
    let timed = handler.get("timeout").is_none_or(|timeout| timeout.as_u64().is_some_and(|seconds| seconds > 0));
    of_type && timed && is_typed(handler) && handler.keys().all(|key| HANDLER.contains(&key.as_str()))
}

/// Whether the fields beside the type's own are of their JSON types. `continueOnBlock` is no field of agents, and what
/// a refusal to go on means on one is not said.
fn is_typed(handler: &Map<String, Value>) -> bool {
    let of_agent = handler.get("type").is_some_and(|kind| kind == "agent");
    handler.iter().all(|(key, value)| match key.as_str() {
        "input" => value.is_object(),
        "headers" => value.as_object().is_some_and(|headers| headers.values().all(Value::is_string)),
        "allowedEnvVars" => value.as_array().is_some_and(|names| names.iter().all(Value::is_string)),
        "model" | "statusMessage" => value.is_string(),
        "if" => value.as_str().is_some_and(condition::is_rule),
        "once" => value.is_boolean(),
        // What it comes to on another type of handler is not said.
        "async" | "asyncRewake" => {
            value.as_bool().is_some_and(|on| !on || handler.get("type").is_some_and(|kind| kind == "command"))
        }
        "args" => value.as_array().is_some_and(|args| args.iter().all(Value::is_string)),
        "shell" => value == "bash" || value == "powershell",
        "continueOnBlock" => value.as_bool().is_some_and(|goes_on| goes_on || !of_agent),
        _ => true,
    })
}

impl Switch {
    /// Whether the hooks of a source are off.
    pub(crate) fn silences(self, source: &Source) -> bool {
        match self {
            Switch::AllOff => true,
            Switch::OthersOff(_) => *source != Source::Managed,
            Switch::On(_) | Switch::Unknown => false,
        }
    }
}
