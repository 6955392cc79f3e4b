//! How the host's permission rules bear on a call.

use crate::{
    condition,
    shell::{self, Script},
};
use hookproof_contract::{Fact, Fate, Firing, Host, Permissions, Surface};
use serde_json::Value;

/// How a permission rule of the host bears on an input.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bearing {
    Deny,
    Ask,
    None,
}

/// How permission rules bear on a call; nothing where a rule has a form that cases do not use.
pub(crate) fn bearing(permissions: &Permissions, tool: &str, input: &Value) -> Option<Bearing> {
    let matches = |rules: &[String]| -> Option<bool> {
        let mut any = false;
        for rule in rules {
            any |= match rule.split_once('(') {
                None if rule == tool => true,
                // Other rules without parentheses are no names of tools.
                None if may_cover(rule, tool) || !is_name(rule) => return None,
                None => false,
                Some((name, _)) if name != tool && is_name(name) && !may_cover(name, tool) => false,
                Some((name, _)) if name != tool => return None,
                // How paths are compared is told elsewhere.
                Some(_) if tool != "Bash" => return None,
                Some((_, rest)) => {
                    let exact = rest.strip_suffix(')').filter(|c| !c.contains(['*', ':']))?;
                    is_exactly(input.get("command")?.as_str()?, exact)?
                }
            };
        }
        Some(any)
    };
    let (deny, ask) = (matches(&permissions.deny)?, matches(&permissions.ask)?);
    Some(if deny {
        Bearing::Deny
    } else if ask {
        Bearing::Ask
    } else {
        Bearing::None
    })
}

/// Whether a rule by the name of another tool may be about this one too: those of files may speak of one another, and the name of a
/// server may stand for its tools.
pub(crate) fn may_cover(name: &str, tool: &str) -> bool {
    condition::are_akin(name, tool) || tool.starts_with(name)
}

/// Whether a rule that names a command is about one. How it meets several, or what is set or run before one, is told elsewhere.
fn is_exactly(command: &str, exact: &str) -> Option<bool> {
    if command == exact {
        let sets = command.split(' ').next().is_some_and(|first| first.contains('='));
        return (!sets && !command.contains([';', '&', '|', '\n', '$', '`', '('])).then_some(true);
    }
    let Script::Known(commands) = shell::read(command) else { return None };
    let [only] = commands.as_slice() else { return None };
    let plain = !only.assigned && !only.spaced && !only.wraps() && !only.is_grammar() && !shell::is_open(command);
    plain.then_some(false)
}

/// Whether this can only be the name of one tool.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}

/// Why a tool call cannot be, if it says of itself other than what the permission rules of its host say.
pub(crate) fn contradiction(host: &Host, firing: &Firing) -> Option<String> {
    let tool = firing.input.get("tool_name").and_then(Value::as_str).unwrap_or_default();
    let input = firing.input.get("tool_input").unwrap_or(&Value::Null);
    let wanted = match bearing(&host.permissions, tool, input)? {
        Bearing::Deny if firing.otherwise != Fate::Prevented => "a deny rule matches the call: it must be `prevented`",
        Bearing::Ask if firing.otherwise == Fate::Proceeds => {
            "an ask rule matches the call: it must be `asked`, or `prevented` where nobody can be asked"
        }
        Bearing::None if firing.otherwise == Fate::Asked && is_allowed(host, tool, input) => {
            "an allow rule matches the call: it must be `proceeds`"
        }
        _ => return None,
    };
    Some(format!("`otherwise` is `{}`, but {wanted}", firing.otherwise.name()))
}

/// Why a request for permission cannot be, if it says of itself other than what its host says of it.
pub(crate) fn of_a_request(host: &Host, firing: &Firing) -> Option<String> {
    let tool = firing.input.get("tool_name").and_then(Value::as_str).unwrap_or_default();
    let input = firing.input.get("tool_input").unwrap_or(&Value::Null);
    if firing.input.contains_key("tool_use_id") {
        return Some("`input` holds `tool_use_id`, which a request for permission has not".to_owned());
    }
    let wanted = match host.surface {
        Surface::Terminal => Some((Fate::Asked, "in the terminal the user is asked")),
        Surface::Print | Surface::Sdk if host.permission_host => Some((Fate::Asked, "the host is asked")),
        Surface::Print | Surface::Sdk => Some((Fate::Prevented, "nobody can be asked")),
        Surface::Background => None,
    };
    if let Some((fate, why)) = wanted.filter(|(fate, _)| *fate != firing.otherwise) {
        return Some(format!("`otherwise` is `{}`, but {why}: it must be `{}`", firing.otherwise.name(), fate.name()));
    }
    let as_deny = Permissions { deny: host.permissions.allow.clone(), ..Permissions::default() };
    match bearing(&host.permissions, tool, input)? {
        Bearing::Deny => Some("a deny rule matches the call, about which nobody is asked then".to_owned()),
        Bearing::None
            if bearing(&as_deny, tool, input) == Some(Bearing::Deny)
                && !host.facts.contains(&Fact::RequiresInteraction) =>
        {
            Some("an allow rule matches the call, about which nobody is asked then".to_owned())
        }
        _ => None,
    }
}

/// Whether an input has what its tool cannot do without, as far as the contract's tables show. What becomes of a call that a hook
/// left without is not said.
pub(crate) fn is_whole(tool: &str, input: &Value) -> bool {
    let needed: &[&str] = match tool {
        "Bash" | "PowerShell" => &["command"],
        "Write" => &["file_path", "content"],
        "Edit" => &["file_path", "old_string", "new_string"],
        "Read" => &["file_path"],
        "Glob" | "Grep" => &["pattern"],
        _ => &[],
    };
    needed.iter().all(|field| input.get(field).is_some_and(Value::is_string))
}

