//! Warnings about a configuration that is valid but may mean something else.

use std::collections::BTreeSet;

use witness::TableNo;

use crate::config::{Config, pages};
use crate::pairings::{Players, Round};
use crate::time::WallTime;
use crate::works::rounds;

/// A default time below this many seconds may have been meant in minutes: no regulation knows one
/// so short, and every table summons.
const SHORT_DEFAULT_S: u64 = 300;

/// The start of the round, when players count as late, and everything that looks like a mistake.
pub(super) fn lines(config: &Config) -> Vec<String> {
    let mut lines = beginning(config);
    for round in on_or_all(config) {
        lines.extend(without_board(config, round));
        lines.extend(at_two_tables(&named(config, round), &round.name));
    }
    if on_or_all(config).next().is_none() {
        lines.extend(at_two_tables(&configured(config), &config.event.round));
    }
    lines.extend(empty(config));
    lines.extend(beyond(config));
    lines.extend(doors(config));
    lines
}

/// A file with pairings in which nobody is paired.
fn empty(config: &Config) -> Option<String> {
    let file = config.event.pairings.as_ref()?;
    let games = config.rounds.iter().map(|it| it.pairings.len()).sum::<usize>();
    (games == 0).then(|| {
        format!("WARNING {} pairs nobody yet: export it again after the draw", file.display())
    })
}

/// Tables that are featured, or in a part of the hall, and that there are none of.
fn beyond(config: &Config) -> Vec<String> {
    let web = &config.web;
    let featured = Some(("featured = ".to_owned(), &web.screens.featured));
    let sections =
        web.sections.iter().map(|(name, it)| (format!("[web.sections] \"{name}\" = "), it));
    let named = featured.into_iter().chain(sections).filter(|(_, tables)| !tables.is_empty());
    // Without tables in the file every board that is found becomes one.
    let known: BTreeSet<_> = config.table.iter().map(|it| it.number).collect();
    let named = named.filter(|_| !known.is_empty());
    let lines = named.filter_map(|(key, tables)| {
        let ranges = pages::ranges(tables).unwrap_or_default();
        let lost: Vec<_> = ranges.into_iter().flat_map(|it| gaps(&known, it)).collect();
        let listed: Vec<_> = lost.iter().take(LISTED_MAX).map(String::as_str).collect();
        let listed = listed.join(", ");
        (!lost.is_empty())
            .then(|| format!("WARNING {key}\"{tables}\": there is no [[table]] {listed}"))
    });
    lines.collect()
}

/// The tables from the first to the last that are not among the known ones, as `4-6`.
fn gaps(known: &BTreeSet<TableNo>, (first, last): (TableNo, TableNo)) -> Vec<String> {
    let mut gaps = Vec::new();
    let mut next = u64::from(first.get());
    let ends = known.range(first..=last).map(|it| u64::from(it.get()));
    for end in ends.chain([u64::from(last.get()) + 1]) {
        match end - next {
            0 => {}
            1 => gaps.push(next.to_string()),
            _ => gaps.push(format!("{next}-{}", end - 1)),
        }
        next = end + 1;
    }
    gaps
}

/// The start of the round, and the default time.
fn beginning(config: &Config) -> Vec<String> {
    let mut lines = Vec::new();
    match config.event.start.as_deref().and_then(WallTime::parse) {
        Some(start) => lines.push(format!("start  {}", start.rfc3339())),
        None => lines.push("start  when an arbiter says so (start_round)".to_owned()),
    }
    let own = config.table.iter().filter_map(|it| Some((Some(it.number), it.default_time_s?)));
    for (table, seconds) in config.event.default_time_s.map(|it| (None, it)).into_iter().chain(own)
    {
        let place = table.map(|table| format!("at table {table}: ")).unwrap_or_default();
        lines.push(match seconds {
            0 => format!("absent {place}nobody is watched for"),
            _ => format!(
                "absent {place}a player who gives no sign within {} of the start: a summons",
                span(seconds)
            ),
        });
        if (1..SHORT_DEFAULT_S).contains(&seconds) {
            lines.push(format!(
                "WARNING default_time_s = {seconds} counts in seconds; half an hour is 1800"
            ));
        }
    }
    lines
}

