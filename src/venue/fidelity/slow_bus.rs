//! A bus that asks each board for changes seldom: one of many chains on a computer, or a host that
//! follows the maker's advice of every few seconds.

use std::time::Duration;

use dgt::BusHost;
use eboard::Driver;

/// Asks once a second.
pub(super) static EVERY_SECOND: Driver =
    Driver { converse: || Box::new(BusHost::resting(Duration::from_secs(1))), ..dgt::BUS };

/// Asks once in four seconds.
pub(super) static EVERY_FOUR_SECONDS: Driver =
    Driver { converse: || Box::new(BusHost::resting(Duration::from_secs(4))), ..dgt::BUS };
