//! Conversations with emulated boards in virtual time: what is seen, how late, and what is not.
//! Not how frames are read.

use std::time::Duration;

use crate::common::{Line, hear, named, set_up, sightings};
use certabo::frame::{Lamps, Message};
use certabo::{
    Board, Certabo, DRIVER, Decoder, Emulated, Men, SensorBoard, TABUTRONIC, Tabutronic,
};
use eboard::{
    Anomaly, Carrier, Change, Conversation, Driver, Emulator, Input, Moment, Occupancy, Piece,
    Placement, Probe, Probed, Said, Sighting, Square, Station, Stimulus,
};
use proptest::prelude::*;

/// From frame to frame, milliseconds.
const FRAME: u64 = 222;

fn certabo(board: Board) -> Line {
    Line::opened(Box::new(Certabo::default()), Box::new(board))
}

fn tabutronic() -> Line {
    Line::opened(Box::new(Tabutronic::default()), Box::new(SensorBoard::default()))
}

fn taught(board: Board) -> Line {
    let mut line = certabo(board);
    line.run(2000);
    assert_eq!(line.picture(), Some(Placement::starting()));
    line
}

fn squares(line: &Line) -> Vec<(Square, Option<Piece>)> {
    let square = |it: &(Moment, Sighting)| match it.1 {
        Sighting::Square { square, piece } => Some((square, piece)),
        _ => None,
    };
    line.seen.iter().filter_map(square).collect()
}

#[test]
fn a_board_is_recognised_with_one_frame_and_told_with_three() {
    let line = taught(Board::default());
    let [(recognised, Sighting::Identified(who)), (reported, Sighting::Position(board))] =
        &line.seen[..]
    else {
        panic!("{:?}", line.seen)
    };
    assert_eq!((&*who.driver, *board), ("certabo", Placement::starting()));
    assert_eq!(reported.since(*recognised), Duration::from_millis(2 * FRAME));
}

#[test]
fn lifts_and_moves_come_in_the_order_a_hand_must_have() {
    let mut line = taught(Board::default());
    line.put("e2", None);
    line.run(1500);
    line.put("e4", Some(Piece::WhitePawn));
    line.run(1500);
    let pawn = Some(Piece::WhitePawn);
    assert_eq!(squares(&line), [(named("e2"), None), (named("e4"), pawn)]);
    // Put down before it was lifted, within one frame.
    line.put("e5", Some(Piece::BlackPawn));
    line.put("e7", None);
    line.run(1500);
    let pawn = Some(Piece::BlackPawn);
    assert_eq!(squares(&line)[2..], [(named("e7"), None), (named("e5"), pawn)]);
}

#[test]
fn a_capture_changes_the_square_without_an_empty_one_between() {
    let mut line = taught(Board::default());
    line.put("d7", Some(Piece::WhitePawn));
    line.put("e2", None);
    line.run(1500);
    let wanted = [(named("e2"), None), (named("d7"), Some(Piece::WhitePawn))];
    assert_eq!(squares(&line), wanted);
}

/// Milliseconds from a deed to the sighting of this square, shortest first, over deeds at
/// many phases of a frame.
fn delays(board: impl Fn(u64) -> Board, deed: impl Fn(&mut Line), reported: &str) -> Vec<u64> {
    let delay = |phase| {
        let mut line = taught(board(phase));
        line.run(phase);
        let start = line.now;
        deed(&mut line);
        line.run(3000);
        let changes = line.seen.iter().filter(|(at, _)| *at > start);
        let about = |it: &Sighting| match it {
            Sighting::Square { square, .. } => *square == named(reported),
            _ => false,
        };
        let reported = changes.into_iter().find(|(_, it)| about(it)).expect("the deed is seen");
        u64::try_from(reported.0.since(start).as_millis()).expect("milliseconds of seconds")
    };
    let mut delays: Vec<u64> = (0..FRAME).step_by(3).map(delay).collect();
    delays.sort_unstable();
    delays
}

fn lift(line: &mut Line) {
    line.put("e2", None);
}

fn make_move(line: &mut Line) {
    line.put("e2", None);
    line.put("e4", Some(Piece::WhitePawn));
}

#[test]
fn a_move_is_told_within_three_frames_and_a_lift_within_four() {
    // A frame shows the squares as they were when it began, and then takes a frame's time: a deed
    // waits for the next frame to begin, and then for as many as it needs.
    for (deed, reported, frames) in
        [(make_move as fn(&mut Line), "e4", 2), (make_move, "e2", 2), (lift, "e2", 3)]
    {
        let delays = delays(|_| Board::default(), deed, reported);
        let (first, last) = (delays[0], delays[delays.len() - 1]);
        assert!((1..=3).contains(&(first - frames * FRAME)), "{first}");
        assert!((0..=3).contains(&((frames + 1) * FRAME - last)), "{last}");
    }
}

