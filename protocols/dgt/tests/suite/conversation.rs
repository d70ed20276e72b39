//! The order of a conversation: who says what, when, and what happens when nobody answers.

use std::time::Duration;

use dgt::{Command, Frame};
use eboard::{
    Battery, Change, ClockFace, Dial, Disturbance, Emulator, FaceTime, FlagMark, Input, Moment,
    Piece, Placement, Side, Sighting, Square, Station,
};

use crate::bench::Bench;

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn face(seconds: u32, running: bool) -> ClockFace {
    let dial = Dial { time: FaceTime::from_hms(0, 0, seconds), ..Dial::default() };
    ClockFace { left: dial, right: dial, running, lever: Side::Left, low_battery: false }
}

fn e4() -> Square {
    Square::at(4, 3).expect("e4 is a square")
}

const fn is_position(sighting: &Sighting) -> bool {
    matches!(sighting, Sighting::Position(_))
}

#[test]
fn a_line_not_opened_is_never_written_to() {
    let mut bench = Bench::new();
    let mut bytes = Vec::new();
    Frame::Board((&Placement::starting()).into()).encode(&mut bytes);
    bench.input(Input::Bytes(&bytes));
    bench.input(Input::Bytes(&[0x01, 0x02]));
    bench.input(Input::Survey(Station::ONLY));
    bench.input(Input::Due);
    bench.run(seconds(100));
    assert_eq!(bench.sent, []);
    assert_eq!(bench.identities().len(), 1, "it recognises what it hears all the same");
    assert_eq!(bench.saw(is_position), 1);
}

#[test]
fn the_handshake_keeps_its_times() {
    let mut bench = Bench::new();
    bench.board.set_serials(&["3000147740"]);
    let opened = bench.now;
    bench.input(Input::Opened);
    bench.run(seconds(2));
    assert_eq!(bench.sent_bytes(), [0x4d, 0x55, 0x45, 0x4b, 0x42, 0x41, 0x47, 0x4c]);
    assert_eq!(bench.sent[0].0.since(opened), Duration::from_millis(200));
    for pair in bench.sent.windows(2) {
        // Updates are switched on without an answer, and a clock tells its times unasked too.
        let answered = ![0x4b, 0x41].contains(&pair[0].1);
        let least = Duration::from_millis(if answered { 10 } else { 100 });
        assert!(pair[1].0.since(pair[0].0) >= least, "{pair:?}");
    }
    let dump_after = bench.times_sent(0x42)[0].since(opened);
    assert!(dump_after <= Duration::from_millis(400), "the board is known early: {dump_after:?}");
}

#[test]
fn who_was_recognised_in_a_search_is_asked_at_once_and_not_for_what_is_known() {
    let mut bench = Bench::new();
    bench.input(Input::Opened);
    bench.run(Duration::from_millis(205));
    assert_eq!(bench.sent_bytes(), [0x4d]);
    let found = bench.now;
    bench.input(Input::Opened);
    bench.run(seconds(1));
    assert!(bench.sent[1].0.since(found) <= Duration::from_millis(10), "at once, at the pace");
    assert_eq!(bench.sent_bytes()[1..], [0x55, 0x45, 0x4b, 0x42, 0x41, 0x47, 0x4c]);
    assert_eq!(bench.identities()[0].firmware.as_deref(), Some("3.1"));
}

#[test]
fn an_identity_grows_and_never_repeats_itself() {
    let mut bench = Bench::new();
    bench.board.set_serials(&["3000147740"]);
    bench.input(Input::Opened);
    bench.run(seconds(200));
    let identities = bench.identities();
    for pair in identities.windows(2) {
        assert_ne!(pair[0], pair[1]);
    }
    assert_eq!(identities[0].driver, "dgt");
    assert_eq!(identities[0].firmware.as_deref(), Some("3.1"));
    let last = identities[identities.len() - 1];
    assert_eq!(last.serial.as_deref(), Some("3000147740"));
    assert_eq!(last.model.as_deref(), Some("adoubed virtual board"));
    let mut serials: Vec<_> = identities.iter().filter_map(|it| it.serial.as_deref()).collect();
    serials.dedup();
    assert_eq!(serials, ["3000147740"], "the short number is not shown first");
}

