//! Clocks on which a press brings something else than the event says, where reports are lost: they
//! are set wrongly, and nobody has touched them since.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use crate::common::desk::{B, Desk, W, under};
use crate::common::{Record, play_through};
use eboard::Piece::{BlackKnight, BlackPawn, WhiteKnight, WhitePawn};
use eboard::Sighting;
use witness::IncidentId;
use words::InWords as _;

const MOVES: [&str; 20] = [
    "e2^ e4v", "e7^ e5v", "g1^ f3v", "b8^ c6v", "f1^ b5v", "a7^ a6v", "b5^ a4v", "g8^ f6v",
    "d2^ d3v", "d7^ d6v", "c2^ c3v", "g7^ g6v", "b1^ d2v", "f8^ g7v", "d2^ f1v", "h7^ h6v",
    "f1^ g3v", "b7^ b5v", "a4^ c2v", "h6^ h5v",
];

/// And on from there, without anything that repeats a position.
const MORE: [&str; 20] = [
    "h2^ h3v", "a6^ a5v", "g3^ e2v", "c8^ b7v", "e2^ g3v", "b7^ c8v", "c2^ b3v", "a8^ a6v",
    "b3^ c2v", "a6^ b6v", "c1^ e3v", "b6^ a6v", "a2^ a3v", "c8^ d7v", "d1^ d2v", "d8^ b8v",
    "a1^ c1v", "b8^ b6v", "d2^ d1v", "b6^ b8v",
];

/// Moves with so many seconds between them, on a clock of which so many reports in a row are lost
/// whenever so many have been heard.
fn over_a_bad_line(
    control: &str,
    clock: &str,
    tempo: f64,
    (lost, heard): (usize, usize),
) -> Record {
    let moves: String = MOVES.iter().map(|it| format!("+{tempo} {it} | ")).collect();
    over_a_line(&format!("# time_control: {clock}\n{moves} +2"), control, (lost, heard))
}

fn over_a_line(script: &str, control: &str, (lost, heard): (usize, usize)) -> Record {
    let mut reports = 0;
    play_through(script, under(control), |sighting| {
        let Sighting::Clock(_) = sighting else { return vec![sighting] };
        reports += 1;
        let hears = reports < 4 || reports % (lost + heard) >= lost;
        if hears { vec![sighting] } else { Vec::new() }
    })
}

/// What was reported about the clock, each alert once, with everything it ever said.
fn record(record: &Record) -> BTreeMap<IncidentId, (&'static str, String)> {
    let mut all = BTreeMap::new();
    for it in record.raised().into_iter().filter(|it| it.kind.name().starts_with("clock")) {
        let (_, said) = all.entry(it.id).or_insert((it.kind.name(), String::new()));
        said.push_str(&it.text.en());
        it.advice.iter().for_each(|advice| said.push_str(&advice.en()));
    }
    all
}

const LINES: [(usize, usize); 3] = [(2, 5), (7, 9), (12, 17)];

#[test]
fn what_presses_bring_on_a_clock_that_is_set_wrongly_is_no_change_of_the_times() {
    let wrong = [
        ("180+2", "180+5"),
        ("180+2", "180+10"),
        ("300+3", "300+30"),
        ("300", "300+30"),
        // These begin with the same times.
        ("303", "300+3"),
        ("330", "300+30"),
        ("180+5", "180+2"),
        ("300+30", "330"),
        ("300+d3", "300+3"),
        ("40/5430:1800", "40/5400+30:1800+30"),
    ];
    for (control, clock) in wrong {
        let mut alerts = 0;
        for (tempo, line) in [1.3, 7.4]
            .into_iter()
            .zip([LINES, LINES])
            .flat_map(|(tempo, lines)| lines.map(|line| (tempo, line)))
        {
            let record = record(&over_a_bad_line(control, clock, tempo, line));
            let name =
                format!("{clock} where {control} is played, {tempo} s, {line:?}: {record:?}");
            assert!(record.values().all(|(kind, _)| *kind == "clock_setting"), "{name}");
            assert!(record.len() <= 1, "{name}");
            assert!(record.values().all(|(_, said)| !said.contains("period brought")), "{name}");
            alerts += record.len();
        }
        assert!(alerts >= 2, "{clock} where {control} is played");
    }
}

#[test]
fn a_clock_that_is_set_rightly_accuses_nobody_over_a_bad_line() {
    for control in ["180+2", "300+30", "300+b3", "6/300+30:600+30", "6/300+30:600"] {
        for line in LINES {
            let record = record(&over_a_bad_line(control, control, 1.3, line));
            assert!(record.is_empty(), "{control}, {line:?}: {record:?}");
        }
    }
}

