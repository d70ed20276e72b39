//! The device against the emulated board, in virtual time. Not the reports themselves.

use std::time::Duration;

use eboard::{
    Change, ClockFace, Dial, Disturbance, FaceTime, Input, Placement, Side, Sighting, Square,
    Station,
};
use hos::frame::Answer;
use hos::{Board, HouseOfStaunton};

type Line = crate::line::Line<HouseOfStaunton, Board>;

impl Line {
    fn says(&mut self, answer: &Answer) {
        let report = answer.report();
        self.tell(Input::Bytes(&report));
    }

    fn reported(&self, which: impl Fn(&Sighting) -> bool) -> usize {
        self.seen.iter().filter(|(_, it)| which(it)).count()
    }

    fn is_recognised(&self) -> bool {
        self.reported(|it| matches!(it, Sighting::Identified(_))) > 0
    }

    fn positions(&self) -> usize {
        self.reported(|it| matches!(it, Sighting::Position(_)))
    }
}

fn face(left: u32, right: u32, running: bool) -> ClockFace {
    let dial = |seconds| Dial { time: FaceTime::from_hms(0, 0, seconds), ..Dial::default() };
    let (left, right) = (dial(left), dial(right));
    ClockFace { left, right, running, lever: Side::Right, low_battery: false }
}

fn placement(fen: &str) -> Placement {
    Placement::from_fen(fen).expect("a placement")
}

const KINGS: &str = "4k3/8/8/8/8/8/8/4K3";

#[test]
fn a_board_is_known_by_the_men_that_stand_on_it_and_nothing_is_written() {
    let mut line = Line::settled();
    line.tell(Input::Survey(Station::ONLY));
    line.cut = true;
    line.run(Duration::from_secs(600));
    line.cut = false;
    line.run(Duration::from_secs(600));
    let (_, Sighting::Identified(who)) = &line.seen[0] else { panic!("{:?}", line.seen) };
    assert!(who.driver == "hos" && who.serial.is_none());
    assert_eq!(line.sent, []);
}

#[test]
fn another_device_with_these_ids_is_no_board_whatever_it_says() {
    let empty = Answer::Position(Placement::EMPTY);
    let kings = Answer::Position(placement(KINGS));
    let crowded = Answer::Position(Placement::from_squares([Some(eboard::Piece::WhiteQueen); 64]));
    let clock = Answer::Clock(Some(face(60, 60, true)));
    let mut line = Line::opened();
    for _ in 0..100 {
        for answer in [&empty, &kings, &kings, &kings, &crowded, &clock] {
            line.says(answer);
        }
    }
    assert_eq!(line.seen, []);
    // A joypad that happens to look like two kings, and moves now and then.
    for _ in 0..100 {
        (0..9).for_each(|_| line.says(&kings));
        line.tell(Input::Bytes(&[0x7f; 32]));
    }
    assert_eq!(line.seen, []);
}

#[test]
fn a_board_with_few_men_is_known_when_they_stay() {
    let mut line = Line::opened();
    line.happen(Change::Board(&placement(KINGS)).here());
    line.run(Duration::from_millis(1500));
    assert!(!line.is_recognised());
    line.run(Duration::from_secs(1));
    assert!(line.is_recognised());
    assert_eq!(line.positions(), 1);
}

#[test]
fn once_known_whatever_stands_there_is_told() {
    let mut line = Line::settled();
    for fen in ["8/8/8/8/8/8/8/8", "kkkk4/8/8/8/8/8/8/PPPP4"] {
        line.happen(Change::Board(&placement(fen)).here());
        line.run(Duration::from_secs(1));
        let (_, last) = line.seen.last().unwrap();
        assert_eq!(*last, Sighting::Position(placement(fen)));
    }
}

#[test]
fn a_survey_says_the_same_again_and_the_clock_too() {
    let mut line = Line::settled();
    let shown = face(61, 60, false);
    line.happen(Change::Clock(Some(shown)).here());
    line.run(Duration::from_millis(500));
    let seen = line.seen.len();
    line.tell(Input::Survey(Station::ONLY));
    line.run(Duration::from_millis(250));
    let reported: Vec<_> = line.seen[seen..].iter().map(|(_, it)| it.clone()).collect();
    let [position, clock] = [Sighting::Position(Placement::starting()), Sighting::Clock(shown)];
    assert_eq!(reported, [position, clock]);
}

#[test]
fn without_a_clock_nothing_is_told_of_one() {
    let mut line = Line::settled();
    line.happen(Change::Disturbed(Disturbance::Null).here());
    line.run(Duration::from_secs(60));
    assert_eq!(line.reported(|it| matches!(it, Sighting::Clock(_) | Sighting::ClockLost)), 0);
}

#[test]
fn a_clock_that_was_pulled_out_is_lost_once_and_found_again() {
    let mut line = Line::settled();
    line.happen(Change::Clock(Some(face(61, 60, true))).here());
    line.run(Duration::from_secs(30));
    let lost = |line: &Line| line.reported(|it| *it == Sighting::ClockLost);
    assert_eq!(lost(&line), 0, "it stands still and is told all the same");
    line.happen(Change::Clock(None).here());
    line.run(Duration::from_secs(30));
    assert_eq!(lost(&line), 1);
    line.happen(Change::Clock(Some(face(50, 60, true))).here());
    let (_, last) = line.seen.last().unwrap();
    assert_eq!(*last, Sighting::Clock(face(50, 60, true)));
}

#[test]
fn a_clock_whose_reports_are_lost_for_a_while_is_not() {
    let mut line = Line::settled();
    line.happen(Change::Clock(Some(face(61, 60, true))).here());
    line.happen(Change::Disturbed(Disturbance::Lost(15)).here());
    line.run(Duration::from_secs(60));
    // Nor is one whose whole line was away for a moment.
    line.cut = true;
    line.run(Duration::from_millis(4900));
    line.cut = false;
    line.run(Duration::from_secs(1));
    assert_eq!(line.reported(|it| matches!(it, Sighting::ClockLost | Sighting::Silent)), 0);
}

#[test]
fn a_reading_that_stays_is_told_once_a_second() {
    let mut line = Line::settled();
    line.happen(Change::Clock(Some(face(61, 60, false))).here());
    line.run(Duration::from_secs(10));
    let reported = line.reported(|it| matches!(it, Sighting::Clock(_)));
    assert!((8..=11).contains(&reported), "{reported}");
}

#[test]
fn a_board_that_repeats_itself_is_silent_once() {
    let mut line = Line::settled();
    line.cut = true;
    line.run(Duration::from_secs(60));
    assert_eq!(line.reported(|it| *it == Sighting::Silent), 1);
    let seen = line.seen.len();
    line.cut = false;
    line.run(Duration::from_secs(1));
    assert_eq!(line.seen[seen].1, Sighting::Position(Placement::starting()));
}

/// Its twin tells changes only: that nobody moves is no silence.
#[test]
fn a_board_that_tells_changes_only_is_never_silent() {
    let mut line = Line::opened();
    let mut squares = Placement::starting();
    for index in 48..56 {
        line.says(&Answer::Position(squares));
        squares[Square::new(index).unwrap()] = None;
    }
    line.cut = true;
    line.run(Duration::from_secs(3600));
    assert_eq!(line.positions(), 8);
    assert_eq!(line.reported(|it| *it == Sighting::Silent), 0);
}
