//! The event as the configuration has it, for organizers only.

use std::collections::BTreeMap;

use serde::Serialize;
use witness::{TableNo, TimeControl};

use super::{Stamp, VERSION};
use crate::config::{Config, Event, Table};
use crate::languages::Text;
use crate::works::Works;

/// The keys of `[event]` that the setup page changes.
#[derive(Debug, Serialize)]
struct Keys {
    name: String,
    site: String,
    round: String,
    laws: &'static str,
    time_control: String,
    language: String,
    languages: Vec<String>,
    supervision: Option<&'static str>,
    default_time_s: Option<u64>,
    min_draw_move: Option<u32>,
    quickplay_finish: bool,
    result_after_min: u64,
    start: Option<String>,
    pairings: Option<String>,
}

/// The event, and what its time control means.
#[derive(Debug, Serialize)]
pub struct SetupEvent {
    v: u8,
    seq: u64,
    at: String,
    revision: Option<String>,
    event: Keys,
    time_control: Option<Text>,
    rounds: Vec<String>,
    own: Vec<TableNo>,
    settings: Settings,
    people: People,
}

/// The other keys that the setup page changes, by the names of `configure`.
#[derive(Debug, Serialize)]
struct Settings {
    #[serde(rename = "web.screens.clocks")]
    clocks: bool,
    #[serde(rename = "web.screens.moves")]
    moves: bool,
    #[serde(rename = "web.screens.presses")]
    presses: bool,
    #[serde(rename = "web.screens.figurines")]
    figurines: bool,
    #[serde(rename = "web.screens.featured")]
    featured: String,
    #[serde(rename = "web.screens.page_s")]
    page_s: u64,
    #[serde(rename = "web.sections")]
    sections: BTreeMap<String, String>,
    #[serde(rename = "public.delay_s")]
    delay_s: Option<u64>,
    #[serde(rename = "public.delay_moves")]
    delay_moves: Option<usize>,
    #[serde(rename = "livechess.listen")]
    livechess: String,
    #[serde(rename = "pgn.directory")]
    pgn: String,
    #[serde(rename = "lichess.round")]
    lichess: String,
    #[serde(rename = "lichess.token_file")]
    lichess_token: String,
    #[serde(rename = "notify.url")]
    notify: String,
    #[serde(rename = "notify.names")]
    notify_names: bool,
    #[serde(rename = "notify.pages")]
    notify_pages: String,
}

/// Who has a password.
#[derive(Debug, Serialize)]
struct People {
    organizers: Vec<String>,
    arbiters: Vec<String>,
}

/// The payload of the event.
#[must_use]
pub fn setup_event(stamp: Stamp<'_>, works: &Works, config: &Config) -> SetupEvent {
    let control = config.event.time_control.parse::<TimeControl>().ok();
    let own = config.table.iter().filter(|it| has_own_rules(it)).map(|it| it.number);
    SetupEvent {
        v: VERSION,
        seq: stamp.seq,
        at: stamp.at(),
        revision: config.source.as_ref().map(|it| it.revision.clone()),
        event: Keys::of(&config.event),
        time_control: control.map(|it| works.texts().text(&it.words())),
        rounds: config.rounds.iter().map(|it| it.name.clone()).collect(),
        own: own.collect(),
        settings: Settings::of(config),
        people: People {
            organizers: config.web.organizers.keys().cloned().collect(),
            arbiters: config.web.arbiters.keys().cloned().collect(),
        },
    }
}

impl Settings {
    fn of(config: &Config) -> Self {
        let screens = &config.web.screens;
        Self {
            clocks: screens.clocks,
            moves: screens.moves,
            presses: screens.presses,
            figurines: screens.figurines,
            featured: screens.featured.clone(),
            page_s: screens.page_s,
            sections: config.web.sections.clone(),
            delay_s: config.public.map(|it| it.delay_s),
            delay_moves: config.public.map(|it| it.delay_moves),
            livechess: config.livechess.listen.clone(),
            pgn: config.pgn.directory.display().to_string(),
            lichess: config.lichess.round.clone(),
            lichess_token: config.lichess.token_file.display().to_string(),
            notify: config.notify.url.clone(),
            notify_names: config.notify.names,
            notify_pages: config.notify.pages.clone(),
        }
    }
}

impl Keys {
    fn of(event: &Event) -> Self {
        let pairings = event.pairings.as_ref().and_then(|it| it.file_name());
        Self {
            name: event.name.clone(),
            site: event.site.clone(),
            round: event.round.clone(),
            laws: event.laws.year(),
            time_control: event.time_control.clone(),
            language: event.language.clone(),
            languages: event.languages(),
            supervision: event.supervision.map(|it| it.name()),
            default_time_s: event.default_time_s,
            min_draw_move: event.min_draw_move,
            quickplay_finish: event.quickplay_finish,
            result_after_min: event.result_after_min,
            start: event.start.clone(),
            pairings: pairings.map(|it| it.to_string_lossy().into_owned()),
        }
    }
}

/// Whether other rules or another time control than those of the event hold at a table.
fn has_own_rules(table: &Table) -> bool {
    table.laws.is_some()
        || table.time_control.is_some()
        || table.supervision.is_some()
        || table.default_time_s.is_some()
        || table.min_draw_move.is_some()
        || table.quickplay_finish.is_some()
}
