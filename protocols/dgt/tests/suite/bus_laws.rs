//! Laws of the bus that hold for any bytes, any trouble and any gestures.

use std::time::Duration;

use dgt::{Answer, BusDecoder, BusHeard, Content, Dump, Report, Tag, Version, tags};
use eboard::{Change, FaceTime, Piece, Placement, Side, Square, Station};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::bus_bench::BusBench;

fn heard(bytes: &[u8], cuts: &[usize]) -> Vec<Result<Vec<u8>, eboard::Anomaly>> {
    let mut places: Vec<usize> = cuts.iter().map(|at| at % (bytes.len() + 1)).collect();
    places.extend([0, bytes.len()]);
    places.sort_unstable();
    let (mut decoder, mut all) = (BusDecoder::default(), Vec::new());
    for pair in places.windows(2) {
        decoder.feed(&bytes[pair[0]..pair[1]], |heard| {
            all.push(match heard {
                BusHeard::Answer(station, answer) => {
                    let mut bytes = Vec::new();
                    answer.encode(station, &mut bytes);
                    Ok(bytes)
                }
                BusHeard::Noise(anomaly) => Err(anomaly),
            });
        });
    }
    all
}

/// Any answer, as it goes over the wire.
fn answer() -> impl Strategy<Value = Vec<u8>> {
    let parts = (0..7_u8, 1..0x4000_u16, any::<[u8; 32]>(), vec(0..0x80_u8, 0..300));
    parts.prop_map(|(kind, station, nibbles, log)| {
        let mut codes = [0; 64];
        for (pair, byte) in codes.chunks_exact_mut(2).zip(nibbles) {
            pair.copy_from_slice(&[byte >> 4, byte & 0x0f]);
        }
        let version = Version { major: nibbles[0] & 0x7f, minor: nibbles[1] & 0x7f };
        let answer = match kind {
            0 => Answer::Board(Dump::new(codes).expect("codes up to 0f")),
            1 => Answer::Clock(Report::NoClock),
            2 => Answer::Version(Some(version)),
            3 => Answer::Version(None),
            4 => Answer::Ping,
            _ => Answer::Changes { even: kind == 5, log: &log },
        };
        let mut bytes = Vec::new();
        answer.encode(Station(station), &mut bytes);
        bytes
    })
}

fn content() -> impl Strategy<Value = Option<Piece>> {
    prop::option::of(prop::sample::select(&Piece::ALL[..]))
}

#[derive(Clone, Debug)]
enum Gesture {
    Put(usize, u8, Option<Piece>),
    Lose(usize, u16),
    Damage(usize, u16),
    PowerLost(usize),
    Wait(u64),
}

fn gesture() -> impl Strategy<Value = Gesture> {
    prop_oneof![
        10 => (0..5_usize, 0..64_u8, content()).prop_map(|(who, at, it)| Gesture::Put(who, at, it)),
        2 => (0..5_usize, 1..6_u16).prop_map(|(who, count)| Gesture::Lose(who, count)),
        2 => (0..5_usize, 1..6_u16).prop_map(|(who, count)| Gesture::Damage(who, count)),
        1 => (0..5_usize).prop_map(Gesture::PowerLost),
        6 => (0..900_u64).prop_map(Gesture::Wait),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn answers_read_back_however_they_are_cut(
        answers in vec(answer(), 0..8), cuts in vec(any::<usize>(), 0..40),
    ) {
        let expected: Vec<_> = answers.iter().cloned().map(Ok).collect();
        prop_assert_eq!(heard(&answers.concat(), &cuts), expected);
    }

    #[test]
    fn noise_costs_no_answer_that_follows_it(
        noise in vec(any::<u8>(), 0..80), answer in answer(), cuts in vec(any::<usize>(), 0..10),
    ) {
        let bytes = [&noise[..], &answer].concat();
        let all = heard(&bytes, &cuts);
        prop_assert_eq!(all.last(), Some(&Ok(answer)));
        prop_assert_eq!(all, heard(&bytes, &[]));
    }

    /// The check finds every single wrong bit; a longer frame or another kind may hide none.
    #[test]
    fn one_wrong_bit_is_no_answer(answer in answer(), at in any::<usize>(), bit in 0..8_u8) {
        let mut bytes = answer.clone();
        let at = at % bytes.len();
        bytes[at] ^= 1 << bit;
        prop_assume!(at != 0 && !(1..3).contains(&at));
        prop_assert!(heard(&bytes, &[]).iter().all(Result::is_err));
    }

    #[test]
    fn any_log_is_read_to_its_end_or_to_what_is_unknown(log in vec(0..0x80_u8, 0..200)) {
        let all: Vec<Tag> = tags(&log).collect();
        prop_assert!(all.len() <= log.len());
        let unknown = all.iter().position(|tag| matches!(tag, Tag::Unknown(_)));
        prop_assert!(unknown.is_none_or(|at| at + 1 == all.len()));
    }

    #[test]
    fn entries_read_back(
        squares in vec((0..64_u8, 0..16_u8, any::<bool>()), 0..40), time in 0..35_999_u32,
    ) {
        let fields = squares.iter().map(|&(square, code, rapid)| Tag::Field {
            square: Square::new(square).expect("below 64"),
            content: Content::from_code(code).expect("below 16"),
            rapid,
        });
        let press = Tag::Time(Side::Right, FaceTime::from_ms(time * 1000));
        let entries: Vec<Tag> = fields.chain([press, Tag::PowerUp]).collect();
        let mut log = Vec::new();
        entries.iter().for_each(|tag| tag.encode(&mut log));
        prop_assert_eq!(tags(&log).collect::<Vec<_>>(), entries);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None, cases: 64, ..ProptestConfig::default()
    })]

    /// Whatever is lost or damaged, in the end every square is right.
    #[test]
    fn trouble_costs_no_square(gestures in vec(gesture(), 0..50), alternating in any::<bool>()) {
        let mut bench = BusBench::ready(5);
        bench.bus.set_alternating(alternating);
        let stations = bench.stations();
        for station in &stations {
            bench.survey(*station);
        }
        bench.run(Duration::from_secs(2));
        let mut truth = vec![Placement::starting(); stations.len()];
        for gesture in &gestures {
            match *gesture {
                Gesture::Put(who, at, piece) => {
                    let square = Square::new(at).expect("below 64");
                    truth[who][square] = piece;
                    bench.change(stations[who], Change::Square { square, piece });
                }
                Gesture::Lose(who, count) => bench.bus.lose(stations[who], count),
                Gesture::Damage(who, count) => bench.bus.damage(stations[who], count),
                Gesture::PowerLost(who) => bench.change(stations[who], Change::PowerLost),
                Gesture::Wait(ms) => bench.run(Duration::from_millis(ms)),
            }
        }
        bench.bus.heal();
        bench.run(Duration::from_secs(60));
        for (station, truth) in stations.iter().zip(truth) {
            prop_assert_eq!(bench.picture_of(*station), Some(truth));
        }
    }
}
