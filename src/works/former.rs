//! The games that tables had before their current one. Setting the pieces up again must not take a
//! game away from people who follow the round.

use std::collections::{BTreeMap, VecDeque};

use bincode::{Decode, Encode};
use witness::{Ending, GameNo, TableNo};

use crate::pairings::Players;
use crate::pgn::Body;
use crate::time::WallTime;

/// The most former games that are kept of one table. The record has all of them (`adoubed export
/// pgn`).
const FORMER_MAX: usize = 4;

/// A former game of a table.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct FormerGame {
    /// Its number at the table, from 1.
    pub number: GameNo,
    /// The name of its round; empty if rounds have no names.
    pub round: String,
    /// The players, if pairings or an arbiter named them.
    pub players: Option<Players>,
    /// The time control in PGN notation; empty if unknown.
    pub time_control: String,
    /// When the first move was made.
    pub began: Option<WallTime>,
    /// The moves and the result.
    pub body: Body,
}

/// The former games of all tables, the latest last.
#[derive(Debug, Default, Encode, Decode)]
pub struct FormerGames(BTreeMap<TableNo, VecDeque<FormerGame>>);

impl FormerGames {
    /// Adds a game when its table begins another one.
    pub fn add(&mut self, table: TableNo, game: FormerGame) {
        let games = self.0.entry(table).or_default();
        games.push_back(game);
        if games.len() > FORMER_MAX {
            games.pop_front();
        }
    }

    /// Changes the result of a former game. Returns whether the game is still kept.
    pub fn end(&mut self, table: TableNo, number: GameNo, ending: Option<Ending>) -> bool {
        let mut games = self.0.get_mut(&table).into_iter().flatten();
        let Some(game) = games.find(|it| it.number == number) else { return false };
        game.body.end(ending);
        true
    }

    /// Forgets a table that was removed.
    pub fn forget(&mut self, table: TableNo) {
        self.0.remove(&table);
    }

    /// The former games of a table.
    pub fn of(&self, table: TableNo) -> impl Iterator<Item = &FormerGame> {
        self.0.get(&table).into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_games_give_way() {
        let mut games = FormerGames::default();
        for number in 1..=6 {
            let game = FormerGame {
                number: GameNo::new(number),
                round: String::new(),
                players: None,
                time_control: String::new(),
                began: None,
                body: Body::default(),
            };
            games.add(TableNo::new(3), game);
        }
        let numbers: Vec<_> = games.of(TableNo::new(3)).map(|it| it.number.get()).collect();
        assert_eq!(numbers, [3, 4, 5, 6]);
        games.forget(TableNo::new(3));
        assert_eq!(games.of(TableNo::new(3)).count(), 0);
    }
}
