//! Entries of `updatedPermissions`: which are valid, which take effect, and what the session's mode is after them.

use crate::{
    chapters::{
        given::is_plain_absolute,
        pre_tool_use::permission::{Bearing, bearing},
    },
    session::Session,
};
use hookproof_contract::{Fact, Permissions, RuleId, rule};
use serde_json::Value;

/// What the entries of one answer change.
pub(crate) struct Changes {
    /// Those that took effect, where that is certain of each.
    pub(crate) applied: Option<Vec<Value>>,
    /// The rule by which they did.
    pub(super) by: RuleId,
    /// Whether one is refused.
    pub(super) refused: bool,
    /// The mode that the session is in now, with its rule, where they changed it; nothing where that is not certain.
    pub(super) mode: Option<Option<(&'static str, RuleId)>>,
}

impl Changes {
    /// The mode that the session is in now, if it was in this one.
    pub(crate) fn mode_after<'a>(&self, before: Option<&'a str>) -> Option<&'a str> {
        match self.mode {
            Some(Some((mode, _))) => Some(mode),
            Some(None) => before,
            None => None,
        }
    }
}

const MODES: [(&str, &str); 7] = [
    ("default", "default"),
    ("manual", "default"),
    ("auto", "auto"),
    ("acceptEdits", "acceptEdits"),
    ("dontAsk", "dontAsk"),
    ("bypassPermissions", "bypassPermissions"),
    ("plan", "plan"),
];

/// Whether an entry is such as the contract describes it.
pub(super) fn is_valid(entry: &Value) -> bool {
    let one_of =
        |key: &str, words: &[&str]| entry.get(key).and_then(Value::as_str).is_some_and(|word| words.contains(&word));
    let each = |key: &str, fits: &dyn Fn(&Value) -> bool| {
        entry.get(key).and_then(Value::as_array).is_some_and(|all| !all.is_empty() && all.iter().all(fits))
    };
    let of_type = match kind(entry) {
        "addRules" | "replaceRules" | "removeRules" => {
            one_of("behavior", &["allow", "deny", "ask"]) && each("rules", &is_rule)
        }
        "setMode" => mode(entry).is_some(),
        "addDirectories" | "removeDirectories" => {
            each("directories", &|path| path.as_str().is_some_and(is_plain_absolute))
        }
        _ => false,
    };
    of_type && one_of("destination", &["session", "localSettings", "projectSettings", "userSettings"])
}

fn kind(entry: &Value) -> &str {
    entry.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// The mode that an entry sets, by the name under which hooks are told it.
fn mode(entry: &Value) -> Option<&'static str> {
    let wanted = entry.get("mode")?.as_str()?;
    MODES.into_iter().find(|(name, _)| *name == wanted).map(|(_, mode)| mode)
}

fn is_rule(rule: &Value) -> bool {
    let text = |key: &str| rule.get(key).and_then(Value::as_str).is_some_and(|text| !text.is_empty());
    text("toolName") && (rule.get("ruleContent").is_none() || text("ruleContent"))
}

/// Whether an entry may change how the rules that deny and ask bear on a call.
pub(super) fn may_bear(entry: &Value, permissions: &Permissions, tool: &str, input: &Value) -> bool {
    if !matches!(behavior(entry), "deny" | "ask") {
        return false;
    }
    let as_deny = Permissions { deny: rules(entry).map(written).collect(), ..Permissions::default() };
    let replaces = kind(entry) == "replaceRules" && bearing(permissions, tool, input) != Some(Bearing::None);
    replaces || bearing(&as_deny, tool, input) != Some(Bearing::None)
}

fn behavior(entry: &Value) -> &str {
    entry.get("behavior").and_then(Value::as_str).unwrap_or_default()
}

fn rules(entry: &Value) -> impl Iterator<Item = &Value> {
    entry.get("rules").and_then(Value::as_array).into_iter().flatten()
}

/// A rule as settings write it.
fn written(rule: &Value) -> String {
    let text = |key: &str| rule.get(key).and_then(Value::as_str);
    let tool = text("toolName").unwrap_or_default();
    text("ruleContent").map_or_else(|| tool.to_owned(), |content| format!("{tool}({content})"))
}

