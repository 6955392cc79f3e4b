//! Names that are no canaries and no handlers': those of the variables that hooks export, and of the agents whose definitions bring
//! hooks along.

use crate::canary::firings;
use hookproof_contract::{Case, Deed, Event, HandlerResult, Layer, Source, Text};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Old name → new name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) variables: BTreeMap<String, String>,
    pub(super) agents: BTreeMap<String, String>,
}

impl Words {
    /// New words for those of a case that may have others; nothing where a new one is there already, or the runtime may know it.
    pub(super) fn of(case: &Case, variable: impl Fn(&str) -> String, suffix: &str) -> Option<Words> {
        let exported: BTreeSet<String> = exported(case).into_iter().collect();
        let reads = |name: &str| name.starts_with("CLAUDE") || case.host.env.contains_key(name);
        let own = exported.into_iter().filter(|name| !reads(name));
        let variables: BTreeMap<String, String> = own.map(|name| (name.clone(), variable(&name))).collect();
        let agents = agents(case).into_iter().map(|name| (name.to_owned(), format!("{name}{suffix}"))).collect();
        (!variables.values().any(|new| reads(new))).then_some(Words { variables, agents })
    }

    pub(super) fn back(&self) -> Words {
        let turned = |all: &BTreeMap<String, String>| all.iter().map(|(old, new)| (new.clone(), old.clone())).collect();
        Words { variables: turned(&self.variables), agents: turned(&self.agents) }
    }

    /// Notes the new names of what two results export.
    pub(super) fn pair_results(&mut self, before: &HandlerResult, after: &HandlerResult) {
        let names = |result| texts(result).flat_map(names).map(str::to_owned).collect::<Vec<_>>();
        self.variables.extend(names(before).into_iter().zip(names(after)));
    }

    /// Notes the new names of the agents of two cases.
    pub(super) fn pair_agents(&mut self, before: &Case, after: &Case) {
        for (old, new) in before.settings.iter().zip(&after.settings) {
            if let (Source::Agent(old), Source::Agent(new)) = (&old.from, &new.from) {
                self.agents.insert(old.clone(), new.clone());
            }
        }
    }

    pub(super) fn layer(&self, layer: &mut Layer) {
        if let Source::Agent(name) = &mut layer.from {
            *name = self.agent(name);
        }
    }

    /// An event's JSON, or what a handler was given of it.
    pub(super) fn input(&self, input: &mut Map<String, Value>) {
        if let Some(Value::String(kind)) = input.get_mut("agent_type") {
            *kind = self.agent(kind);
        }
    }

    /// What a Bash command finds.
    pub(super) fn environment(&self, found: &Value) -> Value {
        match found {
            Value::Object(found) => found.iter().map(|(name, value)| (self.variable(name), value.clone())).collect(),
            other => other.clone(),
        }
    }

    pub(super) fn deed(&self, deed: &mut Deed) {
        if let Deed::WroteEnvironment(Text::Plain(text)) = deed {
            *text = text.split_inclusive('\n').map(|line| self.line(line)).collect();
        }
    }

    fn line(&self, line: &str) -> String {
        match line.strip_prefix("export ").and_then(|rest| rest.split_once('=')) {
            Some((name, value)) => format!("export {}={value}", self.variable(name)),
            None => line.to_owned(),
        }
    }

    fn agent(&self, name: &str) -> String {
        self.agents.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }

    fn variable(&self, name: &str) -> String {
        self.variables.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }
}

/// The variables that hooks of a case export.
fn exported(case: &Case) -> Vec<String> {
    let results = case.results.values().chain(firings(case).into_iter().flat_map(|firing| firing.results.values()));
    results.flat_map(texts).flat_map(names).map(str::to_owned).collect()
}

fn texts(result: &HandlerResult) -> impl Iterator<Item = &str> {
    result.did.iter().filter_map(|deed| match deed {
        Deed::WroteEnvironment(Text::Plain(text)) => Some(text.as_str()),
        _ => None,
    })
}

fn names(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| Some(line.strip_prefix("export ")?.split_once('=')?.0))
}

/// The agents that definitions are of, where no matcher looks for one.
fn agents(case: &Case) -> BTreeSet<&str> {
    let of_agents = [Event::SubagentStart, Event::SubagentStop, Event::Stop];
    let hooks = case.settings.iter().filter_map(|layer| layer.settings.get("hooks")?.as_object());
    let groups = hooks.flat_map(|hooks| of_agents.iter().filter_map(|event| hooks.get(event.name())?.as_array()));
    if groups.flatten().any(|group| group.get("matcher").is_some()) {
        return BTreeSet::new();
    }
    let layers = case.settings.iter();
    layers.filter_map(|layer| if let Source::Agent(name) = &layer.from { Some(name.as_str()) } else { None }).collect()
}
