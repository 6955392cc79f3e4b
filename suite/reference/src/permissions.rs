//! Permission rules: `Tool`, or `Tool(the exact command)` (chapter *permissions*).

use hookproof_contract::Host;
use serde_json::Value;

/// What the rules say of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Say {
    Deny,
    Ask,
    Allow,
    Nothing,
}

/// What the rules in force say of a call: a deny is stronger than an ask, and that than an allow.
pub(crate) fn of(host: &Host, tool: &str, input: &Value) -> Say {
    let any = |rules: &[String]| rules.iter().any(|rule| is_about(rule, tool, input));
    let rules = &host.permissions;
    match () {
        () if any(&rules.deny) => Say::Deny,
        () if any(&rules.ask) => Say::Ask,
        () if any(&rules.allow) => Say::Allow,
        () => Say::Nothing,
    }
}

fn is_about(rule: &str, tool: &str, input: &Value) -> bool {
    match rule.split_once('(').map(|(name, rest)| (name, rest.strip_suffix(')'))) {
        Some((name, Some(command))) => name == tool && input.get("command").and_then(Value::as_str) == Some(command),
        _ => rule == tool,
    }
}

#[cfg(test)]
mod tests {
    use super::{Say, of};
    use hookproof_contract::{Host, Permissions};
    use serde_json::json;

    fn says(allow: &[&str], ask: &[&str], deny: &[&str]) -> Say {
        let list = |rules: &[&str]| rules.iter().map(|rule| (*rule).to_owned()).collect();
        let permissions = Permissions { allow: list(allow), ask: list(ask), deny: list(deny) };
        let host = Host { permissions, ..Host::default() };
        of(&host, "Bash", &json!({"command": "echo (a)"}))
    }

    #[test]
    fn a_rule_is_about_a_tool_or_one_command() {
        assert_eq!(says(&["Bash"], &[], &[]), Say::Allow);
        assert_eq!(says(&[], &["Bash(echo (a))"], &[]), Say::Ask);
        assert_eq!(says(&[], &["Bash(echo)", "bash", "Bas"], &[]), Say::Nothing);
    }

    #[test]
    fn the_stricter_rule_counts() {
        assert_eq!(says(&["Bash"], &["Bash"], &["Bash"]), Say::Deny);
        assert_eq!(says(&["Bash"], &["Bash"], &[]), Say::Ask);
    }
}
