//! An independent, imperative hook runtime: the reference candidate.
//!
//! It is written from the contract's text alone and has no table of events: each event has code of its own. A firing goes
//! through four steps, each a plain function that a [`Fault`] can replace: *select* the handlers, *read* what each said,
//! *merge* the answers into one decision, *apply* the decision to the session.

mod apply;
mod condition;
mod end_time;
mod environment;
mod faults;
mod given;
mod hello;
mod kinds;
mod matcher;
mod merge;
mod permissions;
mod postures;
mod read;
mod requests;
mod select;
mod session;
mod settings;
mod spill;
mod subagents;

pub use faults::{FAULTS, Fault, Needs};
pub use hello::hello;
pub use postures::variants;

use hookproof_contract::{
    Case, Event, Fact, Field, Firing, HandlerResult, Host, Outcome, Ran, Readings, Revision, WhatHappens,
};
use merge::Decision;
use postures::Stance;
use read::Answer;
use select::Handler;
use serde_json::{Map, Value};
use session::Session;

/// A hook runtime that plays cases in the process, at depth *resolve*.
#[derive(Clone)]
pub struct Runtime {
    stance: Stance,
    seams: Seams,
}

/// The four steps of a firing.
#[derive(Clone, Copy)]
struct Seams {
    select: Select,
    read: Read,
    merge: Merge,
    apply: Apply,
}

/// Which handlers run, in the order of the settings, and what each is given.
type Select = for<'a> fn(&Scene<'a>, &Session) -> Vec<Handler<'a>>;
/// What one handler said.
type Read = for<'a> fn(&Scene<'a>, &Handler<'a>, &HandlerResult) -> Answer;
/// What all handlers together come to; they come in the order in which they ended.
type Merge = for<'a> fn(&Scene<'a>, Vec<(Handler<'a>, Answer)>) -> Decision;
/// What that does to the session, and what is seen of it.
type Apply = for<'a> fn(&Scene<'a>, &mut Session, Decision) -> Outcome;

/// One step of the four, to be put in the place of the ordinary one.
#[derive(Clone, Copy)]
enum Seam {
    Select(Select),
    Read(Read),
    Merge(Merge),
    Apply(Apply),
}

/// What every step looks at and none changes.
#[derive(Clone, Copy)]
struct Scene<'a> {
    case: &'a Case,
    firing: &'a Firing,
    stance: &'a Stance,
    /// The event for which the handler that is read stands in the settings: this one, but for an agent's own `Stop`.
    declared: Event,
}

impl<'a> Scene<'a> {
    fn event(&self) -> Event {
        self.firing.event
    }

    fn host(&self) -> &'a Host {
        &self.case.host
    }

    /// A string field of the event's own input.
    fn input_text(&self, field: &str) -> Option<&'a str> {
        self.firing.input.get(field).and_then(Value::as_str)
    }

    /// Whether a teammate's turn is at its end.
    fn turn_ends(&self) -> bool {
        self.host().facts.contains(&Fact::TurnEnds)
    }

    /// Whether the runtime is at this revision or a later one.
    fn since(&self, patch: u16) -> bool {
        self.stance.revision >= Revision(2, 1, patch)
    }
}

/// A session in progress: what it remembers lies here, and the runtime stays as it is.
pub struct Playing<'r> {
    runtime: &'r Runtime,
    session: Session,
}

impl Playing<'_> {
    /// Plays one moment in the world of a case. Of the case's own steps it is only asked which subagents start in them.
    #[must_use]
    pub fn step(&mut self, case: &Case, what: WhatHappens<'_>) -> Outcome {
        match what {
            WhatHappens::Happens(happening) => {
                self.session.happens(happening);
                Outcome { said: self.session.arrives(happening), ..Outcome::default() }
            }
            WhatHappens::Fires(firing) => self.runtime.fire(case, firing, &mut self.session),
        }
    }
}

impl Default for Runtime {
    fn default() -> Self {
        Self::new()
    }
}

impl Runtime {
    /// The reference at the newest revision, with the default reading of every open point.
    #[must_use]
    pub fn new() -> Runtime {
        Runtime::with_readings(Readings::default())
    }

    /// The reference with other readings of open points.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "the readings become the runtime's own")]
    pub fn with_readings(readings: Readings) -> Runtime {
        let seams = Seams { select: select::select, read: read::read, merge: merge::merge, apply: apply::apply };
        Runtime { stance: Stance::of(&readings), seams }
    }

    /// The reference with one mistake.
    #[must_use]
    pub fn with_fault(fault: &'static Fault) -> Runtime {
        let mut runtime = Runtime::new();
        match fault.seam {
            Seam::Select(select) => runtime.seams.select = select,
            Seam::Read(read) => runtime.seams.read = read,
            Seam::Merge(merge) => runtime.seams.merge = merge,
            Seam::Apply(apply) => runtime.seams.apply = apply,
        }
        runtime
    }

    /// The same runtime, following another revision of the contract.
    #[must_use]
    pub fn at(mut self, revision: Revision) -> Runtime {
        self.stance.revision = revision;
        self
    }

    /// Plays a case: one outcome for each of its moments.
    #[must_use]
    pub fn play(&self, case: &Case) -> Vec<Outcome> {
        let mut playing = self.begin();
        case.moments().map(|moment| playing.step(case, moment.what)).collect()
    }

    /// Begins a session, to be played moment by moment.
    #[must_use]
    pub fn begin(&self) -> Playing<'_> {
        Playing { runtime: self, session: Session::default() }
    }

    fn fire(&self, case: &Case, firing: &Firing, session: &mut Session) -> Outcome {
        let scene = Scene { case, firing, stance: &self.stance, declared: firing.event };
        session.fires(&scene);
        let mut handlers = (self.seams.select)(&scene, session);
        let ran = handlers.iter_mut().map(started).collect();
        let silence = HandlerResult::default();
        let mut answers = Vec::with_capacity(handlers.len());
        for handler in handlers {
            let result = case.result(firing, &handler.name).unwrap_or(&silence);
            let answer = (self.seams.read)(&scene, &handler, result);
            session.took(&scene, &handler, &answer);
            answers.push((result.rank, handler, answer));
        }
        answers.sort_by_key(|(rank, ..)| *rank);
        let answers = answers.into_iter().map(|(_, handler, answer)| (handler, answer)).collect();
        let decision = (self.seams.merge)(&scene, answers);
        Outcome { ran, ..(self.seams.apply)(&scene, session, decision) }
    }
}

/// The report that a handler was started, with what it is given.
fn started(handler: &mut Handler<'_>) -> Ran {
    let mut given = Map::new();
    given.insert(Field::Input.name().to_owned(), Value::Object(std::mem::take(&mut handler.input)));
    let timeout = std::mem::take(&mut handler.timeout);
    if !timeout.is_null() {
        given.insert(Field::Timeout.name().to_owned(), timeout);
    }
    if let Some((field, value)) = handler.besides.take() {
        given.insert(field.name().to_owned(), value);
    }
    Ran { handler: handler.name.clone(), given }
}

#[cfg(test)]
mod completeness;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
