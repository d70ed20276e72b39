//! A ChessLink board made of nothing: it answers, keeps its registers and reports by itself as they
//! say. It has no clock (the link knows none), no faults and no serial number.

use std::time::Duration;

use eboard::{Change, Emulator, Moment, Placement, Reason, Said, Stimulus};

use crate::decoder::Decoder;
use crate::frame::{Answer, Command, Request, Version};

/// Unit of register 01.
const SCAN_UNIT: Duration = Duration::from_micros(2048);

/// Unit of register 03.
const REPORT_UNIT: Duration = Duration::from_micros(4096);

/// How long a board hears nothing after it was told to begin again.
const RESET: Duration = Duration::from_secs(3);

/// An emulated board, as delivered: it reports after every scan, 24 times a second.
#[derive(Debug)]
pub struct Board {
    decoder: Decoder<Request>,
    squares: Placement,
    /// Memory that survives a reset.
    registers: [u8; 256],
    version: Version,
    name: Option<&'static str>,
    takes_writes: bool,
    /// What the last scan saw, and how many scans in a row have seen it.
    scanned: Placement,
    scans: u8,
    /// What was last reported unasked.
    reported: Option<Placement>,
    /// When the next scan or timed report ends.
    due: Option<Moment>,
    deaf_until: Option<Moment>,
}

/// Register 02, lowest three bits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reports {
    EveryScan,
    Off,
    Timed,
    /// When so many scans have seen the same.
    OnChange(u8),
}

impl Default for Board {
    fn default() -> Self {
        let mut registers = [0xff; 256];
        registers[..5].copy_from_slice(&[0, 20, 0, 10, 14]);
        Self {
            decoder: Decoder::default(),
            squares: Placement::starting(),
            registers,
            version: Version { high: 0x01, low: 0x03 },
            name: None,
            takes_writes: true,
            scanned: Placement::starting(),
            scans: 0,
            reported: None,
            due: Some(Moment::ZERO),
            deaf_until: None,
        }
    }
}

impl Board {
    /// A board that neither answers nor obeys `W`. Its version is in the range that all sources
    /// give to this model.
    #[must_use]
    pub fn king_performance() -> Self {
        Self { version: Version { high: 0x01, low: 0x10 }, takes_writes: false, ..Self::default() }
    }

    /// A board of the second generation, which tells its name.
    #[must_use]
    pub fn named(name: &'static str) -> Self {
        let version = Version { high: 0x02, low: 0x00 };
        Self { version, name: Some(name), ..Self::default() }
    }

    /// The same board after its register was set by somebody else.
    #[must_use]
    pub fn with_register(mut self, address: u8, value: u8) -> Self {
        self.registers[usize::from(address)] = value;
        self
    }

    /// What a register holds.
    #[must_use]
    pub fn register(&self, address: u8) -> u8 {
        self.registers[usize::from(address)]
    }

    fn answer(&mut self, now: Moment, request: Request) -> Option<Answer> {
        Some(match request {
            Request::Command(Command::Board) => Answer::Board(self.squares),
            Request::Command(Command::Version) => Answer::Version(self.version),
            Request::Command(Command::Name) => Answer::Name(self.name?.to_owned()),
            Request::Command(Command::Read { address }) => {
                Answer::Register { address, value: self.register(address) }
            }
            Request::Command(Command::Write { address, value }) => {
                if !self.takes_writes {
                    return None;
                }
                self.registers[usize::from(address)] = value;
                Answer::Written { address, value }
            }
            Request::Command(Command::LightsOut) => Answer::LightsOut,
            Request::Lights => Answer::Lights,
            Request::Reset => {
                self.deaf_until = Some(now + RESET);
                return None;
            }
        })
    }

    fn reports(&self) -> Reports {
        match self.register(2) & 7 {
            0 => Reports::EveryScan,
            1 => Reports::Off,
            2 => Reports::Timed,
            3 => Reports::OnChange(1),
            debounced => Reports::OnChange(debounced - 2),
        }
    }

    /// One scan or timed report has come to its end.
    fn scan(&mut self, out: &mut Vec<u8>) {
        let same = self.scanned == self.squares;
        self.scans = if same { self.scans.saturating_add(1) } else { 1 };
        self.scanned = self.squares;
        let wanted = match self.reports() {
            Reports::EveryScan | Reports::Timed => true,
            Reports::Off => false,
            Reports::OnChange(scans) => self.scans >= scans && self.reported != Some(self.scanned),
        };
        if wanted {
            self.reported = Some(self.scanned);
            out.extend(Answer::Board(self.scanned).encode());
        }
    }

    /// How long the next scan or report takes; `None`: nothing would come of it.
    fn period(&self) -> Option<Duration> {
        let scan = match self.register(1) {
            0..15 => 20,
            units => u32::from(units),
        };
        match self.reports() {
            Reports::EveryScan => Some(SCAN_UNIT * scan),
            Reports::Off => None,
            Reports::Timed => Some(REPORT_UNIT * u32::from(self.register(3).max(1))),
            Reports::OnChange(_) => {
                let still = self.scanned == self.squares && self.reported == Some(self.squares);
                (!still).then_some(SCAN_UNIT * scan)
            }
        }
    }
}

impl Emulator for Board {
    fn handle(&mut self, now: Moment, stimulus: Stimulus<'_>, out: &mut Said) {
        let out = out.stream();
        let deaf = self.deaf_until.is_some_and(|until| now < until);
        self.deaf_until = self.deaf_until.filter(|_| deaf);
        match stimulus {
            Stimulus::Host(_) if deaf => {}
            Stimulus::Host(bytes) => {
                for request in self.decoder.feed(bytes).into_iter().flatten() {
                    out.extend(self.answer(now, request).iter().flat_map(Answer::encode));
                }
            }
            Stimulus::At(_, Change::Square { square, piece }) => self.squares[square] = piece,
            Stimulus::At(_, Change::Board(squares)) => self.squares = *squares,
            // What was written into its memory stays.
            Stimulus::At(_, Change::PowerLost) => self.deaf_until = Some(now + RESET),
            Stimulus::At(..) | Stimulus::Due => {}
        }
        if deaf {
            return;
        }
        if self.due.is_some_and(|due| due <= now) {
            self.due = None;
            self.scan(out);
        }
        let period = self.period();
        self.due = self.due.filter(|_| period.is_some()).or(period.map(|it| now + it));
    }

    fn deadline(&self) -> Option<(Moment, Reason)> {
        match self.deaf_until {
            Some(until) => Some((until, Reason("the board begins again"))),
            None => self.due.map(|due| (due, Reason("a scan ends"))),
        }
    }

    /// There is no serial number in this language.
    fn set_serials(&mut self, _: &[&str]) {}
}
