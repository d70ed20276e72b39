//! A board on a line of its own made of nothing, with its clock. It is no bus board, has no lamps
//! and keeps no log; orders for those are passed over as by a board that lacks them. Orders to the
//! clock are acknowledged and not carried out: the clock is whoever tells the board what it shows.

use std::time::Duration;

use eboard::{Battery, Change, ClockFace, Disturbance, Emulator, Moment, Placement, Reason};
use eboard::{Said, Square, Stimulus};

use crate::clock::Report;
use crate::command::{Command, Order, Orders};
use crate::frame::{Frame, Version};
use crate::piece::{Content, Dump};

/// In plain update mode the clock is reported at least this often.
const CLOCK_PERIOD: Duration = Duration::from_secs(1);

/// An acknowledgement: this order was carried out.
const DONE: u8 = 0x10;
/// Its second byte has this bit when nobody had ordered anything.
const UNASKED: u8 = 0x80;
/// Which order a pressed button is told as, and the button that starts and stops.
const BUTTON: u8 = 0x08;
const START_STOP: [u8; 2] = [0x05, 0x33];

/// Digits of a short and of a long serial number.
const SHORT: usize = 5;
const LONG: usize = 10;

/// A virtual board. Begins with the starting position, no clock, no battery, number 00001.
#[derive(Debug)]
pub struct VirtualBoard {
    orders: Orders,
    placement: Placement,
    clock: Report,
    /// So many of the next reports of the clock are lost.
    lost: u16,
    /// No report of the clock gets through.
    silent: bool,
    battery: Option<Battery>,
    version: Version,
    /// Ten digits.
    serial: String,
    mode: Mode,
}

/// Which changes the board tells of by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Idle,
    /// Squares, and the clock at this moment at the latest.
    Update {
        clock: Moment,
    },
    /// Squares only.
    UpdateBoard,
    /// Squares and changes of the clock.
    UpdateNice,
}

impl Default for VirtualBoard {
    fn default() -> Self {
        Self {
            orders: Orders::default(),
            placement: Placement::starting(),
            clock: Report::NoClock,
            lost: 0,
            silent: false,
            battery: None,
            version: Version { major: 3, minor: 1 },
            serial: format!("{:0LONG$}", 1),
            mode: Mode::Idle,
        }
    }
}

impl VirtualBoard {
    /// A board as it leaves the box.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the board a battery, or takes it away. Boards on a cable have none and do not answer.
    pub fn set_battery(&mut self, battery: Option<Battery>) {
        self.battery = battery;
    }

    /// Sets the version of the firmware.
    pub fn set_version(&mut self, version: Version) {
        self.version = version;
    }

    fn obey(&mut self, now: Moment, command: Command, out: &mut Vec<u8>) {
        match command {
            Command::Reset => self.mode = Mode::Idle,
            Command::Update => self.mode = Mode::Update { clock: now + CLOCK_PERIOD },
            Command::UpdateBoard => self.mode = Mode::UpdateBoard,
            Command::UpdateNice => self.mode = Mode::UpdateNice,
            Command::Clock => self.report(self.clock, out),
            Command::Board => Frame::Board(Dump::from(&self.placement)).encode(out),
            Command::Serial => Frame::Serial(self.short_serial()).encode(out),
            Command::LongSerial => Frame::LongSerial(&self.serial).encode(out),
            Command::BusAddress => Frame::BusAddress(self.bus_address()).encode(out),
            Command::Trademark => Frame::Trademark(&self.introduction()).encode(out),
            Command::Version => Frame::Version(self.version).encode(out),
            Command::HardwareVersion => {
                Frame::HardwareVersion(Version { major: 1, minor: 0 }).encode(out);
            }
            Command::Battery => {
                if let Some(battery) = self.battery {
                    Frame::Battery(battery).encode(out);
                }
            }
        }
    }

    fn short_serial(&self) -> &str {
        self.serial.get(LONG - SHORT..).unwrap_or(&self.serial)
    }

    /// The short number in binary, as boards have it. What boards do with numbers above 16383,
    /// which do not fit, is not known; here the lower 14 bits remain.
    fn bus_address(&self) -> u16 {
        let number: u32 = self.short_serial().parse().unwrap_or_default();
        u16::try_from(number & 0x3fff).unwrap_or_default()
    }

