//! The Chessnut clock on USB HID: the conversation with it, and an emulated one. It tells which
//! half has the move and nothing else: no time, no flag, no power, and it cannot be asked.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{
    Anomaly, Change, Device, Driver, Emulator, HidId, Identity, Input, Maturity, Moment, Occupied,
    Outbox, Reason, Said, Senses, Side, Sighting, Station, Stimulus, Transport,
};

const NAME: &str = "chessnutclock";

/// Which byte of a report says which half has the move.
const HALF: usize = 2;

/// The row of facts about the clock.
pub static DRIVER: Driver = Driver {
    name: NAME,
    family: "chessnut",
    title: "Chessnut clock",
    senses: Senses::Nothing,
    clock: true,
    numbered: false,
    learns: false,
    misses: Duration::ZERO,
    transport: Transport::Hid {
        ids: &[HidId {
            vendor: 0x2d80,
            product: 0x0001,
            mask: 0xffff,
            usage_page: None,
            note: "Chessnut clock (ChessnutNext; its maker has not confirmed the product id)",
        }],
    },
    // It says nothing until its lever is moved, and then too little to be known by.
    probed: false,
    maturity: Maturity::OnPaper,
    patience: Duration::from_secs(1),
    pace: Duration::ZERO,
    converse: || Box::new(Clock::default()),
    restore: eboard::restore::<Clock>,
    emulate: || Box::new(Lever::default()),
};

/// One conversation with a Chessnut clock. The configuration names its line, and that is all that
/// tells who is there.
#[derive(Debug, Default, Encode, Decode)]
pub struct Clock {
    /// Which half has the move, as last reported.
    shown: Option<Side>,
    survey: bool,
}

impl Device for Clock {
    // It has no way to speak of squares, and speaks of none.
    type Senses = Occupied;

    fn handle(&mut self, _: Moment, input: Input<'_>, out: &mut Outbox<'_, Occupied>) {
        match input {
            Input::Opened => {
                *self = Self::default();
                let identity = Identity { driver: NAME.into(), ..Identity::default() };
                out.beside(Station::ONLY, Sighting::Identified(identity));
            }
            Input::Bytes(report) => match read(report) {
                // It may say again what it has said.
                Ok(side) => {
                    if self.shown.replace(side) != Some(side) || self.survey {
                        out.beside(Station::ONLY, Sighting::Lever(side));
                    }
                    self.survey = false;
                }
                Err(anomaly) => out.noise(anomaly),
            },
            Input::Survey(_) => self.survey = true,
            Input::Due => {}
        }
    }

    fn deadline(&self) -> Option<(Moment, Reason)> {
        None
    }
}

fn read(report: &[u8]) -> Result<Side, Anomaly> {
    match report.get(HALF) {
        Some(0) => Ok(Side::Left),
        Some(1) => Ok(Side::Right),
        Some(_) => Err(Anomaly::BadValue),
        None => Err(Anomaly::BadLength),
    }
}

/// An emulated clock. What its dials show stays in it.
#[derive(Debug, Default)]
pub struct Lever {
    side: Option<Side>,
}

impl Emulator for Lever {
    fn handle(&mut self, _: Moment, stimulus: Stimulus<'_>, out: &mut Said) {
        let Stimulus::At(_, Change::Clock(Some(face))) = stimulus else { return };
        if self.side.replace(face.lever) != Some(face.lever) {
            // What the first two bytes say is not known.
            out.report([0, 0, u8::from(face.lever == Side::Right)]);
        }
    }

    fn deadline(&self) -> Option<(Moment, Reason)> {
        None
    }

    /// There is no serial number in this language.
    fn set_serials(&mut self, _: &[&str]) {}
}
