//! Whoever goes on from a checkpoint does what he would have done without: recordings are lived
//! through, kept and read again on the way, and nothing may differ from the uninterrupted run.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use adoubed::journal::Record;
use adoubed::recording::{self, Wanted};
use adoubed::works::kept::Saved;
use adoubed::works::{Act, Works};
use bincode::config::standard;

/// After the last entry everything still open is decided.
const AFTERWARDS: Duration = Duration::from_secs(120);

fn works() -> Works {
    Works::new(catalog::DRIVERS.to_vec())
}

fn saved(works: &Works) -> Vec<u8> {
    bincode::encode_to_vec(works, standard()).unwrap()
}

fn restored(bytes: &[u8]) -> Works {
    let (saved, read) = bincode::decode_from_slice::<Saved, _>(bytes, standard()).unwrap();
    assert_eq!(read, bytes.len());
    saved.works(catalog::DRIVERS.to_vec()).unwrap()
}

/// What is done with each entry, and what is left at the end.
#[derive(PartialEq)]
struct Life {
    acts: Vec<String>,
    end: Vec<u8>,
}

fn told(acts: &mut Vec<Act>) -> String {
    acts.drain(..).map(|act| without_lost_castling(&format!("{act:?}\n"))).collect()
}

/// A position remembers between which squares the king would have castled; the rights are told
/// beside it.
fn without_lost_castling(told: &str) -> String {
    let mut parts = told.split("path: ByColor");
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
        done.push(told(&mut acts));
    }
    works.advance(works.now() + AFTERWARDS, &mut acts);
    done.push(told(&mut acts));
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
