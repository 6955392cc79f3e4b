//! What hooks hand on to Bash commands: the variables that they write into the file of `CLAUDE_ENV_FILE` (chapters *session* and
//! *workspace*).

use crate::Scene;
use hookproof_contract::{Deed, End, Event, HandlerResult};
use serde_json::Value;

/// A variable that a hook exports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    name: String,
    value: String,
    /// It stays for the rest of the session, and does not go with the next change of directory.
    pub(crate) lasts: bool,
}

/// The variables of the session, the older ones first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    pub(crate) variables: Vec<Variable>,
}

impl Environment {
    /// An event has fired, and its hooks have written this. A change of directory takes away what was meant for the time up to
    /// it, whether it has hooks of its own or none (CWD-02, FILECHG-09B).
    pub(crate) fn changes(&mut self, event: Event, written: Vec<Variable>) {
        if event == Event::CwdChanged {
            self.variables.retain(|variable| variable.lasts);
        }
        self.variables.extend(written);
    }

    /// What a Bash command finds; nothing where no hook has written anything. Of two values of a name the later one counts.
    pub(crate) fn of_commands(&self) -> Option<Value> {
        let named = |variable: &Variable| (variable.name.clone(), Value::from(variable.value.as_str()));
        (!self.variables.is_empty()).then(|| Value::Object(self.variables.iter().map(named).collect()))
    }
}

/// What a command has written into its file, if it was given one and was started at all. How it ended does not matter: what
/// is in the file is there.
pub(crate) fn written(scene: &Scene<'_>, result: &HandlerResult) -> Vec<Variable> {
    let mut variables = Vec::new();
    if !has_file(scene.event()) || result.end == End::NotStarted {
        return variables;
    }
    let lasts = lasts(scene);
    for deed in &result.did {
        let Deed::WroteEnvironment(text) = deed else { continue };
        let text = text.lossy();
        let exports = text.lines().filter_map(exported);
        variables.extend(exports.map(|(name, value)| Variable {
            name: name.to_owned(),
            value: value.to_owned(),
            lasts,
        }));
    }
    variables
}

/// Whether hooks of this event are given such a file (ENV-FILE-04, ENV-FILE-05).
fn has_file(event: Event) -> bool {
    matches!(event, Event::SessionStart | Event::Setup | Event::CwdChanged | Event::FileChanged)
}

/// Whether what hooks of this event write stays for the rest of the session. Once, that of a change of directory did (CWD-02).
fn lasts(scene: &Scene<'_>) -> bool {
    match scene.event() {
        Event::CwdChanged => !scene.since(290),
        event => event != Event::FileChanged,
    }
}

/// The name and the value of a line that exports a variable.
fn exported(line: &str) -> Option<(&str, &str)> {
    line.trim().strip_prefix("export ")?.trim_start().split_once('=')
}

#[cfg(test)]
mod tests {
    use crate::testing::{stage, stage_at};
    use hookproof_contract::{Event, Outcome, Revision, Slot};
    use serde_json::{Value, json};

    /// A handler of this name on each of the events, and the steps.
    fn case(handlers: &[(&str, &str)], results: Value, steps: Value) -> Value {
        let mut hooks = json!({});
        for (event, name) in handlers {
            let handler = json!({"type": "command", "command": name});
            match hooks[*event].as_array_mut() {
                Some(groups) => groups.push(json!({"hooks": [handler]})),
                None => hooks[*event] = json!([{"hooks": [handler]}]),
            }
        }
        json!({"settings": [{"from": "user", "settings": {"hooks": hooks}}], "results": results, "steps": steps})
    }

    fn writes(text: &str) -> Value {
        json!({"did": [{"wrote_environment": text}]})
    }

    fn fire(event: &str) -> Value {
        json!({"fire": {"event": event, "input": {"tool_name": "Bash", "tool_input": {"command": "ls"}, "new_cwd": "/w/a"}}})
    }

    /// What the last step's command finds.
    fn found(outcomes: &[Outcome]) -> Option<Value> {
        outcomes.last()?.set.get(&Slot::Environment).cloned()
    }

    #[test]
    fn hooks_of_four_events_have_a_file_and_those_of_no_other() {
        let with = ["SessionStart", "Setup", "CwdChanged", "FileChanged"];
        for event in Event::ALL.into_iter().filter(|event| *event != Event::SessionEnd) {
            let name = event.name();
            let case =
                case(&[(name, "a")], json!({"a": writes("export A=1\n")}), json!([fire(name), fire("PreToolUse")]));
            assert_eq!(found(&stage(case)), with.contains(&name).then(|| json!({"A": "1"})), "{name}");
        }
    }

