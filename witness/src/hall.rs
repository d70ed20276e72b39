//! Many tables in one machine: which table sits at which line and station, and a fault at one
//! table that leaves all others alone.

mod record;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bincode::de::Decoder;
use bincode::error::DecodeError;
use bincode::{Decode, Encode};
use eboard::{Moment, Sighting, Station};

use crate::agenda::Agenda;
use crate::incident::Kind;
use crate::number::{LineNo, TableNo};
use crate::orders::{Order, Refusal};
use crate::seating::Part;
use crate::settings::Settings;
use crate::table::{Effect, Event, Input, Round, Table};
use crate::unwinnable::Mate;
use record::Record;

/// Where a board is: a line, by the number the shell has given it, and a station on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
pub struct Seat {
    /// The line.
    pub line: LineNo,
    /// The place on the line.
    pub station: Station,
}

impl Seat {
    /// The only one of a line that is no bus.
    #[must_use]
    pub const fn only(line: LineNo) -> Self {
        Self { line, station: Station::ONLY }
    }
}

/// An effect and the table that wants it.
pub type HallEffect = (TableNo, Effect);

/// All tables of one hall.
#[derive(Debug, Default)]
pub struct Hall {
    /// Boxed: the tree's leaves are half empty as a rule, and a record has the copy of its table.
    tables: BTreeMap<TableNo, Box<Record>>,
    seats: BTreeMap<Seat, (TableNo, Part)>,
    agenda: Agenda<TableNo>,
    /// Games each table has had before this record.
    games: BTreeMap<TableNo, u32>,
    faulty: Vec<TableNo>,
    /// What a step is answered with; empty between steps, kept for its room.
    effects: Vec<Effect>,
}

/// A hall as it stood. Taking it is cheap: a table is copied only if it changes while this exists.
#[derive(Debug, Encode)]
pub struct FrozenHall {
    tables: BTreeMap<TableNo, (Arc<Table>, u32)>,
    seats: BTreeMap<Seat, (TableNo, Part)>,
    games: BTreeMap<TableNo, u32>,
    faulty: Vec<TableNo>,
}

/// When the tables want to be woken they say themselves.
impl<Context> Decode<Context> for Hall {
    fn decode<D: Decoder<Context = Context>>(from: &mut D) -> Result<Self, DecodeError> {
        let tables = BTreeMap::<TableNo, Box<Record>>::decode(from)?;
        let mut agenda = Agenda::default();
        for (number, record) in &tables {
            // What was damaged may say of a game what cannot be.
            let deadline = catch_unwind(AssertUnwindSafe(|| record.table().deadline()));
            let deadline = deadline.map_err(|_| DecodeError::Other("a table that cannot be"))?;
            agenda.set(*number, deadline);
        }
        Ok(Self {
            tables,
            seats: Decode::decode(from)?,
            agenda,
            games: Decode::decode(from)?,
            faulty: Decode::decode(from)?,
            effects: Vec::new(),
        })
    }
}

bincode::impl_borrow_decode!(Hall);

impl Hall {
    /// Sets a table up. One that exists keeps its game, and takes the settings between games.
    pub fn open(&mut self, now: Moment, number: TableNo, settings: Settings) {
        let record = self.tables.entry(number);
        let record = record.or_insert_with(|| Box::new(Record::new(Table::new(settings))));
        record.count_from(self.games.get(&number).copied().unwrap_or(0));
        self.step(now, number, Input::Configured(Box::new(settings)), &mut Vec::new());
    }

    /// A table is no more.
    pub fn close(&mut self, number: TableNo) {
        self.tables.remove(&number);
        self.seats.retain(|_, (table, _)| *table != number);
        self.agenda.set(number, None);
    }

    /// A table, set up or not yet, has had at least this many games: the next one counts on.
    pub fn count_from(&mut self, number: TableNo, games: u32) {
        let before = self.games.entry(number).or_default();
        *before = games.max(*before);
        if let Some(record) = self.tables.get_mut(&number) {
            record.count_from(games);
        }
    }

    /// Puts a table at a seat. A board that returns on another line finds its table again.
    pub fn seat(&mut self, seat: Seat, number: TableNo) {
        self.seat_at(seat, number, Part::BOARD);
    }

    /// Puts this device of a table at a seat.
    pub fn seat_at(&mut self, seat: Seat, number: TableNo, part: Part) {
        self.seats.insert(seat, (number, part));
    }

