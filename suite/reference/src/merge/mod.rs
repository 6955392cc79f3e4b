//! The third step: what the answers of all handlers together come to (chapters *precedence*, *universal* and the events').
//!
//! What is said whatever the event decides (warnings, notices, stop reasons, terminal sequences, the debug log) is
//! gathered here; what the event is about, in a module of its own.

mod addition;
mod background;
mod batch;
mod call;
mod change;
mod compacted;
mod compaction;
mod contest;
mod creation;
mod dialog;
mod display;
mod evaluators;
mod expansion;
mod failure;
mod finished;
mod objections;
mod prompt;
mod refusal;
mod removal;
mod request;
mod response;
mod start;
mod stopping;
mod switch;
mod watched;
mod worktree;

pub(crate) use addition::Addition;
pub(crate) use background::Later;
pub(crate) use batch::Batch;
pub(crate) use call::{Call, may_defer};
pub(crate) use change::Change;
pub(crate) use compaction::Compaction;
pub(crate) use creation::Creation;
pub(crate) use dialog::Reply;
pub(crate) use expansion::Expansion;
pub(crate) use failure::Failure;
pub(crate) use finished::Finished;
pub(crate) use objections::Objections;
pub(crate) use prompt::Prompt;
pub(crate) use refusal::Refusal;
pub(crate) use removal::Removal;
pub(crate) use request::Request;
pub(crate) use start::Start;
pub(crate) use stopping::Stopping;
pub(crate) use switch::{Origin, Switch};
pub(crate) use watched::Watched;
pub(crate) use worktree::Worktree;

use crate::{
    Scene,
    environment::Variable,
    read::{Answer, Ending, Output, Spoken, is_allowed, is_context},
    select::Handler,
    settings::Place,
    spill::Limit,
};
use hookproof_contract::{Audience, Event, Manner, Name, Surface};

/// A handler and what it said.
pub(crate) type Answered<'a> = (Handler<'a>, Answer);

/// What all answers come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decision {
    /// What is said in any case.
    pub(crate) said: Vec<Remark>,
    /// What the model gets as context, if the action goes on.
    pub(crate) context: Vec<Remark>,
    /// Somebody asks that the agent do no more work.
    pub(crate) stop: bool,
    /// What the model hears later of commands in the background.
    pub(crate) later: Later,
    /// An evaluator objects, and the turn ends.
    pub(crate) ends_turn: bool,
    /// What hooks have written for Bash commands.
    pub(crate) exports: Vec<Variable>,
    pub(crate) verdict: Verdict,
}

/// What is decided about the action of the event.
#[derive(Clone, Debug, Default)]
pub(crate) enum Verdict {
    #[default]
    Nothing,
    Call(Call),
    Finished(Finished),
    Prompt(Prompt),
    Stopping(Stopping),
    Dialog(Option<Reply>),
    Response(Option<Reply>),
    Worktree(Worktree),
    Compaction(Compaction),
    Creation(Creation),
    Idling(Objections),
    Completion(Objections),
    Failure(Failure),
    Expansion(Expansion),
    Change(Change),
    Batch(Batch),
    Briefing,
    Compacted(Vec<Remark>),
    TurnFailed,
    Start(Start),
    SetUp,
    Notified,
    Display(Option<String>),
    Instructed,
    Removal(Option<Removal>),
    Ended(Vec<Remark>),
    Watched(Watched),
    Addition(Addition),
    Switch(Switch),
    Switched,
    Refusal(Refusal),
    Request(Request),
}

/// A text for somebody.
#[derive(Clone, Debug)]
pub(crate) struct Remark {
    pub(crate) to: Audience,
    pub(crate) how: Option<Manner>,
    pub(crate) by: Name,
    /// What leads in.
    pub(crate) before: String,
    pub(crate) text: String,
    /// What follows.
    pub(crate) after: String,
    pub(crate) limit: Limit,
}

impl Remark {
    /// A text as it stands.
    pub(crate) fn new(to: Audience, how: impl Into<Option<Manner>>, by: &Name, text: impl Into<String>) -> Remark {
        Remark {
            to,
            how: how.into(),
            by: Name::clone(by),
            before: String::new(),
            text: text.into(),
            after: String::new(),
            limit: Limit::Never,
        }
    }

