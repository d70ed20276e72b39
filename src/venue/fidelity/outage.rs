//! What was lost while a line was out, and whether the sightings determine it. This reference knows
//! the legal moves and the truth, and nothing of how scores are made.

use eboard::{Moment, Placement, Sighting};
use shakmaty::{Board, Chess, Color, Move, Position};
use witness::{Effect, Kind};

use super::round::Round;
use super::verdict::{Class, Verdict};
use crate::works::Act;

/// The outcome of one outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// The number of moves from the last position seen before to the first one seen after.
    pub lost: usize,
    /// The score in the end.
    pub grade: Grade,
    /// How many lines of that length fit the pictures before and after.
    pub fitting: Fitting,
}

/// How many lines of legal moves fit what was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fitting {
    /// Exactly one: the moves can be known.
    One,
    /// More than one.
    Several,
    /// Not counted, or too many to count.
    #[default]
    Uncounted,
}

/// How the score of a game with an outage ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// Every move in order, and the result.
    Exact,
    /// Every error is covered by a doubt, and one of the shown explanations is true.
    CandidateTrue,
    /// Every error is covered by a doubt.
    Doubted,
    /// An error is not covered.
    SilentlyWrong,
}

/// The most positions that are examined before the count is given up.
const NODES_MAX: u32 = 200_000;

/// The outage of a game; `None` if the line was never out, or no whole position came after it.
pub(super) fn of(round: &Round, verdict: &Verdict) -> Option<Outage> {
    let unplug = round.unplugs.first()?;
    let positions: Vec<Chess> =
        [round.game.start.clone()].into_iter().chain(round.game.positions()).collect();
    let made: Vec<Moment> = round.made().collect();
    let seen = Seen { positions: &positions, made: &made, sightings: &round.sightings };
    let before = seen.last_before(unplug.at);
    let after = seen.first_after(unplug.end(), before)?;
    let grade = if verdict.exact {
        Grade::Exact
    } else if verdict.count(Class::SilentlyWrong) > 0 || !verdict.doubted {
        Grade::SilentlyWrong
    } else if offered(round) {
        Grade::CandidateTrue
    } else {
        Grade::Doubted
    };
    let lost = after - before;
    let target = positions.get(after)?.board();
    let fitting = match lost {
        0 | 1 => Fitting::One,
        _ => fitting(positions.get(before)?, target, lost),
    };
    Some(Outage { lost, grade, fitting })
}

/// The pictures of a game, beside its positions.
struct Seen<'a> {
    positions: &'a [Chess],
    made: &'a [Moment],
    sightings: &'a [(Moment, Sighting)],
}

impl Seen<'_> {
    /// The last position whose picture came before a moment.
    fn last_before(&self, until: Moment) -> usize {
        let mut last = 0;
        self.follow(|at, picture| {
            if at < until {
                last = last.max(self.named(at, picture).unwrap_or(0));
            }
            at < until
        });
        last
    }

    /// The first position, at least `least`, whose picture came with or after the first whole board
    /// since a moment.
    fn first_after(&self, since: Moment, least: usize) -> Option<usize> {
        let whole = |(at, sighting): &&(Moment, Sighting)| {
            *at >= since && matches!(sighting, Sighting::Position(_))
        };
        let known = self.sightings.iter().find(whole)?.0;
        let mut first = None;
        self.follow(|at, picture| {
            if at >= known {
                first = self.named(at, picture).filter(|ply| *ply >= least);
            }
            first.is_none()
        });
        first
    }

    /// The position that a picture shows, among those of that moment.
    fn named(&self, at: Moment, picture: &Board) -> Option<usize> {
        let made = self.made.partition_point(|made| *made <= at);
        let standing = [Some(made), made.checked_sub(1)].into_iter().flatten();
        let shows = |ply: &usize| self.positions.get(*ply).is_some_and(|it| it.board() == picture);
        standing.into_iter().find(shows)
    }

    /// Follows the pictures, until the callback returns false.
    fn follow(&self, mut see: impl FnMut(Moment, &Board) -> bool) {
        let mut standing = Placement::EMPTY;
        for (at, sighting) in self.sightings {
            match sighting {
                Sighting::Position(placement) => standing = *placement,
                Sighting::Square { square, piece } => standing[*square] = *piece,
                _ => continue,
            }
            if !see(*at, &board(&standing)) {
                return;
            }
        }
    }
}

/// The placement as a board of shakmaty.
pub(super) fn board(placement: &Placement) -> Board {
    let mut board = Board::empty();
    for square in eboard::Square::all() {
        if let Some(piece) = placement[square] {
            board.set_piece_at(witness::to_shakmaty(square, false), convert(piece));
        }
    }
    board
}

