//! Holds back the last moves of a game while it is in play.
//!
//! The views of a table are collected into pictures, one for each number of half moves. A picture
//! passes when enough further half moves have been made. Pictures pass in order of time, and a
//! picture replaces the ones before it.

use std::collections::{BTreeMap, VecDeque};

use witness::{GameNo, TableNo};

use crate::mqtt::topic::TableTopic;
use crate::outlets::Played;

/// Pictures kept of one table. One for every half move that is held back would be enough, at most
/// 20. Moves that are taken back and made again add some; beyond this the oldest two become one.
const PICTURES_MAX: usize = 48;

/// How far a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Half moves made.
    pub plies: usize,
    /// There is a result.
    pub over: bool,
}

/// The views of a table while its game had a certain number of half moves.
#[derive(Debug, Default, PartialEq)]
pub struct Picture {
    plies: usize,
    /// The views, newest only.
    pub views: BTreeMap<TableTopic, Vec<u8>>,
    /// Its games as PGN, newest only, by their numbers.
    pub games: BTreeMap<GameNo, Played>,
}

impl Picture {
    fn outlived_by(&mut self, later: Self) {
        self.plies = later.plies;
        self.views.extend(later.views);
        self.games.extend(later.games);
    }
}

/// The pictures that wait, of all tables.
#[derive(Debug, Default)]
pub struct Gate {
    held: usize,
    tables: BTreeMap<TableNo, VecDeque<Picture>>,
}

impl Gate {
    /// Holds back this number of half moves from now on; 0: none.
    pub fn hold(&mut self, plies: usize) {
        self.held = plies;
    }

    /// Whether any half moves are held back.
    #[must_use]
    pub const fn holds(&self) -> bool {
        self.held > 0
    }

    /// Takes a view of a table whose game has come this far.
    pub fn view(&mut self, table: TableNo, now: Progress, topic: TableTopic, payload: Vec<u8>) {
        self.picture(table, now).views.insert(topic, payload);
    }

    /// Takes a game of a table whose play has come this far.
    pub fn game(&mut self, now: Progress, game: Played) {
        self.picture(game.table, now).games.insert(game.number, game);
    }

    /// Forgets a table that was removed.
    pub fn forget(&mut self, table: TableNo) {
        self.tables.remove(&table);
    }

    /// Takes out what may be published of a table whose game has come this far, if anything may.
    #[must_use]
    pub fn pass(&mut self, table: TableNo, now: Progress) -> Option<Picture> {
        let waiting = self.tables.get_mut(&table)?;
        let held = self.held;
        // The pieces before the first move give nothing away.
        let free = |it: &Picture| now.over || it.plies == 0 || it.plies + held <= now.plies;
        let last = waiting.iter().rposition(free)?;
        waiting.drain(..=last).reduce(|mut earlier, later| {
            earlier.outlived_by(later);
            earlier
        })
    }

    fn picture(&mut self, table: TableNo, Progress { plies, over }: Progress) -> &mut Picture {
        let plies = if over { 0 } else { plies };
        let waiting = self.tables.entry(table).or_default();
        if waiting.back().is_none_or(|last| last.plies != plies) {
            waiting.push_back(Picture { plies, ..Picture::default() });
        }
        if waiting.len() > PICTURES_MAX
            && let Some(mut oldest) = waiting.pop_front()
            && let Some(next) = waiting.pop_front()
        {
            oldest.outlived_by(next);
            waiting.push_front(oldest);
        }
        let last = waiting.len() - 1;
        &mut waiting[last]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(plies: usize) -> Progress {
        Progress { plies, over: false }
    }

    const OVER: Progress = Progress { plies: 9, over: true };

    fn holding(plies: usize) -> Gate {
        let mut gate = Gate::default();
        gate.hold(plies);
        gate
    }

    /// The position and the clock say how many half moves there are.
    fn tell(gate: &mut Gate, now: Progress) -> Option<u8> {
        let text = u8::try_from(now.plies).unwrap();
        gate.view(TableNo::new(1), now, TableTopic::Position, vec![text]);
        gate.view(TableNo::new(1), now, TableTopic::Clock, vec![text]);
        let passed = gate.pass(TableNo::new(1), now)?;
        assert_eq!(passed.views[&TableTopic::Position], passed.views[&TableTopic::Clock]);
        Some(passed.views[&TableTopic::Position][0])
    }

    #[test]
    fn a_move_passes_when_so_many_more_are_made_or_the_game_is_over() {
        let mut gate = holding(3);
        let shown: Vec<_> = (0..=6).map(|plies| tell(&mut gate, at(plies))).collect();
        assert_eq!(shown, [Some(0), None, None, None, Some(1), Some(2), Some(3)]);
        assert_eq!(tell(&mut gate, OVER), Some(9));
        assert_eq!(tell(&mut gate, at(0)), Some(0), "the next game");
    }

    #[test]
    fn without_moves_to_hold_everything_passes_at_once() {
        let mut gate = holding(0);
        let shown: Vec<_> = [1, 2, 1, 5].into_iter().map(|it| tell(&mut gate, at(it))).collect();
        assert_eq!(shown, [Some(1), Some(2), Some(1), Some(5)]);
    }

    #[test]
    fn moves_that_are_taken_back_show_nothing_sooner_and_nothing_older() {
        let mut gate = holding(2);
        assert_eq!((0..=6).filter_map(|it| tell(&mut gate, at(it))).last(), Some(4));
        assert_eq!(tell(&mut gate, at(5)), None);
        assert_eq!(tell(&mut gate, at(4)), None);
        assert_eq!(tell(&mut gate, at(5)), None);
        assert_eq!(tell(&mut gate, at(6)), Some(4), "another fourth move, perhaps");
        assert_eq!(tell(&mut gate, at(7)), Some(5));
    }

    #[test]
    fn what_waits_has_an_end_and_is_never_shown_sooner_for_it() {
        let mut gate = holding(5);
        for round in 0..1000 {
            assert_eq!(tell(&mut gate, at(4 + round % 2)), None);
        }
        assert!(gate.tables[&TableNo::new(1)].len() <= PICTURES_MAX);
        assert_eq!(tell(&mut gate, at(8)), None);
        assert_eq!(tell(&mut gate, at(9)), Some(4));
    }

    #[test]
    fn the_games_of_a_table_wait_with_its_views() {
        let mut gate = holding(1);
        let game = |number, text: &str| Played {
            table: TableNo::new(1),
            number: GameNo::new(number),
            text: text.to_owned(),
            ..Played::default()
        };
        gate.game(at(1), game(2, "e4"));
        assert!(gate.pass(TableNo::new(1), at(1)).is_none());
        gate.game(at(2), game(1, "before"));
        gate.game(at(2), game(2, "e4 e5"));
        let passed = gate.pass(TableNo::new(1), at(2)).unwrap();
        assert_eq!(passed.games.into_values().collect::<Vec<_>>(), [game(2, "e4")]);
        gate.forget(TableNo::new(1));
        assert!(gate.pass(TableNo::new(1), OVER).is_none());
    }
}
