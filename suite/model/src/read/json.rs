//! JSON as the contract's platform reads it. Where that differs from the obvious Rust call, an open point decides: a key that
//! stands twice, half a surrogate pair, a number beyond the range of a double.

use crate::oracle::Oracle;
use hookproof_contract::{read::Twins, reading, surrogates};
use serde::{
    Deserialize,
    de::{DeserializeSeed, IgnoredAny},
};
use serde_json::Value;
use std::{borrow::Cow, cell::Cell};

/// What a text is as JSON.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    /// It parses.
    Value(Value),
    /// It does not.
    Invalid,
    /// The contract leaves it open (open point A-41).
    Free,
}

/// How deep a document may be nested before it is anybody's guess.
const DEEP: usize = 100;

/// Reads a text as one JSON document.
pub(crate) fn parse(text: &str, oracle: &Oracle<'_>) -> Json {
    let brackets = text.bytes().filter(|b| matches!(b, b'{' | b'[')).count();
    if (brackets > DEEP && depth(text) > DEEP) || text.contains("\"__proto__\"") {
        return Json::Free;
    }
    let twice = Cell::new(false);
    let (tamed, was_wild) = tame(text);
    let mut json = serde_json::Deserializer::from_str(&tamed);
    let value = Twins::KeepLast(&twice).deserialize(&mut json).and_then(|v| json.end().map(|()| v));
    let Ok(value) = value else {
        return Json::Invalid;
    };
    if was_wild && oracle.is(reading!("A-21", "invalid")) {
        return Json::Invalid;
    }
    if !twice.get() {
        return Json::Value(value);
    }
    match oracle.read(reading!("A-13", "last").point).name() {
        "last" => Json::Value(value),
        "first" => {
            let mut json = serde_json::Deserializer::from_str(&tamed);
            Twins::KeepFirst(&twice).deserialize(&mut json).map_or(Json::Invalid, Json::Value)
        }
        _ => Json::Invalid,
    }
}

/// How deep brackets are nested, strings left out. Meant for texts that may not be JSON at all.
fn depth(text: &str) -> usize {
    let (mut now, mut most, mut in_string, mut escaped) = (0usize, 0, false, false);
    for b in text.bytes() {
        match b {
            _ if escaped => escaped = false,
            // Outside of strings there is none in anything that parses.
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                now += 1;
                most = most.max(now);
            }
            b'}' | b']' if !in_string => now = now.saturating_sub(1),
            _ => {}
        }
    }
    most
}

/// Replaces what Rust's parser refuses and ECMAScript's accepts: half a surrogate pair becomes U+FFFD, a number beyond the
/// range of a double the largest double. Says whether there was anything of the kind.
fn tame(text: &str) -> (Cow<'_, str>, bool) {
    let tamed = match surrogates::mend(text) {
        Cow::Borrowed(text) => bounded(text),
        Cow::Owned(mended) => Cow::Owned(bounded(&mended).into_owned()),
    };
    let was_wild = matches!(tamed, Cow::Owned(_));
    (tamed, was_wild)
}

