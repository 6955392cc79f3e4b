//! The shared language of hookproof: what a case says, what a runtime did, what the contract demands of it, and the one
//! behaviour that all of these share: whether an outcome satisfies a claim.
//!
//! Data only, apart from [`judge`]. No event has a struct of its own: the effects of all 33 events fit in the five places
//! of an [`Outcome`] (ran, fate, agent, said, set). The words are explained in `docs/case-language.md`.
//!
//! serde rules: `deny_unknown_fields` everywhere; enums externally tagged; never `flatten`, `untagged` or `tag = …`, which
//! lose the JSON pointer at which an error is.

pub mod canary;
mod case;
mod case_file;
mod claim;
mod event;
pub mod judge;
pub mod message;
pub mod near;
mod outcome;
pub mod points;
pub mod read;
mod rules;
#[cfg(feature = "schema")]
pub mod schema;
mod scoring;
pub mod surrogates;
mod text;

pub use case::{
    Case, Deed, End, Fact, Fate, Firing, HandlerResult, Happening, Host, Layer, Moment, Name, Permissions, Source,
    Step, Surface, WhatHappens,
};
pub use case_file::{CaseFile, NearMiss, Variant};
pub use claim::{Claim, Expectation, Kind, Lies, Must, Say, World};
pub use event::Event;
pub use outcome::{Agent, Audience, Field, Manner, Outcome, Place, Ran, Said, Slot, Spill};
pub use points::{Point, PointId, Reading, Readings, Settled};
pub use rules::{Chapter, Evidence, Level, Revision, Rule, RuleId};
pub use scoring::{NotScored, Requirement, requirements};
pub use text::{Text, bare};

/// The constants that the build script makes of the two tables.
mod ids {
    include!(concat!(env!("OUT_DIR"), "/ids.rs"));
}
