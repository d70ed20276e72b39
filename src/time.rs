//! The only reader of clocks. Moments are our own time and never go backwards; times of day are for
//! people.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bincode::{Decode, Encode};
use eboard::Moment;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;
use nix::time::{ClockId, clock_gettime};

/// A time of day, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
pub struct WallTime(i64);

impl WallTime {
    /// Microseconds since 1970.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since 1970.
    #[must_use]
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Reads RFC 3339 with an offset: `2026-11-20T14:00:00+01:00`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse::<Timestamp>().ok().map(|it| Self(it.as_microsecond()))
    }

    /// Reads a date in the notation of HTTP: `Fri, 20 Nov 2026 14:00:00 GMT`.
    #[must_use]
    pub fn parse_http(text: &str) -> Option<Self> {
        let at = jiff::fmt::rfc2822::parse(text).ok()?;
        Some(Self(at.timestamp().as_microsecond()))
    }

    /// The time rounded to seconds.
    #[must_use]
    pub const fn rounded(self) -> Self {
        const SECOND: i64 = 1_000_000;
        Self(self.0.saturating_add(SECOND / 2).div_euclid(SECOND) * SECOND)
    }

    /// RFC 3339 with milliseconds, UTC.
    #[must_use]
    pub fn rfc3339(self) -> String {
        let Ok(at) = Timestamp::from_microsecond(self.0) else { return String::new() };
        // Every payload has some of these. The general formatter takes ten times as long for them.
        in_milliseconds(Offset::UTC.to_datetime(at)).unwrap_or_else(|| format!("{at:.3}"))
    }

    /// `2026.11.20`, the notation of the Date tag in PGN, UTC.
    #[must_use]
    pub fn pgn_date(self) -> String {
        Timestamp::from_microsecond(self.0)
            .map(|at| at.strftime("%Y.%m.%d").to_string())
            .unwrap_or_else(|_| "????.??.??".to_owned())
    }

    /// `2026-11-20`, for people, UTC.
    #[must_use]
    pub fn date(self) -> String {
        self.pgn_date().replace('.', "-")
    }
}

/// A date and time of the years 0 to 9999, which have four digits and no sign.
fn in_milliseconds(at: DateTime) -> Option<String> {
    let year = u16::try_from(at.year()).ok()?;
    let [century, of_century] = [year / 100, year % 100].map(|it| two_digits(it.to_le_bytes()[0]));
    let [month, day] = [at.month(), at.day()].map(|it| two_digits(it.unsigned_abs()));
    let [hour, minute] = [at.hour(), at.minute()].map(|it| two_digits(it.unsigned_abs()));
    let second = two_digits(at.second().unsigned_abs());
    let millisecond = at.millisecond().unsigned_abs();
    let hundredths = two_digits((millisecond / 10).to_le_bytes()[0]);
    let last = b'0' + (millisecond % 10).to_le_bytes()[0];
    let [[y0, y1], [y2, y3], [mo0, mo1], [d0, d1]] = [century, of_century, month, day];
    let [[h0, h1], [mi0, mi1], [s0, s1], [ms0, ms1]] = [hour, minute, second, hundredths];
    let text = [
        y0, y1, y2, y3, b'-', mo0, mo1, b'-', d0, d1, b'T', h0, h1, b':', mi0, mi1, b':', s0, s1,
        b'.', ms0, ms1, last, b'Z',
    ];
    String::from_utf8(text.to_vec()).ok()
}

/// A number below 100.
const fn two_digits(number: u8) -> [u8; 2] {
    [b'0' + number / 10, b'0' + number % 10]
}

/// The time of day of all moments, from one known pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Anchor {
    /// A moment.
    pub moment: Moment,
    /// Its time of day.
    pub wall: WallTime,
}

impl Anchor {
    /// The time of day at another moment.
    #[must_use]
    pub fn wall(&self, moment: Moment) -> WallTime {
        let signed = |moment: Moment| i64::try_from(moment.as_micros()).unwrap_or(i64::MAX);
        WallTime(self.wall.0.saturating_add(signed(moment).saturating_sub(signed(self.moment))))
    }
}

/// Our own clock. It is monotonic and goes on from where the journal stopped.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    began: Instant,
    from: Moment,
}

impl Clock {
    /// A clock that shows `from` now.
    #[must_use]
    pub fn starting_at(from: Moment) -> Self {
        Self { began: Instant::now(), from }
    }

    /// The present moment.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.from + self.began.elapsed()
    }

    /// How long until that moment; zero if it has passed.
    #[must_use]
    pub fn until(&self, moment: Moment) -> Duration {
        moment.since(self.now())
    }
}

/// The processor time that this thread has used so far. Unlike a clock it stands still while others
/// have the core.
#[must_use]
pub fn processor_of_this_thread() -> Duration {
    // Every Linux has this clock.
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map(Duration::from).unwrap_or_default()
}

/// The present time of day.
#[must_use]
pub fn wall_now() -> WallTime {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    WallTime(i64::try_from(since_1970.as_micros()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_become_times_of_day() {
        let anchor = Anchor {
            moment: Moment::from_micros(5_000_000),
            wall: WallTime::from_micros(1_795_269_600_000_000),
        };
        assert_eq!(anchor.wall.rfc3339(), "2026-11-21T14:00:00.000Z");
        let later = anchor.wall(Moment::from_micros(6_500_000));
        assert_eq!(later.rfc3339(), "2026-11-21T14:00:01.500Z");
        let earlier = anchor.wall(Moment::ZERO);
        assert_eq!(earlier.rfc3339(), "2026-11-21T13:59:55.000Z");
        assert_eq!(WallTime::from_micros(anchor.wall.0 - 1).rounded(), anchor.wall);
        assert_eq!(anchor.wall.pgn_date(), "2026.11.21");
        assert_eq!(WallTime::parse("2026-11-21T15:00:00+01:00"), Some(anchor.wall));
        assert_eq!(WallTime::parse("2026-11-21 15:00"), None, "of which country?");
        let http = WallTime::parse_http("Sat, 21 Nov 2026 14:00:00 GMT");
        assert_eq!(http, Some(anchor.wall));
    }

    #[test]
    fn times_of_day_are_written_as_the_calendar_has_them() {
        const DAY: i64 = 86_400_000_000;
        let days = (-719_528..2_932_896).step_by(97).map(|day| day * DAY);
        let within = [0, 999, 1000, 61_234_567, 3_599_999_999, DAY - 1];
        for at in days.flat_map(|day| within.map(|it| day + it)) {
            let known = Timestamp::from_microsecond(at).unwrap();
            assert_eq!(WallTime(at).rfc3339(), format!("{known:.3}"));
        }
        let before = Timestamp::from_microsecond(-719_529 * DAY).unwrap();
        assert_eq!(WallTime(-719_529 * DAY).rfc3339(), format!("{before:.3}"));
        assert_eq!(WallTime(i64::MAX).rfc3339(), "");
    }
}
