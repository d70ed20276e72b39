//! The file of the configuration as a document: values are changed, and comments, order and spaces
//! stay. What is written was read by the checks of every start before.

use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, TableLike, Value};
use witness::{Message, TableNo};

use super::{Person, setting};
use crate::config::{self, Config, Role};
use crate::requests::{Change, SeatAt};
use crate::say;

/// The keys of a table that say where its board is.
const PLACE: [&str; 4] = ["serial", "port", "driver", "station"];

/// The head of a file that is made here.
const HEAD: &str = "# Written by adoubed at /setup, and yours to edit: comments are kept.\n\n";

/// The mode of a file that is made here. It may get hashes of passwords.
const MODE: u32 = 0o640;

/// A text of a configuration, and where it is.
#[derive(Clone, Debug)]
pub struct Document {
    path: PathBuf,
    text: String,
}

impl Document {
    /// Reads the file. One that is missing is empty.
    ///
    /// # Errors
    /// If it is there and cannot be read.
    pub fn read(path: &Path) -> Result<Self, Message> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read.map_err(|source| {
                let path = path.to_owned();
                config::ConfigError::Unreadable { path, source }.message()
            })?,
        };
        Ok(Self { path: path.to_owned(), text })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text.
    #[cfg(test)]
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The name of this version of the text.
    #[must_use]
    pub fn revision(&self) -> String {
        config::revision(&self.text)
    }

    /// The text with these changes, and what it means.
    ///
    /// # Errors
    /// If a change cannot be made, or if a start would refuse the text.
    pub fn with(&self, changes: &[Change]) -> Result<(Self, Config), Message> {
        let mut document: DocumentMut = self.text.parse().map_err(|_| self.no_toml())?;
        for change in changes {
            match change {
                Change::Seat(seat) => self.seat(&mut document, seat)?,
                Change::Unseat { table } => {
                    let tables = self.tables(&mut document)?;
                    let nth = nth(tables, *table)?;
                    tables.remove(nth);
                }
                Change::Swap { tables } => swap(self.tables(&mut document)?, *tables)?,
                Change::Set { key, value, table } => {
                    setting::set(self, &mut document, (key, *table), value)?;
                }
            }
        }
        self.judged(&document)
    }

    /// The text with this organizer.
    ///
    /// # Errors
    /// If there is one already, or if a start would refuse the text.
    pub fn with_first_organizer(&self, name: &str, hash: &str) -> Result<(Self, Config), Message> {
        let mut document: DocumentMut = self.text.parse().map_err(|_| self.no_toml())?;
        let people = self.section(&mut document, Role::Organizer.section())?;
        if !people.is_empty() {
            return Err(say::organizer_is_named());
        }
        people.insert(name, toml_edit::value(hash));
        self.judged(&document)
    }

    /// The text with this person in this role, or in none.
    ///
    /// # Errors
    /// If nobody could set up the hall any more, or if a start would refuse the text.
    pub fn with_person(&self, person: &Person) -> Result<(Self, Config), Message> {
        let mut document: DocumentMut = self.text.parse().map_err(|_| self.no_toml())?;
        for role in [Role::Arbiter, Role::Organizer] {
            let people = self.section(&mut document, role.section())?;
            match &person.account {
                Some(account) if account.role == role => {
                    put(people, &person.name, Some(Value::from(account.hash.as_str())));
                }
                _ => _ = people.remove(&person.name),
            }
            if role == Role::Organizer && people.is_empty() {
                return Err(say::last_organizer());
            }
        }
        self.judged(&document)
    }

    fn judged(&self, document: &DocumentMut) -> Result<(Self, Config), Message> {
        let head = if self.text.is_empty() { HEAD } else { "" };
        let text = format!("{head}{document}");
        let config = config::read(&self.path, &text).map_err(|error| error.message())?;
        Ok((Self { path: self.path.clone(), text }, config))
    }

    /// Writes the text in place of another one: whole, or not at all.
    ///
    /// # Errors
    /// If the file is not `before` any more, or cannot be written.
    pub fn replace(&self, before: &Self) -> Result<(), Message> {
        if Self::read(&self.path)?.text != before.text {
            return Err(say::config_edited());
        }
        write(&self.path, self.text.as_bytes()).map_err(|error| {
            say::config_unwritten(&self.path.display().to_string(), &error.to_string())
        })
    }

    /// The refusal of a text that is no TOML, with its line.
    fn no_toml(&self) -> Message {
        match config::read(&self.path, &self.text) {
            Err(error) => error.message(),
            Ok(_) => say::config_refused("toml"),
        }
    }

    pub(super) fn tables<'a>(
        &self,
        document: &'a mut DocumentMut,
    ) -> Result<&'a mut ArrayOfTables, Message> {
        let tables = document.entry("table").or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
        let other = || say::config_refused(&format!("{}: table: [[table]]", self.path.display()));
        tables.as_array_of_tables_mut().ok_or_else(other)
    }

    /// The section of this path, as `web.screens`, which is made if there is none.
    pub(super) fn section<'a>(
        &self,
        document: &'a mut DocumentMut,
        path: &str,
    ) -> Result<&'a mut dyn TableLike, Message> {
        let other = || say::config_refused(&format!("{}: {path}: [{path}]", self.path.display()));
        let mut section: &mut dyn TableLike = document.as_table_mut();
        for name in path.split('.') {
            let mut table = Table::new();
            // The head of a section that has only sections in it is not written.
            table.set_implicit(!path.ends_with(name));
            let within = section.entry(name).or_insert(Item::Table(table));
            section = within.as_table_like_mut().ok_or_else(other)?;
        }
        Ok(section)
    }

    /// The section of a table, which is made if there is none.
    pub(super) fn table<'a>(
        &self,
        document: &'a mut DocumentMut,
        number: TableNo,
    ) -> Result<&'a mut Table, Message> {
        if self.tables(document)?.is_empty() {
            // Until now every line was searched, and the next board is still to be found.
            let ports = self.section(document, "ports")?;
            if !ports.contains_key("search") {
                ports.insert("search", toml_edit::value(true));
            }
        }
        let tables = self.tables(document)?;
        let nth = nth(tables, number).unwrap_or_else(|_| {
            let mut table = Table::new();
            table.insert("number", toml_edit::value(i64::from(number.get())));
            tables.push(table);
            tables.len() - 1
        });
        tables.get_mut(nth).ok_or_else(|| say::config_no_table(number))
    }

    fn seat(&self, document: &mut DocumentMut, seat: &SeatAt) -> Result<(), Message> {
        let table = self.table(document, seat.table)?;
        let text = |text: &Option<String>| text.clone().map(Value::from);
        let station = seat.station.map(|it| Value::from(i64::from(it)));
        let values = [text(&seat.serial), text(&seat.port), text(&seat.driver), station];
        for (key, value) in PLACE.into_iter().zip(values) {
            put(table, key, value);
        }
        Ok(())
    }
}

