//! Escapes of half a surrogate pair: ECMAScript's JSON has them, Unicode text and Rust's JSON do not.

use std::borrow::Cow;

/// Replaces the escape of half a surrogate pair in a JSON text by that of U+FFFD. Nothing else is touched, so a pointer stays what
/// it is. A text that has none is handed back as it is.
#[must_use]
pub fn mend(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let (mut out, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(escape) = memchr::memchr(b'\\', &bytes[at..]).map(|found| at + found) {
        at = escape
            + match unit(text, escape) {
                Some(0xD800..=0xDBFF) if matches!(unit(text, escape + 6), Some(0xDC00..=0xDFFF)) => 12,
                Some(0xD800..=0xDFFF) => {
                    out.push_str(&text[copied..escape]);
                    out.push_str("\\ufffd");
                    copied = escape + 6;
                    6
                }
                Some(_) => 6,
                None => 2,
            };
        at = at.min(bytes.len());
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// The number of the `\uXXXX` at a place, if one stands there.
fn unit(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok().filter(|_| digits.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::mend;
    use std::borrow::Cow;

    #[test]
    fn half_a_surrogate_pair_becomes_the_replacement_character() {
        for (text, mended) in [
            (r#""a\ud800b""#, r#""a\ufffdb""#),
            (r#""\udc00\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\ud83d\ud83d\ude00\u0041\udc00""#, r#""\ufffd\ud83d\ude00\u0041\ufffd""#),
            (r#""\ud800"#, r#""\ufffd"#),
        ] {
            assert_eq!(mend(text), mended, "{text}");
        }
    }

    #[test]
    fn whatever_else_there_is_stays() {
        for text in [r#""\\ud800""#, r#""\ud8"#, "\"\\ud\u{e9}\u{e9}\"", r"\", "\\\u{e9}", r#""\u+d80""#, ""] {
            assert!(matches!(mend(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }
}
