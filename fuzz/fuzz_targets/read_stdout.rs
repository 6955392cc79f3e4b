//! Any bytes as what one handler prints: the model and the reference read them alike.
#![no_main]

use hookproof_fuzz::{agree, one_handler};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((how, out)) = bytes.split_first() else { return };
    let (revision, case) = one_handler(*how, out);
    agree(revision, &case);
});
