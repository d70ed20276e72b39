//! Boards plugged, pulled and swapped, and the seats they end in.

use crate::number::{LineNo, TableNo};

use proptest::prelude::*;

use super::*;

/// A line with a board that has said everything.
fn board(port: &str, language: &str, numbers: &[&str]) -> Present {
    let numbers = numbers.iter().map(|number| (*number).to_owned()).collect();
    Present {
        names: vec![port.to_owned()],
        known_by: vec![port.to_owned()],
        doubtful: false,
        clock: false,
        station: Station::ONLY,
        language: Some(language.to_owned()),
        said: Said::Numbers(numbers),
    }
}

fn at_port(table: u32, port: &str) -> Place {
    Place { table: TableNo::new(table), port: Some(port.to_owned()), ..Place::default() }
}

fn numbered(table: u32, serial: &str) -> Place {
    Place { table: TableNo::new(table), serial: Some(serial.to_owned()), ..Place::default() }
}

fn seating(places: Vec<Place>) -> Seating {
    let mut seating = Seating::default();
    seating.replace(places, |_| false);
    seating
}

fn table(seating: &Seating, line: u32) -> Option<u32> {
    seating.seat(Seat::only(LineNo::new(line))).map(|(table, _)| table.get())
}

#[test]
fn a_board_keeps_its_table_on_another_line() {
    let mut seating = seating(Vec::new());
    seating.present(LineNo::new(1), board("usb0", "dgt", &["26015"]));
    seating.present(LineNo::new(2), board("usb1", "dgt", &["26016"]));
    assert_eq!([table(&seating, 1), table(&seating, 2)], [Some(1), Some(2)]);
    seating.gone(LineNo::new(1));
    seating.present(LineNo::new(3), board("usb7", "dgt", &["26015"]));
    assert_eq!(table(&seating, 3), Some(1));
}

#[test]
fn a_restart_forgets_nobody_and_gives_no_table_twice() {
    let mut before = seating(Vec::new());
    before.present(LineNo::new(1), board("usb0", "dgt", &["26015"]));
    before.present(LineNo::new(2), board("usb1", "dgt", &["26016"]));
    before.present(LineNo::new(3), board("usb2", "certabo", &[]));
    let mut after = seating(Vec::new());
    after.remember(before.memory());
    after.present(LineNo::new(1), board("usb9", "dgt", &["4711"]));
    after.present(LineNo::new(2), board("usb5", "dgt", &["26016"]));
    after.present(LineNo::new(3), board("usb2", "certabo", &[]));
    let tables = [1, 2, 3].map(|line| table(&after, line));
    assert_eq!(tables, [Some(4), Some(2), Some(3)]);
}

#[test]
fn a_number_that_two_boards_had_at_once_names_neither() {
    for places in [Vec::new(), vec![at_port(1, "usb0"), at_port(2, "usb1")]] {
        let mut seating = seating(places);
        seating.present(LineNo::new(1), board("usb0", "dgt", &["1"]));
        assert_eq!(seating.memory().by_serial.get("1"), Some(&TableNo::new(1)));
        seating.present(LineNo::new(2), board("usb1", "dgt", &["1"]));
        assert_eq!([table(&seating, 1), table(&seating, 2)], [Some(1), Some(2)]);
        assert_eq!(seating.memory().by_serial.get("1"), None);
        // Each is known by its line from then on.
        seating.gone(LineNo::new(1));
        seating.gone(LineNo::new(2));
        seating.present(LineNo::new(3), board("usb1", "dgt", &["1"]));
        seating.present(LineNo::new(4), board("usb0", "dgt", &["1"]));
        assert_eq!([table(&seating, 3), table(&seating, 4)], [Some(2), Some(1)]);
    }
}

