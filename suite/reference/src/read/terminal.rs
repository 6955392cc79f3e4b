//! Which terminal sequences are allowed (chapter *terminal*).

use crate::postures::Stance;

const BEL: char = '\u{7}';
const ESC: char = '\u{1b}';

/// Whether a value is nothing but allowed sequences: BEL, and OSC 0, 1, 2, 9, 99 or 777.
pub(crate) fn is_allowed(value: &str, stance: &Stance) -> bool {
    let mut rest = value;
    if rest.is_empty() {
        return stance.lenient_terminal;
    }
    while !rest.is_empty() {
        rest = match rest.strip_prefix(BEL).or_else(|| after_osc(rest, stance)) {
            Some(after) => after,
            None => return false,
        };
    }
    true
}

/// What follows an allowed OSC sequence at the beginning of a text.
fn after_osc<'a>(text: &'a str, stance: &Stance) -> Option<&'a str> {
    let lenient = stance.lenient_terminal;
    let body = text.strip_prefix("\u{1b}]").or_else(|| text.strip_prefix('\u{9d}').filter(|_| lenient))?;
    let (body, after) = split_end(body, lenient)?;
    let digits = body.len() - body.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, payload) = body.split_at(digits);
    let number = if lenient { shortened(number) } else { number };
    let payload = match payload.strip_prefix(';') {
        Some(payload) => payload,
        None if lenient && payload.is_empty() => "",
        None => return None,
    };
    let allowed = match number {
        "0" | "1" | "2" | "99" | "777" => true,
        "9" => !stance.plain_osc9 || !is_subcommand(payload),
        _ => false,
    };
    (allowed && (lenient || !payload.contains(char::is_control))).then_some(after)
}

/// The body of a sequence, and what follows its end: BEL or ST.
fn split_end(text: &str, lenient: bool) -> Option<(&str, &str)> {
    for (at, c) in text.char_indices() {
        let long = match c {
            BEL => 1,
            ESC if text[at + 1..].starts_with('\\') => 2,
            '\u{9c}' if lenient => c.len_utf8(),
            _ => continue,
        };
        return Some((&text[..at], &text[at + long..]));
    }
    lenient.then_some((text, ""))
}

/// A number without its leading zeros.
fn shortened(number: &str) -> &str {
    let short = number.trim_start_matches('0');
    if short.is_empty() && !number.is_empty() { "0" } else { short }
}

/// Whether the payload of OSC 9 is a sub-command other than 4, the progress.
fn is_subcommand(payload: &str) -> bool {
    let number = payload.split(';').next().unwrap_or_default();
    matches!(number.parse::<u8>(), Ok(1..=3 | 5..=12)) && number.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::is_allowed;
    use crate::postures::Stance;
    use hookproof_contract::{Reading, reading};

    fn allowed(value: &str, readings: &[Reading]) -> bool {
        is_allowed(value, &Stance::of(&readings.iter().copied().collect()))
    }

    #[test]
    fn the_listed_sequences_are_allowed_alone_and_together() {
        for value in [
            "\u{7}",
            "\u{7}\u{7}",
            "\u{1b}]0;TITLE-1\u{7}",
            "\u{1b}]1;T\u{1b}\\",
            "\u{1b}]2;\u{7}",
            "\u{1b}]9;NOTE-1\u{7}",
            "\u{1b}]9;4;1;50\u{7}",
            "\u{1b}]99;i=1;x\u{1b}\\",
            "\u{1b}]777;notify;a;é\u{7}\u{7}\u{1b}]0;T\u{7}",
        ] {
            assert!(allowed(value, &[]), "{value:?}");
        }
    }

    #[test]
    fn anything_else_spoils_the_whole_value() {
        for value in [
            "x",
            "\u{7}x",
            "\u{1b}[31m",
            "\u{1b}]8;;http://x\u{7}",
            "\u{1b}]52;c;x\u{7}",
            "\u{1b}]1337;x\u{7}",
            "\u{1b}]4;1;red\u{7}",
            "\u{1b}]0;T\u{7}\u{1b}[1m",
            "\u{1b}]0;T\u{7}\n\u{7}",
            "\u{1b}]3;T\u{7}",
            "\u{1b}];T\u{7}",
            "\u{1b}]",
            "\u{1b}",
        ] {
            assert!(!allowed(value, &[]), "{value:?}");
        }
    }

    #[test]
    fn doubtful_sequences_are_an_open_point() {
        for value in [
            "",
            "\u{9d}0;T\u{7}",
            "\u{1b}]0;T\u{9c}",
            "\u{1b}]0;T",
            "\u{1b}]009;T\u{7}",
            "\u{1b}]9\u{7}",
            "\u{1b}]0;a\nb\u{7}",
        ] {
            assert!(!allowed(value, &[]), "{value:?}");
            assert!(allowed(value, &[reading!("A-120", "allowed")]), "{value:?}");
        }
        assert!(!allowed("\u{1b}]52;c;x\u{7}", &[reading!("A-120", "allowed")]));
    }

    #[test]
    fn the_other_subcommands_of_osc_9_are_an_open_point() {
        let refused = [reading!("A-122", "refused")];
        for value in ["\u{1b}]9;1;500\u{7}", "\u{1b}]9;12\u{7}"] {
            assert!(allowed(value, &[]) && !allowed(value, &refused), "{value:?}");
        }
        for value in ["\u{1b}]9;4;1;50\u{7}", "\u{1b}]9;NOTE-1\u{7}", "\u{1b}]9;2024\u{7}"] {
            assert!(allowed(value, &refused), "{value:?}");
        }
    }
}
