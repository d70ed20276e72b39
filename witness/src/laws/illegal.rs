//! Article 7.5: a picture that no legal move reaches, explained by one illegal move.

use bincode::{Decode, Encode};
use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, Move, Piece, Position, Role, Square, attacks,
};

use crate::detail::Detail;
use crate::picture::differing;

/// An illegal move and why it is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct IllegalMove {
    /// The piece that moved.
    pub piece: Piece,
    /// Where it stood.
    pub from: Square,
    /// Where it stands.
    pub to: Square,
    /// What it replaced.
    pub captured: Option<Piece>,
    /// Why it is illegal.
    pub why: Why,
}

/// Why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Why {
    /// The piece does not move like that (3.2 to 3.8).
    Geometry,
    /// It went through the piece on this square (3.5).
    Through(Square),
    /// A piece of the same colour stood there (3.1).
    OwnPiece,
    /// The mover's king can be captured by the pieces on these squares (3.9).
    OwnKingInCheck(Bitboard),
    /// The opponent's king was captured (1.4.1).
    KingCaptured,
    /// Castling that was not to be had (3.8.2).
    Castling(Bar),
    /// Captured in passing where no pawn had just passed (3.7.3).
    EnPassant,
    /// A pawn stands on the last rank (3.7.3.3).
    NotPromoted,
}

/// What stands in the way of castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Bar {
    /// King or rook has moved before: the right is lost.
    Right,
    /// A piece on this square stands between.
    Between(Square),
    /// The king is attacked by the pieces on these squares.
    Check(Bitboard),
    /// A square that the king passes or reaches is attacked by those on these.
    Attacked(Square, Bitboard),
    /// Nothing, but the rook was left where it stood.
    RookLeft,
    /// Nothing, but king and rook do not go there.
    Squares,
}

impl IllegalMove {
    /// Where what it captured stood.
    pub(crate) fn taken(&self) -> Option<Square> {
        self.captured.map(|_| match self.why {
            Why::EnPassant => Square::from_coords(self.to.file(), self.from.rank()),
            _ => self.to,
        })
    }
}

impl Why {
    /// The pieces whose attack makes the move illegal.
    #[must_use]
    pub const fn attackers(self) -> Bitboard {
        match self {
            Self::OwnKingInCheck(by) | Self::Castling(Bar::Check(by) | Bar::Attacked(_, by)) => by,
            _ => Bitboard::EMPTY,
        }
    }

    /// The stable word for machines.
    #[must_use]
    pub const fn detail(self) -> Detail {
        match self {
            Self::Geometry => Detail::Geometry,
            Self::Through(_) => Detail::ThroughAPiece,
            Self::OwnPiece => Detail::OwnPieceOnSquare,
            Self::OwnKingInCheck(_) => Detail::OwnKingInCheck,
            Self::KingCaptured => Detail::KingCaptured,
            Self::Castling(_) => Detail::Castling,
            Self::EnPassant => Detail::EnPassant,
            Self::NotPromoted => Detail::NotPromoted,
        }
    }
}

/// What became of the squares, seen by the side that was to move.
struct Shift {
    left: Bitboard,
    came: Bitboard,
    gone: Bitboard,
}

/// The one illegal move by the side to move that leads from this position to this picture.
#[must_use]
pub fn explain(position: &Chess, picture: &Board) -> Option<IllegalMove> {
    let shift = shift(position, picture)?;
    if shift.left.count() == 2 && shift.came.count() == 2 && shift.gone.is_empty() {
        return castling(position, picture, &shift);
    }
    let to = shift.came.single_square()?;
    let from = shift.left.without(to).single_square()?;
    let piece = position.board().piece_at(from)?;
    let stands = picture.piece_at(to)?;
    let promotes = piece.role == Role::Pawn && to.rank() == piece.color.other().backrank();
    if stands != piece && !promotes {
        return None;
    }
    let taken = shift.gone.single_square();
    if shift.gone.any() && taken.is_none() {
        return None;
    }
    // A piece missing elsewhere is another story, unless a pawn pretends to capture in passing.
    let passing = piece.role == Role::Pawn
        && taken.is_some_and(|it| it.rank() == from.rank() && it.file() == to.file());
    if taken.is_some_and(|square| square != to) && !passing {
        return None;
    }
    let captured = taken.and_then(|square| position.board().piece_at(square));
    let why = reason(position, picture, piece, from, to, taken)?;
    let why = if promotes && stands == piece && matches!(why, Why::OwnKingInCheck(_)) {
        why
    } else if promotes
        && stands == piece
        && pseudo_legal(position, piece, from, to, taken).is_none()
    {
        Why::NotPromoted
    } else {
        why
    };
    Some(IllegalMove { piece, from, to, captured, why })
}