/// Whether a tool cannot run before the user has given an answer.
pub(crate) fn needs_an_answer(tool: &str) -> bool {
    matches!(tool, "AskUserQuestion" | "ExitPlanMode")
}

/// Whether an allow rule matches a call that wants no person besides.
pub(crate) fn is_allowed(host: &Host, tool: &str, input: &Value) -> bool {
    let as_deny = Permissions { deny: host.permissions.allow.clone(), ..Permissions::default() };
    let wants_a_person = !host.facts.is_empty() || needs_an_answer(tool);
    !wants_a_person && bearing(&as_deny, tool, input) == Some(Bearing::Deny)
}

#[cfg(test)]
mod tests {
    use super::{Bearing, bearing, contradiction};
    use hookproof_contract::{Firing, Host, Permissions};
    use serde_json::{Value, json};

    #[test]
    fn a_rule_is_about_a_tool_or_one_command_and_other_forms_are_not_read() {
        for (rule, tool, input, denies) in [
            ("Bash", "Bash", json!({"command": "ls"}), Some(true)),
            ("Bash(ls)", "Bash", json!({"command": "ls"}), Some(true)),
            ("Bash(rm)", "Bash", json!({"command": "ls"}), Some(false)),
            ("Edit", "Bash", json!({"command": "ls"}), Some(false)),
            ("mcp__a-b__read", "Bash", json!({"command": "ls"}), Some(false)),
            ("Edit(a.ts)", "Bash", json!({"command": "ls"}), Some(false)),
            ("Bash(ls:*)", "Bash", json!({"command": "ls"}), None),
            ("Bash(rm -rf ~)", "Bash", json!({"command": "rm -rf ~"}), Some(true)),
            ("Bash(ls)", "Bash", json!({"command": "ls -l"}), Some(false)),
            ("Bash(ls)", "Bash", json!({"command": "ls && rm x"}), None),
            ("Bash(ls && rm x)", "Bash", json!({"command": "ls && rm x"}), None),
            ("Bash(ls)", "Bash", json!({"command": "A=1 ls"}), None),
            ("Bash(A=1 ls)", "Bash", json!({"command": "A=1 ls"}), None),
            ("Bash(ls)", "Bash", json!({"command": "nice ls"}), None),
            ("Bash(ls)", "Bash", json!({"command": "time ls"}), None),
            ("Bash(ls)", "Bash", json!({"command": "echo $(ls)"}), None),
            ("Bash(ls)", "Bash", json!({"command": "ls $HOME"}), None),
            ("Bash(ls)", "Bash", json!({"command": " ls"}), None),
            ("Bash(ls)", "Bash", json!({"timeout": 5}), None),
            ("Edit", "Write", json!({"file_path": "a.ts"}), None),
            ("Edit(a.ts)", "Write", json!({"file_path": "a.ts"}), None),
            ("Edit", "NotebookEdit", json!({}), None),
            ("Read", "Grep", json!({"pattern": "x"}), None),
            ("mcp__memory__read", "mcp__memory__create", json!({}), Some(false)),
            ("Edit(a.ts)", "Edit", json!({"file_path": "a.ts"}), None),
            ("mcp__memory", "mcp__memory__create", json!({}), None),
            ("*", "Bash", json!({"command": "ls"}), None),
            ("", "Bash", json!({"command": "ls"}), None),
            ("*(ls)", "Bash", json!({"command": "ls"}), None),
            ("(ls)", "Bash", json!({"command": "ls"}), None),
        ] {
            let permissions = Permissions { deny: vec![rule.to_owned()], ..Permissions::default() };
            let found = bearing(&permissions, tool, &input).map(|bearing| bearing == Bearing::Deny);
            assert_eq!(found, denies, "{rule} on {tool}");
        }
    }

    #[test]
    fn what_a_call_comes_to_agrees_with_the_rules_that_match_it() {
        let of = |host: Value, tool: &str, otherwise: &str| {
            let input = json!({"tool_name": tool, "tool_input": {"command": "ls"}, "tool_use_id": "t"});
            let firing = json!({"event": "PreToolUse", "input": input, "otherwise": otherwise});
            let firing: Firing = serde_json::from_value(firing).expect("a firing");
            let host: Host = serde_json::from_value(host).expect("a host");
            contradiction(&host, &firing).is_some()
        };
        let rules = |list: &str, tool: &str| json!({"permissions": {list: [tool]}});
        let mut by_a_person = rules("allow", "mcp__memory__create");
        by_a_person["facts"] = json!(["requires_interaction"]);
        for (host, tool, otherwise, refused) in [
            (rules("deny", "Bash"), "Bash", "prevented", false),
            (rules("deny", "Bash"), "Bash", "proceeds", true),
            (rules("deny", "Bash"), "Bash", "asked", true),
            (rules("ask", "Bash"), "Bash", "proceeds", true),
            (rules("ask", "Bash"), "Bash", "asked", false),
            (rules("ask", "Bash"), "Bash", "prevented", false),
            (rules("allow", "Bash"), "Bash", "asked", true),
            (rules("allow", "Bash"), "Bash", "proceeds", false),
            (rules("allow", "Edit"), "Bash", "asked", false),
            (rules("allow", "AskUserQuestion"), "AskUserQuestion", "asked", false),
            (by_a_person, "mcp__memory__create", "asked", false),
        ] {
            assert_eq!(of(host.clone(), tool, otherwise), refused, "{host} {tool} {otherwise}");
        }
    }
}
