//! How exactly a clock reports what it shows, and how late its reports may be.

use std::time::Duration;

use eboard::FaceTime;

/// How much earlier a time may reach zero than the reading before says: whole seconds, and the
/// delay of a report. An estimate.
pub(crate) const EARLY: Duration = Duration::from_secs(3);

/// How much closer together two seconds on a face may reach us. An estimate.
pub(crate) const HELD_UP: Duration = Duration::from_millis(500);

/// Between two presses hands make a move: nobody does that faster, on the average. An estimate.
pub(crate) const FASTEST: Duration = Duration::from_millis(400);

/// What is shown for longer than this does not count. Source: faces show whole seconds.
pub(crate) const SECOND: Duration = Duration::from_secs(1);

/// How long a running clock may be quiet: it reports every second, and is asked when it has been
/// quiet for two. Source: the drivers; and a second for the answer.
pub(crate) const FRESH: Duration = Duration::from_secs(3);

/// With more than this left by our own clock a fall may be the fault of the one on the table. An
/// estimate.
pub(crate) const WRONGED: FaceTime = FaceTime::from_hms(0, 0, 3);

/// A clock that is to begin a period shows zero for one report at most. An estimate.
pub(crate) const PASSING: Duration = Duration::from_millis(2500);

/// A reading may be late. An estimate.
pub(crate) const READING_LATE_MS: i64 = 400;

/// A clock that runs reports every second, and up to a quarter of a second late. One that is quiet
/// for longer has been blocked by its flag. An estimate.
pub(crate) const BLOCKED: Duration = Duration::from_millis(1500);

/// What is less by more shows in each of them. An estimate.
pub(crate) const SCANT_MS: i64 = 2 * TICK_MS;

/// What a face shows at least: it shows whole seconds. Source: the faces of all clocks.
pub(crate) const TICK_MS: i64 = 1000;

/// How much later than the reading before it a press may reach us. An estimate.
pub(crate) const PRESS_LATE_MS: i64 = 500;

/// No delay that is played with is longer. An estimate.
pub(crate) const LONGEST_DELAY_MS: i64 = 60_000;

/// The sum from which on turns together decide. An estimate.
pub(crate) const SUM_MS: i64 = 8_000;

/// Turns up to this long are compared one with another. An estimate.
pub(crate) const SHORT_MS: i64 = 10_000;

/// A running clock reports every second. After a longer silence a press may have been missed. An
/// estimate.
pub(crate) const GAP: Duration = Duration::from_secs(3);

/// A tick that comes later than this may hide two presses: both took a part of its second. An
/// estimate.
pub(crate) const TICK: Duration = Duration::from_millis(1100);

/// How much later a move may be believed that a press belongs to which was not seen. An estimate.
pub(crate) const BELIEVED_LATER: Duration = Duration::from_millis(1500);

/// Whole seconds on a face, and up to one more until a reading reaches us. An estimate.
pub(crate) const SLACK_MS: i64 = 2500;

/// Nobody presses more often than so: there is a move of the opponent's between two presses.
/// Follows from [`FASTEST`].
pub(crate) const TWICE_PRESSED_MS: i64 = 2 * FASTEST.as_millis() as i64;

/// A time this much off what it was and our own clock say has jumped. An estimate.
pub(crate) const JUMP_MS: i64 = 10_000;

/// Both times count when each has lost at least this much in one turn. An estimate.
pub(crate) const BOTH_MS: i64 = 5_000;

/// A time that does not count in its player's turns for so long, delays aside, stands still. An
/// estimate.
pub(crate) const STUCK_MS: i64 = 20_000;

/// Over less than this much play a clock is not held against ours. An estimate.
pub(crate) const DRIFT_SPAN_MS: i64 = 5 * 60_000;

/// How far off it must then be, beside what readings can hide: beyond what any quartz does. An
/// estimate.
pub(crate) const DRIFT_MS: i64 = 10_000;

/// A time that has read zero for so long is used up, and not only about to be pressed for. An
/// estimate.
pub(crate) const FALLEN: Duration = Duration::from_millis(2500);

/// What the ends of a stretch can hide: a second of each face, and how late a report may be. An
/// estimate.
pub(crate) const ENDS_MS: i64 = 3 * TICK_MS;

/// So long a clock counts, at most, when somebody only tries whether it does. An estimate.
pub(crate) const TRIED: Duration = Duration::from_secs(10);