#[test]
fn a_board_without_introduction_is_recognised() {
    let mut bench = Bench::new();
    bench.joined = false;
    bench.input(Input::Opened);
    bench.run(seconds(1));
    bench.input(Input::Bytes(&[0x93, 0x00, 0x05, 0x01, 0x07]));
    assert_eq!(bench.identities()[0].firmware.as_deref(), Some("1.7"));
}

#[test]
fn hands_and_dials_are_seen_as_they_move() {
    let mut bench = Bench::ready();
    bench.forget();
    bench.stimulus(Change::Square { square: e4(), piece: Some(Piece::WhitePawn) }.here());
    let clock = face(42, true);
    bench.stimulus(Change::Clock(Some(clock)).here());
    bench.stimulus(Change::Clock(None).here());
    let seen: Vec<_> = bench.seen.iter().map(|(_, sighting)| sighting.clone()).collect();
    assert_eq!(
        seen,
        [
            Sighting::Square { square: e4(), piece: Some(Piece::WhitePawn) },
            Sighting::Clock(clock),
            Sighting::ClockLost,
        ]
    );
}

#[test]
fn a_survey_asks_board_and_clock_at_once() {
    let mut bench = Bench::ready();
    bench.run(seconds(10));
    bench.forget();
    let asked = bench.now;
    bench.input(Input::Survey(Station::ONLY));
    bench.run(Duration::from_millis(150));
    assert_eq!(bench.sent_bytes(), [0x42, 0x41]);
    assert_eq!(bench.times_sent(0x42), [asked]);
    assert_eq!(bench.saw(is_position), 1);
    assert_eq!(bench.saw(|it| *it == Sighting::ClockLost), 1);
}

/// In nice mode the frame of a fallen flag comes once; here it is lost.
#[test]
fn a_lost_flag_frame_is_asked_for() {
    let mut bench = Bench::ready();
    bench.stimulus(Change::Clock(Some(face(1, true))).here());
    bench.joined = false;
    let mut fallen = face(0, false);
    fallen.left.flag = FlagMark::Final;
    bench.run(seconds(1));
    let fell = bench.now;
    bench.stimulus(Change::Clock(Some(fallen)).here());
    bench.joined = true;
    bench.forget();
    bench.run(seconds(2));
    let (at, _) = bench
        .seen
        .iter()
        .find(|(_, sighting)| *sighting == Sighting::Clock(fallen))
        .expect("the flag is seen");
    assert!(at.since(fell) <= Duration::from_millis(200), "{:?}", at.since(fell));
}

/// Frames of a clock have no checksum: a sign that was not there before is asked for once more.
#[test]
fn a_flag_is_asked_for_once_more_and_then_as_a_clock_that_stands() {
    let mut bench = Bench::ready();
    bench.stimulus(Change::Clock(Some(face(300, true))).here());
    let mut fallen = face(0, false);
    fallen.left.flag = FlagMark::Final;
    bench.stimulus(Change::Clock(Some(fallen)).here());
    bench.forget();
    let fell = bench.now;
    bench.run(seconds(4));
    let asked = bench.times_sent(0x41);
    let after: Vec<_> = asked.iter().map(|at| at.since(fell).as_millis() / 100).collect();
    assert_eq!(after, [5], "half a second later, and not again within four");
}