pub(super) fn nth(tables: &ArrayOfTables, number: TableNo) -> Result<usize, Message> {
    let is_it = |table: &Table| {
        table.get("number").and_then(Item::as_integer) == Some(i64::from(number.get()))
    };
    tables.iter().position(is_it).ok_or_else(|| say::config_no_table(number))
}

fn swap(tables: &mut ArrayOfTables, numbers: [TableNo; 2]) -> Result<(), Message> {
    let [one, other] = [nth(tables, numbers[0])?, nth(tables, numbers[1])?];
    let place = |tables: &ArrayOfTables, nth: usize| {
        let value = |key| tables.get(nth)?.get(key)?.as_value().cloned();
        PLACE.map(value)
    };
    let places = [place(tables, other), place(tables, one)];
    for (nth, place) in [one, other].into_iter().zip(places) {
        let Some(table) = tables.get_mut(nth) else { continue };
        for (key, value) in PLACE.into_iter().zip(place) {
            put(table, key, value);
        }
    }
    Ok(())
}

/// Gives a key a value, or removes it. The remark behind the old value stays behind the new one.
pub(super) fn put(table: &mut dyn TableLike, key: &str, value: Option<Value>) {
    let Some(mut value) = value else {
        table.remove(key);
        return;
    };
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(old) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        None => _ = table.insert(key, Item::Value(value)),
    }
}

/// Writes a file beside its place, and moves it there when it is on the disk. It keeps mode and
/// owner.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_as(path, bytes, MODE)
}

