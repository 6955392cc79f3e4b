//! A handler's own condition, `if`: one permission rule about the call (chapter *matchers*).
//!
//! Of the grammar of permission rules little is settled: what this runtime cannot decide lets the handler run.

mod path;
pub(crate) mod shell;

use crate::{Scene, session::Session, settings::is_like};
use hookproof_contract::Event;
use serde_json::{Map, Value};

/// Whether a handler's condition holds.
pub(crate) type Holds = fn(&Scene<'_>, &Session, &Map<String, Value>) -> bool;

/// Whether a handler's condition holds; it does where there is none, and never on an event without a tool.
pub(crate) fn holds(scene: &Scene<'_>, session: &Session, handler: &Map<String, Value>) -> bool {
    let Some(rule) = handler.get("if") else { return true };
    let Some(rule) = rule.as_str().filter(|_| is_tool_event(scene.event())) else { return false };
    let (tool, pattern) = parts(rule);
    scene.input_text("tool_name") == Some(tool) && pattern.is_none_or(|pattern| fits(scene, session, tool, pattern))
}

/// Whether the event is about one call of a tool.
pub(crate) fn is_tool_event(event: Event) -> bool {
    matches!(
        event,
        Event::PreToolUse
            | Event::PermissionRequest
            | Event::PermissionDenied
            | Event::PostToolUse
            | Event::PostToolUseFailure
    )
}

/// The tool of a permission rule, and the pattern in its parentheses.
pub(crate) fn parts(rule: &str) -> (&str, Option<&str>) {
    match rule.split_once('(') {
        Some((tool, rest)) => (tool.trim(), rest.trim_end().strip_suffix(')')),
        None => (rule.trim(), None),
    }
}

/// A string argument of the call.
pub(crate) fn argument<'a>(scene: &Scene<'a>, name: &str) -> Option<&'a str> {
    scene.firing.input.get("tool_input")?.get(name)?.as_str()
}

/// Whether the arguments of a call are like a pattern.
fn fits(scene: &Scene<'_>, session: &Session, tool: &str, pattern: &str) -> bool {
    match tool {
        "Bash" => argument(scene, "command").is_none_or(|command| runs(command, pattern)),
        "Read" | "Edit" | "Write" => argument(scene, "file_path").is_none_or(|file| {
            let place = path::Place { cwd: session.cwd(scene), home: scene.host().env.get("HOME"), file };
            // A directory's name alone was once looked for at any depth.
            place.is_like(pattern, scene.since(214))
        }),
        _ => true,
    }
}

/// Whether a Bash input runs a command that is like a pattern, or may do so.
fn runs(input: &str, pattern: &str) -> bool {
    let Some(commands) = shell::commands(input) else { return true };
    is_command(input.trim(), pattern)
        || commands.iter().any(|command| is_command(command, pattern))
        || (shell::substitutes(input) && !is_bare(pattern))
}

/// Whether one command is like a pattern; a star that stands for all arguments also stands for none.
pub(crate) fn is_command(command: &str, pattern: &str) -> bool {
    let name = without_arguments(pattern);
    is_like(command, pattern) || (name != pattern && (is_like(command, name) || is_like(command, &format!("{name} *"))))
}

/// Whether a pattern says no more than the name of a command.
pub(crate) fn is_bare(pattern: &str) -> bool {
    !without_arguments(pattern).contains(char::is_whitespace)
}

/// A pattern without the star that stands for all arguments, in either way to write it.
fn without_arguments(pattern: &str) -> &str {
    pattern.strip_suffix(" *").or_else(|| pattern.strip_suffix(":*")).unwrap_or(pattern)
}

#[cfg(test)]
mod tests {
    use crate::testing::{ran, stage, stage_at};
    use hookproof_contract::Revision;
    use serde_json::{Value, json};

    fn case(event: &str, rule: &str, tool: &str, input: &Value) -> Value {
        let handlers = json!([{"type": "command", "command": "a", "if": rule}, {"type": "command", "command": "b"}]);
        json!({"settings": [{"from": "user", "settings": {"hooks": {event: [{"hooks": handlers}]}}}],
               "steps": [{"fire": {"event": event, "input": {"tool_name": tool, "tool_input": input}}}]})
    }

    fn holds(rule: &str, tool: &str, input: &Value) -> bool {
        let ran = ran(&stage(case("PreToolUse", rule, tool, input))[0]);
        assert!(ran.contains(&"b".to_owned()), "the handler beside it always runs");
        ran.len() == 2
    }

