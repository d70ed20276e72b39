//! Two plain methods, measured beside ours on the same sightings. Neither knows doubts or touches,
//! so each of their errors is silent.

use std::time::Duration;

use eboard::{Moment, Occupancy, Placement, Sighting, Square};
use shakmaty::{Bitboard, Board, Chess, Move, Position};

use super::outage::board;
use super::round::Round;

/// A plain method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// The usual one: wait until the board is quiet, compare the squares with the legal moves,
    /// remember nothing else.
    Quiet,
    /// The best public one: keep every position that one legal move reaches from any position
    /// reached so far. The squares pick the longest line that ends in them.
    Reached,
}

/// A board is quiet if nothing has changed for this long. Other programs wait 0.25 to 0.5 s.
const QUIET: Duration = Duration::from_millis(400);

/// These methods read until this long after the last move, before the players show the result.
/// Otherwise kings in the centre would count as their errors.
const AFTER_THE_LAST: Duration = Duration::from_millis(900);

/// The most positions that are kept. No game reaches so many.
const REACHED_MAX: usize = 20_000;

impl Baseline {
    /// Both methods.
    pub const ALL: [Self; 2] = [Self::Quiet, Self::Reached];

    /// The number of plies that it gets wrong; `None` if it cannot be used.
    pub(super) fn wrong(self, round: &Round) -> Option<usize> {
        let pictures = pictures(round);
        let identity = pictures.iter().all(|(_, picture)| picture.board.is_some());
        let line = match self {
            Self::Quiet => quiet(&round.game.start, &pictures, round.end()),
            // Thousands of positions occupy the same squares.
            Self::Reached if !identity => return None,
            Self::Reached => reached(&round.game.start, &pictures),
        };
        let made = round.game.moves.get(..round.truth.plies).unwrap_or_default();
        let late = round.game.moves.get(..round.truth.plies + 1).filter(|_| round.truth.late);
        let wrong = |truth: &[Move]| {
            let differ = line.iter().zip(truth).filter(|(one, other)| one != other).count();
            differ + line.len().abs_diff(truth.len())
        };
        Some(wrong(made).min(late.map_or(usize::MAX, wrong)))
    }
}

/// The squares, as far as the board can sense them.
#[derive(Clone)]
struct Picture {
    board: Option<Board>,
    occupied: Bitboard,
}

impl Picture {
    fn shows(&self, position: &Chess) -> bool {
        match &self.board {
            Some(board) => board == position.board(),
            None => self.occupied == position.board().occupied(),
        }
    }

    /// The legal moves that lead to these squares.
    fn moves_from(&self, position: &Chess) -> Vec<Move> {
        // Castling changes four squares, every other move fewer.
        if (self.occupied ^ position.board().occupied()).count() > 4 {
            return Vec::new();
        }
        let shows = |mv: &Move| {
            let mut after = position.clone();
            after.play_unchecked(*mv);
            self.shows(&after)
        };
        position.legal_moves().into_iter().filter(shows).collect()
    }
}

fn pictures(round: &Round) -> Vec<(Moment, Picture)> {
    let end = round.made().last().unwrap_or(Moment::ZERO) + AFTER_THE_LAST;
    let (mut placement, mut occupancy) = (Placement::EMPTY, Occupancy::default());
    let mut pictures: Vec<(Moment, Picture)> = Vec::new();
    for (at, sighting) in round.sightings.iter().filter(|(at, _)| *at <= end) {
        let identity = match sighting {
            Sighting::Position(whole) => {
                placement = *whole;
                true
            }
            Sighting::Square { square, piece } => {
                placement[*square] = *piece;
                true
            }
            Sighting::Occupancy(whole) => {
                occupancy = *whole;
                false
            }
            Sighting::Presence { square, occupied } => {
                occupancy.set(*square, *occupied);
                false
            }
            _ => continue,
        };
        let picture = if identity { identified(&placement) } else { occupied(occupancy) };
        pictures.push((*at, picture));
    }
    pictures
}

fn identified(placement: &Placement) -> Picture {
    let board = board(placement);
    Picture { occupied: board.occupied(), board: Some(board) }
}

fn occupied(occupancy: Occupancy) -> Picture {
    let squares = Square::all().filter(|square| occupancy.contains(*square));
    let occupied = squares.map(|square| witness::to_shakmaty(square, false)).collect();
    Picture { occupied, board: None }
}

fn quiet(start: &Chess, pictures: &[(Moment, Picture)], end: Moment) -> Vec<Move> {
    let (mut position, mut line) = (start.clone(), Vec::new());
    let next = pictures.iter().skip(1).map(|(at, _)| *at).chain([end]);
    for ((at, picture), next) in pictures.iter().zip(next) {
        let rests = next >= *at + QUIET;
        if !rests || picture.shows(&position) {
            continue;
        }
        if let Some(&mv) = picture.moves_from(&position).first() {
            position.play_unchecked(mv);
            line.push(mv);
        }
    }
    line
}

/// A position that was reached, and the move to it.
struct Node {
    parent: usize,
    mv: Option<Move>,
    position: Chess,
    plies: usize,
}

fn reached(start: &Chess, pictures: &[(Moment, Picture)]) -> Vec<Move> {
    let mut nodes = vec![Node { parent: 0, mv: None, position: start.clone(), plies: 0 }];
    let mut present = 0;
    for (_, picture) in pictures {
        for parent in 0..nodes.len().min(REACHED_MAX) {
            for mv in picture.moves_from(&nodes[parent].position) {
                grow(&mut nodes, parent, mv);
            }
        }
        let standing = nodes.iter().rposition(|node| picture.shows(&node.position));
        present = standing.unwrap_or(present);
    }
    let mut line = Vec::new();
    while let Some(mv) = nodes[present].mv {
        line.push(mv);
        present = nodes[present].parent;
    }
    line.reverse();
    line
}

fn grow(nodes: &mut Vec<Node>, parent: usize, mv: Move) {
    let plies = nodes[parent].plies + 1;
    let mut position = nodes[parent].position.clone();
    position.play_unchecked(mv);
    if !nodes.iter().any(|node| node.plies == plies && node.position == position) {
        nodes.push(Node { parent, mv: Some(mv), position, plies });
    }
}
