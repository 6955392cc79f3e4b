//! The tools that a case may call: what goes in, what comes out, and what a hook puts in place of either.

use crate::{draw::Draw, output::Pieces};
use serde_json::{Map, Value, json};

/// A tool.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// The MCP server that it belongs to.
    pub(crate) server: Option<&'static str>,
    /// Whether it cannot go on without the person.
    pub(crate) needs_person: bool,
    form: Form,
}

/// What a tool's input and result look like.
enum Form {
    Shell,
    Edit,
    Write,
    Read,
    Grep,
    Question,
    ExitPlan,
    Farewell,
    Mcp,
}

const fn built_in(name: &'static str, form: Form) -> Tool {
    Tool { name, server: None, needs_person: matches!(form, Form::Question | Form::ExitPlan), form }
}

const fn of_server(name: &'static str, server: &'static str) -> Tool {
    Tool { name, server: Some(server), needs_person: false, form: Form::Mcp }
}

static BASH: Tool = built_in("Bash", Form::Shell);
static EDIT: Tool = built_in("Edit", Form::Edit);
static WRITE: Tool = built_in("Write", Form::Write);
static READ: Tool = built_in("Read", Form::Read);
static GREP: Tool = built_in("Grep", Form::Grep);
static QUESTION: Tool = built_in("AskUserQuestion", Form::Question);
static EXIT_PLAN: Tool = built_in("ExitPlanMode", Form::ExitPlan);
/// Before its calls no hook runs.
pub(crate) static FAREWELL: Tool = built_in("EndConversation", Form::Farewell);
static MEMORY: Tool = of_server("mcp__memory__create", "memory");
static NOTES: Tool = of_server("mcp__files__write_note", "files");
static PLUGINS: Tool = of_server("mcp__plugin_kit_memory__create", "plugin:kit:memory");
static SEARCH: Tool = of_server("mcp__brave-search__web", "brave-search");

/// The tools that are about to be called; the commonest first.
pub(crate) static CALLED: [&Tool; 17] = [
    &BASH, &BASH, &BASH, &BASH, &BASH, &EDIT, &WRITE, &WRITE, &READ, &GREP, &QUESTION, &QUESTION, &EXIT_PLAN, &MEMORY,
    &NOTES, &SEARCH, &PLUGINS,
];
/// The tools that have been called.
pub(crate) static FINISHED: [&Tool; 12] =
    [&BASH, &BASH, &BASH, &BASH, &EDIT, &WRITE, &READ, &GREP, &MEMORY, &NOTES, &SEARCH, &PLUGINS];

/// The commands that a shell call, a hook's replacement and a permission rule draw from, so that they meet.
pub(crate) const COMMANDS: [&str; 4] = ["ls", "git status", "rm -rf build", "npm test"];

impl Tool {
    /// The arguments that the model gave.
    pub(crate) fn input(&self, draw: &mut Draw<'_, '_>) -> Value {
        match self.form {
            Form::Shell => json!({ "command": draw.pick(&COMMANDS) }),
            Form::Edit => json!({ "file_path": "/work/project/a.txt", "old_string": "one", "new_string": "two" }),
            Form::Write => json!({ "file_path": "/work/project/a.txt", "content": "one" }),
            Form::Read => json!({ "file_path": "/work/project/a.txt" }),
            Form::Grep => json!({ "pattern": "one", "path": "/work/project" }),
            Form::Question => json!({ "questions": [{ "question": "which one?", "header": "one", "multiSelect": false,
                "options": [{ "label": "left", "description": "this" }, { "label": "right", "description": "that" }] }] }),
            Form::ExitPlan => json!({ "plan": "first this, then that" }),
            Form::Farewell => json!({}),
            Form::Mcp => json!({ "query": "one", "limit": 3 }),
        }
    }

