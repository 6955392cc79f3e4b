//! Any bytes as what one handler prints: the model and the reference read them alike.
#![no_main]

use hookproof_fuzz::{agree, one_handler};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let [event, way, out @ ..] = bytes else { return };
    let (revision, case) = one_handler(*event, *way, out);
    agree(revision, &case);
});
