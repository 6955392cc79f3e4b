//! What came of a case, and of a rule.
//!
//! A pass needs at least one claim that was looked at. A negative claim ("this text is not there") that holds is worth something
//! only at a place where this run has seen something from this candidate: until then it is in doubt, and what hangs on it
//! is decided at the end of the run.

use crate::profile::Profile;
use hookproof_contract::{Case, Claim, Must, Name, Outcome, Place, Readings, RuleId, Spill, judge::Harm};
use serde::Serialize;
use serde_json::Value;
use std::{fmt, sync::Arc};

/// What came of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Everything that was looked at holds, and something was.
    Pass,
    /// A claim was broken, or the reply was no answer.
    Fail,
    /// The candidate ended while it played the case.
    Crashed,
    /// No answer came in time.
    TimedOut,
    /// The candidate cannot be exercised in the way that the case needs.
    NotTestable,
    /// The case is about something that the candidate does not set out to do.
    NotApplicable,
    /// It was played, or should have been, and nothing could be judged.
    Undetermined,
}

impl Verdict {
    /// All of them, in the order of reports.
    pub const ALL: [Verdict; 7] = [
        Verdict::Pass,
        Verdict::Fail,
        Verdict::Crashed,
        Verdict::TimedOut,
        Verdict::Undetermined,
        Verdict::NotTestable,
        Verdict::NotApplicable,
    ];

    /// The words that reports use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "passed",
            Verdict::Fail => "failed",
            Verdict::Crashed => "crashed",
            Verdict::TimedOut => "timed out",
            Verdict::NotTestable => "not testable",
            Verdict::NotApplicable => "not applicable",
            Verdict::Undetermined => "undetermined",
        }
    }

    /// Whether it makes the candidate non-conformant.
    #[must_use]
    pub const fn is_bad(self) -> bool {
        matches!(self, Verdict::Fail | Verdict::Crashed | Verdict::TimedOut)
    }

    /// Whether the case was left out.
    #[must_use]
    pub const fn is_skip(self) -> bool {
        matches!(self, Verdict::NotTestable | Verdict::NotApplicable)
    }
}

/// A case with what came of it.
#[derive(Clone, Debug)]
pub struct CaseResult {
    /// The case's name.
    pub name: String,
    /// What `hookproof replay` finds it by.
    pub replay: String,
    /// Its sentence.
    pub about: String,
    /// The smallest profile that has it.
    pub profile: Profile,
    /// The case as it was played.
    pub case: Arc<Case>,
    /// What came of it.
    pub verdict: Verdict,
    /// Why, where no claim says it.
    pub why: Option<String>,
    /// The claims that were broken: those about which handlers ran first, since others follow from them; then the worst.
    pub misses: Vec<BrokenClaim>,
    /// How many claims were looked at and hold.
    pub held: usize,
    /// What the candidate did, if it answered and it is not too large to be kept.
    pub outcomes: Vec<Outcome>,
    /// The end of its stderr.
    pub stderr: String,
    /// Whether it fails just as the list of known failures has it.
    pub is_known: bool,
}

/// A claim that was broken, with what was found in its place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BrokenClaim {
    /// The rule.
    pub rule: RuleId,
    /// The rules that it follows from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<RuleId>,
    /// The candidate's own readings without which it would not be demanded.
    #[serde(skip_serializing_if = "Readings::is_empty")]
    pub declared: Readings,
    /// What it means.
    pub harm: Harm,
    /// The first step in which it was broken.
    pub step: usize,
    /// Where it looked.
    pub place: Place,
    /// The handler meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<Name>,
    /// The pointer into the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What must be there, in words.
    pub wanted: String,
    /// What is there, in words.
    pub found: String,
    /// Where two JSON values differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub difference: Vec<String>,
}

/// What makes two failures the same failure: a case is shrunk under it, and reported once under it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature {
    /// The rule, or what happened instead of an answer.
    pub what: String,
    /// The place, if a claim was broken.
    pub place: String,
    /// The kind of miss.
    pub kind: &'static str,
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.as_str() {
            "" => f.write_str(&self.what),
            place => write!(f, "{} {place} {}", self.what, self.kind),
        }
    }
}

impl CaseResult {
    /// The worst that its broken claims mean.
    #[must_use]
    pub fn harm(&self) -> Option<Harm> {
        self.misses.iter().map(|miss| miss.harm).min()
    }

