//! The rule table: every rule of the contract as the project's own data (`rules.json`), one entry a line.

use crate::{Event, NotScored, ids, near};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{fmt, str::FromStr, sync::OnceLock};

/// A rule's id, known to be in the table. Written in code as `rule!("EXIT-2-05")`, which a misspelling does not survive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(u16);

/// The [`RuleId`] of a literal, checked when it is compiled.
#[macro_export]
macro_rules! rule {
    ($id:literal) => {
        const { $crate::RuleId::of_literal($id) }
    };
}

/// One normative, testable statement of the contract.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The stable id.
    pub id: RuleId,
    /// The chapter that it belongs to.
    pub chapter: Chapter,
    /// How binding it is.
    pub level: Level,
    /// What it takes to see whether it is kept.
    #[serde(default)]
    pub evidence: Evidence,
    /// The events that it speaks of; empty: all.
    #[serde(default)]
    pub events: Vec<Event>,
    /// What it says, in our own words.
    pub sentence: String,
    /// The lines of the contract's text that say it; empty where only a neighbouring page of the same revision does.
    #[serde(default)]
    pub lines: Vec<u32>,
    /// The first revision for which it is asserted.
    #[serde(default)]
    pub since: Option<Revision>,
    /// The first revision for which it holds no longer.
    #[serde(default)]
    pub until: Option<Revision>,
    /// Which part of it the gate is about, where that is not the whole.
    #[serde(default)]
    pub gate_note: Option<String>,
    /// The open points that touch it.
    #[serde(default)]
    pub open: Vec<String>,
    /// Whether values decide a part of it, though its evidence is another: it is scored for that part.
    #[serde(default)]
    pub in_part: bool,
    /// Why it is not scored, where neither its level nor its evidence says so. What counts is [`Rule::why_not_scored`].
    #[serde(default)]
    pub not_scored: Option<NotScored>,
}

/// How binding a rule is: only `must` is ever claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Demanded.
    Must,
    /// Allowed or expected; never a claim.
    May,
    /// Background; never a claim.
    Info,
}

/// What it takes to see whether a rule is kept. Values are enough at depth `resolve`; what takes more may be decided by values in part
/// ([`Rule::in_part`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// The values that go in and come out.
    #[default]
    Values,
    /// A runtime that really does something: writes files, asks a model, fires an event at its time.
    Host,
    /// Processes that really start.
    Process,
    /// A person at a screen.
    Interactive,
    /// Time that really passes.
    Timing,
}

macro_rules! chapters {
    ($($variant:ident $name:literal),* $(,)?) => {
        /// A group of sections of the contract: one corpus folder, one snapshot, one page of docs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
        #[expect(missing_docs, reason = "the names say what they group")]
        pub enum Chapter { $(#[serde(rename = $name)] $variant),* }

        impl Chapter {
            /// All chapters, in the contract's order.
            pub const ALL: &[Chapter] = &[$(Chapter::$variant),*];

            /// The name, as used for folders and filters.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Chapter::$variant => $name),* }
            }
        }
    };
}

chapters!(
    Settings "settings", Matchers "matchers", Commands "commands", Http "http", McpTools "mcp-tools", Input "input",
    ExitCodes "exit-codes", Stdout "stdout", Schema "schema", Timeouts "timeouts", Universal "universal", Spill "spill",
    Terminal "terminal", Context "context", Precedence "precedence", Session "session", Instructions "instructions",
    Prompt "prompt", Display "display", Tools "tools", Defer "defer", ToolResults "tool-results", Classifier "classifier",
    Permissions "permissions", Stop "stop", Agents "agents", Workspace "workspace", Worktrees "worktrees",
    Compaction "compaction", ModelSwitch "model-switch", Elicitation "elicitation", Evaluators "evaluators",
    Background "background",
);

impl fmt::Display for Chapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A revision of the contract, such as `2.1.290`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Revision(pub u16, pub u16, pub u16);

impl Revision {
    /// The newest revision, and the one that is judged by unless the candidate declares another.
    pub const NEWEST: Revision = Revision(2, 1, 290);
    /// The oldest one of which enough is known: what went before a gate that is older is mostly untold.
    pub const OLDEST: Revision = Revision(2, 1, 240);
    /// The revisions with a frozen requirement set, oldest first.
    pub const KNOWN: [Revision; 2] = [Revision::OLDEST, Revision::NEWEST];

    /// This revision, if it is one that can be judged by.
    ///
    /// # Errors
    ///
    /// Says which can.
    pub fn known(self) -> Result<Revision, String> {
        if (Revision::OLDEST..=Revision::NEWEST).contains(&self) {
            return Ok(self);
        }
        Err(format!("{self} is not known here; {} to {} are", Revision::OLDEST, Revision::NEWEST))
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

impl FromStr for Revision {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let numbers: Option<Vec<u16>> = s.split('.').map(|n| n.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[a, b, c]) => Ok(Revision(a, b, c)),
            _ => Err(format!("`{s}` is not a revision: three numbers are wanted, such as {}", Revision::NEWEST)),
        }
    }
}

impl Rule {
    /// All rules, in the contract's order.
    #[must_use]
    pub fn all() -> &'static [Rule] {
        static TABLE: OnceLock<Vec<Rule>> = OnceLock::new();
        TABLE.get_or_init(|| {
            #[expect(clippy::expect_used, reason = "the table is compiled in, and a test reads it")]
            serde_json::from_str(include_str!("../rules.json")).expect("rules.json is well-formed")
        })
    }

    /// Whether it holds at a revision.
    #[must_use]
    pub fn holds_at(&self, revision: Revision) -> bool {
        self.since.is_none_or(|since| since <= revision) && self.until.is_none_or(|until| revision < until)
    }

    /// Whether it says anything of an event.
    #[must_use]
    pub fn speaks_of(&self, event: Event) -> bool {
        self.events.is_empty() || self.events.contains(&event)
    }
}

