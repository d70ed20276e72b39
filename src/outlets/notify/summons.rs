//! Which alerts wake an arbiter: summons, once each, unless an arbiter is on the way or they are
//! old.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use serde::Deserialize;
use witness::TableNo;

use crate::mqtt::payload::{AlertState, Gravity};
use crate::time::WallTime;

/// The age at which a summons wakes nobody. An arbiter who looks at his page sees it by then.
const OLD: Duration = Duration::from_secs(300);
/// The most summons that wait. Beyond them the oldest gives way.
const WAITING_MAX: usize = 32;

/// The part of an alert that is used here. Shape: docs/schema/v1/alert.json.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Summons {
    /// The id of the alert.
    pub id: String,
    /// The kind of the alert.
    pub kind: String,
    /// The Article of the Laws.
    pub article: String,
    /// The table.
    pub table: TableNo,
    gravity: Gravity,
    state: AlertState,
    opened_at: String,
    /// By the codes of the languages.
    text: BTreeMap<String, String>,
    players: Players,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Players {
    white: Player,
    black: Player,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Player {
    #[serde(default)]
    name: String,
}

impl Summons {
    /// What happened, in a sentence. It names the players if that is wanted and they are known.
    #[must_use]
    pub fn words(&self, language: &str, names: bool) -> String {
        let text = self.text.get(language).or_else(|| self.text.get("en"));
        let text = text.map_or("", String::as_str);
        let [white, black] = [&self.players.white.name, &self.players.black.name];
        match names && !(white.is_empty() && black.is_empty()) {
            true => format!("{text}\n{white} – {black}"),
            false => text.to_owned(),
        }
    }

    fn wants_somebody(&self) -> bool {
        self.gravity == Gravity::Summon && self.state == AlertState::Open
    }

    /// Whether it is too old to wake an arbiter.
    #[must_use]
    pub fn is_old(&self, now: WallTime) -> bool {
        let opened = WallTime::parse(&self.opened_at).map_or(0, WallTime::as_micros);
        let micros = now.as_micros().saturating_sub(opened);
        u64::try_from(micros).is_ok_and(|it| Duration::from_micros(it) > OLD)
    }
}

/// The summons that wait to be sent.
#[derive(Default)]
pub struct Waiting {
    queue: VecDeque<Summons>,
    /// The ids of open alerts that were sent or given up, or that wait.
    known: BTreeSet<String>,
    /// How many summons were given up.
    pub dropped: u64,
}

impl Waiting {
    /// Takes the payload of an alert from the feed; empty: the alert is gone.
    pub fn take(&mut self, id: &str, payload: &[u8], now: WallTime) {
        let read = || serde_json::from_slice::<Summons>(payload).ok();
        if payload.is_empty() {
            self.known.remove(id);
        }
        match read().filter(Summons::wants_somebody) {
            Some(summons) => {
                if self.known.insert(id.to_owned()) && !summons.is_old(now) {
                    self.queue.push_back(summons);
                }
                if self.queue.len() > WAITING_MAX {
                    self.queue.pop_front();
                    self.dropped += 1;
                }
            }
            None => self.queue.retain(|it| it.id != id),
        }
    }

    /// The next summons that is not too old. It waits until [`Waiting::done`] removes it.
    pub fn next(&mut self, now: WallTime) -> Option<Summons> {
        while self.queue.pop_front_if(|it| it.is_old(now)).is_some() {
            self.dropped += 1;
        }
        self.queue.front().cloned()
    }

    /// Removes a summons, which was `sent` or given up.
    pub fn done(&mut self, id: &str, sent: bool) {
        let before = self.queue.len();
        self.queue.retain(|it| it.id != id);
        if !sent && self.queue.len() < before {
            self.dropped += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn now() -> WallTime {
        WallTime::parse("2026-11-20T14:00:00Z").unwrap()
    }

    fn alert(id: &str, gravity: &str, state: &str, opened_at: &str) -> Vec<u8> {
        let alert = json!({
            "id": id, "kind": "illegal_move", "article": "7.5.1", "table": 7, "seq": 3,
            "gravity": gravity, "state": state, "opened_at": opened_at,
            "text": {"en": "Illegal move.", "fr": "Coup illégal."},
            "players": {"white": {"name": "Doe, Jane"}, "black": {"name": "Roe, Max"}},
        });
        alert.to_string().into_bytes()
    }

    fn ids(waiting: &mut Waiting) -> Vec<String> {
        let next = || {
            let summons = waiting.next(now())?;
            waiting.done(&summons.id, true);
            Some(summons.id)
        };
        std::iter::from_fn(next).collect()
    }

    const NOW: &str = "2026-11-20T13:59:58Z";

    #[test]
    fn only_summons_that_nobody_has_taken_are_sent_and_only_once() {
        let mut waiting = Waiting::default();
        let take = |waiting: &mut Waiting, id: &str, gravity: &str, state: &str| {
            waiting.take(id, &alert(id, gravity, state, NOW), now());
        };
        for (id, gravity, state) in [
            ("1-1-1", "note", "open"),
            ("1-1-2", "look", "open"),
            ("1-1-3", "summon", "acknowledged"),
            ("1-1-4", "summon", "lapsed"),
            ("1-1-5", "summon", "open"),
            ("1-1-5", "summon", "open"),
        ] {
            take(&mut waiting, id, gravity, state);
        }
        assert_eq!(ids(&mut waiting), ["1-1-5"]);
        // The first is published again, as after a restart of the broker; a look becomes a summons.
        take(&mut waiting, "1-1-5", "summon", "open");
        take(&mut waiting, "1-1-2", "summon", "open");
        assert_eq!(ids(&mut waiting), ["1-1-2"]);
    }

    #[test]
    fn what_is_over_or_taken_before_it_was_sent_wakes_nobody() {
        let mut waiting = Waiting::default();
        for id in ["1-1-1", "1-1-2", "1-1-3"] {
            waiting.take(id, &alert(id, "summon", "open", NOW), now());
        }
        waiting.take("1-1-1", b"", now());
        waiting.take("1-1-2", &alert("1-1-2", "summon", "acknowledged", NOW), now());
        assert_eq!(ids(&mut waiting), ["1-1-3"]);
        assert_eq!(waiting.dropped, 0);
    }

    #[test]
    fn old_ones_are_dropped_when_they_come_and_while_they_wait() {
        let mut waiting = Waiting::default();
        let old = alert("1-1-1", "summon", "open", "2026-11-20T13:50:00Z");
        waiting.take("1-1-1", &old, now());
        waiting.take("1-1-2", &alert("1-1-2", "summon", "open", NOW), now());
        let later = WallTime::parse("2026-11-20T14:06:00Z").unwrap();
        assert_eq!(waiting.next(later), None);
        assert_eq!(waiting.dropped, 1);
    }

    #[test]
    fn the_oldest_gives_way_where_too_many_wait() {
        let mut waiting = Waiting::default();
        for number in 1..=40 {
            let id = format!("{number}-1-1");
            waiting.take(&id, &alert(&id, "summon", "open", NOW), now());
        }
        let ids = ids(&mut waiting);
        assert_eq!((ids.len(), ids[0].as_str(), waiting.dropped), (WAITING_MAX, "9-1-1", 8));
    }

    #[test]
    fn players_are_named_only_where_that_is_wanted() {
        let id = "7-1-1";
        let summons: Summons = serde_json::from_slice(&alert(id, "summon", "open", NOW)).unwrap();
        assert_eq!(summons.words("en", false), "Illegal move.");
        assert_eq!(summons.words("fr", true), "Coup illégal.\nDoe, Jane – Roe, Max");
    }

    #[test]
    fn what_is_no_alert_wakes_nobody() {
        let mut waiting = Waiting::default();
        waiting.take("1-1-1", b"{\"gravity\":\"summon\"}", now());
        assert_eq!(waiting.next(now()), None);
    }
}
