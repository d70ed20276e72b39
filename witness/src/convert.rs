//! The door between the wire's squares and pieces (a8 first) and shakmaty's (a1 first).

use shakmaty::{Board, Color, Piece, Role, Square};

/// A wire square as shakmaty counts, on a board that may be turned by 180°.
#[must_use]
pub fn to_shakmaty(square: eboard::Square, turned: bool) -> Square {
    let seen = if turned { square.turned() } else { square };
    // Wire squares run rank by rank from a8; flipping the rank bits gives shakmaty's order.
    Square::new(u32::from(seen.index() ^ 0b11_1000))
}

pub(crate) fn piece(piece: eboard::Piece) -> Piece {
    let color = match piece.colour() {
        eboard::Colour::White => Color::White,
        eboard::Colour::Black => Color::Black,
    };
    let role = match piece.role() {
        eboard::Role::Pawn => Role::Pawn,
        eboard::Role::Knight => Role::Knight,
        eboard::Role::Bishop => Role::Bishop,
        eboard::Role::Rook => Role::Rook,
        eboard::Role::Queen => Role::Queen,
        eboard::Role::King => Role::King,
    };
    Piece { color, role }
}

fn wire_piece(piece: Piece) -> eboard::Piece {
    let colour = match piece.color {
        Color::White => eboard::Colour::White,
        Color::Black => eboard::Colour::Black,
    };
    let role = match piece.role {
        Role::Pawn => eboard::Role::Pawn,
        Role::Knight => eboard::Role::Knight,
        Role::Bishop => eboard::Role::Bishop,
        Role::Rook => eboard::Role::Rook,
        Role::Queen => eboard::Role::Queen,
        Role::King => eboard::Role::King,
    };
    eboard::Piece::new(colour, role)
}

pub(crate) fn board(placement: &eboard::Placement, turned: bool) -> Board {
    let mut board = Board::empty();
    for square in eboard::Square::all() {
        if let Some(seen) = placement[square] {
            board.set_piece_at(to_shakmaty(square, turned), piece(seen));
        }
    }
    board
}

/// A board as the wire shows it where it may be turned by 180°.
#[must_use]
pub fn placement(board: &Board, turned: bool) -> eboard::Placement {
    let mut placement = eboard::Placement::EMPTY;
    for square in eboard::Square::all() {
        placement[square] = board.piece_at(to_shakmaty(square, turned)).map(wire_piece);
    }
    placement
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_starting_placement_is_shakmatys_whichever_way_round() {
        let start = eboard::Placement::starting();
        assert_eq!(board(&start, false), Board::new());
        assert_eq!(board(&start.turned(), true), Board::new());
        assert_eq!(placement(&Board::new(), false), start);
        assert_eq!(placement(&Board::new(), true), start.turned());
        let e2 = eboard::Square::at(4, 1).unwrap();
        assert_eq!(to_shakmaty(e2, false), Square::E2);
        assert_eq!(to_shakmaty(e2, true), Square::D7);
    }
}