    #[test]
    fn a_command_finds_what_all_hooks_have_exported_so_far() {
        let results = json!({"a": writes("export A=1\nexport B=x.y/z:-_\n"), "b": writes("export C=3"), "c": writes("export D=4\n")});
        let handlers = [("Setup", "a"), ("SessionStart", "b"), ("SessionStart", "c")];
        let steps =
            json!([fire("PreToolUse"), fire("Setup"), fire("PreToolUse"), fire("SessionStart"), fire("PreToolUse")]);
        let outcomes = stage(case(&handlers, results, steps));
        let found = |step: usize| outcomes[step].set.get(&Slot::Environment).cloned();
        assert_eq!(found(0), None);
        assert_eq!(found(2), Some(json!({"A": "1", "B": "x.y/z:-_"})));
        assert_eq!(found(4), Some(json!({"A": "1", "B": "x.y/z:-_", "C": "3", "D": "4"})));
    }

    #[test]
    fn other_tools_find_nothing_and_a_denied_command_all_the_same() {
        let bash = fire("PreToolUse");
        let mut read = fire("PreToolUse");
        read["fire"]["input"]["tool_name"] = json!("Read");
        let results = json!({"a": writes("export A=1"), "deny": {"end": {"exit": 2}, "err": "NO-1"}});
        let handlers = [("SessionStart", "a"), ("PreToolUse", "deny")];
        let outcomes = stage(case(&handlers, results, json!([fire("SessionStart"), read, bash])));
        assert!(outcomes[1].set.is_empty());
        assert_eq!(found(&outcomes), Some(json!({"A": "1"})));
    }

    #[test]
    fn a_change_of_directory_takes_away_what_changes_brought_and_nothing_else() {
        let results = json!({"s": writes("export S=1"), "f": writes("export F=1"), "c": writes("export C=1")});
        let handlers = [("SessionStart", "s"), ("FileChanged", "f"), ("CwdChanged", "c")];
        let quiet = json!({"fire": {"event": "CwdChanged", "input": {"new_cwd": "/w/b"}, "results": {"c": {}}}});
        let steps = json!([
            fire("SessionStart"),
            fire("FileChanged"),
            fire("PreToolUse"),
            fire("CwdChanged"),
            fire("PreToolUse"),
            quiet,
            fire("PreToolUse")
        ]);
        let case = case(&handlers, results, steps);
        let found = |outcomes: &[Outcome]| [2, 4, 6].map(|step| outcomes[step].set[&Slot::Environment].clone());
        assert_eq!(
            found(&stage(case.clone())),
            [json!({"S": "1", "F": "1"}), json!({"S": "1", "C": "1"}), json!({"S": "1"})]
        );
        let before = stage_at(case, Revision(2, 1, 240));
        assert_eq!(found(&before)[1..], [json!({"S": "1", "C": "1"}), json!({"S": "1", "C": "1"})]);
    }

    #[test]
    fn a_change_of_directory_without_hooks_takes_it_away_too() {
        let steps = json!([fire("FileChanged"), fire("CwdChanged"), fire("PreToolUse")]);
        assert_eq!(found(&stage(case(&[("FileChanged", "f")], json!({"f": writes("export F=1")}), steps))), None);
    }

    #[test]
    fn how_a_hook_ended_does_not_matter_but_it_must_have_started() {
        for (end, is_there) in [
            (json!({"exit": 0}), true),
            (json!({"exit": 1}), true),
            (json!({"exit": 2}), true),
            (json!({"signal": 9}), true),
            (json!("timed_out"), true),
            (json!("not_started"), false),
        ] {
            let mut result = writes("export A=1");
            result["end"] = end.clone();
            let steps = json!([fire("SessionStart"), fire("PreToolUse")]);
            let outcomes = stage(case(&[("SessionStart", "a")], json!({"a": result}), steps));
            assert_eq!(found(&outcomes).is_some(), is_there, "{end}");
        }
    }

    #[test]
    fn a_hook_in_the_background_has_a_file_and_a_server_has_none() {
        let steps = json!([fire("FileChanged"), fire("PreToolUse")]);
        let mut case = case(&[("FileChanged", "a")], json!({"a": writes("export A=1")}), steps);
        let handler = "/settings/0/settings/hooks/FileChanged/0/hooks/0";
        case.pointer_mut(handler).expect("a handler")["async"] = json!(true);
        assert!(found(&stage(case.clone())).is_some());
        *case.pointer_mut(handler).expect("a handler") = json!({"type": "http", "url": "a"});
        assert!(found(&stage(case)).is_none());
    }

    #[test]
    fn another_session_begins_with_nothing() {
        for end in [json!({"happen": "session_ends"}), json!({"happen": "cleared"}), fire("SessionEnd")] {
            let steps = json!([fire("SessionStart"), end, fire("PreToolUse")]);
            let case = case(&[("SessionStart", "a")], json!({"a": writes("export A=1")}), steps);
            assert!(found(&stage(case)).is_none());
        }
    }

    #[test]
    fn only_lines_that_export_count_and_the_later_value() {
        let text = "# export X=1\nexport A=1\nB=2\nexport C\n  export A=3=4\n";
        let steps = json!([fire("SessionStart"), fire("PreToolUse")]);
        let outcomes = stage(case(&[("SessionStart", "a")], json!({"a": writes(text)}), steps));
        assert_eq!(found(&outcomes), Some(json!({"A": "3=4"})));
    }
}