impl RuleId {
    /// How many rules there are.
    pub const COUNT: usize = ids::RULES.len();

    /// The id of a literal. Used by [`rule!`](crate::rule), at compile time.
    ///
    /// # Panics
    ///
    /// When no rule has that id.
    #[must_use]
    pub const fn of_literal(id: &str) -> RuleId {
        match position(id) {
            Some(index) => RuleId(index),
            None => panic!("no rule has this id: see suite/contract/rules.json"),
        }
    }

    /// The id as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        ids::RULES[usize::from(self.0)]
    }

    /// The place in [`Rule::all`], for tables of one entry a rule.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The rule itself.
    #[must_use]
    pub fn rule(self) -> &'static Rule {
        &Rule::all()[self.index()]
    }

    /// Whether the rule holds at a revision.
    #[must_use]
    pub fn holds_at(self, revision: Revision) -> bool {
        self.rule().holds_at(revision)
    }
}

const fn position(id: &str) -> Option<u16> {
    let mut i = 0;
    while i < ids::RULES.len() {
        if same(id.as_bytes(), ids::RULES[i].as_bytes()) {
            #[expect(clippy::cast_possible_truncation, reason = "there are some 1,120 rules")]
            return Some(i as u16);
        }
        i += 1;
    }
    None
}

/// Whether two byte strings are the same, for use in constants.
pub(crate) const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

impl FromStr for RuleId {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let hint = || near::hint(s, ids::RULES.iter().copied(), "hookproof list");
        position(s).map(RuleId).ok_or_else(|| format!("unknown rule `{s}`; {}", hint()))
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for RuleId {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for RuleId {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(de::Error::custom)
    }
}

impl Serialize for Revision {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Revision {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::{Level, Revision, Rule, RuleId};
    use std::collections::BTreeSet;

    #[test]
    fn the_constants_and_the_table_agree() {
        assert_eq!(Rule::all().len(), RuleId::COUNT);
        for (index, rule) in Rule::all().iter().enumerate() {
            assert_eq!(rule.id.index(), index);
        }
    }

    #[test]
    fn ids_are_unique_and_sentences_are_told() {
        let ids: BTreeSet<&str> = Rule::all().iter().map(|r| r.id.as_str()).collect();
        assert_eq!(ids.len(), RuleId::COUNT);
        for rule in Rule::all() {
            assert!(rule.sentence.len() > 20, "{} has no sentence", rule.id);
        }
    }

    #[test]
    fn a_gate_is_half_open() {
        let rule =
            Rule { since: Some(Revision(2, 1, 105)), until: Some(Revision(2, 1, 284)), ..Rule::all()[0].clone() };
        assert!(!rule.holds_at(Revision(2, 1, 104)));
        assert!(rule.holds_at(Revision(2, 1, 105)));
        assert!(rule.holds_at(Revision(2, 1, 283)));
        assert!(!rule.holds_at(Revision(2, 1, 284)));
    }

    #[test]
    fn a_misspelt_id_is_told_its_neighbour() {
        assert_eq!("exit-2-0".parse::<RuleId>(), Err("unknown rule `exit-2-0`; did you mean `EXIT-2-01`?".to_owned()));
        assert_eq!("zzz".parse::<RuleId>(), Err("unknown rule `zzz`; `hookproof list` shows all".to_owned()));
        assert_eq!(rule!("EXIT-2-05").rule().level, Level::Must);
    }
}