/// Two presses between two reports bring twice as much as one, and no clock brings as much again.
#[test]
fn presses_that_were_lost_between_two_quick_moves_are_no_jump() {
    let moves: String = MOVES.iter().chain(&MORE).map(|it| quick(it)).collect();
    for (control, line) in ["300+10", "300+30", "5400+30"]
        .into_iter()
        .flat_map(|control| [(2, 7), (3, 11), (4, 13), (3, 19)].map(|line| (control, line)))
    {
        let script = format!("# time_control: {control}\n{moves} +2");
        let record = record(&over_a_line(&script, control, line));
        assert_eq!(record.len(), 0, "{control}, {line:?}: {record:?}");
    }
}

fn quick(gestures: &str) -> String {
    format!("+0.2 {} | ", gestures.replace(' ', " +0.2 ") + " +0.2")
}

/// Three presses that bring 3 s each where none should: what a press brings is known then.
fn in_another_mode() -> Desk {
    let mut desk = Desk::new("303");
    desk.shows(303, 303, None).shows(303, 303, W).shows(302, 303, W);
    desk.moves("e2", "e4", WhitePawn).shows(304, 303, B).shows(304, 302, B);
    desk.moves("e7", "e5", BlackPawn).shows(304, 304, W).shows(303, 304, W);
    desk.moves("g1", "f3", WhiteKnight).shows(305, 304, B).shows(305, 303, B);
    assert_eq!(desk.kinds(), ["clock_setting"]);
    desk
}

#[test]
fn a_clock_in_another_mode_that_is_set_meanwhile_is_reported_all_the_same() {
    let after_ten_seconds = |white: u32, black: u32| {
        let mut desk = in_another_mode();
        desk.moves("b8", "c6", BlackKnight).wait(9.0);
        desk.shows(white, black, W);
        desk.kinds()
    };
    assert_eq!(after_ten_seconds(300, 301), ["clock_setting"], "a press nobody heard");
    assert_eq!(after_ten_seconds(310, 311), ["clock_setting"], "several");
    assert_eq!(after_ten_seconds(300, 421), ["clock_setting", "clock_adjusted"]);
    assert_eq!(after_ten_seconds(180, 182), ["clock_setting", "clock_adjusted"]);
}

#[test]
fn a_clock_that_waits_where_it_should_not_does_not_stand_still() {
    let turns = |seconds: u32| {
        let mut desk = Desk::new("300");
        desk.shows(300, 300, None);
        let made = [
            ("e2", "e4", WhitePawn),
            ("e7", "e5", BlackPawn),
            ("g1", "f3", WhiteKnight),
            ("b8", "c6", BlackKnight),
        ];
        for ((from, to, piece), side) in made.into_iter().zip([W, B, W, B]) {
            (0..8).for_each(|_| {
                desk.shows(300, 300, side);
            });
            desk.moves(from, to, piece);
        }
        (0..seconds).for_each(|_| {
            desk.shows(300, 300, W);
        });
        desk.raised().iter().map(|it| (it.kind.name(), it.text.en())).collect::<Vec<_>>()
    };
    let record = turns(29);
    assert_eq!(record.len(), 1, "{record:?}");
    assert!(record[0].0 == "clock_setting" && record[0].1.contains("delay"), "{record:?}");
    let record = turns(85);
    assert_eq!(
        record.last().map(|it| it.0),
        Some("clock_fault"),
        "no delay is as long: {record:?}"
    );
}

/// The line is out for ten minutes, and another clock stands there than before.
#[test]
fn a_rise_beyond_all_presses_is_no_next_period() {
    let after_ten_minutes = |white: u32, black: u32| {
        let mut desk = Desk::new("40/5400+30:1800+30");
        desk.shows(5430, 5430, None).counts(5430, 5430, 3);
        desk.moves("e2", "e4", WhitePawn).shows(5456, 5430, B).shows(5456, 5429, B);
        desk.moves("e7", "e5", BlackPawn).shows(5456, 5457, W).wait(600.0);
        desk.shows(white, black, W);
        let said = desk.raised().iter().map(|it| it.text.en()).collect::<Vec<_>>();
        (said, desk.table.clocks().state().unwrap().periods.white)
    };
    let (said, period) = after_ten_minutes(5200, 5157);
    assert!(said.is_empty() && period == 1, "{said:?}");
    let (said, period) = after_ten_minutes(7000, 6957);
    assert!(said.is_empty() && period == 2, "{said:?}");
    let (said, _) = after_ten_minutes(5200, 9000);
    assert!(said.len() == 1 && said[0].contains("brought Black 0:58:33"), "{said:?}");
}