#[test]
fn a_board_without_a_number_is_known_by_its_line_and_its_language() {
    let mut seating = seating(Vec::new());
    seating.present(LineNo::new(1), board("usb0", "certabo", &[]));
    seating.present(LineNo::new(2), board("usb1", "certabo", &[]));
    seating.gone(LineNo::new(1));
    seating.present(LineNo::new(3), board("usb0", "chesslink", &[]));
    assert_eq!(table(&seating, 3), Some(3), "another language is another board");
    seating.gone(LineNo::new(3));
    seating.present(LineNo::new(4), board("usb0", "chesslink", &[]));
    assert_eq!(table(&seating, 4), Some(3));
    seating.gone(LineNo::new(2));
    seating.present(LineNo::new(5), board("usb1", "certabo", &[]));
    assert_eq!(table(&seating, 5), Some(2));
}

#[test]
fn the_line_of_a_board_with_a_number_gives_its_table_to_nobody() {
    let mut seating = seating(Vec::new());
    seating.present(LineNo::new(1), board("usb0", "dgt", &["26015"]));
    seating.gone(LineNo::new(1));
    seating.present(LineNo::new(2), board("usb0", "certabo", &[]));
    seating.present(LineNo::new(3), board("usb3", "dgt", &["26015"]));
    assert_eq!([table(&seating, 2), table(&seating, 3)], [Some(2), Some(1)]);
}

#[test]
fn a_short_and_a_long_number_are_one_board() {
    let mut seating = seating(vec![numbered(5, "47740")]);
    seating.present(LineNo::new(1), board("usb0", "dgt", &["47740"]));
    seating.present(LineNo::new(1), board("usb0", "dgt", &["3000147740", "47740"]));
    assert_eq!(table(&seating, 1), Some(5));
}

#[test]
fn another_board_on_the_same_line_is_another_table() {
    let mut seating = seating(Vec::new());
    seating.present(LineNo::new(1), board("usb0", "dgt", &["26015"]));
    seating.present(LineNo::new(1), board("usb0", "dgt", &["26016"]));
    assert_eq!(table(&seating, 1), Some(2));
    seating.present(LineNo::new(1), board("usb0", "dgt", &["26015"]));
    assert_eq!(table(&seating, 1), Some(1));
}

#[test]
fn a_number_goes_before_a_port_and_nobody_else_gets_its_table() {
    let mut seating = seating(vec![numbered(1, "26003"), at_port(2, "b")]);
    seating.present(LineNo::new(1), board("a", "dgt", &["26003"]));
    seating.present(LineNo::new(2), board("b", "certabo", &[]));
    assert_eq!([table(&seating, 1), table(&seating, 2)], [Some(1), Some(2)]);
    // The plugs are swapped.
    seating.gone(LineNo::new(1));
    seating.gone(LineNo::new(2));
    seating.present(LineNo::new(3), board("a", "certabo", &[]));
    assert_eq!(table(&seating, 3), None);
    assert_eq!(seating.unseated(Seat::only(LineNo::new(3))), Some(Unseated::NoPlace));
    seating.present(LineNo::new(4), board("b", "dgt", &["26003"]));
    assert_eq!([table(&seating, 3), table(&seating, 4)], [None, Some(1)]);
    assert_eq!(seating.vacant().map(|place| place.table.get()).collect::<Vec<_>>(), [2]);
}

#[test]
fn what_is_seen_before_the_number_is_known_reaches_no_table() {
    let mut seating = seating(vec![numbered(1, "26003"), at_port(2, "b")]);
    seating.present(LineNo::new(1), Present { said: Said::Nothing, ..board("b", "dgt", &[]) });
    assert_eq!(table(&seating, 1), Some(2), "the line of table 2 is there");
    seating.present(LineNo::new(1), Present { said: Said::Language, ..board("b", "dgt", &[]) });
    assert!(seating.awaits_number(Seat::only(LineNo::new(1))));
    seating.present(LineNo::new(1), board("b", "dgt", &["26003"]));
    assert!(!seating.awaits_number(Seat::only(LineNo::new(1))));
    assert_eq!(table(&seating, 1), Some(1));
}

#[test]
fn the_second_board_with_a_number_of_a_place_sits_nowhere_and_it_is_said() {
    let mut seating = seating(vec![numbered(1, "26003"), at_port(2, "b")]);
    seating.present(LineNo::new(1), board("a", "dgt", &["26003"]));
    seating.present(LineNo::new(2), board("b", "dgt", &["26003"]));
    assert_eq!([table(&seating, 1), table(&seating, 2)], [Some(1), None]);
    assert_eq!(
        seating.unseated(Seat::only(LineNo::new(2))),
        Some(Unseated::Taken { table: TableNo::new(1), there: Seat::only(LineNo::new(1)) })
    );
}

