//! How an adapter is started: its command line, what it may see of the environment, and how far it may go.

use super::diagnosis::Diagnosis;
use crate::candidate::Trouble;
use std::{
    collections::BTreeMap,
    env,
    ffi::{OsStr, OsString},
    fmt,
    io::{self, Write},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    sync::{Arc, Mutex, PoisonError},
};

/// The variables that an adapter gets of the harness's own environment; besides these, all `LC_…`.
const LET_THROUGH: &str =
    "PATH HOME TMPDIR LANG TERM TZ USER LOGNAME SYSTEMROOT SYSTEMDRIVE COMSPEC PATHEXT TEMP USERPROFILE";

/// What starts an adapter. There is no shell in between.
#[derive(Clone, Debug, Default)]
pub struct Command {
    /// The program: a path, or a name to be found in `PATH`.
    pub program: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Variables of the harness's environment that are let through besides the usual ones.
    pub keep: Vec<OsString>,
    /// Variables that are set.
    pub set: BTreeMap<OsString, OsString>,
    /// Where it runs; left out: where the harness runs.
    pub cwd: Option<PathBuf>,
    /// Where the messages are written down, both ways.
    pub trace: Option<Trace>,
}

/// How far an adapter may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Milliseconds for a case, from the later of its sending and the reply before its own.
    pub deadline_ms: u64,
    /// Milliseconds for the handshake.
    pub hello_ms: u64,
    /// Milliseconds to end after `bye`, and again after the polite signal.
    pub grace_ms: u64,
    /// How many bytes of stderr are kept for a case.
    pub stderr_tail: usize,
    /// How long a line of stdout may be, in bytes.
    pub max_line: usize,
    /// How many bytes of requests may be unanswered; one request may always be.
    pub bytes_in_flight: usize,
    /// After how many cases in a row that end the adapter the run ends.
    pub crashes_in_a_row: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            deadline_ms: 5_000,
            hello_ms: 10_000,
            grace_ms: 1_000,
            stderr_tail: 8 << 10,
            max_line: 16 << 20,
            bytes_in_flight: 1 << 20,
            crashes_in_a_row: 10,
        }
    }
}

/// Where the messages of the protocol are written down: a line each, `→` to the adapter, `←` from it.
#[derive(Clone)]
pub struct Trace(Arc<Mutex<dyn Write + Send>>);

impl Trace {
    /// A trace into `out`. What cannot be written is lost; the run goes on.
    pub fn new(out: impl Write + Send + 'static) -> Trace {
        Trace(Arc::new(Mutex::new(out)))
    }

    pub(super) fn note(&self, arrow: &str, line: &[u8]) {
        let mut out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let _lost = out.write_all(&[arrow.as_bytes(), b" ", line, b"\n"].concat()).and_then(|()| out.flush());
    }
}

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Trace")
    }
}

impl Command {
    /// A command with a program and its arguments, and nothing else.
    pub fn new(program: impl Into<OsString>, args: impl IntoIterator<Item = impl Into<OsString>>) -> Command {
        Command { program: program.into(), args: args.into_iter().map(Into::into).collect(), ..Command::default() }
    }

    /// Starts it, at the head of a process group of its own.
    pub(super) fn spawn(&self) -> Result<Child, Trouble> {
        if let Some(cwd) = self.cwd.as_deref().filter(|cwd| !cwd.is_dir()) {
            return Err(
                Diagnosis::MissingDirectory.trouble(format_args!("`{}` is no directory", cwd.display()), String::new())
            );
        }
        let mut command = std::process::Command::new(self.resolved());
        command.args(&self.args).env_clear().envs(self.environment());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        if let Some(cwd) = &self.cwd {
            command.current_dir(cwd);
        }
        command.spawn().map_err(|error| self.not_spawned(&error))
    }

    /// The program. A relative path is meant from where the harness runs, wherever the adapter does.
    fn resolved(&self) -> PathBuf {
        let program = Path::new(&self.program);
        match &self.cwd {
            Some(_) if program.components().count() > 1 => {
                std::path::absolute(program).unwrap_or_else(|_| program.to_owned())
            }
            _ => program.to_owned(),
        }
    }

    fn environment(&self) -> BTreeMap<OsString, OsString> {
        let usual = |name: &OsStr| {
            let name = name.to_string_lossy().to_ascii_uppercase();
            name.starts_with("LC_") || LET_THROUGH.split(' ').any(|usual| usual == name)
        };
        let mut seen: BTreeMap<_, _> =
            env::vars_os().filter(|(name, _)| usual(name) || self.keep.contains(name)).collect();
        seen.extend(self.set.clone());
        seen
    }

    fn not_spawned(&self, error: &io::Error) -> Trouble {
        const WRONG_FORMAT: i32 = 8; // ENOEXEC: neither a binary nor a script that says by what it is run
        let program = self.program.to_string_lossy();
        let (diagnosis, happened) = match error.kind() {
            // A name without a slash is looked for in PATH alone.
            io::ErrorKind::NotFound if !program.contains('/') && Path::new(&self.program).is_file() => (
                Diagnosis::MissingProgram,
                format!("there is no `{program}` in PATH; the file in this directory is `./{program}`"),
            ),
            // The system says the same of a script whose interpreter is missing.
            io::ErrorKind::NotFound if self.resolved().is_file() => (
                Diagnosis::MissingProgram,
                format!("`{program}` is there, but the interpreter in its first line is not"),
            ),
            io::ErrorKind::NotFound => (Diagnosis::MissingProgram, format!("there is no `{program}`")),
            io::ErrorKind::PermissionDenied => (Diagnosis::NotExecutable, format!("`{program}` may not be run")),
            _ if error.raw_os_error() == Some(WRONG_FORMAT) => (
                Diagnosis::NotExecutable,
                format!("`{program}` is no program of this system, nor does a `#!` line say what runs it"),
            ),
            _ => (Diagnosis::NotStarted, format!("`{program}`: {error}")),
        };
        diagnosis.trouble(happened, String::new())
    }
}
