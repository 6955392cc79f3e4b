//! What a session remembers from step to step (chapters *stop* and *agents*).

use crate::{
    begun::Begun, chapters::given::is_plain_absolute, once::Once, oracle::Oracle, pending::Pending,
    permissions::Standing, subagents::Subagents,
};
use hookproof_contract::{Case, Event, Fact, Firing, Happening, reading};
use serde_json::Value;

/// How many continuations in a row stop hooks can bring about.
const CAP: u32 = 8;

/// The variable for another limit holds something that is none.
struct Meaningless;

/// A session, as far as the modelled rules need to remember it.
pub(crate) struct Session<'a> {
    pub(crate) case: &'a Case,
    pub(crate) oracle: &'a Oracle<'a>,
    pub(crate) stop: StopLoop,
    /// Its subagents, each of which stops for itself.
    pub(crate) subagents: Subagents<'a>,
    /// What those that began were given to read.
    pub(crate) begun: Begun<'a>,
    /// The handlers that are to run once.
    pub(crate) once: Once<'a>,
    /// What is still to reach the model.
    pub(crate) pending: Pending<'a>,
    /// Whether the user has given a prompt.
    pub(crate) prompted: bool,
    /// Whether a call was deferred, and whether the session was resumed since.
    pub(crate) deferred: Deferral<'a>,
    /// Its permissions, which hooks may change.
    pub(crate) permissions: Standing<'a>,
    /// Where the main agent works, where that is certain.
    pub(crate) cwd: Option<&'a str>,
    /// Whether it has ended, so that what comes next is of another one.
    ended: bool,
    /// Whether it may be another one than that in which skills were invoked.
    pub(crate) skills_over: bool,
    /// The paths that hooks have put under watch, where it is certain which.
    pub(crate) watched: Option<Vec<Value>>,
}

/// Which subagent or teammate an event is about, where the case names it.
pub(crate) fn agent_id(firing: &Firing) -> Option<&str> {
    firing.input.get("agent_id").and_then(Value::as_str)
}

/// How far a deferred call has come.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deferral<'a> {
    /// There is none.
    None,
    /// This call was put off.
    PutOff(&'a Firing),
    /// The session was resumed since: the call comes again.
    Resumed(&'a Firing),
}

/// How often stop hooks have made the turn go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StopLoop {
    /// Continuations in a row; `None` where the contract does not determine it.
    pub(crate) count: Option<u32>,
    /// Whether the agent is going on because of a stop hook; `None` where that is not determined.
    pub(crate) active: Option<bool>,
    /// Continuations since the prompt, tool calls in between or not.
    pub(crate) in_all: u32,
    /// Whether the last continuation came of additional context alone.
    pub(crate) by_advice: bool,
}

impl StopLoop {
    /// No stop hook has made this turn go on.
    pub(crate) const FRESH: StopLoop = StopLoop { count: Some(0), active: Some(false), in_all: 0, by_advice: false };
    const UNKNOWN: StopLoop = StopLoop { count: None, active: None, in_all: 0, by_advice: false };

    /// A stop hook made the turn go on.
    pub(crate) fn goes_on(&mut self, by_advice: bool) {
        self.count = self.count.map(|n| n + 1);
        self.active = Some(true);
        self.in_all += 1;
        self.by_advice = by_advice;
    }

    /// The turn ended.
    pub(crate) fn ends(&mut self) {
        // A further Stop without a prompt in between is not a course of events that the contract tells of.
        *self = StopLoop::UNKNOWN;
    }

    /// What became of the stop is not determined.
    pub(crate) fn is_lost(&mut self) {
        *self = StopLoop::UNKNOWN;
    }
}

impl<'a> Session<'a> {
    pub(crate) fn new(case: &'a Case, oracle: &'a Oracle<'a>) -> Self {
        Session {
            case,
            oracle,
            stop: StopLoop::FRESH,
            subagents: Subagents::default(),
            begun: Begun::default(),
            once: Once::default(),
            pending: Pending::default(),
            prompted: false,
            deferred: Deferral::None,
            permissions: Standing::of(&case.host),
            cwd: Some(&case.host.cwd),
            ended: false,
            skills_over: false,
            watched: Some(Vec::new()),
        }
    }

