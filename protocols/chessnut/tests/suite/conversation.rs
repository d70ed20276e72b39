//! The device against the emulated board, in virtual time. Not the reports themselves.

use std::time::Duration;

use chessnut::frame::{Answer, Command};
use chessnut::{Board, Chessnut};
use eboard::{
    Battery, Change, Conversation, Input, Moment, Output, Placement, Sighting, Station, Stimulus,
};

type Line = crate::line::Line<Chessnut, Board>;

impl Line {
    fn says(&mut self, answer: &Answer) {
        let report = answer.report();
        self.tell(Input::Bytes(&report));
    }

    fn positions(&self) -> Vec<Placement> {
        let position = |it: &(Moment, Sighting)| match it.1 {
            Sighting::Position(placement) => Some(placement),
            _ => None,
        };
        self.seen.iter().filter_map(position).collect()
    }

    fn identities(&self) -> Vec<&eboard::Identity> {
        let identity = |it: &'_ (Moment, Sighting)| matches!(it.1, Sighting::Identified(_));
        let all = self.seen.iter().filter(|it| identity(it));
        all.filter_map(|(_, it)| match it {
            Sighting::Identified(identity) => Some(identity),
            _ => None,
        })
        .collect()
    }

    fn count(&self, command: Command) -> usize {
        self.sent.iter().filter(|(_, report)| report == command.report()).count()
    }
}

const WITHOUT_E2: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR";

#[test]
fn a_board_is_told_to_report_and_asked_who_it_is() {
    let line = Line::settled();
    assert_eq!(line.sent[0].1, Command::RealTime.report());
    assert_eq!(line.count(Command::RealTime), 1, "it reports, so it need not be told again");
    assert_eq!(line.positions(), [Placement::starting()]);
    let who = line.identities();
    assert!(who.iter().all(|it| it.driver == "chessnut" && it.serial.is_none()));
    assert_eq!(who.last().unwrap().firmware.as_deref(), Some("emulated by adoubed"));
    let power = Sighting::Battery(Battery { percent: 88, charging: false });
    assert_eq!(line.seen.iter().filter(|(_, it)| *it == power).count(), 1);
}

#[test]
fn reports_to_the_board_keep_their_distance() {
    let mut line = Line::settled();
    line.cut = true;
    line.run(Duration::from_secs(20));
    line.cut = false;
    line.run(Duration::from_secs(400));
    for pair in line.sent.windows(2) {
        assert!(pair[1].0.since(pair[0].0) >= Duration::from_millis(200), "{pair:?}");
    }
}

#[test]
fn a_change_is_seen_with_the_next_report_and_the_same_is_told_once() {
    let mut line = Line::settled();
    let lifted = line.now;
    line.lift(52);
    line.run(Duration::from_secs(10));
    let positions = line.positions();
    assert_eq!(positions.len(), 2);
    assert_eq!(positions[1].to_string(), WITHOUT_E2);
    let (at, _) = line.seen.iter().rfind(|it| matches!(it.1, Sighting::Position(_))).unwrap();
    assert!(at.since(lifted) <= Duration::from_millis(200));
}

#[test]
fn a_board_that_lost_its_power_is_told_to_report_again() {
    let mut line = Line::settled();
    line.happen(Change::PowerLost.here());
    line.lift(52);
    line.run(Duration::from_millis(1500));
    assert_eq!(line.count(Command::RealTime), 2);
    assert_eq!(line.positions().last().unwrap().to_string(), WITHOUT_E2);
}

/// Another program has ordered what the board has stored: those games are not played here.
#[test]
fn stored_games_are_not_what_stands_on_the_board() {
    let mut line = Line::settled();
    line.happen(Stimulus::Host(&[0x21, 1, 1]));
    line.says(&Answer::Stored(true));
    for _ in 0..5 {
        line.says(&Answer::Position(Placement::EMPTY));
        line.run(Duration::from_millis(100));
    }
    assert_eq!(line.positions(), [Placement::starting()]);
    line.says(&Answer::Stored(false));
    line.lift(52);
    line.run(Duration::from_secs(2));
    let positions: Vec<String> = line.positions().iter().map(ToString::to_string).collect();
    assert_eq!(positions[1..], [WITHOUT_E2]);
}

#[test]
fn a_survey_says_the_same_again() {
    let mut line = Line::settled();
    line.tell(Input::Survey(Station::ONLY));
    line.run(Duration::from_millis(200));
    assert_eq!(line.positions(), [Placement::starting(), Placement::starting()]);
}

#[test]
fn a_board_that_answers_but_tells_no_position_is_silent_once() {
    let mut line = Line::settled();
    line.cut = true;
    let (cut, seen) = (line.now, line.seen.len());
    for _ in 0..60 {
        line.says(&Answer::Beside);
        line.run(Duration::from_secs(1));
    }
    let [(at, Sighting::Silent)] = line.seen[seen..] else { panic!("{:?}", &line.seen[seen..]) };
    assert!(at.since(cut) <= Duration::from_secs(6));
    line.cut = false;
    line.run(Duration::from_secs(2));
    let reported = &line.seen[seen + 1..];
    assert!(matches!(reported[0].1, Sighting::Identified(_)), "{reported:?}");
    assert!(matches!(reported[1].1, Sighting::Position(_)), "{reported:?}");
}

#[test]
fn the_model_is_told_where_the_firmware_says_it() {
    for (text, model) in [("CNAIR_09_230213", Some("Chessnut Air")), ("CN_DVT9_210659", None)] {
        let mut device = Chessnut::default();
        let mut out = Vec::new();
        for answer in [Answer::Position(Placement::starting()), Answer::Version(text.to_owned())] {
            let report = answer.report();
            Conversation::handle(&mut device, Moment::ZERO, Input::Bytes(&report), &mut out);
        }
        let Some(Output::Saw(_, Sighting::Identified(identity))) = out.last() else { panic!() };
        assert_eq!(identity.model.as_deref(), model, "{text}");
        assert_eq!(identity.firmware.as_deref(), Some(text));
    }
}

#[test]
fn a_short_report_is_no_board() {
    let mut device = Chessnut::default();
    let mut out = Vec::new();
    for report in [&[0x2a, 2, 100, 1][..], b"\x28\x06\x00CNAIR", &[0x23, 1, 0]] {
        Conversation::handle(&mut device, Moment::ZERO, Input::Bytes(report), &mut out);
    }
    assert_eq!(out, []);
}
