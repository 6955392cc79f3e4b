//! Profiles: how much of the contract a runtime sets out to keep. This is the one place that says what is in each.
//!
//! A profile chooses cases and names denominators. It has no part in how a case is judged.

use crate::playable::{self, TYPES};
use hookproof_contract::{Case, Chapter, Event, Rule, RuleId, WhatHappens};
use serde::Serialize;
use serde_json::Value;
use std::fmt;

/// How much of the contract: each holds those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// Five events with command hooks: what guards, feeds and checks an agent. Within reach of a new runtime on its first day.
    Core,
    /// What most hooks in use rely on: HTTP hooks, permissions, subagents, compaction, long texts.
    Standard,
    /// Everything that is tested.
    #[default]
    Full,
}

/// What is in a profile.
struct Extent {
    events: &'static [Event],
    handlers: &'static [&'static str],
    capabilities: &'static [&'static str],
    chapters: &'static [Chapter],
}

const CORE: Extent = Extent {
    events: &[Event::SessionStart, Event::UserPromptSubmit, Event::PreToolUse, Event::PostToolUse, Event::Stop],
    handlers: &["command"],
    capabilities: &["session"],
    chapters: &[
        Chapter::Settings,
        Chapter::Matchers,
        Chapter::Input,
        Chapter::ExitCodes,
        Chapter::Stdout,
        Chapter::Schema,
        Chapter::Timeouts,
        Chapter::Universal,
        Chapter::Context,
        Chapter::Precedence,
        Chapter::Session,
        Chapter::Prompt,
        Chapter::Tools,
        Chapter::ToolResults,
        Chapter::Stop,
    ],
};

const STANDARD: Extent = Extent {
    events: &[
        Event::SessionStart,
        Event::SessionEnd,
        Event::UserPromptSubmit,
        Event::UserPromptExpansion,
        Event::PreToolUse,
        Event::PermissionRequest,
        Event::PermissionDenied,
        Event::PostToolUse,
        Event::PostToolUseFailure,
        Event::PostToolBatch,
        Event::Notification,
        Event::SubagentStart,
        Event::SubagentStop,
        Event::Stop,
        Event::StopFailure,
        Event::PreCompact,
        Event::PostCompact,
    ],
    handlers: &["command", "http"],
    capabilities: &["session", "if", "async", "agents", "trust"],
    chapters: &[
        Chapter::Settings,
        Chapter::Matchers,
        Chapter::Commands,
        Chapter::Http,
        Chapter::Input,
        Chapter::ExitCodes,
        Chapter::Stdout,
        Chapter::Schema,
        Chapter::Timeouts,
        Chapter::Universal,
        Chapter::Spill,
        Chapter::Terminal,
        Chapter::Context,
        Chapter::Precedence,
        Chapter::Session,
        Chapter::Prompt,
        Chapter::Display,
        Chapter::Tools,
        Chapter::ToolResults,
        Chapter::Permissions,
        Chapter::Stop,
        Chapter::Agents,
        Chapter::Compaction,
    ],
};

const FULL: Extent = Extent {
    events: &Event::ALL,
    handlers: &TYPES,
    capabilities: &["session", "if", "async", "once", "agents", "trust", "policy"],
    chapters: Chapter::ALL,
};

impl Profile {
    /// All of them, the smallest first.
    pub const ALL: [Profile; 3] = [Profile::Core, Profile::Standard, Profile::Full];

