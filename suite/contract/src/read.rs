//! Reading JSON so that an error says where it is (a JSON pointer) and what is allowed there, and so that nothing is lost:
//! a key that stands twice is an error, not a silent choice.

use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeSeed},
};
use serde_json::{Map, Value, map::Entry};
use serde_path_to_error::{Path, Segment};
use std::{cell::Cell, fmt};

/// What is wrong with a JSON text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// A JSON pointer to the value that is wrong; empty: the text as a whole.
    pub pointer: String,
    /// What is wrong, and what is allowed.
    pub message: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => f.write_str(&self.message),
            pointer => write!(f, "at {pointer}: {}", self.message),
        }
    }
}

impl std::error::Error for Flaw {}

impl Flaw {
    /// A flaw at a pointer.
    #[must_use]
    pub fn at(pointer: impl Into<String>, message: impl fmt::Display) -> Flaw {
        Flaw { pointer: pointer.into(), message: message.to_string() }
    }

    /// The same flaw, found inside the value at `prefix`.
    #[must_use]
    pub fn under(self, prefix: &str) -> Flaw {
        Flaw { pointer: format!("{prefix}{}", self.pointer), ..self }
    }
}

/// Reads a JSON text into a value. A key that stands twice in one object is an error.
///
/// # Errors
///
/// Says where the text stops being JSON (line and column), or which key stands twice.
pub fn value(text: &str) -> Result<Value, Flaw> {
    // To know the way to a flaw costs more than the reading, and nearly every text has none.
    let mut json = serde_json::Deserializer::from_str(text);
    if let Ok(value) = Twins::Refuse.deserialize(&mut json).and_then(|value| json.end().map(|()| value)) {
        return Ok(value);
    }
    let mut json = serde_json::Deserializer::from_str(text);
    let mut track = serde_path_to_error::Track::new();
    let tracked = serde_path_to_error::Deserializer::new(&mut json, &mut track);
    let value = Twins::Refuse.deserialize(tracked);
    let value = value.map_err(|e| Flaw { pointer: pointer(&track.path()), message: e.to_string() })?;
    json.end().map_err(|e| Flaw::at("", e))?;
    Ok(value)
}

/// Reads a value into a type.
///
/// # Errors
///
/// Names the first pointer that is wrong, with what is allowed there.
pub fn typed<'de, T: Deserialize<'de>>(value: &'de Value) -> Result<T, Flaw> {
    // As above: first without the way.
    if let Ok(read) = T::deserialize(value) {
        return Ok(read);
    }
    serde_path_to_error::deserialize(value).map_err(flaw)
}

/// Reads a JSON text into a type: [`value`], then [`typed`].
///
/// # Errors
///
/// As the two.
pub fn text<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, Flaw> {
    typed(&value(text)?)
}

fn flaw(error: serde_path_to_error::Error<serde_json::Error>) -> Flaw {
    Flaw { pointer: pointer(error.path()), message: error.inner().to_string() }
}

/// A path as a JSON pointer (RFC 6901). An enum's variant is the key that it is written as.
fn pointer(path: &Path) -> String {
    let mut out = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => out.push_str(&format!("/{index}")),
            Segment::Map { key } => out.push_str(&format!("/{}", escape(key))),
            Segment::Enum { variant } => out.push_str(&format!("/{}", escape(variant))),
            Segment::Unknown => out.push_str("/?"),
        }
    }
    out
}

/// A key as it is written in a JSON pointer.
#[must_use]
pub fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Puts a value at a JSON pointer; the key, or the next element of an array, may be new.
///
/// # Errors
///
/// Says which part of the pointer leads nowhere.
pub fn put(root: &mut Value, pointer: &str, new: Value) -> Result<(), Flaw> {
    let Some((parent, last)) = pointer.rsplit_once('/').filter(|_| pointer.starts_with('/')) else {
        return Err(Flaw::at("", format_args!("`{pointer}` is no JSON pointer: it must begin with `/`")));
    };
    let nowhere = |what: &str| Flaw::at(pointer, format_args!("the pointer leads nowhere: {what}"));
    let key = last.replace("~1", "/").replace("~0", "~");
    match root.pointer_mut(parent) {
        Some(Value::Object(map)) => {
            map.insert(key, new);
            Ok(())
        }
        Some(Value::Array(items)) => match key.parse::<usize>() {
            Ok(i) if i < items.len() => {
                items[i] = new;
                Ok(())
            }
            Ok(i) if i == items.len() => {
                items.push(new);
                Ok(())
            }
            _ => Err(nowhere(&format!("`{parent}` has {} elements", items.len()))),
        },
        Some(_) => Err(nowhere(&format!("`{parent}` is neither an object nor an array"))),
        None => Err(nowhere(&format!("there is no `{parent}`"))),
    }
}

