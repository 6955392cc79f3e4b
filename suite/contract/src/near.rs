//! What was meant by a word that is not known.

/// The word of several that another one is nearest to, if it is near enough to be meant by it. Case does not count.
pub fn nearest<'a>(wanted: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = wanted.to_ascii_uppercase();
    let away = |word: &str| strsim::levenshtein(&word.to_ascii_uppercase(), &wanted);
    let nearest = words.into_iter().map(|word| (away(word), word)).min()?;
    (nearest.0 * 3 <= nearest.1.len()).then_some(nearest.1)
}

/// The same as the end of an error, or how to see what there is.
#[must_use]
pub fn hint<'a>(wanted: &str, words: impl IntoIterator<Item = &'a str>, all: &str) -> String {
    match nearest(wanted, words) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("`{all}` shows all"),
    }
}

#[cfg(test)]
mod tests {
    use super::{hint, nearest};

    #[test]
    fn only_what_is_near_is_meant() {
        let words = ["PreToolUse", "PostToolUse", "Stop"];
        assert_eq!(nearest("pretooluse", words), Some("PreToolUse"));
        assert_eq!(nearest("Stpo", words), None);
        assert_eq!(nearest("Stopp", words), Some("Stop"));
        assert_eq!(nearest("", []), None);
        assert_eq!(hint("Sto", words, "list"), "did you mean `Stop`?");
        assert_eq!(hint("guard", words, "list"), "`list` shows all");
    }
}
