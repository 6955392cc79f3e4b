//! Simpler texts: shorter runs, fewer keys, strings that are their canary and nothing else.

use crate::canary;
use hookproof_contract::{Case, Text};
use serde_json::Value;

/// Longer texts are only made shorter, not read.
const LONGEST: usize = 40_000;
/// A character that stands so often in a row is written as a run.
const RUN: usize = 200;

/// The texts that one simplification makes of a text, the boldest first.
pub(super) fn simpler(case: &Case, text: &Text) -> Vec<Text> {
    let mut all = Vec::new();
    if text.is_empty() {
        return all;
    }
    if text.len() < LONGEST
        && let Ok(string) = std::str::from_utf8(&text.bytes())
    {
        strings(case, string, &mut all);
    }
    runs(text, &mut |new| all.push(new));
    if let Text::Join(parts) = text {
        for at in 0..parts.len() {
            let mut fewer = parts.clone();
            fewer.remove(at);
            all.push(if fewer.len() == 1 { fewer.remove(0) } else { Text::Join(fewer) });
        }
        // A list without runs and bytes is a string.
        if let Ok(string) = String::from_utf8(text.bytes().into_owned())
            && string.len() < RUN
        {
            all.push(Text::Plain(string));
        }
    }
    all.retain(|new| new != text);
    all
}

/// Shorter runs: halves, tenths, and one less, so that a limit is found exactly.
fn runs(text: &Text, offer: &mut dyn FnMut(Text)) {
    match text {
        Text::Fill(run, times) => {
            for fewer in lengths(*times) {
                offer(Text::Fill(run.clone(), fewer));
            }
        }
        Text::Join(parts) => {
            for (at, part) in parts.iter().enumerate() {
                runs(part, &mut |new| {
                    let mut parts = parts.clone();
                    parts[at] = new;
                    offer(Text::Join(parts));
                });
            }
        }
        Text::Plain(_) | Text::Bytes(_) => {}
    }
}

/// Nothing, then steps that get finer: the largest that is accepted is taken again.
fn lengths(times: usize) -> Vec<usize> {
    let steps = [times, times / 2, times / 10, 1_000, 100, 10, 1];
    steps.into_iter().filter_map(|step| times.checked_sub(step)).collect()
}

fn strings(case: &Case, string: &str, all: &mut Vec<Text>) {
    if let Ok(Value::Object(object)) = serde_json::from_str(string) {
        let document = Value::Object(object);
        documents(case, &document, &mut |new| all.push(compact(&new.to_string())));
        all.push(compact(&document.to_string()));
        return;
    }
    all.extend(canary::own_tokens(case, string).into_iter().map(Text::from));
    let trimmed = string.trim();
    all.push(compact(trimmed));
    let lines: Vec<&str> = trimmed.lines().collect();
    if lines.len() > 1 {
        for at in 0..lines.len() {
            let mut fewer = lines.clone();
            fewer.remove(at);
            all.push(compact(&fewer.join("\n")));
        }
    }
    for (at, line) in lines.iter().enumerate() {
        let Ok(document @ Value::Object(_)) = serde_json::from_str(line) else { continue };
        documents(case, &document, &mut |new| {
            let new = new.to_string();
            let mut lines = lines.clone();
            lines[at] = &new;
            all.push(compact(&lines.join("\n")));
        });
    }
}

/// A string in which long runs of one character are written as such.
fn compact(string: &str) -> Text {
    let mut parts = Vec::new();
    let (mut plain, mut rest) = (0, 0);
    while let Some(first) = string[rest..].chars().next() {
        let width = first.len_utf8();
        let times = string[rest..].chars().take_while(|c| *c == first).count();
        if times >= RUN {
            if plain < rest {
                parts.push(Text::from(&string[plain..rest]));
            }
            parts.push(Text::Fill(first.to_string(), times));
            plain = rest + times * width;
        }
        rest += times * width;
    }
    match parts.is_empty() {
        true => Text::from(string),
        false => {
            if plain < string.len() {
                parts.push(Text::from(&string[plain..]));
            }
            Text::Join(parts)
        }
    }
}

/// Documents with one member less, or one string that is its canary and nothing else.
fn documents(case: &Case, document: &Value, offer: &mut dyn FnMut(Value)) {
    match document {
        Value::Object(map) => {
            for key in map.keys() {
                let mut fewer = map.clone();
                fewer.remove(key);
                offer(Value::Object(fewer));
            }
            for (key, value) in map {
                documents(case, value, &mut |new| {
                    let mut map = map.clone();
                    map.insert(key.clone(), new);
                    offer(Value::Object(map));
                });
            }
        }
        Value::Array(items) => {
            for at in 0..items.len() {
                let mut fewer = items.clone();
                fewer.remove(at);
                offer(Value::Array(fewer));
            }
        }
        Value::String(text) => {
            for token in canary::own_tokens(case, text).into_iter().filter(|token| token != text) {
                offer(Value::from(token));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests;
