//! How long what the Laws name takes in a player's hand, and what sensors make of it.

use std::time::Duration;

use crate::tolerances::SCAN_AND_LINE;

/// Adjusting takes no longer than this; whoever considers a move holds the piece longer. An
/// estimate.
pub(crate) const ADJUSTING: Duration = Duration::from_millis(1000);

/// A player may still put his piece straight when he has just pressed. An estimate.
pub(crate) const AFTERTHOUGHT: Duration = Duration::from_secs(2);

/// A wrong reading of a sensor is shorter. An estimate.
pub(crate) const STOOD: Duration = Duration::from_millis(300);

/// One hand needs longer to change the pawn for the new piece. An estimate.
pub(crate) const ONE_HAND: Duration = Duration::from_millis(100);

/// Two reports of a clock: a fall within them needs no words about when. An estimate.
pub(crate) const PROMPT: Duration = Duration::from_millis(2500);

/// How soon after a reading of the clock a report of the board may show what stood before it.
/// Follows from [`SCAN_AND_LINE`].
pub(crate) const SAME_MOMENT: Duration = SCAN_AND_LINE;

/// Within this time reports are about the same move: nobody completes two so quickly. An estimate.
pub(crate) const ONE_MOVE: Duration = Duration::from_secs(3);
