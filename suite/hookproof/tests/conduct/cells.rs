//! The table of events and endings: in which cases a handler of an event ends in a certain way, and what follows from it is claimed.
//!
//! Each cell is filled, or stands in [`EMPTY`] with the reason why it is not: a ratchet in both directions.

use hookproof::corpus::Corpus;
use hookproof_contract::{
    Case, Chapter, Claim, End, Event, HandlerResult, Outcome, Place, Revision, Rule, WhatHappens,
};
use hookproof_model::{Stdout, is_valid_output, read_stdout};
use hookproof_reference::Runtime;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

/// How a handler ended, with what it said where that matters more than how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ending {
    /// Exit 0, and no JSON.
    Zero,
    /// Exit 2, whatever it printed.
    Two,
    /// Another exit code, and no JSON.
    Other,
    /// A valid object that decides something, or tries to.
    Decision,
    /// An object that is not valid.
    Invalid,
    /// What looks like an object and does not parse.
    Unparsable,
    TimedOut,
    /// An HTTP status that is an error.
    BadStatus,
    /// No column of the table.
    Aside(&'static str),
}

/// The columns of the table.
const COLUMNS: [(Ending, &str); 8] = [
    (Ending::Zero, "exit 0"),
    (Ending::Two, "exit 2"),
    (Ending::Other, "other code"),
    (Ending::Decision, "decision"),
    (Ending::Invalid, "not valid"),
    (Ending::Unparsable, "no JSON"),
    (Ending::TimedOut, "timeout"),
    (Ending::BadStatus, "HTTP 500"),
];

/// The cells that no case can fill, and why.
const EMPTY: &[(Event, Ending, &str)] = &[
    (Event::SessionStart, Ending::BadStatus, "an HTTP handler does not run on this event"),
    (Event::Setup, Ending::BadStatus, "an HTTP handler does not run on this event"),
];

/// A handler that ran in a step, and how it ended.
pub(crate) struct Met {
    step: usize,
    pub(crate) event: Event,
    pub(crate) ending: Ending,
    /// Whether it printed anything.
    pub(crate) spoke: bool,
    /// Whether no other ran with it, so that what follows is its own doing.
    alone: bool,
}

/// The endings that the events of a case meet.
pub(crate) fn met(case: &Case, outcomes: &[Outcome]) -> Vec<Met> {
    let mut all = Vec::new();
    for moment in case.moments() {
        let WhatHappens::Fires(firing) = moment.what else { continue };
        let (step, event, ran) = (moment.number, firing.event, &outcomes[moment.number].ran);
        for handler in ran {
            let default = HandlerResult::default();
            let result = case.result(firing, &handler.handler).unwrap_or(&default);
            let (ending, spoke) = (ending(event, result), !result.out.is_empty());
            all.push(Met { step, event, ending, spoke, alone: ran.len() == 1 });
        }
    }
    all
}

fn ending(event: Event, result: &HandlerResult) -> Ending {
    match result.end {
        End::TimedOut => Ending::TimedOut,
        End::Exit(2) => Ending::Two,
        // The stdout of its commands is a path and nothing else.
        End::Exit(code) if event == Event::WorktreeCreate => by_code(code),
        End::Exit(code) => said(event, result).unwrap_or_else(|| by_code(code)),
        End::Status(200..=299) => said(event, result).unwrap_or(Ending::Aside("a good status")),
        End::Status(_) => Ending::BadStatus,
        End::Answered => said(event, result).unwrap_or(Ending::Aside("answered")),
        End::Signal(_) => Ending::Aside("a signal"),
        End::ToolError => Ending::Aside("a tool's error"),
        End::Refused => Ending::Aside("refused"),
        End::NotStarted => Ending::Aside("not started"),
        End::NoResponse => Ending::Aside("no response"),
    }
}

fn by_code(code: i32) -> Ending {
    if code == 0 { Ending::Zero } else { Ending::Other }
}

