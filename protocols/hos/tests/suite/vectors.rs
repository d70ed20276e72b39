//! The reports in `captures/vectors.txt`, read and written.

use eboard::{Anomaly, ClockFace, Dial, FaceTime, Placement, Side};
use hos::frame::{Answer, is_plausible, read};

fn vectors() -> Vec<(Answer, Vec<u8>)> {
    let lines = include_str!("../../captures/vectors.txt").lines();
    lines.filter(|line| !line.starts_with('#')).map(vector).collect()
}

fn vector(line: &str) -> (Answer, Vec<u8>) {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [kind, says, hex] = fields[..] else { panic!("three fields are wanted: {line}") };
    let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("two digits");
    let said = match kind {
        "position" => Answer::Position(Placement::from_fen(says).expect("a placement")),
        _ => Answer::Clock(Some(face(says))),
    };
    (said, (0..hex.len()).step_by(2).map(byte).collect())
}

/// `0:05:00-0:04:59-left`: left, right, and for whom it runs.
fn face(says: &str) -> ClockFace {
    let fields: Vec<&str> = says.split('-').collect();
    let [left, right, who] = fields[..] else { panic!("three fields are wanted: {says}") };
    let [left, right] = [left, right].map(|text| {
        let numbers: Vec<u32> = text.split(':').map(|it| it.parse().expect("a number")).collect();
        let time = FaceTime::from_hms(numbers[0], numbers[1], numbers[2]);
        Dial { time, ..Dial::default() }
    });
    let lever = if who == "right" { Side::Right } else { Side::Left };
    ClockFace { left, right, running: who != "stopped", lever, low_battery: false }
}

#[test]
fn every_vector_reads_and_writes_as_it_is() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 5);
    for (answer, report) in vectors {
        assert_eq!(answer.report(), report, "{answer:?}");
        assert_eq!(read(&report), Ok(answer));
    }
}

#[test]
fn a_report_that_was_cut_or_is_too_long_says_nothing() {
    for (answer, report) in vectors() {
        for length in 0..report.len() {
            let read = read(&report[..length]);
            assert_eq!(read, Err(Anomaly::BadLength), "{length} of {answer:?}");
        }
        assert_eq!(read(&[report, vec![0]].concat()), Err(Anomaly::BadLength));
    }
}

#[test]
fn what_no_board_says_is_not_believed() {
    let mut damaged = vectors().remove(0).1;
    damaged[9] = 0xd0;
    assert_eq!(read(&damaged), Err(Anomaly::BadValue));
    for (report, anomaly) in [
        (whole([0xff, 0xca, 0, 60, 0, 0, 1, 0]), Anomaly::BadValue),
        (whole([0xff, 0xca, 0, 0, 1, 0, 0, 61]), Anomaly::BadValue),
        (whole([0xff, 0xcb, 0, 0, 1, 0, 0, 1]), Anomaly::Unknown),
    ] {
        assert_eq!(read(&report), Err(anomaly), "{report:02x?}");
    }
}

/// A report that begins so, filled up.
fn whole(start: [u8; 8]) -> [u8; 32] {
    let mut report = [0; 32];
    report[..8].copy_from_slice(&start);
    report
}

/// Two flags never fall at once: such a clock was not set.
#[test]
fn a_clock_without_times_shows_nothing() {
    let report = Answer::Clock(None).report();
    assert_eq!(read(&report), Ok(Answer::Clock(None)));
    assert_eq!(read(&whole([0xff, 0xca, 0, 0, 0, 0, 0, 0xc0])), Ok(Answer::Clock(None)));
    let one = read(&whole([0xff, 0xca, 0, 0, 0, 0, 0, 0xc1]));
    assert!(matches!(one, Ok(Answer::Clock(Some(_)))), "one flag has fallen: {one:?}");
}

#[test]
fn a_position_is_plausible_if_it_can_come_up() {
    for (fen, plausible) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", true),
        ("4k3/8/8/8/8/8/8/4K3", true),
        ("QQQQQQQQ/6Qk/8/8/8/8/8/K7", true),
        ("8/8/8/8/8/8/8/8", false),
        ("rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", false),
        ("rnbqkbnr/pppppppp/4k3/8/8/8/PPPPPPPP/RNBQKBNR", false),
        ("rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR", false),
        ("4k3/8/8/8/8/8/8/P3K3", false),
    ] {
        assert_eq!(is_plausible(&Placement::from_fen(fen).unwrap()), plausible, "{fen}");
    }
}
