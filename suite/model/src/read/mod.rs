//! What a handler printed, as the contract reads it: plain text, a JSON object, or neither.

pub(crate) mod json;
pub(crate) mod schema;
mod stdout;
pub(crate) mod terminal;

pub use schema::is_valid_output;
pub use stdout::{Stdout, read_stdout};
pub(crate) use stdout::{has_odd_ends, read as read_text, trim};
