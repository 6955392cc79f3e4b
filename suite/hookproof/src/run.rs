//! The engine: trials → expectation → candidate → judge → verdict. Results stream out as they come.

mod flight;

use crate::{
    candidate::{Answer, Candidate, Trouble},
    exit::Failure,
    interrupt,
    playable::{SkipReason, playable},
    posture::Observed,
    profile::Profile,
    verdict::{BrokenClaim, CaseResult, Verdict, is_doubtful, reported, weight},
    words,
};
use flight::Flight;
use hookproof_contract::{
    Case, Claim, Expectation, Outcome, Place, Readings, RuleId,
    judge::{self, Harm, Judgement},
    message::{Depth, Hello},
};
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// A case to be tried.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Its name.
    pub name: String,
    /// What `hookproof replay` finds it by.
    pub replay: String,
    /// Its sentence.
    pub about: String,
    /// The rules that it is about; empty: unknown.
    pub rules: Vec<RuleId>,
    /// The smallest profile that has it.
    pub profile: Profile,
    /// The case.
    pub case: Arc<Case>,
}

impl Trial {
    /// A case of no corpus.
    #[must_use]
    pub fn bare(name: impl Into<String>, case: Arc<Case>) -> Trial {
        let name = name.into();
        let replay = name.clone();
        Trial { name, replay, about: String::new(), rules: Vec::new(), profile: Profile::Full, case }
    }
}

/// How to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// At which depth.
    pub depth: Depth,
    /// Rename canaries and handlers by this seed.
    pub fresh: Option<u64>,
    /// Stop after so many failures.
    pub max_fail: Option<usize>,
    /// How large outcomes may be, in bytes, that stay with the result of a case. All are judged; but an adapter could fill the
    /// memory with what nobody will look at.
    pub kept: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { depth: Depth::Resolve, fresh: None, max_fail: None, kept: 256 << 10 }
    }
}

/// A rule's part in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleTally {
    /// Claims of this rule that hold, and count.
    pub held: u32,
    /// Claims of this rule that were broken.
    pub broken: u32,
    /// In how many cases.
    pub cases: u32,
    /// The worst that it meant.
    pub harm: Option<Harm>,
    /// Whether it was ever broken in a step in which the right handlers ran. If not, it may be kept well enough.
    pub on_its_own: bool,
}

/// What a run has found so far.
#[derive(Debug)]
pub struct Tally {
    /// Who was tried.
    pub hello: Hello,
    /// How many cases came to each verdict.
    pub verdicts: BTreeMap<Verdict, usize>,
    /// The same, by the smallest profile that has the case.
    pub profiles: BTreeMap<(Profile, Verdict), usize>,
    /// How many cases there would have been without filters, by the smallest profile that has them; empty: nobody counted them.
    pub corpus: BTreeMap<Profile, usize>,
    /// Why cases were left out.
    pub skips: BTreeMap<SkipReason, usize>,
    /// One entry a rule, by [`RuleId::index`].
    pub rules: Vec<RuleTally>,
    /// The candidate's readings.
    pub observed: Observed,
    /// The places at which it has reported something.
    pub seen: BTreeSet<Place>,
    /// The places at which something was missed.
    pub missed: BTreeSet<Place>,
    /// How many claims were looked at.
    pub claims: u64,
    /// Whether the run ended before all cases were played.
    pub stopped: bool,
    /// What was noticed beside the answers.
    pub notes: Vec<String>,
    /// Why the candidate is beyond use, if it is.
    pub trouble: Option<Trouble>,
}

impl Tally {
    /// How many cases came to a verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.verdicts.get(&verdict).copied().unwrap_or(0)
    }

    /// How many cases failed, in whatever way.
    #[must_use]
    pub fn bad(&self) -> usize {
        self.verdicts.iter().filter(|(v, _)| v.is_bad()).map(|(_, n)| n).sum()
    }

    /// How many cases there were.
    #[must_use]
    pub fn total(&self) -> usize {
        self.verdicts.values().sum()
    }

    /// How many cases were played.
    #[must_use]
    pub fn played(&self) -> usize {
        self.verdicts.iter().filter(|(v, _)| !v.is_skip()).map(|(_, n)| n).sum()
    }
}

/// A run: it may play several lots of trials, and is then finished.
pub struct Run {
    options: Options,
    tally: Tally,
    next: usize,
    /// Cases that hold nothing but doubtful claims, with the places that would settle them.
    doubtful: Vec<(CaseResult, BTreeSet<Place>)>,
    /// Negative claims that hold, by rule and place, with how often.
    doubts: BTreeMap<(RuleId, Place), u32>,
}

/// What is being played.
struct Waiting {
    trial: Trial,
    expectation: Expectation,
}

