//! Boards that come back under another name, all at once, or twice.

use witness::{LineNo, Table, TableNo};

use super::*;

/// What a board without a number reports while these moves are made on it.
fn unnumbered(line: u32, moves: &str) -> Vec<Entry> {
    let script = rehearsal::parse(&format!("+2 {moves} +5")).unwrap();
    let heard =
        virtual_line::heard(&chesslink::DRIVER, script.play(), script.end(), LineNo::new(line));
    heard.into_iter().map(|(_, entry)| entry).collect()
}

/// Its last report: the whole board.
fn last(line: u32, moves: &str) -> Entry {
    let is_bytes = |entry: &Entry| matches!(entry, Entry::Bytes(..));
    unnumbered(line, moves).into_iter().rfind(is_bytes).unwrap()
}

/// Plugs a line into this socket. The path is arbitrary.
fn plug(works: &mut Works, line: u32, path: &str, socket: &str) {
    let names = vec![path.to_owned(), format!("/dev/serial/by-path/{socket}")];
    let id = LineId { names, ..LineId::at(path) };
    tell(works, &[Entry::Opened(LineNo::new(line), id)]);
}

fn play(works: &mut Works, line: u32, moves: &str) {
    for entry in unnumbered(line, moves) {
        works.advance(works.now() + Duration::from_millis(300), &mut Vec::new());
        tell(works, &[entry]);
    }
    works.advance(works.now() + Duration::from_secs(5), &mut Vec::new());
}

fn table_of(works: &Works, line: u32) -> Option<u32> {
    works.board(Seat::only(LineNo::new(line))).and_then(|board| board.table).map(TableNo::get)
}

fn plies(works: &Works, table: u32) -> usize {
    works.hall().table(TableNo::new(table)).map_or(0, |table: &Table| table.score().plies().len())
}

#[test]
fn an_adapter_that_has_another_name_in_mid_game_is_known_by_its_socket() {
    let (one, other) = ("e2^ e4v e7^ e5v", "d2^ d4v d7^ d5v");
    let mut works = Works::new(vec![&chesslink::DRIVER]);
    plug(&mut works, 1, "/dev/ttyUSB0", "a");
    plug(&mut works, 2, "/dev/ttyUSB1", "b");
    play(&mut works, 1, one);
    play(&mut works, 2, other);
    let [a, b] = [1, 2].map(|line| table_of(&works, line).unwrap());
    assert_eq!([plies(&works, a), plies(&works, b)], [2, 2]);
    tell(&mut works, &[Entry::Closed(LineNo::new(1)), Entry::Closed(LineNo::new(2))]);
    // Each line gets the path that the other one had.
    plug(&mut works, 3, "/dev/ttyUSB0", "b");
    plug(&mut works, 4, "/dev/ttyUSB1", "a");
    tell(&mut works, &[last(3, other), last(4, one)]);
    assert_eq!([table_of(&works, 4), table_of(&works, 3)], [Some(a), Some(b)]);
    assert_eq!([plies(&works, a), plies(&works, b)], [2, 2]);
}

/// The squares of a board are not understood, and another game that waits for its board is similar.
#[test]
fn a_board_whose_game_is_lost_is_known_by_what_it_showed_last() {
    let astray = "e2^ e7^ d2^ e4v d7^ e5v d4v d5v f2^ f4v";
    let mut works = Works::new(vec![&chesslink::DRIVER]);
    plug(&mut works, 1, "/dev/ttyUSB0", "a");
    plug(&mut works, 2, "/dev/ttyUSB1", "b");
    play(&mut works, 1, "");
    tell(&mut works, &[last(1, astray)]);
    play(&mut works, 2, "e2^ e4v e7^ e5v");
    let tables = [1, 2].map(|line| table_of(&works, line));
    assert_eq!([plies(&works, 1), plies(&works, 2)], [0, 2]);
    tell(&mut works, &[Entry::Closed(LineNo::new(1)), Entry::Closed(LineNo::new(2))]);
    plug(&mut works, 3, "/dev/ttyUSB0", "a");
    plug(&mut works, 4, "/dev/ttyUSB1", "b");
    tell(&mut works, &[last(3, astray), last(4, "e2^ e4v e7^ e5v")]);
    assert_eq!([3, 4].map(|line| table_of(&works, line)), tables);
    assert!(works.asked().is_empty());
}

