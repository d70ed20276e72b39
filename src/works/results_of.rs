//! Results of games other than the current one: of earlier games, whose pieces were set up again,
//! and of the next one, which may never begin here. Each goes to its own game.

use std::cmp::Ordering;

use serde_json::{Value, json};
use witness::{GameNo, Kind, Message, Order, Refusal, Ruling, TableNo};

use super::{Act, Works};
use crate::requests::ResultOf;
use crate::say;

impl Works {
    /// Sets the result of a game of this table.
    pub(super) fn set_result_of(
        &mut self,
        table: TableNo,
        asked: ResultOf,
        by: &str,
        out: &mut Vec<Act>,
    ) -> Result<Value, Message> {
        let ResultOf { game, round, ending } = asked;
        let now = self.hall.table(table).ok_or_else(|| Refusal::NoSuchTable.text())?.game_number();
        let game = game.unwrap_or(now);
        if let Some(round) = round {
            let known = self.round_of(table, game.cmp(&now), game);
            if known.as_ref().is_some_and(|known| *known != round) {
                return Err(say::game_is_of_round(table, game, &known.unwrap_or_default()));
            }
        }
        match game.cmp(&now) {
            Ordering::Equal => return self.order(table, Order::SetResult(ending), out),
            Ordering::Greater => {
                let next = ending.filter(|_| game == now.next());
                let ending = next.ok_or_else(|| say::game_not_begun(table, game))?;
                return self.order(table, Order::SetNextResult(ending), out);
            }
            Ordering::Less => {}
        }
        if !self.former.end(table, game, ending) {
            return Err(say::game_not_kept(table, game));
        }
        out.push(Act::Ended(table, game, ending));
        self.close_missing(table, game, by, out);
        Ok(json!({"game": game}))
    }

    /// The round of a game. `stands` compares its number with that of the current game.
    fn round_of(&self, table: TableNo, stands: Ordering, game: GameNo) -> Option<String> {
        match stands {
            Ordering::Less => self.rounds.former_round(table, game).map(str::to_owned),
            Ordering::Equal => Some(self.round(table).to_owned()),
            Ordering::Greater => Some(self.rounds.next_round_of(&self.plan, table)),
        }
    }

    /// Closes the alert about the missing result of this game.
    fn close_missing(&mut self, table: TableNo, game: GameNo, by: &str, out: &mut Vec<Act>) {
        let missing = self.hall.table(table).and_then(|it| {
            let mut open = it.incidents();
            open.find(|it| it.kind == Kind::NoResult && it.id.game == game).map(|it| it.id)
        });
        let Some(incident) = missing else { return };
        let (ruling, by) = (Ruling::Noted, by.to_owned());
        let rule = Order::Rule { incident, ruling, by: by.clone() };
        let ruled = self.with_hall(out, |hall, now, effects| hall.order(now, table, rule, effects));
        if ruled.is_ok() {
            self.closings.ruled(table, incident, &by, ruling);
        }
    }
}
