//! Tables that somebody names for boards: where a board has no number and its line is not enough,
//! only a person knows which table it is.

use super::{Memory, Part, Place, Present, Said, Seating};
use crate::hall::Seat;
use crate::number::TableNo;

/// Why a board is not given the table that somebody has named for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotSeated {
    /// It is not there, has not introduced itself, or is no board.
    Gone,
    /// No such table is named, and none is known.
    NoSuchTable,
    /// The table has a board, there.
    Taken(Seat),
    /// It is a board of this table already: nobody takes it away by a word.
    Seated(TableNo),
    /// The table is named for another board, language or port.
    Promised,
    /// Every table is named: there is no other one.
    AllNamed,
}

impl Seating {
    /// The table that a board without a number would get by its line alone.
    #[must_use]
    pub fn known_at(&self, present: &Present) -> Option<TableNo> {
        self.remembered(present)
    }

    /// Whether a board without a number that speaks this language has had this table, which is
    /// without a board now.
    #[must_use]
    pub fn waits_for(&self, table: TableNo, language: &str) -> bool {
        let Memory { by_serial, languages, .. } = &self.memory;
        let spoke = languages.get(&table).is_some_and(|it| it == language);
        spoke && !by_serial.values().any(|known| *known == table) && !self.is_held(table)
    }

    fn is_held(&self, table: TableNo) -> bool {
        self.seats.values().any(|seat| *seat == (table, Part::BOARD))
    }

    /// Whether somebody may say that the board there is the one of this table; none: of a new one.
    ///
    /// # Errors
    /// With why not.
    pub fn may_give(&self, at: Seat, table: Option<TableNo>) -> Result<(), NotSeated> {
        let settled =
            |present: &&Present| matches!(present.said, Said::Numbers(_)) && !present.clock;
        let present = self.present.get(&at).filter(settled).ok_or(NotSeated::Gone)?;
        if let Some((sits, part)) = self.seat(at)
            && (table, Part::BOARD) != (Some(sits), part)
        {
            return Err(NotSeated::Seated(sits));
        }
        let Some(table) = table else {
            return if self.seats_all() { Ok(()) } else { Err(NotSeated::AllNamed) };
        };
        let held = self.seats.iter().find(|(_, seat)| **seat == (table, Part::BOARD));
        if let Some((there, _)) = held.filter(|(there, _)| **there != at) {
            return Err(NotSeated::Taken(*there));
        }
        if self.seats_all() {
            let known = self.keeps(table);
            return if known { Ok(()) } else { Err(NotSeated::NoSuchTable) };
        }
        let promised = |it: &Place| {
            it.is_at(present) || it.serial.as_ref().is_some_and(|it| present.has_number(it))
        };
        if self.places.iter().any(|it| promised(it) && it.table != table) {
            return Err(NotSeated::Promised);
        }
        let place = self.places.iter().find(|place| place.seat() == (table, Part::BOARD));
        let Some(place) = place else {
            let stays = self.staying.contains(&table);
            return if stays { Ok(()) } else { Err(NotSeated::NoSuchTable) };
        };
        let number = place.serial.as_ref().is_none_or(|it| present.has_number(it));
        let another = |it: &Present| place.is_at(it) && !std::ptr::eq(it, present);
        let free = !self.present.values().any(another);
        let fulfils = number && free && place.speaks(present);
        if fulfils { Ok(()) } else { Err(NotSeated::Promised) }
    }

