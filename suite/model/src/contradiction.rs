//! Cases that say of themselves what cannot be: what is demanded of a runtime in such a case is anybody's guess.

use crate::{chapters::pre_tool_use::permission, table::Row};
use hookproof_contract::{Event, Fact, Fate, Firing, Host, Surface};
use serde_json::Value;

/// What a handler is told of the session, whatever the event; a case does not say it as part of a firing.
const COMMON: [&str; 10] = [
    "session_id",
    "transcript_path",
    "cwd",
    "hook_event_name",
    "permission_mode",
    "prompt_id",
    "agent_id",
    "agent_type",
    "model",
    "stop_hook_active",
];

/// Why a firing cannot be, if it cannot.
pub(crate) fn contradiction(host: &Host, row: &Row, firing: &Firing) -> Option<String> {
    let of_event = |field: &str| row.input.iter().any(|(known, _)| *known == field);
    let stray = COMMON.into_iter().find(|field| firing.input.contains_key(*field) && !of_event(field));
    if let Some(field) = stray {
        return Some(format!("`input` holds `{field}`, which the session decides, and not the event"));
    }
    let possible: &[Fate] = match firing.event {
        Event::PreToolUse => &[Fate::Proceeds, Fate::Prevented, Fate::Asked],
        // The call is done; nothing but a hook keeps an agent from stopping.
        Event::PostToolUse | Event::PostToolUseFailure | Event::Stop | Event::SubagentStop | Event::TeammateIdle => {
            &[Fate::Proceeds]
        }
        // What is done is done, and what begins has begun.
        Event::SessionStart | Event::SubagentStart | Event::PostCompact | Event::StopFailure => &[Fate::Proceeds],
        Event::Notification | Event::InstructionsLoaded | Event::SessionEnd | Event::Setup => &[Fate::Proceeds],
        Event::MessageDisplay => &[Fate::Proceeds],
        Event::PostModelSwitch => &[Fate::Proceeds],
        Event::PermissionRequest => &[Fate::Asked, Fate::Prevented],
        Event::PermissionDenied => &[Fate::Prevented],
        Event::PreModelSwitch => &[Fate::Proceeds, Fate::Asked],
        Event::CwdChanged | Event::DirectoryAdded | Event::FileChanged => &[Fate::Proceeds],
        _ => &[Fate::Proceeds, Fate::Prevented],
    };
    if !possible.contains(&firing.otherwise) {
        let names: Vec<String> = possible.iter().map(|fate| format!("`{}`", fate.name())).collect();
        return Some(format!(
            "`otherwise` is `{}`, and on {} it can be {}",
            firing.otherwise.name(),
            firing.event,
            names.join(", ")
        ));
    }
    match firing.event {
        Event::PreToolUse => permission::contradiction(host, firing),
        Event::Setup if host.surface != Surface::Print => {
            Some("`surface` is not `print`, and on Setup it can be nothing else".to_owned())
        }
        Event::MessageDisplay if matches!(host.surface, Surface::Print | Surface::Sdk) => in_one_piece(firing),
        Event::PermissionRequest => permission::of_a_request(host, firing),
        Event::PreModelSwitch => of_a_switch(host, firing),
        Event::PermissionDenied if host.permission_mode != "auto" => {
            Some(format!("`permission_mode` is `{}`, and only `auto` refuses calls by itself", host.permission_mode))
        }
        _ => None,
    }
}

/// A message that no terminal shows comes as one piece.
fn in_one_piece(firing: &Firing) -> Option<String> {
    let (index, last) = (firing.input.get("index"), firing.input.get("final"));
    let whole = index.is_none_or(|index| *index == 0) && last.is_none_or(|last| *last == true);
    (!whole).then(|| "in `print` and `sdk`, `index` can be 0 only, and `final` true".to_owned())
}