/// The position in which this move leaves the game if it stands, though no legal one is like it:
/// the king that was left in check, a pawn on the last rank.
pub(crate) fn standing(before: &Chess, mv: &IllegalMove, picture: &Board) -> Option<Chess> {
    let role = mv.piece.role;
    let made = match mv.why {
        Why::EnPassant => Move::EnPassant { from: mv.from, to: mv.to },
        Why::Castling(_) | Why::KingCaptured => return None,
        _ => Move::Normal {
            role,
            from: mv.from,
            capture: mv.captured.map(|it| it.role),
            to: mv.to,
            promotion: picture.role_at(mv.to).filter(|it| *it != role),
        },
    };
    let mut position = before.clone();
    position.play_unchecked(made);
    (position.board() == picture).then_some(position)
}

/// The rook that was moved with the king, if this was meant to be castling.
pub(crate) fn castled_rook(mv: &IllegalMove, before: &Chess, picture: &Board) -> Option<Square> {
    let meant = matches!(mv.why, Why::Castling(_));
    let left = shift(before, picture)?.left.without(mv.from) & before.board().rooks();
    left.single_square().filter(|_| meant)
}

/// Whether only an illegal move can have led to this position.
pub(crate) fn cannot_arise(position: &Chess) -> bool {
    let pawns = position.board().pawns() & Bitboard::BACKRANKS;
    pawns.any() || can_capture_king(position)
}

/// Whether the player having the move could capture the king.
pub(crate) fn can_capture_king(position: &Chess) -> bool {
    attackers_of_king(position.board(), position.turn().other()).any()
}

/// Nothing of the opponent's may have appeared anywhere: that would be another story.
fn shift(position: &Chess, picture: &Board) -> Option<Shift> {
    let (before, mover) = (position.board(), position.turn());
    let changed = differing(before, picture);
    let shift = Shift {
        left: changed & before.by_color(mover),
        came: changed & picture.by_color(mover),
        gone: changed & before.by_color(mover.other()),
    };
    (changed & picture.by_color(mover.other())).is_empty().then_some(shift)
}

fn castling(position: &Chess, picture: &Board, shift: &Shift) -> Option<IllegalMove> {
    let (before, mover) = (position.board(), position.turn());
    let from = before.king_of(mover).filter(|king| shift.left.contains(*king))?;
    let to = picture.king_of(mover).filter(|king| shift.came.contains(*king))?;
    let rook = shift.left.without(from).single_square()?;
    let landed = shift.came.without(to).single_square()?;
    let is_rook = before.piece_at(rook) == Some(mover.rook());
    (is_rook && picture.piece_at(landed) == Some(mover.rook())).then_some(IllegalMove {
        piece: mover.king(),
        from,
        to,
        captured: None,
        why: Why::Castling(bar(position, to, Some(rook))),
    })
}

/// Why the player having the move may not castle to this square, with this rook if it was moved.
fn bar(position: &Chess, to: Square, rook: Option<Square>) -> Bar {
    let (mover, castles) = (position.turn(), position.castles());
    let side = CastlingSide::ALL.into_iter().find(|side| side.king_to(mover) == to);
    let king = position.board().king_of(mover);
    let Some((side, king)) = side.zip(king) else { return Bar::Squares };
    if castles.rook(mover, side).is_none_or(|it| rook.is_some_and(|rook| rook != it)) {
        return Bar::Right;
    }
    let occupied = position.board().occupied();
    if let Some(square) = (castles.path(mover, side) & occupied).first() {
        return Bar::Between(square);
    }
    let without = occupied.without(king);
    let attackers = |square| position.king_attackers(square, mover.other(), without);
    if attackers(king).any() {
        return Bar::Check(attackers(king));
    }
    let way = attacks::between(king, to).with(to);
    let attacked = way.into_iter().find(|square| attackers(*square).any());
    match attacked {
        Some(square) => Bar::Attacked(square, attackers(square)),
        None if rook.is_none() => Bar::RookLeft,
        None => Bar::Squares,
    }
}

fn reason(
    position: &Chess,
    picture: &Board,
    piece: Piece,
    from: Square,
    to: Square,
    taken: Option<Square>,
) -> Option<Why> {
    let before = position.board();
    if before.piece_at(to).is_some_and(|it| it.color == piece.color) {
        return Some(Why::OwnPiece);
    }
    if taken.and_then(|it| before.piece_at(it)).is_some_and(|it| it.role == Role::King) {
        return Some(Why::KingCaptured);
    }
    if let Some(why) = pseudo_legal(position, piece, from, to, taken) {
        return Some(why);
    }
    let checkers = attackers_of_king(picture, piece.color);
    if checkers.any() {
        return Some(Why::OwnKingInCheck(checkers));
    }
    let unpromoted = picture.piece_at(to) == Some(piece) && piece.role == Role::Pawn;
    (unpromoted && to.rank() == piece.color.other().backrank()).then_some(Why::NotPromoted)
}

/// Why the piece cannot go there at all, whatever happens to the king; none when it can.
fn pseudo_legal(
    position: &Chess,
    piece: Piece,
    from: Square,
    to: Square,
    taken: Option<Square>,
) -> Option<Why> {
    if piece.role == Role::Pawn {
        return pawn(position, piece.color, from, to, taken);
    }
    let occupied = position.board().occupied();
    if attacks::attacks(from, piece, occupied).contains(to) {
        return None;
    }
    if attacks::attacks(from, piece, Bitboard::EMPTY).contains(to) {
        let through = (attacks::between(from, to) & occupied).first();
        return Some(through.map_or(Why::Geometry, Why::Through));
    }
    let castles = piece.role == Role::King
        && from.rank() == to.rank()
        && from.file().distance(to.file()) == 2;
    Some(if castles { Why::Castling(bar(position, to, None)) } else { Why::Geometry })
}

