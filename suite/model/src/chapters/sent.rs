//! What a handler is sent beside the event's JSON, or in its place: headers, a tool's arguments, an evaluator's prompt; and the
//! shell that one gets, or not (chapters *http*, *mcp-tools*, *evaluators* and *commands*).

use super::{Scene, asked, given::Part};
use crate::{claims::Claims, select::HandlerKind, voice::Voice};
use hookproof_contract::{Field, Layer, Must, RuleId, Source, read::escape, rule};
use serde_json::{Map, Value};
use std::{borrow::Cow, ops::Range};

/// What one handler is sent. `input` is what is certain of the event's JSON.
pub(super) fn claims(scene: &Scene<'_, '_>, voice: &Voice<'_>, input: &[Part], claims: &mut Claims) {
    let spec = voice.handler.spec;
    match voice.handler.kind {
        HandlerKind::Command => {
            // Who names arguments needs no shell, whichever is named beside them.
            match spec.get("shell") {
                Some(_) if spec.contains_key("args") => {
                    claims.given(&voice.name, Field::Shell, None, Must::Absent, rule!("CONFIG-CMD-03"));
                }
                // What the other one comes to is only said of Windows.
                Some(shell) if shell == "bash" => {
                    claims.given(&voice.name, Field::Shell, None, Must::Be(shell.clone()), rule!("CONFIG-CMD-02"));
                }
                _ => {}
            }
        }
        HandlerKind::Http => {
            for (name, value) in spec.get("headers").and_then(Value::as_object).into_iter().flatten() {
                if let Some((must, rule)) = value.as_str().and_then(|value| header(scene, spec, value)) {
                    claims.given(&voice.name, Field::Headers, at(name), must, rule);
                }
            }
        }
        HandlerKind::McpTool => {
            for (name, value) in spec.get("input").and_then(Value::as_object).into_iter().flatten() {
                if let Some(value) = argument(value, input) {
                    claims.given(&voice.name, Field::Arguments, at(name), Must::Be(value), rule!("MCPHOOK-03"));
                }
            }
        }
        HandlerKind::Prompt | HandlerKind::Agent => asked::claims(voice, input, claims),
    }
}

fn at(name: &str) -> Option<Cow<'static, str>> {
    Some(Cow::Owned(format!("/{}", escape(name))))
}

/// A reference to a variable or a place: where it stands, and what it names.
struct Reference<'t> {
    span: Range<usize>,
    name: &'t str,
}

/// The references in a text; nothing where something in it may be one or not (how references are spelt and escaped is not said).
/// Only those in braces count where `bare` ones do not.
fn references(text: &str, bare: bool) -> Option<Vec<Reference<'_>>> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || (!bare && c == '.');
    if text.contains('\\') && text.contains('$') {
        return None;
    }
    let mut all = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find('$').map(|at| from + at) {
        let rest = &text[start + 1..];
        let (name, length) = match rest.strip_prefix('{') {
            Some(inner) => {
                let name = &inner[..inner.find('}')?];
                (name, name.len() + 3)
            }
            None if bare => {
                let name = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
                (name, name.len() + 1)
            }
            None => {
                from = start + 1;
                continue;
            }
        };
        let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !begins || !name.chars().all(is_part) {
            return None;
        }
        from = start + length;
        all.push(Reference { span: start..from, name });
    }
    Some(all)
}

/// A text with what stands in place of its references.
fn put(text: &str, references: &[Reference<'_>], what: impl Fn(&str) -> String) -> String {
    let (mut out, mut from) = (String::new(), 0);
    for reference in references {
        out.push_str(&text[from..reference.span.start]);
        out.push_str(&what(reference.name));
        from = reference.span.end;
    }
    out.push_str(&text[from..]);
    out
}

/// Whether a variable is expanded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Admission {
    /// Its value is put in, or what stands for none.
    Admitted,
    /// The handler names some variables, and not this one.
    NotNamed,
    /// The handler names none at all, or a list in the settings leaves it out: whether the reference stays or goes is not said.
    Barred(RuleId),
    /// Several lists in the settings say different things.
    Unknown,
}

/// What a header comes to, and by which rule, where that is certain.
fn header(scene: &Scene<'_, '_>, spec: &Map<String, Value>, value: &str) -> Option<(Must, RuleId)> {
    let references = references(value, true)?;
    let admissions: Vec<Admission> = references.iter().map(|r| admission(scene, spec, r.name)).collect();
    if admissions.contains(&Admission::Unknown) {
        return None;
    }
    let env = &scene.session.case.host.env;
    let mut put_in = references.iter().zip(&admissions).filter(|(_, a)| **a == Admission::Admitted);
    // What a variable that is not set comes to is not said, nor whether its value is expanded in turn.
    if !put_in.all(|(r, _)| env.get(r.name).is_some_and(|value| !value.contains('$'))) {
        return None;
    }
    let of = |name: &str| match admission(scene, spec, name) {
        Admission::Admitted => env.get(name).cloned().unwrap_or_default(),
        _ => String::new(),
    };
    let expanded = put(value, &references, of);
    let barred = admissions.iter().find_map(|a| if let Admission::Barred(rule) = a { Some(*rule) } else { None });
    if let Some(rule) = barred {
        // Mixed with others, which of them stay is anybody's guess.
        let alone = admissions.iter().all(|a| matches!(a, Admission::Barred(_)));
        return alone.then(|| (Must::BeOneOf(vec![Value::from(expanded), Value::from(value)]), rule));
    }
    let emptied = admissions.contains(&Admission::NotNamed);
    Some((Must::Be(Value::from(expanded)), if emptied { rule!("HTTP-REQ-04") } else { rule!("HTTP-REQ-03") }))
}

