//! The options of each command.

use super::values;
use crate::{profile::Profile, select::Filters};
use clap::{Args, ValueEnum};
use hookproof_contract::{Chapter, Event, Level, PointId, Revision, RuleId, Settled};
use std::{ffi::OsString, path::PathBuf};

/// Who is tried.
#[derive(Clone, Debug, Args)]
pub struct CandidateArgs {
    /// A candidate of this program: reference, fault:NAME or posture:NAME [default: reference]
    #[arg(long, value_name = "NAME", conflicts_with = "adapter")]
    pub candidate: Option<String>,
    /// The revision of the contract that a candidate of this program follows; an adapter declares its own
    #[arg(long, value_name = "REVISION", conflicts_with = "adapter", value_parser = values::revision)]
    pub revision: Option<Revision>,
    /// Start the adapter once for each case
    #[arg(long, requires = "adapter")]
    pub exec: bool,
    /// Milliseconds for a case
    #[arg(long, value_name = "MS", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub deadline: u64,
    /// Write the messages to and from the candidate to a file
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// The adapter's command line
    #[arg(last = true, value_name = "ADAPTER")]
    pub adapter: Vec<OsString>,
}

/// Which cases.
#[derive(Clone, Debug, Args)]
pub struct FilterArgs {
    /// Cases whose name holds this
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Cases that name this rule
    #[arg(long = "rule", value_name = "ID")]
    rules: Vec<RuleId>,
    /// Cases in which this event fires
    #[arg(long = "event", value_name = "EVENT", value_parser = values::event)]
    events: Vec<Event>,
    /// Cases of this chapter
    #[arg(long = "chapter", value_name = "CHAPTER", value_parser = values::chapter)]
    chapters: Vec<Chapter>,
    /// Cases that name a rule of this level: must, may or info
    #[arg(long = "level", value_name = "LEVEL", value_parser = values::level)]
    levels: Vec<Level>,
    /// Cases of this profile: core, standard or full (see docs/profiles.md)
    #[arg(long, value_name = "PROFILE", default_value_t = Profile::Full, hide_default_value = true, value_parser = values::profile)]
    profile: Profile,
}

/// Where cases and reports lie.
#[derive(Clone, Debug, Args)]
pub struct CorpusArgs {
    /// Read the case files of a directory instead of the embedded ones
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,
}

/// `run`.
#[derive(Clone, Debug, Args)]
pub struct RunArgs {
    /// Which cases.
    #[command(flatten)]
    pub filters: FilterArgs,
    /// From where.
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// How the report is written: text, ndjson (one JSON event a line, as they come), junit or markdown
    #[arg(long, value_enum, default_value_t = Format::Text, hide_possible_values = true)]
    pub format: Format,
    /// Write the report to a file
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Rename canaries and handlers by this seed; verdicts must not change
    #[arg(long, value_name = "SEED")]
    pub fresh: Option<u64>,
    /// Exit 6 if a case was not decided
    #[arg(long)]
    pub strict: bool,
    /// Hold the failures against a list of known ones: exit 3 if they differ
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fail_fast", "max_fail"])]
    pub baseline: Option<PathBuf>,
    /// Write that list anew
    #[arg(long, requires = "baseline")]
    pub update_baseline: bool,
    /// Stop after the first failure
    #[arg(long, conflicts_with = "max_fail")]
    pub fail_fast: bool,
    /// Stop after so many failures
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_fail: Option<u32>,
    /// Who is tried.
    #[command(flatten)]
    pub candidate: CandidateArgs,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// One JSON event a line, as they come.
    Ndjson,
    /// XML for CI servers.
    Junit,
    /// For a comment on a change.
    Markdown,
}

/// `smoke`.
#[derive(Clone, Debug, Args)]
pub struct SmokeArgs {
    /// From where.
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// Who is tried.
    #[command(flatten)]
    pub candidate: CandidateArgs,
}

/// `fuzz`.
#[derive(Clone, Debug, Args)]
pub struct FuzzArgs {
    /// How many cases at most [default: 10000, or without bound if --seconds is given]
    #[arg(long, value_name = "N")]
    pub cases: Option<u64>,
    /// Start from this seed [default: a new one]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// How many seconds at most
    #[arg(long, value_name = "T")]
    pub seconds: Option<u64>,
    /// Stop after so many kinds of failure
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_fail: u32,
    /// Where failing cases are written
    #[arg(long, value_name = "DIR", default_value = "hookproof-failures", value_parser = values::readable)]
    pub out: PathBuf,
    /// Who is tried.
    #[command(flatten)]
    pub candidate: CandidateArgs,
}

/// `list`.
#[derive(Clone, Debug, Args)]
pub struct ListArgs {
    /// The rules (the default)
    #[arg(id = "list-rules", long = "rules", group = "what")]
    pub rules: bool,
    /// The cases
    #[arg(id = "list-cases", long = "cases", group = "what")]
    pub cases: bool,
    /// The chapters
    #[arg(id = "list-chapters", long = "chapters", group = "what")]
    pub chapters: bool,
    /// The open points
    #[arg(id = "list-points", long = "points", group = "what")]
    pub points: bool,
    /// Which.
    #[command(flatten)]
    pub filters: FilterArgs,
    /// From where.
    #[command(flatten)]
    pub corpus: CorpusArgs,
}

