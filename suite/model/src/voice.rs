//! A voice: one handler that ran, with what it said as the contract reads it (chapters *exit-codes*, *stdout*, *http*,
//! *timeouts*).

use crate::{
    evaluator::{self, Objection},
    oracle::Oracle,
    read::{
        Stdout,
        json::{self, Json},
        read_text,
        schema::{self, Output, Validated},
        trim,
    },
    select::{Background, Handler, HandlerKind},
    table::{DecisionModel, Row},
};
use hookproof_contract::{Case, End, Event, Firing, HandlerResult, Name, RuleId, Text, bare, read, reading, rule};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// One handler that ran.
pub(crate) struct Voice<'a> {
    pub(crate) handler: Handler<'a>,
    pub(crate) name: Name,
    pub(crate) end: Ended,
    pub(crate) word: Word,
    pub(crate) out: Cow<'a, str>,
    pub(crate) err: Cow<'a, str>,
    /// Whether its event is of the standard decision model for certain.
    pub(crate) standard: bool,
}

/// How a handler ended, as far as the contract tells ends apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Zero,
    Two,
    /// Any other exit code (the code), or a signal.
    Other(Option<i32>),
    NotStarted,
    TimedOut,
    /// A 2xx answer.
    HttpOk,
    /// A server's answer that is an error, or none at all, by this rule.
    Failed(RuleId),
    /// An evaluator answered.
    Answered,
}

/// What a handler said.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Word {
    Silent,
    Plain(RuleId),
    Object(Box<Output>),
    /// An object that failed validation.
    Invalid,
    Unparsable(RuleId),
    /// A 2xx body that is not an object.
    OtherBody,
    /// An evaluator has nothing against it.
    Consents,
    /// An evaluator has.
    Objects(Objection),
    /// An evaluator said what changes nothing on this event, by this rule.
    Unheeded(RuleId),
    /// The contract leaves open what it said.
    Free,
}

/// Hears a handler.
///
/// # Errors
///
/// When the case lets the handler end in a way that its type cannot.
pub(crate) fn hear<'a>(
    handler: Handler<'a>,
    row: &Row,
    case: &'a Case,
    firing: &'a Firing,
    oracle: &Oracle<'_>,
) -> Result<Voice<'a>, String> {
    static NOTHING: HandlerResult = HandlerResult {
        end: End::Exit(0),
        out: Text::Plain(String::new()),
        err: Text::Plain(String::new()),
        rank: 0,
        did: Vec::new(),
    };
    let result = case.result(firing, handler.name).unwrap_or(&NOTHING);
    let out = result.out.lossy();
    let converted = handler.converted && handler.background().is_none();
    let read = if converted { under_its_own_name(&out, oracle) } else { Some(Cow::Borrowed(&*out)) };
    let (end, word) = match read {
        Some(read) => ended(&handler, result, &read, row, oracle),
        None => ended(&handler, result, &out, row, oracle).map(|(end, _)| (end, Word::Free)),
    }
    .ok_or_else(|| {
        format!("`{}` is a {:?} handler, which cannot end with {:?}", handler.name, handler.kind, result.end)
    })?;
    // Only commands have a stderr.
    let err = if handler.kind == HandlerKind::Command { clear(result.err.lossy()) } else { Cow::Borrowed("") };
    let standard = row.model == DecisionModel::Standard;
    Ok(Voice { name: handler.shared_name(), handler, end, word, out, err, standard })
}

