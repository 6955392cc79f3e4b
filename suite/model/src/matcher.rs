//! Whether a group's matcher selects an occurrence of an event, and which rule says so (chapter *matchers*).

use crate::oracle::Oracle;
use hookproof_contract::{Event, RuleId, reading, rule};
use serde_json::Value;

/// What a matcher decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Match {
    /// It selects the occurrence, or not, by this rule.
    Decided(bool, RuleId),
    /// The contract does not say; nothing may be claimed of the step.
    Unknown,
}

/// Compares a group's matcher with the target of an event that supports matchers.
pub(crate) fn matches(
    event: Event,
    matcher: Option<&Value>,
    target: &str,
    target_rule: RuleId,
    oracle: &Oracle<'_>,
) -> Match {
    let pattern = match matcher {
        None if target.is_empty() && event == Event::SubagentStop => {
            return Match::Decided(true, rule!("SUBSTOP-IN-05"));
        }
        None if event == Event::Notification => return Match::Decided(true, rule!("NOTIF-01")),
        None if event == Event::FileChanged => return Match::Decided(true, rule!("FILECHG-07")),
        None => return Match::Decided(true, rule!("CONFIG-NEST-02")),
        Some(Value::String(pattern)) => pattern.as_str(),
        Some(_) => return Match::Unknown,
    };
    if pattern.is_empty() || pattern == "*" {
        let all = match (event, pattern) {
            (Event::PostToolUse, "*") => rule!("POSTTOOL-02"),
            (Event::UserPromptExpansion, "") => target_rule,
            (Event::FileChanged, "*") => rule!("FILECHG-08"),
            (Event::SubagentStop, _) if target.is_empty() => rule!("SUBSTOP-IN-05"),
            _ => rule!("MATCH-PAT-01"),
        };
        return Match::Decided(true, all);
    }
    if pattern.trim().is_empty() {
        // Whether that is an empty matcher hangs on what becomes of white space at its ends (open point A-92).
        return Match::Unknown;
    }
    if is_exact(event, pattern, oracle) {
        exact(event, pattern, target, target_rule, oracle)
    } else {
        match regex(pattern, target, oracle) {
            Match::Decided(hit, rule) if matches!(event, Event::SubagentStop | Event::SubagentStart) => {
                Match::Decided(hit, on_an_agent(pattern, target, rule))
            }
            // Elsewhere it would be an exact matcher.
            Match::Decided(hit, _) if is_narrow(event) && pattern.chars().all(is_plain) => {
                Match::Decided(hit, rule!("MATCH-PAT-06"))
            }
            decided => decided,
        }
    }
}

/// The rule for a pattern that is compared with a type of agent: both are rules of no other target.
fn on_an_agent(pattern: &str, target: &str, rule: RuleId) -> RuleId {
    match () {
        () if rule != rule!("MATCH-PAT-05") => rule,
        () if target.is_empty() => rule!("SUBSTOP-IN-05"),
        // The name of a plugin's agent is a pattern because of its colon.
        () if pattern.contains(':') => rule!("SUBSTART-04"),
        () => rule,
    }
}

/// Whether a matcher stays inside the exact alphabet of the events modelled here.
fn is_exact(event: Event, pattern: &str, oracle: &Oracle<'_>) -> bool {
    let narrow = is_narrow(event);
    let plain = |c: char| is_plain(c) && !(narrow && matches!(c, '-' | ' ' | ','));
    if pattern.chars().all(plain) {
        return true;
    }
    let letters_only = pattern.chars().all(|c| plain(c) || (!c.is_ascii() && c.is_alphanumeric()));
    letters_only && oracle.is(reading!("A-90", "unicode"))
}

/// Whether exact matchers of an event have the narrow alphabet.
fn is_narrow(event: Event) -> bool {
    matches!(event, Event::StopFailure | Event::FileChanged)
}

/// The characters of exact matchers on most events.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ' | ',' | '|')
}

