//! Something that is reported once, if it goes on for long enough.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::Moment;

/// What goes on, since when, and whether it was reported. Another thing than before begins anew.
#[derive(Clone, Copy, Debug, Encode, Decode)]
pub(super) struct Watch<T> {
    goes_on: Option<(T, Moment)>,
    reported: bool,
}

impl<T> Default for Watch<T> {
    fn default() -> Self {
        Self { goes_on: None, reported: false }
    }
}

impl<T: Copy + PartialEq> Watch<T> {
    /// This is going on now, or nothing is.
    pub fn follow(&mut self, now: Moment, goes_on: Option<T>) {
        if self.what() != goes_on {
            *self = Self { goes_on: goes_on.map(|it| (it, now)), reported: false };
        }
    }

    /// What goes on.
    pub fn what(&self) -> Option<T> {
        self.goes_on.map(|(what, _)| what)
    }

    /// Since when.
    pub fn since(&self) -> Option<Moment> {
        self.goes_on.map(|(_, since)| since)
    }

    /// Whether it goes on and was reported.
    pub fn is_reported(&self) -> bool {
        self.reported
    }

    /// When it will have gone on for so long, if it was not reported.
    pub fn due_at(&self, patience: Duration) -> Option<Moment> {
        self.since().filter(|_| !self.reported).map(|since| since + patience)
    }

    /// What has gone on for so long now, and since when; only once.
    pub fn due(&mut self, now: Moment, patience: Duration) -> Option<(T, Moment)> {
        self.due_at(patience).filter(|at| *at <= now)?;
        self.reported = true;
        self.goes_on
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(10);

    fn at(seconds: u64) -> Moment {
        Moment::from_micros(seconds * 1_000_000)
    }

    #[test]
    fn what_goes_on_for_long_enough_is_reported_once() {
        let mut watch = Watch::default();
        watch.follow(at(1), Some('a'));
        watch.follow(at(5), Some('a'));
        assert_eq!((watch.since(), watch.due_at(PATIENCE)), (Some(at(1)), Some(at(11))));
        assert_eq!((watch.due(at(10), PATIENCE), watch.is_reported()), (None, false));
        assert_eq!((watch.due(at(11), PATIENCE), watch.is_reported()), (Some(('a', at(1))), true));
        assert_eq!((watch.due(at(30), PATIENCE), watch.due_at(PATIENCE)), (None, None));
    }

    #[test]
    fn what_ends_or_becomes_something_else_begins_anew() {
        let mut watch = Watch::default();
        watch.follow(at(1), Some('a'));
        watch.due(at(11), PATIENCE);
        watch.follow(at(12), Some('b'));
        assert_eq!((watch.what(), watch.due_at(PATIENCE)), (Some('b'), Some(at(22))));
        watch.follow(at(13), None);
        assert_eq!((watch.since(), watch.due(at(40), PATIENCE)), (None, None));
        watch.follow(at(41), Some('b'));
        assert_eq!(watch.due_at(PATIENCE), Some(at(51)));
    }
}
