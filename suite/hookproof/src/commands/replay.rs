//! `replay`: one case, judged.

use super::{again, exit_of, one_case, opener};
use crate::{
    cli::ReplayArgs,
    exit::{Exit, Failure},
    fuzz,
    report::{BAD, GOOD, Io, NAME, OPEN, text},
    run::{Options, Trial},
    single::Single,
    verdict::Verdict,
};
use hookproof_contract::message::Depth;
use hookproof_generate::relations;
use std::io::Write;

pub(crate) fn replay(args: &ReplayArgs, io: &mut Io) -> Result<Exit, Failure> {
    let trial = one_case(&args.case, args.candidate.trace.as_deref())?;
    let opener = opener(&args.candidate);
    let options = Options { fresh: args.fresh, ..Options::default() };
    let mut single = Single::start(&opener, options)?;
    if let (Some(name), Some(seed)) = (&args.relation, args.seed) {
        return relation(name, seed, &trial, &mut single, io);
    }
    text::headline(&mut io.out, single.candidate().hello(), Depth::Resolve)?;
    let (result, tally) = single.play(trial)?;
    let out = &mut io.out;
    if result.verdict.is_bad() {
        let mut again = again(&args.candidate);
        if let Some(seed) = args.fresh {
            again.option("--fresh", seed.to_string());
        }
        text::failure(out, &result, &again)?;
    } else {
        let style = if result.verdict == Verdict::Pass { GOOD } else { OPEN };
        let why = result.why.unwrap_or_else(|| format!("{} claims hold", result.held));
        writeln!(out, "{style}{}{style:#}  {NAME}{}{NAME:#}: {why}", result.verdict.name(), result.name)?;
    }
    out.flush()?;
    Ok(exit_of(&tally, false))
}

fn relation(name: &str, seed: u64, trial: &Trial, single: &mut Single<'_>, io: &mut Io) -> Result<Exit, Failure> {
    let Some(relation) = relations::ALL.iter().find(|r| r.name == name) else {
        let names: Vec<&str> = relations::ALL.iter().map(|r| r.name).collect();
        return Err(Failure::usage(format_args!("unknown relation `{name}`; allowed are {}", names.join(", "))));
    };
    let checked = fuzz::check(single, relation, &trial.case, seed)?;
    let out = &mut io.out;
    let exit = match checked {
        None => {
            writeln!(out, "{OPEN}undetermined{OPEN:#}  {}: relation `{name}` does not speak of this case", trial.name)?;
            Exit::Undetermined
        }
        Some(Ok(())) => {
            writeln!(out, "{GOOD}passed{GOOD:#}  {}: relation `{name}` holds", trial.name)?;
            Exit::Conformant
        }
        Some(Err(why)) => {
            writeln!(
                out,
                "{BAD}failed{BAD:#}  {}: relation `{name}` does not hold ({}): {why}",
                trial.name, relation.about
            )?;
            Exit::NotConformant
        }
    };
    out.flush()?;
    Ok(exit)
}
