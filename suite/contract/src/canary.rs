//! Canaries: tokens by which a text can be known wherever it surfaces.
//!
//! A token is made of upper case letters, digits and hyphens, with at least two characters before its first hyphen and at
//! least one after its last, and stands alone: `GUARD-ERR`, `NOTE-2`.

use std::ops::Range;

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

#[cfg(test)]
mod tests {
    use super::canaries;

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
