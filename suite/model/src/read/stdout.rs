//! How stdout is told apart: a JSON object, plain text, or an attempt at JSON that failed (chapter *stdout*).

use super::json::{self, Json};
use super::schema;
use crate::{oracle::Oracle, table::Row};
use hookproof_contract::{Event, Readings, Revision, RuleId, reading, rule};
use serde_json::{Map, Value};

/// What stdout is.
#[derive(Clone, Debug, PartialEq)]
pub enum Stdout {
    /// Nothing but white space.
    Empty,
    /// Plain text, by this rule.
    Plain(RuleId),
    /// One JSON object, not yet validated.
    Object(Map<String, Value>),
    /// It looks like JSON and does not parse, by this rule.
    Unparsable(RuleId),
    /// The contract leaves it open.
    Free,
}

/// How the model reads the stdout of a hook of an event, every open point read by its default or as declared. For fuzzing.
#[must_use]
pub fn read_stdout(event: Event, text: &str, declared: &Readings) -> Option<Stdout> {
    let row = crate::table::row(event)?;
    Some(read(text, row, &Oracle::new(Revision::NEWEST, declared, Vec::new())))
}

/// Reads stdout.
pub(crate) fn read(text: &str, row: &Row, oracle: &Oracle<'_>) -> Stdout {
    let trimmed = trim(text, oracle);
    if trimmed.is_empty() {
        return Stdout::Empty;
    }
    if !trimmed.starts_with('{') {
        let banner = trimmed.ends_with('}') && trimmed.contains('{') && !trimmed.starts_with(['[', '"']);
        return Stdout::Plain(if banner { rule!("JSON-03") } else { rule!("STDOUT-PARSE-06") });
    }
    if !trimmed.ends_with('}') {
        return Stdout::Plain(rule!("STDOUT-PARSE-05"));
    }
    match json::parse(trimmed, oracle) {
        Json::Value(Value::Object(object)) => Stdout::Object(object),
        Json::Free => Stdout::Free,
        Json::Value(_) | Json::Invalid if oracle.revision < PARSE_ERRORS_SINCE => {
            match several_lines(trimmed, row, oracle) {
                Stdout::Unparsable(_) => Stdout::Plain(match row.plain_is_context {
                    true => rule!("STDOUT-PARSE-10-BEFORE"),
                    false => rule!("STDOUT-PARSE-08-BEFORE"),
                }),
                read => read,
            }
        }
        Json::Value(_) | Json::Invalid => match several_lines(trimmed, row, oracle) {
            // However such lines are told apart, the text is no JSON where one of them is none.
            Stdout::Plain(_) if has_blank_lines(trimmed) => unclear_lines(oracle),
            Stdout::Unparsable(_) if has_lone_returns(trimmed) => unclear_lines(oracle),
            read => read,
        },
    }
}

/// The one reading of open point A-186.
fn unclear_lines(oracle: &Oracle<'_>) -> Stdout {
    let _ = oracle.is(reading!("A-186", "free"));
    Stdout::Free
}

fn has_blank_lines(text: &str) -> bool {
    text.split('\n').any(|line| line.trim().is_empty())
}

/// Whether there are carriage returns that might end a line and are no part of a line feed.
fn has_lone_returns(text: &str) -> bool {
    text.split('\n').any(|line| line.trim_end_matches('\r').contains('\r') || line.ends_with("\r\r"))
}

/// Before this revision, text that looks like JSON and does not parse was plain text.
const PARSE_ERRORS_SINCE: Revision = Revision(2, 1, 248);

/// Output of two or more lines that each parse is plain text, unless one of them sets a field. A single line does not parse: it is
/// the whole text.
fn several_lines(text: &str, row: &Row, oracle: &Oracle<'_>) -> Stdout {
    let lines: Vec<&str> = text.split('\n').map(|line| trim(line, oracle)).filter(|line| !line.is_empty()).collect();
    let unparsable =
        || Stdout::Unparsable(if glued(text) { rule!("STDOUT-PARSE-07") } else { rule!("STDOUT-PARSE-08") });
    if !lines.iter().all(|line| json::may_parse(line)) {
        return unparsable();
    }
    let mut sets_a_field = false;
    for line in lines {
        match json::parse(line, oracle) {
            Json::Free => return Stdout::Free,
            Json::Invalid => return unparsable(),
            Json::Value(Value::Object(object)) if object.contains_key("async") => {
                let _ = oracle.is(reading!("A-40", "free"));
                return Stdout::Free;
            }
            Json::Value(Value::Object(object))
                if schema::watches_what_is_no_text(&object, row) || schema::may_decide_wrongly(&object, row) =>
            {
                return Stdout::Free;
            }
            Json::Value(Value::Object(object)) => sets_a_field |= schema::sets_a_field(&object, row, oracle),
            Json::Value(_) => {}
        }
    }
    if sets_a_field { Stdout::Unparsable(rule!("STDOUT-PARSE-04")) } else { Stdout::Plain(rule!("STDOUT-PARSE-03")) }
}

/// Whether the text is several JSON documents, one after the other.
fn glued(text: &str) -> bool {
    let mut documents = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
    documents.by_ref().take_while(Result::is_ok).count() > 1 && documents.byte_offset() == text.len()
}

/// The text without the white space around it that every platform takes for such.
fn trim_ascii(text: &str) -> &str {
    text.trim_matches(['\t', '\n', '\u{b}', '\u{c}', '\r', ' '])
}

/// Whether what is left at an end is white space for some platforms and not for others.
pub(crate) fn has_odd_ends(text: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || c == '\u{feff}';
    let text = trim_ascii(text);
    text.starts_with(odd) || text.ends_with(odd)
}

