//! What the tool of an MCP server answered (chapter *mcp-tools*).

use super::{Answer, Ending, command};
use crate::Scene;
use hookproof_contract::{End, Event, HandlerResult, Text};

/// Reads a tool's text as if a command had printed it and exited 0 (MCPHOOK-04). All else is an error that blocks nothing.
pub(crate) fn read(scene: &Scene<'_>, result: &HandlerResult) -> Answer {
    match result.end {
        End::Exit(0) | End::Answered => {
            command(scene, &HandlerResult { end: End::Exit(0), err: Text::default(), ..result.clone() })
        }
        End::TimedOut => Answer { ending: Ending::TimedOut, ..Answer::default() },
        End::ToolError => failed(scene, "the tool reported an error", &result.out.lossy()),
        _ => failed(scene, "the server of the tool is not connected", ""),
    }
}

/// MCPHOOK-05, MCPHOOK-08: what was going on goes on. That holds of the removal of a worktree as well, where it is only
/// the code of a command that can hold it up.
fn failed(scene: &Scene<'_>, message: &str, text: &str) -> Answer {
    let ending = match scene.event() {
        Event::WorktreeRemove => Ending::Done,
        _ => Ending::Failed(message.to_owned()),
    };
    let text = (!text.is_empty()).then(|| format!("the tool said: {text}"));
    let log = std::iter::once(message.to_owned()).chain(text).collect();
    Answer { ending, log, ..Answer::default() }
}

#[cfg(test)]
mod tests {
    use crate::testing::{said, stage};
    use hookproof_contract::{Audience, Fate, Outcome, Slot};
    use serde_json::{Value, json};

    fn play(event: &str, result: Value) -> Outcome {
        let tool = json!({"type": "mcp_tool", "server": "s", "tool": "t"});
        let input =
            json!({"tool_name": "Bash", "tool_input": {}, "prompt": "P-1", "worktree_path": "/w/t", "source": "clear"});
        stage(json!({"settings": [{"from": "user", "settings": {"hooks": {event: [{"hooks": [tool]}]}}}],
                     "results": {"t": result}, "steps": [{"fire": {"event": event, "input": input}}]}))
        .remove(0)
    }

    const BLOCK: &str = r#"{"decision":"block","reason":"WHY-1"}"#;

    #[test]
    fn its_text_is_stdout() {
        for end in [json!("answered"), json!({"exit": 0})] {
            for event in ["UserPromptSubmit", "UserPromptExpansion", "SessionStart"] {
                let outcome = play(event, json!({"end": end, "out": "TEXT-1"}));
                assert!(said(&outcome, Audience::Model).concat().contains("TEXT-1"), "{event}");
            }
            assert!(said(&play("PreToolUse", json!({"end": end, "out": "TEXT-1"})), Audience::Model).is_empty());
            assert_eq!(play("UserPromptSubmit", json!({"end": end, "out": BLOCK})).fate, Some(Fate::Prevented));
        }
        let garbled = play("PreToolUse", json!({"end": "answered", "out": "{x}"}));
        assert!(garbled.fate.is_none() && said(&garbled, Audience::User).concat().contains("hook error"));
        assert!(said(&play("Stop", json!({})), Audience::User).is_empty());
    }

    #[test]
    fn an_error_and_a_server_that_is_not_there_block_nothing() {
        for end in ["tool_error", "refused"] {
            for event in ["UserPromptSubmit", "PreToolUse", "Stop", "SessionStart", "TaskCreated"] {
                let outcome = play(event, json!({"end": end, "out": BLOCK}));
                assert!(outcome.fate.is_none() && outcome.set.is_empty(), "{event}");
                let heard = said(&outcome, Audience::User).concat();
                assert!(heard.contains("hook error") && !heard.contains("WHY-1"), "{event}: {heard}");
                assert!(said(&outcome, Audience::Model).is_empty(), "{event}");
            }
            assert!(play("WorktreeRemove", json!({"end": end})).fate.is_none());
        }
        let late = play("PreToolUse", json!({"end": "timed_out", "out": BLOCK}));
        assert!(late.fate.is_none() && said(&late, Audience::User).is_empty());
    }

    #[test]
    fn a_worktree_that_a_tool_was_to_make_is_where_it_says() {
        let outcome = play("WorktreeCreate", json!({"end": "answered", "out": "/w/made"}));
        assert_eq!(outcome.set[&Slot::WorktreePath], "/w/made");
        assert_eq!(play("WorktreeCreate", json!({"end": "tool_error"})).fate, Some(Fate::Prevented));
    }
}
