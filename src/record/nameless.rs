//! A record without names, for somebody who looks for a fault: whoever is named in it is called by
//! a number instead, the same everywhere. Moves, times and bytes stay as they are.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::journal;
use crate::entry::Entry;
use crate::requests::UNNAMED;

/// The keys behind which a person stands.
const PEOPLE: [&str; 5] = ["white", "black", "name", "by", "arbiter"];
/// What else is known of a player.
const FACTS: [&str; 4] = ["title", "rating", "federation", "fide_id"];
/// What people write in their own words.
const NOTE: &str = "note";
/// Words behind those keys that name nobody.
const NOBODY: [&str; 4] = ["", "white", "black", UNNAMED];

/// Who was met, and the number instead of the name.
#[derive(Debug, Default)]
pub struct Nameless {
    known: BTreeMap<String, String>,
}

/// How long a segment is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Length {
    /// Its records.
    pub records: u64,
    /// Its bytes.
    pub bytes: u64,
}

impl Nameless {
    /// Writes a segment without names, up to this many records. Returns how many there were, and
    /// how many bytes.
    ///
    /// # Errors
    /// If the segment cannot be read, or nothing can be written any more.
    pub fn segment(&mut self, path: &Path, most: u64, mut out: impl Write) -> io::Result<Length> {
        let mut length = Length::default();
        let mut written = Ok(());
        let read = journal::each_from(path, 0, |(at, entry)| {
            if length.records == most || written.is_err() {
                return;
            }
            length.records += 1;
            let bytes = self.entry(entry).and_then(|entry| journal::encode(&(at, entry)));
            let bytes = bytes.unwrap_or_default();
            length.bytes += bytes.len() as u64;
            written = out.write_all(&bytes);
        });
        read.map_err(io::Error::other)?;
        written.map(|()| length)
    }

    /// The entry without names; none: it cannot be written without.
    pub fn entry(&mut self, entry: Entry) -> Option<Entry> {
        Some(match entry {
            Entry::Planned(plan) => Entry::Planned(Box::new(self.without(&*plan)?)),
            Entry::Request(request) => Entry::Request(self.without(&request)?),
            other => other,
        })
    }

    fn without<T: Serialize + DeserializeOwned>(&mut self, what: &T) -> Option<T> {
        let mut value = serde_json::to_value(what).ok()?;
        self.scrub(&mut value);
        serde_json::from_value(value).ok()
    }

    fn scrub(&mut self, value: &mut Value) {
        match value {
            Value::Object(object) => self.scrub_object(object),
            Value::Array(all) => all.iter_mut().for_each(|it| self.scrub(it)),
            _ => {}
        }
    }

    fn scrub_object(&mut self, object: &mut Map<String, Value>) {
        // A round has a name too, and pairings.
        let is_player = !object.contains_key("pairings");
        for (key, value) in object.iter_mut() {
            let key = key.as_str();
            if FACTS.contains(&key) || key == NOTE {
                *value = Value::Null;
            } else if let Value::String(text) = value {
                let is_named = PEOPLE.contains(&key) && (key != "name" || is_player);
                if is_named && !NOBODY.contains(&text.as_str()) {
                    *text = self.number(text);
                }
            } else {
                self.scrub(value);
            }
        }
    }

    fn number(&mut self, name: &str) -> String {
        let next = self.known.len() + 1;
        self.known.entry(name.to_owned()).or_insert_with(|| format!("Person {next}")).clone()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;
    use witness::TableNo;

    use super::*;
    use crate::entry::Plan;
    use crate::pairings::{Pairing, Player, Players, Round};
    use crate::requests::Request;

    #[test]
    fn nobody_is_named_any_more_and_everybody_is_the_same_one_everywhere() {
        let player = |name: &str| Player {
            name: name.to_owned(),
            title: Some("GM".to_owned()),
            rating: Some(2811),
            fide_id: Some(200_000),
            ..Player::default()
        };
        let players = Players { white: player("Doe, Jane"), black: player("Roe, Max") };
        let table = TableNo::new(1);
        let pairing = Pairing { table, players: players.clone(), ..Pairing::default() };
        let round = Round { name: "3".to_owned(), pairings: vec![pairing] };
        let plan = Plan {
            rounds: vec![round],
            players: BTreeMap::from([(table, players)]),
            ..Plan::default()
        };
        let mut nameless = Nameless::default();
        let Some(Entry::Planned(plan)) = nameless.entry(Entry::Planned(Box::new(plan))) else {
            panic!("no plan")
        };
        assert_eq!(plan.rounds[0].name, "3", "a round is nobody");
        let white = &plan.rounds[0].pairings[0].players.white;
        assert_eq!((white.rating, white.fide_id, white.title.as_deref()), (None, None, None));
        assert_eq!(plan.players[&table].white, *white);
        assert!(white.name.starts_with("Person "), "{}", white.name);

        let white_is = json!({"name": "Doe, Jane"});
        let pairing = json!({"table": 1, "white": white_is, "black": "Cy", "note": "Jane is ill"});
        let rules = json!({"table": 1, "ruling": "upheld", "id": "1-1-1", "note": "Max said so"});
        for (verb, body) in
            [("set_pairing", pairing), ("rule", rules), ("nonsense", json!({"white": "Eve"}))]
        {
            let request = Entry::Request(Request::read(verb, body, "Claire Arbitre"));
            let without = nameless.entry(request).unwrap();
            let text = format!("{without:?}");
            for name in ["Jane", "Max", "Cy", "Claire", "Eve"] {
                assert!(!text.contains(name), "{name}: {text}");
            }
        }
        assert!(nameless.known.contains_key("Doe, Jane"));
        assert_eq!(nameless.known["Doe, Jane"], white.name);
        let bytes = Entry::Bytes(witness::LineNo::new(1), vec![1, 2]);
        assert_eq!(nameless.entry(bytes.clone()), Some(bytes));
    }
}
