//! Whether a game can be told from occupied squares alone. This reference follows every legal line
//! that fits the sightings. It knows when each move was made, which no board reports.

use std::time::Duration;

use eboard::{Moment, Occupancy, Senses, Sighting, Square as WireSquare};
use rehearsal::Habits;
use shakmaty::{Bitboard, Chess, Move, Position, Role, Square};

use super::Model;
use super::outage::Fitting;
use super::round::Round;

/// How long after a hand its frame may end. The next frame confirms it.
const LATE: Duration = Duration::from_millis(700);
/// The most positions that are followed at a time. With more, the lines count as uncountable.
const POSITIONS_MAX: usize = 5000;

/// How many lines of legal moves fit the sightings.
///
/// Not counted for boards that know their pieces, for hands that touch more than they move, and for
/// boards that reported even the true moves too late.
pub(super) fn fitting(model: &Model, round: &Round) -> Fitting {
    if model.driver.senses != Senses::Occupancy || model.manner.habits != Habits::default() {
        return Fitting::Uncounted;
    }
    let emptied = emptied(round);
    let mut lines = vec![(round.game.start.clone(), 1_u32)];
    let positions = round.game.positions().take(round.truth.plies);
    for (after, emptied) in positions.zip(emptied) {
        let occupied = after.board().occupied();
        let mut next: Vec<(Chess, u32)> = Vec::new();
        for (position, count) in &lines {
            for mv in position.legal_moves() {
                let mut reached = position.clone();
                reached.play_unchecked(mv);
                let fits = reached.board().occupied() == occupied
                    && emptied.is_subset(lifts(mv))
                    && mv.promotion().is_none_or(|role| role == Role::Queen);
                if !fits {
                    continue;
                }
                match next.iter_mut().find(|(known, _)| *known == reached) {
                    Some((_, known)) => *known = known.saturating_add(*count),
                    None => next.push((reached, *count)),
                }
            }
        }
        if next.len() > POSITIONS_MAX {
            return Fitting::Several;
        }
        lines = next;
    }
    match lines.iter().map(|(_, count)| count).sum::<u32>() {
        0 => Fitting::Uncounted,
        1 => Fitting::One,
        _ => Fitting::Several,
    }
}

/// The squares that this move empties.
fn lifts(mv: Move) -> Bitboard {
    let mut lifts: Bitboard = mv.from().into_iter().collect();
    match mv {
        Move::Castle { rook, .. } => lifts.add(rook),
        Move::EnPassant { from, to } => lifts.add(Square::from_coords(to.file(), from.rank())),
        _ if mv.is_capture() || mv.is_promotion() => lifts.add(mv.to()),
        _ => {}
    }
    lifts
}

/// The squares that became empty in each ply.
fn emptied(round: &Round) -> Vec<Bitboard> {
    let made: Vec<Moment> = round.made().map(|at| at + LATE).collect();
    let mut plies = vec![Bitboard::EMPTY; made.len()];
    let mut standing = Occupancy::default();
    for (at, sighting) in &round.sightings {
        let before = standing;
        match sighting {
            Sighting::Occupancy(whole) => standing = *whole,
            Sighting::Presence { square, occupied } => standing.set(*square, *occupied),
            _ => continue,
        }
        let ply = made.partition_point(|made| made < at);
        let gone = |it: &WireSquare| before.contains(*it) && !standing.contains(*it);
        let gone = WireSquare::all().filter(gone).map(|it| witness::to_shakmaty(it, false));
        if let Some(emptied) = plies.get_mut(ply) {
            *emptied |= gone.collect::<Bitboard>();
        }
    }
    plies
}
