//! What guests are sent says nothing about alerts, whatever happens at the tables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use adoubed_broker::filter;
use eboard::Moment;
use futures_util::FutureExt;
use witness::{Effect, Facet};

use super::Publisher;
use crate::chronicle::{Chronicle, Told};
use crate::config::Config;
use crate::mqtt::payload;
use crate::mqtt::snapshot::{Message, Snapshot, Source};
use crate::mqtt::topic::{Topic, guest_filters};
use crate::outlets::Games;
use crate::recording::{self, Recording, Wanted};
use crate::time::{Anchor, WallTime};
use crate::works::Act;

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
        "boot".to_owned(),
    );
    let (mut sent, mut raised) = (Sent::new(), BTreeSet::new());
    let (mut version, mut scores, mut outlet) = (games.version(), Vec::new(), Vec::new());
    let filters = guest_filters(BASE, true);
    Chronicle::new(config, true).play(recording, |told| {
        let Told::Act { works, act, .. } = told else { return };
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

#[test]
fn guests_are_sent_the_same_with_alerts_and_without_any() {
    let (mut kinds, mut told) = (BTreeSet::new(), 0);
    for (path, recording) in recordings() {
        let (with, raised) = published(&recording, true);
        let (without, _) = published(&recording, false);
        assert!(with == without, "{}: guests could tell", path.display());
        kinds.extend(raised);
        told += with.games.len().min(with.outlet.len());
    }
    assert!(told > 1000, "games and outlets were told {told} times");
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
