//! Finds players who are named at two tables of one round, and tables that no pairing names.

use shakmaty::Color;
use witness::{Paired, TableNo};

use super::{Appointment, Rounds, pairing};
use crate::entry::{Plan, Standing};
use crate::pairings::{Player, Players};

impl Rounds {
    /// Whether a table has a pairing in its present round, or its players are named in another way.
    pub(super) fn pairing_at(&self, plan: &Plan, table: TableNo) -> Paired {
        let Some(Standing { now, .. }) = self.standing(table) else { return Paired::Unknown };
        let named = now.said.is_some() || plan.players.contains_key(&table);
        let round = plan.rounds.iter().find(|it| it.name == now.round);
        match round {
            _ if named => Paired::Named,
            Some(round) if round.at(table).is_some() => Paired::Named,
            Some(_) => Paired::LeftOut,
            None => Paired::Unknown,
        }
    }

    /// The players at a table in a round: as an arbiter, the pairings or the configuration say.
    pub(in crate::works) fn paired_in<'a>(
        &'a self,
        plan: &'a Plan,
        table: TableNo,
        round: &str,
    ) -> Option<&'a Players> {
        let planned = || plan.rounds.iter().find(|it| it.name == round)?.at(table);
        let planned = || planned().map(|it| &it.players);
        let said = self.said(table, round);
        said.or_else(planned).or_else(|| plan.players.get(&table))
    }

    /// The tables that the pairings of a round name.
    pub(in crate::works) fn paired_tables(
        &self,
        plan: &Plan,
        round: &str,
    ) -> impl Iterator<Item = TableNo> {
        let round = plan.rounds.iter().find(|it| it.name == round);
        round.into_iter().flat_map(|it| it.pairings.iter().map(|it| it.table))
    }

    /// The tables whose players in this round were named by arbiters, with these players.
    pub(in crate::works) fn named_by_arbiters(
        &self,
        round: &str,
    ) -> impl Iterator<Item = (TableNo, &Players)> {
        self.tables.keys().filter_map(move |table| Some((*table, self.said(*table, round)?)))
    }

    /// The player of a table who is named at another one in the same round, and that table. Only
    /// the later of the two tables reports it, or the earlier one if the later has no board.
    pub(super) fn elsewhere(&self, plan: &Plan, table: TableNo) -> Option<(Color, TableNo)> {
        let now = &self.standing(table)?.now;
        let own = self.named(now, plan, table)?;
        let tells = |other: TableNo| other < table || !self.tables.contains_key(&other);
        let others = self.others(plan, &now.round);
        let found = others.filter(|(other, _)| *other != table && tells(*other));
        let found = found.filter_map(|(other, players)| Some((side(own, players)?, other)));
        let (side, other) = found.min_by_key(|(_, other)| *other)?;
        Some((if now.reversed { side.other() } else { side }, other))
    }

    fn named<'a>(
        &self,
        game: &'a Appointment,
        plan: &'a Plan,
        table: TableNo,
    ) -> Option<&'a Players> {
        pairing(game, plan, table).map(|it| &it.players).or_else(|| plan.players.get(&table))
    }

    /// The players who are named at the tables of a round. Where a round has no name, only the
    /// configuration counts: what arbiters entered may belong to a game that is over.
    fn others<'a>(
        &'a self,
        plan: &'a Plan,
        round: &'a str,
    ) -> Box<dyn Iterator<Item = (TableNo, &'a Players)> + 'a> {
        let Some(paired) = plan.rounds.iter().find(|it| it.name == round) else {
            let unsaid = |table: &TableNo| self.said(*table, round).is_none();
            let named = plan.players.iter().filter(move |(table, _)| unsaid(table));
            return Box::new(named.map(|(table, players)| (*table, players)));
        };
        let planned = paired.pairings.iter().map(move |it| {
            let said = self.said(it.table, round);
            (it.table, said.unwrap_or(&it.players))
        });
        let named = self.tables.keys().filter_map(move |table| {
            let said = self.said(*table, round);
            Some((*table, said.or_else(|| plan.players.get(table))?))
        });
        Box::new(planned.chain(named.filter(|(table, _)| paired.at(*table).is_none())))
    }

    /// The players of a table in this round, if an arbiter named them.
    fn said(&self, table: TableNo, round: &str) -> Option<&Players> {
        let standing = self.standing(table)?;
        let mut games = std::iter::once(&standing.now).chain(&standing.next);
        let game = games.find(|it| it.round == round)?;
        game.said.as_ref().map(|it| &it.players)
    }
}

/// The player of the two who is also among the others. Two boards for one game have the same two
/// players, so they do not count.
fn side(own: &Players, others: &Players) -> Option<Color> {
    let there =
        |it: &Player| is_surely_same(it, &others.white) || is_surely_same(it, &others.black);
    match (there(&own.white), there(&own.black)) {
        (true, false) => Some(Color::White),
        (false, true) => Some(Color::Black),
        _ => None,
    }
}

