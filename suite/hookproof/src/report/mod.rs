//! How results are told: where they go, in which colours, in which form.

pub mod brief;
pub mod counts;
pub mod junit;
mod kept;
pub mod markdown;
pub mod ndjson;
pub mod progress;
pub mod text;

use crate::{baseline::Misfit, exit::Failure, run::Tally, verdict::CaseResult};
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use std::{
    ffi::OsStr,
    fs::File,
    io::{self, BufWriter, ErrorKind, Write},
    path::{Path, PathBuf},
};

/// For what is wrong.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// For what is right.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// For what is not decided.
pub const OPEN: Style = AnsiColor::Yellow.on_default();
/// For names.
pub const NAME: Style = Style::new().bold();
/// For what matters less.
pub const DIM: Style = Style::new().dimmed();

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    const fn choice(self) -> anstream::ColorChoice {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::AlwaysAnsi,
            Color::Never => anstream::ColorChoice::Never,
        }
    }
}

/// Where a command writes.
pub struct Io {
    /// What was asked for.
    pub out: Box<dyn Write>,
    /// Whether to tell more.
    pub verbose: bool,
    color: Color,
}

impl Io {
    /// The streams of this process.
    #[must_use]
    pub fn new(color: Color, verbose: bool) -> Io {
        let out = anstream::AutoStream::new(io::stdout(), color.choice());
        Io { out: Box::new(Quiet { inner: BufWriter::new(out), is_closed: false }), verbose, color }
    }

    /// Writes the report to a file from now on, without colours.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn redirect(&mut self, file: Option<&Path>) -> Result<(), Failure> {
        if let Some(path) = file {
            let file = create(path)?;
            self.out = Box::new(BufWriter::new(anstream::StripStream::new(file)));
        }
        Ok(())
    }

    /// Tells why a command could not do its work.
    pub fn error(&mut self, failure: &Failure) {
        drop(self.out.flush());
        self.note(format_args!("{BAD}error:{BAD:#} {failure}"));
    }

    /// Says something beside the report.
    pub fn note(&self, text: std::fmt::Arguments<'_>) {
        let mut err = anstream::AutoStream::new(io::stderr(), self.color.choice());
        drop(writeln!(err, "{text}"));
    }
}

/// Creates a file that the person named.
///
/// # Errors
///
/// When it cannot be written.
pub fn create(path: &Path) -> Result<File, Failure> {
    File::create(path).map_err(|e| Failure::io("write", path.display(), &e))
}

/// Opens a file that this command has created, to write on.
///
/// # Errors
///
/// When it cannot be written.
pub fn append(path: &Path) -> Result<File, Failure> {
    File::options().append(true).open(path).map_err(|e| Failure::io("write", path.display(), &e))
}

/// The file of a trace. A run goes on without it when it cannot be written any more, and says so once.
pub struct TraceFile {
    path: PathBuf,
    /// None: what comes now is lost.
    file: Option<File>,
}

impl TraceFile {
    /// A trace into a file that was opened; `path` is for the message.
    #[must_use]
    pub fn new(path: &Path, file: File) -> TraceFile {
        TraceFile { path: path.to_owned(), file: Some(file) }
    }
}

impl Write for TraceFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(Err(error)) = self.file.as_mut().map(|file| file.write_all(bytes)) {
            self.file = None;
            let path = self.path.display();
            drop(writeln!(io::stderr(), "warning: the trace breaks off: cannot write {path}: {error}"));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A reader who has seen enough (`hookproof list | head`) is no error.
struct Quiet<W: Write> {
    inner: W,
    is_closed: bool,
}

impl<W: Write> Quiet<W> {
    fn calm<T>(&mut self, result: io::Result<T>, instead: T) -> io::Result<T> {
        match result {
            Err(e) if e.kind() == ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(instead)
            }
            other => other,
        }
    }
}

impl<W: Write> Write for Quiet<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_closed {
            return Ok(bytes.len());
        }
        let written = self.inner.write(bytes);
        self.calm(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.is_closed {
            return Ok(());
        }
        let flushed = self.inner.flush();
        self.calm(flushed, ())
    }
}

/// What is written, without its colours.
fn plain(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<String> {
    let mut told = anstream::StripStream::new(Vec::new());
    write(&mut told)?;
    Ok(String::from_utf8_lossy(&told.into_inner()).into_owned())
}

/// A form of report.
pub trait Report {
    /// Takes a result as it comes.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    fn case(&mut self, result: CaseResult) -> io::Result<()>;

    /// Tells how the failures and the list of known ones agree, before the report is closed.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    fn baseline(&mut self, known: usize, misfits: &[Misfit]) -> io::Result<()>;

    /// Closes the report.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    fn end(&mut self, tally: &Tally) -> io::Result<()>;
}

/// The end of a command line that plays a case again against the same candidate.
#[derive(Clone, Debug, Default)]
pub struct Again {
    /// Options before the case's name.
    pub options: String,
    /// What follows it: ` -- ADAPTER …`, or nothing.
    pub adapter: String,
}

impl Again {
    /// The whole line.
    #[must_use]
    pub fn line(&self, case: &str) -> String {
        format!("hookproof replay{} {}{}", self.options, crate::words::shell(case), self.adapter)
    }

    /// Adds an option.
    pub fn option(&mut self, name: &str, value: impl AsRef<OsStr>) {
        self.options.push_str(&format!(" {name} {}", crate::words::shell(&value.as_ref().to_string_lossy())));
    }
}
