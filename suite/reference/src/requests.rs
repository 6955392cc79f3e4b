//! What a handler is given besides the event's JSON: a request its headers, a tool its arguments, an evaluator its prompt,
//! a command the shell that it names (chapters *http*, *mcp-tools*, *evaluators* and *commands*).

use crate::{Scene, kinds::Kind, select::Handler, settings};
use hookproof_contract::Field;
use serde_json::{Map, Value};

/// Where an evaluator's prompt wants the event's JSON.
const ARGUMENTS: &str = "$ARGUMENTS";

/// What a handler of this type is given besides.
pub(crate) fn besides(scene: &Scene<'_>, handler: &Handler<'_>, input: &Map<String, Value>) -> Option<(Field, Value)> {
    match handler.kind {
        // With arguments it is given to no shell (CONFIG-CMD-03).
        Kind::Command if handler.json.contains_key("args") => None,
        Kind::Command => Some((Field::Shell, handler.json.get("shell")?.clone())),
        Kind::Http => {
            let listed = |name: &str| lists(handler.json, name) && settings::may_expand(&scene.case.settings, name);
            Some((Field::Headers, headers(scene, handler.json, listed)))
        }
        Kind::Tool => Some((Field::Arguments, arguments(handler.json, input))),
        Kind::Prompt | Kind::Agent => Some((Field::Prompt, Value::from(prompt(&handler.name, input)))),
    }
}

/// Whether an HTTP handler lists a variable as one that its headers may hold.
pub(crate) fn lists(json: &Map<String, Value>, name: &str) -> bool {
    let list = json.get("allowedEnvVars").and_then(Value::as_array);
    list.is_some_and(|list| list.iter().any(|listed| listed == name))
}

/// The headers of a request. A variable that may not be expanded, or is not set, is empty (HTTP-REQ-03, HTTP-REQ-04).
pub(crate) fn headers(scene: &Scene<'_>, json: &Map<String, Value>, listed: impl Fn(&str) -> bool) -> Value {
    let env = &scene.host().env;
    let value = |name: &str| env.get(name).filter(|_| listed(name)).map_or("", String::as_str);
    let written = json.get("headers").and_then(Value::as_object).into_iter().flatten();
    written.filter_map(|(name, text)| Some((name.clone(), Value::from(expand(text.as_str()?, &value))))).collect()
}

/// A header with the values of its variables in it.
fn expand<'v>(text: &str, value: &impl Fn(&str) -> &'v str) -> String {
    let mut pieces = text.split('$');
    let mut expanded = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match variable(piece) {
            Some((name, rest)) => expanded.extend([value(name), rest]),
            None => expanded.extend(["$", piece]),
        }
    }
    expanded
}

/// The variable whose name a text begins with, in braces or without, and what follows it.
fn variable(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = match text.strip_prefix('{') {
        Some(inside) => inside.split_once('}')?,
        None => text.split_at(text.find(|c: char| !is_word(c)).unwrap_or(text.len())),
    };
    let is_name = name.starts_with(|c: char| is_word(c) && !c.is_ascii_digit()) && name.chars().all(is_word);
    is_name.then_some((name, rest))
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric()
}

/// The arguments of a tool: the handler's `input`, with what its strings refer to in the event's JSON put in (MCPHOOK-03).
pub(crate) fn arguments(json: &Map<String, Value>, input: &Map<String, Value>) -> Value {
    json.get("input").map_or_else(|| Value::Object(Map::new()), |template| filled(template, input))
}

fn filled(template: &Value, input: &Map<String, Value>) -> Value {
    match template {
        Value::String(text) => Value::from(fill(text, input)),
        Value::Array(items) => items.iter().map(|item| filled(item, input)).collect(),
        Value::Object(fields) => fields.iter().map(|(key, field)| (key.clone(), filled(field, input))).collect(),
        other => other.clone(),
    }
}

/// A text with its references filled in, once: what a value holds is no reference. That of nothing is empty.
fn fill(text: &str, input: &Map<String, Value>) -> String {
    let mut pieces = text.split("${");
    let mut filled = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match piece.split_once('}') {
            Some((path, rest)) => filled.extend([at(input, path).as_str(), rest]),
            None => filled.extend(["${", piece]),
        }
    }
    filled
}

