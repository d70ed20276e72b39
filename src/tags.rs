//! The tags of a game at a table: the event from the configuration, round and players from the
//! works.

use witness::{Score, TableNo};

use crate::config::Config;
use crate::pgn::Tags;
use crate::time::{Anchor, WallTime};
use crate::works::Works;
use crate::works::former::FormerGame;

/// The tags of the current game. The configuration names the event, and the players if neither
/// pairings nor an arbiter do.
#[must_use]
pub fn of_game(
    config: &Config,
    works: &Works,
    table: TableNo,
    score: Option<&Score>,
    anchor: Option<&Anchor>,
) -> Tags {
    let began = score.and_then(Score::began).zip(anchor);
    Tags {
        event: config.event.name.clone(),
        site: config.event.site.clone(),
        date: began.map(|(at, anchor)| anchor.wall(at).pgn_date()).unwrap_or_default(),
        round: numbered(works.round(table), table),
        players: works.players(table).unwrap_or_else(|| config.players(table)),
        time_control: works.time_control(table),
        board: Some(table),
    }
}

/// The tags of an earlier game of the table.
#[must_use]
pub fn of_former(config: &Config, table: TableNo, former: &FormerGame) -> Tags {
    Tags {
        event: config.event.name.clone(),
        site: config.event.site.clone(),
        date: former.began.map(WallTime::pgn_date).unwrap_or_default(),
        round: numbered(&former.round, table),
        players: former.players.clone().unwrap_or_else(|| config.players(table)),
        time_control: former.time_control.clone(),
        board: Some(table),
    }
}

fn numbered(round: &str, table: TableNo) -> String {
    if round.is_empty() { String::new() } else { format!("{round}.{table}") }
}
