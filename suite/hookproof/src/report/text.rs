//! The report for people: failures by harm, then the counts, each with what it is out of.

use super::{Again, BAD, DIM, GOOD, NAME, OPEN, Report, brief, counts, kept::Kept};
use crate::{
    baseline::Misfit,
    interrupt,
    playable::depth_name,
    run::Tally,
    verdict::{BrokenClaim, CaseResult, Signature, Verdict},
    words,
};
use hookproof_contract::{
    Place,
    judge::Harm,
    message::{Depth, Hello},
};
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

/// How many kinds of failure are told in full; the others have a line each, unless more is asked for.
const IN_FULL: usize = 20;
/// How many cases that fail in the same way are named.
const NAMED: usize = 4;

/// The report.
pub struct Text<'a> {
    out: &'a mut dyn Write,
    again: Again,
    depth: Depth,
    verbose: bool,
    kept: Kept,
}

impl<'a> Text<'a> {
    /// Begins the report.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn begin(out: &'a mut dyn Write, hello: &Hello, depth: Depth, again: Again, verbose: bool) -> io::Result<Self> {
        headline(out, hello, depth)?;
        Ok(Text { out, again, depth, verbose, kept: Kept::default() })
    }
}

/// The line that says who is tried by what.
///
/// # Errors
///
/// When it cannot be written.
pub fn headline(out: &mut dyn Write, hello: &Hello, depth: Depth) -> io::Result<()> {
    let who = &hello.candidate;
    let shown = |text: &str| words::cut(&words::visible(text));
    let version = if who.version.is_empty() { String::new() } else { format!(" {}", shown(&who.version)) };
    let language = if who.language.is_empty() { String::new() } else { format!(" ({})", shown(&who.language)) };
    writeln!(
        out,
        "hookproof {}: {NAME}{}{version}{NAME:#}{language}, contract {}, depth {}",
        env!("CARGO_PKG_VERSION"),
        shown(&who.name),
        hello.revision,
        depth_name(depth)
    )
}

impl Report for Text<'_> {
    fn case(&mut self, result: CaseResult) -> io::Result<()> {
        if self.verbose {
            line(self.out, &result)?;
        }
        self.kept.case(result);
        Ok(())
    }

    fn baseline(&mut self, known: usize, misfits: &[Misfit]) -> io::Result<()> {
        self.kept.baseline(known, misfits);
        Ok(())
    }

    fn end(&mut self, tally: &Tally) -> io::Result<()> {
        let failures = std::mem::take(&mut self.kept.failures);
        for (i, (first, same)) in grouped(failures).iter().enumerate() {
            if self.verbose || i < IN_FULL {
                failure(self.out, first, &self.again)?;
            } else {
                if i == IN_FULL {
                    writeln!(self.out, "\nand, a line each (-v tells all in full):")?;
                }
                line(self.out, first)?;
            }
            if self.verbose {
                same.iter().try_for_each(|result| failure(self.out, result, &self.again))?;
            } else if i < IN_FULL {
                others(self.out, same)?;
            } else {
                same.iter().try_for_each(|result| line(self.out, result))?;
            }
        }
        writeln!(self.out)?;
        counts::counts(self.out, tally)?;
        counts::silent(self.out, tally)?;
        notes(self.out, tally)?;
        writeln!(self.out, "worth    {}", counts::worth(self.depth))?;
        match self.kept.baseline.take() {
            Some((known, misfits)) if tally.trouble.is_none() && interrupt::caught().is_none() => {
                fits(self.out, known, &misfits)?
            }
            _ => conclusion(self.out, tally)?,
        }
        self.out.flush()
    }
}

/// What was noticed beside the answers.
///
/// # Errors
///
/// When it cannot be written.
pub fn notes(out: &mut dyn Write, tally: &Tally) -> io::Result<()> {
    tally.notes.iter().try_for_each(|note| writeln!(out, "{OPEN}adapter{OPEN:#}  {note}"))
}

/// A failure that is told, and others that show nothing new beside it.
type Group = (CaseResult, Vec<CaseResult>);

/// The failures, the worst harm first and the simplest case before others, in groups: the first of a group shows a way of failing
/// that none before it has shown.
fn grouped(mut failures: Vec<CaseResult>) -> Vec<Group> {
    failures.sort_by_cached_key(|result| {
        // What has no broken claim says least about what is wrong: it comes last.
        let harm = result.harm().map_or((true, Harm::Cosmetic), |harm| (false, harm));
        (harm, result.misses.len(), brief::file(&result.case).len(), result.name.clone())
    });
    let mut groups: Vec<Group> = Vec::new();
    let mut shown: BTreeMap<Signature, usize> = BTreeMap::new();
    for result in failures {
        let signatures = result.signatures();
        match signatures.first().and_then(|first| shown.get(first)) {
            Some(group) if signatures.iter().all(|s| shown.contains_key(s)) => groups[*group].1.push(result),
            _ => {
                for signature in signatures {
                    shown.entry(signature).or_insert(groups.len());
                }
                groups.push((result, Vec::new()));
            }
        }
    }
    groups
}

fn others(out: &mut dyn Write, same: &[CaseResult]) -> io::Result<()> {
    if same.is_empty() {
        return Ok(());
    }
    let named: Vec<&str> = same.iter().take(NAMED).map(|r| r.name.as_str()).collect();
    let more = if same.len() > NAMED { ", …" } else { "" };
    let cases = if same.len() == 1 { "case fails" } else { "cases fail" };
    writeln!(out, "  {DIM}{} more {cases} in the same way: {}{more}{DIM:#}", same.len(), named.join(", "))
}