    /// The name by which the command line knows it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Profile::Core => "core",
            Profile::Standard => "standard",
            Profile::Full => "full",
        }
    }

    /// The events whose firing is in it.
    #[must_use]
    pub fn events(self) -> &'static [Event] {
        self.extent().events
    }

    /// The handler types that are in it.
    #[must_use]
    pub fn handlers(self) -> &'static [&'static str] {
        self.extent().handlers
    }

    /// What a candidate declares that is given all of it.
    #[must_use]
    pub fn capabilities(self) -> &'static [&'static str] {
        self.extent().capabilities
    }

    /// The chapters whose rules are in it.
    #[must_use]
    pub fn chapters(self) -> &'static [Chapter] {
        self.extent().chapters
    }

    /// Whether it has a rule: its chapter is in it, and an event that the rule speaks of.
    #[must_use]
    pub fn has_rule(self, rule: &Rule) -> bool {
        self.chapters().contains(&rule.chapter)
            && (rule.events.is_empty() || rule.events.iter().any(|event| self.events().contains(event)))
    }

    /// The smallest profile that has a case: every event that fires in it, every type of handler in its settings, every capability
    /// that it takes, and the chapters of all rules that its case file is about.
    #[must_use]
    pub fn of(case: &Case, rules: &[RuleId]) -> Profile {
        Profile::ALL.into_iter().find(|profile| profile.has_case(case, rules)).unwrap_or_default()
    }

    fn has_case(self, case: &Case, rules: &[RuleId]) -> bool {
        let fires = |what| match what {
            WhatHappens::Fires(firing) => self.events().contains(&firing.event),
            WhatHappens::Happens(_) => true,
        };
        let mut types = playable::handlers(case).filter_map(|handler| handler.get("type").and_then(Value::as_str));
        rules.iter().all(|rule| self.chapters().contains(&rule.rule().chapter))
            && types.all(|kind| self.handlers().contains(&kind) || !TYPES.contains(&kind))
            && playable::needs(case).all(|capability| self.capabilities().contains(&capability))
            && case.moments().all(|moment| fires(moment.what))
    }

    const fn extent(self) -> &'static Extent {
        match self {
            Profile::Core => &CORE,
            Profile::Standard => &STANDARD,
            Profile::Full => &FULL,
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Profile;
    use crate::{
        corpus::Corpus,
        playable::playable,
        run::Trial,
        select::{Filters, trials},
    };
    use hookproof_contract::{Chapter, Readings, Revision, Rule, message::Depth};
    use std::{fs, path::Path};

    fn of_profile(profile: Profile) -> Vec<Trial> {
        let corpus = Corpus::embedded().expect("names are unique");
        let filters = Filters { profile, ..Filters::default() };
        trials(&corpus, &filters).map(|trial| trial.expect("well-formed")).collect()
    }

    #[test]
    fn each_profile_holds_the_one_before_it() {
        for pair in Profile::ALL.windows(2) {
            let [small, large] = [pair[0], pair[1]];
            assert!(small < large);
            assert!(small.events().iter().all(|event| large.events().contains(event)));
            assert!(small.handlers().iter().all(|kind| large.handlers().contains(kind)));
            assert!(small.capabilities().iter().all(|name| large.capabilities().contains(name)));
            assert!(small.chapters().iter().all(|chapter| large.chapters().contains(chapter)));
            assert!(of_profile(small).len() < of_profile(large).len());
        }
        assert_eq!(Profile::default(), Profile::Full);
        assert!(Rule::all().iter().all(|rule| Profile::Full.has_rule(rule)));
        assert_eq!(Profile::Full.chapters(), Chapter::ALL);
        let all = hookproof_reference::hello().capabilities;
        assert!(all.iter().all(|name| Profile::Full.capabilities().contains(&name.as_str())));
    }

    /// Otherwise a runtime that keeps all of a profile could fail in it.
    #[test]
    fn a_case_of_a_profile_is_judged_by_rules_of_that_profile() {
        for profile in Profile::ALL {
            for trial in of_profile(profile) {
                let expectation = hookproof_model::expect(Revision::NEWEST, &Readings::default(), &trial.case);
                let expectation = expectation.expect("the corpus is modelled");
                let worlds = expectation.worlds.iter().flat_map(|world| &world.claims);
                let rules = expectation.claims.iter().chain(worlds).map(|claim| claim.rule);
                let stranger = rules.into_iter().find(|rule| !profile.has_rule(rule.rule()));
                assert_eq!(stranger, None, "{} in {profile}", trial.name);
            }
        }
    }

    #[test]
    fn a_runtime_of_five_events_with_command_hooks_is_given_all_of_core() {
        let mut hello = hookproof_reference::hello();
        hello.events = Profile::Core.events().iter().copied().collect();
        hello.handlers = ["command".to_owned()].into();
        hello.capabilities = ["session".to_owned()].into();
        assert_eq!(hello.events.len(), 5);
        for trial in of_profile(Profile::Core) {
            assert_eq!(playable(&trial.case, Depth::Resolve, &hello), Ok(()), "{}", trial.name);
        }
    }

    #[test]
    fn the_page_about_profiles_has_what_is_in_each() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/profiles.md");
        let page = fs::read_to_string(page).expect("the page is there");
        for profile in [Profile::Core, Profile::Standard] {
            let names = |names: Vec<&str>| names.join(", ");
            let row = format!(
                "| `{profile}` | {} | {} | {} | {} |",
                names(profile.events().iter().map(|event| event.name()).collect()),
                names(profile.handlers().to_vec()),
                names(profile.capabilities().to_vec()),
                names(profile.chapters().iter().map(|chapter| chapter.name()).collect())
            );
            assert!(page.contains(&row), "docs/profiles.md lacks the row\n{row}");
        }
    }
}
