//! Pairings without a board and games without a pairing: the tables that are proposed, and what
//! clears the alerts.

use std::time::Duration;

use serde_json::json;
use witness::{Incident, Kind, LineNo, TableNo};

use super::*;
use crate::pairings::{Pairing, Player, Round};

/// A game of two moves, then enough time for both alerts.
const GAME: &str = "+3 e2^ e4v | +2 e7^ e5v | +240";

fn players(names: [&str; 2]) -> Players {
    let [white, black] = names.map(|it| Player { name: it.to_owned(), ..Player::default() });
    Players { white, black }
}

pub(super) fn paired(round: &str, games: &[(u32, [&str; 2])]) -> Round {
    let pairing = |&(table, names): &(u32, _)| Pairing {
        table: TableNo::new(table),
        players: players(names),
        ..Pairing::default()
    };
    Round { name: round.to_owned(), pairings: games.iter().map(pairing).collect() }
}

/// A plan with tables 1 to 3 and these rounds. The first round is on.
pub(super) fn plan(rounds: Vec<Round>) -> Plan {
    let tables = (1..=3)
        .map(|it| TableEntry::at(TableNo::new(it), &format!("usb{it}"), "dgt", &Watch::default()));
    Plan { tables: tables.collect(), round: rounds[0].name.clone(), rounds, ..Plan::default() }
}

/// Plays scripts on the boards of these lines, all beginning now.
pub(super) fn play(works: &mut Works, scripts: &[(u32, &str)]) -> Vec<Act> {
    let began = works.now();
    let mut records = Vec::new();
    for (line, script) in scripts {
        open(works, *line);
        let script = rehearsal::parse(script).unwrap();
        records.extend(virtual_line::heard(
            &dgt::DRIVER,
            script.play(),
            script.end(),
            LineNo::new(*line),
        ));
    }
    records.sort_by_key(|(at, _)| *at);
    let mut acts = Vec::new();
    for (at, entry) in records {
        works.enter(began + at.since(Moment::ZERO), &entry, &mut acts);
    }
    acts
}

fn open_alert(works: &Works, table: u32, kind: Kind) -> Option<Incident> {
    works.hall().table(TableNo::new(table))?.incidents().find(|it| it.kind == kind).cloned()
}

#[test]
fn both_ends_of_a_mistake_offer_the_same_names_and_one_tap_mends_both() {
    let games = [(1, ["Doe, Ann", "Roe, Bob"]), (2, ["Loe, Cy", "Poe, Di"])];
    let mut works = Works::new(vec![&dgt::DRIVER]);
    tell(&mut works, &[Entry::Planned(Box::new(plan(vec![paired("4", &games)])))]);
    play(&mut works, &[(2, GAME), (3, GAME)]);
    for (table, kind, other) in [(1, Kind::NoBoard, 3), (3, Kind::NoPairing, 1)] {
        let open = open_alert(&works, table, kind).unwrap();
        assert_eq!(open.facts.tables, [TableNo::new(other)]);
        let [ref sitting] = works.may_sit(TableNo::new(table), &open)[..] else {
            panic!("{open:?}")
        };
        assert_eq!((sitting.table, sitting.round.as_str()), (TableNo::new(3), "4"));
        assert_eq!(sitting.players, players(games[0].1));
    }
    let missing = open_alert(&works, 1, Kind::NoBoard).unwrap();
    assert_eq!(works.concerned(TableNo::new(1), &missing), Some(players(games[0].1)));
    let [white, black] = games[0].1;
    let body = json!({"table": 3, "round": "4", "white": white, "black": black});
    tell(&mut works, &[Entry::Request(Request::read("set_pairing", body, "Ann"))]);
    assert_eq!(open_alert(&works, 1, Kind::NoBoard), None);
    assert_eq!(open_alert(&works, 3, Kind::NoPairing), None);
    works.advance(works.now() + Duration::from_secs(600), &mut Vec::new());
    assert_eq!(open_alert(&works, 1, Kind::NoBoard), None, "its players play at table 3");
}

/// The second of two rounds is played at table 2; the board of table 1 was taken away after the
/// first one. And the players of table 1.
fn second_round_without_a_board() -> (Works, [&'static str; 2]) {
    let first = [(1, ["Doe, Ann", "Roe, Bob"]), (2, ["Loe, Cy", "Poe, Di"])];
    let second = [(1, ["Poe, Di", "Doe, Ann"]), (2, ["Roe, Bob", "Loe, Cy"])];
    let rounds = || vec![paired("1", &first), paired("2", &second)];
    let mut works = Works::new(vec![&dgt::DRIVER]);
    tell(&mut works, &[Entry::Planned(Box::new(plan(rounds())))]);
    let over = "+3 e2^ e4v | +2 e7^ e5v | +5";
    play(&mut works, &[(1, over), (2, over)]);
    for table in [1, 2] {
        let body = json!({"table": table, "result": "1-0"});
        tell(&mut works, &[Entry::Request(Request::read("set_result", body, "Ann"))]);
        tell(&mut works, &[Entry::Closed(LineNo::new(table))]);
    }
    works.advance(works.now() + Duration::from_secs(3600), &mut Vec::new());
    assert_eq!(open_alert(&works, 1, Kind::NoBoard), None, "nobody plays the second round");
    play(&mut works, &[(2, GAME)]);
    assert_eq!(works.round(TableNo::new(2)), "2");
    (works, second[0].1)
}

#[test]
fn a_board_that_is_taken_away_between_two_rounds_is_missed_in_the_second() {
    let (mut works, names) = second_round_without_a_board();
    let open = open_alert(&works, 1, Kind::NoBoard).unwrap();
    assert_eq!(works.concerned(TableNo::new(1), &open), Some(players(names)));
    assert!(works.may_sit(TableNo::new(1), &open).is_empty());
    play(&mut works, &[(1, "+5")]);
    assert_eq!(open_alert(&works, 1, Kind::NoBoard), None, "its board is there");
}

#[test]
fn where_only_some_tables_have_boards_nobody_is_called_to_the_others() {
    let games = [(1, ["A, A", "B, B"]), (2, ["C, C", "D, D"]), (3, ["E, E", "F, F"])];
    let mut works = Works::new(vec![&dgt::DRIVER]);
    tell(&mut works, &[Entry::Planned(Box::new(plan(vec![paired("1", &games)])))]);
    play(&mut works, &[(1, GAME)]);
    for table in 1..=3 {
        assert_eq!(open_alert(&works, table, Kind::NoBoard), None);
    }
}

#[test]
fn no_board_is_missed_at_a_table_whose_game_has_a_result_before_it_begins() {
    let (mut works, names) = second_round_without_a_board();
    assert!(open_alert(&works, 1, Kind::NoBoard).is_some());
    let body = json!({"table": 1, "game": 2, "round": "2", "result": "+/-"});
    tell(&mut works, &[Entry::Request(Request::read("set_result", body, "Ann"))]);
    assert_eq!(
        (works.round(TableNo::new(1)), works.players(TableNo::new(1))),
        ("2", Some(players(names)))
    );
    works.advance(works.now() + Duration::from_secs(3600), &mut Vec::new());
    assert_eq!(open_alert(&works, 1, Kind::NoBoard), None);
}
