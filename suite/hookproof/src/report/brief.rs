//! A case as a report shows it: only what it changes.

use hookproof_contract::{Case, Host, Step};
use serde_json::{Map, Value, json};

/// How long a string of a case may be before it is cut for a reader.
const LONG: usize = 400;

/// The case without what has its default.
#[must_use]
pub fn value(case: &Case) -> Value {
    let mut value = serde_json::to_value(case).unwrap_or_default();
    let defaults = serde_json::to_value(Host::default()).unwrap_or_default();
    if let Some(Value::Object(host)) = value.get_mut("host") {
        host.retain(|key, v| defaults.get(key) != Some(v));
    }
    without_empty(&mut value, "host");
    without_empty(&mut value, "results");
    if let Some(Value::Object(results)) = value.get_mut("results") {
        trim_results(results);
    }
    for step in value.get_mut("steps").and_then(Value::as_array_mut).into_iter().flatten() {
        let Some(Value::Object(firing)) = step.get_mut("fire") else { continue };
        firing.retain(|key, v| !(key == "otherwise" && v == "proceeds" || key == "times" && *v == json!(1)));
        if let Some(Value::Object(results)) = firing.get_mut("results") {
            trim_results(results);
        }
        firing.retain(|key, v| {
            !(matches!(key.as_str(), "input" | "results") && v.as_object().is_some_and(Map::is_empty))
        });
    }
    value
}

fn without_empty(value: &mut Value, key: &str) {
    if let Value::Object(map) = value
        && map.get(key).and_then(Value::as_object).is_some_and(Map::is_empty)
    {
        map.remove(key);
    }
}

fn trim_results(results: &mut Map<String, Value>) {
    for result in results.values_mut().filter_map(Value::as_object_mut) {
        result.retain(|key, v| match key.as_str() {
            "end" => *v != json!({"exit": 0}),
            "out" | "err" => v != "",
            "rank" => *v != json!(0),
            _ => true,
        });
    }
}

/// The case in a few lines for a reader: one for each part that is there, long strings cut, steps numbered as outcomes are.
#[must_use]
pub fn lines(case: &Case) -> Vec<String> {
    let mut value = value(case);
    cut(&mut value);
    let line = |item: &Value| {
        let mut line = String::new();
        on_one_line(item, readable, &mut line);
        line
    };
    let mut lines = Vec::new();
    lines.extend(value.get("host").map(|host| format!("host: {}", line(host))));
    let items = |part: &str| value.get(part).and_then(Value::as_array).into_iter().flatten();
    lines.extend(items("settings").map(|layer| format!("settings: {}", line(layer))));
    let results = value.get("results").and_then(Value::as_object).into_iter().flatten();
    lines.extend(results.map(|(handler, result)| format!("result of {handler}: {}", line(result))));
    let mut number = 0;
    for (item, step) in items("steps").zip(&case.steps) {
        let times = if let Step::Fire(firing) = step { firing.times as usize } else { 1 };
        let name = match times {
            0 => "no step".to_owned(),
            1 => format!("step {number}"),
            _ => format!("steps {number} to {}", number + times - 1),
        };
        lines.push(format!("{name}: {}", line(item)));
        number += times;
    }
    lines
}