/// Why a switch of model cannot be, if what is said of it does not go together.
fn of_a_switch(host: &Host, firing: &Firing) -> Option<String> {
    let source = firing.input.get("source").and_then(Value::as_str);
    let (by_command, by_client) = (Fact::ModelCommand, Fact::SetModel);
    let has = |fact: Fact| host.facts.contains(&fact);
    let why = match () {
        () if has(by_command) && has(by_client) => "one switch has not been asked for by `/model` and by `set_model`",
        () if has(by_command) && source == Some("sdk") => "a switch that `/model` asks for has not the source `sdk`",
        () if has(by_client) && source.is_some_and(|source| source != "sdk") => {
            "a switch that `set_model` asks for has the source `sdk`"
        }
        () if firing.otherwise == Fate::Asked && host.surface != Surface::Terminal => {
            "nobody but the terminal asks for confirmation: `otherwise` must be `proceeds`"
        }
        () if firing.otherwise == Fate::Asked && firing.input.get("prompt_cache_warm") == Some(&Value::Bool(false)) => {
            "the terminal asks for confirmation where `prompt_cache_warm` is true"
        }
        () => return None,
    };
    Some(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::contradiction;
    use crate::table;
    use hookproof_contract::{Firing, Host};
    use serde_json::{Value, json};

    fn is_refused(host: Value, event: &str, input: Value, otherwise: &str) -> bool {
        let firing = json!({"event": event, "input": input, "otherwise": otherwise});
        let firing: Firing = serde_json::from_value(firing).expect("a firing");
        let host: Host = serde_json::from_value(host).expect("a host");
        contradiction(&host, table::row(firing.event).expect("it is modelled"), &firing).is_some()
    }

    #[test]
    fn an_action_can_only_come_to_what_its_event_allows() {
        for (event, possible, impossible) in [
            ("Stop", &["proceeds"][..], &["prevented", "asked"][..]),
            ("PostModelSwitch", &["proceeds"], &["prevented"]),
            ("CwdChanged", &["proceeds"], &["prevented"]),
            ("DirectoryAdded", &["proceeds"], &["prevented"]),
            ("FileChanged", &["proceeds"], &["prevented"]),
            ("PermissionDenied", &["prevented"], &["proceeds", "asked"]),
            ("PreModelSwitch", &["proceeds", "asked"], &["prevented"]),
            ("PreCompact", &["proceeds", "prevented"], &["asked"]),
        ] {
            let host = json!({"permission_mode": if event == "PermissionDenied" { "auto" } else { "default" }});
            for otherwise in possible {
                assert!(!is_refused(host.clone(), event, json!({}), otherwise), "{event} {otherwise}");
            }
            for otherwise in impossible {
                assert!(is_refused(host.clone(), event, json!({}), otherwise), "{event} {otherwise}");
            }
        }
    }

    #[test]
    fn a_call_goes_with_the_permission_rules_of_its_host() {
        let call = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t"});
        let denies = json!({"permissions": {"deny": ["Bash"]}});
        assert!(is_refused(denies.clone(), "PreToolUse", call.clone(), "proceeds"));
        assert!(!is_refused(denies, "PreToolUse", call, "prevented"));
    }

    #[test]
    fn a_switch_of_model_has_one_origin_and_is_asked_about_in_the_terminal_only() {
        for (host, input, otherwise, refused) in [
            (json!({"facts": ["model_command"]}), json!({}), "proceeds", false),
            (json!({"facts": ["model_command", "set_model"]}), json!({}), "proceeds", true),
            (json!({"facts": ["model_command"]}), json!({"source": "sdk"}), "proceeds", true),
            (json!({"facts": ["set_model"]}), json!({"source": "sdk"}), "proceeds", false),
            (json!({"facts": ["set_model"]}), json!({"source": "user"}), "proceeds", true),
            (json!({}), json!({}), "asked", false),
            (json!({"surface": "sdk"}), json!({}), "asked", true),
            (json!({}), json!({"prompt_cache_warm": false}), "asked", true),
            (json!({}), json!({"prompt_cache_warm": true}), "asked", false),
        ] {
            let found = is_refused(host.clone(), "PreModelSwitch", input.clone(), otherwise);
            assert_eq!(found, refused, "{host} {input} {otherwise}");
        }
    }
}
