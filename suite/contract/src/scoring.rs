//! Whether a rule is scored: it is at depth `resolve`, or it is not for one reason of a closed list. And the requirement sets:
//! for a revision, each rule once, with what is required of it.

use crate::{Chapter, Evidence, Level, PointId, Revision, Rule, RuleId};
use serde::{Deserialize, Deserializer, de};
use std::{fmt, fmt::Write, str::FromStr};

/// Why a rule is not scored at depth `resolve`: the closed list of reasons. A rule of [`Level::May`] or [`Level::Info`] and one
/// whose [`Evidence`] is not values have theirs by that; the others state it in `not_scored`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotScored {
    /// It demands nothing.
    Informative,
    /// What it comes to depends on how this open point is read.
    Open(PointId),
    /// Whatever breaks it breaks one of these more specific rules, by which it is claimed.
    Subsumed(Vec<RuleId>),
    /// It takes processes that really run, or time that really passes.
    NeedsRun,
    /// It takes an agent that really acts: asks a model, calls tools, fires an event at its time.
    NeedsAgent,
    /// It takes Windows.
    NeedsWindows,
    /// It takes a person at a screen.
    NeedsPerson,
    /// It is a demand on hooks, their authors or their documents, not on runtimes.
    AboutHooks,
}

/// What is required of a runtime by a rule, at one revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// The rule holds, and it is scored.
    Scored,
    /// The rule holds, and it is not scored.
    NotScored(NotScored),
    /// The rule holds at other revisions only.
    DoesNotHold,
}

impl Rule {
    /// Why it is not scored; `None`: it is.
    #[must_use]
    pub fn why_not_scored(&self) -> Option<NotScored> {
        if self.level != Level::Must {
            return Some(NotScored::Informative);
        }
        match self.evidence {
            _ if self.not_scored.is_some() => self.not_scored.clone(),
            _ if self.in_part => None,
            Evidence::Values => None,
            Evidence::Host => Some(NotScored::NeedsAgent),
            Evidence::Process | Evidence::Timing => Some(NotScored::NeedsRun),
            Evidence::Interactive => Some(NotScored::NeedsPerson),
        }
    }

    /// Whether it is scored.
    #[must_use]
    pub fn is_scored(&self) -> bool {
        self.why_not_scored().is_none()
    }

    /// What it requires at a revision.
    #[must_use]
    pub fn requirement(&self, revision: Revision) -> Requirement {
        match self.why_not_scored() {
            _ if !self.holds_at(revision) => Requirement::DoesNotHold,
            Some(reason) => Requirement::NotScored(reason),
            None => Requirement::Scored,
        }
    }
}

/// The requirement set of a revision as text: a line for each rule, chapter by chapter.
#[must_use]
pub fn requirements(revision: Revision) -> String {
    let scored = Rule::all().iter().filter(|rule| rule.requirement(revision) == Requirement::Scored).count();
    let mut text = format!("# contract {revision}, depth resolve: {scored} of {} rules are scored\n", RuleId::COUNT);
    for chapter in Chapter::ALL {
        let _ = write!(text, "\n# {chapter}\n");
        for rule in Rule::all().iter().filter(|rule| rule.chapter == *chapter) {
            let _ = writeln!(text, "{} {}", rule.id, rule.requirement(revision));
        }
    }
    text
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Requirement::Scored => f.write_str("scored"),
            Requirement::NotScored(reason) => write!(f, "not scored: {reason}"),
            Requirement::DoesNotHold => f.write_str("does not hold"),
        }
    }
}

impl fmt::Display for NotScored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotScored::Informative => "informative",
            NotScored::Open(point) => return write!(f, "open {}", point.as_str()),
            NotScored::Subsumed(rules) => {
                let rules: Vec<&str> = rules.iter().map(|rule| rule.as_str()).collect();
                return write!(f, "subsumed by {}", rules.join(", "));
            }
            NotScored::NeedsRun => "needs run",
            NotScored::NeedsAgent => "needs agent",
            NotScored::NeedsWindows => "needs windows",
            NotScored::NeedsPerson => "needs a person",
            NotScored::AboutHooks => "about hooks",
        })
    }
}

impl FromStr for NotScored {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        Ok(match s {
            "informative" => NotScored::Informative,
            "needs run" => NotScored::NeedsRun,
            "needs agent" => NotScored::NeedsAgent,
            "needs windows" => NotScored::NeedsWindows,
            "needs a person" => NotScored::NeedsPerson,
            "about hooks" => NotScored::AboutHooks,
            _ => {
                if let Some(point) = s.strip_prefix("open ") {
                    return Ok(NotScored::Open(point.parse()?));
                }
                let rules = s.strip_prefix("subsumed by ").ok_or_else(|| {
                    format!(
                        "`{s}` is no reason: allowed are informative, open A-nn, subsumed by ID, …, needs run, needs agent, \
                         needs windows, needs a person, about hooks"
                    )
                })?;
                NotScored::Subsumed(rules.split(", ").map(str::parse).collect::<Result<_, _>>()?)
            }
        })
    }
}

