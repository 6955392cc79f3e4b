//! Any bytes as all that an adapter ever writes: the harness reads on, and tells of every line what it is.
#![no_main]

use hookproof::adapter::replies;
use hookproof_contract::message::Reply;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((longest, lines)) = bytes.split_first() else { return };
    // Up to 4 KiB, so that lines that are too long are met as well.
    let longest = usize::from(*longest) * 16;
    let read = replies(lines, longest);
    assert!(read.len() <= lines.split(|byte| *byte == b'\n').count(), "more replies than lines");
    if let Ok(line) = str::from_utf8(lines) {
        drop(Reply::read(line));
    }
});
