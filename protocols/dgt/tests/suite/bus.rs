//! A host and many boards: who is found, what of their logs is told, and what trouble costs.

use std::time::Duration;

use dgt::BusHost;
use eboard::{
    Change, ClockFace, Conversation, Dial, Disturbance, FaceTime, Identity, Input, Piece, Placement,
};
use eboard::{Moment, Output, Side, Sighting, Station};

use crate::bus_bench::{BusBench, square};

const PAWN: Option<Piece> = Some(Piece::WhitePawn);

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Lifts the pawn on e2 and puts it on e4, a moment apart.
fn e2_e4(bench: &mut BusBench, station: Station) {
    bench.put(station, "e2", None);
    bench.run(Duration::from_millis(30));
    bench.put(station, "e4", PAWN);
}

/// Half past one hour each, and the left one counts.
fn running() -> ClockFace {
    let dial = Dial { time: FaceTime::from_hms(1, 30, 0), ..Dial::default() };
    let (running, lever) = (true, Side::Left);
    ClockFace { left: dial, right: dial, running, lever, low_battery: false }
}

fn moved() -> Vec<(eboard::Square, Option<Piece>)> {
    vec![(square("e2"), None), (square("e4"), PAWN)]
}

fn after_e4() -> Placement {
    let mut placement = Placement::starting();
    placement[square("e4")] = placement[square("e2")].take();
    placement
}

#[test]
fn thirty_two_boards_are_found_although_their_answers_collide() {
    let mut bench = BusBench::ready(32);
    assert!(bench.noise > 0, "some answers collided");
    bench.run(seconds(35));
    for station in bench.stations() {
        assert_eq!(bench.picture_of(station), Some(Placement::starting()), "{station:?}");
    }
    let stations: Vec<Station> = bench.seen.iter().map(|(_, station, _)| *station).collect();
    assert!(stations.iter().all(|it| bench.stations().contains(it)), "nobody else is believed in");
}

#[test]
fn a_board_is_known_by_its_number_and_version() {
    let mut bench = BusBench::opened(&["00137", "06685"]);
    bench.run(seconds(6));
    for (station, serial) in [(Station(137), "00137"), (Station(6685), "06685")] {
        let identities: Vec<Identity> = bench
            .seen_of(station)
            .into_iter()
            .filter_map(|sighting| match sighting {
                Sighting::Identified(identity) => Some(identity),
                _ => None,
            })
            .collect();
        let reported = Identity {
            driver: "dgtbus".into(),
            serial: Some(serial.to_owned()),
            ..Identity::default()
        };
        let whole = Identity { firmware: Some("1.7".to_owned()), ..reported.clone() };
        assert_eq!(identities, [reported, whole]);
    }
}

#[test]
fn nothing_is_said_that_takes_a_board_off_the_bus_or_writes_to_it() {
    let mut bench = BusBench::ready(3);
    let station = bench.stations()[0];
    bench.bus.damage(station, 3);
    e2_e4(&mut bench, station);
    bench.change(station, Change::OnBus(false));
    bench.run(seconds(100));
    bench.change(station, Change::OnBus(true));
    bench.run(seconds(100));
    assert!(!bench.sent.is_empty());
    for (_, bytes) in &bench.sent {
        let allowed = [0x81, 0x82, 0x83, 0x84, 0x87, 0x8a, 0x8b].contains(&bytes[0]);
        assert!(allowed && bytes.len() == 4, "{bytes:02x?}");
        assert!(bytes[1..].iter().all(|byte| *byte < 0x80), "{bytes:02x?}");
    }
}

#[test]
fn one_question_is_on_the_line_at_a_time() {
    let mut bench = BusBench::ready(8);
    bench.run(seconds(10));
    let gaps = bench.sent.windows(2).map(|pair| pair[1].0.since(pair[0].0));
    // Question and shortest answer are ten bytes.
    assert!(gaps.min().expect("questions") >= Duration::from_micros(10 * 1041));
}

#[test]
fn changes_are_told_in_their_order() {
    for alternating in [true, false] {
        for delays in [true, false] {
            let mut bench = BusBench::ready(8);
            bench.bus.set_alternating(alternating);
            bench.bus.set_delays(delays);
            for station in bench.stations() {
                e2_e4(&mut bench, station);
            }
            bench.run(seconds(1));
            for station in bench.stations() {
                assert_eq!(bench.changes_of(station), moved(), "{station:?}");
            }
        }
    }
}

#[test]
fn a_lost_answer_is_repeated_and_costs_nothing() {
    for alternating in [true, false] {
        for lost in 1..5 {
            let mut bench = BusBench::ready(4);
            bench.bus.set_alternating(alternating);
            bench.run(seconds(1));
            let station = bench.stations()[1];
            e2_e4(&mut bench, station);
            let before = bench.asked(station, 0x83);
            bench.bus.lose(station, lost);
            bench.run(seconds(4));
            assert_eq!(bench.changes_of(station), moved(), "{lost} lost");
            assert!(bench.asked(station, 0x84) > 0 && bench.asked(station, 0x83) > before);
            assert_eq!(bench.picture_of(station), None.or(Some(after_e4())), "{lost} lost");
        }
    }
}