/// What is no face is not taken for one, and what was lost is asked for.
#[test]
fn disturbances_of_the_clock_change_nothing_of_what_it_shows() {
    let mut bench = Bench::ready();
    bench.stimulus(Change::Clock(Some(face(50, true))).here());
    bench.forget();
    for disturbance in [Disturbance::Null, Disturbance::Button, Disturbance::Lost(1)] {
        bench.stimulus(Change::Disturbed(disturbance).here());
    }
    let shown = face(49, true);
    bench.stimulus(Change::Clock(Some(shown)).here());
    assert_eq!(bench.seen, []);
    bench.run(seconds(2));
    let seen: Vec<_> = bench.seen.iter().map(|(_, sighting)| sighting.clone()).collect();
    assert_eq!(seen, [Sighting::Clock(shown)]);
    assert_eq!(bench.noise, 0);
}

#[test]
fn a_clock_that_ticks_is_not_asked() {
    let mut bench = Bench::ready();
    bench.run(seconds(5));
    for second in (30..60).rev() {
        bench.stimulus(Change::Clock(Some(face(second, true))).here());
        if second == 59 {
            bench.forget();
        }
        bench.run(seconds(1));
    }
    assert_eq!(bench.times_sent(0x41), []);
}

#[test]
fn lost_updates_are_found_within_half_a_minute() {
    let mut bench = Bench::ready();
    bench.stimulus(Change::Board(&Placement::EMPTY).here());
    bench.forget();
    bench.run(seconds(31));
    assert_eq!(bench.times_sent(0x42).len(), 2, "once, and once more as it says something else");
    assert_eq!(bench.saw(|it| *it == Sighting::Position(Placement::EMPTY)), 1);
}

#[test]
fn changes_are_confirmed_when_the_hands_rest() {
    let mut bench = Bench::ready();
    bench.run(seconds(3));
    bench.forget();
    let lift = Change::Square { square: e4(), piece: None }.here();
    let put = Change::Square { square: e4(), piece: Some(Piece::WhitePawn) }.here();
    for _ in 0..4 {
        bench.stimulus(put);
        bench.run(Duration::from_millis(300));
        bench.stimulus(lift);
        bench.run(Duration::from_millis(300));
    }
    assert_eq!(bench.times_sent(0x42), [], "a hand is over the board");
    let rests = bench.now;
    bench.run(seconds(10));
    let dumps = bench.times_sent(0x42);
    assert_eq!(dumps.len(), 1, "{dumps:?}");
    assert!(dumps[0].since(rests) <= seconds(1));
    let (mut first, mut asked) = (true, Vec::new());
    bench.forget();
    while bench.now.since(rests) < seconds(30) {
        bench.stimulus(if first { put } else { lift });
        first = !first;
        bench.run(Duration::from_millis(500));
        asked = bench.times_sent(0x42);
    }
    assert!((3..=5).contains(&asked.len()), "hands that never rest: {asked:?}");
}

/// Puts a pawn on e4 of which the host hears that it is on d4.
fn misheard() -> Bench {
    let mut bench = Bench::ready();
    bench.run(seconds(3));
    bench.joined = false;
    bench.stimulus(Change::Square { square: e4(), piece: Some(Piece::WhitePawn) }.here());
    bench.joined = true;
    bench.input(Input::Bytes(&[0x8e, 0x00, 0x05, 0x23, 0x01]));
    bench.forget();
    bench
}

#[test]
fn a_damaged_change_is_put_right_by_two_dumps() {
    let mut bench = misheard();
    let heard = bench.now;
    bench.run(seconds(2));
    assert_eq!(bench.times_sent(0x42).len(), 2);
    let mut stands = Placement::starting();
    stands[e4()] = Some(Piece::WhitePawn);
    let reported: Vec<_> = bench.seen.iter().filter(|(_, it)| is_position(it)).collect();
    assert_eq!(reported.len(), 1);
    assert_eq!(reported[0].1, Sighting::Position(stands));
    assert!(reported[0].0.since(heard) <= Duration::from_millis(1200));
}