/// What the JSON comes to, if it is any.
fn said(event: Event, result: &HandlerResult) -> Option<Ending> {
    match read_stdout(event, &result.out.lossy(), &Default::default())? {
        Stdout::Object(object) => {
            let decides = ["decision", "continue", "hookSpecificOutput"].iter().any(|key| object.contains_key(*key));
            Some(match is_valid_output(event, object) {
                Some(true) if decides => Ending::Decision,
                Some(true) => Ending::Aside("another object"),
                Some(false) => Ending::Invalid,
                None => Ending::Aside("an open object"),
            })
        }
        Stdout::Unparsable(_) => Some(Ending::Unparsable),
        Stdout::Free => Some(Ending::Aside("open")),
        Stdout::Empty | Stdout::Plain(_) => None,
    }
}

/// Whether a claim tells what follows from how a handler ended in a step, and not only that it ran and what it was given.
fn tells(claim: &Claim, step: usize) -> bool {
    claim.covers(step)
        && !matches!(claim.at, Place::Ran | Place::Given(_))
        && Rule::holds_at(claim.rule.rule(), Revision::NEWEST)
}

/// A cell of the table.
type Cell = (Event, Ending);

/// The cells that each case and each near-miss fills, in the order of the corpus. Nothing waits for a hook in the background, so that
/// its ending decides nothing.
pub(crate) fn filling() -> Vec<BTreeSet<Cell>> {
    let mut all = Vec::new();
    for entry in Corpus::embedded().expect("names are unique").entries() {
        let file = entry.read().expect("well-formed");
        for (_, case, then) in file.variants().expect("they were checked") {
            let decides = |met: &Met| met.alone && entry.chapter != Some(Chapter::Background);
            let fills = |met: &Met| decides(met) && then.iter().any(|claim| tells(claim, met.step));
            let met = met(&case, &Runtime::new().play(&case));
            all.push(met.iter().filter(|met| fills(met)).map(|met| (met.event, met.ending)).collect());
        }
    }
    all
}

/// How many cases and near-misses fill each cell.
fn filled() -> BTreeMap<Cell, usize> {
    let mut table = BTreeMap::new();
    filling().into_iter().flatten().for_each(|cell| *table.entry(cell).or_default() += 1);
    table
}

/// Why a cell is empty.
fn why_empty(cell: Cell) -> Option<&'static str> {
    EMPTY.iter().find(|(event, ending, _)| (*event, *ending) == cell).map(|(.., why)| *why)
}

#[test]
fn every_event_meets_every_ending_or_it_is_said_why_not() {
    let filled = filled();
    let cells = || Event::ALL.into_iter().flat_map(|event| COLUMNS.map(|(ending, name)| ((event, ending), name)));
    let wrong = |is_filled: bool| -> Vec<String> {
        let alike = |cell: &Cell| filled.contains_key(cell) == is_filled && why_empty(*cell).is_some() == is_filled;
        cells().filter(|(cell, _)| alike(cell)).map(|((event, _), name)| format!("{event}, {name}")).collect()
    };
    let (missing, gone) = (wrong(false), wrong(true));
    assert!(missing.is_empty(), "no case has a handler end so and claims what follows:\n{}", missing.join("\n"));
    assert!(gone.is_empty(), "a case fills these by now: take them off the list\n{}", gone.join("\n"));
    insta::with_settings!({
        snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, { insta::assert_snapshot!("cells", shown(&filled)) });
}

/// The table as a person reads it.
fn shown(filled: &BTreeMap<Cell, usize>) -> String {
    let mut text = String::new();
    let mut line = |head: &str, cells: [String; COLUMNS.len()]| {
        let cells: String = cells.iter().map(|cell| format!("{cell:>11}")).collect();
        let _ = writeln!(text, "{head:18}{cells}");
    };
    line("", COLUMNS.map(|(_, name)| name.to_owned()));
    for event in Event::ALL {
        let count = |ending| filled.get(&(event, ending)).map_or_else(|| "-".to_owned(), usize::to_string);
        line(event.name(), COLUMNS.map(|(ending, _)| count(ending)));
    }
    text.push('\n');
    for (ending, name) in COLUMNS {
        for (event, _, why) in EMPTY.iter().filter(|(_, empty, _)| *empty == ending) {
            let _ = writeln!(text, "{event}, {name}: {why}");
        }
    }
    text
}
