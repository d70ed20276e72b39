//! How exactly a board reports when something was done, and how long hands take with its pieces.
//! What only a clock, the Laws or a table ask for stands in `tolerances` of theirs.

use std::time::Duration;

/// A board reads all its squares in this time: what is closer together has no order. Source: the
/// document of the maker of DGT boards.
pub(crate) const SCAN: Duration = Duration::from_millis(250);

/// Reports that come in another order than the squares changed are not further apart than this, and
/// what has rested longer was there in reality: a scan, and what the line adds to it. An estimate.
pub(crate) const SCAN_AND_LINE: Duration = Duration::from_millis(300);

/// By so long after a press a scan has brought in the move that was made before it, and a late
/// clock the press. An estimate.
pub(crate) const SCANNED: Duration = Duration::from_millis(700);

/// A piece slid by a hand is seen on the new square this long before it is missed on the old one.
/// An estimate.
pub(crate) const GHOST: Duration = Duration::from_millis(400);

/// How long after it was asked a board has reported its squares, if it does so at all. An estimate.
pub(crate) const ANSWER: Duration = Duration::from_millis(500);

/// A board that has not confirmed a change by then does so never. An estimate.
pub(crate) const NEVER_CONFIRMED: Duration = Duration::from_secs(10);

/// A frame that comes twice comes at once, and no board looks at a square again so soon. An
/// estimate.
pub(crate) const SAME_FRAME: Duration = Duration::from_millis(50);

/// How long a picture that merely lacks pieces may mean that a hand is thinking in the air. An
/// estimate.
pub(crate) const IN_THE_AIR: Duration = Duration::from_secs(60);

/// How long both kings must stand in the centre before they are a result, where the last of them
/// has come after both times stood. An estimate.
pub(crate) const SIGNAL: Duration = Duration::from_secs(2);

/// The same where nothing but the kings says that the game is over: a time counts, or there is no
/// clock. An estimate: the makers tell the players to wait 5 s.
pub(crate) const SIGNAL_BY_THEMSELVES: Duration = Duration::from_secs(4);

/// The second king comes within this time: then a first one that could have made a move came for
/// the sign too. An estimate.
pub(crate) const BOTH_KINGS: Duration = Duration::from_secs(3);

/// How long a piece is in the air on its way, at most as a rule. An estimate.
pub(crate) const CARRY: Duration = Duration::from_secs(5);

/// How long a king's move to the centre is held back while the clock stands: the other king may
/// follow. An estimate.
pub(crate) const TRIP: Duration = Duration::from_secs(5);

/// A position to check that nobody has looked at for this long calls somebody. An estimate.
pub(crate) const OLD_DOUBT: Duration = Duration::from_secs(60);

/// How long one king alone in the centre may wait for the other before it is a disagreement. An
/// estimate.
pub(crate) const HALF_SIGNAL: Duration = Duration::from_secs(15);

/// How long the pieces must stand set up again before a new game is begun. An estimate.
pub(crate) const SET_UP: Duration = Duration::from_secs(3);

/// A picture that has rested so long is believed, if nothing else is configured. An estimate.
pub(crate) const SETTLE: Duration = Duration::from_millis(400);

/// A move that has rested so long was made, if nothing else is configured. An estimate.
pub(crate) const RELEASE: Duration = Duration::from_millis(1000);

/// Squares that differ from the score for so long are looked at, if nothing else is configured. An
/// estimate.
pub(crate) const CHECK_AFTER: Duration = Duration::from_secs(4);

/// A summons is repeated after so long, if nothing else is configured. An estimate.
pub(crate) const REPEAT: Duration = Duration::from_secs(30);

/// A game may lie without a result for so long, if nothing else is configured. An estimate.
pub(crate) const RESULT_AFTER: Duration = Duration::from_secs(900);
