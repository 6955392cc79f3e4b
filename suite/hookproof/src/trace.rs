//! A trace for candidates of this process: what an adapter would be sent and would answer, in the form in which the adapter module
//! traces the protocol; a line each,
//! `→` to the candidate, `←` from it. Ids are the numbers of the cases.

use crate::candidate::{Answer, Candidate, Ending, Job, Trouble};
use hookproof_contract::message::{Depth, Hello, Request};
use serde_json::json;
use std::{borrow::Cow, cell::RefCell, io::Write, ops::ControlFlow};

/// A candidate whose messages are written down.
pub struct Traced {
    inner: Box<dyn Candidate>,
    out: Box<dyn Write>,
    deadline_ms: u64,
}

impl Traced {
    /// Traces a candidate; the handshake is written at once.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn new(inner: Box<dyn Candidate>, mut out: Box<dyn Write>, deadline_ms: u64) -> std::io::Result<Traced> {
        let mut hello = serde_json::to_value(inner.hello())?;
        hello["type"] = json!("hello");
        writeln!(out, "← {hello}")?;
        Ok(Traced { inner, out, deadline_ms })
    }
}

impl Candidate for Traced {
    fn hello(&self) -> &Hello {
        self.inner.hello()
    }

    fn notes(&self) -> &[String] {
        self.inner.notes()
    }

    fn play(
        &mut self,
        jobs: &mut dyn Iterator<Item = Job>,
        done: &mut dyn FnMut(Answer) -> ControlFlow<()>,
    ) -> Result<(), Trouble> {
        let deadline_ms = self.deadline_ms;
        let out = RefCell::new(&mut self.out);
        // A trace that cannot be written any more must not change what a run finds.
        let write = |line: std::fmt::Arguments<'_>| drop(out.borrow_mut().write_fmt(line));
        let mut sent = jobs.inspect(|job| {
            let id = Cow::Owned(job.number.to_string());
            let request = Request::Run { id, depth: Depth::Resolve, deadline_ms, case: job.case.to_wire() };
            write(format_args!("→ {}\n", serde_json::to_string(&request).unwrap_or_default()));
        });
        let mut answered = |answer: Answer| {
            write(format_args!("← {}\n", message(&answer)));
            done(answer)
        };
        let played = self.inner.play(&mut sent, &mut answered);
        drop(out.into_inner().flush());
        played
    }
}

/// An answer as a message; an ending that is none has a type of its own.
fn message(answer: &Answer) -> serde_json::Value {
    let id = answer.number.to_string();
    let other = |kind: &str, text: &str| json!({"type": kind, "id": id, "message": text, "stderr": answer.stderr});
    match &answer.end {
        Ending::Played(steps) => json!({"type": "outcome", "id": id, "steps": steps}),
        Ending::Errored(text) => json!({"type": "errored", "id": id, "message": text}),
        Ending::Malformed(text) => other("malformed", text),
        Ending::Crashed(text) => other("crashed", text),
        Ending::TimedOut(text) => other("timed_out", text),
        Ending::NotPlayed(text) => other("not_played", text),
    }
}
