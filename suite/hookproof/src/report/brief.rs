//! A case as a report shows it: only what it changes.

use hookproof_contract::{Case, Host};
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
    if let Some(Value::Object(results)) = value.get_mut("results") {
        trim_results(results);
    }
    for step in value.get_mut("steps").and_then(Value::as_array_mut).into_iter().flatten() {
        let Some(Value::Object(firing)) = step.get_mut("fire") else { continue };
        firing.retain(|key, v| !(key == "otherwise" && v == "proceeds" || key == "times" && *v == json!(1)));
        if let Some(Value::Object(results)) = firing.get_mut("results") {
            trim_results(results);
        }
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

/// The case in a few lines for a reader: one for each part that is there, long strings cut.
#[must_use]
pub fn lines(case: &Case) -> Vec<String> {
    let mut value = value(case);
    cut(&mut value);
    let mut lines = Vec::new();
    for part in ["host", "settings", "results", "steps"] {
        match value.get(part) {
            None => {}
            Some(Value::Array(items)) => lines.extend(items.iter().map(|item| format!("{part}: {}", line(item)))),
            Some(Value::Object(items)) if part == "results" => {
                lines.extend(items.iter().map(|(name, item)| format!("{part}: {name} → {}", line(item))));
            }
            Some(item) => lines.push(format!("{part}: {}", line(item))),
        }
    }
    lines
}

fn line(value: &Value) -> String {
    let mut line = String::new();
    on_one_line(value, &mut line);
    line
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
    on_one_line(value, out);
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

fn on_one_line(value: &Value, out: &mut String) {
    let (open, close) = match value {
        Value::Object(_) => ('{', '}'),
        Value::Array(_) => ('[', ']'),
        other => return out.push_str(&other.to_string()),
    };
    out.push(open);
    for (i, (key, item)) in members(value).into_iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        if let Some(key) = key {
            out.push_str(&format!("{}: ", json!(key)));
        }
        on_one_line(item, out);
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
    use super::{file, lines};
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
                r#"results: a → {"err": "E-1"}"#,
                r#"results: b → {"end": {"exit": 2}, "rank": 1}"#,
                r#"steps: {"fire": {"event": "Stop", "times": 2}}"#,
                r#"steps: {"happen": "new_prompt"}"#,
            ]
        );
        assert_eq!(read::text::<Case>(&file(&case)).expect("a case"), case);
    }
}
