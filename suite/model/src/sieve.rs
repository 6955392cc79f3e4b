//! From the settings layers to the handlers that run for one occurrence of an event (chapters *settings* and *matchers*): each layer,
//! group and handler has to get through everything that may keep it from running.

use crate::{
    condition::condition,
    matcher::Match,
    once::{self, Runs},
    policy::{self, Force},
    running::Presence,
    select::{
        Handler, HandlerKind, Refused, Rules, Selected, Selection, decide, deduplicate, execute_the_same, handler,
    },
    session::{self, Session},
    settings::{self, Switch},
    support::{Support, support},
    table::Row,
};
use hookproof_contract::{Event, Firing, Layer, Source, reading, rule};
use serde_json::Value;

/// Selects the handlers for an occurrence of an event.
///
/// # Errors
///
/// When the settings hold something that the model does not cover.
pub(crate) fn select<'a>(session: &Session<'a>, row: &Row, firing: &'a Firing) -> Result<Selected<'a>, String> {
    let (case, oracle) = (session.case, session.oracle);
    let switch = settings::switch(case)?;
    // What becomes of the rest of a malformed file, and so of its switches, is not said (open point A-96).
    let has_switches = |layer: &&Layer| layer.settings.keys().any(|key| settings::is_switch(key));
    let malformed =
        |layer: &Layer| layer.settings.get("hooks").is_some_and(|h| !settings::is_well_formed(h, oracle.revision));
    if switch == Switch::Unknown || case.settings.iter().filter(has_switches).any(malformed) {
        return Ok(Selected::Unknown);
    }
    let mut sieve = Sieve { session, row, firing, switch, sifted: Sifted::default() };
    match switch {
        Switch::AllOff => sieve.sifted.rules.weigh(rule!("CONFIG-DISABLE-01")),
        Switch::OthersOff(rule) | Switch::On(Some(rule)) => sieve.sifted.rules.weigh(rule),
        Switch::On(None) | Switch::Unknown => {}
    }
    for (layer, source) in case.settings.iter().enumerate() {
        if sieve.layer(layer, source).is_none() {
            return Ok(Selected::Unknown);
        }
    }
    Ok(sieve.sifted.finish(switch, session, firing).map_or(Selected::Unknown, Selected::Handlers))
}

/// What is left of the settings for an occurrence of an event.
struct Sieve<'s, 'a> {
    session: &'s Session<'a>,
    row: &'s Row,
    firing: &'a Firing,
    switch: Switch,
    sifted: Sifted<'a>,
}

/// What has been found so far.
struct Sifted<'a> {
    rules: Rules,
    found: Vec<Handler<'a>>,
    /// Handlers whose `if` does not hold.
    unmet: Vec<Handler<'a>>,
    refused: Refused,
    /// Whether a tool is not called since hooks cannot reach servers yet.
    out_of_reach: bool,
    /// Whether a file that is not managed names the event, and no handlers for it.
    emptied: bool,
    /// Whether handlers are passed over because of their type.
    passed_over: bool,
}

impl Default for Sifted<'_> {
    fn default() -> Self {
        Sifted {
            rules: Rules::default(),
            found: Vec::new(),
            unmet: Vec::new(),
            refused: Refused::Nothing,
            out_of_reach: false,
            emptied: false,
            passed_over: false,
        }
    }
}

/// What becomes of a handler whose group is selected.
enum Turn {
    Runs,
    /// Its `if` does not hold.
    IsUnmet,
    StaysOut,
    /// Its server cannot be reached yet.
    IsOutOfReach,
    /// The contract does not say.
    IsUnknown,
}

