//! `diff`: what has changed from one record to another.

use crate::{
    cli::DiffArgs,
    exit::{Exit, Failure},
    record::{Change, Record},
    report::{BAD, GOOD, Io, NAME, OPEN},
};
use std::io::Write;

pub(crate) fn diff(args: &DiffArgs, io: &mut Io) -> Result<Exit, Failure> {
    let (before, after) = (Record::read(&args.before)?, Record::read(&args.after)?);
    let changes = before.changes(&after);
    let out = &mut io.out;
    let mut counts = [0; 5];
    for (name, change) in &changes {
        let (column, told) = match change {
            Change::NewlyFailing(verdict) => (0, format!("{BAD}newly failing{BAD:#}  {NAME}{name}{NAME:#}: {verdict}")),
            Change::NewlyPassing(verdict) => {
                (1, format!("{GOOD}newly passing{GOOD:#}  {NAME}{name}{NAME:#}, which was {verdict}"))
            }
            Change::Changed => (2, format!("{OPEN}changed{OPEN:#}        {name}")),
            Change::Appeared => (3, format!("{OPEN}appeared{OPEN:#}       {name}")),
            Change::Gone => (4, format!("{OPEN}gone{OPEN:#}           {name}")),
        };
        counts[column] += 1;
        writeln!(out, "{told}")?;
    }
    let [failing, passing, changed, appeared, gone] = counts;
    writeln!(
        out,
        "{failing} newly failing, {passing} newly passing, {changed} changed, {appeared} appeared, {gone} gone; of {} cases",
        after.len()
    )?;
    out.flush()?;
    Ok(if failing > 0 { Exit::NotConformant } else { Exit::Conformant })
}
