//! `expect`: what the contract demands of a case.

use super::one_case;
use crate::{
    cli::ExpectArgs,
    exit::{Exit, Failure},
    report::{DIM, Io, NAME, brief},
    run::Trial,
    words,
};
use hookproof_contract::{Claim, Readings};
use std::io::{self, Write};

pub(crate) fn expect(args: &ExpectArgs, io: &mut Io) -> Result<Exit, Failure> {
    let trial = one_case(&args.case, None)?;
    let expectation =
        hookproof_model::expect(args.revision, &Readings::default(), &trial.case).map_err(|unsupported| {
            Failure::nothing(format_args!("{}: the model does not speak of this case: {unsupported}", trial.name))
        })?;
    heading(&mut io.out, &trial)?;
    let out = &mut io.out;
    if expectation.claims.is_empty() {
        writeln!(out, "under every reading: nothing is demanded")?;
    } else {
        writeln!(out, "under every reading:")?;
    }
    for claim in &expectation.claims {
        writeln!(out, "  {}", row(claim))?;
    }
    for world in &expectation.worlds {
        writeln!(
            out,
            "if {NAME}{}{NAME:#}:{}",
            world.readings,
            if world.claims.is_empty() { " nothing more" } else { "" }
        )?;
        for claim in &world.claims {
            writeln!(out, "  {}", row(claim))?;
        }
    }
    out.flush()?;
    Ok(Exit::Conformant)
}

/// The case's name, sentence and content.
pub(super) fn heading(out: &mut dyn Write, trial: &Trial) -> io::Result<()> {
    writeln!(out, "{NAME}{}{NAME:#}", trial.name)?;
    if !trial.about.is_empty() {
        writeln!(out, "  {}", trial.about)?;
    }
    for line in brief::lines(&trial.case) {
        writeln!(out, "  {DIM}{line}{DIM:#}")?;
    }
    Ok(())
}

/// A claim on one line: steps, place, demand, rule.
pub(super) fn row(claim: &Claim) -> String {
    let steps = match claim.steps {
        None => "each firing".to_owned(),
        Some([first, last]) if first == last => format!("step {first}"),
        Some([first, last]) => format!("steps {first} to {last}"),
    };
    let general: Vec<&str> =
        claim.because.iter().filter(|rule| **rule != claim.rule).map(|rule| rule.as_str()).collect();
    let because = if general.is_empty() { String::new() } else { format!(" (from {})", general.join(", ")) };
    format!("{steps} | {} | {} | {}{because}", words::place(claim), words::demand(&claim.must), claim.rule)
}
