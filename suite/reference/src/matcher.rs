//! Matchers: which occurrences of an event a group is for (chapter *matchers*).

use crate::{Scene, given, postures::Nameless};
use hookproof_contract::Event;
use regress::Regex;
use serde_json::Value;

/// Whether a matcher selects what happens here.
pub(crate) fn selects(scene: &Scene<'_>, matcher: Option<&Value>) -> bool {
    let Some(target) = target(scene) else { return selects_nameless(scene, matcher) };
    match matcher {
        None | Some(Value::Null) => true,
        Some(Value::String(matcher)) => is_match(scene, matcher, target),
        Some(_) => false,
    }
}

/// Whether a matcher selects something without a name to compare. What it does for a model after the switch is open.
fn selects_nameless(scene: &Scene<'_>, matcher: Option<&Value>) -> bool {
    let written = match matcher {
        Some(Value::String(matcher)) if !matcher.is_empty() && matcher != "*" => matcher,
        _ => return true,
    };
    scene.event() != Event::PostModelSwitch
        || match scene.stance.nameless {
            Nameless::All => true,
            Nameless::ById => is_match(scene, written, scene.input_text("to_model").unwrap_or_default()),
            Nameless::None => false,
        }
}

/// What matchers of this event are compared with; `None` where they have no effect.
pub(crate) fn target<'a>(scene: &Scene<'a>) -> Option<&'a str> {
    match scene.event() {
        Event::PreToolUse
        | Event::PermissionRequest
        | Event::PermissionDenied
        | Event::PostToolUse
        | Event::PostToolUseFailure => Some(scene.input_text("tool_name").unwrap_or_default()),
        Event::SubagentStart | Event::SubagentStop => Some(scene.input_text("agent_type").unwrap_or_default()),
        Event::Elicitation | Event::ElicitationResult => Some(scene.input_text("mcp_server_name").unwrap_or_default()),
        Event::UserPromptExpansion => Some(scene.input_text("command_name").unwrap_or_default()),
        Event::SessionStart => Some(given::session_source(scene)),
        Event::SessionEnd => Some(scene.input_text("reason").unwrap_or_default()),
        Event::Notification => Some(scene.input_text("notification_type").unwrap_or_default()),
        Event::InstructionsLoaded => Some(scene.input_text("load_reason").unwrap_or_default()),
        Event::StopFailure => Some(scene.input_text("error").unwrap_or_default()),
        Event::Setup | Event::PreCompact | Event::PostCompact => Some(scene.input_text("trigger").unwrap_or_default()),
        Event::ConfigChange | Event::DirectoryAdded => Some(scene.input_text("source").unwrap_or_default()),
        Event::FileChanged => Some(base_name(scene.input_text("file_path").unwrap_or_default())),
        Event::PreModelSwitch | Event::PostModelSwitch => canonical_model(scene),
        _ => None,
    }
}

/// The canonical name of the model that the session goes over to. `None` where nobody can
/// tell it.
fn canonical_model<'a>(scene: &Scene<'a>) -> Option<&'a str> {
    let Some(written) = scene.input_text("to_model") else { return Some("") };
    let models = &scene.host().models;
    let plain = |name: &'a str| name.strip_suffix("[1m]").unwrap_or(name);
    let known = |name: &str| models.get(name).map(|canonical| plain(canonical));
    let is_name = || models.values().any(|canonical| plain(canonical) == plain(written));
    known(written).or_else(|| known(plain(written))).or_else(|| is_name().then(|| plain(written)))
}

/// The last part of a path.
fn base_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Whether a written matcher selects this target.
pub(crate) fn is_match(scene: &Scene<'_>, matcher: &str, target: &str) -> bool {
    if matcher.is_empty() || matcher == "*" {
        return true;
    }
    if matcher.chars().all(|c| is_exact(scene, c)) {
        return alternatives(scene, matcher).any(|name| !name.is_empty() && name == target);
    }
    Regex::new(matcher).is_ok_and(|pattern| pattern.find(target).is_some())
}

/// Whether a matcher with this character can still be compared exactly.
fn is_exact(scene: &Scene<'_>, c: char) -> bool {
    match c {
        '_' | '|' => true,
        // The kinds of errors are words with underscores, so nothing else belongs to a list of them. Names of files are not,
        // and all the same these lists have bars alone.
        '-' | ',' | ' ' if matches!(scene.event(), Event::StopFailure | Event::FileChanged) => false,
        '-' => scene.since(195),
        ',' | ' ' => scene.since(191),
        _ if scene.stance.unicode_names => c.is_alphanumeric(),
        _ => c.is_ascii_alphanumeric(),
    }
}

