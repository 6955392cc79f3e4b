//! The claims of a world, as they are made.

use hookproof_contract::{
    Agent, Audience, Case, Claim, Fate, Field, Manner, Must, Name, Place, Revision, RuleId, Say, Slot, Text, bare,
    canary,
};
use serde_json::Value;
use std::borrow::Cow;

/// The heading of a notice about a hook that failed.
pub(crate) const HEADING: &str = "hook error";

/// By how many of its tokens a text is looked for at most: nobody writes more, and each is a claim that is compared with all others.
pub(crate) const MOST_TOKENS: usize = 64;

/// Collects the claims of a case, leaving out those whose rule does not hold at the revision.
pub(crate) struct Claims {
    revision: Revision,
    /// Whether the case has more than one step; a claim of a single step names none.
    many: bool,
    /// Whether a person can see what the step that claims are made about shows.
    pub(crate) shown: bool,
    /// The step that claims are made about.
    pub(crate) step: usize,
    made: Vec<Claim>,
}

impl Claims {
    pub(crate) fn new(revision: Revision, case: &Case) -> Self {
        Claims { revision, many: case.moments_count() > 1, shown: true, step: 0, made: Vec::with_capacity(24) }
    }

    /// Others beside them, with nothing in them yet: of a step that is still to come.
    pub(crate) fn apart(&self) -> Self {
        Claims { made: Vec::new(), ..*self }
    }

    /// Makes a claim, if its rule holds at the revision and the same was not demanded before.
    pub(crate) fn make(&mut self, mut claim: Claim) {
        let unwatched =
            !self.shown && claim.at == Place::TO_USER && matches!(claim.must, Must::Say(_) | Must::SayAny(_));
        if unwatched || !claim.rule.holds_at(self.revision) {
            return;
        }
        if self.many {
            claim.steps = Some([self.step, self.step]);
        }
        let same = |c: &Claim| {
            c.steps == claim.steps
                && c.at == claim.at
                && c.of == claim.of
                && c.path == claim.path
                && c.must == claim.must
        };
        if !self.made.iter().any(same) {
            self.made.push(claim);
        }
    }

    /// Demands something at a place.
    pub(crate) fn claim(&mut self, at: Place, must: Must, rule: RuleId, because: &[RuleId]) {
        if rule.holds_at(self.revision) {
            let because: Vec<RuleId> = because.iter().copied().filter(|general| *general != rule).collect();
            let because = if because.is_empty() { Cow::Borrowed(&[][..]) } else { Cow::Owned(because) };
            self.make(Claim { because, ..Claim::new(at, must, rule) });
        }
    }

    /// What becomes of the action.
    pub(crate) fn fate(&mut self, fate: Fate, rule: RuleId, because: &[RuleId]) {
        self.claim(Place::Fate, Must::Be(Value::from(fate.name())), rule, because);
    }

    /// What follows for the agent.
    pub(crate) fn agent(&mut self, agent: Agent, rule: RuleId, because: &[RuleId]) {
        self.claim(Place::Agent, Must::Be(Value::from(agent.name())), rule, because);
    }

    /// Some text to an audience.
    pub(crate) fn say(&mut self, to: Audience, say: Say, rule: RuleId, because: &[RuleId]) {
        self.claim(Place::Said(to), Must::Say(say), rule, because);
    }

    /// None of a text to an audience, where it can be known by its canaries. A text without one could be part of any other.
    pub(crate) fn keep_from(&mut self, to: Audience, text: &str, rule: RuleId) {
        let mut canaries = canary::canaries(text.as_bytes());
        for canary in canaries.next().into_iter().chain(canaries.last()) {
            self.not_say(to, canary, rule, &[]);
        }
    }

    /// No text with this in it to an audience.
    pub(crate) fn not_say(&mut self, to: Audience, part: impl Into<Text>, rule: RuleId, because: &[RuleId]) {
        let say = Say { parts: vec![part.into()], ..Say::default() };
        self.claim(Place::Said(to), Must::NotSay(say), rule, because);
    }

    /// A slot.
    pub(crate) fn set(&mut self, slot: Slot, must: Must, rule: RuleId, because: &[RuleId]) {
        self.claim(Place::Set(slot), must, rule, because);
    }

    /// A value inside what a handler was given.
    pub(crate) fn given(&mut self, of: &Name, field: Field, path: Option<Cow<'static, str>>, must: Must, rule: RuleId) {
        self.make(Claim { of: Some(of.clone()), path, ..Claim::new(Place::Given(field), must, rule) });
    }

    /// All claims, one step each.
    pub(crate) fn into_made(self) -> Vec<Claim> {
        self.made
    }
}

/// Draws claims together that hold over several steps in a row.
pub(crate) fn draw_together(made: Vec<Claim>) -> Vec<Claim> {
    if made.iter().all(|claim| claim.steps.is_none()) {
        return made;
    }
    let mut drawn: Vec<Claim> = Vec::with_capacity(made.len());
    for claim in made {
        let Some([step, _]) = claim.steps else {
            drawn.push(claim);
            continue;
        };
        let before = drawn.iter_mut().find(|c| {
            c.steps.is_some_and(|[_, last]| last + 1 == step)
                && c.rule == claim.rule
                && c.at == claim.at
                && c.of == claim.of
                && c.path == claim.path
                && c.must == claim.must
        });
        match before.and_then(|c| c.steps.as_mut()) {
            Some([_, last]) => *last = step,
            None => drawn.push(claim),
        }
    }
    drawn
}

/// The first characters of a text: enough to know it by.
pub(crate) fn head(text: &str) -> &str {
    let line = bare(bare(text).lines().next().unwrap_or_default());
    line.char_indices().nth(64).map_or(line, |(end, _)| &line[..end])
}

/// A text that holds these parts, in a manner.
pub(crate) fn parts<const N: usize>(parts: [&str; N], how: Manner) -> Say {
    Say { parts: parts.into_iter().map(Text::from).collect(), how: Some(how), ..Say::default() }
}
