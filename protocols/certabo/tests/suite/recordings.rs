//! Real frames: those in `captures/`, and the whole collection where it is at hand. What they say
//! about noise is counted here, so that the constants that rest on it stay honest.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use crate::common::{GOOD, WEAK, capture, hear, home, named, picture};
use certabo::frame::{Message, Tag, Tags};
use certabo::{Certabo, Decoder};
use eboard::{Conversation, Input, Moment, Output, Placement, Sighting, Square};

fn read(frame: &Tags, square: Square) -> Tag {
    frame[usize::from(square.index())]
}

/// The men of a set: what most frames read at home.
fn at_home<'a>(frames: &'a [Tags], men: &'a Tags) -> impl Iterator<Item = &'a Tags> {
    let all_home = |frame: &&Tags| home().into_iter().all(|at| read(frame, at) == read(men, at));
    frames.iter().filter(all_home)
}

#[test]
fn a_weak_reader_invents_ids_but_never_the_same_twice_and_misses_no_man() {
    let frames = capture(WEAK);
    let men = frames[0];
    let set: BTreeSet<Tag> = home().into_iter().map(|at| read(&men, at)).collect();
    assert_eq!((frames.len(), set.len()), (37, 32));
    let mut ghosts = Vec::new();
    for frame in &frames {
        let found = frame.iter().filter(|tag| **tag != Tag::NONE);
        let (known, unknown): (Vec<Tag>, Vec<Tag>) =
            found.copied().partition(|tag| set.contains(tag));
        assert_eq!(known.len(), 32, "no man is missed, none is read on two squares");
        assert_eq!(known.into_iter().collect::<BTreeSet<_>>(), set);
        ghosts.push(unknown.len());
    }
    let ids = frames.iter().flatten().filter(|tag| **tag != Tag::NONE && !set.contains(tag));
    let ids: Vec<_> = ids.collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "every ghost differs");
    assert_eq!((ghosts.iter().sum::<usize>(), ids.len()), (299, 299));
    assert_eq!((ghosts.iter().min(), ghosts.iter().max()), (Some(&0), Some(&18)));
    let differing =
        |one: &Tag, other: &Tag| one.0.iter().zip(other.0).filter(|it| *it.0 != it.1).count();
    let men = set.iter().flat_map(|one| set.iter().map(move |other| differing(one, other)));
    assert_eq!(men.filter(|bytes| *bytes == 1).count(), 2 * 20, "20 pairs, both ways round");
}

#[test]
fn a_weak_reader_tells_the_starting_position_and_nothing_else() {
    let frames = capture(WEAK);
    let frames: Vec<Tags> = at_home(&frames, &frames[0]).copied().collect();
    assert!(frames.len() > 30);
    let seen = hear(&mut Certabo::default(), &frames);
    let [Sighting::Identified(_), Sighting::Position(board)] = seen[..] else {
        panic!("one board and no square: {seen:?}")
    };
    assert_eq!(board, Placement::starting());
    assert_eq!(hear(&mut Certabo::default(), &frames[..2]).len(), 1, "two frames do not teach");
    assert_eq!(hear(&mut Certabo::default(), &frames[..3]).len(), 2, "three frames do");
}

#[test]
fn a_lift_is_told_with_the_third_frame_and_a_move_with_the_second() {
    let frames = capture(WEAK);
    let frames: Vec<Tags> = at_home(&frames, &frames[0]).copied().collect();
    let [pawn, knight] = [named("e2"), named("g1")];
    let lifted = frames.iter().map(|frame| {
        let mut frame = *frame;
        // A ghost of the same frame comes to the empty square.
        let ghost = frame.iter().skip(16).take(32).find(|tag| **tag != Tag::NONE);
        frame[usize::from(pawn.index())] = ghost.copied().unwrap_or_default();
        frame
    });
    let lifted: Vec<Tags> = lifted.collect();
    let moved: Vec<Tags> = frames
        .iter()
        .map(|frame| {
            let mut frame = *frame;
            let man = std::mem::take(&mut frame[usize::from(knight.index())]);
            frame[usize::from(named("f3").index())] = man;
            frame
        })
        .collect();
    for (changed, frames_needed, changes) in [(&lifted, 3, 1), (&moved, 2, 2)] {
        let mut device = Certabo::default();
        hear(&mut device, &frames[..8]);
        let later: Vec<usize> =
            changed[8..16].iter().map(|frame| hear(&mut device, &[*frame]).len()).collect();
        let mut wanted = vec![0; 8];
        wanted[frames_needed - 1] = changes;
        assert_eq!(later, wanted);
    }
}

