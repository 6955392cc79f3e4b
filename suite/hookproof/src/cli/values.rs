//! What the values of options may be, each with an error that says so.

use super::Topic;
use crate::profile::Profile;
use hookproof_contract::{Chapter, Event, Level, Point, Revision, Settled, near};
use std::path::PathBuf;

/// An event by its name.
pub(super) fn event(name: &str) -> Result<Event, String> {
    Event::from_name(name).ok_or_else(|| allowed("event", Event::ALL.iter().map(|e| e.name())))
}

/// A path of text alone, so that a report can name it and it is found again.
pub(super) fn readable(text: &str) -> Result<PathBuf, String> {
    Ok(PathBuf::from(text))
}

/// A revision of the contract that is known here.
pub(super) fn revision(text: &str) -> Result<Revision, String> {
    let revision: Revision = text.parse()?;
    revision.known()
}

/// A chapter by its name.
pub(super) fn chapter(name: &str) -> Result<Chapter, String> {
    let found = Chapter::ALL.iter().find(|c| c.name() == name).copied();
    found.ok_or_else(|| allowed("chapter", Chapter::ALL.iter().map(|c| c.name())))
}

/// A level by its name.
pub(super) fn level(name: &str) -> Result<Level, String> {
    match name {
        "must" => Ok(Level::Must),
        "may" => Ok(Level::May),
        "info" => Ok(Level::Info),
        _ => Err(allowed("level", ["must", "may", "info"].into_iter())),
    }
}

/// A profile by its name.
pub(super) fn profile(name: &str) -> Result<Profile, String> {
    let found = Profile::ALL.into_iter().find(|profile| profile.name() == name);
    found.ok_or_else(|| allowed("profile", Profile::ALL.iter().map(|profile| profile.name())))
}

fn allowed(what: &str, names: impl Iterator<Item = &'static str>) -> String {
    format!("no such {what}; allowed are {}", names.collect::<Vec<_>>().join(", "))
}

/// The id of a rule or of an open point.
pub(super) fn topic(id: &str) -> Result<Topic, String> {
    if let Ok(point) = id.parse() {
        return Ok(Topic::Point(point));
    }
    if let Some(settled) = Settled::of(id) {
        return Ok(Topic::Settled(settled));
    }
    if id
        .strip_prefix(['A', 'a'])
        .and_then(|n| n.strip_prefix('-'))
        .is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
    {
        let open = Point::all().iter().map(|point| point.id.as_str());
        let all = open.chain(Settled::all().iter().map(|settled| settled.id.as_str()));
        let points = all.filter(|point| point.eq_ignore_ascii_case(id));
        return Err(format!("unknown open point `{id}`; {}", near::hint(id, points, "hookproof list --points")));
    }
    id.parse().map(Topic::Rule)
}
