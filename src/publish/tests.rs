//! What guests are sent says nothing about alerts, whatever happens at the tables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use adoubed_broker::filter;
use eboard::Moment;
use futures_util::FutureExt;
use witness::{Effect, Facet, TableNo};

use super::Publisher;
use super::followed::Followed;
use crate::config::Config;
use crate::entry::Entry;
use crate::mqtt::payload::{self, EventInfo, Stamp};
use crate::mqtt::snapshot::{Message, Snapshot, Source};
use crate::mqtt::speaker::Speaker;
use crate::mqtt::topic::{Topic, guest_filters};
use crate::outlets::Games;
use crate::record::chronicle::{Chronicle, Replayed};
use crate::record::recording::{self, Recording, Wanted};
use crate::time::{Anchor, WallTime};
use crate::works::{Act, Works};
use crate::{pgn, tags};

const BASE: &str = "adoubed";

/// What a guest is sent, in order.
type Sent = Vec<(String, Vec<u8>)>;

/// All scripts of the Laws: every kind of alert, and its innocent twins.
fn recordings() -> Vec<(PathBuf, Recording)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/laws");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|it| it == "gestures")).collect();
    files.sort();
    let read = |path: PathBuf| {
        let mut all = recording::read_all(std::slice::from_ref(&path), &Wanted::default()).unwrap();
        (path, all.remove(0))
    };
    files.into_iter().map(read).collect()
}

/// All that strangers are told of a hall, in order: as messages, as PGN, and as an outlet reads it.
#[derive(PartialEq, Eq)]
struct Public {
    sent: Sent,
    games: Vec<Vec<String>>,
    outlet: Vec<Vec<(String, Vec<u8>)>>,
}

/// Plays a recording as the daemon would publish it, with alerts or as if there were none. Gives
/// what strangers are told, and the kinds of alerts that were raised.
fn published(recording: &Recording, alerts: bool) -> (Public, BTreeSet<&'static str>) {
    let (snapshot, games) = (Arc::new(Snapshot::default()), Arc::<Games>::default());
    let mut reader = snapshot.reader(crate::config::Feed::Live);
    let anchor = Anchor { moment: Moment::ZERO, wall: WallTime::from_micros(0) };
    let config = Config::default();
    let mut publisher = Publisher::new(
        (Arc::clone(&snapshot), Arc::clone(&games)),
        config.clone(),
        anchor,
        Speaker::alone("boot".to_owned()),
    );
    let (mut sent, mut raised) = (Sent::new(), BTreeSet::new());
    let (mut version, mut scores, mut outlet) = (games.version(), Vec::new(), Vec::new());
    let filters = guest_filters(BASE, true);
    Chronicle::new(config, true).play(recording, |replayed| {
        let Replayed::Act { works, act, .. } = replayed else { return };
        if let Act::Table(at, table, effect) = act {
            if let Effect::Raised(incident) = &effect {
                raised.insert(incident.kind.name());
            }
            let for_arbiters = matches!(
                effect,
                Effect::Raised(_) | Effect::Closed(..) | Effect::Changed(Facet::Ledger)
            );
            if alerts || !for_arbiters {
                publisher.effect(works, at, table, effect);
                publisher.draw(works);
                publisher.release();
            }
        }
        while let Some(Message::Ours(topic, payload)) = snapshot.take() {
            let topic = topic.under(BASE);
            if filters.iter().any(|filter| filter::matches(filter, &topic)) {
                sent.push((topic, payload));
            }
        }
        if games.version() != version {
            version = games.version();
            scores.push(games.all().iter().map(|it| it.text.clone()).collect());
        }
        // An outlet that has nothing to read is not even woken.
        if let Some(changes) = reader.changes().now_or_never() {
            let named = |(topic, payload): (Topic, _)| (topic.under(BASE), payload);
            outlet.push(changes.into_iter().map(named).collect());
        }
    });
    (Public { sent, games: scores, outlet }, raised)
}

/// The same hands and the same clocks, at tables that open no alert of any kind.
fn silenced(recording: &Recording) -> Recording {
    let mut silent = recording.clone();
    for (_, entry) in &mut silent.entries {
        if let Entry::Planned(plan) = entry {
            plan.watch.silent = true;
            plan.tables.iter_mut().for_each(|table| table.watch.silent = true);
        }
    }
    silent
}

/// Games in which something waits for an arbiter when they are over on the board: until he has
/// ruled there is no result (5.1.1, 5.2.1, 6.8, 7.5.1), or it is withdrawn later. That is all a
/// guest can see of it, and `SECURITY.md` says that he can.
const RULED_ON_FIRST: [&str; 20] = [
    "fivefold-mate_comes_later",
    "flag_fall-after_a_mate_that_is_not_ruled_on",
    "flag_fall-mate_a_minute_later",
    "flag_fall-mate_came_after",
    "flag_fall-mate_later_and_ruled_on",
    "flag_fall-the_kings_say_otherwise",
    "illegal_move-beside_the_king_again_after_it_was_put_right",
    "illegal_move-mate_after_a_second_one_that_was_played_on",
    "illegal_move-mate_from_the_illegal_position",
    "illegal_move-the_position_is_put_back_after_a_mate",
    "position_to_check-mate_shown_while_the_clock_stands",
    "pressed_without_move-the_opponent_plays_on_and_mates",
    "released_then_changed-a_stalemate_and_mate_later",
    "seventy_five-mate_comes_later",
    "touched_not_moved-mate_2014",
    "touched_not_moved-mate_2018",
    "touched_not_moved-mate_2023",
    "touched_not_moved-mate_and_the_knight_put_back_later",
    "touched_not_moved-mate_and_the_pieces_set_up",
    "touched_not_moved-stalemate_2014",
];

