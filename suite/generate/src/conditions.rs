//! What may keep a handler from running, or make it run otherwise: `if`, `once`, the background, and settings that speak of other
//! settings' hooks. All of it is rare: a candidate that lacks one of these is not given the case at all.

use crate::{draw::Draw, handler::Kind, plan::Subject};
use hookproof_contract::{Event, Firing, Happening, Host, Layer, Source, Step};
use serde_json::{Map, Value, json};

/// The rules of `if` about Bash commands, and those about files.
const OF_BASH: [&str; 8] = [
    "Bash(git *)",
    "Bash(rm *)",
    "Bash(git push *)",
    "Bash(git *)",
    "Bash(rm *)",
    "Bash(npm *)",
    "Bash(ls)",
    "PowerShell(rm *)",
];
const OF_FILES: [&str; 4] = ["(src/**)", "(**/src/**)", "(*.ts)", "(lib/**)"];

/// Bash commands that make a difference to such rules.
const SCRIPTS: [&str; 10] = [
    "git push origin",
    "FOO=bar git push",
    "npm test && git push",
    "echo $(rm -rf /)",
    "echo `rm -rf /`",
    "echo $(date)",
    "echo $HOME",
    "npm test; ls -l",
    "echo \"unclosed",
    "sudo rm -rf build",
];
/// And files.
const PATHS: [&str; 5] = [
    "/work/project/src/main.ts",
    "/work/project/lib/src/main.ts",
    "/work/project/main.ts",
    "/work/project/sub/src/a.txt",
    "/work/project/a.txt",
];

/// The place that a plugin's command may leave for an option.
pub(crate) const OPTION: &str = "${user_config.level}";

/// Fields of a handler that all types may have, and those of commands alone.
pub(crate) fn fields(
    draw: &mut Draw<'_, '_>,
    kind: Kind,
    subject: Subject,
    from: &Source,
    handler: &mut Map<String, Value>,
) {
    let mut put = |key: &str, value: Value| drop(handler.insert(key.to_owned(), value));
    let often = match subject.tool.map(|tool| tool.name) {
        Some("Bash" | "Edit" | "Read") => 12,
        Some(_) => 4,
        None => 1,
    };
    if draw.chance(often) {
        put("if", Value::String(condition(draw, subject)));
    }
    if draw.chance(if matches!(from, Source::Skill(_)) { 50 } else { 1 }) {
        put("once", Value::Bool(!draw.chance(10)));
    }
    if kind != Kind::Command {
        // It means nothing there.
        if draw.chance(2) {
            put("async", Value::Bool(true));
        }
        return;
    }
    match draw.weighted(&[(245, 0), (8, 1), (2, 2), (1, 3)]) {
        1 => put("async", Value::Bool(true)),
        2 => put("asyncRewake", Value::Bool(true)),
        3 => put("async", Value::Bool(false)),
        _ => {}
    }
    if draw.chance(2) {
        put("args", json!(["-v"][..draw.below(2)]));
    }
    if draw.chance(2) {
        put("shell", Value::from("bash"));
    }
}

fn condition(draw: &mut Draw<'_, '_>, subject: Subject) -> String {
    match subject.tool.map(|tool| tool.name) {
        Some(name @ ("Edit" | "Read" | "Write")) if draw.chance(80) => format!("{name}{}", draw.pick(&OF_FILES)),
        Some(name) if name != "Bash" && draw.chance(30) => name.to_owned(),
        _ => draw.pick(&OF_BASH).to_owned(),
    }
}

/// Settings that speak of hooks of other settings. Those of managed settings may want a file of their own.
pub(crate) fn policies(draw: &mut Draw<'_, '_>, written: &[Value], layers: &mut Vec<Layer>) {
    if draw.chance(2) {
        let settings = managed(layers);
        settings.insert("allowManagedHooksOnly".to_owned(), Value::Bool(!draw.chance(15)));
        if draw.chance(50) {
            settings.insert("enabledPlugins".to_owned(), json!({ "tools": !draw.chance(10), "other": true }));
        }
        if draw.chance(25) {
            settings.insert("disableCommandPluginSources".to_owned(), Value::Bool(draw.chance(50)));
        }
    } else if draw.chance(3) {
        // Whoever else wants managed hooks only has no say; a plugin that is off has none either.
        let (key, value) =
            draw.pick(&[("allowManagedHooksOnly", true), ("enabledPlugins", true), ("enabledPlugins", false)]);
        let value = if key == "enabledPlugins" { json!({ "tools": value }) } else { Value::Bool(value) };
        if let Some(layer) = layers.iter_mut().find(|layer| is_file(&layer.from)) {
            layer.settings.insert(key.to_owned(), value);
        }
    }
    if draw.chance(4) {
        switches(draw, layers);
    }
    if layers.iter().any(|layer| layer.from == Source::Managed) && draw.chance(6) {
        // A project cannot take away what the administrator set up.
        let none: Map<String, Value> = layers[0].settings["hooks"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(event, _)| (event.clone(), json!([])))
            .collect();
        layers.push(Layer {
            from: Source::Project,
            settings: Map::from_iter([("hooks".to_owned(), Value::Object(none))]),
        });
    }
    let url = written.iter().find_map(|handler| handler.get("url")?.as_str()).unwrap_or_default();
    if !url.is_empty() && draw.chance(9) {
        let other = "http://hooks.test/elsewhere";
        let lists: [&[&str]; 5] = [&[], &[url], &[other], &[other, url], &["http://hooks.test/*"]];
        let list = json!(draw.pick(&lists));
        let settings = match layers.iter_mut().position(|layer| is_file(&layer.from)) {
            Some(at) if draw.chance(60) => &mut layers[at].settings,
            _ => managed(layers),
        };
        settings.insert("allowedHttpHookUrls".to_owned(), list);
    }
}

