//! Which escape sequences a hook may have written to the terminal (chapter *terminal*).

use crate::oracle::Oracle;
use hookproof_contract::{Reading, RuleId, reading, rule};

/// What becomes of a `terminalSequence`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sequence {
    /// It is written, by this rule.
    Allowed(RuleId),
    /// The whole field is ignored, by this rule.
    Refused(RuleId),
    /// Where such a value is allowed, what it must look like is not said.
    Unknown,
}

/// One element of a value.
enum Element {
    Good(RuleId),
    Bad(RuleId),
    /// Allowed exactly if this reading is taken.
    Open(Reading),
    /// With this it cannot be told where the element ends: allowed only where open point A-120 allows it, and perhaps not then.
    Unclear,
    /// An allowed number with an empty text: nothing is said of such a one.
    Empty,
}

/// Judges a value as a whole: one bad element is enough.
pub(crate) fn judge(value: &str, oracle: &Oracle<'_>) -> Sequence {
    let elements = elements(value);
    let good = elements.iter().filter(|e| matches!(e, Element::Good(_))).count();
    if let Some(rule) = elements.iter().find_map(|e| if let Element::Bad(rule) = e { Some(*rule) } else { None }) {
        return Sequence::Refused(if good > 0 { rule!("TERM-03") } else { rule });
    }
    if elements.iter().any(|e| matches!(e, Element::Empty)) {
        return Sequence::Unknown;
    }
    if elements.iter().any(|e| matches!(e, Element::Unclear)) {
        return match oracle.is(reading!("A-120", "allowed")) {
            true => Sequence::Unknown,
            false => Sequence::Refused(rule!("TERM-20")),
        };
    }
    for element in &elements {
        if let Element::Open(allowed) = element
            && !oracle.is(*allowed)
        {
            return Sequence::Refused(rule!("TERM-20"));
        }
    }
    match elements.as_slice() {
        [Element::Good(rule)] => Sequence::Allowed(*rule),
        [] if !oracle.is(reading!("A-120", "allowed")) => Sequence::Refused(rule!("TERM-20")),
        _ => Sequence::Allowed(rule!("TERM-04")),
    }
}

fn elements(value: &str) -> Vec<Element> {
    let mut found = Vec::new();
    let mut rest = value;
    while let Some(first) = rest.chars().next() {
        let (element, length) = match first {
            '\u{7}' => (Element::Good(rule!("TERM-09")), 1),
            '\u{1b}' => escape(rest),
            '\u{80}'..='\u{9f}' => (Element::Unclear, rest.len()),
            other => (Element::Bad(rule!("TERM-13")), other.len_utf8()),
        };
        found.push(element);
        rest = &rest[length..];
    }
    found
}

/// An element that begins with ESC, and its length in bytes.
fn escape(text: &str) -> (Element, usize) {
    match text[1..].chars().next() {
        Some(']') => osc(text),
        // A control sequence ends with a byte from `@` to `~`.
        Some('[') => {
            let end = text[2..].find(|c| matches!(c, '@'..='~')).map_or(text.len(), |i| i + 3);
            (Element::Bad(rule!("TERM-11")), end)
        }
        // Whatever follows, the value is refused.
        _ => (Element::Bad(rule!("TERM-20")), 1),
    }
}

