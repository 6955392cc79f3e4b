//! A JSON reader as strict as ECMAScript's and as lenient: it is exact about the grammar, and leaves to the stance what the
//! contract leaves open (keys that stand twice, halves of surrogate pairs, numbers beyond a double).

use crate::postures::{Stance, Twice};
use serde_json::{Map, Number, Value};

/// How deep values may lie in each other; beyond, nothing is claimed by anybody, and the stack is not at risk.
const DEEPEST: usize = 400;

/// Reads a text that is one JSON value. The error says what is wrong and where, and repeats nothing of the text.
pub(crate) fn parse(text: &str, stance: &Stance) -> Result<Value, String> {
    let mut reader = Reader { text, bytes: text.as_bytes(), at: 0, depth: 0, stance };
    reader.skip_space();
    let value = reader.value()?;
    reader.skip_space();
    if reader.at < reader.bytes.len() { reader.fail("text after the end of the JSON value") } else { Ok(value) }
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    stance: &'a Stance,
}

impl Reader<'_> {
    fn fail<T>(&self, what: &str) -> Result<T, String> {
        Err(format!("not valid JSON: {what} (at byte {})", self.at))
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Takes a byte if it comes next.
    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self) -> Result<Value, String> {
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Null),
            Some(_) => self.fail("a value is expected here"),
            None => self.fail("it ends too soon"),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Value, String>) -> Result<Value, String> {
        if self.depth == DEEPEST {
            return self.fail("it is nested too deep");
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, String> {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return self.fail("a value is expected here");
        }
        self.at += word.len();
        Ok(value)
    }

    fn array(&mut self) -> Result<Value, String> {
        let mut items = Vec::new();
        self.skip_space();
        if self.take(b']') {
            return Ok(Value::Array(items));
        }
        loop {
            self.skip_space();
            items.push(self.value()?);
            self.skip_space();
            if self.take(b']') {
                return Ok(Value::Array(items));
            }
            if !self.take(b',') {
                return self.fail("a comma or the end of the array is expected here");
            }
        }
    }

    fn object(&mut self) -> Result<Value, String> {
        let mut object = Map::new();
        self.skip_space();
        if self.take(b'}') {
            return Ok(Value::Object(object));
        }
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return self.fail("a key is expected here");
            }
            let key = self.string()?;
            self.skip_space();
            if !self.take(b':') {
                return self.fail("a colon is expected here");
            }
            self.skip_space();
            let value = self.value()?;
            self.insert(&mut object, key, value)?;
            self.skip_space();
            if self.take(b'}') {
                return Ok(Value::Object(object));
            }
            if !self.take(b',') {
                return self.fail("a comma or the end of the object is expected here");
            }
        }
    }

    fn insert(&self, object: &mut Map<String, Value>, key: String, value: Value) -> Result<(), String> {
        match self.stance.twice {
            Twice::First if object.contains_key(&key) => {}
            Twice::Invalid if object.contains_key(&key) => return self.fail("a key stands twice"),
            _ => {
                object.insert(key, value);
            }
        }
        Ok(())
    }

    fn string(&mut self) -> Result<String, String> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let from = self.at;
            while !matches!(self.peek(), None | Some(b'"' | b'\\' | 0..=0x1f)) {
                self.at += 1;
            }
            out.push_str(&self.text[from..self.at]);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => self.escape(&mut out)?,
                Some(_) => return self.fail("a control character stands in a string"),
                None => return self.fail("a string does not end"),
            }
        }
    }

    fn escape(&mut self, out: &mut String) -> Result<(), String> {
        let Some(letter) = self.bytes.get(self.at + 1) else { return self.fail("a string does not end") };
        let plain = match letter {
            b'"' | b'\\' | b'/' => char::from(*letter),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(out),
            _ => return self.fail("there is no such escape"),
        };
        out.push(plain);
        self.at += 2;
        Ok(())
    }

    /// `\uXXXX`, alone or as a pair.
    fn unicode(&mut self, out: &mut String) -> Result<(), String> {
        let Some(first) = self.unit(self.at) else { return self.fail("four hexadecimal digits are expected here") };
        self.at += 6;
        let whole = match (first, self.unit(self.at)) {
            (0xD800..=0xDBFF, Some(second @ 0xDC00..=0xDFFF)) => {
                self.at += 6;
                0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
            }
            _ => first,
        };
        match char::from_u32(whole) {
            Some(c) => out.push(c),
            None if self.stance.lenient_json => out.push(char::REPLACEMENT_CHARACTER),
            None => return self.fail("half of a surrogate pair stands alone"),
        }
        Ok(())
    }

    /// The number of the `\uXXXX` at a place, if one stands there.
    fn unit(&self, at: usize) -> Option<u32> {
        let digits = self.bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        digits.iter().try_fold(0, |sum, digit| Some(sum * 16 + char::from(*digit).to_digit(16)?))
    }

    fn digits(&mut self) -> bool {
        let from = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at > from
    }

    fn number(&mut self) -> Result<Value, String> {
        let from = self.at;
        self.take(b'-');
        if !self.take(b'0') && !self.digits() {
            return self.fail("digits are expected here");
        }
        let mut whole = true;
        if self.take(b'.') {
            whole = false;
            if !self.digits() {
                return self.fail("digits are expected here");
            }
        }
        if self.take(b'e') || self.take(b'E') {
            whole = false;
            if !self.take(b'+') {
                self.take(b'-');
            }
            if !self.digits() {
                return self.fail("digits are expected here");
            }
        }
        self.finish_number(&self.text[from..self.at], whole)
    }

    fn finish_number(&self, text: &str, whole: bool) -> Result<Value, String> {
        if whole {
            if let Ok(n) = text.parse::<i64>() {
                return Ok(Value::from(n));
            }
            if let Ok(n) = text.parse::<u64>() {
                return Ok(Value::from(n));
            }
        }
        let Ok(n) = text.parse::<f64>() else { return self.fail("digits are expected here") };
        if !n.is_finite() && !self.stance.lenient_json {
            return self.fail("a number is too great");
        }
        // JSON values hold no infinity: the greatest double stands for it.
        Ok(Number::from_f64(n.clamp(f64::MIN, f64::MAX)).map_or(Value::Null, Value::Number))
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::postures::Stance;
    use hookproof_contract::{Reading, Readings, reading};
    use serde_json::{Value, json};

    fn read(text: &str, readings: &[Reading]) -> Option<Value> {
        parse(text, &Stance::of(&readings.iter().copied().collect::<Readings>())).ok()
    }

    #[test]
    fn values_are_read_as_they_stand() {
        let text = r#" {"a":[1,-2,2.5,1e3,true,false,null,"x\n\u00e9\ud83d\ude00/"],"b":{},"c":[]} "#;
        let wanted = json!({"a": [1, -2, 2.5, 1000.0, true, false, null, "x\n\u{e9}\u{1f600}/"], "b": {}, "c": []});
        assert_eq!(read(text, &[]), Some(wanted));
    }

    #[test]
    fn it_is_as_strict_as_the_grammar() {
        for text in [
            "{",
            "{a:1}",
            "{'a':1}",
            r#"{"a":1,}"#,
            "[1,]",
            "01",
            "1.",
            ".5",
            "+1",
            "1e",
            "NaN",
            "tru",
            "{}{}",
            "// x\n{}",
            "\"\t\"",
            r#""\x""#,
            r#""\u12""#,
            r#""\u+123""#,
            "",
            "\u{feff}{}",
            "{\u{a0}}",
            "-",
            r#"{"a"}"#,
            r#"{"a":}"#,
        ] {
            assert_eq!(read(text, &[]), None, "{text}");
        }
    }

    #[test]
    fn the_last_of_two_values_counts_and_that_is_open() {
        let text = r#"{"a":1,"a":2}"#;
        assert_eq!(read(text, &[]), Some(json!({"a": 2})));
        assert_eq!(read(text, &[reading!("A-13", "first")]), Some(json!({"a": 1})));
        assert_eq!(read(text, &[reading!("A-13", "invalid")]), None);
    }

    #[test]
    fn what_only_lenient_parsers_take_is_open() {
        for text in [r#""\ud800""#, r#""\udc00\ud83d""#, "1e400", "-1e400"] {
            assert!(read(text, &[]).is_some(), "{text}");
            assert!(read(text, &[reading!("A-21", "invalid")]).is_none(), "{text}");
        }
        assert_eq!(read(r#""\ud800\u0041""#, &[]), Some(json!("\u{fffd}A")));
    }

    #[test]
    fn depth_is_no_danger() {
        assert!(read(&"[".repeat(100_000), &[]).is_none());
        assert!(read(&format!("{}{}", "[".repeat(300), "]".repeat(300)), &[]).is_some());
    }
}
