//! What a line of an adapter is.

use super::{
    diagnosis::{Diagnosis, excerpt},
    head::{Head, head},
    stream::{Line, Lines},
};
use crate::words;
use hookproof_contract::{
    message::{Errored, Hello, Outcomes, PROTOCOL, Reply},
    surrogates,
};
use serde_json::Value;

/// Reads all that an adapter might ever write, line by line, each at most `longest` bytes long: the replies, and in their place what
/// is wrong with a line that is none.
#[must_use]
pub fn replies(bytes: &[u8], longest: usize) -> Vec<Result<Reply, (Diagnosis, String)>> {
    let mut lines = Lines::new(longest);
    lines.push(bytes);
    lines.complete();
    let lines = std::iter::from_fn(|| lines.next());
    lines
        .filter_map(|line| match line {
            Line::TooLong(start) => Some(Err((Diagnosis::GiganticLine, excerpt(&start)))),
            Line::Whole(bytes) => match self::line(&bytes) {
                Read::Blank => None,
                Read::Outcome(outcomes) => Some(Ok(Reply::Outcome(outcomes))),
                Read::Errored(errored) => Some(Ok(Reply::Errored(errored))),
                Read::Flawed { diagnosis, happened, .. } => {
                    Some(hello(&bytes).map(|hello| Reply::Hello(Box::new(hello))).map_err(|_| (diagnosis, happened)))
                }
                Read::Talk(diagnosis) => Some(Err((diagnosis, excerpt(&bytes)))),
            },
        })
        .collect()
}

/// A line that came in the course of the run.
pub(super) enum Read {
    Blank,
    Outcome(Outcomes),
    Errored(Errored),
    /// A message that is not right: whose it is, if it says so.
    Flawed {
        id: Option<String>,
        diagnosis: Diagnosis,
        happened: String,
    },
    /// No message at all.
    Talk(Diagnosis),
}

/// Reads a line that came in the course of the run.
pub(super) fn line(line: &[u8]) -> Read {
    if line.trim_ascii().is_empty() {
        return Read::Blank;
    }
    let text = match str::from_utf8(line) {
        Ok(text) => text,
        Err(error) => return not_utf8(line, error.valid_up_to()),
    };
    match Reply::read(text) {
        Ok(Reply::Outcome(outcomes)) => Read::Outcome(outcomes),
        Ok(Reply::Errored(errored)) => Read::Errored(errored),
        Ok(Reply::Hello(_)) => {
            let happened = "`hello` came where the answer to a case is due".to_owned();
            Read::Flawed { id: None, diagnosis: Diagnosis::WrongTypes, happened }
        }
        Err(flaw) => match head(text) {
            None => Read::Talk(Diagnosis::TalksOnStdout),
            Some(Head { id, .. }) => {
                Read::Flawed { id, diagnosis: Diagnosis::WrongTypes, happened: words::flaw(&flaw) }
            }
        },
    }
}

fn not_utf8(line: &[u8], offset: usize) -> Read {
    match head(&String::from_utf8_lossy(line)) {
        None => Read::Talk(Diagnosis::InvalidUtf8),
        Some(Head { id, .. }) => {
            Read::Flawed { id, diagnosis: Diagnosis::InvalidUtf8, happened: format!("byte {offset} of the reply") }
        }
    }
}

/// What is said of a case that the adapter could not play.
pub(super) fn refusal(errored: &Errored) -> String {
    let happened = format!("to a case that its hello allows it answered {}", excerpt(errored.message.as_bytes()));
    Diagnosis::DeclaresTooMuch.tell(happened)
}

/// Reads the answer to the handshake.
pub(super) fn hello(line: &[u8]) -> Result<Hello, (Diagnosis, String)> {
    let Ok(text) = str::from_utf8(line) else {
        return Err((Diagnosis::InvalidUtf8, format!("the first line is {}", excerpt(line))));
    };
    let value: Option<Value> = serde_json::from_str(&surrogates::mend(text)).ok();
    if value.is_none() && head(text).is_none() {
        return Err((Diagnosis::Banner, format!("the first line is {}", excerpt(line))));
    }
    let version = value.as_ref().and_then(|value| value.get("protocol"));
    if let Some(version) = version.filter(|version| **version != PROTOCOL) {
        let happened = format!("it speaks version {}, the harness {PROTOCOL}", excerpt(version.to_string().as_bytes()));
        return Err((Diagnosis::WrongVersion, happened));
    }
    match Reply::read(text) {
        Ok(Reply::Hello(hello)) => match hello.revision.known() {
            Ok(_) => Ok(*hello),
            Err(unknown) => Err((Diagnosis::NoHello, format!("at /revision: {unknown}"))),
        },
        Ok(_) => Err((Diagnosis::NoHello, format!("the first line is {}", excerpt(line)))),
        Err(flaw) => Err((Diagnosis::NoHello, words::flaw(&flaw))),
    }
}

