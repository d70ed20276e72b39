//! An iChessOne board made of nothing: it answers, and reports by itself as it was told to. It has
//! no clock (the link knows none), no faults and no serial number.

use std::time::Duration;

use eboard::{Battery, Change, Emulator, Moment, Placement, Reason, Said, Stimulus};

use crate::frame::Answer;

/// How long a change takes to be noticed; the sources say nothing of it.
const SCAN: Duration = Duration::from_millis(20);

/// How many bytes follow the word of an order to the lamps and to the sound.
const LAMPS: usize = 14;
const SOUND: usize = 3;

/// An emulated board. As switched on it reports nothing by itself.
#[derive(Debug)]
pub struct Board {
    squares: Placement,
    reported: Placement,
    reports: Reports,
    battery: Battery,
    /// The beginning of a word, and how many bytes are not to be read as one.
    word: Vec<u8>,
    passed_over: usize,
    due: Option<Moment>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reports {
    Off,
    OnChange,
    /// Every so many milliseconds.
    Timed(u32),
}

impl Default for Board {
    fn default() -> Self {
        Self {
            squares: Placement::starting(),
            reported: Placement::starting(),
            reports: Reports::Off,
            battery: Battery { percent: 88, charging: false },
            word: Vec::new(),
            passed_over: 0,
            due: None,
        }
    }
}

impl Board {
    fn lose_power(&mut self) {
        (self.reports, self.due) = (Reports::Off, None);
        self.word.clear();
    }

    fn hear(&mut self, byte: u8, out: &mut Vec<u8>) {
        if self.passed_over > 0 {
            self.passed_over -= 1;
            return;
        }
        if self.word.is_empty()
            && byte.is_ascii_digit()
            && let Reports::Timed(ms) = self.reports
        {
            let ms = ms.saturating_mul(10).saturating_add(u32::from(byte - b'0'));
            self.reports = Reports::Timed(ms);
            return;
        }
        self.word.push(byte);
        let known: &[&[u8]] =
            &[b"CPIRQ", b"CPM", b"CPOFF", b"CSOFF", b"RP", b"RB", b"RH", b"EL", b"ES"];
        while !self.word.is_empty() && !known.iter().any(|it| it.starts_with(&self.word)) {
            self.word.remove(0);
        }
        if known.contains(&self.word.as_slice()) {
            let word = std::mem::take(&mut self.word);
            self.obey(&word, out);
        }
    }

    fn obey(&mut self, word: &[u8], out: &mut Vec<u8>) {
        let answer = match word {
            b"RP" => {
                self.reported = self.squares;
                Answer::Position(self.squares)
            }
            b"RB" => Answer::Battery(self.battery),
            b"RH" => Answer::Hardware("emulated by adoubed".to_owned()),
            other => {
                match other {
                    b"CPIRQ" => self.reports = Reports::OnChange,
                    b"CPM" => self.reports = Reports::Timed(0),
                    b"CPOFF" => self.reports = Reports::Off,
                    b"EL" => self.passed_over = LAMPS,
                    b"ES" => self.passed_over = SOUND,
                    _ => {}
                }
                return;
            }
        };
        out.extend(answer.encode());
    }

    fn report(&mut self, out: &mut Vec<u8>) {
        self.reported = self.squares;
        out.extend(Answer::Position(self.squares).encode());
    }

    /// How long until it reports by itself; `None`: nothing would come of it.
    fn period(&self) -> Option<Duration> {
        match self.reports {
            Reports::Off | Reports::Timed(0) => None,
            Reports::OnChange => (self.reported != self.squares).then_some(SCAN),
            Reports::Timed(ms) => Some(Duration::from_millis(u64::from(ms)).max(SCAN)),
        }
    }
}

impl Emulator for Board {
    fn handle(&mut self, now: Moment, stimulus: Stimulus<'_>, out: &mut Said) {
        let out = out.stream();
        match stimulus {
            Stimulus::Host(bytes) => bytes.iter().for_each(|byte| self.hear(*byte, out)),
            Stimulus::At(_, Change::Square { square, piece }) => self.squares[square] = piece,
            Stimulus::At(_, Change::Board(squares)) => self.squares = *squares,
            Stimulus::At(_, Change::Battery(battery)) => self.battery = battery,
            Stimulus::At(_, Change::PowerLost) => self.lose_power(),
            Stimulus::At(..) | Stimulus::Due => {}
        }
        if self.due.is_some_and(|due| due <= now) {
            self.due = None;
            if self.period().is_some() {
                self.report(out);
            }
        }
        let period = self.period();
        self.due = self.due.filter(|_| period.is_some()).or(period.map(|it| now + it));
    }

    fn deadline(&self) -> Option<(Moment, Reason)> {
        self.due.map(|due| (due, Reason("a report is due")))
    }

    /// There is no serial number in this language.
    fn set_serials(&mut self, _: &[&str]) {}
}