#[test]
fn ten_boards_of_a_hub_that_resets_are_at_their_tables_again() {
    let first = ["e2^ e4v", "d2^ d4v", "c2^ c4v", "f2^ f4v", "b2^ b4v"];
    let games: Vec<_> = first
        .iter()
        .flat_map(|white| ["e7^ e5v", "d7^ d5v"].map(|black| format!("{white} {black}")))
        .collect();
    let mut works = Works::new(vec![&chesslink::DRIVER]);
    for (line, game) in (1..).zip(&games) {
        plug(&mut works, line, &format!("/dev/ttyUSB{line}"), &line.to_string());
        play(&mut works, line, game);
    }
    let tables: Vec<_> = (1..=10).map(|line| table_of(&works, line).unwrap()).collect();
    assert_eq!(tables, (1..=10).collect::<Vec<_>>());
    let gone: Vec<_> = (1..=10).map(|line| Entry::Closed(LineNo::new(line))).collect();
    tell(&mut works, &gone);
    // They come back in another order, and get the paths in that order.
    for (index, socket) in (1..=10).rev().enumerate() {
        let line = 10 + socket;
        plug(&mut works, line, &format!("/dev/ttyUSB{index}"), &socket.to_string());
    }
    for (line, game) in (11..).zip(&games) {
        tell(&mut works, &[last(line, game)]);
    }
    for line in 1..=10 {
        assert_eq!(table_of(&works, 10 + line), Some(line));
        assert_eq!(plies(&works, line), 2, "table {line}");
    }
    assert!(works.asked().is_empty());
}

/// One board on its cable and over Bluetooth, for example. If two lines report one number, the
/// daemon cannot tell them apart.
#[test]
fn a_board_that_answers_on_two_lines_keeps_its_game_on_the_first() {
    let (everything, number) = said(1);
    let serial = {
        let mut works = Works::new(vec![&dgt::DRIVER]);
        open(&mut works, 1);
        tell(&mut works, &everything);
        tell(&mut works, &number);
        serial(&works, 1)
    };
    let named = TableEntry {
        number: TableNo::new(7),
        port: None,
        serial: Some(serial),
        driver: None,
        station: 0,
        watch: Watch::default(),
    };
    for (tables, expected) in [(Vec::new(), [Some(1), Some(2)]), (vec![named], [Some(7), None])] {
        let mut works = Works::new(vec![&dgt::DRIVER]);
        tell(&mut works, &[Entry::Planned(Box::new(Plan { tables, ..Plan::default() }))]);
        for line in [1, 2] {
            open(&mut works, line);
            let (everything, number) = said(line);
            tell(&mut works, &everything);
            tell(&mut works, &number);
        }
        assert_eq!([1, 2].map(|line| table_of(&works, line)), expected);
        if expected[1].is_none() {
            let taken =
                Unseated::Taken { table: TableNo::new(7), there: Seat::only(LineNo::new(1)) };
            assert_eq!(works.unseated(Seat::only(LineNo::new(2))), Some(taken));
        }
    }
}

