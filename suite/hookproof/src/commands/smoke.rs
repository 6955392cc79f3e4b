//! `smoke`: is the adapter alive at every place that it says it observes?

use super::open;
use crate::{
    candidate::{Ending, Job},
    cli::SmokeArgs,
    corpus::Corpus,
    exit::{Exit, Failure},
    report::{BAD, GOOD, Io, NAME, OPEN, text},
    select::{self, Filters},
    smoke::{self, Plan, Sign},
};
use hookproof_contract::{Place, message::Depth};
use std::{collections::BTreeMap, io::Write, ops::ControlFlow, sync::Arc};

pub(crate) fn smoke(args: &SmokeArgs, io: &mut Io) -> Result<Exit, Failure> {
    let corpus = Corpus::open(args.corpus.corpus.as_deref())?;
    let mut candidate = open(&args.candidate)?;
    let filters = Filters::default();
    let plan = smoke::plan(candidate.hello(), &mut select::trials(&corpus, &filters))?;
    let mut outcomes = BTreeMap::new();
    let mut unanswered = Vec::new();
    let mut jobs = plan.trials.iter().enumerate().map(|(number, trial)| Job { number, case: Arc::clone(&trial.case) });
    let played = candidate.play(&mut jobs, &mut |answer| {
        match answer.end {
            Ending::Played(steps) => drop(outcomes.insert(answer.number, steps)),
            Ending::Errored(why)
            | Ending::Malformed(why)
            | Ending::Crashed(why)
            | Ending::TimedOut(why)
            | Ending::NotPlayed(why) => {
                unanswered.push((answer.number, why));
            }
        }
        ControlFlow::Continue(())
    });
    text::headline(&mut io.out, candidate.hello(), Depth::Resolve)?;
    let signs = smoke::signs(&plan, &outcomes);
    for (place, sign) in &signs {
        tell(io, &plan, *place, *sign)?;
    }
    unanswered.sort();
    for (number, why) in &unanswered {
        writeln!(io.out, "{BAD}no answer{BAD:#}  {}: {why}", plan.trials[*number].name)?;
    }
    let count = |wanted: Sign| signs.values().filter(|sign| **sign == wanted).count();
    let (alive, silent, untried) = (count(Sign::Alive), count(Sign::Silent), count(Sign::NoCase));
    writeln!(
        io.out,
        "{alive} of {} places alive, {silent} silent, {untried} without a case; {} cases played",
        signs.len(),
        plan.trials.len()
    )?;
    io.out.flush()?;
    played?;
    if alive == 0 && silent == 0 {
        return Err(Failure::nothing("no case of the corpus can be played by this candidate"));
    }
    Ok(if silent > 0 || !unanswered.is_empty() { Exit::Adapter } else { Exit::Conformant })
}

fn tell(io: &mut Io, plan: &Plan, place: Place, sign: Sign) -> Result<(), Failure> {
    match sign {
        Sign::Alive => writeln!(io.out, "{GOOD}alive{GOOD:#}    {place}")?,
        Sign::NoCase => writeln!(io.out, "{OPEN}no case{OPEN:#}  {place}")?,
        Sign::Silent => {
            let names: Vec<&str> = plan.places[&place].iter().map(|i| plan.trials[*i].name.as_str()).collect();
            writeln!(
                io.out,
                "{BAD}silent{BAD:#}   {NAME}{place}{NAME:#}: something must be reported there in {}",
                names.join(", ")
            )?;
        }
    }
    Ok(())
}
