//! The types of handlers, and on which events each of them runs (chapters *evaluators*, *mcp-tools* and *http*).

use crate::Scene;
use hookproof_contract::Event;
use serde_json::{Map, Value};

/// How a handler does its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Command,
    Http,
    /// `mcp_tool`: it calls a tool of an MCP server.
    Tool,
    /// `prompt`: it asks a model.
    Prompt,
    /// `agent`: it asks a subagent.
    Agent,
}

impl Kind {
    /// Whether the handler answers with a verdict and a reason instead of an output object.
    pub(crate) fn is_evaluator(self) -> bool {
        matches!(self, Kind::Prompt | Kind::Agent)
    }
}

/// The type of a handler, and what it runs; nothing where the handler is malformed.
pub(crate) fn of(json: &Map<String, Value>) -> Option<(Kind, &str)> {
    let text = |key: &str| json.get(key).and_then(Value::as_str);
    match text("type")? {
        "command" => Some((Kind::Command, text("command")?)),
        "http" => Some((Kind::Http, text("url")?)),
        "mcp_tool" => text("server").and(text("tool")).map(|tool| (Kind::Tool, tool)),
        "prompt" => Some((Kind::Prompt, text("prompt")?)),
        "agent" => Some((Kind::Agent, text("prompt")?)),
        _ => None,
    }
}

/// Whether handlers of a type run on this occurrence; those that do not are passed over.
pub(crate) fn runs(scene: &Scene<'_>, kind: Kind) -> bool {
    match kind {
        Kind::Command => true,
        Kind::Http => !matches!(scene.event(), Event::Setup | Event::SessionStart),
        Kind::Tool => reaches_servers(scene),
        Kind::Prompt => takes_evaluators(scene.event()) || scene.event() == Event::PermissionRequest,
        // Before 2.1.290, agents were asked about permissions too.
        Kind::Agent => {
            takes_evaluators(scene.event()) || (scene.event() == Event::PermissionRequest && !scene.since(290))
        }
    }
}

/// Whether hooks can reach MCP servers: not while the program is set up or launched (MCPHOOK-10, MCPHOOK-13).
fn reaches_servers(scene: &Scene<'_>) -> bool {
    match scene.event() {
        Event::Setup => false,
        // A conversation can also be resumed later, which nothing tells apart.
        Event::SessionStart => matches!(scene.input_text("source"), Some("clear" | "compact")),
        _ => true,
    }
}

/// Whether evaluators of both types run on an event (PROMPT-SUP-01).
fn takes_evaluators(event: Event) -> bool {
    matches!(
        event,
        Event::PreToolUse
            | Event::PostToolUse
            | Event::PostToolUseFailure
            | Event::PostToolBatch
            | Event::PermissionDenied
            | Event::UserPromptSubmit
            | Event::UserPromptExpansion
            | Event::Stop
            | Event::SubagentStop
            | Event::TaskCreated
            | Event::TaskCompleted
            | Event::TeammateIdle
    )
}

#[cfg(test)]
mod tests {
    use crate::testing::{ran, said, stage, stage_at, stage_read};
    use hookproof_contract::{Audience, Outcome, Revision, reading};
    use serde_json::{Value, json};

    fn case(event: &str, source: &str) -> Value {
        let handlers = json!([
            {"type": "command", "command": "a"},
            {"type": "http", "url": "http://u"},
            {"type": "mcp_tool", "server": "s", "tool": "t"},
            {"type": "prompt", "prompt": "p"},
            {"type": "agent", "prompt": "q"},
        ]);
        json!({"settings": [{"from": "user", "settings": {"hooks": {event: [{"hooks": handlers}]}}}],
               "steps": [{"fire": {"event": event, "input": {"source": source}}}]})
    }

    fn play(event: &str, source: &str) -> Outcome {
        stage(case(event, source)).remove(0)
    }

    fn hint(event: &str) -> String {
        format!("mcp_tool hooks are not available for the '{event}' hook event (no MCP client context)")
    }

    #[test]
    fn evaluators_run_where_something_can_be_objected_to() {
        let all = ["a", "http://u", "t", "p", "q"];
        for event in
            ["PreToolUse", "PostToolBatch", "UserPromptExpansion", "SubagentStop", "TaskCreated", "TeammateIdle"]
        {
            assert_eq!(ran(&play(event, "")), all, "{event}");
        }
        for event in ["Notification", "PreCompact", "ConfigChange", "Elicitation", "SubagentStart", "SessionEnd"] {
            assert_eq!(ran(&play(event, "")), all[..3], "{event}");
        }
    }

    #[test]
    fn tools_are_not_called_before_servers_can_be_reached() {
        for source in ["startup", "resume", "fork"] {
            let outcome = play("SessionStart", source);
            assert_eq!(ran(&outcome), ["a"], "{source}");
            assert_eq!(said(&outcome, Audience::Debug), [hint("SessionStart")], "{source}");
        }
        for source in ["clear", "compact"] {
            let outcome = play("SessionStart", source);
            assert_eq!(ran(&outcome), ["a", "t"], "{source}");
            assert!(said(&outcome, Audience::Debug).is_empty(), "{source}");
        }
        let setup = play("Setup", "");
        assert_eq!((ran(&setup), said(&setup, Audience::Debug)), (vec!["a".to_owned()], vec![hint("Setup")]));
    }

    #[test]
    fn the_line_about_a_tool_that_is_passed_over_came_later() {
        let before = stage_at(case("Setup", ""), Revision(2, 1, 289)).remove(0);
        assert_eq!((ran(&before), said(&before, Audience::Debug)), (vec!["a".to_owned()], vec![]));
    }

    #[test]
    fn whether_the_user_is_told_of_what_is_passed_over_is_open() {
        for (event, passed_over) in [
            ("Setup", &["http://u", "t", "p", "q"][..]),
            ("SessionStart", &["http://u", "p", "q"]),
            ("PermissionRequest", &["q"]),
            ("PreModelSwitch", &["p", "q"]),
            ("Stop", &[]),
        ] {
            assert!(said(&play(event, "clear"), Audience::User).is_empty(), "{event}");
            let told = said(&stage_read(case(event, "clear"), &[reading!("A-156", "warned")])[0], Audience::User);
            assert_eq!(told.len(), passed_over.len(), "{event}");
            assert!(told.iter().zip(passed_over).all(|(told, name)| told.contains(&format!(":{name} "))), "{event}");
        }
        let mut elsewhere = case("PreModelSwitch", "");
        elsewhere["settings"][0]["settings"]["hooks"]["PreModelSwitch"][0]["matcher"] = json!("another-model");
        elsewhere["host"] = json!({"models": {"opus": "opus"}});
        elsewhere["steps"][0]["fire"]["input"]["to_model"] = json!("opus");
        let outcome = stage_read(elsewhere, &[reading!("A-156", "warned")]).remove(0);
        assert!(said(&outcome, Audience::User).is_empty(), "what is not selected is not passed over");
    }

    #[test]
    fn a_tool_without_a_server_and_an_evaluator_without_a_prompt_are_malformed() {
        let mut case = case("Stop", "");
        case["settings"][0]["settings"]["hooks"]["Stop"][0]["hooks"] = json!([
            {"type": "mcp_tool", "tool": "t"}, {"type": "mcp_tool", "server": "s"}, {"type": "prompt"}, {"type": "agent", "prompt": 5}]);
        assert!(ran(&stage(case)[0]).is_empty());
    }
}
