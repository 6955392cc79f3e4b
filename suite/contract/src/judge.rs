//! The judge: whether what a runtime did satisfies what the contract demands.
//!
//! It compares and nothing else: it knows no rule and no event. Three principles keep it from blaming the innocent:
//! a place that was not observed is never judged; a claim about what a handler was given is not judged where that handler
//! did not run (the claim on `ran` fails, once); a demand on the manner of a text binds only where the manner was told.

use crate::{
    Case, Claim, Expectation, Fate, Firing, Kind, Lies, Must, Outcome, Place, Said, Say, Spill, WhatHappens, text::bare,
};
use memchr::memmem;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{borrow::Cow, collections::BTreeSet};

/// What came of one case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// The common claims that were broken.
    pub misses: Vec<Miss>,
    /// The common claims, by index, that were looked at and hold in every step.
    pub held: Vec<usize>,
    /// The worlds, by index, that hold entirely: the candidate's posture. Empty where the case has none.
    pub worlds: Vec<usize>,
    /// How many outcomes there were, where that is not how many there should be.
    pub wrong_count: Option<usize>,
}

impl Judgement {
    /// Whether nothing was broken.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.misses.is_empty() && self.wrong_count.is_none()
    }
}

/// A claim that was broken.
#[derive(Clone, Debug, PartialEq)]
pub struct Miss {
    /// The claim's index in [`Expectation::claims`].
    pub claim: usize,
    /// The first step in which it was broken.
    pub step: usize,
    /// What that means.
    pub harm: Harm,
}

/// What a broken claim means for the person who relies on the hook, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Harm {
    /// What should have been stopped went on, or a guard did not run.
    FailsOpen,
    /// What should have gone on was stopped.
    FailsClosed,
    /// A text reached the wrong audience.
    Leak,
    /// A text, or a value, never came.
    Lost,
    /// Everything else.
    Cosmetic,
}

impl Harm {
    /// The words that reports use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Harm::FailsOpen => "fails open",
            Harm::FailsClosed => "fails closed",
            Harm::Leak => "leak",
            Harm::Lost => "lost",
            Harm::Cosmetic => "cosmetic",
        }
    }
}

/// Judges the outcomes of a case. `observes` are the places that the candidate reports.
#[must_use]
pub fn judge(case: &Case, expectation: &Expectation, outcomes: &[Outcome], observes: &BTreeSet<Place>) -> Judgement {
    let mut judgement = Judgement::default();
    let wanted = case.moments_count();
    if outcomes.len() != wanted {
        judgement.wrong_count = Some(outcomes.len());
        return judgement;
    }
    let scene = Scene { case, outcomes, observes };
    for (index, claim) in expectation.claims.iter().enumerate() {
        match scene.verdict(claim) {
            Verdict::Holds => judgement.held.push(index),
            Verdict::Broken { step, harm } => judgement.misses.push(Miss { claim: index, step, harm }),
            Verdict::Unseen => {}
        }
    }
    let holds = |claims: &[Claim]| claims.iter().all(|c| !matches!(scene.verdict(c), Verdict::Broken { .. }));
    let worlds = expectation.worlds.iter().enumerate().filter(|(_, w)| holds(&w.claims));
    judgement.worlds = worlds.map(|(index, _)| index).collect();
    judgement
}

/// Whether a claim implies another, so that whatever satisfies the first satisfies the second. Used to prove that the model
/// implies what a person wrote; both are made by rules, so a few forms are enough.
#[must_use]
pub fn implies(strong: &Claim, weak: &Claim) -> bool {
    if strong.at != weak.at || strong.of != weak.of {
        return false;
    }
    if strong.path == weak.path && must_implies(&strong.must, &weak.must) {
        return true;
    }
    // A whole value decides what lies inside it.
    let inside = match (&strong.path, &weak.path) {
        (None, Some(path)) => Some(path.as_ref()),
        (Some(outer), Some(path)) => path.strip_prefix(outer.as_ref()).filter(|rest| rest.starts_with('/')),
        _ => None,
    };
    match (&strong.must, inside) {
        (Must::Absent, Some(_)) => weak.must == Must::Absent,
        (Must::Be(value), Some(path)) => value_satisfies(value.pointer(path), &weak.must),
        (Must::BeOneOf(values), Some(path)) => values.iter().all(|v| value_satisfies(v.pointer(path), &weak.must)),
        _ => false,
    }
}