#[test]
fn ghosts_cost_no_time_and_a_miss_costs_two_frames() {
    let weak = |seed| Board::with(Men::default().noisy(seed));
    for (deed, frames) in [(make_move as fn(&mut Line), 3), (lift, 4)] {
        let delays = delays(weak, deed, "e2");
        let late = delays.iter().filter(|delay| **delay > frames * FRAME).count();
        println!("{late} of {} late, the last {:?} ms", delays.len(), delays.last());
        assert!(late <= 2, "one reading in 500 fails: {late}");
        assert!(delays.iter().all(|delay| *delay <= (frames + 2) * FRAME), "{delays:?}");
    }
}

#[test]
fn a_touch_shorter_than_two_frames_is_not_seen() {
    let mut line = taught(Board::default());
    line.put("e2", None);
    line.run(2 * FRAME);
    line.put("e2", Some(Piece::WhitePawn));
    line.run(3000);
    assert_eq!(squares(&line), []);
}

#[test]
fn an_untouched_table_with_a_weak_reader_is_quiet_for_a_quarter_of_an_hour() {
    let mut line = taught(Board::with(Men::default().noisy(7)));
    line.run(900_000);
    assert_eq!(squares(&line), []);
    assert_eq!(line.count(|it| matches!(it, Sighting::Position(_))), 1);
}

#[test]
fn a_promotion_with_a_spare_queen_that_was_shown() {
    let mut line = certabo(Board::with(Men::boxed()));
    for (square, queen) in [("d3", Piece::WhiteQueen), ("d6", Piece::BlackQueen)] {
        line.put(square, Some(queen));
    }
    line.run(2000);
    for square in ["d3", "d6"] {
        line.put(square, None);
    }
    line.put("h2", None);
    line.put("g8", Some(Piece::WhiteQueen));
    line.run(2000);
    let wanted = "rnbqkbQr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR";
    assert_eq!(line.picture().map(|it| it.to_string()).as_deref(), Some(wanted));
    // The third queen comes from another table: nobody knows her.
    line.put("a8", Some(Piece::WhiteQueen));
    line.run(2000);
    let wanted = "1nbqkbQr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR";
    assert_eq!(line.picture().map(|it| it.to_string()).as_deref(), Some(wanted));
}

#[test]
fn a_man_who_is_on_his_way_teaches_nothing() {
    // A spare queen put where the other one is shown, just after a man was lifted: as long as the
    // lift is not believed, the picture looks like a lesson.
    let mut line = certabo(Board::with(Men::boxed()));
    line.put("d3", Some(Piece::WhiteQueen));
    line.run(2000);
    line.put("d3", None);
    line.run(2000);
    line.put("a2", None);
    line.put("d6", Some(Piece::WhiteQueen));
    line.run(2000);
    let wanted = "rnbqkbnr/pppppppp/3Q4/8/8/8/1PPPPPPP/RNBQKBNR";
    assert_eq!(line.picture().map(|it| it.to_string()).as_deref(), Some(wanted));
}

#[test]
fn an_emulated_board_needs_no_spare_queens_shown() {
    let mut line = taught(Board::default());
    line.put("h2", None);
    line.put("h8", Some(Piece::WhiteQueen));
    line.run(2000);
    let wanted = "rnbqkbnQ/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR";
    assert_eq!(line.picture().map(|it| it.to_string()).as_deref(), Some(wanted));
}

#[test]
fn a_survey_is_answered_with_the_next_frame() {
    for mut line in [certabo(Board::default()), tabutronic()] {
        line.run(2000);
        let before = line.seen.len();
        line.tell(Input::Survey(Station::ONLY));
        line.run(FRAME);
        let [(_, Sighting::Position(_) | Sighting::Occupancy(_))] = line.seen[before..] else {
            panic!("{:?}", &line.seen[before..])
        };
    }
}

#[test]
fn a_board_set_up_anew_is_told_whole() {
    let mut line = taught(Board::default());
    line.happen(Change::Board(&Placement::EMPTY).here());
    line.run(2000);
    assert_eq!(line.picture(), Some(Placement::EMPTY));
    assert_eq!(squares(&line), []);
}

