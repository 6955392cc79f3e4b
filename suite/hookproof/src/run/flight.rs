//! The part of the engine that stands between the candidate's two sides: what it is given next, and what it answers.

use super::{Run, Trial, Waiting};
use crate::{
    candidate::{Answer, Ending, Job},
    exit::Failure,
    interrupt,
    verdict::{CaseResult, Verdict},
};
use std::{
    collections::{BTreeSet, HashMap},
    ops::ControlFlow,
    sync::Arc,
};

/// Everything that the two closures of one [`Candidate::play`] share.
pub(super) struct Flight<'a> {
    run: &'a mut Run,
    sink: &'a mut dyn FnMut(CaseResult),
    waiting: HashMap<usize, Waiting>,
    /// Why a trial could not be made.
    pub(super) failure: Option<Failure>,
}

impl<'a> Flight<'a> {
    pub(super) fn new(run: &'a mut Run, sink: &'a mut dyn FnMut(CaseResult)) -> Flight<'a> {
        Flight { run, sink, waiting: HashMap::new(), failure: None }
    }

    /// The next job, if there is one; trials that are not played are answered on the way.
    pub(super) fn next(&mut self, trials: &mut dyn Iterator<Item = Result<Trial, Failure>>) -> Option<Job> {
        loop {
            if self.failure.is_some() || self.run.is_over() || interrupt::caught().is_some() {
                self.run.tally.stopped = true;
                return None;
            }
            let mut trial = match trials.next()? {
                Ok(trial) => trial,
                Err(failure) => {
                    self.failure = Some(failure);
                    return None;
                }
            };
            match self.run.prepare(&mut trial) {
                Ok(expectation) => {
                    let number = self.run.next;
                    self.run.next += 1;
                    let case = Arc::clone(&trial.case);
                    self.waiting.insert(number, Waiting { trial, expectation });
                    return Some(Job { number, case });
                }
                Err(reason) => {
                    let verdict =
                        if reason.is_not_applicable() { Verdict::NotApplicable } else { Verdict::NotTestable };
                    let why = Some(reason.to_string());
                    *self.run.tally.skips.entry(reason).or_default() += 1;
                    self.run.hand_out(result(trial, verdict, why), self.sink);
                }
            }
        }
    }

    /// Takes an answer.
    pub(super) fn done(&mut self, answer: Answer) -> ControlFlow<()> {
        let Some(waiting) = self.waiting.remove(&answer.number) else { return ControlFlow::Continue(()) };
        let mut result = result(waiting.trial.clone(), Verdict::Fail, None);
        result.stderr = answer.stderr;
        let mut places = BTreeSet::new();
        (result.verdict, result.why) = match answer.end {
            Ending::Played(outcomes) => {
                places = self.run.judged(&waiting, outcomes, &mut result);
                (result.verdict, result.why)
            }
            Ending::Errored(text) => {
                (Verdict::Fail, Some(format!("the adapter declares what the case needs and could not play it: {text}")))
            }
            Ending::Malformed(text) => (Verdict::Fail, Some(format!("malformed reply: {text}"))),
            Ending::Crashed(text) => (Verdict::Crashed, Some(text)),
            Ending::TimedOut(text) => (Verdict::TimedOut, Some(text)),
            Ending::NotPlayed(text) => (Verdict::Undetermined, Some(format!("not played: {text}"))),
        };
        if places.is_empty() {
            self.run.hand_out(result, self.sink);
        } else {
            self.run.doubtful.push((result, places));
        }
        if self.run.is_over() {
            self.run.tally.stopped = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Answers the jobs that the candidate took and will not answer any more.
    pub(super) fn abandon(&mut self) {
        let mut left: Vec<(usize, Waiting)> = self.waiting.drain().collect();
        left.sort_by_key(|(number, _)| *number);
        for (_, waiting) in left {
            let why = Some("not played: the run ended before".to_owned());
            self.run.hand_out(result(waiting.trial, Verdict::Undetermined, why), self.sink);
        }
    }
}

fn result(trial: Trial, verdict: Verdict, why: Option<String>) -> CaseResult {
    let Trial { name, replay, about, profile, case, .. } = trial;
    CaseResult {
        name,
        replay,
        about,
        profile,
        case,
        verdict,
        why,
        misses: Vec::new(),
        held: 0,
        outcomes: Vec::new(),
        stderr: String::new(),
        is_known: false,
    }
}
