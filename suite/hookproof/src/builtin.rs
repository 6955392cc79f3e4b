//! Candidates that live in this process: the reference, its faults and its posture variants.

use crate::{
    candidate::{Answer, Candidate, Ending, Job, Trouble},
    exit::Failure,
};
use hookproof_contract::{Readings, Revision, message::Hello};
use hookproof_reference::{FAULTS, Runtime, hello, variants};
use std::ops::ControlFlow;

/// A version of the reference runtime.
pub struct Builtin {
    hello: Hello,
    runtime: Runtime,
}

impl Builtin {
    /// The candidate of that name: `reference`, `fault:NAME` or `posture:NAME`, following a revision of the contract.
    ///
    /// # Errors
    ///
    /// Says which names there are.
    pub fn named(name: &str, revision: Revision) -> Result<Builtin, Failure> {
        let runtime = match name.split_once(':') {
            None if name == "reference" => Runtime::new(),
            Some(("fault", fault)) => {
                let found = FAULTS.iter().find(|f| f.name == fault);
                Runtime::with_fault(
                    found.ok_or_else(|| unknown("fault", fault, FAULTS.iter().map(|f| f.name.to_owned()).collect()))?,
                )
            }
            Some(("posture", posture)) => Runtime::with_readings(readings(posture)?),
            _ => {
                return Err(Failure::usage(format_args!(
                    "unknown candidate `{name}`; allowed are reference, fault:NAME, posture:NAME"
                )));
            }
        };
        let mut hello = hello();
        hello.revision = revision;
        if name != "reference" {
            hello.candidate.name = format!("reference, {}", name.replacen(':', " ", 1));
        }
        Ok(Builtin { hello, runtime: runtime.at(revision) })
    }
}

fn readings(name: &str) -> Result<Readings, Failure> {
    let all = variants();
    match all.iter().find(|(variant, _)| variant == name) {
        Some((_, readings)) => Ok(readings.clone()),
        None => Err(unknown("posture", name, all.into_iter().map(|(name, _)| name).collect())),
    }
}

fn unknown(what: &str, name: &str, mut allowed: Vec<String>) -> Failure {
    allowed.sort();
    Failure::usage(format_args!("unknown {what} `{name}`; there are:\n  {}", allowed.join("\n  ")))
}

impl Candidate for Builtin {
    fn hello(&self) -> &Hello {
        &self.hello
    }

    fn play(
        &mut self,
        jobs: &mut dyn Iterator<Item = Job>,
        done: &mut dyn FnMut(Answer) -> ControlFlow<()>,
    ) -> Result<(), Trouble> {
        for Job { number, case } in jobs {
            let end = Ending::Played(self.runtime.play(&case));
            if done(Answer { number, end, stderr: String::new() }).is_break() {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Builtin;
    use crate::{candidate::Candidate, exit::Exit};
    use hookproof_contract::Revision;

    #[test]
    fn candidates_are_found_by_name() {
        let (fault, posture) = (hookproof_reference::FAULTS[0].name, &hookproof_reference::variants()[0].0);
        for (name, shown) in [
            ("reference".to_owned(), "reference".to_owned()),
            (format!("fault:{fault}"), format!("reference, fault {fault}")),
            (format!("posture:{posture}"), format!("reference, posture {posture}")),
        ] {
            let candidate = Builtin::named(&name, Revision::NEWEST).expect("there is one");
            assert_eq!(candidate.hello().candidate.name, shown);
        }
        for name in ["referenz", "fault:x", "posture:x", "x:y"] {
            let failure = Builtin::named(name, Revision::NEWEST).err().expect("there is none");
            assert_eq!(failure.exit, Exit::Usage);
            assert!(failure.message.starts_with("unknown "), "{failure}");
        }
    }
}
