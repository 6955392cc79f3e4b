//! Claims, and what was found in their place, in words; shared by all reports.

use hookproof_contract::{
    Audience, Case, Claim, Kind, Lies, Must, Outcome, Place, Said, Say, Text, WhatHappens, read::Flaw,
};
use serde_json::Value;
use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

/// How much of a text or value a report shows.
const SHOWN: usize = 200;
/// How many texts, handlers or differences of one place a report shows.
const LISTED: usize = 10;

/// The names of fates and of what follows for the agent, which need no quotes.
const NAMES: [&str; 8] =
    ["proceeds", "prevented", "asked", "deferred", "goes_on", "ends_turn", "stops", "request_fails"];

/// What must be there.
#[must_use]
pub fn demand(must: &Must) -> String {
    match must {
        Must::Be(value) => brief(value),
        Must::BeOneOf(values) => format!("one of {}", values.iter().map(brief).collect::<Vec<_>>().join(", ")),
        Must::BeA(kind) => kind_name(*kind).to_owned(),
        Must::Absent => "nothing".to_owned(),
        Must::RunExactly(names) if names.is_empty() => "no handler".to_owned(),
        Must::RunExactly(names) => format!("exactly {}", names.join(", ")),
        Must::Say(say) => saying(say),
        Must::SayAny(says) => says.iter().map(saying).collect::<Vec<_>>().join(", or "),
        Must::NotSay(say) => saying(say).replacen("a text", "no text", 1),
    }
}

fn saying(say: &Say) -> String {
    let parts: Vec<String> = say.parts.iter().map(text).collect();
    let mut words = format!("a text with {}", parts.join(", then "));
    if say.parts.is_empty() {
        words = "a text".to_owned();
    }
    if let Some(how) = say.how {
        words.push_str(&format!(", as {}", how.name()));
    }
    match say.lies {
        Lies::InTextOrFile => {}
        Lies::InText => words.push_str(", in the text itself"),
        Lies::InFile(preview) => {
            words.push_str(&format!(", whole in a file, with {preview} characters of it in the text at most"))
        }
    }
    words
}

const fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Bool => "true or false",
        Kind::Number => "a number",
        Kind::String => "a string",
        Kind::Array => "an array",
        Kind::Object => "an object",
        Kind::AbsolutePath => "an absolute path",
        Kind::Uuid => "a UUID",
    }
}

/// What is there, at the place of a claim and in one step.
#[must_use]
pub fn found(claim: &Claim, case: &Case, outcomes: &[Outcome], step: usize) -> String {
    let Some(outcome) = outcomes.get(step) else { return "no outcome".to_owned() };
    if outcome.unseen.contains(&claim.at) {
        return "not observed in this step".to_owned();
    }
    let firing = case.moments().nth(step).and_then(|m| if let WhatHappens::Fires(f) = m.what { Some(f) } else { None });
    match claim.at {
        Place::Ran if outcome.ran.is_empty() => "no handler".to_owned(),
        Place::Ran => listed(outcome.ran.iter().map(|r| cut(&visible(&r.handler))), ", "),
        Place::Fate => firing.map(|f| outcome.fate_in(f)).or(outcome.fate).map_or("nothing", |f| f.name()).to_owned(),
        Place::Agent => {
            firing.map(|f| outcome.agent_in(f)).or(outcome.agent).map_or("nothing", |a| a.name()).to_owned()
        }
        Place::Said(audience) => texts(outcome, audience),
        Place::Set(_) | Place::Given(_) => value_at(claim, outcome).map_or_else(|| "nothing".to_owned(), brief),
    }
}

/// The value that a claim on a slot or a field looks at.
fn value_at<'a>(claim: &Claim, outcome: &'a Outcome) -> Option<&'a Value> {
    let whole = match claim.at {
        Place::Set(slot) => outcome.set.get(&slot),
        Place::Given(field) => {
            outcome.ran.iter().find(|r| Some(&r.handler) == claim.of.as_ref()).and_then(|r| r.given.get(field.name()))
        }
        _ => None,
    };
    whole.and_then(|v| claim.path.as_ref().map_or(Some(v), |path| v.pointer(path)))
}

