//! How a command ends: the exit codes (`docs/exit-codes.md`), and the one error that a person reads.

use crate::candidate::Trouble;
use hookproof_contract::read::Flaw;
use std::{fmt, fs, path::Path};

/// What an exit code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// Nothing that was checked was broken.
    Conformant = 0,
    /// At least one case failed, crashed or timed out.
    NotConformant = 1,
    /// The command line, or a file that it names, is wrong.
    Usage = 2,
    /// The baseline does not fit what was found.
    Baseline = 3,
    /// The filters leave nothing to do.
    NothingSelected = 4,
    /// The adapter is beyond use.
    Adapter = 5,
    /// Nothing was broken, but not everything was decided.
    Undetermined = 6,
    /// A bug of the suite.
    Internal = 70,
}

/// The table for `--help`.
pub const HELP: &str = "\
Exit codes:
   0  conformant: nothing that was checked was broken
   1  not conformant: a case failed, crashed or timed out
   2  usage: the command line, or a file that it names, is wrong
   3  baseline: the list of known failures does not fit
   4  nothing selected: the filters leave nothing to do
   5  adapter: it could not be started or used
   6  undetermined: with --strict, a case was not decided; without it, none was
  70  internal: a bug of hookproof";

/// Why a command could not do its work: what is printed after `error: `, and the exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    /// What is wrong, in a lower-case fragment.
    pub message: String,
}

impl Failure {
    /// A wrong command line.
    #[must_use]
    pub fn usage(message: impl fmt::Display) -> Failure {
        Failure { exit: Exit::Usage, message: message.to_string() }
    }

    /// A flaw in a file.
    #[must_use]
    pub fn in_file(file: impl fmt::Display, flaw: &Flaw) -> Failure {
        Failure::usage(format_args!("{file}: {flaw}"))
    }

    /// A file that cannot be read or written.
    #[must_use]
    pub fn io(doing: &str, file: impl fmt::Display, error: &std::io::Error) -> Failure {
        Failure::usage(format_args!("cannot {doing} {file}: {error}"))
    }

    /// Nothing to do.
    #[must_use]
    pub fn nothing(message: impl fmt::Display) -> Failure {
        Failure { exit: Exit::NothingSelected, message: message.to_string() }
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Self {
        let mut message = format!("adapter: {trouble}");
        if !trouble.stderr.is_empty() {
            message.push_str("\n  its stderr ends with:");
            for line in trouble.stderr.lines() {
                message.push_str("\n    ");
                message.push_str(line);
            }
        }
        Failure { exit: Exit::Adapter, message }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// Reads a file that a person named.
///
/// # Errors
///
/// When it cannot be read, or holds no text.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    let bytes = fs::read(path).map_err(|e| Failure::io("read", path.display(), &e))?;
    String::from_utf8(bytes).map_err(|e| {
        let valid = e.utf8_error().valid_up_to();
        Failure::usage(format_args!("{}: it is no UTF-8 text: byte {valid} fits no character", path.display()))
    })
}

/// Writing to a report's destination failed.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure::usage(format_args!("cannot write the report: {error}"))
    }
}
