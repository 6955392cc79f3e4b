//! Open points: questions that the contract leaves open, each with named readings. They are an *input* of the model: it
//! never says "unspecified", it asks for the reading of a point.

use crate::{ids, rules::same};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{collections::BTreeMap, fmt, str::FromStr, sync::OnceLock};

/// An open point's id, known to be in the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointId(u8);

/// One way to read an open point. Written in code as `reading!("A-31", "the whole object fails")`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reading {
    /// The point.
    pub point: PointId,
    /// Which of its readings, counted from 0.
    pub index: u8,
}

/// The [`Reading`] of two literals, checked when it is compiled.
#[macro_export]
macro_rules! reading {
    ($point:literal, $reading:literal) => {
        const { $crate::Reading::of_literals($point, $reading) }
    };
}

/// An open point, as `open-points.json` has it. The first reading is the default.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// The stable id, such as `A-31`.
    pub id: PointId,
    /// What the contract leaves open.
    pub question: String,
    /// The ways to read it; the first is the default. `free`: nothing is claimed.
    pub readings: Vec<String>,
    /// The rules that it touches.
    #[serde(default)]
    pub rules: Vec<crate::RuleId>,
}

/// A question that looks open and is not: what the contract says elsewhere, or more specifically, answers it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settled {
    /// The stable id, of the same kind as that of an open point.
    pub id: String,
    /// What might be thought to be open.
    pub question: String,
    /// How it is answered.
    pub answer: String,
    /// The rules that say so.
    pub settled_by: Vec<crate::RuleId>,
}

/// A line of the table.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Open(Point),
    Settled(Settled),
}

/// The whole table, the open points apart from the settled questions.
fn table() -> &'static (Vec<Point>, Vec<Settled>) {
    static TABLE: OnceLock<(Vec<Point>, Vec<Settled>)> = OnceLock::new();
    TABLE.get_or_init(|| {
        #[expect(clippy::expect_used, reason = "the table is compiled in, and a test reads it")]
        let entries: Vec<Entry> =
            serde_json::from_str(include_str!("../open-points.json")).expect("open-points.json is well-formed");
        let (mut open, mut settled) = (Vec::new(), Vec::new());
        for entry in entries {
            match entry {
                Entry::Open(point) => open.push(point),
                Entry::Settled(question) => settled.push(question),
            }
        }
        (open, settled)
    })
}

impl Point {
    /// All open points of the table.
    #[must_use]
    pub fn all() -> &'static [Point] {
        &table().0
    }
}

impl Settled {
    /// All settled questions of the table.
    #[must_use]
    pub fn all() -> &'static [Settled] {
        &table().1
    }

    /// The settled question of an id.
    #[must_use]
    pub fn of(id: &str) -> Option<&'static Settled> {
        Settled::all().iter().find(|settled| settled.id == id)
    }
}

impl PointId {
    /// How many open points there are.
    pub const COUNT: usize = ids::POINTS.len();

    /// The id as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        ids::POINTS[usize::from(self.0)].0
    }

    /// The names of the readings; the first is the default.
    #[must_use]
    pub fn readings(self) -> &'static [&'static str] {
        ids::POINTS[usize::from(self.0)].1
    }

    /// The place in [`Point::all`].
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// All ids.
    pub fn all() -> impl Iterator<Item = PointId> {
        #[expect(clippy::cast_possible_truncation, reason = "there are fewer than 200 points")]
        (0..Self::COUNT).map(|i| PointId(i as u8))
    }
}

impl Reading {
    /// The reading of two literals. Used by [`reading!`](crate::reading), at compile time.
    ///
    /// # Panics
    ///
    /// When there is no such point or it has no such reading.
    #[must_use]
    pub const fn of_literals(point: &str, reading: &str) -> Reading {
        match find(point, reading) {
            Some(found) => found,
            None => panic!("no such reading: see suite/contract/open-points.json"),
        }
    }

    /// The reading's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.point.readings()[usize::from(self.index)]
    }

    /// Finds a reading by its names.
    ///
    /// # Errors
    ///
    /// Says what is allowed there.
    pub fn parse(point: &str, reading: &str) -> Result<Reading, String> {
        let id: PointId = point.parse()?;
        find(point, reading).ok_or_else(|| {
            format!("`{reading}` is not a reading of {id}: allowed are `{}`", id.readings().join("`, `"))
        })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "there are fewer than 200 points, with a few readings each")]
const fn find(point: &str, reading: &str) -> Option<Reading> {
    let mut p = 0;
    while p < ids::POINTS.len() {
        let (id, readings) = ids::POINTS[p];
        if same(point.as_bytes(), id.as_bytes()) {
            let mut r = 0;
            while r < readings.len() {
                if same(reading.as_bytes(), readings[r].as_bytes()) {
                    return Some(Reading { point: PointId(p as u8), index: r as u8 });
                }
                r += 1;
            }
        }
        p += 1;
    }
    None
}

