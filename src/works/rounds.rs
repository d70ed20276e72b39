//! The round of each table, its players and its start. They follow from the plan, from the games
//! that were played, and from what arbiters said.

mod twice;

pub use twice::{are_same, shared};

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::Moment;
use witness::{GameNo, TableNo};

use crate::entry::{Appointment, Plan, Standing, Start};
use crate::pairings::{Pairing, Players};

/// A time of day that is off by more than this was corrected. Smaller steps are the delay between
/// reading the clock and recording it.
const PUT_RIGHT_US: u64 = 1_000_000;

/// Former games of a table whose players are remembered. Alerts of older games are seldom still
/// open.
const FORMER_MAX: usize = 16;

/// How far a game is. It decides which game an arbiter's words are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// No move was made yet.
    Before,
    /// Moves were made.
    During,
    /// The game has a result. What arbiters say now is about the next game.
    Over,
    /// The game has a result without any move. The round may not have started yet.
    Forfeit,
}

impl Stage {
    /// How far the game of a table is.
    #[must_use]
    pub fn of(table: &witness::Table) -> Self {
        match (table.score().ending(), table.score().plies()) {
            (Some(_), []) => Self::Forfeit,
            (Some(_), _) => Self::Over,
            (None, []) => Self::Before,
            (None, _) => Self::During,
        }
    }

    /// Whether the game has a result.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Over | Self::Forfeit)
    }
}

/// The rounds of all tables.
#[derive(Debug, Default, Encode, Decode)]
pub struct Rounds {
    tables: BTreeMap<TableNo, Standing>,
    /// A moment and its time of day, in microseconds since 1970.
    wall: Option<(Moment, i64)>,
    /// The former games of each table, the latest last.
    former: BTreeMap<TableNo, VecDeque<Former>>,
    /// Rounds under way that are the current round of a table. So there is at most one for each
    /// table.
    under_way: BTreeSet<String>,
}

/// The players of a former game. Setting a position begins a game with a new number, so one entry
/// may have several numbers.
#[derive(Clone, Debug, Encode, Decode)]
struct Former {
    /// The first of these numbers.
    first: GameNo,
    last: GameNo,
    round: String,
    players: Option<Players>,
}

impl Rounds {
    /// The standings of all tables, for the plan of a new record.
    #[must_use]
    pub fn standings(&self) -> BTreeMap<TableNo, Standing> {
        self.tables.clone()
    }

    /// Takes up the standings with which a record begins.
    pub fn remember(&mut self, standings: &BTreeMap<TableNo, Standing>) {
        for (table, standing) in standings {
            self.tables.entry(*table).or_insert_with(|| standing.clone());
        }
    }

    /// Takes up the time of day of a moment.
    pub fn anchored(&mut self, now: Moment, wall: i64) {
        let counted = self.wall.map(|(moment, then)| {
            then + i64::try_from(now.since(moment).as_micros()).unwrap_or(i64::MAX)
        });
        if counted.is_none_or(|counted| counted.abs_diff(wall) > PUT_RIGHT_US) {
            self.wall = Some((now, wall));
        }
    }

    /// Opens a table. It begins at the round of the plan, unless a standing is known.
    pub fn opened(&mut self, plan: &Plan, table: TableNo) {
        let first = || Standing { now: Appointment::of(plan.round()), next: None };
        self.tables.entry(table).or_insert_with(first);
    }

    /// Takes up a new plan. A game in play keeps its round and its players. Players who are renamed
    /// after a result belong to the next game.
    pub fn planned(&mut self, old: &Plan, new: &Plan, stage: impl Fn(TableNo) -> Stage) {
        let another = old.round() != new.round();
        for (table, standing) in &mut self.tables {
            let (stage, now) = (stage(*table), &mut standing.now);
            if stage.is_over() && old.players.get(table) != new.players.get(table) {
                now.said = now.said.take().or_else(|| seated(now, old, *table));
            }
            if another && (stage.is_over() || stage == Stage::During && !now.round.is_empty()) {
                standing.next.get_or_insert_default().move_to(new.round());
            } else if another {
                now.move_to(new.round());
            }
            if old.start != new.start && stage == Stage::Before && now.start == Start::Unknown {
                now.start = Start::Planned;
            }
        }
    }