    /// The same, led in by something.
    pub(crate) fn led_by(mut self, lead: String) -> Remark {
        self.before = lead;
        self
    }

    /// The same, with a limit.
    pub(crate) fn limited(mut self, limit: Limit) -> Remark {
        self.limit = limit;
        self
    }

    /// A line for the debug log.
    fn debug(by: &Name, text: impl Into<String>) -> Remark {
        Remark::new(Audience::Debug, None, by, text)
    }
}

/// The name of a hook, as texts use it.
pub(crate) fn hook_name(scene: &Scene<'_>, by: &Name) -> String {
    format!("{}:{by}", scene.event())
}

/// Merges the answers, which come in the order in which the handlers ended.
pub(crate) fn merge<'a>(scene: &Scene<'a>, mut answers: Vec<Answered<'a>>) -> Decision {
    let mut decision = Decision::default();
    for (handler, answer) in &mut answers {
        for line in std::mem::take(&mut answer.log) {
            decision.said.push(Remark::debug(&handler.name, line));
        }
        decision.exports.append(&mut answer.exports);
    }
    decision.later = background::set_aside(scene, &mut answers);
    let mut stops = Vec::new();
    for (handler, answer) in &mut answers {
        evaluators::heed(scene, handler, answer, &mut decision);
        common(scene, handler, answer, &mut decision, &mut stops);
    }
    decision.said.extend(contest::remarks(scene.stance, stops));
    decision.verdict = match scene.event() {
        Event::PreToolUse => Verdict::Call(call::merge(scene, answers, &mut decision.said)),
        Event::PostToolUse => Verdict::Finished(finished::merge(scene, answers)),
        Event::UserPromptSubmit => Verdict::Prompt(prompt::merge(scene, answers)),
        Event::Stop | Event::SubagentStop => Verdict::Stopping(stopping::merge(scene, answers)),
        Event::Elicitation => Verdict::Dialog(dialog::merge(scene, answers, &mut decision.said)),
        Event::WorktreeCreate => Verdict::Worktree(worktree::merge(answers)),
        Event::PreCompact => Verdict::Compaction(compaction::merge(scene, answers)),
        Event::TaskCreated => Verdict::Creation(creation::merge(scene, answers)),
        Event::TeammateIdle => Verdict::Idling(objections::merge(scene, answers)),
        Event::TaskCompleted => Verdict::Completion(objections::merge(scene, answers)),
        Event::PostToolUseFailure => Verdict::Failure(failure::merge(answers)),
        Event::UserPromptExpansion => Verdict::Expansion(expansion::merge(scene, answers)),
        Event::ConfigChange => Verdict::Change(change::merge(scene, answers)),
        Event::PostToolBatch => Verdict::Batch(batch::merge(scene, answers)),
        Event::SubagentStart => Verdict::Briefing,
        Event::PostCompact => Verdict::Compacted(compacted::merge(answers)),
        Event::StopFailure => Verdict::TurnFailed,
        Event::SessionStart => Verdict::Start(start::merge(scene, answers)),
        Event::CwdChanged | Event::FileChanged => Verdict::Watched(watched::merge(scene, answers)),
        Event::DirectoryAdded => Verdict::Addition(addition::merge(scene, answers, &mut decision.said)),
        Event::PreModelSwitch => Verdict::Switch(switch::merge(scene, answers)),
        Event::PostModelSwitch => Verdict::Switched,
        Event::PermissionRequest => Verdict::Request(request::merge(scene, answers)),
        Event::PermissionDenied => Verdict::Refusal(refusal::merge(scene, answers)),
        Event::ElicitationResult => Verdict::Response(response::merge(scene, answers, &mut decision.said)),
        Event::Setup => Verdict::SetUp,
        Event::Notification => Verdict::Notified,
        Event::MessageDisplay => Verdict::Display(display::merge(scene, answers, &mut decision.said)),
        Event::InstructionsLoaded => Verdict::Instructed,
        Event::WorktreeRemove => Verdict::Removal(removal::merge(scene, answers)),
        Event::SessionEnd => Verdict::Ended(compacted::merge(answers)),
    };
    decision
}

