//! Any bytes as a case: it keeps the canary rule, and the model and the reference agree on it.
#![no_main]

use hookproof_fuzz::{REVISIONS, agree};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let case = hookproof_generate::from_bytes(bytes);
    if let Err(why) = hookproof_generate::lint(&case) {
        panic!("the generator made a case without its canaries: {why}\n{case:#?}");
    }
    for revision in REVISIONS {
        agree(revision, &case);
    }
});
