//! When somebody wants an end: SIGINT, SIGTERM, SIGHUP.
//!
//! An adapter runs in a process group of its own, so that no such signal reaches it. So the harness must not simply die: it
//! takes no more cases, ends the adapter, tells what it has found, and only then dies of the signal, as whoever sent it expects.

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag, low_level,
};
use std::{
    ffi::c_int,
    fs,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

/// The signal that came, or 0.
static CAUGHT: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// From now on a first signal is only noted; a second one of the same kind ends the process on the spot. A signal that is ignored
/// (as `nohup` has it) stays so.
pub fn watch() {
    if CAUGHT.get().is_some() {
        return;
    }
    let caught = Arc::clone(CAUGHT.get_or_init(Arc::default));
    let ignored = ignored();
    for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0) {
        let again = Arc::new(AtomicBool::new(false));
        // In this order: the first signal finds the switch off and turns it on. Where it cannot be watched for, it ends the
        // process, as ever.
        let watched = flag::register_conditional_default(signal, Arc::clone(&again))
            .and_then(|_| flag::register(signal, again))
            .and_then(|_| flag::register_usize(signal, Arc::clone(&caught), signal.unsigned_abs() as usize));
        drop(watched);
    }
}

/// The signal that came, if one did.
#[must_use]
pub fn caught() -> Option<c_int> {
    let signal = CAUGHT.get()?.load(Ordering::Relaxed);
    c_int::try_from(signal).ok().filter(|signal| *signal != 0)
}

/// Dies of the signal that came, if one did.
pub fn die() {
    if let Some(signal) = caught() {
        drop(low_level::emulate_default_handler(signal));
    }
}

/// A bit for each signal that this process ignores, as far as the system tells.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