impl<'a> Sieve<'_, 'a> {
    /// Goes through one layer; nothing where the contract does not say what comes of it.
    fn layer(&mut self, number: usize, layer: &'a Layer) -> Option<()> {
        let case = self.session.case;
        let Some(events) = layer.settings.get("hooks") else { return Some(()) };
        let groups = groups_of(events, self.row.event);
        if self.switch.silences(&layer.from) {
            // The hooks of a plugin that managed settings force on may be managed ones.
            let managed = matches!(self.switch, Switch::OthersOff(_)) && policy::is_forced(case, &layer.from);
            return (!managed || groups.is_empty()).then_some(());
        }
        if let Source::Agent(name) = &layer.from {
            return self.of_a_subagent(name, number, layer, events);
        }
        let force = policy::of_source(case, &layer.from);
        match force {
            Force::Out(rule) => {
                if !groups.is_empty() {
                    self.sifted.rules.weigh(rule);
                }
                return Some(());
            }
            Force::Unknown if groups.is_empty() => return Some(()),
            _ => {}
        }
        if !settings::is_well_formed(events, self.session.oracle.revision) {
            // Open point A-96: what becomes of the rest of such a file is not said.
            return None;
        }
        let of_file = matches!(layer.from, Source::User | Source::Project | Source::Local);
        let no_handlers =
            groups.iter().all(|group| group.get("hooks").and_then(Value::as_array).is_some_and(Vec::is_empty));
        self.sifted.emptied |= of_file && no_handlers && events.get(self.row.event.name()).is_some();
        if matches!(layer.from, Source::Skill(_)) && self.session.skills_over && !groups.is_empty() {
            // They run for the rest of the session in which the skill was invoked; whether it is still that one is not certain.
            return None;
        }
        let before = self.sifted.found.len();
        groups.iter().try_for_each(|group| self.group(group, number, layer, force))?;
        if self.sifted.found.len() > before && session::is_of_a_subagent(self.firing) {
            if matches!(layer.from, Source::Skill(_)) {
                // That what subagents do runs hooks is said of those of settings files, managed policy and plugins.
                return None;
            }
            self.sifted.rules.weigh(rule!("CONFIG-LOC-12"));
        }
        Some(())
    }

    /// The same of the hooks in the definition of a subagent, which are in force while one of that name runs. Its `Stop` is a
    /// SubagentStop.
    fn of_a_subagent(&mut self, name: &str, number: usize, layer: &'a Layer, events: &'a Value) -> Option<()> {
        let of_stop = groups_of(events, Event::Stop);
        let (groups, converted) = match self.row.event {
            Event::Stop => (&[][..], &[][..]),
            Event::SubagentStop => (groups_of(events, Event::SubagentStop), of_stop),
            event => (groups_of(events, event), &[][..]),
        };
        if self.row.event == Event::Stop && !of_stop.is_empty() {
            if !self.session.running.knows(name) {
                return None;
            }
            self.sifted.rules.weigh(rule!("CONFIG-SKILL-02"));
        }
        if groups.is_empty() && converted.is_empty() {
            return Some(());
        }
        let Some(force) = self.force_of_a_subagent(name, layer, events)? else { return Some(()) };
        let before = self.sifted.found.len();
        groups.iter().try_for_each(|group| self.group(group, number, layer, force))?;
        let own = self.sifted.found.len();
        // What a matcher is on an event that has none, and is another now, is not said.
        let is_for_any = |group: &Value| group.get("matcher").is_none_or(|m| matches!(m.as_str(), Some("" | "*")));
        if !converted.iter().all(is_for_any) {
            return None;
        }
        converted.iter().try_for_each(|group| self.group(group, number, layer, force))?;
        let (own, converted) = self.sifted.found[before..].split_at_mut(own - before);
        converted.iter_mut().for_each(|handler| handler.converted = true);
        for (ran, rule) in [(own, rule!("CONFIG-LOC-09")), (converted, rule!("CONFIG-SKILL-02"))] {
            if !ran.is_empty() {
                self.sifted.rules.weigh(rule);
            }
        }
        Some(())
    }

    /// How the hooks of a definition are in force; the inner nothing where they are not.
    fn force_of_a_subagent(&mut self, name: &str, layer: &Layer, events: &Value) -> Option<Option<Force>> {
        let revision = self.session.oracle.revision;
        let force = policy::of_source(self.session.case, &layer.from);
        match (self.session.running.presence(name, self.firing), force) {
            (Presence::Gone(rule), _) => self.sifted.rules.weigh(rule),
            (_, Force::Out(rule)) if rule.holds_at(revision) => self.sifted.rules.weigh(rule),
            (Presence::Own, Force::In(_)) if settings::is_well_formed(events, revision) => return Some(Some(force)),
            _ => return None,
        }
        Some(None)
    }

    fn group(&mut self, group: &'a Value, number: usize, layer: &'a Layer, force: Force) -> Option<()> {
        let (case, oracle) = (self.session.case, self.session.oracle);
        let Some(Value::Array(hooks)) = group.get("hooks") else { return None };
        match decide(case, self.row, group.get("matcher"), self.firing, oracle) {
            Match::Unknown => return None,
            // How a matcher was read before the revision from which this rule holds is another matter.
            Match::Decided(_, rule) if !rule.holds_at(oracle.revision) => return None,
            Match::Decided(hit, rule) => {
                self.sifted.rules.weigh(rule);
                if !hit {
                    return Some(());
                }
            }
        }
        let (ran, unmet) = (self.sifted.found.len(), self.sifted.unmet.len());
        for spec in hooks {
            let handler = Handler { matcher: group.get("matcher"), ..handler(spec, &layer.from, number)? };
            match (self.turn(&handler), force) {
                (Turn::Runs, Force::In(by)) => {
                    by.into_iter().for_each(|rule| self.sifted.rules.weigh(rule));
                    self.sifted.found.push(handler);
                }
                (Turn::Runs | Turn::IsUnknown, _) => return None,
                (Turn::IsUnmet, _) => {
                    self.is_still_there();
                    self.sifted.unmet.push(handler);
                }
                // Whether the log tells of a hook that may be in force or not is not certain either.
                (Turn::IsOutOfReach, force) => self.sifted.out_of_reach |= matches!(force, Force::In(_)),
                (Turn::StaysOut, _) => {}
            }
        }
        if self.sifted.found.len() > ran && self.sifted.unmet.len() > unmet && is_of_a_tool(self.row.event) {
            self.sifted.rules.weigh(rule!("MATCH-IF-07"));
        }
        Some(())
    }

    /// A handler that does not run may yet be one that takes a removal out of the runtime's hands.
    fn is_still_there(&mut self) {
        if self.row.event == Event::WorktreeRemove {
            self.sifted.refused = self.sifted.refused.max(Refused::Call);
        }
    }

    /// Whether a handler of a selected group runs: as its type, its `if`, and what it has done before will have it.
    fn turn(&mut self, handler: &Handler<'a>) -> Turn {
        let (case, oracle) = (self.session.case, self.session.oracle);
        let rules = &mut self.sifted.rules;
        if let Some(text) = handler.spec.get("if").and_then(Value::as_str) {
            // Where a subagent works is not said.
            let home = self.session.home().filter(|_| !session::is_of_a_subagent(self.firing));
            match condition(text, self.firing, home) {
                Match::Unknown => {
                    let _ = oracle.is(reading!("A-97", "free"));
                    return Turn::IsUnknown;
                }
                // A command that nobody can parse has always run it: of that rule only the rest is gated.
                Match::Decided(_, rule) if !rule.holds_at(oracle.revision) && rule != rule!("MATCH-IF-BASH-06") => {
                    return Turn::IsUnknown;
                }
                Match::Decided(hit, rule) => {
                    rules.weigh(rule);
                    if !hit {
                        return Turn::IsUnmet;
                    }
                }
            }
        }
        match support(handler.kind, self.firing, case.host.surface, oracle.revision) {
            Support::Runs(by) => by.into_iter().for_each(|rule| rules.weigh(rule)),
            Support::PassedOver(rule) => {
                rules.weigh(rule);
                self.sifted.passed_over = true;
                return if rule == rule!("MCPHOOK-13") { Turn::IsOutOfReach } else { Turn::StaysOut };
            }
            Support::Unknown => return Turn::IsUnknown,
        }
        if let Some(turn) = self.refusal(handler) {
            return turn;
        }
        self.once(handler)
    }

    /// What becomes of a handler that may not call its server or cannot be launched; nothing where it is none.
    fn refusal(&mut self, handler: &Handler<'a>) -> Option<Turn> {
        let (rule, refused) = match handler.kind {
            _ if handler.cannot_be_launched() => (rule!("CONFIG-EXEC-09"), Refused::Launch),
            HandlerKind::Http => match policy::of_url(self.session.case, handler.name) {
                Force::Unknown => return Some(Turn::IsUnknown),
                Force::Out(rule) => (rule, Refused::Call),
                Force::In(by) => {
                    by.into_iter().for_each(|rule| self.sifted.rules.weigh(rule));
                    return None;
                }
            },
            _ => return None,
        };
        self.sifted.rules.weigh(rule);
        self.sifted.refused = self.sifted.refused.max(refused);
        Some(Turn::StaysOut)
    }

    /// A handler that is to run once, and may have.
    fn once(&mut self, handler: &Handler<'a>) -> Turn {
        if !once::is_marked(handler) {
            return Turn::Runs;
        }
        let rules = &mut self.sifted.rules;
        let runs = match self.session.once.of(handler) {
            Runs::Oddly if once::counts(handler) && self.session.oracle.is(reading!("A-157", "success")) => Runs::Done,
            Runs::Oddly => Runs::InVain,
            runs => runs,
        };
        let (turn, rule) = match (runs, once::counts(handler)) {
            (Runs::None, _) | (Runs::InVain | Runs::Oddly | Runs::Unknown, false) => return Turn::Runs,
            (Runs::Done, false) => (Turn::Runs, rule!("CONFIG-ONCE-03")),
            (Runs::InVain, true) => (Turn::Runs, rule!("CONFIG-ONCE-02")),
            // Taken out, it is as though it had never been there.
            (Runs::Done, true) => (Turn::StaysOut, rule!("CONFIG-ONCE-01")),
            (Runs::Unknown | Runs::Oddly, true) => return Turn::IsUnknown,
        };
        rules.weigh(rule);
        // How it was before is another matter.
        if rule.holds_at(self.session.oracle.revision) { turn } else { Turn::IsUnknown }
    }
}

