//! What the harness knows of a runtime under test, wherever it lives: it says who it is, and plays cases.

use hookproof_contract::{Case, Outcome, message::Hello};
use std::{ops::ControlFlow, sync::Arc};

/// A case to be played, with the number by which its answer is known.
#[derive(Clone, Debug)]
pub struct Job {
    /// The number; unique in a run.
    pub number: usize,
    /// The case.
    pub case: Arc<Case>,
}

/// What came of playing a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The job's number.
    pub number: usize,
    /// How it ended.
    pub end: Ending,
    /// The last lines that the candidate wrote to stderr while the case was played; empty for candidates without one.
    pub stderr: String,
}

/// How the playing of a case ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// It was played: one outcome a step.
    Played(Vec<Outcome>),
    /// The adapter said that it could not play it.
    Errored(String),
    /// The reply was not what the protocol allows; the text says where and what is allowed.
    Malformed(String),
    /// The candidate ended, or closed its output, while it played the case.
    Crashed(String),
    /// No reply came in time.
    TimedOut(String),
    /// The run ended before the case could be played; the text says why.
    NotPlayed(String),
}

/// A runtime under test.
pub trait Candidate {
    /// Who it is and what it can do.
    fn hello(&self) -> &Hello;

    /// Plays jobs and calls `done` exactly once for each job that was taken, in any order, until there are no more jobs or `done`
    /// breaks. No job that was taken is ever lost: one that cannot be played any more is answered
    /// [`NotPlayed`](Ending::NotPlayed).
    ///
    /// # Errors
    ///
    /// When the candidate is beyond use; every job that was taken has been answered all the same.
    fn play(
        &mut self,
        jobs: &mut dyn Iterator<Item = Job>,
        done: &mut dyn FnMut(Answer) -> ControlFlow<()>,
    ) -> Result<(), Trouble>;

    /// What was noticed beside the answers, such as a crash that no single case causes.
    fn notes(&self) -> &[String] {
        &[]
    }
}

/// Why a candidate is beyond use. `what` is the diagnosis by its name, such as `missing program`; `detail` is for the person who
/// has to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The diagnosis, in a few words, always the same for the same trouble.
    pub what: &'static str,
    /// What happened here, in a sentence or several.
    pub detail: String,
    /// The last lines of stderr, if there are any.
    pub stderr: String,
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.what, self.detail)
    }
}

impl std::error::Error for Trouble {}