    /// One table.
    #[must_use]
    pub fn table(&self, number: TableNo) -> Option<&Table> {
        self.tables.get(&number).map(|record| record.table())
    }

    /// All tables by number.
    pub fn tables(&self) -> impl Iterator<Item = (TableNo, &Table)> {
        self.tables.iter().map(|(number, record)| (*number, record.table()))
    }

    /// The hall as it stands now, for whoever encodes it elsewhere.
    #[must_use]
    pub fn freeze(&self) -> FrozenHall {
        FrozenHall {
            tables: self.tables.iter().map(|(number, record)| (*number, record.freeze())).collect(),
            seats: self.seats.clone(),
            games: self.games.clone(),
            faulty: self.faulty.clone(),
        }
    }

    /// Tables whose machine has failed since this was last asked: each was set back to what it was
    /// before the input that it failed on.
    pub fn take_faulty(&mut self) -> Vec<TableNo> {
        std::mem::take(&mut self.faulty)
    }

    /// A device claims to see something at a seat.
    pub fn sight(
        &mut self,
        now: Moment,
        seat: Seat,
        sighting: Sighting,
        out: &mut Vec<HallEffect>,
    ) {
        if let Some((number, part)) = self.seats.get(&seat).copied() {
            self.step(now, number, Input::Seen(part, sighting), out);
        }
    }

    /// The line of a seat was opened or closed.
    pub fn line(&mut self, now: Moment, seat: Seat, present: bool, out: &mut Vec<HallEffect>) {
        if let Some((number, part)) = self.seats.get(&seat).copied() {
            self.step(now, number, Input::Line(part, present), out);
        }
    }

    /// Nobody sits at this seat any more.
    pub fn vacate(&mut self, seat: Seat) {
        self.seats.remove(&seat);
    }

    /// What is announced of the round at a table.
    pub fn announce(
        &mut self,
        now: Moment,
        number: TableNo,
        round: Round,
        out: &mut Vec<HallEffect>,
    ) {
        if self.table(number).is_some_and(|table| *table.round() != round) {
            self.step(now, number, Input::Announced(Box::new(round)), out);
        }
    }

    /// An arbiter's order to a table.
    ///
    /// # Errors
    /// When there is no such table, or it declines.
    pub fn order(
        &mut self,
        now: Moment,
        number: TableNo,
        order: Order,
        out: &mut Vec<HallEffect>,
    ) -> Result<(), Refusal> {
        self.step(now, number, Input::Ordered(order), out).unwrap_or(Err(Refusal::NoSuchTable))
    }

    /// Somebody has looked at a question of a table.
    pub fn answer(
        &mut self,
        now: Moment,
        number: TableNo,
        (question, mate): (u32, Mate),
        out: &mut Vec<HallEffect>,
    ) {
        self.step(now, number, Input::Answered(question, mate), out);
    }

    /// The deadline has come.
    pub fn due(&mut self, now: Moment, out: &mut Vec<HallEffect>) {
        while let Some((at, number)) = self.agenda.first().filter(|(at, _)| *at <= now) {
            self.step(now, number, Input::Due, out);
            if self.agenda.first() == Some((at, number)) {
                let reason = self.agenda.reason(number);
                debug_assert!(
                    false,
                    "table {number} wants to be woken for what is done: {reason:?}"
                );
                self.agenda.set(number, None);
            }
        }
    }

    /// When the hall next wants [`Hall::due`].
    #[must_use]
    pub fn deadline(&self) -> Option<Moment> {
        self.agenda.first().map(|(at, _)| at)
    }