fn admission(scene: &Scene<'_, '_>, spec: &Map<String, Value>, name: &str) -> Admission {
    let holds = |list: &Value| list.as_array().is_some_and(|names| names.iter().any(|n| n == name));
    match spec.get("allowedEnvVars") {
        None => return Admission::Barred(rule!("HTTP-REQ-04")),
        Some(list) if !holds(list) => return Admission::NotNamed,
        Some(_) => {}
    }
    let layers = scene.session.case.settings.iter();
    let lists: Vec<(&Layer, &Value)> =
        layers.filter_map(|layer| Some((layer, layer.settings.get("httpHookAllowedEnvVars")?))).collect();
    if !lists.iter().all(|(_, list)| list.is_array()) {
        return Admission::Unknown;
    }
    let by = |said: Vec<bool>| match (said.contains(&true), said.contains(&false)) {
        (_, false) => Admission::Admitted,
        (false, true) => Admission::Barred(rule!("CONFIG-HTTPALLOW-02")),
        (true, true) => Admission::Unknown,
    };
    // That such a list counts elsewhere than in a settings file is not said.
    let is_file = |layer: &Layer| !matches!(layer.from, Source::Plugin(_) | Source::Skill(_) | Source::Agent(_));
    let of_files = by(lists.iter().filter(|(layer, _)| is_file(layer)).map(|(_, list)| holds(list)).collect());
    let of_all = by(lists.iter().map(|(_, list)| holds(list)).collect());
    if of_files == of_all { of_all } else { Admission::Unknown }
}

/// What an argument comes to, where that is certain.
fn argument(value: &Value, input: &[Part]) -> Option<Value> {
    Some(match value {
        Value::String(text) => {
            let references = references(text, false)?;
            // How a value that is no string is put into one is not said.
            let told = |name: &str| known(name, input).and_then(Value::as_str);
            if references.iter().any(|r| told(r.name).is_none()) {
                return None;
            }
            Value::from(put(text, &references, |name| told(name).unwrap_or_default().to_owned()))
        }
        Value::Array(items) => items.iter().map(|item| argument(item, input)).collect::<Option<Vec<Value>>>()?.into(),
        Value::Object(map) => {
            let members = map.iter().map(|(key, item)| Some((key.clone(), argument(item, input)?)));
            Value::Object(members.collect::<Option<Map<String, Value>>>()?)
        }
        other => other.clone(),
    })
}

/// The value at a place of the event's JSON, where it is certain.
fn known<'p>(dotted: &str, input: &'p [Part]) -> Option<&'p Value> {
    let pointer = format!("/{}", dotted.replace('.', "/"));
    input.iter().find_map(|(at, must, _)| match must {
        Must::Be(value) => {
            let rest = pointer.strip_prefix(&**at)?;
            (rest.is_empty() || rest.starts_with('/')).then(|| value.pointer(rest)).flatten()
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::{argument, put, references};
    use hookproof_contract::{Must, rule};
    use serde_json::{Value, json};
    use std::borrow::Cow;

    #[test]
    fn a_reference_is_found_where_nothing_about_it_is_in_doubt() {
        let names = |text: &str, bare| references(text, bare).map(|all| put(text, &all, |name| format!("<{name}>")));
        for (text, bare, wanted) in [
            ("Bearer $TOKEN", true, Some("Bearer <TOKEN>")),
            ("$A-${B_2}.", true, Some("<A>-<B_2>.")),
            ("plain", true, Some("plain")),
            ("costs $5", true, None),
            ("$$A", true, None),
            (r"\$A", true, None),
            ("${A", true, None),
            ("${a.b}", true, None),
            ("${tool_input.file_path}", false, Some("<tool_input.file_path>")),
            ("$HOME and 5$", false, Some("$HOME and 5$")),
            ("${tool_input[0]}", false, None),
        ] {
            assert_eq!(names(text, bare).as_deref(), wanted, "{text}");
        }
    }

    #[test]
    fn an_argument_is_known_where_the_value_that_it_names_is() {
        let part = |at: &'static str, value: Value| (Cow::Borrowed(at), Must::Be(value), rule!("PRETOOL-IN-01"));
        let input = [part("/tool_name", json!("Write")), part("/tool_input", json!({"file_path": "/a.txt", "n": 3}))];
        for (value, wanted) in [
            (json!("${tool_input.file_path}"), Some(json!("/a.txt"))),
            (json!("by ${tool_name}: ${tool_input.file_path}"), Some(json!("by Write: /a.txt"))),
            (json!({"deep": ["${tool_name}", 1, null]}), Some(json!({"deep": ["Write", 1, null]}))),
            (json!("${tool_input.n}"), None),
            (json!("${tool_input}"), None),
            (json!("${nothing}"), None),
            (json!(7), Some(json!(7))),
        ] {
            assert_eq!(argument(&value, &input), wanted, "{value}");
        }
    }
}
