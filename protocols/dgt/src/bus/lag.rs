//! How late a board's reports may be. A change in a log may be as old as the request for the log
//! before it. The lag is reported in coarse steps, so that it is seldom reported.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::Moment;

/// The first step. A lag up to this is reported as none, because every board is late by the time
/// of a scan. Each further step is twice the one before.
const STEP: Duration = Duration::from_millis(250);
/// The greatest lag. A board that is away for longer reports everything anew.
const MOST: Duration = Duration::from_secs(8);

/// When a board was asked for its log.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(crate) struct Lag {
    before: Option<Moment>,
    last: Option<Moment>,
    announced: Duration,
}

impl Lag {
    /// Notes that the log is being asked for.
    pub(crate) const fn asked(&mut self, now: Moment) {
        self.before = self.last.replace(now);
    }

    /// The lag of what this log reports, if it has changed. An empty log needs none, and in a
    /// recording the times of the requests are unknown.
    pub(crate) fn news(&mut self, log: &[u8]) -> Option<Duration> {
        let span = self.last?.since(self.before.filter(|_| !log.is_empty())?);
        let mut announced = STEP;
        // Requests do not come to the millisecond, so a quarter more does not make another step.
        while announced * 5 < span * 4 && announced < MOST {
            announced *= 2;
        }
        if announced == STEP {
            announced = Duration::ZERO;
        }
        let news = announced != std::mem::replace(&mut self.announced, announced);
        news.then_some(announced)
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
        for (ms, announced) in
            [(1530, None), (2530, Some(1000)), (2800, Some(0)), (60_000, Some(8000))]
        {
            lag.asked(at(ms));
            assert_eq!(lag.news(&[1]), announced.map(Duration::from_millis), "{ms}");
        }
    }
}
