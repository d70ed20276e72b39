//! The laws every driver obeys, whatever it speaks; those about squares are for boards. What one
//! language in particular demands is tested in its own crate, what holds for reports in `reports/`,
//! the search for a language in `probing/`, and what holds where one line has several boards, and
//! how long a board is missed, in `several/`.

mod acts;
mod line;
mod probing;
mod reports;
mod several;

use std::collections::BTreeSet;
use std::time::Duration;

use acts::{Truth, any_acts, any_noise, play, some_acts};
use catalog::{DRIVERS, find, languages};
use eboard::{
    Battery, Change, Conversation, Driver, Emulator, Input, Moment, Output, Said, Senses, Sighting,
    Station, Stimulus,
};
use line::{Entry, Line, Shown, cut, dials, replay, sightings};
use proptest::prelude::*;

/// The most a conversation may answer at once to an input without bytes.
const ANSWERS: usize = 16;

/// The most a board may answer to one byte.
const ANSWER_BYTES: usize = 4096;

/// So often a machine may want to be woken at one and the same moment.
const WAKINGS: usize = 16;

/// A level of power that means nothing else in most languages.
const LEVEL: u8 = 77;
/// So many bytes of a conversation that could be it are tried.
const LEVELS_MAX: usize = 24;

/// So much of a frame is left at most where the line broke: the half of the longest.
const HALF_MAX: usize = 200;
/// So many different answers are cut, each at so many places.
const FRAMES_MAX: usize = 24;
const HALVES: usize = 12;

#[test]
fn names_are_unique_and_found() {
    let names: BTreeSet<&str> = languages().iter().map(|driver| driver.name).collect();
    assert_eq!(names.len(), languages().len());
    for driver in languages() {
        assert_eq!(find(driver.name), Some(driver));
        let plain = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit();
        assert!(driver.name.chars().all(plain) && !driver.name.is_empty(), "{driver:?}");
        assert!(!driver.title.is_empty() && driver.patience > Duration::ZERO, "{driver:?}");
        let notes = driver.hints().iter().map(|hint| hint.note);
        let mut notes = notes.chain(driver.hid().iter().map(|id| id.note));
        assert!(notes.all(|note| !note.is_empty()), "{driver:?}");
    }
    assert_eq!(find("auto"), None);
    assert_eq!(find(""), None);
}

#[test]
fn every_driver_says_who_is_there() {
    for driver in languages() {
        let mut line = Line::opened(driver);
        line.run(Duration::from_secs(5));
        let who = line.identities();
        assert!(!who.is_empty(), "{driver:?}");
        assert!(who.iter().all(|identity| identity.driver == driver.name), "{who:?}");
    }
}

#[test]
fn a_quiet_board_is_not_called_silent_and_a_dead_line_once() {
    for driver in DRIVERS {
        let mut line = Line::opened(driver);
        line.run(Duration::from_secs(300));
        let silences =
            |line: &Line| line.stations.iter().map(|it| line.silences(*it)).collect::<Vec<_>>();
        let (none, once) = (vec![0; line.stations.len()], vec![1; line.stations.len()]);
        assert_eq!(silences(&line), none, "{driver:?}");
        line.cut = true;
        line.run(Duration::from_secs(300));
        assert_eq!(silences(&line), once, "{driver:?}");
        line.cut = false;
        let seen = line.seen.len();
        line.run(Duration::from_secs(60));
        for station in &line.stations {
            let truth = line.seen[seen..].iter().any(|(it, _)| it == station);
            assert!(truth, "{driver:?} tells nothing when its board is back");
        }
        assert_eq!(silences(&line), once, "{driver:?}");
    }
}

#[test]
fn a_survey_tells_an_unchanged_board_again() {
    for driver in DRIVERS {
        let mut line = Line::opened(driver);
        acts::teach(driver, &mut line);
        line.run(Duration::from_secs(10));
        let shown = |line: &Line| -> Vec<_> {
            line.stations.iter().map(|station| line.picture_of(*station)).collect()
        };
        let before = shown(&line);
        assert!(before.iter().all(Option::is_some), "{driver:?}");
        line.seen.clear();
        line.survey();
        assert_eq!(shown(&line), before, "{driver:?}");
    }
}

