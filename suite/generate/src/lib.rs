//! The one generator of cases, the one shrinker, and the metamorphic relations.
//!
//! A case is made of bytes: libFuzzer, property tests and `hookproof fuzz` all hand over bytes and get the same case for the
//! same bytes. Every choice reads one byte, its simplest answer stands at zero, and bytes that have run out read as zero: so
//! short inputs are simple cases, and no input fails or goes on for ever.

mod answer;
pub mod canary;
mod conditions;
mod definitions;
mod draw;
mod exports;
mod fields;
mod handler;
mod host;
mod output;
mod plan;
pub mod relations;
pub mod rename;
mod result;
mod settings;
pub mod shrink;
mod steps;
mod tools;

pub use canary::lint;
pub use rename::fresh;
pub use shrink::{shrink, size};

use arbitrary::Unstructured;
use draw::Draw;
use hookproof_contract::Case;
use plan::Plan;

/// How many bytes a seed becomes: more than all but the largest cases read.
const BYTES_OF_A_SEED: usize = 768;

/// The case that these bytes stand for. Total: bytes that have run out are zeros, and zeros are small defaults.
pub fn case(u: &mut Unstructured<'_>) -> Case {
    let mut draw = Draw::new(u);
    let plan = Plan::draw(&mut draw);
    let mut host = host::draw(&mut draw, &plan);
    let (settings, handlers) = settings::draw(&mut draw, &plan);
    let (results, overlay) = result::draw(&mut draw, &plan, &handlers);
    host::environment(&mut draw, &settings, &mut host);
    host::directories(&mut draw, &plan, &results, &mut host);
    let steps = steps::draw(&mut draw, &plan, &host, &settings, overlay);
    let mut case = Case { host, settings, results, steps };
    exports::draw(&mut draw, &plan, &handlers, &mut case);
    definitions::draw(&mut draw, &plan, &mut case);
    case
}

/// The case that these bytes stand for.
#[must_use]
pub fn from_bytes(bytes: &[u8]) -> Case {
    case(&mut Unstructured::new(bytes))
}

/// The case of a seed.
#[must_use]
pub fn from_seed(seed: u64) -> Case {
    let mut state = seed;
    let mut bytes = [0; BYTES_OF_A_SEED];
    for chunk in bytes.chunks_exact_mut(8) {
        chunk.copy_from_slice(&draw::split_mix(&mut state).to_le_bytes());
    }
    from_bytes(&bytes)
}

#[cfg(test)]
mod tests;
