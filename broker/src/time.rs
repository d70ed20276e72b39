//! The broker's only reader of a clock.

use tokio::time::Instant;

/// Now; in tests perhaps another time than on the wall.
pub(crate) fn now() -> Instant {
    Instant::now()
}
