//! The games of the hall as everybody may know them: the games at the tables now, and the earlier
//! ones that are kept. The run loop writes them, after the entries that they follow from are in the
//! journal.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use witness::{Ending, GameNo, TableNo};

use crate::pairings::Players;

/// One game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// The table.
    pub table: TableNo,
    /// Its number there, from 1.
    pub number: GameNo,
    /// Its round, as it is called; empty: rounds have no names.
    pub round: String,
    /// Who plays.
    pub players: Players,
    /// How it ended; none: it has no result.
    pub ending: Option<Ending>,
    /// How many half moves were made.
    pub plies: usize,
    /// Whether nothing has happened yet.
    pub empty: bool,
    /// `2026.11.20`; empty: it has not begun.
    pub date: String,
    /// The whole game as strict PGN, with a line end.
    pub text: String,
}

/// The event, and the round that is played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventNow {
    /// Its name.
    pub name: String,
    /// Where it is held.
    pub site: String,
    /// The time control, as PGN has it.
    pub time_control: String,
    /// The round that is played now, as it is called; empty: rounds have no names.
    pub round: String,
}

/// Changes since the last step.
#[derive(Debug, Default)]
pub struct News {
    /// The event, if it has changed.
    pub event: Option<EventNow>,
    /// Tables, each with the numbers of the games that are kept. All others are dropped.
    pub kept: Vec<(TableNo, Vec<GameNo>)>,
    /// Games as they are now.
    pub games: Vec<Played>,
}

/// All games that are known now.
#[derive(Default)]
pub struct Games {
    inner: Mutex<Inner>,
    version: watch::Sender<u64>,
}

#[derive(Default)]
struct Inner {
    event: Arc<EventNow>,
    games: BTreeMap<(TableNo, GameNo), Arc<Played>>,
}

impl Games {
    /// Takes in changes.
    pub fn hear(&self, news: News) {
        if let Some(event) = news.event {
            self.announce(event);
        }
        news.kept.iter().for_each(|(table, numbers)| self.keep(*table, numbers));
        news.games.into_iter().for_each(|game| self.put(game));
    }

    /// Adds a game, or replaces it.
    pub fn put(&self, game: Played) {
        let mut inner = self.lock();
        let before = inner.games.get(&(game.table, game.number));
        if before.is_none_or(|before| **before != game) {
            inner.games.insert((game.table, game.number), Arc::new(game));
            drop(inner);
            self.changed();
        }
    }

    /// Keeps only these games of a table, and drops its others.
    pub fn keep(&self, table: TableNo, numbers: &[GameNo]) {
        let mut inner = self.lock();
        let before = inner.games.len();
        inner.games.retain(|(of, number), _| *of != table || numbers.contains(number));
        let fewer = inner.games.len() < before;
        drop(inner);
        if fewer {
            self.changed();
        }
    }

    /// Sets the event and the round that is played.
    pub fn announce(&self, event: EventNow) {
        let mut inner = self.lock();
        if *inner.event != event {
            inner.event = Arc::new(event);
            drop(inner);
            self.changed();
        }
    }

    fn changed(&self) {
        self.version.send_modify(|version| *version += 1);
    }

    /// The event and the round that is played.
    #[must_use]
    pub fn event(&self) -> Arc<EventNow> {
        Arc::clone(&self.lock().event)
    }

    /// Rises with every change.
    #[must_use]
    pub fn version(&self) -> u64 {
        *self.version.borrow()
    }

    /// Wakes a reader after changes. Several changes at once wake it once.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// Every game, by table and number. Pieces set up again after a game of the same round do not
    /// count as a further game until something happens.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<Played>> {
        let inner = self.lock();
        let games = inner.games.values();
        let again = |game: &Played| {
            let earlier =
                inner.games.range((game.table, GameNo::default())..(game.table, game.number));
            game.empty && earlier.into_iter().any(|(_, it)| it.round == game.round)
        };
        games.filter(|game| !again(game)).map(Arc::clone).collect()
    }

    /// The games of a table.
    #[must_use]
    pub fn of_table(&self, table: TableNo) -> Vec<Arc<Played>> {
        let mut games = self.all();
        games.retain(|game| game.table == table);
        games
    }

    /// Whether anything is known of a table.
    #[must_use]
    pub fn has(&self, table: TableNo) -> bool {
        let inner = self.lock();
        let mut from = inner.games.range((table, GameNo::default())..);
        from.next().is_some_and(|((of, _), _)| *of == table)
    }

    /// The games of the round that is played now.
    #[must_use]
    pub fn of_round(&self) -> Vec<Arc<Played>> {
        let round = self.event().round.clone();
        self.all().into_iter().filter(|game| game.round == round).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(table: u32, number: u32, round: &str, empty: bool) -> Played {
        let (round, text) = (round.to_owned(), format!("{table}-{number}\n"));
        Played {
            table: TableNo::new(table),
            number: GameNo::new(number),
            round,
            empty,
            text,
            ..Played::default()
        }
    }

    fn texts(games: &[Arc<Played>]) -> Vec<&str> {
        games.iter().map(|it| it.text.trim_end()).collect()
    }

    #[test]
    fn pieces_set_up_after_a_game_are_no_game_of_its_round() {
        let games = Games::default();
        games.announce(EventNow { round: "3".into(), ..EventNow::default() });
        for it in [game(1, 1, "3", false), game(1, 2, "3", true), game(2, 1, "3", true)] {
            games.put(it);
        }
        assert_eq!(texts(&games.of_round()), ["1-1", "2-1"]);
        games.put(game(1, 2, "3", false));
        assert_eq!(texts(&games.of_round()), ["1-1", "1-2", "2-1"]);
        games.put(game(2, 2, "4", true));
        assert_eq!(texts(&games.all()), ["1-1", "1-2", "2-1", "2-2"]);
        assert_eq!(texts(&games.of_round()), ["1-1", "1-2", "2-1"]);
        games.keep(TableNo::new(1), &[GameNo::new(2)]);
        assert_eq!(texts(&games.all()), ["1-2", "2-1", "2-2"]);
    }

    #[test]
    fn only_changes_are_heard_of() {
        let games = Games::default();
        let mut changes = games.changes();
        games.put(game(1, 1, "", false));
        assert!(changes.has_changed().unwrap());
        changes.mark_unchanged();
        games.put(game(1, 1, "", false));
        games.keep(TableNo::new(1), &[GameNo::new(1)]);
        games.announce(EventNow::default());
        assert!(!changes.has_changed().unwrap());
    }
}