/// The line stays open, because boards are searched for on it.
#[test]
fn a_clock_that_is_named_no_more_is_no_board_without_a_table() {
    let driver = catalog::find("chessnutclock").unwrap();
    let table = TableEntry::at(TableNo::new(1), "/a", "chesslink", &Watch::default());
    let own =
        Clock { table: TableNo::new(1), port: "/c".to_owned(), driver: driver.name.to_owned() };
    let plan = |tables: &[&TableEntry], clocks: &[&Clock]| {
        let tables = tables.iter().copied().cloned().collect();
        let clocks = clocks.iter().copied().cloned().collect();
        Entry::Planned(Box::new(Plan { tables, clocks, ..Plan::default() }))
    };
    let mut works = Works::new(catalog::languages());
    let line = LineId::at("/c").over(driver.emulated_over());
    tell(&mut works, &[plan(&[&table], &[&own]), Entry::Opened(LineNo::new(1), line)]);
    let script = rehearsal::parse("+2 e2^ e4v | +2 e7^ e5v | +2").unwrap();
    let heard = virtual_line::heard(driver, script.play(), script.end(), LineNo::new(1));
    tell(&mut works, &heard.into_iter().map(|(_, entry)| entry).collect::<Vec<_>>());
    let seat = |works: &Works| {
        works.board(Seat::only(LineNo::new(1))).map(|it| (it.table, it.part)).unwrap()
    };
    assert_eq!(seat(&works), (Some(TableNo::new(1)), Part::Clock));
    assert!(
        works.board(Seat::only(LineNo::new(1))).unwrap().identity.is_some(),
        "its lever was heard"
    );

    for tables in [&[&table][..], &[]] {
        tell(&mut works, &[plan(tables, &[])]);
        works.advance(works.now() + LATER, &mut Vec::new());
        assert_eq!(seat(&works).0, None);
        assert_eq!(works.asked().len(), 0);
    }
    tell(&mut works, &[plan(&[&table], &[&own])]);
    assert_eq!(seat(&works), (Some(TableNo::new(1)), Part::Clock));
}

#[test]
fn a_game_that_two_tables_have_in_common_is_neither_of_them() {
    for (other, agrees) in [("e2^ e4v", [false, false]), ("d2^ d4v", [true, false])] {
        let mut works = Works::new(vec![&chesslink::DRIVER]);
        plug(&mut works, 1, "/dev/ttyUSB0", "a");
        plug(&mut works, 2, "/dev/ttyUSB1", "b");
        play(&mut works, 1, "e2^ e4v");
        play(&mut works, 2, other);
        tell(&mut works, &[Entry::Closed(LineNo::new(1)), Entry::Closed(LineNo::new(2))]);
        plug(&mut works, 3, "/dev/ttyUSB2", "c");
        tell(&mut works, &[last(3, "e2^ e4v")]);
        let asked = works.asked();
        let [asked] = &asked[..] else { panic!("{} boards", asked.len()) };
        let offered = asked.tables.iter().map(|it| (it.table.get(), it.in_play, it.agrees));
        let offered: Vec<_> = offered.collect();
        assert_eq!(offered, [(1, true, agrees[0]), (2, true, agrees[1])], "{other}");
    }
}

/// Some makers give all their adapters one number.
#[test]
fn a_line_is_named_by_what_no_other_line_is_called() {
    let mut works = Works::new(vec![&chesslink::DRIVER]);
    let number = "usb:0403:6001:A1";
    let [one, two, three] = [1, 2, 3].map(LineNo::new);
    for (line, path, socket) in [(one, "/dev/ttyUSB0", "a"), (two, "/dev/ttyUSB1", "b")] {
        let link = format!("/dev/adoubed/at-{socket}");
        let names = vec![path.to_owned(), number.to_owned(), link];
        let alone = LineId { names, ..LineId::at(path) };
        tell(&mut works, &[Entry::Opened(line, alone)]);
        let best = if line == one { number } else { "/dev/adoubed/at-b" };
        assert_eq!(works.apart().name_of(line), Some(best));
    }
    assert_eq!(works.apart().name_of(one), Some("/dev/adoubed/at-a"), "there are two of them now");
    tell(&mut works, &[Entry::Closed(two), Entry::Opened(three, LineId::at("/dev/ttyUSB2"))]);
    assert_eq!(
        [works.apart().name_of(one), works.apart().name_of(three)],
        [Some(number), Some("/dev/ttyUSB2")]
    );
}
