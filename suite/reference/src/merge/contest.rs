//! Which of several hooks has its way that set the same thing differently (open points ).

use crate::{postures::Order, select::Handler};

/// Whether the value of a handler counts instead of that of another one, which ended before it.
pub(super) fn replaces(order: Order, later: &Handler<'_>, earlier: &Handler<'_>) -> bool {
    match order {
        Order::LastToEnd => true,
        Order::FirstToEnd => false,
        Order::LastInSettings => later.place > earlier.place,
        Order::FirstInSettings => later.place < earlier.place,
    }
}
