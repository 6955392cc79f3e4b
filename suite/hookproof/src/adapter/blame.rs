//! Who is to blame when an adapter breaks down.
//!
//! A case that was alone in a process that nothing else had used is guilty. Otherwise all unanswered cases are suspects: they
//! are played again, each alone in a fresh process, until one breaks it. If none does, each keeps its answer and the breakdown
//! is noted as one that happens in company only. A case that hangs needs only to be alone: finding out is slow.

use super::{
    diagnosis::{Diagnosis, excerpt},
    process::{Ended, Gone},
    round::{Breakdown, FLOOD, Round, Waiting},
};
use crate::candidate::{Ending, Trouble};

/// What ended a process, or made it necessary to end it.
pub(super) struct Blow {
    kind: Kind,
    pub(super) diagnosis: Diagnosis,
    pub(super) happened: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Crash,
    Hang,
    Garble,
}

impl Gone {
    /// What this is in words.
    pub(super) fn blow(self) -> Blow {
        let (diagnosis, happened) = match self {
            Gone::Ended(ended @ Ended::Code(0)) => (Diagnosis::ExitMidRun, ended.to_string()),
            Gone::Ended(ended) => (Diagnosis::Crash, ended.to_string()),
            Gone::ClosedStdout => (Diagnosis::ClosesStdout, "it closed stdout and runs on".to_owned()),
            Gone::ClosedStdin => (Diagnosis::ClosesStdin, "it closed stdin and runs on".to_owned()),
            Gone::PipeHeld(ended) => (
                Diagnosis::ChildHoldsPipe,
                format!("{ended}, while something that it had started still has its stdout"),
            ),
        };
        Blow::crash(diagnosis, happened)
    }
}

impl Blow {
    /// How the case that is to blame ends.
    pub(super) fn ending(&self) -> Ending {
        let told = self.diagnosis.tell(&self.happened);
        match self.kind {
            Kind::Crash => Ending::Crashed(told),
            Kind::Hang => Ending::TimedOut(told),
            Kind::Garble => Ending::Malformed(told),
        }
    }

    pub(super) fn crash(diagnosis: Diagnosis, happened: String) -> Blow {
        Blow { kind: Kind::Crash, diagnosis, happened }
    }

    pub(super) fn hang(diagnosis: Diagnosis, happened: String) -> Blow {
        Blow { kind: Kind::Hang, diagnosis, happened }
    }

    pub(super) fn garble(diagnosis: Diagnosis, happened: String) -> Blow {
        Blow { kind: Kind::Garble, diagnosis, happened }
    }

    /// The end of the run, when this was the last of too many.
    pub(super) fn trouble(&self, times: u32, stderr: String) -> Trouble {
        let what = match self.kind {
            Kind::Crash => Diagnosis::CrashAfterCrash,
            Kind::Hang | Kind::Garble => self.diagnosis,
        };
        what.trouble(format_args!("{times} cases in a row ended the adapter; of the last: {}", self.happened), stderr)
    }
}

impl Round<'_> {
    /// Something came on stdout that is no message. It is borne until the next reply, so that a flood can be told from a word.
    pub(super) fn talk(&mut self, line: &[u8], diagnosis: Option<Diagnosis>) -> Result<(), Trouble> {
        let Some(process) = &mut self.adapter.process else { return Ok(()) };
        let course = &mut process.course;
        course.talked += line.len() + 1;
        if let (Some(diagnosis), None) = (diagnosis, &course.talk) {
            course.talk = Some((diagnosis, format!("it wrote {}", excerpt(line))));
        }
        if course.talked <= FLOOD {
            return Ok(());
        }
        self.garbled(
            Diagnosis::FloodsStdout,
            format!("more than {FLOOD} bytes without a message, of which the last {}", excerpt(line)),
        )
    }

    pub(super) fn garbled(&mut self, diagnosis: Diagnosis, happened: String) -> Result<(), Trouble> {
        self.broken(Blow::garble(diagnosis, happened))
    }

    /// The case at `place` had its time.
    pub(super) fn late(&mut self, place: usize) -> Result<(), Trouble> {
        let Some(process) = &mut self.adapter.process else { return Ok(()) };
        let happened = format!("no reply within {} ms", self.adapter.limits.deadline_ms);
        let flood = self.flying.get(place).is_some_and(|flying| process.tail.total() - flying.stderr > FLOOD as u64);
        let blow = if let Some((diagnosis, talk)) = process.course.talk.take() {
            Blow::hang(diagnosis, format!("{happened}, but {talk}"))
        } else if flood {
            Blow::hang(Diagnosis::FloodsStderr, format!("{happened}, but more than {FLOOD} bytes on stderr"))
        } else if process.refuses() {
            Blow::hang(Diagnosis::ClosesStdin, format!("{happened}, and it closed stdin"))
        } else {
            Blow::hang(Diagnosis::NeverAnswers, happened)
        };
        // The first to be suspected is the one that was waited for.
        if let Some(late) = self.flying.remove(place) {
            self.flying.push_front(late);
        }
        self.broken(blow)
    }

    /// The process is of no more use.
    pub(super) fn broken(&mut self, mut blow: Blow) -> Result<(), Trouble> {
        let Some(mut process) = self.adapter.process.take() else { return Ok(()) };
        if let (Kind::Crash, Some((_, talk))) = (blow.kind, process.course.talk.take()) {
            blow.happened += &format!("; before that {talk} to stdout");
        }
        if process.end() {
            self.adapter.note(Diagnosis::IgnoresSignal.tell("it still ran after SIGTERM"));
        }
        let alone = self.flying.len() == 1 && (blow.kind == Kind::Hang || process.course.sent == 1);
        if let Some(guilty) = alone.then(|| self.flying.pop_front()).flatten() {
            return self.condemn(guilty.waiting, &blow, process.tail.since(guilty.stderr));
        }
        let happened = blow.diagnosis.name().to_owned() + ": " + &blow.happened;
        if self.flying.is_empty() {
            self.adapter.note(blow.diagnosis.tell(format_args!("{}, between two cases", blow.happened)));
            return Ok(());
        }
        self.breakdown = Some(Breakdown { happened, suspects: self.flying.len() });
        while let Some(flying) = self.flying.pop_back() {
            self.waiting.push_front(Waiting { suspect: true, ..flying.waiting });
        }
        Ok(())
    }

    fn condemn(&mut self, guilty: Waiting, blow: &Blow, stderr: String) -> Result<(), Trouble> {
        self.breakdown = None;
        self.waiting.iter_mut().for_each(|waiting| waiting.suspect = false);
        self.in_a_row += 1;
        let too_many = (self.in_a_row >= self.adapter.limits.crashes_in_a_row)
            .then(|| blow.trouble(self.in_a_row, stderr.clone()));
        self.tell(guilty.job.number, blow.ending(), stderr);
        too_many.map_or(Ok(()), Err)
    }

    /// A suspect was played alone, and nothing happened.
    pub(super) fn acquit(&mut self) {
        let Some(breakdown) = &mut self.breakdown else { return };
        breakdown.suspects = breakdown.suspects.saturating_sub(1);
        if breakdown.suspects == 0 {
            let happened = format!(
                "with several cases to play it broke down ({}), and with none of them alone",
                breakdown.happened
            );
            self.breakdown = None;
            self.adapter.note(Diagnosis::OnlyInCompany.tell(happened));
        }
    }
}
