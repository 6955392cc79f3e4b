//! The persistent adapter: its start, its handshake, its end.

use super::{
    command::{Command, Limits},
    diagnosis::{Diagnosis, excerpt},
    process::{Gone, Parting, Process},
    reading,
    round::Round,
    stream::Line,
};
use crate::{
    candidate::{Answer, Candidate, Job, Trouble},
    interrupt,
};
use hookproof_contract::{
    Revision,
    message::{Hello, PROTOCOL, Request},
};
use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

/// How many notes are kept; an adapter that has earned more has made its point.
const NOTES: usize = 64;

/// An adapter that plays all cases in one process, for as long as it lasts.
pub struct External {
    command: Command,
    pub(super) limits: Limits,
    hello: Hello,
    /// None: it is to be started when the next case is due.
    pub(super) process: Option<Process>,
    /// What was wrong without being any case's fault, each thing once.
    notes: Vec<String>,
    /// How many requests were sent in all; the last one's id is made of it.
    pub(super) sent: u32,
}

impl External {
    /// Starts an adapter and asks it who it is.
    ///
    /// # Errors
    ///
    /// When it cannot be started, or does not answer the handshake as the protocol wants it.
    pub fn start(command: Command, limits: Limits) -> Result<External, Trouble> {
        let (process, hello) = greet(&command, &limits)?;
        Ok(External { command, limits, hello, process: Some(process), notes: Vec::new(), sent: 0 })
    }

    /// Ends the adapter. It would be started again for the next case. Dropping it does the same; here its notes can still be read.
    pub fn finish(&mut self) {
        let Some(process) = self.process.take() else { return };
        let parting = process.part(&line(&Request::Bye));
        for note in parting_notes(&parting) {
            self.note(note);
        }
    }

    pub(super) fn note(&mut self, note: String) {
        if self.notes.len() < NOTES && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Starts the adapter anew.
    pub(super) fn restart(&mut self) -> Result<(), Trouble> {
        self.finish();
        let (process, hello) = greet(&self.command, &self.limits)?;
        self.process = Some(process);
        if hello != self.hello {
            self.note(Diagnosis::HelloChanges.tell("after a restart its hello is another"));
        }
        Ok(())
    }
}

impl Candidate for External {
    fn hello(&self) -> &Hello {
        &self.hello
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn play(
        &mut self,
        jobs: &mut dyn Iterator<Item = Job>,
        done: &mut dyn FnMut(Answer) -> ControlFlow<()>,
    ) -> Result<(), Trouble> {
        Round::new(self, jobs, done).play()
    }
}

impl Drop for External {
    fn drop(&mut self) {
        self.finish();
    }
}

/// What is to be said of an adapter's leave.
pub(super) fn parting_notes(parting: &Parting) -> Vec<String> {
    let mut notes = Vec::new();
    if parting.ignored_bye {
        notes.push(Diagnosis::IgnoresBye.tell("it still ran after `bye` and the end of stdin"));
    }
    if parting.ignored_signal {
        notes.push(Diagnosis::IgnoresSignal.tell("it still ran after SIGTERM"));
    }
    if parting.pipe_held {
        notes.push(
            Diagnosis::ChildHoldsPipe.tell("it ended after `bye`, and something that it started still has its stdout"),
        );
    }
    if let Some(after) = &parting.afterwards {
        let diagnosis = match reading::line(after) {
            reading::Read::Talk(diagnosis) => diagnosis,
            _ => Diagnosis::AnswersTwice,
        };
        notes.push(diagnosis.tell(format_args!("after the last reply came {}", excerpt(after))));
    }
    notes
}

/// A request as a line.
pub(super) fn line(request: &Request<'_>) -> Vec<u8> {
    // A request is plain data: there is nothing in it that JSON cannot say.
    let mut line = serde_json::to_vec(request).unwrap_or_default();
    line.push(b'\n');
    line
}

/// The first request.
pub(super) fn greeting() -> Vec<u8> {
    let (suite, revisions) = (env!("CARGO_PKG_VERSION").into(), Revision::KNOWN.to_vec());
    line(&Request::Hello { protocol: PROTOCOL, suite, revisions })
}

fn greet(command: &Command, limits: &Limits) -> Result<(Process, Hello), Trouble> {
    let mut process = Process::start(command, limits)?;
    process.send(&greeting());
    match first_line(&mut process, limits).and_then(|line| reading::hello(&line)) {
        Ok(hello) => Ok((process, hello)),
        Err((diagnosis, happened)) => {
            process.end();
            Err(diagnosis.trouble(happened, process.tail.since(0)))
        }
    }
}

/// The first line that is not blank.
pub(super) fn first_line(process: &mut Process, limits: &Limits) -> Result<Vec<u8>, (Diagnosis, String)> {
    let patience = Duration::from_millis(limits.hello_ms);
    let until = Instant::now() + patience;
    loop {
        if interrupt::caught().is_some() {
            return Err((Diagnosis::HelloNeverComes, "a signal ended the wait".to_owned()));
        }
        let came = process.step(until.saturating_duration_since(Instant::now()));
        while let Some(line) = process.line() {
            match line {
                Line::TooLong(beginning) => return Err((Diagnosis::GiganticLine, too_long(&beginning, limits))),
                Line::Whole(line) if line.trim_ascii().is_empty() => {}
                Line::Whole(line) => return Ok(line),
            }
        }
        match process.gone() {
            Some(Gone::Ended(ended) | Gone::PipeHeld(ended)) => return Err((Diagnosis::SilentExit, ended.to_string())),
            Some(Gone::ClosedStdout | Gone::ClosedStdin) => {
                return Err((Diagnosis::ClosesStdout, "it closed stdout before it said hello".to_owned()));
            }
            None if !came && Instant::now() >= until => {
                return Err((Diagnosis::HelloNeverComes, format!("no line within {} ms", patience.as_millis())));
            }
            None => {}
        }
    }
}

pub(super) fn too_long(beginning: &[u8], limits: &Limits) -> String {
    format!("a line of more than {} bytes, which begins {}", limits.max_line, excerpt(beginning))
}