/// A string for a reader: what many handlers print is JSON, and in JSON its quotes would be hard to read. Everything that does not
/// show is escaped.
fn readable(text: &str) -> String {
    let shows = |c: char| matches!(c, '"' | '\'') || c != '\\' && c.escape_debug().len() == 1;
    if text.contains('"') && !text.contains('`') && text.chars().all(shows) {
        return format!("`{text}`");
    }
    let mut out = String::new();
    for c in json!(text).to_string().chars() {
        if c == '\\' || shows(c) {
            out.push(c);
        } else {
            out.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    out
}

fn cut(value: &mut Value) {
    match value {
        Value::String(s) => {
            if let Some((end, _)) = s.char_indices().nth(LONG) {
                s.truncate(end);
                s.push('…');
            }
        }
        Value::Array(items) => items.iter_mut().for_each(cut),
        Value::Object(map) => map.values_mut().for_each(cut),
        _ => {}
    }
}

/// The case as a file that can be replayed and read: what fits on a line stands on one.
#[must_use]
pub fn file(case: &Case) -> String {
    let mut text = String::new();
    write(&value(case), 0, &mut text);
    text.push('\n');
    text
}

/// How long a line may be.
const WIDTH: usize = 120;
/// The order in which a reader wants these keys; others follow by name.
const ORDER: [&str; 11] =
    ["host", "from", "settings", "results", "steps", "matcher", "hooks", "type", "event", "input", "end"];

fn write(value: &Value, indent: usize, out: &mut String) {
    let start = out.len();
    on_one_line(value, exact, out);
    if out.len() - start + indent <= WIDTH {
        return;
    }
    let (open, close) = match value {
        Value::Object(_) => ('{', '}'),
        Value::Array(_) => ('[', ']'),
        _ => return,
    };
    out.truncate(start);
    out.push(open);
    for (i, (key, item)) in members(value).into_iter().enumerate() {
        out.push_str(if i == 0 { "\n" } else { ",\n" });
        out.push_str(&" ".repeat(indent + 2));
        if let Some(key) = key {
            out.push_str(&format!("{}: ", json!(key)));
        }
        write(item, indent + 2, out);
    }
    out.push_str(&format!("\n{}{close}", " ".repeat(indent)));
}

/// A string as JSON.
fn exact(text: &str) -> String {
    json!(text).to_string()
}

fn on_one_line(value: &Value, quoted: fn(&str) -> String, out: &mut String) {
    let (open, close) = match value {
        Value::Object(_) => ('{', '}'),
        Value::Array(_) => ('[', ']'),
        Value::String(text) => return out.push_str(&quoted(text)),
        other => return out.push_str(&other.to_string()),
    };
    out.push(open);
    for (i, (key, item)) in members(value).into_iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        if let Some(key) = key {
            out.push_str(&format!("{}: ", quoted(key)));
        }
        on_one_line(item, quoted, out);
    }
    out.push(close);
}

/// What an object or an array holds, in the order in which it is written.
fn members(value: &Value) -> Vec<(Option<&String>, &Value)> {
    match value {
        Value::Array(items) => items.iter().map(|item| (None, item)).collect(),
        Value::Object(map) => {
            let mut all: Vec<_> = map.iter().map(|(key, item)| (Some(key), item)).collect();
            all.sort_by_key(|(key, _)| {
                ORDER.iter().position(|k| Some(*k) == key.map(String::as_str)).unwrap_or(ORDER.len())
            });
            all
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{file, lines, readable};
    use hookproof_contract::{Case, read};

    #[test]
    fn what_is_left_out_is_what_has_its_default() {
        let case: Case = read::text(
            r#"{"host":{"surface":"print"},"settings":[{"from":"user","settings":{}}],
               "results":{"a":{"end":{"exit":0},"err":"E-1"},"b":{"end":{"exit":2},"rank":1}},
               "steps":[{"fire":{"event":"Stop","times":2}},{"happen":"new_prompt"}]}"#,
        )
        .expect("a case");
        assert_eq!(
            lines(&case),
            [
                r#"host: {"surface": "print"}"#,
                r#"settings: {"from": "user", "settings": {}}"#,
                r#"result of a: {"err": "E-1"}"#,
                r#"result of b: {"end": {"exit": 2}, "rank": 1}"#,
                r#"steps 0 to 1: {"fire": {"event": "Stop", "times": 2}}"#,
                r#"step 2: {"happen": "new_prompt"}"#,
            ]
        );
        assert_eq!(read::text::<Case>(&file(&case)).expect("a case"), case);
    }
    #[test]
    fn a_reader_sees_what_a_string_holds() {
        for (text, shown) in [
            ("GUARD-ERR", r#""GUARD-ERR""#),
            (r#" {"reason":"don't é"}"#, r#"` {"reason":"don't é"}`"#),
            ("{\"a\":1}\n", r#""{\"a\":1}\n""#),
            (r#"{"a":"\n"}"#, r#""{\"a\":\"\\n\"}""#),
            ("\"`\"", r#""\"`\"""#),
            ("a\u{200b}b\u{e0001}\u{7f}", r#""a\u200bb\udb40\udc01\u007f""#),
        ] {
            assert_eq!(readable(text), shown, "{text:?}");
        }
    }
}
