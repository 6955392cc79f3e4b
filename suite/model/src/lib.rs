//! The reference model: pure functions from (revision, readings, case) to what the contract demands of a runtime.
//!
//! Claim-first and table-driven. [`expect`] plays the case once for every combination of readings of the open points that it
//! really asks about; what all of them demand judges, the rest tells postures apart.
//!
//! The way of a case through the model, one folder or file each:
//!
//! ```text
//! settings ─► select (matcher) ─► read (stdout, json, schema, http) ─► chapters/<event> ─► claims
//!                                      asking the Oracle wherever the contract is open
//! ```
//!
//! [`table`] has one row an event; `chapters` has one file for each event's own chapter and for the chapters that all events
//! share. Adding an event is a row and a file.

mod absence;
mod begun;
mod chapters;
mod claims;
mod condition;
mod contradiction;
mod environment;
mod evaluator;
mod matcher;
mod models;
mod once;
mod oracle;
mod pending;
mod permissions;
mod policy;
mod read;
mod running;
mod select;
mod session;
mod settings;
mod shell;
mod sieve;
mod spill;
mod subagents;
mod support;
mod table;
mod voice;
mod worlds;

pub use read::{Stdout, read_stdout};
pub use table::{is_there, modelled, target};
pub use worlds::{MOST_WORLDS, Unsupported, expect};