fn pawn(
    position: &Chess,
    color: Color,
    from: Square,
    to: Square,
    taken: Option<Square>,
) -> Option<Why> {
    let before = position.board();
    if attacks::pawn_attacks(color, from).contains(to) {
        return match taken {
            Some(square) if square == to => None,
            Some(square) if square.rank() == from.rank() && square.file() == to.file() => {
                Some(Why::EnPassant)
            }
            _ => Some(Why::Geometry),
        };
    }
    if from.file() != to.file() || taken.is_some_and(|square| square != to) {
        return Some(Why::Geometry);
    }
    let steps = i32::from(to.rank()) - i32::from(from.rank());
    let forward = color.fold_wb(1, -1);
    let first_step = color.relative_rank(from.rank()) == shakmaty::Rank::Second;
    if steps != forward && !(first_step && steps == 2 * forward) {
        return Some(Why::Geometry);
    }
    if taken.is_some() {
        return Some(Why::Geometry);
    }
    let blocked = (attacks::between(from, to) & before.occupied()).first();
    blocked.map(Why::Through)
}

fn attackers_of_king(picture: &Board, color: Color) -> Bitboard {
    picture
        .king_of(color)
        .map_or(Bitboard::EMPTY, |king| picture.attacks_to(king, color.other(), picture.occupied()))
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn why(fen: &str, picture: &str) -> Option<Why> {
        let position: Chess =
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let picture = Fen::from_ascii(format!("{picture} w - - 0 1").as_bytes()).unwrap();
        explain(&position, &picture.as_setup().board).map(|it| it.why)
    }

    #[test]
    fn each_way_to_be_illegal_is_distinguished() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let cases = [
            (start, "rnbqkbnr/pppppppp/8/8/8/6N1/PPPPPPPP/RNBQKB1R", Some(Why::Geometry)),
            (start, "rnbqkbnr/pppppppp/8/8/8/R7/PPPPPPPP/1NBQKBNR", Some(Why::Through(Square::A2))),
            (start, "rnbqkbnr/pppppppp/8/8/8/8/RPPPPPPP/1NBQKBNR", Some(Why::OwnPiece)),
            (
                "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1",
                "4r1k1/8/8/8/8/2N5/8/4K3",
                Some(Why::OwnKingInCheck(Bitboard::from_square(Square::E8))),
            ),
            (
                "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
                "4k3/8/8/8/8/8/8/2KR4",
                Some(Why::Castling(Bar::Right)),
            ),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "P3k3/8/8/8/8/8/8/4K3", Some(Why::NotPromoted)),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "4k3/8/3P4/8/8/8/8/4K3", Some(Why::EnPassant)),
            ("4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1", "4k3/8/8/8/4P3/8/8/4K3", Some(Why::Geometry)),
        ];
        for (fen, picture, expected) in cases {
            assert_eq!(why(fen, picture), expected, "{fen} -> {picture}");
        }
    }

    #[test]
    fn castling_says_what_stands_in_its_way() {
        let at = Bitboard::from_square;
        let cases = [
            ("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "4k3/8/8/8/8/8/8/1NKR4", Bar::Between(Square::B1)),
            (
                "k3r3/8/8/8/8/8/8/4K2R w K - 0 1",
                "k3r3/8/8/8/8/8/8/5RK1",
                Bar::Check(at(Square::E8)),
            ),
            (
                "r3k3/8/8/8/8/8/8/3RK3 b q - 0 1",
                "2kr4/8/8/8/8/8/8/3RK3",
                Bar::Attacked(Square::D8, at(Square::D1)),
            ),
            (
                "k5r1/8/8/8/8/8/8/4K2R w K - 0 1",
                "k5r1/8/8/8/8/8/8/5RK1",
                Bar::Attacked(Square::G1, at(Square::G8)),
            ),
            ("k7/8/8/8/8/8/8/4K2R w K - 0 1", "k7/8/8/8/8/8/8/6KR", Bar::RookLeft),
            ("k7/8/8/8/8/8/8/4K2R w K - 0 1", "k7/8/8/8/8/8/8/4R1K1", Bar::Squares),
            ("1k6/8/8/8/8/8/8/R3K2R w K - 0 1", "1k6/8/8/8/8/8/8/2KR3R", Bar::Right),
        ];
        for (fen, picture, bar) in cases {
            assert_eq!(why(fen, picture), Some(Why::Castling(bar)), "{fen} -> {picture}");
        }
    }

    #[test]
    fn what_one_move_cannot_do_is_not_explained() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for picture in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR",
            "rnbqkbnr/pppppppp/8/8/8/PP6/2PPPPPP/RNBQKBNR",
        ] {
            assert_eq!(why(start, picture), None, "{picture}");
        }
    }
}
