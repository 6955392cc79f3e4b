//! Permission rules, `Tool` or `Tool(the exact command)`, and the updates by which hooks change them (chapter *permissions*).

use hookproof_contract::Host;
use serde_json::{Map, Value};

/// What the rules say of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Say {
    Deny,
    Ask,
    Allow,
    Nothing,
}

/// A permission update.
#[derive(Clone, Debug)]
pub(crate) struct Update {
    /// As the hook wrote it.
    pub(crate) given: Value,
    pub(crate) change: Change,
}

/// What a permission update changes.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Rules(How, Vec<Entry>),
    /// The permission mode.
    Mode(String),
    /// The working directories.
    Directories,
}

/// What becomes of the rules that an update lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    Add,
    Replace,
    Remove,
}

/// A rule of an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    say: Say,
    destination: String,
    rule: String,
}

/// What updates have made of the rules that were in force at the beginning.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    added: Vec<Entry>,
    removed: Vec<Entry>,
}

impl Rules {
    /// An update of rules takes effect. Where the rules of the beginning are written is not known, so that a replacement
    /// leaves them alone.
    pub(crate) fn change(&mut self, how: How, entries: &[Entry]) {
        let is_same = |a: &Entry, b: &Entry| a.say == b.say && a.rule == b.rule;
        let is_beside = |a: &Entry, b: &Entry| a.say == b.say && a.destination == b.destination;
        match how {
            How::Add => {}
            How::Replace => self.added.retain(|old| !entries.iter().any(|entry| is_beside(old, entry))),
            How::Remove => self.added.retain(|old| !entries.iter().any(|entry| is_same(old, entry))),
        }
        let list = if how == How::Remove { &mut self.removed } else { &mut self.added };
        list.extend_from_slice(entries);
    }

    /// The same in the next session, where what was not written to a file is gone.
    pub(crate) fn saved(mut self) -> Rules {
        for list in [&mut self.added, &mut self.removed] {
            list.retain(|entry| entry.destination != "session");
        }
        self
    }

    fn adds(&self, say: Say, tool: &str, input: &Value) -> bool {
        self.added.iter().any(|entry| entry.say == say && is_about(&entry.rule, tool, input))
    }

    fn removes(&self, say: Say, rule: &str) -> bool {
        self.removed.iter().any(|entry| entry.say == say && entry.rule == rule)
    }
}

/// What the rules in force say of a call: a deny is stronger than an ask, and that than an allow.
pub(crate) fn of(host: &Host, updated: &Rules, tool: &str, input: &Value) -> Say {
    let rules = &host.permissions;
    let any = |say: Say, rules: &[String]| {
        let stands = |rule: &&String| is_about(rule, tool, input) && !updated.removes(say, rule);
        rules.iter().any(|rule| stands(&rule)) || updated.adds(say, tool, input)
    };
    match () {
        () if any(Say::Deny, &rules.deny) => Say::Deny,
        () if any(Say::Ask, &rules.ask) => Say::Ask,
        () if any(Say::Allow, &rules.allow) => Say::Allow,
        () => Say::Nothing,
    }
}

fn is_about(rule: &str, tool: &str, input: &Value) -> bool {
    match rule.split_once('(').map(|(name, rest)| (name, rest.strip_suffix(')'))) {
        Some((name, Some(command))) => name == tool && input.get("command").and_then(Value::as_str) == Some(command),
        _ => rule == tool,
    }
}

