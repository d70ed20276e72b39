//! How the daemon is, for whoever watches over it: counted by the run loop at every beat of its
//! heart, told by the pages. Nothing of a game is in it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use eboard::Moment;
use witness::Incident;

use crate::mqtt::payload;
use crate::plugged::{self, Plugged};
use crate::record::journal::State;
use crate::time::Clock;
use crate::works::Works;

/// How a start has found out where everything stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recalled {
    /// From a checkpoint, and not from the journal alone.
    pub checkpoint: bool,
    /// Records that were read: all there are, or those after the checkpoint.
    pub records: u64,
    /// Places in what was read that are damaged.
    pub damaged: u64,
}

impl Recalled {
    /// Says so in the log.
    pub fn tell(self) {
        let records = self.records;
        match self.checkpoint {
            true => tracing::info!("went on from a checkpoint and {records} records after it"),
            false => tracing::info!("read {records} records of the journal"),
        }
    }
}

/// After so long without a beat the run loop stands still: it beats every five seconds.
const STILL: Duration = Duration::from_secs(30);

/// What is counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tables by the state of their board, as the topic `device` has it.
    pub tables: BTreeMap<&'static str, u64>,
    /// Alerts that nobody has ruled on, by gravity and state.
    pub alerts: BTreeMap<(&'static str, &'static str), u64>,
    /// The journal.
    pub journal: State,
    /// Boards that the configuration names and that are not there, for people.
    pub missing: Vec<String>,
    /// Lines that say more than any board can, for people.
    pub floods: Vec<String>,
    /// Bytes of lines that were left out.
    pub shed: u64,
    /// Every board on the lines that are open.
    pub plugged: Arc<[Plugged]>,
}

impl Counts {
    /// As everything is now.
    #[must_use]
    pub fn of(works: &Works, journal: State) -> Self {
        let mut counts = Self { journal, plugged: plugged::here(works).into(), ..Self::default() };
        for (_, table) in works.hall().tables() {
            *counts.tables.entry(payload::device_state(table.device())).or_default() += 1;
            for Incident { gravity, state, .. } in table.incidents() {
                let alert = (gravity.name(), payload::alert_state(state));
                *counts.alerts.entry(alert).or_default() += 1;
            }
        }
        counts
    }
}

/// What was counted last, and when.
pub struct Health {
    clock: Clock,
    told: Mutex<(Moment, Counts)>,
}

impl Default for Health {
    fn default() -> Self {
        let clock = Clock::starting_at(Moment::ZERO);
        Self { clock, told: Mutex::default() }
    }
}

impl Health {
    /// The run loop has gone round.
    pub fn beats(&self, counts: Counts) {
        let told = (self.clock.now(), counts);
        *self.told.lock().unwrap_or_else(PoisonError::into_inner) = told;
    }

    /// What was counted last.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }

    /// How long the run loop has stood still, if it has.
    #[must_use]
    pub fn stands_still(&self) -> Option<Duration> {
        let (last, _) = *self.told.lock().unwrap_or_else(PoisonError::into_inner);
        Some(self.clock.now().since(last)).filter(|since| *since > STILL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_loop_without_a_beat_for_long_stands_still() {
        let health = Health::default();
        assert_eq!(health.stands_still(), None);
        let later = Moment::ZERO + STILL + Duration::from_secs(1);
        let mut health = Health { clock: Clock::starting_at(later), ..health };
        assert!(health.stands_still().is_some_and(|it| it > STILL));
        health.beats(Counts::default());
        assert_eq!(health.stands_still(), None);
        health.clock = Clock::starting_at(later + 2 * STILL);
        assert!(health.stands_still().is_some());
    }
}