    /// In words of our own: no maker's text is imitated.
    fn introduction(&self) -> String {
        let Version { major, minor } = self.version;
        format!(
            "adoubed virtual board\nfirmware {major}.{minor}\nserial number {}",
            self.short_serial()
        )
    }

    fn square(&mut self, square: Square, content: Content, out: &mut Vec<u8>) {
        if self.placement[square] == content.man() {
            return;
        }
        self.placement[square] = content.man();
        if self.mode != Mode::Idle {
            Frame::Field { square, content }.encode(out);
        }
    }

    fn clock(&mut self, now: Moment, face: Option<ClockFace>, out: &mut Vec<u8>) {
        let clock = face.map_or(Report::NoClock, Report::Face);
        let changed = clock.encode() != self.clock.encode();
        self.clock = clock;
        match &mut self.mode {
            Mode::Update { clock } if changed => *clock = now + CLOCK_PERIOD,
            Mode::UpdateNice if changed => {}
            Mode::Idle | Mode::UpdateBoard | Mode::Update { .. } | Mode::UpdateNice => return,
        }
        self.report(self.clock, out);
    }

    fn report(&mut self, report: Report, out: &mut Vec<u8>) {
        if self.silent {
            return;
        }
        match self.lost.checked_sub(1) {
            Some(still) => self.lost = still,
            None => Frame::Clock(report).encode(out),
        }
    }

    /// Boards tell of these only while they tell of the clock by themselves.
    fn remark(&mut self, report: Report, out: &mut Vec<u8>) {
        if matches!(self.mode, Mode::Update { .. } | Mode::UpdateNice) {
            self.report(report, out);
        }
    }

    fn disturbed(&mut self, disturbance: Disturbance, out: &mut Vec<u8>) {
        match disturbance {
            Disturbance::Null => self.remark(Report::Null, out),
            Disturbance::Button => {
                let [which, button] = START_STOP;
                self.remark(Report::Ack([DONE, UNASKED | BUTTON, which, button]), out);
            }
            Disturbance::Lost(count) => self.lost = count,
            Disturbance::Silent(silent) => self.silent = silent,
            Disturbance::Again => self.remark(self.clock, out),
        }
    }

    fn due(&mut self, now: Moment, out: &mut Vec<u8>) {
        if let Mode::Update { clock } = &mut self.mode
            && *clock <= now
        {
            *clock = now + CLOCK_PERIOD;
            self.report(self.clock, out);
        }
    }
}

impl Emulator for VirtualBoard {
    fn handle(&mut self, now: Moment, stimulus: Stimulus<'_>, out: &mut Said) {
        let out = out.stream();
        match stimulus {
            Stimulus::Host(bytes) => {
                let mut orders = std::mem::take(&mut self.orders);
                orders.feed(bytes, |order| match order {
                    Order::Command(command) => self.obey(now, command, out),
                    Order::Clock(which) => self.remark(Report::Ack([DONE, which, 0, 0]), out),
                });
                self.orders = orders;
            }
            Stimulus::At(_, Change::Square { square, piece }) => {
                self.square(square, piece.into(), out)
            }
            Stimulus::At(_, Change::Board(placement)) => self.placement = *placement,
            Stimulus::At(_, Change::Clock(face)) => self.clock(now, face, out),
            Stimulus::At(_, Change::Disturbed(disturbance)) => self.disturbed(disturbance, out),
            Stimulus::At(_, Change::Battery(battery)) => self.battery = Some(battery),
            Stimulus::At(_, Change::PowerLost) => self.mode = Mode::Idle,
            Stimulus::At(_, Change::OnBus(_)) => {}
            Stimulus::Due => self.due(now, out),
        }
    }

    fn deadline(&self) -> Option<(Moment, Reason)> {
        match self.mode {
            Mode::Update { clock } => Some((clock, Reason("the clock is reported every second"))),
            Mode::Idle | Mode::UpdateBoard | Mode::UpdateNice => None,
        }
    }

    /// Takes the digits of `serial`, the last ten if there are more. The short number is the last
    /// five of them.
    fn set_serials(&mut self, serials: &[&str]) {
        let Some(serial) = serials.first() else { return };
        let digits: Vec<char> = serial.chars().filter(char::is_ascii_digit).collect();
        let last: String = digits.iter().skip(digits.len().saturating_sub(LONG)).collect();
        self.serial = format!("{last:0>LONG$}");
    }
}

#[cfg(test)]
mod tests;
