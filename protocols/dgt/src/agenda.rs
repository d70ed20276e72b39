//! Which order is to be given when, and never two of them too close. What they mean is not known.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{Moment, Reason};

use crate::command::Command;

/// A board keeps ten bytes of input while it is busy (maker's header); a tenth of a second after
/// each order is what long-serving software leaves (picochess).
const GAP: Duration = Duration::from_millis(100);
/// One that has answered an order is busy with it no more.
pub(crate) const GAP_ANSWERED: Duration = Duration::from_millis(10);

/// Every order a host ever gives, the more urgent first, and what it is for.
///
/// The version comes first because every board answers it at once, then the number, which says
/// whose table it is. Updates are switched on before the dump, so that no change falls between the
/// two. The long serial number is asked before the short one: once the short one is answered, the
/// long one would have been.
static ORDER: [(Command, Reason); 8] = [
    (Command::Version, Reason("is it such a board, and which firmware")),
    (Command::LongSerial, Reason("which board it is, long number")),
    (Command::Serial, Reason("which board it is, and does it still answer")),
    (Command::UpdateNice, Reason("the board is to tell of changes")),
    (Command::Board, Reason("what stands on the board now")),
    (Command::Clock, Reason("what the clock shows now")),
    (Command::Trademark, Reason("how the board introduces itself")),
    (Command::Battery, Reason("how much power is left")),
];

/// What is still to be asked, and when.
#[derive(Clone, Debug, Encode, Decode)]
pub(crate) struct Agenda {
    due: [Moment; ORDER.len()],
    free: Moment,
}

/// When an order is due that nobody wants.
const NEVER: Moment = Moment::from_micros(u64::MAX);

impl Default for Agenda {
    fn default() -> Self {
        Self { due: [NEVER; ORDER.len()], free: Moment::ZERO }
    }
}

impl Agenda {
    /// Everything there is to ask, and nothing before this moment.
    pub(crate) fn all(from: Moment) -> Self {
        Self { due: [from; ORDER.len()], free: from }
    }

    /// Everything there is to ask, once more.
    pub(crate) fn renew(&mut self, from: Moment) {
        *self = Self::all(self.free.max(from));
    }

    /// Gives an order at this moment, unless it is to be given earlier already.
    pub(crate) fn want(&mut self, command: Command, at: Moment) {
        if let Some(due) = self.entry(command) {
            *due = at.min(*due);
        }
    }

    /// Gives an order at this moment and not before.
    pub(crate) fn postpone(&mut self, command: Command, at: Moment) {
        if let Some(due) = self.entry(command) {
            *due = at;
        }
    }

    /// The board has answered an order: it may be asked the next thing sooner.
    pub(crate) fn answered(&mut self, now: Moment) {
        self.free = self.free.min(now + GAP_ANSWERED);
    }

    /// Gives no order any more until one is wanted anew.
    pub(crate) fn clear(&mut self) {
        self.due = [NEVER; ORDER.len()];
    }

    /// When the next order is to be given, and what for.
    pub(crate) fn next(&self) -> Option<(Moment, Reason)> {
        let (due, (_, reason)) = self.due.iter().zip(&ORDER).min_by_key(|(due, _)| **due)?;
        (*due < NEVER).then(|| (self.free.max(*due), *reason))
    }

    /// The order to be given now, if any.
    pub(crate) fn take(&mut self, now: Moment) -> Option<Command> {
        if now < self.free {
            return None;
        }
        let (due, (command, _)) = self.due.iter_mut().zip(&ORDER).find(|(due, _)| **due <= now)?;
        *due = NEVER;
        self.free = now + GAP;
        Some(*command)
    }

    fn entry(&mut self, command: Command) -> Option<&mut Moment> {
        self.due.iter_mut().zip(&ORDER).find(|(_, (it, _))| *it == command).map(|(due, _)| due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_come_by_urgency_and_a_tenth_of_a_second_apart() {
        let mut agenda = Agenda::all(Moment::from_micros(500_000));
        assert_eq!(agenda.take(Moment::from_micros(499_999)), None);
        let mut given = Vec::new();
        while let Some((at, _)) = agenda.next() {
            given.push((at.as_micros(), agenda.take(at)));
            assert_eq!(agenda.take(at), None);
        }
        let expected: Vec<_> = (5..13)
            .map(|tenths| tenths * 100_000)
            .zip(ORDER.map(|(command, _)| Some(command)))
            .collect();
        assert_eq!(given, expected);
    }

    #[test]
    fn wanting_never_delays_and_postponing_does() {
        let at = |second: u64| Moment::from_micros(second * 1_000_000);
        let mut agenda = Agenda::default();
        agenda.want(Command::Board, at(3));
        agenda.want(Command::Board, at(5));
        assert_eq!(agenda.next().map(|(when, _)| when), Some(at(3)));
        agenda.postpone(Command::Board, at(7));
        assert_eq!(agenda.next().map(|(when, _)| when), Some(at(7)));
        agenda.clear();
        assert_eq!(agenda.next(), None);
    }
}