/// The text of what lies at a path such as `tool_input.file_path`. What is no string is told as JSON.
fn at(input: &Map<String, Value>, path: &str) -> String {
    let mut steps = path.split('.');
    let first = steps.next().and_then(|step| input.get(step));
    let found = steps.try_fold(first, |value, step| match value? {
        Value::Object(fields) => Some(fields.get(step)),
        Value::Array(items) => Some(step.parse().ok().and_then(|index: usize| items.get(index))),
        _ => None,
    });
    match found.flatten() {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}

/// The text that an evaluator gets: its prompt with the event's JSON where it is wanted, or else at the end. A dollar sign
/// behind a backslash is only that sign (PROMPT-CONF-02, PROMPT-CONF-03, PROMPT-CONF-04).
fn prompt(text: &str, input: &Map<String, Value>) -> String {
    let json = serde_json::to_string(input).unwrap_or_default();
    let mut pieces = text.split("\\$");
    let mut wanted = false;
    let mut filled = String::new();
    // What follows an escaped sign is literal, so each piece begins anew.
    if let Some(first) = pieces.next() {
        wanted |= first.contains(ARGUMENTS);
        filled.push_str(&first.replace(ARGUMENTS, &json));
    }
    for piece in pieces {
        wanted |= piece.contains(ARGUMENTS);
        filled.push('$');
        filled.push_str(&piece.replace(ARGUMENTS, &json));
    }
    if wanted { filled } else { format!("{filled}\n\n{json}") }
}

#[cfg(test)]
mod tests {
    use crate::testing::stage;
    use serde_json::{Value, json};

    /// What a handler is given, with more settings beside it.
    fn given(handler: Value, settings: Value) -> Value {
        let mut settings = settings;
        settings["hooks"] = json!({"PreToolUse": [{"hooks": [handler]}]});
        let input = json!({"tool_name": "Write", "tool_input": {"file_path": "/w/a", "lines": [1, "L-2"], "odd": "${tool_name}"}});
        let case = json!({"host": {"env": {"TOKEN": "SECRET-1", "OTHER": "SECRET-2"}}, "settings": [{"from": "user", "settings": settings}],
                          "steps": [{"fire": {"event": "PreToolUse", "input": input}}]});
        Value::Object(stage(case)[0].ran[0].given.clone())
    }

    fn header(text: &str, more: Value, settings: Value) -> Value {
        let mut handler = more;
        handler["type"] = json!("http");
        handler["url"] = json!("http://u");
        handler["headers"] = json!({"X-A": text});
        given(handler, settings)["headers"]["X-A"].clone()
    }

    #[test]
    fn a_header_takes_the_variables_that_are_listed() {
        let listed = json!({"allowedEnvVars": ["TOKEN", "UNSET"]});
        for (text, sent) in [
            ("Bearer $TOKEN", "Bearer SECRET-1"),
            ("${TOKEN}x $TOKEN-x", "SECRET-1x SECRET-1-x"),
            ("[$OTHER|${OTHER}|$UNSET]", "[||]"),
            ("$TOKENS", ""),
            ("5$ $1 $ ${} ${TOKEN", "5$ $1 $ ${} ${TOKEN"),
        ] {
            assert_eq!(header(text, listed.clone(), json!({})), sent, "{text}");
        }
        assert_eq!(header("a $TOKEN", json!({}), json!({})), "a ");
    }

    #[test]
    fn the_list_of_the_settings_must_name_it_too() {
        let listed = json!({"allowedEnvVars": ["TOKEN", "OTHER"]});
        let sent = |settings: Value| header("$TOKEN/$OTHER", listed.clone(), settings);
        assert_eq!(sent(json!({"httpHookAllowedEnvVars": ["OTHER"]})), "/SECRET-2");
        assert_eq!(sent(json!({"httpHookAllowedEnvVars": []})), "/");
        let alone = header("$TOKEN", json!({}), json!({"httpHookAllowedEnvVars": ["TOKEN"]}));
        assert_eq!(alone, "");
    }

    #[test]
    fn a_tools_strings_are_filled_in_and_nothing_else() {
        let input = json!({"path": "at ${tool_input.file_path}!", "deep": [{"a": "${tool_input.lines.1}"}], "n": 5, "no": null,
                           "list": "${tool_input.lines}", "gone": "<${tool_input.x.y}>", "odd": "${tool_input.odd}", "open": "${tool_name"});
        let tool = json!({"type": "mcp_tool", "server": "s", "tool": "t", "input": input});
        let wanted = json!({"path": "at /w/a!", "deep": [{"a": "L-2"}], "n": 5, "no": null,
                            "list": "[1,\"L-2\"]", "gone": "<>", "odd": "${tool_name}", "open": "${tool_name"});
        assert_eq!(given(tool, json!({}))["arguments"], wanted);
        assert_eq!(given(json!({"type": "mcp_tool", "server": "s", "tool": "t"}), json!({}))["arguments"], json!({}));
    }

    fn asked(kind: &str, prompt: &str) -> (String, String) {
        let given = given(json!({"type": kind, "prompt": prompt}), json!({}));
        (given["prompt"].as_str().expect("a text").to_owned(), given["input"].to_string())
    }

    #[test]
    fn a_prompt_has_the_events_json_in_its_place_or_at_its_end() {
        for kind in ["prompt", "agent"] {
            let (text, json) = asked(kind, "PROMPT-1 <$ARGUMENTS> <$ARGUMENTS>");
            assert_eq!(text, format!("PROMPT-1 <{json}> <{json}>"));
            let (text, json) = asked(kind, "PROMPT-1 costs \\$1.00");
            assert_eq!(text, format!("PROMPT-1 costs $1.00\n\n{json}"));
            let (text, json) = asked(kind, "\\$ARGUMENTS is \\n $ARGUMENTS");
            assert_eq!(text, format!("$ARGUMENTS is \\n {json}"));
        }
    }

    #[test]
    fn evaluators_have_times_of_their_own() {
        for (kind, seconds) in [("prompt", 30), ("agent", 60)] {
            assert_eq!(given(json!({"type": kind, "prompt": "p"}), json!({}))["timeout"], seconds);
            assert_eq!(given(json!({"type": kind, "prompt": "p", "timeout": 7}), json!({}))["timeout"], 7);
        }
        assert_eq!(given(json!({"type": "mcp_tool", "server": "s", "tool": "t"}), json!({}))["timeout"], 600);
    }
}
