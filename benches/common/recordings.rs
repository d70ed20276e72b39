//! Recordings of boards as they lie beside the repository, or in it.

use std::path::PathBuf;

use adoubed::record::capture::{self, Event};
use dgt::Decoder;
use eboard::Moment;

/// What one board said.
pub struct Recording {
    /// The name of its file.
    pub name: String,
    /// What was read, and when.
    pub reads: Vec<(Moment, Vec<u8>)>,
    /// How many messages that is.
    pub messages: u64,
}

/// The recordings of DGT boards: in `$ADOUBED_DATA`, beside the repository, or those in it.
///
/// # Panics
/// When none of these has a recording that can be read.
pub fn recordings() -> Vec<Recording> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let data = std::env::var_os("ADOUBED_DATA").map(PathBuf::from);
    let folders = [
        data.unwrap_or_else(|| root.join("../shared/data")).join("captures/dgt"),
        root.join("protocols/dgt/captures"),
    ];
    let found = folders.into_iter().map(read_all).find(|found| !found.is_empty());
    found.expect("the repository holds a recording")
}

fn read_all(folder: PathBuf) -> Vec<Recording> {
    let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = files.filter_map(Result::ok).map(|file| file.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "cap"));
    paths.sort();
    paths.into_iter().map(read).collect()
}

fn read(path: PathBuf) -> Recording {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = std::fs::read_to_string(&path).expect("a readable recording");
    let capture = capture::parse(&text).expect("a recording in the capture format");
    let reads: Vec<_> = capture
        .events
        .into_iter()
        .filter_map(|event| match event {
            Event::Read(at, bytes) => Some((at, bytes)),
            Event::Written(..) => None,
        })
        .collect();
    let mut messages = 0;
    let mut decoder = Decoder::default();
    for (_, bytes) in &reads {
        decoder.feed(bytes, |_| messages += 1);
    }
    Recording { name, reads, messages }
}