    /// Moves a table to its next round. `before` is the number of the game that ended.
    pub fn next_round(&mut self, plan: &Plan, table: TableNo, before: GameNo) {
        self.have_played(plan, table, before);
        if let Some(standing) = self.tables.get_mut(&table) {
            standing.now = upcoming(standing, plan);
            standing.next = None;
        }
    }

    /// Begins a game at a table. If the same game begins anew, its colours are corrected. `before`
    /// is the number of the game that ended.
    pub fn new_game(&mut self, plan: &Plan, table: TableNo, before: GameNo) {
        self.have_played(plan, table, before);
        if let Some(standing) = self.tables.get_mut(&table) {
            standing.now.reversed = false;
        }
    }

    fn have_played(&mut self, plan: &Plan, table: TableNo, game: GameNo) {
        let players = self.players(plan, table);
        let round = self.standing(table).map(|it| it.now.round.clone()).unwrap_or_default();
        let former = self.former.entry(table).or_default();
        // The game of number 0 is one that had a result before any board was seen at the table.
        let first = former.back().map_or(game.min(GameNo::new(1)), |it| it.last.next());
        if first <= game {
            former.push_back(Former { first, last: game, round, players });
        }
        while former.len() > FORMER_MAX {
            former.pop_front();
        }
    }

    /// The players of an earlier game at a table, if they were named and the game is still
    /// remembered.
    #[must_use]
    pub fn former_players(&self, table: TableNo, game: GameNo) -> Option<Players> {
        self.former(table, game)?.players.clone()
    }

    /// The round of an earlier game at a table, if the game is still remembered.
    #[must_use]
    pub fn former_round(&self, table: TableNo, game: GameNo) -> Option<&str> {
        self.former(table, game).map(|it| it.round.as_str())
    }

    fn former(&self, table: TableNo, game: GameNo) -> Option<&Former> {
        self.former.get(&table)?.iter().find(|it| (it.first..=it.last).contains(&game))
    }

    /// The standing of a table.
    #[must_use]
    pub fn standing(&self, table: TableNo) -> Option<&Standing> {
        self.tables.get(&table)
    }

    /// The game that an arbiter's words are about, and whether it is the next one.
    pub fn to_come(&mut self, plan: &Plan, table: TableNo, stage: Stage) -> &mut Appointment {
        self.opened(plan, table);
        let standing = self.tables.entry(table).or_default();
        if !stage.is_over() {
            return &mut standing.now;
        }
        let upcoming = upcoming(standing, plan);
        standing.next.get_or_insert(upcoming)
    }

    /// Starts a round at a table: the named one, or else the current one. If a game of another
    /// round is in play, the started round will be the next one.
    pub fn start(
        &mut self,
        plan: &Plan,
        table: TableNo,
        stage: Stage,
        round: Option<&str>,
        at: Moment,
    ) {
        let playing = self.standing(table).is_some_and(|it| Some(it.now.round.as_str()) != round);
        let stage = match stage {
            Stage::During if playing && round.is_some() => Stage::Over,
            // A forfeit that was entered before its round starts.
            Stage::Forfeit if !playing || round.is_none() && !self.has_started(table) => {
                Stage::Before
            }
            stage => stage,
        };
        let appointment = self.to_come(plan, table, stage);
        if let Some(round) = round {
            appointment.move_to(round);
        }
        appointment.start = Start::At(at.as_micros());
    }

    fn has_started(&self, table: TableNo) -> bool {
        self.standing(table).is_some_and(|it| matches!(it.now.start, Start::At(_)))
    }

    /// The players at a table, if the plan or an arbiter names them.
    #[must_use]
    pub fn players(&self, plan: &Plan, table: TableNo) -> Option<Players> {
        let now = &self.standing(table)?.now;
        let paired = pairing(now, plan, table).map(|it| &it.players);
        let players = paired.or_else(|| plan.players.get(&table))?.clone();
        Some(if now.reversed { players.reversed() } else { players })
    }

