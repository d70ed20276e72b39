//! The arrays a game may begin with: the usual one and the 960 of Chess960 (Guideline II of the
//! Laws), each known by its Scharnagl number (0 to 959; the usual one is 518).

use shakmaty::{Bitboard, Board, CastlingMode, Chess, Position, Role, Setup};

use crate::keep::keep;

/// The number of the usual array.
const USUAL: u16 = 518;

/// A position a game may begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// The pieces, and whose move it is.
    pub position: Chess,
    /// How castling goes.
    pub mode: CastlingMode,
}

keep!(Array { position, mode; });

/// The array these pieces stand in, White's on the first rank.
pub(crate) fn of(board: &Board) -> Option<Array> {
    let usual = Chess::default();
    if board == usual.board() {
        return Some(Array { position: usual, mode: CastlingMode::Standard });
    }
    number(board)?;
    let castling_rights = board.rooks();
    let setup = Setup { board: board.clone(), castling_rights, ..Setup::initial() };
    let position = setup.position(CastlingMode::Chess960).ok()?;
    Some(Array { position, mode: CastlingMode::Chess960 })
}

/// The number of the array these pieces stand in.
pub(crate) fn number(board: &Board) -> Option<u16> {
    let pawns = Chess::default().board().pawns();
    let mirrored = |own: Bitboard| own.flip_vertical() == own;
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
    if board.pawns() != pawns || !roles.iter().all(|role| mirrored(board.by_role(*role))) {
        return None;
    }
    if board == Chess::default().board() {
        return Some(USUAL);
    }
    (0..960).find(|&number| Board::chess960(u32::from(number)) == *board)
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

    fn board(rank: &str) -> Board {
        let fen = format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w - - 0 1", rank.to_lowercase());
        fen.parse::<Fen>().unwrap().into_setup().board
    }

    #[test]
    fn the_published_numbers() {
        for (rank, expected) in [("BBQNNRKR", 0), ("RNBQKBNR", 518), ("RKRNNQBB", 959)] {
            assert_eq!(number(&board(rank)), Some(expected), "{rank}");
        }
    }

    #[test]
    fn only_mirrored_arrays_with_the_king_between_the_rooks() {
        assert_eq!(of(&board("KRNBBNRQ")), None, "both rooks on one side of the king");
        assert_eq!(of(&board("RBNBKQNR")), None, "bishops on one colour");
        let unlike = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
        assert_eq!(of(&unlike.parse::<Fen>().unwrap().into_setup().board), None);
    }

    #[test]
    fn castling_is_possible_on_both_sides_in_every_array() {
        let array = of(&board("RKRNNQBB")).unwrap();
        assert_eq!(array.mode, CastlingMode::Chess960);
        assert_eq!(array.position.castles().castling_rights().count(), 4);
        let usual = of(&board("RNBQKBNR")).unwrap();
        assert_eq!((usual.position, usual.mode), (Chess::default(), CastlingMode::Standard));
    }
}
