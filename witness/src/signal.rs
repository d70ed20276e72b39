//! Both kings in the centre: the players' sign of a result (Article 8.7; the boards' custom). No
//! legal position holds two kings there, but an illegal king's move brings it about as well: so it
//! is a sign only where both kings have come there, or one of them while both times stand.

use shakmaty::{Bitboard, Board, Chess, Color, KnownOutcome, Move, Position, Role, Square};

/// The four centre squares.
pub(crate) const CENTRE: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];

/// The sign of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sign {
    /// What it says.
    pub outcome: KnownOutcome,
    /// Where White's king and Black's stand.
    pub kings: [Square; 2],
}

/// Both kings in the centre, and which of them have come there, White's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub kings: [Square; 2],
    /// Where they had stood before.
    pub from: [Option<Square>; 2],
    pub moved: [bool; 2],
    /// A king has come from farther than a king moves.
    pub jumped: bool,
    /// Whose king may have come by a move: it was his turn, and the move is legal.
    pub lawful: Option<Color>,
}

impl Shown {
    /// Since this position; `now` is that of the score, which may be a move later.
    pub fn since(position: &Chess, now: &Chess, kings: [Square; 2]) -> Self {
        let from = [Color::White, Color::Black].map(|side| position.board().king_of(side));
        let moved = [0, 1].map(|side: usize| from[side] != Some(kings[side]));
        let far = |side: usize| from[side].is_some_and(|from| from.distance(kings[side]) > 1);
        let lawful = moved_by_last(position, now, kings).or_else(|| may_move(now, kings));
        Self { kings, from, moved, jumped: far(0) || far(1), lawful }
    }

    /// The squares to which a king has come.
    pub fn arrived_on(&self) -> impl Iterator<Item = Square> {
        let pairs = self.kings.into_iter().zip(self.moved);
        pairs.filter(|(_, moved)| *moved).map(|(square, _)| square)
    }

    /// The squares that the kings have left for it.
    pub fn left(&self) -> impl Iterator<Item = Square> {
        let pairs = self.from.into_iter().zip(self.moved);
        pairs.filter(|(_, moved)| *moved).filter_map(|(from, _)| from)
    }

    /// Whether as many kings have come as are asked for.
    pub fn suffices(&self, asked: Asked) -> bool {
        let moved = self.arrived_on().count();
        moved == 2 || asked.lone && moved == 1
    }
}

/// Whose king the last move has brought there.
fn moved_by_last(before: &Chess, now: &Chess, kings: [Square; 2]) -> Option<Color> {
    let side = before.turn();
    let king = now.board().king_of(side);
    let came = king != before.board().king_of(side) && king == Some(of(side, kings));
    came.then_some(side)
}

/// Who has the move, if his king may go there.
fn may_move(now: &Chess, kings: [Square; 2]) -> Option<Color> {
    let side = now.turn();
    let king = |mv: &Move| mv.role() == Role::King && !mv.is_castle();
    let mut legal = now.legal_moves().into_iter().filter(king);
    legal.any(|mv| mv.to() == of(side, kings)).then_some(side)
}

const fn of(side: Color, [white, black]: [Square; 2]) -> Square {
    match side {
        Color::White => white,
        Color::Black => black,
    }
}

/// What is asked of a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    /// One king that has come is enough: the other one stood in the centre.
    pub lone: bool,
    /// The last move is not completed: a king that it moved may have come for the sign.
    pub open: bool,
}

/// The result this picture signals: both kings on light squares 1-0, both on dark ones 0-1, one on
/// each a draw. Which king stands where does not matter.
pub(crate) fn sign(picture: &Board) -> Option<Sign> {
    // Where the report of a lift was lost a king still seems to stand where it came from.
    let centre: Bitboard = CENTRE.into_iter().collect();
    let king = |side: Color| (picture.by_piece(side.king()) & centre).single_square();
    let kings = [king(Color::White)?, king(Color::Black)?];
    Some(Sign { outcome: outcome(kings), kings })
}

/// What kings on these squares say.
pub(crate) fn outcome(kings: [Square; 2]) -> KnownOutcome {
    match kings.map(Square::is_light) {
        [true, true] => KnownOutcome::Decisive { winner: Color::White },
        [false, false] => KnownOutcome::Decisive { winner: Color::Black },
        _ => KnownOutcome::Draw,
    }
}

/// Which of these squares have nothing to do with the sign: the kings came from elsewhere, and what
/// stood in the centre was taken off for them.
pub(crate) fn beside(position: &Board, differing: Bitboard) -> Bitboard {
    let kings = Color::ALL.into_iter().filter_map(|side| position.king_of(side));
    differing & !CENTRE.into_iter().chain(kings).collect::<Bitboard>()
}

/// Whether one king has come to the centre since this position: the other may follow.
pub(crate) fn half(position: &Board, picture: &Board) -> bool {
    Color::ALL.into_iter().any(|side| {
        let stands = picture.king_of(side).filter(|king| CENTRE.contains(king));
        stands.is_some() && stands != position.king_of(side)
    })
}

/// Whether this move may be a king's trip to the centre and no move at all.
pub(crate) fn may_be_a_trip(mv: Move) -> bool {
    mv.role() == Role::King && !mv.is_castle() && CENTRE.contains(&mv.to())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_kings(white: Square, black: Square) -> Board {
        let mut board = Board::empty();
        board.set_piece_at(white, Color::White.king());
        board.set_piece_at(black, Color::Black.king());
        board
    }

    #[test]
    fn all_six_pairs_either_way_round() {
        use KnownOutcome::{Decisive, Draw};
        let pairs = [
            (Square::E4, Square::D5, Decisive { winner: Color::White }),
            (Square::D4, Square::E5, Decisive { winner: Color::Black }),
            (Square::D4, Square::E4, Draw),
            (Square::D5, Square::E5, Draw),
            (Square::D4, Square::D5, Draw),
            (Square::E4, Square::E5, Draw),
        ];
        let both_ways = |(one, other, outcome)| [(one, other, outcome), (other, one, outcome)];
        for (one, other, outcome) in pairs.into_iter().flat_map(both_ways) {
            let sign = sign(&with_kings(one, other)).map(|it| it.outcome);
            assert_eq!(sign, Some(outcome), "{one} {other}");
        }
        assert_eq!(sign(&with_kings(Square::E4, Square::E8)), None);
    }
}