#[test]
fn a_damaged_answer_is_repeated_and_costs_nothing() {
    for damaged in 1..5 {
        let mut bench = BusBench::ready(4);
        bench.run(seconds(1));
        let station = bench.stations()[1];
        e2_e4(&mut bench, station);
        bench.bus.damage(station, damaged);
        bench.run(seconds(4));
        assert_eq!(bench.changes_of(station), moved(), "{damaged} damaged");
        assert_eq!(bench.picture_of(station), Some(after_e4()), "{damaged} damaged");
    }
}

/// A question for changes may be the one that is lost: then the repeated answer is an old one.
#[test]
fn an_answer_that_comes_twice_is_told_once() {
    for alternating in [true, false] {
        let mut bench = BusBench::ready(2);
        bench.bus.set_alternating(alternating);
        bench.run(seconds(1));
        let station = bench.stations()[0];
        e2_e4(&mut bench, station);
        bench.run(Duration::from_millis(400));
        assert_eq!(bench.changes_of(station), moved());
        bench.forget();
        // Without power for a moment it hears no question, and knows its last answer still where
        // only the line was cut.
        bench.change(station, Change::OnBus(false));
        bench.run(Duration::from_millis(600));
        assert!(bench.asked(station, 0x84) > 0);
        bench.change(station, Change::OnBus(true));
        bench.run(seconds(5));
        assert_eq!(bench.changes_of(station), [], "alternating: {alternating}");
        assert_eq!(bench.picture_of(station), Some(after_e4()));
    }
}

#[test]
fn a_press_is_told_between_the_moves_it_lies_between() {
    let mut bench = BusBench::ready(2);
    let station = bench.stations()[0];
    let mut face = running();
    bench.change(station, Change::Clock(Some(face)));
    bench.survey(station);
    bench.run(seconds(1));
    bench.forget();
    e2_e4(&mut bench, station);
    (face.left.time, face.lever) = (FaceTime::from_hms(1, 29, 0), Side::Right);
    bench.change(station, Change::Clock(Some(face)));
    bench.put(station, "e7", None);
    bench.run(seconds(1));
    let seen = bench.seen_of(station);
    let clock = seen.iter().position(|it| *it == Sighting::Clock(face)).expect("a press");
    let lifted = Sighting::Square { square: square("e7"), piece: None };
    let squares = [moved()[1], (square("e7"), None)];
    let [put, lift] = squares.map(|(square, piece)| {
        seen.iter().position(|it| *it == Sighting::Square { square, piece }).expect("a change")
    });
    assert!(put < clock && clock < lift, "{seen:?}");
    assert!(seen.contains(&lifted));
}

/// No log tells that both times stand.
#[test]
fn a_standstill_is_told_within_a_second_where_the_line_has_time() {
    let mut bench = BusBench::ready(8);
    let stations = bench.stations();
    for station in &stations {
        bench.change(*station, Change::Clock(Some(running())));
        bench.survey(*station);
    }
    bench.run(seconds(3));
    bench.forget();
    let standing = ClockFace { running: false, ..running() };
    for station in &stations {
        bench.change(*station, Change::Clock(Some(standing)));
    }
    bench.run(seconds(1));
    for station in stations {
        assert!(bench.seen_of(station).contains(&Sighting::Clock(standing)), "{station:?}");
    }
}

/// A clock may be asked after the log and before the move is in it. A board is made to be asked
/// seldom here, so that this is so in most of the cases.
#[test]
fn a_press_is_never_told_before_its_move() {
    for (late_ms, writes_times) in (0..4000).step_by(100).flat_map(|ms| [(ms, true), (ms, false)]) {
        let mut bench = BusBench::opened(&["101"]);
        bench.host = BusHost::resting(seconds(4));
        bench.input(Input::Opened);
        let mut face = running();
        bench.change(Station(101), Change::Clock(Some(face)));
        bench.run(seconds(20) + Duration::from_millis(late_ms));
        bench.forget();
        e2_e4(&mut bench, Station(101));
        (face.left.time, face.lever) = (FaceTime::from_hms(1, 29, 0), Side::Right);
        if !writes_times {
            // Very fast presses may be left out of the log: no face, and then one that begins anew.
            bench.change(Station(101), Change::Clock(None));
        }
        bench.change(Station(101), Change::Clock(Some(face)));
        bench.run(seconds(5));
        let seen = bench.seen_of(Station(101));
        let press = seen.iter().position(|it| *it == Sighting::Clock(face)).expect("a press");
        let put = Sighting::Square { square: square("e4"), piece: PAWN };
        let put = seen.iter().position(|it| *it == put).expect("a move");
        assert!(put < press, "{late_ms} ms, times in the log: {writes_times}: {seen:?}");
    }
}

