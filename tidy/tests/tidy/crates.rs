//! The rules about crates and drivers: on whom they may depend, and what a driver brings with it.

use eboard::Driver;
use toml::{Table, Value};

use crate::house::Text;
use crate::rules::{PURE, SHELL};

/// A crate's manifest, by its path.
pub struct Manifest {
    pub path: String,
    pub table: Table,
}

/// What lies in a folder under `protocols/`.
#[derive(Debug, Default)]
pub struct Folder {
    pub name: String,
    /// The wire sheet.
    pub readme: Option<String>,
    pub notice: bool,
    pub emulator: bool,
    pub captures: usize,
}

impl Manifest {
    pub fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), table: text.parse().unwrap() }
    }

    fn names(&self, section: &str) -> Vec<String> {
        let table = self.table.get(section).and_then(Value::as_table);
        table
            .into_iter()
            .flat_map(|table| table.keys().map(|name| name.replace('-', "_")))
            .collect()
    }
}

/// A wire language depends on the contract, the catalog on the languages, the witness on the
/// contract and on chess, all on what they are kept with; nothing pure on anything that does I/O.
/// The witness has serde for its numbers, which are written as bare ones.
pub fn depends_on_nothing_strange(manifest: &Manifest) -> Vec<String> {
    if !PURE.iter().any(|folder| manifest.path.starts_with(folder)) {
        return Vec::new();
    }
    let all = ["dependencies", "dev-dependencies", "build-dependencies"];
    let all = all.into_iter().flat_map(|section| manifest.names(section));
    let numbers = |name: &str| name == "serde" && manifest.path == "witness/Cargo.toml";
    let shell = all.filter(|name| SHELL.contains(&name.as_str()) && !numbers(name));
    let allowed: Option<&[&str]> = match manifest.path.split('/').collect::<Vec<_>>()[..] {
        ["protocols", "catalog", _] => None,
        ["protocols", ..] => Some(&["bincode", "eboard"]),
        ["witness", _] => Some(&["bincode", "eboard", "serde", "shakmaty"]),
        _ => None,
    };
    let own = manifest.names("dependencies").into_iter();
    let strange = own.filter(|name| allowed.is_some_and(|it| !it.contains(&name.as_str())));
    shell.chain(strange).map(|name| format!("{}: depends on {name}", manifest.path)).collect()
}

pub fn takes_the_lints_of_the_house(manifest: &Manifest) -> Vec<String> {
    let lints = manifest.table.get("lints").and_then(|lints| lints.get("workspace"));
    match lints.and_then(Value::as_bool) {
        Some(true) => Vec::new(),
        _ => vec![format!("{}: [lints] workspace = true is missing", manifest.path)],
    }
}

/// Every driver of the catalog has a folder: its own, or that of its family.
pub fn driver_has_a_folder(driver: &Driver, folders: &[Folder]) -> Vec<String> {
    let family = driver.family;
    let Some(folder) = folders.iter().find(|folder| folder.name == family) else {
        return vec![format!("{}: no folder protocols/{family}", driver.name)];
    };
    let sheet = folder.readme.as_deref().unwrap_or_default();
    let named = sheet.contains(&format!("(driver `{}`)", driver.name));
    match named || driver.name == family {
        true => Vec::new(),
        false => vec![format!("protocols/{family}: no word of the driver {}", driver.name)],
    }
}

