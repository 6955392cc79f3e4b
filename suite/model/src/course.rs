//! The course of a session: what it makes remarkable about the handlers that run, where no matcher decides which do, and how it goes
//! on (chapters *settings*, *tools*, *background*, *context* and *universal*).

use crate::{
    chapters::pre_tool_use::permission::is_allowed,
    select::{Handler, Rules},
    voice::Voice,
};
use hookproof_contract::{Case, Event, Fate, Firing, Happening, Source, WhatHappens, rule};
use serde_json::Value;

/// The course of a session.
#[derive(Default)]
pub(crate) struct Course<'a> {
    /// The handlers that were started in the background, each with its layer.
    background: Vec<(usize, &'a str)>,
    /// Whether hooks of an event in the midst of a session ran.
    in_the_midst: bool,
    /// Whether a turn has begun since the case did.
    later_turn: bool,
}

impl<'a> Course<'a> {
    /// A turn begins.
    pub(crate) fn turn_begins(&mut self) {
        self.later_turn = true;
    }

    /// An event ran these.
    pub(crate) fn ran(&mut self, event: Event, voices: &[Voice<'a>]) {
        // It speaks of the beginning too, at which the others are not repeated.
        let in_the_midst = event != Event::SessionStart && rule!("CTX-11").rule().speaks_of(event);
        self.in_the_midst |= in_the_midst && !voices.is_empty();
        let in_the_background = voices.iter().map(|voice| voice.handler).filter(|h| h.background().is_some());
        self.background.extend(in_the_background.map(|h| (h.layer, h.name)));
    }

    /// Weighs the rules by which just these run.
    pub(crate) fn weigh(&self, case: &Case, firing: &Firing, found: &[Handler<'_>], rules: &mut Rules) {
        let again = |h: &Handler<'_>| h.background().is_some() && self.background.contains(&(h.layer, h.name));
        let of_a_skill = |h: &Handler<'_>| matches!(h.from, Source::Skill(_));
        if found.is_empty() {
            if self.in_the_midst && is_taken_up_again(firing) {
                rules.weigh(rule!("CTX-11"));
            }
            return;
        }
        if found.iter().all(again) {
            rules.weigh(rule!("ASYNC-11"));
        }
        if needs_no_permission(case, firing) {
            rules.weigh(rule!("PRETOOL-05"));
        }
        if self.later_turn && found.iter().all(of_a_skill) {
            rules.weigh(rule!("CONFIG-LOC-08"));
        }
    }
}

/// Whether the conversation of the main agent surely goes on after a step: with a further prompt, and a request for it.
pub(crate) fn goes_on(case: &Case, step: usize) -> bool {
    let mut later = case.moments().filter(|moment| moment.number > step).map(|moment| moment.what);
    later.next().is_some_and(|what| matches!(what, WhatHappens::Happens(Happening::NewPrompt)))
        && later.next().is_some_and(|what| matches!(what, WhatHappens::Happens(Happening::ModelRequest)))
}

fn is_taken_up_again(firing: &Firing) -> bool {
    firing.event == Event::SessionStart && firing.input.get("source").is_some_and(|source| source == "resume")
}

/// Whether an allow rule lets a call run about which nobody would be asked.
fn needs_no_permission(case: &Case, firing: &Firing) -> bool {
    let input = |field: &str| firing.input.get(field).unwrap_or(&Value::Null);
    let tool = input("tool_name").as_str().unwrap_or_default();
    firing.event == Event::PreToolUse
        && firing.otherwise == Fate::Proceeds
        && is_allowed(&case.host, tool, input("tool_input"))
}
