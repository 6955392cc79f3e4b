//! The limit on what hooks may put into a conversation (chapter *spill*).

use crate::{oracle::Oracle, read::schema::Output};
use hookproof_contract::{Lies, Manner, Reading, RuleId, Say, Text, bare, reading, rule};

/// How many characters a string may have.
const LIMIT: usize = 10_000;
/// How many of them are shown of one that has more.
const PREVIEW: usize = 2_000;

/// How a text arrives, and by which rule, if its length matters.
pub(crate) struct Arrival {
    pub(crate) say: Say,
    /// The rule of the limit, where the limit decides how it arrives.
    pub(crate) rule: Option<RuleId>,
}

/// The rule by which a text over the limit lies in a file.
pub(crate) const SPILLED: RuleId = rule!("SPILL-05");

/// A string that the contract names as limited: additionalContext, systemMessage, plain stdout.
pub(crate) fn limited(text: &str, how: Option<Manner>, oracle: &Oracle<'_>) -> Arrival {
    // Whether it is measured before or after white space at its ends is trimmed is open.
    let long = is_long(text, oracle).filter(|long| is_long(bare(text), oracle) == Some(*long));
    match long {
        Some(true) => arrival(text, how, Lies::InFile(PREVIEW), Some(SPILLED)),
        Some(false) if text.len() == LIMIT && text == bare(text) => {
            arrival(text, how, Lies::InText, Some(rule!("SPILL-09")))
        }
        Some(false) => arrival(text, how, Lies::InText, None),
        None => arrival(text, how, Lies::InTextOrFile, None),
    }
}

/// Whether a text is within the limit, whatever a character is.
pub(crate) fn is_short(text: &str) -> bool {
    text.len() <= LIMIT
}

/// Whether a text is the same however it is trimmed and measured.
pub(crate) fn is_clear(text: &str) -> bool {
    !text.is_empty() && bare(text) == text && is_short(text)
}

/// Any other string, if it is long: whether it is limited is an open point.
pub(crate) fn unnamed(text: &str, how: Option<Manner>, oracle: &Oracle<'_>) -> Option<Arrival> {
    if is_short(text) {
        return None;
    }
    if oracle.is(reading!("A-102", "named only")) {
        return Some(arrival(text, how, Lies::InText, None));
    }
    Some(limited(text, how, oracle))
}

/// The rule by which texts within the limit are not added up, where they would be over it together: those of several hooks,
/// or those of one output.
pub(crate) fn measured_apart<'o>(all: impl Iterator<Item = &'o Output>, own: Option<&Output>) -> Option<RuleId> {
    let context = |o: &Output| o.text("additionalContext").map_or(0, str::len);
    let lengths: Vec<usize> = all.map(context).filter(|length| *length > 0).collect();
    if lengths.len() > 1 && lengths.iter().sum::<usize>() > LIMIT {
        return Some(rule!("SPILL-02"));
    }
    let message = |o: &Output| o.system_message.as_ref().map_or(0, String::len);
    own.filter(|o| context(o) + message(o) > LIMIT).map(|_| rule!("SPILL-03"))
}

/// Whether a text is over the limit; `None` where that depends on what a character is and the reading is free.
fn is_long(text: &str, oracle: &Oracle<'_>) -> Option<bool> {
    let bytes = text.len();
    if bytes <= LIMIT {
        return Some(false);
    }
    if text.is_ascii() {
        return Some(true);
    }
    let unit: Reading = oracle.read(reading!("A-100", "free").point);
    match unit.name() {
        "utf-16 units" => Some(text.encode_utf16().count() > LIMIT),
        "code points" => Some(text.chars().count() > LIMIT),
        _ => None,
    }
}

fn arrival(text: &str, how: Option<Manner>, lies: Lies, rule: Option<RuleId>) -> Arrival {
    // White space at the ends may be trimmed, so it is no part of what must arrive.
    Arrival { say: Say { parts: vec![Text::from(bare(text))], how, lies }, rule }
}

#[cfg(test)]
mod tests {
    use super::{is_clear, is_long, measured_apart};
    use crate::{oracle::Oracle, read::schema::Output};
    use hookproof_contract::{Reading, Readings, Revision, reading};
    use serde_json::json;

    #[test]
    fn ten_thousand_characters_are_within_the_limit_whatever_a_character_is() {
        let long = |text: &str, reading: Reading| {
            let declared: Readings = [reading].into_iter().collect();
            is_long(text, &Oracle::new(Revision::NEWEST, &declared, Vec::new()))
        };
        let (units, points) = (reading!("A-100", "utf-16 units"), reading!("A-100", "code points"));
        for (character, times, by_units, by_points) in [
            ("\u{e9}", 10_000, false, false),
            ("\u{e9}", 10_001, true, true),
            ("\u{1f600}", 5_000, false, false),
            ("\u{1f600}", 5_001, true, false),
            ("\u{1f600}", 10_000, true, false),
            ("\u{1f600}", 10_001, true, true),
        ] {
            let text = character.repeat(times);
            assert_eq!(long(&text, units), Some(by_units), "{times} {character}, units");
            assert_eq!(long(&text, points), Some(by_points), "{times} {character}, code points");
            assert_eq!(long(&text, reading!("A-100", "free")), None);
        }
    }

    #[test]
    fn texts_count_as_measured_apart_where_together_they_would_be_over_the_limit() {
        let output = |context: usize, message: usize| {
            let context = json!({"additionalContext": "a".repeat(context)});
            let specific = context.as_object().expect("an object").clone();
            Output { specific, system_message: Some("b".repeat(message)), ..Output::default() }
        };
        let rule = |all: &[Output], own: Option<&Output>| measured_apart(all.iter(), own).map(|rule| rule.as_str());
        assert_eq!(rule(&[output(5_000, 0), output(5_000, 0)], None), None);
        assert_eq!(rule(&[output(5_000, 0), output(5_001, 0)], None), Some("SPILL-02"));
        assert_eq!(rule(&[output(10_000, 0), output(0, 9_000)], None), None, "the other gave no context");
        assert_eq!(rule(&[output(10_001, 0), output(0, 0)], None), None, "one is too long by itself");
        assert_eq!(rule(&[], Some(&output(5_000, 5_000))), None);
        assert_eq!(rule(&[], Some(&output(5_000, 5_001))), Some("SPILL-03"));
        assert_eq!(rule(&[], Some(&output(10_000, 0))), None);
        assert_eq!(rule(&[], Some(&output(200, 200))), None);
    }

    #[test]
    fn a_text_is_clear_that_is_the_same_however_it_is_trimmed_and_measured() {
        assert!(is_clear("TITLE-1"));
        for text in [String::new(), " TITLE-1".to_owned(), "TITLE-1\u{feff}".to_owned(), "a".repeat(10_001)] {
            assert!(!is_clear(&text), "{} characters", text.len());
        }
    }
}
