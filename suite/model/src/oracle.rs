//! The oracle: the model never says "unspecified", it asks here for the reading of an open point.

use hookproof_contract::{PointId, Reading, Readings, Revision};
use std::cell::RefCell;

/// The readings of one world, and a record of which points were asked about.
pub(crate) struct Oracle<'a> {
    /// The revision of the contract that is modelled.
    pub(crate) revision: Revision,
    /// Readings that the candidate declared; they bind.
    declared: &'a Readings,
    /// The answers given so far, in the order of the questions.
    answers: RefCell<Vec<Reading>>,
    /// How many of the answers were laid down before this world was played.
    laid_down: usize,
    next: RefCell<usize>,
}

impl<'a> Oracle<'a> {
    /// An oracle that answers the first questions as laid down, and all further ones with the default.
    pub(crate) fn new(revision: Revision, declared: &'a Readings, laid_down: Vec<Reading>) -> Self {
        Oracle {
            revision,
            declared,
            laid_down: laid_down.len(),
            answers: RefCell::new(laid_down),
            next: RefCell::new(0),
        }
    }

    /// The reading of a point in this world.
    pub(crate) fn read(&self, point: PointId) -> Reading {
        let mut answers = self.answers.borrow_mut();
        let mut next = self.next.borrow_mut();
        if let Some(known) = answers[..*next].iter().find(|r| r.point == point) {
            return *known;
        }
        if *next >= self.laid_down {
            answers.push(self.declared.get(point).unwrap_or(Reading { point, index: 0 }));
        }
        *next += 1;
        answers[*next - 1]
    }

    /// Whether a point has this reading in this world.
    pub(crate) fn is(&self, reading: Reading) -> bool {
        self.read(reading.point) == reading
    }

    /// The answers that were given.
    pub(crate) fn into_answers(self) -> Vec<Reading> {
        self.answers.into_inner()
    }
}

/// The answers to lay down for the next world after one that was played, if there is one: the last answer that can still
/// change does, and what came after it is forgotten.
pub(crate) fn next_world(mut answers: Vec<Reading>, declared: &Readings) -> Option<Vec<Reading>> {
    while let Some(last) = answers.last_mut() {
        let more = usize::from(last.index) + 1 < last.point.readings().len();
        if more && declared.get(last.point).is_none() {
            last.index += 1;
            return Some(answers);
        }
        answers.pop();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Oracle, next_world};
    use hookproof_contract::{Readings, Revision, reading};

    #[test]
    fn every_combination_that_is_really_asked_about_is_visited_once() {
        let declared = Readings::default();
        let (mut laid_down, mut seen) = (Some(Vec::new()), Vec::new());
        while let Some(answers) = laid_down {
            let oracle = Oracle::new(Revision::NEWEST, &declared, answers);
            // The second question is asked in one reading of the first only.
            if oracle.is(reading!("A-31", "the object fails")) {
                let _ = oracle.is(reading!("A-32", "as if left out"));
            }
            let _ = oracle.is(reading!("A-31", "the object fails"));
            let answers = oracle.into_answers();
            seen.push(answers.iter().map(|r| r.name()).collect::<Vec<_>>());
            laid_down = next_world(answers, &declared);
        }
        assert_eq!(
            seen,
            [
                vec!["the object fails", "wrong type"],
                vec!["the object fails", "as if left out"],
                vec!["the field is dropped"]
            ]
        );
    }

    #[test]
    fn a_declared_reading_is_the_only_one() {
        let declared: Readings = [reading!("A-31", "the field is dropped")].into_iter().collect();
        let oracle = Oracle::new(Revision::NEWEST, &declared, Vec::new());
        assert!(oracle.is(reading!("A-31", "the field is dropped")));
        assert_eq!(next_world(oracle.into_answers(), &declared), None);
    }
}
