//! The games as PGN, for the outlets: held back, as everything that is published, until what they
//! follow from is kept.

use std::collections::BTreeSet;
use std::sync::Arc;

use witness::Table;

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
    /// Tables of which other games are known than before.
    renewed: BTreeSet<u32>,
}

impl PlayedGames {
    pub fn new(games: Arc<Games>) -> Self {
        Self { games, held: News::default(), renewed: BTreeSet::new() }
    }

    /// The games that a table had before are to be told again.
    pub fn renew(&mut self, table: u32) {
        self.renewed.insert(table);
    }

    /// A table is no more.
    pub fn removed(&mut self, table: u32) {
        self.renewed.remove(&table);
        self.held.kept.push((table, Vec::new()));
    }

    /// The round that is played now may be another one.
    pub fn event(&mut self, works: &Works, config: &Config) {
        self.held.event = Some(EventNow {
            name: config.event.name.clone(),
            site: config.event.site.clone(),
            time_control: config.event.time_control.clone(),
            round: works.plan().round().to_owned(),
        });
    }

    /// The game at a table is this one now, with this PGN.
    pub fn now(&mut self, works: &Works, number: u32, table: &Table, tags: Tags, text: String) {
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

    /// Makes whatever is to be told of former games.
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

    /// Lets everything go that was held back.
    pub fn release(&mut self) {
        let news = self.take();
        self.games.hear(news);
    }

    /// Takes the changes for another publisher.
    pub fn take(&mut self) -> News {
        std::mem::take(&mut self.held)
    }
}

fn played(table: u32, former: &FormerGame, tags: Tags, text: String) -> Played {
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