/// What to do with a key that stands twice in one object.
#[derive(Clone, Copy, Debug)]
pub enum Twins<'n> {
    /// It is an error.
    Refuse,
    /// The last value counts; that there were two is noted.
    KeepLast(&'n Cell<bool>),
    /// The first value counts; that there were two is noted.
    KeepFirst(&'n Cell<bool>),
}

/// Reads a [`Value`] with an eye on keys that stand twice, which [`Value`] itself passes over.
impl<'de> DeserializeSeed<'de> for Twins<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<Value, D::Error> {
        d.deserialize_any(self)
    }
}

impl<'de> de::Visitor<'de> for Twins<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, v: bool) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_i64<E>(self, v: i64) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_u64<E>(self, v: u64) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_f64<E>(self, v: f64) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_str<E>(self, v: &str) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value_seed(self)?;
            match (object.entry(key), self) {
                (Entry::Vacant(entry), _) => {
                    entry.insert(value);
                }
                (Entry::Occupied(entry), Twins::Refuse) => {
                    let twice = format_args!("the key `{}` stands twice; each key may stand once", entry.key());
                    return Err(de::Error::custom(twice));
                }
                (Entry::Occupied(mut entry), Twins::KeepLast(noted)) => {
                    noted.set(true);
                    entry.insert(value);
                }
                (Entry::Occupied(_), Twins::KeepFirst(noted)) => noted.set(true),
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::{Flaw, put, text, value};
    use crate::Case;
    use serde_json::json;

    #[test]
    fn a_flaw_names_the_pointer_and_what_is_allowed() {
        for (json, shown) in [
            (
                r#"{"settings":[],"steps":[{"fire":{"event":"PreTool"}}]}"#,
                "at /steps/0/fire/event: unknown variant `PreTool`, expected one of `SessionStart`",
            ),
            (
                r#"{"settings":[],"steps":[{"fire":{"event":"Stop","time":2}}]}"#,
                "unknown field `time`, expected one of `event`, `input`, `otherwise`, `results`, `times`",
            ),
            (
                r#"{"settings":[],"results":{"a/b":{"end":{"exit":"0"}}},"steps":[]}"#,
                "at /results/a~1b/end/exit: invalid type: string \"0\", expected i32",
            ),
            (r#"{"settings":{},"steps":[]}"#, "at /settings: invalid type: map, expected a sequence"),
            (r#"{"steps":[]}"#, "missing field `settings`"),
            (r#"{"settings":[],"settings":[],"steps":[]}"#, "the key `settings` stands twice"),
            (r#"{"settings":[],"results":{"a":{},"a":{}},"steps":[]}"#, "the key `a` stands twice"),
            ("{\"settings\":[],\n\"steps\":[],}", "trailing comma at line 2 column 12"),
            (r#"{"settings":[],"steps":[]} x"#, "trailing characters"),
            ("", "EOF while parsing a value"),
        ] {
            let flaw = text::<Case>(json).expect_err(json).to_string();
            assert!(flaw.contains(shown), "{json}\n  gave: {flaw}");
        }
    }

    #[test]
    fn put_replaces_adds_and_refuses() {
        let mut root = json!({"a": {"b/c": 1}, "l": [1, 2]});
        put(&mut root, "/a/b~1c", json!(2)).expect("replaces");
        put(&mut root, "/a/new", json!(3)).expect("adds a key");
        put(&mut root, "/l/2", json!(3)).expect("adds an element");
        assert_eq!(root, json!({"a": {"b/c": 2, "new": 3}, "l": [1, 2, 3]}));
        for pointer in ["/x/y", "/l/9", "/l/x", "/a/new/z", "a"] {
            assert!(matches!(put(&mut root, pointer, json!(0)), Err(Flaw { .. })), "{pointer}");
        }
    }

    #[test]
    fn values_are_read_as_they_stand() {
        let json = r#"{"a":[1,-2,2.5,true,null,"x"],"b":{}}"#;
        assert_eq!(value(json).expect("JSON").to_string(), json);
    }
}