/// Reads an entry of `updatedPermissions`; nothing where it is none.
pub(crate) fn update(given: Value) -> Option<Update> {
    let fields = given.as_object()?;
    let text = |key: &str| fields.get(key).and_then(Value::as_str);
    let destination = text("destination")?;
    if !matches!(destination, "session" | "localSettings" | "projectSettings" | "userSettings") {
        return None;
    }
    let change = match text("type")? {
        "addRules" => Change::Rules(How::Add, entries(fields, destination)?),
        "replaceRules" => Change::Rules(How::Replace, entries(fields, destination)?),
        "removeRules" => Change::Rules(How::Remove, entries(fields, destination)?),
        "setMode" => Change::Mode(mode(text("mode")?)?.to_owned()),
        "addDirectories" | "removeDirectories" => {
            fields.get("directories")?.as_array()?.iter().all(Value::is_string).then_some(Change::Directories)?
        }
        _ => return None,
    };
    Some(Update { given, change })
}

/// A permission mode by the name that hooks know it by.
fn mode(name: &str) -> Option<&str> {
    match name {
        "manual" => Some("default"),
        "default" | "auto" | "acceptEdits" | "dontAsk" | "bypassPermissions" | "plan" => Some(name),
        _ => None,
    }
}

/// The rules of an update, in the settings' syntax.
fn entries(fields: &Map<String, Value>, destination: &str) -> Option<Vec<Entry>> {
    let say = match fields.get("behavior")?.as_str()? {
        "allow" => Say::Allow,
        "deny" => Say::Deny,
        "ask" => Say::Ask,
        _ => return None,
    };
    let entry = |item: &Value| {
        let tool = item.get("toolName")?.as_str()?;
        let rule = match item.get("ruleContent") {
            None => tool.to_owned(),
            Some(content) => format!("{tool}({})", content.as_str()?),
        };
        Some(Entry { say, destination: destination.to_owned(), rule })
    };
    fields.get("rules")?.as_array()?.iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::{Change, Rules, Say, of, update};
    use hookproof_contract::{Host, Permissions};
    use serde_json::json;

    fn says(allow: &[&str], ask: &[&str], deny: &[&str]) -> Say {
        let list = |rules: &[&str]| rules.iter().map(|rule| (*rule).to_owned()).collect();
        let permissions = Permissions { allow: list(allow), ask: list(ask), deny: list(deny) };
        let host = Host { permissions, ..Host::default() };
        of(&host, &Rules::default(), "Bash", &json!({"command": "echo (a)"}))
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

    fn entry(kind: &str, behavior: &str, destination: &str) -> serde_json::Value {
        json!({"type": kind, "behavior": behavior, "destination": destination, "rules": [{"toolName": "Bash", "ruleContent": "ls"}]})
    }

    #[test]
    fn updates_add_replace_and_remove_rules() {
        let permissions = Permissions { allow: vec!["Bash".to_owned()], ..Permissions::default() };
        let host = Host { permissions, ..Host::default() };
        let mut rules = Rules::default();
        let mut says = |kind: &str, behavior: &str, destination: &str| {
            match update(entry(kind, behavior, destination)).expect("an update").change {
                Change::Rules(how, entries) => rules.change(how, &entries),
                other => panic!("{other:?}"),
            }
            of(&host, &rules, "Bash", &json!({"command": "ls"}))
        };
        assert_eq!(says("addRules", "deny", "session"), Say::Deny);
        assert_eq!(says("removeRules", "ask", "session"), Say::Deny);
        assert_eq!(says("removeRules", "deny", "session"), Say::Allow);
        assert_eq!(says("replaceRules", "ask", "userSettings"), Say::Ask);
        assert_eq!(of(&host, &rules.saved(), "Bash", &json!({"command": "ls"})), Say::Ask);
    }

    #[test]
    fn what_is_no_update_is_none() {
        for (key, value) in [
            ("type", json!("addRule")),
            ("behavior", json!("never")),
            ("destination", json!("here")),
            ("rules", json!([{"ruleContent": "ls"}])),
            ("rules", json!("Bash")),
        ] {
            let mut flawed = entry("addRules", "allow", "session");
            flawed[key] = value;
            assert!(update(flawed.clone()).is_none(), "{flawed}");
        }
        assert!(update(json!({"type": "setMode", "mode": "fast", "destination": "session"})).is_none());
    }
}