/// The text without the white space around it (open point A-10).
pub(crate) fn trim<'a>(text: &'a str, oracle: &Oracle<'_>) -> &'a str {
    let trimmed = trim_ascii(text);
    if !has_odd_ends(trimmed) {
        return trimmed;
    }
    match oracle.read(reading!("A-10", "ecmascript").point).name() {
        "ascii" => trimmed,
        "unicode" => trimmed.trim_matches(char::is_whitespace),
        // The Zs category and the line separators are what Unicode calls white space, less U+0085.
        _ => trimmed.trim_matches(|c: char| c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')),
    }
}

#[cfg(test)]
mod tests {
    use super::{Stdout, read_stdout};
    use crate::oracle::Oracle;
    use hookproof_contract::{Event, Reading, Readings, Revision, reading, rule};

    fn read(text: &str, readings: &[Reading]) -> String {
        let declared: Readings = readings.iter().copied().collect();
        match read_stdout(Event::UserPromptSubmit, text, &declared).expect("it is modelled") {
            Stdout::Empty => "empty".into(),
            Stdout::Plain(rule) => format!("plain {rule}"),
            Stdout::Object(object) => format!("object of {}", object.len()),
            Stdout::Unparsable(rule) => format!("unparsable {rule}"),
            Stdout::Free => "free".into(),
        }
    }

    #[test]
    fn stdout_is_told_apart() {
        for (text, wanted) in [
            ("", "empty"),
            (" \r\n\t\u{b}\u{c}", "empty"),
            ("hello", "plain STDOUT-PARSE-06"),
            ("[1]", "plain STDOUT-PARSE-06"),
            ("\"{}\"", "plain STDOUT-PARSE-06"),
            ("{ hello", "plain STDOUT-PARSE-05"),
            ("{\"continue\":true} bye", "plain STDOUT-PARSE-05"),
            ("banner\n{\"continue\":false}", "plain JSON-03"),
            (" {\"a\":1}\r\n", "object of 1"),
            ("{\n \"a\": 1,\n \"b\": 2\n}\n", "object of 2"),
            ("{}", "object of 0"),
            ("{hello}", "unparsable STDOUT-PARSE-08"),
            ("{\"a\":1}{\"b\":2}", "unparsable STDOUT-PARSE-07"),
            ("{\"a\":1}\n{\"b\":2}", "plain STDOUT-PARSE-03"),
            ("{\"a\":1}\r\n[2]\n{}", "plain STDOUT-PARSE-03"),
            ("{\"a\":1}\n\n[2]\n{}", "free"),
            ("{\"a\":1}\n\n{\"continue\":true}", "unparsable STDOUT-PARSE-04"),
            ("{\"a\":1}\n\nx{}", "unparsable STDOUT-PARSE-08"),
            ("{\"a\":1}\r{\"b\":2}", "free"),
            ("{\"a\":1}\n{\"async\":true}", "free"),
            ("{\"a\":1}\n{\"continue\":true}", "unparsable STDOUT-PARSE-04"),
            ("{\"a\":1}\nx\n{\"b\":1}", "unparsable STDOUT-PARSE-08"),
        ] {
            assert_eq!(read(text, &[]), wanted, "{text:?}");
        }
    }

    #[test]
    fn a_line_is_json_by_the_same_reading_as_the_whole() {
        let huge = "{\"a\":1e400}\n{\"b\":1}";
        assert_eq!(read(huge, &[]), "plain STDOUT-PARSE-03");
        assert_eq!(read(huge, &[reading!("A-21", "invalid")]), "unparsable STDOUT-PARSE-07");
        let twice = "{\"a\":1,\"a\":2}\n{\"b\":1}";
        assert_eq!(read(twice, &[reading!("A-13", "invalid")]), "unparsable STDOUT-PARSE-07");
    }

    #[test]
    fn white_space_is_an_open_point() {
        let bom = "\u{feff}{\"a\":1}";
        assert_eq!(read(bom, &[]), "object of 1");
        assert_eq!(read(bom, &[reading!("A-10", "unicode")]), "plain JSON-03");
        assert_eq!(read(bom, &[reading!("A-10", "ascii")]), "plain JSON-03");
        let nel = "{\"a\":1}\u{85}";
        assert_eq!(read(nel, &[]), "plain STDOUT-PARSE-05");
        assert_eq!(read(nel, &[reading!("A-10", "unicode")]), "object of 1");
    }

    #[test]
    fn what_a_line_says_matters_only_where_every_line_parses() {
        assert_eq!(read("{\"async\":true}\n{hello}", &[]), "unparsable STDOUT-PARSE-08");
    }

    #[test]
    fn a_line_that_the_schema_refuses_sets_a_field_or_not() {
        let refused = "{\"systemMessage\":5}\n{\"a\":1}";
        assert_eq!(read(refused, &[reading!("A-14", "valid lines")]), "plain STDOUT-PARSE-03");
        assert_eq!(read(refused, &[reading!("A-14", "known keys")]), "unparsable STDOUT-PARSE-04");
    }

    #[test]
    fn text_that_does_not_parse_is_an_error_from_one_revision_on() {
        let row = crate::table::row(Event::UserPromptSubmit).expect("it is modelled");
        let readings = Readings::default();
        let at = |patch| super::read("{hello}", row, &Oracle::new(Revision(2, 1, patch), &readings, Vec::new()));
        assert_eq!(at(248), Stdout::Unparsable(rule!("STDOUT-PARSE-08")));
        assert_eq!(at(247), Stdout::Plain(rule!("STDOUT-PARSE-10-BEFORE")));
    }
}
