//! What hooks are told of each event: the fields of its input.

use crate::{
    draw::Draw,
    host,
    plan::{
        ADDED_BY, AGENT, BEGINNINGS, BY_HAND, BY_ITSELF, COMMAND, ENDINGS, ERRORS, FILES, FLAGS, LOADS, MODELS,
        NOTICES, PLUGINS_AGENT, SERVER, SOURCES, Subject, TREE,
    },
    tools,
};
use hookproof_contract::{Event, Fact, Fate, Host, Surface};
use serde_json::{Map, Value, json};

/// The input of an event, without the fields that all have in common.
pub(crate) fn draw(draw: &mut Draw<'_, '_>, host: &Host, subject: Subject) -> Map<String, Value> {
    let mut input = Map::new();
    match subject.event {
        Event::PreToolUse | Event::PostToolUse | Event::PostToolUseFailure => tool_input(draw, subject, &mut input),
        Event::PostToolBatch => batch(draw, host, &mut input),
        Event::UserPromptExpansion => expansion(draw, &mut input),
        Event::ConfigChange => config_change(draw, &mut input),
        Event::PermissionRequest => request(draw, host, subject, &mut input),
        Event::PermissionDenied => denial(draw, subject, &mut input),
        Event::CwdChanged => {
            input.insert("old_cwd".to_owned(), Value::from(host.cwd.as_str()));
            input.insert("new_cwd".to_owned(), Value::from(draw.pick(&["/work/project/lib", "/work/other", "/work"])));
        }
        Event::DirectoryAdded => {
            input.insert("directory".to_owned(), Value::from("/work/shared"));
            input.insert("source".to_owned(), Value::from(draw.pick(&ADDED_BY)));
        }
        Event::FileChanged => {
            input.insert("file_path".to_owned(), Value::from(format!("/work/project/{}", draw.pick(&FILES))));
            input.insert("event".to_owned(), Value::from(draw.pick(&["change", "add", "unlink"])));
        }
        Event::PreModelSwitch | Event::PostModelSwitch => switch(draw, host, subject, &mut input),
        Event::UserPromptSubmit => {
            let prompt = draw.mint("PROMPT");
            let prompt = if draw.chance(20) { format!("please see to {prompt}\nsoon") } else { prompt };
            input.insert("prompt".to_owned(), Value::String(prompt));
            if draw.chance(12) {
                input.insert("session_title".to_owned(), Value::from("mending the login"));
            }
        }
        Event::Stop if draw.chance(30) => {
            input.insert("last_assistant_message".to_owned(), Value::from("all is done"));
            going_on(draw, &mut input);
        }
        Event::SubagentStop => subagent(draw, &mut input),
        Event::TaskCreated | Event::TaskCompleted => task(draw, &mut input),
        Event::TeammateIdle => {
            input.insert("teammate_name".to_owned(), Value::from("researcher"));
            if draw.chance(20) {
                input.insert("agent_id".to_owned(), Value::from("b7c1"));
            }
        }
        Event::Elicitation => elicitation(draw, &mut input),
        Event::WorktreeCreate => {
            let name = draw.pick(&["quiet-otter", "fix-login"]);
            input.insert("name".to_owned(), Value::from(name));
        }
        Event::PreCompact => {
            let (trigger, instructions) =
                draw.pick(&[(BY_HAND, None), (BY_HAND, Some("keep the open questions")), (BY_ITSELF, None)]);
            input.insert("trigger".to_owned(), Value::from(trigger));
            input.insert("custom_instructions".to_owned(), instructions.into());
        }
        Event::SubagentStart => {
            input.insert("agent_id".to_owned(), Value::from("a4d2c8f1"));
            let agent = if draw.chance(10) { PLUGINS_AGENT } else { AGENT };
            input.insert("agent_type".to_owned(), Value::from(agent));
        }
        Event::PostCompact => {
            input.insert("trigger".to_owned(), Value::from(draw.pick(&[BY_HAND, BY_ITSELF])));
            input.insert("compact_summary".to_owned(), Value::from("the login is mended"));
        }
        Event::StopFailure => failed_turn(draw, &mut input),
        Event::ElicitationResult => users_answer(draw, &mut input),
        Event::SessionStart => beginning(draw, &mut input),
        Event::Notification => notification(draw, &mut input),
        Event::InstructionsLoaded => load(draw, &mut input),
        Event::SessionEnd => {
            input.insert("reason".to_owned(), Value::from(often_the_first(draw, &ENDINGS)));
        }
        Event::Setup => {
            input.insert("trigger".to_owned(), Value::from(draw.pick(&FLAGS)));
        }
        Event::MessageDisplay => message(draw, host, &mut input),
        Event::WorktreeRemove => {
            input.insert("worktree_path".to_owned(), Value::from(TREE));
        }
        _ => {}
    }
    input
}

