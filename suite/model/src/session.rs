//! What a session remembers from step to step (chapter *stop*).

use crate::oracle::Oracle;
use hookproof_contract::{Case, Event, Firing, Happening, reading};

/// A session, as far as the modelled rules need to remember it.
pub(crate) struct Session<'a> {
    pub(crate) case: &'a Case,
    pub(crate) oracle: &'a Oracle<'a>,
    pub(crate) stop: StopLoop,
    /// Whether the user has given a prompt.
    pub(crate) prompted: bool,
    /// Whether a call was deferred, and whether the session was resumed since.
    pub(crate) deferred: Deferral<'a>,
    /// Whether the session may work in another directory by now.
    pub(crate) moved: bool,
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
        Session { case, oracle, stop: StopLoop::FRESH, prompted: false, deferred: Deferral::None, moved: false }
    }

    /// The working directory, where it is certain.
    pub(crate) fn cwd(&self) -> Option<&'a str> {
        (!self.moved).then_some(self.case.host.cwd.as_str())
    }

    /// Something happens between events.
    pub(crate) fn happens(&mut self, what: Happening) {
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
                self.stop = StopLoop::UNKNOWN
            }
            Happening::ModelRequest => {}
        }
    }

    /// An event fires, which tells of what happened before it.
    pub(crate) fn fires(&mut self, event: Event) {
        match event {
            Event::PreToolUse | Event::PostToolUse | Event::PostToolUseFailure | Event::PostToolBatch => {
                self.happens(Happening::ToolCall)
            }
            Event::UserPromptSubmit => self.happens(Happening::NewPrompt),
            // Where it is blocked, nothing says what became of a turn that it might have interrupted.
            Event::PreCompact => self.happens(Happening::Compacted),
            // A server that asks is at work on a tool call, so that the count starts again; but when is not said.
            Event::Elicitation if self.stop != StopLoop::FRESH => self.stop.is_lost(),
            // That its prompt is one like those that are submitted is not said.
            Event::UserPromptExpansion if self.stop != StopLoop::FRESH => self.stop.is_lost(),
            _ => {}
        }
    }

    /// How many continuations in a row are allowed; `None` where it is not determined.
    pub(crate) fn stop_cap(&self) -> Option<u32> {
        const CAP: u32 = 8;
        let Some(raised) = self.case.host.env.get("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP") else {
            return Some(CAP);
        };
        match raised.parse::<u32>() {
            Ok(n) if n > CAP && *raised == n.to_string() => Some(n),
            _ => self.oracle.is(reading!("A-108", "ignored")).then_some(CAP),
        }
    }
}
