//! Fuzzing: generated cases, judged, and compared with changed copies of themselves.
//!
//! Cases come in lots. Of several that are drawn, the one is played whose rules have been touched least. A failure of a new kind
//! is written to disk at once as a value, and made small when its lot is over. A copy that a metamorphic relation made of a case is
//! played and judged like any other, and then compared with the original.

use crate::{
    alone::PASSES_ALONE,
    exit::Failure,
    interrupt,
    playable::playable,
    report::brief,
    run::{Options, Run, Tally, Trial},
    single::Single,
    verdict::{CaseResult, Signature, Verdict},
};
use hookproof_contract::{Case, Place, RuleId, message::Hello};
use hookproof_generate::relations::{self, Plays, Relation};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

/// How many cases are played in one go.
const LOT: u64 = 256;
/// How many cases are drawn for one that is played.
const DRAWS: u64 = 3;

/// How far to go.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The first seed.
    pub seed: u64,
    /// How many cases at most.
    pub cases: Option<u64>,
    /// How long at most.
    pub time: Option<Duration>,
    /// After how many kinds of failure to stop.
    pub max_fail: usize,
    /// Where failing cases are written.
    pub out: PathBuf,
}

/// A failure of a kind that was not seen before.
#[derive(Debug)]
pub struct Finding {
    /// The failing case, as small as it could be made.
    pub result: CaseResult,
    /// Where it was written.
    pub file: PathBuf,
    /// The relation that does not hold, and its seed.
    pub relation: Option<(&'static str, u64)>,
}

/// What a session of fuzzing found.
#[derive(Debug)]
pub struct Summary {
    /// The counts, changed copies included.
    pub tally: Tally,
    /// How many cases were generated and played, changed copies not counted.
    pub cases: u64,
    /// How often each relation was checked.
    pub relations: BTreeMap<&'static str, u64>,
    /// How many findings there were.
    pub findings: usize,
    /// Whether there were so many that the session ended.
    pub is_full: bool,
    /// Why the session ended before its time: a finding could not be written, or the candidate could not be started again. All
    /// findings were handed out all the same.
    pub failure: Option<Failure>,
}

/// A session.
pub struct Session<'a, 'b> {
    single: &'a mut Single<'b>,
    plan: Plan,
    hello: Hello,
    touched: Vec<u32>,
    known: BTreeSet<Signature>,
    next_seed: u64,
    /// When no more cases are begun.
    end: Option<Instant>,
    cases: u64,
    relations: BTreeMap<&'static str, u64>,
    failure: Option<Failure>,
}

impl<'a, 'b> Session<'a, 'b> {
    /// A session against a candidate.
    #[must_use]
    pub fn new(single: &'a mut Single<'b>, plan: Plan) -> Self {
        let hello = single.candidate().hello().clone();
        let next_seed = plan.seed;
        let relations = relations::ALL.iter().map(|r| (r.name, 0)).collect();
        let touched = vec![0; RuleId::COUNT];
        Session {
            single,
            plan,
            hello,
            touched,
            known: BTreeSet::new(),
            next_seed,
            end: None,
            cases: 0,
            relations,
            failure: None,
        }
    }

    /// Goes as far as the plan says. `found` gets each finding; `at` hears of each lot.
    ///
    /// # Errors
    ///
    /// When there is no place for findings, or `found` fails. What ends a session that has begun stands in the summary.
    pub fn go(
        mut self,
        found: &mut dyn FnMut(Finding) -> Result<(), Failure>,
        at: &mut dyn FnMut(u64, usize),
    ) -> Result<Summary, Failure> {
        has_room(&self.plan.out)?;
        // A time so long that no clock shows its end has none.
        self.end = self.plan.time.and_then(|time| Instant::now().checked_add(time));
        let mut run = Run::new(self.hello.clone(), Options::default());
        let mut findings = 0;
        while !is_late(self.end) && !self.is_over(&run) {
            let lot = self.plan.cases.map_or(LOT, |max| LOT.min(max - self.cases));
            if lot == 0 || findings >= self.plan.max_fail {
                break;
            }
            let new = self.lot(&mut run, lot);
            findings += new.len();
            new.into_iter().try_for_each(&mut *found)?;
            at(self.cases, findings);
        }
        let tally = run.finish(&mut drop);
        let is_full = findings >= self.plan.max_fail;
        let Session { cases, relations, failure, .. } = self;
        Ok(Summary { tally, cases, relations, findings, is_full, failure })
    }

    fn is_over(&self, run: &Run) -> bool {
        self.failure.is_some() || run.tally().trouble.is_some() || interrupt::caught().is_some()
    }

    /// The value, unless something failed. The first failure is kept.
    fn unless_failed<T>(&mut self, result: Result<T, Failure>) -> Option<T> {
        result.map_err(|failure| self.failure.get_or_insert(failure)).ok()
    }

