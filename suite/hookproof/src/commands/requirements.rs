//! `requirements`: the requirement set of a revision.

use crate::{
    cli::RequirementsArgs,
    exit::{Exit, Failure},
    report::Io,
};
use hookproof_contract::requirements;
use std::io::Write;

pub(crate) fn run(args: &RequirementsArgs, io: &mut Io) -> Result<Exit, Failure> {
    write!(io.out, "{}", requirements(args.revision))?;
    io.out.flush()?;
    Ok(Exit::Conformant)
}
