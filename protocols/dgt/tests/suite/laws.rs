//! Laws that hold for any bytes, any cutting and any gestures.

use std::time::Duration;

use dgt::{Command, Content, Decoder, Dump, Frame, Heard, Host, Orders, Report, Version};
use dgt::{MAX_FRAME, VirtualBoard};
use eboard::{
    Battery, Change, ClockFace, Conversation, Dial, Emulator, FaceTime, FlagMark, Input, Moment,
    Output, Piece, Placement, Said, Side, Sighting, Square, Station, Stimulus,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::bench::Bench;

/// What a frame can be made of.
#[derive(Clone, Debug)]
struct Raw {
    kind: usize,
    codes: [u8; 64],
    report: Report,
    text: String,
    small: [u8; 2],
    length: u16,
}

impl Raw {
    fn frame(&self) -> Frame<'_> {
        let [high, low] = self.small;
        let version = Version { major: high, minor: low };
        let text = |from, to| self.text.get(from..to).unwrap_or("00000");
        match self.kind % 11 {
            0 => Frame::Board(Dump::new(self.codes).expect("codes up to 0f")),
            1..=2 => Frame::Clock(self.report),
            3 => Frame::Field {
                square: Square::new(high % 64).expect("below 64"),
                content: Content::from_code(low % 16).expect("below 16"),
            },
            4 => Frame::Log { length: self.length },
            5 => Frame::BusAddress(self.length),
            6 => Frame::Serial(text(0, 5 + usize::from(low % 8))),
            7 => Frame::Trademark(&self.text),
            8 => Frame::Version(version),
            9 => Frame::Battery(Battery { percent: high % 101, charging: low % 2 == 0 }),
            _ => Frame::HardwareVersion(version),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.frame().encode(&mut bytes);
        bytes
    }
}

fn raw() -> impl Strategy<Value = Raw> {
    let text = proptest::string::string_regex("[ -~]{0,300}").expect("a regex");
    (0..11_usize, any::<[u8; 32]>(), report(), text, [0..0x80_u8, 0..0x80], 3..0x1f03_u16).prop_map(
        |(kind, nibbles, report, text, small, length)| {
            let mut codes = [0; 64];
            for (pair, byte) in codes.chunks_exact_mut(2).zip(nibbles) {
                pair.copy_from_slice(&[byte >> 4, byte & 0x0f]);
            }
            Raw { kind, codes, report, text, small, length }
        },
    )
}

fn report() -> impl Strategy<Value = Report> {
    prop_oneof![
        8 => face().prop_map(Report::Face),
        1 => Just(Report::NoClock),
        1 => Just(Report::Null),
        2 => any::<[u8; 4]>().prop_map(Report::Ack),
    ]
}

fn face() -> impl Strategy<Value = ClockFace> {
    (dial(), dial(), any::<bool>(), select(vec![Side::Left, Side::Right]), any::<bool>()).prop_map(
        |(left, right, running, lever, low_battery)| ClockFace {
            left,
            right,
            running,
            lever,
            low_battery,
        },
    )
}

fn dial() -> impl Strategy<Value = Dial> {
    let flag = select(vec![FlagMark::None, FlagMark::Passed, FlagMark::Final]);
    (0..36_000_u32, flag, any::<bool>()).prop_map(|(seconds, flag, per_move)| Dial {
        time: FaceTime::from_ms(seconds * 1000),
        flag,
        per_move,
    })
}

/// Frames with noise between them, as one stream.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        3 => raw().prop_map(|raw| raw.bytes()),
        1 => vec(any::<u8>(), 0..12),
    ];
    vec(part, 0..12).prop_map(|parts| parts.concat())
}

/// Every frame in these bytes, encoded again.
fn frames(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    Decoder::default().feed(bytes, |heard| {
        if let Heard::Frame(frame) = heard {
            let mut bytes = Vec::new();
            frame.encode(&mut bytes);
            frames.push(bytes);
        }
    });
    frames
}

