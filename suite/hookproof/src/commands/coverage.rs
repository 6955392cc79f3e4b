//! `coverage`: how far the rules are proven, chapter by chapter.

use crate::{
    cli::{CoverageArgs, StandingName},
    corpus::Corpus,
    coverage::{Covered, Standing, coverage},
    exit::{Exit, Failure},
    report::{DIM, Io, NAME},
};
use hookproof_contract::Chapter;
use std::{collections::BTreeMap, io::Write};

pub(crate) fn run(args: &CoverageArgs, io: &mut Io) -> Result<Exit, Failure> {
    let corpus = Corpus::open(args.corpus.corpus.as_deref())?;
    let filters = args.filters.filters();
    let all = coverage(&corpus, &filters)?;
    if all.is_empty() {
        return Err(filters.nothing("rules"));
    }
    match args.standing {
        Some(standing) => rules(&all, standing, io)?,
        None => chapters(&all, io)?,
    }
    io.out.flush()?;
    Ok(Exit::Conformant)
}

fn chapters(all: &[Covered], io: &mut Io) -> Result<(), Failure> {
    let mut counts: BTreeMap<Chapter, [usize; 4]> = BTreeMap::new();
    let mut sum = [0; 4];
    for covered in all {
        let column = covered.standing.column();
        counts.entry(covered.rule.chapter).or_default()[column] += 1;
        sum[column] += 1;
    }
    let [proven, exercised, unexercised, not_scored] = Standing::NAMES;
    let out = &mut io.out;
    writeln!(out, "{DIM}{:<14} {proven:>8} {exercised:>15} {unexercised:>12} {not_scored:>11}{DIM:#}", "chapter")?;
    for (chapter, [a, b, c, d]) in &counts {
        writeln!(out, "{NAME}{chapter:<14}{NAME:#} {a:>8} {b:>15} {c:>12} {d:>11}")?;
    }
    let [a, b, c, d] = sum;
    writeln!(out, "{NAME}{:<14}{NAME:#} {a:>8} {b:>15} {c:>12} {d:>11}", "all")?;
    let scored = a + b + c;
    writeln!(out, "{a} of {scored} scored rules are proven; `--standing NAME` lists those of a column")?;
    Ok(())
}

fn rules(all: &[Covered], wanted: StandingName, io: &mut Io) -> Result<(), Failure> {
    for Covered { rule, standing } in all.iter().filter(|c| c.standing.column() == wanted as usize) {
        writeln!(
            io.out,
            "{NAME}{:<24}{NAME:#} {DIM}{:<13} {standing}{DIM:#}\n    {}",
            rule.id, rule.chapter, rule.sentence
        )?;
    }
    Ok(())
}
