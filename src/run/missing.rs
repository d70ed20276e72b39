//! Configured boards and clocks that are missing. The operator is called once for each, after it
//! has had the time to be plugged in and to answer.

use std::collections::BTreeMap;
use std::time::Duration;

use eboard::Moment;
use witness::{Part, Place, TableNo, Which};

use crate::works::Works;

/// How long a cable may be unplugged before the operator is called.
const PATIENCE: Duration = Duration::from_secs(30);

/// Since when each place has had no board, and whether the operator was called.
#[derive(Default)]
pub struct Missing {
    since: BTreeMap<(TableNo, Part), (Moment, bool)>,
}

impl Missing {
    /// Checks every place. Returns the boards that have been missing for too long, by their names
    /// for people.
    pub fn look(&mut self, now: Moment, works: &Works) -> Vec<String> {
        let vacant: Vec<_> = works.vacant().collect();
        let seat = |place: &Place| (place.table, place.part);
        self.since.retain(|known, _| vacant.iter().any(|place| seat(place) == *known));
        let mut missing = Vec::new();
        for place in vacant {
            let (since, called) = self.since.entry(seat(place)).or_insert((now, false));
            if now.since(*since) < PATIENCE {
                continue;
            }
            let named = named(place);
            if !std::mem::replace(called, true) {
                tracing::warn!("{named} is missing: plug it in, or mend its [[table]]");
            }
            missing.push(named);
        }
        missing
    }
}

fn named(place: &Place) -> String {
    let part = match place.part {
        Part::Board(Which::First) => "the board",
        Part::Board(Which::Second) => "the second board",
        Part::Clock => "the clock",
    };
    let wanted = [
        place.serial.as_ref().map(|serial| format!("serial number {serial}")),
        place.port.as_ref().map(|port| format!("port {port}")),
        place.language.as_ref().map(|driver| format!("driver {driver}")),
    ];
    let wanted: Vec<_> = wanted.into_iter().flatten().collect();
    format!("{part} of table {} ({})", place.table, wanted.join(", "))
}
