//! Which legal move, or short line of moves, would explain a picture. Never a guess: the caller
//! sees every explanation and decides what more than one means.

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, Move, Position, Rank, Role, Square, attacks,
};

use crate::picture::{Picture, differing};

/// No more explanations than this are listed; beyond it nobody could choose anyway.
pub(crate) const LINES_MAX: usize = 8;

/// The position after a legal move.
pub(crate) fn after(position: &Chess, mv: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}

/// Whether there is a legal move. As a rule a piece that the king does not hold back can go
/// somewhere; only where none is found at once all legal moves are made.
pub(crate) fn can_move(position: &Chess) -> bool {
    goes_somewhere(position) || !position.legal_moves().is_empty()
}

/// Whether the game is over on the board: mate, stalemate, or too little left for a mate.
pub(crate) fn is_over(position: &Chess) -> bool {
    position.is_insufficient_material() || !can_move(position)
}

/// Whether some piece can move that cannot be pinned, while there is no check.
fn goes_somewhere(position: &Chess) -> bool {
    let (board, turn) = (position.board(), position.turn());
    let Some(king) = board.king_of(turn).filter(|_| !position.is_check()) else { return false };
    let (own, occupied) = (board.by_color(turn), board.occupied());
    // Only what stands next to the king on a line can be pinned.
    let free = own & !attacks::queen_attacks(king, occupied) & !Bitboard::from(king);
    let pawns = free & board.pawns();
    let steps = turn.fold_wb(pawns.shift(8), pawns.shift(-8));
    let goes = |square| !(board.attacks_from(square) & !own).is_empty();
    (steps & !occupied).any() || (free & !pawns).into_iter().any(goes)
}

/// Where what a move takes away has stood.
pub(crate) fn captured(mv: Move) -> Option<Square> {
    match mv {
        Move::EnPassant { from, to } => Some(Square::from_coords(to.file(), from.rank())),
        _ => mv.is_capture().then(|| mv.to()),
    }
}

/// The squares that a move of this player changes.
pub(crate) fn changed(mv: Move, by: Color) -> Bitboard {
    let from = mv.from().map_or(Bitboard::EMPTY, Bitboard::from);
    let also = match mv.castling_side() {
        Some(side) => Bitboard::from(side.king_to(by)) | Bitboard::from(side.rook_to(by)),
        None => captured(mv).map_or(Bitboard::EMPTY, Bitboard::from),
    };
    from | Bitboard::from(mv.to()) | also
}

/// The legal moves that turn the position into this picture: one at most where the pieces are seen.
pub(crate) fn singles_unseen(position: &Chess, picture: &Picture) -> Vec<Move> {
    if !picture.is_blind() {
        return single(position, picture.board()).into_iter().collect();
    }
    blind(position, picture).collect()
}

/// The legal moves after which exactly these squares are occupied, a queen before any other piece
/// that a pawn may become.
fn blind(position: &Chess, picture: &Picture) -> impl Iterator<Item = Move> {
    let before = position.board().occupied();
    let (emptied, filled) = (before & !picture.occupied(), picture.occupied() & !before);
    let likely = emptied.any() && emptied.count() <= 2 && filled.count() <= 2;
    let mut moves: Vec<_> = match likely {
        true => position.legal_moves().into_iter().collect(),
        false => Vec::new(),
    };
    moves.retain(|mv| {
        mv.from().is_some_and(|from| mv.is_castle() || emptied.contains(from))
            && after(position, *mv).board().occupied() == picture.occupied()
    });
    // A rook or bishop moves as a queen might: the makers of such boards take it for one.
    moves.retain(|mv| mv.promotion().is_none_or(|it| [Role::Queen, Role::Knight].contains(&it)));
    moves.sort_by_key(|mv| mv.promotion().map(std::cmp::Reverse));
    moves.into_iter()
}

