//! The arrays a game may begin with: the usual one and the 960 of Chess960 (Guideline II of the
//! Laws), each known by its Scharnagl number (0 to 959; the usual one is 518).

use shakmaty::{Bitboard, Board, CastlingMode, Chess, Position, Rank, Role, Setup};

use crate::keep::keep;

/// The number of the usual array.
const USUAL: u16 = 518;
/// Where the knights stand among the five pieces that are left without bishops and queen, in the
/// order of Scharnagl's table.
const KNIGHTS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

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
    let rank: Vec<_> = (board.white() & Bitboard::from(Rank::First)).into_iter().collect();
    let rank: Vec<_> = rank.into_iter().filter_map(|it| board.role_at(it)).collect();
    scharnagl(&rank).filter(|&number| Board::chess960(u32::from(number)) == *board)
}

/// The number by which a rank of eight pieces is found, if it has one. Not whether it has: of a
/// rank that is no array it may be that of another one.
fn scharnagl(rank: &[Role]) -> Option<u16> {
    let place = |(at, _): (usize, &Role)| u16::try_from(at).ok();
    let files = rank.iter().enumerate();
    let bishop = |odd: usize| {
        files.clone().find(|&(at, role)| *role == Role::Bishop && at % 2 == odd).and_then(place)
    };
    let (light, dark) = (bishop(1)? / 2, bishop(0)? / 2);
    let others: Vec<_> = rank.iter().filter(|role| **role != Role::Bishop).collect();
    let queen = others.iter().position(|role| **role == Role::Queen)?;
    let rest = others.iter().filter(|role| ***role != Role::Queen).enumerate();
    let mut knights = rest.filter(|(_, role)| ***role == Role::Knight).map(|(at, _)| at);
    let knights = (knights.next()?, knights.next()?);
    let pair = KNIGHTS.iter().position(|pair| *pair == knights)?;
    Some(light + 4 * dark + 16 * u16::try_from(queen).ok()? + 96 * u16::try_from(pair).ok()?)
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
    fn each_array_is_found_by_its_number() {
        for expected in 0..960 {
            assert_eq!(number(&Board::chess960(u32::from(expected))), Some(expected));
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