/// One of several values, most often that for which matchers look.
fn often_the_first<const N: usize>(draw: &mut Draw<'_, '_>, values: &[&'static str; N]) -> &'static str {
    if draw.chance(40) { values[0] } else { draw.pick(values) }
}

fn notification(draw: &mut Draw<'_, '_>, input: &mut Map<String, Value>) {
    input.insert("message".to_owned(), Value::from("the agent waits"));
    input.insert("notification_type".to_owned(), Value::from(often_the_first(draw, &NOTICES)));
    if draw.chance(40) {
        input.insert("title".to_owned(), Value::from("agent"));
    }
}

/// A file of instructions that is loaded, with what goes with the reason.
fn load(draw: &mut Draw<'_, '_>, input: &mut Map<String, Value>) {
    let reason = often_the_first(draw, &LOADS);
    let (kind, path) = draw.pick(&[
        ("Project", "/work/project/CLAUDE.md"),
        ("User", "/home/dev/.claude/CLAUDE.md"),
        ("Local", "/work/project/CLAUDE.local.md"),
        ("Managed", "/etc/claude-code/CLAUDE.md"),
    ]);
    input.insert("file_path".to_owned(), Value::from(path));
    input.insert("memory_type".to_owned(), Value::from(kind));
    input.insert("load_reason".to_owned(), Value::from(reason));
    match reason {
        "path_glob_match" => {
            input.insert("globs".to_owned(), json!(["src/**/*.rs", "*.toml"]));
            input.insert("trigger_file_path".to_owned(), Value::from("/work/project/src/main.rs"));
        }
        "nested_traversal" => {
            input.insert("trigger_file_path".to_owned(), Value::from("/work/project/sub/notes.md"));
        }
        "include" => {
            input.insert("parent_file_path".to_owned(), Value::from("/work/project/AGENTS.md"));
        }
        _ => {}
    }
}

/// A piece of a message, or all of it where no terminal shows it.
fn message(draw: &mut Draw<'_, '_>, host: &Host, input: &mut Map<String, Value>) {
    let whole = (0, true, "the login is mended\nand the tests pass\n");
    let (index, last, delta) = match host.surface {
        Surface::Print | Surface::Sdk => whole,
        Surface::Terminal | Surface::Background => draw.pick(&[
            (0, false, "the login is mended\n"),
            (1, false, "first\nsecond\n"),
            (2, true, "and the tests pass"),
            (3, true, ""),
        ]),
    };
    input.insert("turn_id".to_owned(), Value::from("b7f5d2a0-1c3e-4f5a-8b6c-7d8e9f0a1b2c"));
    input.insert("message_id".to_owned(), Value::from("0c9d8e7f-6a5b-4c3d-9e2f-1a0b9c8d7e6f"));
    input.insert("index".to_owned(), Value::from(index));
    input.insert("final".to_owned(), Value::from(last));
    input.insert("delta".to_owned(), Value::from(delta));
}

/// A call about which somebody is about to be asked. It has no number, and no rule settles it beforehand.
fn request(draw: &mut Draw<'_, '_>, host: &Host, subject: Subject, input: &mut Map<String, Value>) {
    let Some(tool) = subject.tool else { return };
    input.insert("tool_name".to_owned(), Value::from(tool.name));
    input.insert("tool_input".to_owned(), tool.input(draw));
    tool.provenance(input);
    for command in tools::COMMANDS {
        if matches!(host::ruled(host, input), None | Some(Fate::Asked)) {
            break;
        }
        input.insert("tool_input".to_owned(), json!({ "command": command }));
    }
    if draw.chance(25) {
        let rules = json!([{ "toolName": tool.name }]);
        let suggestion = json!([{ "type": "addRules", "rules": rules, "behavior": "allow", "destination": "session" }]);
        input.insert("permission_suggestions".to_owned(), suggestion);
    }
}

/// A call that auto mode refused: mostly by a verdict.
fn denial(draw: &mut Draw<'_, '_>, subject: Subject, input: &mut Map<String, Value>) {
    tool_input(draw, subject, input);
    let reason = draw.weighted(&[
        (160, "[Data Exfiltration] it sends files away"),
        (60, "Auto mode could not evaluate this action and is blocking it for safety: try again later"),
        (20, "Classifier unavailable"),
        (10, "it goes beyond what was asked for"),
    ]);
    input.insert("reason".to_owned(), Value::from(reason));
}

/// A switch to another model, which is named in one of several ways or has no name.
fn switch(draw: &mut Draw<'_, '_>, host: &Host, subject: Subject, input: &mut Map<String, Value>) {
    let (alias, name) = MODELS[0];
    let with_suffix = format!("{name}[1m]");
    let to = draw.pick(&[alias, name, name, with_suffix.as_str(), MODELS[1].0, MODELS[1].1, "house-model"]);
    input.insert("from_model".to_owned(), Value::from("claude-haiku-5"));
    input.insert("to_model".to_owned(), Value::from(to));
    let source = match subject.event {
        Event::PostModelSwitch => draw.pick(&["command", "auto", "picker", "resume", "sdk"]),
        _ if host.facts.contains(&Fact::SetModel) => "sdk",
        _ if host.facts.contains(&Fact::ModelCommand) => draw.pick(&["command", "picker"]),
        _ => draw.pick(&["command", "picker", "sdk"]),
    };
    input.insert("source".to_owned(), Value::from(source));
    let asked_for = (source != "auto" && (source == "resume" || !draw.chance(20))).then_some(to);
    input.insert("requested_model".to_owned(), Value::from(asked_for));
    if draw.chance(40) {
        input.insert("context_tokens".to_owned(), Value::from(48_000));
        input.insert("prompt_cache_warm".to_owned(), Value::from(!draw.chance(40)));
        input.insert("cache_ttl".to_owned(), Value::from(draw.pick(&["5m", "1h"])));
        input.insert("estimated_cache_write_usd".to_owned(), Value::from(0.3));
        input.insert("pricing".to_owned(), Value::from(draw.pick(&["catalog", "configured", "default"])));
    }
}

/// The API error that ended a turn.
fn failed_turn(draw: &mut Draw<'_, '_>, input: &mut Map<String, Value>) {
    input.insert("error".to_owned(), Value::from(draw.pick(&ERRORS)));
    if draw.chance(40) {
        input.insert("error_details".to_owned(), Value::from("429 too many requests"));
        input.insert("last_assistant_message".to_owned(), Value::from("API Error: too many requests"));
    }
}

/// What the user answered to a server. Who declines or cancels sends no values.
fn users_answer(draw: &mut Draw<'_, '_>, input: &mut Map<String, Value>) {
    input.insert("mcp_server_name".to_owned(), Value::from(SERVER));
    let action = draw.weighted(&[(176, "accept"), (40, "decline"), (40, "cancel")]);
    input.insert("action".to_owned(), Value::from(action));
    let of_form = !draw.chance(25);
    input.insert("mode".to_owned(), Value::from(if of_form { "form" } else { "url" }));
    if !of_form {
        input.insert("elicitation_id".to_owned(), Value::from("e-1"));
    } else if action == "accept" {
        input.insert("content".to_owned(), json!({ "project_key": "INFRA" }));
    }
}

/// How a session came about.
fn beginning(draw: &mut Draw<'_, '_>, input: &mut Map<String, Value>) {
    let source = draw.pick(&BEGINNINGS);
    input.insert("source".to_owned(), Value::from(source));
    if matches!(source, "resume" | "fork") && draw.chance(25) {
        input.insert("seconds_since_last_response".to_owned(), Value::from(5400));
        input.insert("context_tokens".to_owned(), Value::from(48_000));
        input.insert("prompt_cache_likely_expired".to_owned(), Value::from(draw.chance(50)));
        input.insert("estimated_cache_write_usd".to_owned(), Value::from(0.3));
    }
    if draw.chance(40) {
        input.insert("model".to_owned(), Value::from("claude-sonnet-4-5"));
    }
    if draw.chance(20) {
        input.insert("agent_type".to_owned(), Value::from(AGENT));
    }
    if draw.chance(20) {
        input.insert("session_title".to_owned(), Value::from("mending the login"));
    }
}

/// The subagent that stops. One of the runtime's own has no type.
fn subagent(draw: &mut Draw<'_, '_>, input: &mut Map<String, Value>) {
    input.insert("agent_id".to_owned(), Value::from("a4d2c8f1"));
    let agent = draw.weighted(&[(200, AGENT), (30, ""), (26, PLUGINS_AGENT)]);
    input.insert("agent_type".to_owned(), Value::from(agent));
    if draw.chance(30) {
        let transcript = "/work/session/subagents/agent-a4d2c8f1.jsonl";
        input.insert("agent_transcript_path".to_owned(), Value::from(transcript));
        input.insert("last_assistant_message".to_owned(), Value::from("all is read"));
        going_on(draw, input);
    }
}

/// What still goes on in the session, or will: each kind of task has fields of its own.
fn going_on(draw: &mut Draw<'_, '_>, input: &mut Map<String, Value>) {
    let tasks = [
        json!({ "id": "b1", "type": "shell", "status": "running", "description": "the tests", "command": "npm test" }),
        json!({ "id": "b2", "type": "subagent", "status": "running", "description": "a review", "agent_type": AGENT }),
        json!({ "id": "b3", "type": "monitor", "status": "waiting", "description": "the queue", "server": "memory",
            "tool": "watch" }),
        json!({ "id": "b4", "type": "workflow", "status": "running", "description": "a release", "name": "release" }),
        json!({ "id": "b5", "type": "dream", "status": "running", "description": "something new" }),
    ];
    let first = draw.below(tasks.len());
    let tasks = &tasks[first..(first + draw.below(3)).min(tasks.len())];
    input.insert("background_tasks".to_owned(), json!(tasks));
    let wake =
        json!({ "id": "c1", "schedule": "0 9 * * 1-5", "recurring": draw.chance(60), "prompt": "look at the build" });
    input.insert("session_crons".to_owned(), if draw.chance(50) { json!([wake]) } else { json!([]) });
}

/// A task, of the main agent or of a teammate.
fn task(draw: &mut Draw<'_, '_>, input: &mut Map<String, Value>) {
    input.insert("task_id".to_owned(), Value::from("7"));
    input.insert("task_subject".to_owned(), Value::from("mend the login"));
    if draw.chance(40) {
        input.insert("task_description".to_owned(), Value::from("it forgets who came in"));
    }
    if draw.chance(30) {
        input.insert("teammate_name".to_owned(), Value::from("researcher"));
    }
    if draw.chance(20) {
        input.insert("agent_id".to_owned(), Value::from("b7c1"));
    }
}

fn tool_input(draw: &mut Draw<'_, '_>, subject: Subject, input: &mut Map<String, Value>) {
    let Some(tool) = subject.tool else { return };
    input.insert("tool_name".to_owned(), Value::from(tool.name));
    input.insert("tool_input".to_owned(), tool.input(draw));
    if let Some(path) = input["tool_input"].get_mut("file_path").filter(|_| draw.chance(10)) {
        *path = Value::from(draw.pick(&["a.txt", "./src/a.txt", "../a.txt"]));
    }
    input.insert("tool_use_id".to_owned(), Value::from("toolu_01"));
    tool.provenance(input);
    if subject.event == Event::PostToolUseFailure {
        failure(draw, tool, input);
    }
    if subject.event == Event::PostToolUse {
        input.insert("tool_response".to_owned(), tool.response());
        if draw.chance(30) {
            input.insert("duration_ms".to_owned(), Value::from(12));
        }
    }
}

/// How a call failed. Nobody is shown the error because of hooks, so it holds no token.
fn failure(draw: &mut Draw<'_, '_>, tool: &tools::Tool, input: &mut Map<String, Value>) {
    let of_command = tool.name == "Bash" && draw.chance(85);
    input.insert("error".to_owned(), Value::from(if of_command { "Exit code 1\nno such file" } else { "it failed" }));
    match draw.weighted(&[(150, 0), (70, 1), (36, 2)]) {
        1 => input.insert("is_interrupt".to_owned(), Value::from(false)),
        2 => input.insert("is_interrupt".to_owned(), Value::from(true)),
        _ => None,
    };
    if draw.chance(30) {
        input.insert("duration_ms".to_owned(), Value::from(12));
    }
}

/// A batch of as many calls as the model made at once. What one of a single call comes to is open, so there are two at
/// least.
fn batch(draw: &mut Draw<'_, '_>, host: &Host, input: &mut Map<String, Value>) {
    let calls = (0..host.tool_calls_in_turn.max(2)).map(|number| {
        let tool = draw.pick(&tools::FINISHED);
        json!({ "tool_name": tool.name, "tool_input": tool.input(draw), "tool_use_id": format!("toolu_0{}", number + 1),
            "tool_response": tool.shown() })
    });
    input.insert("tool_calls".to_owned(), calls.collect());
}

/// A command that was typed. Its arguments have no field of their own here: what surfaces of them could come from either.
fn expansion(draw: &mut Draw<'_, '_>, input: &mut Map<String, Value>) {
    let of_server = draw.chance(25);
    let kind = if of_server { "mcp_prompt" } else { "slash_command" };
    input.insert("expansion_type".to_owned(), Value::from(kind));
    input.insert("command_name".to_owned(), Value::from(COMMAND));
    input.insert("command_source".to_owned(), Value::from(draw.pick(&["plugin", "project"])));
    let args = draw.mint("PROMPT");
    input.insert("prompt".to_owned(), Value::String(format!("/{COMMAND} {args}")));
}

fn config_change(draw: &mut Draw<'_, '_>, input: &mut Map<String, Value>) {
    let source = draw.pick(&SOURCES);
    input.insert("source".to_owned(), Value::from(source));
    if draw.chance(60) {
        let path = match source {
            "user_settings" => "/home/dev/.claude/settings.json",
            "policy_settings" => "/etc/claude-code/managed-settings.json",
            "local_settings" => "/work/project/.claude/settings.local.json",
            "skills" => "/work/project/.claude/skills/deploy/SKILL.md",
            _ => "/work/project/.claude/settings.json",
        };
        input.insert("file_path".to_owned(), Value::from(path));
    }
}

fn elicitation(draw: &mut Draw<'_, '_>, input: &mut Map<String, Value>) {
    input.insert("mcp_server_name".to_owned(), Value::from(SERVER));
    input.insert("message".to_owned(), Value::from("which project?"));
    if draw.chance(30) {
        input.insert("mode".to_owned(), Value::from("url"));
        input.insert("url".to_owned(), Value::from("https://tracker.example/login"));
        input.insert("elicitation_id".to_owned(), Value::from("e-1"));
    } else {
        input.insert("mode".to_owned(), Value::from("form"));
        let schema = json!({ "type": "object", "properties": { "project_key": { "type": "string" } } });
        input.insert("requested_schema".to_owned(), schema);
    }
}