/// The legal move that turns the position into this picture.
pub(crate) fn single(position: &Chess, picture: &Board) -> Option<Move> {
    let differing = differing(position.board(), picture);
    let arrived = differing & picture.by_color(position.turn());
    // Castling touches four squares, every other move fewer; a move brings a piece of the mover's
    // to another square and none of the opponent's.
    if arrived.is_empty()
        || differing.count() > 4
        || !(differing & !arrived).is_disjoint(picture.occupied())
    {
        return None;
    }
    let moves = arrived.single_square().into_iter().flat_map(|to| moves_to(position, picture, to));
    let moves = moves.filter(|mv| mv.from().is_some_and(|from| differing.contains(from)));
    moves.chain(castling(position)).find(|mv| after(position, *mv).board() == picture)
}

/// The legal moves, castling apart, that may leave on this square what the picture shows there.
fn moves_to(position: &Chess, picture: &Board, to: Square) -> impl Iterator<Item = Move> {
    let promoted = [Rank::First, Rank::Eighth].contains(&to.rank()).then_some(Role::Pawn);
    let roles = picture.role_at(to).into_iter().chain(promoted);
    roles.flat_map(move |role| position.san_candidates(role, to))
}

fn castling(position: &Chess) -> impl Iterator<Item = Move> {
    CastlingSide::ALL.into_iter().flat_map(|side| position.castling_moves(side))
}

/// Whether the picture after this move may be the passage to a longer one: a slider that could go
/// on, a pawn that could step again, a king or rook on the way to castling.
pub(crate) fn extendable(position: &Chess, mv: Move) -> bool {
    let Some(from) = mv.from().filter(|_| !mv.is_castle()) else { return false };
    // Whatever can go on can go on by one square.
    let way =
        attacks::ray(from, mv.to()) & !attacks::between(from, mv.to()) & !Bitboard::from(from);
    let next = (way & attacks::king_attacks(mv.to())).single_square();
    let goes_on = |other: &Move| match *other {
        Move::Castle { king, rook } => from == king || from == rook,
        _ => other.from() == Some(from),
    };
    let farther = next.into_iter().flat_map(|next| position.san_candidates(mv.role(), next));
    farther.chain(castling(position)).any(|other| goes_on(&other))
}

/// Whether a legal move from this position may be half done in this picture: every square shows
/// what stood there before or will stand there after it, or is empty because a hand holds a piece.
pub(crate) fn unfinished(position: &Chess, picture: &Picture) -> bool {
    /// Mover and captured piece, and one more that is being put straight.
    const IN_HANDS_MAX: usize = 3;
    let before = picture.differing(position.board());
    if before.is_disjoint(picture.occupied()) {
        return before.count() <= IN_HANDS_MAX;
    }
    let leads_to =
        |board: &Board| (before & picture.differing(board)).is_disjoint(picture.occupied());
    before.count() <= 4
        && position.legal_moves().into_iter().any(|mv| {
            let mut board = after(position, mv).board().clone();
            leads_to(&board)
                // The pawn stands there until its piece is found (4.6).
                || mv.is_promotion() && {
                    board.set_piece_at(mv.to(), position.turn().pawn());
                    leads_to(&board)
                }
        })
}

/// The legal moves after which this picture only lacks a piece or two of the opponent's: he has
/// begun his reply.
pub(crate) fn answered(position: &Chess, picture: &Picture) -> Vec<Move> {
    let mover = position.turn();
    let arrived = picture.arrived(position.board(), mover);
    if arrived.is_empty() || arrived.count() > 2 {
        return Vec::new();
    }
    let legal = position.legal_moves().into_iter();
    let explains = |mv: &Move| {
        let next = after(position, *mv);
        let lacking = picture.differing(next.board());
        lacking.any()
            && lacking.count() <= 2
            && lacking.is_disjoint(picture.occupied())
            && lacking.is_subset(next.board().by_color(mover.other()))
            && !is_over(&next)
    };
    legal.filter(explains).collect()
}