impl Run {
    /// A run against a candidate.
    #[must_use]
    pub fn new(hello: Hello, options: Options) -> Run {
        let tally = Tally {
            hello,
            verdicts: BTreeMap::new(),
            profiles: BTreeMap::new(),
            corpus: BTreeMap::new(),
            skips: BTreeMap::new(),
            rules: vec![RuleTally::default(); RuleId::COUNT],
            observed: Observed::default(),
            seen: BTreeSet::new(),
            missed: BTreeSet::new(),
            claims: 0,
            stopped: false,
            notes: Vec::new(),
            trouble: None,
        };
        Run { options, tally, next: 0, doubtful: Vec::new(), doubts: BTreeMap::new() }
    }

    /// What has been found so far; doubts are settled by [`Run::finish`].
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Plays trials; each result goes to `sink` as soon as it is certain.
    ///
    /// # Errors
    ///
    /// When a trial could not be made. That the candidate is beyond use is no error here: it stands in the tally.
    pub fn play(
        &mut self,
        candidate: &mut dyn Candidate,
        trials: &mut dyn Iterator<Item = Result<Trial, Failure>>,
        sink: &mut dyn FnMut(CaseResult),
    ) -> Result<(), Failure> {
        let flight = RefCell::new(Flight::new(self, sink));
        let mut jobs = std::iter::from_fn(|| flight.borrow_mut().next(trials));
        let mut done = |answer: Answer| flight.borrow_mut().done(answer);
        let played = candidate.play(&mut jobs, &mut done);
        let mut flight = flight.into_inner();
        flight.abandon();
        let failure = flight.failure.take();
        // A candidate that was started anew begins its notes anew.
        let new: Vec<_> = candidate.notes().iter().filter(|note| !self.tally.notes.contains(note)).cloned().collect();
        self.tally.notes.extend(new);
        self.tally.stopped |= interrupt::caught().is_some();
        if let Err(trouble) = played {
            self.tally.trouble = Some(trouble);
        }
        failure.map_or(Ok(()), Err)
    }

    /// Settles what was in doubt.
    #[must_use]
    pub fn finish(mut self, sink: &mut dyn FnMut(CaseResult)) -> Tally {
        for ((rule, place), count) in std::mem::take(&mut self.doubts) {
            if self.tally.seen.contains(&place) {
                self.tally.rules[rule.index()].held += count;
            }
        }
        for (mut result, places) in std::mem::take(&mut self.doubtful) {
            if places.is_disjoint(&self.tally.seen) {
                let names: Vec<String> = places.iter().map(Place::to_string).collect();
                result.verdict = Verdict::Undetermined;
                result.why = Some(format!(
                    "nothing was ever reported at {}, so that nothing there proves nothing",
                    names.join(", ")
                ));
            }
            self.hand_out(result, sink);
        }
        self.tally
    }

    fn hand_out(&mut self, result: CaseResult, sink: &mut dyn FnMut(CaseResult)) {
        *self.tally.verdicts.entry(result.verdict).or_default() += 1;
        *self.tally.profiles.entry((result.profile, result.verdict)).or_default() += 1;
        sink(result);
    }

    fn is_over(&self) -> bool {
        self.options.max_fail.is_some_and(|max| self.tally.bad() >= max)
    }

    /// What the contract demands of a trial, or why it is not played.
    fn prepare(&self, trial: &mut Trial) -> Result<Expectation, SkipReason> {
        let hello = &self.tally.hello;
        if !trial.rules.is_empty() && !trial.rules.iter().any(|rule| rule.holds_at(hello.revision)) {
            return Err(SkipReason::OtherRevision);
        }
        playable(&trial.case, self.options.depth, hello)?;
        if let Some(seed) = self.options.fresh {
            trial.case = Arc::new(hookproof_generate::fresh(&trial.case, seed));
        }
        hookproof_model::expect(hello.revision, &hello.postures, &trial.case)
            .map_err(|unsupported| SkipReason::OutsideModel(unsupported.to_string()))
    }

