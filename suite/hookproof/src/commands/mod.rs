//! The commands, a file each, and what several of them need.

pub(crate) mod coverage;
pub(crate) mod diff;
pub(crate) mod expect;
pub(crate) mod explain;
pub(crate) mod fuzz;
pub(crate) mod list;
pub(crate) mod pages;
pub(crate) mod replay;
pub(crate) mod requirements;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod shrink;
pub(crate) mod smoke;
pub(crate) mod snapshot;
pub(crate) mod why;

use crate::{
    adapter::{self, Exec, External},
    bounds,
    builtin::Builtin,
    candidate::Candidate,
    cli::{CandidateArgs, OneCaseArgs},
    corpus::Corpus,
    exit::{Exit, Failure, read_text},
    interrupt, paths,
    report::{self, Again, TraceFile},
    run::{Tally, Trial},
    select,
    trace::Traced,
    verdict::Verdict,
    words, written,
};
use hookproof_contract::{CaseFile, Revision, near, read};
use std::{cell::Cell, io::BufWriter, path::Path, sync::Arc};

/// What starts the candidate that the arguments name, and starts it again when it is beyond use. The trace of a later start
/// follows that of the first.
fn opener(args: &CandidateArgs) -> impl Fn() -> Result<Box<dyn Candidate>, Failure> {
    let is_first = Cell::new(true);
    move || {
        let how = if is_first.replace(false) { report::create } else { report::append };
        let trace = args.trace.as_deref().map(|path| Ok::<_, Failure>(TraceFile::new(path, how(path)?)));
        start(args, trace.transpose()?)
    }
}

fn open(args: &CandidateArgs) -> Result<Box<dyn Candidate>, Failure> {
    opener(args)()
}

fn start(args: &CandidateArgs, trace: Option<TraceFile>) -> Result<Box<dyn Candidate>, Failure> {
    interrupt::watch();
    let Some((program, rest)) = args.adapter.split_first() else {
        let name = args.candidate.as_deref().unwrap_or("reference");
        let builtin = Box::new(Builtin::named(name, args.revision.unwrap_or(Revision::NEWEST))?);
        return match trace {
            None => Ok(builtin),
            Some(file) => Ok(Box::new(Traced::new(builtin, Box::new(BufWriter::new(file)), args.deadline)?)),
        };
    };
    let mut command = adapter::Command::new(program, rest);
    command.trace = trace.map(|file| adapter::Trace::new(BufWriter::new(file)));
    let limits = adapter::Limits { deadline_ms: args.deadline, ..adapter::Limits::default() };
    if args.exec {
        Ok(Box::new(Exec::start(command, limits)?))
    } else {
        Ok(Box::new(External::start(command, limits)?))
    }
}

/// The options that choose the same candidate again.
fn again(args: &CandidateArgs) -> Again {
    let mut again = Again::default();
    if let Some(name) = args.candidate.as_deref().filter(|name| *name != "reference") {
        again.option("--candidate", name);
    }
    if let Some(revision) = args.revision {
        again.option("--revision", revision.to_string());
    }
    if args.exec {
        again.options.push_str(" --exec");
    }
    if !args.adapter.is_empty() {
        again.adapter.push_str(" --");
        for argument in &args.adapter {
            again.adapter.push(' ');
            again.adapter.push_str(&words::shell_os(argument));
        }
    }
    again
}

/// The case that an argument means: a file, a name of the corpus (`#2` at the end means the second near-miss), or one that `fuzz`
/// generates. A file is not to be overwritten by the trace.
fn one_case(args: &OneCaseArgs, trace: Option<&Path>) -> Result<Trial, Failure> {
    if let Some(seed) = crate::fuzz::seed_of(&args.case).filter(|_| !Path::new(&args.case).exists()) {
        return Ok(crate::fuzz::trial(seed));
    }
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let (base, digits) = match args.case.rsplit_once('#') {
        Some((base, digits)) if is_number(digits) && !Path::new(&args.case).exists() => (base, digits),
        _ => (args.case.as_str(), "0"),
    };
    if Path::new(base).is_file() {
        paths::apart(&[("the case", Some(Path::new(base))), ("--trace", trace)])?;
    }
    let mut all = if Path::new(base).is_file() { from_file(base)? } else { from_corpus(args, base)? };
    // A number that is too large to be read is too large for every case.
    match digits.parse::<usize>() {
        Ok(number) if number < all.len() => Ok(all.swap_remove(number)),
        _ => {
            let near = all.len() - 1;
            Err(Failure::usage(format_args!("{base}: there is no near-miss {digits}: it has {near}, counted from 1")))
        }
    }
}

fn from_corpus(args: &OneCaseArgs, name: &str) -> Result<Vec<Trial>, Failure> {
    if Path::new(name).exists() {
        return Err(Failure::usage(format_args!(
            "`{name}` is no file that could hold a case: it is a directory or a device"
        )));
    }
    let corpus = Corpus::open(args.corpus.corpus.as_deref())?;
    let Some(entry) = corpus.find(name) else {
        let names = corpus.entries().iter().flat_map(|entry| [entry.name.as_str(), entry.stem()]);
        let hint = near::hint(name, names, "hookproof list --cases");
        return Err(Failure::usage(format_args!(
            "no case `{name}`: it is neither a file nor a name of the corpus; {hint}"
        )));
    };
    select::variants(&entry.name, corpus.shown(entry), &entry.file, &entry.read()?)
}

/// A file may hold a case file or a bare case.
fn from_file(path: &str) -> Result<Vec<Trial>, Failure> {
    let text = read_text(Path::new(path))?;
    let value = read::value(&text).map_err(|flaw| Failure::in_file(path, &flaw))?;
    let name = Path::new(path).file_stem().map_or_else(|| path.to_owned(), |s| s.to_string_lossy().into_owned());
    if value.get("case").is_some() {
        let file = CaseFile::read(&text).map_err(|flaw| Failure::in_file(path, &flaw))?;
        bounds::check_file(&file).and_then(|()| written::check(&file)).map_err(|flaw| Failure::in_file(path, &flaw))?;
        return select::variants(&name, path, path, &file);
    }
    let case = read::typed(&value).map_err(|flaw| Failure::in_file(path, &flaw))?;
    bounds::check(&case).map_err(|flaw| Failure::in_file(path, &flaw))?;
    let mut trial = Trial::bare(name, Arc::new(case));
    trial.replay = path.to_owned();
    Ok(vec![trial])
}

/// The exit code of what was found.
fn exit_of(tally: &Tally, strict: bool) -> Exit {
    if tally.trouble.is_some() {
        Exit::Adapter
    } else if tally.bad() > 0 {
        Exit::NotConformant
    } else if tally.count(Verdict::Pass) == 0 || strict && tally.count(Verdict::Undetermined) > 0 {
        Exit::Undetermined
    } else {
        Exit::Conformant
    }
}
