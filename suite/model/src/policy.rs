//! Whether the hooks of a source are in force at all (chapter *settings*): trust in the folder, the switch that leaves managed hooks
//! only, and the list of URLs that HTTP hooks may call.

use hookproof_contract::{Case, Layer, RuleId, Source, Surface, rule};
use serde_json::Value;

/// Whether hooks are in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Force {
    /// They are; where that is remarkable, by this rule.
    In(Option<RuleId>),
    /// They are not, by this rule.
    Out(RuleId),
    /// The contract does not say.
    Unknown,
}

/// The settings that are decided by here.
pub(crate) const KEYS: [&str; 4] =
    ["allowManagedHooksOnly", "enabledPlugins", "disableCommandPluginSources", "allowedHttpHookUrls"];

/// Whether these settings stand where they have a meaning, each with a value that has one.
pub(crate) fn are_well_formed(case: &Case) -> bool {
    case.settings.iter().all(|layer| {
        let mut all = layer.settings.iter().filter(|(key, _)| KEYS.contains(&key.as_str()));
        let is_file = !matches!(layer.from, Source::Plugin(_) | Source::Skill(_) | Source::Agent(_));
        all.all(|(key, value)| is_file && is_typed(key, value))
    })
}

fn is_typed(key: &str, value: &Value) -> bool {
    match key {
        "enabledPlugins" => value.as_object().is_some_and(|plugins| plugins.values().all(Value::is_boolean)),
        "allowedHttpHookUrls" => value.as_array().is_some_and(|urls| urls.iter().all(Value::is_string)),
        _ => value.is_boolean(),
    }
}

/// Whether the hooks of a source are in force, as far as trust and the managed settings go.
pub(crate) fn of_source(case: &Case, source: &Source) -> Force {
    match (trust(case, source), managed_only(case, source)) {
        (Force::Out(rule), _) | (_, Force::Out(rule)) => Force::Out(rule),
        (Force::Unknown, _) | (_, Force::Unknown) => Force::Unknown,
        (Force::In(trusted), Force::In(spared)) => Force::In(spared.or(trusted)),
    }
}

/// What an untrusted folder means for hooks. Those of a subagent wait for the dialog, whatever the session. Of others that lie in no
/// settings file nothing is said, nor of a session that is neither interactive nor one that takes its folder as trusted.
fn trust(case: &Case, source: &Source) -> Force {
    let of_file = matches!(source, Source::User | Source::Project | Source::Local);
    match case.host.surface {
        _ if case.host.trusted => Force::In(None),
        _ if matches!(source, Source::Agent(_)) => Force::Out(rule!("CONFIG-TRUST-02")),
        Surface::Print | Surface::Sdk => Force::In(of_file.then_some(rule!("CONFIG-TRUST-04"))),
        Surface::Terminal if of_file => Force::Out(rule!("CONFIG-TRUST-03")),
        Surface::Terminal | Surface::Background => Force::Unknown,
    }
}

/// What `allowManagedHooksOnly` comes to. Whether it has a meaning outside managed settings is not said, nor what it means for hooks
/// of a skill or of `--settings`.
fn managed_only(case: &Case, source: &Source) -> Force {
    let mut said = Vec::new();
    for layer in &case.settings {
        let on = layer.settings.get("allowManagedHooksOnly").and_then(Value::as_bool);
        said.extend(on.map(|on| (layer.from == Source::Managed, on)));
    }
    let enabled = match source {
        Source::Plugin(name) => enablement(case, name),
        _ => Enablement::Silent,
    };
    let (on, off) = (said.contains(&(true, true)), said.contains(&(true, false)));
    match (said.iter().any(|(_, on)| *on), source) {
        _ if enabled == Enablement::Contradictory => Force::Unknown,
        (false, _) | (_, Source::Managed) => Force::In(None),
        // Somebody else turns it on, or two managed files differ.
        _ if off || !on => Force::Unknown,
        (_, Source::Plugin(_)) if enabled == Enablement::Forced => Force::In(Some(rule!("CONFIG-MANAGED-01"))),
        (_, Source::User | Source::Project | Source::Local | Source::Plugin(_)) => {
            Force::Out(rule!("CONFIG-MANAGED-01"))
        }
        (_, Source::Flag | Source::Skill(_) | Source::Agent(_)) => Force::Unknown,
    }
}

/// What settings say of a plugin, which a case has because it is enabled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Enablement {
    /// Managed settings force it on.
    Forced,
    /// Nothing, or that it is enabled.
    Silent,
    /// That it is not.
    Contradictory,
}

fn enablement(case: &Case, plugin: &str) -> Enablement {
    let of = |layer: &Layer| layer.settings.get("enabledPlugins")?.get(plugin)?.as_bool();
    let by_policy = || case.settings.iter().filter(|layer| layer.from == Source::Managed).filter_map(of);
    match () {
        () if by_policy().any(|on| !on) => Enablement::Contradictory,
        () if by_policy().any(|on| on) => Enablement::Forced,
        () if case.settings.iter().filter_map(of).any(|on| !on) => Enablement::Contradictory,
        () => Enablement::Silent,
    }
}