    fn step(
        &mut self,
        now: Moment,
        number: TableNo,
        input: Input,
        out: &mut Vec<HallEffect>,
    ) -> Option<Result<(), Refusal>> {
        let record = self.tables.get_mut(&number)?;
        let mut effects = std::mem::take(&mut self.effects);
        // Nothing is shared between tables, so a fault can be cut out with the table it hit.
        let outcome = catch_unwind(AssertUnwindSafe(|| record.step(now, input, &mut effects)));
        let answer = outcome.unwrap_or_else(|_| {
            self.faulty.push(number);
            effects.clear();
            record.restore(now, &mut effects);
            Err(Refusal::Fault)
        });
        self.agenda.set(number, record.table().deadline());
        let empty = effects.iter().any(is_empty_press);
        let pressed = effects.iter().any(|it| matches!(it, Effect::Event(Event::Pressed(_))));
        out.extend(effects.drain(..).map(|effect| (number, effect)));
        self.effects = effects;
        if empty && let Some(other) = self.neighbour_waiting(now, number) {
            self.step(now, number, Input::NeighbourWaits(other), out);
        }
        if pressed {
            let suspecting = |it: &TableNo| self.table(*it).is_some_and(|it| it.suspects(number));
            let suspecting: Vec<_> = beside(number).filter(suspecting).collect();
            for beside in suspecting {
                self.step(now, beside, Input::NeighbourPressed, out);
            }
        }
        Some(answer)
    }

    /// The table beside this one, by number, that has made a move and waits for its press.
    fn neighbour_waiting(&self, now: Moment, number: TableNo) -> Option<TableNo> {
        let waits =
            |other: &TableNo| self.table(*other).is_some_and(|table| table.awaits_press(now));
        beside(number).find(waits)
    }
}

fn beside(number: TableNo) -> impl Iterator<Item = TableNo> {
    let number = number.get();
    [number.checked_sub(1), number.checked_add(1)].into_iter().flatten().map(TableNo::new)
}

fn is_empty_press(effect: &Effect) -> bool {
    matches!(effect, Effect::Raised(it) if it.kind == Kind::PressedWithoutMove)
}

#[cfg(test)]
mod tests {
    use eboard::{Battery, Placement};

    use super::*;
    use crate::table::{Facet, Phase};

    const SEAT: Seat = Seat::only(LineNo::new(1));

    fn at(ms: u64) -> Moment {
        Moment::from_micros(ms * 1000)
    }

    fn hall_with_a_game() -> Hall {
        let mut hall = Hall::default();
        hall.open(at(0), TableNo::new(1), Settings::default());
        hall.seat(SEAT, TableNo::new(1));
        let mut out = Vec::new();
        hall.line(at(0), SEAT, true, &mut out);
        hall.sight(at(0), SEAT, Sighting::Position(Placement::starting()), &mut out);
        hall.due(at(400), &mut out);
        let e2 = eboard::Square::at(4, 1).unwrap();
        let e4 = eboard::Square::at(4, 3).unwrap();
        let pawn = Some(eboard::Piece::WhitePawn);
        hall.sight(at(1000), SEAT, Sighting::Square { square: e2, piece: None }, &mut out);
        hall.sight(at(1300), SEAT, Sighting::Square { square: e4, piece: pawn }, &mut out);
        hall
    }

    fn clock(left: u32, right: u32, lever: eboard::Side) -> Sighting {
        let dial = |s: u32| eboard::Dial {
            time: eboard::FaceTime::from_ms(s * 1000),
            ..eboard::Dial::default()
        };
        Sighting::Clock(eboard::ClockFace {
            left: dial(left),
            right: dial(right),
            running: true,
            lever,
            low_battery: false,
        })
    }

    /// Plays e4 and e5 at both tables, then a knight's move at the first one.
    fn two_tables() -> (Hall, [Seat; 2]) {
        use eboard::Piece::{BlackPawn, WhiteKnight, WhitePawn};
        let (mut hall, mut out) = (Hall::default(), Vec::new());
        let seats = [1, 2].map(|line| Seat::only(LineNo::new(line)));
        for (seat, number) in seats.into_iter().zip((1..).map(TableNo::new)) {
            hall.open(at(0), number, Settings::default());
            hall.seat(seat, number);
            hall.line(at(0), seat, true, &mut out);
            hall.sight(at(0), seat, Sighting::Position(Placement::starting()), &mut out);
        }
        hall.due(at(1000), &mut out);
        let (left, right) = (eboard::Side::Left, eboard::Side::Right);
        let moves = [
            (2000, ((4, 1), (4, 3)), WhitePawn, (98, 100, right)),
            (4000, ((4, 6), (4, 4)), BlackPawn, (98, 98, left)),
            (6000, ((6, 0), (5, 2)), WhiteKnight, (97, 98, left)),
        ];
        for seat in seats {
            hall.sight(at(1000), seat, clock(100, 100, left), &mut out);
        }
        for (ms, (from, to), piece, (white, black, lever)) in moves {
            for seat in seats.into_iter().filter(|seat| *seat == seats[0] || ms < 6000) {
                let square = |(file, rank)| eboard::Square::at(file, rank).unwrap();
                let empty = Sighting::Square { square: square(from), piece: None };
                let put = Sighting::Square { square: square(to), piece: Some(piece) };
                hall.sight(at(ms), seat, empty, &mut out);
                hall.sight(at(ms + 300), seat, put, &mut out);
                hall.due(at(ms + 1500), &mut out);
                hall.sight(at(ms + 1500), seat, clock(white, black, lever), &mut out);
            }
        }
        (hall, seats)
    }