    /// Judges what was played.
    fn judged(&mut self, waiting: &Waiting, outcomes: Vec<Outcome>, result: &mut CaseResult) -> BTreeSet<Place> {
        let expectation = &waiting.expectation;
        let judgement = judge::judge(&waiting.trial.case, expectation, &outcomes, &self.tally.hello.observes);
        let mut places = BTreeSet::new();
        if let Some(count) = judgement.wrong_count {
            let wanted = waiting.trial.case.moments_count();
            result.verdict = Verdict::Fail;
            result.why = Some(format!("one outcome a step is wanted, {wanted} in all; there are {count}"));
            return places;
        }
        for outcome in &outcomes {
            reported(outcome, |place| {
                self.tally.seen.insert(place);
            });
        }
        self.tally.observed.see(&waiting.trial.name, &expectation.worlds, &judgement);
        self.count(expectation, &judgement, &mut places);
        result.held = judgement.held.len();
        if !judgement.misses.is_empty() {
            let declared = self.declared(&waiting.trial.case);
            result.misses = misses(&waiting.trial.case, expectation, &judgement, &outcomes, &declared);
        }
        let size: usize = outcomes.iter().map(weight).sum();
        if size <= self.options.kept {
            result.outcomes = outcomes;
        } else {
            result.why = Some(format!("its outcomes, about {size} bytes, were judged and are too large to be kept"));
        }
        result.verdict = match (result.misses.is_empty(), result.held) {
            (false, _) => Verdict::Fail,
            (true, 0) => Verdict::Undetermined,
            (true, _) => Verdict::Pass,
        };
        if result.verdict == Verdict::Undetermined {
            result.why = Some(if expectation.claims.is_empty() {
                "the contract demands nothing here that holds under every reading".to_owned()
            } else {
                "no claim looks at a place that the candidate observes".to_owned()
            });
        }
        places
    }

    /// The candidate's own readings without which a claim on a step would not be made.
    fn declared(&self, case: &Case) -> impl Fn(&Claim, usize) -> Readings + use<> {
        let Hello { revision, postures, .. } = &self.tally.hello;
        let free = (!postures.is_empty())
            .then(|| hookproof_model::expect(*revision, &Readings::default(), case).ok())
            .flatten();
        let asked = free.iter().flat_map(|free| &free.worlds).flat_map(|world| world.readings.iter());
        let declared: Readings = asked.filter_map(|reading| postures.get(reading.point)).collect();
        move |claim, step| match &free {
            Some(free) if !free.claims.iter().any(|c| c.covers(step) && judge::implies(c, claim)) => declared.clone(),
            _ => Readings::default(),
        }
    }

    /// Counts claims by rule. Leaves the doubtful places in `places` if every claim that holds is doubtful.
    fn count(&mut self, expectation: &Expectation, judgement: &Judgement, places: &mut BTreeSet<Place>) {
        let mut certain = false;
        self.tally.claims += (judgement.held.len() + judgement.misses.len()) as u64;
        for claim in judgement.held.iter().map(|i| &expectation.claims[*i]) {
            if is_doubtful(claim) && !self.tally.seen.contains(&claim.at) {
                *self.doubts.entry((claim.rule, claim.at)).or_default() += 1;
                places.insert(claim.at);
            } else {
                self.tally.rules[claim.rule.index()].held += 1;
                certain = true;
            }
        }
        let at = |miss: &judge::Miss| expectation.claims[miss.claim].at;
        let wrong_handlers: BTreeSet<usize> =
            judgement.misses.iter().filter(|miss| at(miss) == Place::Ran).map(|miss| miss.step).collect();
        let mut broken = BTreeSet::new();
        for miss in &judgement.misses {
            let claim = &expectation.claims[miss.claim];
            let rule = &mut self.tally.rules[claim.rule.index()];
            rule.broken += 1;
            rule.cases += u32::from(broken.insert(claim.rule));
            rule.harm = Some(rule.harm.map_or(miss.harm, |worst| worst.min(miss.harm)));
            rule.on_its_own |= claim.at == Place::Ran || !wrong_handlers.contains(&miss.step);
            self.tally.missed.insert(claim.at);
            certain = true;
        }
        if certain {
            places.clear();
        }
    }
}

/// The broken claims: those about which handlers ran first, since others follow from them; then the worst.
fn misses(
    case: &Case,
    expectation: &Expectation,
    judgement: &Judgement,
    outcomes: &[Outcome],
    declared: &dyn Fn(&Claim, usize) -> Readings,
) -> Vec<BrokenClaim> {
    let mut all: Vec<BrokenClaim> = judgement
        .misses
        .iter()
        .map(|miss| {
            let claim = &expectation.claims[miss.claim];
            BrokenClaim {
                rule: claim.rule,
                because: claim.because.iter().copied().filter(|rule| *rule != claim.rule).collect(),
                declared: declared(claim, miss.step),
                harm: miss.harm,
                step: miss.step,
                place: claim.at,
                of: claim.of.clone(),
                path: claim.path.as_ref().map(|p| p.to_string()),
                wanted: words::demand(&claim.must),
                found: words::found(claim, case, outcomes, miss.step),
                difference: words::difference(claim, &outcomes[miss.step]),
            }
        })
        .collect();
    all.sort_by_key(|miss| (miss.place != Place::Ran, miss.harm, miss.rule, miss.step));
    all
}

#[cfg(test)]
mod tests;
