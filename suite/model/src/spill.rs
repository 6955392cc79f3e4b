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
