//! Canaries: every text of a case that could surface holds a token that occurs nowhere else in the case, so that "contains"
//! is decisive and "does not contain" means something.

pub(crate) use hookproof_contract::canary::short;
use hookproof_contract::{
    Case, Event, Firing, HandlerResult, Name, Step,
    canary::{Whole, spans},
};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The keys of an output object whose strings somebody gets to read.
const READ_BY_SOMEBODY: [&str; 10] = [
    "reason",
    "stopReason",
    "systemMessage",
    "additionalContext",
    "permissionDecisionReason",
    "sessionTitle",
    "classifierContext",
    "initialUserMessage",
    "displayContent",
    "message",
];

/// Checks that every text of a case that could surface holds a token of its own. Texts of pure structure (blank, or JSON in
/// which nothing surfaces) and the paths that a worktree's maker prints need none.
///
/// # Errors
///
/// Names the first text that holds no such token.
pub fn lint(case: &Case) -> Result<(), String> {
    let whole = Whole::of(case);
    for (place, text) in surfaces(case) {
        if !spans(text.as_bytes()).any(|at| whole.count(&text[at]) == 1) {
            let shown: String = text.chars().take(60).collect();
            return Err(format!(
                "the text at {place} holds no token that occurs nowhere else in the case (such as `NOTE-2`): {shown:?}"
            ));
        }
    }
    Ok(())
}

/// The tokens of a text that occur nowhere else in the case, in the order of the text.
pub(crate) fn own_tokens<'t>(case: &Case, text: &'t str) -> Vec<&'t str> {
    let whole = Whole::of(case);
    spans(text.as_bytes()).map(|at| &text[at]).filter(|token| whole.count(token) == 1).collect()
}

pub(crate) fn firings(case: &Case) -> Vec<&Firing> {
    case.steps.iter().filter_map(|s| if let Step::Fire(f) = s { Some(f) } else { None }).collect()
}

/// Every text of a case that could surface, and where it is.
pub(crate) fn surfaces(case: &Case) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let makers = makers(case);
    of_results("results", &case.results, &makers, &mut all);
    for (at, step) in case.steps.iter().enumerate() {
        let Step::Fire(firing) = step else { continue };
        of_results(&format!("steps/{at}/fire/results"), &firing.results, &makers, &mut all);
        if let Some(prompt) = firing.input.get("prompt").and_then(Value::as_str)
            && firing.event == Event::UserPromptSubmit
        {
            all.push((format!("steps/{at}/fire/input/prompt"), prompt.to_owned()));
        }
    }
    all.retain(|(_, text)| !text.trim().is_empty());
    all
}

/// The handlers that are configured for `WorktreeCreate` and nothing else: what they print is a path.
fn makers(case: &Case) -> Vec<String> {
    let (mut makers, mut others) = (Vec::new(), Vec::new());
    for layer in &case.settings {
        let Some(Value::Object(hooks)) = layer.settings.get("hooks") else { continue };
        for (event, groups) in hooks {
            let list = if event == Event::WorktreeCreate.name() { &mut makers } else { &mut others };
            let groups = groups.as_array().into_iter().flatten();
            let handlers = groups.filter_map(|group| group.get("hooks")?.as_array()).flatten();
            list.extend(handlers.filter_map(|handler| Some(name(handler.as_object()?)?.to_owned())));
        }
    }
    makers.retain(|name| !others.contains(name));
    makers
}

/// The text by which a handler goes.
pub(crate) fn name(handler: &Map<String, Value>) -> Option<&str> {
    ["command", "url", "tool", "prompt"].iter().find_map(|key| handler.get(*key)?.as_str())
}

fn of_results(
    place: &str,
    results: &BTreeMap<Name, HandlerResult>,
    makers: &[String],
    all: &mut Vec<(String, String)>,
) {
    for (name, result) in results {
        all.push((format!("{place}/{name}/err"), short(&result.err).into_owned()));
        let out = short(&result.out);
        if !makers.iter().any(|maker| **maker == **name) {
            of_output(&format!("{place}/{name}/out"), &out, all);
        }
    }
}