/// `coverage`.
#[derive(Clone, Debug, Args)]
pub struct CoverageArgs {
    /// List the rules that stand so: proven, exercised, unexercised or not-scored
    #[arg(long, value_enum, value_name = "NAME", hide_possible_values = true)]
    pub standing: Option<StandingName>,
    /// Which.
    #[command(flatten)]
    pub filters: FilterArgs,
    /// From where.
    #[command(flatten)]
    pub corpus: CorpusArgs,
}

/// How a rule stands, by the order of the columns of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StandingName {
    /// By a case, a claim and a fault.
    Proven,
    /// By some of these.
    Exercised,
    /// By none.
    Unexercised,
    /// Not there to be judged.
    NotScored,
}

/// `requirements`.
#[derive(Clone, Debug, Args)]
pub struct RequirementsArgs {
    /// The revision of the contract
    #[arg(long, value_name = "REVISION", default_value_t = Revision::NEWEST, value_parser = values::revision)]
    pub revision: Revision,
}

/// `explain`.
#[derive(Clone, Debug, Args)]
pub struct ExplainArgs {
    /// The id of a rule, such as EXIT-2-05, or of an open point, such as A-31
    #[arg(value_name = "ID", value_parser = values::topic)]
    pub topic: Topic,
    /// From where.
    #[command(flatten)]
    pub corpus: CorpusArgs,
}

/// What can be explained.
#[derive(Clone, Copy, Debug)]
pub enum Topic {
    /// A rule.
    Rule(RuleId),
    /// An open point.
    Point(PointId),
    /// A question that is settled.
    Settled(&'static Settled),
}

/// A case by its name or file.
#[derive(Clone, Debug, Args)]
pub struct OneCaseArgs {
    /// The name of a case (`#2` at its end: the second near-miss), a file with a case file or a bare case, or seed-N: what fuzz generates from N
    #[arg(value_name = "CASE")]
    pub case: String,
    /// From where.
    #[command(flatten)]
    pub corpus: CorpusArgs,
}

/// `expect`.
#[derive(Clone, Debug, Args)]
pub struct ExpectArgs {
    /// Which case.
    #[command(flatten)]
    pub case: OneCaseArgs,
    /// The revision of the contract
    #[arg(long, value_name = "REVISION", default_value_t = Revision::NEWEST, value_parser = values::revision)]
    pub revision: Revision,
}

/// `why` and `shrink`.
#[derive(Clone, Debug, Args)]
pub struct CaseArgs {
    /// Which case.
    #[command(flatten)]
    pub case: OneCaseArgs,
    /// Who is tried.
    #[command(flatten)]
    pub candidate: CandidateArgs,
}

/// `replay`.
#[derive(Clone, Debug, Args)]
pub struct ReplayArgs {
    /// Which case.
    #[command(flatten)]
    pub case: OneCaseArgs,
    /// Rename canaries and handlers by this seed first
    #[arg(long, value_name = "SEED")]
    pub fresh: Option<u64>,
    /// Check this metamorphic relation instead of the claims
    #[arg(long, value_name = "NAME", requires = "seed")]
    pub relation: Option<String>,
    /// The seed of the relation
    #[arg(long, value_name = "S", requires = "relation")]
    pub seed: Option<u64>,
    /// Who is tried.
    #[command(flatten)]
    pub candidate: CandidateArgs,
}

/// `snapshot`.
#[derive(Clone, Debug, Args)]
pub struct SnapshotArgs {
    /// The directory, a file a chapter
    #[arg(long, value_name = "DIR", default_value = "hookproof-snapshot", value_parser = values::readable)]
    pub out: PathBuf,
    /// Write nothing: show where it differs from what is there, and exit 3 if it does
    #[arg(long)]
    pub check: bool,
    /// From where.
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// Who is tried.
    #[command(flatten)]
    pub candidate: CandidateArgs,
}

/// `diff`.
#[derive(Clone, Debug, Args)]
pub struct DiffArgs {
    /// The directory of the earlier snapshot
    #[arg(value_name = "BEFORE")]
    pub before: PathBuf,
    /// The directory of the later one
    #[arg(value_name = "AFTER")]
    pub after: PathBuf,
}

/// `pages`.
#[derive(Clone, Debug, Args)]
pub struct PagesArgs {
    /// The directory
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}

/// `schema`.
#[derive(Clone, Copy, Debug, Args)]
pub struct SchemaArgs {
    /// Of what
    #[arg(value_enum)]
    pub of: SchemaOf,
}

/// What has a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// A case file.
    Case,
    /// An outcome.
    Outcome,
    /// A message of the protocol.
    Message,
}

impl FilterArgs {
    /// The filters.
    #[must_use]
    pub fn filters(&self) -> Filters {
        let Self { names, rules, events, chapters, levels, profile } = self.clone();
        Filters { rules, events, chapters, levels, names, profile }
    }
}
