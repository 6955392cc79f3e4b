//! Which groups an occurrence of an event selects, what a handler is, and which handlers are copies of one another (chapters
//! *settings* and *matchers*). How these come together is for `sieve.rs`.

use crate::{
    matcher::{Match, matches},
    models,
    oracle::Oracle,
    table::{Row, Target},
};
use hookproof_contract::{Case, Event, Firing, Name, RuleId, Source, reading, rule};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// A configured handler, as its settings file has it.
#[derive(Clone, Copy)]
pub(crate) struct Handler<'a> {
    pub(crate) kind: HandlerKind,
    pub(crate) name: &'a str,
    pub(crate) spec: &'a Map<String, Value>,
    pub(crate) from: &'a Source,
    /// Which layer, counted from 0.
    pub(crate) layer: usize,
    /// The matcher of its group.
    pub(crate) matcher: Option<&'a Value>,
    /// Whether it stands under `Stop` in the definition of a subagent, and runs on SubagentStop.
    pub(crate) converted: bool,
}

/// The types of handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HandlerKind {
    Command,
    Http,
    McpTool,
    Prompt,
    Agent,
}

/// How a command runs while the agent goes on (chapter *background*).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Background {
    /// By `async`.
    Stays,
    /// By `asyncRewake`: it may wake the agent.
    Wakes,
}

/// The handlers that run, and the rule that decides it.
pub(crate) struct Selection<'a> {
    pub(crate) handlers: Vec<Handler<'a>>,
    pub(crate) rule: RuleId,
    /// Handlers of which a copy with other fields was dropped: which copy's fields count is not said.
    pub(crate) contested: Vec<&'a str>,
    /// What was kept from running in a way of which somebody may be told.
    pub(crate) refused: Refused,
    /// Whether a tool is not called since hooks cannot reach servers yet.
    pub(crate) out_of_reach: bool,
    /// Whether handlers were passed over because of their type.
    pub(crate) passed_over: bool,
}

/// Whether handlers were refused, and not passed over in silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Refused {
    Nothing,
    /// A handler may not call its server. Whether anybody is told is not said.
    Call,
    /// A handler cannot be launched, which is an error; what follows from that is not said.
    Launch,
}

/// What can come of selecting.
pub(crate) enum Selected<'a> {
    Handlers(Selection<'a>),
    /// The contract does not say which run; nothing may be claimed of the step.
    Unknown,
}

/// Whether a group is selected.
pub(crate) fn decide(case: &Case, row: &Row, matcher: Option<&Value>, firing: &Firing, oracle: &Oracle<'_>) -> Match {
    match row.target {
        // Whether one call alone is a batch, so that the event occurs at all, is open.
        Target::None if row.event == Event::PostToolBatch && is_single(firing) => {
            let _ = oracle.is(reading!("A-166", "free"));
            Match::Unknown
        }
        Target::None => match matcher {
            Some(Value::String(_)) => Match::Decided(true, rule!("MATCH-PAT-07")),
            None => Match::Decided(true, rule!("CONFIG-NEST-02")),
            Some(_) => Match::Unknown,
        },
        Target::Field(field, by) => {
            let told = match row.event {
                Event::PreModelSwitch | Event::PostModelSwitch => {
                    return of_a_model(case, row.event, matcher, firing, oracle);
                }
                _ => told(field, firing),
            };
            let must_be_told = match row.event {
                // The empty string is an answer of its own.
                Event::SubagentStop => told.is_none(),
                Event::SubagentStart | Event::StopFailure | Event::SessionStart => told.is_none_or(str::is_empty),
                Event::Notification | Event::InstructionsLoaded | Event::SessionEnd | Event::Setup => {
                    told.is_none_or(str::is_empty)
                }
                Event::DirectoryAdded | Event::FileChanged => told.is_none_or(str::is_empty),
                _ => false,
            };
            if must_be_told {
                // Which agent it is, which error, is not told.
                return match matcher {
                    None => Match::Decided(true, rule!("CONFIG-NEST-02")),
                    Some(Value::String(m)) if m.is_empty() || m == "*" => Match::Decided(true, rule!("MATCH-PAT-01")),
                    Some(_) => Match::Unknown,
                };
            }
            let target = told.unwrap_or_default();
            if target == "EndConversation" {
                return match row.event {
                    Event::PreToolUse => Match::Decided(false, rule!("PRETOOL-02")),
                    // No call of it triggers this event, so a case in which it fires is none.
                    _ => Match::Unknown,
                };
            }
            match matches(row.event, matcher, target, by, oracle) {
                Match::Decided(hit, rule) if rule == rule!("MATCH-PAT-05") && row.event == Event::FileChanged => {
                    let path = firing.input.get(field).and_then(Value::as_str).unwrap_or_default();
                    // Here it makes a difference that only the name of the file is compared.
                    let apart = matches(row.event, matcher, path, by, oracle) != Match::Decided(hit, rule);
                    Match::Decided(hit, if apart { rule!("FILECHG-04") } else { rule })
                }
                decided => decided,
            }
        }
    }
}