/// Whether `all` holds `wanted` in this order, perhaps with others between.
fn holds_in_order(all: &[Vec<u8>], wanted: &[Vec<u8>]) -> bool {
    let mut rest = all.iter();
    wanted.iter().all(|frame| rest.any(|it| it == frame))
}

/// Sightings and noise, without what is sent.
fn claims(host: &mut Host, now: Moment, pieces: &[&[u8]]) -> Vec<Output> {
    let mut out = Vec::new();
    for piece in pieces {
        Conversation::handle(host, now, Input::Bytes(piece), &mut out);
    }
    out.retain(|output| !matches!(output, Output::Send(_)));
    out
}

fn cut<'a>(bytes: &'a [u8], cuts: &[Index]) -> Vec<&'a [u8]> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    places.sort_unstable();
    let mut pieces = Vec::new();
    let mut from = 0;
    for place in places {
        pieces.push(&bytes[from..place]);
        from = place;
    }
    pieces.push(&bytes[from..]);
    pieces
}

fn opened(now: Moment) -> Host {
    let mut host = Host::new();
    Conversation::handle(&mut host, now, Input::Opened, &mut Vec::new());
    host
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_encoded_is_decoded(raw in raw()) {
        let bytes = raw.bytes();
        let is_log = matches!(raw.frame(), Frame::Log { .. });
        prop_assert!(bytes.len() <= MAX_FRAME || is_log);
        let mut heard_one = false;
        let mut same = true;
        Decoder::default().feed(&bytes, |heard| {
            heard_one = true;
            same &= heard == Heard::Frame(raw.frame());
        });
        prop_assert!(heard_one && same, "{:?} as {:02x?}", raw.frame(), bytes);
    }

    #[test]
    fn any_cutting_gives_the_same_claims(bytes in stream(), cuts in vec(any::<Index>(), 0..40)) {
        let now = Moment::from_micros(7_000_000);
        let pieces = cut(&bytes, &cuts);
        let singles: Vec<&[u8]> = bytes.chunks(1).collect();
        for make in [|_| Host::new(), opened] {
            let whole = claims(&mut make(now), now, &[&bytes]);
            prop_assert_eq!(&claims(&mut make(now), now, &pieces), &whole);
            prop_assert_eq!(&claims(&mut make(now), now, &singles), &whole);
        }
    }

    #[test]
    fn noise_between_frames_costs_none_of_them(
        parts in vec((raw(), vec(any::<u8>(), 0..9)), 1..8)
    ) {
        let mut bytes = Vec::new();
        let mut sound = Vec::new();
        for (raw, noise) in &parts {
            bytes.extend_from_slice(noise);
            bytes.extend(raw.bytes());
            sound.extend(frames(&raw.bytes()));
        }
        prop_assert_eq!(sound.len(), parts.len());
        prop_assert!(holds_in_order(&frames(&bytes), &sound));
    }

    #[test]
    fn damage_costs_only_the_frame_it_hit(
        parts in vec(raw(), 2..8), which in any::<Index>(), place in any::<Index>(),
        change in 0..3_u8, value in any::<u8>()
    ) {
        let hit = which.index(parts.len());
        let mut bytes = Vec::new();
        let mut sound = Vec::new();
        for (index, raw) in parts.iter().enumerate() {
            let mut frame = raw.bytes();
            if index == hit {
                let at = place.index(frame.len());
                match change {
                    0 => frame[at] = value,
                    1 => drop(frame.remove(at)),
                    _ => frame.insert(at, value),
                }
            } else {
                sound.extend(frames(&frame));
            }
            bytes.extend(frame);
        }
        prop_assert!(holds_in_order(&frames(&bytes), &sound));
    }

    #[test]
    fn nothing_makes_a_host_panic_or_say_what_it_must_not(
        inputs in vec((stream(), 0..4_u8, 0..20_000_u64), 0..20)
    ) {
        let mut now = Moment::ZERO;
        let mut host = Host::new();
        let mut was_opened = false;
        let mut out = Vec::new();
        for (bytes, kind, ms) in &inputs {
            now = now + Duration::from_millis(*ms);
            let input = match kind {
                0 => Input::Opened,
                1 => Input::Survey(Station::ONLY),
                2 => Input::Due,
                _ => Input::Bytes(bytes),
            };
            was_opened |= input == Input::Opened;
            Conversation::handle(&mut host, now, input, &mut out);
        }
        for output in &out {
            if let Output::Send(bytes) = output {
                prop_assert!(was_opened);
                prop_assert!(matches!(bytes[..], [byte] if Command::from_byte(byte).is_some()));
            }
        }
    }

    #[test]
    fn nothing_makes_a_board_panic(
        bytes in vec(any::<u8>(), 0..300), cuts in vec(any::<Index>(), 0..9)
    ) {
        let mut whole = Said::default();
        VirtualBoard::new().handle(Moment::ZERO, Stimulus::Host(&bytes), &mut whole);
        let mut parts = Said::default();
        let mut board = VirtualBoard::new();
        for piece in cut(&bytes, &cuts) {
            board.handle(Moment::ZERO, Stimulus::Host(piece), &mut parts);
        }
        let whole = whole.bytes();
        prop_assert_eq!(&parts.bytes(), &whole);
        let mut orders = 0;
        Orders::default().feed(&bytes, |_| orders += 1);
        prop_assert!(frames(&whole).len() <= orders);
    }
}

