//! Canaries: tokens by which a text can be known wherever it surfaces.
//!
//! A token is made of upper case letters, digits and hyphens, with at least two characters before its first hyphen and at
//! least one after its last, and stands alone: `GUARD-ERR`, `NOTE-2`.

use crate::{Case, Step, Text};
use memchr::memmem;
use serde_json::Value;
use std::{borrow::Cow, ops::Range};

/// The canaries of a text, in order. Bytes that are not UTF-8 are allowed around them.
pub fn canaries(text: &[u8]) -> impl Iterator<Item = &str> {
    spans(text).filter_map(|span| std::str::from_utf8(&text[span]).ok())
}

/// Where the canaries of a text are.
pub fn spans(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let is_part = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'-';
    let mut from = 0;
    std::iter::from_fn(move || {
        // Every canary has a hyphen, and most texts have few.
        while let Some(hyphen) = memchr::memchr(b'-', &text[from..]).map(|at| from + at) {
            let start = hyphen - text[from..hyphen].iter().rev().take_while(|b| is_part(b)).count();
            let end = hyphen + text[hyphen..].iter().take_while(|b| is_part(b)).count();
            from = end;
            let follows_word = start > 0 && text[start - 1].is_ascii_alphanumeric();
            let leads_to_word = text.get(end).is_some_and(u8::is_ascii_alphanumeric);
            if !follows_word && !leads_to_word && is_canary(&text[start..end]) {
                return Some(start..end);
            }
        }
        None
    })
}

fn is_canary(run: &[u8]) -> bool {
    let first = run.iter().position(|b| *b == b'-');
    first.is_some_and(|hyphen| hyphen >= 2)
        && run.last() != Some(&b'-')
        && run[0] != b'-'
        && run.iter().any(u8::is_ascii_uppercase)
}

/// Every string of a case, to find out in how many places a part lies. Only where it lies in one does "does not contain" mean
/// something.
pub struct Whole<'a>(Vec<Cow<'a, str>>);

impl<'a> Whole<'a> {
    /// The strings of a case, with runs (`fill`) written once.
    #[must_use]
    pub fn of(case: &'a Case) -> Whole<'a> {
        let firings = case.steps.iter().filter_map(|step| if let Step::Fire(f) = step { Some(f) } else { None });
        let results = case.results.values().chain(firings.clone().flat_map(|firing| firing.results.values()));
        let mut all: Vec<Cow<'a, str>> = results.flat_map(|result| [short(&result.out), short(&result.err)]).collect();
        let objects = firings.map(|firing| &firing.input).chain(case.settings.iter().map(|layer| &layer.settings));
        objects.flat_map(|object| object.values()).for_each(|value| strings(value, &mut all));
        let (host, rules) = (&case.host, &case.host.permissions);
        let strings = [&rules.allow, &rules.ask, &rules.deny].into_iter().flatten().chain(host.env.values());
        all.extend(strings.chain([&host.cwd]).map(|s| Cow::Borrowed(s.as_str())));
        Whole(all)
    }

    /// In how many places a part lies. Whether a text will be read as JSON is not known here, so that it counts in the spelling
    /// in which the part lies in more places.
    #[must_use]
    pub fn count(&self, part: &str) -> usize {
        let part = memmem::Finder::new(part);
        let of = |text: &str| part.find_iter(text.as_bytes()).count();
        self.0.iter().map(|text| of(text).max(unescaped(text).map_or(0, |read| of(&read)))).sum()
    }
}

/// Every string in a value, keys included.
fn strings<'a>(value: &'a Value, all: &mut Vec<Cow<'a, str>>) {
    match value {
        Value::String(text) => all.push(Cow::Borrowed(text)),
        Value::Array(items) => items.iter().for_each(|item| strings(item, all)),
        Value::Object(map) => {
            for (key, item) in map {
                all.push(Cow::Borrowed(key));
                strings(item, all);
            }
        }
        _ => {}
    }
}

/// How often a run is written where only what it holds matters: a token can lie across the seam of two, and one that lies in each
/// lies in several places.
const RUNS: usize = 3;

/// A text in which long runs are shortened.
#[must_use]
pub fn short(text: &Text) -> Cow<'_, str> {
    match text {
        Text::Fill(run, times) if run.len() > 1 => Cow::Owned(run.repeat((*times).min(RUNS))),
        Text::Fill(run, _) => Cow::Borrowed(run),
        Text::Join(parts) => parts.iter().map(short).collect::<String>().into(),
        other => other.lossy(),
    }
}

/// A text with what JSON spells as an escape, if there is one. A half of a surrogate pair is U+FFFD.
fn unescaped(text: &str) -> Option<String> {
    let mut rest = text;
    let mut out = String::new();
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(kind) = rest.chars().next() else { break };
        rest = &rest[kind.len_utf8()..];
        let code = rest.get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match (kind, code) {
            ('u', Some(code)) => {
                out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                rest = &rest[4..];
            }
            ('b', _) => out.push('\u{8}'),
            ('f', _) => out.push('\u{c}'),
            ('n', _) => out.push('\n'),
            ('r', _) => out.push('\r'),
            ('t', _) => out.push('\t'),
            (other, _) => out.push(other),
        }
    }
    out.push_str(rest);
    (out.len() < text.len()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::{Whole, canaries};
    use crate::Case;

    #[test]
    fn a_part_counts_wherever_it_lies_however_it_is_spelt() {
        for (case, count) in [
            (r#"{"settings":[],"steps":[]}"#, 0),
            (r#"{"settings":[],"results":{"a":{"out":"RR-1"}},"steps":[]}"#, 1),
            (r#"{"settings":[],"results":{"a":{"out":"RR-1","err":"ERR-1"}},"steps":[]}"#, 2),
            (r#"{"settings":[],"results":{"a":{"out":"{\"reason\":\"R\\u0052\\u002d1\"}"}},"steps":[]}"#, 1),
            (r#"{"settings":[],"results":{"a":{"out":"C:\\u0041\\RR-1 \\u00"}},"steps":[]}"#, 1),
            (r#"{"settings":[],"results":{"a":{"out":{"join":["R",{"fill":["R-1",9]}]}}},"steps":[]}"#, 1),
            (r#"{"settings":[],"results":{"a":{"out":{"base64":"/1JSLTH/"}}},"steps":[]}"#, 1),
            (
                r#"{"host":{"cwd":"/RR-1","env":{"A":"RR-1"},"permissions":{"deny":["RR-1"]}},
                    "settings":[{"from":"user","settings":{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"RR-1"}]}]}}}],
                    "steps":[{"fire":{"event":"Stop","input":{"message":"RR-1"},"results":{"b":{"err":"RR-1"}}}}]}"#,
                6,
            ),
        ] {
            let case: Case = serde_json::from_str(case).expect("a case");
            assert_eq!(Whole::of(&case).count("RR-1"), count, "{case:?}");
        }
    }

    #[test]
    fn tokens_stand_alone() {
        for (text, found) in [
            ("say GUARD-ERR, then NOTE-2.", vec!["GUARD-ERR", "NOTE-2"]),
            ("xGUARD-ERR GUARD-ERRx", vec![]),
            ("A-1 2-3 AB- -AB AB--C", vec!["AB--C"]),
            ("{\"reason\":\"WHY-1\"}", vec!["WHY-1"]),
            ("2026-11-30", vec![]),
        ] {
            assert_eq!(canaries(text.as_bytes()).collect::<Vec<_>>(), found, "{text}");
        }
        assert_eq!(canaries(b"\xff\xfeERR-1\xff").collect::<Vec<_>>(), ["ERR-1"]);
    }
}
