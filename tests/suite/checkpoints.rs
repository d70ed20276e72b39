//! Whoever goes on from a checkpoint does what he would have done without: recordings are lived
//! through, kept and read again on the way, and nothing may differ from the uninterrupted run.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use adoubed::record::journal::Record;
use adoubed::record::recording::{self, Wanted};
use adoubed::venue::fidelity;
use adoubed::works::kept::Saved;
use adoubed::works::{Act, Works};
use bincode::config::standard;

/// Games that are played of each model.
const GAMES: [u64; 3] = [3, 8, 21];
/// After the last entry everything still open is decided.
const AFTERWARDS: Duration = Duration::from_secs(120);

fn works() -> Works {
    Works::new(catalog::languages())
}

fn saved(works: &Works) -> Vec<u8> {
    bincode::encode_to_vec(works, standard()).unwrap()
}

fn restored(bytes: &[u8]) -> Works {
    let (saved, read) = bincode::decode_from_slice::<Saved, _>(bytes, standard()).unwrap();
    assert_eq!(read, bytes.len());
    saved.works(catalog::languages()).unwrap()
}

/// What is done with each entry, and what is left at the end.
#[derive(PartialEq)]
struct Life {
    acts: Vec<String>,
    end: Vec<u8>,
}

fn written(acts: &mut Vec<Act>) -> String {
    acts.drain(..).map(|act| without_lost_castling(&format!("{act:?}\n"))).collect()
}

/// A position remembers between which squares the king would have castled; the rights are told
/// beside it.
fn without_lost_castling(acts: &str) -> String {
    let mut parts = acts.split("path: ByColor");
    let first = parts.next().unwrap_or_default().to_owned();
    let after = |part: &str| part.split_once(", mode: ").unwrap().1.to_owned();
    first + &parts.map(after).collect::<String>()
}

/// Lives through a recording; before these entries everything is kept and read again.
fn lived(records: &[Record], kept: impl Fn(usize) -> bool) -> Life {
    let (mut works, mut acts) = (works(), Vec::new());
    let mut done = Vec::new();
    for (index, (at, entry)) in records.iter().enumerate() {
        if kept(index) {
            let bytes = saved(&works);
            let again = restored(&bytes);
            assert_eq!(again.deadline(), works.deadline(), "before entry {index}");
            assert!(saved(&again) == bytes, "kept twice it is not the same, before entry {index}");
            works = again;
        }
        works.enter(*at, entry, &mut acts);
        done.push(written(&mut acts));
    }
    works.advance(works.now() + AFTERWARDS, &mut acts);
    done.push(written(&mut acts));
    Life { acts: done, end: saved(&works) }
}

fn assert_same(name: &str, whole: &Life, kept: &Life) {
    for (index, (whole, kept)) in whole.acts.iter().zip(&kept.acts).enumerate() {
        assert_eq!(kept, whole, "{name}, entry {index}");
    }
    assert!(whole.end == kept.end, "{name}: another state at the end");
}

fn recordings(path: &Path) -> Vec<Vec<Record>> {
    let read = recording::read_all(&[path.to_owned()], &Wanted::default());
    read.ok().unwrap().into_iter().map(|it| it.entries).collect()
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|it| it == ending));
    files.sort();
    files
}

/// Some entries of a long recording: one in so many, at no regular distance.
fn now_and_then(seed: u64, one_in: u64) -> impl Fn(usize) -> bool {
    move |index| {
        let mixed = (index as u64 ^ seed << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32).is_multiple_of(one_in)
    }
}

#[test]
fn every_script_goes_on_from_every_entry() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/laws");
    let files = files(&folder, "gestures");
    assert!(files.len() > 100, "the scripts are not there");
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        for records in recordings(&file) {
            let whole = lived(&records, |_| false);
            assert_same(&name, &whole, &lived(&records, |_| true));
        }
    }
}

/// Clumsy hands on every kind of board and line that is measured: blind ones, deaf ones, harmed
/// and unplugged ones, illegal moves that stand.
#[test]
fn games_of_every_model_go_on_from_random_entries() {
    let games =
        fidelity::models().into_iter().flat_map(|model| GAMES.map(|it| (model.clone(), it)));
    for (model, number) in games {
        let records = fidelity::recorded(&model, number);
        let kept = (0..records.len()).filter(|index| now_and_then(number, 10)(*index));
        assert!(kept.count() > 10, "{}: {} entries", model.name, records.len());
        let whole = lived(&records, |_| false);
        let name = format!("{}, game {number}", model.name);
        assert_same(&name, &whole, &lived(&records, now_and_then(number, 10)));
    }
}

#[test]
fn recordings_of_real_games_go_on_from_random_entries() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let data = std::env::var_os("ADOUBED_DATA").map(PathBuf::from);
    let data = data.unwrap_or_else(|| root.join("../shared/data")).join("captures/dgt");
    let mut captures = files(&root.join("protocols/dgt/captures"), "cap");
    assert!(!captures.is_empty(), "the repository holds a recording");
    match data.is_dir() {
        true => captures.extend(files(&data, "cap")),
        // Past the hand that the test runner holds over the words of tests that pass.
        false => {
            let _ = writeln!(std::io::stderr(), "SKIPPED recordings of real games: none here");
        }
    }
    for file in captures {
        for (seed, records) in (1..).zip(recordings(&file)) {
            let whole = lived(&records, |_| false);
            let name = file.display().to_string();
            assert_same(&name, &whole, &lived(&records, now_and_then(seed, 150)));
        }
    }
}
