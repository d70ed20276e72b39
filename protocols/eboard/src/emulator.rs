//! A board of a family made of nothing: the far end of the line, for tests, demos and other
//! software.

use crate::{Battery, ClockFace, Moment, Piece, Placement, Reason, Square, Station};

/// What befalls a clock's report on its way from the clock to the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    /// A report that says nothing, as some boards send after an order to the clock.
    Null,
    /// A button was pressed on the clock, which tells so unasked.
    Button,
    /// So many of the next reports are lost.
    Lost(u16),
    /// From now on none gets through, or all do again.
    Silent(bool),
    /// What was reported last is reported once more.
    Again,
}

/// What befalls one emulated board.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// A hand changed one square. Squares are the board's own: square 0 is a8 unless it is turned.
    Square {
        /// Which square.
        square: Square,
        /// What stands there now.
        piece: Option<Piece>,
    },
    /// The whole board is as given, without single changes being seen.
    Board(&'a Placement),
    /// The clock shows this from now on; `None`: no clock is connected.
    Clock(Option<ClockFace>),
    /// Something befalls what the clock reports.
    Disturbed(Disturbance),
    /// So much power is left; boards that cannot tell take no notice.
    Battery(Battery),
    /// Its power was gone for a moment: it has forgotten what it was told.
    PowerLost,
    /// It has been put on a bus of several boards, or taken off it. A board that has its line for
    /// itself takes no notice: there the whole line goes.
    OnBus(bool),
}

impl<'a> Change<'a> {
    /// Befalls the board at this place of the line.
    #[must_use]
    pub const fn at(self, station: Station) -> Stimulus<'a> {
        Stimulus::At(station, self)
    }

    /// Befalls the only board of a line.
    #[must_use]
    pub const fn here(self) -> Stimulus<'a> {
        self.at(Station::ONLY)
    }
}

/// What reaches the far end of a line.
#[derive(Clone, Copy, Debug)]
pub enum Stimulus<'a> {
    /// Bytes written by the host: on a line that keeps reports, one report.
    Host(&'a [u8]),
    /// Something befalls the board at this place. Where there is only one board, it is that one
    /// whatever place is said.
    At(Station, Change<'a>),
    /// The deadline given has come.
    Due,
}

/// What an emulated board says, in order: on a line that keeps reports, each write is one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said(Vec<Vec<u8>>);

impl Said {
    /// Where a board on a serial line puts its bytes: all that is said at once is one write.
    pub fn stream(&mut self) -> &mut Vec<u8> {
        if self.0.is_empty() {
            self.0.push(Vec::new());
        }
        let last = self.0.len() - 1;
        &mut self.0[last]
    }

    /// One report.
    pub fn report(&mut self, bytes: impl Into<Vec<u8>>) {
        self.0.push(bytes.into());
    }

    /// What was said, write by write.
    pub fn writes(self) -> impl Iterator<Item = Vec<u8>> {
        self.0.into_iter().filter(|bytes| !bytes.is_empty())
    }

    /// Whether nothing was said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }

    /// All bytes as one.
    #[must_use]
    pub fn bytes(self) -> Vec<u8> {
        self.0.concat()
    }
}

/// What is at the far end of a line: an emulated board, or several on a bus.
pub trait Emulator: Send {
    /// The only way in; what it says to the host is added to `out`.
    fn handle(&mut self, now: Moment, stimulus: Stimulus<'_>, out: &mut Said);

    /// When it next wants [`Stimulus::Due`], and why.
    fn deadline(&self) -> Option<(Moment, Reason)>;

    /// The serial number the board will give, where the language has one; on a bus, the numbers of
    /// all boards that are there from now on, each at its place.
    fn set_serials(&mut self, serials: &[&str]);

    /// The places at which there are boards.
    fn stations(&self) -> Vec<Station> {
        vec![Station::ONLY]
    }
}
