//! How large a case may be. What a case demands is looked at handler by handler and step by step, each beside all others, so that
//! a slip (`"times": 4000000000`) would keep the model busy for days. No case that anybody wants comes near the bound. The same goes
//! for matchers: a pattern is tried in every way in which it could match, and for some there are more ways than time.

use crate::playable::handlers;
use hookproof_contract::{
    Case, CaseFile, Step,
    read::{Flaw, escape},
};
use serde_json::Value;
use std::collections::BTreeSet;

/// How many handlers times how many steps, repeats counted.
const MOST: usize = 2_000;

/// In how many ways a matcher may be tried on a text.
const MOST_TRIES: f64 = 5e7;

/// Checks a case.
///
/// # Errors
///
/// When it is too large, or has a matcher that takes too long; the pointer is one into the case.
pub fn check(case: &Case) -> Result<(), Flaw> {
    check_names(case)?;
    check_matchers(case)?;
    let (steps, handlers) = (case.moments_count(), handlers(case).count());
    if steps.saturating_mul(handlers.max(1)) <= MOST {
        return Ok(());
    }
    let pointer = if steps > handlers { "/steps" } else { "/settings" };
    Err(Flaw::at(
        pointer,
        format_args!(
            "the case is too large: its steps, repeats counted, times its handlers are {steps} × {handlers}; at most {MOST} are allowed"
        ),
    ))
}

/// The permission modes of the contract.
const MODES: [&str; 7] = ["default", "manual", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"];

/// Whether results belong to handlers, and the permission mode is one: a slip in such a name would make a case that tests nothing.
fn check_names(case: &Case) -> Result<(), Flaw> {
    let mode = case.host.permission_mode.as_str();
    if !MODES.contains(&mode) {
        let allowed = MODES.join(", ");
        return Err(Flaw::at("/host/permission_mode", format_args!("unknown mode `{mode}`; allowed are {allowed}")));
    }
    let named = |key: &str| handlers(case).filter_map(move |h| h.get(key)?.as_str()).collect::<Vec<_>>();
    let known: BTreeSet<&str> = ["command", "url", "tool", "prompt"].into_iter().flat_map(named).collect();
    let of_steps = case.steps.iter().enumerate().filter_map(|(i, step)| match step {
        Step::Fire(firing) => Some((format!("/steps/{i}/fire/results"), &firing.results)),
        Step::Happen(_) => None,
    });
    for (at, results) in std::iter::once(("/results".to_owned(), &case.results)).chain(of_steps) {
        if let Some(name) = results.keys().find(|name| !known.contains(&***name)) {
            let there =
                if known.is_empty() { "none".to_owned() } else { known.into_iter().collect::<Vec<_>>().join(", ") };
            return Err(Flaw::at(
                format!("{at}/{}", escape(name)),
                format_args!("no handler of this name is configured; there are {there}"),
            ));
        }
    }
    Ok(())
}

/// Whether every matcher is done with every text of the case in time.
fn check_matchers(case: &Case) -> Result<(), Flaw> {
    let firings = case.steps.iter().filter_map(|step| if let Step::Fire(firing) = step { Some(firing) } else { None });
    let texts = firings.filter_map(|firing| firing.input.get(hookproof_model::target(firing.event)?)?.as_str());
    let longest = texts.map(|text| text.chars().count()).max().unwrap_or(0);
    for (layer, settings) in case.settings.iter().enumerate() {
        let events = settings.settings.get("hooks").and_then(Value::as_object).into_iter().flatten();
        let groups = events.flat_map(|(event, groups)| {
            groups.as_array().into_iter().flatten().enumerate().map(move |(i, group)| (event, i, group))
        });
        for (event, i, group) in groups {
            let Some(pattern) = group.get("matcher").and_then(Value::as_str) else { continue };
            if tries(pattern, longest) > MOST_TRIES {
                return Err(Flaw::at(
                    format!("/settings/{layer}/settings/hooks/{}/{i}/matcher", escape(event)),
                    format_args!(
                        "the pattern may take longer than anybody waits on a text of {longest} characters, as the case has one: \
                         what is repeated must hold no repeats and no alternatives, and there must be few repeats"
                    ),
                ));
            }
        }
    }
    Ok(())
}

/// In how many ways, at most, a pattern may be tried on a text of so many characters: each repeat multiplies them by its length, and a
/// repeat of a part that can itself match in several ways doubles them with each character.
fn tries(pattern: &str, length: usize) -> f64 {
    let (mut repeats, mut nested, mut in_class, mut after_repeat) = (0_i32, false, false, false);
    // For each open group, whether it can match in several ways; and the same for what was closed last.
    let (mut open, mut closed) = (vec![false], false);
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        let is_repeat = !in_class && matches!(c, '*' | '+' | '?' | '{') && !after_repeat;
        if is_repeat {
            repeats = repeats.saturating_add(1);
            nested |= closed && c != '?';
        }
        if (is_repeat || !in_class && c == '|')
            && let Some(group) = open.last_mut()
        {
            *group = true;
        }
        (closed, after_repeat) = (false, is_repeat);
        match c {
            '\\' => drop(chars.next()),
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => {
                // What follows a question mark says of which kind the group is.
                chars.next_if_eq(&'?');
                open.push(false);
            }
            ')' if !in_class && open.len() > 1 => {
                closed = open.pop().unwrap_or_default();
                if let Some(outer) = open.last_mut() {
                    *outer |= closed;
                }
            }
            _ => {}
        }
    }
    let length = length as f64;
    if nested { 2_f64.powf(length) } else { length.max(2.0).powi(repeats) }
}