/// Whether managed settings force a plugin on: its hooks may then be managed ones.
pub(crate) fn is_forced(case: &Case, source: &Source) -> bool {
    matches!(source, Source::Plugin(name) if enablement(case, name) == Enablement::Forced)
}

/// Whether an HTTP hook may call its URL: where some settings list any, only what the lists together admit. How patterns are written
/// is not said, so that only a URL that stands there letter by letter is admitted for certain.
pub(crate) fn of_url(case: &Case, url: &str) -> Force {
    let rule = rule!("CONFIG-HTTPALLOW-01");
    let lists: Vec<&Vec<Value>> =
        case.settings.iter().filter_map(|layer| layer.settings.get("allowedHttpHookUrls")?.as_array()).collect();
    let listed = || lists.iter().copied().flatten().filter_map(Value::as_str);
    match () {
        () if lists.is_empty() => Force::In(None),
        () if listed().any(|entry| entry == url) => Force::In(Some(rule)),
        () if listed().all(|entry| is_another(entry, url)) => Force::Out(rule),
        () => Force::Unknown,
    }
}

/// Whether an entry is a plain URL that nobody could take for this one, nor for its beginning.
fn is_another(entry: &str, url: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '/' | ':');
    let is_url = |text: &str| text.starts_with("http://") || text.starts_with("https://");
    let entry = entry.to_ascii_lowercase();
    let plainly = is_url(&entry) && entry.chars().all(plain) && url.chars().all(plain);
    plainly && !url.to_ascii_lowercase().contains(entry.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::{Force, is_another, of_source};
    use hookproof_contract::{Case, Source, rule};
    use serde_json::{Value, json};

    fn case(host: Value, layers: Value) -> Case {
        serde_json::from_value(json!({"host": host, "settings": layers, "steps": []})).expect("a case")
    }

    #[test]
    fn an_entry_is_another_url_where_nothing_makes_it_the_same() {
        let url = "http://hooks.test/guard";
        for (entry, wanted) in [
            ("http://hooks.test/audit", true),
            ("https://hooks.test/guard", true),
            ("http://hooks.test/guard/deep", true),
            ("http://hooks.test/guard/", false),
            ("http://Hooks.test/guard", false),
            ("http://hooks.test", false),
            ("http://hooks.test/*", false),
            ("https://*.example/audit", false),
            ("hooks.test", false),
            ("", false),
        ] {
            assert_eq!(is_another(entry, url), wanted, "{entry}");
        }
    }

    #[test]
    fn trust_is_asked_of_settings_files_where_a_dialog_could_be_shown() {
        let on =
            |surface: &str, source| of_source(&case(json!({"surface": surface, "trusted": false}), json!([])), source);
        let held = Force::Out(rule!("CONFIG-TRUST-03"));
        assert_eq!([&Source::User, &Source::Project, &Source::Local].map(|source| on("terminal", source)), [held; 3]);
        assert_eq!(on("terminal", &Source::Managed), Force::Unknown);
        assert_eq!(on("terminal", &Source::Flag), Force::Unknown);
        assert_eq!(on("background", &Source::User), Force::Unknown);
        assert_eq!(on("print", &Source::Project), Force::In(Some(rule!("CONFIG-TRUST-04"))));
        assert_eq!(on("sdk", &Source::Managed), Force::In(None));
        let of_subagent = Source::Agent("code-reviewer".to_owned());
        for surface in ["terminal", "print", "sdk", "background"] {
            assert_eq!(on(surface, &of_subagent), Force::Out(rule!("CONFIG-TRUST-02")), "{surface}");
        }
    }

    #[test]
    fn the_managed_only_switch_spares_plugins_that_are_forced_on() {
        let plugin = Source::Plugin("tools".to_owned());
        let with = |more: Value, source: &Source| {
            let mut layers = vec![json!({"from": "managed", "settings": {"allowManagedHooksOnly": true}})];
            layers.extend(more.as_array().expect("a list").clone());
            of_source(&case(json!({}), Value::from(layers)), source)
        };
        let plugins = |from: &str, on: bool| json!([{"from": from, "settings": {"enabledPlugins": {"tools": on}}}]);
        let out = Force::Out(rule!("CONFIG-MANAGED-01"));
        assert_eq!(with(json!([]), &plugin), out);
        assert_eq!(with(plugins("user", true), &plugin), out);
        assert_eq!(with(plugins("managed", true), &plugin), Force::In(Some(rule!("CONFIG-MANAGED-01"))));
        assert_eq!(with(plugins("user", false), &plugin), Force::Unknown);
        assert_eq!(with(json!([]), &Source::User), out);
        assert_eq!(with(json!([]), &Source::Managed), Force::In(None));
        assert_eq!(with(json!([]), &Source::Flag), Force::Unknown);
        assert_eq!(with(json!([]), &Source::Skill("deploy".to_owned())), Force::Unknown);
        let of_user = case(json!({}), json!([{"from": "user", "settings": {"allowManagedHooksOnly": true}}]));
        assert_eq!(of_source(&of_user, &Source::Project), Force::Unknown);
    }
}
