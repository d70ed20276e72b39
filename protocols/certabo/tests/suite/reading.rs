//! How messages are found in a stream, against the facts in the README. Not what they mean.

use crate::common::{named, set_up};
use certabo::Decoder;
use certabo::frame::{Lamps, Message, Tag};
use eboard::{Anomaly, Occupancy};
use proptest::prelude::*;

type Found = Vec<Result<Message, Anomaly>>;

fn feed(bytes: &[u8]) -> Found {
    Decoder::default().feed(bytes)
}

fn occupied(bits: u64) -> Result<Message, Anomaly> {
    Ok(Message::Occupied(Occupancy(bits)))
}

/// 320 numbers, the last one of several digits.
fn numbers() -> String {
    let numbers = (0..320).map(|at| (at * 7 % 256).to_string());
    let numbers: Vec<String> = numbers.chain(["170".to_owned()]).skip(1).collect();
    numbers.join(" ")
}

fn tags(found: &Result<Message, Anomaly>) -> &[Tag; 64] {
    match found {
        Ok(Message::Tags(tags)) => tags,
        other => panic!("tags are wanted: {other:?}"),
    }
}

#[test]
fn a_rank_is_a_byte_with_the_a_file_highest() {
    assert_eq!(feed(b":255 255 0 0 0 0 255 255 \r\n"), [occupied(0xffff_0000_0000_ffff)]);
    let mut wanted = Occupancy(0xffff_0000_0000_ffff);
    wanted.set(named("e1"), false);
    wanted.set(named("e4"), true);
    assert_eq!(feed(b":255 255 0 0 8 0 255 247\r\n"), [occupied(wanted.0)]);
    let mut corner = Occupancy::default();
    corner.set(named("a8"), true);
    assert_eq!(feed(b":128 0 0 0 0 0 0 0\r\n"), [occupied(corner.0)]);
}

#[test]
fn tags_are_five_numbers_from_a8_on() {
    let found = feed(format!(":{} \r\n", numbers()).as_bytes());
    let tags = tags(&found[0]);
    assert_eq!(tags[0].0, [7, 14, 21, 28, 35]);
    assert_eq!(tags[usize::from(named("h8").index())].0[0], 252, "number 36, times 7");
    assert_eq!(tags[63].0[4], 170);
    assert_eq!(found.len(), 1);
}

#[test]
fn an_acknowledgement_may_follow_a_number_after_a_line_feed() {
    let mut wanted = Occupancy(0xffff_0000_0000_ffff);
    wanted.set(named("h1"), false);
    let mono = Ok(Message::Lit(Lamps::Mono));
    assert_eq!(feed(b":255 255 0 0 0 0 255 254\nL\r\n"), [occupied(wanted.0), mono.clone()]);
    assert_eq!(feed(b"L\r\n\r\nD\r\n"), [mono, Ok(Message::Lit(Lamps::Rgb))]);
}

#[test]
fn line_feeds_inside_do_not_part_a_number() {
    let text = numbers();
    let (head, tail) = text.split_at(text.len() - 1);
    let found = feed(format!(":{head}\n{tail} \r\n").as_bytes());
    assert_eq!(tags(&found[0])[63].0[4], 170);
    let wrapped: Vec<String> =
        text.as_bytes().chunks(64).map(|it| String::from_utf8(it.to_vec()).unwrap()).collect();
    assert_eq!(feed(format!(":{}\r\n", wrapped.join("\n")).as_bytes()), found);
}

#[test]
fn a_frame_without_an_end_counts_if_its_last_number_is_whole() {
    let [whole, cut] = [":1 2 3 4 5 6 7 8 :", ":1 2 3 4 5 6 7 8:"];
    assert_eq!(feed(whole.as_bytes()).len(), 1);
    assert!(feed(whole.as_bytes())[0].is_ok());
    assert_eq!(feed(cut.as_bytes()), [Err(Anomaly::Truncated)]);
    let text = numbers();
    // 170 cut to 17: as many numbers as wanted, and a wrong one.
    let cut = feed(format!(":{}:", &text[..text.len() - 1]).as_bytes());
    assert_eq!(cut, [Err(Anomaly::Truncated)]);
}