#[test]
fn damaged_ids_of_one_frame_change_nothing() {
    let frames = capture(GOOD);
    let [start, lifted, damaged, _] = frames[..] else { panic!("four frames") };
    let mut device = Certabo::default();
    let reported = [[start; 3], [lifted; 3]].concat();
    let mut seen = hear(&mut device, &reported);
    let after = "rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPPP/RNBQKBNR";
    assert_eq!(picture(&seen).map(|it| it.to_string()).as_deref(), Some(after));
    let before = seen.len();
    seen.extend(hear(&mut device, &[damaged, lifted, damaged, damaged, lifted]));
    assert_eq!(seen.len(), before, "{:?}", &seen[before..]);
}

#[test]
fn real_spare_queens_stand_where_the_makers_say() {
    let queens = capture(GOOD)[3];
    let seen = hear(&mut Certabo::default(), &[queens; 3]);
    let wanted = "rnbqkbnr/pppppppp/3q4/8/8/3Q4/PPPPPPPP/RNBQKBNR";
    assert_eq!(picture(&seen).map(|it| it.to_string()).as_deref(), Some(wanted));
}

/// The whole collection, which is not part of this repository.
#[allow(clippy::disallowed_methods)] // Recordings live in files.
fn collection() -> Option<String> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").to_owned();
    let folder = std::env::var("ADOUBED_DATA").unwrap_or(beside);
    let file = PathBuf::from(folder).join("vectors/certabo-frames.jsonl");
    let text = std::fs::read_to_string(&file).ok();
    if text.is_none() {
        // Not `eprintln!`: the test harness would hide it.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: no {} for the tests of certabo; ADOUBED_DATA names its collection",
            file.display()
        );
    }
    text
}

/// The bytes of one entry: the text of its field `ascii`. Some were kept without their first `:`.
fn bytes(entry: &str) -> Vec<u8> {
    let text = entry.split_once("\"ascii\": \"").expect("an entry has its text").1;
    let text = text.split_once('"').expect("the text ends").0;
    let text = text.replace("\\n", "\n").replace("\\r", "\r");
    if text.contains(':') { text.into_bytes() } else { format!(":{text}").into_bytes() }
}

#[test]
fn the_collection_is_read_as_its_notes_say() {
    let Some(text) = collection() else { return };
    let (mut tags, mut ranks, mut lit, mut wrong) = (0, 0, 0, Vec::new());
    for (number, entry) in text.lines().enumerate() {
        // A next frame shows whether the last one had ended.
        for found in Decoder::default().feed(&[&bytes(entry)[..], b":"].concat()) {
            match found {
                Ok(Message::Tags(_)) => tags += 1,
                Ok(Message::Occupied(_)) => ranks += 1,
                Ok(Message::Lit(_)) => lit += 1,
                Err(anomaly) => wrong.push((number, anomaly)),
            }
        }
    }
    use eboard::Anomaly::{BadValue, Stray, Truncated};
    // A frame made unreadable, eighteen x before one, and two cut within the last number.
    assert_eq!(wrong, [(2, BadValue), (3, Stray), (5, Truncated), (69, Truncated)]);
    assert_eq!((tags, ranks, lit), (69, 2, 3));
}

#[test]
fn the_collection_cut_into_single_bytes_is_seen_the_same() {
    let Some(text) = collection() else { return };
    let bytes: Vec<u8> = text.lines().flat_map(bytes).collect();
    let listen = |length: usize| {
        let mut device = Certabo::default();
        let mut out: Vec<Output> = Vec::new();
        for piece in bytes.chunks(length) {
            Conversation::handle(&mut device, Moment::ZERO, Input::Bytes(piece), &mut out);
        }
        out
    };
    let whole = listen(bytes.len());
    assert!(whole.iter().any(|it| matches!(it, Output::Saw(_, Sighting::Position(_)))));
    assert_eq!(listen(1), whole);
    assert_eq!(listen(64), whole);
}