/// What happens at an emulated table.
#[derive(Clone, Debug)]
enum Gesture {
    Square(Square, Option<Piece>),
    /// The whole board changes unseen, as when updates were lost.
    Unseen(Placement),
    Clock(Option<ClockFace>),
    Wait(u64),
}

fn gesture() -> impl Strategy<Value = Gesture> {
    let square = (0..64_u8).prop_map(|index| Square::new(index).expect("below 64"));
    let piece = || proptest::option::of(select(Piece::ALL.to_vec()));
    let squares = vec(piece(), 64)
        .prop_map(|squares| Placement::from_squares(squares.try_into().expect("64 squares")));
    prop_oneof![
        6 => (square, piece()).prop_map(|(square, piece)| Gesture::Square(square, piece)),
        1 => squares.prop_map(Gesture::Unseen),
        3 => proptest::option::of(face()).prop_map(Gesture::Clock),
        3 => (0..9_000_u64).prop_map(Gesture::Wait),
    ]
}

/// What the host's sightings add up to.
fn picture(bench: &Bench) -> (Option<Placement>, Option<ClockFace>) {
    let mut board = None;
    let mut clock = None;
    for (_, sighting) in &bench.seen {
        match sighting {
            Sighting::Position(placement) => board = Some(*placement),
            Sighting::Square { square, piece } => {
                if let Some(board) = &mut board {
                    board[*square] = *piece;
                }
            }
            Sighting::Clock(face) => clock = Some(*face),
            Sighting::ClockLost => clock = None,
            _ => {}
        }
    }
    (board, clock)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_host_sees_what_the_board_was_told(gestures in vec(gesture(), 0..60)) {
        let mut bench = Bench::ready();
        let mut truth = (Placement::starting(), None);
        for gesture in &gestures {
            match gesture {
                Gesture::Square(square, piece) => {
                    truth.0[*square] = *piece;
                    bench.stimulus(Change::Square { square: *square, piece: *piece }.here());
                }
                Gesture::Unseen(placement) => {
                    truth.0 = *placement;
                    bench.stimulus(Change::Board(placement).here());
                    bench.input(Input::Survey(Station::ONLY));
                    bench.run(Duration::from_millis(500));
                }
                Gesture::Clock(face) => {
                    truth.1 = *face;
                    bench.stimulus(Change::Clock(*face).here());
                }
                Gesture::Wait(ms) => bench.run(Duration::from_millis(*ms)),
            }
            prop_assert_eq!(picture(&bench), (Some(truth.0), truth.1));
        }
        prop_assert_eq!(bench.noise, 0);
        prop_assert_eq!(bench.saw(|it| *it == Sighting::Silent), 0);
    }
}
