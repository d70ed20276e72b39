//! Who wants to be woken when: the earliest deadline of many machines, in a fixed order.

use std::collections::BTreeMap;

use eboard::{Moment, Reason};

/// The deadlines of many machines, each known by a key. Equal moments are taken in order of key,
/// so that a run and its replay wake everybody alike.
#[derive(Clone, Debug)]
pub struct Agenda<K> {
    by_key: BTreeMap<K, (Moment, Reason)>,
    /// The earliest first. With nearly every step a machine wants to be woken a little later, which
    /// is a short move in a row and a long one in a tree.
    in_order: Vec<(Moment, K)>,
}

impl<K> Default for Agenda<K> {
    fn default() -> Self {
        Self { by_key: BTreeMap::new(), in_order: Vec::new() }
    }
}

impl<K: Ord + Copy> Agenda<K> {
    /// This machine's deadline is now that one, or it has none.
    pub fn set(&mut self, key: K, deadline: Option<(Moment, Reason)>) {
        let before = match deadline {
            Some(deadline) => self.by_key.insert(key, deadline),
            None => self.by_key.remove(&key),
        };
        let (before, after) = (before.map(|(at, _)| at), deadline.map(|(at, _)| at));
        if before != after {
            if let Some(at) = before {
                self.in_order.remove(self.place(at, key));
            }
            if let Some(at) = after {
                self.in_order.insert(self.place(at, key), (at, key));
            }
        }
    }

    fn place(&self, at: Moment, key: K) -> usize {
        self.in_order.partition_point(|it| *it < (at, key))
    }

    /// The earliest deadline and whose it is.
    #[must_use]
    pub fn first(&self) -> Option<(Moment, K)> {
        self.in_order.first().copied()
    }

    /// Why this machine wants to be woken.
    #[must_use]
    pub fn reason(&self, key: K) -> Option<Reason> {
        self.by_key.get(&key).map(|(_, reason)| *reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_comes_first_and_a_new_deadline_replaces_the_old() {
        let at = |micros| Some((Moment::from_micros(micros), Reason("test")));
        let mut agenda = Agenda::default();
        agenda.set(2, at(10));
        agenda.set(1, at(10));
        assert_eq!(agenda.first(), Some((Moment::from_micros(10), 1)));
        agenda.set(1, at(30));
        assert_eq!(agenda.first(), Some((Moment::from_micros(10), 2)));
        agenda.set(2, None);
        assert_eq!(agenda.first(), Some((Moment::from_micros(30), 1)));
        assert_eq!(agenda.reason(2), None);
    }
}
