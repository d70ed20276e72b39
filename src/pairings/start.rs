//! Turns a FEN into the first position of a game, or explains why no game can have it.

use crate::say;
use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::{CastlingMode, Chess, FromSetup, PositionError, PositionErrorKinds};
use witness::{Array, Join, List, Message};

/// Why a game cannot begin with a position.
#[derive(Debug, thiserror::Error)]
pub enum BadStart {
    /// It is no FEN.
    #[error("the FEN cannot be read: {0}")]
    Fen(#[from] ParseFenError),
    /// No game can have it.
    #[error("no legal position: {0}")]
    Position(#[from] Box<PositionError<Chess>>),
}

/// The first position of a FEN. If its castling rights are possible only in Chess960, it is a
/// position of Chess960.
///
/// # Errors
/// If no game can begin with it.
pub fn start(fen: &str, chess960: bool) -> Result<Array, BadStart> {
    let setup = fen.parse::<Fen>()?.into_setup();
    if !chess960 && let Ok(position) = Chess::from_setup(setup.clone(), CastlingMode::Standard) {
        return Ok(Array { position, mode: CastlingMode::Standard });
    }
    let position = Chess::from_setup(setup, CastlingMode::Chess960).map_err(Box::new)?;
    Ok(Array { position, mode: CastlingMode::Chess960 })
}

/// The position of a FEN, with this mode of castling.
///
/// # Errors
/// If it is no legal position.
pub fn position(fen: &str, mode: CastlingMode) -> Result<Chess, BadStart> {
    let setup = fen.parse::<Fen>()?.into_setup();
    Ok(Chess::from_setup(setup, mode).map_err(Box::new)?)
}

impl BadStart {
    /// The reason, for chess players who know no FEN.
    #[must_use]
    pub fn text(&self) -> Message {
        match self {
            Self::Fen(error) => say::fen_unread(unreadable(error)),
            Self::Position(error) => {
                say::position_illegal(List(illegal(error.kinds()), Join::Comma))
            }
        }
    }
}

fn unreadable(error: &ParseFenError) -> Message {
    match error {
        ParseFenError::InvalidBoard => say::fen_squares(),
        ParseFenError::InvalidTurn => say::fen_turn(),
        ParseFenError::InvalidCastling => say::fen_castling(),
        ParseFenError::InvalidEpSquare => say::fen_en_passant(),
        ParseFenError::InvalidHalfmoveClock => say::fen_half_moves(),
        ParseFenError::InvalidFullmoves => say::fen_move_number(),
        ParseFenError::InvalidFen
        | ParseFenError::InvalidPocket
        | ParseFenError::InvalidRemainingChecks => say::fen_form(),
    }
}

const ILLEGAL: [(PositionErrorKinds, fn() -> Message); 9] = [
    (PositionErrorKinds::EMPTY_BOARD, say::illegal_empty),
    (PositionErrorKinds::MISSING_KING, say::illegal_no_king),
    (PositionErrorKinds::TOO_MANY_KINGS, say::illegal_kings),
    (PositionErrorKinds::PAWNS_ON_BACKRANK, say::illegal_pawn),
    (PositionErrorKinds::INVALID_CASTLING_RIGHTS, say::illegal_castling),
    (PositionErrorKinds::INVALID_EP_SQUARE, say::illegal_en_passant),
    (PositionErrorKinds::OPPOSITE_CHECK, say::illegal_opposite_check),
    (PositionErrorKinds::IMPOSSIBLE_CHECK, say::illegal_check),
    (PositionErrorKinds::TOO_MUCH_MATERIAL, say::illegal_material),
];

fn illegal(kinds: PositionErrorKinds) -> Vec<Message> {
    ILLEGAL.iter().filter(|(kind, _)| kinds.contains(*kind)).map(|(_, why)| why()).collect()
}

#[cfg(test)]
mod tests {
    use words::InWords as _;

    use super::*;

    fn why(fen: &str) -> Message {
        position(fen, CastlingMode::Standard).unwrap_err().text()
    }

    #[test]
    fn what_is_wrong_with_a_position_is_told_in_both_languages() {
        let text = why("4k3/8/8/8/8/8/8/4K2Q w - - 0 1 and more");
        assert_eq!(text.en(), "the FEN cannot be read: not in this form");
        let text = why("8/8/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(text.en(), "no legal position: a king is missing");
        assert_eq!(text.fr(), "position illégale\u{a0}: il manque un roi");
        let text = why("4k2P/8/8/8/8/8/8/4K2r b - - 0 1");
        assert_eq!(
            text.en(),
            "no legal position: a pawn stands on the first or last rank, \
             the king of the player who has not the move is in check"
        );
        // Every refused position has a reason.
        for fen in ["8/8/8/8/8/8/8/8 w - - 0 1", "KK6/8/8/8/8/8/8/k7 w - - 0 1"] {
            let text = why(fen);
            assert!(!text.en().ends_with(": ") && !text.fr().ends_with(": "), "{text:?}");
        }
    }

    #[test]
    fn a_start_says_by_itself_how_castling_goes() {
        let mode = |fen, chess960| start(fen, chess960).unwrap().mode;
        let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(mode(usual, false), CastlingMode::Standard);
        assert_eq!(mode(usual, true), CastlingMode::Chess960);
        let array = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1";
        assert_eq!(mode(array, false), CastlingMode::Chess960);
        assert!(matches!(start("nonsense", false), Err(BadStart::Fen(_))));
        assert!(matches!(start("8/8/8/8/8/8/8/KK6 w - - 0 1", false), Err(BadStart::Position(_))));
    }
}
