//! All that a table waits for. The order is that in which timers ring whose moments have come at
//! once: first what changes the score, then what is only watched.

use crate::table::tolerances::STANDS;
use eboard::{Moment, Reason};

use super::time::patience;
use super::{Effect, Play};

/// Something that is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timer {
    Picture,
    Press,
    Resumption,
    Survey,
    ClockAwaited,
    SquaresAwaited,
    ClockHeld,
    SetUp,
    Turned,
    WrongStart,
    Kings,
    Mate,
    Adrift,
    Doubt,
    EmptyPress,
    Displaced,
    BoardsDiffer,
    Standstill,
    WrongClock,
    Counted,
    ClockAway,
    Reckoned,
    BoardAway,
    MissedPress,
    Neighbour,
    Attendance,
    Late,
    Checks,
    Period,
    Undo,
}

impl Timer {
    /// Those that may change the score, in the order in which they ring.
    pub const OF_THE_BOARD: [Self; 17] = [
        Self::Picture,
        Self::Press,
        Self::Resumption,
        Self::Survey,
        Self::ClockAwaited,
        Self::SquaresAwaited,
        Self::ClockHeld,
        Self::SetUp,
        Self::Turned,
        Self::WrongStart,
        Self::Kings,
        Self::Mate,
        Self::Adrift,
        Self::Doubt,
        Self::EmptyPress,
        Self::Displaced,
        Self::BoardsDiffer,
    ];
    /// Those of what is only watched. They ring when everything else has been followed.
    pub const OF_THE_WATCHES: [Self; 13] = [
        Self::Standstill,
        Self::WrongClock,
        Self::Counted,
        Self::ClockAway,
        Self::Reckoned,
        Self::BoardAway,
        Self::MissedPress,
        Self::Neighbour,
        Self::Attendance,
        Self::Late,
        Self::Checks,
        Self::Period,
        Self::Undo,
    ];

    /// Why it is waited for.
    pub const fn reason(self) -> Reason {
        Reason(match self {
            Self::Picture => "the picture must rest",
            Self::Resumption => "the game may go on from here",
            Self::Press => "a press is to be judged",
            Self::Survey => "a report may be lost",
            Self::ClockAwaited => "the clock is not heard again",
            Self::SquaresAwaited => "the board has not reported its squares again",
            Self::ClockHeld => "the clock says nothing else than that a flag is down",
            Self::SetUp => "the pieces are set up",
            Self::Turned => "the board lies the other way round",
            Self::WrongStart => "a game begins that was set up wrongly",
            Self::Kings => "both kings are in the centre",
            Self::Mate => "a mate must rest",
            Self::Adrift => "the picture is not explained",
            Self::Doubt => "the doubt is another one, or has grown old",
            Self::EmptyPress => "a press without a move is to be judged",
            Self::Displaced => "fallen pieces have not been put up",
            Self::BoardsDiffer => "the two boards differ",
            Self::Standstill => "both times stand",
            Self::WrongClock => "the time of the wrong player counts",
            Self::Counted => "the clock has counted presses otherwise than the score moves",
            Self::ClockAway => "the clock is away",
            Self::Reckoned => "a clock that is away would show something else by now",
            Self::BoardAway => "the board is away",
            Self::MissedPress => "a press may be missing",
            Self::Neighbour => "the neighbour may have pressed this clock",
            Self::Attendance => "a player has given no sign since the round started",
            Self::Late => "a player has not come to the resumption",
            Self::Checks => "a result is missing, or a player is at two tables",
            Self::Period => "the clock has not added the next period",
            Self::Undo => "a decision can be taken back no more",
        })
    }
}

