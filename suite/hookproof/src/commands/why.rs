//! `why`: one case, every claim, what was found.

use super::{
    exit_of,
    expect::{heading, row},
    one_case, opener,
};
use crate::{
    cli::CaseArgs,
    exit::{Exit, Failure},
    report::{BAD, GOOD, Io, NAME, OPEN},
    run::Options,
    single::Single,
    verdict::CaseResult,
    words,
};
use hookproof_contract::{
    Claim, Expectation, Place,
    judge::{self, Judgement},
    message::Hello,
};
use std::{
    collections::BTreeSet,
    io::{self, Write},
};

pub(crate) fn why(args: &CaseArgs, io: &mut Io) -> Result<Exit, Failure> {
    let trial = one_case(&args.case, args.candidate.trace.as_deref())?;
    let opener = opener(&args.candidate);
    let mut single = Single::start(&opener, Options { kept: usize::MAX, ..Options::default() })?;
    let hello = single.candidate().hello().clone();
    let (result, tally) = single.play(trial.clone())?;
    let out = &mut io.out;
    heading(out, &trial)?;
    if result.outcomes.is_empty() {
        writeln!(
            out,
            "{OPEN}{}{OPEN:#}: {}",
            result.verdict.name(),
            result.why.as_deref().unwrap_or("nothing was reported")
        )?;
    } else if let Ok(expectation) = hookproof_model::expect(hello.revision, &hello.postures, &result.case) {
        claims(out, &result, &expectation, &hello)?;
        if let Some(why) = &result.why {
            writeln!(out, "{OPEN}{}{OPEN:#}: {why}", result.verdict.name())?;
        }
    }
    for (number, outcome) in result.outcomes.iter().enumerate() {
        writeln!(out, "outcome {number}: {}", serde_json::to_string(outcome).unwrap_or_default())?;
    }
    if !result.stderr.is_empty() {
        writeln!(out, "stderr ends with: {}", result.stderr.escape_debug())?;
    }
    out.flush()?;
    Ok(exit_of(&tally, false))
}

fn claims(out: &mut dyn Write, result: &CaseResult, expectation: &Expectation, hello: &Hello) -> io::Result<()> {
    let judgement = judge::judge(&result.case, expectation, &result.outcomes, &hello.observes);
    each(out, result, &expectation.claims, &judgement, &hello.observes)?;
    for world in &expectation.worlds {
        let alone = Expectation { claims: world.claims.clone(), worlds: Vec::new() };
        let judgement = judge::judge(&result.case, &alone, &result.outcomes, &hello.observes);
        let fits = if judgement.is_clean() { "fits" } else { "does not fit" };
        writeln!(out, "reading {NAME}{}{NAME:#} {fits}", world.readings)?;
        each(out, result, &world.claims, &judgement, &hello.observes)?;
    }
    Ok(())
}

fn each(
    out: &mut dyn Write,
    result: &CaseResult,
    claims: &[Claim],
    judgement: &Judgement,
    observes: &BTreeSet<Place>,
) -> io::Result<()> {
    let miss = |index: &usize| judgement.misses.iter().find(|miss| miss.claim == *index);
    let mut order: Vec<usize> = (0..claims.len()).collect();
    // What is broken is what is looked for.
    order.sort_by_key(|index| (miss(index).is_none(), !judgement.held.contains(index)));
    for index in order {
        let (claim, miss) = (&claims[index], miss(&index));
        let step =
            miss.map_or_else(|| claim.steps.map_or_else(|| first_firing(result), |[first, _]| first), |miss| miss.step);
        if let Some(miss) = miss {
            writeln!(out, "{BAD}broken{BAD:#}  {} ({})", row(claim), miss.harm.name())?;
        } else if judgement.held.contains(&index) {
            writeln!(out, "{GOOD}holds{GOOD:#}   {}", row(claim))?;
        } else {
            let why = if observes.contains(&claim.at) { "nothing to look at" } else { "a place that is not observed" };
            writeln!(out, "{OPEN}unseen{OPEN:#}  {}: {why}", row(claim))?;
            continue;
        }
        writeln!(out, "          found in step {step}: {}", words::found(claim, &result.case, &result.outcomes, step))?;
        for line in miss.iter().flat_map(|m| words::difference(claim, &result.outcomes[m.step])) {
            writeln!(out, "          {line}")?;
        }
    }
    Ok(())
}

fn first_firing(result: &CaseResult) -> usize {
    let fires = |m: &hookproof_contract::Moment<'_>| matches!(m.what, hookproof_contract::WhatHappens::Fires(_));
    result.case.moments().find(fires).map_or(0, |m| m.number)
}