/// The rules about what a matcher may be.
const FORMS: [RuleId; 3] = [rule!("MATCH-PAT-03"), rule!("MATCH-PAT-04"), rule!("MATCH-PAT-05")];

/// A switch is compared by the canonical name of its destination.
fn of_a_model(case: &Case, event: Event, matcher: Option<&Value>, firing: &Firing, oracle: &Oracle<'_>) -> Match {
    let id = firing.input.get("to_model").and_then(Value::as_str).filter(|id| !id.is_empty());
    let any = matcher.is_none_or(|m| matches!(m.as_str(), Some("" | "*")));
    match id.map(|id| (id, models::canonical(&case.host, id))) {
        Some((id, Some(name))) => {
            let by = if id == name { rule!("MATCH-TGT-MODEL") } else { rule!("PREMODEL-08") };
            let is_alias = matcher.and_then(Value::as_str).is_some_and(|m| case.host.models.contains_key(m));
            match matches(event, matcher, name, by, oracle) {
                Match::Decided(false, _) if is_alias => Match::Decided(false, rule!("PREMODEL-08")),
                // What else a matcher may be than one name is said of these events in particular.
                Match::Decided(hit, rule) if FORMS.contains(&rule) => Match::Decided(hit, rule!("PREMODEL-10")),
                decided => decided,
            }
        }
        _ if any => matches(event, matcher, "", rule!("MATCH-TGT-MODEL"), oracle),
        Some((_, None)) if event == Event::PreModelSwitch && matcher.is_some_and(Value::is_string) => {
            Match::Decided(true, rule!("PREMODEL-09"))
        }
        Some((id, None)) if event == Event::PostModelSwitch && matcher.is_some_and(Value::is_string) => {
            let by = rule!("MATCH-TGT-MODEL");
            match oracle.read(reading!("A-98", "all").point).name() {
                "all" => Match::Decided(true, by),
                "none" => Match::Decided(false, by),
                _ => matches(event, matcher, id, by, oracle),
            }
        }
        // A case should tell where the switch leads.
        _ => Match::Unknown,
    }
}

/// What the occurrence is compared by.
fn told<'a>(field: &str, firing: &'a Firing) -> Option<&'a str> {
    let value = firing.input.get(field)?.as_str()?;
    match firing.event {
        // The name that is left without its directories.
        Event::FileChanged => value.rsplit('/').next(),
        _ => Some(value),
    }
}

fn is_single(firing: &Firing) -> bool {
    firing.input.get("tool_calls").and_then(Value::as_array).is_some_and(|calls| calls.len() == 1)
}

/// Reads a handler; `None` where it is malformed (open point A-96).
pub(crate) fn handler<'a>(spec: &'a Value, from: &'a Source, layer: usize) -> Option<Handler<'a>> {
    let Value::Object(spec) = spec else { return None };
    let (kind, field) = match spec.get("type").and_then(Value::as_str) {
        Some("command") => (HandlerKind::Command, "command"),
        Some("http") => (HandlerKind::Http, "url"),
        Some("mcp_tool") => (HandlerKind::McpTool, "tool"),
        Some("prompt") => (HandlerKind::Prompt, "prompt"),
        Some("agent") => (HandlerKind::Agent, "prompt"),
        _ => return None,
    };
    let name = spec.get(field).and_then(Value::as_str).filter(|name| !name.is_empty())?;
    Some(Handler { kind, name, spec, from, layer, matcher: None, converted: false })
}

