//! Settings layers: groups, matchers and handlers, most often one of each.

use crate::{
    conditions,
    draw::Draw,
    handler::{KINDS, Kind, VARIABLES},
    plan::{Course, Plan, Subject},
};
use hookproof_contract::{Event, Layer, Name, Source};
use serde_json::{Map, Value, json};

/// A handler, and for whom it writes.
pub(crate) struct Handler {
    pub(crate) name: Name,
    pub(crate) kind: Kind,
    pub(crate) subject: Subject,
    /// It runs in the background.
    pub(crate) background: bool,
}

/// How many layers, groups in each, and handlers in each group.
type Shape = (usize, usize, usize);

const SHAPES: [Shape; 8] = [(1, 1, 2), (2, 1, 1), (1, 2, 1), (1, 1, 2), (2, 1, 2), (1, 1, 3), (3, 1, 1), (2, 2, 1)];

const WORDS: [&str; 12] =
    ["guard", "notes", "audit", "watch", "mirror", "helper", "keeper", "scout", "warden", "tally", "relay", "judge"];

/// The settings in the making.
struct Making<'u, 'b, 'd> {
    draw: &'d mut Draw<'u, 'b>,
    handlers: Vec<Handler>,
    /// The handlers' objects, as far as they may be copied.
    written: Vec<Value>,
}

/// Draws the layers, and tells which handlers there are.
pub(crate) fn draw(draw: &mut Draw<'_, '_>, plan: &Plan) -> (Vec<Layer>, Vec<Handler>) {
    let (layers, groups, size) =
        if draw.chance(if plan.calm { 52 } else { 36 }) { draw.pick(&SHAPES) } else { (1, 1, 1) };
    let common = !draw.chance(if plan.first.event == Event::SessionEnd { 50 } else { 22 });
    let (count, start) = if common { (3, draw.below(3)) } else { (7, draw.below(7)) };
    let mut making = Making { draw, handlers: Vec::with_capacity(4), written: Vec::with_capacity(4) };
    let mut all = Vec::with_capacity(layers);
    for layer in 0..layers {
        let from = source((start + layer) % count);
        let place = Place { layer, from: &from, plan };
        let mut hooks = Map::new();
        for subject in plan.subjects() {
            for _ in 0..groups {
                let group = making.group(subject, size, place);
                let event = making.event(subject.event, plan, layers * groups * size > 1);
                match hooks.get_mut(event) {
                    Some(Value::Array(there)) => there.push(group),
                    _ => {
                        hooks.insert(event.to_owned(), Value::Array(vec![group]));
                    }
                }
            }
        }
        let mut settings = Map::new();
        settings.insert("hooks".to_owned(), Value::Object(hooks));
        let file = conditions::is_file(&from);
        let of_a_project = matches!(from, Source::Project | Source::Local);
        if plan.first.event == Event::PermissionRequest && of_a_project && making.draw.chance(85) {
            // No project can choose that.
            settings.insert("permissions".to_owned(), json!({ "defaultMode": "bypassPermissions" }));
        }
        if file && making.has_headers() && making.draw.chance(8) {
            let listed = making.draw.below(VARIABLES.len() + 1);
            settings.insert("httpHookAllowedEnvVars".to_owned(), Value::from(&VARIABLES[..listed]));
        }
        all.push(Layer { from, settings });
    }
    if plan.course != Course::Stops {
        conditions::policies(making.draw, &making.written, &mut all);
    }
    (all, making.handlers)
}

/// Where a handler is written.
#[derive(Clone, Copy)]
struct Place<'p> {
    layer: usize,
    from: &'p Source,
    plan: &'p Plan,
}

fn source(index: usize) -> Source {
    match index {
        1 => Source::Project,
        2 => Source::Local,
        3 => Source::Plugin("tools".to_owned()),
        4 => Source::Managed,
        5 => Source::Flag,
        6 => Source::Skill("deploy".to_owned()),
        _ => Source::User,
    }
}

