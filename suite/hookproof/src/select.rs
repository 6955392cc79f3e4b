//! Which cases a command is about.

use crate::{
    corpus::{Corpus, Entry},
    exit::Failure,
    profile::Profile,
    run::Trial,
};
use hookproof_contract::{Case, CaseFile, Chapter, Event, Level, Point, Rule, RuleId, Step};
use std::{collections::BTreeMap, fmt, sync::Arc};

/// Filters; an empty one lets everything pass. Several values of one filter are alternatives; different filters all have to pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// A case that names one of these rules.
    pub rules: Vec<RuleId>,
    /// A case in which one of these events fires.
    pub events: Vec<Event>,
    /// A case of one of these chapters.
    pub chapters: Vec<Chapter>,
    /// A case that names a rule of one of these levels.
    pub levels: Vec<Level>,
    /// A case whose name holds one of these.
    pub names: Vec<String>,
    /// A case of this profile. A near-miss may lie in another than its case.
    pub profile: Profile,
}

impl Filters {
    /// Whether nothing is filtered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Filters::default()
    }

    /// What can be told without decoding the file.
    #[must_use]
    pub fn may_pass(&self, entry: &Entry) -> bool {
        any(&self.names, |part| entry.name.contains(part.as_str()))
            && entry.chapter.is_none_or(|c| any(&self.chapters, |chapter| *chapter == c))
            && any(&self.rules, |rule| entry.text.contains(rule.as_str()))
    }

    /// Whether a decoded file passes.
    #[must_use]
    pub fn pass(&self, entry: &Entry, file: &CaseFile) -> bool {
        let named = |wanted: &dyn Fn(RuleId) -> bool| file.rules.iter().any(|rule| wanted(*rule));
        self.may_pass(entry)
            && any(&self.rules, |rule| named(&|r| r == *rule))
            && any(&self.levels, |level| named(&|r| r.rule().level == *level))
            && any(&self.events, |event| fires(&file.case, *event))
            && any(&self.chapters, |chapter| {
                entry.chapter.or_else(|| file.rules.first().map(|r| r.rule().chapter)) == Some(*chapter)
            })
    }

    /// Whether a rule passes; names look at its sentence as well.
    #[must_use]
    pub fn pass_rule(&self, rule: &Rule) -> bool {
        self.profile.has_rule(rule)
            && any(&self.rules, |id| *id == rule.id)
            && any(&self.levels, |level| *level == rule.level)
            && any(&self.chapters, |chapter| *chapter == rule.chapter)
            && any(&self.events, |event| rule.events.is_empty() || rule.events.contains(event))
            && any(&self.names, |part| {
                rule.id.as_str().contains(part.as_str()) || rule.sentence.contains(part.as_str())
            })
    }

    /// Whether an open point passes: through one of the rules that it touches, or by its name.
    #[must_use]
    pub fn pass_point(&self, point: &Point) -> bool {
        let touches = |wanted: &dyn Fn(&Rule) -> bool| point.rules.iter().any(|rule| wanted(rule.rule()));
        any(&self.rules, |rule| point.rules.contains(rule))
            && any(&self.levels, |level| touches(&|rule| rule.level == *level))
            && any(&self.chapters, |chapter| touches(&|rule| rule.chapter == *chapter))
            && any(&self.events, |event| touches(&|rule| rule.speaks_of(*event)))
            && any(&self.names, |part| point.id.as_str() == part || point.question.contains(part.as_str()))
    }

    /// The error for filters that leave nothing.
    #[must_use]
    pub fn nothing(&self, of: &str) -> Failure {
        if self.is_empty() {
            return Failure::nothing(format_args!("there are no {of}"));
        }
        Failure::nothing(format_args!("no {of} pass the filters ({self})"))
    }
}

impl fmt::Display for Filters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.rules.iter().map(|r| format!("rule {r}")));
        parts.extend(self.events.iter().map(|e| format!("event {e}")));
        parts.extend(self.chapters.iter().map(|c| format!("chapter {c}")));
        parts.extend(self.levels.iter().map(|l| format!("level {}", level_name(*l))));
        parts.extend((self.profile != Profile::Full).then(|| format!("profile {}", self.profile)));
        parts.extend(self.names.iter().map(|n| format!("name `{n}`")));
        f.write_str(&parts.join(", "))
    }
}

