//! The published reports in `captures/vectors.txt`, read, and written as over USB.

use chessnut::frame::{Answer, Command, read};
use eboard::{Anomaly, Battery, Placement};

/// What a report says, and its bytes.
type Vector = (Result<Answer, Anomaly>, Vec<u8>);

fn vectors() -> Vec<Vector> {
    let lines = include_str!("../../captures/vectors.txt").lines();
    lines.filter(|line| !line.starts_with('#')).map(vector).collect()
}

fn vector(line: &str) -> Vector {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [kind, says, hex] = fields[..] else { panic!("three fields are wanted: {line}") };
    let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("two digits");
    let said = match (kind, says) {
        ("position", fen) => Ok(Answer::Position(Placement::from_fen(fen).expect("a placement"))),
        ("battery", says) => {
            let (how, percent) = says.split_once('-').expect("how, and how much");
            let percent = percent.parse().expect("a number");
            Ok(Answer::Battery(Some(Battery { charging: how == "charging", percent })))
        }
        ("beside", _) => Ok(Answer::Beside),
        ("refused", "BadValue") => Err(Anomaly::BadValue),
        ("refused", "Unknown") => Err(Anomaly::Unknown),
        other => panic!("{other:?} is not known"),
    };
    (said, (0..hex.len()).step_by(2).map(byte).collect())
}

#[test]
fn every_vector_says_what_is_published() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 22);
    for (said, report) in vectors {
        assert_eq!(read(&report), said, "{report:02x?}");
    }
}

/// The squares are those of the vectors; what follows them is another over USB.
#[test]
fn what_is_written_is_read_and_has_the_squares_of_the_vectors() {
    for (said, report) in vectors() {
        let Ok(answer) = said else { continue };
        let written = answer.report();
        assert_eq!(written.len(), 64);
        assert_eq!(read(&written), Ok(answer.clone()));
        match answer {
            Answer::Position(_) => assert_eq!(written[2..34], report[2..34]),
            Answer::Battery(_) => assert_eq!(written[..4], report[..4]),
            _ => {}
        }
        assert!(!matches!(answer, Answer::Position(_)) || written[..2] == [0x01, 0x3d]);
    }
}

#[test]
fn whatever_fills_a_report_up_means_nothing() {
    for (said, report) in vectors() {
        let mut filled = report.clone();
        filled.resize(65, 0xa5);
        assert_eq!(read(&filled), said);
        filled.push(0);
        assert_eq!(read(&filled), Err(Anomaly::BadLength), "longer than any report");
    }
}

#[test]
fn a_report_that_was_cut_says_nothing() {
    for (said, report) in vectors() {
        for length in 0..report.len() {
            assert!(said.is_err() || read(&report[..length]).is_err(), "{length}: {report:02x?}");
        }
    }
}

#[test]
fn what_no_board_says_is_not_believed() {
    for (report, anomaly) in [
        (&[0x2a, 2, 101, 0][..], Anomaly::BadValue),
        (&[0x2a, 2, 50, 2], Anomaly::BadValue),
        (&[0x2a, 1, 50], Anomaly::BadLength),
        (&[0x28, 3, 0, 7, 7], Anomaly::BadValue),
        (&[0x28, 1, 0], Anomaly::BadValue),
        (&[0x01, 0x20], Anomaly::Truncated),
        (&[0x01, 1, 0], Anomaly::BadLength),
        (&[0x39, 1, 0], Anomaly::Unknown),
        (&[0x01], Anomaly::Truncated),
    ] {
        assert_eq!(read(report), Err(anomaly), "{report:02x?}");
    }
}

#[test]
fn the_charger_may_be_told_in_the_level_and_no_level_is_no_measurement() {
    let battery = |percent, charging| Ok(Answer::Battery(Some(Battery { percent, charging })));
    assert_eq!(read(&[0x2a, 2, 0x80 | 64, 0]), battery(64, true));
    assert_eq!(read(&[0x2a, 2, 64, 1]), battery(64, true));
    assert_eq!(read(&[0x2a, 2, 0, 0]), Ok(Answer::Battery(None)));
}

#[test]
fn a_version_ends_with_its_length_or_its_text() {
    let version = |text: &str| Ok(Answer::Version(text.to_owned()));
    let report = b"\x28\x10\x00CNAIR_09_230213\x00\x00";
    assert_eq!(read(report), version("CNAIR_09_230213"));
    assert_eq!(read(b"\x28\x12\x00CNAIR_09_230213\x00\x00"), version("CNAIR_09_230213"));
}

/// No order but these three: none that lights, sounds, reads what is stored or deletes it.
#[test]
fn the_host_can_say_three_things() {
    let all = [Command::RealTime, Command::Version, Command::Battery];
    let reports = all.map(Command::report);
    assert_eq!(reports, [[0x21, 1, 0], [0x27, 1, 1], [0x29, 1, 0]]);
}
