//! A Chessnut board made of nothing: it answers, and in real time it reports what stands on it five
//! times a second. It has no clock (the link knows none), no faults, no serial number and no stored
//! games.

use std::time::Duration;

use eboard::{Battery, Change, Emulator, Moment, Placement, Reason, Said, Stimulus};

use crate::frame::Answer;

/// From report to report.
const PERIOD: Duration = Duration::from_millis(200);

/// An emulated board. As switched on it reports nothing by itself.
#[derive(Debug)]
pub struct Board {
    squares: Placement,
    battery: Battery,
    /// When the next report is due; `None`: it was not told to report.
    due: Option<Moment>,
}

impl Default for Board {
    fn default() -> Self {
        Self {
            squares: Placement::starting(),
            battery: Battery { percent: 88, charging: false },
            due: None,
        }
    }
}

impl Board {
    fn obey(&mut self, now: Moment, report: &[u8], out: &mut Said) {
        match report {
            [0x21, 1, mode, ..] => {
                let due = self.due.unwrap_or(now + PERIOD);
                self.due = (*mode == 0).then_some(due);
                out.report(Answer::Beside.report());
            }
            // Lights.
            [0x0a, 8, ..] => out.report(Answer::Beside.report()),
            [0x27, 1, ..] => {
                out.report(Answer::Version("emulated by adoubed".to_owned()).report());
            }
            [0x29, 1, ..] => out.report(Answer::Battery(Some(self.battery)).report()),
            _ => {}
        }
    }
}

impl Emulator for Board {
    fn handle(&mut self, now: Moment, stimulus: Stimulus<'_>, out: &mut Said) {
        match stimulus {
            Stimulus::Host(report) => self.obey(now, report, out),
            Stimulus::At(_, Change::Square { square, piece }) => self.squares[square] = piece,
            Stimulus::At(_, Change::Board(squares)) => self.squares = *squares,
            Stimulus::At(_, Change::Battery(battery)) => self.battery = battery,
            Stimulus::At(_, Change::PowerLost) => self.due = None,
            Stimulus::At(..) | Stimulus::Due => {}
        }
        if self.due.is_some_and(|due| due <= now) {
            out.report(Answer::Position(self.squares).report());
            self.due = Some(now + PERIOD);
        }
    }

    fn deadline(&self) -> Option<(Moment, Reason)> {
        self.due.map(|due| (due, Reason("a report is due")))
    }

    /// There is no serial number in this language.
    fn set_serials(&mut self, _: &[&str]) {}
}