#[test]
fn a_place_that_wants_another_number_or_language_stays_empty() {
    let both = Place { serial: Some("26003".to_owned()), ..at_port(1, "a") };
    let language = Place { language: Some("dgt".to_owned()), ..at_port(2, "b") };
    let mut seating = seating(vec![both, language]);
    seating.present(LineNo::new(1), board("a", "dgt", &["26004"]));
    seating.present(LineNo::new(2), board("b", "certabo", &[]));
    seating.present(LineNo::new(3), board("c", "dgt", &["26003"]));
    let unseated = [1, 2, 3].map(|line| seating.unseated(Seat::only(LineNo::new(line))));
    let promised = |table| Some(Unseated::Promised { table: TableNo::new(table) });
    assert_eq!(unseated, [promised(1), promised(2), promised(1)]);
}

#[test]
fn a_board_goes_on_at_another_port_until_the_port_of_its_table_has_a_board() {
    let mut seating = seating(vec![at_port(7, "usb0"), at_port(8, "usb1")]);
    seating.present(LineNo::new(1), board("usb0", "dgt", &["4711"]));
    seating.gone(LineNo::new(1));
    seating.present(LineNo::new(2), board("usb3", "dgt", &["4711"]));
    assert_eq!(table(&seating, 2), Some(7));
    seating.present(LineNo::new(3), board("usb0", "dgt", &["4712"]));
    assert_eq!([table(&seating, 2), table(&seating, 3)], [None, Some(7)]);
}

#[test]
fn a_second_board_sits_at_its_table_and_is_not_remembered() {
    let second = Place { part: Part::Board(Which::Second), ..numbered(7, "26004") };
    let mut seating = seating(vec![at_port(7, "usb0"), second]);
    seating.present(LineNo::new(1), board("usb5", "dgt", &["26004"]));
    assert_eq!(
        seating.seat(Seat::only(LineNo::new(1))),
        Some((TableNo::new(7), Part::Board(Which::Second)))
    );
    assert_eq!(*seating.memory(), Memory::default());
}

#[test]
fn a_table_that_is_taken_out_in_mid_game_keeps_its_board() {
    let mut seating = seating(vec![at_port(1, "a"), at_port(2, "b")]);
    seating.present(LineNo::new(1), board("a", "dgt", &["26001"]));
    seating.present(LineNo::new(2), board("b", "certabo", &[]));
    seating.replace(vec![at_port(3, "c")], |table| table == TableNo::new(2));
    assert_eq!([table(&seating, 1), table(&seating, 2)], [None, Some(2)]);
    assert_eq!([1, 2, 3].map(|table| seating.keeps(TableNo::new(table))), [false, true, true]);
    seating.gone(LineNo::new(2));
    seating.present(LineNo::new(3), board("b", "certabo", &[]));
    assert_eq!(table(&seating, 3), Some(2), "its cable was only out");
    seating.replace(vec![at_port(3, "c")], |_| false);
    assert_eq!(table(&seating, 3), None);
    assert!(!seating.keeps(TableNo::new(2)));
}

fn a_clock(port: &str) -> Present {
    Present { clock: true, ..board(port, "chessnutclock", &[]) }
}

