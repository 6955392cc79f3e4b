//! The adapter that is started for each case: two lines in, two lines out.

use super::{
    blame::Blow,
    command::{Command, Limits},
    diagnosis::{Diagnosis, excerpt},
    external::{first_line, greeting, line, parting_notes, too_long},
    process::Process,
    reading::{self, Read},
    round::FLOOD,
    stream::Line,
};
use crate::{
    candidate::{Answer, Candidate, Ending, Job, Trouble},
    interrupt,
};
use hookproof_contract::message::{Depth, Hello, Request};
use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

/// The id of the one request that a process gets.
const ID: &str = "1";

/// An adapter of which each case gets a process of its own: it reads hello and one case, answers both, and ends.
pub struct Exec {
    command: Command,
    limits: Limits,
    hello: Hello,
    /// What was wrong without being any case's fault, each thing once.
    notes: Vec<String>,
}

impl Exec {
    /// Asks an adapter who it is: this once it gets hello and the end of stdin.
    ///
    /// # Errors
    ///
    /// When it cannot be started, or does not answer the handshake as the protocol wants it.
    pub fn start(command: Command, limits: Limits) -> Result<Exec, Trouble> {
        let mut process = Process::start(&command, &limits)?;
        process.send(&greeting());
        process.no_more();
        match first_line(&mut process, &limits).and_then(|line| reading::hello(&line)) {
            Ok(hello) => Ok(Exec { command, limits, hello, notes: Vec::new() }),
            Err((diagnosis, happened)) => {
                process.end();
                Err(diagnosis.trouble(happened, process.tail.since(0)))
            }
        }
    }

    /// Plays one case. The blow is what ended the process before its time.
    fn one(&mut self, job: &Job) -> Result<(Ending, Option<Blow>, String), Trouble> {
        let mut process = Process::start(&self.command, &self.limits)?;
        process.send(&greeting());
        process.send(&line(&Request::Run {
            id: ID.into(),
            depth: Depth::Resolve,
            deadline_ms: self.limits.deadline_ms,
            case: job.case.to_wire(),
        }));
        process.no_more();
        match self.converse(&mut process) {
            Ok(end) => {
                let stderr = process.tail.since(0);
                for note in parting_notes(&process.part(b"")) {
                    if !self.notes.contains(&note) {
                        self.notes.push(note);
                    }
                }
                Ok((end, None, stderr))
            }
            Err(blow) => {
                process.end();
                Ok((blow.ending(), Some(blow), process.tail.since(0)))
            }
        }
    }

    fn converse(&self, process: &mut Process) -> Result<Ending, Blow> {
        let blow = |(diagnosis, happened)| match diagnosis {
            Diagnosis::HelloNeverComes => Blow::hang(diagnosis, happened),
            Diagnosis::SilentExit | Diagnosis::ClosesStdout => Blow::crash(diagnosis, happened),
            _ => Blow::garble(diagnosis, happened),
        };
        match first_line(process, &self.limits).and_then(|line| reading::hello(&line)) {
            Ok(_) => {}
            Err(_) if interrupt::caught().is_some() => return Ok(ended()),
            Err(wrong) => return Err(blow(wrong)),
        }
        let until = Instant::now() + Duration::from_millis(self.limits.deadline_ms);
        loop {
            while let Some(line) = process.line() {
                if let Some(end) = self.reply(process, &line)? {
                    return Ok(end);
                }
            }
            if let Some(gone) = process.gone() {
                return Err(gone.blow());
            }
            if interrupt::caught().is_some() {
                return Ok(ended());
            }
            let left = until.saturating_duration_since(Instant::now());
            if !process.step(left) && left.is_zero() {
                return Err(Blow::hang(
                    Diagnosis::NeverAnswers,
                    format!("no reply within {} ms", self.limits.deadline_ms),
                ));
            }
        }
    }

    fn reply(&self, process: &mut Process, line: &Line) -> Result<Option<Ending>, Blow> {
        let line = match line {
            Line::Whole(line) => line,
            Line::TooLong(start) => return Err(Blow::garble(Diagnosis::GiganticLine, too_long(start, &self.limits))),
        };
        let theirs = |id: &str| match id == ID {
            true => Ok(()),
            false => {
                let happened = format!("a reply came to {}, an id that was never sent", excerpt(id.as_bytes()));
                Err(Blow::garble(Diagnosis::UnknownId, happened))
            }
        };
        match reading::line(line) {
            Read::Outcome(outcomes) => theirs(&outcomes.id).map(|()| Some(Ending::Played(outcomes.steps))),
            Read::Errored(errored) => theirs(&errored.id).map(|()| Some(Ending::Errored(reading::refusal(&errored)))),
            Read::Flawed { diagnosis, happened, .. } => Err(Blow::garble(diagnosis, happened)),
            Read::Talk(diagnosis) => Err(Blow::garble(diagnosis, format!("it wrote {}", excerpt(line)))),
            Read::Blank => {
                process.course.talked += line.len() + 1;
                match process.course.talked > FLOOD {
                    true => {
                        Err(Blow::garble(Diagnosis::FloodsStdout, format!("more than {FLOOD} bytes without a message")))
                    }
                    false => Ok(None),
                }
            }
        }
    }
}

/// What is left of a case when a signal ends the run.
fn ended() -> Ending {
    Ending::NotPlayed("the run was ended before".to_owned())
}

impl Candidate for Exec {
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
        let mut in_a_row = 0;
        for job in jobs {
            let number = job.number;
            if interrupt::caught().is_some() {
                let _over = done(Answer { number, end: ended(), stderr: String::new() });
                return Ok(());
            }
            let (end, blow, stderr) = match self.one(&job) {
                Ok(played) => played,
                Err(trouble) => {
                    let end = Ending::NotPlayed(format!("the run ended early: {}", trouble.what));
                    let _over = done(Answer { number, end, stderr: String::new() });
                    return Err(trouble);
                }
            };
            in_a_row = if blow.is_some() { in_a_row + 1 } else { 0 };
            let trouble = blow
                .filter(|_| in_a_row >= self.limits.crashes_in_a_row)
                .map(|blow| blow.trouble(in_a_row, stderr.clone()));
            let flow = done(Answer { number, end, stderr });
            match (trouble, flow) {
                (Some(trouble), _) => return Err(trouble),
                (None, ControlFlow::Break(())) => return Ok(()),
                (None, ControlFlow::Continue(())) => {}
            }
        }
        Ok(())
    }
}
