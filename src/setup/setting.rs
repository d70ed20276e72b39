//! One way to set any key of the configuration: what it takes is judged by the checks of a start.

use serde_json::Value as Json;
use toml_edit::{Array, DocumentMut, InlineTable, Item, TableLike, Value};
use witness::{Message, TableNo};

use super::document::{self, Document};
use crate::config::keys::{Key, Kind};
use crate::say;

/// Without this key there is no section: the section itself says that there is a delay.
const IS_SECTION: &str = "public.delay_s";

/// Gives a key of the file a value, or removes it.
///
/// # Errors
/// If no page sets such a key, or if no key has such a value.
pub(super) fn set(
    file: &Document,
    document: &mut DocumentMut,
    (name, table): (&str, Option<TableNo>),
    json: &Json,
) -> Result<(), Message> {
    let key = Key::named(name).ok_or_else(|| say::config_key(name))?;
    if key.fixed.is_some() {
        return Err(say::config_fixed(&key.key));
    }
    if key.of_table().is_some() != table.is_some() {
        return Err(say::config_key(name));
    }
    match (key.of_table(), table) {
        (Some(within), Some(number)) => set_of_table(file, document, (within, number), json),
        _ if key.kind == Kind::Named => set_named(file, document, key, json),
        _ if key.key == IS_SECTION && json.is_null() => {
            document.remove("public");
            Ok(())
        }
        _ => {
            let (section, name) = key.key.rsplit_once('.').unwrap_or(("", &key.key));
            let value = value(name, json)?;
            if value.is_none() && !is_there(document, section) {
                return Ok(());
            }
            document::put(file.section(document, section)?, name, value);
            Ok(())
        }
    }
}

/// Whether the file has this section: nobody needs the head of an empty one.
fn is_there(document: &DocumentMut, section: &str) -> bool {
    let mut there: Option<&dyn TableLike> = Some(document.as_table());
    for name in section.split('.') {
        there = there.and_then(|it| it.get(name)?.as_table_like());
    }
    there.is_some()
}

/// A value as the file has it; none: the key is to be removed.
fn value(name: &str, json: &Json) -> Result<Option<Value>, Message> {
    let unfit = || say::config_value(name);
    Ok(Some(match json {
        Json::Null => return Ok(None),
        Json::String(text) => Value::from(text.as_str()),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::from(whole),
            None => Value::from(number.as_f64().ok_or_else(unfit)?),
        },
        Json::Bool(truth) => Value::from(*truth),
        Json::Array(all) => {
            let each = all.iter().map(|it| value(name, it)?.ok_or_else(unfit));
            Value::Array(each.collect::<Result<Array, _>>()?)
        }
        Json::Object(_) => return Err(unfit()),
    }))
}

/// Values by names: those that are not there any more are removed.
fn set_named(
    file: &Document,
    document: &mut DocumentMut,
    key: &Key,
    json: &Json,
) -> Result<(), Message> {
    let none = serde_json::Map::new();
    let wanted = match json {
        Json::Null => &none,
        Json::Object(wanted) => wanted,
        _ => return Err(say::config_value(&key.key)),
    };
    let section = file.section(document, &key.key)?;
    let gone: Vec<String> = section.iter().map(|(name, _)| name.to_owned()).collect();
    for name in gone.iter().filter(|name| !wanted.contains_key(*name)) {
        section.remove(name);
    }
    for (name, json) in wanted {
        let text = json.as_str().ok_or_else(|| say::config_value(&key.key))?;
        document::put(section, name, Some(Value::from(text)));
    }
    Ok(())
}

