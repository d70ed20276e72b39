//! Articles 2.1, 2.3 and 7.2: how the pieces are set up, when that is not how a game begins.

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, File, FromSetup, Position, PositionError, Role,
    Setup, Square,
};

use super::words::{bare_fr, both, feminine, piece_en, player_en};
use crate::array;
use crate::incident::{Advice, Bilingual, Kind};
use crate::laws::editions;
use crate::picture::differing;
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
    pub fn name(&self) -> &'static str {
        match self {
            Self::Chess960(_) => "chess960",
            Self::Mixed(_) => "mixed",
            Self::NotAnnounced => "not_announced",
            Self::Across => "across",
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

pub(crate) fn text(start: &Start, picture: &Board, announced: Option<&Board>) -> Bilingual {
    let usual = Chess::default();
    let board = announced.unwrap_or(usual.board());
    match start {
        Start::Chess960(number) => {
            let few = differing(picture, board).count() <= FEW;
            let how = if few { how(picture, board) } else { both("", "") };
            let more = |how: &str| if few { format!(" {how}.") } else { String::new() };
            both(
                format!("The pieces stand as in Chess960, array {number}.{}", more(&how.en)),
                format!("Pièces placées comme au Chess960, position {number}.{}", more(&how.fr)),
            )
        }
        Start::Across => both(
            "The board lies across: the light corner is not at the players' right hand.",
            "L'échiquier est tourné d'un quart : la case blanche n'est pas à droite des joueurs.",
        ),
        Start::NotAnnounced => both(
            "The pieces are not set up as the pairing says: another position was announced.",
            "Les pièces ne sont pas placées comme l'indique l'appariement.",
        ),
        Start::Mixed(_) => {
            let how = how(picture, board);
            both(format!("Set up wrongly. {}.", how.en), format!("Pièces mal placées. {}.", how.fr))
        }
    }
}

/// Who has what on the wrong squares: `Black: king and queen swapped`.
fn how(picture: &Board, start: &Board) -> Bilingual {
    let of = |side: Color| {
        let wrong = differing(picture, start) & picture.by_color(side);
        let (mut en, mut fr) = (Vec::new(), Vec::new());
        let mut left: Vec<_> = wrong.into_iter().collect();
        while let Some(&square) = left.first() {
            let belongs = |square| start.piece_at(square);
            let swapped = left.iter().copied().find(|&other| {
                other != square
                    && picture.piece_at(other) == belongs(square)
                    && picture.piece_at(square) == belongs(other)
            });
            left.retain(|it| *it != square && Some(*it) != swapped);
            let names = match (swapped, belongs(square), belongs(swapped.unwrap_or(square))) {
                (Some(other), Some(one), Some(two)) => swap((one.role, square), (two.role, other)),
                _ => lone(picture, square),
            };
            en.push(names.en);
            fr.push(names.fr);
        }
        both(en.join(", "), fr.join(", "))
    };
    let sides = Color::ALL.map(|side| (side, of(side)));
    let told = sides.iter().filter(|(_, how)| !how.en.is_empty());
    let en = told.clone().map(|(side, how)| format!("{}: {}", player_en(*side), how.en));
    let fr = told.map(|(side, how)| format!("{} : {}", side_fr(*side), how.fr));
    both(en.collect::<Vec<_>>().join("; "), fr.collect::<Vec<_>>().join(" ; "))
}

/// Two pieces on each other's squares, by where they belong. There is only one king and one queen.
fn swap(one: (Role, Square), two: (Role, Square)) -> Bilingual {
    let royal = [one.0, two.0].iter().all(|role| [Role::King, Role::Queen].contains(role));
    let (first, second) = if two.0 == Role::King { (two, one) } else { (one, two) };
    let name = |(role, square): (Role, Square), words: fn(Role) -> &'static str| {
        if royal { words(role).to_owned() } else { format!("{} {square}", words(role)) }
    };
    let es = if feminine(one.0) && feminine(two.0) { "es" } else { "s" };
    both(
        format!("{} and {} swapped", name(first, piece_en), name(second, piece_en)),
        format!("{} et {} interverti{es}", name(first, bare_fr), name(second, bare_fr)),
    )
}

fn lone(picture: &Board, square: Square) -> Bilingual {
    let role = picture.role_at(square).unwrap_or(Role::Pawn);
    both(format!("{} on {square}", piece_en(role)), format!("{} en {square}", bare_fr(role)))
}

const fn side_fr(side: Color) -> &'static str {
    match side {
        Color::White => "Blancs",
        Color::Black => "Noirs",
    }
}

pub(crate) fn advice(start: &Start, settings: &Settings) -> Vec<Advice> {
    let edition = settings.edition;
    let later = settings.is_unsupervised().then(|| stands_advice(edition));
    let rule = if let Start::Across = start {
        let turned = editions::article(Kind::BoardTurned, edition);
        both(
            format!(
                "The game goes on; the position is transferred to a board that lies rightly \
                 ({turned})."
            ),
            format!(
                "La partie continue ; transférer la position sur un échiquier bien orienté \
                 ({turned})."
            ),
        )
    } else {
        let wrong = editions::article(Kind::WrongStart, edition);
        both(
            format!(
                "The game is void and played anew ({wrong}), unless this is an event of Chess960."
            ),
            format!(
                "La partie est annulée et rejouée ({wrong}), sauf si l'épreuve est de Chess960."
            ),
        )
    };
    [rule].into_iter().chain(later).collect()
}

/// Rapid and blitz without adequate supervision.
fn stands_advice(edition: Edition) -> Advice {
    let (article, moves) = (editions::standing_article(edition), editions::standing_moves(edition));
    both(
        format!(
            "Only until {moves} moves have been completed by each; then it stands, and there is no \
             castling with a king or rook that stood wrongly ({article})."
        ),
        format!(
            "Seulement avant {moves} coups joués par chacun ; ensuite elle est acquise, sans roque \
             avec un roi ou une tour mal placés ({article})."
        ),
    )
}

/// 7.2.2: found from the set-up, and nobody has to do anything.
pub(crate) fn turned() -> Bilingual {
    both(
        "The board lies the other way round: its squares are read accordingly.",
        "L'échiquier est posé dans l'autre sens : ses cases sont lues en conséquence.",
    )
}

/// 7.3, after so many moves by each player.
pub(crate) fn reversed(moves: usize) -> Bilingual {
    both(
        format!("The players have each other's colours; moves made by both: {moves}."),
        format!("Les joueurs ont les couleurs inversées ; coups joués par chacun : {moves}."),
    )
}

pub(crate) fn reversed_advice(moves: usize, edition: Edition) -> Advice {
    match edition {
        Edition::Y2005 | Edition::Y2014 => both(
            "The game goes on, unless the arbiter rules otherwise (7.3).",
            "La partie continue, sauf décision contraire de l'arbitre (7.3).",
        ),
        Edition::Y2018 | Edition::Y2023 if moves < REVERSED_STANDS => both(
            "Fewer than 10 moves by both: the game is discontinued, and a new one is played with \
             the right colours (7.3).",
            "Moins de 10 coups joués par chacun : la partie est arrêtée, une nouvelle partie est \
             jouée avec les bonnes couleurs (7.3).",
        ),
        Edition::Y2018 | Edition::Y2023 => both(
            "10 moves or more have been made: the game goes on (7.3).",
            "10 coups ou plus ont été joués : la partie continue (7.3).",
        ),
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