#[test]
fn a_clock_sits_where_it_is_named_and_never_as_a_board() {
    let clock =
        Place { part: Part::Clock, language: Some("chessnutclock".to_owned()), ..at_port(1, "c") };
    let mut seating = seating(vec![at_port(1, "a"), at_port(2, "b"), clock.clone()]);
    seating.present(LineNo::new(1), a_clock("c"));
    assert_eq!(seating.seat(Seat::only(LineNo::new(1))), Some((TableNo::new(1), Part::Clock)));
    // It is named no more, and its line stays open.
    seating.replace(vec![at_port(1, "a"), at_port(2, "b")], |table| table == TableNo::new(1));
    assert_eq!(seating.unseated(Seat::only(LineNo::new(1))), Some(Unseated::NoPlace));
    for wanted in [Some(1), Some(2), None] {
        assert_eq!(
            seating.give(Seat::only(LineNo::new(1)), wanted.map(TableNo::new)),
            Err(NotSeated::Gone),
            "{wanted:?}"
        );
    }
    seating.replace(Vec::new(), |_| false);
    assert_eq!(table(&seating, 1), None, "every board gets a table, a clock does not");
    seating.present(LineNo::new(2), board("c", "certabo", &[]));
    assert_eq!(table(&seating, 2), Some(3));
    seating.gone(LineNo::new(2));
    seating.present(LineNo::new(3), a_clock("c"));
    assert_eq!(table(&seating, 3), None, "a board had its line before");
    seating.replace(vec![at_port(1, "a"), clock], |_| false);
    assert_eq!(seating.seat(Seat::only(LineNo::new(1))), Some((TableNo::new(1), Part::Clock)));
}

/// A board at a place of a bus.
fn at_station(station: u16, numbers: &[&str]) -> Present {
    Present { station: Station(station), ..board("bus", "dgtbus", numbers) }
}

#[test]
fn boards_of_one_bus_sit_where_their_station_or_their_number_says() {
    let third = Place { station: Station(3), ..at_port(30, "bus") };
    let mut seating = seating(vec![third, numbered(40, "26004"), at_port(1, "usb0")]);
    for (station, number) in [(4, "26004"), (3, "26003"), (5, "26005")] {
        seating.present(LineNo::new(1), at_station(station, &[number]));
    }
    let at = |station| Seat { line: LineNo::new(1), station: Station(station) };
    assert_eq!(seating.seat(at(3)), Some((TableNo::new(30), Part::Board(Which::First))));
    assert_eq!(seating.seat(at(4)), Some((TableNo::new(40), Part::Board(Which::First))));
    assert_eq!(seating.unseated(at(5)), Some(Unseated::NoPlace));
    seating.left(at(3));
    assert_eq!(seating.seat(at(3)), None);
    assert_eq!(
        seating.seat(at(4)),
        Some((TableNo::new(40), Part::Board(Which::First))),
        "the others stay"
    );
    seating.gone(LineNo::new(1));
    assert_eq!(seating.seat(at(4)), None);
}

/// One board of a bus is named. The others hear that nobody names them, not that they are in
/// somebody's place.
#[test]
fn a_place_that_names_a_number_says_nothing_of_the_other_boards_of_a_bus() {
    let named = Place { serial: Some("26003".to_owned()), ..at_port(1, "bus") };
    let mut seating = seating(vec![named]);
    seating.present(LineNo::new(1), at_station(3, &["26003"]));
    seating.present(LineNo::new(1), at_station(4, &["26004"]));
    let at = |station| Seat { line: LineNo::new(1), station: Station(station) };
    assert_eq!(seating.seat(at(3)), Some((TableNo::new(1), Part::BOARD)));
    assert_eq!(seating.unseated(at(4)), Some(Unseated::NoPlace));
}

#[test]
fn boards_of_a_bus_without_numbers_are_known_by_their_stations() {
    let mut seating = seating(Vec::new());
    for station in [7, 3] {
        seating.present(LineNo::new(1), at_station(station, &[]));
    }
    let seats = |seating: &Seating, line| {
        [3, 7].map(|it| {
            seating
                .seat(Seat { line: LineNo::new(line), station: Station(it) })
                .map(|seat| seat.0.get())
        })
    };
    assert_eq!(seats(&seating, 1), [Some(2), Some(1)]);
    seating.gone(LineNo::new(1));
    for station in [3, 7] {
        seating.present(LineNo::new(2), at_station(station, &[]));
    }
    assert_eq!(seats(&seating, 2), [Some(2), Some(1)]);
}