fn texts(outcome: &Outcome, audience: Audience) -> String {
    let all = listed(outcome.said.iter().filter(|s| s.to == audience).map(said), "; ");
    if all.is_empty() { "no text".to_owned() } else { all }
}

/// The first few of them, and how many more there are: a candidate can say more than anybody wants to read.
fn listed(mut all: impl Iterator<Item = String>, between: &str) -> String {
    let mut shown: Vec<String> = all.by_ref().take(LISTED).collect();
    let more = all.count();
    if more > 0 {
        shown.push(format!("and {more} more"));
    }
    shown.join(between)
}

fn said(said: &Said) -> String {
    let manner = said.how.map_or_else(String::new, |how| format!(", as {}", how.name()));
    let spill = if said.spill.is_some() { ", with a file" } else { "" };
    format!("{}{manner}{spill}", text(&said.text))
}

/// Where the wanted value and the found one differ, pointer by pointer; for objects and arrays only.
#[must_use]
pub fn difference(claim: &Claim, outcome: &Outcome) -> Vec<String> {
    let mut lines = Vec::new();
    if let (Must::Be(wanted @ (Value::Object(_) | Value::Array(_))), Some(found)) =
        (&claim.must, value_at(claim, outcome))
    {
        differ("", Some(wanted), Some(found), &mut lines);
    }
    let more = lines.len().saturating_sub(LISTED);
    if more > 0 {
        lines.truncate(LISTED);
        lines.push(format!("and {more} more"));
    }
    lines
}

fn differ(pointer: &str, wanted: Option<&Value>, found: Option<&Value>, lines: &mut Vec<String>) {
    match (wanted, found) {
        (Some(Value::Object(a)), Some(Value::Object(b))) => {
            let mut keys: Vec<&String> = a.keys().chain(b.keys()).collect();
            keys.sort();
            keys.dedup();
            for key in keys {
                let below = format!("{pointer}/{}", hookproof_contract::read::escape(key));
                differ(&below, a.get(key), b.get(key), lines);
            }
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) => {
            for i in 0..a.len().max(b.len()) {
                differ(&format!("{pointer}/{i}"), a.get(i), b.get(i), lines);
            }
        }
        (a, b) if a == b => {}
        (a, b) => {
            let shown = |v: Option<&Value>| v.map_or_else(|| "nothing".to_owned(), brief);
            lines.push(format!(
                "{}: wanted {}, found {}",
                if pointer.is_empty() { "/".to_owned() } else { cut(&visible(pointer)) },
                shown(a),
                shown(b)
            ));
        }
    }
}

/// A value on one line, cut where it is long; a name without its quotes.
#[must_use]
pub fn brief(value: &Value) -> String {
    match value {
        Value::String(s) if NAMES.contains(&s.as_str()) => s.clone(),
        other => cut(&other.to_string()),
    }
}

/// A text in quotes, with what cannot be seen escaped, cut where it is long.
#[must_use]
pub fn text(text: &Text) -> String {
    let quoted: String = text.lossy().chars().take(SHOWN + 1).flat_map(char::escape_debug).collect();
    format!("\"{}\"", cut(&quoted))
}

/// The text, cut where it is long.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The text, cut in its midst where it is long: what is wrong stands at its beginning, and what is allowed at its end.
pub(crate) fn cut_inside(text: &str) -> String {
    let end = text.char_indices().rev().nth(SHOWN - 1).map_or(0, |(at, _)| at);
    match text.char_indices().nth(SHOWN) {
        Some((begin, _)) if begin < end => format!("{}…{}", &text[..begin], &text[end..]),
        _ => text.to_owned(),
    }
}

/// The text with everything escaped that does not show on a page or moves a terminal's cursor. What an adapter wrote goes through
/// this before a person sees it.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\'' | '\\' => shown.push(c),
            _ => shown.extend(c.escape_debug()),
        }
    }
    shown
}

