//! How the reference, its faults and its posture variants conduct themselves before the judge.

#![expect(clippy::expect_used, reason = "a test says what is wrong and ends")]

mod cells;
mod counts;
mod faults;
mod faults_doc;
mod finds;
mod postures;
mod redundant;
mod sessions;
mod stage;
