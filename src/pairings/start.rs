//! From a FEN to a position that a game can begin with, or why there is none.

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::{CastlingMode, Chess, FromSetup, PositionError, PositionErrorKinds};
use witness::{Array, Bilingual, both};

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

/// A FEN as a start position. Where it can only be castled as in Chess960, it is.
///
/// # Errors
/// When no game can begin with it.
pub fn start(fen: &str, chess960: bool) -> Result<Array, BadStart> {
    let setup = fen.parse::<Fen>()?.into_setup();
    if !chess960 && let Ok(position) = Chess::from_setup(setup.clone(), CastlingMode::Standard) {
        return Ok(Array { position, mode: CastlingMode::Standard });
    }
    let position = Chess::from_setup(setup, CastlingMode::Chess960).map_err(Box::new)?;
    Ok(Array { position, mode: CastlingMode::Chess960 })
}

/// A FEN as a position with this castling.
///
/// # Errors
/// When it is no legal one.
pub fn position(fen: &str, mode: CastlingMode) -> Result<Chess, BadStart> {
    let setup = fen.parse::<Fen>()?.into_setup();
    Ok(Chess::from_setup(setup, mode).map_err(Box::new)?)
}

impl BadStart {
    /// Why, for a person who plays chess and knows no notation of ours.
    #[must_use]
    pub fn text(&self) -> Bilingual {
        let (en, fr, why) = match self {
            Self::Fen(error) => {
                ("the FEN cannot be read", "ce FEN est illisible", vec![unreadable(error)])
            }
            Self::Position(error) => {
                ("no legal position", "position illégale", illegal(error.kinds()))
            }
        };
        let listed =
            |word: fn(&Fault) -> &'static str| why.iter().map(word).collect::<Vec<_>>().join(", ");
        both(format!("{en}: {}", listed(|it| it.0)), format!("{fr} : {}", listed(|it| it.1)))
    }
}

/// In English and in French.
type Fault = (&'static str, &'static str);

const fn unreadable(error: &ParseFenError) -> Fault {
    match error {
        ParseFenError::InvalidBoard => ("its squares", "ses cases"),
        ParseFenError::InvalidTurn => ("who has the move: w or b", "le trait : w ou b"),
        ParseFenError::InvalidCastling => ("the right to castle", "les droits de roque"),
        ParseFenError::InvalidEpSquare => {
            ("the square of a capture en passant", "la case de la prise en passant")
        }
        ParseFenError::InvalidHalfmoveClock => {
            ("the half moves since a capture", "les demi-coups depuis une prise")
        }
        ParseFenError::InvalidFullmoves => ("the number of the move", "le numéro du coup"),
        ParseFenError::InvalidFen
        | ParseFenError::InvalidPocket
        | ParseFenError::InvalidRemainingChecks => ("not in this form", "sa forme"),
    }
}

const ILLEGAL: [(PositionErrorKinds, Fault); 9] = [
    (PositionErrorKinds::EMPTY_BOARD, ("the board is empty", "l’échiquier est vide")),
    (PositionErrorKinds::MISSING_KING, ("a king is missing", "il manque un roi")),
    (
        PositionErrorKinds::TOO_MANY_KINGS,
        ("a player has more than one king", "un joueur a plus d’un roi"),
    ),
    (
        PositionErrorKinds::PAWNS_ON_BACKRANK,
        (
            "a pawn stands on the first or last rank",
            "un pion est sur la première ou dernière rangée",
        ),
    ),
    (
        PositionErrorKinds::INVALID_CASTLING_RIGHTS,
        (
            "castling where king or rook does not stand at home",
            "un roque sans roi ou tour à sa place",
        ),
    ),
    (
        PositionErrorKinds::INVALID_EP_SQUARE,
        ("a capture en passant that is not possible", "une prise en passant impossible"),
    ),
    (
        PositionErrorKinds::OPPOSITE_CHECK,
        (
            "the king of the player who has not the move is in check",
            "le roi du joueur qui n’a pas le trait est en échec",
        ),
    ),
    (
        PositionErrorKinds::IMPOSSIBLE_CHECK,
        ("a check that no move can give", "un échec qu’aucun coup ne peut donner"),
    ),
    (
        PositionErrorKinds::TOO_MUCH_MATERIAL,
        ("more pieces than a game can have", "plus de pièces qu’une partie n’en peut avoir"),
    ),
];

fn illegal(kinds: PositionErrorKinds) -> Vec<Fault> {
    ILLEGAL.iter().filter(|(kind, _)| kinds.contains(*kind)).map(|(_, fault)| *fault).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(fen: &str) -> Bilingual {
        position(fen, CastlingMode::Standard).unwrap_err().text()
    }

    #[test]
    fn what_is_wrong_with_a_position_is_told_in_both_languages() {
        let text = why("4k3/8/8/8/8/8/8/4K2Q w - - 0 1 and more");
        assert_eq!(text.en, "the FEN cannot be read: not in this form");
        let text = why("8/8/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(text.en, "no legal position: a king is missing");
        assert_eq!(text.fr, "position illégale\u{a0}: il manque un roi");
        let text = why("4k2P/8/8/8/8/8/8/4K2r b - - 0 1");
        assert_eq!(
            text.en,
            "no legal position: a pawn stands on the first or last rank, \
             the king of the player who has not the move is in check"
        );
        // A position that is refused is never refused without a reason.
        for fen in ["8/8/8/8/8/8/8/8 w - - 0 1", "KK6/8/8/8/8/8/8/k7 w - - 0 1"] {
            let text = why(fen);
            assert!(!text.en.ends_with(": ") && !text.fr.ends_with(": "), "{text:?}");
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
