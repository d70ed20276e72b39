//! The device against the emulated board, in virtual time. Not the messages themselves.

use std::time::Duration;

use eboard::{
    Battery, Change, Conversation, Emulator, Input, Moment, Placement, Said, Sighting, Station,
    Stimulus,
};
use ichessone::frame::{Answer, Command};
use ichessone::{Board, IChessOne};

type Line = crate::line::Line<IChessOne, Board>;

impl Line {
    fn positions(&self) -> Vec<(Moment, Placement)> {
        let position = |it: &(Moment, Sighting)| match it.1 {
            Sighting::Position(placement) => Some((it.0, placement)),
            _ => None,
        };
        self.seen.iter().filter_map(position).collect()
    }

    fn count(&self, command: Command) -> usize {
        self.sent.iter().filter(|(_, bytes)| bytes == command.word()).count()
    }
}

const WITHOUT_E2: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR";

#[test]
fn a_board_is_asked_first_then_told_to_report() {
    let line = Line::settled();
    let words: Vec<&[u8]> = line.sent.iter().take(4).map(|(_, it)| it.as_slice()).collect();
    assert_eq!(words[0], b"RP");
    assert!(words[1..].contains(&b"CPIRQ".as_slice()), "{words:?}");
    assert_eq!(line.positions().len(), 1);
    assert_eq!(line.positions()[0].1, Placement::starting());
    let who: Vec<_> = line
        .seen
        .iter()
        .filter_map(|(_, it)| match it {
            Sighting::Identified(identity) => Some(identity),
            _ => None,
        })
        .collect();
    assert!(who.iter().all(|it| it.driver == "ichessone" && it.serial.is_none()));
    assert_eq!(who.last().unwrap().firmware.as_deref(), Some("emulated by adoubed"));
    let power = Sighting::Battery(Battery { percent: 88, charging: false });
    assert_eq!(line.seen.iter().filter(|(_, it)| *it == power).count(), 1);
}

#[test]
fn words_keep_their_distance() {
    let mut line = Line::settled();
    for square in 48..56 {
        line.lift(square);
        line.run(Duration::from_millis(70));
        line.tell(Input::Survey(Station::ONLY));
    }
    for pair in line.sent.windows(2) {
        assert!(pair[1].0.since(pair[0].0) >= Duration::from_millis(150), "{pair:?}");
    }
}

#[test]
fn a_change_is_seen_at_once_and_confirmed() {
    let mut line = Line::settled();
    line.run(Duration::from_millis(300));
    let (lifted, polls) = (line.now, line.count(Command::Position));
    line.lift(52);
    line.run(Duration::from_millis(400));
    let (at, placement) = *line.positions().last().unwrap();
    assert_eq!(placement.to_string(), WITHOUT_E2);
    assert!(at.since(lifted) <= Duration::from_millis(20));
    assert_eq!(line.count(Command::Position), polls + 1);
    assert_eq!(line.positions().len(), 2, "confirmed, and not told again");
}

#[test]
fn a_half_byte_damaged_into_another_man_stands_for_a_moment_only() {
    let mut line = Line::settled();
    line.run(Duration::from_millis(300));
    let mut wire = Answer::Position(Placement::starting()).encode();
    wire[2] = 0x98;
    line.tell(Input::Bytes(&wire));
    line.run(Duration::from_millis(300));
    let reported: Vec<_> = line.positions().iter().map(|it| it.1).collect();
    assert_eq!(reported.len(), 3, "{reported:?}");
    assert_eq!(reported[2], Placement::starting());
}

#[test]
fn a_lost_report_is_made_good_by_the_next_question() {
    let mut line = Line::settled();
    line.cut = true;
    line.lift(52);
    line.run(Duration::from_millis(50));
    line.cut = false;
    line.run(Duration::from_millis(2800));
    assert_eq!(line.positions().last().unwrap().1.to_string(), WITHOUT_E2);
}

#[test]
fn a_board_that_lost_its_power_is_told_to_report_again() {
    let mut line = Line::settled();
    let reported = line.count(Command::OnChange);
    line.happen(Change::PowerLost.here());
    line.run(Duration::from_secs(31));
    assert_eq!(line.count(Command::OnChange), reported + 1);
    line.run(Duration::from_millis(1000));
    let lifted = line.now;
    line.lift(52);
    line.run(Duration::from_millis(100));
    assert!(line.positions().last().unwrap().0.since(lifted) <= Duration::from_millis(20));
}

#[test]
fn a_survey_says_the_same_again() {
    let mut line = Line::settled();
    let asked = line.now;
    line.tell(Input::Survey(Station::ONLY));
    line.run(Duration::from_millis(200));
    let (at, placement) = *line.positions().last().unwrap();
    assert!(at >= asked && placement == Placement::starting());
    assert_eq!(line.positions().len(), 2);
}

#[test]
fn silence_is_said_once_and_ends_with_everything_told_anew() {
    let mut line = Line::settled();
    line.cut = true;
    let (cut, seen) = (line.now, line.seen.len());
    line.run(Duration::from_secs(60));
    let [(at, Sighting::Silent)] = line.seen[seen..] else { panic!("{:?}", &line.seen[seen..]) };
    assert!(at.since(cut) <= Duration::from_secs(5));
    line.cut = false;
    line.run(Duration::from_secs(2));
    let reported = &line.seen[seen + 1..];
    assert!(matches!(reported[0].1, Sighting::Identified(_)), "{reported:?}");
    assert!(matches!(reported[1].1, Sighting::Position(_)), "{reported:?}");
}

#[test]
fn a_short_message_is_no_board() {
    let mut device = IChessOne::default();
    let mut out = Vec::new();
    let line = [0x3d, 0x62, 1, 100, 0x3d, b'h', b'1', b'\n'];
    Conversation::handle(&mut device, Moment::ZERO, Input::Bytes(&line), &mut out);
    assert_eq!(out, []);
}

#[test]
fn lamps_and_sounds_of_other_hosts_are_no_words() {
    let mut board = Board::default();
    let mut said = Said::default();
    let lamps = [b"EL".as_slice(), &[0x52; 14], b"ES", b"RPR", b"RP"].concat();
    board.handle(Moment::ZERO, Stimulus::Host(&lamps), &mut said);
    let said = said.bytes();
    assert_eq!(said, Answer::Position(Placement::starting()).encode(), "one answer, to the last");
}