fn span(seconds: u64) -> String {
    match (seconds / 60, seconds % 60) {
        (0, _) => format!("{seconds} s"),
        (minutes, 0) => format!("{minutes} min"),
        (minutes, rest) => format!("{minutes} min {rest} s"),
    }
}

/// The current round; all rounds if none is named.
fn on_or_all(config: &Config) -> impl Iterator<Item = &Round> {
    let on = &config.event.round;
    config.rounds.iter().filter(move |it| on.is_empty() || it.name == *on)
}

/// Paired tables that are missing among the configured tables.
fn without_board(config: &Config, round: &Round) -> Option<String> {
    let paired = round.pairings.iter().map(|it| it.table);
    let missing: BTreeSet<_> = paired.filter(|it| config.table(*it).is_none()).collect();
    if missing.is_empty() || config.table.is_empty() {
        return None;
    }
    let names: Vec<_> = missing.iter().take(LISTED_MAX).map(ToString::to_string).collect();
    let more = missing.len() - names.len();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let tables = if missing.len() == 1 { "table" } else { "tables" };
    Some(format!(
        "WARNING round {}: {tables} {}{more} of the pairings without a [[table]]: a board that is \
         plugged in there gets no number by itself",
        round.name,
        names.join(", ")
    ))
}

/// The most tables that a line lists.
const LISTED_MAX: usize = 20;

/// The players of a round: from the pairings, and at other tables from the configuration.
fn named(config: &Config, round: &Round) -> Vec<(TableNo, Players)> {
    let paired = round.pairings.iter().map(|it| (it.table, it.players.clone()));
    let others = configured(config).into_iter().filter(|(table, _)| round.at(*table).is_none());
    paired.chain(others).collect()
}

fn configured(config: &Config) -> Vec<(TableNo, Players)> {
    config.table.iter().map(|it| (it.number, config.players(it.number))).collect()
}

/// Players who are at two tables.
fn at_two_tables(seated: &[(TableNo, Players)], round: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for (nth, (table, players)) in seated.iter().enumerate() {
        for (other, others) in seated.iter().take(nth) {
            if let Some(name) = rounds::shared(players, others) {
                let round = if round.is_empty() { "" } else { &format!("round {round}: ") };
                lines.push(format!("WARNING {round}{name} is at tables {other} and {table}"));
            }
        }
    }
    lines
}