    /// What was raised at which table, and the neighbour it names.
    fn raised(out: &[HallEffect]) -> Vec<(u32, &'static str, Option<u32>)> {
        let raised = out.iter().filter_map(|(table, effect)| match effect {
            Effect::Raised(it) => {
                let other = it.facts.tables.first().map(|it| it.get());
                Some((table.get(), it.kind.name(), other))
            }
            _ => None,
        });
        raised.collect()
    }

    #[test]
    fn a_press_at_the_neighbours_clock_is_reported_with_both_tables() {
        let (mut hall, seats) = two_tables();
        let mut out = Vec::new();
        hall.sight(at(8000), seats[1], clock(95, 98, eboard::Side::Right), &mut out);
        // The board is asked what stands there, does not say, and is believed.
        for ms in [8300, 8700, 9000, 14_000] {
            hall.due(at(ms), &mut out);
        }
        let expected = [(2, "pressed_without_move", None), (2, "neighbour_pressed", Some(1))];
        assert_eq!(raised(&out), expected);
    }

    #[test]
    fn a_press_without_a_move_beside_a_table_that_has_pressed_is_only_that() {
        let (mut hall, seats) = two_tables();
        let mut out = Vec::new();
        hall.sight(at(7600), seats[0], clock(97, 98, eboard::Side::Right), &mut out);
        hall.sight(at(8000), seats[1], clock(95, 98, eboard::Side::Right), &mut out);
        hall.due(at(12_000), &mut out);
        assert_eq!(raised(&out), [(2, "pressed_without_move", None)]);
    }

    #[test]
    fn a_neighbour_who_presses_his_own_clock_soon_after_is_not_suspected() {
        let (mut hall, seats) = two_tables();
        let mut out = Vec::new();
        hall.sight(at(8000), seats[1], clock(95, 98, eboard::Side::Right), &mut out);
        hall.due(at(9000), &mut out);
        hall.sight(at(9000), seats[0], clock(94, 98, eboard::Side::Right), &mut out);
        hall.due(at(14_000), &mut out);
        assert_eq!(raised(&out), [(2, "pressed_without_move", None)]);
    }

    #[test]
    fn a_frozen_hall_stays_as_it_was_while_its_tables_go_on() {
        let bytes = |hall: FrozenHall| {
            bincode::encode_to_vec(hall, bincode::config::standard()).expect("a hall is kept")
        };
        let (mut hall, seats) = two_tables();
        let (frozen, before) = (hall.freeze(), bytes(hall.freeze()));
        hall.sight(at(8000), seats[0], clock(97, 96, eboard::Side::Right), &mut Vec::new());
        hall.close(TableNo::new(2));
        assert_ne!(bytes(hall.freeze()), before);
        assert_eq!(bytes(frozen), before);
    }

    #[test]
    fn a_fault_gives_up_one_input_and_keeps_the_game() {
        let mut hall = hall_with_a_game();
        let battery = Sighting::Battery(Battery { percent: 50, charging: false });
        for (time, phase) in [(2000, Phase::InPlay), (3000, Phase::Adrift)] {
            hall.tables.get_mut(&TableNo::new(1)).unwrap().fail_next();
            let mut out = Vec::new();
            hall.sight(at(time), SEAT, battery.clone(), &mut out);
            assert_eq!(hall.take_faulty(), [TableNo::new(1)]);
            let table = hall.table(TableNo::new(1)).unwrap();
            assert_eq!(table.score().plies().len(), 1);
            assert_eq!(table.phase(), phase);
            assert_eq!(table.incidents().count(), 1);
            assert!(out.iter().any(|(_, it)| matches!(it, Effect::Changed(Facet::Game))));
        }
    }
}