/// A paper and what it calls a driver.
type Paper = (&'static str, fn(&Driver) -> String);

/// Where each driver is named, and by what.
pub const PAPERS: [Paper; 4] = [
    ("README.md", |driver| driver.title.split([' ', ',']).next().unwrap_or_default().to_owned()),
    ("ARCHITECTURE.md", |driver| format!("protocols/{}", driver.family)),
    ("NOTICE", |driver| format!("protocols/{}/NOTICE", driver.family)),
    ("docs/boards.md", |driver| format!("`{}`", driver.name)),
];

/// Who reads the papers of the house finds every driver in them.
pub fn driver_is_in_the_papers(driver: &Driver, papers: &[Text]) -> Vec<String> {
    let named = |(path, name): &Paper| {
        let paper = papers.iter().find(|paper| paper.path == *path);
        paper.is_some_and(|paper| paper.text.contains(&name(driver)))
    };
    let missing = PAPERS.iter().filter(|it| !named(it));
    missing.map(|(path, name)| format!("{path}: no word of {}", name(driver))).collect()
}

pub fn driver_is_complete(folder: &Folder, drivers: &[&Driver]) -> Vec<String> {
    let known = drivers.iter().any(|driver| driver.name == folder.name);
    let wanted = [
        (known, "no line in the catalog"),
        (folder.readme.is_some(), "no README.md: the wire sheet"),
        (folder.notice, "no NOTICE: where the facts come from"),
        (folder.emulator, "no src/emulator.rs"),
        // Without a recording, published vectors: only they show squares that are mirrored.
        (folder.captures > 0, "no captures: recordings, or vectors that somebody has published"),
    ];
    let missing = wanted.into_iter().filter(|(there, _)| !there);
    missing.map(|(_, what)| format!("protocols/{}: {what}", folder.name)).collect()
}

#[test]
fn strange_dependencies_are_found() {
    let found = |path: &str, text: &str| depends_on_nothing_strange(&Manifest::new(path, text));
    let shakmaty = "[dependencies]\nshakmaty = \"1\"\neboard = \"1\"";
    assert_eq!(found("witness/Cargo.toml", shakmaty), [""; 0]);
    assert_eq!(found("protocols/dgt/Cargo.toml", shakmaty).len(), 1);
    let json = "[dev-dependencies]\nserde_json.workspace = true\nproptest = \"1\"";
    assert_eq!(found("protocols/dgt/Cargo.toml", json).len(), 1);
    assert_eq!(found("rehearsal/Cargo.toml", "[dependencies]\ntokio-serial = \"1\"").len(), 1);
    assert_eq!(found("broker/Cargo.toml", json), [""; 0]);
}

#[test]
fn missing_lints_are_found() {
    let found = |text| takes_the_lints_of_the_house(&Manifest::new("x/Cargo.toml", text)).len();
    assert_eq!(found("[lints]\nworkspace = true"), 0);
    assert_eq!(found("[package]\nname = \"x\""), 1);
}

#[test]
fn incomplete_drivers_are_found() {
    let whole = |name: &str, captures| Folder {
        name: name.to_owned(),
        readme: Some("(driver `tabutronic`)".to_owned()),
        notice: true,
        emulator: true,
        captures,
    };
    let found = |folder: &Folder| driver_is_complete(folder, catalog::DRIVERS).len();
    assert_eq!(found(&whole("dgt", 1)), 0);
    assert_eq!(found(&whole("dgt", 0)), 1);
    assert_eq!(found(&whole("chesslink", 0)), 1);
    assert_eq!(found(&whole("nobody", 1)), 1);
    assert_eq!(found(&Folder { name: "dgt".to_owned(), ..Folder::default() }), 4);
    let paper = |path| Text::new(path, "protocols/dgt/NOTICE `dgt` DGT");
    let dgt = |papers: &[Text]| driver_is_in_the_papers(&dgt::DRIVER, papers).len();
    assert_eq!(dgt(&PAPERS.map(|(path, _)| paper(path))), 0);
    assert_eq!(dgt(&[paper("README.md")]), 3);
    let bare = PAPERS.map(|(path, _)| Text::new(path, "no word"));
    assert_eq!(dgt(&bare), 4);
    let lost = |driver, folder| driver_has_a_folder(driver, &[whole(folder, 1)]).len();
    assert_eq!(lost(&certabo::TABUTRONIC, "certabo"), 0);
    assert_eq!(lost(&certabo::TABUTRONIC, "dgt"), 1);
    let silent = Folder { readme: Some(String::new()), ..whole("certabo", 1) };
    assert_eq!(driver_has_a_folder(&certabo::TABUTRONIC, &[silent]).len(), 1);
    assert_eq!(lost(&dgt::DRIVER, "certabo"), 1);
}
