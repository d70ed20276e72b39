//! Lists the folders of languages beside this file, with the files that the daemon reads.

#![allow(clippy::print_stdout, reason = "this is how cargo is told")]

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The words of the pages: the browser reads them, not the daemon.
const PAGES: [&str; 3] = ["articles.ftl", "pages.ftl", "settings.ftl"];
const HERE: &str = "CARGO_MANIFEST_DIR";

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=.");
    let here = PathBuf::from(env::var_os(HERE).unwrap_or_default());
    let mut list = String::from("&[\n");
    for folder in sorted(&here)? {
        let files = sorted(&folder)?.into_iter();
        let files = files.filter(|it| it.extension().is_some_and(|it| it == "ftl" || it == "html"));
        let files: Vec<_> =
            files.filter(|it| PAGES.iter().all(|page| !it.ends_with(page))).collect();
        if files.is_empty() {
            continue;
        }
        let code = name(&folder);
        list += &format!("    ({code:?}, &[\n");
        for file in files {
            let file = name(&file);
            // By the crate's folder, so that a clone that was moved still builds.
            let path = format!("concat!(env!({HERE:?}), \"/{code}/{file}\")");
            list += &format!("        ({file:?}, include_str!({path})),\n");
        }
        list += "    ]),\n";
    }
    list += "]\n";
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("languages.rs"), list)
}

/// What lies in a folder, by name; nothing in a file.
fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut all = fs::read_dir(folder)?.map(|it| Ok(it?.path())).collect::<io::Result<Vec<_>>>()?;
    all.sort();
    Ok(all)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
