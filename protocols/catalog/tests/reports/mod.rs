//! The laws of drivers on HID, where a report is a whole or nothing: one that was damaged costs
//! itself, and no other.

use std::time::Duration;

use catalog::DRIVERS;
use eboard::{Driver, Input, Moment, Sighting, Station};
use proptest::prelude::*;

use crate::acts::{any_acts, any_noise, play, some_acts};
use crate::line::{Entry, Line, replay, sightings};

/// The longest report, with its number, that one packet of USB takes, and the number that a device
/// without numbers is written to with.
const REPORT_MAX: usize = 65;

/// What was told, and of which board.
type Seen = (Station, Sighting);

/// What befalls reports on their way, which is counted from the first of them.
#[derive(Clone, Copy, Debug)]
enum Harm {
    /// It comes in two pieces.
    Cut { at: usize },
    /// It comes with the next as one.
    Joined,
}

fn on_hid() -> impl Iterator<Item = &'static Driver> {
    DRIVERS.iter().copied().filter(|driver| driver.settings().is_none())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_report_cut_or_joined_costs_only_itself(
        acts in any_acts(), which in any::<prop::sample::Index>(), harm in any_harm(),
    ) {
        for driver in on_hid() {
            let mut line = Line::opened(driver);
            play(driver, &mut line, &acts);
            let places: Vec<usize> = reports(&line).map(|(place, _)| place).collect();
            let place = places[which.index(places.len() - 1)];
            let next = places.iter().copied().find(|it| *it > place).expect("not the last");
            let gone: &[usize] = match harm {
                Harm::Cut { .. } => &[place],
                Harm::Joined => &[place, next],
            };
            let harmed = seen(driver, &line, gone, Some(harm));
            // What is cut off may have been no more than what filled the report up.
            let costs_itself = harmed == seen(driver, &line, gone, None) || harmed == line.seen;
            prop_assert!(costs_itself, "{:?}: {:?} at {}", driver, harm, place);
        }
    }

    #[test]
    fn reports_that_are_noise_cost_nothing(acts in any_acts(), noise in any_noise()) {
        for driver in on_hid() {
            let quiet = {
                let mut line = Line::opened(driver);
                play(driver, &mut line, &acts);
                line
            };
            let mut line = Line::opened(driver);
            line.noise.extend(noise.clone());
            play(driver, &mut line, &acts);
            prop_assert_eq!(shown(&line), shown(&quiet), "{:?}", driver);
        }
    }
}

#[test]
fn a_report_to_a_device_fits_into_one() {
    for driver in on_hid() {
        let mut conversation = (driver.converse)();
        let mut now = Moment::from_micros(1_000_000);
        let mut out = Vec::new();
        conversation.handle(now, Input::Opened, &mut out);
        while let Some((at, _)) = conversation.deadline().filter(|(at, _)| *at < HOUR) {
            now = now.max(at);
            conversation.handle(now, Input::Due, &mut out);
        }
        for output in out {
            let eboard::Output::Send(report) = output else { continue };
            assert!((1..=REPORT_MAX).contains(&report.len()), "{driver:?}: {report:02x?}");
        }
    }
}

const HOUR: Moment = Moment::from_micros(3_600_000_000);

/// Bluetooth and a serial line may be behind the same bytes one day, but a report is never put
/// together from two.
#[test]
fn halves_of_reports_are_no_board() {
    for driver in on_hid() {
        let mut line = Line::opened(driver);
        play(driver, &mut line, &some_acts());
        line.run(Duration::from_secs(2));
        let halves = reports(&line).flat_map(|(_, report)| {
            let (first, second) = report.split_at(report.len() / 2);
            [(Moment::ZERO, Input::Bytes(first)), (Moment::ZERO, Input::Bytes(second))]
        });
        let seen = sightings(replay(driver, halves));
        assert!(seen.is_empty(), "{driver:?}: {seen:?}");
    }
}

/// What was told of squares and clock; who is there may be known a question earlier or later.
fn shown(line: &Line) -> Vec<&Seen> {
    let of_board = |(_, it): &&Seen| !matches!(it, Sighting::Identified(_) | Sighting::Battery(_));
    line.seen.iter().filter(of_board).collect()
}

/// The reports of a board, and where they stand in the record.
fn reports(line: &Line) -> impl Iterator<Item = (usize, &[u8])> {
    line.record.iter().enumerate().filter_map(|(place, (_, entry))| match entry {
        Entry::Bytes(report) => Some((place, report.as_slice())),
        _ => None,
    })
}

/// What is seen of the record without these reports, or with what became of them.
fn seen(driver: &Driver, line: &Line, gone: &[usize], harm: Option<Harm>) -> Vec<Seen> {
    let lost: Vec<&[u8]> =
        reports(line).filter(|(place, _)| gone.contains(place)).map(|(_, it)| it).collect();
    let joined = lost.concat();
    let mut record = Vec::new();
    for (place, (now, entry)) in line.record.iter().enumerate() {
        match harm {
            _ if !gone.contains(&place) => record.push((*now, entry.as_input())),
            None => {}
            Some(Harm::Cut { at }) => {
                let (first, second) = joined.split_at(1 + at % (joined.len() - 1));
                record.extend([(*now, Input::Bytes(first)), (*now, Input::Bytes(second))]);
            }
            Some(Harm::Joined) if place == gone[0] => record.push((*now, Input::Bytes(&joined))),
            Some(Harm::Joined) => {}
        }
    }
    sightings(replay(driver, record))
}

fn any_harm() -> impl Strategy<Value = Harm> {
    prop_oneof![any::<usize>().prop_map(|at| Harm::Cut { at }), Just(Harm::Joined)]
}