/// Replaces numbers beyond the range of a double.
fn bounded(text: &str) -> Cow<'_, str> {
    // They need an exponent or hundreds of digits.
    let bytes = text.as_bytes();
    let exponent = || memchr::memchr2_iter(b'e', b'E', bytes).any(|at| at > 0 && bytes[at - 1].is_ascii_digit());
    // A run of more digits than this has one at every such step.
    let long_number = || bytes.iter().step_by(300).skip(1).any(u8::is_ascii_digit);
    if !(exponent() || long_number()) {
        return Cow::Borrowed(text);
    }
    let (mut out, mut copied, mut at) = (String::new(), 0, 0);
    while at < bytes.len() {
        let (end, instead) = match bytes[at] {
            b'"' => (after_string(bytes, at), None),
            b'-' | b'0'..=b'9' => number(text, at),
            _ => (at + 1, None),
        };
        if let Some(instead) = instead {
            out.push_str(&text[copied..at]);
            out.push_str(instead);
            copied = end;
        }
        at = end;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Where a string ends that begins here.
fn after_string(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += found;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

/// The end of a number, and what stands for it if it is beyond the range of a double.
fn number(text: &str, at: usize) -> (usize, Option<&'static str>) {
    let rest = &text[at..];
    let len = rest.bytes().take_while(|b| matches!(b, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')).count();
    let literal = &rest[..len];
    let infinite = literal.parse::<f64>().is_ok_and(f64::is_infinite);
    // Only a literal that is a JSON number is replaced; `1e400.` must stay the error that it is.
    let well_formed = infinite && is_json_number(literal);
    let stand_in = if literal.starts_with('-') { "-1.7976931348623157e308" } else { "1.7976931348623157e308" };
    (at + len, well_formed.then_some(stand_in))
}

fn is_json_number(literal: &str) -> bool {
    let unsigned = literal.strip_prefix('-').unwrap_or(literal);
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(i) => (&unsigned[..i], Some(unsigned[i + 1..].trim_start_matches(['+', '-']))),
        None => (unsigned, None),
    };
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(digits)
}

/// Whether a text parses as JSON on its own, of whatever type, under some reading; nothing is asked.
pub(crate) fn may_parse(text: &str) -> bool {
    let (tamed, _) = tame(text);
    let mut json = serde_json::Deserializer::from_str(&tamed);
    IgnoredAny::deserialize(&mut json).and_then(|_| json.end()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{Json, parse};
    use crate::oracle::Oracle;
    use hookproof_contract::{Reading, Readings, Revision, reading};
    use serde_json::json;

    fn read(text: &str, reading: Option<Reading>) -> Json {
        let declared: Readings = reading.into_iter().collect();
        parse(text, &Oracle::new(Revision::NEWEST, &declared, Vec::new()))
    }

    #[test]
    fn a_key_that_stands_twice_is_an_open_point() {
        let text = r#"{"a":1,"b":{"c":1,"c":2},"a":3}"#;
        assert_eq!(read(text, None), Json::Value(json!({"a": 3, "b": {"c": 2}})));
        assert_eq!(read(text, Some(reading!("A-13", "first"))), Json::Value(json!({"a": 1, "b": {"c": 1}})));
        assert_eq!(read(text, Some(reading!("A-13", "invalid"))), Json::Invalid);
    }

    #[test]
    fn half_surrogates_and_huge_numbers_parse_as_in_ecmascript() {
        assert_eq!(read(r#"{"a":"x\ud800y"}"#, None), Json::Value(json!({"a": "x\u{fffd}y"})));
        assert_eq!(read(r#"{"a":"x\ud83d\ude00"}"#, None), Json::Value(json!({"a": "x\u{1f600}"})));
        assert_eq!(read(r#"{"a":-1e400}"#, None), Json::Value(json!({"a": f64::MIN})));
        assert_eq!(read(r#"{"a":1e400}"#, Some(reading!("A-21", "invalid"))), Json::Invalid);
        assert_eq!(read(r#"{"a":"1e400"}"#, Some(reading!("A-21", "invalid"))), Json::Value(json!({"a": "1e400"})));
        assert_eq!(read(r#"{"a":1E+400}"#, None), Json::Value(json!({"a": f64::MAX})));
        assert_eq!(read(r#"{"a":["\\",1e400,"x"]}"#, None), Json::Value(json!({"a": ["\\", f64::MAX, "x"]})));
        for text in [r#"{"a":01e400}"#, r#"{"a":1.e400}"#, r#"{"a":1.e400,"b":1e1}"#, "e400"] {
            assert_eq!(read(text, None), Json::Invalid, "{text}");
        }
    }

    #[test]
    fn what_no_parser_takes_is_invalid() {
        for text in [
            "{\"a\":1,}",
            "{a:1}",
            "{'a':1}",
            "{\"a\":NaN}",
            "{\"a\":1}//x",
            "{\"a\":\"\n\"}",
            "{} {}",
            "{\"a\":\"\\x\"}",
        ] {
            assert_eq!(read(text, None), Json::Invalid, "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_free() {
        let deep = format!("{}{}", "{\"a\":".repeat(200), "}".repeat(200));
        assert_eq!(read(&deep, None), Json::Free);
    }

    #[test]
    fn only_brackets_that_are_open_at_once_nest() {
        let nested = |open: &str, times: usize| format!("{{\"a\":{}0{}}}", open.repeat(times), "]".repeat(times));
        assert!(
            matches!(read(&nested("[", 99), None), Json::Value(_)),
            "a hundred levels, the object's own among them"
        );
        let beside = nested("[", 99).replace('}', ",\"b\":[]}");
        assert!(matches!(read(&beside, None), Json::Value(_)), "more brackets, but no deeper");
        assert_eq!(read(&nested("[", 100), None), Json::Free);
        assert_eq!(read(&nested("[\"]\",", 100), None), Json::Free, "one in a string closes nothing");
        for flat in [
            format!("[{}0]", "[],".repeat(150)),
            format!("\"{}\"", "[".repeat(150)),
            format!("\"\\\"{}\"", "{".repeat(150)),
        ] {
            let text = format!("{{\"a\":{flat}}}");
            assert!(matches!(read(&text, None), Json::Value(_)), "{text}");
        }
    }
}