/// What the words of the JSON library mean to people who do not write Rust.
const JARGON: [(&str, &str); 8] = [
    ("expected usize", "expected a whole number from 0 on"),
    ("expected u64", "expected a whole number from 0 on"),
    ("expected u32", "expected a whole number from 0 to 4294967295"),
    ("expected u16", "expected a whole number from 0 to 65535"),
    ("expected u8", "expected a whole number from 0 to 255"),
    ("expected i32", "expected a whole number from -2147483648 to 2147483647"),
    ("expected tuple variant Object::Fill", "expected an array of a string and a whole number"),
    (
        "invalid type: unit variant, expected newtype variant",
        "a value is missing: an object with this key is expected, not its name",
    ),
];

/// A flaw for people who do not write Rust.
#[must_use]
pub fn flaw(flaw: &Flaw) -> String {
    let mut words = Flaw { pointer: cut(&flaw.pointer), message: flaw.message.clone() }.to_string();
    for (jargon, plain) in JARGON {
        words = words.replace(jargon, plain);
    }
    let one_key = match flaw.pointer.rsplit('/').next() {
        Some("end") => {
            "expected `\"timed_out\"`, `\"not_started\"`, `\"refused\"`, `\"no_response\"`, `\"answered\"`, or an object with one key: exit, signal or status"
        }
        Some(key) if key.bytes().all(|b| b.is_ascii_digit()) => "expected an object with one key: fire or happen",
        _ => "expected an object with one key",
    };
    words = words.replace("invalid value: map, expected map with a single key", one_key);
    words = words.replace(
        "invalid type: map, expected enum",
        "expected a string, or an object with one key: base64, fill or join",
    );
    match words.split_once(", expected struct ") {
        Some((found, _)) => format!("{found}, expected an object"),
        None => words,
    }
}

/// Where a claim looks: place, handler and pointer.
#[must_use]
pub fn place(claim: &Claim) -> String {
    place_of(claim.at, claim.of.as_deref(), claim.path.as_deref())
}

/// A place, with the handler and the pointer.
#[must_use]
pub fn place_of(at: Place, of: Option<&str>, path: Option<&str>) -> String {
    let mut words = at.to_string();
    if let Some(of) = of {
        words.push_str(&format!(" of {of}"));
    }
    if let Some(path) = path {
        words.push_str(&format!(" {path}"));
    }
    words
}