/// What could surface of an output: the whole of a plain text, or strings inside JSON.
fn of_output(place: &str, out: &str, all: &mut Vec<(String, String)>) {
    let documents: Result<Vec<Value>, _> = match serde_json::from_str(out) {
        Ok(one) => Ok(vec![one]),
        Err(_) => out.trim().lines().map(serde_json::from_str).collect(),
    };
    match documents {
        Ok(documents) => documents.iter().for_each(|document| inside(place, document, all)),
        Err(_) if out.bytes().any(|b| b.is_ascii_alphabetic()) => all.push((place.to_owned(), out.to_owned())),
        Err(_) => {}
    }
}

fn inside(place: &str, document: &Value, all: &mut Vec<(String, String)>) {
    match document {
        Value::Object(object) => {
            for (key, value) in object {
                match value {
                    Value::String(text) if READ_BY_SOMEBODY.contains(&key.as_str()) => {
                        all.push((format!("{place}/{key}"), text.clone()));
                    }
                    Value::Object(_) if key == "hookSpecificOutput" || key == "decision" => inside(place, value, all),
                    _ => {}
                }
            }
        }
        // Not an object: if it surfaces, then as a plain text.
        Value::Array(_) | Value::String(_) => {
            let text = document.to_string();
            if text.bytes().any(|b| b.is_ascii_alphabetic()) {
                all.push((place.to_owned(), text));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::lint;
    use hookproof_contract::Case;

    fn case(results: &str) -> Case {
        let json = format!(
            r#"{{"settings":[{{"from":"user","settings":{{"hooks":{{"Stop":[{{"hooks":[
               {{"type":"command","command":"a"}},{{"type":"command","command":"b"}}]}}],
               "WorktreeCreate":[{{"hooks":[{{"type":"command","command":"maker"}}]}}]}}}}}}],
               "results":{results},"steps":[{{"fire":{{"event":"Stop"}}}}]}}"#
        );
        serde_json::from_str(&json).expect("a case")
    }

    #[test]
    fn a_text_without_a_token_of_its_own_is_found() {
        for (results, place) in [
            (r#"{"a":{"err":"oops"}}"#, "results/a/err"),
            (r#"{"a":{"err":"ERR-1"},"b":{"err":"ERR-12"}}"#, "results/a/err"),
            (r#"{"a":{"err":"ERR-1"},"b":{"err":"ERR-1"}}"#, "results/a/err"),
            (r#"{"a":{"out":"{\"reason\":\"why\"}"}}"#, "results/a/out/reason"),
            (
                r#"{"a":{"out":"{\"hookSpecificOutput\":{\"additionalContext\":\"why\"}}"}}"#,
                "results/a/out/additionalContext",
            ),
            (r#"{"a":{"out":"{\"reason\":"}}"#, "results/a/out"),
            (r#"{"a":{"out":"[\"x\"]"}}"#, "results/a/out"),
        ] {
            let error = lint(&case(results)).expect_err(results);
            assert!(error.contains(&format!("the text at {place} holds no token")), "{results}\n  gave: {error}");
        }
    }

    #[test]
    fn structure_paths_and_marked_texts_need_no_more() {
        for results in [
            "{}",
            r#"{"a":{"out":"{\"continue\":false}\n"}}"#,
            r#"{"a":{"out":"{}\n{\"continue\":true}"}}"#,
            r#"{"a":{"out":"{\"reason\":\"WHY-1\",\"decision\":\"block\"}","err":" \n"}}"#,
            r#"{"a":{"out":{"join":["LONG-1 ",{"fill":["a",12000]}]}},"b":{"out":{"base64":"Qi0x/w=="},"err":"ERR-1"}}"#,
            r#"{"maker":{"out":"/work/trees/one"}}"#,
        ] {
            let checked = lint(&case(results));
            // "B-1\xff" has one character before the hyphen: that is no token.
            let bytes = results.contains("base64");
            assert_eq!(checked.is_ok(), !bytes, "{results}: {checked:?}");
        }
    }
}
