//! What a session remembers of the subagents whose definition brings hooks along (chapter *settings*): whether one of them runs.

use crate::session;
use hookproof_contract::{Case, Event, Firing, Happening, RuleId, Source, Step, rule};
use serde_json::Value;

/// The subagents that definitions with hooks are of, one entry for each name.
#[derive(Default)]
pub(crate) struct Running<'a> {
    kinds: Vec<Kind<'a>>,
    /// Everybody who did something, with the type under which that was told first.
    met: Vec<(&'a str, &'a str)>,
    /// Whether one is told of under two types, so that nobody knows who is who.
    confused: bool,
}

/// What is known of the subagents of one name.
struct Kind<'a> {
    name: &'a str,
    /// Those that run for certain.
    ids: Vec<&'a str>,
    /// Whether one runs that the case has not named yet.
    unnamed: bool,
    /// Whether one is done.
    done: bool,
    /// Whether others may run, or those that do not any more.
    unknown: bool,
}

/// What the hooks of a definition are at an occurrence of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// A subagent of this name runs, and it is what happens to it or what it does.
    Own,
    /// None runs, by this rule.
    Gone(RuleId),
    /// One may run, or one does and something else happens meanwhile: whether its hooks are for that, too, is not said.
    Unknown,
}

fn text<'a>(firing: &'a Firing, field: &str) -> Option<&'a str> {
    firing.input.get(field).and_then(Value::as_str)
}

impl<'a> Running<'a> {
    pub(crate) fn of(case: &'a Case) -> Self {
        let starts = |name: &str| {
            let is_one =
                |firing: &Firing| firing.event == Event::SubagentStart && text(firing, "agent_type") == Some(name);
            case.steps.iter().any(|step| matches!(step, Step::Fire(firing) if is_one(firing)))
        };
        let mut kinds: Vec<Kind<'a>> = Vec::new();
        for layer in &case.settings {
            let Source::Agent(name) = &layer.from else { continue };
            let unnamed = !starts(name);
            if kinds.iter().all(|kind| kind.name != name) {
                kinds.push(Kind { name, ids: Vec::new(), unnamed, done: false, unknown: false });
            }
        }
        if !kinds.is_empty() && session::is_of_an_agent(case) {
            // What is told of agents of such a name may be told of the session itself.
            kinds.clear();
        }
        Running { kinds, ..Running::default() }
    }

    /// Something happens between events.
    pub(crate) fn happens(&mut self, what: Happening) {
        if matches!(what, Happening::Cleared | Happening::Resumed | Happening::SessionEnds) {
            self.kinds.iter_mut().for_each(Kind::may_end);
        }
    }

    /// An event fires, which tells who is at work.
    pub(crate) fn fires(&mut self, firing: &'a Firing) {
        if self.kinds.is_empty() {
            return;
        }
        if let (Some(name), Some(id)) = (text(firing, "agent_type"), text(firing, "agent_id")) {
            match self.met.iter().find(|(met, _)| *met == id) {
                Some((_, was)) => self.confused |= *was != name,
                None => self.met.push((id, name)),
            }
        }
        for kind in &mut self.kinds {
            match (text(firing, "agent_type"), text(firing, "agent_id")) {
                (Some(name), id) if name == kind.name => kind.meets(id, firing.event == Event::SubagentStart),
                // Who begins or stops is not told.
                (None, _) if firing.event == Event::SubagentStart => kind.unknown = true,
                (None, _) if firing.event == Event::SubagentStop => kind.may_end(),
                _ => {}
            }
        }
    }

    /// A subagent stopped; or it may have, where that is not `certain`.
    pub(crate) fn stops(&mut self, firing: &Firing, certain: bool) {
        for kind in self.kinds.iter_mut().filter(|kind| text(firing, "agent_type") == Some(kind.name)) {
            match text(firing, "agent_id") {
                Some(id) => {
                    kind.ids.retain(|runs| *runs != id);
                    kind.unknown |= !certain;
                }
                None if certain && kind.ids.len() + usize::from(kind.unnamed) == 1 => {
                    (kind.ids, kind.unnamed) = (Vec::new(), false);
                }
                None => kind.may_end(),
            }
            kind.done = true;
        }
    }

    /// Whether it is certain that agents of this name are subagents.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.kinds.iter().any(|kind| kind.name == name)
    }

    /// What the hooks of this definition are at this occurrence, which has been told of.
    pub(crate) fn presence(&self, name: &str, firing: &Firing) -> Presence {
        let Some(kind) = self.kinds.iter().find(|kind| kind.name == name) else { return Presence::Unknown };
        if self.confused {
            return Presence::Unknown;
        }
        let none_runs = kind.ids.is_empty() && !kind.unnamed;
        let runs = |id: Option<&str>| id.map_or(!none_runs, |id| kind.ids.contains(&id));
        match text(firing, "agent_type") {
            // Whether it runs already as it begins is not said.
            Some(kind) if kind == name && firing.event == Event::SubagentStart => Presence::Unknown,
            Some(kind) if kind == name && runs(text(firing, "agent_id")) => Presence::Own,
            Some(kind) if kind == name => Presence::Unknown,
            _ if kind.unknown || !none_runs => Presence::Unknown,
            _ if kind.done => Presence::Gone(rule!("CONFIG-SKILL-03")),
            _ => Presence::Gone(rule!("CONFIG-LOC-09")),
        }
    }
}

impl<'a> Kind<'a> {
    /// Those that run may end, of which no event tells.
    fn may_end(&mut self) {
        self.unknown |= !self.ids.is_empty() || self.unnamed;
        self.ids.clear();
        self.unnamed = false;
    }

    /// One of them does something, or begins.
    fn meets(&mut self, id: Option<&'a str>, begins: bool) {
        match id {
            Some(id) if self.ids.contains(&id) => {}
            Some(id) if begins || self.unnamed => {
                self.unnamed = false;
                self.ids.push(id);
            }
            // One that is done, or never began.
            Some(_) => self.unknown = true,
            None => self.unknown |= begins || self.ids.is_empty() && !self.unnamed,
        }
    }
}
