//! What a handler is given (chapters *input* and *timeouts*).

use super::{Scene, fields, sent, session_end};
use crate::{
    claims::Claims,
    select::{Background, HandlerKind},
    session,
    voice::{Ended, Voice},
};
use hookproof_contract::{Event, Field, Kind, Must, RuleId, Source, reading, rule};
use serde_json::Value;
use std::borrow::Cow;

/// A demand on a part of the event's JSON: where, what, by which rule.
pub(super) type Part = (Cow<'static, str>, Must, RuleId);

/// The modes that a hook can be told of (INPUT-PERMMODE-01).
const MODES: [&str; 6] = ["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"];

/// What every handler that ran was given. Handlers in `contested` have several configurations, and which counts is not said.
pub(super) fn claims(scene: &Scene<'_, '_>, contested: &[&str], claims: &mut Claims) {
    let mut input = common(scene);
    of_the_event(scene, &mut input);
    // A command that could not be started was given nothing, and a server that nobody reached perhaps nothing.
    let unreached = [Ended::NotStarted, Ended::Failed(rule!("HTTP-10")), Ended::Failed(rule!("MCPHOOK-08"))];
    let voices: Vec<&Voice<'_>> = scene.voices.iter().chain(&scene.background).collect();
    for (i, voice) in voices.iter().copied().enumerate() {
        if unreached.contains(&voice.end) || voices[..i].iter().any(|v| v.name == voice.name) {
            continue;
        }
        if voice.gets_input() {
            if voice.handler.converted {
                let (path, name) = (Some(Cow::Borrowed("/hook_event_name")), Value::from(Event::SubagentStop.name()));
                claims.given(&voice.name, Field::Input, path, Must::Be(name), rule!("CONFIG-SKILL-02"));
            }
            for (path, must, rule) in &input {
                claims.given(&voice.name, Field::Input, Some(path.clone()), must.clone(), *rule);
            }
        }
        let twice = voices[i + 1..].iter().any(|v| v.name == voice.name);
        if !twice && !contested.contains(&&*voice.name) {
            match voice.background() {
                None => timeout(scene, voice, None, claims),
                Some(background) => in_the_background(scene, voice, background, claims),
            }
            sent::claims(scene, voice, &input, claims);
        }
    }
}

/// The fields that all events have.
fn common(scene: &Scene<'_, '_>) -> Vec<Part> {
    let mut input = Vec::new();
    let mut be = |path: &'static str, must: Must, rule| input.push((Cow::Borrowed(path), must, rule));
    let (by_name, by_cwd) = match scene.row.event {
        Event::PostModelSwitch => (rule!("POSTMODEL-IN-01"), rule!("INPUT-CWD-01")),
        Event::CwdChanged => (rule!("INPUT-EVENTNAME-01"), rule!("CWD-IN-01")),
        _ => (rule!("INPUT-EVENTNAME-01"), rule!("INPUT-CWD-01")),
    };
    be("/hook_event_name", Must::Be(Value::from(scene.row.event.name())), by_name);
    be("/session_id", Must::BeA(Kind::String), rule!("INPUT-SESSIONID-01"));
    let of_agents = matches!(
        scene.row.event,
        Event::SubagentStart | Event::SubagentStop | Event::TaskCreated | Event::TaskCompleted | Event::TeammateIdle
    );
    let of_a_subagent = session::is_of_a_subagent(scene.firing);
    match scene.session.cwd {
        // Where others work is not said.
        _ if of_agents => be("/cwd", Must::BeA(Kind::String), by_cwd),
        Some(cwd) if !of_a_subagent => be("/cwd", Must::Be(Value::from(cwd)), by_cwd),
        _ => {}
    }
    be("/transcript_path", Must::BeA(Kind::String), rule!("INPUT-TRANSCRIPT-01"));
    // On which prompt others work, and whether on one of the user, is not said.
    if scene.session.at_work && !brings_a_prompt(scene.row.event) && !of_agents && !of_a_subagent {
        be("/prompt_id", Must::BeA(Kind::Uuid), rule!("INPUT-PROMPTID-01"));
    }
    if !of_agents
        && !of_a_subagent
        && !scene.session.case.settings.iter().any(|layer| matches!(layer.from, Source::Agent(_)))
    {
        // Elsewhere a case has no subagent, and no agent of its own unless one brings settings along.
        be("/agent_id", Must::Absent, rule!("INPUT-AGENTID-01"));
        // A session may be that of an agent, and tells so as it begins.
        if !session::is_of_an_agent(scene.session.case) {
            be("/agent_type", Must::Absent, rule!("INPUT-AGENTTYPE-01"));
        }
    }
    if scene.row.event == Event::PermissionRequest {
        be("/tool_use_id", Must::Absent, rule!("PERMREQ-IN-01"));
    }
    if scene.row.event != Event::SessionStart {
        be("/model", Must::Absent, rule!("INPUT-MODEL-01"));
    }
    if rule!("INPUT-PERMMODE-04").rule().speaks_of(scene.row.event) && !of_a_subagent {
        let (mode, rule) = match scene.session.permissions.mode {
            Some("manual") => (Some("default"), rule!("INPUT-PERMMODE-02")),
            mode => (mode, rule!("INPUT-PERMMODE-04")),
        };
        match mode {
            // A subagent or a teammate may have a mode of its own.
            _ if of_agents => be("/permission_mode", Must::BeOneOf(MODES.map(Value::from).to_vec()), rule),
            Some(mode) => be("/permission_mode", Must::Be(Value::from(mode)), rule),
            None => {}
        }
    }
    input
}

/// Whether a prompt comes with the event itself, or perhaps none is being worked on any more, so that which prompt it is is not
/// certain.
fn brings_a_prompt(event: Event) -> bool {
    matches!(
        event,
        Event::UserPromptSubmit
            | Event::UserPromptExpansion
            | Event::SessionStart
            | Event::Notification
            | Event::InstructionsLoaded
    )
}

fn of_the_event(scene: &Scene<'_, '_>, input: &mut Vec<Part>) {
    if let Some((field, rule)) = fields::missing(scene) {
        input.push((Cow::Borrowed(field), Must::Absent, rule));
    }
    let file_tool = matches!(scene.tool(), "Write" | "Edit" | "Read");
    for (field, rule) in scene.row.input {
        let Some(value) = scene.firing.input.get(*field) else {
            continue;
        };
        if let Some(parts) = fields::parts(scene, field, value, *rule) {
            for (place, must, rule) in parts {
                input.push((Cow::Owned(place), must, rule));
            }
            continue;
        }
        let trigger = scene.firing.input.get("trigger").and_then(Value::as_str);
        if *field == "custom_instructions" && !value.is_null() && (*value == "" || trigger != Some("manual")) {
            // Without a text, and where nobody asked, it is null: the case contradicts itself.
            continue;
        }
        let path = value.get("file_path").and_then(Value::as_str).filter(|_| file_tool && *field == "tool_input");
        if let Some(path) = path.filter(|p| !p.is_empty() && !is_plain_absolute(p)) {
            // From where they are told, once the agent has gone elsewhere, is not said.
            let home = scene.session.home().filter(|_| !session::is_of_a_subagent(scene.firing));
            let must = match home.and_then(|cwd| resolved(path, cwd)) {
                Some(resolved) => Must::Be(Value::from(resolved)),
                None => Must::BeA(Kind::AbsolutePath),
            };
            let of_path =
                if scene.row.event == Event::PostToolUse { rule!("POSTTOOL-IN-02") } else { rule!("PRETOOL-IN-04") };
            for (key, part) in value.as_object().into_iter().flatten() {
                let (must, rule) =
                    if key == "file_path" { (must.clone(), of_path) } else { (Must::Be(part.clone()), *rule) };
                let place = format!("/{field}/{}", hookproof_contract::read::escape(key));
                input.push((Cow::Owned(place), must, rule));
            }
            continue;
        }
        if let Some(parts) = in_parts(field, value, *rule) {
            for (place, must, rule) in parts {
                input.push((Cow::Owned(place), must, rule));
            }
            continue;
        }
        let of_request = scene.row.event == Event::Elicitation;
        let rule = match (*field, value.as_str()) {
            ("agent_type", _)
                if session::is_of_a_subagent(scene.firing) && session::is_of_an_agent(scene.session.case) =>
            {
                &rule!("INPUT-AGENTTYPE-02")
            }
            _ if !of_request => rule,
            ("mode", Some("form")) => &rule!("ELICIT-IN-02"),
            ("mode", Some("url")) => &rule!("ELICIT-IN-03"),
            _ => rule,
        };
        let place = Cow::Owned(format!("/{field}"));
        input.push((place, Must::Be(value.clone()), *rule));
    }
}

/// Fields whose parts have rules of their own.
fn in_parts(field: &str, value: &Value, whole: RuleId) -> Option<Vec<(String, Must, RuleId)>> {
    let of = |object: &Value, at: &str, rule: &dyn Fn(&str) -> Option<RuleId>| -> Vec<(String, Must, RuleId)> {
        // Longer texts arrive shortened, in a form that is open.
        let short = |v: &&(&String, &Value)| v.1.as_str().is_none_or(|text| text.len() <= 1_000);
        let entries = object.as_object().into_iter().flatten().collect::<Vec<_>>();
        let entries = entries.iter().filter(short).copied();
        entries.filter_map(|(k, v)| Some((format!("{at}/{k}"), Must::Be(v.clone()), rule(k)?))).collect()
    };
    let entries = |rule: &dyn Fn(&str) -> Option<RuleId>| {
        let all = value.as_array().filter(|all| !all.is_empty())?;
        Some(all.iter().enumerate().flat_map(|(i, entry)| of(entry, &format!("/{field}/{i}"), rule)).collect())
    };
    let absent = |at: &str, entry: &Value| -> Vec<(String, Must, RuleId)> {
        let of_type =
            |kinds: &[&str]| entry.get("type").and_then(Value::as_str).is_none_or(|kind| kinds.contains(&kind));
        let optional = [
            ("command", &["shell"][..], rule!("STOP-BG-04")),
            ("agent_type", &["subagent"], rule!("STOP-BG-05")),
            ("server", &["monitor", "MCP task"], rule!("STOP-BG-06")),
            ("tool", &["monitor", "MCP task"], rule!("STOP-BG-06")),
            ("name", &["workflow"], rule!("STOP-BG-07")),
        ];
        // A task of the type that has the field has it, whatever the case leaves out.
        let missing = optional.into_iter().filter(|(key, kinds, _)| entry.get(*key).is_none() && !of_type(kinds));
        missing.map(|(key, _, rule)| (format!("{at}/{key}"), Must::Absent, rule)).collect()
    };
    match field {
        "mcp_server" => Some(of(value, "/mcp_server", &|_| Some(whole))),
        "background_tasks" => {
            let mut parts: Vec<(String, Must, RuleId)> = entries(&|key| {
                Some(match key {
                    "id" | "status" => rule!("STOP-BG-01"),
                    "type" => rule!("STOP-BG-02"),
                    "description" => rule!("STOP-BG-03"),
                    "command" => rule!("STOP-BG-04"),
                    "agent_type" => rule!("STOP-BG-05"),
                    "server" | "tool" => rule!("STOP-BG-06"),
                    "name" => rule!("STOP-BG-07"),
                    _ => return None,
                })
            })?;
            let tasks = value.as_array().into_iter().flatten().enumerate();
            parts.extend(tasks.flat_map(|(i, task)| absent(&format!("/background_tasks/{i}"), task)));
            Some(parts)
        }
        "session_crons" => entries(&|key| {
            Some(match key {
                "id" | "schedule" => rule!("STOP-CRON-02"),
                "recurring" => rule!("STOP-CRON-03"),
                "prompt" => rule!("STOP-CRON-04"),
                _ => return None,
            })
        }),
        _ => None,
    }
}

/// Whether a path reaches the hook as it is.
pub(crate) fn is_plain_absolute(path: &str) -> bool {
    path.starts_with('/') && !path.split('/').any(|part| matches!(part, "." | ".."))
}

/// What a simple relative path becomes; anything else is only known to become absolute.
fn resolved(path: &str, cwd: &str) -> Option<String> {
    let path = path.strip_prefix("./").unwrap_or(path);
    let odd = path.starts_with('~') || path.contains(['\\', ':']) || !is_plain_absolute(cwd);
    let simple = !odd && !path.split('/').any(|part| matches!(part, "" | "." | ".."));
    simple.then(|| format!("{}/{path}", cwd.trim_end_matches('/')))
}

/// What a time comes to for which nobody waits is open, and so is how a budget of others bears on it.
fn in_the_background(scene: &Scene<'_, '_>, voice: &Voice<'_>, background: Background, claims: &mut Claims) {
    let (none, rule) = match background {
        Background::Stays => (reading!("A-140", "none"), rule!("ASYNC-14")),
        Background::Wakes => (reading!("A-141", "none"), rule!("ASYNC-15")),
    };
    if scene.row.event == Event::SessionEnd || !rule.holds_at(scene.oracle().revision) {
        return;
    }
    match scene.oracle().is(none) {
        true => claims.given(&voice.name, Field::Timeout, None, Must::Absent, rule),
        false => timeout(scene, voice, Some(rule), claims),
    }
}

/// How long a handler has, by the rule that says so or by another.
fn timeout(scene: &Scene<'_, '_>, voice: &Voice<'_>, by: Option<RuleId>, claims: &mut Claims) {
    if scene.row.event == Event::SessionEnd {
        return session_end::timeout(scene, voice, claims);
    }
    let (seconds, rule) = match voice.handler.spec.get("timeout") {
        None => match voice.handler.kind {
            HandlerKind::Prompt => (30, rule!("PROMPT-CONF-05")),
            HandlerKind::Agent => (60, rule!("TIMEOUT-DEF-03")),
            _ => (u64::from(scene.row.timeout.0), scene.row.timeout.1),
        },
        // Open point A-109: of anything else than a number of seconds nothing is told.
        Some(value) => match value.as_u64() {
            Some(n) => (n, rule!("TIMEOUT-DEF-09")),
            None => return,
        },
    };
    claims.given(&voice.name, Field::Timeout, None, Must::Be(Value::from(seconds)), by.unwrap_or(rule));
}

#[cfg(test)]
mod tests {
    use super::resolved;

    #[test]
    fn a_path_is_resolved_where_only_one_place_can_be_meant() {
        for (path, cwd, becomes) in [
            ("b.txt", "/w", Some("/w/b.txt")),
            ("./src/b.txt", "/w/", Some("/w/src/b.txt")),
            ("b.txt", "/", Some("/b.txt")),
            ("", "/w", None),
            ("./", "/w", None),
            ("/b.txt", "/w", None),
            ("~/b.txt", "/w", None),
            ("../b.txt", "/w", None),
            ("src//b.txt", "/w", None),
            ("C:b.txt", "/w", None),
            ("src\\b.txt", "/w", None),
            ("b.txt", "w", None),
            ("b.txt", "/w/..", None),
        ] {
            assert_eq!(resolved(path, cwd).as_deref(), becomes, "{path} in {cwd}");
        }
    }
}
