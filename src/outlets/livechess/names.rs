//! The names of boards, tournaments and games for clients. They are derived, so they stay the same
//! over restarts and need not be kept.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;
use witness::TableNo;

/// The name of a board without a serial number: this, then its table.
const BOARD: &str = "table-";

/// The namespace of our ids.
fn root() -> Uuid {
    Uuid::new_v5(&Uuid::NAMESPACE_OID, b"adoubed livechess")
}

/// The id of a tournament, from its name and place.
#[must_use]
pub fn tournament(event: &str, site: &str) -> Uuid {
    Uuid::new_v5(&root(), format!("{event}\n{site}").as_bytes())
}

/// The id of a game, from its round and table.
#[must_use]
pub fn game(tournament: Uuid, round: &str, table: TableNo) -> Uuid {
    Uuid::new_v5(&tournament, format!("{round}\n{table}").as_bytes())
}

/// The names of the boards of these tables, all different. If two report the same serial number,
/// the lower table keeps it.
pub fn serials<'a>(
    tables: impl Iterator<Item = (TableNo, Option<&'a str>)>,
) -> BTreeMap<TableNo, String> {
    let mut taken = BTreeSet::new();
    let name = |(number, serial): (TableNo, Option<&'a str>)| {
        let own = serial.filter(|it| !it.is_empty() && taken.insert(*it));
        (number, own.map_or_else(|| format!("{BOARD}{number}"), str::to_owned))
    };
    tables.map(name).collect()
}

/// The table in a name of ours.
#[must_use]
pub fn table(name: &str) -> Option<TableNo> {
    name.strip_prefix(BOARD)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_derived_and_differ() {
        let liege = tournament("Open de Liège", "Liège");
        assert_eq!(liege, tournament("Open de Liège", "Liège"));
        assert_eq!(liege.get_version_num(), 5);
        assert_ne!(liege, tournament("Open de Liège", ""));
        assert_ne!(liege, tournament("Open", "de Liège\nLiège"));
        let names = [(1, "1"), (1, "2"), (2, "1"), (11, "")]
            .map(|(table, round)| game(liege, round, TableNo::new(table)));
        assert_eq!(BTreeSet::from(names).len(), names.len());
    }

    #[test]
    fn no_two_boards_have_one_name() {
        let reported = [(1, Some("26015")), (2, None), (3, Some("26015")), (4, Some(""))];
        let names =
            serials(reported.into_iter().map(|(table, serial)| (TableNo::new(table), serial)));
        let names: Vec<_> = names.values().map(String::as_str).collect();
        assert_eq!(names, ["26015", "table-2", "table-3", "table-4"]);
        assert_eq!(
            (table("table-3"), table("26015"), table("table-")),
            (Some(TableNo::new(3)), None, None)
        );
    }
}
