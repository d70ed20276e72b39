//! When the public may learn what was recorded.
//!
//! Only recorded time counts. The length of a pause between two runs is known by the time of day
//! alone, and anybody may set that. So a pause counts for nothing: entries that were recorded
//! before it wait for the rest of their delay after it.

use std::time::Duration;

use eboard::Moment;

use crate::config::Public;
use crate::entry::Delay;

/// A rule, and the moment from which it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    from: Moment,
    delay: Delay,
}

impl Schedule {
    /// The rule that was recorded at `from`, and holds from then on.
    #[must_use]
    pub const fn new(from: Moment, delay: Delay) -> Self {
        Self { from, delay }
    }

    /// The rule that a run records first. The record stopped at `last`, under the rule `before` if
    /// there was one. None: there is nothing to delay and never was.
    #[must_use]
    pub fn resumed(
        before: Option<(Moment, Delay)>,
        last: Moment,
        public: Option<&Public>,
    ) -> Option<Delay> {
        let rule = public.copied().unwrap_or(Public { delay_s: 0, delay_moves: 0 });
        match before {
            Some((from, delay)) => Some(Self::new(from, delay).change(last, &rule)),
            // Nothing counted the time of earlier records, so they wait as if they were made now.
            None => public.map(|public| Delay {
                due: micros(public.delay()),
                ..Self::new(last, Delay::default()).change(last, &rule)
            }),
        }
    }

    /// The entry that makes `rule` hold from this moment on. Earlier records keep the rule that
    /// they were made under.
    #[must_use]
    pub fn change(&self, at: Moment, rule: &Public) -> Delay {
        Delay {
            counted: micros(self.counted(at)),
            due: micros(self.due(at)),
            delay_s: rule.delay_s,
            delay_moves: rule.delay_moves as u64,
        }
    }

    /// The recorded time up to this moment.
    #[must_use]
    pub fn counted(&self, at: Moment) -> Duration {
        Duration::from_micros(self.delay.counted) + at.since(self.from)
    }

    /// The recorded time at which an entry of this moment becomes public. It is never less than
    /// that of an earlier entry, so nothing overtakes anything.
    #[must_use]
    pub fn due(&self, at: Moment) -> Duration {
        let by_rule = self.counted(at) + Duration::from_secs(self.delay.delay_s);
        by_rule.max(Duration::from_micros(self.delay.due))
    }

    /// The moment from which the rule holds.
    #[must_use]
    pub const fn from(&self) -> Moment {
        self.from
    }

    /// The rule.
    #[must_use]
    pub const fn rule(&self) -> &Delay {
        &self.delay
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn at(seconds: u64) -> Moment {
        Moment::ZERO + s(seconds)
    }

    const fn rule(delay_s: u64) -> Public {
        Public { delay_s, delay_moves: 0 }
    }

    fn begun(delay_s: u64) -> Schedule {
        Schedule::new(at(0), Schedule::resumed(None, at(0), Some(&rule(delay_s))).unwrap())
    }

    #[test]
    fn a_shorter_delay_holds_for_what_comes_and_nothing_overtakes_what_was_promised() {
        let before = begun(900);
        assert_eq!(before.due(at(100)), s(1000));
        let after = Schedule::new(at(200), before.change(at(200), &rule(60)));
        assert_eq!(after.due(at(201)), s(1100), "not before what was recorded at 200");
        assert_eq!(after.due(at(1040)), s(1100));
        assert_eq!(after.due(at(1041)), s(1101));
    }

    #[test]
    fn a_longer_delay_holds_for_what_comes() {
        let before = begun(60);
        let after = Schedule::new(at(200), before.change(at(200), &rule(900)));
        assert_eq!(before.due(at(200)), s(260));
        assert_eq!(after.due(at(200)), s(1100));
    }

    #[test]
    fn a_pause_counts_for_nothing_however_long_the_time_of_day_says_it_was() {
        let before = begun(900);
        // The last record was made at 600, and the next run begins a day later.
        let resumed = Schedule::resumed(Some((at(0), *before.rule())), at(600), Some(&rule(900)));
        let after = Schedule::new(at(86_400), resumed.unwrap());
        assert_eq!(after.counted(at(86_400)), s(600));
        assert_eq!(before.due(at(500)), s(1400), "so 800 s after the beginning of the next run");
        assert_eq!(after.due(at(86_400)), s(1500));
        assert_eq!(after.counted(at(87_200)), s(1400));
    }

    #[test]
    fn what_was_recorded_before_anybody_counted_waits_as_if_it_were_new() {
        let resumed = Schedule::resumed(None, at(5000), Some(&rule(900))).unwrap();
        let schedule = Schedule::new(at(9000), resumed);
        assert_eq!(schedule.counted(at(9000)), s(0));
        assert_eq!(schedule.due(at(10)), s(900));
        assert_eq!(Schedule::resumed(None, at(5000), None), None);
    }

    #[test]
    fn a_run_without_a_delay_keeps_the_promise_of_the_one_before() {
        let before = begun(900);
        let off = Schedule::resumed(Some((at(0), *before.rule())), at(600), None).unwrap();
        let off = Schedule::new(at(700), off);
        assert_eq!(off.due(at(700)), s(1500));
        let on = Schedule::resumed(Some((at(700), *off.rule())), at(800), Some(&rule(60))).unwrap();
        assert_eq!(Schedule::new(at(900), on).due(at(900)), s(1500));
    }
}
