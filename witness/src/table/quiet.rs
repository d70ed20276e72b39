//! Seconds of a clock that bring nothing else. They are most of what is read at a table, and no
//! machine has to see them: the same time counts, no threshold is crossed, and nothing is due.
//!
//! That a machine would do nothing is not reckoned here but has been seen. All machines have
//! followed the reading before, which was like this one, and nothing came of it. What stands at the
//! table is the same since, except for the seconds; so a machine that looks at seconds or at the
//! present moment is asked here ([`Play::is_unmoved`]). Debug builds have all machines follow all
//! the same, and it is an error if something comes of it.

use eboard::{FaceTime, Moment};

use super::events::{Counts, Wakes};
use super::{Effect, Facet, Play};
use crate::clock::{ClockState, Clocks};

impl Play {
    /// The clock was read, which showed `before` until now. `counts`: by this reading a time goes
    /// on counting, and it has no event. Whether nothing more is to be done about it.
    pub(super) fn is_quiet(
        &mut self,
        now: Moment,
        counts: bool,
        before: Option<ClockState>,
    ) -> bool {
        self.step.counts = if counts { Counts::On } else { Counts::Otherwise };
        let Some(before) = before.filter(|_| counts && self.may_be_quiet(now)) else {
            return false;
        };
        if counts_on(&self.clocks, before) && self.is_unmoved(now) {
            self.note_running_clock(now);
            self.step.counts = Counts::Unseen;
        }
        self.step.counts == Counts::Unseen && cfg!(not(debug_assertions))
    }

    /// Whether nothing came of the reading before, and nothing is due.
    fn may_be_quiet(&self, now: Moment) -> bool {
        let Some(wakes) = self.step.quiet_until else { return false };
        let due = wakes.is_some_and(|(wakes, _)| wakes <= now);
        // After an outage the next reading says how long it was, whatever it shows.
        !due && self.boards.other.is_none() && self.game.away.outage.is_none()
    }

    /// Whether the machines that look at seconds and at the present moment have nothing to say.
    fn is_unmoved(&mut self, now: Moment) -> bool {
        !self.may_be_exchanged() && self.checks.attendance.is_settled() && self.stays_short(now)
    }

    /// The step has ended, and the table wants to be woken then. Whether another reading like the
    /// one of this step may bring nothing else.
    pub(super) fn rest(&mut self, wakes: Wakes) {
        let on = self.step.counts != Counts::Otherwise;
        self.step.quiet_until = on.then_some(wakes);
    }

    /// Something else enters than a reading of a clock.
    pub(super) fn stir(&mut self) {
        self.step.quiet_until = None;
    }
}

/// Whether the time that counted before still does, and nothing else is shown.
fn counts_on(clocks: &Clocks, before: ClockState) -> bool {
    let Some(now) = clocks.state() else { return false };
    let Some(side) = now.running.filter(|_| !clocks.lost()) else { return false };
    let (idle, counting) = (side.other(), now.times.get(side));
    let ClockState { times, sampled, flag_due, .. } = now;
    now.times.get(idle) == before.times.get(idle)
        && *counting > FaceTime::ZERO
        && ClockState { times, sampled, flag_due, ..before } == now
}

/// Whether these are the effects of a reading that has brought nothing else.
pub(super) fn is_nothing(out: &[Effect]) -> bool {
    matches!(out, [Effect::Changed(Facet::Clock)])
}

#[cfg(test)]
mod tests {
    use eboard::{ClockFace, Dial, Piece, Placement, Side, Sighting, Square};

    use super::*;
    use crate::seating::Part;
    use crate::settings::Settings;
    use crate::table::{Input, Table};

    fn at(seconds: u32) -> Moment {
        Moment::from_micros(u64::from(seconds) * 1_000_000)
    }

    fn see(table: &mut Table, second: u32, sighting: Sighting) -> Counts {
        let input = Input::Seen(Part::BOARD, sighting);
        table.handle(at(second), input, &mut Vec::new()).unwrap();
        table.play.step.counts
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
        see(&mut table, 1, Sighting::Position(Placement::starting()));
        while let Some((due, _)) = table.deadline().filter(|(due, _)| *due < at(9)) {
            table.handle(due, Input::Due, out).unwrap();
        }
        see(&mut table, 9, clock(7200, false));
        see(&mut table, 10, clock(7200, true));
        table
    }

    #[test]
    fn machines_see_one_second_of_a_time_that_counts_and_no_more() {
        let mut table = table();
        let seen = (1..=600).filter(|passed| {
            see(&mut table, 10 + passed, clock(7200 - passed, true)) != Counts::Unseen
        });
        assert_eq!(seen.collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn whatever_else_comes_wakes_them() {
        let mut table = table();
        (1..=10).for_each(|it| {
            assert_ne!(see(&mut table, 10 + it, clock(7200 - it, true)), Counts::Otherwise)
        });
        let (square, piece) = (Square::at(4, 1).unwrap(), None::<Piece>);
        see(&mut table, 21, Sighting::Square { square, piece });
        assert_eq!(see(&mut table, 21, clock(7189, true)), Counts::On, "A piece was lifted.");
        assert_eq!(see(&mut table, 22, clock(7188, true)), Counts::Unseen);
        assert_eq!(see(&mut table, 23, clock(7188, false)), Counts::Otherwise, "It was stopped.");
    }

    #[test]
    fn a_second_with_which_a_player_is_short_of_time_is_seen() {
        let mut table = table();
        let mut unseen = |passed: u32| see(&mut table, 10 + passed, clock(7200 - passed, true));
        let until = (1..7200).find(|passed| unseen(*passed) != Counts::Unseen && *passed > 1);
        assert_eq!(until, Some(6901), "He need not write with less than five minutes (8.4).");
    }
}
