//! Articles 5.2.2, 9.2, 9.3 and 9.6: dead positions, positions that come again, and moves without
//! capture or pawn move; also for a move that is claimed and not yet played.

use std::fmt;

use shakmaty::attacks::pawn_attacks;
use shakmaty::san::SanPlus;
use shakmaty::{Bitboard, Board, Chess, Color, EnPassantMode, Move, Position, Square};

use super::case::Finding;
use super::{editions, penalties};
use crate::incident::{Advice, Kind};
use crate::message::{Message, Value, Written};
use crate::notation;
use crate::orders::Refusal;
use crate::say;
use crate::score::Score;
use crate::settings::{Edition, Settings};

/// Half-moves without capture or pawn move that allow a claim (9.3), and that end the game (9.6.2).
const FIFTY: u32 = 100;
const SEVENTY_FIVE: u32 = 150;

/// What makes two positions the same (9.2.3): the pieces, the player to move, the possible moves.
/// En passant counts only if it is legal, castling by the right to it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Identity {
    board: Board,
    turn: Color,
    castling: Bitboard,
    en_passant: Option<Square>,
}

impl Identity {
    fn of(position: &Chess) -> Self {
        let setup = position.to_setup(EnPassantMode::Legal);
        Self {
            board: setup.board,
            turn: setup.turn,
            castling: setup.castling_rights,
            en_passant: setup.ep_square,
        }
    }
}

/// What is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The same position for the third time (9.2).
    Threefold,
    /// 50 moves by each player without capture or pawn move (9.3).
    Fifty,
}

/// Whether a claim is right, and what an arbiter needs to know beside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What was claimed.
    pub claim: Claim,
    /// Whether it is right.
    pub right: bool,
    /// The move it rests on, in SAN; none: the position on the board.
    pub mv: Option<String>,
    /// After which plies the position has stood there, counted from 1; 0 is the beginning.
    pub occurrences: Vec<u32>,
    /// Half-moves without capture or pawn move, the claimed one included.
    pub quiet: u32,
    /// Seconds to the opponent if the claim is wrong.
    pub penalty_s: u32,
    /// Whose claim it is: he has the move.
    pub by: Color,
    /// In words.
    pub text: Message,
}

/// Why a claim cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadClaim {
    /// There is no such legal move.
    Move(String),
    /// The game is over.
    Over,
    /// No game has begun.
    NotBegun,
}

impl BadClaim {
    /// Why, for a person.
    #[must_use]
    pub fn text(&self) -> Message {
        match self {
            Self::Move(text) => {
                let mv = match text.parse::<SanPlus>() {
                    Ok(_) => Value::Move(text.clone()),
                    Err(_) => Value::Text(text.clone()),
                };
                say::no_legal_move(mv)
            }
            Self::Over => say::claim_game_over(),
            Self::NotBegun => Refusal::NotInPlay.text(),
        }
    }
}

impl fmt::Display for BadClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().name())
    }
}

impl std::error::Error for BadClaim {}

/// Checks a claim on the position of the score, or on the one after a move that is announced.
///
/// # Errors
/// When the move is not legal, the game is over, or none has begun.
pub fn check(
    score: &Score,
    settings: &Settings,
    claim: Claim,
    announced: Option<&str>,
) -> Result<Answer, BadClaim> {
    if score.ending().is_some() {
        return Err(BadClaim::Over);
    }
    let mut position = score.position().clone();
    // An arbiter may have set one that says itself how long there has been no capture.
    if score.began().is_none() && position.halfmoves() == 0 {
        return Err(BadClaim::NotBegun);
    }
    let by = position.turn();
    let mut mv = None;
    if let Some(text) = announced {
        let legal = notation::read(&position, text).map_err(|_| BadClaim::Move(text.to_owned()))?;
        mv = Some(SanPlus::from_move(position.clone(), legal).to_string());
        position.play_unchecked(legal);
    }
    let mut occurrences = occurrences(score, score.plies().len(), &position);
    if mv.is_some() {
        occurrences.push(number(score.plies().len() + 1));
    }
    let quiet = position.halfmoves();
    let right = match claim {
        Claim::Threefold => occurrences.len() >= 3,
        Claim::Fifty => quiet >= FIFTY,
    };
    let penalty_s = penalties::wrong_claim_s(settings);
    let in_words = mv.clone().map(Written);
    let mut text = text_of(claim, right, occurrences.len(), quiet, in_words.clone());
    if !right && let Some(mv) = in_words {
        text = text.then(announced_stands(mv, settings.edition));
    }
    Ok(Answer { claim, right, mv, occurrences, quiet, penalty_s, by, text })
}

