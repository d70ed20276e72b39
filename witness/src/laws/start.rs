//! Articles 2.1, 2.3 and 7.2: how the pieces are set up, when that is not how a game begins.

use shakmaty::{
    Bitboard, Board, ByColor, CastlingMode, Chess, Color, File, FromSetup, Position, Role, Setup,
    Square,
};

use super::words::{both, piece_en, piece_fr, player_en, player_fr};
use crate::array;
use crate::incident::{Advice, Bilingual};
use crate::laws::rate::Rate;

/// A set-up that is not the starting position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// An array of Chess960, by its number from 0 to 959.
    Chess960(u16),
    /// Pieces of the first ranks stand on each other's squares.
    Mixed(Vec<Square>),
    /// The board lies across: a1 is not at White's left hand.
    Across,
}

/// What is wrong with this picture, if all pieces of a game are set up in it.
pub(crate) fn wrong(picture: &Board) -> Option<Start> {
    let start = Chess::default();
    if picture == start.board() {
        return None;
    }
    if picture.occupied()
        == Bitboard::from_file(File::A)
            | Bitboard::from_file(File::B)
            | Bitboard::from_file(File::G)
            | Bitboard::from_file(File::H)
        && is_across(picture)
    {
        return Some(Start::Across);
    }
    let same = |side: Color| picture.by_color(side) == start.board().by_color(side);
    let counts = Color::ALL.into_iter().all(|side| {
        Role::ALL.into_iter().all(|role| {
            let of = |board: &Board| (board.by_color(side) & board.by_role(role)).count();
            of(picture) == of(start.board())
        })
    });
    if !(Color::ALL.into_iter().all(same) && counts) {
        return None;
    }
    if let Some(number) = array::number(picture) {
        return Some(Start::Chess960(number));
    }
    let wrong = picture.occupied().into_iter();
    let wrong = wrong.filter(|square| picture.piece_at(*square) != start.board().piece_at(*square));
    Some(Start::Mixed(wrong.collect()))
}

/// The game as it stands: played on from there until somebody decides otherwise, with castling only
/// where king and rook stand on their squares (A.5.1). An array of Chess960 has begun one already.
pub(crate) fn position(picture: &Board, start: &Start) -> Option<Chess> {
    if !matches!(start, Start::Mixed(_)) {
        return None;
    }
    let mut setup = Setup::empty();
    setup.board = picture.clone();
    setup.turn = Color::White;
    for side in Color::ALL {
        let at = |file: File| picture.piece_at(Square::from_coords(file, side.backrank()));
        let rooks = [File::A, File::H].into_iter().filter(|file| at(*file) == Some(side.rook()));
        let rooks = rooks.map(|file| Square::from_coords(file, side.backrank()));
        let castles = at(File::E) == Some(side.king());
        setup.castling_rights |= rooks.filter(|_| castles).collect::<Bitboard>();
    }
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

/// White on two files at one side, Black on two at the other: set up on a board that lies across.
fn is_across(picture: &Board) -> bool {
    let left = Bitboard::from_file(File::A) | Bitboard::from_file(File::B);
    let white_left = picture.white() == left;
    let white_right = picture.white() == !left & picture.occupied();
    let pawns = Bitboard::from_file(File::B) | Bitboard::from_file(File::G);
    (white_left || white_right) && picture.pawns() == pawns
}

pub(crate) fn text(start: &Start, picture: &Board) -> Bilingual {
    match start {
        Start::Chess960(number) => both(
            format!("The pieces are set up as in Chess960, array {number}."),
            format!("Les pièces sont placées comme au Chess960, position {number}."),
        ),
        Start::Across => both(
            "The board lies across: the light corner is not at the players' right hand.",
            "L'échiquier est tourné d'un quart : la case blanche n'est pas à droite des joueurs.",
        ),
        Start::Mixed(squares) => mixed(squares, picture),
    }
}

fn mixed(squares: &[Square], picture: &Board) -> Bilingual {
    let told = |name: fn(Role) -> &'static str, player: fn(Color) -> &'static str| {
        let of = ByColor::new_with(|side| {
            let own = squares.iter().filter_map(|square| {
                let piece = picture.piece_at(*square).filter(|piece| piece.color == side)?;
                Some(format!("{} {square}", name(piece.role)))
            });
            own.collect::<Vec<_>>().join(", ")
        });
        let sides = Color::ALL.into_iter().filter(|side| !of.get(*side).is_empty());
        sides
            .map(|side| format!("{}: {}", player(side), of.get(side)))
            .collect::<Vec<_>>()
            .join("; ")
    };
    both(
        format!("Set up wrongly: {}.", told(piece_en, player_en)),
        format!("Mal placés : {}.", told(piece_fr, player_fr)),
    )
}

pub(crate) fn advice(start: &Start, rate: Rate) -> Vec<Advice> {
    if let Start::Across = start {
        return vec![both(
            "The game goes on; the position is transferred to a board that lies rightly (7.2.2).",
            "La partie continue ; transférer la position sur un échiquier bien orienté (7.2.2).",
        )];
    }
    let rule = match rate {
        Rate::Standard => both(
            "The game is void and played anew (7.2.1), unless this is an event of Chess960.",
            "La partie est annulée et rejouée (7.2.1), sauf si l'épreuve est de Chess960.",
        ),
        Rate::Rapid | Rate::Blitz => both(
            "Put it right until 10 moves have been completed by each; then it stands, and there \
             is no castling with a king or rook that stood wrongly (A.5.1, A.4.1 in 2018).",
            "À corriger avant 10 coups joués par chacun ; ensuite elle est acquise, sans roque \
             avec un roi ou une tour mal placés (A.5.1, A.4.1 en 2018).",
        ),
    };
    vec![rule]
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

    fn board(placement: &str) -> Board {
        placement.parse::<Fen>().unwrap().into_setup().board
    }

    #[test]
    fn arrays_of_chess960_have_their_numbers() {
        for (rank, number) in [("bbqnnrkr", 0), ("bqnbnrkr", 1), ("rkrnnqbb", 959)] {
            let white = rank.to_uppercase();
            let picture = board(&format!("{rank}/pppppppp/8/8/8/8/PPPPPPPP/{white}"));
            assert_eq!(wrong(&picture), Some(Start::Chess960(number)), "{rank}");
        }
    }

    #[test]
    fn what_is_no_set_up_is_not_judged() {
        for placement in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1",
            "8/8/8/8/8/8/8/8",
        ] {
            assert_eq!(wrong(&board(placement)), None, "{placement}");
        }
    }
}