/// The names of an exact matcher. White space around a separator never counts; at the two ends it is an open point.
fn alternatives<'a>(scene: &Scene<'_>, matcher: &'a str) -> impl Iterator<Item = &'a str> {
    let literal = scene.stance.literal_ends;
    let count = matcher.split(['|', ',']).count();
    matcher.split(['|', ',']).enumerate().map(move |(i, name)| {
        let name = if literal && i == 0 { name } else { name.trim_start_matches(' ') };
        if literal && i + 1 == count { name } else { name.trim_end_matches(' ') }
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{ran, stage, stage_at, stage_read};
    use hookproof_contract::{Revision, reading};
    use serde_json::{Value, json};

    fn case(event: &str, matcher: &Value, input: &Value) -> Value {
        json!({"settings": [{"from": "user", "settings": {"hooks": {event: [{"matcher": matcher, "hooks": [{"type": "command", "command": "a"}]}]}}}],
               "steps": [{"fire": {"event": event, "input": input}}]})
    }

    fn tool(matcher: &str, name: &str) -> Value {
        case("PreToolUse", &json!(matcher), &json!({"tool_name": name, "tool_input": {}}))
    }

    fn selects(matcher: &str, name: &str) -> bool {
        !ran(&stage(tool(matcher, name))[0]).is_empty()
    }

    #[test]
    fn nothing_and_the_star_select_everything() {
        assert!(selects("", "Bash") && selects("*", "Bash"));
        assert!(!ran(&stage(case("PreToolUse", &Value::Null, &json!({"tool_name": "X"})))[0]).is_empty());
    }

    #[test]
    fn names_are_compared_exactly_and_with_their_case() {
        assert!(selects("Bash", "Bash"));
        assert!(!selects("Bash", "BashOutput") && !selects("bash", "Bash") && !selects("as", "Bash"));
        assert!(!selects("code-reviewer", "senior-code-reviewer"));
        assert!(!selects("mcp__memory", "mcp__memory__read"));
    }

    #[test]
    fn a_list_is_separated_by_bars_or_commas_with_or_without_blanks() {
        for matcher in ["Edit|Write", "Edit, Write", "Edit ,Write", "Edit | Write", "Edit||Write", "Write,"] {
            assert!(selects(matcher, "Write"), "{matcher}");
        }
        assert!(!selects("Edit|Write", "Edit|Write") && !selects(" ", "Bash") && !selects("|", ""));
    }

    #[test]
    fn any_other_character_makes_an_unanchored_ecmascript_pattern() {
        assert!(selects("Edit.*", "NotebookEdit") && selects("^Edit$", "Edit") && !selects("^Edit$", "NotebookEdit"));
        assert!(selects("mcp__.*__write.*", "mcp__fs__write_file"));
        assert!(selects("^(?!Bash).*", "Read") && !selects("^(?!Bash).*", "Bash"));
        assert!(selects("(a)\\1", "xaay"));
        assert!(!selects("\\d", "\u{663}"), "\\d is ASCII");
    }

    #[test]
    fn what_is_no_pattern_selects_nothing() {
        assert!(!selects("Bash|*", "Bash") && !selects("(", "("));
    }

    #[test]
    fn some_events_have_no_matcher() {
        for event in ["UserPromptSubmit", "Stop", "WorktreeCreate"] {
            assert_eq!(ran(&stage(case(event, &json!("Nothing"), &json!({})))[0]), ["a"], "{event}");
        }
    }

    #[test]
    fn elicitation_matches_the_server() {
        let fire = |matcher: &str| stage(case("Elicitation", &json!(matcher), &json!({"mcp_server_name": "tracker"})));
        assert_eq!(ran(&fire("tracker")[0]), ["a"]);
        assert!(ran(&fire("other")[0]).is_empty());
    }

    #[test]
    fn a_list_of_errors_has_bars_and_nothing_else() {
        let fire = |matcher: &str| stage(case("StopFailure", &json!(matcher), &json!({"error": "rate_limit"})));
        for (matcher, selects) in [
            ("rate_limit", true),
            ("overloaded|rate_limit", true),
            ("rate", false),
            ("Rate_limit", false),
            ("overloaded,rate_limit", false),
            ("overloaded | rate_limit", false),
            ("rate-limit", false),
            ("rate_limit ", false),
            ("rate.*", true),
            ("*", true),
        ] {
            assert_eq!(!ran(&fire(matcher)[0]).is_empty(), selects, "{matcher}");
        }
        // A pattern with a blank in it is found anywhere.
        let spaced = stage(case("StopFailure", &json!("limit, or"), &json!({"error": "no_limit, or so"})));
        assert_eq!(ran(&spaced[0]), ["a"]);
    }

    #[test]
    fn an_agent_without_a_type_has_an_empty_name() {
        let fire = |matcher: &str| stage(case("SubagentStop", &json!(matcher), &json!({"agent_type": ""})));
        for (matcher, selects) in
            [("reviewer", false), ("a|b", false), ("", true), ("*", true), (".*", true), ("^x", false)]
        {
            assert_eq!(!ran(&fire(matcher)[0]).is_empty(), selects, "{matcher}");
        }
    }

    #[test]
    fn open_points_and_gates_change_it() {
        let letters = stage_read(tool("Übe", "xÜbe"), &[reading!("A-90", "unicode")]);
        assert!(ran(&letters[0]).is_empty() && selects("Übe", "xÜbe"));
        let ends = stage_read(tool(" Bash", "Bash"), &[reading!("A-92", "literal")]);
        assert!(ran(&ends[0]).is_empty() && selects(" Bash", "Bash"));
        let before = stage_at(tool("a-b", "xa-b"), Revision(2, 1, 194));
        assert!(!ran(&before[0]).is_empty() && !selects("a-b", "xa-b"));
    }

    #[test]
    fn which_matchers_select_a_model_without_a_name_is_open_after_the_switch() {
        let fire = |event: &str, matcher: &str, name: &str| {
            let case = case(event, &json!(matcher), &json!({"from_model": "old", "to_model": "unlisted"}));
            let reading = hookproof_contract::Reading::parse("A-98", name).expect("a reading");
            !ran(&stage_read(case, &[reading])[0]).is_empty()
        };
        for (matcher, name, selects) in [
            ("unlisted", "all", true),
            ("other", "all", true),
            ("unlisted", "by the id", true),
            ("other", "by the id", false),
            ("unlisted", "none", false),
            ("*", "none", true),
        ] {
            assert_eq!(fire("PostModelSwitch", matcher, name), selects, "{matcher} {name}");
            assert!(fire("PreModelSwitch", matcher, name), "{matcher} {name}");
        }
    }

    #[test]
    fn ending_the_conversation_fires_nothing() {
        assert!(!selects("*", "EndConversation"));
    }
}
