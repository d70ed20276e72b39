//! The device against the emulated board, in virtual time. Not the messages themselves.

use std::time::Duration;

use crate::common::Line;
use chesslink::Board;
use chesslink::frame::{Answer, Command, Request};
use eboard::{
    Change, Conversation, Input, Moment, Piece, Placement, Sighting, Square, Station, Stimulus,
};
use proptest::prelude::*;

const READS: [Request; 5] = [read(0), read(1), read(2), read(3), read(4)];

const fn read(address: u8) -> Request {
    Request::Command(Command::Read { address })
}

fn is_poll(request: &Request) -> bool {
    *request == Request::Command(Command::Board)
}

fn firmware(line: &Line) -> Option<String> {
    line.seen.iter().rev().find_map(|(_, sighting)| match sighting {
        Sighting::Identified(identity) => Some(identity.firmware.clone()),
        _ => None,
    })?
}

#[test]
fn a_new_board_is_read_first_and_written_once() {
    let line = Line::settled(Board::default());
    assert_eq!(firmware(&line).as_deref(), Some("1.03"));
    assert_eq!(line.writes(), [(2, 3)]);
    assert_eq!(
        (line.board.register(0), line.board.register(1), line.board.register(2)),
        (0, 20, 3)
    );
    let questions: Vec<_> = line.sent.iter().map(|(_, it)| *it).filter(|it| !is_poll(it)).collect();
    let mut wanted = vec![Request::Command(Command::Version)];
    wanted.extend(READS);
    wanted.push(Request::Command(Command::Write { address: 2, value: 3 }));
    assert_eq!(questions, wanted);
    assert_eq!(line.positions(), [Placement::starting()]);
}

#[test]
fn sends_keep_their_distance() {
    for board in [Board::default(), Board::king_performance(), Board::named("e-one v2")] {
        let mut line = Line::settled(board);
        for _ in 0..20 {
            line.tell(Input::Survey(Station::ONLY));
            line.run(Duration::from_millis(10));
        }
        for pair in line.sent.windows(2) {
            assert!(pair[1].0.since(pair[0].0) >= Duration::from_millis(150), "{pair:?}");
        }
    }
}

#[test]
fn a_board_set_as_wanted_is_not_written() {
    let line = Line::settled(Board::default().with_register(2, 3).with_register(1, 255));
    assert_eq!(line.writes(), []);
}

#[test]
fn only_what_is_wrong_is_written() {
    let board = Board::default().with_register(0, 1).with_register(1, 3).with_register(2, 0x0b);
    let line = Line::settled(board);
    assert_eq!(line.writes(), [(0, 0), (1, 20)]);
}

#[test]
fn a_quiet_table_is_polled_every_two_seconds_and_reported_once() {
    let mut line = Line::settled(Board::default());
    let (polls, seen) = (line.sent.len(), line.seen.len());
    line.run(Duration::from_secs(60));
    assert_eq!(line.sent.len() - polls, 30);
    assert!(line.sent[polls..].iter().all(|(_, it)| is_poll(it)));
    assert_eq!(line.seen.len(), seen);
}