/// One line for a case.
fn line(out: &mut dyn Write, result: &CaseResult) -> io::Result<()> {
    let style = match result.verdict {
        Verdict::Pass => GOOD,
        v if v.is_bad() => BAD,
        _ => OPEN,
    };
    let why = match (result.misses.first().zip(result.harm()), &result.why) {
        (Some((miss, harm)), _) => format!("  {DIM}{}, {}{DIM:#}", harm.name(), miss.rule),
        (None, Some(why)) => format!("  {DIM}{}{DIM:#}", why.lines().next().unwrap_or("")),
        (None, None) => String::new(),
    };
    writeln!(out, "{style}{:<14}{style:#} {}{why}", result.verdict.name(), result.name)
}

/// A failure in full.
///
/// # Errors
///
/// When it cannot be written.
pub fn failure(out: &mut dyn Write, result: &CaseResult, again: &Again) -> io::Result<()> {
    writeln!(out, "\n{BAD}{}{BAD:#}  {NAME}{}{NAME:#}", result.headline().to_uppercase(), result.name)?;
    if !result.about.is_empty() {
        writeln!(out, "  {}", result.about)?;
    }
    if let Some(why) = &result.why {
        for line in why.lines() {
            writeln!(out, "  {line}")?;
        }
    }
    for (i, miss) in result.misses.iter().enumerate() {
        // Several claims of one rule tell its sentence once.
        let told = result.misses[..i].iter().any(|m| m.rule == miss.rule);
        broken(out, miss, told)?;
        if miss.place == Place::Ran && result.misses[i + 1..].iter().any(|m| m.step == miss.step) {
            writeln!(out, "      {DIM}what else is missed in this step may follow from it{DIM:#}")?;
        }
    }
    writeln!(out, "  {DIM}input{DIM:#}")?;
    for line in brief::lines(&result.case) {
        writeln!(out, "    {line}")?;
    }
    if !result.stderr.is_empty() {
        writeln!(out, "  {DIM}stderr ends with{DIM:#}")?;
        for line in result.stderr.lines() {
            writeln!(out, "    {}", words::visible(line))?;
        }
    }
    writeln!(out, "  {DIM}replay{DIM:#}  {}", again.line(&result.replay))
}

fn broken(out: &mut dyn Write, miss: &BrokenClaim, told: bool) -> io::Result<()> {
    if told {
        writeln!(out, "  {NAME}{}{NAME:#}, {}", miss.rule, miss.harm.name())?;
    } else {
        writeln!(out, "  {NAME}{}{NAME:#}, {}: {}", miss.rule, miss.harm.name(), miss.rule.rule().sentence)?;
    }
    if !miss.because.is_empty() {
        writeln!(out, "    follows from {}", miss.because.iter().map(|r| r.as_str()).collect::<Vec<_>>().join(", "))?;
    }
    if !miss.declared.is_empty() {
        writeln!(out, "    demanded since the candidate declares {}", miss.declared)?;
    }
    let place = words::place_of(miss.place, miss.of.as_deref(), miss.path.as_deref());
    writeln!(out, "    step {}, {place}", miss.step)?;
    writeln!(out, "      wanted {GOOD}{}{GOOD:#}", miss.wanted)?;
    writeln!(out, "      found  {BAD}{}{BAD:#}", miss.found)?;
    for line in &miss.difference {
        writeln!(out, "      {line}")?;
    }
    Ok(())
}

/// How the list of known failures fits.
fn fits(out: &mut dyn Write, known: usize, misfits: &[Misfit]) -> io::Result<()> {
    for misfit in misfits.iter().take(IN_FULL) {
        writeln!(out, "{BAD}baseline{BAD:#} {misfit}")?;
    }
    if let Some(more) = misfits.len().checked_sub(IN_FULL).filter(|more| *more > 0) {
        writeln!(out, "         and {more} more")?;
    }
    match misfits.len() {
        0 => writeln!(out, "{GOOD}as known{GOOD:#}: {known} failures, all of them in the list"),
        n => writeln!(out, "{BAD}not as known{BAD:#}: {known} failures are in the list; {n} differences"),
    }
}

fn conclusion(out: &mut dyn Write, tally: &Tally) -> io::Result<()> {
    if interrupt::caught().is_some() {
        return writeln!(out, "{OPEN}the run ended early{OPEN:#}: a signal ended it");
    }
    if let Some(trouble) = &tally.trouble {
        return writeln!(out, "{BAD}the run ended early{BAD:#}: {}", trouble.what);
    }
    match (tally.bad(), tally.count(Verdict::Pass), tally.count(Verdict::Undetermined)) {
        (0, 0, _) => writeln!(out, "{OPEN}undetermined{OPEN:#}: nothing was decided"),
        (0, n, 0) => writeln!(out, "{GOOD}conformant{GOOD:#} in all {n} cases that were played"),
        (0, n, open) => writeln!(out, "{GOOD}conformant{GOOD:#} in {n} cases; {OPEN}{open} undetermined{OPEN:#}"),
        (bad, _, _) => writeln!(out, "{BAD}not conformant{BAD:#}: {bad} of {} cases that were played", tally.played()),
    }
}