/// An argument as a shell reads it back; what would not show, or moves a cursor, in the form of bash, zsh and ksh for bytes.
#[must_use]
pub fn shell(argument: &str) -> String {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"_-./:=@%+,#".contains(&b);
    if !argument.is_empty() && !argument.starts_with('#') && argument.bytes().all(is_plain) {
        return argument.to_owned();
    }
    if visible(argument) != argument {
        return bytes(argument.as_bytes());
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}

/// The same for an argument that need not be UTF-8.
#[must_use]
pub fn shell_os(argument: &OsStr) -> String {
    argument.to_str().map_or_else(|| bytes(argument.as_bytes()), shell)
}

fn bytes(argument: &[u8]) -> String {
    let escaped = argument.iter().map(|byte| match byte {
        b'\'' | b'\\' => format!("\\{}", char::from(*byte)),
        b' '..=b'~' => char::from(*byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    });
    format!("$'{}'", escaped.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::{LISTED, demand, difference, flaw, found, shell, shell_os, visible};
    use hookproof_contract::{Case, Claim, Outcome};
    use serde_json::{Value, json};

    fn claim(at: &str, must: Value) -> Claim {
        let mut json = json!({"at": at, "must": must, "rule": "EXIT-2-01"});
        if at.starts_with("given") {
            json["of"] = json!("guard");
        }
        serde_json::from_value(json).expect("a claim")
    }

    #[test]
    fn demands_and_findings_in_words() {
        let case: Case = serde_json::from_value(json!({"settings": [], "steps": [{"fire": {"event": "PreToolUse"}}]}))
            .expect("a case");
        let outcome: Outcome = serde_json::from_value(json!({
            "ran": [{"handler": "guard", "given": {"timeout": 600}}],
            "said": [{"to": "model", "text": "A-1\n", "how": "context"}, {"to": "user", "text": "B"}],
            "set": {"tool_input": {"command": "ls", "n": [1, 2]}}
        }))
        .expect("an outcome");
        let rows: Vec<String> = [
            claim("ran", json!({"run_exactly": []})),
            claim("fate", json!({"be": "prevented"})),
            claim("agent", json!({"be_one_of": ["stops", "goes_on"]})),
            claim(
                "said/model",
                json!({"say": {"parts": ["A-1", {"fill": ["x", 3]}], "how": "refusal", "lies": {"in_file": 2000}}}),
            ),
            claim("said/model", json!({"not_say": {"parts": ["A-1"]}})),
            claim("said/debug", json!({"say_any": [{"parts": ["A"]}, {"parts": ["B"]}]})),
            claim("set/tool_input", json!({"be": {"command": "rm", "n": [1]}})),
            claim("set/display", json!({"be_a": "absolute_path"})),
            claim("given/timeout", json!({"be": 30})),
            claim("given/cwd", json!("absent")),
        ]
        .iter()
        .map(|c| {
            format!(
                "{}: wanted {}; found {} {:?}",
                c.at,
                demand(&c.must),
                found(c, &case, std::slice::from_ref(&outcome), 0),
                difference(c, &outcome)
            )
        })
        .collect();
        insta::with_settings!({snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"), prepend_module_to_snapshot => false, omit_expression => true}, {
            insta::assert_snapshot!("words", rows.join("\n"));
        });
    }

    #[test]
    fn a_shell_reads_an_argument_back() {
        for (argument, quoted) in
            [("a.py", "a.py"), ("a#1", "a#1"), ("#1", "'#1'"), ("a b", "'a b'"), ("it's", r"'it'\''s'"), ("", "''")]
        {
            assert_eq!(shell(argument), quoted);
            assert_eq!(shell_os(argument.as_ref()), quoted);
        }
        assert_eq!(shell("a\n\u{1b}'\u{e9}"), r"$'a\x0a\x1b\'\xc3\xa9'");
        assert_eq!(shell("\u{e9}"), "'\u{e9}'");
        let bytes = std::os::unix::ffi::OsStrExt::from_bytes(b"it's\xff");
        assert_eq!(shell_os(bytes), r"$'it\'s\xff'");
    }

    #[test]
    fn nothing_that_an_adapter_writes_moves_the_cursor_or_hides() {
        assert_eq!(visible("a \"b\" \u{1b}[2J\n\u{202e}\u{feff}é"), r#"a "b" \u{1b}[2J\n\u{202e}\u{feff}é"#);
    }

    #[test]
    fn of_many_findings_a_report_shows_the_first() {
        let case: Case = serde_json::from_value(json!({"settings": [], "steps": [{"fire": {"event": "PreToolUse"}}]}))
            .expect("a case");
        let said: Vec<Value> = (0..LISTED + 5).map(|i| json!({"to": "model", "text": format!("T{i}")})).collect();
        let ran: Vec<Value> = (0..LISTED + 5).map(|i| json!({"handler": format!("h{i}\n")})).collect();
        let input: Value =
            (0..LISTED + 5).map(|i| (format!("k{i:02}"), json!(i))).collect::<serde_json::Map<_, _>>().into();
        let outcome: Outcome = serde_json::from_value(json!({"said": said, "ran": ran, "set": {"tool_input": input}}))
            .expect("an outcome");
        let end = |claim: &Claim| found(claim, &case, std::slice::from_ref(&outcome), 0);
        assert!(end(&claim("said/model", json!({"say": {"parts": ["A-1"]}}))).ends_with("\"T9\"; and 5 more"));
        assert!(end(&claim("ran", json!({"run_exactly": []}))).ends_with(r"h9\n, and 5 more"));
        let lines = difference(&claim("set/tool_input", json!({"be": {}})), &outcome);
        assert_eq!((lines.len(), lines[LISTED].as_str()), (LISTED + 1, "and 5 more"));
    }

    #[test]
    fn a_flaw_names_numbers_as_people_do() {
        let flawed = |json: &str| flaw(&hookproof_contract::read::text::<Case>(json).expect_err("a flaw"));
        assert_eq!(
            flawed(r#"{"settings":[],"results":{"a":{"rank":70000}},"steps":[]}"#),
            "at /results/a/rank: invalid value: integer `70000`, expected a whole number from 0 to 65535"
        );
        assert!(flawed(&"[".repeat(1000)).len() < 300, "the way to what is nested too deeply is cut");
    }
}
