//! The second step: what one handler said, from how it ended and what it printed (chapters *exit-codes*, *stdout*,
//! *schema*, *http*, *mcp-tools*, *evaluators*).

mod background;
mod evaluator;
mod http;
mod json;
mod path;
mod schema;
mod stdout;
mod terminal;
mod tool;

pub(crate) use background::{Late, is_background, wakes};
pub(crate) use evaluator::Objection;
pub(crate) use stdout::{is_context, trim};
pub(crate) use terminal::is_allowed;

use crate::{
    Scene,
    environment::{self, Variable},
    permissions::Update,
    select::{Handler, Kind},
};
use hookproof_contract::{End, Event, HandlerResult};
use serde_json::{Map, Value};

/// What one handler said.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    pub(crate) ending: Ending,
    /// It exited as a failure, but its JSON counts, and the code does not.
    pub(crate) is_excused: bool,
    pub(crate) spoken: Spoken,
    /// Stderr.
    pub(crate) err: String,
    /// What the debug log gets.
    pub(crate) log: Vec<String>,
    /// What is left of it where the handler runs in the background; then nothing else counts.
    pub(crate) late: Option<Late>,
    /// What it has written for Bash commands.
    pub(crate) exports: Vec<Variable>,
}

/// What the way in which a handler ended says by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It succeeded.
    #[default]
    Done,
    /// It exited 2.
    Blocking,
    /// It failed without blocking; the message is for the notice.
    Failed(String),
    /// It was cancelled, and nothing of it counts.
    TimedOut,
}

/// What a handler printed, or what its server sent.
#[derive(Clone, Debug, Default)]
pub(crate) enum Spoken {
    #[default]
    Nothing,
    /// Plain text, as it stands.
    Plain(String),
    /// A valid object.
    Object(Box<Output>),
    /// An object that violates the schema, and how.
    Rejected(String),
    /// What looks like JSON and is none, and why.
    Garbled(String),
    /// An evaluator says no.
    Objection(Objection),
}

/// The fields of a valid object, those of all events together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Output {
    /// `continue` is false.
    pub(crate) stop: bool,
    pub(crate) stop_reason: Option<String>,
    pub(crate) system_message: Option<String>,
    pub(crate) terminal_sequence: Option<String>,
    pub(crate) decision: Option<TopDecision>,
    pub(crate) reason: Option<String>,
    /// `additionalContext`.
    pub(crate) context: Option<String>,
    /// `permissionDecision`.
    pub(crate) ruling: Option<Ruling>,
    pub(crate) ruling_reason: Option<String>,
    pub(crate) updated_input: Option<Map<String, Value>>,
    pub(crate) tool_output: Option<Value>,
    pub(crate) mcp_output: Option<Value>,
    /// `classifierContext`.
    pub(crate) note: Option<String>,
    pub(crate) title: Option<String>,
    /// `initialUserMessage`.
    pub(crate) first_prompt: Option<String>,
    pub(crate) watch_paths: Option<Vec<String>>,
    /// `reloadSkills` is true.
    pub(crate) reloads_skills: bool,
    /// `suppressOriginalPrompt`.
    pub(crate) hides_prompt: bool,
    pub(crate) action: Option<Action>,
    pub(crate) content: Option<Map<String, Value>>,
    /// `displayContent`.
    pub(crate) display: Option<String>,
    /// `worktreePath`, or the line that a command printed.
    pub(crate) path: Option<String>,
    /// The answer to a permission request.
    pub(crate) consent: Option<Consent>,
    /// `retry` is true.
    pub(crate) retry: bool,
    /// How many fields of the event `hookSpecificOutput` has.
    pub(crate) own_fields: usize,
    /// The keys that the schema does not know.
    pub(crate) unknown: Vec<String>,
    /// The fields that were left out for their type.
    pub(crate) dropped: Vec<String>,
}

/// The values of top-level `decision`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TopDecision {
    Block,
    Approve,
}

/// The values of `permissionDecision`, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ruling {
    Allow,
    Ask,
    Defer,
    Deny,
}

/// The values of `action`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Accept,
    Decline,
    Cancel,
}

/// The answer to a permission request (`decision` in `hookSpecificOutput`).
#[derive(Clone, Debug)]
pub(crate) enum Consent {
    Given { input: Option<Map<String, Value>>, updates: Vec<Update> },
    Refused { message: Option<String>, interrupts: bool },
}