#[test]
fn a_damaged_dump_is_never_told() {
    let mut bench = Bench::ready();
    bench.run(seconds(3));
    bench.forget();
    let mut bytes = Vec::new();
    let mut damaged = Placement::starting();
    damaged[e4()] = Some(Piece::WhitePawn);
    Frame::Board((&damaged).into()).encode(&mut bytes);
    bench.input(Input::Bytes(&bytes));
    bench.run(seconds(5));
    assert_eq!(bench.times_sent(0x42).len(), 1);
    let reported: Vec<_> =
        bench.seen.iter().map(|(_, it)| it).filter(|it| is_position(it)).collect();
    assert_eq!(reported, [&Sighting::Position(Placement::starting())]);
}

#[test]
fn a_dump_that_nobody_confirms_is_taken_all_the_same() {
    let mut bench = Bench::ready();
    bench.run(seconds(3));
    bench.forget();
    bench.joined = false;
    let mut bytes = Vec::new();
    Frame::Board((&Placement::EMPTY).into()).encode(&mut bytes);
    bench.input(Input::Bytes(&bytes));
    bench.run(seconds(2));
    assert_eq!(bench.saw(|it| *it == Sighting::Position(Placement::EMPTY)), 1);
}

#[test]
fn a_board_that_lost_its_power_for_a_moment_tells_of_changes_again() {
    let mut bench = Bench::ready();
    bench.board = dgt::VirtualBoard::new();
    bench.run(seconds(31));
    bench.forget();
    bench.stimulus(Change::Square { square: e4(), piece: Some(Piece::WhitePawn) }.here());
    assert_eq!(bench.seen.len(), 1);
}

#[test]
fn a_dump_that_contradicts_the_updates_switches_them_on_again() {
    let mut bench = Bench::ready();
    bench.run(seconds(3));
    bench.board = dgt::VirtualBoard::new();
    bench.stimulus(Change::Board(&Placement::EMPTY).here());
    bench.input(Input::Survey(Station::ONLY));
    bench.run(seconds(1));
    bench.forget();
    bench.stimulus(Change::Square { square: e4(), piece: Some(Piece::WhitePawn) }.here());
    assert_eq!(bench.seen.len(), 1);
}

#[test]
fn nothing_is_sent_before_the_line_has_settled() {
    let mut bench = Bench::new();
    let opened = bench.now;
    bench.input(Input::Opened);
    bench.input(Input::Survey(Station::ONLY));
    bench.run(seconds(1));
    assert!(bench.sent[0].0.since(opened) >= Duration::from_millis(200));
}

#[test]
fn noise_asks_for_a_dump_but_not_more_than_once_a_second() {
    let mut bench = Bench::ready();
    bench.run(seconds(3));
    bench.forget();
    for _ in 0..100 {
        bench.input(Input::Bytes(&[0x8e, 0x00, 0x05, 0x34, 0x7f]));
        bench.run(Duration::from_millis(100));
    }
    let dumps = bench.times_sent(0x42);
    assert!((9..=11).contains(&dumps.len()), "{dumps:?}");
    for pair in dumps.windows(2) {
        assert!(pair[1].since(pair[0]) >= seconds(1));
    }
    assert_eq!(bench.noise, 100);
}

#[test]
fn silence_is_told_once_and_the_return_is_noticed() {
    let mut bench = Bench::ready();
    bench.joined = false;
    let gone = bench.now;
    bench.forget();
    bench.run(seconds(120));
    let silences: Vec<_> =
        bench.seen.iter().filter(|(_, it)| *it == Sighting::Silent).map(|(at, _)| *at).collect();
    assert_eq!(silences.len(), 1);
    assert!(silences[0].since(gone) <= seconds(8));
    assert!(bench.sent.iter().all(|(at, byte)| *at < silences[0] || *byte == 0x45));
    let last_minute = |moment: &Moment| moment.since(gone) >= seconds(60);
    let asked = bench.sent.iter().filter(|(at, _)| last_minute(at)).count();
    assert!((5..=7).contains(&asked), "every ten seconds, and nothing else: {asked}");

    bench.forget();
    bench.joined = true;
    bench.run(seconds(11));
    let sent = bench.sent_bytes();
    for order in [0x4b, 0x42, 0x41] {
        assert!(sent.contains(&order), "{order:02x} in {sent:02x?}");
    }
    assert_eq!(bench.saw(is_position), 1);
    assert_eq!(bench.saw(|it| *it == Sighting::Silent), 0);
}