/// A stderr as far as it surely arrives as it is: what becomes of bytes that are not UTF-8 is not said. Something was written even where
/// nothing of it is clear.
fn clear(err: Cow<'_, str>) -> Cow<'_, str> {
    match err.split_once(char::REPLACEMENT_CHARACTER) {
        Some((clear, _)) if !bare(clear).is_empty() => Cow::Owned(clear.to_owned()),
        _ => err,
    }
}

/// How a handler ended, and what it said; nothing where its type cannot end so.
fn ended(
    handler: &Handler<'_>,
    result: &HandlerResult,
    out: &str,
    row: &Row,
    oracle: &Oracle<'_>,
) -> Option<(Ended, Word)> {
    match handler.kind {
        HandlerKind::Command if handler.background().is_some() => in_the_background(result),
        HandlerKind::Command => command(result, out, row, oracle),
        HandlerKind::Http => http(result, out, row, oracle),
        HandlerKind::McpTool => tool(result, out, row, oracle),
        kind @ (HandlerKind::Prompt | HandlerKind::Agent) => evaluator::answer(result, kind, row.event),
    }
}

/// What a subagent's own `Stop` hook printed, as it is read: whether it may call the event by the name under which it stands is open
/// . Nothing where it is not certain whether it does.
fn under_its_own_name<'t>(out: &'t str, oracle: &Oracle<'_>) -> Option<Cow<'t, str>> {
    let Ok(mut output) = read::value(out.trim()) else {
        return (!out.contains("hookEventName")).then_some(Cow::Borrowed(out));
    };
    match output.pointer_mut("/hookSpecificOutput/hookEventName") {
        Some(name) if *name == "Stop" && oracle.is(reading!("A-36", "Stop as well")) => {
            *name = Value::from(Event::SubagentStop.name());
            Some(Cow::Owned(output.to_string()))
        }
        _ => Some(Cow::Borrowed(out)),
    }
}

fn command(result: &HandlerResult, out: &str, row: &Row, oracle: &Oracle<'_>) -> Option<(Ended, Word)> {
    let end = match result.end {
        End::Exit(0) => Ended::Zero,
        End::Exit(2) => Ended::Two,
        End::Exit(code) => Ended::Other(Some(code)),
        End::Signal(_) if oracle.is(reading!("A-60", "free")) => return Some((Ended::Other(None), Word::Free)),
        End::Signal(_) => Ended::Other(None),
        End::TimedOut => return Some((Ended::TimedOut, Word::Silent)),
        End::NotStarted => return Some((Ended::NotStarted, Word::Silent)),
        End::Status(_) | End::Answered | End::ToolError | End::Refused | End::NoResponse => return None,
    };
    if row.event == Event::WorktreeCreate {
        // The stdout of this event's commands is a path and nothing else (chapter *worktrees*).
        return Some((end, Word::Plain(rule!("WTCREATE-OUT-02"))));
    }
    Some((end, printed(result, out, row, oracle)))
}

/// How a command ended that nobody waits for. What it says is read otherwise (`chapters/background.rs`).
fn in_the_background(result: &HandlerResult) -> Option<(Ended, Word)> {
    let end = match result.end {
        End::Exit(0) => Ended::Zero,
        End::Exit(2) => Ended::Two,
        End::Exit(code) => Ended::Other(Some(code)),
        End::Signal(_) => Ended::Other(None),
        End::TimedOut => Ended::TimedOut,
        End::NotStarted => Ended::NotStarted,
        End::Status(_) | End::Answered | End::ToolError | End::Refused | End::NoResponse => return None,
    };
    Some((end, Word::Silent))
}

/// What a command printed, or a tool's text, says.
fn printed(result: &HandlerResult, out: &str, row: &Row, oracle: &Oracle<'_>) -> Word {
    if std::str::from_utf8(&result.out.bytes()).is_err() && oracle.is(reading!("A-12", "free")) {
        return Word::Free;
    }
    match read_text(out, row, oracle) {
        Stdout::Empty => Word::Silent,
        Stdout::Plain(rule) => Word::Plain(rule),
        Stdout::Unparsable(rule) => Word::Unparsable(rule),
        Stdout::Free => Word::Free,
        Stdout::Object(object) => validated(object, row, oracle),
    }
}

/// A tool's text counts as what a command prints that exits 0 (chapter *mcp-tools*).
fn tool(result: &HandlerResult, text: &str, row: &Row, oracle: &Oracle<'_>) -> Option<(Ended, Word)> {
    let of_worktrees = row.event == Event::WorktreeCreate;
    match result.end {
        End::Exit(0) if !result.out.is_empty() => None,
        // How a tool returns a path is not said, nor that nothing would be one.
        End::Answered | End::Exit(0) if of_worktrees => Some((Ended::Zero, Word::Free)),
        End::Answered | End::Exit(0) => Some((Ended::Zero, printed(result, text, row, oracle))),
        End::ToolError => Some((Ended::Failed(rule!("MCPHOOK-05")), Word::Silent)),
        End::Refused => Some((Ended::Failed(rule!("MCPHOOK-08")), Word::Silent)),
        End::TimedOut => Some((Ended::TimedOut, Word::Silent)),
        End::Exit(_) | End::Signal(_) | End::Status(_) | End::NotStarted | End::NoResponse => None,
    }
}

fn http(result: &HandlerResult, body: &str, row: &Row, oracle: &Oracle<'_>) -> Option<(Ended, Word)> {
    let status = match result.end {
        // A handler without a result answered, with an empty body.
        End::Exit(0) if result.out.is_empty() => 200,
        End::Status(status) => status,
        End::TimedOut => return Some((Ended::TimedOut, Word::Silent)),
        End::Refused | End::NoResponse => {
            return Some((Ended::Failed(rule!("HTTP-10")), Word::Silent));
        }
        End::Exit(_) | End::Signal(_) | End::Answered | End::ToolError | End::NotStarted => return None,
    };
    let bodiless = matches!(status, 204 | 205) && !body.is_empty();
    let strange_bytes = body.starts_with('\u{feff}') || std::str::from_utf8(&result.out.bytes()).is_err();
    if !(200..=599).contains(&status) || (300..=399).contains(&status) || bodiless || strange_bytes {
        let _ = oracle.is(reading!("A-131", "free"));
        return Some((Ended::HttpOk, Word::Free));
    }
    if !(200..=299).contains(&status) {
        let blocks = body.contains("block") || body.contains("deny") || body.contains("decline");
        let rule = match status {
            _ if blocks => rule!("HTTP-09"),
            400..=499 => rule!("HTTP-12"),
            _ => rule!("HTTP-08"),
        };
        return Some((Ended::Failed(rule), Word::Silent));
    }
    if body.is_empty() {
        return Some((Ended::HttpOk, Word::Silent));
    }
    let trimmed = trim(body, oracle);
    if trimmed.is_empty() {
        let empty = oracle.is(reading!("A-130", "empty"));
        return Some((Ended::HttpOk, if empty { Word::Silent } else { Word::OtherBody }));
    }
    let word = match json::parse(trimmed, oracle) {
        Json::Value(Value::Object(object)) => validated(object, row, oracle),
        Json::Free => Word::Free,
        Json::Value(_) | Json::Invalid => Word::OtherBody,
    };
    Some((Ended::HttpOk, word))
}

fn validated(object: Map<String, Value>, row: &Row, oracle: &Oracle<'_>) -> Word {
    match schema::validate(object, row, oracle) {
        Validated::Valid(output) => Word::Object(output),
        Validated::Invalid => Word::Invalid,
        Validated::Free => Word::Free,
    }
}

/// Whether a key that the schema does not know asks for another prompt in place of the user's.
pub(crate) fn rewrites_the_prompt(key: &str) -> bool {
    key == "updatedInput" || key.to_lowercase().contains("prompt")
}

impl Voice<'_> {
    /// How it runs in the background, if it does.
    pub(crate) fn background(&self) -> Option<Background> {
        self.handler.background()
    }

    /// Whether it ended as a hook does that has succeeded.
    pub(crate) fn succeeded(&self) -> bool {
        matches!(self.end, Ended::Zero | Ended::HttpOk)
    }

    /// Its valid JSON output, whether or not it counts.
    pub(crate) fn object(&self) -> Option<&Output> {
        match &self.word {
            Word::Object(output) => Some(output),
            _ => None,
        }
    }

    /// Whether its top-level decision is a block, whether or not that counts.
    pub(crate) fn blocks(&self) -> bool {
        self.object().is_some_and(Output::blocks)
    }

    /// Whether it asks the agent to stop altogether, whether or not that counts.
    pub(crate) fn stops(&self) -> bool {
        self.object().is_some_and(Output::stops)
    }

    /// Its additional context, if there is more to it than white space.
    pub(crate) fn context(&self) -> Option<&str> {
        self.object()?.text("additionalContext").filter(|text| !bare(text).is_empty())
    }

    /// The rule of a claim about a field of its output: the field's own, unless the way in which the output came is the more
    /// special thing.
    pub(crate) fn by(&self, field: RuleId) -> RuleId {
        match self.end {
            Ended::Other(_) if self.standard => rule!("EXIT-N-03"),
            Ended::Other(_) => rule!("EXIT-N-21"),
            Ended::Two => rule!("EXIT-2-03"),
            _ => self.carrier().unwrap_or(field),
        }
    }

    /// The rule by which its output is read as that of a command would be, if it is none of a command.
    pub(crate) fn carrier(&self) -> Option<RuleId> {
        match (self.end, self.handler.kind) {
            (Ended::HttpOk, _) => Some(rule!("HTTP-04")),
            (Ended::Zero, HandlerKind::McpTool) => Some(rule!("MCPHOOK-04")),
            _ => None,
        }
    }

    /// Whether it is a command that exits 0: what is said of the log and of the transcript is said of what is printed.
    pub(crate) fn printed(&self) -> bool {
        self.end == Ended::Zero && self.handler.kind == HandlerKind::Command
    }

    /// Whether it is a handler that gets the event's JSON as it is; a tool gets arguments, and an evaluator a prompt.
    pub(crate) fn gets_input(&self) -> bool {
        matches!(self.handler.kind, HandlerKind::Command | HandlerKind::Http)
    }

    /// The rule by which it decides nothing, if it decides nothing.
    pub(crate) fn silence(&self, row: &Row) -> RuleId {
        match (&self.end, &self.word) {
            (Ended::TimedOut, _) => match row.event {
                Event::PreToolUse => rule!("TIMEOUT-05"),
                Event::UserPromptSubmit => rule!("PROMPTSUB-08"),
                _ if self.handler.kind == HandlerKind::Http => rule!("HTTP-11"),
                _ => rule!("TIMEOUT-03"),
            },
            (Ended::NotStarted, _) => rule!("EXIT-N-20"),
            (Ended::Failed(rule), _) | (_, Word::Unheeded(rule)) => *rule,
            // The one objection that decides nothing.
            (Ended::Answered, Word::Objects(_)) => rule!("PROMPT-RESP-02"),
            (Ended::Answered, _) => rule!("PROMPT-RESP-12"),
            // What no parser takes has not always been an error, of which the rules about that tell.
            (Ended::Zero, word)
                if self.handler.kind == HandlerKind::McpTool && !matches!(word, Word::Silent | Word::Unparsable(_)) =>
            {
                rule!("MCPHOOK-04")
            }
            (Ended::HttpOk, Word::Silent) => rule!("HTTP-03"),
            (Ended::HttpOk, Word::OtherBody) => rule!("HTTP-06"),
            (Ended::HttpOk, Word::Invalid) => rule!("HTTP-05"),
            (Ended::HttpOk, _) => rule!("HTTP-04"),
            (Ended::Other(_), Word::Silent | Word::Plain(_) | Word::Object(_))
                if row.event == Event::PreModelSwitch =>
            {
                rule!("PREMODEL-OUT-09")
            }
            (Ended::Other(code), Word::Silent | Word::Plain(_)) => {
                if *code == Some(1) {
                    rule!("EXIT-N-16")
                } else {
                    rule!("EXIT-N-08")
                }
            }
            (Ended::Other(_), Word::Object(_)) if rule!("EXIT-N-12").rule().speaks_of(row.event) => rule!("EXIT-N-12"),
            // How the JSON beside it counts is said of the standard events only.
            (Ended::Other(_), _) if row.model != DecisionModel::Standard => rule!("EXIT-N-01"),
            (Ended::Other(_), Word::Object(_)) => rule!("EXIT-N-02"),
            (Ended::Other(_), Word::Invalid) => rule!("SCHEMA-03"),
            (_, Word::Invalid) => rule!("SCHEMA-01"),
            (_, Word::Unparsable(rule)) => *rule,
            (_, Word::Plain(rule)) => *rule,
            (_, Word::Object(output)) if !output.stray.is_empty() => match output.stray.as_slice() {
                [(key, _)] if key == "additionalContext" && rule!("CTX-03").rule().speaks_of(row.event) => {
                    rule!("CTX-03")
                }
                [(key, _)] if row.event == Event::UserPromptSubmit && rewrites_the_prompt(key) => {
                    rule!("DECISION-REWRITE-04")
                }
                _ => rule!("SCHEMA-TYPE-05"),
            },
            (_, Word::Object(_)) => match row.event {
                Event::UserPromptSubmit => rule!("PROMPTSUB-OUT-07"),
                Event::UserPromptExpansion => rule!("PROMPTEXP-OUT-02"),
                Event::ConfigChange => rule!("CONFCHG-OUT-01"),
                Event::CwdChanged => rule!("CWD-OUT-04"),
                Event::DirectoryAdded => rule!("DIRADD-OUT-01"),
                Event::FileChanged => rule!("FILECHG-OUT-02"),
                Event::SubagentStart => rule!("SUBSTART-OUT-01"),
                Event::PostCompact => rule!("POSTCOMPACT-OUT-01"),
                Event::StopFailure => rule!("STOPFAIL-OUT-01"),
                Event::SessionStart => rule!("SESSTART-OUT-15"),
                Event::Notification => rule!("NOTIF-OUT-01"),
                Event::InstructionsLoaded => rule!("INSTR-OUT-01"),
                Event::SessionEnd => rule!("SESSEND-OUT-01B"),
                Event::Setup => rule!("SETUP-OUT-01"),
                Event::MessageDisplay => rule!("MSGDISP-OUT-02"),
                Event::PermissionRequest => rule!("PERMREQ-OUT-09"),
                Event::PermissionDenied => rule!("PERMDEN-OUT-03"),
                Event::PreModelSwitch => rule!("PREMODEL-NODECISION"),
                Event::PostModelSwitch => rule!("POSTMODEL-01B"),
                Event::Stop | Event::SubagentStop => rule!("STOP-OUT-01"),
                Event::PostToolUse | Event::PreCompact | Event::PostToolUseFailure | Event::PostToolBatch => {
                    rule!("DECISION-TOP-02")
                }
                Event::TaskCreated | Event::TaskCompleted | Event::TeammateIdle => rule!("DECISION-TOP-02"),
                _ => rule!("CONFIG-NEST-03"),
            },
            _ => rule!("CONFIG-NEST-03"),
        }
    }
}
