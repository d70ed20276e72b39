//! How messages are found in a stream that is cut, noisy or damaged. Not what follows from them.

use chesslink::Decoder;
use chesslink::frame::{Answer, Command, Request, Version};
use eboard::{Anomaly, Piece, Placement, Square};
use proptest::prelude::*;

type Heard = Vec<Result<Answer, Anomaly>>;

#[test]
fn no_stray_byte_takes_a_message_with_it() {
    let board = Answer::Board(Placement::starting());
    for stray in 0..=u8::MAX {
        let bytes = [&[stray][..], &board.encode()].concat();
        let heard: Heard = Decoder::default().feed(&bytes);
        assert_eq!(heard.len(), 2, "{stray:02x}: {heard:?}");
        assert!(matches!(heard[0], Err(Anomaly::Stray | Anomaly::Truncated)), "{heard:?}");
        assert_eq!(heard[1], Ok(board.clone()), "{stray:02x}");
    }
}

#[test]
fn a_message_is_found_at_once_after_one_that_broke_off() {
    let good = Answer::Board(Placement::starting());
    let broken = [
        good.clone(),
        Answer::Version(Version { high: 1, low: 3 }),
        Answer::Register { address: 0, value: 0 },
        Answer::LightsOut,
    ];
    for broken in broken {
        let whole = broken.encode();
        for kept in 1..whole.len() {
            let heard: Heard = Decoder::default().feed(&[&whole[..kept], &good.encode()].concat());
            assert_eq!(heard, [Err(Anomaly::Truncated), Ok(good.clone())], "{broken:?} {kept}");
        }
    }
}

#[test]
fn one_flipped_bit_costs_its_message_and_no_other() {
    let good = Answer::Board(Placement::starting().turned());
    for at in 0..67 {
        for bit in 0..8 {
            let mut damaged = good.encode();
            damaged[at] ^= 1 << bit;
            let mut decoder = Decoder::default();
            let mut heard: Heard = decoder.feed(&damaged);
            assert!(heard.iter().all(Result::is_err), "byte {at} bit {bit}: {heard:?}");
            heard.extend(decoder.feed(&good.encode()));
            assert_eq!(heard.last(), Some(&Ok(good.clone())), "byte {at} bit {bit}");
            assert!(heard.len() <= 3, "byte {at} bit {bit}: {heard:?}");
            if bit == 7 && at > 0 {
                assert_eq!(heard[0], Err(Anomaly::BadParity));
            }
        }
    }
}

#[test]
fn two_flips_that_cancel_in_the_check_are_seen_by_parity() {
    // Both white bishops read as rooks: every character legal, the XOR unchanged.
    let mut damaged = Answer::Board(Placement::starting()).encode();
    let (first, second) = (59, 62);
    damaged[first] ^= b'B' ^ b'R';
    damaged[second] ^= b'B' ^ b'R';
    assert_eq!((damaged[first] & 0x7f, damaged[second] & 0x7f), (b'R', b'R'));
    let heard: Heard = Decoder::default().feed(&damaged);
    assert_eq!(heard, [Err(Anomaly::BadParity)]);
}

#[test]
fn a_board_without_parity_is_believed_from_the_third_message() {
    let good = Answer::Board(Placement::starting());
    let plain: Vec<u8> = good.encode().iter().map(|byte| byte & 0x7f).collect();
    let mut decoder = Decoder::default();
    let mut heard = |bytes: &[u8]| -> Heard { decoder.feed(bytes) };
    assert_eq!(heard(&plain), [Err(Anomaly::BadParity)]);
    assert_eq!(heard(&plain), [Err(Anomaly::BadParity)]);
    assert_eq!(heard(&plain), [Ok(good.clone())]);
    assert_eq!(heard(&plain), [Ok(good.clone())]);
    // Even then the check is looked at.
    let mut damaged = plain.clone();
    damaged[20] = b'P';
    assert_eq!(heard(&damaged), [Err(Anomaly::BadParity)]);
    assert_eq!(heard(&plain), [Ok(good.clone())]);
    // One message with right parity, and parity counts again.
    assert_eq!(heard(&good.encode()), [Ok(good)]);
    assert_eq!(heard(&plain), [Err(Anomaly::BadParity)]);
}

#[test]
fn a_host_without_parity_is_never_obeyed() {
    let mut decoder: Decoder<Request> = Decoder::default();
    for _ in 0..10 {
        assert_eq!(decoder.feed(b"V56"), [Err(Anomaly::BadParity)]);
    }
}

#[test]
fn a_letter_that_stands_for_no_piece_is_no_board() {
    for letter in ['?', 'o', 'O'] {
        let text = format!("s{}{letter}", ".".repeat(63));
        let check = chesslink::frame::check_of(text.as_bytes());
        let bytes: Vec<u8> = text
            .bytes()
            .chain(check)
            .map(|it| if it.count_ones().is_multiple_of(2) { it | 0x80 } else { it })
            .collect();
        let heard: Heard = Decoder::default().feed(&bytes);
        assert_eq!(heard, [Err(Anomaly::BadValue)], "{letter}");
    }
}

#[test]
fn bishops_at_the_end_are_no_check() {
    let mut placement = Placement::EMPTY;
    for square in 62..64 {
        placement[Square::new(square).unwrap()] = Some(Piece::WhiteBishop);
    }
    let board = Answer::Board(placement);
    assert_eq!(Decoder::default().feed(&board.encode()), [Ok(board)]);
}

