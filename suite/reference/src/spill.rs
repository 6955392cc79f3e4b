//! Texts on their way to somebody: whole, or as a file and a preview where they are too long (chapter *spill*).

use crate::{merge::Remark, postures::Stance, session::Session};
use hookproof_contract::{Said, Spill, Text};

/// The most characters that a text may have.
pub(crate) const LIMIT: usize = 10_000;
/// The most characters of a long text that are shown.
const PREVIEW: usize = 2_000;

/// Whether a text is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// The contract names it among those that are.
    Named,
    /// It is a reason or stderr: an open point.
    Open,
    /// It never is.
    Never,
}

/// Delivers a remark: the report of what its audience got.
pub(crate) fn deliver(stance: &Stance, session: &mut Session, remark: Remark) -> Said {
    let Remark { to, how, by, before, text, after, limit } = remark;
    let limited = limit == Limit::Named || (limit == Limit::Open && stance.limits_every_string);
    let (text, whole) = if limited { fit(stance, session, text) } else { (text, None) };
    let text = if before.is_empty() && after.is_empty() { text } else { before + &text + &after };
    Said {
        to,
        text: Text::Plain(text),
        how,
        by: Some(by),
        spill: whole.map(|whole| Spill::Content(Text::Plain(whole))),
    }
}

/// A text that is limited, as it arrives, and the whole of it where that lies in a file instead.
pub(crate) fn fit(stance: &Stance, session: &mut Session, text: String) -> (String, Option<String>) {
    if !is_longer(&text, LIMIT, stance) {
        return (text, None);
    }
    session.files += 1;
    let preview = beginning(&text, PREVIEW, stance);
    let path = format!("/home/user/.agent/sessions/1/hook-output-{}.txt", session.files);
    (format!("The whole text is in {path}. It begins: «{preview}»"), Some(text))
}

/// Whether a text has more characters than that.
fn is_longer(text: &str, limit: usize, stance: &Stance) -> bool {
    text.len() > limit && beginning(text, limit, stance).len() < text.len()
}

/// The first so many characters of a text.
pub(crate) fn beginning<'a>(text: &'a str, count: usize, stance: &Stance) -> &'a str {
    let mut left = count;
    for (at, c) in text.char_indices() {
        match left.checked_sub(length(c, stance)) {
            Some(rest) => left = rest,
            None => return &text[..at],
        }
    }
    text
}

/// How many characters a text has.
pub(crate) fn characters(text: &str, stance: &Stance) -> usize {
    text.chars().map(|c| length(c, stance)).sum()
}

fn length(c: char, stance: &Stance) -> usize {
    if stance.code_points { 1 } else { c.len_utf16() }
}

#[cfg(test)]
mod tests {
    use super::beginning;
    use crate::{postures::Stance, testing::stage_read};
    use hookproof_contract::{Audience, Outcome, Reading, Readings, Spill, reading};
    use serde_json::json;

    fn play(out: &str, times: usize, readings: &[Reading]) -> Outcome {
        let case = json!({"settings": [{"from": "user", "settings": {"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "a"}]}]}}}],
                          "results": {"a": {"out": {"fill": [out, times]}}},
                          "steps": [{"fire": {"event": "UserPromptSubmit", "input": {"prompt": "P-1"}}}]});
        stage_read(case, readings).remove(0)
    }

    fn is_spilled(outcome: &Outcome) -> bool {
        outcome.said.iter().any(|said| said.to == Audience::Model && said.spill.is_some())
    }

    #[test]
    fn ten_thousand_characters_pass_and_one_more_is_spilled() {
        assert!(!is_spilled(&play("x", 10_000, &[])));
        let long = play("x", 10_001, &[]);
        let said = long.said.iter().find(|said| said.to == Audience::Model).expect("it is told");
        assert_eq!(said.spill, Some(Spill::Content("x".repeat(10_001).into())));
        let text = said.text.lossy();
        assert!(text.contains(&"x".repeat(2_000)) && !text.contains(&"x".repeat(2_001)));
    }

    #[test]
    fn what_a_character_is_is_open() {
        assert!(is_spilled(&play("\u{1f600}", 5_001, &[])) && !is_spilled(&play("\u{1f600}", 5_000, &[])));
        assert!(!is_spilled(&play("\u{1f600}", 5_001, &[reading!("A-100", "code points")])));
        assert!(!is_spilled(&play("é", 10_000, &[])));
    }

    #[test]
    fn a_preview_breaks_no_character() {
        assert_eq!(beginning("a\u{1f600}b", 2, &Stance::of(&Readings::default())), "a");
    }

    #[test]
    fn whether_reasons_are_limited_is_open() {
        let case = json!({"settings": [{"from": "user", "settings": {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}]}}}],
                          "results": {"a": {"end": {"exit": 2}, "err": {"fill": ["e", 10_001]}}}, "steps": [{"fire": {"event": "Stop"}}]});
        assert!(!is_spilled(&stage_read(case.clone(), &[])[0]));
        assert!(is_spilled(&stage_read(case, &[reading!("A-102", "every string")])[0]));
    }
}
