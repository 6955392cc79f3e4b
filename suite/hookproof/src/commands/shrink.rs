//! `shrink`: a failing case, as small as it can be. The case goes to stdout; what is said about it, to stderr.

use super::{exit_of, one_case, opener};
use crate::{
    cli::CaseArgs,
    exit::{Exit, Failure},
    report::{Io, brief},
    run::Options,
    single::Single,
};
use std::io::Write;

pub(crate) fn shrink(args: &CaseArgs, io: &mut Io) -> Result<Exit, Failure> {
    let trial = one_case(&args.case, args.candidate.trace.as_deref())?;
    let opener = opener(&args.candidate);
    let mut single = Single::start(&opener, Options::default())?;
    let (result, tally) = single.play(trial)?;
    let Some(signature) = result.signatures().into_iter().next() else {
        let why = result.why.as_deref().unwrap_or("every claim holds");
        io.note(format_args!(
            "{} does not fail ({}: {why}): there is nothing to shrink",
            result.name,
            result.verdict.name()
        ));
        return Ok(exit_of(&tally, false));
    };
    let small = single.shrink(&result.case, &signature)?;
    let (before, after) = (brief::file(&result.case), brief::file(&small));
    write!(io.out, "{after}")?;
    io.out.flush()?;
    let place = if signature.place.is_empty() { String::new() } else { format!(" at {}", signature.place) };
    io.note(format_args!(
        "from {} bytes to {}; still {}: {}{place}",
        before.len(),
        after.len(),
        signature.kind,
        signature.what
    ));
    Ok(Exit::NotConformant)
}