#[test]
fn a_name_that_never_ends_is_left_after_a_hundred_characters() {
    let board = Answer::Board(Placement::starting());
    let mut bytes = b"\xe9\xb0\xb0".to_vec(); // i00
    bytes.extend(board.encode());
    bytes.extend(board.encode());
    let heard: Heard = Decoder::default().feed(&bytes);
    assert_eq!(heard, [Err(Anomaly::Truncated), Ok(board.clone()), Ok(board)]);
}

proptest! {
    #[test]
    fn any_cutting_gives_the_same_messages(
        answers in prop::collection::vec(any_answer(), 0..8),
        cuts in prop::collection::vec(0..600usize, 0..20),
    ) {
        let bytes: Vec<u8> = answers.iter().flat_map(Answer::encode).collect();
        let mut decoder = Decoder::default();
        let mut heard: Heard = Vec::new();
        for piece in cut(&bytes, &cuts) {
            heard.extend(decoder.feed(piece));
        }
        prop_assert_eq!(heard, answers.into_iter().map(Ok).collect::<Heard>());
    }

    #[test]
    fn any_cutting_of_anything_gives_the_same(
        bytes in wild_bytes(),
        cuts in prop::collection::vec(0..600usize, 0..20),
    ) {
        let whole: Heard = Decoder::default().feed(&bytes);
        prop_assert!(whole.len() <= bytes.len());
        let mut decoder = Decoder::default();
        let mut heard: Heard = Vec::new();
        for piece in cut(&bytes, &cuts) {
            heard.extend(decoder.feed(piece));
        }
        prop_assert_eq!(heard, whole);
        let requests: Vec<Result<Request, Anomaly>> = Decoder::default().feed(&bytes);
        prop_assert!(requests.len() <= bytes.len());
    }

    #[test]
    fn every_request_reads_as_it_was_written(
        commands in prop::collection::vec(any_command(), 0..20),
    ) {
        let bytes: Vec<u8> = commands.iter().flat_map(|it| it.encode()).collect();
        let wanted: Vec<_> = commands.into_iter().map(|it| Ok(Request::Command(it))).collect();
        prop_assert_eq!(Decoder::default().feed(&bytes), wanted);
    }

    #[test]
    fn a_truncated_message_costs_only_itself(
        first in any_answer(), kept in 1..66usize, next in any_placement(),
    ) {
        let whole = first.encode();
        let kept = kept.min(whole.len() - 1);
        let next = Answer::Board(next);
        // Twice, because the beginning of a name may hide what follows for a hundred characters.
        let bytes = [&whole[..kept], &next.encode(), &next.encode()].concat();
        let heard: Heard = Decoder::default().feed(&bytes);
        let good: Vec<_> = heard.into_iter().flatten().collect();
        prop_assert_eq!(good, vec![next.clone(), next]);
    }

    #[test]
    fn noise_costs_at_most_one_message(
        rounds in prop::collection::vec((wild_bytes(), any_placement()), 1..6),
    ) {
        let mut bytes = Vec::new();
        for (noise, placement) in &rounds {
            bytes.extend(noise);
            bytes.extend(Answer::Board(*placement).encode());
        }
        let flush = Answer::Board(Placement::EMPTY);
        bytes.extend(flush.encode());
        bytes.extend(flush.encode());
        let heard: Heard = Decoder::default().feed(&bytes);
        let boards = heard.into_iter().flatten().filter(|it| matches!(it, Answer::Board(_)));
        let boards: Vec<Answer> = boards.collect();
        let wanted = rounds.iter().map(|(_, it)| Answer::Board(*it));
        // Nothing on the line can hide a message that begins in its own right: none is lost.
        prop_assert_eq!(boards, wanted.chain([flush.clone(), flush]).collect::<Vec<_>>());
    }
}

fn cut<'a>(bytes: &'a [u8], cuts: &[usize]) -> Vec<&'a [u8]> {
    let mut cuts: Vec<usize> = cuts.iter().map(|at| at % (bytes.len() + 1)).collect();
    cuts.extend([0, bytes.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect()
}

fn any_placement() -> impl Strategy<Value = Placement> {
    let piece = prop::option::of(prop::sample::select(&Piece::ALL[..]));
    prop::collection::vec(piece, 64)
        .prop_map(|squares| Placement::from_squares(squares.try_into().expect("64 squares")))
}

fn any_answer() -> impl Strategy<Value = Answer> {
    prop_oneof![
        4 => any_placement().prop_map(Answer::Board),
        1 => any::<(u8, u8)>().prop_map(|(high, low)| Answer::Version(Version { high, low })),
        1 => "[ -~]{0,94}".prop_map(Answer::Name),
        1 => any::<(u8, u8)>().prop_map(|(address, value)| Answer::Register { address, value }),
        1 => any::<(u8, u8)>().prop_map(|(address, value)| Answer::Written { address, value }),
        1 => Just(Answer::LightsOut),
        1 => Just(Answer::Lights),
    ]
}

fn any_command() -> impl Strategy<Value = Command> {
    prop_oneof![
        Just(Command::Board),
        Just(Command::Version),
        Just(Command::Name),
        Just(Command::LightsOut),
        any::<u8>().prop_map(|address| Command::Read { address }),
        any::<(u8, u8)>().prop_map(|(address, value)| Command::Write { address, value }),
    ]
}

/// Random bytes, and bytes that look like this language.
fn wild_bytes() -> impl Strategy<Value = Vec<u8>> {
    let letters = b"svxlrwiSVXLRWIT.KQRNBPkqrnbp?0123456789ABCDEF\n".to_vec();
    let like = prop::sample::select(letters)
        .prop_map(|it| if it.count_ones().is_multiple_of(2) { it | 0x80 } else { it });
    prop_oneof![prop::collection::vec(any::<u8>(), 0..100), prop::collection::vec(like, 0..300),]
}
