//! The command as its users meet it.

#![expect(clippy::expect_used, reason = "a test says what is wrong and ends")]

mod common;

mod cli;
mod files;
mod pages;
mod ratchet;
mod requirements;
mod rough;
mod schemas;
