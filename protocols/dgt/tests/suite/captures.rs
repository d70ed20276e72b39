//! Recordings played through the host: real ones where they are at hand, a constructed one always.

use std::io::Write;
use std::sync::LazyLock;

use dgt::{Decoder, Heard, Host};
use eboard::{
    Anomaly, ClockFace, Conversation, FlagMark, Input, Moment, Output, Piece, Placement, Role,
    Side, Sighting, Square,
};
use proptest::prelude::*;
use proptest::sample::Index;

/// What was read from a device, and when.
struct Capture(Vec<(Moment, Vec<u8>)>);

impl Capture {
    fn parse(text: &str) -> Self {
        let lines = text.lines().filter_map(|line| line.split_once(" < "));
        Self(lines.map(|(at, bytes)| (moment(at), hex(bytes))).collect())
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|(_, bytes)| bytes.iter().copied()).collect()
    }

    fn play(&self) -> Vec<Output> {
        let mut host = Host::new();
        let mut out = Vec::new();
        for (at, bytes) in &self.0 {
            Conversation::handle(&mut host, *at, Input::Bytes(bytes), &mut out);
        }
        out
    }
}

fn moment(seconds: &str) -> Moment {
    let seconds: f64 = seconds.trim().parse().expect("seconds");
    Moment::from_micros((seconds * 1e6).round() as u64)
}

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("hex")).collect()
}

/// A file of the collection of real recordings, which is not part of this repository.
#[allow(clippy::disallowed_methods)] // Recordings live in files.
fn collected(name: &str) -> Option<String> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").to_owned();
    let folder = std::env::var("ADOUBED_DATA").unwrap_or(beside);
    let text = std::fs::read_to_string(format!("{folder}/captures/dgt/{name}")).ok();
    if text.is_none() {
        // Not `eprintln!`: the test harness would hide it.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: no recording {name} for the tests of dgt; ADOUBED_DATA names its collection"
        );
    }
    text
}

/// What is known of a recording from counts made without this crate.
struct Known {
    name: &'static str,
    turned: bool,
    fields: usize,
    clocks: usize,
    /// Reports in which the left, the right side counts down.
    counting: [usize; 2],
    presses: usize,
}

const KNOWN: [Known; 2] = [
    Known {
        name: "blitz-1",
        turned: false,
        fields: 131,
        clocks: 323,
        counting: [160, 161],
        presses: 57,
    },
    Known {
        name: "blitz-2",
        turned: true,
        fields: 226,
        clocks: 578,
        counting: [282, 295],
        presses: 98,
    },
];

fn sightings(outputs: Vec<Output>) -> Vec<Sighting> {
    outputs
        .into_iter()
        .map(|output| match output {
            Output::Saw(_, sighting) => sighting,
            other => panic!("a listening host gave {other:?}"),
        })
        .collect()
}

fn faces(sightings: &[Sighting]) -> Vec<ClockFace> {
    sightings
        .iter()
        .filter_map(|sighting| match sighting {
            Sighting::Clock(face) => Some(*face),
            _ => None,
        })
        .collect()
}

#[test]
fn real_recordings_hold_the_messages_counted_in_them() {
    for known in KNOWN {
        let Some(text) = collected(&format!("{}.cap", known.name)) else { continue };
        let seen = sightings(Capture::parse(&text).play());
        let count = |kind: fn(&Sighting) -> bool| seen.iter().filter(|it| kind(it)).count();
        assert_eq!(count(|it| matches!(it, Sighting::Position(_))), 1);
        assert_eq!(count(|it| matches!(it, Sighting::Square { .. })), known.fields);
        assert_eq!(count(|it| matches!(it, Sighting::Clock(_))), known.clocks);
        assert_eq!(count(|it| matches!(it, Sighting::Identified(_))), 1);
        assert_eq!(seen.len(), 2 + known.fields + known.clocks);
    }
}

#[test]
fn real_clocks_count_on_the_side_of_the_lever() {
    for known in KNOWN {
        let Some(text) = collected(&format!("{}.cap", known.name)) else { continue };
        let faces = faces(&sightings(Capture::parse(&text).play()));
        for (side, count) in [Side::Left, Side::Right].into_iter().zip(known.counting) {
            let counting = faces.iter().filter(|face| face.running && face.lever == side);
            assert_eq!(counting.count(), count, "{} {side:?}", known.name);
        }
        let mut presses = 0;
        for pair in faces.windows(2) {
            let (before, after) = (pair[0], pair[1]);
            if before.lever == after.lever {
                let waiting = after.lever.other();
                assert_eq!(before.dial(waiting), after.dial(waiting), "only the mover's changes");
            } else {
                presses += 1;
                assert!(after.dial(before.lever).time > before.dial(before.lever).time);
            }
        }
        assert_eq!(presses, known.presses, "{}", known.name);
        assert!(faces.iter().all(|face| face.left.per_move && face.right.per_move));
    }
}

