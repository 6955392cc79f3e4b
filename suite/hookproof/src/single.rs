//! One case at a time against one candidate, which is started again when it is beyond use: for shrinking, and for commands about
//! one case.

use crate::{
    candidate::Candidate,
    exit::{Exit, Failure},
    interrupt,
    run::{Options, Run, Tally, Trial},
    verdict::{CaseResult, Signature},
};
use hookproof_contract::Case;
use std::sync::Arc;

/// How a candidate is started.
pub type Opener<'a> = dyn Fn() -> Result<Box<dyn Candidate>, Failure> + 'a;

/// A candidate that plays one case at a time.
pub struct Single<'a> {
    open: &'a Opener<'a>,
    candidate: Box<dyn Candidate>,
    options: Options,
}

impl<'a> Single<'a> {
    /// Starts the candidate.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn start(open: &'a Opener<'a>, options: Options) -> Result<Single<'a>, Failure> {
        Ok(Single { open, candidate: open()?, options })
    }

    /// The candidate.
    pub fn candidate(&mut self) -> &mut dyn Candidate {
        self.candidate.as_mut()
    }

    /// Plays a case.
    ///
    /// # Errors
    ///
    /// When the candidate is beyond use and cannot be started again.
    pub fn play(&mut self, trial: Trial) -> Result<(CaseResult, Tally), Failure> {
        if interrupt::caught().is_some() {
            return Err(Failure::interrupted());
        }
        let mut run = Run::new(self.candidate.hello().clone(), self.options.clone());
        let mut results = Vec::new();
        run.play(self.candidate.as_mut(), &mut std::iter::once(Ok(trial)), &mut |result| results.push(result))?;
        let tally = run.finish(&mut |result| results.push(result));
        if let Some(trouble) = &tally.trouble {
            let failure = Failure::from(trouble.clone());
            self.candidate = (self.open)()?;
            return results.pop().map(|result| (result, tally)).ok_or(failure);
        }
        let lost = || match interrupt::caught() {
            Some(_) => Failure::interrupted(),
            None => Failure { exit: Exit::Internal, message: "a case was taken and never answered".to_owned() },
        };
        results.pop().map(|result| (result, tally)).ok_or_else(lost)
    }

    /// Plays a case in a fresh process, where no other case was played before.
    ///
    /// # Errors
    ///
    /// As [`Single::play`].
    pub fn play_alone(&mut self, trial: Trial) -> Result<(CaseResult, Tally), Failure> {
        self.candidate = (self.open)()?;
        self.play(trial)
    }

    /// Makes a case as small as it can be while it still fails in the same way.
    ///
    /// # Errors
    ///
    /// When the candidate is beyond use. A signal is no error: what is as small as can be by then is handed back.
    pub fn shrink(&mut self, case: &Case, signature: &Signature) -> Result<Case, Failure> {
        let mut failure = None;
        let small = hookproof_generate::shrink(case, &mut |candidate_case| {
            if failure.is_some() {
                return false;
            }
            match self.play(Trial::bare("smaller", Arc::new(candidate_case.clone()))) {
                Ok((result, _)) => result.signatures().contains(signature),
                Err(error) => {
                    failure = Some(error);
                    false
                }
            }
        });
        match failure {
            Some(failure) if interrupt::caught().is_none() => Err(failure),
            _ => Ok(small),
        }
    }
}
