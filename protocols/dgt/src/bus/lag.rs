//! How long before it is told a change may have been made: since the log was asked for the time
//! before. Told roughly, so that it is seldom told.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::Moment;

/// Every board is as late by the time of a scan: no more than this is told as nothing.
/// Each step is twice the one before.
const STEP: Duration = Duration::from_millis(250);
/// The most: who is away for longer tells everything anew.
const MOST: Duration = Duration::from_secs(8);

/// When a board was asked for its log.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(crate) struct Lag {
    before: Option<Moment>,
    last: Option<Moment>,
    told: Duration,
}

impl Lag {
    /// The log is being asked for.
    pub(crate) const fn asked(&mut self, now: Moment) {
        self.before = self.last.replace(now);
    }

    /// How long before what this log says may have happened, if that is news. A log that says
    /// nothing needs none; in a recording nobody knows when it was asked for.
    pub(crate) fn news(&mut self, log: &[u8]) -> Option<Duration> {
        let span = self.last?.since(self.before.filter(|_| !log.is_empty())?);
        let mut told = STEP;
        // What is hardly longer is no other step: nobody is asked to the millisecond.
        while told * 5 < span * 4 && told < MOST {
            told *= 2;
        }
        if told == STEP {
            told = Duration::ZERO;
        }
        let news = told != std::mem::replace(&mut self.told, told);
        news.then_some(told)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_by_steps_and_only_when_there_is_something_to_tell() {
        let mut lag = Lag::default();
        let at = |ms: u64| Moment::from_micros(ms * 1000);
        assert_eq!(lag.news(&[1]), None, "nobody has asked");
        lag.asked(at(1000));
        assert_eq!(lag.news(&[1]), None, "nor before");
        lag.asked(at(1260));
        assert_eq!(lag.news(&[]), None);
        assert_eq!(lag.news(&[1]), None, "as late as any board");
        for (ms, told) in [(1530, None), (2530, Some(1000)), (2800, Some(0)), (60_000, Some(8000))]
        {
            lag.asked(at(ms));
            assert_eq!(lag.news(&[1]), told.map(Duration::from_millis), "{ms}");
        }
    }
}
