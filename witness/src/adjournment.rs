//! An adjourned game (Guideline I): what stands on its sheet, and how board and clock differ from
//! it when play is to be resumed.

use bincode::{Decode, Encode};
use eboard::{FaceTime, Moment};
use shakmaty::{ByColor, Chess, Color, Piece, Position, Square};

use crate::keep::keep;
use crate::message::{Join, List, Message};
use crate::say;

/// What an arbiter says of an adjournment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sealing {
    /// Who has sealed his move; none: who has the move.
    pub sealed_by: Option<Color>,
    /// Whose offer of a draw is current.
    pub draw_offer: Option<Color>,
    /// Date and time of the resumption, as people write them.
    pub resumption: String,
    /// Where play is to be resumed.
    pub place: String,
}

/// Who has not come to the resumption, as an arbiter sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Absent {
    /// Both are there.
    Nobody,
    /// This player is not.
    One(Color),
    /// Neither is.
    Both,
}

impl Absent {
    /// Whether this player is.
    #[must_use]
    pub fn is(self, side: Color) -> bool {
        match self {
            Self::Nobody => false,
            Self::One(absent) => absent == side,
            Self::Both => true,
        }
    }
}

/// What stands on the sheet, and on the envelope (Guideline I.2).
#[derive(Clone, Debug)]
pub struct Adjournment {
    /// When the game was adjourned.
    pub at: Moment,
    /// Who has sealed his move.
    pub sealed_by: Color,
    /// Whose offer of a draw is current.
    pub draw_offer: Option<Color>,
    /// Date and time of the resumption, as people write them.
    pub resumption: String,
    /// Where play is to be resumed.
    pub place: String,
    /// The position immediately before the sealed move.
    pub position: Chess,
    /// What each player had left.
    pub left: Option<ByColor<FaceTime>>,
    /// What each player had used, where the time control shows it.
    pub used: Option<ByColor<FaceTime>>,
}

keep!(Adjournment { position; at, sealed_by, draw_offer, resumption, place, left, used });

impl Adjournment {
    /// The number of the sealed move.
    #[must_use]
    pub fn move_number(&self) -> u32 {
        u32::from(self.position.fullmoves())
    }
}

/// A square that is not as on the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongSquare {
    /// Which.
    pub square: Square,
    /// What should stand there.
    pub expected: Option<Piece>,
    /// What stands there.
    pub seen: Option<Piece>,
}

/// A time that is not as on the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongTime {
    /// Whose.
    pub side: Color,
    /// What the clock should show.
    pub expected: FaceTime,
    /// What it shows; none: it is not heard.
    pub seen: Option<FaceTime>,
}

/// How board and clock differ from the sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// The squares.
    pub squares: Vec<WrongSquare>,
    /// The times.
    pub times: Vec<WrongTime>,
}

impl Differences {
    /// Whether all is as on the sheet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.squares.is_empty() && self.times.is_empty()
    }

    /// In one sentence.
    #[must_use]
    pub fn text(&self) -> Message {
        if self.is_empty() {
            return say::as_on_the_sheet();
        }
        let squares = self.squares.iter().map(WrongSquare::text);
        let parts: Vec<_> = squares.chain(self.times.iter().map(WrongTime::text)).collect();
        say::not_as_on_the_sheet(List(parts, Join::Semicolon))
    }
}

impl WrongSquare {
    fn text(&self) -> Message {
        let square = self.square;
        match (self.expected, self.seen) {
            (Some(piece), None) => say::square_missing(square, piece),
            (None, Some(piece)) => say::square_too_many(square, piece),
            (Some(wanted), Some(piece)) => say::square_other(square, piece, wanted),
            (None, None) => say::square_alone(square),
        }
    }
}

impl WrongTime {
    fn text(&self) -> Message {
        let Self { side, expected, seen } = self;
        match seen {
            Some(seen) => say::clock_instead(*side, *seen, *expected),
            None => say::clock_unheard(*side, *expected),
        }
    }
}

/// The squares of a board that are not as in this position.
pub(crate) fn wrong_squares(
    squares: impl IntoIterator<Item = Square>,
    position: &Chess,
    seen: &shakmaty::Board,
) -> Vec<WrongSquare> {
    let wrong = |square| WrongSquare {
        square,
        expected: position.board().piece_at(square),
        seen: seen.piece_at(square),
    };
    squares.into_iter().map(wrong).collect()
}
