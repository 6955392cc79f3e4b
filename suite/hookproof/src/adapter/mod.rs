//! Candidates outside: an adapter is a program that speaks the protocol over its stdin and stdout.
//!
//! [`External`] keeps one process for all cases, [`Exec`] starts one for each. Whatever an adapter does, every job that was
//! taken gets exactly one answer, in bounded time, and what is wrong with the adapter has a name ([`Diagnosis`]).
//!
//! How blame is laid: a case is blamed for a breakdown only if it was alone in the adapter, in a process that nothing else had
//! used. So when an adapter breaks down with several cases unanswered, these are played again, one at a time in fresh processes,
//! until one of them breaks it. A process that leaves the adapter's process group (a daemon) is out of reach.

mod blame;
mod command;
mod diagnosis;
mod exec;
mod external;
mod head;
mod process;
mod reading;
mod round;
mod stream;

pub use command::{Command, Limits, Trace};
pub use diagnosis::Diagnosis;
pub use exec::Exec;
pub use external::External;
pub use reading::replies;
