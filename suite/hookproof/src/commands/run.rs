//! `run`: the corpus against a candidate.

use super::{again, exit_of, open, opener};
use crate::{
    alone::Suspects,
    baseline::{Baseline, Comparison, Misfit},
    cli::{CandidateArgs, Format, RunArgs},
    corpus::Corpus,
    exit::{Exit, Failure},
    interrupt, paths,
    report::{Io, Report, junit::Junit, markdown::Markdown, ndjson::Ndjson, progress::Progress, text::Text},
    run::{Options, Run, Tally},
    select::{self, Filters},
    verdict::Verdict,
};
use std::collections::BTreeMap;

pub(crate) fn run(args: &RunArgs, io: &mut Io) -> Result<Exit, Failure> {
    let corpus = Corpus::open(args.corpus.corpus.as_deref())?;
    let filters = args.filters.filters();
    let mut census = BTreeMap::new();
    let mut trials = select::trials(&corpus, &filters).inspect(|trial| select::count(trial, &mut census)).peekable();
    match trials.peek() {
        None => return Err(filters.nothing("cases")),
        Some(Err(failure)) => return Err(failure.clone()),
        Some(Ok(_)) => {}
    }
    // Before anything is opened, and so emptied.
    let (output, trace) = (args.output.as_deref(), args.candidate.trace.as_deref());
    paths::apart(&[("--baseline", args.baseline.as_deref()), ("--output", output), ("--trace", trace)])?;
    let mut comparison = comparison(args)?;
    if let Some(list) = args.baseline.as_deref().filter(|_| args.update_baseline) {
        Baseline::has_room(list)?;
    }
    let mut candidate = open(&args.candidate)?;
    io.redirect(args.output.as_deref())?;
    let options = Options {
        fresh: args.fresh,
        max_fail: if args.fail_fast { Some(1) } else { args.max_fail.map(|n| n as usize) },
        ..Options::default()
    };
    let mut again = again(&args.candidate);
    if let Some(seed) = args.fresh {
        again.option("--fresh", seed.to_string());
    }
    let hello = candidate.hello().clone();
    let mut report: Box<dyn Report + '_> = match args.format {
        Format::Text => Box::new(Text::begin(&mut io.out, &hello, options.depth, again, io.verbose)?),
        Format::Ndjson => Box::new(Ndjson::begin(&mut io.out, &hello, options.depth, again)?),
        Format::Junit => Box::new(Junit::begin(&mut io.out, &hello, again)),
        Format::Markdown => Box::new(Markdown::begin(&mut io.out, &hello, options.depth, again)?),
    };
    let mut progress = Progress::new("cases", Some(about_how_many(&corpus, &filters)));
    let (mut unwritten, mut done, mut bad, mut suspects) = (None, 0, 0, Suspects::default());
    let mut sink = |mut result: crate::verdict::CaseResult| {
        result.is_known = comparison.as_mut().is_some_and(|comparison| comparison.see(&result));
        done += 1;
        bad += usize::from(result.verdict.is_bad());
        progress.at(done, bad);
        suspects.see(&result);
        if let Err(error) = report.case(result) {
            unwritten.get_or_insert(error);
        }
    };
    let mut run = Run::new(hello, options);
    run.play(candidate.as_mut(), &mut trials, &mut sink)?;
    let mut tally = run.finish(&mut sink);
    // What was not played is in the corpus all the same; without filters, the rest of it.
    trials.try_for_each(|trial| trial.map(drop))?;
    tally.corpus = if filters.is_empty() { census } else { select::census(&corpus)? };
    drop(progress);
    drop(candidate);
    let keeps_running = !args.candidate.adapter.is_empty() && !args.candidate.exec;
    if keeps_running && tally.trouble.is_none() && interrupt::caught().is_none() {
        let untraced = CandidateArgs { trace: None, ..args.candidate.clone() };
        tally.notes.extend(suspects.alone(&opener(&untraced)));
    }
    let is_whole = filters.is_empty() && !tally.stopped && tally.trouble.is_none();
    let misfits = comparison.as_ref().map(|comparison| comparison.misfits(is_whole));
    if let (Some(comparison), Some(misfits)) = (&comparison, &misfits) {
        report.baseline(comparison.known(), misfits)?;
    }
    report.end(&tally)?;
    drop(report);
    if let Some(error) = unwritten {
        return Err(error.into());
    }
    if let Some(trouble) = &tally.trouble {
        io.error(&trouble.clone().into());
    }
    match (comparison, misfits) {
        (Some(comparison), Some(misfits)) => held_against(args, &comparison, &misfits, is_whole, &tally, io),
        _ => Ok(exit_of(&tally, args.strict)),
    }
}

/// The list of known failures, if there is one; for one that is to be written, there need be none yet.
fn comparison(args: &RunArgs) -> Result<Option<Comparison>, Failure> {
    let Some(file) = &args.baseline else { return Ok(None) };
    let is_new = args.update_baseline && !file.exists();
    let baseline = if is_new { Baseline::default() } else { Baseline::read(file)? };
    Ok(Some(Comparison::new(baseline)))
}

/// How a run ends that is held against a list.
fn held_against(
    args: &RunArgs,
    comparison: &Comparison,
    misfits: &[Misfit],
    is_whole: bool,
    tally: &Tally,
    io: &Io,
) -> Result<Exit, Failure> {
    let exit = exit_of(tally, args.strict);
    if tally.trouble.is_some() || interrupt::caught().is_some() {
        // What was not played says nothing about the list.
        return Ok(exit);
    }
    if let Some(file) = args.baseline.as_deref().filter(|_| args.update_baseline) {
        comparison.updated(is_whole).write(file)?;
        io.note(format_args!("{} is written anew", file.display()));
        return Ok(Exit::Conformant);
    }
    Ok(match exit {
        _ if !misfits.is_empty() => Exit::Baseline,
        Exit::NotConformant if args.strict && tally.count(Verdict::Undetermined) > 0 => Exit::Undetermined,
        Exit::NotConformant => Exit::Conformant,
        other => other,
    })
}

/// For the progress display only, so without decoding: a file's case, and one for each near-miss.
fn about_how_many(corpus: &Corpus, filters: &Filters) -> u64 {
    let some = corpus.entries().iter().filter(|entry| filters.may_pass(entry));
    some.map(|entry| 1 + entry.text.matches("\"change\":").count() as u64).sum()
}
