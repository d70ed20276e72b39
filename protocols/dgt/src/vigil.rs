//! Watches whether the board still answers. A dead USB cable gives no error, only silence.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{Moment, Reason};

/// Quiet for so long, the board is asked whether it is there.
const QUIET: Duration = Duration::from_secs(5);
/// Answers come within milliseconds, a dump within 0.4 s (picochess issue 267).
const ANSWER: Duration = Duration::from_secs(1);
/// So many questions may stay without answer before the board counts as silent.
const QUESTIONS: u32 = 3;
/// Longest wait between questions to a silent board, as python-asyncdgt waits between reopenings.
const LONGEST: Duration = Duration::from_secs(10);

/// When the board was last heard, and how often it has been asked in vain since.
#[derive(Clone, Debug, Encode, Decode)]
pub(crate) struct Vigil {
    since: Moment,
    asked: u32,
}

/// What the vigil wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alarm {
    /// Ask the board something it always answers.
    Ask,
    /// The board counts as silent from now on; ask all the same.
    FallenSilent,
}

impl Vigil {
    /// A vigil over a board last heard now.
    pub(crate) const fn new(now: Moment) -> Self {
        Self { since: now, asked: 0 }
    }

    /// The board was heard. Answers whether it had been silent.
    pub(crate) const fn heard(&mut self, now: Moment) -> bool {
        let was_silent = self.is_silent();
        *self = Self::new(now);
        was_silent
    }

    pub(crate) const fn is_silent(&self) -> bool {
        self.asked > QUESTIONS
    }

    /// When the vigil wants to be looked at, and why.
    pub(crate) fn deadline(&self) -> (Moment, Reason) {
        let wait = match self.asked {
            0 => QUIET,
            1..=QUESTIONS => ANSWER,
            asked => {
                let doubled = 2_u32.saturating_pow(asked - QUESTIONS);
                ANSWER.saturating_mul(doubled).min(LONGEST)
            }
        };
        (self.since + wait, Reason("the board has been quiet"))
    }

    /// What to do at this moment.
    pub(crate) fn due(&mut self, now: Moment) -> Option<Alarm> {
        if now < self.deadline().0 {
            return None;
        }
        let was_silent = self.is_silent();
        self.asked = self.asked.saturating_add(1);
        self.since = now;
        Some(if self.is_silent() && !was_silent { Alarm::FallenSilent } else { Alarm::Ask })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_questions_then_silence_then_ever_rarer_questions() {
        let mut vigil = Vigil::new(Moment::ZERO);
        let mut alarms = Vec::new();
        for _ in 0..9 {
            let (at, _) = vigil.deadline();
            alarms.push((at.as_micros() / 1_000_000, vigil.due(at).unwrap()));
            assert_eq!(vigil.due(at), None);
        }
        let seconds = [5, 6, 7, 8, 10, 14, 22, 32, 42];
        let expected = seconds
            .map(|second| (second, if second == 8 { Alarm::FallenSilent } else { Alarm::Ask }));
        assert_eq!(alarms, expected);
        assert!(vigil.heard(Moment::from_micros(1)), "it had been silent");
        assert!(!vigil.heard(Moment::from_micros(2)));
    }
}