/// What valid entries change; nothing where there are none.
pub(super) fn changes(session: &Session<'_>, entries: &[Value]) -> Option<Changes> {
    let mut applied = Some(Vec::new());
    let mut mode = Some(None);
    let mut refused = false;
    let effects: Vec<Option<bool>> = (0..entries.len()).map(|at| effect(session, entries, at)).collect();
    for (entry, effect) in entries.iter().zip(&effects) {
        match effect {
            Some(true) => applied.iter_mut().for_each(|all| all.push(entry.clone())),
            Some(false) => refused = true,
            None => applied = None,
        }
    }
    let modes: Vec<(&Value, Option<bool>)> =
        entries.iter().zip(effects).filter(|(entry, _)| kind(entry) == "setMode").collect();
    if modes.iter().filter(|(_, effect)| *effect != Some(false)).count() > 1 {
        // One of them undoes the other.
        applied = None;
    }
    match modes.as_slice() {
        [] => {}
        [(one, effect)] => {
            mode = effect.map(|works| self::mode(one).filter(|_| works).map(|mode| (mode, mode_by(mode))));
        }
        // Which of several is the last to be applied is not said.
        _ => mode = None,
    }
    let by = match entries {
        [] => return None,
        _ if refused => forbids_bypass(session).unwrap_or(rule!("PERMUPD-09")),
        [one] => of_one(one),
        _ => rule!("PERMREQ-OUT-05"),
    };
    Some(Changes { applied, by, refused, mode })
}

/// The rule for a mode.
fn mode_by(mode: &str) -> RuleId {
    if mode == BYPASS { rule!("PERMUPD-09") } else { rule!("PERMUPD-06") }
}

const BYPASS: &str = "bypassPermissions";

/// The rule by which an entry of this type takes effect.
fn of_one(entry: &Value) -> RuleId {
    match kind(entry) {
        "addRules" => rule!("PERMUPD-02"),
        "replaceRules" => rule!("PERMUPD-04"),
        "setMode" => mode_by(mode(entry).unwrap_or_default()),
        "addDirectories" => rule!("PERMUPD-07"),
        "removeRules" => rule!("PERMUPD-05"),
        "removeDirectories" => rule!("PERMUPD-08"),
        _ => rule!("PERMREQ-OUT-05"),
    }
}

/// The fields of an entry that have rules of their own: which rules it is about, and where it is kept.
pub(super) fn parts(entry: &Value) -> impl Iterator<Item = (&'static str, RuleId)> {
    // That mode is written to no file, whatever the entry says.
    let bypasses = mode(entry) == Some(BYPASS);
    let kept = match entry.get("destination").and_then(Value::as_str) {
        Some("localSettings" | "projectSettings" | "userSettings") if bypasses => None,
        Some("session") => Some(rule!("PERMUPD-12")),
        Some("localSettings") => Some(rule!("PERMUPD-13")),
        Some("projectSettings") => Some(rule!("PERMUPD-14")),
        Some("userSettings") => Some(rule!("PERMUPD-15")),
        _ => None,
    };
    let of_rules = entry.get("behavior").map(|_| ("behavior", rule!("PERMUPD-03")));
    of_rules.into_iter().chain(kept.map(|rule| ("destination", rule)))
}

/// Whether an entry of an answer takes effect; nothing where that is not certain, as where all may be as it says already, or another
/// entry undoes it.
fn effect(session: &Session<'_>, entries: &[Value], at: usize) -> Option<bool> {
    let host = &session.case.host;
    let (before, entry, after) = (&entries[..at], &entries[at], &entries[at + 1..]);
    let undone = after.iter().any(|later| kind(later) == "replaceRules" && is_of_one_list(later, entry));
    let takes_away =
        before.iter().any(|earlier| matches!(kind(earlier), "replaceRules" | "removeRules" | "removeDirectories"));
    match kind(entry) {
        "setMode" => {
            let (wanted, now) = (mode(entry)?, session.permissions.mode?);
            match wanted {
                _ if wanted == now || (wanted == "default" && now == "manual") => None,
                BYPASS => Some(forbids_bypass(session).is_none()),
                _ => Some(true),
            }
        }
        "addRules" => {
            let there = [&host.permissions.allow, &host.permissions.ask, &host.permissions.deny];
            let none = !session.permissions.changed && there.iter().all(|rules| rules.is_empty());
            (none && !undone && !rules(entry).all(|rule| is_among(rule, entry, before))).then_some(true)
        }
        "replaceRules" => (!undone && brings_a_rule(session, before, entry)?).then_some(true),
        "addDirectories" => {
            let there: Vec<&str> = before.iter().flat_map(directories).chain([session.home()?]).collect();
            let beyond = |path: &str| !there.iter().any(|root| lies_in(path, root));
            (!session.permissions.changed && directories(entry).all(beyond)).then_some(true)
        }
        // Whether there is anything to remove is not told, unless a hook has added just that.
        "removeRules" => (!takes_away && session.permissions.has_added("addRules", entry)).then_some(true),
        "removeDirectories" => (!takes_away && session.permissions.has_added("addDirectories", entry)).then_some(true),
        _ => None,
    }
}