/// The results that are told, and when.
fn results(public: &Public) -> Vec<(String, String)> {
    let events = public.sent.iter().filter(|(topic, _)| topic.ends_with("/event"));
    let events = events.map(|(_, it)| serde_json::from_slice::<serde_json::Value>(it).unwrap());
    let results = events.filter(|it| it["type"] == "result");
    results.map(|it| (it["at"].to_string(), it["result"].to_string())).collect()
}

/// Every script twice more beside the daemon's own run: as if what is said of alerts were left out,
/// and at tables whose rules open none.
#[test]
fn guests_are_sent_the_same_with_alerts_and_without_any() {
    let (mut kinds, mut compared) = (BTreeSet::new(), 0);
    let mut ruled_on_first = Vec::new();
    for (path, recording) in recordings() {
        let (with, raised) = published(&recording, true);
        let (without, _) = published(&recording, false);
        assert!(with == without, "{}: guests could tell", path.display());
        let (silent, none) = published(&silenced(&recording), true);
        assert!(none.is_empty(), "{}: {none:?}", path.display());
        if with != silent {
            assert_ne!(results(&with), results(&silent), "{}: guests could tell", path.display());
            ruled_on_first.push(path.file_stem().unwrap().to_string_lossy().into_owned());
        }
        kinds.extend(raised);
        compared += with.games.len().min(with.outlet.len());
    }
    assert_eq!(ruled_on_first, RULED_ON_FIRST);
    assert!(compared > 1000, "games and outlets were told {compared} times");
    assert!(kinds.len() > 40, "only {} kinds of alerts were raised", kinds.len());
}

#[test]
fn nothing_is_published_that_says_what_was_said_before() {
    for (path, recording) in recordings() {
        let mut last: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for (topic, payload) in published(&recording, true).0.sent {
            let said = payload::without_stamp(&payload).to_vec();
            let before = last.insert(topic.clone(), said.clone());
            let event = topic.ends_with("/event");
            assert!(event || before != Some(said), "{}: {topic}", path.display());
        }
    }
}

/// Follows the score of one table, and holds what is written on against what is written anew.
#[derive(Default)]
struct WrittenOn {
    score: Followed,
    json: (u64, String),
    pgn: (u64, String),
    checked: usize,
}

impl WrittenOn {
    fn check(&mut self, works: &Works, number: TableNo, anchor: &Anchor) {
        let Some(table) = works.hall().table(number) else { return };
        self.score.follow(anchor, table.score());
        self.checked += 1;
        let stamp = Stamp { seq: 7, moment: works.now(), anchor, languages: works.texts() };
        let players = works.players(number).unwrap_or_default();
        let event = EventInfo::default();
        let who = (&players, &event);
        let moves = (&*self.score.start_fen, &self.score.json);
        let (payload, place) = payload::game_of(stamp, table, who, moves);
        let anew = payload::json(&payload::game(stamp, table, &players, &event));
        let (payload, anew) =
            (String::from_utf8(payload).unwrap(), String::from_utf8(anew).unwrap());
        assert_eq!(payload, anew);
        changes_with(&mut self.json, self.score.json.version(), &payload[place]);

        let config = Config::default();
        let tags = tags::of_game(&config, works, number, Some(table.score()), Some(anchor));
        let (text, place) = self.score.pgn.text(&tags, table.score());
        assert_eq!(text, pgn::write(&tags, table.score()));
        changes_with(&mut self.pgn, self.score.pgn.version(), &text[place]);
    }
}

/// Moves read differently exactly when they have another version.
fn changes_with(before: &mut (u64, String), version: u64, moves: &str) {
    assert_eq!(before.0 == version, before.1 == moves, "{}\n{moves}", before.1);
    *before = (version, moves.to_owned());
}

#[test]
fn a_score_that_is_written_on_reads_as_one_that_is_written_anew() {
    let mut checked = 0;
    for (_, recording) in recordings() {
        let mut tables: BTreeMap<TableNo, WrittenOn> = BTreeMap::new();
        let mut micros = 0;
        Chronicle::new(Config::default(), true).play(&recording, |replayed| {
            let Replayed::Act { works, act: Act::Table(_, table, effect), .. } = replayed else {
                return;
            };
            if !matches!(effect, Effect::Changed(Facet::Game)) {
                return;
            }
            // Now and then a computer's clock is put right, by less than anybody sees or by more.
            micros += i64::from(works.now().as_micros().is_multiple_of(5)) * 700;
            let anchor = Anchor { moment: Moment::ZERO, wall: WallTime::from_micros(micros) };
            tables.entry(table).or_default().check(works, table, &anchor);
        });
        checked += tables.values().map(|it| it.checked).sum::<usize>();
    }
    assert!(checked > 5000, "only {checked} scores were compared");
}