    /// What a report calls it: the harm, or the verdict where no claim was broken.
    #[must_use]
    pub fn headline(&self) -> &'static str {
        self.harm().map_or(self.verdict.name(), Harm::name)
    }

    /// The ways in which it failed, in the order of its broken claims; empty if it did not. Where the wrong handlers ran, what else was
    /// missed in that step is no way of its own.
    #[must_use]
    pub fn signatures(&self) -> Vec<Signature> {
        if !self.verdict.is_bad() {
            return Vec::new();
        }
        if self.misses.is_empty() {
            let what = self.verdict.name().replace(' ', "-");
            return vec![Signature { what, place: String::new(), kind: "no-answer" }];
        }
        let is_wrong = |step: usize| self.misses.iter().any(|miss| miss.place == Place::Ran && miss.step == step);
        let own = self.misses.iter().filter(|miss| miss.place == Place::Ran || !is_wrong(miss.step));
        own.map(BrokenClaim::signature).collect()
    }
}

impl BrokenClaim {
    fn signature(&self) -> Signature {
        let kind = match self.harm {
            Harm::FailsOpen => "fails-open",
            Harm::FailsClosed => "fails-closed",
            Harm::Leak => "leak",
            Harm::Lost => "lost",
            Harm::Cosmetic => "cosmetic",
        };
        Signature { what: self.rule.to_string(), place: self.place.to_string(), kind }
    }
}

/// Whether a claim demands that nothing is there, so that it holds for a candidate that reports nothing at all.
#[must_use]
pub fn is_doubtful(claim: &Claim) -> bool {
    claim.is_negative() || matches!(&claim.must, Must::RunExactly(names) if names.is_empty())
}

/// About how many bytes an outcome takes.
#[must_use]
pub fn weight(outcome: &Outcome) -> usize {
    let spilled = |spill: &Spill| match spill {
        Spill::Path(path) => path.len(),
        Spill::Content(text) => text.len(),
    };
    let given = outcome.ran.iter().map(|ran| ran.handler.len() + ran.given.values().map(value_weight).sum::<usize>());
    let said = outcome.said.iter().map(|said| said.text.len() + said.spill.as_ref().map_or(0, spilled));
    given.chain(said).map(|bytes| bytes + OVERHEAD).sum::<usize>()
        + outcome.set.values().map(value_weight).sum::<usize>()
}

/// What any part of an outcome takes beside its content.
const OVERHEAD: usize = 64;

fn value_weight(value: &Value) -> usize {
    OVERHEAD
        + match value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(value_weight).sum(),
            Value::Object(map) => map.iter().map(|(key, item)| key.len() + value_weight(item)).sum(),
            _ => 0,
        }
}

/// The places at which an outcome reports something.
pub fn reported(outcome: &Outcome, mut at: impl FnMut(Place)) {
    if !outcome.ran.is_empty() {
        at(Place::Ran);
    }
    for ran in &outcome.ran {
        for field in hookproof_contract::Field::ALL.iter().filter(|f| ran.given.contains_key(f.name())) {
            at(Place::Given(*field));
        }
    }
    if outcome.fate.is_some() {
        at(Place::Fate);
    }
    if outcome.agent.is_some() {
        at(Place::Agent);
    }
    for said in &outcome.said {
        at(Place::Said(said.to));
    }
    for slot in outcome.set.keys() {
        at(Place::Set(*slot));
    }
}

#[cfg(test)]
mod tests {
    use super::{BrokenClaim, CaseResult, Verdict, is_doubtful, reported, weight};
    use crate::profile::Profile;
    use hookproof_contract::{Case, Claim, Outcome, Place, Readings, judge::Harm, rule};
    use serde_json::{Value, json};
    use std::sync::Arc;

    fn broken(harm: Harm) -> BrokenClaim {
        BrokenClaim {
            rule: rule!("EXIT-2-01"),
            because: Vec::new(),
            declared: Readings::default(),
            harm,
            step: 0,
            place: Place::Fate,
            of: None,
            path: None,
            wanted: String::new(),
            found: String::new(),
            difference: Vec::new(),
        }
    }

    fn result(verdict: Verdict, harms: &[Harm]) -> CaseResult {
        let case: Case = serde_json::from_value(json!({"settings": [], "steps": []})).expect("a case");
        CaseResult {
            name: String::new(),
            replay: String::new(),
            about: String::new(),
            profile: Profile::Core,
            case: Arc::new(case),
            verdict,
            why: None,
            misses: harms.iter().copied().map(broken).collect(),
            held: 0,
            outcomes: Vec::new(),
            stderr: String::new(),
            is_known: false,
        }
    }