/// Ports and boards of a small hall: some boards have numbers, two of them the same.
const PORTS: [&str; 5] = ["a", "b", "c", "d", "e"];
const BOARDS: [(&str, &[&str]); 6] = [
    ("dgt", &["26001"]),
    ("dgt", &["26002"]),
    ("dgt", &["3000126003", "26003"]),
    ("dgt", &["26003"]),
    ("certabo", &[]),
    ("chesslink", &[]),
];

/// Each promise is another kind: by port, number, port and language, port and number.
fn promises() -> Vec<Place> {
    let language = |name: &str, place| Place { language: Some(name.to_owned()), ..place };
    vec![
        at_port(1, "a"),
        numbered(2, "26001"),
        language("certabo", at_port(3, "b")),
        Place { serial: Some("26002".to_owned()), ..at_port(4, "c") },
        numbered(5, "26003"),
    ]
}

/// Whether this board on this port keeps a promise that was not made to another one before it.
fn fulfils(place: &Place, port: &str, (language, numbers): (&str, &[&str])) -> bool {
    let named = promises();
    let named = named.iter().filter_map(|it| it.serial.as_deref());
    let is_named = named.clone().any(|serial| numbers.contains(&serial));
    let number = match place.serial.as_deref() {
        Some(serial) => numbers.contains(&serial),
        None => !is_named,
    };
    number
        && place.port.as_deref().is_none_or(|named| named == port)
        && place.language.as_deref().is_none_or(|named| named == language)
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Plug(usize, usize),
    Pull(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let plug = (0..PORTS.len(), 0..BOARDS.len()).prop_map(|(port, board)| Step::Plug(port, board));
    let step = prop_oneof![3 => plug, 2 => (0..PORTS.len()).prop_map(Step::Pull)];
    proptest::collection::vec(step, 1..40)
}

proptest! {
    /// However boards are plugged, pulled and swapped: who sits fulfils what his table was promised
    /// to, and a table is empty only if nobody who is there does.
    #[test]
    fn every_order_of_plugging_ends_in_the_right_seats(steps in steps()) {
        let places = promises();
        let mut seating = seating(places.clone());
        let mut here: BTreeMap<LineNo, (usize, usize)> = BTreeMap::new();
        let mut kept: BTreeSet<(usize, TableNo)> = BTreeSet::new();
        for (line, step) in (1..).map(LineNo::new).zip(steps) {
            match step {
                Step::Plug(port, board) => {
                    let elsewhere = |(p, b): &(usize, usize)| *p == port || *b == board;
                    if here.values().any(elsewhere) {
                        continue;
                    }
                    here.insert(line, (port, board));
                    let (language, numbers) = BOARDS[board];
                    let whole = self::board(PORTS[port], language, numbers);
                    for said in [Said::Nothing, Said::Language, whole.said.clone()] {
                        let language = whole.language.clone().filter(|_| said != Said::Nothing);
                        seating.present(line, Present { said, language, ..whole.clone() });
                    }
                }
                Step::Pull(port) => {
                    let Some(line) = here.iter().find(|(_, it)| it.0 == port).map(|it| *it.0) else {
                        continue;
                    };
                    here.remove(&line);
                    seating.gone(line);
                }
            }
            for (line, (port, board)) in &here {
                let Some((table, _)) = seating.seat(Seat::only(*line)) else { continue };
                let place = places.iter().find(|it| it.table == table).unwrap();
                if fulfils(place, PORTS[*port], BOARDS[*board]) {
                    kept.insert((*board, table));
                } else {
                    let had = kept.contains(&(*board, table));
                    prop_assert!(had && place.serial.is_none(), "{:?} at {table}", BOARDS[*board]);
                }
            }
            for place in &places {
                let may = here.iter().filter(|(_, it)| fulfils(place, PORTS[it.0], BOARDS[it.1]));
                let may: Vec<_> = may.map(|(line, _)| *line).collect();
                let own = Some(place.table.get());
                let sits = here.keys().filter(|it| table(&seating, it.get()) == own);
                let sits: Vec<_> = sits.copied().collect();
                prop_assert!(sits.len() <= 1);
                if !may.is_empty() {
                    prop_assert!(sits.iter().all(|it| may.contains(it)) && !sits.is_empty());
                }
            }
        }
    }
}
