//! How a command ends: the exit codes (`docs/exit-codes.md`), and the one error that a person reads.

use crate::{candidate::Trouble, words};
use hookproof_contract::read::Flaw;
use std::{
    fmt,
    fs::{self, File},
    io::Read,
    path::Path,
};

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
        Failure::usage(format_args!("{file}: {}", words::flaw(flaw)))
    }

    /// A file that cannot be read or written.
    #[must_use]
    pub fn io(doing: &str, file: impl fmt::Display, error: &std::io::Error) -> Failure {
        Failure::usage(format_args!("cannot {doing} {file}: {error}"))
    }

    /// A signal came before the work was done. The process dies of it, so the exit code is never seen.
    #[must_use]
    pub fn interrupted() -> Failure {
        Failure { exit: Exit::Undetermined, message: "a signal ended this before its time".to_owned() }
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
                message.push_str(&words::visible(line));
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

/// The longest file that is read, in bytes. No case comes near it, and a wrong name must not eat the memory.
const LONGEST: usize = 4 << 20;

/// Reads a file that a person named.
///
/// # Errors
///
/// When it cannot be read, is no ordinary file (a pipe or a device might never end), is longer than any case, or holds no text.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    let unreadable = |e: &std::io::Error| Failure::io("read", path.display(), e);
    let wrong = |what: fmt::Arguments<'_>| Failure::usage(format_args!("{}: {what}", path.display()));
    if !fs::metadata(path).map_err(|e| unreadable(&e))?.is_file() {
        return Err(wrong(format_args!("it is no ordinary file")));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|e| unreadable(&e))?;
    file.take(LONGEST as u64 + 1).read_to_end(&mut bytes).map_err(|e| unreadable(&e))?;
    if bytes.len() > LONGEST {
        return Err(wrong(format_args!("it is too long for a case: at most {LONGEST} bytes are allowed")));
    }
    if bytes.starts_with("\u{feff}".as_bytes()) {
        return Err(wrong(format_args!("it begins with a byte order mark: save it as UTF-8 without one")));
    }
    String::from_utf8(bytes).map_err(|e| {
        let valid = e.utf8_error().valid_up_to();
        wrong(format_args!("it is no UTF-8 text: byte {valid} fits no character"))
    })
}

/// Writing to a report's destination failed.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure::usage(format_args!("cannot write the report: {error}"))
    }
}