impl Answer {
    /// The valid object, if there is one.
    pub(crate) fn output(&self) -> Option<&Output> {
        if let Spoken::Object(output) = &self.spoken { Some(output) } else { None }
    }

    /// The same, to be changed.
    pub(crate) fn output_mut(&mut self) -> Option<&mut Output> {
        if let Spoken::Object(output) = &mut self.spoken { Some(output) } else { None }
    }

    /// Notes the keys that the schema does not know in the debug log, and those of the wrong type.
    fn log_unknown_keys(&mut self) {
        if let Spoken::Object(output) = &self.spoken {
            self.log.extend(output.unknown.iter().map(|key| format!("unrecognized key `{key}`")));
            self.log.extend(output.dropped.iter().map(|key| format!("warning: `{key}` has the wrong type")));
        }
    }

    /// Whether it did what it was to do, and nothing is wrong with what it printed.
    pub(crate) fn succeeded(&self) -> bool {
        self.ending == Ending::Done && !matches!(self.spoken, Spoken::Rejected(_) | Spoken::Garbled(_))
    }

    /// Whether it exited 2.
    pub(crate) fn exits_two(&self) -> bool {
        self.ending == Ending::Blocking
    }

    /// Whether its JSON blocks by top-level `decision`.
    pub(crate) fn decides_block(&self) -> bool {
        self.output().is_some_and(|output| output.decision == Some(TopDecision::Block))
    }

    /// Whether it blocks, in one way or the other.
    pub(crate) fn blocks(&self) -> bool {
        self.exits_two() || self.decides_block()
    }
}

/// Reads what a handler said.
pub(crate) fn read<'a>(scene: &Scene<'a>, handler: &Handler<'a>, result: &HandlerResult) -> Answer {
    let scene = &Scene { declared: handler.declared, ..*scene };
    match handler.kind {
        Kind::Http => http::read(scene, result),
        Kind::Tool => tool::read(scene, result),
        Kind::Prompt | Kind::Agent => evaluator::read(scene, result),
        Kind::Command if is_background(handler) => background::read(scene, handler, result),
        Kind::Command => command(scene, result),
    }
}

/// Reads what a command said for which the event waits.
pub(crate) fn command(scene: &Scene<'_>, result: &HandlerResult) -> Answer {
    let exports = environment::written(scene, result);
    if result.end == End::TimedOut {
        return Answer { ending: Ending::TimedOut, exports, ..Answer::default() };
    }
    let err = result.err.lossy().into_owned();
    let mut answer = Answer { ending: ending(scene.event(), result.end, &err), err, exports, ..Answer::default() };
    // What could not be started has printed nothing.
    if result.end != End::NotStarted && !result.out.is_empty() {
        let out = result.out.lossy();
        answer.log.push(format!("stdout: {out}"));
        answer.spoken = match scene.event() {
            Event::WorktreeCreate => path::last_line(&out, scene.stance).map_or(Spoken::Nothing, |path| {
                Spoken::Object(Box::new(Output { path: Some(path), ..Output::default() }))
            }),
            _ => stdout::read(scene, out),
        };
    }
    // Where exit 2 means nothing, its stderr is thrown away.
    let thrown_away = scene.event() == Event::PermissionRequest && answer.exits_two();
    if !answer.err.is_empty() && !thrown_away {
        answer.log.push(format!("stderr: {}", answer.err));
    }
    answer.log_unknown_keys();
    weigh(scene, &mut answer);
    answer
}

/// How a command ended, by itself.
fn ending(event: Event, end: End, err: &str) -> Ending {
    match end {
        End::Exit(0) | End::Answered | End::Status(200..=299) => Ending::Done,
        End::Exit(2) => Ending::Blocking,
        // There, how it ended is told by itself, and stderr is quoted besides.
        _ if event == Event::WorktreeRemove => Ending::Failed(how(end)),
        _ => {
            let line = err.lines().next().unwrap_or_default();
            Ending::Failed(format!("Failed with non-blocking status code: {line}"))
        }
    }
}