    /// What the tool returned.
    pub(crate) fn response(&self) -> Value {
        match self.form {
            Form::Shell => json!({ "stdout": "a.txt", "stderr": "", "interrupted": false, "isImage": false }),
            Form::Edit => json!({ "filePath": "/work/project/a.txt", "oldString": "one", "newString": "two" }),
            Form::Write => json!({ "filePath": "/work/project/a.txt", "type": "create" }),
            Form::Read => json!({ "type": "text", "file": { "filePath": "/work/project/a.txt", "content": "one" } }),
            Form::Grep => json!({ "mode": "files_with_matches", "filenames": ["a.txt"], "numFiles": 1 }),
            Form::Question => json!({ "answers": { "which one?": "left" } }),
            Form::ExitPlan | Form::Farewell => json!({ "plan": "first this, then that", "filePath": "/work/plan.md" }),
            Form::Mcp => json!([{ "type": "text", "text": "one" }]),
        }
    }

    /// What the model is shown of the result: a text, or blocks as the tool made them.
    pub(crate) fn shown(&self) -> Value {
        match self.form {
            Form::Mcp => self.response(),
            Form::Read => Value::from("     1\tone"),
            _ => Value::from("one"),
        }
    }

    /// Where an MCP tool's server comes from, as hooks are told it.
    pub(crate) fn provenance(&self, input: &mut Map<String, Value>) {
        // How a plugin's server is told of is not said.
        if let Some(server) = self.server.filter(|server| !server.contains(':')) {
            input.insert("mcp_server".to_owned(), json!({ "name": server, "source": "user" }));
        }
    }

    /// An input that a hook puts in place of the model's.
    pub(crate) fn new_input(&self, draw: &mut Draw<'_, '_>, json: &mut Pieces) {
        match self.form {
            Form::Shell if draw.chance(65) => {
                json.push(r#"{"command":""#);
                json.push(draw.pick(&COMMANDS));
                json.push(r#""}"#);
            }
            Form::Shell => json.around(r#"{"command":"echo "#, draw, "INPUT", r#""}"#),
            Form::Edit => json.around(
                r#"{"file_path":"/work/project/b.txt","old_string":"one","new_string":""#,
                draw,
                "INPUT",
                r#""}"#,
            ),
            Form::Write => json.around(r#"{"file_path":"/work/project/b.txt","content":""#, draw, "INPUT", r#""}"#),
            Form::Read => json.around(r#"{"file_path":"/work/project/"#, draw, "INPUT", r#".txt"}"#),
            Form::Grep => json.around(r#"{"pattern":""#, draw, "INPUT", r#"","path":"/work/project"}"#),
            Form::Question => json.around(
                concat!(
                    r#"{"questions":[{"question":"which one?","header":"one","multiSelect":false,"options":["#,
                    r#"{"label":"left","description":"this"},{"label":"right","description":"that"}]}],"#,
                    r#""answers":{"which one?":""#
                ),
                draw,
                "INPUT",
                r#""}}"#,
            ),
            Form::ExitPlan | Form::Farewell => json.around(r#"{"plan":""#, draw, "INPUT", r#""}"#),
            Form::Mcp => json.around(r#"{"query":""#, draw, "INPUT", r#"","limit":3}"#),
        }
    }

    /// A result that a hook puts in place of the tool's; for an MCP tool any JSON will do.
    pub(crate) fn new_output(&self, draw: &mut Draw<'_, '_>, json: &mut Pieces) {
        match self.form {
            Form::Shell => {
                json.around(r#"{"stdout":""#, draw, "OUTPUT", r#"","stderr":"","interrupted":false,"isImage":false}"#)
            }
            Form::Mcp if draw.chance(50) => json.around(r#"[{"type":"text","text":""#, draw, "OUTPUT", r#""}]"#),
            Form::Mcp => json.around(r#"""#, draw, "OUTPUT", r#"""#),
            Form::Edit => json.around(
                r#"{"filePath":"/work/project/a.txt","oldString":"one","newString":""#,
                draw,
                "OUTPUT",
                r#""}"#,
            ),
            Form::Read => json.around(
                r#"{"type":"text","file":{"filePath":"/work/project/a.txt","content":""#,
                draw,
                "OUTPUT",
                r#""}}"#,
            ),
            Form::Grep => {
                json.around(r#"{"mode":"files_with_matches","filenames":[""#, draw, "OUTPUT", r#""],"numFiles":1}"#)
            }
            Form::Write | Form::Question | Form::ExitPlan | Form::Farewell => {
                json.around(r#"{"filePath":"/work/project/"#, draw, "OUTPUT", r#".txt","type":"create"}"#);
            }
        }
    }
}
