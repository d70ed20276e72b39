//! The two doors of a running conversation, and a type for each kind of sense.

use std::marker::PhantomData;

use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode, config};

use crate::{Identity, Lessons, Moment, Occupancy, Piece, Placement, Sighting, Square};

/// A place on a line: the address on a shared bus, 0 where there is only one board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct Station(pub u16);

impl Station {
    /// The only station of a line that is no bus.
    pub const ONLY: Self = Self(0);
}

/// What enters a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input<'a> {
    /// The line has just been opened: begin, and forget what was left of a frame.
    Opened,
    /// Bytes from the line, cut anywhere.
    Bytes(&'a [u8]),
    /// The deadline given has come.
    Due,
    /// Say again what stands on this board and what its clock shows.
    Survey(Station),
}

/// What comes out of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Bytes to write, in order.
    Send(Vec<u8>),
    /// A claim about a station.
    Saw(Station, Sighting),
    /// Bytes that made no sense: counted, never an error.
    Noise(Anomaly),
}

/// Bytes that were no well-formed frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Anomaly {
    /// Bytes between frames that belong to none.
    Stray,
    /// A frame that stopped half way because another began.
    Truncated,
    /// A length the language does not allow.
    BadLength,
    /// A check that does not match.
    BadCheck,
    /// A byte with the wrong parity.
    BadParity,
    /// Well framed, but a value inside cannot be.
    BadValue,
    /// Well formed, but of a kind we do not know.
    Unknown,
}

/// Why a conversation wants to be woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason(pub &'static str);

/// What a board can sense; decides which sightings it may construct.
pub trait Sense {
    /// What one square can be said to hold.
    type Content;
    /// What the whole board can be said to hold.
    type Board;

    /// A claim about one square.
    fn square(square: Square, content: Self::Content) -> Sighting;
    /// A claim about the whole board.
    fn board(board: Self::Board) -> Sighting;
}

/// The board knows which piece stands where.
#[derive(Debug)]
pub enum Pieces {}

/// The board knows only that something stands there.
#[derive(Debug)]
pub enum Occupied {}

impl Sense for Pieces {
    type Content = Option<Piece>;
    type Board = Placement;

    fn square(square: Square, piece: Option<Piece>) -> Sighting {
        Sighting::Square { square, piece }
    }

    fn board(board: Placement) -> Sighting {
        Sighting::Position(board)
    }
}

impl Sense for Occupied {
    type Content = bool;
    type Board = Occupancy;

    fn square(square: Square, occupied: bool) -> Sighting {
        Sighting::Presence { square, occupied }
    }

    fn board(board: Occupancy) -> Sighting {
        Sighting::Occupancy(board)
    }
}

/// Where a device puts its answers. An occupancy board's outbox has no way to name a piece.
#[derive(Debug)]
pub struct Outbox<'a, S> {
    answers: &'a mut Vec<Output>,
    sense: PhantomData<S>,
}

impl<'a, S: Sense> Outbox<'a, S> {
    /// An outbox that fills `answers`.
    pub fn new(answers: &'a mut Vec<Output>) -> Self {
        Self { answers, sense: PhantomData }
    }

    /// Bytes to write.
    pub fn send(&mut self, bytes: impl Into<Vec<u8>>) {
        self.answers.push(Output::Send(bytes.into()));
    }

    /// The whole board of a station.
    pub fn board(&mut self, station: Station, board: S::Board) {
        self.answers.push(Output::Saw(station, S::board(board)));
    }

    /// One square of a station.
    pub fn square(&mut self, station: Station, square: Square, content: S::Content) {
        self.answers.push(Output::Saw(station, S::square(square, content)));
    }

    /// Anything that is not about squares: clock, battery, identity, silence.
    pub fn beside(&mut self, station: Station, sighting: Sighting) {
        debug_assert!(!sighting.is_of_squares(), "squares go through board() and square()");
        self.answers.push(Output::Saw(station, sighting));
    }

    /// Adds to what is known of the board at a station, and says so if it is news.
    pub fn introduce(
        &mut self,
        station: Station,
        known: &mut Option<Identity>,
        driver: &'static str,
        add: impl FnOnce(&mut Identity),
    ) {
        let before = known.clone();
        let unknown = || Identity { driver: driver.into(), ..Identity::default() };
        let identity = known.get_or_insert_with(unknown);
        add(identity);
        if before.as_ref() != Some(&*identity) {
            self.beside(station, Sighting::Identified(identity.clone()));
        }
    }

    /// Bytes that made no sense.
    pub fn noise(&mut self, anomaly: Anomaly) {
        self.answers.push(Output::Noise(anomaly));
    }
}

/// One running conversation in one wire language.
///
/// A device that has not been given [`Input::Opened`] only listens: it may recognise what it hears
/// (and then says so with [`Sighting::Identified`]) but sends nothing of its own accord.
pub trait Device: Send + Encode + Decode<()> {
    /// What the boards of this language sense.
    type Senses: Sense;

    /// The only way in. No input makes it fail or panic.
    fn handle(&mut self, now: Moment, input: Input<'_>, out: &mut Outbox<'_, Self::Senses>);

    /// When it next wants [`Input::Due`], and why.
    fn deadline(&self) -> Option<(Moment, Reason)>;

    /// Adds what it has learned that holds on every line. Most learn nothing.
    fn teach(&self, _lessons: &mut Lessons) {}

    /// Takes what others have learned. Most need nothing.
    fn recall(&mut self, _lessons: &Lessons) {}
}

/// A [`Device`] whose sense no longer shows in its type, as a line holds it.
pub trait Conversation: Send {
    /// See [`Device::handle`].
    fn handle(&mut self, now: Moment, input: Input<'_>, out: &mut Vec<Output>);

    /// See [`Device::deadline`].
    fn deadline(&self) -> Option<(Moment, Reason)>;

    /// See [`Device::teach`].
    fn teach(&self, lessons: &mut Lessons);

    /// See [`Device::recall`].
    fn recall(&mut self, lessons: &Lessons);

    /// Everything it knows, as [`restore`] reads it.
    ///
    /// # Errors
    /// When it cannot be written down.
    fn save(&self) -> Result<Vec<u8>, EncodeError>;
}

/// A conversation that goes on, or why it cannot.
pub type Restored = Result<Box<dyn Conversation>, DecodeError>;

/// The most that a conversation that is kept may hold: many times what any does.
const KEPT_MAX: usize = 1 << 20;

/// A conversation that goes on where it was saved, by the same build of this program.
///
/// # Errors
/// When these are not the bytes of one.
pub fn restore<D: Device + 'static>(bytes: &[u8]) -> Restored {
    let config = config::standard().with_limit::<KEPT_MAX>();
    let (device, _) = bincode::decode_from_slice::<D, _>(bytes, config)?;
    Ok(Box::new(device))
}

impl<D: Device> Conversation for D {
    fn handle(&mut self, now: Moment, input: Input<'_>, out: &mut Vec<Output>) {
        Device::handle(self, now, input, &mut Outbox::new(out));
    }

    fn deadline(&self) -> Option<(Moment, Reason)> {
        Device::deadline(self)
    }

    fn teach(&self, lessons: &mut Lessons) {
        Device::teach(self, lessons);
    }

    fn recall(&mut self, lessons: &Lessons) {
        Device::recall(self, lessons);
    }

    fn save(&self) -> Result<Vec<u8>, EncodeError> {
        bincode::encode_to_vec(self, config::standard())
    }
}
