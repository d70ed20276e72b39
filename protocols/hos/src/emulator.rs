//! A House of Staunton board made of nothing, with its clock: it says what stands on it and what
//! the clock shows five times a second, and takes no notice of what it is told.

use std::time::Duration;

use eboard::{Change, ClockFace, Disturbance, Emulator, Moment, Placement, Reason, Said, Stimulus};

use crate::frame::Answer;

/// From report to report; the sources say nothing of it.
const PERIOD: Duration = Duration::from_millis(200);

/// An emulated board.
#[derive(Debug)]
pub struct Board {
    squares: Placement,
    clock: Option<ClockFace>,
    /// So many reports of the clock are lost.
    lost: u16,
    /// None gets through.
    mute: bool,
    due: Moment,
}

impl Default for Board {
    fn default() -> Self {
        let squares = Placement::starting();
        Self { squares, clock: None, lost: 0, mute: false, due: Moment::ZERO }
    }
}

impl Board {
    fn tell_clock(&mut self, out: &mut Said) {
        let Some(face) = self.clock else { return };
        match (self.mute, self.lost) {
            (true, _) => {}
            (false, 1..) => self.lost -= 1,
            (false, 0) => out.report(Answer::Clock(Some(face)).report()),
        }
    }

    fn disturb(&mut self, disturbance: Disturbance, out: &mut Said) {
        match disturbance {
            Disturbance::Null => out.report(Answer::Clock(None).report()),
            Disturbance::Again => self.tell_clock(out),
            Disturbance::Lost(reports) => self.lost = reports,
            Disturbance::Silent(mute) => self.mute = mute,
            // Nothing is known of buttons.
            Disturbance::Button => {}
        }
    }
}

impl Emulator for Board {
    fn handle(&mut self, now: Moment, stimulus: Stimulus<'_>, out: &mut Said) {
        match stimulus {
            Stimulus::At(_, Change::Square { square, piece }) => self.squares[square] = piece,
            Stimulus::At(_, Change::Board(squares)) => self.squares = *squares,
            Stimulus::At(_, Change::Clock(face)) => {
                self.clock = face;
                self.tell_clock(out);
            }
            Stimulus::At(_, Change::Disturbed(disturbance)) => self.disturb(disturbance, out),
            Stimulus::At(..) | Stimulus::Host(_) | Stimulus::Due => {}
        }
        if self.due <= now {
            out.report(Answer::Position(self.squares).report());
            self.tell_clock(out);
            self.due = now + PERIOD;
        }
    }

    fn deadline(&self) -> Option<(Moment, Reason)> {
        Some((self.due, Reason("a report is due")))
    }

    /// There is no serial number in this language.
    fn set_serials(&mut self, _: &[&str]) {}
}
