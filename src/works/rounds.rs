//! Which round each table is at, who plays there and when it starts: by the plan, by the games that
//! were played, and by what arbiters have said.

mod twice;

pub use twice::{are_same, shared};

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::Moment;

use crate::entry::{Appointment, Plan, Standing, Start};
use crate::pairings::{Pairing, Players};

/// A time of day that is off by more was put right; less is what machines take to say it.
const PUT_RIGHT_US: u64 = 1_000_000;

/// Games of a table whose players are known after it; alerts of older ones are seldom open still.
const FORMER_MAX: usize = 16;

/// How far the game of a table is, as far as it matters who may still change what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// No move was made.
    Before,
    /// Moves were made.
    During,
    /// There is a result: what is said now is said of the next game.
    Over,
    /// The same, and nothing was played: the round may not have started yet.
    Forfeit,
}

impl Stage {
    /// How far the game of this table is.
    #[must_use]
    pub fn of(table: &witness::Table) -> Self {
        match (table.score().ending(), table.score().plies()) {
            (Some(_), []) => Self::Forfeit,
            (Some(_), _) => Self::Over,
            (None, []) => Self::Before,
            (None, _) => Self::During,
        }
    }

    /// Whether there is a result.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Over | Self::Forfeit)
    }
}

/// The rounds of all tables.
#[derive(Debug, Default, Encode, Decode)]
pub struct Rounds {
    tables: BTreeMap<u32, Standing>,
    /// A moment and its time of day.
    wall: Option<(Moment, i64)>,
    /// The latest last.
    former: BTreeMap<u32, VecDeque<Former>>,
    /// The rounds that are under way, of those that some table is at: one name for each at most.
    under_way: BTreeSet<String>,
}

/// What a table had before: games that are one and the same, because arbiters have set positions.
#[derive(Clone, Debug, Encode, Decode)]
struct Former {
    /// The numbers of these games.
    first: u32,
    last: u32,
    round: String,
    players: Option<Players>,
}

impl Rounds {
    /// What has been said and played so far, for a plan that a new record begins with.
    #[must_use]
    pub fn standings(&self) -> BTreeMap<u32, Standing> {
        self.tables.clone()
    }

    /// What was known before this record began.
    pub fn remember(&mut self, standings: &BTreeMap<u32, Standing>) {
        for (table, standing) in standings {
            self.tables.entry(*table).or_insert_with(|| standing.clone());
        }
    }

    /// This moment was this time of day.
    pub fn anchored(&mut self, now: Moment, wall: i64) {
        let told = self.wall.map(|(moment, then)| {
            then + i64::try_from(now.since(moment).as_micros()).unwrap_or(i64::MAX)
        });
        if told.is_none_or(|told| told.abs_diff(wall) > PUT_RIGHT_US) {
            self.wall = Some((now, wall));
        }
    }

    /// A table is set up: it is at the round of the plan unless more is known.
    pub fn opened(&mut self, plan: &Plan, table: u32) {
        let first = || Standing { now: Appointment::of(plan.round()), next: None };
        self.tables.entry(table).or_insert_with(first);
    }