fn convert(piece: eboard::Piece) -> shakmaty::Piece {
    let letter = piece.letter();
    shakmaty::Piece::from_char(letter).unwrap_or(Color::White.pawn())
}

/// Whether an alert offered the true line.
fn offered(round: &Round) -> bool {
    let mut position = round.game.start.clone();
    let mut sans = Vec::new();
    let mut positions = vec![position.clone()];
    for &mv in &round.game.moves {
        sans.push(shakmaty::san::SanPlus::from_move_and_play_unchecked(&mut position, mv));
        positions.push(position.clone());
    }
    let sans: Vec<String> = sans.iter().map(ToString::to_string).collect();
    round.acts.iter().any(|act| {
        let Act::Table(_, _, Effect::Raised(incident)) = act else { return false };
        let from = positions.iter().rposition(|it| incident.facts.position == *it);
        let Some(from) = from.filter(|_| incident.kind == Kind::PositionToCheck) else {
            return false;
        };
        incident.facts.candidates.iter().any(|line| {
            let words = line.split_whitespace().count();
            sans.get(from..from + words).is_some_and(|truth| truth.join(" ") == *line)
        })
    })
}

/// How many lines of this many legal moves lead to a picture.
fn fitting(from: &Chess, target: &Board, plies: usize) -> Fitting {
    let mut count = Count { target, found: 0, nodes: 0 };
    count.extend(from, plies);
    match count {
        Count { found: 2.., .. } => Fitting::Several,
        Count { nodes: NODES_MAX.., .. } => Fitting::Uncounted,
        _ => Fitting::One,
    }
}

struct Count<'a> {
    target: &'a Board,
    found: u32,
    nodes: u32,
}

impl Count<'_> {
    fn extend(&mut self, position: &Chess, plies: usize) {
        if self.found > 1 || self.nodes >= NODES_MAX {
            return;
        }
        self.nodes += 1;
        if plies == 0 {
            self.found += u32::from(position.board() == self.target);
            return;
        }
        let mut legal: Vec<Move> = position.legal_moves().into_iter().collect();
        // Moves to squares where the target has a piece come first: so two lines are found sooner.
        legal.sort_by_key(|mv| self.target.color_at(mv.to()) != Some(position.turn()));
        for mv in legal {
            let mut next = position.clone();
            next.play_unchecked(mv);
            if self.in_reach(&next, plies - 1) {
                self.extend(&next, plies - 1);
            }
        }
    }

    /// Whether the target can still be reached. Every move brings one piece of the mover to its
    /// square; castling brings two.
    fn in_reach(&self, position: &Chess, plies: usize) -> bool {
        let turn = position.turn();
        [(turn, plies.div_ceil(2)), (!turn, plies / 2)].into_iter().all(|(side, moves)| {
            let castles = usize::from(position.castles().has_color(side) && moves > 0);
            self.wanted(position.board(), side) <= moves + castles
        })
    }

    /// The pieces of a side that the target has and the board lacks.
    fn wanted(&self, board: &Board, side: Color) -> usize {
        let wanted = self.target.by_color(side).into_iter();
        wanted.filter(|square| self.target.piece_at(*square) != board.piece_at(*square)).count()
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::san::San;

    use super::*;

    fn after(sans: &str) -> Chess {
        sans.split_whitespace().fold(Chess::default(), |mut position, san| {
            let mv = san.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(mv);
            position
        })
    }

    fn lines(before: &str, lost: &str) -> Fitting {
        let whole = after(&format!("{before} {lost}"));
        fitting(&after(before), whole.board(), lost.split_whitespace().count())
    }

    #[test]
    fn two_moves_of_one_player_that_can_be_exchanged_leave_their_order_open() {
        assert_eq!(lines("", "e4 e5"), Fitting::One);
        assert_eq!(lines("", "e4 e5 Nf3"), Fitting::Several);
        // The bishop cannot move before the pawn.
        assert_eq!(lines("", "e4 e5 Bc4"), Fitting::One);
        assert_eq!(lines("e4 e5", "Bc4 Nc6 Qh5 Nf6 Qxf7#"), Fitting::Several);
    }

    #[test]
    fn a_way_round_is_another_line() {
        // Nf3-g5 takes two moves, directly or over h3.
        assert_eq!(lines("", "Nf3 a6 Ng5"), Fitting::Several);
        assert_eq!(lines("", "a3 a6 Ra2"), Fitting::One);
    }
}