#[test]
fn a_recognition_rests_on_more_than_four_bytes() {
    for driver in DRIVERS {
        let mut line = Line::opened(driver);
        play(driver, &mut line, &some_acts());
        let said = line.bytes();
        let known_by = |record: &[(Moment, Input<'_>)]| {
            let seen = sightings(replay(driver, record.iter().copied()));
            seen.iter().any(|(_, it)| matches!(it, Sighting::Identified(_)))
        };
        let known = |bytes: &[u8]| known_by(&[(Moment::ZERO, Input::Bytes(bytes))]);
        let heard = line.record.iter().filter(|(_, entry)| matches!(entry, Entry::Bytes(_)));
        let heard: Vec<_> = heard.map(|(now, entry)| (*now, entry.as_input())).collect();
        assert!(known_by(&heard), "{driver:?}");
        for four in said.windows(4) {
            assert!(!known(four), "{driver:?} is recognised by {four:02x?}");
        }
    }
}

/// A line that broke in the middle of a frame and is opened again begins with a new one: what is
/// left of the old one becomes no claim and costs no answer.
#[test]
fn what_was_left_of_a_frame_is_forgotten_when_the_line_is_opened() {
    for driver in serial() {
        let mut line = Line::opened(driver);
        play(driver, &mut line, &some_acts());
        let frames = line.record.iter().filter_map(|(_, entry)| match entry {
            Entry::Bytes(bytes) => Some(&bytes[..bytes.len().min(HALF_MAX)]),
            _ => None,
        });
        let frames: BTreeSet<&[u8]> = frames.collect();
        let mut tried = 0;
        for frame in frames.into_iter().take(FRAMES_MAX) {
            for length in (1..frame.len()).step_by(1 + frame.len() / HALVES) {
                let left = (Moment::ZERO, Input::Bytes(&frame[..length]));
                if !sightings(replay(driver, [left])).is_empty() {
                    // Two that came as one.
                    continue;
                }
                let record = line.record.iter().map(|(now, entry)| (*now, entry.as_input()));
                let seen = sightings(replay(driver, [left].into_iter().chain(record)));
                assert_eq!(seen, line.seen, "{driver:?} after {:02x?}", &frame[..length]);
                tried += 1;
            }
        }
        assert!(tried > 0, "{driver:?} never says two bytes at once");
    }
}

/// Every byte of a report of power that could be the level is set to each that cannot.
#[test]
fn no_report_of_power_says_more_than_all() {
    let mut families = 0;
    for driver in DRIVERS {
        let mut line = Line::opened(driver);
        let power = Battery { percent: LEVEL, charging: false };
        line.happen(Change::Battery(power).at(line.first()));
        line.run(Duration::from_secs(120));
        let truth = |sightings: &[(Station, Sighting)]| {
            let truth = sightings.iter().filter_map(|(_, it)| match it {
                Sighting::Battery(battery) => Some(battery.percent),
                _ => None,
            });
            truth.collect::<Vec<_>>()
        };
        families += usize::from(!truth(&line.seen).is_empty());
        let places = line.record.iter().enumerate().flat_map(|(at, (_, entry))| match entry {
            Entry::Bytes(bytes) => (0..bytes.len()).map(|byte| (at, byte)).collect(),
            _ => Vec::new(),
        });
        let is_level = |(at, byte): &(usize, usize)| match &line.record[*at].1 {
            Entry::Bytes(bytes) => bytes[*byte] & 0x7f == LEVEL,
            _ => false,
        };
        for (at, byte) in places.filter(is_level).take(LEVELS_MAX) {
            for level in 101..=u8::MAX {
                let mut record = line.record.clone();
                if let Entry::Bytes(bytes) = &mut record[at].1 {
                    bytes[byte] = level;
                }
                let record = record.iter().map(|(now, entry)| (*now, entry.as_input()));
                let truth = truth(&sightings(replay(driver, record)));
                assert!(truth.iter().all(|percent| *percent <= 100), "{driver:?}: {truth:?}");
            }
        }
    }
    assert!(families > 1, "boards tell of their power");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn one_who_was_kept_and_read_again_sees_the_same(acts in any_acts(), every in 1..5usize) {
        for driver in languages() {
            let straight = {
                let mut line = Line::opened(driver);
                play(driver, &mut line, &acts);
                line
            };
            let mut line = Line::opened(driver);
            line.kept_every = Some(every);
            play(driver, &mut line, &acts);
            prop_assert_eq!(&line.seen, &straight.seen, "{:?}", driver);
            prop_assert_eq!(&line.said, &straight.said, "{:?}", driver);
        }
    }

    #[test]
    fn no_board_has_more_power_than_all(bytes in prop::collection::vec(any_entries(), 1..3)) {
        for driver in languages() {
            let record = bytes.iter().flatten().map(|(_, it)| (Moment::ZERO, it.as_input()));
            for (_, sighting) in sightings(replay(driver, record)) {
                let Sighting::Battery(battery) = sighting else { continue };
                prop_assert!(battery.percent <= 100, "{:?}", driver);
            }
        }
    }

    #[test]
    fn what_the_emulator_was_told_is_what_the_driver_sees(acts in any_acts()) {
        for driver in languages() {
            let mut line = Line::opened(driver);
            let truth = play(driver, &mut line, &acts);
            line.run(Duration::from_secs(5));
            line.survey();
            is_seen(driver, &line, truth)?;
        }
    }

    #[test]
    fn any_cutting_gives_the_same_sightings(
        acts in any_acts(), cuts in prop::collection::vec(any::<usize>(), 0..8),
    ) {
        for driver in serial() {
            let mut line = Line::opened(driver);
            play(driver, &mut line, &acts);
            let mut pieces = Vec::new();
            for (now, entry) in &line.record {
                match entry {
                    Entry::Bytes(bytes) => {
                        let cuts = cut(bytes, &cuts).into_iter();
                        pieces.extend(cuts.map(|piece| (*now, Input::Bytes(piece))));
                    }
                    other => pieces.push((*now, other.as_input())),
                }
            }
            prop_assert_eq!(sightings(replay(driver, pieces)), line.seen, "{:?}", driver);
        }
    }

    #[test]
    fn one_who_only_listens_sees_the_same_however_it_is_cut(
        acts in any_acts(),
        noise in any_noise(),
        cuts in prop::collection::vec(any::<usize>(), 0..200),
    ) {
        for driver in serial() {
            let mut line = Line::opened(driver);
            line.noise.extend(noise.clone());
            play(driver, &mut line, &acts);
            let bytes = line.bytes();
            let now = line.now;
            let listen = |bytes: &[u8], cuts: &[usize]| {
                let pieces = cut(bytes, cuts).into_iter();
                sightings(replay(driver, pieces.map(|it| (now, Input::Bytes(it)))))
            };
            prop_assert_eq!(listen(&bytes, &cuts), listen(&bytes, &[]), "{:?}", driver);
        }
    }

    #[test]
    fn noise_between_frames_does_not_outlast_a_survey(acts in any_acts(), noise in any_noise()) {
        for driver in DRIVERS {
            let mut line = Line::opened(driver);
            line.noise.extend(noise.clone());
            let truth = play(driver, &mut line, &acts);
            // Whatever is left of the noise falls on the answers to this.
            line.survey();
            line.noise.clear();
            line.survey();
            is_seen(driver, &line, truth)?;
        }
    }

    #[test]
    fn one_burst_of_noise_costs_at_most_one_frame(noise in any_noise()) {
        for driver in DRIVERS {
            let mut line = Line::opened(driver);
            line.run(Duration::from_secs(10));
            for burst in &noise {
                line.happen(Change::Board(&acts::other_than(line.picture())).at(line.first()));
                line.noise.push_back(burst.clone());
                line.survey();
                // The first answer may be the one lost, not this one.
                line.survey();
                let truth = line.truth.get(&line.first()).map(|it| Shown::by(driver, *it));
                prop_assert_eq!(line.picture(), truth, "{:?} after {:02x?}", driver, burst);
            }
        }
    }

    #[test]
    fn no_input_brings_a_conversation_down(entries in any_entries()) {
        for driver in languages() {
            let mut conversation = (driver.converse)();
            let mut now = Moment::ZERO;
            for (after_ms, entry) in &entries {
                now = now + Duration::from_millis(*after_ms);
                let mut out = Vec::new();
                conversation.handle(now, entry.as_input(), &mut out);
                let bytes = match entry {
                    Entry::Bytes(bytes) => bytes.len(),
                    _ => 0,
                };
                prop_assert!(out.len() <= ANSWERS + 2 * bytes, "{:?}: {:?}", driver, out);
                let wakings = exhaust(&mut *conversation, now);
                prop_assert!(wakings < WAKINGS, "{:?} runs wild", driver);
            }
        }
    }

    #[test]
    fn no_input_brings_an_emulator_down(entries in any_entries()) {
        for driver in languages() {
            let mut board = (driver.emulate)();
            let mut now = Moment::ZERO;
            for (after_ms, entry) in &entries {
                now = now + Duration::from_millis(*after_ms);
                let (stimulus, bytes) = match entry {
                    Entry::Bytes(bytes) => (Stimulus::Host(bytes), bytes.len()),
                    _ => (Stimulus::Due, 0),
                };
                let mut out = Said::default();
                board.handle(now, stimulus, &mut out);                let out = out.bytes();
                prop_assert!(out.len() <= ANSWER_BYTES * (1 + bytes), "{:?}", driver);
                let wakings = exhaust_board(&mut *board, now);
                prop_assert!(wakings < WAKINGS, "{:?} runs wild", driver);
            }
        }
    }

    #[test]
    fn one_who_was_not_told_to_begin_sends_nothing(entries in any_entries()) {
        for driver in languages() {
            let mut now = Moment::ZERO;
            let mut record = Vec::new();
            for (after_ms, entry) in &entries {
                now = now + Duration::from_millis(*after_ms);
                if !matches!(entry, Entry::Opened) {
                    record.push((now, entry.as_input()));
                }
            }
            let out = replay(driver, record);
            let sent = out.iter().filter(|it| matches!(it, Output::Send(_))).count();
            prop_assert_eq!(sent, 0, "{:?}", driver);
        }
    }
}

/// Those whose bytes may be cut anywhere.
fn serial() -> impl Iterator<Item = &'static Driver> {
    DRIVERS.iter().copied().filter(|driver| driver.settings().is_some())
}