/// How a command ended that did not succeed, in words.
fn how(end: End) -> String {
    match end {
        End::Exit(code) => format!("exited {code}"),
        End::Signal(signal) => format!("was ended by signal {signal}"),
        _ => "could not be started".to_owned(),
    }
}

/// Whether the contract does not say if an event uses the standard decision model.
fn is_unsaid(event: Event) -> bool {
    matches!(
        event,
        Event::SessionStart
            | Event::SubagentStart
            | Event::PostModelSwitch
            | Event::PermissionRequest
            | Event::PermissionDenied
            | Event::TaskCreated
            | Event::TaskCompleted
            | Event::TeammateIdle
            | Event::CwdChanged
            | Event::FileChanged
            | Event::DirectoryAdded
    )
}

/// What the code and the JSON come to together.
fn weigh(scene: &Scene<'_>, answer: &mut Answer) {
    match &answer.spoken {
        Spoken::Rejected(message) | Spoken::Garbled(message) if answer.exits_two() => {
            answer.log.push(format!("output ignored: {message}"));
            // Before 2.1.214, an object that violates the schema undid the block.
            if matches!(answer.spoken, Spoken::Rejected(_)) && !scene.since(214) {
                answer.ending = Ending::Done;
            }
        }
        Spoken::Object(_) if matches!(answer.ending, Ending::Failed(_)) => match scene.event() {
            // There, a failure stays one whatever is printed.
            Event::WorktreeCreate | Event::WorktreeRemove => {}
            // There, it is open.
            Event::MessageDisplay if !scene.stance.failing_display_shown => {}
            Event::Elicitation | Event::ElicitationResult | Event::PreCompact | Event::ConfigChange
                if scene.stance.failing_answer_ignored =>
            {
                answer.spoken = Spoken::Nothing;
            }
            event if scene.stance.unsaid_failure_is_silent && is_unsaid(event) => {
                // What acts by side effect does so wherever the rest does nothing.
                let terminal_sequence = answer.output_mut().and_then(|output| output.terminal_sequence.take());
                answer.spoken = Spoken::Object(Box::new(Output { terminal_sequence, ..Output::default() }));
            }
            _ => (answer.ending, answer.is_excused) = (Ending::Done, true),
        },
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{said, stage, stage_at, stage_read};
    use hookproof_contract::{Audience, Fate, Outcome, Revision, reading};
    use serde_json::{Value, json};

    fn case(event: &str, result: Value) -> Value {
        json!({"settings": [{"from": "user", "settings": {"hooks": {event: [{"hooks": [{"type": "command", "command": "a"}]}]}}}],
               "results": {"a": result},
               "steps": [{"fire": {"event": event, "input": {"tool_name": "Bash", "tool_input": {}, "prompt": "P-1", "mcp_server_name": "s"}}}]})
    }

    fn tool(result: Value) -> Outcome {
        stage(case("PreToolUse", result)).remove(0)
    }

    const ALLOW: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}"#;
    const DENY: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"WHY-1"}}"#;

    #[test]
    fn exit_two_blocks_whatever_is_printed() {
        for out in ["", "TEXT-1", ALLOW, "{x}", r#"{"reason":5}"#] {
            let outcome = tool(json!({"end": {"exit": 2}, "out": out, "err": "ERR-1"}));
            assert_eq!(outcome.fate, Some(Fate::Prevented), "{out}");
            assert!(said(&outcome, Audience::Model).concat().contains("ERR-1"), "{out}");
            assert!(said(&outcome, Audience::User).is_empty(), "{out}");
        }
    }

    #[test]
    fn the_reason_of_a_blocking_decision_comes_before_stderr() {
        let outcome = tool(json!({"end": {"exit": 2}, "out": DENY, "err": "ERR-1"}));
        let heard = said(&outcome, Audience::Model).concat();
        assert!(heard.contains("WHY-1") && !heard.contains("ERR-1"));
    }

    #[test]
    fn another_code_blocks_nothing_and_gives_a_notice_with_one_line() {
        for end in
            [json!({"exit": 1}), json!({"exit": 127}), json!({"exit": -1}), json!({"signal": 9}), json!("not_started")]
        {
            let outcome = tool(json!({"end": end, "err": "ERR-1\nERR-2"}));
            let heard = said(&outcome, Audience::User).concat();
            assert!(outcome.fate.is_none() && said(&outcome, Audience::Model).is_empty());
            assert!(
                heard.contains("hook error") && heard.contains("Failed with non-blocking status code: ERR-1"),
                "{heard}"
            );
            assert!(!heard.contains("ERR-2") && said(&outcome, Audience::Debug).concat().contains("ERR-2"));
        }
    }

    #[test]
    fn valid_json_counts_beside_any_code() {
        let outcome = tool(json!({"end": {"exit": 1}, "out": DENY, "err": "ERR-1"}));
        assert_eq!(outcome.fate, Some(Fate::Prevented));
        assert!(said(&outcome, Audience::User).is_empty());
        let silent = tool(json!({"end": {"exit": 1}, "out": "{}", "err": "ERR-1"}));
        assert!(silent.fate.is_none() && said(&silent, Audience::User).is_empty());
    }

    #[test]
    fn stderr_of_success_is_for_the_debug_log_alone() {
        let outcome = tool(json!({"err": "ERR-1"}));
        assert!(said(&outcome, Audience::User).is_empty() && said(&outcome, Audience::Model).is_empty());
        assert!(said(&outcome, Audience::Debug).concat().contains("ERR-1"));
    }

    #[test]
    fn nothing_of_a_cancelled_handler_counts() {
        let outcome = tool(json!({"end": "timed_out", "out": DENY, "err": "ERR-1"}));
        assert!(outcome.fate.is_none() && outcome.said.iter().all(|s| !s.text.lossy().contains("-1")));
    }

    #[test]
    fn a_rejected_object_once_undid_the_block() {
        let result = json!({"end": {"exit": 2}, "out": r#"{"reason":5}"#, "err": "ERR-1"});
        let outcome = stage_at(case("PreToolUse", result), Revision(2, 1, 213)).remove(0);
        assert!(outcome.fate.is_none() && said(&outcome, Audience::User).concat().contains("hook error"));
    }

    #[test]
    fn what_json_does_beside_a_failing_code_is_open_where_no_model_is_said() {
        let ignored = [reading!("A-01", "ignored")];
        let fails = |event: &str, fields: Value| {
            case(event, json!({"end": {"exit": 1}, "err": "ERR-1", "out": fields.to_string()}))
        };
        let message = json!({"systemMessage": "MSG-1", "terminalSequence": "\u{7}"});
        for event in [
            "SessionStart",
            "SubagentStart",
            "PostModelSwitch",
            "PermissionRequest",
            "PermissionDenied",
            "TaskCreated",
            "TaskCompleted",
            "TeammateIdle",
            "CwdChanged",
            "FileChanged",
        ] {
            let case = fails(event, message.clone());
            assert!(said(&stage(case.clone())[0], Audience::User).concat().contains("MSG-1"), "{event}");
            let silent = stage_read(case, &ignored).remove(0);
            assert!(!said(&silent, Audience::User).concat().contains("MSG-1"), "{event}");
            assert_eq!(said(&silent, Audience::Terminal), ["\u{7}"], "{event}");
        }
        let block = fails("TaskCreated", json!({"decision": "block", "reason": "WHY-1"}));
        assert_eq!(stage(block.clone())[0].fate, Some(Fate::Prevented));
        let stays = stage_read(block, &ignored).remove(0);
        assert!(stays.fate.is_none() && stays.set.is_empty() && said(&stays, Audience::Model).is_empty());
        for event in ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop"] {
            let heard = stage_read(fails(event, message.clone()), &ignored).remove(0);
            assert!(said(&heard, Audience::User).concat().contains("MSG-1"), "{event}");
        }
        let read =
            stage_read(case("TaskCreated", json!({"out": r#"{"decision":"block","reason":"WHY-1"}"#})), &ignored);
        assert_eq!(read[0].fate, Some(Fate::Prevented));
    }

    #[test]
    fn elicitation_and_a_failing_code_are_an_open_point() {
        let out = r#"{"hookSpecificOutput":{"hookEventName":"Elicitation","action":"cancel"}}"#;
        let case = case("Elicitation", json!({"end": {"exit": 1}, "out": out}));
        assert_eq!(stage(case.clone())[0].fate, Some(Fate::Prevented));
        assert!(stage_read(case, &[reading!("A-59", "the JSON is ignored")])[0].fate.is_none());
    }
}