impl<'de> Deserialize<'de> for NotScored {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::{NotScored, requirements};
    use crate::{Evidence, Level, Revision, Rule};
    use std::{collections::BTreeSet, fs, path::Path};

    #[test]
    fn a_reason_is_written_as_it_is_read_and_the_list_is_closed() {
        for text in ["informative", "open A-96", "subsumed by EXIT-2-02, JSON-CONT-01", "needs run", "needs agent"] {
            assert_eq!(text.parse::<NotScored>().map(|reason| reason.to_string()), Ok(text.to_owned()));
        }
        for text in ["needs windows", "needs a person", "about hooks"] {
            assert_eq!(text.parse::<NotScored>().map(|reason| reason.to_string()), Ok(text.to_owned()));
        }
        for text in ["hard", "open", "open A-9999", "subsumed by", "subsumed by EXIT-2-2", "needs luck"] {
            assert!(text.parse::<NotScored>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_rule_states_why_it_is_not_scored_only_where_that_does_not_follow() {
        for rule in Rule::all() {
            let Some(reason) = &rule.not_scored else { continue };
            assert_eq!(rule.level, Level::Must, "{}: what demands nothing is informative by its level", rule.id);
            assert_ne!(
                *reason,
                NotScored::Informative,
                "{}: a rule that demands something is not informative",
                rule.id
            );
            let by_itself = Rule { not_scored: None, ..rule.clone() }.why_not_scored();
            assert_ne!(by_itself.as_ref(), Some(reason), "{}: that follows from its evidence", rule.id);
            assert!(!rule.in_part, "{}: it cannot be scored in part and not at all", rule.id);
        }
    }

    #[test]
    fn only_what_values_do_not_decide_is_scored_in_part() {
        for rule in Rule::all().iter().filter(|rule| rule.in_part) {
            assert!(rule.level == Level::Must && rule.evidence != Evidence::Values, "{}", rule.id);
        }
    }

    #[test]
    fn the_point_by_which_a_rule_is_open_is_among_its_own() {
        for rule in Rule::all() {
            if let Some(NotScored::Open(point)) = &rule.not_scored {
                assert!(rule.open.iter().any(|name| name == point.as_str()), "{}: {}", rule.id, point.as_str());
            }
        }
    }

    #[test]
    fn a_rule_is_subsumed_by_scored_rules_that_speak_of_its_events() {
        for rule in Rule::all() {
            let Some(NotScored::Subsumed(by)) = &rule.not_scored else { continue };
            for other in by.iter().map(|id| id.rule()) {
                assert!(other.is_scored(), "{}: {} is not scored either", rule.id, other.id);
                let meets = rule.events.is_empty() || rule.events.iter().any(|event| other.speaks_of(*event));
                assert!(meets, "{}: {} speaks of other events", rule.id, other.id);
            }
        }
    }

    #[test]
    fn every_rule_holds_at_a_revision_with_a_frozen_set() {
        for rule in Rule::all() {
            assert!(Revision::KNOWN.iter().any(|revision| rule.holds_at(*revision)), "{}", rule.id);
        }
    }

    #[test]
    fn the_frozen_requirement_sets_are_those_of_the_table() {
        for revision in Revision::KNOWN {
            let file = format!("requirements/{revision}.txt");
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&file);
            let frozen = fs::read_to_string(path).expect("each known revision has a frozen set");
            let computed = requirements(revision);
            let (old, new): (BTreeSet<&str>, BTreeSet<&str>) = (frozen.lines().collect(), computed.lines().collect());
            let gone: Vec<&str> = old.difference(&new).copied().collect();
            let come: Vec<&str> = new.difference(&old).copied().collect();
            assert!(
                frozen == computed,
                "suite/contract/{file} is frozen and the table says otherwise.\n- {}\n+ {}\nwhere that is what you mean, freeze it \
                 anew: cargo run -- requirements --revision {revision} > suite/contract/{file}",
                gone.join("\n- "),
                come.join("\n+ ")
            );
        }
    }

    #[test]
    fn a_requirement_set_has_every_rule_once() {
        for revision in Revision::KNOWN {
            let set = requirements(revision);
            let mut ids: Vec<&str> = set.lines().filter_map(|line| line.split_once(' ')).map(|(id, _)| id).collect();
            ids.retain(|id| *id != "#");
            let unique: BTreeSet<&str> = ids.iter().copied().collect();
            assert_eq!((ids.len(), unique.len()), (Rule::all().len(), Rule::all().len()));
        }
    }
}
