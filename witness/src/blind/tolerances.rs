//! How long hands take, where a board reports occupied squares only.

use std::time::Duration;

use super::Weight;

/// The kings come soon after one another, and not soon after the last move. An estimate.
pub(crate) const TOGETHER: Duration = Duration::from_millis(1900);

/// As long a piece is in the hand before it is believed that it took another one's place. An
/// estimate.
pub(crate) const HELD_LONG: Duration = Duration::from_secs(20);

/// Longer than this from one square of a move to the next is rare. An estimate.
pub(crate) const CARRIED: (Duration, Weight) = (Duration::from_millis(1600), 4);

/// A reply sooner than this is rare, and rarer still after a move whose end was not seen. An
/// estimate.
pub(crate) const REPLIED: (Duration, Weight) = (Duration::from_millis(450), 3);

/// After a move whose end was not seen. Estimates.
pub(crate) const REPLIED_TO_UNSEEN: [(Duration, Weight); 2] =
    [(Duration::from_millis(350), 7), (Duration::from_millis(850), 4)];