/// A reading for some of the open points; the others have their default.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Readings(Vec<Reading>);

impl Readings {
    /// The reading fixed for a point, if one is.
    #[must_use]
    pub fn get(&self, point: PointId) -> Option<Reading> {
        self.0.iter().copied().find(|r| r.point == point)
    }

    /// Fixes a reading, in place of any other of the same point.
    pub fn set(&mut self, reading: Reading) {
        match self.0.iter_mut().find(|r| r.point == reading.point) {
            Some(old) => *old = reading,
            None => self.0.push(reading),
        }
    }

    /// The readings, in the order in which they were fixed.
    pub fn iter(&self) -> impl Iterator<Item = Reading> + '_ {
        self.0.iter().copied()
    }

    /// How many points have a fixed reading.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no reading is fixed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<Reading> for Readings {
    fn from_iter<I: IntoIterator<Item = Reading>>(readings: I) -> Self {
        let mut all = Readings::default();
        for reading in readings {
            all.set(reading);
        }
        all
    }
}

impl fmt::Display for Readings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, reading) in self.0.iter().enumerate() {
            write!(f, "{}{}: {}", if i == 0 { "" } else { "; " }, reading.point, reading.name())?;
        }
        Ok(())
    }
}

impl FromStr for PointId {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let found = Self::all().find(|p| p.as_str() == s);
        found.ok_or_else(|| format!("unknown open point `{s}`; `hookproof list --points` shows all"))
    }
}

impl fmt::Display for PointId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for PointId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.point, self.name())
    }
}

impl Serialize for PointId {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for PointId {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(de::Error::custom)
    }
}

impl Serialize for Readings {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_map(self.0.iter().map(|r| (r.point, r.name())))
    }
}

impl<'de> Deserialize<'de> for Readings {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let named = BTreeMap::<String, String>::deserialize(d)?;
        named.iter().map(|(point, reading)| Reading::parse(point, reading).map_err(de::Error::custom)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Point, PointId, Reading, Settled};
    use crate::Rule;
    use std::collections::BTreeSet;

    /// The numbers that were given out, the first and the last of each stretch; those from [`LATER`] on came up later, one by one.
    const STRETCHES: [(u16, u16); 11] = [
        (1, 23),
        (30, 41),
        (50, 64),
        (70, 80),
        (90, 98),
        (100, 110),
        (120, 122),
        (130, 132),
        (140, 143),
        (150, 157),
        (160, 175),
    ];
    const LATER: u16 = 180;

    #[test]
    fn every_number_has_one_entry() {
        let ids = Point::all().iter().map(|p| p.id.as_str()).chain(Settled::all().iter().map(|s| s.id.as_str()));
        let numbers: Vec<u16> = ids.map(|id| id[2..].parse().expect("a number")).collect();
        let given: BTreeSet<u16> = numbers.iter().copied().collect();
        assert_eq!(given.len(), numbers.len(), "a number is given twice");
        let later = given.range(LATER..).count();
        let mut wanted: BTreeSet<u16> = STRETCHES.iter().flat_map(|(first, last)| *first..=*last).collect();
        wanted.extend((LATER..).take(later));
        assert_eq!(given, wanted);
    }

    #[test]
    fn a_settled_question_has_an_answer_and_rules_that_give_it() {
        for settled in Settled::all() {
            assert!(settled.question.ends_with('?') && settled.answer.ends_with('.'), "{}", settled.id);
            assert!(!settled.settled_by.is_empty(), "{}: nothing settles it", settled.id);
        }
    }

    #[test]
    fn what_a_rule_leaves_open_is_in_the_table() {
        let is_there = |id: &str| id.parse::<PointId>().is_ok() || Settled::of(id).is_some();
        for rule in Rule::all() {
            for id in &rule.open {
                assert!(is_there(id), "{}: {id}", rule.id);
            }
        }
    }

    #[test]
    fn the_constants_and_the_table_agree() {
        assert_eq!(Point::all().len(), PointId::COUNT);
        for (index, point) in Point::all().iter().enumerate() {
            assert_eq!(point.id.index(), index);
            assert_eq!(point.readings, point.id.readings());
            assert!(
                point.readings.len() >= 2 || point.readings == ["free"],
                "{}: one reading is no question",
                point.id
            );
        }
    }

    #[test]
    fn a_wrong_reading_is_told_what_is_allowed() {
        let point = &Point::all()[0];
        let error = Reading::parse(point.id.as_str(), "whatever").expect_err("there is no such reading");
        assert!(error.contains(&point.readings[0]), "{error}");
        assert!(Reading::parse("A-9999", "x").expect_err("no such point").contains("unknown open point"));
    }
}
