//! Boards made of nothing: they send frame after frame by themselves and acknowledge pictures for
//! their lamps. They have no clock, no serial number and no coloured lamps.

use std::time::Duration;

use eboard::{Change, Emulator, Moment, Placement, Reason, Said, Stimulus};

use crate::frame::{Lamps, Message};

mod men;
mod noise;

pub use men::Men;

/// From frame to frame. A frame of tags has 800 to 900 characters, that is 0.21 to 0.23 s on the
/// line, and nobody says that boards pause. How often the other kind sends is not known.
const PERIOD: Duration = Duration::from_millis(222);

/// Bytes of one picture for lamps of one colour.
const PICTURE: u32 = 8;

/// How a kind of board sees its squares.
pub trait Reader: Default + Send {
    /// What the board says of this.
    fn read(&mut self, squares: &Placement) -> Message;
}

/// An emulated board that reads tags.
pub type Board = Emulated<Men>;

/// An emulated board that senses occupied squares.
pub type SensorBoard = Emulated<Sensors>;

/// Sensors under the squares.
#[derive(Debug, Default)]
pub struct Sensors;

impl Reader for Sensors {
    fn read(&mut self, squares: &Placement) -> Message {
        Message::Occupied(squares.occupancy())
    }
}

/// An emulated board of one kind. What is on the squares when a frame begins is what it says, and
/// the frame arrives when the next begins, as if the line had needed all the time between.
#[derive(Debug)]
pub struct Emulated<R> {
    reader: R,
    squares: Placement,
    /// The frame that is being sent.
    frame: Vec<u8>,
    /// When it has been sent.
    due: Option<Moment>,
    /// Bytes of a picture for the lamps that have come.
    picture: u32,
}

impl<R: Reader> Emulated<R> {
    /// A board with this reader, set up for a game.
    #[must_use]
    pub fn with(reader: R) -> Self {
        let squares = Placement::starting();
        Self { reader, squares, frame: Vec::new(), due: Some(Moment::ZERO), picture: 0 }
    }

    fn light(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        for _ in bytes {
            self.picture = (self.picture + 1) % PICTURE;
            if self.picture == 0 {
                out.extend(Message::Lit(Lamps::Mono).encode());
            }
        }
    }

    fn turn_over(&mut self, now: Moment, out: &mut Vec<u8>) {
        out.append(&mut self.frame);
        self.frame = self.reader.read(&self.squares).encode();
        self.due = Some(now + PERIOD);
    }
}

impl<R: Reader> Default for Emulated<R> {
    fn default() -> Self {
        Self::with(R::default())
    }
}

impl<R: Reader> Emulator for Emulated<R> {
    fn handle(&mut self, now: Moment, stimulus: Stimulus<'_>, out: &mut Said) {
        let out = out.stream();
        match stimulus {
            Stimulus::Host(bytes) => self.light(bytes, out),
            Stimulus::At(_, Change::Square { square, piece }) => self.squares[square] = piece,
            Stimulus::At(_, Change::Board(squares)) => self.squares = *squares,
            Stimulus::At(..) | Stimulus::Due => {}
        }
        if self.due.is_none_or(|due| due <= now) {
            self.turn_over(now, out);
        }
    }

    fn deadline(&self) -> Option<(Moment, Reason)> {
        self.due.map(|due| (due, Reason("a frame ends")))
    }

    /// There is no serial number in this language.
    fn set_serials(&mut self, _: &[&str]) {}
}
