//! A bus whose boards are asked for changes seldom, as one of many chains on one computer, or by a
//! host that takes the maker's advice of every few seconds.

use std::time::Duration;

use dgt::BusHost;
use eboard::Driver;

/// Once a second.
pub(super) static EVERY_SECOND: Driver =
    Driver { converse: || Box::new(BusHost::resting(Duration::from_secs(1))), ..dgt::BUS };

/// Once in four seconds.
pub(super) static EVERY_FOUR_SECONDS: Driver =
    Driver { converse: || Box::new(BusHost::resting(Duration::from_secs(4))), ..dgt::BUS };