/// What guests and arbiters on other machines can reach.
fn doors(config: &Config) -> Vec<String> {
    let mut lines = Vec::new();
    let elsewhere = !config.web.listen.ip().is_loopback();
    if !elsewhere {
        return lines;
    }
    if !config.hall_is_open() && config.public.is_none() {
        // It was asked for, so it is no mistake.
        let head = if config.mqtt.hall.is_some() { "      " } else { "WARNING" };
        lines.push(format!(
            "{head} the wall is empty for all who have no password: [mqtt] hall = \"open\" shows \
             it to everybody"
        ));
    }
    if config.web.accounts().is_empty() {
        lines.push(
            "WARNING no arbiter can sign in from elsewhere: `adoubed passwd NAME` prints a line \
             for [web.arbiters]"
                .to_owned(),
        );
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairings::{Pairing, Player};

    fn config(text: &str) -> Config {
        toml::from_str(text).unwrap()
    }

    fn pairing(table: u32, white: &str, black: &str) -> Pairing {
        let player = |name: &str| Player { name: name.to_owned(), ..Player::default() };
        let players = Players { white: player(white), black: player(black) };
        Pairing { table: TableNo::new(table), players, ..Pairing::default() }
    }

    fn warnings(config: &Config) -> Vec<String> {
        lines(config).into_iter().filter(|it| it.starts_with("WARNING")).collect()
    }

    #[test]
    fn tables_that_are_paired_and_not_configured_are_named() {
        let mut config = config("[event]\nround = \"3\"\n[[table]]\nnumber = 1\nport = \"/a\"\n");
        let pairings = [7, 8, 1].map(|table| pairing(table, "", "")).into();
        config.rounds = vec![Round { name: "3".to_owned(), pairings }];
        let said = warnings(&config);
        assert!(said[0].starts_with("WARNING round 3: tables 7, 8 of the pairings"), "{said:?}");
        config.table.clear();
        assert_eq!(warnings(&config), [""; 0], "every board that is found becomes a table");
    }

    #[test]
    fn a_player_is_at_one_table_of_a_round() {
        let mut config = config(
            "[[table]]\nnumber = 1\nport = \"/a\"\nwhite = \"Doe, Jane\"\n\
             [[table]]\nnumber = 2\nport = \"/b\"\nblack = \"Doe, Jane\"\nwhite = \"Roe, Max\"\n",
        );
        assert_eq!(warnings(&config), ["WARNING Doe, Jane is at tables 1 and 2"]);
        let round = |name: &str, pairings| Round { name: name.to_owned(), pairings };
        config.rounds = vec![
            round("3", vec![pairing(1, "Doe, Jane", "Roe, Max"), pairing(2, "Poe, Ann", "")]),
            round("4", vec![pairing(1, "Doe, Jane", "Roe, Max"), pairing(2, "", "Roe, Max")]),
        ];
        assert_eq!(warnings(&config), ["WARNING round 4: Roe, Max is at tables 1 and 2"]);
        config.event.round = "3".to_owned();
        assert_eq!(warnings(&config), [""; 0], "that round is not on");
    }

    #[test]
    fn tables_that_there_are_none_of_are_named_where_they_are_featured_or_in_a_part_of_the_hall() {
        let tables: String =
            [1, 2, 5].map(|it| format!("[[table]]\nnumber = {it}\nserial = \"{it}\"\n")).concat();
        let config = |more: &str| config(&format!("{more}\n{tables}"));
        let said = warnings(&config(
            "[web.screens]\nfeatured = \"1-2,99\"\n[web.sections]\nA = \"1-7\"\nB = \"5\"\n",
        ));
        assert_eq!(
            said,
            [
                "WARNING featured = \"1-2,99\": there is no [[table]] 99",
                "WARNING [web.sections] \"A\" = \"1-7\": there is no [[table]] 3-4, 6-7",
            ]
        );
        let most = warnings(&config("[web.screens]\nfeatured = \"1-4294967295\"\n"));
        assert!(most[0].ends_with("there is no [[table]] 3-4, 6-4294967295"), "{most:?}");
        let any = toml::from_str("[web.screens]\nfeatured = \"99\"\n").unwrap();
        assert_eq!(warnings(&any), [""; 0], "every board that is found becomes a table");
    }

    #[test]
    fn pairings_of_nobody_are_a_warning() {
        let mut config = config("");
        config.event.pairings = Some("swiss.trf".into());
        let said = warnings(&config);
        assert_eq!(said, ["WARNING swiss.trf pairs nobody yet: export it again after the draw"]);
    }

    #[test]
    fn start_and_default_time_are_said_and_minutes_for_seconds_are_a_warning() {
        let said = lines(&config(
            "[event]\nstart = \"2026-11-20T14:00:00+01:00\"\ndefault_time_s = 30\n\
             [[table]]\nnumber = 4\nport = \"/a\"\ndefault_time_s = 5400\n",
        ));
        assert_eq!(
            said,
            [
                "start  2026-11-20T13:00:00.000Z",
                "absent a player who gives no sign within 30 s of the start: a summons",
                "WARNING default_time_s = 30 counts in seconds; half an hour is 1800",
                "absent at table 4: a player who gives no sign within 90 min of the start: a \
                 summons",
            ]
        );
        let none = lines(&config("[event]\ndefault_time_s = 0\n"));
        assert_eq!(none[1], "absent nobody is watched for");
    }

    #[test]
    fn doors_that_are_open_to_an_empty_room_are_a_warning() {
        let open = "[web]\nlisten = \"0.0.0.0:8380\"\n";
        let said = warnings(&config(open));
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].contains("[mqtt] hall = \"open\""), "{said:?}");
        assert!(said[1].contains("adoubed passwd"), "{said:?}");
        assert_eq!(warnings(&config("")), [""; 0], "on this machine everybody is let in");
        let shown = format!("{open}[web.arbiters]\nAnn = \"x\"\n[mqtt]\nhall = \"open\"\n");
        assert_eq!(warnings(&config(&shown)), [""; 0]);
        let later = format!("{open}[web.arbiters]\nAnn = \"x\"\n[public]\ndelay_s = 60\n");
        assert_eq!(warnings(&config(&later)), [""; 0], "guests are led to what is public");
    }
}