impl<'a> Sifted<'a> {
    /// The handlers that run; nothing where copies of one differ in what makes them run.
    fn finish(mut self, switch: Switch, session: &Session<'a>, firing: &Firing) -> Option<Selection<'a>> {
        let (found, unmet) = (self.found, self.unmet);
        if unmet.iter().any(|skipped| found.iter().any(|other| may_be_a_copy(skipped, other)))
            || found.iter().enumerate().any(|(at, one)| found[..at].iter().any(|other| run_otherwise(one, other)))
            || found
                .iter()
                .enumerate()
                .any(|(at, one)| found[..at].iter().any(|other| is_of_a_subagent_too(one, other)))
        {
            return None;
        }
        if matches!(switch, Switch::OthersOff(_)) && !found.is_empty() {
            self.rules.weigh(rule!("CONFIG-DISABLE-04"));
        }
        if self.emptied && !found.is_empty() && found.iter().all(|h| *h.from == Source::Managed) {
            self.rules.weigh(rule!("CONFIG-LOC-11"));
        }
        if found.iter().any(|h| h.layer != found[0].layer) {
            self.rules.weigh(rule!("CONFIG-LOC-10"));
        }
        session.course.weigh(session.case, firing, &found, &mut self.rules);
        let mut contested = Vec::new();
        let handlers = deduplicate(&found, &mut self.rules, &mut contested, session.oracle);
        // Which copy's `continueOnBlock` counts is not said.
        let bears = |h: &Handler<'_>| h.spec.get("continueOnBlock").and_then(Value::as_bool).unwrap_or_default();
        let differ = |name: &&str| {
            let mut of_name = found.iter().filter(|h| h.kind == HandlerKind::Prompt && h.name == *name).map(bears);
            of_name.next().is_some_and(|first| of_name.any(|other| other != first))
        };
        if contested.iter().any(differ) {
            return None;
        }
        let Sifted { refused, out_of_reach, passed_over, .. } = self;
        Some(Selection { handlers, rule: self.rules.strongest(), contested, refused, out_of_reach, passed_over })
    }
}

/// The groups that stand under an event.
fn groups_of(events: &Value, event: Event) -> &[Value] {
    events.get(event.name()).and_then(Value::as_array).map_or(&[][..], Vec::as_slice)
}

fn is_of_a_tool(event: Event) -> bool {
    rule!("MATCH-IF-07").rule().speaks_of(event)
}

/// Whether two may be the same handler, so that one of them need not run.
fn may_be_a_copy(a: &Handler<'_>, b: &Handler<'_>) -> bool {
    a.kind == b.kind && a.name == b.name && (a.from == b.from || !a.is_owned() && !b.is_owned())
}

/// Whether two are alike, one of which at least belongs to a subagent: whether that is a copy of the other is not said.
fn is_of_a_subagent_too(a: &Handler<'_>, b: &Handler<'_>) -> bool {
    let of_a_subagent = |handler: &Handler<'_>| matches!(handler.from, Source::Agent(_));
    a.kind == b.kind && a.name == b.name && (of_a_subagent(a) || of_a_subagent(b))
}

/// Whether two may be the same handler and differ in how they run: which copy counts is not said.
fn run_otherwise(a: &Handler<'_>, b: &Handler<'_>) -> bool {
    let [in_shell, also_in] = [a, b].map(|handler| handler.spec.get("shell"));
    // No shell reads what has arguments, and the shell that is named may be the one that would be taken anyway.
    let may_be_the_default = [in_shell, also_in].iter().flatten().all(|shell| *shell == "bash");
    let shells_alone = a.spec.get("args") == b.spec.get("args")
        && in_shell != also_in
        && (a.spec.get("args").is_some() || may_be_the_default);
    let once = once::counts(a) != once::counts(b);
    // Whether the group is part of what is defined is not said.
    let groups = !a.is_owned() && a.matcher != b.matcher && execute_the_same(a, b);
    may_be_a_copy(a, b) && (a.background() != b.background() || once || shells_alone || groups)
}
