//! What holds where one line has several boards, how much a host may say, and what a board that was
//! without power has to be asked. For a line with one board the first says nothing.

use std::time::Duration;

use catalog::DRIVERS;
use eboard::{Change, Driver, Moment, Placement, Square, Station};
use proptest::prelude::*;

use crate::acts::{any_acts, play, teach};
use crate::line::{Entry, Line, Shown};

/// After so long a board that was without power tells of changes again, unasked for from above.
const TOLD_AGAIN: Duration = Duration::from_secs(70);

/// A HID device is asked for its reports every 10 ms where nothing else is agreed, and given one as
/// often.
const REPORTS_MAX: usize = 100;
const REPORT_BYTES: usize = 65;

/// Some line has several boards, or these laws prove nothing.
#[test]
fn there_are_lines_with_several_boards() {
    let several = DRIVERS.iter().filter(|driver| Line::opened(driver).stations.len() > 1);
    assert!(several.count() > 0);
}

#[test]
fn a_board_that_falls_silent_silences_no_other() {
    for driver in DRIVERS {
        let mut line = Line::opened(driver);
        let [gone, others @ ..] = &line.stations.clone()[..] else { continue };
        if others.is_empty() {
            continue;
        }
        line.run(Duration::from_secs(30));
        line.happen(Change::OnBus(false).at(*gone));
        for turn in 0..60 {
            for station in others {
                lift_or_put(&mut line, *station, turn % 2 == 0);
            }
            line.run(Duration::from_secs(1));
            for station in others {
                assert_eq!(line.picture_of(*station), shown(driver, turn % 2 == 0), "{driver:?}");
            }
        }
        assert_eq!(line.silences(*gone), 1, "{driver:?}");
        assert!(others.iter().all(|station| line.silences(*station) == 0), "{driver:?}");

        lift_or_put(&mut line, *gone, true);
        line.happen(Change::OnBus(true).at(*gone));
        line.run(Duration::from_secs(60));
        assert_eq!(line.picture_of(*gone), shown(driver, true), "{driver:?}: it is back");
        assert_eq!(line.silences(*gone), 1, "{driver:?}");
    }
}

#[test]
fn a_board_that_lost_its_power_tells_of_changes_again() {
    for driver in DRIVERS {
        let mut line = Line::opened(driver);
        teach(driver, &mut line);
        line.run(Duration::from_secs(10));
        for station in line.stations.clone() {
            line.happen(Change::PowerLost.at(station));
        }
        line.run(TOLD_AGAIN);
        for station in line.stations.clone() {
            lift_or_put(&mut line, station, true);
        }
        line.run(Duration::from_secs(3));
        for station in &line.stations {
            assert_eq!(line.picture_of(*station), shown(driver, true), "{driver:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn no_host_says_more_or_sooner_than_its_board_bears(
        acts in any_acts(), cut in any::<bool>(), hurries in prop::collection::vec(0..300u64, 0..6),
    ) {
        for driver in DRIVERS {
            let mut line = Line::opened(driver);
            play(driver, &mut line, &acts);
            line.cut = cut;
            for hurry in hurries.clone() {
                line.run(Duration::from_millis(hurry));
                line.tell(Entry::Survey(line.first()));
            }
            line.tell(Entry::Opened);
            line.survey();
            line.run(Duration::from_secs(20));
            let most = match driver.settings() {
                Some(settings) => usize::try_from(settings.baud / 10).expect("a small number"),
                None => REPORTS_MAX * REPORT_BYTES,
            };
            for pair in line.sent.windows(2) {
                let apart = pair[1].0.since(pair[0].0);
                prop_assert!(apart >= driver.pace, "{:?}: {:?} apart", driver, apart);
            }
            for (from, _) in &line.sent {
                let within = |(at, _): &&(Moment, usize)| {
                    at >= from && at.since(*from) < Duration::from_secs(1)
                };
                let bytes: usize = line.sent.iter().filter(within).map(|(_, bytes)| bytes).sum();
                prop_assert!(bytes <= most, "{:?} says {} bytes in a second", driver, bytes);
            }
        }
    }
}

fn begun(lifted: bool) -> Placement {
    let mut placement = Placement::starting();
    if lifted {
        placement[e2()] = None;
    }
    placement
}

fn e2() -> Square {
    Square::at(4, 1).expect("e2 exists")
}

fn lift_or_put(line: &mut Line, station: Station, lifted: bool) {
    let (square, piece) = (e2(), begun(lifted)[e2()]);
    line.happen(Change::Square { square, piece }.at(station));
}

fn shown(driver: &Driver, lifted: bool) -> Option<Shown> {
    Some(Shown::by(driver, begun(lifted)))
}