/// Drops the copies of a handler that settings files share (open point A-80 says which are copies). Copies of plugins and
/// skills are handlers of their own.
pub(crate) fn deduplicate<'a>(
    found: &[Handler<'a>],
    rules: &mut Rules,
    contested: &mut Vec<&'a str>,
    oracle: &Oracle<'_>,
) -> Vec<Handler<'a>> {
    let mut kept: Vec<Handler<'a>> = Vec::with_capacity(found.len());
    for handler in found.iter().copied() {
        let twins: Vec<&Handler<'_>> =
            kept.iter().filter(|k| k.kind == handler.kind && k.name == handler.name).collect();
        if twins.is_empty() {
            kept.push(handler);
            continue;
        }
        let beside = twins.iter().any(|t| handler.is_owned() && t.from == handler.from);
        if beside {
            // Two of a kind in one plugin or skill are another question than a copy of what settings have.
            if oracle.is(reading!("A-181", "apart")) {
                kept.push(handler);
            }
            continue;
        }
        if handler.is_owned() || twins.iter().all(|t| t.is_owned()) {
            rules.weigh(rule!("CONFIG-HANDLER-04"));
            kept.push(handler);
            continue;
        }
        if let Some(twin) = twins.iter().filter(|t| !t.is_owned()).find(|twin| is_copy(twin, &handler, oracle)) {
            rules.weigh(rule!("CONFIG-HANDLER-03"));
            if twin.spec != handler.spec {
                contested.push(handler.name);
            }
        } else {
            kept.push(handler);
        }
    }
    kept
}

/// Whether two handlers of one name execute the same.
pub(crate) fn execute_the_same(a: &Handler<'_>, b: &Handler<'_>) -> bool {
    ["args", "shell", "server", "input"].into_iter().all(|f| a.spec.get(f) == b.spec.get(f))
}

fn is_copy(a: &Handler<'_>, b: &Handler<'_>, oracle: &Oracle<'_>) -> bool {
    let same_file = a.layer == b.layer;
    if !execute_the_same(a, b) {
        return false;
    }
    let same_fields = a.spec == b.spec;
    if !same_file && same_fields {
        return true;
    }
    let reading = oracle.read(reading!("A-80", "same execution, everywhere").point).name();
    let across_files_only = reading.ends_with("across files");
    let all_fields = reading.starts_with("all fields");
    !(same_file && across_files_only) && (same_fields || !all_fields)
}

impl Handler<'_> {
    /// Whether it belongs to a plugin, a skill or an agent, and lies in no settings file.
    pub(crate) fn is_owned(&self) -> bool {
        matches!(self.from, Source::Plugin(_) | Source::Skill(_) | Source::Agent(_))
    }

    /// The label that a permission prompt shows for the source (chapter *tools*).
    pub(crate) fn label(&self) -> Cow<'static, str> {
        match self.from {
            Source::Plugin(name) => Cow::Owned(format!("[plugin:{name}]")),
            Source::Skill(_) => Cow::Borrowed("[skill]"),
            _ => Cow::Borrowed("[settings]"),
        }
    }

    /// How it runs in the background, if it does.
    pub(crate) fn background(&self) -> Option<Background> {
        let on = |field: &str| self.kind == HandlerKind::Command && self.spec.get(field) == Some(&Value::Bool(true));
        match (on("async"), on("asyncRewake")) {
            (_, true) => Some(Background::Wakes),
            (true, false) => Some(Background::Stays),
            (false, false) => None,
        }
    }

    /// Whether it is a plugin's command for a shell in which a place is left for an option (chapter *commands*).
    pub(crate) fn cannot_be_launched(&self) -> bool {
        let shell = self.kind == HandlerKind::Command && !self.spec.contains_key("args");
        shell && matches!(self.from, Source::Plugin(_)) && self.name.contains("${user_config.")
    }

    /// The name as cases use it.
    pub(crate) fn shared_name(&self) -> Name {
        Name::from(self.name)
    }
}

/// The rule that a claim on `ran` names: the most telling of those that had a say.
#[derive(Default)]
pub(crate) struct Rules {
    strongest: Option<RuleId>,
}