fn exact(event: Event, pattern: &str, target: &str, target_rule: RuleId, oracle: &Oracle<'_>) -> Match {
    // White space around a separator is optional; at the two ends of the whole matcher it is an open point.
    let mut alternatives: Vec<&str> = pattern.split(['|', ',']).collect();
    if target.is_empty() && event == Event::SubagentStop {
        // Names of agents are not empty; what an alternative without a name is, is not said.
        let named = alternatives.iter().all(|name| !name.trim().is_empty());
        return if named { Match::Decided(false, rule!("SUBSTOP-IN-05")) } else { Match::Unknown };
    }
    let last = alternatives.len() - 1;
    let ends_matter = pattern.starts_with(' ') || pattern.ends_with(' ');
    let literal = ends_matter && oracle.is(reading!("A-92", "literal"));
    for (i, alternative) in alternatives.iter_mut().enumerate() {
        let start = if literal && i == 0 { *alternative } else { alternative.trim_start_matches(' ') };
        *alternative = if literal && i == last { start } else { start.trim_end_matches(' ') };
    }
    let hit = alternatives.contains(&target);
    if event == Event::InstructionsLoaded && matches!(pattern, "session_start" | "path_glob_match|nested_traversal") {
        return Match::Decided(hit, rule!("INSTR-07"));
    }
    if last > 0 {
        return Match::Decided(hit, if is_narrow(event) { rule!("MATCH-PAT-06") } else { rule!("MATCH-PAT-03") });
    }
    Match::Decided(hit, single(event, alternatives[0], target, hit, target_rule))
}

/// The most specific rule for a matcher that is one exact string.
fn single(event: Event, name: &str, target: &str, hit: bool, target_rule: RuleId) -> RuleId {
    // The rules of all matchers speak of tools; other targets have a rule that names what is compared.
    let own = target_rule != rule!("MATCH-TGT-TOOL");
    if hit {
        return match () {
            () if event == Event::StopFailure && target == "cloud_credential_error" => rule!("MATCH-TGT-STOPFAIL-02"),
            () if own => target_rule,
            () if target.starts_with("mcp__") => rule!("MATCH-MCP-01"),
            () if event == Event::PostToolUse => target_rule,
            () => rule!("MATCH-PAT-02"),
        };
    }
    match () {
        () if name.starts_with("mcp__") && target.starts_with(name) => rule!("MATCH-MCP-02"),
        () if target.contains("mcp__plugin_") && name.starts_with("mcp__") => rule!("MATCH-MCP-04"),
        () if target.contains(name) && is_narrow(event) => rule!("MATCH-PAT-06"),
        () if target.contains(name) => rule!("MATCH-PAT-04"),
        () if target.eq_ignore_ascii_case(name) => rule!("MATCH-PAT-09"),
        () if own => target_rule,
        () => rule!("CONFIG-NEST-02"),
    }
}

/// A matcher outside the exact alphabet is an ECMAScript regular expression without flags, searched anywhere in the target.
fn regex(pattern: &str, target: &str, oracle: &Oracle<'_>) -> Match {
    let Ok(regex) = regress::Regex::new(pattern) else {
        if oracle.is(reading!("A-91", "free")) {
            return Match::Unknown;
        }
        return Match::Decided(false, rule!("CONFIG-NEST-02"));
    };
    let by = if pattern.starts_with("mcp__.*__") { rule!("MATCH-MCP-03") } else { rule!("MATCH-PAT-05") };
    Match::Decided(regex.find(target).is_some(), by)
}

#[cfg(test)]
mod tests {
    use super::{Match, matches};
    use crate::oracle::Oracle;
    use hookproof_contract::{Event, Readings, Revision, RuleId, rule};
    use serde_json::json;

    /// Whether a matcher selects an occurrence, and by which rule; every point that is asked about must be one of `asks`.
    fn on(event: Event, own: RuleId, pattern: &str, target: &str, asks: &[&str]) -> (bool, &'static str) {
        let declared = Readings::default();
        let oracle = Oracle::new(Revision::NEWEST, &declared, Vec::new());
        let decided = matches(event, Some(&json!(pattern)), target, own, &oracle);
        let asked: Vec<&str> = oracle.into_answers().iter().map(|answer| answer.point.as_str()).collect();
        assert_eq!(asked, asks, "{pattern} on {target}");
        match decided {
            Match::Decided(hit, rule) => (hit, rule.as_str()),
            Match::Unknown => panic!("{pattern} is unknown"),
        }
    }