fn must_implies(strong: &Must, weak: &Must) -> bool {
    match (strong, weak) {
        (Must::Be(value), weak @ (Must::Be(_) | Must::BeOneOf(_) | Must::BeA(_))) => value_satisfies(Some(value), weak),
        (Must::BeOneOf(values), weak @ (Must::BeOneOf(_) | Must::BeA(_))) => {
            values.iter().all(|v| value_satisfies(Some(v), weak))
        }
        (Must::Say(strong), Must::Say(weak)) => say_implies(strong, weak),
        (Must::Say(strong), Must::SayAny(weak)) => weak.iter().any(|w| say_implies(strong, w)),
        (Must::SayAny(strong), Must::SayAny(weak)) => strong.iter().all(|s| weak.iter().any(|w| say_implies(s, w))),
        (Must::NotSay(strong), Must::NotSay(weak)) => say_implies(weak, strong),
        (Must::RunExactly(a), Must::RunExactly(b)) => same_bag(a.iter(), b.iter()),
        (a, b) => a == b,
    }
}

/// Whether every text that satisfies one `say` satisfies the other.
fn say_implies(strong: &Say, weak: &Say) -> bool {
    let manner = weak.how.is_none() || weak.how == strong.how;
    let place = strong.lies == weak.lies
        || match (strong.lies, weak.lies) {
            (Lies::InText | Lies::InFile(_), Lies::InTextOrFile) => true,
            (Lies::InFile(a), Lies::InFile(b)) => a <= b,
            _ => false,
        };
    let exact = matches!(weak.lies, Lies::InFile(_));
    let parts = |say: &Say| say.parts.iter().map(|p| p.bytes().into_owned()).collect::<Vec<_>>();
    let (strong, weak) = (parts(strong), parts(weak));
    manner && place && if exact { strong == weak } else { in_order_over(&strong, &weak) }
}

/// Whether each weak part lies inside a strong part, in order.
fn in_order_over(strong: &[Vec<u8>], weak: &[Vec<u8>]) -> bool {
    let (mut part, mut from) = (0, 0);
    weak.iter().all(|w| {
        while part < strong.len() {
            if let Some(at) = memmem::find(&strong[part][from..], w) {
                from += at + w.len();
                return true;
            }
            part += 1;
            from = 0;
        }
        false
    })
}

enum Verdict {
    Holds,
    Broken { step: usize, harm: Harm },
    Unseen,
}

struct Scene<'a> {
    case: &'a Case,
    outcomes: &'a [Outcome],
    observes: &'a BTreeSet<Place>,
}

impl Scene<'_> {
    fn verdict(&self, claim: &Claim) -> Verdict {
        if !self.observes.contains(&claim.at) {
            return Verdict::Unseen;
        }
        let mut seen = false;
        for moment in self.case.moments().filter(|m| claim.covers(m.number)) {
            let outcome = &self.outcomes[moment.number];
            let firing = match moment.what {
                WhatHappens::Fires(firing) => Some(firing),
                // A claim that names no steps speaks of firings only.
                WhatHappens::Happens(_) if claim.steps.is_none() => continue,
                WhatHappens::Happens(_) => None,
            };
            if outcome.unseen.contains(&claim.at) {
                continue;
            }
            match holds(claim, outcome, firing) {
                Some(true) => seen = true,
                Some(false) => return Verdict::Broken { step: moment.number, harm: harm(claim, outcome, firing) },
                None => {}
            }
        }
        if seen { Verdict::Holds } else { Verdict::Unseen }
    }
}

