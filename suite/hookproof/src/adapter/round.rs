//! One round of play with a persistent adapter: requests out, replies in. Who is to blame when it breaks down is told in
//! [`blame`](super::blame).

use super::{
    diagnosis::{Diagnosis, excerpt},
    external::{self, External, too_long},
    process::{Gone, Process},
    reading::{self, Read},
    stream::Line,
};
use crate::{
    candidate::{Answer, Candidate as _, Ending, Job, Trouble},
    interrupt,
};
use hookproof_contract::message::{Depth, Request};
use std::{
    collections::VecDeque,
    ops::ControlFlow,
    time::{Duration, Instant},
};

/// How many cases may be unanswered, whatever the adapter says.
const MOST_IN_FLIGHT: usize = 1024;
/// How much beside the messages is read before it is called a flood.
pub(super) const FLOOD: usize = 1 << 20;
/// How much is gathered before it is written.
const GATHERED: usize = 16 << 10;

/// One round of play.
pub(super) struct Round<'a> {
    pub(super) adapter: &'a mut External,
    jobs: &'a mut dyn Iterator<Item = Job>,
    done: &'a mut dyn FnMut(Answer) -> ControlFlow<()>,
    no_more_jobs: bool,
    stopped: bool,
    /// Taken and not sent.
    pub(super) waiting: VecDeque<Waiting>,
    /// Sent and not answered, in the order of sending.
    pub(super) flying: VecDeque<Flying>,
    /// How many cases in a row have ended the adapter.
    pub(super) in_a_row: u32,
    pub(super) breakdown: Option<Breakdown>,
    begun: Instant,
    /// The time that was spent outside, by the caller; no adapter's clock runs then.
    away: Duration,
}

/// A case that is to be sent.
pub(super) struct Waiting {
    pub(super) job: Job,
    /// It was unanswered when the adapter broke down, so it is to be played alone.
    pub(super) suspect: bool,
}

/// A case that was sent.
pub(super) struct Flying {
    number: u32,
    pub(super) waiting: Waiting,
    bytes: usize,
    /// When its time began: at the later of its sending and the reply before its own.
    clock: Duration,
    /// How many replies came since it was sent.
    overtaken: usize,
    /// How much there was on stderr when it was sent.
    pub(super) stderr: u64,
}

/// A breakdown whose culprit is being looked for.
pub(super) struct Breakdown {
    pub(super) happened: String,
    /// How many suspects are still to be heard.
    pub(super) suspects: usize,
}

