//! The counts at the end of a report, each with what it is out of: nothing that was left out looks like a pass.

use super::OPEN;
use crate::{
    profile::Profile,
    run::{RuleTally, Tally},
    verdict::Verdict,
};
use hookproof_contract::{Requirement, Rule, RuleId, judge::Harm, message::Depth};
use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fmt,
    io::{self, Write},
};

/// How many cases that no combination of readings explains are named.
const NAMED: usize = 8;

/// The counts of cases and rules, and the postures.
///
/// # Errors
///
/// When they cannot be written.
pub fn counts(out: &mut dyn Write, tally: &Tally) -> io::Result<()> {
    cases(out, tally)?;
    rules(out, tally)?;
    for (i, part) in parts(tally).iter().enumerate() {
        writeln!(out, "{} {:<8}  {part}", if i == 0 { "profile " } else { "        " }, part.profile.name())?;
    }
    postures(out, tally)
}

/// The counts of cases.
pub(super) fn cases(out: &mut dyn Write, tally: &Tally) -> io::Result<()> {
    let counted = |verdicts: &[Verdict]| {
        let some = verdicts.iter().filter(|v| tally.count(**v) > 0);
        some.map(|v| format!("{} {}", tally.count(*v), v.name())).collect::<Vec<_>>().join(", ")
    };
    let played = counted(&[Verdict::Pass, Verdict::Fail, Verdict::Crashed, Verdict::TimedOut, Verdict::Undetermined]);
    let played = if played.is_empty() { "none".to_owned() } else { played };
    let stopped = if tally.stopped { "; the run was stopped before all were played" } else { "" };
    writeln!(out, "cases    {} of {} played: {played}{stopped}", tally.played(), tally.total())?;
    for (reason, count) in &tally.skips {
        let verdict = if reason.is_not_applicable() { Verdict::NotApplicable } else { Verdict::NotTestable };
        writeln!(out, "         {OPEN}{count} {}{OPEN:#}: {reason}", verdict.name())?;
    }
    Ok(())
}

/// The rules that a run is about, and what it did for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The scored rules that hold at the candidate's revision and speak of an event that it fires.
    pub all: usize,
    /// Those of which a claim was looked at.
    pub checked: usize,
    /// Those of which a claim was broken.
    pub broken: Vec<RuleId>,
}

/// Counts the rules.
#[must_use]
pub fn scope(tally: &Tally) -> Scope {
    let hello = &tally.hello;
    let mut scope = Scope::default();
    for rule in Rule::all() {
        let speaks = rule.events.is_empty() || rule.events.iter().any(|e| hello.events.contains(e));
        let counts = tally.rules[rule.id.index()];
        let is_checked = counts.held + counts.broken > 0;
        if !(is_checked || rule.requirement(hello.revision) == Requirement::Scored && speaks) {
            continue;
        }
        scope.all += 1;
        scope.checked += usize::from(is_checked);
        if counts.broken > 0 {
            scope.broken.push(rule.id);
        }
    }
    scope
}

/// What a run did for a profile: out of all that is in it, whatever the filters and the candidate leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The profile.
    pub profile: Profile,
    /// The cases of the corpus that are in it.
    pub cases: usize,
    /// Those that were played.
    pub played: usize,
    /// Those that passed.
    pub passed: usize,
    /// The rules in it that are scored at the candidate's revision.
    pub rules: usize,
    /// Those of which a claim was looked at.
    pub checked: usize,
    /// Those of which a claim was broken.
    pub broken: usize,
}

/// The part of each profile, the smallest first; none where nobody has counted the corpus.
#[must_use]
pub fn parts(tally: &Tally) -> Vec<Part> {
    let all = Profile::ALL.into_iter().filter(|_| !tally.corpus.is_empty());
    all.map(|profile| part(tally, profile)).collect()
}

