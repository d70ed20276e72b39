//! How the faces of a clock reach the line: as they change, or as somebody asks for them, and how
//! late. It knows no wire language, and nothing is lost.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use eboard::{Disturbance, Moment};

use crate::scan::tick;
use crate::{Happening, Rng};

/// A way of reading a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Readings {
    every: Option<Duration>,
    late: Duration,
}

impl Readings {
    /// Every change of the face is reported at once.
    #[must_use]
    pub const fn as_it_changes() -> Self {
        Self { every: None, late: Duration::ZERO }
    }

    /// The clock is asked every so often and reports nothing by itself: what changes between two
    /// readings shows in the second one, and a face that has not changed is reported again.
    #[must_use]
    pub const fn every(period: Duration) -> Self {
        Self { every: Some(period), late: Duration::ZERO }
    }

    /// The same with reports that come up to so much late, each by itself, but in order.
    #[must_use]
    pub const fn late(self, most: Duration) -> Self {
        Self { late: most, ..self }
    }

    /// What a board with such a clock reports, given all that happens, in order of time. The same
    /// seed reports the same.
    #[must_use]
    pub fn of(self, truth: Vec<(Moment, Happening)>, seed: u64) -> Vec<(Moment, Happening)> {
        if self == Self::default() {
            return truth;
        }
        let (mut all, shown): (Vec<_>, Vec<_>) =
            truth.into_iter().partition(|(_, happening)| happening.is_of_squares());
        all.extend(self.see(shown.into_iter(), &mut Rng::new(seed)));
        all.sort_by_key(|(at, _)| *at);
        all
    }

    /// What is reported when, given what the clock shows when, in order of time.
    #[must_use]
    pub fn see(
        self,
        shown: impl Iterator<Item = (Moment, Happening)>,
        dice: &mut Rng,
    ) -> Vec<(Moment, Happening)> {
        let mut read: Vec<_> = match self.every {
            Some(period) => asked(period, shown, dice),
            None => shown.collect(),
        };
        let late_us = u64::try_from(self.late.as_micros()).unwrap_or(u64::MAX);
        if late_us > 0 {
            let mut last = Moment::ZERO;
            for (at, _) in &mut read {
                last = last.max(*at + Duration::from_micros(dice.below(late_us)));
                *at = last;
            }
        }
        read
    }
}

impl FromStr for Readings {
    type Err = &'static str;

    /// Reads `every=0.4`, `late=1` or both, in seconds.
    fn from_str(text: &str) -> Result<Self, &'static str> {
        let mut readings = Self::as_it_changes();
        for word in text.split_whitespace() {
            let (word, seconds) = word.split_once('=').ok_or(WANTED)?;
            let seconds: f64 = seconds.parse().map_err(|_| WANTED)?;
            let span = Duration::try_from_secs_f64(seconds).map_err(|_| WANTED)?;
            match word {
                "every" if span > Duration::ZERO => readings.every = Some(span),
                "late" => readings.late = span,
                _ => return Err(WANTED),
            }
        }
        Ok(readings)
    }
}

const WANTED: &str = "every=0.4, late=1 or both, in seconds";

impl fmt::Display for Readings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let every = self.every.map(|every| format!("every={}", every.as_secs_f64()));
        let late = Some(self.late).filter(|late| !late.is_zero());
        let late = late.map(|late| format!("late={}", late.as_secs_f64()));
        let words: Vec<String> = every.into_iter().chain(late).collect();
        f.write_str(&words.join(" "))
    }
}

/// The newest face at each question. What is no face befalls the line when it does.
fn asked(
    period: Duration,
    shown: impl Iterator<Item = (Moment, Happening)>,
    dice: &mut Rng,
) -> Vec<(Moment, Happening)> {
    let period_us = u64::try_from(period.as_micros()).unwrap_or(u64::MAX).max(1);
    let phase_us = dice.below(period_us);
    let next_after = |at: Moment| tick(period_us, phase_us, at);
    let mut read = Vec::new();
    let (mut newest, mut question) = (None, Moment::ZERO);
    for (at, happening) in shown {
        while question < at {
            read.push((question, newest.take().unwrap_or(AGAIN)));
            question = next_after(question + Duration::from_micros(1));
        }
        match happening {
            Happening::Clock(_) | Happening::NoClock => newest = Some(happening),
            other => read.push((at, other)),
        }
    }
    read.extend(newest.map(|newest| (question, newest)));
    read
}

const AGAIN: Happening = Happening::Disturbed(Disturbance::Again);

#[cfg(test)]
mod tests {
    use eboard::ClockFace;

    use super::*;
    use crate::{Clock, TimeControl};

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// A clock that counts for five seconds, and is pressed after 2.5 s.
    fn shown() -> Vec<(Moment, Happening)> {
        let mut clock = Clock::new(TimeControl::new(60, 2));
        clock.start(Moment::ZERO, eboard::Colour::White);
        let mut shown = Vec::new();
        for tenth in 0..=50 {
            let now = Moment::ZERO + ms(tenth * 100);
            if tenth == 25 {
                clock.press(now);
            }
            let face = Happening::Clock(clock.face(now));
            if shown.last().is_none_or(|(_, last)| *last != face) {
                shown.push((now, face));
            }
        }
        shown
    }

    fn face_at(moment: Moment, shown: &[(Moment, Happening)]) -> Option<ClockFace> {
        let last = shown.iter().rev().find(|(at, _)| *at <= moment)?;
        match last.1 {
            Happening::Clock(face) => Some(face),
            _ => None,
        }
    }

    #[test]
    fn a_clock_that_is_asked_tells_what_it_shows_then() {
        for seed in 0..20 {
            let shown = shown();
            let read = Readings::every(ms(400)).see(shown.iter().copied(), &mut Rng::new(seed));
            let mut last = None;
            for (at, happening) in &read {
                last = match happening {
                    Happening::Clock(face) => Some(*face),
                    _ => last,
                };
                assert_eq!(last, face_at(*at, &shown), "at {at:?}, seed {seed}");
            }
            let apart = read.windows(2).skip(1).map(|pair| pair[1].0.since(pair[0].0));
            assert!(apart.clone().count() >= 10);
            assert!(apart.into_iter().all(|apart| apart == ms(400)), "seed {seed}: {read:?}");
        }
    }

    #[test]
    fn what_is_read_of_a_header_is_written_again() {
        for text in ["every=0.4", "late=1", "every=0.4 late=0.25"] {
            assert_eq!(text.parse::<Readings>().map(|it| it.to_string()), Ok(text.to_owned()));
        }
        for text in ["0.4", "every=0", "every=x", "late=-1", "soon=1"] {
            assert_eq!(text.parse::<Readings>(), Err(WANTED), "{text}");
        }
    }

    #[test]
    fn late_reports_stay_in_order_and_lose_nothing() {
        let shown = shown();
        for seed in 0..20 {
            let late = Readings::as_it_changes().late(ms(1000));
            let read = late.see(shown.iter().copied(), &mut Rng::new(seed));
            let reported: Vec<_> = read.iter().map(|(_, face)| *face).collect();
            let faces: Vec<_> = shown.iter().map(|(_, face)| *face).collect();
            assert_eq!(reported, faces);
            assert!(read.windows(2).all(|pair| pair[0].0 <= pair[1].0));
            for ((shown, _), (read, _)) in shown.iter().zip(&read) {
                assert!(read >= shown && read.since(*shown) < ms(1000), "seed {seed}");
            }
        }
    }
}
