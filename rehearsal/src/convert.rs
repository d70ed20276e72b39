//! The door between eboard's squares and pieces (a8 first) and shakmaty's (a1 first).

use eboard::{Colour, Piece, Placement, Square};

pub(crate) fn colour(color: shakmaty::Color) -> Colour {
    color.fold_wb(Colour::White, Colour::Black)
}

pub(crate) const fn other(colour: Colour) -> Colour {
    match colour {
        Colour::White => Colour::Black,
        Colour::Black => Colour::White,
    }
}

pub(crate) fn square(square: shakmaty::Square) -> Square {
    let (file, rank) = square.coords();
    Square::at(file as u8, rank as u8).expect("files and ranks of shakmaty are 0 to 7")
}

pub(crate) fn role(role: shakmaty::Role) -> eboard::Role {
    match role {
        shakmaty::Role::Pawn => eboard::Role::Pawn,
        shakmaty::Role::Knight => eboard::Role::Knight,
        shakmaty::Role::Bishop => eboard::Role::Bishop,
        shakmaty::Role::Rook => eboard::Role::Rook,
        shakmaty::Role::Queen => eboard::Role::Queen,
        shakmaty::Role::King => eboard::Role::King,
    }
}

pub(crate) fn piece(piece: shakmaty::Piece) -> Piece {
    Piece::new(colour(piece.color), role(piece.role))
}

pub(crate) fn placement(board: &shakmaty::Board) -> Placement {
    let mut placement = Placement::EMPTY;
    for (at, standing) in board.iter() {
        placement[square(at)] = Some(piece(standing));
    }
    placement
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_starting_board_is_the_starting_placement() {
        assert_eq!(placement(&shakmaty::Board::new()), Placement::starting());
        assert_eq!(square(shakmaty::Square::A8).index(), 0);
        assert_eq!(square(shakmaty::Square::H1).index(), 63);
    }
}