/// 9.5.3: the move that a wrong claim was based on.
fn announced_stands(mv: Written, edition: Edition) -> Message {
    let article = editions::wrong_claim_article(edition);
    say::announced_must_be_played(mv, article)
}

/// The score may not be what was played: the answer follows it all the same.
pub(crate) fn doubted(text: Message) -> Message {
    text.then(say::score_in_doubt())
}

/// What there is to say about the position after this move, counted from 0.
pub(crate) fn findings(score: &Score, index: usize, settings: &Settings) -> Vec<Finding> {
    let position = score.position_at(index + 1);
    if position.is_checkmate() || position.is_stalemate() {
        return Vec::new();
    }
    let occurrences = occurrences(score, index + 1, position);
    let found = [
        repeated(&occurrences, position.turn(), settings.edition),
        quiet(position, settings.edition),
    ];
    let known = |finding: Finding| Finding { occurrences: occurrences.clone(), ..finding };
    found.into_iter().flatten().map(known).collect()
}

/// 9.6.1 and 9.2.
fn repeated(occurrences: &[u32], turn: Color, edition: Edition) -> Option<Finding> {
    let times = occurrences.len();
    if times < 3 {
        return None;
    }
    let in_succession = || {
        let last = occurrences.iter().rev().take(5);
        last.clone().count() == 5 && last.clone().zip(last.skip(1)).all(|(a, b)| a - b == 4)
    };
    let fivefold = match edition {
        Edition::Y2005 | Edition::Y2014 => in_succession(),
        Edition::Y2018 | Edition::Y2023 => times >= 5,
    };
    let article = editions::identity_article(edition);
    let text = say::same_position_times(times, article);
    if fivefold && editions::provides(Kind::Fivefold, edition) {
        let rule = say::drawn_intervene();
        return Some(Finding::new(Kind::Fivefold, None, text).advising([rule]));
    }
    let text = if times == 3 { say::same_position_third(article) } else { text };
    let rule = only_the_player(turn);
    Some(Finding::new(Kind::ThreefoldPossible, Some(turn), text).advising([rule]))
}

/// 4.4.4, 4.7, 5.2.2 and 9.6: the move that drew the game was released, or its new piece put, and
/// then changed to one that does not.
pub(crate) fn changed_after_the_end(changed: Kind, edition: Edition) -> Advice {
    let rule = match changed {
        Kind::PromotionChanged => changed,
        _ => Kind::ReleasedThenChanged,
    };
    let article = editions::article(rule, edition);
    say::changed_before_press(article)
}

/// 9.6.2 and 9.3.
fn quiet(position: &Chess, edition: Edition) -> Option<Finding> {
    if position.halfmoves() < FIFTY {
        return None;
    }
    let moves = position.halfmoves() / 2;
    let text = say::quiet_moves(moves);
    let ends = editions::provides(Kind::SeventyFive, edition);
    if ends && position.halfmoves() >= SEVENTY_FIVE {
        let rule = say::drawn_intervene();
        return Some(Finding::new(Kind::SeventyFive, None, text).advising([rule]));
    }
    let turn = position.turn();
    let rule = only_the_player(turn);
    Some(Finding::new(Kind::FiftyPossible, Some(turn), text).advising([rule]))
}

/// A draw that needs no consent, as far as the score shows it (9.2, 9.3, 9.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// The position is such that a claim is right, or the game was drawn by itself before.
    Now,
    /// A claim with this move would be right.
    With(Move),
}

/// What may have given the draw that a game ended with, beside an agreement.
pub(crate) fn due(score: &Score, settings: &Settings) -> Option<Due> {
    let plies = score.plies().len();
    let ends = |finding: Finding| matches!(finding.kind, Kind::Fivefold | Kind::SeventyFive);
    let ended = |index| findings(score, index, settings).into_iter().any(ends);
    let position = score.position();
    let right = |times: usize, position: &Chess| times >= 3 || position.halfmoves() >= FIFTY;
    if right(occurrences(score, plies, position).len(), position) || (0..plies).any(ended) {
        return Some(Due::Now);
    }
    let announced = |mv: &Move| {
        let mut after = position.clone();
        after.play_unchecked(*mv);
        right(occurrences(score, plies, &after).len() + 1, &after)
    };
    position.legal_moves().into_iter().find(announced).map(Due::With)
}