impl<'a> Round<'a> {
    pub(super) fn new(
        adapter: &'a mut External,
        jobs: &'a mut dyn Iterator<Item = Job>,
        done: &'a mut dyn FnMut(Answer) -> ControlFlow<()>,
    ) -> Round<'a> {
        Round {
            adapter,
            jobs,
            done,
            no_more_jobs: false,
            stopped: false,
            waiting: VecDeque::new(),
            flying: VecDeque::new(),
            in_a_row: 0,
            breakdown: None,
            begun: Instant::now(),
            away: Duration::ZERO,
        }
    }

    pub(super) fn play(mut self) -> Result<(), Trouble> {
        let end = self.play_all();
        let why = match &end {
            Ok(()) => "the run was ended before".to_owned(),
            Err(trouble) => format!("the run ended early: {}", trouble.what),
        };
        if !self.flying.is_empty() || end.is_err() {
            // What it still has to say must not meet the next round.
            self.adapter.process = None;
        }
        let flying = std::mem::take(&mut self.flying).into_iter().map(|flying| flying.waiting);
        for left in flying.chain(std::mem::take(&mut self.waiting)) {
            self.tell(left.job.number, Ending::NotPlayed(why.clone()), String::new());
        }
        end
    }

    fn play_all(&mut self) -> Result<(), Trouble> {
        while !self.stopped && interrupt::caught().is_none() {
            self.fill()?;
            if self.flying.is_empty() {
                return Ok(());
            }
            self.listen()?;
        }
        Ok(())
    }

    /// Sends as many cases as may be unanswered.
    fn fill(&mut self) -> Result<(), Trouble> {
        while self.flying.len() < self.window() {
            let bytes: usize = self.flying.iter().map(|flying| flying.bytes).sum();
            if !self.flying.is_empty() && bytes >= self.adapter.limits.bytes_in_flight {
                break;
            }
            let Some(suspect) = self.next_is_suspect() else { break };
            if self.flying.is_empty() {
                self.prepare(suspect)?;
            } else if suspect {
                break;
            }
            self.send();
        }
        if let Some(process) = &mut self.adapter.process {
            process.write();
        }
        Ok(())
    }

    /// How many cases may be unanswered now. After a case that ended the adapter they go one by one, until one goes well.
    fn window(&self) -> usize {
        let alone = self.in_a_row > 0 || self.flying.front().is_some_and(|flying| flying.waiting.suspect);
        if alone { 1 } else { self.adapter.hello().max_in_flight.clamp(1, MOST_IN_FLIGHT) }
    }

    fn next_is_suspect(&mut self) -> Option<bool> {
        if self.waiting.is_empty() && !self.no_more_jobs {
            let left = Instant::now();
            match self.jobs.next() {
                Some(job) => self.waiting.push_back(Waiting { job, suspect: false }),
                None => self.no_more_jobs = true,
            }
            self.away += left.elapsed();
        }
        self.waiting.front().map(|waiting| waiting.suspect)
    }

    /// Sees to it that there is a process to play the next case, a fresh one for a suspect.
    fn prepare(&mut self, suspect: bool) -> Result<(), Trouble> {
        if let Some(process) = &mut self.adapter.process {
            process.step(Duration::ZERO);
            self.read_lines()?;
        }
        let unfit = self.adapter.process.as_mut().and_then(Process::unfit);
        if let Some(gone) = unfit {
            let blow = gone.blow();
            self.adapter.note(blow.diagnosis.tell(format_args!("{}, between two cases", blow.happened)));
            self.adapter.process = None;
        }
        if self.adapter.process.as_ref().is_none_or(|process| suspect && process.course.sent > 0) {
            self.adapter.restart()?;
        }
        Ok(())
    }

    fn send(&mut self) {
        let clock = self.now();
        let Some(process) = &mut self.adapter.process else { return };
        let Some(waiting) = self.waiting.pop_front() else { return };
        self.adapter.sent = self.adapter.sent.wrapping_add(1);
        let number = self.adapter.sent;
        let line = external::line(&Request::Run {
            id: id(number).into(),
            depth: Depth::Resolve,
            deadline_ms: self.adapter.limits.deadline_ms,
            case: waiting.job.case.to_wire(),
        });
        process.send(&line);
        if process.unwritten() >= GATHERED {
            process.write();
        }
        process.course.sent += 1;
        let stderr = process.tail.total();
        self.flying.push_back(Flying { number, waiting, bytes: line.len(), clock, overtaken: 0, stderr });
    }

    /// Waits for replies, but not longer than the case that has waited longest may take.
    fn listen(&mut self) -> Result<(), Trouble> {
        let deadline = Duration::from_millis(self.adapter.limits.deadline_ms);
        let due = self.flying.iter().map(|flying| flying.clock).min().unwrap_or_default() + deadline;
        let patience = due.saturating_sub(self.now());
        let Some(process) = &mut self.adapter.process else { return Ok(()) };
        let came = process.step(patience);
        self.read_lines()?;
        if self.stopped || self.flying.is_empty() {
            return Ok(());
        }
        let now = self.now();
        let Some(process) = &mut self.adapter.process else { return Ok(()) };
        if let Some(gone) = process.gone() {
            return self.broken(gone.blow());
        }
        let grace = Duration::from_millis(self.adapter.limits.grace_ms);
        if process.deaf_for(grace) {
            return self.broken(Gone::ClosedStdin.blow());
        }
        // Only when nothing more is to be read: a reply that has come is in time, however late the harness gets to it.
        match self.flying.iter().position(|flying| flying.clock + deadline <= now) {
            Some(late) if !came => self.late(late),
            _ => Ok(()),
        }
    }

    fn read_lines(&mut self) -> Result<(), Trouble> {
        while let Some(line) = self.adapter.process.as_mut().and_then(Process::line) {
            self.take(&line)?;
            if self.stopped {
                return Ok(());
            }
        }
        if let Some(process) = self.adapter.process.as_mut().filter(|process| process.course.replied) {
            process.course.replied = false;
            process.course.stderr = process.tail.total();
        }
        Ok(())
    }

    fn take(&mut self, line: &Line) -> Result<(), Trouble> {
        let line = match line {
            Line::Whole(line) => line,
            Line::TooLong(start) => {
                return self.garbled(Diagnosis::GiganticLine, too_long(start, &self.adapter.limits));
            }
        };
        match reading::line(line) {
            Read::Outcome(outcomes) => self.reply(&outcomes.id, Ending::Played(outcomes.steps)),
            Read::Errored(errored) => self.reply(&errored.id, Ending::Errored(reading::refusal(&errored))),
            Read::Flawed { id: Some(id), diagnosis, happened } => {
                self.reply(&id, Ending::Malformed(diagnosis.tell(happened)))
            }
            Read::Flawed { id: None, diagnosis, happened } => self.garbled(diagnosis, happened),
            Read::Blank => self.talk(line, None),
            Read::Talk(diagnosis) => self.talk(line, Some(diagnosis)),
        }
    }

    /// A reply came: to whom?
    fn reply(&mut self, id: &str, end: Ending) -> Result<(), Trouble> {
        let Some(process) = &mut self.adapter.process else { return Ok(()) };
        if let Some((diagnosis, happened)) = process.course.talk.take() {
            return self.garbled(diagnosis, happened);
        }
        process.course.talked = 0;
        let number = number(id);
        let Some(place) = self.flying.iter().position(|flying| Some(flying.number) == number) else {
            let stderr = process.tail.since(process.course.stderr);
            let known = number.is_some_and(|number| number > 0 && number <= self.adapter.sent);
            return Err(match known {
                true => Diagnosis::AnswersTwice
                    .trouble(format_args!("a second reply came to the id {}", excerpt(id.as_bytes())), stderr),
                false => Diagnosis::UnknownId.trouble(
                    format_args!("a reply came to {}, an id that was never sent", excerpt(id.as_bytes())),
                    stderr,
                ),
            });
        };
        process.course.replied = true;
        process.course.out_of_order |= place > 0;
        let Some(flying) = self.flying.remove(place) else { return Ok(()) };
        let quiet = if process.course.out_of_order { 0 } else { process.course.stderr };
        let stderr = process.tail.since(flying.stderr.max(quiet));
        if !matches!(end, Ending::Malformed(_)) {
            self.in_a_row = 0;
        }
        self.tell(flying.waiting.job.number, end, stderr);
        if flying.waiting.suspect {
            self.acquit();
        }
        self.wind_clocks();
        Ok(())
    }

    /// The time of the cases that wait begins anew at each reply. But a case that was overtaken by as many replies as there may
    /// be cases unanswered is not waiting for its turn any more, so from then on its time runs.
    fn wind_clocks(&mut self) {
        let (now, turns) = (self.now(), self.adapter.hello().max_in_flight.clamp(1, MOST_IN_FLIGHT));
        for flying in self.flying.iter_mut().filter(|flying| flying.overtaken < turns) {
            flying.clock = now;
            flying.overtaken += 1;
        }
    }

    /// Hands an answer out.
    pub(super) fn tell(&mut self, number: usize, end: Ending, stderr: String) {
        let left = Instant::now();
        if (self.done)(Answer { number, end, stderr }).is_break() {
            self.stopped = true;
        }
        self.away += left.elapsed();
    }

    fn now(&self) -> Duration {
        self.begun.elapsed().saturating_sub(self.away)
    }
}