/// Whether a line has seen its boards and clocks as they are.
fn is_seen(driver: &Driver, line: &Line, truth: Vec<Truth>) -> Result<(), TestCaseError> {
    for truth in truth {
        if driver.senses == Senses::Nothing {
            // What was shown before it was taken off is all that is known.
            let lever = truth.clock.map(|face| face.lever);
            let seen = lever.filter(|it| line.lever() == Some(*it));
            prop_assert_eq!(seen, lever, "{:?}", driver);
            continue;
        }
        let picture = line.picture_of(truth.station);
        prop_assert_eq!(picture, Some(Shown::by(driver, truth.board)), "{:?}", driver);
        if driver.clock {
            let clock = dials(driver, truth.clock);
            prop_assert_eq!(line.clock_of(truth.station), clock, "{:?}", driver);
        }
    }
    Ok(())
}

/// Wakes a machine as long as it wants to be woken at this moment; how often.
fn exhaust(conversation: &mut dyn Conversation, now: Moment) -> usize {
    let due = |it: &dyn Conversation| it.deadline().is_some_and(|(at, _)| at <= now);
    (0..WAKINGS)
        .take_while(|_| {
            let due = due(conversation);
            if due {
                conversation.handle(now, Input::Due, &mut Vec::new());
            }
            due
        })
        .count()
}

