//! What a session remembers of the environment file (chapters *session* and *workspace*): which variables hooks have put into the
//! environment of later Bash commands.

use crate::{
    claims::Claims,
    select::HandlerKind,
    session,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{
    Case, Claim, Deed, Event, Firing, HandlerResult, Happening, Must, Place, Revision, RuleId, Slot, Step,
    read::escape, rule,
};
use serde_json::Value;
use std::{borrow::Cow, collections::BTreeMap};

/// What hooks have exported so far.
#[derive(Default)]
pub(crate) struct Environment {
    exports: Vec<Export>,
    /// Whether something else than a Setup has taken place.
    under_way: bool,
}

/// One variable that one hook exported, or would have.
struct Export {
    name: String,
    value: String,
    of: Event,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    There,
    /// It never came there, or was taken out again.
    Gone,
    /// Nothing is said of it.
    Unknown,
}

/// The rule by which what a hook of this event exports is there; nothing where its hooks have no such file.
fn persists(event: Event) -> Option<RuleId> {
    match event {
        Event::SessionStart => Some(rule!("ENV-FILE-02")),
        Event::Setup => Some(rule!("SETUP-OUT-04")),
        Event::CwdChanged => Some(rule!("CWD-02")),
        Event::FileChanged => Some(rule!("FILECHG-09B")),
        _ => None,
    }
}

impl Environment {
    /// An event fires, whose hooks have not run yet.
    pub(crate) fn fires(&mut self, firing: &Firing, revision: Revision) {
        match firing.event {
            Event::SessionStart => match firing.input.get("source").and_then(Value::as_str) {
                // The session goes on.
                Some("compact") => {}
                // That which a Setup has prepared begins.
                Some("startup") if !self.under_way => {}
                _ => self.lose(),
            },
            // Setup comes before anything else, so what came before it was another session; and a worktree may be for one of its own.
            Event::Setup | Event::SessionEnd | Event::WorktreeCreate | Event::WorktreeRemove => self.lose(),
            Event::CwdChanged => self.clear(revision),
            _ => {}
        }
        self.under_way = firing.event != Event::Setup;
    }

    /// Something happens between events. Whether what was exported outlives the session, or a clear, is not said.
    pub(crate) fn happens(&mut self, what: Happening) {
        self.under_way = true;
        if matches!(what, Happening::Cleared | Happening::Resumed | Happening::SessionEnds) {
            self.lose();
        }
    }

    /// The directory changes: what hooks on that and on changed files exported is taken out. What becomes of the rest is not said.
    fn clear(&mut self, revision: Revision) {
        for export in self.exports.iter_mut().filter(|export| export.state == State::There) {
            let cleared = matches!(export.of, Event::CwdChanged | Event::FileChanged)
                && persists(export.of).is_some_and(|rule| rule.holds_at(revision));
            export.state = if cleared { State::Gone } else { State::Unknown };
        }
    }

    fn lose(&mut self) {
        self.exports.iter_mut().for_each(|export| export.state = State::Unknown);
    }

    /// A hook ran. Whether the file of one that failed counts is not said, nor when one in the background has written it.
    pub(crate) fn ran(&mut self, voice: &Voice<'_>, firing: &Firing, case: &Case) {
        let is_command = voice.handler.kind == HandlerKind::Command;
        let state = match persists(firing.event) {
            None if is_command => State::Gone,
            Some(_) if is_command && is_well(voice) => State::There,
            _ => State::Unknown,
        };
        if let Some(result) = case.result(firing, &voice.name) {
            self.export(result, firing.event, state);
        }
    }

    /// Which hooks ran is not determined: any may have.
    pub(crate) fn may_run(&mut self, firing: &Firing, case: &Case) {
        for result in case.results.values().chain(firing.results.values()) {
            self.export(result, firing.event, State::Unknown);
        }
    }

    fn export(&mut self, result: &HandlerResult, of: Event, state: State) {
        let exported = texts(result).filter_map(|text| lines(&text)).flatten();
        self.exports.extend(exported.map(|(name, value)| Export { name, value, of, state }));
    }

    /// What a Bash command of the main agent finds. Of the commands of others it is not said.
    pub(crate) fn claims(&self, firing: &Firing, case: &Case, claims: &mut Claims) {
        let is_bash = firing.event == Event::PreToolUse && firing.input.get("tool_name").is_some_and(|t| t == "Bash");
        if !is_bash || self.exports.is_empty() || session::is_of_a_subagent(firing) || !is_plain(case) {
            return;
        }
        let mut by_name: BTreeMap<&str, Vec<&Export>> = BTreeMap::new();
        for export in &self.exports {
            by_name.entry(&export.name).or_default().push(export);
        }
        // The runtime's own environment may have one of the same name.
        for (name, exports) in by_name.into_iter().filter(|(name, _)| !case.host.env.contains_key(*name)) {
            let there = exports.iter().rfind(|export| export.state == State::There);
            let gone = exports.iter().all(|export| export.state == State::Gone);
            let (must, of) = match (there, exports.last()) {
                (Some(export), _) => (Must::Be(Value::from(export.value.as_str())), export.of),
                (None, Some(export)) if gone => (Must::Absent, export.of),
                _ => continue,
            };
            let rule = persists(of).unwrap_or(rule!("ENV-FILE-05"));
            let path = Some(Cow::Owned(format!("/{}", escape(name))));
            claims.make(Claim { path, ..Claim::new(Place::Set(Slot::Environment), must, rule) });
        }
    }
}

/// Whether a hook ended as one that did what it should, whatever else it asks for.
fn is_well(voice: &Voice<'_>) -> bool {
    let in_order = matches!(voice.word, Word::Silent | Word::Plain(_) | Word::Object(_));
    voice.end == Ended::Zero && in_order && voice.background().is_none() && !voice.stops()
}

/// Whether it is certain what every text comes to that hooks of the case wrote: each name has one value, and nothing but the runtime
/// says where the file is.
fn is_plain(case: &Case) -> bool {
    let of_steps =
        case.steps.iter().filter_map(|s| if let Step::Fire(firing) = s { Some(&firing.results) } else { None });
    let results = std::iter::once(&case.results).chain(of_steps).flat_map(BTreeMap::values);
    let mut values: BTreeMap<String, String> = BTreeMap::new();
    let mut is_the_only_one =
        |(name, value): (String, String)| *values.entry(name).or_insert_with(|| value.clone()) == value;
    let mut all = results.flat_map(texts);
    !case.host.env.contains_key("CLAUDE_ENV_FILE")
        && all.all(|text| lines(&text).is_some_and(|lines| lines.into_iter().all(&mut is_the_only_one)))
}

/// What a handler wrote.
fn texts(result: &HandlerResult) -> impl Iterator<Item = Cow<'_, str>> {
    result.did.iter().filter_map(|deed| if let Deed::WroteEnvironment(text) = deed { Some(text.lossy()) } else { None })
}

/// The variables that a text exports; nothing where it holds more than whole lines that each export one (A-152 leaves open what else
/// counts).
fn lines(text: &str) -> Option<Vec<(String, String)>> {
    text.split_inclusive('\n').map(|line| export(line.strip_suffix('\n')?)).collect()
}

fn export(line: &str) -> Option<(String, String)> {
    let (name, value) = line.strip_prefix("export ")?.split_once('=')?;
    let of_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let of_value = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':');
    // The runtime itself sets some variables for Bash commands, and takes others away.
    let is_its_own = ["CLAUDE", "OTEL_"].iter().any(|begins| name.starts_with(begins));
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(of_name) && !is_its_own;
    (is_name && !value.is_empty() && value.chars().all(of_value)).then(|| (name.to_owned(), value.to_owned()))
}
