//! The white king, lifted at any board, with a table or without one.
//!
//! That is how people show the daemon a board: they lift the king of the table that is asked for.
//! A board that senses pieces knows the king. On another one it is what stands on e1, or on d8
//! where the board is turned.

use std::collections::BTreeMap;

use bincode::{Decode, Encode};
use eboard::{Occupancy, Piece, Placement, Sighting, Square};
use witness::{LineNo, Seat};

use super::unseated::Shown;

/// The squares of every board as they were seen last.
#[derive(Default, Encode, Decode)]
pub(super) struct Lifts {
    shown: BTreeMap<Seat, Shown>,
}

impl Lifts {
    /// The square from which the white king was lifted by this sighting, if it was.
    pub fn seen(&mut self, at: Seat, sighting: &Sighting) -> Option<Square> {
        let before = self.shown.get(&at).copied();
        let now = Shown::after(before, sighting)?;
        if before == Some(now) {
            return None;
        }
        self.shown.insert(at, now);
        match (before?, now) {
            (Shown::Pieces(before), Shown::Pieces(now)) => lifted(&before, &now),
            (Shown::Occupied(before), Shown::Occupied(now)) => left(before, now),
            _ => None,
        }
    }

    /// Forgets the boards of a line.
    pub fn gone(&mut self, line: LineNo) {
        self.shown.retain(|at, _| at.line != line);
    }
}

fn king(placement: &Placement) -> Option<Square> {
    let king = Piece::from_letter('K');
    Square::all().find(|square| placement[*square].is_some() && placement[*square] == king)
}

fn lifted(before: &Placement, now: &Placement) -> Option<Square> {
    king(before).filter(|_| king(now).is_none())
}

fn left(before: Occupancy, now: Occupancy) -> Option<Square> {
    let e1 = Square::at(4, 0);
    let is_kings = |square: &Square| e1.is_some_and(|e1| *square == e1 || *square == e1.turned());
    let mut left = Square::all().filter(|it| before.contains(*it) && !now.contains(*it));
    // Several at once are a board that is cleared, or one that was not heard for a while.
    let only = left.next().filter(|_| left.next().is_none());
    only.filter(is_kings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        Square::all().find(|it| it.to_string() == name).unwrap()
    }

    fn lifts(sightings: &[Sighting]) -> Vec<Option<String>> {
        let mut lifts = Lifts::default();
        let seen = |it| lifts.seen(Seat::only(LineNo::new(1)), it).map(|square| square.to_string());
        sightings.iter().map(seen).collect()
    }

    fn e1() -> Option<String> {
        Some("e1".to_owned())
    }

    #[test]
    fn a_king_is_known_on_any_square_and_whatever_the_board_reports() {
        let start = Placement::starting();
        let mut without = start;
        without[square("e1")] = None;
        let mut turned = start.turned();
        let at_d8 = square("d8");
        assert_eq!(turned[at_d8], Piece::from_letter('K'));
        let square_of = |name, piece| Sighting::Square { square: square(name), piece };
        let sightings = [
            Sighting::Position(start),
            square_of("e2", None),
            square_of("e1", None),
            square_of("e1", Piece::from_letter('K')),
            Sighting::Position(without),
            Sighting::Position(without),
        ];
        assert_eq!(lifts(&sightings), [None, None, e1(), None, e1(), None]);
        let before = Sighting::Position(turned);
        turned[at_d8] = None;
        let expected = [None, Some("d8".to_owned())];
        assert_eq!(lifts(&[before, Sighting::Position(turned)]), expected);
    }

    #[test]
    fn on_a_board_that_senses_no_pieces_it_stands_on_e1_or_on_d8() {
        let start = || {
            let mut all = Occupancy::default();
            let stands = |it: &Square| Placement::starting()[*it].is_some();
            Square::all().filter(stands).for_each(|it| all.set(it, true));
            all
        };
        let without = |names: &[&str]| {
            let mut squares = start();
            names.iter().for_each(|it| squares.set(square(it), false));
            Sighting::Occupancy(squares)
        };
        let all = || Sighting::Occupancy(start());
        let presence = |name, occupied| Sighting::Presence { square: square(name), occupied };
        let sightings =
            [all(), without(&["e1"]), all(), without(&["e2"]), all(), presence("d8", false)];
        let expected = [None, e1(), None, None, None, Some("d8".to_owned())];
        assert_eq!(lifts(&sightings), expected);
        assert_eq!(lifts(&[all(), without(&["e1", "d1"])]), [None, None]);
    }
}
