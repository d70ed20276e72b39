//! The files of the repository, as the rules want to see them. Judges nothing.

use std::fs;
use std::path::{Path, PathBuf};

use crate::source::Source;

/// What is not ours: what was built, installed, recorded or is git's own (a file in a work tree).
const FOREIGN: [&str; 6] = [".git", "target", "node_modules", "adoubed-state", "shots", "corpus"];

/// One file, by its path from the root of the repository, with `/` between the parts.
#[derive(Debug)]
pub struct Text {
    pub path: String,
    pub text: String,
}

impl Text {
    pub fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    pub fn has_extension(&self, extensions: &[&str]) -> bool {
        let extension = Path::new(&self.path).extension().and_then(|it| it.to_str());
        extension.is_some_and(|it| extensions.contains(&it))
    }
}

/// Every file that is text.
pub fn texts() -> Vec<Text> {
    let root = root();
    let mut files = Vec::new();
    walk(&root, &mut files);
    files.sort();
    let texts = files.into_iter().filter_map(|path| {
        let name = path.strip_prefix(&root).ok()?.to_str()?.to_owned();
        let text = String::from_utf8(fs::read(&path).ok()?).ok()?;
        Some(Text { path: name, text })
    });
    texts.collect()
}

/// Every file in Rust.
pub fn sources() -> Vec<Source> {
    let rust = texts().into_iter().filter(|file| file.has_extension(&["rs"]));
    rust.map(|file| Source::new(&file.path, &file.text)).collect()
}

pub fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let kind = entry.file_type().unwrap();
        let foreign = FOREIGN.iter().any(|name| entry.file_name() == *name);
        if kind.is_dir() && !foreign {
            walk(&path, files);
        } else if kind.is_file() && !foreign {
            files.push(path);
        }
    }
}
