//! The family as a row of the catalogue: found by a probe, joined to its own virtual board.

use dgt::DRIVER;
use eboard::{
    Carrier, Emulator, Maturity, Moment, Output, Probe, Probed, Said, Sighting, Stimulus,
};

/// Runs a probe against a board until it finds it or gives up waiting.
fn probe(board: &mut dyn Emulator, until: Moment) -> Option<(Moment, Vec<Output>)> {
    let mut now = Moment::from_micros(1);
    let mut probe = Probe::new(now, &[&DRIVER], Carrier::Serial);
    while now < until {
        let (at, _) = probe.deadline()?;
        now = now.max(at);
        let mut found = Vec::new();
        probe.due(now, &mut found);
        while let Some(next) = found.pop() {
            match next {
                Probed::Set(line) => {
                    assert_eq!((line.baud, line.dtr, line.rts), (9600, false, false))
                }
                Probed::Send(bytes) => {
                    let mut answer = Said::default();
                    board.handle(now, Stimulus::Host(&bytes), &mut answer);
                    let answer = answer.bytes();
                    probe.heard(now, &answer, &mut found);
                }
                Probed::Found { driver, answers, .. } => {
                    assert_eq!(driver, &DRIVER);
                    return Some((now, answers));
                }
            }
        }
    }
    None
}

#[test]
fn a_probe_finds_the_virtual_board() {
    let mut board = (DRIVER.emulate)();
    let (at, answers) = probe(&mut *board, Moment::from_micros(10_000_000)).expect("found");
    assert!(at <= Moment::from_micros(3_000_000), "{at:?}");
    assert!(answers.iter().any(|it| matches!(it, Output::Saw(_, Sighting::Identified(_)))));
}

#[test]
fn a_board_already_talking_is_found_without_a_question() {
    let mut probe = Probe::new(Moment::ZERO, &[&DRIVER], Carrier::Serial);
    let mut found = Vec::new();
    for _ in 0..3 {
        probe.heard(Moment::ZERO, b"\x8d\x00\x0a\x20\x03\x02\x20\x03\x02\x08", &mut found);
    }
    assert!(matches!(found[..], [Probed::Found { .. }]));
}

#[test]
fn the_row_claims_what_it_can_show() {
    assert_eq!(DRIVER.name, "dgt");
    assert_eq!(DRIVER.maturity, Maturity::Captured);
    assert!(DRIVER.hints().iter().all(|hint| !hint.note.is_empty()));
}
