//! What a message is about, where that is asked for later: so that something is said once, is
//! replaced when more is known, or is taken back. Nobody looks for it by its words.

use bincode::{Decode, Encode};
use eboard::FaceTime;
use shakmaty::{ByColor, Color};

use crate::clock::Manner;
use crate::incident::Kind;
use crate::laws::flag::OnTheBoard;
use crate::time_control::Extra;

/// What a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) enum Topic {
    /// A game that is over on the board has no result yet.
    NoResultYet(Hindrance, OnTheBoard),
    /// Both kings have shown after a flag had fallen that this player has won, or that it is a
    /// draw.
    SignedAfterFlag(Option<Color>),
    /// A move that drew the game was changed to one about which this is open.
    ChangedAfterTheEnd(Kind),
    /// A move has ended the game only if it was rightly made.
    RightlyMade,
    /// A flag fell before this player had made a move.
    WithoutAMove(Color),
    /// A turn that this player had passed was played on from.
    PlayedOn(Color),
    /// What this player has done is to be ruled on before a flag is.
    RuledOnFirst(Kind, Color),
    /// What the Laws provide for an illegal move by its number.
    Penalty,
    /// A battery that is low before the game.
    BatteryBefore,
    /// The same in its midst.
    BatteryDuring,
    /// How a clock is set wrongly.
    Setting(Setting),
    /// Earlier moves are in doubt too.
    EarlierDoubt,
}

/// What stands between an end on the board and a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) enum Hindrance {
    /// The game had ended before the move was made.
    Earlier(Kind),
    /// A flag had fallen before.
    Flag,
    /// The move was made while both times stood.
    Stopped,
    /// What the mover must not do.
    Move,
    /// A mate or stalemate was released before, and changed.
    Released,
    /// An illegal move on which nobody has ruled.
    Illegal(Kind),
}

/// How a clock is set wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) enum Setting {
    /// It began with other times.
    Start { expected: ByColor<FaceTime>, seen: ByColor<FaceTime> },
    /// A press brings something else.
    Mode { expected: Extra, seen: Manner },
    /// The next period brought another time.
    Addition { side: Color, expected: FaceTime, seen: FaceTime },
    /// It was added by the clock's own count after another number of moves.
    AddedAt { side: Color, moves: u32, required: u32 },
    /// It was added to the other player alone.
    AddedToOne { side: Color, given_at: u32, moves: u32 },
}