#[test]
fn a_log_nobody_asked_for_is_no_silence() {
    let mut bench = Bench::ready();
    bench.joined = false;
    bench.forget();
    bench.input(Input::Bytes(&[0x8f, 0x3e, 0x03]));
    for _ in 0..62 {
        bench.run(Duration::from_millis(133));
        bench.input(Input::Bytes(&[0x7f; 128]));
    }
    assert_eq!(bench.saw(|it| *it == Sighting::Silent), 0);
    assert_eq!(bench.noise, 0);
}

#[test]
fn a_battery_is_asked_every_minute_only_if_it_answers() {
    let mut without = Bench::ready();
    without.run(seconds(600));
    assert_eq!(without.times_sent(0x4c).len(), 1);

    let battery = Battery { percent: 88, charging: false };
    let mut with = Bench::new();
    with.board.set_battery(Some(battery));
    with.input(Input::Opened);
    with.run(seconds(605));
    assert_eq!(with.times_sent(0x4c).len(), 11);
    assert_eq!(with.saw(|it| *it == Sighting::Battery(battery)), 11);
}

#[test]
fn another_board_on_the_same_line_gets_its_own_identity() {
    let mut bench = Bench::ready();
    bench.board = dgt::VirtualBoard::new();
    bench.board.set_serials(&["54321"]);
    bench.board.set_version(dgt::Version { major: 1, minor: 7 });
    bench.forget();
    bench.run(seconds(40));
    let identities = bench.identities();
    let last = identities[identities.len() - 1];
    assert_eq!(last.serial.as_deref(), Some("54321"));
    assert_eq!(last.firmware.as_deref(), Some("1.7"));
}

#[test]
fn acknowledgements_and_null_reports_are_no_times() {
    let mut bench = Bench::ready();
    bench.forget();
    for report in [
        [0x8d, 0x00, 0x0a, 0, 0, 0, 0, 0, 0, 0],
        [0x8d, 0x00, 0x0a, 0x0a, 0x10, 0x08, 0x2a, 0x05, 0x31, 0x00],
        [0x8d, 0x00, 0x0a, 0x0a, 0x10, 0x09, 0x0a, 0x20, 0x00, 0x00],
    ] {
        bench.input(Input::Bytes(&report));
    }
    assert_eq!(bench.seen, []);
    assert_eq!(bench.noise, 0);
}

#[test]
fn a_result_piece_is_an_empty_square_and_no_noise() {
    let mut bench = Bench::ready();
    bench.forget();
    bench.input(Input::Bytes(&[0x8e, 0x00, 0x05, 0x24, 0x0e]));
    let seen: Vec<_> = bench.seen.iter().map(|(_, sighting)| sighting.clone()).collect();
    assert_eq!(seen, [Sighting::Square { square: e4(), piece: None }]);
    assert_eq!(bench.noise, 0);
}

#[test]
fn an_hour_without_any_answer_brings_out_no_harmful_order() {
    let mut bench = Bench::new();
    bench.joined = false;
    bench.input(Input::Opened);
    bench.run(seconds(3600));
    let harmless = Command::ALL.map(Command::byte);
    assert!(bench.sent.len() > 300);
    for (_, byte) in &bench.sent {
        assert!(harmless.contains(byte), "{byte:02x}");
        assert!(![0x2b, 0x49, 0x4a, 0x4e, 0x51, 0x53, 0x54, 0x60].contains(byte), "{byte:02x}");
    }
    assert_eq!(bench.saw(|it| *it == Sighting::Silent), 1);
}
