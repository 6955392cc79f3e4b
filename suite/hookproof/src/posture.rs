//! The observed posture: which reading of each open point a candidate shows.
//!
//! Each case with open points tells which worlds hold entirely. A point keeps the readings that some world of every such case
//! allows. That is a projection: it never excludes a reading that the candidate could have.

use hookproof_contract::{PointId, Readings, World, judge::Judgement};
use std::collections::{BTreeMap, BTreeSet};

/// What cases have shown of the readings.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    points: BTreeMap<PointId, Shown>,
    /// Cases in which no combination of readings explains what the candidate did, though it did nothing wrong.
    pub unexplained: Vec<String>,
}

/// What is known of one point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The readings, by index, that fit every case so far; empty: no single one does.
    pub fits: BTreeSet<u8>,
    /// The case that last narrowed them.
    pub narrowed_by: Option<String>,
    /// The two cases that contradict each other.
    pub contradiction: Option<(String, String)>,
}

impl Observed {
    /// Takes in a case: its worlds, and what the judge says of it.
    pub fn see(&mut self, case: &str, worlds: &[World], judgement: &Judgement) {
        if worlds.is_empty() {
            return;
        }
        let held: Vec<&World> = judgement.worlds.iter().filter_map(|i| worlds.get(*i)).collect();
        if held.is_empty() {
            // What went wrong is told where it did; no reading was ever to explain it.
            if judgement.is_clean() {
                self.unexplained.push(case.to_owned());
            }
            return;
        }
        let asked: BTreeSet<PointId> = worlds.iter().flat_map(|w| w.readings.iter().map(|r| r.point)).collect();
        for point in asked {
            let shown = self.points.entry(point).or_insert_with(|| Shown { fits: all(point), ..Shown::default() });
            // A world that does not ask about the point fits each of its readings.
            if held.iter().any(|w| w.readings.get(point).is_none()) {
                continue;
            }
            shown.narrow(case, held.iter().filter_map(|w| w.readings.get(point)).map(|r| r.index).collect());
        }
    }

    /// The points that cases have asked about.
    pub fn points(&self) -> impl Iterator<Item = (PointId, &Shown)> {
        self.points.iter().map(|(point, shown)| (*point, shown))
    }

    /// The readings that are settled: one is left of several.
    #[must_use]
    pub fn settled(&self) -> Readings {
        let one = self.points.iter().filter(|(_, shown)| shown.fits.len() == 1);
        one.filter_map(|(point, shown)| {
            shown.fits.first().map(|index| hookproof_contract::Reading { point: *point, index: *index })
        })
        .collect()
    }
}

impl Shown {
    fn narrow(&mut self, case: &str, fitting: BTreeSet<u8>) {
        if self.contradiction.is_some() {
            return;
        }
        let both: BTreeSet<u8> = self.fits.intersection(&fitting).copied().collect();
        if both.len() == self.fits.len() {
            return;
        }
        if both.is_empty() {
            self.contradiction = Some((self.narrowed_by.clone().unwrap_or_default(), case.to_owned()));
        }
        self.narrowed_by = Some(case.to_owned());
        self.fits = both;
    }

    /// What is known, in words.
    #[must_use]
    pub fn words(&self, point: PointId) -> String {
        if let Some((one, other)) = &self.contradiction {
            return format!("no single reading: {one} and {other} contradict each other");
        }
        let names: Vec<&str> = self.fits.iter().map(|i| point.readings()[usize::from(*i)]).collect();
        match names.len() {
            n if n == point.readings().len() => "not shown".to_owned(),
            _ => names.join(", or "),
        }
    }
}

fn all(point: PointId) -> BTreeSet<u8> {
    (0..point.readings().len()).filter_map(|i| u8::try_from(i).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::Observed;
    use hookproof_contract::{
        Reading, World,
        judge::{Harm, Judgement, Miss},
        reading,
    };

    fn world(readings: &[Reading]) -> World {
        World { readings: readings.iter().copied().collect(), claims: Vec::new() }
    }

    /// Nothing is broken, and these worlds hold.
    fn holding(worlds: &[usize]) -> Judgement {
        Judgement { worlds: worlds.to_vec(), ..Judgement::default() }
    }

    #[test]
    fn a_point_keeps_what_every_case_allows() {
        let fails = reading!("A-31", "the object fails");
        let worlds = [world(&[fails]), world(&[reading!("A-31", "the field is dropped")])];
        let mut observed = Observed::default();
        observed.see("none", &[], &holding(&[]));
        observed.see("both", &worlds, &holding(&[0, 1]));
        let words = |o: &Observed| o.points().map(|(p, s)| s.words(p)).collect::<Vec<_>>();
        assert_eq!(words(&observed), ["not shown"]);
        observed.see("one", &worlds, &holding(&[0]));
        assert_eq!(words(&observed), ["the object fails"]);
        assert_eq!(observed.settled().get(fails.point), Some(fails));
        observed.see("two", &worlds, &holding(&[1]));
        assert_eq!(words(&observed), ["no single reading: one and two contradict each other"]);
        observed.see("three", &worlds, &holding(&[]));
        let wrong = Judgement { misses: vec![Miss { claim: 0, step: 0, harm: Harm::Lost }], ..Judgement::default() };
        observed.see("four", &worlds, &wrong);
        assert_eq!(observed.unexplained, ["three"]);
    }

    #[test]
    fn a_world_that_does_not_ask_excludes_nothing() {
        let worlds = [world(&[]), world(&[reading!("A-31", "the object fails")])];
        let mut observed = Observed::default();
        observed.see("a", &worlds, &holding(&[0]));
        assert!(observed.settled().is_empty());
    }
}
