//! What a line says of itself at its beginning, whatever is wrong with the rest: it may be nested too deeply, or hold a number or
//! a character that JSON does not have. Such a line is a message all the same, and whose reply it is can be told.

use hookproof_contract::surrogates;
use serde::{
    Deserializer,
    de::{self, IgnoredAny},
};
use serde_json::Value;
use std::fmt;

/// The beginning of a message.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// Its `id`, if it is a string.
    pub(super) id: Option<String>,
    /// Whether it has a `type`.
    is_typed: bool,
}

/// The head of a line that is an object, or that says its type and its id before it stops being one. A line that breaks off is
/// none: what matters then is why no more came.
pub(super) fn head(text: &str) -> Option<Head> {
    let text = surrogates::mend(text);
    let mut head = Head::default();
    let mut json = serde_json::Deserializer::from_str(&text);
    match json.deserialize_map(Keys(&mut head)).and_then(|()| json.end()) {
        Ok(()) => Some(head),
        Err(error) => (!error.is_eof() && head.is_typed && head.id.is_some()).then_some(head),
    }
}

/// Takes the two keys that matter. What belongs to others is passed over, which costs no stack.
struct Keys<'h>(&'h mut Head);

impl<'de> de::Visitor<'de> for Keys<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "id" => self.0.id = map.next_value::<Value>()?.as_str().map(str::to_owned),
                "type" => self.0.is_typed |= map.next_value::<Value>()?.is_string(),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::head;

    #[test]
    fn the_id_is_found_whatever_follows_it() {
        let deep = format!(r#"{{"type":"outcome","x":{}{},"id":"7"}}"#, "[".repeat(10_000), "]".repeat(10_000));
        for (text, id) in [
            (r#"{"id":"7"}"#, Some(Some("7"))),
            (r#"{"id":7}"#, Some(None)),
            (r#"{"id":[{}],"type":"outcome"}"#, Some(None)),
            (r#"{"type":"outcome","id":"7","x":"#, None),
            (deep.as_str(), Some(Some("7"))),
            (r#"{"x":1e999,"id":"7"}"#, Some(Some("7"))),
            (r#"{"type":"outcome","id":"7","x":NaN}"#, Some(Some("7"))),
            (r#"{"type":"outcome","id":"7","x":"\ud800"}"#, Some(Some("7"))),
            (r#"{"id":"7" and so on"#, None),
            ("{", None),
            ("[1]", None),
            ("loading", None),
        ] {
            assert_eq!(head(text).map(|head| head.id), id.map(|id| id.map(str::to_owned)), "{text}");
        }
    }
}