/// A key of one table, which may stand in braces: `second_board = { player = "black" }`.
fn set_of_table(
    file: &Document,
    document: &mut DocumentMut,
    (name, number): (&str, TableNo),
    json: &Json,
) -> Result<(), Message> {
    if json.is_null() {
        document::nth(file.tables(document)?, number)?;
    }
    let table = file.table(document, number)?;
    let Some((outer, name)) = name.split_once('.') else {
        document::put(table, name, value(name, json)?);
        return Ok(());
    };
    let other = || say::config_value(outer);
    let braces = table.entry(outer).or_insert(Item::Value(InlineTable::new().into()));
    let braces = braces.as_table_like_mut().ok_or_else(other)?;
    document::put(braces, name, value(name, json)?);
    if braces.is_empty() {
        table.remove(outer);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;
    use words::InWords as _;

    use super::*;
    use crate::config::{self, keys};
    use crate::requests::Change;

    fn changed(text: &str, changes: &[Json]) -> Result<String, String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("adoubed.toml");
        std::fs::write(&path, text).unwrap();
        let changes: Vec<Change> =
            changes.iter().map(|it| serde_json::from_value(it.clone()).unwrap()).collect();
        let document = Document::read(&path).unwrap();
        document.with(&changes).map(|(it, _)| it.text().to_owned()).map_err(|why| why.en())
    }

    fn set(key: &str, value: Json) -> Json {
        json!({"change": "set", "key": key, "value": value})
    }

    fn set_at(table: u16, key: &str, value: Json) -> Json {
        json!({"change": "set", "key": key, "value": value, "table": table})
    }

    #[test]
    fn screens_parts_and_ways_out_are_set_in_their_sections_and_what_is_there_stays() {
        let by_hand = "[web.screens] # the foyer\nclocks = false\n[web.sections]\n\
                       A = \"1-20\" # the stage\nB = \"21-40\"\n";
        let text = changed(
            by_hand,
            &[
                set("web.screens.featured", json!("1-3")),
                set("web.screens.clocks", json!(true)),
                set("web.sections", json!({"A": "1-10", "Salle C": "11-40"})),
                set("public.delay_s", json!(900)),
                set("notify.names", json!(true)),
            ],
        )
        .unwrap();
        for remark in ["# the foyer", "# the stage"] {
            assert!(text.contains(remark), "{text}");
        }
        let config = config::read(Path::new("adoubed.toml"), &text).unwrap();
        assert!(config.web.screens.clocks && config.notify.names);
        assert_eq!(config.web.screens.featured, "1-3");
        let parts: Vec<_> = config.web.sections.iter().collect();
        assert_eq!(parts.len(), 2, "{parts:?}");
        assert_eq!(config.web.sections["Salle C"], "11-40");
        assert_eq!(config.public.map(|it| it.delay_s), Some(900));
        let none = changed(&text, &[set("public.delay_s", Json::Null)]).unwrap();
        assert!(config::read(Path::new("adoubed.toml"), &none).unwrap().public.is_none());
        for (key, value) in [
            ("web.screens.featured", json!("9-3")),
            ("web.sections", json!({"A": 1})),
            ("web.sections", json!({"A": "1-20", "B": "20"})),
            ("livechess.listen", json!("here")),
            ("notify.url", json!("hall")),
            ("public.delay_s", json!(1)),
        ] {
            assert!(changed(&text, &[set(key, value.clone())]).is_err(), "{key} {value}");
        }
    }

    const HALL: &str = "\
# By hand.
[[table]] # the stage
number = 7 # at the door
serial = \"26003\" # the old board
";

    #[test]
    fn rules_a_second_board_and_a_clock_are_given_to_one_table_and_taken_again() {
        let text = changed(
            HALL,
            &[
                set_at(7, "table.time_control", json!("180+2")),
                set_at(7, "table.laws", json!("2018")),
                set_at(7, "table.second_board.player", json!("white")),
                set_at(7, "table.second_board.serial", json!("26016")),
                set_at(7, "table.clock.port", json!("/dev/clock")),
                set_at(7, "table.clock.driver", json!("chessnutclock")),
                set_at(9, "table.serial", json!("26017")),
            ],
        )
        .unwrap();
        for remark in ["# By hand.", "# the stage", "# at the door", "# the old board"] {
            assert!(text.contains(remark), "{text}");
        }
        let config = config::read(Path::new("adoubed.toml"), &text).unwrap();
        let [seven, nine] = &config.table[..] else { panic!("{text}") };
        assert_eq!(seven.time_control.as_deref(), Some("180+2"));
        let second = seven.second_board.as_ref().unwrap();
        assert_eq!(second.serial.as_deref(), Some("26016"));
        assert_eq!(seven.clock.as_ref().unwrap().port, "/dev/clock");
        assert_eq!(nine.serial.as_deref(), Some("26017"));
        let again = changed(
            &text,
            &[
                set_at(7, "table.second_board.player", Json::Null),
                set_at(7, "table.second_board.serial", Json::Null),
                set_at(7, "table.clock.port", Json::Null),
                set_at(7, "table.clock.driver", Json::Null),
                set_at(7, "table.laws", Json::Null),
                set_at(7, "table.time_control", Json::Null),
            ],
        )
        .unwrap();
        assert!(again.starts_with(HALL), "{again}");
        for (change, why) in [
            (set_at(7, "table.number", json!(8)), "table.number"),
            (set_at(8, "table.laws", Json::Null), "no table 8"),
            (set_at(8, "table.laws", json!("2018")), "where its board is"),
            (set_at(7, "table.clock.port", json!("/dev/clock")), "clock"),
            (set("table.laws", json!("2018")), "table.laws"),
            (set_at(7, "laws", json!("2018")), "laws"),
            (set("mqtt.broker", json!("external")), "mqtt.broker"),
            (set("web.organizers", json!({})), "web.organizers"),
            (set("mqtt.colour", json!(1)), "mqtt.colour"),
        ] {
            let refused = changed(HALL, std::slice::from_ref(&change)).unwrap_err();
            assert!(refused.contains(why), "{change}: {refused}");
        }
    }

    #[test]
    fn penalties_and_rounds_by_name_are_written_as_by_hand() {
        let text = changed(
            "[lichess] # ours\nurl = \"https://lichess.org\"\n",
            &[
                set("laws.penalties.2023.blitz", json!([1, 0.5, "loss"])),
                set("laws.penalties.2018.wrong_claim", json!(1.5)),
                set("laws.gravity", json!({"touched_out_of_turn": "note"})),
                set("mqtt.url", json!(["mqtt://a", "mqtt://b"])),
                set("journal.flush_ms", json!(100)),
            ],
        )
        .unwrap();
        for line in [
            "[laws.penalties.2023]",
            "blitz = [1, 0.5, \"loss\"]",
            "wrong_claim = 1.5",
            "touched_out_of_turn = \"note\"",
            "url = [\"mqtt://a\", \"mqtt://b\"]",
            "[lichess] # ours",
        ] {
            assert!(text.contains(line), "{line} is not in\n{text}");
        }
        // Nothing is left of what is taken back but heads of sections.
        let none = changed("", &[set("laws.penalties.2014.blitz", Json::Null)]).unwrap();
        assert!(!none.contains("penalties"), "{none}");
    }

    /// Values for keys that take only something that is there, or only together with another one.
    fn fit(key: &Key, here: &Path) -> Option<Vec<Json>> {
        let file = here.display().to_string();
        Some(match &*key.key {
            "event.pairings" => vec![set("event.pairings", json!(file))],
            "lichess.token_file" | "notify.token_file" => vec![set(&key.key, json!(file))],
            "lichess.rounds" => vec![
                set("lichess.token_file", json!(file)),
                set("lichess.rounds", json!({"1": "Xw2Kq9Pt"})),
            ],
            "lichess.round" => vec![
                set("lichess.token_file", json!(file)),
                set("lichess.round", json!("Xw2Kq9Pt")),
            ],
            "public.delay_moves" | "livechess.feed" | "pgn.feed" | "lichess.feed" => {
                let value = key.choices.last().map_or(json!(2), |it| json!(it));
                vec![set("public.delay_s", json!(900)), set(&key.key, value)]
            }
            "web.sections" => vec![set("web.sections", json!({"A": "1-20"}))],
            "laws.gravity" => vec![set("laws.gravity", json!({"touched_out_of_turn": "note"}))],
            _ => return None,
        })
    }

    /// A value that the key takes, and what else the file wants for it.
    fn value_for(key: &Key, here: &Path) -> Vec<Json> {
        if let Some(all) = fit(key, here) {
            return all;
        }
        let value = match (&key.example, key.kind) {
            (_, Kind::Choice) => json!(key.choices.last()),
            (Some(example), _) => example.clone(),
            (None, Kind::Truth) => json!(key.default != Some(json!(true))),
            (None, Kind::Number) => json!(key.range.map_or(7, |[_, most]| most)),
            (None, Kind::List) => json!([]),
            (None, _) => json!(key.default.as_ref().and_then(Json::as_str).unwrap_or("")),
        };
        let Some(name) = key.of_table() else { return vec![set(&key.key, value)] };
        let with = match name {
            "serial" | "port" => vec![],
            "driver" => vec![("table.port", json!("/dev/a"))],
            "station" => vec![("table.driver", json!("dgtbus")), ("table.port", json!("/dev/a"))],
            _ => vec![("table.serial", json!("1"))],
        };
        let also = match name {
            "second_board.driver" => vec![("table.second_board.port", json!("/dev/b"))],
            "second_board.station" => vec![
                ("table.second_board.driver", json!("dgtbus")),
                ("table.second_board.port", json!("/dev/b")),
            ],
            "second_board.player" => vec![("table.second_board.serial", json!("2"))],
            "clock.port" => vec![("table.clock.driver", json!("chessnutclock"))],
            "clock.driver" => vec![("table.clock.port", json!("/dev/c"))],
            _ => vec![],
        };
        let all = with.into_iter().chain(also).chain([(&*key.key, value)]);
        all.map(|(key, value)| set_at(7, key, value)).collect()
    }

    /// Who adds a key to the configuration writes it into the example. Then the page sets it, or
    /// it is named among the few that it does not set, with the reason.
    #[test]
    fn every_key_is_set_from_the_page_or_it_is_said_why_not() {
        let directory = tempfile::tempdir().unwrap();
        let here = directory.path().join("file");
        let game = "[White \"A\"]\n[Black \"B\"]\n[Round \"1.1\"]\n\n*\n";
        std::fs::write(&here, game).unwrap();
        let token = directory.path().join("token");
        std::fs::write(&token, "lip_secret").unwrap();
        for key in Key::all() {
            if key.fixed.is_some() {
                let change = match key.of_table() {
                    Some(_) => set_at(7, &key.key, json!("x")),
                    None => set(&key.key, json!("x")),
                };
                let why = changed("", &[change]).unwrap_err();
                assert!(why.contains(&key.key), "{why}");
                continue;
            }
            let here = if key.key.ends_with("pairings") { &here } else { &token };
            let changes = value_for(key, here);
            let text = changed("", &changes).unwrap_or_else(|why| panic!("{}: {why}", key.key));
            let written = serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap();
            let value = keys::at(&written, &key.key);
            assert_eq!(value, changes.last().map(|it| &it["value"]), "{}: {text}", key.key);
        }
    }
}