    /// Plays some cases and then changed copies of those that passed.
    fn lot(&mut self, run: &mut Run, count: u64) -> Vec<Finding> {
        let end = self.end;
        let trials: Vec<Trial> = (0..count).take_while(|_| !is_late(end)).map(|_| self.draw()).collect();
        let mut failures = Vec::new();
        let (originals, begun) = self.play(run, trials, &mut failures);
        self.cases += begun;
        let mut pairs = BTreeMap::new();
        let mut copies = Vec::new();
        for (i, original) in originals.into_iter().enumerate() {
            let seed = self.next_seed.wrapping_add(i as u64);
            let relation =
                &relations::ALL[(i + usize::try_from(self.next_seed % 97).unwrap_or(0)) % relations::ALL.len()];
            let Some(copy) = (relation.change)(&original.case, seed) else { continue };
            if playable(&copy, Options::default().depth, &self.hello).is_err() {
                continue;
            }
            let name = format!("{} {}", original.name, relation.name);
            copies.push(Trial::bare(name.clone(), Arc::new(copy)));
            pairs.insert(name, (original, relation, seed));
        }
        let mut broken = Vec::new();
        for copy in self.play(run, copies, &mut failures).0 {
            let Some((original, relation, seed)) = pairs.remove(&copy.name) else { continue };
            if !(is_kept(&original) && is_kept(&copy)) {
                continue;
            }
            *self.relations.entry(relation.name).or_default() += 1;
            if let Err(why) = compared(relation, &original, &copy, &self.hello.observes) {
                broken.push((original, relation, seed, why));
            }
        }
        let mut findings = Vec::new();
        for (result, file, signature) in failures {
            findings.push(self.smaller(result, file, &signature));
        }
        for (original, relation, seed, why) in broken {
            findings.extend(self.related(original, relation, seed, why));
        }
        findings
    }

    /// Plays trials as long as there is time. Hands back those that passed, and how many were begun; failures of a new kind are
    /// written at once.
    fn play(
        &mut self,
        run: &mut Run,
        trials: Vec<Trial>,
        failures: &mut Vec<(CaseResult, PathBuf, Signature)>,
    ) -> (Vec<CaseResult>, u64) {
        let mut begun = 0;
        let end = self.end;
        let mut trials = trials.into_iter().take_while(|_| !is_late(end)).inspect(|_| begun += 1).map(Ok);
        let mut passed = Vec::new();
        let mut unwritten = Ok(());
        let (known, out, most) = (&mut self.known, &self.plan.out, self.plan.max_fail);
        let played = run.play(self.single.candidate(), &mut trials, &mut |result| {
            if result.verdict == Verdict::Pass {
                passed.push(result);
            } else if known.len() < most
                && let Some(signature) = result.signatures().into_iter().find(|s| !known.contains(s))
            {
                known.insert(signature.clone());
                let file = out.join(file_name(&signature));
                if unwritten.is_ok() {
                    unwritten = write(&file, &result.case);
                }
                failures.push((result, file, signature));
            }
        });
        self.unless_failed(unwritten.and(played));
        (passed, begun)
    }

    /// A case that can be played, of rules that have been touched little.
    fn draw(&mut self) -> Trial {
        let mut best: Option<(u64, Trial, Vec<RuleId>)> = None;
        for _ in 0..DRAWS {
            let seed = self.next_seed;
            self.next_seed = self.next_seed.wrapping_add(1);
            let trial = trial(seed);
            let case = &trial.case;
            let rules = if playable(case, Options::default().depth, &self.hello).is_ok() {
                hookproof_model::expect(self.hello.revision, &self.hello.postures, case)
                    .map(|e| e.claims.iter().map(|c| c.rule).collect())
                    .unwrap_or_default()
            } else {
                Vec::new()
            };
            let score = rules.iter().map(|r| 1_000_000 / (1 + u64::from(self.touched[r.index()]))).max().unwrap_or(0);
            if best.as_ref().is_none_or(|(other, ..)| score > *other) {
                best = Some((score, trial, rules));
            }
        }
        // There is always one: DRAWS is not 0.
        let (_, trial, rules) = best.unwrap_or_else(|| (0, Trial::bare("none", Arc::default()), Vec::new()));
        for rule in rules {
            self.touched[rule.index()] = self.touched[rule.index()].saturating_add(1);
        }
        trial
    }

    /// Makes a failing case small and writes it again. A case that ends the candidate, or that it never answers, stays as it is:
    /// every attempt would cost a restart.
    fn smaller(&mut self, mut result: CaseResult, file: PathBuf, signature: &Signature) -> Finding {
        if result.verdict == Verdict::Fail && self.failure.is_none() {
            let small = self.single.shrink(&result.case, signature).and_then(|small| {
                let small = Arc::new(small);
                write(&file, &small)?;
                self.single.play(Trial::bare(result.name.clone(), small))
            });
            match self.unless_failed(small) {
                Some((again, _)) if again.signatures().contains(signature) => result = again,
                _ => {}
            }
        }
        if result.verdict == Verdict::Fail && self.failure.is_none() {
            let alone = self.single.play_alone(Trial::bare(result.name.clone(), Arc::clone(&result.case)));
            if self.unless_failed(alone).is_some_and(|(alone, _)| !alone.verdict.is_bad()) {
                result.why = Some(PASSES_ALONE.to_owned());
            }
        }
        result.replay = file.display().to_string();
        Finding { result, file, relation: None }
    }