    fn bash(pattern: &str, command: &str) -> bool {
        holds(&format!("Bash({pattern})"), "Bash", &json!({"command": command}))
    }

    fn edit(pattern: &str, path: &str) -> bool {
        holds(&format!("Edit({pattern})"), "Edit", &json!({"file_path": path}))
    }

    #[test]
    fn a_rule_names_one_tool_and_is_about_tools_alone() {
        let input = json!({"command": "rm x"});
        assert!(
            holds("Bash", "Bash", &input) && holds("Bash(*)", "Bash", &input) && holds("Bash(rm *)", "Bash", &input)
        );
        assert!(!holds("Bash", "PowerShell", &input) && !holds("Bash(rm *)", "PowerShell", &input));
        for event in ["Stop", "PostToolBatch", "UserPromptSubmit", "Notification"] {
            assert_eq!(ran(&stage(case(event, "Bash", "Bash", &input))[0]), ["b"], "{event}");
        }
        for event in ["PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"] {
            assert_eq!(ran(&stage(case(event, "Bash(rm *)", "Bash", &input))[0]), ["a", "b"], "{event}");
            assert_eq!(ran(&stage(case(event, "Bash(git *)", "Bash", &input))[0]), ["b"], "{event}");
        }
    }

    #[test]
    fn every_command_of_an_input_is_looked_at() {
        for command in [
            "git push",
            "git",
            "FOO=bar git push",
            "A=1 B='x y' C=\"$(date)\" git push",
            "npm test && git push",
            "npm test || git push",
            "npm test; git push",
            "cat x | git apply",
            "npm test & git push",
            "npm test\ngit push",
            "(cd x && git push)",
            "echo $(git status)",
            "echo `git status`",
            "echo \"now $(git status)\"",
            "echo $(echo $(git status))",
        ] {
            assert!(bash("git *", command), "{command}");
        }
        for command in
            ["gitk", "npm test", "echo git push", "echo 'x && git push'", "echo \"x; git push\"", "FOO=git", ""]
        {
            assert!(!bash("git *", command), "{command}");
        }
        assert!(bash("npm test && git push", "npm test && git push") && bash("git push", "git push"));
        assert!(!bash("git push", "git pull") && bash("git push:*", "git push origin"));
    }

    #[test]
    fn what_a_shell_fills_in_satisfies_whatever_says_more_than_a_name() {
        assert!(!bash("rm *", "echo $(date)") && bash("rm *", "echo $(rm -rf /)"));
        for command in ["echo $(date)", "echo `date`", "echo $HOME", "echo ${HOME}"] {
            assert!(bash("git push *", command) && !bash("rm *", command) && !bash("rm", command), "{command}");
        }
        assert!(!bash("git push *", "echo date"));
    }

    #[test]
    fn what_cannot_be_worked_out_lets_the_handler_run() {
        for command in [
            "echo 'x",
            "echo \"x",
            "echo $(date",
            "echo `date",
            "x)",
            "$CMD x",
            "for f in a; do ls; done",
            &"$(".repeat(1000),
            "cat <<E",
        ] {
            assert!(bash("rm *", command), "{command}");
        }
        assert!(!bash("rm *", "ls 2>&1 >x") && !bash("rm *", "ls &>x"));
    }

    #[test]
    fn a_pattern_of_paths_begins_at_the_working_directory() {
        for (pattern, path, like) in [
            ("*.ts", "a.ts", true),
            ("*.ts", "/work/project/a.ts", true),
            ("*.ts", "a.js", false),
            ("src/**", "src/a", true),
            ("src/**", "./src/b/../a", true),
            ("src/**", "/work/project/src/b/a", true),
            ("src/**", "lib/src/a", false),
            ("src/**", "srcs/a", false),
            ("src/**", "/src/a", false),
            ("**/src/**", "src/a", true),
            ("**/src/**", "lib/b/src/a", true),
            ("**/src/**", "lib/a", false),
        ] {
            assert_eq!(edit(pattern, path), like, "{pattern} {path}");
        }
        let deep = case("PreToolUse", "Edit(src/**)", "Edit", &json!({"file_path": "lib/src/a"}));
        assert_eq!(ran(&stage_at(deep, Revision(2, 1, 213))[0]), ["a", "b"]);
        assert!(!holds("Edit(*.ts)", "Write", &json!({"file_path": "a.ts"})));
    }
}