#[test]
fn what_makes_no_sense_is_counted_once_and_skipped() {
    let good = ":1 2 3 4 5 6 7 8 \r\n";
    for (bytes, anomaly) in [
        ("xxxxxxxxxxxxxxxxxx", Anomaly::Stray),
        ("3 0 84 252\r\n", Anomaly::Stray),
        ("Lx\r\n", Anomaly::Stray),
        ("L", Anomaly::Stray),
        (":1 2 3 2XXXXXXXX23 4\r\n", Anomaly::BadValue),
        (":1 2 3 256 4 5 6 7\r\n", Anomaly::BadValue),
        (":1 2 3 0001 4 5 6 7\r\n", Anomaly::BadValue),
        (":1 2 3 4 5 6 7\r\n", Anomaly::BadLength),
        (":1 2 3 4 5 6 7 8 9\r\n", Anomaly::BadLength),
        (":\r\n", Anomaly::BadLength),
        (":1 2 3 4 5 ", Anomaly::Truncated),
    ] {
        let found = feed(format!("{bytes}{good}").as_bytes());
        assert_eq!(found.len(), 2, "{bytes}: {found:?}");
        assert_eq!(found[0], Err(anomaly), "{bytes}");
        assert!(found[1].is_ok(), "{bytes}: {found:?}");
    }
    let long = format!(":{} 1 2 3 4 5\r\n{good}", numbers());
    assert_eq!(feed(long.as_bytes())[0], Err(Anomaly::BadLength));
}

fn any_message() -> impl Strategy<Value = Message> {
    prop_oneof![
        any::<u64>().prop_map(|bits| Message::Occupied(Occupancy(bits))),
        prop::collection::vec(any::<[u8; 5]>(), 64).prop_map(|ids| {
            let tags: Vec<Tag> = ids.into_iter().map(Tag).collect();
            Message::Tags(tags.into_boxed_slice().try_into().expect("64 tags"))
        }),
        Just(Message::Lit(Lamps::Mono)),
        Just(Message::Lit(Lamps::Rgb)),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read_however_it_is_cut(
        messages in prop::collection::vec(any_message(), 0..6),
        cuts in prop::collection::vec(1..200usize, 1..20),
    ) {
        let bytes: Vec<u8> = messages.iter().flat_map(Message::encode).collect();
        let mut decoder = Decoder::default();
        let (mut found, mut rest) = (Vec::new(), &bytes[..]);
        for cut in cuts.iter().cycle() {
            let (piece, more) = rest.split_at((*cut).min(rest.len()));
            found.extend(decoder.feed(piece));
            rest = more;
            if rest.is_empty() {
                break;
            }
        }
        prop_assert_eq!(found, messages.into_iter().map(Ok).collect::<Found>());
    }

    #[test]
    fn any_bytes_at_all_leave_the_next_frame_readable(
        noise in prop::collection::vec(
            prop_oneof![any::<u8>(), prop::sample::select(&b":0159 \r\nLD"[..])], 0..400),
    ) {
        let frame = Message::Tags(Box::new(set_up(1)));
        let mut decoder = Decoder::default();
        let anomalies = decoder.feed(&noise).len();
        prop_assert!(anomalies <= noise.len());
        let found = decoder.feed(&frame.encode());
        prop_assert_eq!(found.last(), Some(&Ok(frame)));
    }

    /// A piece lost from within a frame: whatever is left is never the other kind of frame, unless
    /// exactly 8 numbers are left, which the conversations are there to notice.
    #[test]
    fn a_cut_frame_of_tags_is_no_frame_of_ranks(from in 1..1700usize, length in 1..1700usize) {
        let mut bytes = Message::Tags(Box::new(set_up(200))).encode();
        let from = from.min(bytes.len());
        let to = (from + length).min(bytes.len());
        bytes.drain(from..to);
        let left = String::from_utf8_lossy(&bytes).split_whitespace().count();
        bytes.extend(b":");
        for found in Decoder::default().feed(&bytes) {
            prop_assert!(left == 8 || !matches!(found, Ok(Message::Occupied(_))), "{:?}", found);
        }
    }
}
