//! How long a table waits before it judges, asks or calls somebody.

use std::time::Duration;

/// How long before its move a press may reach us: a board reads all its squares in a quarter of a
/// second, and a picture is believed after it has rested. An estimate.
pub(crate) const BEFORE_MOVE: Duration = Duration::from_millis(1500);

/// A press later than this after a move completes it: if it has not, it was that of another move.
/// An estimate.
pub(crate) const BROUGHT_IN: Duration = Duration::from_millis(300);

/// How long after a move the clock must have shown another second. What two presses took of it
/// would show by then. An estimate.
pub(crate) const HEARD: Duration = Duration::from_millis(2500);

/// A move that a scan brings in so long after both times stand was made when they stood. An
/// estimate.
pub(crate) const AFTER_STOPPING: Duration = Duration::from_millis(1500);

/// How long a player may be named at two tables, or a game have no pairing, before it is reported.
/// Pairings are corrected one table after the other, and in between a player is at two. An
/// estimate.
pub(crate) const PUT_RIGHT: Duration = Duration::from_secs(60);

/// How long after an arbiter has upheld what ends a game its result may be missing: he goes to the
/// players, or enters it at once. An estimate.
pub(crate) const DECIDED: Duration = Duration::from_secs(60);

/// The time within which a board reports all its squares after its line is open again, if it does
/// so at all. An estimate.
pub(crate) const WHOLE: Duration = Duration::from_secs(3);

/// The time within which a running clock has reported its times. An estimate.
pub(crate) const CLOCK_READ: Duration = Duration::from_millis(1500);

/// The shortest and the longest time until a board is asked for all its squares again, while
/// nothing explains them. An estimate.
pub(crate) const SURVEY_AGAIN: (Duration, Duration) =
    (Duration::from_secs(2), Duration::from_secs(60));

/// So long after a press its move is in the score, and what it has added on the face. An estimate.
pub(crate) const SETTLED: Duration = Duration::from_millis(2500);

/// Clocks show whole seconds, and some round them. An estimate.
pub(crate) const ROUNDING_MS: u32 = 1000;

/// A board or clock that is away for less has only been jolted. An estimate.
pub(crate) const AWAY: Duration = Duration::from_secs(10);

/// An illegal first move is put back within this time, or what goes on there is no game. An
/// estimate.
pub(crate) const PUT_BACK: Duration = Duration::from_secs(30);

/// What is reckoned from moves does not know when the clock was pressed for them. An estimate.
pub(crate) const RETURNED_MS: u32 = 15_000;

/// How much less than reckoned from the moves a clock may show that was not heard in this game
/// before, and one part in how many of what has passed. It may have stood for a while. An estimate.
pub(crate) const TOO_LITTLE: (Duration, u32) = (Duration::from_secs(60), 10);

/// So much more it may show. An estimate.
pub(crate) const TOO_MUCH: (Duration, u32) = (Duration::from_secs(60), 2);

/// How often it is reckoned anew what a clock would show that is away. An estimate.
pub(crate) const RECKONED: Duration = Duration::from_secs(30);

/// A picture that nothing explains has rested so long that a report may be lost. An estimate.
pub(crate) const SURVEY: Duration = Duration::from_millis(400);

/// The same while a piece may be in the hand. An estimate.
pub(crate) const SURVEY_IN_HAND: Duration = Duration::from_millis(1500);

/// The clocks of a hall are not all started in the same second. An estimate.
pub(crate) const GRACE: Duration = Duration::from_secs(60);

/// Times set by hand, and a clock that is started after that. An estimate.
pub(crate) const SET_BY_HAND_MS: u32 = 120_000;

/// Whoever has the move only now may think so long before it means anything. An estimate.
pub(crate) const THINKS: Duration = Duration::from_secs(60);

/// So long a result that is only announced when the pieces are set up again is to be read. An
/// estimate.
pub(crate) const READ: Duration = Duration::from_secs(1);

/// Whole seconds on a face, and what is lost before the next reading. An estimate.
pub(crate) const SET_WELL_MS: u32 = 2500;

/// A hand is at the wrong clock within seconds of the move. An estimate.
pub(crate) const AT_THE_WRONG_CLOCK: Duration = Duration::from_secs(15);

/// Whoever has pressed the wrong clock thinks that he has pressed; who only looks at his board once
/// more has pressed by then. An estimate.
pub(crate) const HAS_PRESSED: Duration = Duration::from_secs(5);

/// Within what time a board that is asked reports its squares, twice if need be. An estimate.
pub(crate) const CONFIRMED: Duration = Duration::from_millis(900);

/// A press is reported so long after the move that it completed. An estimate.
pub(crate) const REPORTED: Duration = Duration::from_secs(2);

/// A captured piece that is put aside for a moment is taken off the board within this time. An
/// estimate.
pub(crate) const PARKED: Duration = Duration::from_secs(3);

/// How long the other tables play before a missing board is reported. A cable is still being looked
/// for when the clocks are started. An estimate.
pub(crate) const PLUGGED_IN: Duration = Duration::from_secs(180);

/// Fallen pieces that stand again by then are nobody's business. An estimate.
pub(crate) const PUT_UP: Duration = Duration::from_secs(2);

/// Two opposite presses within this put a counter right that a forgotten press has left behind. An
/// estimate.
pub(crate) const COUNTER: Duration = Duration::from_secs(3);

/// Before the first move a clock is still being tried out, or given back at once. An estimate.
pub(crate) const BEFORE_THE_FIRST: Duration = Duration::from_secs(40);

/// A clock that stands so long asks for somebody. Kings on their way to the centre are quicker. An
/// estimate.
pub(crate) const STANDS: Duration = Duration::from_secs(10);

/// How long the wrong player's time must count before it is reported: it may be a press without a
/// move, or a move on the way. An estimate.
pub(crate) const CONTRADICTS: Duration = Duration::from_secs(10);

/// A made move may wait so long for its press: players look at the board once more. An estimate.
pub(crate) const FORGOTTEN: Duration = Duration::from_secs(30);

/// A period whose moves are made must have begun so soon after zero. An estimate.
pub(crate) const ADDED: Duration = Duration::from_secs(3);

/// How long a decision can be taken back: a slip of the finger is seen at once. An estimate.
pub(crate) const UNDO: Duration = Duration::from_secs(10);

/// A request of the last moment arrives within this time. An estimate.
pub(crate) const UNDO_ARRIVES: Duration = Duration::from_secs(2);
