//! Games to be performed: some famous ones, and the form in which a caller brings his own. No
//! general reader of PGN: it reads the file beside it and nothing more.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, EnPassantMode, FromSetup, KnownOutcome, Move, Outcome, Position};

/// A game as it was played.
#[derive(Clone, Debug)]
pub struct Game {
    /// Who had the white pieces.
    pub white: String,
    /// Who had the black pieces.
    pub black: String,
    /// Tournament or match.
    pub event: String,
    /// Where.
    pub site: String,
    /// When, as in PGN: `1858.??.??` where only the year is known.
    pub date: String,
    /// The position before the first move.
    pub start: Chess,
    /// The moves, each legal after the ones before it, but for one.
    pub moves: Vec<Move>,
    /// Which of them, from 0, is illegal and stands all the same, as in rapid and blitz (A.5.2).
    pub irregular: Option<usize>,
    /// How it ended.
    pub outcome: Outcome,
}

impl Game {
    /// The positions after each move. Stops at a move that is not legal and does not stand.
    pub fn positions(&self) -> impl Iterator<Item = Chess> {
        (0..self.moves.len()).scan(self.start.clone(), |position, ply| {
            *position = self.after(ply, position)?;
            Some(position.clone())
        })
    }

    /// The position after this ply, from 0, in the position before it; `None` if the move is not
    /// legal and does not stand.
    #[must_use]
    pub fn after(&self, ply: usize, before: &Chess) -> Option<Chess> {
        let played = *self.moves.get(ply)?;
        if self.irregular == Some(ply) {
            return standing(before, played);
        }
        before.clone().play(played).ok()
    }
}

/// The position in which the other side goes on after this illegal move, if the Laws have a legal
/// position for it.
pub(crate) fn standing(before: &Chess, played: Move) -> Option<Chess> {
    let mut setup = before.to_setup(EnPassantMode::Legal);
    let from = played.from()?;
    let piece = setup.board.remove_piece_at(from)?;
    setup.board.set_piece_at(played.to(), piece);
    setup.castling_rights.discard(from);
    setup.castling_rights.discard(played.to());
    setup.ep_square = None;
    setup.turn = !setup.turn;
    setup.halfmoves = 0;
    if setup.turn == Color::White {
        setup.fullmoves = setup.fullmoves.saturating_add(1);
    }
    Chess::from_setup(setup, before.castles().mode()).ok()
}

/// Famous games, always in the same order: castling on both sides, promotion and en passant are
/// among their moves; mates, resignations and draws among their ends.
#[must_use]
pub fn famous() -> Vec<Game> {
    games_in(include_str!("../famous.pgn"))
}

fn games_in(text: &str) -> Vec<Game> {
    let mut parts = text.split("\n\n");
    let mut games = Vec::new();
    while let (Some(tags), Some(moves)) = (parts.next(), parts.next()) {
        games.extend(read(tags, moves));
    }
    games
}

fn read(tags: &str, movetext: &str) -> Option<Game> {
    let tag = |name: &str| {
        let line = tags.lines().find_map(|line| line.strip_prefix('[')?.strip_prefix(name))?;
        Some(line.strip_prefix(" \"")?.strip_suffix("\"]")?.to_owned())
    };
    let mut position = Chess::default();
    let mut moves = Vec::new();
    let written = movetext.split_whitespace().filter(|word| !word.ends_with('.'));
    for word in written.filter(|word| outcome(word).is_none()) {
        let played = word.parse::<SanPlus>().ok()?.san.to_move(&position).ok()?;
        position.play_unchecked(played);
        moves.push(played);
    }
    Some(Game {
        white: tag("White")?,
        black: tag("Black")?,
        event: tag("Event")?,
        site: tag("Site")?,
        date: tag("Date")?,
        start: Chess::default(),
        moves,
        irregular: None,
        outcome: outcome(&tag("Result")?)?,
    })
}

fn outcome(text: &str) -> Option<Outcome> {
    use shakmaty::Color::{Black, White};
    let known = match text {
        "1-0" => KnownOutcome::Decisive { winner: White },
        "0-1" => KnownOutcome::Decisive { winner: Black },
        "1/2-1/2" => KnownOutcome::Draw,
        _ => return None,
    };
    Some(Outcome::Known(known))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::san::San;

    const TEXT: &str = include_str!("../famous.pgn");

    #[test]
    fn every_famous_game_is_legal_to_its_end() {
        for block in TEXT.split("\n\n").filter(|block| block.starts_with("1.")) {
            let mut position = Chess::default();
            for word in block.split_whitespace().filter(|word| !word.ends_with('.')) {
                let Ok(san) = word.parse::<SanPlus>() else {
                    assert!(outcome(word).is_some(), "`{word}` in {block}");
                    continue;
                };
                let played = san.san.to_move(&position);
                let played = played.unwrap_or_else(|e| panic!("{word}: {e} in {block}"));
                // The signs for check and mate are as in the books.
                assert_eq!(SanPlus::from_move(position.clone(), played).to_string(), word);
                position.play_unchecked(played);
            }
        }
        assert_eq!(famous().len(), TEXT.matches("[Event ").count());
        assert!(famous().len() >= 16);
    }

    #[test]
    fn a_mate_ends_the_game_for_the_side_that_mates() {
        let mut mates = 0;
        for game in famous() {
            let last = game.positions().last().unwrap();
            assert_eq!(game.positions().count(), game.moves.len());
            if last.is_game_over() {
                mates += 1;
                assert_eq!(last.outcome(), game.outcome, "{} - {}", game.white, game.black);
            }
        }
        assert!(mates >= 5, "{mates}");
    }

    #[test]
    fn all_kinds_of_moves_and_ends_occur() {
        let games = famous();
        let sans: Vec<San> = games
            .iter()
            .flat_map(|game| {
                let mut position = game.start.clone();
                game.moves.iter().map(move |&played| {
                    let san = San::from_move(&position, played);
                    position.play_unchecked(played);
                    san
                })
            })
            .collect();
        for side in shakmaty::CastlingSide::ALL {
            assert!(sans.contains(&San::Castle(side)), "{side:?}");
        }
        assert!(games.iter().flat_map(|game| &game.moves).any(|it| it.is_promotion()));
        assert!(games.iter().flat_map(|game| &game.moves).any(|it| it.is_en_passant()));
        for text in ["1-0", "0-1", "1/2-1/2"] {
            assert!(games.iter().any(|game| Some(game.outcome) == outcome(text)), "{text}");
        }
    }
}
