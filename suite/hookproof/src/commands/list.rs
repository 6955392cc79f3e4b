//! `list`: what there is.

use crate::{
    cli::ListArgs,
    corpus::Corpus,
    exit::{Exit, Failure},
    report::{DIM, Io, NAME},
    select::{Filters, level_name, trials},
};
use hookproof_contract::{Chapter, Point, Rule};
use std::{collections::BTreeMap, io::Write};

pub(crate) fn list(args: &ListArgs, io: &mut Io) -> Result<Exit, Failure> {
    let filters = args.filters.filters();
    let count = if args.cases {
        cases(args, &filters, io)?
    } else if args.chapters {
        chapters(args, &filters, io)?
    } else if args.points {
        points(&filters, io)?
    } else {
        rules(&filters, io)?
    };
    io.out.flush()?;
    if count == 0 {
        let of = if args.cases {
            "cases"
        } else if args.chapters {
            "chapters"
        } else if args.points {
            "open points"
        } else {
            "rules"
        };
        return Err(filters.nothing(of));
    }
    Ok(Exit::Conformant)
}

fn rules(filters: &Filters, io: &mut Io) -> Result<usize, Failure> {
    let some: Vec<&Rule> = Rule::all().iter().filter(|rule| filters.pass_rule(rule)).collect();
    for rule in &some {
        let level = level_name(rule.level);
        writeln!(
            io.out,
            "{NAME}{:<24}{NAME:#} {DIM}{:<13} {level:<4}{DIM:#} {}",
            rule.id, rule.chapter, rule.sentence
        )?;
    }
    Ok(some.len())
}

fn cases(args: &ListArgs, filters: &Filters, io: &mut Io) -> Result<usize, Failure> {
    let corpus = Corpus::open(args.corpus.corpus.as_deref())?;
    let mut count = 0;
    for trial in trials(&corpus, filters) {
        let trial = trial?;
        // Near-misses are told where more is asked for.
        if io.verbose || !trial.name.contains('#') {
            writeln!(io.out, "{NAME}{}{NAME:#}\n    {}", trial.name, trial.about)?;
        }
        count += 1;
    }
    Ok(count)
}

fn chapters(args: &ListArgs, filters: &Filters, io: &mut Io) -> Result<usize, Failure> {
    let corpus = Corpus::open(args.corpus.corpus.as_deref())?;
    let mut rules: BTreeMap<Chapter, usize> = BTreeMap::new();
    for rule in Rule::all().iter().filter(|rule| filters.pass_rule(rule)) {
        *rules.entry(rule.chapter).or_default() += 1;
    }
    for (chapter, rules) in &rules {
        let files = corpus.entries().iter().filter(|e| e.chapter == Some(*chapter)).count();
        writeln!(io.out, "{NAME}{chapter:<14}{NAME:#} {rules:>4} rules  {files:>4} case files")?;
    }
    Ok(rules.len())
}

fn points(filters: &Filters, io: &mut Io) -> Result<usize, Failure> {
    let some: Vec<&Point> = Point::all().iter().filter(|point| filters.pass_point(point)).collect();
    for point in &some {
        writeln!(
            io.out,
            "{NAME}{:<6}{NAME:#} {}\n       {DIM}{}{DIM:#}",
            point.id,
            point.question,
            point.readings.join(" | ")
        )?;
    }
    Ok(some.len())
}
