//! Boards that only sense occupied squares (Sentio, Tactum): from frames of 8 numbers to a
//! picture. It names no piece, and its type could not.

use bincode::{Decode, Encode};
use eboard::{Anomaly, Occupancy, Occupied, Square};

use crate::device::Family;
use crate::frame::Message;

pub(crate) const NAME: &str = "tabutronic";

/// So many frames in a row, with nothing else between, make known that it is such a board: a frame
/// of the other kind that lost 312 numbers looks the same.
const RECOGNISED: u8 = 3;

/// What an occupancy board has shown so far. There is no check on the line, so a square changes
/// only when two frames in a row agree on it.
#[derive(Debug, Default, Encode, Decode)]
pub struct Presences {
    believed: Occupancy,
    /// The last frame.
    last: Option<Occupancy>,
    /// Frames in a row, as far as it matters.
    run: u8,
}

impl Family for Presences {
    type Senses = Occupied;
    type Content = bool;
    const NAME: &'static str = NAME;
    const EMPTY: bool = false;

    fn take(&mut self, frame: &Message) -> Result<(), Anomaly> {
        let Message::Occupied(seen) = *frame else {
            self.disturbed();
            return Err(Anomaly::BadLength);
        };
        if let Some(last) = self.last.replace(seen) {
            let agreed = !(last.0 ^ seen.0);
            self.believed.0 = self.believed.0 & !agreed | seen.0 & agreed;
        }
        self.run = self.run.saturating_add(1);
        Ok(())
    }

    /// Once recognised, a board is not doubted because of noise.
    fn disturbed(&mut self) {
        if !self.recognised() {
            self.run = 0;
        }
    }

    fn recognised(&self) -> bool {
        self.run >= RECOGNISED
    }

    fn picture(&self) -> Option<[bool; 64]> {
        let mut picture = [false; 64];
        for (content, square) in picture.iter_mut().zip(Square::all()) {
            *content = self.believed.contains(square);
        }
        self.recognised().then_some(picture)
    }

    fn board(picture: &[bool; 64]) -> Occupancy {
        let mut occupancy = Occupancy::default();
        for (square, &occupied) in Square::all().zip(picture) {
            occupancy.set(square, occupied);
        }
        occupancy
    }

    fn begin_again(&mut self) {
        *self = Self::default();
    }
}
