//! How long a true move waits for the first message that tells it, from when it stood finished on
//! the board.

use std::time::Duration;

use rehearsal::Game;
use shakmaty::{Move, Role};
use witness::{Effect, Event};

use super::round::Round;
use crate::works::Act;

/// A sort of moves. Some may be the passage to something longer, and wait for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// By a pawn, without a capture.
    Pawn,
    /// By a knight or the king, without a capture.
    Leap,
    /// By a bishop, rook or queen, without a capture.
    Slide,
    /// Any capture but en passant.
    Capture,
    /// Both pieces of it.
    Castling,
    /// With the captured pawn gone.
    EnPassant,
    /// With the new piece on the board, capture or not.
    Promotion,
}

impl Sort {
    /// All sorts.
    pub const ALL: [Self; 7] = [
        Self::Pawn,
        Self::Leap,
        Self::Slide,
        Self::Capture,
        Self::Castling,
        Self::EnPassant,
        Self::Promotion,
    ];

    /// What it is called in a table.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pawn => "a pawn's step",
            Self::Leap => "a knight's or king's move",
            Self::Slide => "a slide",
            Self::Capture => "a capture",
            Self::Castling => "castling",
            Self::EnPassant => "en passant",
            Self::Promotion => "a promotion",
        }
    }

    fn of(mv: Move) -> Self {
        match mv {
            _ if mv.is_promotion() => Self::Promotion,
            Move::EnPassant { .. } => Self::EnPassant,
            Move::Castle { .. } => Self::Castling,
            _ if mv.is_capture() => Self::Capture,
            _ => match mv.role() {
                Role::Pawn => Self::Pawn,
                Role::Knight | Role::King => Self::Leap,
                Role::Bishop | Role::Rook | Role::Queen => Self::Slide,
            },
        }
    }
}

/// A true move that was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Telling {
    /// What sort of move it is.
    pub sort: Sort,
    /// How long it had stood finished when it was told. Zero if it was told before its last piece
    /// was put in its place.
    pub after: Duration,
}

/// Every true move that was told. After an illegal move that stands plies of score and game are
/// counted otherwise, and none is given.
pub(super) fn of(round: &Round, made: &[String]) -> Vec<Telling> {
    let Game { moves, irregular, .. } = &round.game;
    if irregular.is_some() {
        return Vec::new();
    }
    let mut first = vec![None; made.len()];
    for act in &round.acts {
        if let Act::Table(at, _, Effect::Event(Event::Released { index, ply })) = act
            && made.get(*index) == Some(&ply.uci)
            && let Some(announced) = first.get_mut(*index)
        {
            announced.get_or_insert(*at);
        }
    }
    let finished = moves.iter().zip(round.made()).zip(first);
    let announced = finished.filter_map(|((mv, finished), announced)| {
        Some(Telling { sort: Sort::of(*mv), after: announced?.since(finished) })
    });
    announced.collect()
}