impl Making<'_, '_, '_> {
    /// Where a group stands: under its own event, and once in a while under one that does not fire.
    fn event(&mut self, event: Event, plan: &Plan, several: bool) -> &'static str {
        if several && plan.course == Course::Once && self.draw.chance(4) {
            let silent = if event == Event::Notification { Event::CwdChanged } else { Event::Notification };
            return silent.name();
        }
        event.name()
    }

    /// Whether a handler so far sends headers.
    fn has_headers(&self) -> bool {
        self.written.iter().any(|handler| handler.get("headers").is_some())
    }

    fn group(&mut self, subject: Subject, size: usize, place: Place<'_>) -> Value {
        let mut group = Map::new();
        if let Some(matcher) = matcher(self.draw, subject, place.plan.calm) {
            group.insert("matcher".to_owned(), Value::String(matcher));
        }
        let hooks = (0..size).map(|_| self.handler(subject, place)).collect();
        group.insert("hooks".to_owned(), Value::Array(hooks));
        Value::Object(group)
    }

    fn handler(&mut self, subject: Subject, place: Place<'_>) -> Value {
        let repeat = if place.layer > 0 { 25 } else { 4 };
        if !self.written.is_empty() && self.draw.chance(repeat) {
            let at = self.draw.below(self.written.len());
            let mut copy = self.written[at].clone();
            if self.draw.chance(12) {
                copy["timeout"] = Value::from(45);
            }
            return copy;
        }
        let kind = self.draw.weighted(&KINDS);
        let made = self.handlers.len();
        let mut name = kind.name(self.draw, WORDS[made % WORDS.len()], made / WORDS.len());
        // A turn that goes on and on hangs on its first handler, which is then an ordinary one.
        let ordinary = place.plan.course == Course::Stops;
        if !ordinary && kind == Kind::Command && matches!(place.from, Source::Plugin(_)) && self.draw.chance(10) {
            name = format!("{name} {}", conditions::OPTION);
        }
        let name: Name = name.into();
        let (word, field) = kind.words();
        let mut handler = Map::new();
        handler.insert("type".to_owned(), Value::String(word.to_owned()));
        handler.insert(field.to_owned(), Value::String(name.as_ref().to_owned()));
        if self.draw.chance(if subject.event == Event::SessionEnd { 55 } else { 12 }) {
            handler.insert("timeout".to_owned(), Value::from(self.draw.pick(&[5, 60, 1, 900])));
        }
        kind.fields(self.draw, &mut handler);
        if !ordinary {
            conditions::fields(self.draw, kind, subject, place.from, &mut handler);
        }
        let background = handler.get("async") == Some(&Value::Bool(true));
        self.handlers.push(Handler { name, kind, subject, background });
        let value = Value::Object(handler);
        self.written.push(value.clone());
        value
    }
}

/// The kinds of matchers.
#[derive(Clone, Copy)]
enum Matcher {
    Omitted,
    Exact,
    Star,
    Empty,
    List,
    Pattern,
    OtherPattern,
    Other,
    OtherList,
    Prefix,
    Longer,
    OtherCase,
    Spaced,
    Others,
}

const MATCHERS: [(u8, Matcher); 14] = [
    (60, Matcher::Omitted),
    (44, Matcher::Exact),
    (14, Matcher::Star),
    (8, Matcher::Empty),
    (34, Matcher::List),
    (26, Matcher::Pattern),
    (10, Matcher::OtherPattern),
    (10, Matcher::Other),
    (5, Matcher::OtherList),
    (8, Matcher::Prefix),
    (6, Matcher::Longer),
    (8, Matcher::OtherCase),
    (2, Matcher::Spaced),
    (20, Matcher::Others),
];

fn matcher(draw: &mut Draw<'_, '_>, subject: Subject, calm: bool) -> Option<String> {
    if calm && draw.chance(80) {
        return None;
    }
    let Some(target) = subject.target() else {
        return draw.chance(12).then(|| draw.pick(&["Bash", "^nothing$", "*"]).to_owned());
    };
    let other = subject.neighbour();
    let (before, after) = match draw.weighted(&MATCHERS) {
        Matcher::Omitted => return None,
        Matcher::Exact => ("", ""),
        Matcher::Star => return Some("*".to_owned()),
        Matcher::Empty => return Some(String::new()),
        Matcher::List => {
            let form = draw.pick(&[("", "|"), ("|", ""), (", ", ""), ("", ","), (" | ", ""), ("", " , ")]);
            return Some(match form {
                (before, "") => format!("{other}{before}{target}"),
                (_, after) => format!("{target}{after}{other}"),
            });
        }
        Matcher::Pattern => draw.pick(&[("^", "$"), ("(", "|Nothing)"), ("", ".*"), ("^(?=", ")"), (".?", "")]),
        Matcher::OtherPattern => draw.pick(&[("^", ".+$"), ("^(?!", "$)"), ("", "\\d"), ("^x", ".*")]),
        Matcher::Other => return Some(other.to_owned()),
        Matcher::OtherList => return Some(format!("{other}|WebFetch")),
        Matcher::Prefix => return Some(target[..target.len() - 1].to_owned()),
        Matcher::Longer => ("", "Two"),
        Matcher::OtherCase => return Some(other_case(target)),
        Matcher::Spaced => (" ", " "),
        Matcher::Others => match subject.others_write(draw) {
            Some(written) => return Some(written.to_owned()),
            None => ("", ""),
        },
    };
    Some(format!("{before}{target}{after}"))
}

/// The same name with every letter in the other case.
fn other_case(name: &str) -> String {
    let swap = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    name.chars().map(swap).collect()
}