/// Checks the cases of a file: its own and those of its near-misses.
///
/// # Errors
///
/// As [`check`], or when a near-miss cannot be made; the pointer is one into the file.
pub fn check_file(file: &CaseFile) -> Result<(), Flaw> {
    check(&file.case).map_err(|flaw| flaw.under("/case"))?;
    for (i, (_, case, _)) in file.variants()?.iter().enumerate().skip(1) {
        check(case).map_err(|flaw| Flaw::at(format!("/but/{}/change", i - 1), flaw.message))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{MOST_TRIES, check, tries};
    use hookproof_contract::Case;
    use serde_json::json;

    #[test]
    fn only_patterns_that_may_take_forever_are_refused() {
        for pattern in [
            "Bash",
            "Edit|Write",
            "^(Edit|Write)$",
            "mcp__.*__write.*",
            "(?<!Notebook)Edit",
            "[*+?]{2,3}",
            r"\*\+\?\(",
            "(ab)+c",
            ".*a.*b.*",
        ] {
            assert!(tries(pattern, 64) <= MOST_TRIES, "{pattern}");
        }
        for pattern in ["(a+)+$", "(x+x+)+y", "(a|a)*b", "((a|b)c)*d", "(?:.*a)+", &format!("{}b", "a?".repeat(60))] {
            assert!(tries(pattern, 64) > MOST_TRIES, "{pattern}");
        }
        assert!(tries("^(Edit|Write)+$", 20) <= MOST_TRIES, "a short text leaves little to try");
    }

    #[test]
    fn generated_cases_pass() {
        for seed in 0..2_000 {
            let checked = check(&hookproof_generate::from_seed(seed));
            assert_eq!(checked, Ok(()), "seed {seed}");
        }
    }

    #[test]
    fn a_matcher_that_may_take_forever_is_named() {
        let case: Case = serde_json::from_value(json!({
            "settings": [{"from": "user", "settings": {"hooks": {"PreToolUse": [{"matcher": "(a+)+$", "hooks": []}]}}}],
            "steps": [{"fire": {"event": "PreToolUse", "input": {"tool_name": format!("{}!", "a".repeat(40))}}}]
        }))
        .expect("a case");
        let flaw = check(&case).expect_err("it takes too long");
        assert_eq!(flaw.pointer, "/settings/0/settings/hooks/PreToolUse/0/matcher");
    }
}
