//! Names the build by what it is made of: a checkpoint is read by the same sources only.

#![allow(clippy::print_stdout, reason = "this is how cargo is told")]

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

/// Everything that decides what the machines know and how it is written down.
const MADE_OF: [&str; 4] = ["src", "witness/src", "protocols", "Cargo.lock"];

fn main() -> io::Result<()> {
    let mut files = Vec::new();
    for part in MADE_OF {
        println!("cargo::rerun-if-changed={part}");
        gather(Path::new(part), &mut files)?;
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for path in files {
        path.hash(&mut hasher);
        fs::read(&path)?.hash(&mut hasher);
    }
    println!("cargo::rustc-env=ADOUBED_SOURCES={:016x}", hasher.finish());
    Ok(())
}

fn gather(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            gather(&entry?.path(), files)?;
        }
    } else if path.extension().is_some_and(|it| it == "rs" || it == "lock") {
        files.push(path.to_owned());
    }
    Ok(())
}
