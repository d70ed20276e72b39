//! Decides what is pushed next. The games of each round are split by table into calls of a hundred,
//! and a call is due when any of its games has changed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use eboard::Moment;

use super::answer::Refusal;
use crate::config::Lichess;
use crate::outlets::games::EventNow;
use crate::outlets::{Games, Played};

/// The number of games that Lichess takes in one call.
const GAMES_MAX: usize = 100;
/// How long until refused games are offered again although nothing has changed here. Somebody may
/// have mended the round on Lichess meanwhile.
const OFFERED_AGAIN: Duration = Duration::from_secs(60);

/// A round of Lichess, and the part of its games, counted from 0.
pub type Key = (String, usize);

/// One call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The round and part that it is for.
    pub key: Key,
    /// The games that it pushes.
    pub games: Vec<Arc<Played>>,
}

struct Answered {
    games: Vec<Arc<Played>>,
    refusals: Vec<Refusal>,
    at: Moment,
}

/// What Lichess knows, by its answers.
pub struct Plan {
    /// The most games in one call.
    most: usize,
    answered: BTreeMap<Key, Answered>,
    tried: BTreeMap<Key, Moment>,
}

impl Default for Plan {
    fn default() -> Self {
        Self { most: GAMES_MAX, answered: BTreeMap::new(), tried: BTreeMap::new() }
    }
}

impl Plan {
    /// Halves the games in a call, after the server found this one too long.
    pub fn halve(&mut self, call: &Call) {
        self.most = self.most.min(call.games.len()).div_ceil(2).max(1);
    }

    /// The next call: of those not tried since the pass began, the one that has waited longest.
    pub fn next(
        &mut self,
        lichess: &Lichess,
        games: &Games,
        pass: (Moment, Moment),
    ) -> Option<Call> {
        let (began, now) = pass;
        let calls = calls(lichess, self.most, &games.event(), &games.all());
        let is_there = |key: &Key| calls.iter().any(|call| call.key == *key);
        self.answered.retain(|key, _| is_there(key));
        self.tried.retain(|key, _| is_there(key));
        let tried = |call: &Call| self.tried.get(&call.key).copied();
        let open = |call: &Call| tried(call).is_none_or(|at| at < began) && self.is_due(call, now);
        let next = calls.iter().filter(|call| open(call)).min_by_key(|call| tried(call)).cloned();
        if let Some(call) = &next {
            self.tried.insert(call.key.clone(), now);
        }
        next
    }

    fn is_due(&self, call: &Call, now: Moment) -> bool {
        self.answered.get(&call.key).is_none_or(|it| {
            it.games != call.games || (!it.refusals.is_empty() && now.since(it.at) >= OFFERED_AGAIN)
        })
    }

    /// Notes the answer of Lichess to a call.
    pub fn answered(&mut self, call: Call, refusals: Vec<Refusal>, at: Moment) {
        self.answered.insert(call.key, Answered { games: call.games, refusals, at });
    }

    /// How many games Lichess has taken, and which ones it refuses.
    #[must_use]
    pub fn stand(&self) -> (usize, Vec<&Refusal>) {
        let games: usize = self.answered.values().map(|it| it.games.len()).sum();
        let refusals: Vec<_> = self.answered.values().flat_map(|it| &it.refusals).collect();
        (games.saturating_sub(refusals.len()), refusals)
    }

    /// How long until a call is due although nothing changes.
    #[must_use]
    pub fn due_again(&self, now: Moment) -> Option<Duration> {
        let refused = self.answered.values().filter(|it| !it.refusals.is_empty());
        refused.map(|it| (it.at + OFFERED_AGAIN).since(now)).min()
    }
}

/// All calls: the rounds of Lichess, and the games that belong there.
fn calls(lichess: &Lichess, most: usize, event: &EventNow, games: &[Arc<Played>]) -> Vec<Call> {
    let mut rounds = BTreeMap::<&str, Vec<Arc<Played>>>::new();
    for game in games.iter().filter(|it| !is_nothing(it)) {
        let there = match lichess.round.as_str() {
            "" => lichess.rounds.get(&game.round).map(String::as_str),
            round => (game.round == event.round).then_some(round),
        };
        if let Some(there) = there {
            rounds.entry(there).or_default().push(Arc::clone(game));
        }
    }
    let rounds = rounds.into_iter();
    let calls = rounds.flat_map(|(round, games)| {
        let parts = games.chunks(most).map(<[_]>::to_vec).enumerate();
        let of = round.to_owned();
        parts.map(move |(nth, games)| Call { key: (of.clone(), nth), games }).collect::<Vec<_>>()
    });
    calls.collect()
}

/// Whether nobody is named at a table and nothing has happened. Lichess knows a game by its names,
/// so the game would become another one there once names are known.
fn is_nothing(game: &Played) -> bool {
    let nobody = game.players.white.name.is_empty() && game.players.black.name.is_empty();
    game.empty && nobody && game.ending.is_none()
}

#[cfg(test)]
mod tests {
    use witness::{GameNo, TableNo};

    use super::*;

    fn at(seconds: u64) -> Moment {
        Moment::ZERO + Duration::from_secs(seconds)
    }

    fn game(table: u32, round: &str, text: &str) -> Played {
        let (round, text) = (round.to_owned(), text.to_owned());
        Played {
            table: TableNo::new(table),
            number: GameNo::new(1),
            round,
            text,
            ..Played::default()
        }
    }

