//! What Lichess answers to a push: for each game, in the order pushed, how many moves it took, or
//! why it refuses the game. Shape: `BroadcastPgnPush` in the specification of its API.

use std::collections::BTreeMap;

use serde::Deserialize;
use witness::TableNo;

use super::plan::Call;

/// A game that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Its table, if the answer allows it to be found.
    pub table: Option<TableNo>,
    /// The reason, in the words of Lichess.
    pub error: String,
}

#[derive(Deserialize)]
struct Answer {
    games: Vec<Game>,
}

#[derive(Deserialize)]
struct Game {
    #[serde(default)]
    tags: BTreeMap<String, serde_json::Value>,
    error: Option<String>,
}

/// How Lichess words a fault of the whole round. It reports it in the place of a game.
const OF_THE_ROUND: &str = "upstream URL";

/// The games that were refused; none if this is no answer to a push.
#[must_use]
pub fn read(call: &Call, body: &[u8]) -> Option<Vec<Refusal>> {
    let Answer { games } = serde_json::from_slice(body).ok()?;
    let in_order = games.len() == call.games.len();
    let refusals = games.into_iter().enumerate().filter_map(|(place, game)| {
        let Game { tags, error } = game;
        let error = error?;
        let table = match error.contains(OF_THE_ROUND) {
            true => None,
            false if in_order => call.games.get(place).map(|it| it.table),
            false => named(call, &tags),
        };
        Some(Refusal { table, error })
    });
    Some(refusals.collect())
}

/// The table where these players sit.
fn named(call: &Call, tags: &BTreeMap<String, serde_json::Value>) -> Option<TableNo> {
    let tag = |name: &str| tags.get(name)?.as_str();
    let [white, black] = [tag("White")?, tag("Black")?];
    let theirs =
        |it: &super::Played| it.players.white.name == white && it.players.black.name == black;
    let mut found = call.games.iter().filter(|it| theirs(it));
    found.next().map(|it| it.table).filter(|_| found.next().is_none())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::outlets::Played;
    use crate::pairings::{Player, Players};

    fn call() -> Call {
        let named = |name: &str| Player { name: name.into(), ..Player::default() };
        let game = |table, white: &str, black: &str| {
            let players = Players { white: named(white), black: named(black) };
            Arc::new(Played { table, players, ..Played::default() })
        };
        let games = vec![
            game(TableNo::new(4), "Doe, Jane", "Roe, Max"),
            game(TableNo::new(7), "Poe, Ann", "Coe, Ida"),
        ];
        Call { key: ("abcdefgh".into(), 0), games }
    }

    fn refusal(table: Option<u32>, error: &str) -> Refusal {
        Refusal { table: table.map(TableNo::new), error: error.into() }
    }

    #[test]
    fn a_game_is_told_at_its_place() {
        // The example of the specification.
        let taken = br#"{"games":[{"tags":{"White":"Player 1","Result":"*"},"moves":2},
                                  {"tags":{"White":"Player 3","Result":"*"},"moves":0}]}"#;
        assert_eq!(read(&call(), taken), Some(Vec::new()));
        // A game that cannot be parsed is reported without tags.
        let refused = br#"{"games":[{"tags":{},"moves":2},{"tags":{},"error":"Cannot play Nf9"}]}"#;
        assert_eq!(read(&call(), refused), Some(vec![refusal(Some(7), "Cannot play Nf9")]));
    }

    #[test]
    fn where_places_do_not_fit_the_players_are_compared() {
        let body = br#"{"games":[{"tags":{"White":"Poe, Ann","Black":"Coe, Ida"},"error":"x"}]}"#;
        assert_eq!(read(&call(), body), Some(vec![refusal(Some(7), "x")]));
        let body = br#"{"games":[{"tags":{"White":"Poe, Ann"},"error":"x"}]}"#;
        assert_eq!(read(&call(), body), Some(vec![refusal(None, "x")]));
    }

    #[test]
    fn a_fault_of_the_round_is_of_no_table() {
        let error = "The relay has an upstream URL, and cannot be pushed to.";
        let body = format!("{{\"games\":[{{\"tags\":{{}},\"error\":\"{error}\"}}]}}");
        let mut one = call();
        one.games.truncate(1);
        for call in [one, call()] {
            assert_eq!(read(&call, body.as_bytes()), Some(vec![refusal(None, error)]));
        }
    }

    #[test]
    fn what_is_no_answer_to_a_push_is_none() {
        for other in ["", "{}", "[]", "<html>sign in</html>", "{\"games\":7}", "{\"ok\":true}"] {
            assert_eq!(read(&call(), other.as_bytes()), None, "{other}");
        }
    }
}