#[test]
fn a_dead_line_is_silent_once_and_what_was_taught_stays() {
    for mut line in [taught(Board::default()), tabutronic()] {
        line.run(60_000);
        assert_eq!(line.count(|it| *it == Sighting::Silent), 0);
        line.cut = true;
        let cut = line.now;
        line.put("e2", None);
        line.run(60_000);
        let silent = line.seen.last().cloned().expect("something was seen");
        assert_eq!(silent.1, Sighting::Silent);
        assert!(silent.0.since(cut) <= Duration::from_secs(5));
        assert_eq!(line.count(|it| *it == Sighting::Silent), 1);
        line.cut = false;
        let before = line.seen.len();
        line.run(2000);
        let back = &line.seen[before..];
        let [(_, Sighting::Identified(_)), (_, whole)] = back else { panic!("{back:?}") };
        let mut wanted = Placement::starting();
        wanted[named("e2")] = None;
        let wanted = [Sighting::Position(wanted), Sighting::Occupancy(wanted.occupancy())];
        assert!(wanted.contains(whole), "{whole:?}");
    }
}

#[test]
fn an_occupancy_board_is_recognised_with_three_frames_in_a_row() {
    let frame = Message::Occupied(Occupancy(0xffff_0000_0000_ffff)).encode();
    let tags = Message::Tags(Box::new(set_up(1))).encode();
    let after = |between: &[u8]| {
        let mut device = Tabutronic::default();
        let mut out = Vec::new();
        let bytes = [&frame, &frame, between, &frame].concat();
        Conversation::handle(&mut device, Moment::ZERO, Input::Bytes(&bytes), &mut out);
        sightings(out).len()
    };
    assert_eq!(after(b""), 2, "who is there, and the board");
    assert_eq!(after(b"L\r\n"), 2);
    assert_eq!(after(b"x\r\n"), 0);
    assert_eq!(after(&tags), 0);
}

#[test]
fn each_kind_refuses_the_frames_of_the_other() {
    let ranks = Message::Occupied(Occupancy::default()).encode().repeat(5);
    let tags = Message::Tags(Box::new(set_up(1))).encode().repeat(5);
    for (driver, bytes) in [(&DRIVER, ranks), (&TABUTRONIC, tags)] {
        let mut device = (driver.converse)();
        let mut out = Vec::new();
        device.handle(Moment::ZERO, Input::Bytes(&bytes), &mut out);
        assert_eq!(out, vec![eboard::Output::Noise(Anomaly::BadLength); 5]);
    }
}

#[test]
fn one_damaged_occupancy_frame_changes_nothing() {
    let mut line = tabutronic();
    line.run(2000);
    let before = line.seen.len();
    // 255 that lost a digit: there is no check to tell.
    line.tell(Input::Bytes(b":255 255 0 0 0 0 25 255 \r\n"));
    line.run(2000);
    assert_eq!(line.seen.len(), before);
    line.put("e2", None);
    line.run(3 * FRAME);
    let presence = Sighting::Presence { square: named("e2"), occupied: false };
    assert_eq!(line.seen[before..].iter().map(|it| &it.1).collect::<Vec<_>>(), [&presence]);
}

#[test]
fn emulated_boards_acknowledge_every_eight_bytes_for_the_lamps() {
    let mut board = Board::default();
    let mut reported = |stimulus| {
        let mut out = Said::default();
        board.handle(Moment::ZERO, stimulus, &mut out);
        out.bytes()
    };
    reported(Stimulus::Due);
    assert_eq!(reported(Stimulus::Host(&[0; 7])), b"");
    let out = reported(Stimulus::Host(&[0xff; 9]));
    assert_eq!(Decoder::default().feed(&out), vec![Ok(Message::Lit(Lamps::Mono)); 2]);
}

/// A search over both languages, as the house does it.
fn search(board: &mut dyn Emulator) -> (&'static Driver, Duration) {
    let start = Moment::from_micros(1_000_000);
    let mut probe = Probe::new(start, &[&TABUTRONIC, &DRIVER], Carrier::Serial);
    let mut now = start;
    loop {
        let mut out = Vec::new();
        let wakes =
            [probe.deadline(), board.deadline()].map(|it| it.expect("both want to be woken").0);
        now = now.max(wakes[0].min(wakes[1]));
        if wakes[1] <= now {
            let mut bytes = Said::default();
            board.handle(now, Stimulus::Due, &mut bytes);
            let bytes = bytes.bytes();
            probe.heard(now, &bytes, &mut out);
        } else {
            probe.due(now, &mut out);
        }
        for probed in out {
            match probed {
                Probed::Set(settings) => assert_eq!(settings.baud, 38400),
                Probed::Send(bytes) => panic!("nothing is ever sent: {bytes:02x?}"),
                Probed::Found { driver, .. } => return (driver, now.since(start)),
            }
        }
    }
}

#[test]
fn a_search_finds_each_board_while_it_only_listens() {
    let listen = Duration::from_millis(1500);
    let (driver, after) = search(&mut Board::default());
    assert!(*driver == DRIVER && after < listen, "{driver:?} {after:?}");
    let (driver, after) = search(&mut SensorBoard::default());
    assert!(*driver == TABUTRONIC && after < listen, "{driver:?} {after:?}");
}