    /// The rounds and tables of everything a pass at this moment has to say.
    fn pass(plan: &mut Plan, lichess: &Lichess, games: &Games, now: Moment) -> Vec<(Key, usize)> {
        let mut planned = Vec::new();
        while let Some(call) = plan.next(lichess, games, (now, now)) {
            planned.push((call.key.clone(), call.games.len()));
            plan.answered(call, Vec::new(), now);
        }
        planned
    }

    fn hall(tables: u32) -> Games {
        let games = Games::default();
        games.announce(EventNow { round: "3".into(), ..EventNow::default() });
        (1..=tables).for_each(|table| games.put(game(table, "3", "*")));
        games
    }

    fn one_round() -> Lichess {
        Lichess { round: "abcdefgh".into(), ..Lichess::default() }
    }

    fn key(nth: usize) -> Key {
        ("abcdefgh".into(), nth)
    }

    #[test]
    fn a_call_has_a_hundred_games_at_most_and_goes_out_when_one_of_them_changes() {
        let (games, lichess, mut plan) = (hall(230), one_round(), Plan::default());
        let all = [(key(0), 100), (key(1), 100), (key(2), 30)];
        assert_eq!(pass(&mut plan, &lichess, &games, at(1)), all);
        assert_eq!(pass(&mut plan, &lichess, &games, at(2)), []);
        games.put(game(150, "3", "1. e4 *"));
        assert_eq!(pass(&mut plan, &lichess, &games, at(3)), [(key(1), 100)]);
        let named = plan.stand();
        assert_eq!((named.0, named.1.len()), (230, 0));
    }

    #[test]
    fn calls_that_are_too_long_are_halved() {
        let (games, lichess, mut plan) = (hall(50), one_round(), Plan::default());
        let whole = plan.next(&lichess, &games, (at(1), at(1))).unwrap();
        plan.halve(&whole);
        assert_eq!(pass(&mut plan, &lichess, &games, at(2)), [(key(1), 25), (key(0), 25)]);
        for _ in 0..9 {
            games.put(game(1, "3", &format!("{:?}", plan.most)));
            let call = plan.next(&lichess, &games, (at(9), at(3))).unwrap();
            plan.halve(&call);
            plan.tried.clear();
        }
        assert_eq!(plan.most, 1);
    }

    #[test]
    fn whoever_has_failed_lets_others_go_first() {
        let (games, lichess, mut plan) = (hall(150), one_round(), Plan::default());
        let first = plan.next(&lichess, &games, (at(1), at(1))).unwrap();
        assert_eq!(first.key, key(0));
        let next = plan.next(&lichess, &games, (at(2), at(2))).unwrap();
        assert_eq!(next.key, key(1));
        assert_eq!(plan.next(&lichess, &games, (at(3), at(3))).unwrap().key, key(0));
    }

    #[test]
    fn rounds_that_are_named_get_their_own_games_also_late_ones() {
        let rounds = [("3", "abcdefgh"), ("4", "ijklmnop")];
        let rounds = rounds.map(|(here, there)| (here.to_owned(), there.to_owned())).into();
        let lichess = Lichess { rounds, ..Lichess::default() };
        let (games, mut plan) = (hall(2), Plan::default());
        games.announce(EventNow { round: "4".into(), ..EventNow::default() });
        games.put(Played { number: GameNo::new(2), ..game(1, "4", "*") });
        games.put(Played { number: GameNo::new(3), ..game(1, "5", "*") });
        let other = ("ijklmnop".to_owned(), 0);
        assert_eq!(pass(&mut plan, &lichess, &games, at(1)), [(key(0), 2), (other.clone(), 1)]);
        games.put(game(2, "3", "1/2-1/2"));
        assert_eq!(pass(&mut plan, &lichess, &games, at(2)), [(key(0), 2)]);
        // With one round for all, it is the one that is played now.
        let mut plan = Plan::default();
        assert_eq!(pass(&mut plan, &one_round(), &games, at(3)), [(key(0), 1)]);
    }

    #[test]
    fn what_was_refused_is_offered_again_after_a_minute() {
        let (games, lichess, mut plan) = (hall(2), one_round(), Plan::default());
        let call = plan.next(&lichess, &games, (at(1), at(1))).unwrap();
        let refusal = Refusal { table: Some(TableNo::new(2)), error: "x".into() };
        plan.answered(call, vec![refusal.clone()], at(1));
        assert_eq!(plan.stand(), (1, vec![&refusal]));
        assert_eq!(plan.next(&lichess, &games, (at(5), at(5))), None);
        assert_eq!(plan.due_again(at(11)), Some(Duration::from_secs(50)));
        assert_eq!(pass(&mut plan, &lichess, &games, at(61)), [(key(0), 2)]);
        assert_eq!(plan.due_again(at(62)), None);
    }

    #[test]
    fn a_table_of_nobody_with_nothing_on_it_is_no_game() {
        let (games, lichess, mut plan) = (hall(1), one_round(), Plan::default());
        let empty = |table| Played { empty: true, ..game(table, "3", "*") };
        games.put(empty(2));
        let mut named = empty(3);
        named.players.white.name = "Doe, Jane".into();
        games.put(named);
        assert_eq!(pass(&mut plan, &lichess, &games, at(1)), [(key(0), 2)]);
    }
}