fn part(tally: &Tally, profile: Profile) -> Part {
    let is_scored = |rule: &&Rule| rule.requirement(tally.hello.revision) == Requirement::Scored;
    let rules: Vec<&Rule> = Rule::all().iter().filter(|rule| profile.has_rule(rule)).filter(is_scored).collect();
    let count = |counts: &dyn Fn(RuleTally) -> bool| rules.iter().filter(|r| counts(tally.rules[r.id.index()])).count();
    let inside = || tally.profiles.iter().filter(|((smallest, _), _)| *smallest <= profile);
    let cases = |counts: &dyn Fn(Verdict) -> bool| inside().filter(|((_, v), _)| counts(*v)).map(|(_, n)| n).sum();
    Part {
        profile,
        cases: tally.corpus.iter().filter(|(smallest, _)| **smallest <= profile).map(|(_, n)| n).sum(),
        played: cases(&|verdict| !verdict.is_skip()),
        passed: cases(&|verdict| verdict == Verdict::Pass),
        rules: rules.len(),
        checked: count(&|rule| rule.held + rule.broken > 0),
        broken: count(&|rule| rule.broken > 0),
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Part { cases, played, passed, rules, checked, broken, .. } = self;
        write!(
            f,
            "{played} of {cases} cases played, {passed} passed; {checked} of {rules} scored rules checked, {broken} broken"
        )
    }
}

fn rules(out: &mut dyn Write, tally: &Tally) -> io::Result<()> {
    let scope = scope(tally);
    writeln!(
        out,
        "rules    {} of {} in scope checked, {} broken; {} claims looked at",
        scope.checked,
        scope.all,
        scope.broken.len(),
        tally.claims
    )?;
    for (i, line) in broken(tally, &scope.broken).iter().enumerate() {
        writeln!(out, "{} {line}", if i == 0 { "broken  " } else { "        " })?;
    }
    Ok(())
}

/// A line for each harm, the worst first: the rules that mean it, those of most cases first, with how many these are. Rules that were
/// broken only where the wrong handlers ran come last, whatever that meant.
fn broken(tally: &Tally, rules: &[RuleId]) -> Vec<String> {
    let mut by_harm: BTreeMap<(bool, Harm), Vec<(u32, RuleId)>> = BTreeMap::new();
    for rule in rules {
        let counts = tally.rules[rule.index()];
        let harm = counts.harm.filter(|_| counts.on_its_own).unwrap_or(Harm::Cosmetic);
        by_harm.entry((!counts.on_its_own, harm)).or_default().push((counts.cases, *rule));
    }
    let told = by_harm.into_iter().map(|((follows, harm), mut rules)| {
        rules.sort_by_key(|(cases, rule)| (Reverse(*cases), *rule));
        let rules: Vec<String> = rules.iter().map(|(cases, rule)| format!("{rule} × {cases}")).collect();
        let what = if follows { "only where the wrong handlers ran" } else { harm.name() };
        format!("{what}: {}", rules.join(", "))
    });
    told.collect()
}

fn postures(out: &mut dyn Write, tally: &Tally) -> io::Result<()> {
    let declared = &tally.hello.postures;
    let mut lines: Vec<String> =
        declared.iter().map(|r| format!("{}: {} (declared, and binding)", r.point, r.name())).collect();
    let shown = tally.observed.points().filter(|(point, shown)| {
        declared.get(*point).is_none() && (shown.contradiction.is_some() || shown.fits.len() < point.readings().len())
    });
    lines.extend(shown.map(|(point, shown)| format!("{point}: {}", shown.words(point))));
    let unexplained = &tally.observed.unexplained;
    lines.extend(unexplained.iter().take(NAMED).map(|case| format!("no combination of readings explains {case}")));
    if let Some(more) = unexplained.len().checked_sub(NAMED).filter(|more| *more > 0) {
        lines.push(format!("nor {more} more cases"));
    }
    for (i, line) in lines.iter().enumerate() {
        writeln!(out, "{} {line}", if i == 0 { "posture " } else { "        " })?;
    }
    Ok(())
}

/// The places at which texts were missed and nothing at all was ever seen: more likely the adapter's fault than the runtime's.
pub(super) fn silent(out: &mut dyn Write, tally: &Tally) -> io::Result<()> {
    let places: Vec<String> = tally.missed.difference(&tally.seen).map(ToString::to_string).collect();
    if places.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "{OPEN}adapter{OPEN:#}  it says that it observes {}, and never reported anything there: check the adapter first (hookproof smoke)",
        places.join(", ")
    )
}

/// What verdicts of a depth are worth.
pub(super) const fn worth(depth: Depth) -> &'static str {
    match depth {
        Depth::Resolve => "claimed by the adapter: at depth resolve no process starts",
        Depth::Run => "seen by the probe",
        Depth::Agent => "seen on the wire",
    }
}