    /// What becomes of a firing is not determined.
    pub(crate) fn lose(&mut self, firing: &'a Firing) {
        self.stop.is_lost();
        match firing.event {
            Event::SubagentStop => self.subagents.may_go_on(agent_id(firing)),
            Event::SubagentStart => self.begun.begins(agent_id(firing), Vec::new(), false),
            Event::Stop => self.subagents.continuations += 1,
            // An isolated session may work in the new worktree.
            Event::WorktreeCreate => self.cwd = None,
            Event::PermissionRequest => self.permissions.lose(),
            Event::UserPromptSubmit => self.pending.prompted(false),
            Event::PostModelSwitch => self.pending.forget(),
            Event::SessionStart | Event::CwdChanged | Event::FileChanged => self.watched = None,
            _ => {}
        }
    }

    /// Whether a task is completed because a teammate's turn ends, and not by `TaskUpdate`.
    pub(crate) fn turn_ends(&self) -> bool {
        self.case.host.facts.contains(&Fact::TurnEnds)
    }

    /// The directory in which the session began, where it is certain that it never left it.
    pub(crate) fn home(&self) -> Option<&'a str> {
        self.cwd.filter(|cwd| *cwd == self.case.host.cwd)
    }

    /// A command has gone to another directory. From where and to where the case says once more.
    fn moves(&mut self, firing: &'a Firing) {
        let path = |field: &str| firing.input.get(field).and_then(Value::as_str);
        let follows = path("old_cwd").is_none_or(|old| self.cwd.is_none_or(|cwd| cwd == old));
        self.cwd = path("new_cwd").filter(|new| follows && is_plain_absolute(new));
    }

    /// Something happens between events.
    pub(crate) fn happens(&mut self, what: Happening) {
        if what != Happening::ModelRequest {
            self.subagents.work_on();
        }
        match (what, self.deferred) {
            (Happening::NewPrompt, _) => self.prompted = true,
            // Whether the prompt is still being worked on then is not said.
            (Happening::Cleared | Happening::SessionEnds, _) => self.prompted = false,
            (Happening::Resumed, deferred) => {
                self.prompted = false;
                if let Deferral::PutOff(call) = deferred {
                    self.deferred = Deferral::Resumed(call);
                }
            }
            _ => {}
        }
        if matches!(what, Happening::Cleared | Happening::Resumed | Happening::SessionEnds) {
            self.once.forget();
            self.ended |= what == Happening::SessionEnds;
            self.skills_over |= what != Happening::SessionEnds;
        }
        match what {
            // The count starts again; whether the agent still goes on "because of a stop hook" is not said.
            Happening::ToolCall => {
                self.stop.count = Some(0);
                if self.stop.active == Some(true) {
                    self.stop.active = None;
                }
            }
            Happening::NewPrompt | Happening::NewTurn => self.stop = StopLoop::FRESH,
            Happening::Cleared | Happening::Resumed | Happening::Compacted | Happening::SessionEnds => {
                self.stop = StopLoop::UNKNOWN;
                match what {
                    Happening::Compacted => self.begun.compacted(),
                    // A copy of what a subagent was given may be gone.
                    _ => self.begun.forget(),
                }
                // Nor is it said where the session goes on, and what it still watches.
                self.cwd = self.home();
                self.permissions.begin();
                self.watched = self.watched.take().filter(Vec::is_empty);
            }
            Happening::ModelRequest => {}
        }
    }

    /// An event fires, which tells of what happened before it.
    pub(crate) fn fires(&mut self, firing: &'a Firing) {
        let event = firing.event;
        // As it ends, it still has them.
        self.skills_over |= self.ended;
        if event != Event::SubagentStop {
            self.subagents.work_on();
        }
        match event {
            Event::PreToolUse | Event::PostToolUse | Event::PostToolUseFailure | Event::PostToolBatch => {
                self.happens(Happening::ToolCall)
            }
            Event::UserPromptSubmit => self.happens(Happening::NewPrompt),
            // Where it is blocked, nothing says what became of a turn that it might have interrupted.
            Event::PreCompact | Event::PostCompact => self.happens(Happening::Compacted),
            // A server that asks is at work on a tool call, so that the count starts again; but when is not said.
            Event::Elicitation | Event::ElicitationResult if self.stop != StopLoop::FRESH => self.stop.is_lost(),
            // That its prompt is one like those that are submitted is not said.
            Event::UserPromptExpansion if self.stop != StopLoop::FRESH => self.stop.is_lost(),
            // A call that does not come to run may be none that counts.
            Event::PermissionRequest | Event::PermissionDenied if self.stop != StopLoop::FRESH => self.stop.is_lost(),
            // A subagent may be the call of a tool, or at work in the background.
            Event::SubagentStop | Event::SubagentStart if self.stop != StopLoop::FRESH => self.stop.is_lost(),
            // A tool was called, by the main agent or another.
            Event::TaskCreated | Event::TaskCompleted if self.stop != StopLoop::FRESH => self.stop.is_lost(),
            // The teammate's turn is over; whose `Stop` may follow, and after what, is not said.
            Event::TaskCompleted if self.turn_ends() => self.stop.is_lost(),
            Event::TeammateIdle => self.stop.is_lost(),
            // The turn is over, and a `Stop` before the next prompt is not a course of events that the contract tells of.
            Event::StopFailure => self.stop.is_lost(),
            Event::SessionStart => self.begins(firing),
            Event::SessionEnd => self.happens(Happening::SessionEnds),
            // The session is left or deleted, and where the runtime works by then is not said.
            Event::WorktreeRemove => {
                self.cwd = None;
                self.skills_over = true;
                self.happens(Happening::SessionEnds);
            }
            // It comes before anything else, so what came before it was another session.
            Event::Setup if self.prompted || self.stop != StopLoop::FRESH => self.happens(Happening::Cleared),
            Event::CwdChanged => {
                // A command of the shell is the call of a tool; when it was made is not said.
                if self.stop != StopLoop::FRESH {
                    self.stop.is_lost();
                }
                self.moves(firing);
            }
            _ => {}
        }
    }

    /// The session begins, or is taken up again.
    fn begins(&mut self, firing: &Firing) {
        let fresh = self.stop == StopLoop::FRESH && !self.prompted;
        match firing.input.get("source").and_then(Value::as_str) {
            Some("startup") if fresh => {}
            Some("resume") => self.happens(Happening::Resumed),
            Some("compact") => self.happens(Happening::Compacted),
            _ => self.happens(Happening::Cleared),
        }
    }

    /// How many continuations in a row are allowed; `None` where it is not determined.
    pub(crate) fn stop_cap(&self) -> Option<u32> {
        match self.raised_cap() {
            Ok(raised) => Some(raised.unwrap_or(CAP)),
            Err(_) => self.oracle.is(reading!("A-108", "ignored")).then_some(CAP),
        }
    }

    /// Whether a stop hook can surely make a subagent go on. That its loop has a limit is not said, and so may be; then what
    /// all stop hooks did may count, and the variable may be read as it is for the main agent.
    pub(crate) fn subagent_may_go_on(&self) -> bool {
        self.subagents.continuations < CAP && self.raised_cap().is_ok()
    }

    /// The limit on continuations in place of the ordinary one; an error where the variable says something without a meaning.
    fn raised_cap(&self) -> Result<Option<u32>, Meaningless> {
        let Some(raised) = self.case.host.env.get("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP") else {
            return Ok(None);
        };
        match raised.parse::<u32>() {
            Ok(n) if n > CAP && *raised == n.to_string() => Ok(Some(n)),
            _ => Err(Meaningless),
        }
    }
}