    #[test]
    fn a_failure_is_called_by_the_worst_that_it_means_and_else_by_its_verdict() {
        let failed = result(Verdict::Fail, &[Harm::Lost, Harm::FailsOpen, Harm::Leak]);
        assert_eq!((failed.harm(), failed.headline()), (Some(Harm::FailsOpen), "fails open"));
        let crashed = result(Verdict::Crashed, &[]);
        assert_eq!((crashed.harm(), crashed.headline()), (None, "crashed"));
    }

    #[test]
    fn where_the_wrong_handlers_ran_what_else_was_missed_in_that_step_is_no_way_of_its_own() {
        let ways = |at: &[(usize, Place)]| -> Vec<String> {
            let mut failed = result(Verdict::Fail, &[]);
            failed.misses = at
                .iter()
                .map(|(step, place)| BrokenClaim { step: *step, place: *place, ..broken(Harm::Lost) })
                .collect();
            failed.signatures().iter().map(ToString::to_string).collect()
        };
        let (ran, fate) = ("EXIT-2-01 ran lost", "EXIT-2-01 fate lost");
        assert_eq!(ways(&[(1, Place::Ran), (1, Place::Fate)]), [ran]);
        assert_eq!(ways(&[(1, Place::Ran), (2, Place::Fate)]), [ran, fate]);
        assert_eq!(ways(&[(1, Place::Fate), (1, Place::Agent)]), [fate, "EXIT-2-01 agent lost"]);
    }

    #[test]
    fn what_was_left_out_is_neither_bad_nor_played() {
        let of = |which: fn(Verdict) -> bool| Verdict::ALL.into_iter().filter(|v| which(*v)).collect::<Vec<_>>();
        assert_eq!(of(Verdict::is_skip), [Verdict::NotTestable, Verdict::NotApplicable]);
        assert_eq!(of(Verdict::is_bad), [Verdict::Fail, Verdict::Crashed, Verdict::TimedOut]);
    }

    #[test]
    fn what_holds_for_a_silent_candidate_is_doubtful() {
        let claim = |at, must| -> Claim {
            serde_json::from_value(json!({"at": at, "must": must, "rule": "EXIT-2-01"})).expect("a claim")
        };
        assert!(is_doubtful(&claim("said/model", json!({"not_say": {"parts": ["X-1"]}}))));
        assert!(is_doubtful(&claim("set/tool_input", json!("absent"))));
        assert!(is_doubtful(&claim("ran", json!({"run_exactly": []}))));
        assert!(!is_doubtful(&claim("ran", json!({"run_exactly": ["a"]}))));
        assert!(!is_doubtful(&claim("fate", json!({"be": "proceeds"}))));
    }

    #[test]
    fn what_an_outcome_weighs_is_what_it_holds_and_64_bytes_for_each_part() {
        let weighs = |outcome: Value| weight(&serde_json::from_value(outcome).expect("an outcome"));
        assert_eq!(weighs(json!({"fate": "asked"})), 0);
        assert_eq!(weighs(json!({"ran": [{"handler": "abc", "given": {"timeout": 600}}]})), (64 + 3) + 64);
        assert_eq!(
            weighs(json!({"said": [{"to": "user", "text": "12345"}, {"to": "user", "text": "6"}]})),
            64 + 5 + 64 + 1
        );
        let spilled = |spill: Value| weighs(json!({"said": [{"to": "model", "text": "12", "spill": spill}]}));
        assert_eq!(spilled(json!({"path": "/p/q"})), 64 + 2 + 4);
        assert_eq!(spilled(json!({"content": "1234567"})), 64 + 2 + 7);
        assert_eq!(weighs(json!({"set": {"tool_input": {"key": ["ab", 5]}}})), 64 + (3 + 64 + (64 + 2) + 64));
    }

    #[test]
    fn every_place_that_holds_something_is_reported() {
        let outcome: Outcome = serde_json::from_value(json!({
            "ran": [{"handler": "a", "given": {"input": {}, "timeout": 600}}], "fate": "asked", "agent": "stops",
            "said": [{"to": "user", "text": "x"}], "set": {"tool_input": {}}
        }))
        .expect("an outcome");
        let mut places = Vec::new();
        reported(&outcome, |place| places.push(place.to_string()));
        assert_eq!(places, ["ran", "given/input", "given/timeout", "fate", "agent", "said/user", "set/tool_input"]);
    }
}