/// 5.2.2: whether it is to be asked. A position does not die of a move that can be taken back, but
/// for the last pieces, which can be driven where they do nothing more. And while there are others
/// than bishops, which break any wall of pawns that they reach, it dies only where all pawns are
/// locked, or where hardly a move is left and all of them may be forced.
pub(crate) fn may_have_died(position: &Chess) -> bool {
    const PIECES_MAX: usize = 2;
    const FORCED_MAX: usize = 3;
    let board = position.board();
    let pieces = board.occupied() & !board.pawns() & !board.kings();
    if pieces.count() <= PIECES_MAX {
        return true;
    }
    position.halfmoves() == 0
        && ((pieces & !board.bishops()).is_empty()
            || is_locked(board)
            || position.legal_moves().len() <= FORCED_MAX)
}

/// No pawn has a square to go to, nor a man to capture.
fn is_locked(board: &Board) -> bool {
    let pawns = |side: Color| board.pawns() & board.by_color(side);
    let (white, black) = (pawns(Color::White), pawns(Color::Black));
    let free = (white.shift(8) | black.shift(-8)) & !board.occupied();
    let idle = |side: Color| {
        let victims = board.by_color(!side);
        pawns(side).into_iter().all(|from| (pawn_attacks(side, from) & victims).is_empty())
    };
    free.is_empty() && Color::ALL.into_iter().all(idle)
}

/// 5.2.2.
pub(crate) fn dead() -> Finding {
    let text = say::nobody_can_mate();
    Finding::new(Kind::DeadPosition, None, text).advising([dead_and_over()])
}

pub(crate) fn dead_and_over() -> Advice {
    say::drawn_and_over()
}

/// The same since 2014 while it is open how the move was made that led there.
pub(crate) fn dead_if_rightly_made(edition: Edition) -> Advice {
    let article = editions::article(Kind::DeadPosition, edition);
    say::dead_if_rightly_made(article)
}

/// Article 7.5.1: what draws the game by itself came after an illegal move on which nobody has
/// ruled.
pub(crate) fn after_illegal(kind: Kind, edition: Edition) -> Advice {
    let article = editions::article(kind, edition);
    say::rule_first(article)
}

fn only_the_player(turn: Color) -> Message {
    say::player_may_claim(turn)
}

/// After which plies, up to this one, this very position has stood there.
fn occurrences(score: &Score, plies: usize, position: &Chess) -> Vec<u32> {
    let wanted = Identity::of(position);
    // What came before a capture or pawn move cannot come again.
    let first = plies.saturating_sub(usize::try_from(position.halfmoves()).unwrap_or(plies));
    let same = |ply: &usize| {
        let other = score.position_at(*ply);
        other.board() == &wanted.board && Identity::of(other) == wanted
    };
    (first..=plies).filter(same).map(number).collect()
}

fn number(ply: usize) -> u32 {
    u32::try_from(ply).unwrap_or(u32::MAX)
}

fn text_of(claim: Claim, right: bool, times: usize, quiet: u32, mv: Option<Written>) -> Message {
    let verdict = if right { say::claim_right() } else { say::claim_wrong() };
    let moves = format!("{}{}", quiet / 2, if quiet % 2 == 1 { "½" } else { "" });
    match (claim, mv) {
        (Claim::Threefold, None) => say::claim_repeated(verdict, times),
        (Claim::Threefold, Some(mv)) => say::claim_repeated_after(verdict, mv, times),
        (Claim::Fifty, None) => say::claim_quiet(verdict, &moves),
        (Claim::Fifty, Some(mv)) => say::claim_quiet_after(verdict, &moves, mv),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may(fen: &str) -> bool {
        let setup: shakmaty::fen::Fen = fen.parse().unwrap();
        may_have_died(&setup.into_position(shakmaty::CastlingMode::Standard).unwrap())
    }

    #[test]
    fn what_can_be_a_wall_or_a_forced_line_is_asked_and_a_middlegame_is_not() {
        assert!(!may("r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/3P1N2/PPP2PPP/RNBQKB1R w KQkq - 0 4"));
        // A wall with bishops; the same with rooks that are locked in behind it.
        assert!(may("4k3/2b5/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/2B1KB2 w - - 0 1"));
        assert!(may("r3k3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/1N1RK3 w - - 0 1"));
        // One of its pawns may still be pushed, or captured.
        assert!(!may("r3k3/8/8/1p1p1p1p/pPpPpPpP/P1P5/4P3/1N1RK3 w - - 0 1"));
        assert!(!may("r3k3/8/8/1pPp1p1p/p1pPpPpP/PP2P1P1/8/1N1RK3 w - - 0 1"));
        // The king must capture; the last pieces, whatever was moved.
        assert!(may("8/8/8/nn2k3/8/8/6q1/7K w - - 0 1"));
        assert!(may("8/8/4k3/8/8/3NK3/8/8 w - - 12 60"));
        // Nothing dies of a move that can be taken back.
        assert!(!may("4k3/2b5/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/2B1KB2 w - - 1 2"));
    }
}
