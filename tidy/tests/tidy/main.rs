//! The rules of the house, held by a test: who may name which crate, where topics are written, how
//! long things may be, what a driver brings. Every rule is tried on snippets of its own beside it.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod calls;
mod crates;
mod house;
mod markdown;
mod names;
mod rules;
mod source;
mod states;
mod wording;

use std::fs;
use std::path::Path;

use crates::{Folder, Manifest};
use house::{Text, root, sources, texts};
use source::Source;

/// Folders of `protocols/` that are no wire language.
const NO_LANGUAGE: [&str; 2] = ["eboard", "catalog"];
/// What people write, as against what programs write.
const WRITTEN: [&str; 6] = ["rs", "ts", "mjs", "css", "html", "sh"];
/// Bundles made by a program, and the licence, which is not ours to word.
const NOT_WRITTEN: [&str; 2] = ["web/dist/", "LICENSE"];

#[test]
fn crates_are_named_only_where_they_may_be() {
    none(in_sources(rules::crates_stay_in_their_rooms));
    none(in_sources(rules::pure_crates_do_no_io));
}

#[test]
fn topics_are_written_in_one_file() {
    none(in_sources(rules::topics_are_written_once));
    none(in_texts(|file| file.has_extension(&["ts"]), rules::pages_write_topics_once));
}

#[test]
fn only_one_file_reads_a_clock() {
    none(in_sources(rules::one_file_reads_clocks));
}

#[test]
fn tolerances_stand_together_and_say_where_they_are_from() {
    none(in_sources(rules::tolerances_stand_together));
    none(in_sources(rules::tolerances_say_where_they_are_from));
}

#[test]
fn nothing_is_unwrapped_outside_of_tests() {
    none(in_sources(rules::nothing_is_unwrapped));
}

#[test]
fn every_queue_has_an_end() {
    none(in_sources(rules::queues_are_bounded));
}

#[test]
fn every_module_says_what_it_is() {
    none(in_sources(rules::modules_say_what_they_are));
}

#[test]
fn functions_files_and_lines_are_short() {
    let measured = |file: &Text| is_written(file) && file.has_extension(&["rs", "ts", "mjs"]);
    none(in_sources(rules::functions_are_short));
    none(in_texts(measured, rules::files_are_short));
    none(in_texts(measured, rules::lines_are_short));
}

#[test]
fn nothing_is_left_for_later() {
    let written = |file: &Text| is_written(file) && file.has_extension(&WRITTEN);
    none(in_texts(written, rules::nothing_is_left_for_later));
}

#[test]
fn no_file_names_the_machine_it_was_written_on() {
    none(in_texts(is_written, rules::nothing_names_this_machine));
}

#[test]
fn markdown_has_one_heading_and_whole_links() {
    let is_markdown = |file: &Text| file.has_extension(&["md"]);
    let read = |path: &Path| {
        let path = root().join(path);
        path.exists().then(|| fs::read_to_string(path).unwrap_or_default())
    };
    none(in_texts(is_markdown, markdown::one_first_heading));
    none(in_texts(is_markdown, |file| markdown::links_lead_somewhere(file, read)));
}

#[test]
fn crates_depend_on_nothing_strange() {
    let manifests: Vec<_> = texts()
        .into_iter()
        .filter(|file| file.path.ends_with("Cargo.toml"))
        .map(|file| Manifest::new(&file.path, &file.text))
        .collect();
    assert!(manifests.len() > 5, "where are the crates?");
    none(manifests.iter().flat_map(crates::depends_on_nothing_strange).collect());
    none(manifests.iter().flat_map(crates::takes_the_lints_of_the_house).collect());
}

#[test]
fn every_driver_is_complete() {
    let folders = languages();
    let drivers = catalog::languages();
    none(drivers.iter().flat_map(|it| crates::driver_has_a_folder(it, &folders)).collect());
    none(folders.iter().flat_map(|it| crates::driver_is_complete(it, &drivers)).collect());
    let papers = texts();
    none(drivers.iter().flat_map(|it| crates::driver_is_in_the_papers(it, &papers)).collect());
}

/// The programs of tests beside a crate's `suite`: what is large, has readers of its own, or weighs
/// and times its process. Each is linked anew after every change, and waits for those before it.
const PROGRAMS: [&str; 10] = [
    "broker/tests/garbage.rs",
    "broker/tests/hostile.rs",
    "broker/tests/load.rs",
    "protocols/catalog/tests/contract.rs",
    "tests/alarms/main.rs",
    "tests/daemon/main.rs",
    "tests/fuzz/main.rs",
    "tests/kills/main.rs",
    "tests/laws/main.rs",
    "tests/schema/main.rs",
];

#[test]
fn a_crate_has_one_program_of_tests() {
    let is_program = |path: &str| {
        let within = path.split_once("tests/").filter(|(before, _)| !before.contains("src/"));
        within.is_some_and(|(_, file)| !file.contains('/') || file.ends_with("/main.rs"))
    };
    let paths = sources().into_iter().map(|source| source.path);
    let programs = paths.filter(|path| is_program(path) && !path.ends_with("tests/suite/main.rs"));
    let more = programs
        .filter(|path| !PROGRAMS.contains(&path.as_str()) && path != "tidy/tests/tidy/main.rs");
    none(more.map(|path| format!("{path} is a program of its own: put it into a suite")).collect());
}

