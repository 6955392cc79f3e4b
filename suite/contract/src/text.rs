//! Bytes that a person can read.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{borrow::Cow, fmt};

/// The longest text that a case may spell out, in bytes: a case file must not be able to eat the memory.
const LONGEST: usize = 16 << 20;

/// A text of a case or an outcome: `"plain"`, `{"base64": …}` where the bytes are not UTF-8, `{"fill": ["a", 12000]}`, or
/// `{"join": […]}`. On the wire it is always the plain string, or base64.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Text {
    /// A string.
    Plain(String),
    /// Bytes that are not UTF-8.
    Bytes(Vec<u8>),
    /// A string, so many times.
    Fill(String, usize),
    /// Several texts, one after the other.
    Join(Vec<Text>),
}

/// A text without anything at its ends that some platform takes for white space: the ECMAScript, the Unicode and the ASCII sets, with
/// Python's separators. What is left arrives however a runtime trims.
#[must_use]
pub fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{1c}'..='\u{1f}'))
}

impl Text {
    /// The bytes that it stands for.
    #[must_use]
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Text::Plain(s) => Cow::Borrowed(s.as_bytes()),
            Text::Bytes(b) => Cow::Borrowed(b),
            Text::Fill(s, n) => Cow::Owned(s.as_bytes().repeat(*n)),
            Text::Join(parts) => {
                let mut all = Vec::with_capacity(self.len());
                parts.iter().for_each(|p| all.extend_from_slice(&p.bytes()));
                Cow::Owned(all)
            }
        }
    }

    /// The string that it stands for; bytes that are not UTF-8 become U+FFFD.
    #[must_use]
    pub fn lossy(&self) -> Cow<'_, str> {
        match self.bytes() {
            Cow::Borrowed(b) => String::from_utf8_lossy(b),
            Cow::Owned(b) => {
                Cow::Owned(String::from_utf8(b).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
            }
        }
    }

    /// How many bytes it stands for.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Text::Plain(s) => s.len(),
            Text::Bytes(b) => b.len(),
            Text::Fill(s, n) => s.len().saturating_mul(*n),
            Text::Join(parts) => parts.iter().fold(0, |sum, p| sum.saturating_add(p.len())),
        }
    }

    /// Whether it stands for nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it is a string.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self, Text::Plain(_))
    }

    /// The same text in the form that goes over the wire.
    #[must_use]
    pub fn to_wire(&self) -> Text {
        match self {
            Text::Plain(s) => Text::Plain(s.clone()),
            other => Text::from_bytes(other.bytes().into_owned()),
        }
    }

    /// A plain text if the bytes are UTF-8, and bytes otherwise.
    #[must_use]
    pub fn from_bytes(bytes: Vec<u8>) -> Text {
        String::from_utf8(bytes).map_or_else(|e| Text::Bytes(e.into_bytes()), Text::Plain)
    }
}

impl Default for Text {
    fn default() -> Self {
        Text::Plain(String::new())
    }
}

impl From<&str> for Text {
    fn from(s: &str) -> Self {
        Text::Plain(s.to_owned())
    }
}

impl From<String> for Text {
    fn from(s: String) -> Self {
        Text::Plain(s)
    }
}

/// The object forms, as they are written.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Object {
    Base64(String),
    Fill(String, usize),
    Join(Vec<Text>),
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Text::Plain(text) => s.serialize_str(text),
            Text::Bytes(bytes) => Object::Base64(STANDARD.encode(bytes)).serialize(s),
            Text::Fill(text, n) => Object::Fill(text.clone(), *n).serialize(s),
            Text::Join(parts) => Object::Join(parts.clone()).serialize(s),
        }
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, or an object with one of the keys `base64`, `fill`, `join`")
            }

            fn visit_str<E>(self, s: &str) -> Result<Text, E> {
                Ok(Text::Plain(s.to_owned()))
            }

            fn visit_string<E>(self, s: String) -> Result<Text, E> {
                Ok(Text::Plain(s))
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Text, A::Error> {
                let text = match Object::deserialize(de::value::MapAccessDeserializer::new(map))? {
                    Object::Base64(code) => Text::Bytes(
                        STANDARD.decode(&code).map_err(|e| de::Error::custom(format_args!("not base64: {e}")))?,
                    ),
                    Object::Fill(text, n) => Text::Fill(text, n),
                    Object::Join(parts) => Text::Join(parts),
                };
                if text.len() > LONGEST {
                    return Err(de::Error::custom(format_args!(
                        "a text of {} bytes; at most {LONGEST} are allowed",
                        text.len()
                    )));
                }
                Ok(text)
            }
        }
        d.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    fn read(json: &str) -> Result<Text, String> {
        serde_json::from_str(json).map_err(|e| e.to_string())
    }

    #[test]
    fn every_form_stands_for_its_bytes_and_goes_over_the_wire_plain() {
        for (json, bytes, wire) in [
            (r#""plain""#, &b"plain"[..], r#""plain""#),
            (r#"{"fill":["ab",3]}"#, b"ababab", r#""ababab""#),
            (r#"{"join":["a",{"fill":["b",2]},"c"]}"#, b"abbc", r#""abbc""#),
            (r#"{"base64":"/w=="}"#, b"\xff", r#"{"base64":"/w=="}"#),
            (r#"{"base64":"YQ=="}"#, b"a", r#""a""#),
        ] {
            let text = read(json).expect(json);
            assert_eq!(*text.bytes(), *bytes, "{json}");
            assert_eq!(text.len(), bytes.len(), "{json}");
            assert!(!text.is_empty() && text.is_plain() != json.starts_with('{'), "{json}");
            assert_eq!(serde_json::to_string(&text.to_wire()).expect("serialises"), wire);
        }
    }

    #[test]
    fn strings_are_texts_and_nothing_is_one_too() {
        assert_eq!(Text::from("a"), Text::Plain("a".to_owned()));
        assert_eq!(Text::from("a".to_owned()), Text::Plain("a".to_owned()));
        assert!(Text::default().is_empty() && Text::Join(vec![Text::Fill("a".to_owned(), 0)]).is_empty());
    }

    #[test]
    fn a_text_that_would_eat_the_memory_is_refused() {
        let error = read(r#"{"fill":["a",18446744073709551615]}"#).expect_err("too long");
        assert!(error.contains("at most 16777216 are allowed"), "{error}");
        assert!(read(r#"{"fill":["a",16777217]}"#).is_err() && read(r#"{"fill":["a",16777216]}"#).is_ok());
        let error = read(r#"{"join":[{"fill":["ab",9223372036854775807]},{"fill":["ab",9223372036854775807]}]}"#)
            .expect_err("too long");
        assert!(error.contains("at most"), "{error}");
    }

    #[test]
    fn a_wrong_form_is_told_the_right_ones() {
        assert!(read("5").expect_err("a number").contains("`base64`, `fill`, `join`"));
        assert!(read(r#"{"fil":["a",2]}"#).expect_err("misspelt").contains("expected one of `base64`, `fill`, `join`"));
    }
}