#[cfg(test)]
mod tests {
    use eboard::Moment;
    use shakmaty::{CastlingMode, fen::Fen, uci::UciMove};

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    fn mv(position: &Chess, uci: &str) -> Move {
        uci.parse::<UciMove>().unwrap().to_move(position).unwrap()
    }

    #[test]
    fn a_picture_names_its_move() {
        let start = Chess::default();
        let e4 = after(&start, mv(&start, "e2e4"));
        assert_eq!(single(&start, e4.board()), Some(mv(&start, "e2e4")));
        assert_eq!(single(&start, start.board()), None);
    }

    #[test]
    fn half_a_move_is_unfinished_and_a_knocked_piece_is_not() {
        let castle = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        let mut picture = castle.board().clone();
        picture.discard_piece_at(shakmaty::Square::E1);
        assert!(
            unfinished(&castle, &Picture::new(picture.clone(), false, [Moment::ZERO; 64])),
            "king in the hand"
        );
        picture.set_piece_at(shakmaty::Square::G1, shakmaty::Color::White.king());
        assert!(
            unfinished(&castle, &Picture::new(picture.clone(), false, [Moment::ZERO; 64])),
            "king there, rook not yet"
        );
        picture.set_piece_at(shakmaty::Square::A8, shakmaty::Color::White.pawn());
        assert!(
            !unfinished(&castle, &Picture::new(picture.clone(), false, [Moment::ZERO; 64])),
            "a pawn from nowhere"
        );
    }

    /// With castling, checks, pins, promotions and captures en passant among their moves.
    const POSITIONS: [&str; 5] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    ];

    #[test]
    fn whoever_has_no_legal_move_cannot_move() {
        let none = [
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1",
            "5bnr/4p1pq/4Qpkr/7p/7P/4P3/PPPP1PP1/RNB1KBNR b KQ - 2 10",
            // Only pinned pieces and a blocked pawn are left.
            "k7/8/8/8/8/4pr2/4Pp1r/5B1K w - - 0 1",
        ];
        for position in none.map(position).into_iter().chain(POSITIONS.map(position)) {
            let legal = !position.legal_moves().is_empty();
            assert_eq!(can_move(&position), legal, "{}", position.board());
            for mv in position.legal_moves() {
                let next = after(&position, mv);
                assert_eq!(can_move(&next), !next.legal_moves().is_empty(), "{}", next.board());
            }
        }
    }

    #[test]
    fn every_legal_move_is_known_by_its_picture() {
        for position in POSITIONS.map(position) {
            for mv in position.legal_moves() {
                assert_eq!(single(&position, after(&position, mv).board()), Some(mv), "{mv}");
            }
        }
    }

    #[test]
    fn extendable_is_what_another_legal_move_passes() {
        for position in POSITIONS.map(position) {
            for mv in position.legal_moves() {
                let goes_on = |other: Move| match other {
                    Move::Castle { king, rook } => [king, rook].contains(&mv.from().unwrap()),
                    _ => {
                        other.from() == mv.from()
                            && attacks::between(mv.from().unwrap(), other.to()).contains(mv.to())
                    }
                };
                let passage = !mv.is_castle() && position.legal_moves().into_iter().any(goes_on);
                assert_eq!(extendable(&position, mv), passage, "{mv}");
            }
        }
    }

    #[test]
    fn only_what_can_go_on_is_extendable() {
        let start = Chess::default();
        assert!(extendable(&start, mv(&start, "e2e3")));
        assert!(!extendable(&start, mv(&start, "e2e4")));
        assert!(!extendable(&start, mv(&start, "g1f3")));
        let slide = position("4k3/4p3/8/8/8/8/8/R3R1K1 w - - 0 1");
        assert!(extendable(&slide, mv(&slide, "e1e3")));
        assert!(!extendable(&slide, mv(&slide, "e1e7")));
        let castle = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert!(extendable(&castle, mv(&castle, "h1f1")));
        assert!(!extendable(&castle, mv(&castle, "e1g1")));
    }
}
