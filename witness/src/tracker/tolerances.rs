//! How long hands take for what leads from one picture to the next.

use std::time::Duration;

/// After a captured piece was put aside its place is taken within this time. An estimate: twice as
/// long as a piece is carried.
pub(crate) const PUT_ASIDE_MAX: Duration = Duration::from_secs(3);