#[cfg(test)]
mod tests {
    use super::{Read, hello, line, replies};

    fn told(bytes: &[u8]) -> String {
        match line(bytes) {
            Read::Blank => "blank".to_owned(),
            Read::Outcome(outcomes) => format!("outcome {}", outcomes.id),
            Read::Errored(errored) => format!("errored {}", errored.id),
            Read::Flawed { id, diagnosis, .. } => format!("{} {id:?}", diagnosis.name()),
            Read::Talk(diagnosis) => format!("{}, no message", diagnosis.name()),
        }
    }

    #[test]
    fn bytes_of_any_kind_can_be_read() {
        let bytes = b"\n{\"type\":\"errored\",\"id\":\"7\",\"message\":\"no\"}\r\n\xff\n{}\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n[1]";
        let told = replies(bytes, 50)
            .into_iter()
            .map(|reply| reply.map_or_else(|(diagnosis, _)| diagnosis.name(), |_| "a reply"));
        assert_eq!(told.collect::<Vec<_>>(), ["a reply", "invalid UTF-8", "wrong types", "gigantic line"]);
    }

    #[test]
    fn a_hello_that_cannot_be_read_is_no_banner() {
        let deep = format!(r#"{{"type":"hello","candidate":{}{}}}"#, "[".repeat(10_000), "]".repeat(10_000));
        let future = r#"{"type":"hello","protocol":1,"candidate":{"name":"x"},"revision":"9.0.0","depths":[],"events":[],"handlers":[],"observes":[]}"#;
        let many = future.replace("9.0.0", "2.1.290").replace("\"depths\"", "\"max_in_flight\":-1,\"depths\"");
        for (text, what, part) in [
            (deep.as_str(), "hello that is no hello", "recursion limit exceeded"),
            (future, "hello that is no hello", "at /revision: 9.0.0 is not known here; 2.1.240 to 2.1.290 are"),
            (many.as_str(), "hello that is no hello", "expected a whole number from 0 on"),
            ("\u{feff}{\"type\":\"hello\"}", "banner before the protocol", r"`\u{feff}{"),
            ("{", "banner before the protocol", "`{`"),
        ] {
            let (diagnosis, happened) = hello(text.as_bytes()).expect_err(what);
            assert_eq!(diagnosis.name(), what);
            assert!(happened.contains(part), "{happened}");
        }
    }

    #[test]
    fn every_line_is_something() {
        let hello = r#"{"type":"hello","protocol":1,"candidate":{"name":"x"},"revision":"2.1.290","depths":[],"events":[],"handlers":[],"observes":[]}"#;
        let deep = format!(r#"{{"type":"outcome","id":"7","steps":{}{}}}"#, "[".repeat(10_000), "]".repeat(10_000));
        for (bytes, what) in [
            (&b" \r"[..], "blank"),
            (br#"{"type":"outcome","id":"7","steps":[]}"#, "outcome 7"),
            (br#"{"type":"outcome","id":"7","steps":[{"said":[{"to":"user","text":"\ud800"}]}]}"#, "outcome 7"),
            (br#"{"type":"errored","id":"7","message":"no"}"#, "errored 7"),
            (br#"{"type":"outcome","id":"7","steps":{}}"#, r#"wrong types Some("7")"#),
            (br#"{"type":"outcome","id":"7","steps":"\udfff"}"#, r#"wrong types Some("7")"#),
            (br#"{"type":"outcome","id":7,"steps":[]}"#, "wrong types None"),
            (hello.as_bytes(), "wrong types None"),
            (b"{\"type\":\"errored\",\"id\":\"7\",\"message\":\"\xff\"}", r#"invalid UTF-8 Some("7")"#),
            (br#"{"type":"outcome","id":"7","steps":[{"set":{"tool_input":NaN}}]}"#, r#"wrong types Some("7")"#),
            (br#"{"type":"outcome","id":"7","steps":[{"set":{"tool_input":1e999}}]}"#, r#"wrong types Some("7")"#),
            (deep.as_bytes(), r#"wrong types Some("7")"#),
            (b"\xff", "invalid UTF-8, no message"),
            (b"loading", "talks on stdout, no message"),
            (b"[1]", "talks on stdout, no message"),
        ] {
            assert_eq!(told(bytes), what, "{}", String::from_utf8_lossy(bytes));
        }
    }
}