/// `ESC ] number ; payload`, ended by BEL or by `ESC \`.
fn osc(text: &str) -> (Element, usize) {
    let body = &text[2..];
    let bel = body.find('\u{7}').map(|i| (i, 1));
    let st = body.find("\u{1b}\\").map(|i| (i, 2));
    let end = [bel, st].into_iter().flatten().min();
    let doubtful = Element::Open(reading!("A-120", "allowed"));
    let (content, length) = match end {
        Some((i, n)) => (&body[..i], 2 + i + n),
        None => (body, text.len()),
    };
    let digits = content.bytes().take_while(u8::is_ascii_digit).count();
    let (number, payload) = content.split_at(digits);
    let significant = number.trim_start_matches('0');
    let plain = match (number, significant) {
        ("", _) => return (Element::Bad(rule!("TERM-20")), length),
        (_, "") => "0",
        (_, n) => n,
    };
    let by = match plain {
        "0" | "1" | "2" => rule!("TERM-05"),
        "9" => rule!("TERM-06"),
        "99" => rule!("TERM-07"),
        "777" => rule!("TERM-08"),
        "4" | "8" | "52" | "1337" | "10" | "11" | "12" | "17" | "19" | "104" => {
            return (Element::Bad(rule!("TERM-12")), length);
        }
        _ => return (Element::Bad(rule!("TERM-20")), length),
    };
    let unclean = payload.chars().any(char::is_control);
    if end.is_none() || plain != number || unclean || !payload.starts_with(';') {
        return (doubtful, length);
    }
    if payload == ";" {
        return (Element::Empty, length);
    }
    if plain == "9" && is_other_sub_command(&payload[1..]) {
        return (Element::Open(reading!("A-122", "allowed")), length);
    }
    (Element::Good(by), length)
}

/// A sub-command of OSC 9 other than `4`: a number alone, or before a semicolon.
fn is_other_sub_command(payload: &str) -> bool {
    let number = payload.split(';').next().unwrap_or_default();
    !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) && number != "4"
}

#[cfg(test)]
mod tests {
    use super::{Sequence, judge};
    use crate::oracle::Oracle;
    use hookproof_contract::{Readings, Revision};

    fn judged(value: &str) -> (String, usize) {
        let declared = Readings::default();
        let oracle = Oracle::new(Revision::NEWEST, &declared, Vec::new());
        let text = match judge(value, &oracle) {
            Sequence::Allowed(rule) => format!("allowed {rule}"),
            Sequence::Refused(rule) => format!("refused {rule}"),
            Sequence::Unknown => "unknown".to_owned(),
        };
        (text, oracle.into_answers().len())
    }

    #[test]
    fn only_the_allowlist_passes() {
        for (value, wanted, asked) in [
            ("\u{7}", "allowed TERM-09", 0),
            ("\u{1b}]0;title\u{7}", "allowed TERM-05", 0),
            ("\u{1b}]2;\u{7}", "unknown", 0),
            ("\u{9d}0;title\u{7}", "refused TERM-20", 1),
            ("\u{7}\u{9d}0;title\u{9c}", "refused TERM-20", 1),
            ("\u{1b}]2;title\u{1b}\\", "allowed TERM-05", 0),
            ("\u{1b}]9;4;1;50\u{7}", "allowed TERM-06", 0),
            ("\u{1b}]9;done\u{7}", "allowed TERM-06", 0),
            ("\u{1b}]99;i=1;x\u{1b}\\", "allowed TERM-07", 0),
            ("\u{1b}]777;notify;a;b\u{7}", "allowed TERM-08", 0),
            ("\u{1b}]0;a\u{7}\u{7}", "allowed TERM-04", 0),
            ("\u{1b}[31m", "refused TERM-11", 0),
            ("\u{1b}]8;;http://x\u{7}", "refused TERM-12", 0),
            ("\u{1b}]52;c;AA\u{7}", "refused TERM-12", 0),
            ("\u{1b}]1337;x\u{7}", "refused TERM-12", 0),
            ("\u{1b}]4;1;red\u{7}", "refused TERM-12", 0),
            ("\u{1b}]5;x\u{7}", "refused TERM-20", 0),
            ("\u{1b}c", "refused TERM-20", 0),
            ("text", "refused TERM-13", 0),
            ("\u{1b}]0;a\u{7}\u{1b}[2J", "refused TERM-03", 0),
            ("\u{7} \u{7}", "refused TERM-03", 0),
            ("", "refused TERM-20", 1),
            ("\u{1b}]0;open", "refused TERM-20", 1),
            ("\u{1b}]00;a\u{7}", "refused TERM-20", 1),
            ("\u{1b}]0;a\nb\u{7}", "refused TERM-20", 1),
            ("\u{9d}0;a\u{7}", "refused TERM-20", 1),
            ("\u{1b}]9;1;x\u{7}", "allowed TERM-04", 1),
        ] {
            assert_eq!(judged(value), (wanted.to_owned(), asked), "{value:?}");
        }
    }
}