/// Whether a claim holds in one step; `None` where it cannot be looked at.
fn holds(claim: &Claim, outcome: &Outcome, firing: Option<&Firing>) -> Option<bool> {
    match claim.at {
        Place::Ran => {
            let Must::RunExactly(wanted) = &claim.must else { return None };
            Some(same_bag(wanted.iter(), outcome.ran.iter().map(|r| &r.handler)))
        }
        Place::Fate => {
            let fate = firing.map_or(outcome.fate, |f| Some(outcome.fate_in(f)))?;
            Some(name_satisfies(fate.name(), &claim.must))
        }
        Place::Agent => {
            let agent = firing.map_or(outcome.agent, |f| Some(outcome.agent_in(f)))?;
            Some(name_satisfies(agent.name(), &claim.must))
        }
        Place::Said(audience) => {
            let mut texts = outcome.said.iter().filter(|s| s.to == audience);
            Some(match &claim.must {
                Must::Say(say) => texts.any(|said| is_said(said, say, true)),
                Must::SayAny(says) => texts.any(|said| says.iter().any(|say| is_said(said, say, true))),
                Must::NotSay(say) => !texts.any(|said| is_said(said, say, false)),
                _ => return None,
            })
        }
        Place::Set(slot) => Some(value_satisfies(inside(outcome.set.get(&slot), claim), &claim.must)),
        Place::Given(field) => {
            let of = claim.of.as_ref()?;
            let mut runs = outcome.ran.iter().filter(|r| r.handler == *of).peekable();
            runs.peek()?;
            Some(runs.all(|r| given_satisfies(inside(r.given.get(field.name()), claim), &claim.must)))
        }
    }
}

/// Whether what a handler was given satisfies a demand: on a value, or on the parts of a text.
fn given_satisfies(value: Option<&Value>, must: &Must) -> bool {
    let holds = |say: &Say| value.and_then(Value::as_str).is_some_and(|text| holds_parts(text.as_bytes(), say));
    match must {
        Must::Say(say) => holds(say),
        Must::SayAny(says) => says.iter().any(holds),
        Must::NotSay(say) => value.is_some() && !holds(say),
        _ => value_satisfies(value, must),
    }
}

fn inside<'a>(value: Option<&'a Value>, claim: &Claim) -> Option<&'a Value> {
    match &claim.path {
        Some(path) => value.and_then(|v| v.pointer(path)),
        None => value,
    }
}

/// Two bags are the same. They are small, and nearly always in the same order.
fn same_bag<'a, T: Ord + 'a>(a: impl Iterator<Item = &'a T> + Clone, b: impl Iterator<Item = &'a T> + Clone) -> bool {
    if a.clone().eq(b.clone()) {
        return true;
    }
    let sorted = |items: &mut dyn Iterator<Item = &'a T>| {
        let mut all: Vec<&T> = items.collect();
        all.sort_unstable();
        all
    };
    sorted(&mut a.into_iter()) == sorted(&mut b.into_iter())
}

fn name_satisfies(name: &str, must: &Must) -> bool {
    match must {
        Must::Be(value) => value == name,
        Must::BeOneOf(values) => values.iter().any(|v| v == name),
        _ => false,
    }
}

fn value_satisfies(value: Option<&Value>, must: &Must) -> bool {
    match (must, value) {
        (Must::Absent, found) => found.is_none(),
        (Must::Be(wanted), Some(found)) => same_value(wanted, found),
        (Must::BeOneOf(wanted), Some(found)) => wanted.iter().any(|w| same_value(w, found)),
        (Must::BeA(kind), Some(found)) => is_a(found, *kind),
        _ => false,
    }
}

/// Equality of JSON values: numbers by value, objects without order.
fn same_value(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || (a.as_f64() == b.as_f64() && (a.is_f64() || b.is_f64())),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same_value(a, b)))
        }
        (a, b) => a == b,
    }
}

fn is_a(value: &Value, kind: Kind) -> bool {
    match kind {
        Kind::Bool => value.is_boolean(),
        Kind::Number => value.is_number(),
        Kind::String => value.is_string(),
        Kind::Array => value.is_array(),
        Kind::Object => value.is_object(),
        Kind::AbsolutePath => value.as_str().is_some_and(is_absolute),
        Kind::Uuid => value.as_str().is_some_and(is_uuid),
    }
}

/// An absolute path of either platform.
fn is_absolute(path: &str) -> bool {
    let b = path.as_bytes();
    path.starts_with('/')
        || path.starts_with("\\\\")
        || (b.len() > 2 && b[0].is_ascii_alphabetic() && b[1] == b':' && matches!(b[2], b'\\' | b'/'))
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text
            .bytes()
            .enumerate()
            .all(|(i, b)| if matches!(i, 8 | 13 | 18 | 23) { b == b'-' } else { b.is_ascii_hexdigit() })
}