#[test]
fn what_a_search_has_learned_is_kept_when_the_line_is_opened() {
    let mut device = Certabo::default();
    assert_eq!(hear(&mut device, &[set_up(1); 3]).len(), 2);
    let mut out = Vec::new();
    Conversation::handle(&mut device, Moment::ZERO, Input::Opened, &mut out);
    assert_eq!(out, []);
    let seen = hear(&mut device, &[set_up(1)]);
    let [Sighting::Identified(_), Sighting::Position(board)] = seen[..] else { panic!("{seen:?}") };
    assert_eq!(board, Placement::starting());
}

/// Some man of those on the board, some square, and whether he is first held for a while.
type Gesture = (usize, u8, u64, bool);

fn any_gestures() -> impl Strategy<Value = Vec<Gesture>> {
    prop::collection::vec((any::<usize>(), 0..64u8, 0..1200u64, any::<bool>()), 1..20)
}

/// Carries men about, and queens from beside the board; what stands there at the end.
fn play(line: &mut Line, gestures: &[Gesture], from: Placement) -> Placement {
    let mut board = from;
    for &(man, to, ms, promotes) in gestures {
        let men: Vec<Square> = Square::all().filter(|&square| board[square].is_some()).collect();
        let from = men[man % men.len()];
        let to = Square::new(to).expect("below 64");
        let mut piece = board[from].take();
        line.happen(Change::Square { square: from, piece: None }.here());
        line.run(ms);
        let queens = Square::all().filter(|&square| board[square] == Some(Piece::WhiteQueen));
        if promotes && piece == Some(Piece::WhitePawn) && queens.count() < 2 {
            piece = Some(Piece::WhiteQueen);
        }
        board[to] = piece;
        line.happen(Change::Square { square: to, piece }.here());
        line.run(1200 - ms);
    }
    board
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_hands_do_is_what_is_seen(
        gestures in any_gestures(), turned in any::<bool>(), noise in any::<Option<u64>>(),
    ) {
        let men = noise.into_iter().fold(Men::boxed(), Men::noisy);
        let mut line = certabo(Emulated::with(men));
        let mut shown = Placement::starting();
        shown[named("d3")] = Some(Piece::WhiteQueen);
        shown[named("d6")] = Some(Piece::BlackQueen);
        let start = Placement::starting();
        let [shown, start] = [shown, start].map(|it| if turned { it.turned() } else { it });
        line.happen(Change::Board(&shown).here());
        line.run(3000);
        prop_assert_eq!(line.picture(), Some(shown));
        line.happen(Change::Board(&start).here());
        line.run(3000);
        let board = play(&mut line, &gestures, start);
        line.run(3000);
        prop_assert_eq!(line.picture(), Some(board));
    }

    #[test]
    fn any_man_anywhere_is_seen_by_its_kind(
        placements in prop::collection::vec(any::<[Option<u8>; 64]>(), 1..6),
    ) {
        let mut line = taught(Board::default());
        for contents in placements {
            let piece = |it: Option<u8>| it.map(|it| Piece::ALL[usize::from(it % 12)]);
            let placement = Placement::from_squares(contents.map(piece));
            line.happen(Change::Board(&placement).here());
            line.run(2000);
            prop_assert_eq!(line.picture(), Some(placement));
        }
    }

    #[test]
    fn occupied_squares_are_seen(gestures in any_gestures()) {
        let mut line = tabutronic();
        line.run(2000);
        let board = play(&mut line, &gestures, Placement::starting());
        line.run(3000);
        prop_assert_eq!(line.occupancy(), Some(board.occupancy()));
        prop_assert_eq!(line.picture(), None);
    }

    #[test]
    fn nothing_brings_a_conversation_down(
        pieces in prop::collection::vec(
            (prop::collection::vec(prop_oneof![
                any::<u8>(), prop::sample::select(&b":0123 \r\nLD"[..])], 0..300), 0..7000u64),
            0..12),
    ) {
        for driver in [&DRIVER, &TABUTRONIC] {
            let mut line = Line::opened((driver.converse)(), (driver.emulate)());
            for (bytes, ms) in &pieces {
                line.tell(Input::Bytes(bytes));
                line.tell(Input::Survey(Station::ONLY));
                line.run(*ms);
            }
            line.run(3000);
            let wanted = Placement::starting();
            let seen = line.picture().map(|it| it.occupancy()).or(line.occupancy());
            prop_assert_eq!(seen, Some(wanted.occupancy()), "{:?}", driver);
        }
    }
}