/// Whether both name the same two players, with the same colours.
#[must_use]
pub fn are_same(one: &Players, other: &Players) -> bool {
    one == other
        || is_surely_same(&one.white, &other.white) && is_surely_same(&one.black, &other.black)
}

/// The name of the one who is surely at both tables. Two boards for one game have the same two
/// players, so they do not count.
#[must_use]
pub fn shared<'a>(own: &'a Players, others: &Players) -> Option<&'a str> {
    side(own, others).map(|side| match side {
        Color::White => own.white.name.as_str(),
        Color::Black => own.black.name.as_str(),
    })
}

/// Whether both entries surely mean one person. In a team match the names may be those of clubs,
/// and namesakes differ in rating or federation.
fn is_surely_same(one: &Player, other: &Player) -> bool {
    if let (Some(one), Some(other)) = (one.fide_id, other.fide_id) {
        return one == other;
    }
    let full = one
        .name
        .split_once(',')
        .is_some_and(|(surname, first)| !surname.trim().is_empty() && !first.trim().is_empty());
    full && one.name.trim() == other.name.trim()
        && !differ(one.rating, other.rating)
        && !differ(one.federation.as_ref(), other.federation.as_ref())
}

/// Whether both values are known and differ.
fn differ<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::pairings::{Pairing, Round};

    fn player(name: &str, fide_id: u32) -> Player {
        let fide_id = (fide_id > 0).then_some(fide_id);
        Player { name: name.to_owned(), fide_id, ..Player::default() }
    }

    fn at(table: u32, white: Player, black: Player) -> Pairing {
        Pairing {
            table: TableNo::new(table),
            players: Players { white, black },
            ..Pairing::default()
        }
    }

    /// The reports about players at two tables, in a hall with the tables 1 to 3.
    fn found_twice(pairings: Vec<Pairing>) -> Vec<(u32, Color, u32)> {
        let round = Round { name: "4".to_owned(), pairings };
        let plan = Plan { rounds: vec![round], round: "4".to_owned(), ..Plan::default() };
        let mut rounds = Rounds::default();
        (1..=3).for_each(|table| rounds.opened(&plan, TableNo::new(table)));
        let reported = |table| Some((table, rounds.elsewhere(&plan, TableNo::new(table))?));
        (1..=3)
            .filter_map(reported)
            .map(|(table, (side, other))| (table, side, other.get()))
            .collect()
    }

    #[test]
    fn a_player_at_two_tables_is_told_at_the_later_one() {
        let (ann, bob) = (|| player("Doe, Ann", 0), || player("Roe, Bob", 0));
        let others = || (player("Poe, Cy", 0), player("Loe, Di", 0));
        let (cy, di) = others();
        let twice = vec![at(1, ann(), bob()), at(3, cy, ann())];
        assert_eq!(found_twice(twice), [(3, Color::Black, 1)]);
        let (cy, di2) = (player("Poe, Cy", 0), di);
        let boardless = vec![at(2, ann(), bob()), at(57, cy, ann()), at(3, di2, player("X, Y", 0))];
        assert_eq!(found_twice(boardless), [(2, Color::White, 57)], "table 57 has no board");
    }

    #[test]
    fn numbers_tell_namesakes_apart_and_other_spellings_together() {
        let twice = vec![
            at(1, player("Doe, Ann", 11), player("Roe, Bob", 12)),
            at(2, player("Doe, Ann", 13), player("Poe, Cy", 14)),
            at(3, player("Loe, Di", 15), player("DOE Ann Mary", 11)),
        ];
        assert_eq!(found_twice(twice), [(3, Color::Black, 1)]);
    }

    #[test]
    fn clubs_two_boards_for_one_game_and_empty_names_are_nobody_twice() {
        let clubs = (1..=3).map(|it| at(it, player("Paris A", 0), player("Lyon B", 0)));
        assert_eq!(found_twice(clubs.collect()), []);
        let two = [1, 2].map(|it| at(it, player("Doe, Ann", 0), player("Roe, Bob", 0)));
        assert_eq!(found_twice(two.to_vec()), []);
        let nobody = (1..=3).map(|it| at(it, player("", 0), player("", 0)));
        assert_eq!(found_twice(nobody.collect()), []);
    }

    #[test]
    fn what_was_said_of_a_game_without_a_round_is_of_no_other_game() {
        let named = |it: u32| {
            (TableNo::new(it), at(it, player("Doe, Ann", 0), player("Roe, Bob", it)).players)
        };
        let plan = Plan { players: BTreeMap::from([named(1), named(2)]), ..Plan::default() };
        let mut rounds = Rounds::default();
        [1, 2].into_iter().for_each(|table| rounds.opened(&plan, TableNo::new(table)));
        assert_eq!(rounds.elsewhere(&plan, TableNo::new(2)), Some((Color::White, TableNo::new(1))));
        let said = at(1, player("Poe, Cy", 0), player("Loe, Di", 0));
        rounds.tables.get_mut(&TableNo::new(1)).unwrap().now.said = Some(said);
        assert_eq!(rounds.elsewhere(&plan, TableNo::new(2)), None);
    }
}