fn exhaust_board(board: &mut dyn Emulator, now: Moment) -> usize {
    let due = |it: &dyn Emulator| it.deadline().is_some_and(|(at, _)| at <= now);
    (0..WAKINGS)
        .take_while(|_| {
            let due = due(board);
            if due {
                board.handle(now, Stimulus::Due, &mut Said::default());
            }
            due
        })
        .count()
}

/// Anything at all: random bytes and damaged talk of every family, hosts' and boards'.
fn any_entries() -> impl Strategy<Value = Vec<(u64, Entry)>> {
    let talk = languages().into_iter().flat_map(talk);
    let talk: Vec<Vec<u8>> = talk.filter(|said| !said.is_empty()).collect();
    let damaged = (prop::sample::select(talk), any::<usize>(), 1..300usize, any::<[usize; 2]>())
        .prop_map(|(talk, start, length, [at, bit])| {
            let start = start % talk.len();
            let mut piece: Vec<u8> = talk.into_iter().skip(start).take(length).collect();
            let at = at % (piece.len() * 2); // Half of the time nothing is damaged.
            if let Some(byte) = piece.get_mut(at) {
                *byte ^= 1 << (bit % 8);
            }
            Entry::Bytes(piece)
        });
    let entry = prop_oneof![
        1 => Just(Entry::Opened),
        2 => (0..105_u16).prop_map(|station| Entry::Survey(Station(station))),
        3 => Just(Entry::Due),
        4 => prop::collection::vec(any::<u8>(), 0..300).prop_map(Entry::Bytes),
        6 => damaged,
    ];
    prop::collection::vec((0..3000u64, entry), 0..40)
}

/// What both ends say in a short conversation; a host that only listens says nothing.
fn talk(driver: &'static Driver) -> [Vec<u8>; 2] {
    let mut line = Line::opened(driver);
    play(driver, &mut line, &some_acts());
    assert!(!line.bytes().is_empty(), "{driver:?}'s board says nothing");
    [line.bytes(), line.said]
}
