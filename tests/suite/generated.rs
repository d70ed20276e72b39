//! Generated files are current. `UPDATE_GENERATED=1 cargo test --test suite generated` writes them
//! anew.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::path::Path;

#[test]
fn udev_rules_are_those_of_the_driver_table() {
    current("udev/70-adoubed.rules", &adoubed::lines::udev::rules(&catalog::languages()));
}

#[test]
fn the_laws_are_told_as_they_are_watched() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/laws");
    let names = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let names = names.filter(|path| path.extension().is_some_and(|it| it == "gestures"));
    let mut names: Vec<_> =
        names.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    for language in adoubed::papers::laws_page::languages() {
        let name = match language.code() {
            "en" => "docs/laws.md".to_owned(),
            code => format!("docs/laws.{code}.md"),
        };
        current(&name, &adoubed::papers::laws_page::page(language, &names));
    }
}

fn current(name: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        fs::write(&path, wanted).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        committed, wanted,
        "{name} is not current: UPDATE_GENERATED=1 cargo test --test suite generated"
    );
}