/// From the most telling to the least; a rule that is not here tells less than any. Every event's target is here, which a test
/// of the table makes sure of.
pub(crate) const TELLING: &[RuleId] = &[
    rule!("CONFIG-TRUST-02"),
    rule!("CONFIG-TRUST-03"),
    rule!("CONFIG-DISABLE-04"),
    rule!("CONFIG-DISABLE-03"),
    rule!("CONFIG-DISABLE-02"),
    rule!("CONFIG-DISABLE-01"),
    rule!("CONFIG-MANAGED-01"),
    rule!("CONFIG-LOC-06"),
    rule!("CONFIG-EXEC-09"),
    rule!("CONFIG-HTTPALLOW-01"),
    rule!("CONFIG-ONCE-01"),
    rule!("CONFIG-ONCE-02"),
    rule!("CONFIG-ONCE-03"),
    rule!("CONFIG-SKILL-02"),
    rule!("CONFIG-SKILL-03"),
    rule!("CONFIG-LOC-09"),
    rule!("CONFIG-HANDLER-03"),
    rule!("CONFIG-HANDLER-04"),
    rule!("CONFIG-TRUST-04"),
    rule!("MATCH-IF-07"),
    rule!("CONFIG-LOC-10"),
    rule!("PRETOOL-02"),
    rule!("MATCH-IF-02"),
    rule!("MATCH-IF-BASH-06"),
    rule!("MATCH-IF-BASH-05"),
    rule!("MATCH-IF-BASH-04"),
    rule!("MATCH-IF-BASH-03"),
    rule!("MATCH-IF-BASH-02"),
    rule!("MATCH-IF-BASH-01"),
    rule!("MATCH-IF-08"),
    rule!("MATCH-IF-05"),
    rule!("MATCH-IF-04"),
    rule!("MATCH-IF-06"),
    rule!("MATCH-IF-01"),
    rule!("SESSTART-02"),
    rule!("MCPHOOK-13"),
    rule!("MCPHOOK-12"),
    rule!("MCPHOOK-10"),
    rule!("SETUP-OUT-05"),
    rule!("PROMPT-SUP-04"),
    rule!("PERMREQ-07"),
    rule!("PREMODEL-OUT-08"),
    rule!("PROMPT-SUP-03"),
    rule!("CONFIG-LOC-12"),
    rule!("MATCH-PAT-07"),
    rule!("FILECHG-04"),
    rule!("PREMODEL-09"),
    rule!("PREMODEL-08"),
    rule!("PREMODEL-10"),
    rule!("MATCH-MCP-02"),
    rule!("MATCH-MCP-04"),
    rule!("MATCH-PAT-04"),
    rule!("MATCH-PAT-09"),
    rule!("MATCH-MCP-03"),
    rule!("MATCH-PAT-05"),
    rule!("MATCH-PAT-06"),
    rule!("MATCH-PAT-03"),
    rule!("SUBSTOP-IN-05"),
    rule!("SUBSTART-04"),
    rule!("INSTR-07"),
    rule!("MATCH-TGT-ELICIT"),
    rule!("MATCH-TGT-COMPACT"),
    rule!("MATCH-TGT-EXPANSION"),
    rule!("MATCH-TGT-CONFIG"),
    rule!("MATCH-TGT-SUBAGENT"),
    rule!("MATCH-TGT-STOPFAIL-02"),
    rule!("MATCH-TGT-STOPFAIL"),
    rule!("MATCH-TGT-SESSSTART"),
    rule!("MATCH-TGT-NOTIF"),
    rule!("MATCH-TGT-INSTR"),
    rule!("MATCH-TGT-SESSEND"),
    rule!("MATCH-TGT-SETUP"),
    rule!("MATCH-TGT-MODEL"),
    rule!("MATCH-TGT-DIRADD"),
    rule!("MATCH-TGT-FILECHG"),
    rule!("POSTTOOL-02"),
    rule!("MATCH-TGT-TOOL"),
    rule!("MATCH-MCP-01"),
    rule!("MATCH-PAT-02"),
    rule!("FILECHG-08"),
    rule!("FILECHG-07"),
    rule!("MATCH-PAT-01"),
    rule!("PROMPT-SUP-01"),
    rule!("PROMPT-SUP-02"),
    rule!("CONFIG-LOC-11"),
    rule!("ASYNC-11"),
    rule!("PRETOOL-05"),
    rule!("CONFIG-LOC-08"),
    rule!("NOTIF-01"),
    rule!("CTX-11"),
];

impl Rules {
    pub(crate) fn weigh(&mut self, rule: RuleId) {
        let weight = |r: RuleId| TELLING.iter().position(|t| *t == r).unwrap_or(TELLING.len());
        self.strongest = self.strongest.into_iter().chain([rule]).min_by_key(|rule| weight(*rule));
    }

    pub(crate) fn strongest(&self) -> RuleId {
        self.strongest.unwrap_or(rule!("CONFIG-NEST-02"))
    }
}