/// The level as filters and reports write it.
#[must_use]
pub const fn level_name(level: Level) -> &'static str {
    match level {
        Level::Must => "must",
        Level::May => "may",
        Level::Info => "info",
    }
}

/// The trials of the cases that pass: each case, then its near-misses. A file is decoded when it is reached.
pub fn trials<'a>(corpus: &'a Corpus, filters: &'a Filters) -> impl Iterator<Item = Result<Trial, Failure>> + 'a {
    let entries = corpus.entries().iter().filter(|entry| filters.may_pass(entry));
    entries.flat_map(move |entry| {
        let made = entry.read().and_then(|file| {
            if filters.pass(entry, &file) {
                variants(&entry.name, corpus.shown(entry), &entry.file, &file)
            } else {
                Ok(Vec::new())
            }
        });
        match made {
            Ok(trials) => {
                let some = trials.into_iter().filter(|trial| trial.profile <= filters.profile);
                some.map(Ok).collect::<Vec<_>>()
            }
            Err(failure) => vec![Err(failure)],
        }
    })
}

/// How many cases a corpus has, near-misses included, by the smallest profile that has them.
///
/// # Errors
///
/// When a case file is wrong.
pub fn census(corpus: &Corpus) -> Result<BTreeMap<Profile, usize>, Failure> {
    let mut census = BTreeMap::new();
    trials(corpus, &Filters::default())
        .inspect(|trial| count(trial, &mut census))
        .try_for_each(|trial| trial.map(drop))?;
    Ok(census)
}

/// Counts a case for a [`census`], as it goes by.
pub(crate) fn count(trial: &Result<Trial, Failure>, census: &mut BTreeMap<Profile, usize>) {
    if let Ok(trial) = trial {
        *census.entry(trial.profile).or_default() += 1;
    }
}

/// A case file's trials: `name`, then `name#1`, `name#2`, … for its near-misses.
///
/// # Errors
///
/// When a near-miss cannot be made.
pub fn variants(name: &str, shown: &str, path: &str, file: &CaseFile) -> Result<Vec<Trial>, Failure> {
    let all = file.variants().map_err(|flaw| Failure::in_file(path, &flaw))?;
    let numbered = |base: &str, i: usize| if i == 0 { base.to_owned() } else { format!("{base}#{i}") };
    Ok(all
        .into_iter()
        .enumerate()
        .map(|(i, (about, case, then))| Trial {
            name: numbered(name, i),
            replay: numbered(shown, i),
            about: about.to_owned(),
            rules: then.iter().map(|claim| claim.rule).collect(),
            profile: Profile::of(&case, &file.rules),
            case: Arc::new(case),
        })
        .collect())
}

fn fires(case: &Case, event: Event) -> bool {
    case.steps.iter().any(|step| matches!(step, Step::Fire(firing) if firing.event == event))
}

fn any<T>(wanted: &[T], passes: impl Fn(&T) -> bool) -> bool {
    wanted.is_empty() || wanted.iter().any(passes)
}

#[cfg(test)]
mod tests {
    use super::{Filters, trials};
    use crate::{corpus::Corpus, exit::Exit};
    use hookproof_contract::{Chapter, Level};

    #[test]
    fn filters_narrow_and_an_empty_selection_says_what_it_was() {
        let corpus = Corpus::embedded().expect("names are unique");
        let all = trials(&corpus, &Filters::default()).count();
        let stop = Filters { chapters: vec![Chapter::Stop], ..Filters::default() };
        let some = trials(&corpus, &stop).count();
        assert!(0 < some && some < all);
        let none = Filters { levels: vec![Level::Info], names: vec!["x y".to_owned()], ..Filters::default() };
        assert_eq!(trials(&corpus, &none).count(), 0);
        let failure = none.nothing("cases");
        assert_eq!(
            (failure.exit, failure.message.as_str()),
            (Exit::NothingSelected, "no cases pass the filters (level info, name `x y`)")
        );
    }

    #[test]
    fn near_misses_are_numbered() {
        let corpus = Corpus::embedded().expect("names are unique");
        let all: Vec<_> = trials(&corpus, &Filters::default()).map(|t| t.expect("well-formed").name).collect();
        assert!(all.iter().any(|n| n.ends_with("#1")) && all.iter().any(|n| !n.contains('#')));
    }
}