/// Whether a text that arrived is one that the claim speaks of. A manner that was not told is taken in favour of the
/// candidate: it satisfies a demand (`wanted`), and breaks no prohibition.
fn is_said(said: &Said, say: &Say, wanted: bool) -> bool {
    let manner = match (say.how, said.how) {
        (None, _) => true,
        (Some(_), None) => wanted,
        (Some(a), Some(b)) => a == b,
    };
    manner && lies(said, say)
}

fn lies(said: &Said, say: &Say) -> bool {
    let text = said.text.bytes();
    let file = match &said.spill {
        Some(Spill::Content(content)) => Some(content.bytes()),
        // A path whose file the harness has not read says nothing yet.
        Some(Spill::Path(_)) | None => None,
    };
    match say.lies {
        Lies::InText => holds_parts(&text, say),
        Lies::InTextOrFile => holds_parts(&text, say) || file.is_some_and(|f| holds_parts(&f, say)),
        Lies::InFile(preview) => {
            let whole: Vec<u8> = say.parts.iter().flat_map(|p| p.bytes().into_owned()).collect();
            let beginning = beginning(&whole, preview + 1);
            // The whole of a text that is no longer than its preview may be shown.
            let shown = beginning.len() < whole.len() && find(&text, &beginning).is_some();
            file.is_some_and(|f| same_but_for_ends(&f, &whole)) && !shown
        }
    }
}

/// Whether two texts are the same, white space at their ends aside.
fn same_but_for_ends(a: &[u8], b: &[u8]) -> bool {
    match (str::from_utf8(a), str::from_utf8(b)) {
        (Ok(a), Ok(b)) => bare(a) == bare(b),
        _ => a.trim_ascii() == b.trim_ascii(),
    }
}

/// Where a part begins in a text. Most texts begin with it, and a search takes preparation.
fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    if text.starts_with(part) { Some(0) } else { memmem::find(text, part) }
}

/// All parts, in this order.
fn holds_parts(text: &[u8], say: &Say) -> bool {
    let mut from = 0;
    say.parts.iter().all(|part| {
        let part = part.bytes();
        find(&text[from..], &part).is_some_and(|at| {
            from += at + part.len();
            true
        })
    })
}

/// The first `n` characters of a text.
fn beginning(text: &[u8], n: usize) -> Cow<'_, [u8]> {
    match std::str::from_utf8(text) {
        Ok(text) => Cow::Borrowed(text.char_indices().nth(n).map_or(text, |(end, _)| &text[..end]).as_bytes()),
        Err(_) => Cow::Borrowed(&text[..n.min(text.len())]),
    }
}

/// What a broken claim means.
fn harm(claim: &Claim, outcome: &Outcome, firing: Option<&Firing>) -> Harm {
    match (&claim.at, &claim.must) {
        (Place::Ran, Must::RunExactly(wanted)) => {
            let missing = wanted.iter().any(|name| {
                let count = |all: &mut dyn Iterator<Item = bool>| all.filter(|is| *is).count();
                count(&mut wanted.iter().map(|n| n == name))
                    > count(&mut outcome.ran.iter().map(|r| r.handler == *name))
            });
            if missing { Harm::FailsOpen } else { Harm::Cosmetic }
        }
        (Place::Fate, must) => {
            let found = firing.map(|f| outcome.fate_in(f)).or(outcome.fate);
            let may_proceed = name_satisfies(Fate::Proceeds.name(), must);
            match found {
                Some(Fate::Proceeds) => Harm::FailsOpen,
                Some(Fate::Asked) if name_satisfies(Fate::Prevented.name(), must) && !may_proceed => Harm::FailsOpen,
                _ => Harm::FailsClosed,
            }
        }
        (Place::Agent, must) => {
            let should_stop = name_satisfies("stops", must);
            if should_stop { Harm::FailsOpen } else { Harm::FailsClosed }
        }
        (Place::Said(_), Must::NotSay(_)) => Harm::Leak,
        (Place::Said(_), _) => Harm::Lost,
        (Place::Set(_), Must::Absent) => Harm::Leak,
        (Place::Set(_), _) => Harm::Lost,
        _ => Harm::Cosmetic,
    }
}

#[cfg(test)]
mod tests;