/// An odd number, so that multiplying by it loses nothing; its factors mix the digits well.
const MIX: u32 = 0x9E37_79B1;

/// The id of a request: it tells nobody which request it is.
fn id(number: u32) -> String {
    format!("{:08x}", number.wrapping_mul(MIX))
}

/// The number of the request that has this id.
fn number(id: &str) -> Option<u32> {
    let right = id.len() == 8 && id.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'a'..=b'f'));
    u32::from_str_radix(id, 16).ok().filter(|_| right).map(|mixed| mixed.wrapping_mul(inverse(MIX)))
}

/// The number by which multiplication is undone, by Newton's steps: each doubles the right bits, of which there are three at first.
const fn inverse(odd: u32) -> u32 {
    let mut x = odd;
    let mut step = 0;
    while step < 4 {
        x = x.wrapping_mul(2u32.wrapping_sub(odd.wrapping_mul(x)));
        step += 1;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::{id, number};

    #[test]
    fn an_id_leads_back_to_its_request() {
        for n in [0, 1, 2, 77, 1_000_003, u32::MAX] {
            assert_eq!(number(&id(n)), Some(n));
        }
        for wrong in ["", "1", "+1234567", "0000000G", "9E3779B1", "9e3779b1 "] {
            assert_eq!(number(wrong), None, "{wrong}");
        }
    }
}
