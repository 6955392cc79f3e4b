//! What stdout is: nothing, plain text or an object (chapter *stdout*).

use super::{Spoken, json, schema};
use crate::{
    Scene,
    postures::{Lines, Space},
};
use hookproof_contract::Event;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Reads stdout of a command on an event that takes JSON.
pub(crate) fn read(scene: &Scene<'_>, out: Cow<'_, str>) -> Spoken {
    let trimmed = trim(&out, scene.stance.space);
    if trimmed.is_empty() {
        return Spoken::Nothing;
    }
    if !(trimmed.starts_with('{') && trimmed.ends_with('}')) {
        return Spoken::Plain(out.into_owned());
    }
    match json::parse(trimmed, scene.stance) {
        Ok(Value::Object(fields)) => object(scene, fields),
        Err(message) if scene.since(248) && !are_plain_lines(scene, trimmed) => Spoken::Garbled(message),
        _ => Spoken::Plain(out.into_owned()),
    }
}

/// An object that was parsed, after validation.
pub(crate) fn object(scene: &Scene<'_>, fields: Map<String, Value>) -> Spoken {
    match schema::validate(scene, fields) {
        Ok(output) => Spoken::Object(Box::new(output)),
        Err(message) => Spoken::Rejected(message),
    }
}

/// Whether an output is of several lines that are each JSON by themselves while none of them sets a field of the output.
fn are_plain_lines(scene: &Scene<'_>, text: &str) -> bool {
    let mut count = 0;
    for line in text.lines().map(|line| trim(line, Space::Ascii)).filter(|line| !line.is_empty()) {
        let Ok(value) = json::parse(line, scene.stance) else { return false };
        if sets_a_field(scene, value) {
            return false;
        }
        count += 1;
    }
    count > 1
}

fn sets_a_field(scene: &Scene<'_>, value: Value) -> bool {
    let Value::Object(fields) = value else { return false };
    let is_known = |key: &str| schema::FIELDS.contains(&key);
    if scene.stance.lines == Lines::KnownKeys {
        return fields.keys().any(|key| is_known(key));
    }
    let is_empty = |key: &str| key == "hookSpecificOutput" && scene.stance.lines == Lines::Effective;
    let sets = fields.iter().any(|(key, value)| is_known(key) && !value.is_null() && !is_empty(key));
    schema::validate(scene, fields).is_ok_and(|output| sets || output.own_fields > 0)
}

/// Takes away what does not count at the two ends of an output.
pub(crate) fn trim(text: &str, space: Space) -> &str {
    text.trim_matches(|c| is_space(c, space))
}

fn is_space(c: char, space: Space) -> bool {
    match space {
        Space::Ascii => matches!(c, '\t'..='\r' | ' '),
        Space::Unicode => c.is_whitespace(),
        // Like the Unicode property, but for the byte order mark (in) and NEL (out).
        Space::Ecmascript => c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}'),
    }
}

/// Whether plain stdout becomes context on this event.
pub(crate) fn is_context(event: Event) -> bool {
    matches!(event, Event::UserPromptSubmit | Event::UserPromptExpansion | Event::SessionStart | Event::PostModelSwitch)
}

#[cfg(test)]
mod tests {
    use super::trim;
    use crate::{
        postures::Space,
        testing::{said, stage_at, stage_read},
    };
    use hookproof_contract::{Audience, Reading, Revision, reading};
    use serde_json::json;

    /// What a prompt hook's stdout counts as: context, an error, or neither.
    fn kind(out: &str, readings: &[Reading], revision: Revision) -> &'static str {
        let case = json!({"settings": [{"from": "user", "settings": {"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "a"}]}]}}}],
                          "results": {"a": {"out": out}}, "steps": [{"fire": {"event": "UserPromptSubmit", "input": {"prompt": "P-1"}}}]});
        let outcome = if readings.is_empty() { stage_at(case, revision) } else { stage_read(case, readings) };
        let heard = |to| !said(&outcome[0], to).is_empty();
        match (heard(Audience::Model), heard(Audience::User)) {
            (true, false) => "context",
            (false, true) => "error",
            (false, false) => "nothing",
            (true, true) => "both",
        }
    }

    fn now(out: &str) -> &'static str {
        kind(out, &[], Revision::NEWEST)
    }

    #[test]
    fn what_does_not_begin_and_end_with_braces_is_plain_text() {
        for out in
            ["TEXT-1", "[1]", "\"TEXT-1\"", "{ TEXT-1", "TEXT-1 {\"continue\":false}", "{\"continue\":false} x", "\0{}"]
        {
            assert_eq!(now(out), "context", "{out}");
        }
        assert_eq!(now(" \n\t "), "nothing");
    }

    #[test]
    fn braces_are_parsed_and_white_space_around_does_not_count() {
        for out in ["{}", " \r\n{}\r\n", "\u{feff}{}", "\u{a0}{}\u{3000}", "{\n}"] {
            assert_eq!(now(out), "nothing", "{out:?}");
        }
        assert_eq!(now("{ TEXT-1 }"), "error");
        assert_eq!(now("\u{85}{}"), "context");
        assert_eq!(kind("\u{feff}{}", &[reading!("A-10", "unicode")], Revision::NEWEST), "context");
        assert_eq!(kind("\u{85}{}", &[reading!("A-10", "unicode")], Revision::NEWEST), "nothing");
        assert_eq!(kind("\u{a0}{}", &[reading!("A-10", "ascii")], Revision::NEWEST), "context");
    }

    #[test]
    fn lines_that_set_nothing_are_plain_text_and_others_an_error() {
        assert_eq!(now("{\"a\":1}\n{\"b\":2}"), "context");
        assert_eq!(now("{}\r\n\r\n[1]\n{}"), "context");
        assert_eq!(now("{}\n{\"continue\":true}"), "error");
        assert_eq!(now("{}{}"), "error");
        assert_eq!(now("{}\n{x}"), "error");
        let typed = "{}\n{\"systemMessage\":5}";
        assert_eq!(now(typed), "context");
        assert_eq!(kind(typed, &[reading!("A-14", "known keys")], Revision::NEWEST), "error");
        let idle = "{}\n{\"hookSpecificOutput\":{\"hookEventName\":\"UserPromptSubmit\"}}";
        let doing = "{}\n{\"hookSpecificOutput\":{\"hookEventName\":\"UserPromptSubmit\",\"sessionTitle\":\"T-1\"}}";
        let effective = [reading!("A-14", "lines that do something")];
        assert_eq!(now(idle), "error");
        assert_eq!(kind(idle, &effective, Revision::NEWEST), "context");
        assert_eq!(kind(doing, &effective, Revision::NEWEST), "error");
    }

    #[test]
    fn what_does_not_parse_was_once_plain_text() {
        assert_eq!(kind("{ TEXT-1 }", &[], Revision(2, 1, 240)), "context");
        assert_eq!(kind("{}\n{\"continue\":true}", &[], Revision(2, 1, 240)), "context");
    }

    #[test]
    fn the_three_kinds_of_white_space_differ() {
        assert_eq!(trim("\u{feff}\u{2028}x\u{b}", Space::Ecmascript), "x");
        assert_eq!(trim("\u{a0}x\u{b}", Space::Ascii), "\u{a0}x");
        assert_eq!(trim("\u{85}x\u{feff}", Space::Unicode), "x\u{feff}");
    }
}
