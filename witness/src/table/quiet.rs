//! Seconds of a clock that bring nothing else. They are most of what is read at a table, and no
//! machine follows them: the same time counts, no threshold is crossed, and nothing is due.
//!
//! That a machine would do nothing is not reckoned here but has been seen. All machines have
//! followed the reading before, and nothing came of it. What stands at the table is the same since,
//! except for the seconds; so only a machine that looks at seconds or at the present moment is
//! asked here. Debug builds have all machines follow one second in eight all the same, and it is an
//! error if anything differs then.

use bincode::config;
use eboard::{ClockFace, Moment, Sighting};

use super::{Effect, Facet, Input, Play};
use crate::laws::time_trouble;
use crate::seating::Part;

impl Play {
    /// Takes a reading of the clock that brings nothing but another second, where nothing came of
    /// the last one and nothing is due. Whether it is such a reading; if not, nothing has changed.
    pub(super) fn pass(&mut self, now: Moment, input: &Input) -> bool {
        let Input::Seen(part, Sighting::Clock(face)) = input else { return false };
        if !self.may_pass() || !self.is_heard_by(*part) || self.crosses_a_threshold(face) {
            return false;
        }
        if !self.clocks.pass(now, *face) {
            return false;
        }
        if let Part::Board(_) = part {
            self.board.heard = now;
        }
        self.checks.short_of_time.go_on(now);
        self.note_running_clock(now);
        true
    }

    /// Whether no machine looks at more than the seconds.
    fn may_pass(&self) -> bool {
        // After an outage the next reading says how long it was, whatever it shows.
        let away = self.game.away.outage.is_some() || self.board.unwatched;
        !(away || self.is_apart || self.boards.other.is_some() || self.may_be_exchanged())
            && self.checks.attendance.is_settled()
            && !self.game.course.is_adjourned()
    }

    /// Whether the clock is read by this device, and the device was heard before.
    fn is_heard_by(&self, part: Part) -> bool {
        match part {
            Part::Board(board) => {
                let followed = board == self.boards.followed && board == self.boards.clock;
                followed && self.board.device.answering && !self.has_own_clock()
            }
            Part::Clock => self.own_clock().is_some_and(|clock| clock.answering),
        }
    }

    /// Whether the Laws say something else of the time that counts than with the last reading.
    fn crosses_a_threshold(&self, face: &ClockFace) -> bool {
        let before = self.clocks.face().map(|before| before.dial(face.lever).time);
        let now = face.dial(face.lever).time;
        before.is_none_or(|before| !time_trouble::is_alike(before, now))
    }

    /// All that a second changes which passes, as it is kept.
    pub(super) fn seconds(&self) -> Vec<u8> {
        let written = self.game.score.plies().last().and_then(|ply| ply.clock);
        let all = (&self.clocks, self.checks.short_of_time, self.board.heard, written);
        bincode::encode_to_vec(all, config::standard()).unwrap_or_default()
    }

    /// What [`Play::seconds`] would be if this passed; none if it does not. Nothing has changed.
    pub(super) fn passed(&mut self, now: Moment, input: &Input) -> Option<Vec<u8>> {
        let (clocks, short, heard) =
            (self.clocks.clone(), self.checks.short_of_time, self.board.heard);
        let last = self.game.score.plies().len().wrapping_sub(1);
        let written = self.game.score.plies().get(last).and_then(|ply| ply.clock);
        let passed = self.pass(now, input).then(|| self.seconds());
        (self.clocks, self.checks.short_of_time, self.board.heard) = (clocks, short, heard);
        match written {
            Some(face) => self.game.score.note_clock(last, face),
            None => self.game.score.forget_clock(last),
        }
        passed
    }
}

/// Whether these are the effects of a reading that has brought nothing else.
pub(super) fn is_nothing(out: &[Effect]) -> bool {
    matches!(out, [Effect::Changed(Facet::Clock)])
}

#[cfg(test)]
mod tests {
    use eboard::{Dial, FaceTime, Piece, Placement, Side, Square};

    use super::*;
    use crate::settings::Settings;
    use crate::table::Table;

    fn at(seconds: u32) -> Moment {
        Moment::from_micros(u64::from(seconds) * 1_000_000)
    }

    /// Whether the machines follow this.
    fn is_followed(table: &mut Table, second: u32, sighting: Sighting) -> bool {
        let input = Input::Seen(Part::BOARD, sighting);
        let passes = table.is_calm(at(second)) && table.play.clone().pass(at(second), &input);
        table.handle(at(second), input, &mut Vec::new()).unwrap();
        !passes
    }

    fn clock(left: u32, running: bool) -> Sighting {
        let dial = |left: u32| Dial { time: FaceTime::from_ms(left * 1000), ..Dial::default() };
        let (left, right, lever) = (dial(left), dial(7200), Side::Left);
        Sighting::Clock(ClockFace { left, right, running, lever, low_battery: false })
    }

    /// A table where two hours each were allotted and White's time began to count at ten seconds.
    fn table() -> Table {
        let control = "7200".parse().ok();
        let mut table = Table::new(Settings { control, ..Settings::default() });
        let out = &mut Vec::new();
        table.handle(at(0), Input::Line(Part::BOARD, true), out).unwrap();
        is_followed(&mut table, 1, Sighting::Position(Placement::starting()));
        while let Some((due, _)) = table.deadline().filter(|(due, _)| *due < at(9)) {
            table.handle(due, Input::Due, out).unwrap();
        }
        is_followed(&mut table, 9, clock(7200, false));
        is_followed(&mut table, 10, clock(7200, true));
        table
    }

    #[test]
    fn machines_see_one_second_of_a_time_that_counts_and_no_more() {
        let mut table = table();
        let seen = (1..=600)
            .filter(|passed| is_followed(&mut table, 10 + passed, clock(7200 - passed, true)));
        assert_eq!(seen.collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn nothing_else_changes_with_a_second_that_passes() {
        let mut table = table();
        let kept = |play: &Play| bincode::encode_to_vec(play, config::standard()).unwrap();
        for passed in 1..=600 {
            let (now, input) =
                (at(10 + passed), Input::Seen(Part::BOARD, clock(7200 - passed, true)));
            let mut alone = table.play.clone();
            let passes = table.is_calm(now) && alone.pass(now, &input);
            table.take(now, input, &mut Vec::new()).unwrap();
            assert!(!passes || kept(&alone) == kept(&table.play), "second {passed}");
        }
    }

    #[test]
    fn whatever_else_comes_wakes_them() {
        let mut table = table();
        for passed in 1..=10 {
            is_followed(&mut table, 10 + passed, clock(7200 - passed, true));
        }
        let (square, piece) = (Square::at(4, 1).unwrap(), None::<Piece>);
        assert!(is_followed(&mut table, 21, Sighting::Square { square, piece }));
        assert!(is_followed(&mut table, 21, clock(7189, true)), "A piece was lifted.");
        assert!(!is_followed(&mut table, 22, clock(7188, true)));
        assert!(is_followed(&mut table, 23, clock(7188, false)), "It was stopped.");
    }

    #[test]
    fn a_second_with_which_a_player_is_short_of_time_is_seen() {
        let mut table = table();
        let mut followed =
            |passed: u32| is_followed(&mut table, 10 + passed, clock(7200 - passed, true));
        let until = (1..7200).find(|passed| followed(*passed) && *passed > 1);
        assert_eq!(until, Some(6901), "He need not write with less than five minutes (8.4).");
    }
}