    /// The plan is another one now. A game in play stays what it is, and players who have got other
    /// names after a result are those of the next game.
    pub fn planned(&mut self, old: &Plan, new: &Plan, stage: impl Fn(u32) -> Stage) {
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

    /// A game begins at a table, and it is one of the next round; the one before had this number.
    pub fn next_round(&mut self, plan: &Plan, table: u32, before: u32) {
        self.have_played(plan, table, before);
        if let Some(standing) = self.tables.get_mut(&table) {
            standing.now = upcoming(standing, plan);
            standing.next = None;
        }
    }

    /// A game begins at a table: if it is the same one anew, then with the right colours. The one
    /// before had this number.
    pub fn new_game(&mut self, plan: &Plan, table: u32, before: u32) {
        self.have_played(plan, table, before);
        if let Some(standing) = self.tables.get_mut(&table) {
            standing.now.reversed = false;
        }
    }

    fn have_played(&mut self, plan: &Plan, table: u32, game: u32) {
        let players = self.players(plan, table);
        let round = self.standing(table).map(|it| it.now.round.clone()).unwrap_or_default();
        let former = self.former.entry(table).or_default();
        // The game of number 0 is one that had a result before any board was seen at the table.
        let first = former.back().map_or(game.min(1), |it| it.last + 1);
        if first <= game {
            former.push_back(Former { first, last: game, round, players });
        }
        while former.len() > FORMER_MAX {
            former.pop_front();
        }
    }

    /// Who played an earlier game at a table, where plan or arbiter said so and it is not long ago.
    #[must_use]
    pub fn former_players(&self, table: u32, game: u32) -> Option<Players> {
        self.former(table, game)?.players.clone()
    }

    /// Of which round an earlier game at a table was, if it is not long ago.
    #[must_use]
    pub fn former_round(&self, table: u32, game: u32) -> Option<&str> {
        self.former(table, game).map(|it| it.round.as_str())
    }

    fn former(&self, table: u32, game: u32) -> Option<&Former> {
        self.former.get(&table)?.iter().find(|it| (it.first..=it.last).contains(&game))
    }

    /// What is known of a table.
    #[must_use]
    pub fn standing(&self, table: u32) -> Option<&Standing> {
        self.tables.get(&table)
    }

    /// The game that can still be told something, and whether it is the next one.
    pub fn to_come(&mut self, plan: &Plan, table: u32, stage: Stage) -> &mut Appointment {
        self.opened(plan, table);
        let standing = self.tables.entry(table).or_default();
        if !stage.is_over() {
            return &mut standing.now;
        }
        let upcoming = upcoming(standing, plan);
        standing.next.get_or_insert(upcoming)
    }

    /// The round at a table starts now: the one that is named, or else the one it is at. While a
    /// game of another round is played there, the round will be the next one.
    pub fn start(
        &mut self,
        plan: &Plan,
        table: u32,
        stage: Stage,
        round: Option<&str>,
        at: Moment,
    ) {
        let playing = self.standing(table).is_some_and(|it| Some(it.now.round.as_str()) != round);
        let stage = match stage {
            Stage::During if playing && round.is_some() => Stage::Over,
            // A forfeit that was known before its round starts.
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

    fn has_started(&self, table: u32) -> bool {
        self.standing(table).is_some_and(|it| matches!(it.now.start, Start::At(_)))
    }

    /// Who plays at a table, where plan or arbiter say so.
    #[must_use]
    pub fn players(&self, plan: &Plan, table: u32) -> Option<Players> {
        let now = &self.standing(table)?.now;
        let paired = pairing(now, plan, table).map(|it| &it.players);
        let players = paired.or_else(|| plan.players.get(&table))?.clone();
        Some(if now.reversed { players.reversed() } else { players })
    }

    /// What the witness is told of the round at a table.
    #[must_use]
    pub fn announcement(&self, plan: &Plan, table: u32) -> witness::Round {
        let Some(standing) = self.standing(table) else { return witness::Round::default() };
        // What no game can begin with was refused where it was said.
        let array = |it: &Appointment| pairing(it, plan, table)?.array().ok().flatten();
        let next = standing.next.as_ref();
        let begun = |it: &Appointment| self.under_way.contains(&it.round);
        let after = upcoming(standing, plan);
        witness::Round {
            start: self.starts(&standing.now, plan),
            array: array(&standing.now),
            next_array: array(&after),
            paired: self.is_paired(plan, table),
            elsewhere: self.elsewhere(plan, table),
            begun: begun(&standing.now),
            next_begun: begun(&after) && pairing(&after, plan, table).is_some(),
            counterparts: Vec::new(),
            next: (next.is_some(), next.and_then(|it| self.starts(it, plan))),
        }
    }

    /// Whether most tables of this round play, or have played.
    #[must_use]
    pub fn is_under_way(&self, round: &str) -> bool {
        self.under_way.contains(round)
    }

    /// Most tables of this round play now.
    pub fn begin(&mut self, round: &str) {
        let played: BTreeSet<_> = self.tables.values().map(|it| it.now.round.as_str()).collect();
        self.under_way.retain(|it| played.contains(it.as_str()));
        self.under_way.insert(round.to_owned());
    }

    /// The name of the round after the one that a table is at.
    #[must_use]
    pub fn next_round_of(&self, plan: &Plan, table: u32) -> String {
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

/// The game after the one a table has: as said, or else that of the next round of the plan.
fn upcoming(standing: &Standing, plan: &Plan) -> Appointment {
    let planned = || Appointment {
        start: Start::Unknown,
        ..Appointment::of(plan.round_after(&standing.now.round))
    };
    standing.next.clone().unwrap_or_else(planned)
}

/// The game of those whom the plan names at this table, where no round does.
fn seated(game: &Appointment, plan: &Plan, table: u32) -> Option<Pairing> {
    let players = plan.players.get(&table).filter(|_| pairing(game, plan, table).is_none())?;
    Some(Pairing { table, players: players.clone(), ..Pairing::default() })
}

fn pairing<'a>(game: &'a Appointment, plan: &'a Plan, table: u32) -> Option<&'a Pairing> {
    let planned = || plan.rounds.iter().find(|it| it.name == game.round)?.at(table);
    game.said.as_ref().or_else(planned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairings::Player;

    #[test]
    fn of_games_long_ago_nobody_is_named() {
        let white = |game: u32| Player { name: game.to_string(), ..Player::default() };
        let plan = |game| {
            let players = Players { white: white(game), ..Players::default() };
            Plan { players: BTreeMap::from([(7, players)]), ..Plan::default() }
        };
        let mut rounds = Rounds::default();
        rounds.opened(&plan(1), 7);
        // Game 4 went on as 5 and 6 from positions that an arbiter set.
        for game in [1, 2, 3, 6, 7].into_iter().chain(8..30) {
            rounds.new_game(&plan(game), 7, game);
        }
        let name = |game| rounds.former_players(7, game).map(|it| it.white.name);
        assert_eq!([name(1), name(5), name(13)], [None, None, None]);
        assert_eq!([name(14), name(29)].map(Option::unwrap), ["14", "29"]);
        assert_eq!(name(30), None, "that is played now");
        let mut few = Rounds::default();
        few.opened(&plan(1), 7);
        [3, 6].into_iter().for_each(|game| few.new_game(&plan(game), 7, game));
        let name = |game| few.former_players(7, game).map(|it| it.white.name);
        assert_eq!([name(1), name(3), name(4), name(6)].map(Option::unwrap), ["3", "3", "6", "6"]);
    }
}