impl Play {
    /// The moment this timer is set to.
    pub(super) fn timer_at(&self, timer: Timer) -> Option<Moment> {
        let goes_on = self.game.score.ending().is_none();
        let timing = &self.game.timing;
        match timer {
            Timer::Picture => self.game.reading.tracker.as_ref().filter(|_| goes_on)?.deadline(),
            Timer::Press => self.game.pressing.press.as_ref().map(|press| press.judge),
            Timer::Resumption => self.resumption_deadline().filter(|_| goes_on),
            Timer::Survey => self.board.survey_at,
            Timer::ClockAwaited => self.clock_awaited_until(),
            Timer::SquaresAwaited => self.squares_due_at(),
            Timer::ClockHeld => self.clocks.held_until(),
            Timer::SetUp => self.game.reading.set_up.at.into_iter().chain(self.glimpse_at()).min(),
            Timer::Turned => self.game.irregularities.turn_at,
            Timer::WrongStart => self.wrong_start_at(),
            Timer::Kings => self.game.kings.signal_at,
            Timer::Mate => self.game.irregularities.mate_at,
            Timer::Adrift => self.adrift_at(),
            Timer::Doubt => self.doubt_at(),
            Timer::EmptyPress => self.empty_press_at(),
            Timer::Displaced => self.displaced_at(),
            Timer::BoardsDiffer => self.differ_at(),
            Timer::Standstill => timing.stopped.due_at(STANDS),
            Timer::WrongClock => {
                timing.wrong.what().and_then(|why| timing.wrong.due_at(patience(why)))
            }
            Timer::Counted => timing.counted.judge_at(),
            Timer::ClockAway => timing.lost.clock_due_at(),
            Timer::Reckoned => timing.lost.reckon_at(),
            Timer::BoardAway => timing.lost.board_due_at(),
            Timer::MissedPress => timing.missed.judge_at(),
            Timer::Neighbour => timing.neighbour.map(|(_, at)| at),
            Timer::Attendance => self.attendance_due_at(),
            Timer::Late => self.late_at().map(|(_, at)| at),
            Timer::Checks => self.checks_due_at(),
            Timer::Period => timing.period_due.map(|(_, at)| at),
            Timer::Undo => self.checks.acts.due_at(),
        }
    }

    /// Its moment has come.
    pub(super) fn timer_rings(&mut self, timer: Timer, now: Moment, out: &mut Vec<Effect>) {
        match timer {
            Timer::Picture => self.picture_due(now, out),
            Timer::Press => self.judge(now, out),
            Timer::Resumption => self.resumption_due(now, out),
            Timer::Survey => self.survey_due(now, out),
            Timer::ClockAwaited => self.note_read(now, out),
            Timer::SquaresAwaited => self.squares_due(now, out),
            Timer::ClockHeld => self.clock_quiet(now, out),
            Timer::SetUp => self.set_up_due(now, out),
            Timer::Turned => self.turn_by_first_move(now, out),
            Timer::WrongStart => self.wrong_start_due(now, out),
            Timer::Kings => self.kings_rest(now, out),
            // Whether it still stands is reviewed in every step.
            Timer::Mate => self.game.irregularities.mate_at = None,
            Timer::Adrift => self.go_adrift(now, out),
            Timer::Doubt => self.renew_doubt(now, out),
            Timer::EmptyPress => self.judge_empty_press(now, out),
            Timer::Displaced => self.tell_displaced(now, out),
            Timer::BoardsDiffer => self.tell_differing(now, out),
            Timer::Standstill => self.standstill_due(now, out),
            Timer::WrongClock => self.wrong_clock_due(now, out),
            Timer::Counted => self.counted_due(now, out),
            Timer::ClockAway => self.clock_lost_due(now, out),
            Timer::Reckoned => self.reckon_anew(now, out),
            Timer::BoardAway => self.board_lost_due(now, out),
            Timer::MissedPress => self.missed_due(now, out),
            Timer::Neighbour => self.neighbour_due(now, out),
            Timer::Attendance => self.attendance_due(now, out),
            Timer::Late => self.late_due(now, out),
            Timer::Checks => self.checks_due(now, out),
            Timer::Period => self.period_due(now, out),
            Timer::Undo => self.forget_acts(now, out),
        }
    }
}
