//! The command line: what can be asked, and in which words.

mod args;
mod values;

pub use args::{
    CandidateArgs, CaseArgs, CorpusArgs, CoverageArgs, DiffArgs, ExpectArgs, ExplainArgs, FilterArgs, Format, FuzzArgs,
    ListArgs, OneCaseArgs, PagesArgs, ReplayArgs, RequirementsArgs, RunArgs, SchemaArgs, SchemaOf, SmokeArgs,
    SnapshotArgs, StandingName, Topic,
};

use crate::{
    commands,
    exit::{self, Exit, Failure},
    interrupt,
    report::{Color, Io},
};
use clap::{Parser, Subcommand};
use std::{
    env,
    io::{self, ErrorKind, Write},
    process::ExitCode,
};

/// Proves whether a program that runs agent hooks follows the hooks contract.
#[derive(Debug, Parser)]
#[command(name = "hookproof", version, after_help = exit::HELP, disable_help_subcommand = true)]
struct Cli {
    /// When to use colours: auto (heeds NO_COLOR), always or never
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN", hide_possible_values = true)]
    color: Color,
    /// Tell more: every case, every failure in full
    #[arg(short, long, global = true)]
    verbose: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play the corpus and judge every case
    Run(RunArgs),
    /// Check that the adapter reports something at each place that it says it observes
    Smoke(SmokeArgs),
    /// Play generated cases until a bound is reached; shrink and keep what fails
    Fuzz(FuzzArgs),
    /// List rules, cases, chapters or open points
    List(ListArgs),
    /// Tell how far the rules are proven: by cases, claims and faults
    Coverage(CoverageArgs),
    /// Print what a revision of the contract requires: each rule once, scored or not, and why not
    Requirements(RequirementsArgs),
    /// Explain a rule or an open point
    Explain(ExplainArgs),
    /// Show what the contract demands of a case
    Expect(ExpectArgs),
    /// Play one case and explain every claim
    Why(CaseArgs),
    /// Play one case and judge it
    Replay(ReplayArgs),
    /// Make a failing case as small as it can be
    Shrink(CaseArgs),
    /// Write down what the candidate does in every case, or hold it against what was written down
    Snapshot(SnapshotArgs),
    /// Tell what has changed between two snapshots
    Diff(DiffArgs),
    /// Write the pages about the rules, one a chapter
    Pages(PagesArgs),
    /// Print a JSON Schema
    Schema(SchemaArgs),
}

impl Command {
    /// Whether it tries a candidate.
    const fn has_candidate(&self) -> bool {
        match self {
            Self::Run(_) | Self::Smoke(_) | Self::Fuzz(_) | Self::Why(_) | Self::Replay(_) | Self::Shrink(_) => true,
            Self::Snapshot(_) => true,
            Self::List(_)
            | Self::Coverage(_)
            | Self::Requirements(_)
            | Self::Explain(_)
            | Self::Expect(_)
            | Self::Pages(_)
            | Self::Schema(_)
            | Self::Diff(_) => false,
        }
    }
}

/// Runs the command of this process.
#[must_use]
pub fn main() -> ExitCode {
    own_up();
    let exit = guarded(|| {
        let cli = match Cli::try_parse() {
            Ok(cli) => cli,
            Err(error) => {
                // Help and version are asked for: they are no error, but for a place where they cannot be written.
                let lost = error.print().is_err_and(|e| e.kind() != ErrorKind::BrokenPipe);
                return if error.use_stderr() || lost { Exit::Usage } else { Exit::Conformant };
            }
        };
        let mut io = Io::new(cli.color, cli.verbose);
        if cli.command.has_candidate() && env::args_os().next_back().is_some_and(|last| last == "--") {
            // Silence would try the reference instead, and say that all is well.
            io.error(&Failure::usage("no adapter: behind `--` stands the command line that starts it"));
            return Exit::Usage;
        }
        dispatch(&cli.command, &mut io).unwrap_or_else(|failure: Failure| {
            io.error(&failure);
            failure.exit
        })
    });
    interrupt::die();
    ExitCode::from(exit as u8)
}

fn dispatch(command: &Command, io: &mut Io) -> Result<Exit, Failure> {
    match command {
        Command::Run(args) => commands::run::run(args, io),
        Command::Smoke(args) => commands::smoke::smoke(args, io),
        Command::Fuzz(args) => commands::fuzz::fuzz(args, io),
        Command::List(args) => commands::list::list(args, io),
        Command::Coverage(args) => commands::coverage::run(args, io),
        Command::Requirements(args) => commands::requirements::run(args, io),
        Command::Explain(args) => commands::explain::explain(args, io),
        Command::Expect(args) => commands::expect::expect(args, io),
        Command::Why(args) => commands::why::why(args, io),
        Command::Replay(args) => commands::replay::replay(args, io),
        Command::Shrink(args) => commands::shrink::shrink(args, io),
        Command::Snapshot(args) => commands::snapshot::snapshot(args, io),
        Command::Diff(args) => commands::diff::diff(args, io),
        Command::Pages(args) => commands::pages::run(args, io),
        Command::Schema(args) => commands::schema::schema(args, io),
    }
}

/// Says of a panic that it is a bug of ours.
fn own_up() {
    std::panic::set_hook(Box::new(|info| {
        // Not `eprintln!`, which panics where stderr cannot be written.
        let told = writeln!(
            io::stderr(),
            "error: internal: {info}\nthis is a bug of hookproof: please report it with the command line that shows it"
        );
        drop(told);
    }));
}

/// A panic has an exit code of its own.
fn guarded(work: impl FnOnce() -> Exit) -> Exit {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or(Exit::Internal)
}

#[cfg(test)]
mod tests {
    use super::{Cli, guarded};
    use crate::exit::Exit;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_panic_has_an_exit_code_of_its_own() {
        std::panic::set_hook(Box::new(|_| {}));
        assert_eq!(guarded(|| panic!("on purpose")), Exit::Internal);
        drop(std::panic::take_hook());
        assert_eq!(Exit::Internal as u8, 70);
    }
}
