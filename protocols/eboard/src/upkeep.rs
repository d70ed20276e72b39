//! What a conversation keeps in mind whatever it talks about: whether the board is still heard, and
//! when it may be told something again. Not what is said.

use std::time::Duration;

use bincode::{Decode, Encode};

use crate::{Moment, Reason};

/// Whether a board is still heard, on a line that is open. Before that nobody waits for it.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub struct Presence {
    opened: bool,
    heard: Moment,
    silent: bool,
}

impl Presence {
    /// After so long without a sign of life a board is called silent. The slowest board that talks
    /// by itself, a maker's simulator, says something every second.
    pub const SILENCE: Duration = Duration::from_secs(5);

    /// The line has just been opened.
    #[must_use]
    pub const fn opened(now: Moment) -> Self {
        Self { opened: true, heard: now, silent: false }
    }

    /// Whether the line is open. On any other one a conversation only listens.
    #[must_use]
    pub const fn is_opened(&self) -> bool {
        self.opened
    }

    /// The board gives a sign of life.
    pub const fn heard(&mut self, now: Moment) {
        (self.heard, self.silent) = (now, false);
    }

    /// When it did so last, or when the line was opened.
    #[must_use]
    pub const fn since(&self) -> Moment {
        self.heard
    }

    /// Whether the board counts as silent from now on. It says so once.
    pub fn falls_silent(&mut self, now: Moment) -> bool {
        let falls = self.deadline().is_some_and(|(at, _)| at <= now);
        self.silent |= falls;
        falls
    }

    /// When the board will count as silent.
    #[must_use]
    pub fn deadline(&self) -> Option<(Moment, Reason)> {
        let waits = self.opened && !self.silent;
        waits.then_some((self.heard + Self::SILENCE, Reason("is the board gone")))
    }
}

/// When something was sent last, for boards that bear only so much.
#[derive(Clone, Copy, Debug, Default, Encode, Decode)]
pub struct Pacer {
    sent: Option<Moment>,
}

impl Pacer {
    /// Something is being sent.
    pub const fn sent(&mut self, now: Moment) {
        self.sent = Some(now);
    }

    /// So long after what was sent last; if nothing was, long ago.
    #[must_use]
    pub fn after(&self, span: Duration) -> Moment {
        self.sent.map_or(Moment::ZERO, |at| at + span)
    }

    /// What is to be sent next of what is wished for by some moment each, and when: not sooner than
    /// this pace allows. Of what may be sent at the same moment it is the first.
    pub fn next<C>(
        &self,
        pace: Duration,
        wishes: impl IntoIterator<Item = (Moment, C)>,
    ) -> Option<(Moment, C)> {
        let free = self.after(pace);
        let wishes = wishes.into_iter().map(|(at, command)| (at.max(free), command));
        wishes.min_by_key(|(at, _)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Moment {
        Moment::ZERO + Duration::from_millis(ms)
    }

    #[test]
    fn a_board_falls_silent_once_and_may_come_back() {
        let mut presence = Presence::opened(at(1000));
        assert!(!presence.falls_silent(at(5999)));
        assert!(presence.falls_silent(at(6000)));
        assert!(!presence.falls_silent(at(9000)), "it has been said");
        assert_eq!(presence.deadline(), None);
        presence.heard(at(9500));
        assert_eq!(presence.deadline().map(|(at, _)| at), Some(at(14_500)));
        assert!(presence.falls_silent(at(14_500)));
    }

    #[test]
    fn nobody_waits_for_a_board_on_a_line_that_is_not_open() {
        let mut presence = Presence::default();
        presence.heard(at(1));
        assert!(!presence.falls_silent(at(60_000)) && presence.deadline().is_none());
    }

    #[test]
    fn what_is_wished_for_first_goes_first_and_keeps_the_pace() {
        let pace = Duration::from_millis(150);
        let mut pacer = Pacer::default();
        let wishes = || [(at(300), 'a'), (at(100), 'b'), (at(120), 'c')];
        assert_eq!(pacer.next(pace, wishes()), Some((at(100), 'b')));
        pacer.sent(at(200));
        assert_eq!(pacer.after(pace), at(350));
        assert_eq!(
            pacer.next(pace, wishes()),
            Some((at(350), 'a')),
            "the first of those that wait"
        );
        assert_eq!(pacer.next(pace, [(at(400), 'd')]), Some((at(400), 'd')));
        assert_eq!(pacer.next::<char>(pace, []), None);
    }
}
