//! The games as PGN, for the outlets. Like messages they wait until the entries behind them are
//! kept.

use std::collections::BTreeSet;
use std::sync::Arc;

use witness::{Table, TableNo};

use crate::config::Config;
use crate::outlets::games::{EventNow, News};
use crate::outlets::{Games, Played};
use crate::pgn::{self, Tags};
use crate::tags;
use crate::works::Works;
use crate::works::former::FormerGame;

/// Hands games to the outlets.
pub struct PlayedGames {
    games: Arc<Games>,
    held: News,
    /// Tables whose earlier games have changed.
    renewed: BTreeSet<TableNo>,
}

impl PlayedGames {
    pub fn new(games: Arc<Games>) -> Self {
        Self { games, held: News::default(), renewed: BTreeSet::new() }
    }

    /// Publishes the earlier games of a table again with the next step.
    pub fn renew(&mut self, table: TableNo) {
        self.renewed.insert(table);
    }

    /// Drops the games of a table that was removed.
    pub fn removed(&mut self, table: TableNo) {
        self.renewed.remove(&table);
        self.held.kept.push((table, Vec::new()));
    }

    /// Takes the event again, because the round may be another one.
    pub fn event(&mut self, works: &Works, config: &Config) {
        self.held.event = Some(EventNow {
            name: config.event.name.clone(),
            site: config.event.site.clone(),
            time_control: config.event.time_control.clone(),
            round: works.plan().round().to_owned(),
        });
    }

    /// Takes the present game at a table, with its PGN.
    pub fn now(&mut self, works: &Works, number: TableNo, table: &Table, tags: Tags, text: String) {
        let score = table.score();
        let game = Played {
            table: number,
            number: table.game_number(),
            round: works.round(number).to_owned(),
            players: tags.players,
            ending: score.ending(),
            plies: score.plies().len(),
            empty: score.plies().is_empty() && score.ending().is_none(),
            date: tags.date,
            text,
        };
        self.held.games.push(game);
    }

    /// Writes the earlier games that were marked with [`Self::renew`].
    pub fn draw(&mut self, works: &Works, config: &Config) {
        for table in std::mem::take(&mut self.renewed) {
            let now = works.hall().table(table).map(|it| it.game_number());
            let former = works.former(table).map(|it| it.number);
            self.held.kept.push((table, former.chain(now).collect()));
            for former in works.former(table) {
                let tags = tags::of_former(config, table, former);
                let text = pgn::text(&tags, &former.body);
                self.held.games.push(played(table, former, tags, text));
            }
        }
    }

    /// Hands the games that wait to the outlets.
    pub fn release(&mut self) {
        let news = self.take();
        self.games.hear(news);
    }

    /// Takes the changes for another publisher.
    pub fn take(&mut self) -> News {
        std::mem::take(&mut self.held)
    }
}

fn played(table: TableNo, former: &FormerGame, tags: Tags, text: String) -> Played {
    let body = &former.body;
    Played {
        table,
        number: former.number,
        round: former.round.clone(),
        players: tags.players,
        ending: body.ending,
        plies: body.plies,
        empty: body.is_empty(),
        date: tags.date,
        text,
    }
}
