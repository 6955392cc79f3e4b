//! Comparing outcomes by what they mean: texts by the canaries that they hold, handlers as a bag, values as they are. The
//! wording of messages, the order of texts and the names of files are nobody's business.

use crate::{canary, rename, rename::Renaming};
use hookproof_contract::{Case, Field, Firing, Outcome, Place, Said, Slot, Spill, WhatHappens};
use serde_json::{Map, Value};
use std::{borrow::Cow, collections::BTreeSet};

/// A case and its changed copy, both played.
#[derive(Clone, Copy, Debug)]
pub struct Plays<'a> {
    /// The case.
    pub before: &'a Case,
    /// What came of it.
    pub was: &'a [Outcome],
    /// The copy.
    pub after: &'a Case,
    /// What came of that.
    pub is: &'a [Outcome],
    /// The places that the candidate observes.
    pub observes: &'a BTreeSet<Place>,
}

/// What a relation leaves out of the comparison.
#[derive(Default)]
pub(super) struct Except<'a> {
    /// Names were changed.
    pub(super) renaming: Option<&'a Renaming>,
    /// These places may differ.
    pub(super) places: &'a [Place],
    /// This handler is new.
    pub(super) handler: Option<&'a str>,
}

impl Plays<'_> {
    /// Whether there is one outcome for each moment in both.
    pub(super) fn check_counts(&self) -> Result<(), String> {
        for (case, outcomes, when) in [(self.before, self.was, "before"), (self.after, self.is, "after")] {
            let wanted = case.moments_count();
            if outcomes.len() != wanted {
                return Err(format!("{when} the change there are {} outcomes for {wanted} steps", outcomes.len()));
            }
        }
        Ok(())
    }

    /// Whether a place was seen in a step of both.
    pub(super) fn sees(&self, place: Place, step: usize) -> bool {
        self.observes.contains(&place) && [self.was, self.is].iter().all(|all| !all[step].unseen.contains(&place))
    }

    /// Whether every observed place is the same in every step.
    pub(super) fn same(&self, except: &Except<'_>) -> Result<(), String> {
        self.check_counts()?;
        let tokens: Vec<String> = rename::used_tokens(self.before).into_iter().collect();
        let new: Vec<String> =
            tokens.iter().map(|t| except.renaming.map_or_else(|| t.clone(), |r| r.string(t))).collect();
        let moments = self.before.moments().zip(self.after.moments());
        for (old, now) in moments {
            let step = old.number;
            for place in self.observes.iter().filter(|p| !except.places.contains(p) && self.sees(**p, step)) {
                let look = |what: WhatHappens<'_>, outcome: &Outcome, tokens: &[String], renaming| {
                    Look { firing: firing(what), outcome, tokens, new: &new, renaming, without: except.handler }
                        .at(*place)
                };
                let was = look(old.what, &self.was[step], &tokens, except.renaming);
                let is = look(now.what, &self.is[step], &new, None);
                if was != is {
                    return Err(format!("step {step}, {place}: before the change {was}, after it {is}"));
                }
            }
        }
        Ok(())
    }
}

/// Two plays come to the same, and nothing is left out.
pub(super) fn same(plays: &Plays<'_>) -> Result<(), String> {
    plays.same(&Except::default())
}

/// The firing, if it is one.
pub(super) fn firing(what: WhatHappens<'_>) -> Option<&Firing> {
    match what {
        WhatHappens::Fires(firing) => Some(firing),
        WhatHappens::Happens(_) => None,
    }
}

/// One outcome, looked at so that it can be compared.
struct Look<'a> {
    firing: Option<&'a Firing>,
    outcome: &'a Outcome,
    /// The canaries to look for, and, in the same order, the names by which they are told.
    tokens: &'a [String],
    new: &'a [String],
    renaming: Option<&'a Renaming>,
    without: Option<&'a str>,
}

impl Look<'_> {
    fn at(&self, place: Place) -> Value {
        match place {
            Place::Ran => {
                let mut names: Vec<String> = self.ran().map(|(name, _)| name).collect();
                names.sort();
                names.into()
            }
            Place::Fate => match self.firing {
                Some(firing) => self.outcome.fate_in(firing).name().into(),
                None => self.outcome.fate.map(|fate| fate.name()).into(),
            },
            Place::Agent => match self.firing {
                Some(firing) => self.outcome.agent_in(firing).name().into(),
                None => self.outcome.agent.map(|agent| agent.name()).into(),
            },
            Place::Said(audience) => {
                let said = self.outcome.said.iter().filter(|said| said.to == audience);
                let texts: Vec<Cow<'_, str>> = said.flat_map(texts).collect();
                let is_held = |token: &str| texts.iter().any(|text| text.contains(token));
                let held = self.tokens.iter().zip(self.new).filter(|(token, _)| is_held(token));
                let mut held: Vec<&str> = held.map(|(_, new)| new.as_str()).collect();
                held.sort_unstable();
                held.into()
            }
            Place::Set(Slot::Environment) => {
                let found = self.outcome.set.get(&Slot::Environment).unwrap_or(&Value::Null);
                self.renaming.map_or_else(|| found.clone(), |renaming| renaming.environment(found))
            }
            Place::Set(slot) => self.outcome.set.get(&slot).map_or(Value::Null, |value| self.renamed(value)),
            Place::Given(field) => self.given(field),
        }
    }

    fn ran(&self) -> impl Iterator<Item = (String, &Map<String, Value>)> {
        self.outcome.ran.iter().filter(|ran| Some(ran.handler.as_ref()) != self.without).map(|ran| {
            let name = self
                .renaming
                .map_or_else(|| ran.handler.as_ref().to_owned(), |r| r.name(&ran.handler).as_ref().to_owned());
            (name, &ran.given)
        })
    }

    /// What each handler was given: the event's own fields and the timeout. Everything else (session, paths, prompt ids) is
    /// new in every run.
    fn given(&self, field: Field) -> Value {
        let mut all: Vec<Value> = Vec::new();
        for (name, given) in self.ran() {
            let value = match (field, given.get(field.name())) {
                (Field::Timeout, Some(timeout)) => timeout.clone(),
                (Field::Input, Some(Value::Object(input))) => {
                    let fixed = |key: &str| {
                        matches!(key, "hook_event_name" | "stop_hook_active")
                            || self.firing.is_some_and(|firing| firing.input.contains_key(key))
                    };
                    let own = input.iter().filter(|(key, _)| fixed(key)).map(|(k, v)| (k.clone(), v.clone()));
                    let own: Map<String, Value> = own.collect();
                    self.renaming.map_or_else(|| Value::Object(own.clone()), |renaming| renaming.given(own.clone()))
                }
                _ => continue,
            };
            all.push(Value::Array(vec![name.into(), value]));
        }
        all.sort_by_cached_key(Value::to_string);
        all.into()
    }

    fn renamed(&self, value: &Value) -> Value {
        self.renaming.map_or_else(|| value.clone(), |renaming| renaming.value(value))
    }
}

/// What was said, and what the file holds that it was spilled to.
fn texts(said: &Said) -> impl Iterator<Item = Cow<'_, str>> {
    let spilled = match &said.spill {
        Some(Spill::Content(text)) => Some(canary::short(text)),
        _ => None,
    };
    std::iter::once(said.text.lossy()).chain(spilled)
}