    /// Makes the original of a pair that should agree, and does not, small.
    fn related(
        &mut self,
        mut original: CaseResult,
        relation: &'static Relation,
        seed: u64,
        why: String,
    ) -> Option<Finding> {
        let what = format!("relation-{}", relation.name.replace(' ', "-"));
        let signature = Signature { what, place: String::new(), kind: "differs" };
        if self.known.len() >= self.plan.max_fail || !self.known.insert(signature.clone()) {
            return None;
        }
        let file = self.plan.out.join(file_name(&signature));
        self.unless_failed(write(&file, &original.case));
        let mut last = why;
        let single = &mut *self.single;
        let small = hookproof_generate::shrink(&original.case, &mut |case| match check(single, relation, case, seed) {
            Ok(Some(Err(why))) => {
                last = why;
                true
            }
            _ => false,
        });
        self.unless_failed(write(&file, &small));
        original.case = Arc::new(small);
        original.verdict = Verdict::Fail;
        original.why = Some(format!("relation `{}` does not hold ({}): {last}", relation.name, relation.about));
        original.replay = file.display().to_string();
        Some(Finding { result: original, file, relation: Some((relation.name, seed)) })
    }
}

/// Plays a case and its changed copy, and compares. `None`: the relation does not speak of this case, or one of them was not
/// answered.
///
/// # Errors
///
/// When the candidate is beyond use.
pub fn check(
    single: &mut Single<'_>,
    relation: &Relation,
    case: &Case,
    seed: u64,
) -> Result<Option<Result<(), String>>, Failure> {
    let Some(copy) = (relation.change)(case, seed) else { return Ok(None) };
    let observes = single.candidate().hello().observes.clone();
    let (before, _) = single.play(Trial::bare("original", Arc::new(case.clone())))?;
    let (after, _) = single.play(Trial::bare("copy", Arc::new(copy)))?;
    if case.moments_count() == 0 || !is_kept(&before) || !is_kept(&after) {
        return Ok(None);
    }
    Ok(Some(compared(relation, &before, &after, &observes)))
}

/// Whether a relation holds between two cases that were played.
fn compared(
    relation: &Relation,
    before: &CaseResult,
    after: &CaseResult,
    observes: &BTreeSet<Place>,
) -> Result<(), String> {
    let (was, is) = (&before.outcomes, &after.outcomes);
    (relation.compare)(&Plays { before: &before.case, was, after: &after.case, is, observes })
}

/// Whether there is an outcome for each step, so that it can be compared.
fn is_kept(result: &CaseResult) -> bool {
    result.outcomes.len() == result.case.moments_count()
}

/// Whether the time is over.
fn is_late(end: Option<Instant>) -> bool {
    end.is_some_and(|end| Instant::now() >= end)
}

/// What stands before the seed in the name of a generated case.
const GENERATED: &str = "seed-";

/// The case that is generated from a seed.
#[must_use]
pub fn trial(seed: u64) -> Trial {
    Trial::bare(format!("{GENERATED}{seed}"), Arc::new(hookproof_generate::from_seed(seed)))
}

/// The seed in the name of a generated case.
#[must_use]
pub fn seed_of(name: &str) -> Option<u64> {
    let digits = name.strip_prefix(GENERATED)?;
    digits.parse().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()))
}

fn file_name(signature: &Signature) -> String {
    let parts = [signature.what.as_str(), &signature.place.replace('/', "-"), signature.kind];
    let name = parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(".");
    format!("{name}.json")
}

/// Tries whether findings can be written, so that none is lost after hours. Nothing is left behind.
fn has_room(out: &Path) -> Result<(), Failure> {
    let unwritable = |e: &std::io::Error| Failure::io("write into", out.display(), e);
    let is_new = !out.exists();
    fs::create_dir_all(out).map_err(|e| unwritable(&e))?;
    let probe = out.join(format!(".hookproof-{}", std::process::id()));
    fs::write(&probe, "?").and_then(|()| fs::remove_file(&probe)).map_err(|e| unwritable(&e))?;
    if is_new {
        // What is in the way of this is somebody else's.
        drop(fs::remove_dir(out));
    }
    Ok(())
}

fn write(file: &Path, case: &Case) -> Result<(), Failure> {
    let unwritable = |e: &std::io::Error| Failure::io("write", file.display(), e);
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(|e| unwritable(&e))?;
    }
    // What is there already is never half overwritten: it may be the same failure, not yet made small, or another session's.
    let new = file.with_extension(format!("{}.new", std::process::id()));
    let written = fs::write(&new, brief::file(case)).and_then(|()| fs::rename(&new, file));
    written.map_err(|e| {
        drop(fs::remove_file(&new));
        unwritable(&e)
    })
}