/// The moves of the game, played on a plain picture, must each have stood on the board in order.
#[test]
fn real_games_are_seen_move_by_move() {
    for known in KNOWN {
        let (Some(text), Some(score)) =
            (collected(&format!("{}.cap", known.name)), collected(&format!("{}.uci", known.name)))
        else {
            continue;
        };
        let mut expected = Placement::starting();
        let mut moves = score.split_whitespace().filter(|word| word.len() >= 4);
        let mut played = 0;
        let mut board = Placement::EMPTY;
        play(&mut expected, moves.next().expect("a first move"));
        for sighting in sightings(Capture::parse(&text).play()) {
            match sighting {
                Sighting::Position(placement) => board = placement,
                Sighting::Square { square, piece } => board[square] = piece,
                _ => continue,
            }
            if expected == if known.turned { board.turned() } else { board } {
                played += 1;
                if let Some(next) = moves.next() {
                    play(&mut expected, next);
                }
            }
        }
        let total = score.split_whitespace().filter(|word| word.len() >= 4).count();
        assert_eq!(played, total, "{}", known.name);
    }
}

/// Makes a move as hands do, knowing only what castling and en passant look like.
fn play(board: &mut Placement, uci: &str) {
    let square = |text: &str| match *text.as_bytes() {
        [file, rank] => Square::at(file - b'a', rank - b'1').expect("a square"),
        _ => panic!("{text}"),
    };
    let (from, to) = (square(&uci[..2]), square(&uci[2..4]));
    let piece = board[from].take().expect("a piece to move");
    if piece.role() == Role::King && from.file().abs_diff(to.file()) == 2 {
        let (corner, beside) = if to.file() > from.file() { (7, 5) } else { (0, 3) };
        let rook = board[Square::at(corner, to.rank()).expect("a corner")].take();
        board[Square::at(beside, to.rank()).expect("beside the king")] = rook;
    }
    if piece.role() == Role::Pawn && from.file() != to.file() && board[to].is_none() {
        board[Square::at(to.file(), from.rank()).expect("beside the pawn")] = None;
    }
    let promoted = uci[4..].chars().next().and_then(Piece::from_letter);
    board[to] = Some(promoted.map_or(piece, |it| Piece::new(piece.colour(), it.role())));
}

#[test]
fn the_constructed_recording_tells_its_story() {
    let text = include_str!("../../captures/constructed-first-moves.cap");
    let outputs = Capture::parse(text).play();
    let noise: Vec<_> = outputs
        .iter()
        .filter_map(|output| match output {
            Output::Noise(anomaly) => Some(*anomaly),
            _ => None,
        })
        .collect();
    assert_eq!(noise, [Anomaly::Truncated]);

    let seen =
        sightings(outputs.into_iter().filter(|it| !matches!(it, Output::Noise(_))).collect());
    let mut board = Placement::EMPTY;
    for sighting in &seen {
        match sighting {
            Sighting::Position(placement) => board = *placement,
            Sighting::Square { square, piece } => board[*square] = *piece,
            _ => {}
        }
    }
    assert_eq!(board.to_string(), "rnbq1bnr/pppp1ppp/8/3kp3/4K3/8/PPPP1PPP/RNBQ1BNR");

    let faces = faces(&seen);
    assert_eq!(faces.len(), 7);
    let last = faces[6];
    assert_eq!(last.right.flag, FlagMark::Final);
    assert_eq!(last.left.flag, FlagMark::None);
    assert!(!last.running);

    let identity = seen.iter().rev().find_map(|sighting| match sighting {
        Sighting::Identified(identity) => Some(identity),
        _ => None,
    });
    let identity = identity.expect("it introduced itself");
    assert_eq!(identity.serial.as_deref(), Some("00042"));
    assert_eq!(identity.firmware.as_deref(), Some("3.1"));
}

static RECORDINGS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let constructed = include_str!("../../captures/constructed-first-moves.cap").to_owned();
    let texts = [Some(constructed), collected("blitz-1.cap"), collected("blitz-2.cap")];
    texts.into_iter().flatten().map(|text| Capture::parse(&text).bytes()).collect()
});

/// Everything heard in these pieces, as text.
fn heard(pieces: &[&[u8]]) -> Vec<String> {
    let mut decoder = Decoder::default();
    let mut all = Vec::new();
    for piece in pieces {
        decoder.feed(piece, |heard: Heard<'_>| all.push(format!("{heard:?}")));
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        cases: 48,
        ..ProptestConfig::default()
    })]

    #[test]
    fn recordings_read_the_same_however_cut(
        cuts in proptest::collection::vec(any::<Index>(), 0..200)
    ) {
        for bytes in RECORDINGS.iter() {
            let mut places: Vec<usize> =
                cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            places.extend([0, bytes.len()]);
            places.sort_unstable();
            let pieces: Vec<&[u8]> =
                places.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(heard(&pieces), heard(&[bytes]));
        }
    }
}
