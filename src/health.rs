//! The health of the daemon. The run loop counts it with every beat, and the pages show it. It
//! contains nothing of a game.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use eboard::Moment;
use witness::Incident;

use crate::mqtt::payload::{AlertState, Connection, Gravity};
use crate::plugged::{self, Plugged};
use crate::record::journal::State;
use crate::spare::{Own, Taken};
use crate::time::Clock;
use crate::works::Works;

/// How a start restored its state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recalled {
    /// Whether from a checkpoint, and not from the journal alone.
    pub checkpoint: bool,
    /// The records that were read: all, or those after the checkpoint.
    pub records: u64,
    /// The damaged places in what was read.
    pub damaged: u64,
}

impl Recalled {
    /// Logs it.
    pub fn tell(self) {
        let records = self.records;
        match self.checkpoint {
            true => tracing::info!("went on from a checkpoint and {records} records after it"),
            false => tracing::info!("read {records} records of the journal"),
        }
    }
}

/// The run loop beats every five seconds. After this long without a beat it counts as hung.
const STILL: Duration = Duration::from_secs(30);

/// The counts of one beat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tables by the connection of their board.
    pub tables: BTreeMap<Connection, u64>,
    /// Alerts without a ruling, by gravity and state.
    pub alerts: BTreeMap<(Gravity, AlertState), u64>,
    /// The journal.
    pub journal: State,
    /// Configured boards that are missing, by their names for people.
    pub missing: Vec<String>,
    /// Lines that send more than any board can, by their names for people.
    pub floods: Vec<String>,
    /// The bytes of lines that were left out.
    pub shed: u64,
    /// Every board on the open lines.
    pub plugged: Arc<[Plugged]>,
}

impl Counts {
    /// The present counts.
    #[must_use]
    pub fn of(works: &Works, journal: State) -> Self {
        let mut counts = Self { journal, plugged: plugged::here(works).into(), ..Self::default() };
        for (_, table) in works.hall().tables() {
            *counts.tables.entry(Connection::of(table.device())).or_default() += 1;
            for Incident { gravity, state, .. } in table.incidents() {
                let alert = (Gravity::from(*gravity), AlertState::from(state));
                *counts.alerts.entry(alert).or_default() += 1;
            }
        }
        counts
    }
}

/// The last counts, and when they were made.
pub struct Health {
    clock: Clock,
    reported: Mutex<(Moment, Counts)>,
    handed: Option<Handed>,
}

/// This machine goes on with the games of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handed {
    to: String,
    taken: Taken,
}

impl fmt::Display for Handed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { to, taken: Taken { from, since } } = self;
        write!(f, "{to} goes on with the games of {from} since {}", since.rfc3339())
    }
}

impl Default for Health {
    fn default() -> Self {
        let clock = Clock::starting_at(Moment::ZERO);
        Self { clock, reported: Mutex::default(), handed: None }
    }
}

impl Health {
    /// The health of a machine whose turn it is.
    #[must_use]
    pub fn of(own: &Own) -> Self {
        let to = own.speaker.name().to_owned();
        let handed = own.taken.clone().map(|taken| Handed { to, taken });
        Self { handed, ..Self::default() }
    }

    /// Whose games this machine goes on with.
    #[must_use]
    pub const fn handed(&self) -> Option<&Handed> {
        self.handed.as_ref()
    }

    /// Notes a beat of the run loop.
    pub fn beats(&self, counts: Counts) {
        let reported = (self.clock.now(), counts);
        *self.reported.lock().unwrap_or_else(PoisonError::into_inner) = reported;
    }

    /// The last counts.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.reported.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }

    /// How long the run loop has been hung, if it has.
    #[must_use]
    pub fn stands_still(&self) -> Option<Duration> {
        let (last, _) = *self.reported.lock().unwrap_or_else(PoisonError::into_inner);
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
