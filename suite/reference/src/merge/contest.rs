//! Which of several hooks has its way that set the same thing differently (open points ), and which of them
//! is heard where they want the same.

use super::Remark;
use crate::{
    postures::{Order, Stance, Told},
    settings::Place,
};

/// Whether the value of the handler in one place counts instead of that of another one, which ended before it.
pub(super) fn replaces(order: Order, later: Place, earlier: Place) -> bool {
    match order {
        Order::LastToEnd => true,
        Order::FirstToEnd => false,
        Order::LastInSettings => later > earlier,
        Order::FirstInSettings => later < earlier,
    }
}

/// The values that hooks give for one thing, of which one counts. They are offered in the order in which the hooks ended.
pub(super) struct Contest<T> {
    order: Order,
    leader: Option<(Place, T)>,
}

impl<T> Contest<T> {
    /// Nobody has given a value yet.
    pub(super) fn new(order: Order) -> Self {
        Contest { order, leader: None }
    }

    /// What the hook in this place gives, if it gives anything.
    pub(super) fn offer(&mut self, place: Place, value: Option<T>) {
        let wins = self.leader.as_ref().is_none_or(|(leader, _)| replaces(self.order, place, *leader));
        if let Some(value) = value.filter(|_| wins) {
            self.leader = Some((place, value));
        }
    }

    /// The value that counts.
    pub(super) fn winner(self) -> Option<T> {
        self.leader.map(|(_, value)| value)
    }
}

/// Those that are told of the texts with which hooks want the same thing, in the order in which they ended. Who gives no text
/// takes none away from the others.
pub(super) fn told<T>(stance: &Stance, texts: Vec<(Place, T)>, text: impl Fn(&T) -> &str) -> Vec<T> {
    let is_blank = |told: &T| text(told).trim().is_empty();
    let mut speakers = texts.iter().filter(|(_, told)| !is_blank(told)).map(|(place, _)| *place);
    let speaker = match stance.told {
        Told::All => None,
        Told::FirstInSettings => speakers.min(),
        Told::LastInSettings => speakers.max(),
        Told::FirstToEnd => speakers.next(),
    };
    let is_told = |(place, told): &(Place, T)| is_blank(told) || speaker.is_none_or(|speaker| speaker == *place);
    texts.into_iter().filter(is_told).map(|(_, told)| told).collect()
}

/// The same of remarks.
pub(super) fn remarks(stance: &Stance, remarks: Vec<(Place, Remark)>) -> Vec<Remark> {
    told(stance, remarks, |remark| &remark.text)
}