fn directories(entry: &Value) -> impl Iterator<Item = &str> {
    entry.get("directories").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Whether a path is a directory or lies somewhere in it.
fn lies_in(path: &str, root: &str) -> bool {
    path.strip_prefix(root.trim_end_matches('/')).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether two entries are about the rules of one behavior in one place.
fn is_of_one_list(one: &Value, other: &Value) -> bool {
    ["behavior", "destination"].iter().all(|key| one.get(*key) == other.get(*key))
}

/// Whether a rule of an entry, or one about the whole tool, is among those that other entries bring.
fn is_among(rule: &Value, entry: &Value, others: &[Value]) -> bool {
    let mut brought = others.iter().filter(|other| behavior(other) == behavior(entry)).flat_map(rules).map(written);
    let (same, whole) = (written(rule), rule.get("toolName").and_then(Value::as_str));
    brought.any(|other| other == same || Some(other.as_str()) == whole)
}

/// Whether an entry that replaces rules brings one that certainly did not stand there.
fn brings_a_rule(session: &Session<'_>, before: &[Value], entry: &Value) -> Option<bool> {
    let permissions = &session.case.host.permissions;
    let listed = match behavior(entry) {
        "allow" => &permissions.allow,
        "ask" => &permissions.ask,
        _ => &permissions.deny,
    };
    let known = [session.permissions.effects()?, before].concat();
    Some(rules(entry).any(|rule| !listed.contains(&written(rule)) && !is_among(rule, entry, &known)))
}

/// The rule by which nobody can go over to the mode in which nothing is asked, if one does: the session was not started so, the mode
/// is off, or only a file that a project brings speaks of it.
fn forbids_bypass(session: &Session<'_>) -> Option<RuleId> {
    let host = &session.case.host;
    let of_a_project = session.case.settings.iter().any(|layer| layer.settings.contains_key("permissions"));
    match () {
        () if host.facts.contains(&Fact::BypassDisabled) => Some(rule!("PERMUPD-10")),
        () if host.facts.contains(&Fact::BypassAvailable) => None,
        () if of_a_project => Some(rule!("PERMUPD-17")),
        () => Some(rule!("PERMUPD-09")),
    }
}

#[cfg(test)]
mod tests {
    use super::is_valid;
    use serde_json::{Value, json};

    /// A valid entry of a type, with a field changed, or taken away where there is no value.
    fn with(mut entry: Value, field: &str, value: Option<Value>) -> Value {
        let fields = entry.as_object_mut().expect("an entry");
        match value {
            Some(value) => fields.insert(field.to_owned(), value),
            None => fields.remove(field),
        };
        entry
    }

    #[test]
    fn an_entry_has_all_the_fields_of_its_type() {
        let rules = || json!([{"toolName": "Bash", "ruleContent": "ls"}, {"toolName": "Edit"}]);
        let adds = || json!({"type": "addRules", "rules": rules(), "behavior": "allow", "destination": "session"});
        let widens = || json!({"type": "addDirectories", "directories": ["/w"], "destination": "userSettings"});
        let sets = || json!({"type": "setMode", "mode": "plan", "destination": "session"});
        for entry in [adds(), widens(), sets()] {
            assert!(is_valid(&entry), "{entry}");
        }
        for (entry, field, value) in [
            (adds(), "type", Some(json!("addRule"))),
            (adds(), "behavior", None),
            (adds(), "behavior", Some(json!("perhaps"))),
            (adds(), "rules", None),
            (adds(), "rules", Some(json!([]))),
            (adds(), "rules", Some(json!(["Bash"]))),
            (adds(), "rules", Some(json!([{"toolName": ""}]))),
            (adds(), "rules", Some(json!([{"ruleContent": "ls"}]))),
            (adds(), "rules", Some(json!([{"toolName": "Bash", "ruleContent": 5}]))),
            (adds(), "destination", Some(json!("memory"))),
            (widens(), "directories", Some(json!(["sub"]))),
            (widens(), "destination", None),
            (sets(), "mode", Some(json!("fast"))),
        ] {
            let entry = with(entry, field, value);
            assert!(!is_valid(&entry), "{entry}");
        }
    }
}