/// The squares may be told when the log does not yet have what stands on them.
#[test]
fn all_squares_say_nothing_that_the_log_has_still_to_say() {
    for late_ms in 0..200 {
        let mut bench = BusBench::ready(2);
        let station = bench.stations()[0];
        bench.survey(station);
        bench.run(seconds(1));
        bench.forget();
        bench.survey(station);
        bench.run(Duration::from_millis(late_ms));
        e2_e4(&mut bench, station);
        bench.run(seconds(2));
        let mut standing = Placement::starting();
        for sighting in bench.seen_of(station) {
            match sighting {
                Sighting::Square { square, piece } => standing[square] = piece,
                Sighting::Position(reported) => assert_eq!(reported, standing, "{late_ms} ms"),
                _ => {}
            }
        }
        assert_eq!(standing, after_e4());
        assert!(bench.asked(station, 0x82) > 0);
    }
}

#[test]
fn a_board_that_was_without_power_is_read_anew() {
    let mut bench = BusBench::ready(3);
    let station = bench.stations()[2];
    e2_e4(&mut bench, station);
    bench.change(station, Change::PowerLost);
    bench.run(seconds(8));
    assert_eq!(bench.picture_of(station), Some(after_e4()));
    let reported = bench.changes_of(station);
    assert!(
        reported.is_empty() || reported == moved(),
        "pieces found again are no changes: {reported:?}"
    );
    assert!(!bench.seen_of(station).contains(&Sighting::Silent), "two seconds are not silence");
}

#[test]
fn boards_come_and_go() {
    let mut bench = BusBench::opened(&["101", "102", "103"]);
    bench.change(Station(103), Change::OnBus(false));
    bench.run(seconds(20));
    assert_eq!(bench.seen_of(Station(103)), []);
    bench.change(Station(103), Change::OnBus(true));
    bench.change(Station(101), Change::OnBus(false));
    bench.run(seconds(65));
    assert_eq!(bench.picture_of(Station(103)), Some(Placement::starting()));
    let silent = |it: &BusBench, station| {
        it.seen_of(Station(station)).iter().filter(|it| **it == Sighting::Silent).count()
    };
    assert_eq!([101, 102, 103].map(|station| silent(&bench, station)), [1, 0, 0]);
}

#[test]
fn a_line_opened_anew_finds_its_boards_at_once() {
    let mut bench = BusBench::ready(16);
    bench.input(Input::Opened);
    bench.run(seconds(3));
    for station in bench.stations() {
        assert_eq!(bench.picture_of(station), Some(Placement::starting()), "{station:?}");
    }
}

#[test]
fn a_clock_that_answers_no_more_is_lost_and_its_board_is_not() {
    let mut bench = BusBench::ready(2);
    let station = bench.stations()[0];
    let face = ClockFace {
        left: Dial::default(),
        right: Dial::default(),
        running: false,
        lever: Side::Left,
        low_battery: false,
    };
    bench.change(station, Change::Clock(Some(face)));
    bench.run(seconds(6));
    assert!(bench.seen_of(station).contains(&Sighting::Clock(face)));
    bench.forget();
    bench.change(station, Change::Disturbed(Disturbance::Silent(true)));
    bench.run(seconds(20));
    let lost = bench.seen_of(station).iter().filter(|it| **it == Sighting::ClockLost).count();
    assert_eq!(lost, 1);
    assert!(!bench.seen_of(station).contains(&Sighting::Silent));
    bench.change(station, Change::Disturbed(Disturbance::Silent(false)));
    bench.run(seconds(6));
    assert!(bench.seen_of(station).contains(&Sighting::Clock(face)));
}

/// A recording holds what boards said to another host, who asked other things at other times.
#[test]
fn a_recording_is_read_although_nobody_answers() {
    let mut bench = BusBench::opened(&["101", "102", "103"]);
    bench.run(seconds(20));
    for station in bench.stations() {
        e2_e4(&mut bench, station);
        bench.run(seconds(2));
    }
    bench.run(seconds(40));
    for late_ms in [0, 300, 4000] {
        let mut host = BusHost::default();
        let mut now = Moment::from_micros(1_000_000);
        let mut out = Vec::new();
        Conversation::handle(&mut host, now, Input::Opened, &mut out);
        for (at, bytes) in &bench.heard {
            let at = *at + Duration::from_millis(late_ms);
            while let Some((due, _)) = Conversation::deadline(&host).filter(|(due, _)| *due < at) {
                now = now.max(due);
                Conversation::handle(&mut host, now, Input::Due, &mut out);
            }
            now = now.max(at);
            Conversation::handle(&mut host, now, Input::Bytes(bytes), &mut out);
        }
        for station in bench.stations() {
            let of = out.iter().filter_map(|output| match output {
                Output::Saw(it, sighting) if *it == station => Some(sighting),
                _ => None,
            });
            let mut squares = None;
            let mut changes = Vec::new();
            for sighting in of {
                match sighting {
                    Sighting::Position(placement) => squares = Some(*placement),
                    Sighting::Square { square, piece } => changes.push((*square, *piece)),
                    Sighting::Silent => panic!("{station:?} is called silent"),
                    _ => {}
                }
            }
            assert_eq!(squares, Some(after_e4()), "{station:?}, {late_ms} ms late");
            assert_eq!(changes, moved(), "{station:?}, {late_ms} ms late");
        }
    }
}