    /// Somebody says that the board there is the one of this table; none: of a new one. Gives the
    /// table. It is remembered as if the board had had that table before.
    ///
    /// # Errors
    /// With why not; then nothing has changed.
    pub fn give(&mut self, at: Seat, table: Option<TableNo>) -> Result<TableNo, NotSeated> {
        self.may_give(at, table)?;
        let present = self.present.get_mut(&at).ok_or(NotSeated::Gone)?;
        present.doubtful = false;
        let present = present.clone();
        let table = table.unwrap_or(self.last.next());
        self.last = self.last.max(table);
        let memory = &mut self.memory;
        memory.by_serial.retain(|_, known| *known != table);
        memory.by_line.retain(|_, known| *known != table);
        memory.by_word.retain(|_, known| *known != table);
        let mut numbers = present.numbers().filter(|it| !self.ambiguous.contains(*it)).peekable();
        if numbers.peek().is_some() {
            memory.by_serial.extend(numbers.map(|number| (number.clone(), table)));
        } else {
            memory.by_word.extend(present.places().map(|place| (place.into_owned(), table)));
            memory.languages.extend(present.language.clone().map(|it| (table, it)));
        }
        self.seats.remove(&at);
        self.assign();
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use eboard::Station;

    use crate::number::LineNo;

    use super::super::Unseated;
    use super::*;

    fn unnumbered(line: &str) -> Present {
        Present {
            names: vec![line.to_owned()],
            known_by: vec![line.to_owned()],
            doubtful: false,
            clock: false,
            station: Station::ONLY,
            language: Some("certabo".to_owned()),
            said: Said::Numbers(BTreeSet::new()),
        }
    }

    fn at_port(table: u32, port: &str) -> Place {
        Place { table: TableNo::new(table), port: Some(port.to_owned()), ..Place::default() }
    }

    fn table(seating: &Seating, line: u32) -> Option<u32> {
        seating.seat(Seat::only(LineNo::new(line))).map(|(table, _)| table.get())
    }

    #[test]
    fn a_word_holds_over_a_restart_until_the_named_port_has_a_board() {
        let places = || vec![at_port(1, "a"), at_port(2, "b")];
        let mut before = Seating::default();
        before.replace(places(), |_| false);
        before.present(LineNo::new(1), unnumbered("c"));
        assert_eq!(table(&before, 1), None);
        assert_eq!(
            before.give(Seat::only(LineNo::new(1)), Some(TableNo::new(1))),
            Ok(TableNo::new(1))
        );
        assert_eq!(table(&before, 1), Some(1));

        let mut after = Seating::default();
        after.remember(before.memory());
        after.replace(places(), |_| false);
        after.present(LineNo::new(1), unnumbered("c"));
        assert_eq!(table(&after, 1), Some(1));
        after.present(LineNo::new(2), unnumbered("a"));
        assert_eq!([table(&after, 1), table(&after, 2)], [None, Some(1)]);
        after.gone(LineNo::new(2));
        assert_eq!(table(&after, 1), None, "the word is given up");
    }

    #[test]
    fn a_word_takes_nothing_from_anybody() {
        let mut seating = Seating::default();
        let numbered =
            Place { table: TableNo::new(3), serial: Some("7".to_owned()), ..Place::default() };
        seating.replace(vec![at_port(1, "a"), at_port(2, "b"), numbered], |_| false);
        seating.present(LineNo::new(1), unnumbered("a"));
        seating.present(LineNo::new(2), unnumbered("c"));
        let [named, other] = [1, 2].map(|it| Seat::only(LineNo::new(it)));
        for (at, wanted, why) in [
            (other, Some(1), NotSeated::Taken(named)),
            (other, Some(3), NotSeated::Promised),
            (other, Some(9), NotSeated::NoSuchTable),
            (other, None, NotSeated::AllNamed),
            (named, Some(2), NotSeated::Seated(TableNo::new(1))),
            (Seat::only(LineNo::new(5)), Some(2), NotSeated::Gone),
        ] {
            assert_eq!(seating.give(at, wanted.map(TableNo::new)), Err(why), "{at:?} {wanted:?}");
        }
        assert_eq!([table(&seating, 1), table(&seating, 2)], [Some(1), None]);
    }

    /// Another arbiter has answered a second before.
    #[test]
    fn a_word_takes_no_board_from_its_table() {
        let mut seating = Seating::default();
        for line in [1, 2] {
            seating.present(LineNo::new(line), unnumbered(&format!("usb{line}")));
        }
        seating.gone(LineNo::new(2));
        for wanted in [Some(2), None] {
            let given = seating.give(Seat::only(LineNo::new(1)), wanted.map(TableNo::new));
            assert_eq!(given, Err(NotSeated::Seated(TableNo::new(1))), "{wanted:?}");
        }
        assert_eq!(
            seating.give(Seat::only(LineNo::new(1)), Some(TableNo::new(1))),
            Ok(TableNo::new(1)),
            "the same again"
        );
        assert_eq!(table(&seating, 1), Some(1));
        seating.present(LineNo::new(3), unnumbered("usb2"));
        assert_eq!(table(&seating, 3), Some(2), "nobody has had its table");
    }

    #[test]
    fn a_doubtful_board_waits_for_a_word_and_another_does_not() {
        let mut seating = Seating::default();
        seating.present(LineNo::new(1), unnumbered("a"));
        seating.gone(LineNo::new(1));
        seating.present(LineNo::new(2), Present { doubtful: true, ..unnumbered("a") });
        assert_eq!(table(&seating, 2), None);
        assert_eq!(seating.unseated(Seat::only(LineNo::new(2))), Some(Unseated::Asked));
        assert_eq!(seating.give(Seat::only(LineNo::new(2)), None), Ok(TableNo::new(2)));
        seating.present(LineNo::new(3), unnumbered("b"));
        assert_eq!([table(&seating, 2), table(&seating, 3)], [Some(2), Some(3)]);
    }
}