    /// What the witness must know about the round of a table.
    #[must_use]
    pub fn announcement(&self, plan: &Plan, table: TableNo) -> witness::Round {
        let Some(standing) = self.standing(table) else { return witness::Round::default() };
        // A start that no game can have was refused when it was entered.
        let array = |it: &Appointment| pairing(it, plan, table)?.array().ok().flatten();
        let next = standing.next.as_ref();
        let begun = |it: &Appointment| self.under_way.contains(&it.round);
        let after = upcoming(standing, plan);
        witness::Round {
            start: self.starts(&standing.now, plan),
            array: array(&standing.now),
            next_array: array(&after),
            paired: self.pairing_at(plan, table),
            elsewhere: self.elsewhere(plan, table),
            begun: begun(&standing.now),
            next_begun: begun(&after) && pairing(&after, plan, table).is_some(),
            counterparts: Vec::new(),
            next: match next {
                Some(next) => witness::NextRound::Said(self.starts(next, plan)),
                None => witness::NextRound::Unsaid,
            },
        }
    }

    /// Whether this round is under way.
    #[must_use]
    pub fn is_under_way(&self, round: &str) -> bool {
        self.under_way.contains(round)
    }

    /// Notes that this round is under way.
    pub fn begin(&mut self, round: &str) {
        let played: BTreeSet<_> = self.tables.values().map(|it| it.now.round.as_str()).collect();
        self.under_way.retain(|it| played.contains(it.as_str()));
        self.under_way.insert(round.to_owned());
    }

    /// The name of the round after the current one of a table.
    #[must_use]
    pub fn next_round_of(&self, plan: &Plan, table: TableNo) -> String {
        self.standing(table).map(|it| upcoming(it, plan).round).unwrap_or_default()
    }

    fn starts(&self, game: &Appointment, plan: &Plan) -> Option<Moment> {
        match game.start {
            Start::At(micros) => Some(Moment::from_micros(micros)),
            Start::Planned if game.round == plan.round() => {
                let ((moment, wall), start) = (self.wall?, plan.start?);
                let ahead = Duration::from_micros(u64::try_from(start - wall).unwrap_or(0));
                let passed = u64::try_from(wall - start).unwrap_or(0);
                let micros = (moment + ahead).as_micros().saturating_sub(passed);
                Some(Moment::from_micros(micros))
            }
            Start::Planned | Start::Unknown => None,
        }
    }
}

/// The next game of a table: as an arbiter said, or else that of the next round in the plan.
fn upcoming(standing: &Standing, plan: &Plan) -> Appointment {
    let planned = || Appointment {
        start: Start::Unknown,
        ..Appointment::of(plan.round_after(&standing.now.round))
    };
    standing.next.clone().unwrap_or_else(planned)
}

/// The game of the players whom the plan seats at a table, if no round is paired.
fn seated(game: &Appointment, plan: &Plan, table: TableNo) -> Option<Pairing> {
    let players = plan.players.get(&table).filter(|_| pairing(game, plan, table).is_none())?;
    Some(Pairing { table, players: players.clone(), ..Pairing::default() })
}

fn pairing<'a>(game: &'a Appointment, plan: &'a Plan, table: TableNo) -> Option<&'a Pairing> {
    let planned = || plan.rounds.iter().find(|it| it.name == game.round)?.at(table);
    game.said.as_ref().or_else(planned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairings::Player;

    const TABLE: TableNo = TableNo::new(7);

    #[test]
    fn of_games_long_ago_nobody_is_named() {
        let white = |game: u32| Player { name: game.to_string(), ..Player::default() };
        let plan = |game| {
            let players = Players { white: white(game), ..Players::default() };
            Plan { players: BTreeMap::from([(TABLE, players)]), ..Plan::default() }
        };
        let mut rounds = Rounds::default();
        rounds.opened(&plan(1), TABLE);
        // An arbiter set positions, so game 4 went on under the numbers 5 and 6.
        for game in [1, 2, 3, 6, 7].into_iter().chain(8..30) {
            rounds.new_game(&plan(game), TABLE, GameNo::new(game));
        }
        let name = |game| rounds.former_players(TABLE, GameNo::new(game)).map(|it| it.white.name);
        assert_eq!([name(1), name(5), name(13)], [None, None, None]);
        assert_eq!([name(14), name(29)].map(Option::unwrap), ["14", "29"]);
        assert_eq!(name(30), None, "that is played now");
        let mut few = Rounds::default();
        few.opened(&plan(1), TABLE);
        [3, 6].into_iter().for_each(|game| few.new_game(&plan(game), TABLE, GameNo::new(game)));
        let name = |game| few.former_players(TABLE, GameNo::new(game)).map(|it| it.white.name);
        assert_eq!([name(1), name(3), name(4), name(6)].map(Option::unwrap), ["3", "3", "6", "6"]);
    }
}
