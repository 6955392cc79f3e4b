//! The line of stdout that is a worktree's path (chapter *worktrees*).

use super::stdout::trim;
use crate::postures::Stance;

/// The last line that is not empty, without escape codes.
pub(crate) fn last_line(out: &str, stance: &Stance) -> Option<String> {
    let plain = without_codes(out);
    let lines = plain.split('\n').rev().map(|line| line.strip_suffix('\r').unwrap_or(line));
    let mut lines = lines.map(|line| if stance.literal_path { line } else { trim(line, stance.space) });
    lines.find(|line| !line.is_empty()).map(str::to_owned)
}

/// A text without its ANSI escape codes.
fn without_codes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => match chars.next() {
                Some('[') => skip_csi(&mut chars),
                Some(']' | 'P' | 'X' | '^' | '_') => skip_string(&mut chars),
                Some(' '..='/') => {
                    while chars.next_if(|c| (' '..='/').contains(c)).is_some() {}
                    chars.next();
                }
                _ => {}
            },
            '\u{9b}' => skip_csi(&mut chars),
            _ => out.push(c),
        }
    }
    out
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// Parameters and intermediates, then one final character.
fn skip_csi(chars: &mut Chars<'_>) {
    while chars.next_if(|c| (' '..='?').contains(c)).is_some() {}
    chars.next_if(|c| ('@'..='~').contains(c));
}

/// Up to BEL or ST.
fn skip_string(chars: &mut Chars<'_>) {
    while let Some(c) = chars.next_if(|c| *c != '\n') {
        match c {
            '\u{7}' | '\u{9c}' => return,
            '\u{1b}' => {
                chars.next_if_eq(&'\\');
                return;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::last_line;
    use crate::postures::Stance;
    use hookproof_contract::{Reading, reading};

    fn line(out: &str, readings: &[Reading]) -> Option<String> {
        last_line(out, &Stance::of(&readings.iter().copied().collect()))
    }

    #[test]
    fn the_last_line_that_is_not_empty_counts() {
        assert_eq!(line("banner\n/w/a\n\n", &[]).as_deref(), Some("/w/a"));
        assert_eq!(line("/w/a\r\n", &[]).as_deref(), Some("/w/a"));
        assert_eq!(line("\n \n", &[]), None);
        assert_eq!(line("", &[]), None);
    }

    #[test]
    fn escape_codes_do_not_count() {
        assert_eq!(line("\u{1b}[1;32m/w/a\u{1b}[0m\n\u{1b}[0m\n", &[]).as_deref(), Some("/w/a"));
        assert_eq!(line("\u{1b}]0;title\u{7}/w/a\u{1b}(B", &[]).as_deref(), Some("/w/a"));
    }

    #[test]
    fn whether_the_line_is_trimmed_is_open() {
        assert_eq!(line("/w/a \n", &[]).as_deref(), Some("/w/a"));
        assert_eq!(line("/w/a \n", &[reading!("A-160", "literal")]).as_deref(), Some("/w/a "));
    }
}
