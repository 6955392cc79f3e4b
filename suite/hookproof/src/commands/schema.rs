//! `schema`: the JSON Schemas.

use crate::{
    cli::{SchemaArgs, SchemaOf},
    exit::{Exit, Failure},
    report::Io,
};
use hookproof_contract::schema;
use std::io::Write;

pub(crate) fn schema(args: &SchemaArgs, io: &mut Io) -> Result<Exit, Failure> {
    let schema = match args.of {
        SchemaOf::Case => schema::case_file(),
        SchemaOf::Outcome => schema::outcome(),
        SchemaOf::Message => schema::message(),
    };
    writeln!(io.out, "{}", serde_json::to_string_pretty(&schema).unwrap_or_default())?;
    io.out.flush()?;
    Ok(Exit::Conformant)
}
