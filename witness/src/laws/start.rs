//! Articles 2.1, 2.3 and 7.2: how the pieces are set up, when that is not how a game begins.

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, File, FromSetup, Position, PositionError, Role,
    Setup, Square,
};

use crate::array;
use crate::detail::Detail;
use crate::incident::{Advice, Kind};
use crate::laws::editions;
use crate::message::{Join, List, Message};
use crate::picture::differing;
use crate::say;
use crate::settings::{Edition, Settings};

/// Squares that may differ from the usual array before it is another one in every respect.
const FEW: usize = 8;
/// Moves by both players after which a game with reversed colours goes on.
const REVERSED_STANDS: usize = 10;

/// A set-up that is not the one a game is to begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// An array of Chess960, by its number from 0 to 959, where nobody has announced one.
    Chess960(u16),
    /// The right pieces stand on each other's squares.
    Mixed(Vec<Square>),
    /// It is an array, and another position was announced.
    NotAnnounced,
    /// The board lies across: a1 is not at White's left hand.
    Across,
}

impl Start {
    /// A stable word for machines.
    pub const fn detail(&self) -> Detail {
        match self {
            Self::Chess960(_) => Detail::Chess960,
            Self::Mixed(_) => Detail::Mixed,
            Self::NotAnnounced => Detail::NotAnnounced,
            Self::Across => Detail::Across,
        }
    }
}

/// What is wrong with this picture, if all pieces of a game are set up in it.
pub(crate) fn wrong(picture: &Board, announced: Option<&Board>) -> Option<Start> {
    let usual = Chess::default();
    let start = announced.unwrap_or(usual.board());
    if picture == start {
        return None;
    }
    if is_across(picture) {
        return Some(Start::Across);
    }
    let same = |side: Color| picture.by_color(side) == start.by_color(side);
    let counts = Color::ALL.into_iter().all(|side| {
        Role::ALL.into_iter().all(|role| {
            let of = |board: &Board| (board.by_color(side) & board.by_role(role)).count();
            of(picture) == of(start)
        })
    });
    let number = array::number(picture);
    if !(Color::ALL.into_iter().all(same) && counts) {
        return number.filter(|_| announced.is_some()).map(|_| Start::NotAnnounced);
    }
    if let Some(number) = number.filter(|_| announced.is_none()) {
        return Some(Start::Chess960(number));
    }
    Some(Start::Mixed(differing(picture, start).into_iter().collect()))
}

/// Whether nothing but kings and queens stand on each other's squares: who has done that has hardly
/// meant an array of Chess960.
pub(crate) fn only_kings_and_queens(picture: &Board) -> bool {
    let wrong = differing(picture, Chess::default().board());
    wrong.is_subset(picture.kings() | picture.queens())
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
    // Two bishops of one colour beside eight pawns: a knight stands where the other belongs.
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}

/// White on two files at one side, Black on two at the other: set up on a board that lies across.
fn is_across(picture: &Board) -> bool {
    let left = Bitboard::from_file(File::A) | Bitboard::from_file(File::B);
    let right = Bitboard::from_file(File::G) | Bitboard::from_file(File::H);
    let white_left = picture.white() == left;
    let white_right = picture.white() == !left & picture.occupied();
    let pawns = Bitboard::from_file(File::B) | Bitboard::from_file(File::G);
    picture.occupied() == left | right && (white_left || white_right) && picture.pawns() == pawns
}

pub(crate) fn text(start: &Start, picture: &Board, announced: Option<&Board>) -> Message {
    let usual = Chess::default();
    let board = announced.unwrap_or(usual.board());
    match start {
        Start::Chess960(number) => {
            let stands = say::stands_as_960((*number).into());
            match differing(picture, board).count() <= FEW {
                true => stands.then(how(picture, board)),
                false => stands,
            }
        }
        Start::Across => say::lies_across(),
        Start::NotAnnounced => say::not_as_paired(),
        Start::Mixed(_) => say::set_up_wrongly().then(how(picture, board)),
    }
}

/// Who has what on the wrong squares: `Black: king and queen swapped`.
fn how(picture: &Board, start: &Board) -> Message {
    let of = |side: Color| {
        let wrong = differing(picture, start) & picture.by_color(side);
        let mut parts = Vec::new();
        let mut left: Vec<_> = wrong.into_iter().collect();
        while let Some(&square) = left.first() {
            let belongs = |square| start.piece_at(square);
            let swapped = left.iter().copied().find(|&other| {
                other != square
                    && picture.piece_at(other) == belongs(square)
                    && picture.piece_at(square) == belongs(other)
            });
            left.retain(|it| *it != square && Some(*it) != swapped);
            let part = match (swapped, belongs(square), belongs(swapped.unwrap_or(square))) {
                (Some(other), Some(one), Some(two)) => swap((one.role, square), (two.role, other)),
                _ => lone(picture, square),
            };
            parts.push(part);
        }
        List(parts, Join::Comma)
    };
    let sides = Color::ALL.map(|side| (side, of(side))).into_iter();
    let sides = sides.filter(|(_, what)| !what.0.is_empty());
    let sides = sides.map(|(side, what)| say::side_has(side, what));
    say::set_up_how(List(sides.collect(), Join::Semicolon))
}

/// Two pieces on each other's squares, by where they belong. There is only one king and one queen.
fn swap(one: (Role, Square), two: (Role, Square)) -> Message {
    let royal = [one.0, two.0].iter().all(|role| [Role::King, Role::Queen].contains(role));
    let (first, second) = if two.0 == Role::King { (two, one) } else { (one, two) };
    match royal {
        true => say::swapped_royal(first.0, second.0),
        false => say::swapped(first.0, first.1, second.0, second.1),
    }
}

fn lone(picture: &Board, square: Square) -> Message {
    let role = picture.role_at(square).unwrap_or(Role::Pawn);
    say::piece_on(role, square)
}

pub(crate) fn advice(start: &Start, settings: &Settings) -> Vec<Advice> {
    let edition = settings.edition;
    let later = settings.is_unsupervised().then(|| stands_advice(edition));
    let rule = if let Start::Across = start {
        let turned = editions::article(Kind::BoardTurned, edition);
        say::transferred(turned)
    } else {
        let wrong = editions::article(Kind::WrongStart, edition);
        say::void(wrong)
    };
    [rule].into_iter().chain(later).collect()
}

/// Rapid and blitz without adequate supervision.
fn stands_advice(edition: Edition) -> Advice {
    let (article, moves) = (editions::standing_article(edition), editions::standing_moves(edition));
    say::start_stands_later(moves, article)
}

/// 7.2.2: found from the set-up, and nobody has to do anything.
pub(crate) fn turned() -> Message {
    say::lies_turned()
}

/// 7.3, after so many moves by each player.
pub(crate) fn reversed(moves: usize) -> Message {
    say::colours_reversed(moves)
}

pub(crate) fn reversed_advice(moves: usize, edition: Edition) -> Advice {
    match edition {
        Edition::Y2005 | Edition::Y2014 => say::reversed_goes_on(),
        Edition::Y2018 | Edition::Y2023 if moves < REVERSED_STANDS => say::reversed_anew(),
        Edition::Y2018 | Edition::Y2023 => say::reversed_too_late(),
    }
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
            assert_eq!(wrong(&picture, None), Some(Start::Chess960(number)), "{rank}");
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
            assert_eq!(wrong(&board(placement), None), None, "{placement}");
        }
    }
}