#[test]
fn a_change_is_seen_after_one_scan() {
    let mut line = Line::settled(Board::default());
    let (lifted, seen) = (line.now, line.seen.len());
    line.put(52, None);
    line.run(Duration::from_millis(100));
    let [(at, Sighting::Position(placement))] = &line.seen[seen..] else { panic!() };
    assert!(at.since(lifted) <= Duration::from_micros(20 * 2048));
    assert_eq!(placement.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR");
}

#[test]
fn a_lost_report_is_made_good_by_the_next_poll() {
    let mut line = Line::settled(Board::default());
    line.cut = true;
    line.put(52, None);
    line.run(Duration::from_millis(50));
    line.cut = false;
    assert_eq!(line.positions().last(), Some(&Placement::starting()));
    line.run(Duration::from_millis(2100));
    assert_ne!(line.positions().last(), Some(&Placement::starting()));
}

#[test]
fn a_survey_is_answered_at_once_and_says_the_same_again() {
    let mut line = Line::settled(Board::default());
    let (asked, seen) = (line.now, line.seen.len());
    line.tell(Input::Survey(Station::ONLY));
    line.run(Duration::from_millis(150));
    let [(at, Sighting::Position(placement))] = &line.seen[seen..] else { panic!() };
    assert!(at.since(asked) <= Duration::from_millis(150));
    assert_eq!(*placement, Placement::starting());
}

#[test]
fn a_board_that_takes_no_orders_is_used_as_it_is() {
    let mut line = Line::settled(Board::king_performance());
    line.run(Duration::from_secs(60));
    assert_eq!(line.writes(), [(2, 3)], "tried once, never again");
    assert_eq!(firmware(&line).as_deref(), Some("1.10"));
    line.put(52, None);
    line.run(Duration::from_millis(100));
    assert_eq!(line.positions().len(), 2);
    let polls = line.sent.iter().filter(|(_, it)| is_poll(it)).count();
    assert!(polls <= 2, "a board that reports every scan need not be asked: {polls}");
}

#[test]
fn a_board_that_reports_nothing_and_takes_no_orders_is_polled() {
    let mut line = Line::settled(Board::king_performance().with_register(2, 1));
    for square in 48..56 {
        line.put(square, None);
        line.run(Duration::from_millis(360));
        let last = *line.positions().last().unwrap();
        assert_eq!(last[Square::new(square).unwrap()], None);
    }
}

#[test]
fn a_board_that_does_not_tell_its_registers_is_never_written() {
    let mut line = Line::new(Board::default().with_register(2, 1));
    line.passes = |request| !matches!(request, Request::Command(Command::Read { .. }));
    line.tell(Input::Opened);
    line.run(Duration::from_secs(20));
    assert_eq!(line.writes(), []);
    let questions = line.sent.iter().filter(|(_, it)| READS.contains(it)).count();
    assert_eq!(questions, 3, "asked for the first, twice repeated, then left");
    line.put(0, None);
    line.run(Duration::from_millis(360));
    assert_eq!(line.positions().last().unwrap()[Square::new(0).unwrap()], None);
}

#[test]
fn a_board_that_does_not_tell_its_version_is_recognised_by_its_position() {
    let mut line = Line::new(Board::default());
    line.passes = |request| *request != Request::Command(Command::Version);
    line.tell(Input::Opened);
    line.run(Duration::from_secs(10));
    assert_eq!(line.count(|it| matches!(it, Sighting::Identified(_))), 1);
    assert_eq!(firmware(&line), None);
    assert_eq!(line.board.register(2), 3, "the setup went on");
}

#[test]
fn a_lost_answer_is_asked_for_again() {
    let mut line = Line::opened(Board::default().with_register(2, 1));
    line.cut = true;
    line.run(Duration::from_millis(1500));
    line.cut = false;
    line.run(Duration::from_secs(10));
    assert_eq!(line.count(|it| matches!(it, Sighting::Silent)), 0);
    assert_eq!(line.writes(), [(2, 3)]);
}

#[test]
fn silence_is_said_once_and_ends_with_everything_told_anew() {
    let mut line = Line::settled(Board::default());
    let seen = line.seen.len();
    line.cut = true;
    let cut = line.now;
    line.run(Duration::from_secs(60));
    let [(at, Sighting::Silent)] = line.seen[seen..] else { panic!("{:?}", &line.seen[seen..]) };
    assert!(at.since(cut) <= Duration::from_secs(5));
    line.cut = false;
    line.run(Duration::from_secs(2));
    let [(_, Sighting::Identified(_)), (back, Sighting::Position(_))] = &line.seen[seen + 1..]
    else {
        panic!("{:?}", &line.seen[seen + 1..]);
    };
    assert!(back.since(cut) <= Duration::from_secs(61));
    line.run(Duration::from_secs(60));
    assert_eq!(line.writes(), [(2, 3)], "what was written stays written");
    assert_eq!(line.count(|it| matches!(it, Sighting::Silent)), 1);
}

#[test]
fn an_empty_line_is_silent_once_and_asked_for_ever() {
    let mut line = Line::new(Board::default());
    line.cut = true;
    line.tell(Input::Opened);
    line.run(Duration::from_secs(70));
    assert_eq!(line.seen.len(), 1);
    assert_eq!(line.seen[0].1, Sighting::Silent);
    assert_eq!(line.sent.len(), 101, "one at once and one every 700 ms");
    assert!(line.sent.iter().all(|(_, it)| *it == Request::Command(Command::Version)));
}

#[test]
fn a_board_that_comes_and_goes_is_not_written_each_time() {
    let mut line = Line::settled(Board::king_performance());
    for _ in 0..20 {
        line.cut = true;
        line.run(Duration::from_secs(20));
        line.cut = false;
        line.run(Duration::from_secs(20));
    }
    assert_eq!(line.count(|it| matches!(it, Sighting::Silent)), 20);
    assert_eq!(line.writes(), [(2, 3)]);
}

#[test]
fn a_lost_survey_is_asked_again() {
    let mut line = Line::settled(Board::default());
    let seen = line.seen.len();
    line.passes = |request| !is_poll(request);
    line.tell(Input::Survey(Station::ONLY));
    line.run(Duration::from_millis(200));
    line.passes = |_| true;
    line.run(Duration::from_millis(700));
    assert_eq!(line.seen.len(), seen + 1);
}

#[test]
fn a_line_opened_again_keeps_the_distance() {
    let mut line = Line::settled(Board::default());
    line.tell(Input::Survey(Station::ONLY));
    line.run(Duration::from_millis(160));
    line.tell(Input::Survey(Station::ONLY));
    line.run(Duration::from_millis(1));
    line.tell(Input::Opened);
    line.run(Duration::from_secs(5));
    for pair in line.sent.windows(2) {
        assert!(pair[1].0.since(pair[0].0) >= Duration::from_millis(150), "{pair:?}");
    }
    assert_eq!(line.count(|it| matches!(it, Sighting::Position(_))), 4, "told anew");
}

/// Nobody knows whether the rest of it will come: it is asked for anew.
#[test]
fn a_message_under_way_when_the_line_is_opened_costs_only_itself() {
    let mut line = Line::new(Board::default().with_register(2, 1));
    let message = Answer::Board(Placement::starting()).encode();
    let (first, second) = message.split_at(30);
    line.tell(Input::Bytes(first));
    line.tell(Input::Opened);
    line.tell(Input::Bytes(second));
    assert_eq!(line.positions(), []);
    line.run(Duration::from_millis(500));
    assert_eq!(line.positions(), [Placement::starting()]);
}

#[test]
fn a_board_with_a_piece_it_cannot_read_is_no_silent_board() {
    let mut line = Line::settled(Board::default());
    line.cut = true;
    let unread = format!("s?{}", ".".repeat(63));
    let check = chesslink::frame::check_of(unread.as_bytes());
    let odd = |it: u8| if it.count_ones().is_multiple_of(2) { it | 0x80 } else { it };
    let message: Vec<u8> = unread.bytes().chain(check).map(odd).collect();
    let seen = line.seen.len();
    for _ in 0..10 {
        line.run(Duration::from_secs(3));
        line.tell(Input::Bytes(&message));
    }
    assert_eq!(line.seen.len(), seen);
}

#[test]
fn the_name_is_asked_for_from_version_two_on() {
    let name = Request::Command(Command::Name);
    let line = Line::settled(Board::default());
    assert!(line.sent.iter().all(|(_, it)| *it != name));
    let line = Line::settled(Board::named("e-one v2"));
    assert_eq!(line.sent.iter().filter(|(_, it)| *it == name).count(), 1);
    let model = line.seen.iter().rev().find_map(|(_, sighting)| match sighting {
        Sighting::Identified(identity) => identity.model.clone(),
        _ => None,
    });
    assert_eq!(model.as_deref(), Some("e-one v2"));
}

#[test]
fn one_who_was_not_told_to_begin_listens_only() {
    let mut line = Line::new(Board::default());
    line.run(Duration::from_secs(1));
    line.tell(Input::Survey(Station::ONLY));
    line.run(Duration::from_secs(1));
    line.tell(Input::Due);
    assert!(line.sent.is_empty());
    assert_eq!(Conversation::deadline(&line.device), None);
    assert_eq!(line.count(|it| matches!(it, Sighting::Identified(_))), 1);
    assert_eq!(line.positions(), [Placement::starting(); 2], "once for itself, once surveyed");
}

#[test]
fn a_reset_board_is_deaf_for_three_seconds() {
    let mut line = Line::settled(Board::default());
    let reset = [0x54, 0xb5, 0x34];
    line.happen(Stimulus::Host(&reset));
    let (seen, begun) = (line.seen.len(), line.now);
    line.put(52, None);
    line.run(Duration::from_secs(6));
    let [(at, Sighting::Position(_))] = line.seen[seen..] else { panic!() };
    assert!(at.since(begun) >= Duration::from_secs(3));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_was_done_on_the_board_is_seen(
        gestures in prop::collection::vec((0..64u8, 0..13usize, 0..1500u64), 1..40),
        turned: bool,
        reports in 0..8u8,
        obedient: bool,
    ) {
        let board = if obedient { Board::default() } else { Board::king_performance() };
        let mut line = Line::opened(board.with_register(2, reports));
        let mut truth = Placement::starting();
        if turned {
            truth = truth.turned();
        }
        line.happen(Change::Board(&truth).here());
        let mut history = vec![Placement::starting(), truth];
        for (square, piece, wait) in gestures {
            let piece = Piece::ALL.get(piece).copied();
            truth[Square::new(square).unwrap()] = piece;
            history.push(truth);
            line.put(square, piece);
            line.run(Duration::from_millis(wait));
        }
        line.run(Duration::from_millis(2500));
        prop_assert_eq!(line.positions().last().copied(), Some(truth));
        let mut past = history.iter();
        for shown in line.positions() {
            // In order, though not each: two gestures within one scan look like one.
            let known = past.any(|it| *it == shown);
            prop_assert!(known, "{} was not there after what was shown before", shown);
        }
    }
}

#[test]
fn moments_do_not_matter_only_distances_do() {
    let mut early = Line::new(Board::default());
    let mut late = Line::new(Board::default());
    late.now = Moment::from_micros(1 << 50);
    for line in [&mut early, &mut late] {
        line.tell(Input::Opened);
        line.run(Duration::from_secs(5));
    }
    let requests = |line: &Line| line.sent.iter().map(|(_, it)| *it).collect::<Vec<_>>();
    assert_eq!(requests(&early), requests(&late));
}