/// The same, with the mode of a file that was not there.
pub(super) fn write_as(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let directory = path.parent().filter(|it| !it.as_os_str().is_empty());
    let directory = directory.unwrap_or(Path::new("."));
    fs::create_dir_all(directory)?;
    let before = fs::metadata(&path).ok();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = directory.join(format!(".{name}.new"));
    let written = (|| {
        let mut file = File::create(&beside)?;
        let mode = before.as_ref().map_or(mode, |it| it.mode() & 0o7777);
        file.set_permissions(Permissions::from_mode(mode))?;
        if let Some(before) = &before {
            // Only root may give files away. For others the owner is themselves, as a rule.
            let _ = std::os::unix::fs::fchown(&file, Some(before.uid()), Some(before.gid()));
        }
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, &path)?;
        File::open(directory)?.sync_all()
    })();
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use words::InWords as _;

    const BY_HAND: &str = "\
# Our club's hall.
[event]
name = \"Open\"   # the short name
time_control = \"5400+30\"

[[table]]
number = 1          # at the door
serial = \"26003\"   # the old board
white = \"Doe, Jane\"

# The stage.
[[table]]
number = 2
port = \"/dev/serial/by-path/a\"
driver = \"chesslink\"
";

    fn document(text: &str) -> Document {
        Document { path: PathBuf::from("adoubed.toml"), text: text.to_owned() }
    }

    fn change(json: Json) -> Change {
        serde_json::from_value(json).unwrap()
    }

    fn changed(text: &str, changes: &[Json]) -> Result<String, String> {
        let changes: Vec<_> = changes.iter().cloned().map(change).collect();
        document(text).with(&changes).map(|(it, _)| it.text).map_err(|why| why.en())
    }

    #[test]
    fn comments_order_and_other_keys_stay() {
        let seat = json!({"change": "seat", "table": 1, "serial": "26015"});
        let round = json!({"change": "set", "key": "name", "value": "Open A"});
        let expected = BY_HAND.replace("26003", "26015").replace("\"Open\"", "\"Open A\"");
        assert_eq!(changed(BY_HAND, &[seat, round]).unwrap(), expected);
        let swapped = changed(BY_HAND, &[json!({"change": "swap", "tables": [1, 2]})]).unwrap();
        let config: Config = toml::from_str(&swapped).unwrap();
        let [one, two] = &config.table[..] else { panic!("{swapped}") };
        assert_eq!(one.port.as_deref(), Some("/dev/serial/by-path/a"));
        assert_eq!((&one.serial, one.white.as_deref()), (&None, Some("Doe, Jane")));
        assert_eq!((two.serial.as_deref(), &two.port, &two.driver), (Some("26003"), &None, &None));
        for remark in ["# Our club's hall.", "# the short name", "# at the door", "# The stage."] {
            assert!(swapped.contains(remark), "{remark}: {swapped}");
        }
        let unseated = changed(BY_HAND, &[json!({"change": "unseat", "table": 1})]).unwrap();
        let config: Config = toml::from_str(&unseated).unwrap();
        assert_eq!(config.table.iter().map(|it| it.number.get()).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn a_file_that_is_missing_is_made_and_other_lines_are_still_searched() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("new/adoubed.toml");
        let before = Document::read(&path).unwrap();
        let seat = |table: u32, port: &str| {
            change(json!({"change": "seat", "table": table, "port": port, "driver": "chesslink"}))
        };
        let (after, config) = before.with(&[seat(1, "/dev/a")]).unwrap();
        assert!(config.ports.search);
        after.replace(&before).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, MODE);
        let (more, config) = after.with(&[seat(2, "/dev/b")]).unwrap();
        more.replace(&after).unwrap();
        assert_eq!(config.table.len(), 2);
        assert_eq!(config::load(&path).unwrap().table.len(), 2);
        assert_eq!(
            fs::read_dir(path.parent().unwrap()).unwrap().count(),
            1,
            "nothing is left over"
        );
    }

    #[test]
    fn what_somebody_else_has_saved_meanwhile_is_not_overwritten() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("adoubed.toml");
        fs::write(&path, BY_HAND).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        let before = Document::read(&path).unwrap();
        let (after, _) = before.with(&[change(json!({"change": "unseat", "table": 2}))]).unwrap();
        let by_hand = format!("{BY_HAND}white = \"Roe, Max\"\n");
        fs::write(&path, &by_hand).unwrap();
        let why = after.replace(&before).unwrap_err().en();
        assert!(why.contains("somebody else has changed the configuration"), "{why}");
        assert_eq!(fs::read_to_string(&path).unwrap(), by_hand);
        let before = Document::read(&path).unwrap();
        assert_ne!(before.revision(), after.revision());
        let (after, _) = before.with(&[change(json!({"change": "unseat", "table": 2}))]).unwrap();
        after.replace(&before).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600, "its mode stays");
    }

    #[test]
    fn the_first_organizer_is_written_beside_what_is_there_and_no_second_one() {
        let hash = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA\
                    $AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        for text in ["", BY_HAND, "[web]\nlisten = \"127.0.0.1:1\" # here\n"] {
            let (made, config) = document(text).with_first_organizer("Zoë Žarko", hash).unwrap();
            assert_eq!(config.web.organizers.keys().collect::<Vec<_>>(), ["Zoë Žarko"]);
            assert!(made.text.contains(text), "{}", made.text);
            assert!(made.with_first_organizer("Ann", hash).is_err());
        }
        let arbiter = format!("[web.arbiters]\nAnn = \"{hash}\"\n");
        let why = document(&arbiter).with_first_organizer("Ann", hash).unwrap_err().en();
        assert!(why.contains("Ann: is in [web.arbiters] too"), "{why}");
    }

    #[test]
    fn people_get_a_role_lose_it_and_one_organizer_stays() {
        let hash = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA\
                    $AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        let person = |name: &str, role: Option<Role>| Person {
            name: name.to_owned(),
            account: role.map(|role| crate::config::Account { hash: hash.to_owned(), role }),
        };
        let (text, _) = document(BY_HAND).with_first_organizer("Olga", hash).unwrap();
        let (text, config) = text.with_person(&person("Zoë Ž.", Some(Role::Arbiter))).unwrap();
        assert_eq!(config.web.arbiters.keys().collect::<Vec<_>>(), ["Zoë Ž."]);
        assert!(text.with_person(&person("Olga", None)).is_err(), "nobody could set up");
        assert!(text.with_person(&person("Olga", Some(Role::Arbiter))).is_err());
        let (text, config) = text.with_person(&person("Zoë Ž.", Some(Role::Organizer))).unwrap();
        assert_eq!((config.web.arbiters.len(), config.web.organizers.len()), (0, 2));
        let (text, config) = text.with_person(&person("Olga", None)).unwrap();
        assert_eq!(config.web.organizers.keys().collect::<Vec<_>>(), ["Zoë Ž."]);
        assert!(text.text.contains("# Our club's hall."), "{}", text.text);
    }

    #[test]
    fn what_a_start_would_refuse_is_refused_with_its_key() {
        let cases = [
            (json!({"change": "set", "key": "time_control", "value": "90m"}), "time_control"),
            (json!({"change": "set", "key": "laws", "value": "2020"}), "laws"),
            (json!({"change": "set", "key": "default_time_s", "value": "15"}), "default_time_s"),
            (json!({"change": "set", "key": "name", "value": ["a"]}), "name"),
            (json!({"change": "set", "key": "languages", "value": [1]}), "languages"),
            (json!({"change": "set", "key": "start", "value": "14:00"}), "start"),
            (json!({"change": "seat", "table": 3, "serial": "26003"}), "serial"),
            (json!({"change": "seat", "table": 3}), "port"),
            (json!({"change": "unseat", "table": 9}), "9"),
            (json!({"change": "swap", "tables": [1, 9]}), "9"),
        ];
        for (change, key) in cases {
            let why = changed(BY_HAND, std::slice::from_ref(&change)).unwrap_err();
            assert!(why.contains(key), "{change}: {why}");
        }
        let why = changed("[event\n", &[json!({"change": "unseat", "table": 1})]).unwrap_err();
        assert!(why.contains("adoubed.toml:1"), "{why}");
        let none = changed(BY_HAND, &[json!({"change": "set", "key": "round", "value": null})]);
        assert_eq!(none.unwrap(), BY_HAND);
    }
}