/// The most files of the witness that may call each other in a circle, and the most fields of a
/// struct there.
const GROUP_MAX: usize = 4;
const FIELDS_MAX: usize = 15;
/// Structs that are larger still. They may only become smaller, and leave this list.
const LARGE_STRUCTS: [(&str, usize); 1] = [("incident.rs: Facts", 23)];

#[test]
fn no_large_group_of_files_call_each_other() {
    let calls = calls::Calls::read(&witness());
    let groups = calls.groups();
    let large = groups.iter().filter(|group| group.len() > GROUP_MAX);
    let groups = large.map(|group| {
        format!("{} files: {}\n{}", group.len(), group.join(" "), calls.within(group).join("\n"))
    });
    none(groups.collect());
}

#[test]
fn no_rooms_of_the_daemon_name_each_other_in_a_circle() {
    let rooms = calls::Calls::between_rooms(&sources_of("src/"));
    let groups = rooms.groups();
    none(groups.iter().map(|group| rooms.within(group).join("\n")).collect());
}

#[test]
fn no_struct_of_the_witness_has_many_fields() {
    let structs = calls::structs(&witness()).into_iter();
    let large = structs.filter(|(_, fields)| *fields > FIELDS_MAX);
    let large = large.filter(|(name, fields)| !LARGE_STRUCTS.contains(&(name.as_str(), *fields)));
    none(large.map(|(name, fields)| format!("{name} has {fields} fields")).collect());
}

#[test]
fn comments_of_the_witness_say_what_they_mean() {
    let witness =
        |file: &Text| file.path.starts_with("witness/src/") && file.has_extension(&["rs"]);
    none(in_texts(witness, rules::comments_are_not_vague));
}

#[test]
fn names_say_what_they_mean() {
    let rust = |file: &Text| file.has_extension(&["rs"]);
    none(in_texts(rust, |file| names::vague(&[(file.path.clone(), file.text.clone())])));
    let found = |folder: &str| {
        let found = names::bare(&sources_of(folder)).into_iter();
        found.map(|it| format!("{folder}{it}: a bare number")).collect::<Vec<_>>()
    };
    none(["witness/src/", "src/"].into_iter().flat_map(found).collect());
}

#[test]
fn no_state_is_an_optional_bool() {
    let found = |folder: &str| {
        let found = states::optional_bools(&sources_of(folder)).into_iter();
        found.map(|it| format!("{folder}{it}: let an enum say what each case means")).collect()
    };
    none(["witness/src/", "src/"].into_iter().flat_map::<Vec<_>, _>(found).collect());
}

#[test]
fn nothing_is_decided_by_the_wording_of_a_text() {
    let rust = |file: &Text| file.has_extension(&["rs"]);
    none(in_texts(rust, |file| wording::decisions(&file.path, &file.text)));
    none(wording::idle_readers(|path| fs::read_to_string(root().join(path)).ok()));
}

fn witness() -> Vec<calls::File> {
    sources_of("witness/src/")
}

/// The sources of a crate that are no tests, by their paths from its `src`.
fn sources_of(folder: &str) -> Vec<calls::File> {
    let sources = texts().into_iter().filter(|file| file.has_extension(&["rs"]));
    let own = sources.filter_map(|file| {
        let path = file.path.strip_prefix(folder)?.to_owned();
        (!path.contains("tests/") && !path.ends_with("tests.rs")).then_some((path, file.text))
    });
    own.collect()
}

fn languages() -> Vec<Folder> {
    let folders = fs::read_dir(root().join("protocols")).unwrap().map(Result::unwrap);
    let folders = folders.filter(|folder| folder.file_type().unwrap().is_dir());
    let folders = folders.map(|folder| {
        let (name, path) = (folder.file_name().into_string().unwrap(), folder.path());
        Folder {
            name,
            readme: fs::read_to_string(path.join("README.md")).ok(),
            notice: path.join("NOTICE").is_file(),
            emulator: path.join("src/emulator.rs").is_file(),
            captures: fs::read_dir(path.join("captures")).map_or(0, Iterator::count),
        }
    });
    folders.filter(|folder| !NO_LANGUAGE.contains(&folder.name.as_str())).collect()
}

fn is_written(file: &Text) -> bool {
    !NOT_WRITTEN.iter().any(|it| file.path.starts_with(it))
}

fn in_sources(rule: fn(&Source) -> Vec<String>) -> Vec<String> {
    let sources = sources();
    assert!(sources.len() > 50, "where are the sources?");
    sources.iter().flat_map(rule).collect()
}

fn in_texts(which: impl Fn(&Text) -> bool, rule: impl Fn(&Text) -> Vec<String>) -> Vec<String> {
    let files: Vec<_> = texts().into_iter().filter(which).collect();
    assert!(!files.is_empty(), "where are the files?");
    files.iter().flat_map(rule).collect()
}

fn none(offences: Vec<String>) {
    assert!(offences.is_empty(), "\n{}\n", offences.join("\n"));
}
