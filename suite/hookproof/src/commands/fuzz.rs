//! `fuzz`: generated cases against a candidate.

use super::{again, exit_of, opener};
use crate::{
    cli::FuzzArgs,
    exit::{Exit, Failure},
    fuzz::{Plan, Session, Summary},
    report::{Again, Io, NAME, counts, progress::Progress, text},
    run::Options,
    single::Single,
};
use hookproof_contract::message::Depth;
use std::{
    cell::RefCell,
    hash::{BuildHasher, RandomState},
    io::Write,
    time::Duration,
};

/// How many cases are played if nothing else bounds the session.
const CASES: u64 = 10_000;

pub(crate) fn fuzz(args: &FuzzArgs, io: &mut Io) -> Result<Exit, Failure> {
    let opener = opener(&args.candidate);
    let mut single = Single::start(&opener, Options::default())?;
    let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one(0) >> 16);
    let cases = args.cases.or_else(|| args.seconds.is_none().then_some(CASES));
    text::headline(&mut io.out, single.candidate().hello(), Depth::Resolve)?;
    writeln!(io.out, "fuzzing from seed {NAME}{seed}{NAME:#}")?;
    io.out.flush()?;
    let plan = Plan {
        seed,
        cases,
        time: args.seconds.map(Duration::from_secs),
        max_fail: args.max_fail as usize,
        out: args.out.clone(),
    };
    let again = again(&args.candidate);
    let progress = RefCell::new(Progress::new("cases", cases));
    let out = &mut io.out;
    let summary = Session::new(&mut single, plan).go(
        &mut |finding| {
            progress.borrow_mut().clear();
            text::failure(out, &finding.result, &for_relation(&again, finding.relation))?;
            Ok(out.flush()?)
        },
        &mut |done, bad| progress.borrow_mut().at(done, bad),
    )?;
    drop(progress);
    tell(io, &summary)?;
    if let Some(trouble) = &summary.tally.trouble {
        io.error(&trouble.clone().into());
    }
    if let Some(failure) = summary.failure {
        return Err(failure);
    }
    // Changed copies that disagree fail without a broken claim.
    let exit = exit_of(&summary.tally, false);
    Ok(if summary.findings > 0 && exit != Exit::Adapter { Exit::NotConformant } else { exit })
}

fn for_relation(again: &Again, relation: Option<(&'static str, u64)>) -> Again {
    let mut again = again.clone();
    if let Some((name, seed)) = relation {
        again.option("--relation", name);
        again.option("--seed", seed.to_string());
    }
    again
}

fn tell(io: &mut Io, summary: &Summary) -> Result<(), Failure> {
    let out = &mut io.out;
    writeln!(out)?;
    counts::counts(out, &summary.tally)?;
    text::notes(out, &summary.tally)?;
    let checked: Vec<String> = summary.relations.iter().map(|(name, count)| format!("{name} {count}")).collect();
    writeln!(out, "pairs    {}", checked.join(", "))?;
    let why = if summary.is_full { ", as many as `--max-fail` allows: the session ended before its time" } else { "" };
    writeln!(out, "{} generated cases; kinds of failure: {}{why}", summary.cases, summary.findings)?;
    Ok(out.flush()?)
}