/// The stderr of exit 2 where there is nothing to block and the user alone is to see it.
fn complaint(handler: &Handler<'_>, answer: &Answer) -> Option<Remark> {
    let complains = answer.exits_two() && !answer.err.trim().is_empty();
    complains.then(|| Remark::new(Audience::User, None, &handler.name, answer.err.as_str()).limited(Limit::Open))
}

/// Whether the event drops all universal fields but `terminalSequence`, and with them the notices of errors.
fn discards_universal_fields(scene: &Scene<'_>) -> bool {
    match scene.event() {
        Event::PermissionDenied => scene.stance.refusal_drops_universal,
        Event::Elicitation
        | Event::ElicitationResult
        | Event::WorktreeCreate
        | Event::PreCompact
        | Event::PostCompact
        | Event::ConfigChange
        | Event::DirectoryAdded
        | Event::StopFailure
        | Event::Setup
        | Event::Notification
        | Event::MessageDisplay
        | Event::InstructionsLoaded
        | Event::WorktreeRemove
        | Event::SessionEnd => true,
        _ => false,
    }
}

/// What one answer says on any event, or on all that honour the universal fields. Why the agent is to stop is gathered apart.
fn common(
    scene: &Scene<'_>,
    handler: &Handler<'_>,
    answer: &mut Answer,
    decision: &mut Decision,
    stops: &mut Vec<(Place, Remark)>,
) {
    let honoured = !discards_universal_fields(scene);
    // Of a call that was refused, exit code and stderr do not matter any more.
    let noticed = honoured && scene.event() != Event::PermissionDenied;
    if noticed && let Some(message) = trouble(scene, handler, answer) {
        let lead = format!("{} hook error: ", hook_name(scene, &handler.name));
        let notice = Remark::new(Audience::User, Manner::Notice, &handler.name, message);
        decision.said.push(notice.led_by(lead).limited(Limit::Open));
    }
    let exits_two = answer.exits_two();
    match &mut answer.spoken {
        Spoken::Object(output) => {
            if let Some(bytes) = output.terminal_sequence.take()
                && scene.host().surface == Surface::Terminal
                && is_allowed(&bytes, scene.stance)
            {
                decision.said.push(Remark::new(Audience::Terminal, None, &handler.name, bytes));
            }
            if honoured {
                universal(scene, handler, output, decision, stops);
            }
        }
        Spoken::Plain(text) if is_context(scene.event()) && !matches!(answer.ending, Ending::Failed(_)) => {
            // Beside exit 2 it is an open point, and then the block does not hold it back.
            let context = context(scene, &handler.name, std::mem::take(text));
            match exits_two {
                false => decision.context.push(context),
                true if !scene.stance.blocked_stdout_is_context => {}
                true if gives_context_only(scene.event()) => decision.context.push(context),
                true => decision.said.push(context),
            }
        }
        _ => {}
    }
}

/// The error that a notice tells, if the answer is a non-blocking error.
fn trouble(scene: &Scene<'_>, handler: &Handler<'_>, answer: &Answer) -> Option<String> {
    match (&answer.ending, &answer.spoken) {
        // There is nothing to block, so it is told like any other failure, and all of it.
        (Ending::Blocking, _) if gives_context_only(scene.event()) => {
            Some(answer.err.clone()).filter(|err| !err.trim().is_empty())
        }
        (Ending::Blocking, _) => None,
        (Ending::TimedOut, _) if scene.event() == Event::UserPromptSubmit => {
            let seconds = crate::given::seconds(scene, handler);
            Some(format!("it reached its timeout of {seconds} seconds and its output was discarded"))
        }
        (Ending::TimedOut, _) => None,
        _ if may_go_unnoticed(scene.event()) && scene.stance.unsaid_error_is_unnoticed => None,
        (_, Spoken::Rejected(message) | Spoken::Garbled(message)) => Some(message.clone()),
        (Ending::Failed(message), _) => Some(message.clone()),
        (Ending::Done, _) => None,
    }
}