/// All hooks are turned off, or on again, by one settings file or several.
fn switches(draw: &mut Draw<'_, '_>, layers: &mut Vec<Layer>) {
    if draw.chance(30) {
        layers.push(Layer { from: Source::Flag, settings: Map::from_iter([("hooks".to_owned(), json!({}))]) });
    }
    let mut often = 100;
    for layer in layers.iter_mut().rev().filter(|layer| is_file(&layer.from)) {
        if draw.chance(often) {
            layer.settings.insert("disableAllHooks".to_owned(), Value::Bool(draw.chance(60)));
        }
        often = 60;
    }
}

/// Whether a source is a settings file.
pub(crate) fn is_file(source: &Source) -> bool {
    !matches!(source, Source::Plugin(_) | Source::Skill(_) | Source::Agent(_))
}

/// The managed settings, which are there from now on.
fn managed(layers: &mut Vec<Layer>) -> &mut Map<String, Value> {
    let at = layers.iter().position(|layer| layer.from == Source::Managed).unwrap_or_else(|| {
        let settings = Map::from_iter([("hooks".to_owned(), json!({}))]);
        layers.push(Layer { from: Source::Managed, settings });
        layers.len() - 1
    });
    &mut layers[at].settings
}

/// Puts a command or a file into a call that makes a difference to the rules of `if`, where no other rule speaks of the call.
pub(crate) fn call(draw: &mut Draw<'_, '_>, host: &Host, settings: &[Layer], firing: &mut Firing) {
    let rules = &host.permissions;
    let ruled = [&rules.allow, &rules.ask, &rules.deny].into_iter().any(|rules| !rules.is_empty());
    if ruled || !have(settings, "if") || !draw.chance(80) {
        return;
    }
    let Some(Value::Object(input)) = firing.input.get_mut("tool_input") else { return };
    for (key, values) in [("command", &SCRIPTS[..]), ("file_path", &PATHS[..])] {
        if let Some(value) = input.get_mut(key) {
            *value = Value::from(values[draw.below(values.len())]);
        }
    }
}

/// What follows so that what runs once may run again, and what hooks in the background said reaches the model.
pub(crate) fn follow(draw: &mut Draw<'_, '_>, settings: &[Layer], steps: &mut Vec<Step>) {
    let repeats = |firing: &Firing| firing.times == 1 && is_repeated(firing.event);
    if have(settings, "once")
        && let [Step::Fire(firing)] = steps.as_mut_slice()
        && repeats(firing)
        && draw.chance(80)
    {
        firing.times = draw.pick(&[2, 3]);
    }
    let last = steps.iter().rev().find_map(|step| if let Step::Fire(firing) = step { Some(firing) } else { None });
    let ends = last.is_some_and(|firing| matches!(firing.event, Event::SessionEnd | Event::WorktreeRemove));
    if !ends && have(settings, "async") && draw.chance(75) {
        steps.extend([Happening::NewPrompt, Happening::ModelRequest].map(Step::Happen));
    }
}

/// Whether an event may come again without anything in between.
fn is_repeated(event: Event) -> bool {
    let of_calls = matches!(event, Event::PreToolUse | Event::PostToolUse | Event::PostToolUseFailure);
    of_calls || matches!(event, Event::UserPromptSubmit | Event::Notification | Event::ConfigChange | Event::PreCompact)
}

/// Whether some handler has a field.
fn have(settings: &[Layer], field: &str) -> bool {
    let key = format!("\"{field}\":");
    settings.iter().any(|layer| layer.settings["hooks"].to_string().contains(&key))
}
