//! Everything that reads what others have written, with inputs that are nearly right: no input
//! panics, none makes memory grow. A few thousand each time, the same ones; for longer, in release:
//!
//! `ADOUBED_FUZZ_SECONDS=600 cargo test --release --test fuzz -- --nocapture --test-threads=1`

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may fail, and tell")]

#[path = "../common/mutation.rs"]
mod mutation;

use std::time::Duration;

use adoubed::entry::{Entry, LineId};
use adoubed::requests::Request;
use adoubed::{lines::virtual_line, pairings, record::capture, record::journal};
use eboard::{Carrier, Driver, Input, Moment, Probe, Probed};
use mutation::fuzz;
use witness::LineNo;

/// A game whose bytes every language can tell.
const SCRIPT: &str = include_str!("../laws/adjusted.gestures");

/// What a virtual board says in its language: single reads, and all of it at once.
fn said(driver: &'static Driver) -> Vec<Vec<u8>> {
    let script = rehearsal::parse(SCRIPT).unwrap();
    let end = Moment::ZERO + Duration::from_secs(10);
    let heard = virtual_line::heard(driver, script.play(), end, LineNo::new(1));
    let reads = heard.into_iter().filter_map(|(_, entry)| match entry {
        Entry::Bytes(_, bytes) => Some(bytes),
        _ => None,
    });
    let mut corpus: Vec<_> = reads.collect();
    corpus.push(corpus.concat());
    corpus.sort();
    corpus.dedup();
    assert!(corpus.len() > 1, "{driver:?} says nothing");
    corpus
}

/// A new conversation with each input, cut in two, with its time passing.
fn decodes(driver: &'static Driver) {
    fuzz(driver.name, &said(driver), |input| {
        let mut conversation = (driver.converse)();
        let (mut now, mut out) = (Moment::ZERO, Vec::new());
        conversation.handle(now, Input::Opened, &mut out);
        let (first, then) = input.split_at(input.len() / 3);
        for bytes in [first, then] {
            conversation.handle(now, Input::Bytes(bytes), &mut out);
            if let Some((at, _)) = conversation.deadline() {
                now = now.max(at);
                conversation.handle(now, Input::Due, &mut out);
            }
        }
        // Whatever it has become, it can be kept and go on.
        let kept = conversation.save().unwrap();
        (driver.restore)(&kept).unwrap();
    });
}

macro_rules! languages {
    ($($test:ident $driver:literal),+ $(,)?) => {
        $(#[test]
        fn $test() {
            decodes(catalog::find($driver).unwrap());
        })+

        #[test]
        fn every_language_is_here() {
            let here = [$($driver),+];
            for driver in catalog::languages() {
                assert!(here.contains(&driver.name), "{} is not tried", driver.name);
            }
        }
    };
}

languages! {
    dgt "dgt",
    dgt_bus "dgtbus",
    chesslink "chesslink",
    certabo "certabo",
    tabutronic "tabutronic",
    ichessone "ichessone",
    chessnut "chessnut",
    chessnut_clock "chessnutclock",
    hos "hos",
}

/// All languages at once, as on a line that nobody knows yet.
#[test]
fn probing() {
    let drivers = catalog::languages();
    let corpus: Vec<_> = drivers.iter().copied().flat_map(said).collect();
    fuzz("probing", &corpus, |input| {
        let mut probe = Probe::new(Moment::ZERO, &drivers, Carrier::Serial);
        let mut out: Vec<Probed> = Vec::new();
        probe.heard(Moment::ZERO, input, &mut out);
        if let Some((at, _)) = probe.deadline() {
            probe.due(at, &mut out);
        }
    });
}

#[test]
fn journals() {
    let id = LineId::at("/dev/ttyUSB0");
    let body = serde_json::json!({"alert": "1-1-1"});
    let request = Request::read("acknowledge", body, "Ann");
    let entries = [
        Entry::Planned(Box::default()),
        Entry::Wall(5),
        Entry::Opened(LineNo::new(7), id),
        Entry::Bytes(LineNo::new(7), vec![0x8e, 0, 5, 0x34, 0]),
        Entry::Request(request),
        Entry::Shed(LineNo::new(7), 9),
        Entry::Closed(LineNo::new(7)),
    ];
    let records = (0..).zip(entries).map(|(at, entry)| (Moment::from_micros(at), entry));
    let mut corpus: Vec<_> = records.map(|record| journal::encode(&record).unwrap()).collect();
    let whole = corpus.concat();
    corpus.push(whole.clone());
    let known = journal::content(&whole, 0).records;
    fuzz("journal", &corpus, |input| {
        // A checksum stands before everything: what is read was written.
        let read = journal::content(input, 0);
        assert!(read.records.iter().all(|(_, entry)| known.iter().any(|it| it.1 == *entry)));
    });
}

/// What is behind the checksum of a record: a journal of another version may say anything.
#[test]
fn records() {
    let plan = Entry::Planned(Box::default());
    let id = Entry::Opened(LineNo::new(7), LineId::at("/dev/ttyUSB0"));
    let entries = [plan, id, Entry::Shed(LineNo::new(7), 9), Entry::Wall(5)];
    let corpus =
        entries.map(|entry| journal::encode(&(Moment::ZERO, entry)).unwrap()[8..].to_vec());
    fuzz("records", &corpus, |body| {
        let mut record = u32::try_from(body.len()).unwrap().to_le_bytes().to_vec();
        record.extend(crc32fast::hash(body).to_le_bytes());
        record.extend(body);
        let _ = journal::content(&record, 0);
    });
}

#[test]
fn requests() {
    let lines = include_str!("corpus/requests.txt").lines();
    let corpus: Vec<_> = lines.map(|line| line.as_bytes().to_vec()).collect();
    let mut understood = 0u64;
    fuzz("requests", &corpus, |input| {
        let text = String::from_utf8_lossy(input);
        let (verb, body) = text.split_once(' ').unwrap_or((&text, ""));
        let body = serde_json::from_str(body).unwrap_or_default();
        let request = Request::read(verb, body, "Ann");
        understood += u64::from(request.asked().is_ok());
    });
    assert!(understood > 0);
}

#[test]
fn pairings() {
    let corpus = [
        include_str!("corpus/pairings.pgn"),
        include_str!("corpus/pairings.trf16"),
        include_str!("corpus/pairings.trf26"),
    ];
    for text in corpus {
        assert!(!pairings::read(text).unwrap().is_empty(), "{text}");
    }
    let corpus = corpus.map(|text| text.as_bytes().to_vec());
    fuzz("pairings", &corpus, |input| {
        let _ = pairings::read(&String::from_utf8_lossy(input));
    });
}

#[test]
fn captures_and_scripts() {
    let capture = b"# Laws: 2018\n0.5 # hello\n1.25 < 42 8e 00 05 34 00\n".to_vec();
    fuzz("captures and scripts", &[capture, SCRIPT.as_bytes().to_vec()], |input| {
        let text = String::from_utf8_lossy(input);
        let _ = capture::parse(&text);
        let _ = rehearsal::parse(&text);
    });
}