    fn hit(pattern: &str, target: &str) -> (bool, &'static str) {
        on(Event::PreToolUse, rule!("MATCH-TGT-TOOL"), pattern, target, &[])
    }

    #[test]
    fn some_events_have_rules_of_their_own_for_a_matcher() {
        let tool = |pattern: &str| on(Event::PostToolUse, rule!("MATCH-TGT-TOOL"), pattern, "Write", &[]);
        assert_eq!(tool("*"), (true, "POSTTOOL-02"));
        assert_eq!(tool(""), (true, "MATCH-PAT-01"));
        let failure =
            |pattern: &str| on(Event::StopFailure, rule!("MATCH-TGT-STOPFAIL"), pattern, "cloud_credential_error", &[]);
        assert_eq!(failure("cloud_credential_error"), (true, "MATCH-TGT-STOPFAIL-02"));
        assert_eq!(failure("rate_limit"), (false, "MATCH-TGT-STOPFAIL"));
        let tool =
            on(Event::PreToolUse, rule!("MATCH-TGT-TOOL"), "cloud_credential_error", "cloud_credential_error", &[]);
        assert_eq!(tool, (true, "MATCH-PAT-02"), "the value is one of another event");
    }

    #[test]
    fn an_agent_without_a_type_and_one_of_a_plugin_have_rules_of_their_own() {
        let agent = |pattern: &str, target: &str, asks| {
            on(Event::SubagentStop, rule!("MATCH-TGT-SUBAGENT"), pattern, target, asks)
        };
        assert_eq!(agent("*", "Explore", &[]), (true, "MATCH-PAT-01"));
        assert_eq!(agent("*", "", &[]), (true, "SUBSTOP-IN-05"));
        assert_eq!(agent("plugin:rev", "my-plugin:reviewer", &[]), (true, "SUBSTART-04"));
        // By the colon it is compared as a pattern, and it is none: no rule of patterns tells of that.
        assert_eq!(agent("plugin:(", "my-plugin:reviewer", &["A-91"]), (false, "CONFIG-NEST-02"));
    }

    #[test]
    fn only_letters_and_digits_beyond_ascii_may_be_exact() {
        assert_eq!(hit("Bash\u{2192}", "Bash"), (false, "MATCH-PAT-05"), "an arrow is neither");
        let (selects, _) = on(Event::PreToolUse, rule!("MATCH-TGT-TOOL"), "Bash\u{e9}", "Bash", &["A-90"]);
        assert!(!selects);
    }

    #[test]
    fn each_kind_of_matcher_has_its_rule() {
        for (pattern, target, wanted) in [
            ("", "Bash", (true, "MATCH-PAT-01")),
            ("*", "Bash", (true, "MATCH-PAT-01")),
            ("Bash", "Bash", (true, "MATCH-PAT-02")),
            ("Bash", "BashOutput", (false, "MATCH-PAT-04")),
            ("bash", "Bash", (false, "MATCH-PAT-09")),
            ("Edit", "Bash", (false, "CONFIG-NEST-02")),
            ("Edit|Write", "Write", (true, "MATCH-PAT-03")),
            ("Edit, Write", "Write", (true, "MATCH-PAT-03")),
            ("Edit , Write", "Edit", (true, "MATCH-PAT-03")),
            ("mcp__memory", "mcp__memory__create", (false, "MATCH-MCP-02")),
            ("mcp__brave-search", "mcp__brave-search__web", (false, "MATCH-MCP-02")),
            ("mcp__memory__.*", "mcp__memory__create", (true, "MATCH-PAT-05")),
            ("mcp__.*__write.*", "mcp__fs__write_file", (true, "MATCH-MCP-03")),
            ("Edit.*", "NotebookEdit", (true, "MATCH-PAT-05")),
            ("^Edit$", "NotebookEdit", (false, "MATCH-PAT-05")),
            ("(?!Bash)^.", "Bash", (false, "MATCH-PAT-05")),
            ("(?<!Notebook)Edit", "NotebookEdit", (false, "MATCH-PAT-05")),
        ] {
            assert_eq!(hit(pattern, target), wanted, "{pattern} on {target}");
        }
    }
}