/// Whether the contract does not say if an error on this event is reported as on others.
fn may_go_unnoticed(event: Event) -> bool {
    gives_context_only(event)
        || matches!(event, Event::PermissionRequest | Event::TaskCreated | Event::TaskCompleted | Event::TeammateIdle)
}

/// Whether hooks of the event add context to what begins and decide nothing.
fn gives_context_only(event: Event) -> bool {
    matches!(event, Event::SessionStart | Event::SubagentStart | Event::PostModelSwitch)
}

/// Whether `continue: false` counts, and `stopReason` with it.
fn heeds_stop(scene: &Scene<'_>) -> bool {
    match scene.event() {
        Event::TaskCreated | Event::CwdChanged | Event::FileChanged => false,
        // They take it like any event, and yet nothing is decided there, or not by it.
        Event::SessionStart | Event::SubagentStart | Event::PostModelSwitch | Event::PermissionRequest => {
            !scene.stance.stop_needs_a_say
        }
        // A tool that completes a task goes on; that was once not so.
        Event::TaskCompleted => scene.turn_ends() || !scene.since(290),
        _ => true,
    }
}

/// Whether there is a place for a `systemMessage`. Those of a change of directory or of a file come up for a moment in the
/// terminal, and nowhere else.
fn shows_messages(scene: &Scene<'_>) -> bool {
    !matches!(scene.event(), Event::CwdChanged | Event::FileChanged) || scene.host().surface == Surface::Terminal
}

/// The fields that all these events honour, but for `continue: false`, which some ignore.
fn universal(
    scene: &Scene<'_>,
    handler: &Handler<'_>,
    output: &mut Output,
    decision: &mut Decision,
    stops: &mut Vec<(Place, Remark)>,
) {
    let by = &handler.name;
    if let Some(message) = output.system_message.take()
        && shows_messages(scene)
    {
        let warning = Remark::new(Audience::User, Manner::Warning, by, message);
        decision.said.push(warning.led_by(format!("{} says: ", hook_name(scene, by))).limited(Limit::Named));
    }
    if output.stop && heeds_stop(scene) {
        decision.stop = true;
        if let Some(reason) = output.stop_reason.take() {
            let shown = Remark::new(Audience::User, Manner::Block, by, reason).limited(Limit::Open);
            // On PostToolBatch it is the message of a block, which has always stayed in the conversation.
            if scene.since(290) || scene.event() == Event::PostToolBatch {
                stops.push((handler.place, Remark { to: Audience::Model, how: None, ..shown.clone() }));
            }
            stops.push((handler.place, shown));
        }
    }
    // Where an agent is about to stop, context is feedback; a hook that defers has none.
    if !matches!(scene.event(), Event::Stop | Event::SubagentStop)
        && let Some(text) = output.context.take()
        && !call::defers(scene, output)
    {
        decision.context.push(context(scene, by, text));
    }
}

/// A text for the model, beginning with the hook's name.
pub(crate) fn context(scene: &Scene<'_>, by: &Name, text: String) -> Remark {
    let lead = format!("{} hook context: ", hook_name(scene, by));
    Remark::new(Audience::Model, Manner::Context, by, text).led_by(lead).limited(Limit::Named)
}

/// The message of a block, where top-level `decision` is the event's.
pub(crate) fn top_message(scene: &Scene<'_>, answer: &mut Answer) -> Option<String> {
    let decides = answer.decides_block();
    let reason = answer.output_mut().and_then(|output| output.reason.take());
    block_message(scene, answer, decides, reason)
}

/// The message of a block: the reason of the answer's own blocking decision, or else, beside exit 2, stderr.
pub(crate) fn block_message(
    scene: &Scene<'_>,
    answer: &mut Answer,
    decides: bool,
    reason: Option<String>,
) -> Option<String> {
    let reason = reason.filter(|reason| decides && !reason.is_empty());
    let silent = decides && scene.stance.reasonless_is_silent;
    if reason.is_some() || silent || !answer.exits_two() {
        return reason;
    }
    Some(std::mem::take(&mut answer.err)).filter(|err| !err.trim().is_empty())
}

#[cfg(test)]
mod tests;
