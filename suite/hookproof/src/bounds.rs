//! How large a case may be. What a case demands is looked at handler by handler and step by step, each beside all others, so that
//! a slip (`"times": 4000000000`) would keep the model busy for days. No case that anybody wants comes near the bound.

use crate::playable::handlers;
use hookproof_contract::{Case, CaseFile, read::Flaw};

/// How many handlers times how many steps, repeats counted.
const MOST: usize = 2_000;

/// Checks a case.
///
/// # Errors
///
/// When it is too large; the pointer is one into the case.
pub fn check(case: &Case) -> Result<(), Flaw> {
    let (steps, handlers) = (case.moments_count(), handlers(case).count());
    if steps.saturating_mul(handlers.max(1)) <= MOST {
        return Ok(());
    }
    let pointer = if steps > handlers { "/steps" } else { "/settings" };
    Err(Flaw::at(
        pointer,
        format_args!(
            "the case is too large: its steps, repeats counted, times its handlers are {steps} × {handlers}; at most {MOST} are allowed"
        ),
    ))
}

/// Checks the cases of a file: its own and those of its near-misses.
///
/// # Errors
///
/// As [`check`], or when a near-miss cannot be made; the pointer is one into the file.
pub fn check_file(file: &CaseFile) -> Result<(), Flaw> {
    check(&file.case).map_err(|flaw| flaw.under("/case"))?;
    for (i, (_, case, _)) in file.variants()?.iter().enumerate().skip(1) {
        check(case).map_err(|flaw| Flaw::at(format!("/but/{}/change", i - 1), flaw.message))?;
    }
    Ok(())
}
