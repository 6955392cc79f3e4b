//! `snapshot`: what a candidate does, written down, or held against what was written down before.

use super::open;
use crate::{
    cli::SnapshotArgs,
    corpus::Corpus,
    exit::{Exit, Failure},
    interrupt,
    record::Record,
    report::{BAD, DIM, GOOD, Io, progress::Progress},
    run::{Options, Run},
    select::{Filters, trials},
};
use similar::{ChangeTag, TextDiff};
use std::{collections::BTreeMap, io::Write};

/// How many lines around a difference are shown.
const AROUND: usize = 3;

pub(crate) fn snapshot(args: &SnapshotArgs, io: &mut Io) -> Result<Exit, Failure> {
    let corpus = Corpus::open(args.corpus.corpus.as_deref())?;
    let filters = Filters::default();
    let before = if args.check { Some(Record::read(&args.out)?) } else { None };
    let mut candidate = open(&args.candidate)?;
    let mut progress = Progress::new("cases", None);
    let (mut record, mut done, mut bad) = (Record::default(), 0, 0);
    let mut run = Run::new(candidate.hello().clone(), Options::default());
    let mut sink = |result: crate::verdict::CaseResult| {
        done += 1;
        bad += usize::from(result.verdict.is_bad());
        progress.at(done, bad);
        record.see(&result);
    };
    run.play(candidate.as_mut(), &mut trials(&corpus, &filters), &mut sink)?;
    let tally = run.finish(&mut sink);
    drop(progress);
    if let Some(trouble) = tally.trouble {
        return Err(trouble.into());
    }
    if interrupt::caught().is_some() {
        return Err(Failure::interrupted());
    }
    let Some(before) = before else {
        record.write(&args.out)?;
        writeln!(io.out, "{} cases written into {}", record.len(), args.out.display())?;
        io.out.flush()?;
        return Ok(Exit::Conformant);
    };
    let exit = check(&before, &record, io)?;
    io.out.flush()?;
    Ok(exit)
}

/// Shows where two records differ, chapter by chapter.
fn check(before: &Record, after: &Record, io: &mut Io) -> Result<Exit, Failure> {
    let (old, new): (BTreeMap<_, _>, BTreeMap<_, _>) = (before.files(), after.files());
    let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
    names.sort();
    names.dedup();
    let mut exit = Exit::Conformant;
    for name in names {
        let text = |files: &BTreeMap<String, String>| files.get(name).cloned().unwrap_or_default();
        let (old, new) = (text(&old), text(&new));
        if old != new {
            exit = Exit::Baseline;
            writeln!(io.out, "{name}")?;
            difference(&old, &new, io)?;
        }
    }
    match exit {
        Exit::Conformant => writeln!(io.out, "{GOOD}the same{GOOD:#} in all {} cases", after.len())?,
        _ => writeln!(io.out, "{BAD}not the same{BAD:#}: `hookproof snapshot` without --check writes it anew")?,
    }
    Ok(exit)
}

fn difference(old: &str, new: &str, io: &mut Io) -> Result<(), Failure> {
    let diff = TextDiff::from_lines(old, new);
    for (i, group) in diff.grouped_ops(AROUND).iter().enumerate() {
        if i > 0 {
            writeln!(io.out, "  {DIM}…{DIM:#}")?;
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let line = change.value().trim_end_matches('\n');
            match change.tag() {
                ChangeTag::Equal => writeln!(io.out, "    {line}")?,
                ChangeTag::Delete => writeln!(io.out, "  {BAD}- {line}{BAD:#}")?,
                ChangeTag::Insert => writeln!(io.out, "  {GOOD}+ {line}{GOOD:#}")?,
            }
        }
    }
    Ok(())
}
