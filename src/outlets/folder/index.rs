//! `tournament.json` and `round-N/index.json`, as DGT LiveChess writes them. Shapes: files that
//! its cloud serves, see docs/broadcast.md.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::EventNow;
use crate::outlets::Played;
use crate::pairings::Player;
use crate::pgn;

/// The longest list. Missing tables have a place in it too.
const LONGEST: u32 = 4096;

#[derive(Serialize)]
struct Tournament<'a> {
    name: &'a str,
    location: &'a str,
    country: Option<&'a str>,
    website: Option<&'a str>,
    rules: Option<&'a str>,
    chess960: Option<u16>,
    timecontrol: &'a str,
    rounds: Vec<Count>,
    eboards: Vec<&'a str>,
}

/// The number of games of a round, and of those in play.
#[derive(Clone, Default, Serialize)]
struct Count {
    count: usize,
    live: usize,
}

/// The event, with the rounds whose names are numbers.
pub fn tournament(event: &EventNow, rounds: &BTreeMap<&str, Vec<Arc<Played>>>) -> String {
    let number = |name: &str| if name.is_empty() { Some(1) } else { name.parse::<usize>().ok() };
    let numbered = || rounds.iter().filter_map(|(name, games)| Some((number(name)?, games)));
    let named = number(&event.round).filter(|_| !event.round.is_empty());
    let last = numbered().map(|(number, _)| number).chain(named).max().unwrap_or_default();
    let mut counts = vec![Count::default(); last.min(LONGEST as usize)];
    for (number, games) in numbered() {
        if let Some(count) = number.checked_sub(1).and_then(|index| counts.get_mut(index)) {
            count.count = games.len();
            count.live = games.iter().filter(|game| is_live(game)).count();
        }
    }
    written(&Tournament {
        name: &event.name,
        location: &event.site,
        country: None,
        website: None,
        rules: None,
        chess960: None,
        timecontrol: &event.time_control,
        rounds: counts,
        eboards: Vec::new(),
    })
}

#[derive(Serialize)]
struct Round<'a> {
    date: Option<String>,
    pairings: Vec<Pairing<'a>>,
}

#[derive(Default, Serialize)]
struct Pairing<'a> {
    white: Option<Person<'a>>,
    black: Option<Person<'a>>,
    result: &'static str,
    live: bool,
}

#[derive(Serialize)]
struct Person<'a> {
    fname: Option<&'a str>,
    mname: Option<&'a str>,
    lname: &'a str,
    title: Option<&'a str>,
    federation: Option<&'a str>,
    gender: Option<&'a str>,
    fideid: Option<u32>,
}

/// The games of a round. Table 1 has the first place, because readers count.
pub fn round(games: &[Arc<Played>]) -> String {
    let last = games.iter().map(|game| game.table.get()).max().unwrap_or_default().min(LONGEST);
    let nobody = || Pairing { result: pgn::result(None), ..Pairing::default() };
    let mut pairings: Vec<_> = (0..last).map(|_| nobody()).collect();
    for game in games {
        let index = game.table.get().checked_sub(1).and_then(|it| usize::try_from(it).ok());
        if let Some(pairing) = index.and_then(|index| pairings.get_mut(index)) {
            *pairing = Pairing {
                white: person(&game.players.white),
                black: person(&game.players.black),
                result: pgn::result(game.ending),
                live: is_live(game),
            };
        }
    }
    let dates = games.iter().map(|game| game.date.as_str()).filter(|date| !date.is_empty());
    written(&Round { date: dates.min().map(|date| date.replace('.', "-")), pairings })
}

fn is_live(game: &Played) -> bool {
    game.ending.is_none() && !game.empty
}

/// `Doe, Jane` is written with the family name first.
fn person(player: &Player) -> Option<Person<'_>> {
    if player.name.is_empty() {
        return None;
    }
    let (family, given) = match player.name.split_once(',') {
        Some((family, given)) => (family.trim(), Some(given.trim())),
        None => (player.name.as_str(), None),
    };
    Some(Person {
        fname: given.filter(|given| !given.is_empty()),
        mname: None,
        lname: family,
        title: player.title.as_deref(),
        federation: player.federation.as_deref(),
        gender: None,
        fideid: player.fide_id,
    })
}

fn written(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use witness::{Ending, TableNo};

    use super::*;
    use crate::pairings::Players;

    fn game(table: u32, result: &str, white: &str) -> Arc<Played> {
        let white = Player { name: white.into(), fide_id: Some(4), ..Player::default() };
        let players = Players { white, ..Players::default() };
        let (ending, date) = (Ending::entered(result), "2026.11.20".into());
        Arc::new(Played { table: TableNo::new(table), ending, date, players, ..Played::default() })
    }

    #[test]
    fn the_place_in_the_list_is_the_table() {
        let text = round(&[game(1, "1-0", "Doe, Jane"), game(3, "*", "Madonna")]);
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["date"], "2026-11-20");
        assert_eq!(value["pairings"][0]["white"]["lname"], "Doe");
        assert_eq!(value["pairings"][0]["white"]["fname"], "Jane");
        assert_eq!(value["pairings"][0]["white"]["fideid"], 4);
        assert_eq!(value["pairings"][0]["live"], false);
        let nobody = json!({"white": null, "black": null, "result": "*", "live": false});
        assert_eq!(value["pairings"][1], nobody);
        assert_eq!(value["pairings"][2]["white"]["lname"], "Madonna");
        assert_eq!(value["pairings"][2]["live"], true);
    }

    #[test]
    fn rounds_are_counted_by_their_numbers() {
        let third = vec![game(1, "1-0", ""), game(2, "*", "")];
        let rounds = BTreeMap::from([("3", third), ("Finale", vec![game(1, "*", "")])]);
        let event = EventNow { name: "Open".into(), round: "4".into(), ..EventNow::default() };
        let value: Value = serde_json::from_str(&tournament(&event, &rounds)).unwrap();
        assert_eq!(value["name"], "Open");
        let none = json!({"count": 0, "live": 0});
        assert_eq!(value["rounds"], json!([none, none, {"count": 2, "live": 1}, none]));
    }
}
