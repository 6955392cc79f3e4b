//! Claims: what the contract demands of an outcome.

use crate::{Audience, Field, Manner, Name, Place, Readings, RuleId, Slot, Text};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;

/// One demand on one place. (steps, at, of, path, must) is unique in an expectation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Claim {
    /// First and last step, from 0; left out: every step in which an event fires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<[usize; 2]>,
    /// Where it looks.
    pub at: Place,
    /// The handler meant by `given`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Name>,
    /// A JSON pointer into the value of a slot or a field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Cow<'static, str>>,
    /// What must be there.
    pub must: Must,
    /// The single most specific rule that demands it: the one that fails.
    pub rule: RuleId,
    /// The general rules that it follows from: reported, not scored.
    #[serde(default, skip_serializing_if = "<[RuleId]>::is_empty")]
    pub because: Cow<'static, [RuleId]>,
}

/// What must be at a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Must {
    /// This value: numbers by value, objects without order.
    Be(Value),
    /// One of these values.
    BeOneOf(Vec<Value>),
    /// A value of this kind.
    BeA(Kind),
    /// Nothing: the slot is unchanged, the field is not there (`null` is there).
    Absent,
    /// Exactly these handlers, as a bag.
    RunExactly(Vec<Name>),
    /// At least one text like this.
    Say(Say),
    /// At least one text like one of these.
    SayAny(Vec<Say>),
    /// No text like this.
    NotSay(Say),
}

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(missing_docs, reason = "the names are JSON's own")]
pub enum Kind {
    Bool,
    Number,
    String,
    Array,
    Object,
    AbsolutePath,
    Uuid,
}

/// A text that holds all parts, in this order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Say {
    /// What it holds.
    pub parts: Vec<Text>,
    /// In which manner; binds only where the candidate tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<Manner>,
    /// Where the parts lie.
    #[serde(skip_serializing_if = "Lies::is_default")]
    pub lies: Lies,
}

/// Where the parts of a text lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Lies {
    /// In the text itself, or in the file that it was spilled to.
    #[default]
    InTextOrFile,
    /// In the text itself.
    InText,
    /// A file holds exactly the one part; the text shows at most its first so many characters.
    InFile(usize),
}

impl Lies {
    fn is_default(&self) -> bool {
        *self == Lies::InTextOrFile
    }
}

/// All claims of a case. `claims` hold under every reading of the contract. `worlds` has one entry for each combination of
/// readings of the open points that the case touches, with what only that combination demands; it fails nobody.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Expectation {
    /// What holds in every world.
    pub claims: Vec<Claim>,
    /// What depends on a reading; empty where the case touches no open point.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub worlds: Vec<World>,
}

/// One combination of readings, and what only it demands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct World {
    /// The reading of each open point that was asked about.
    pub readings: Readings,
    /// What it demands beyond the common claims.
    pub claims: Vec<Claim>,
}

impl Say {
    /// A text that holds one part, in a manner.
    #[must_use]
    pub fn one(part: impl Into<Text>, how: Manner) -> Say {
        Say { parts: vec![part.into()], how: Some(how), lies: Lies::default() }
    }
}

impl Claim {
    /// A claim about every firing step.
    #[must_use]
    pub fn new(at: Place, must: Must, rule: RuleId) -> Claim {
        Claim { steps: None, at, of: None, path: None, must, rule, because: Cow::Borrowed(&[]) }
    }

    /// The same claim with the general rules that it follows from.
    #[must_use]
    pub fn because(mut self, rules: &'static [RuleId]) -> Claim {
        self.because = Cow::Borrowed(rules);
        self
    }

    /// The same claim about one step only.
    #[must_use]
    pub fn at_step(mut self, step: usize) -> Claim {
        self.steps = Some([step, step]);
        self
    }

    /// Whether it looks at this step.
    #[must_use]
    pub fn covers(&self, step: usize) -> bool {
        self.steps.is_none_or(|[first, last]| first <= step && step <= last)
    }

    /// Whether it demands that something is *not* there: such a claim is worth something only at a place that has been seen.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        matches!(self.must, Must::NotSay(_) | Must::Absent)
    }

    /// Whether its place and its demand go together.
    ///
    /// # Errors
    ///
    /// Says which demands are allowed at the place.
    pub fn check_form(&self) -> Result<(), String> {
        let (allowed, fits) = match self.at {
            Place::Ran => ("run_exactly", matches!(self.must, Must::RunExactly(_))),
            Place::Fate | Place::Agent => ("be, be_one_of", matches!(self.must, Must::Be(_) | Must::BeOneOf(_))),
            Place::Said(_) => {
                ("say, say_any, not_say", matches!(self.must, Must::Say(_) | Must::SayAny(_) | Must::NotSay(_)))
            }
            // The runtime makes this text, so that no value can be written down for the whole of it.
            Place::Given(Field::Prompt) => {
                let fits = matches!(self.must, Must::BeA(_) | Must::Say(_) | Must::SayAny(_) | Must::NotSay(_));
                ("be_a, say, say_any, not_say", fits)
            }
            Place::Set(_) | Place::Given(_) => (
                "be, be_one_of, be_a, absent",
                matches!(self.must, Must::Be(_) | Must::BeOneOf(_) | Must::BeA(_) | Must::Absent),
            ),
        };
        if !fits {
            return Err(format!("at `{}` the demand must be one of {allowed}", self.at));
        }
        if matches!(self.at, Place::Given(_)) != self.of.is_some() {
            return Err("`of` names the handler where `at` is `given`, and only there".to_owned());
        }
        if self.path.is_some() && !matches!(self.at, Place::Given(_) | Place::Set(_)) {
            return Err("`path` looks into the value of a `set` or a `given`, and nowhere else".to_owned());
        }
        if self.steps.is_some_and(|[first, last]| first > last) {
            return Err("`steps` are first and last: the first comes after the last".to_owned());
        }
        Ok(())
    }
}

/// Shorthands for the model's and the tests' use.
impl Place {
    /// `said/model`.
    pub const TO_MODEL: Place = Place::Said(Audience::Model);
    /// `said/user`.
    pub const TO_USER: Place = Place::Said(Audience::User);
    /// `said/debug`.
    pub const TO_DEBUG: Place = Place::Said(Audience::Debug);
    /// `set/tool_input`.
    pub const TOOL_INPUT: Place = Place::Set(Slot::ToolInput);
    /// `given/input`.
    pub const INPUT: Place = Place::Given(Field::Input);
}

#[cfg(test)]
mod tests {
    use super::{Claim, Must, Place, Say};
    use crate::{Manner, rule};

    #[test]
    fn a_demand_must_fit_its_place() {
        let right = Claim::new(Place::TO_MODEL, Must::Say(Say::one("X", Manner::Context)), rule!("CTX-01"));
        assert_eq!(right.check_form(), Ok(()));
        let wrong = Claim { at: Place::Fate, ..right.clone() };
        assert_eq!(wrong.check_form(), Err("at `fate` the demand must be one of be, be_one_of".to_owned()));
        let stray = Claim { of: Some("guard".into()), ..right.clone() };
        assert!(stray.check_form().is_err());
        let backwards = Claim { steps: Some([3, 2]), ..right };
        assert!(backwards.check_form().is_err());
    }
}
