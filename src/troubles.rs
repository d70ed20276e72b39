//! Since when lines garble what boards say, and since when boards of the configuration are missing.
//! It is for the page that sets up the hall; nobody is called by it.

use std::collections::{BTreeMap, BTreeSet};

use witness::{LineNo, TableNo};

use crate::works::Works;

/// More messages than these that made no sense are a bad line: a good one has a few, from when it
/// was plugged in. The same as `NOISE_MAX` of web/src/pure/check.ts.
const NOISE_MAX: u64 = 10;

/// What is wrong, and since when, in RFC 3339.
#[derive(Debug, Default)]
pub struct Troubles {
    noisy: BTreeMap<LineNo, String>,
    missing: BTreeMap<TableNo, String>,
}

impl Troubles {
    /// Looks at every line and place. `at` is the time of day.
    pub fn look(&mut self, works: &Works, at: &str) {
        let noisy = works.lines().filter(|(_, line)| line.noise > NOISE_MAX).map(|(line, _)| line);
        since(&mut self.noisy, noisy.collect(), at);
        since(&mut self.missing, works.vacant().map(|place| place.table).collect(), at);
    }

    /// Since when a line garbles what its boards say, if it does.
    #[must_use]
    pub fn noisy(&self, line: LineNo) -> Option<&str> {
        self.noisy.get(&line).map(String::as_str)
    }

    /// Since when the board of a table is missing, if it is.
    #[must_use]
    pub fn missing(&self, table: TableNo) -> Option<&str> {
        self.missing.get(&table).map(String::as_str)
    }
}

/// Keeps the times of what goes on, and notes the one of what is new.
fn since<K: Copy + Ord>(known: &mut BTreeMap<K, String>, now: BTreeSet<K>, at: &str) {
    known.retain(|it, _| now.contains(it));
    for it in now {
        known.entry(it).or_insert_with(|| at.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_stays_while_it_goes_on_and_is_another_one_when_it_begins_again() {
        let mut known = BTreeMap::new();
        since(&mut known, [1, 2].into(), "14:05");
        since(&mut known, [2, 3].into(), "14:07");
        assert_eq!(known, BTreeMap::from([(2, "14:05".to_owned()), (3, "14:07".to_owned())]));
        since(&mut known, [1].into(), "14:09");
        assert_eq!(known, BTreeMap::from([(1, "14:09".to_owned())]));
    }
}
