//! hookproof proves whether a program that runs agent hooks follows the hooks contract.
//!
//! The library behind the command: a case ([`corpus`], [`select`]) goes to the model, which says what the contract demands, and to
//! a candidate ([`candidate`], [`adapter`], [`builtin`]), which says what it did; the judge compares ([`run`]), and
//! [`report`] tells. The words are explained in `docs/case-language.md`.

pub mod adapter;
pub mod alone;
pub mod baseline;
pub mod bounds;
pub mod builtin;
pub mod candidate;
pub mod cli;
mod commands;
pub mod corpus;
pub mod coverage;
pub mod exit;
pub mod fuzz;
pub mod interrupt;
pub mod pages;
pub mod paths;
pub mod playable;
pub mod posture;
pub mod profile;
pub mod record;
pub mod report;
pub mod run;
pub mod select;
pub mod single;
pub mod smoke;
pub mod trace;
pub mod verdict;
pub mod words;
pub mod written;
