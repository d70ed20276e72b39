//! Turns effects into messages: it knows which views of which tables have changed, and writes them
//! anew. A message waits until the run loop releases it, after the entries behind it are kept.

mod followed;
mod played;
mod shown;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use eboard::Moment;
use witness::{Effect, Event, Facet, Incident, IncidentId, Ruling, Seat, State, Table, TableNo};

use crate::config::{Broker, Config};
use crate::mqtt::payload::{self, AlertGame, BridgeInfo, EventInfo, Response, Stamp};
use crate::mqtt::snapshot::{Message, Reply, Snapshot};
use crate::mqtt::speaker::Speaker;
use crate::mqtt::topic::{RecordTopic, TableTopic, Topic};
use crate::outlets::Games;
use crate::outlets::games::News;
use crate::tags;
use crate::time::Anchor;
use crate::time_sheet::Row;
use crate::troubles::Troubles;
use crate::works::Works;
use crate::works::apart::Apart;
use followed::Followed;
use played::PlayedGames;
use shown::Shown;
use words::InWords as _;

/// How many heartbeats pass between two messages about the daemon itself.
const INFO_BEATS: u32 = 6;

/// Where the answer to the present request goes.
pub struct Asking {
    /// The transaction that the answer repeats.
    pub transaction: serde_json::Value,
    /// A response topic of the client (MQTT 5), besides the usual one.
    pub response_topic: Option<String>,
    /// The correlation data that the answer returns there.
    pub correlation: Option<Vec<u8>>,
}

/// Writes messages and hands them to the snapshot.
pub struct Publisher {
    snapshot: Arc<Snapshot>,
    /// Messages that wait to be released, in order.
    held: Vec<Message>,
    played: PlayedGames,
    /// The score of each table as it was published last.
    scores: BTreeMap<TableNo, Followed>,
    config: Config,
    event: EventInfo,
    anchor: Anchor,
    speaker: Speaker,
    began: Moment,
    dirty: BTreeSet<(TableNo, Facet)>,
    tables: BTreeMap<TableNo, Counts>,
    bridge: Counts,
    shown: Shown,
    /// The tables of the last message about the daemon.
    announced: Vec<TableNo>,
    /// The list of boards without a table has to be published again.
    unseated: bool,
    /// The players in the last published list of time trouble.
    watched: Watched,
    journal: &'static str,
    beats: u32,
    /// Clocks are published as standing, because a running clock reveals who is to move.
    stands: bool,
    troubles: Troubles,
}

/// The last `seq` of the topics that everybody may read, and of those for arbiters only. With one
/// sequence for both, a gap would show guests that there was an alert.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    guests: u64,
    arbiters: u64,
}

impl Counts {
    /// Raises the number by one, or to the milliseconds of the record if that is more. So it rises
    /// over restarts too.
    fn next(&mut self, readers: Readers, now: Moment) -> u64 {
        let seq = match readers {
            Readers::Guests => &mut self.guests,
            Readers::Arbiters => &mut self.arbiters,
        };
        *seq = (*seq + 1).max(now.as_micros() / 1000);
        *seq
    }
}

/// The players in the last published list of time trouble.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Watched {
    /// No list was published yet.
    #[default]
    Unpublished,
    Nobody,
    Somebody,
}

/// Who may read a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Readers {
    Guests,
    Arbiters,
}

impl Publisher {
    /// A publisher that knows of no table yet.
    #[must_use]
    pub fn new(
        (snapshot, games): (Arc<Snapshot>, Arc<Games>),
        config: Config,
        anchor: Anchor,
        speaker: Speaker,
    ) -> Self {
        let mut publisher = Self {
            snapshot,
            held: Vec::new(),
            played: PlayedGames::new(games),
            scores: BTreeMap::new(),
            event: EventInfo::default(),
            config: Config::default(),
            anchor,
            speaker,
            began: anchor.moment,
            dirty: BTreeSet::new(),
            tables: BTreeMap::new(),
            bridge: Counts::default(),
            shown: Shown::default(),
            announced: Vec::new(),
            unseated: true,
            watched: Watched::default(),
            journal: "kept",
            beats: 0,
            stands: false,
            troubles: Troubles::default(),
        };
        publisher.configure(&config);
        publisher
    }

    /// Takes the time of day of a moment anew, because clocks of computers are adjusted.
    pub fn anchored(&mut self, anchor: Anchor) {
        self.anchor = anchor;
    }

    /// Takes another configuration.
    pub fn configure(&mut self, config: &Config) {
        self.config = config.clone();
        self.event = EventInfo {
            name: config.event.name.clone(),
            site: config.event.site.clone(),
            round: config.event.round.clone(),
            laws: config.event.laws.year().to_owned(),
            time_control: config.event.time_control.clone(),
        };
        let known: Vec<_> = self.tables.keys().copied().collect();
        known.iter().for_each(|table| self.played.renew(*table));
        self.dirty.extend(known.into_iter().map(|table| (table, Facet::Game)));
        self.unseated = true;
        // The next heartbeat publishes it.
        self.beats = INFO_BEATS - 1;
    }

    /// Publishes everything, because after a restart the content of the broker is not known.
    pub fn all(&mut self, works: &Works) {
        self.hello();
        self.ask_for_tables();
        for (table, _) in works.hall().tables() {
            self.all_of(table);
            self.played.renew(table);
            self.open_alerts(works, works.now(), table);
        }
        self.info(works);
    }

    /// Clears an alert that is closed. A broker that ran on without the daemon may still have it.
    pub fn forget_alert(&mut self, table: TableNo, incident: IncidentId) {
        self.hold(Topic::Alert(payload::alert_id(table, incident)), Vec::new());
    }

    /// Publishes a piece of the record, for other machines of the hall. It waits for nothing.
    pub fn reflect(&self, topic: RecordTopic, payload: Vec<u8>) {
        self.snapshot.publish(Topic::Record(topic), payload);
    }

    /// Publishes that the daemon ends.
    pub fn goodbye(snapshot: &Snapshot, speaker: &Speaker) {
        let at = crate::time::wall_now().rfc3339();
        let state = speaker.state(false, payload::SEQ_OF_LEAVE, at);
        snapshot.publish(Topic::BridgeState, payload::json(&state));
    }

    /// Takes an effect at a table, at this moment.
    pub fn effect(&mut self, works: &Works, at: Moment, table: TableNo, effect: Effect) {
        if !self.tables.contains_key(&table) {
            self.all_of(table);
        }
        match effect {
            Effect::Changed(facet) => {
                self.dirty.insert((table, facet));
            }
            Effect::Event(event) => {
                self.happened(works, at, table, &event);
                if matches!(event, Event::NewGame(_)) {
                    self.played.renew(table);
                    // The open alerts now belong to an earlier game.
                    self.open_alerts(works, at, table);
                }
            }
            Effect::Raised(incident) => self.raised(works, at, table, &incident),
            Effect::Closed(incident, ruling) => self.closed(table, &incident, ruling),
            // The works have noted it, and the run loop hands it to the analyst.
            Effect::Survey | Effect::NextRound | Effect::Asked(_) => {}
        }
    }

    /// Clears all topics of a table that was removed.
    pub fn removed(&mut self, works: &Works, table: TableNo, open: &[IncidentId]) {
        let views = TableTopic::ALL.into_iter().map(|topic| Topic::Table(table, topic));
        let topics = views.chain([Topic::Ledger(table), Topic::TimeSheet(table)]);
        for topic in topics.filter(Topic::retained) {
            self.hold(topic, Vec::new());
        }
        for incident in open {
            self.forget_alert(table, *incident);
        }
        self.played.removed(table);
        self.tables.remove(&table);
        self.scores.remove(&table);
        self.shown.forget(table);
        self.dirty.retain(|(dirty, _)| *dirty != table);
        self.info(works);
    }

    /// Publishes the earlier games of a table again, because a result has changed.
    pub fn ended(&mut self, table: TableNo) {
        self.played.renew(table);
    }

    /// Takes that a line or its board has changed.
    pub fn recognised(&mut self, works: &Works, at: Seat) {
        if let Some(table) = works.board(at).and_then(|board| board.table) {
            self.dirty.insert((table, Facet::Device));
        }
    }

    /// Publishes the answer to a request.
    pub fn answer(
        &mut self,
        works: &Works,
        (verb, by): (&str, &str),
        answer: Result<serde_json::Value, witness::Message>,
        asking: Option<Asking>,
    ) {
        if let Err(why) = &answer {
            tracing::info!("{by} was refused to {verb}: {}", why.en());
        }
        let (transaction, response_topic, correlation) = match asking {
            Some(asking) => (asking.transaction, asking.response_topic, asking.correlation),
            None => (serde_json::Value::Null, None, None),
        };
        let response = Response::new(
            self.bridge_stamp(Readers::Arbiters, works.now()),
            works.texts(),
            transaction,
            answer,
        );
        let payload = payload::json(&response);
        if let Some(topic) = response_topic {
            let payload = payload.clone();
            self.held.push(Message::Reply(Reply { topic, correlation, payload }));
        }
        self.hold(Topic::Response(verb.to_owned()), payload);
    }

    /// Publishes the state of the daemon, now and then.
    pub fn heartbeat(&mut self, works: &Works, journal_failed: bool) {
        let journal = if journal_failed { "failed" } else { "kept" };
        let before = std::mem::replace(&mut self.journal, journal);
        let tables: Vec<_> = works.hall().tables().map(|(table, _)| table).collect();
        self.beats = (self.beats + 1) % INFO_BEATS;
        if tables != self.announced || journal != before || self.beats == 0 {
            self.info(works);
        }
        self.watch_list(works);
        // A table may become free while the boards stay as they are.
        self.ask_for_tables();
    }

    /// Takes that the boards without a table have changed, or the pieces on one of them.
    pub fn ask_for_tables(&mut self) {
        self.unseated = true;
    }

    /// A white king was lifted at a board.
    pub fn king_lifted(&mut self, works: &Works, at: Seat, square: eboard::Square) {
        if self.config.mqtt.broker == Broker::External {
            return;
        }
        let (seq, _) = self.bridge_stamp(Readers::Arbiters, works.now());
        let stamp =
            Stamp { seq, moment: works.now(), anchor: &self.anchor, languages: works.texts() };
        if let Some(lift) = payload::setup_lift(stamp, works, at, square) {
            self.hold(Topic::SetupLift, payload::json(&lift));
        }
    }

    /// Every line and board, and the file that seats them. Another broker does not know organizers.
    fn setup(&mut self, works: &Works, apart: &Apart<'_>) {
        if self.config.mqtt.broker == Broker::External {
            return;
        }
        let mut troubles = std::mem::take(&mut self.troubles);
        self.hold_setup(works, Topic::SetupBoards, |stamp, config| {
            troubles.look(works, &stamp.at());
            payload::json(&payload::setup_boards(stamp, (works, apart), (config, &troubles)))
        });
        self.troubles = troubles;
        self.hold_setup(works, Topic::SetupEvent, |stamp, config| {
            payload::json(&payload::setup_event(stamp, works, config))
        });
    }

    /// Holds a payload for organizers if it says anything new. One that does not takes no number.
    fn hold_setup(
        &mut self,
        works: &Works,
        topic: Topic,
        payload: impl FnOnce(Stamp<'_>, &Config) -> Vec<u8>,
    ) {
        let before = self.bridge;
        let (seq, _) = self.bridge_stamp(Readers::Arbiters, works.now());
        let stamp =
            Stamp { seq, moment: works.now(), anchor: &self.anchor, languages: works.texts() };
        let payload = payload(stamp, &self.config);
        match self.shown.has(&topic, &payload, None) {
            true => self.bridge = before,
            false => self.hold(topic, payload),
        }
    }

    fn unseated(&mut self, works: &Works, apart: &Apart<'_>) {
        let before = self.bridge;
        let (seq, _) = self.bridge_stamp(Readers::Arbiters, works.now());
        let stamp =
            Stamp { seq, moment: works.now(), anchor: &self.anchor, languages: works.texts() };
        let payload = payload::json(&payload::unseated(stamp, works, apart));
        match self.shown.has(&Topic::Unseated, &payload, None) {
            true => self.bridge = before,
            false => self.hold(Topic::Unseated, payload),
        }
    }

    /// Publishes the players who are short of time; an empty list once, when there is none left.
    fn watch_list(&mut self, works: &Works) {
        let list = witness::watch_list(works.now(), works.hall().tables());
        if list.is_empty() && self.watched == Watched::Nobody {
            return;
        }
        self.watched = if list.is_empty() { Watched::Nobody } else { Watched::Somebody };
        let (seq, _) = self.bridge_stamp(Readers::Arbiters, works.now());
        let stamp =
            Stamp { seq, moment: works.now(), anchor: &self.anchor, languages: works.texts() };
        let payload = payload::json(&payload::watch_list(stamp, &list));
        self.hold(Topic::WatchList, payload);
    }

    /// What was written down of the game at a table.
    pub fn time_sheet(&mut self, works: &Works, number: TableNo, rows: &[Row]) {
        let Some(table) = works.hall().table(number) else { return };
        let seq = self.seq(number, Readers::Arbiters, works.now());
        let stamp =
            Stamp { seq, moment: works.now(), anchor: &self.anchor, languages: works.texts() };
        let payload = payload::json(&payload::time_sheet(stamp, number, table, rows));
        self.hold(Topic::TimeSheet(number), payload);
    }

    /// Writes every view that has changed since the last call.
    pub fn draw(&mut self, works: &Works) {
        for (table, facet) in std::mem::take(&mut self.dirty) {
            self.view(works, table, facet);
        }
        if std::mem::take(&mut self.unseated) {
            let apart = works.apart();
            self.unseated(works, &apart);
            self.setup(works, &apart);
        }
        self.played.draw(works, &self.config);
    }

    /// Sets whether clocks are published as standing from now on.
    pub fn stands(&mut self, stands: bool) {
        self.stands = stands;
    }

    /// Takes the messages that were collected for another publisher.
    pub fn take(&mut self) -> (Vec<Message>, News) {
        (std::mem::take(&mut self.held), self.played.take())
    }

    /// Releases all messages that wait.
    pub fn release(&mut self) {
        for message in self.held.drain(..) {
            match message {
                Message::Ours(topic, payload) => self.snapshot.publish(topic, payload),
                Message::Reply(reply) => self.snapshot.reply(reply),
            }
        }
        self.played.release();
    }

    fn hold(&mut self, topic: Topic, payload: Vec<u8>) {
        self.held.push(Message::Ours(topic, payload));
    }

    fn all_of(&mut self, table: TableNo) {
        let facets = [Facet::Board, Facet::Position, Facet::Game, Facet::Clock];
        let facets = facets.into_iter().chain([Facet::Device, Facet::Ledger]);
        self.dirty.extend(facets.map(|facet| (table, facet)));
    }

    fn view(&mut self, works: &Works, number: TableNo, facet: Facet) {
        let Some(table) = works.hall().table(number) else { return };
        let readers = if facet == Facet::Ledger { Readers::Arbiters } else { Readers::Guests };
        let earlier = self.tables.get(&number).copied();
        let seq = self.seq(number, readers, works.now());
        let stamp =
            Stamp { seq, moment: works.now(), anchor: &self.anchor, languages: works.texts() };
        let of_table = |topic| Topic::Table(number, topic);
        let mut moves = None;
        let (topic, payload) = match facet {
            Facet::Board => {
                (of_table(TableTopic::Board), payload::json(&payload::board(stamp, table)))
            }
            Facet::Position => {
                (of_table(TableTopic::Position), payload::json(&payload::position(stamp, table)))
            }
            Facet::Clock => {
                let clock = payload::clock(stamp, table);
                let clock = if self.stands { clock.standing() } else { clock };
                (of_table(TableTopic::Clock), payload::json(&clock))
            }
            Facet::Ledger => (
                Topic::Ledger(number),
                payload::json(&payload::ledger(stamp, number, table, works.undoable(number))),
            ),
            Facet::Device => {
                let line_of = |part| works.line_of(number, part);
                let device = payload::device(stamp, table, line_of);
                (of_table(TableTopic::Device), payload::json(&device))
            }
            Facet::Game => {
                let players = works.players(number).unwrap_or_default();
                let event = self.event(works, number);
                let score = self.scores.entry(number).or_default();
                score.follow(&self.anchor, table.score());
                let who = (&players, &event);
                let moves_of = (&*score.start_fen, &score.json);
                let (payload, place) = payload::game_of(stamp, table, who, moves_of);
                moves = Some((place, score.json.version()));
                (of_table(TableTopic::Game), payload)
            }
        };
        if readers == Readers::Guests && self.shown.has(&topic, &payload, moves) {
            // The view reads as before, so it gets no message and no number.
            earlier.map(|counts| self.tables.insert(number, counts));
        } else {
            self.hold(topic, payload);
        }
        if facet == Facet::Game {
            self.pgn(works, number, table);
        }
    }

    /// The score of a table as PGN, after it was followed.
    fn pgn(&mut self, works: &Works, number: TableNo, table: &Table) {
        let score = table.score();
        let tags = tags::of_game(&self.config, works, number, Some(score), Some(&self.anchor));
        let written = &mut self.scores.entry(number).or_default().pgn;
        let (text, place) = written.text(&tags, score);
        let moves = Some((place, written.version()));
        let topic = Topic::Table(number, TableTopic::Pgn);
        if !self.shown.has(&topic, text.as_bytes(), moves) {
            self.hold(topic, text.clone().into_bytes());
        }
        self.played.now(works, number, table, tags, text);
    }

    fn event(&self, works: &Works, number: TableNo) -> EventInfo {
        EventInfo {
            round: works.round(number).to_owned(),
            laws: works.edition(number).year().to_owned(),
            time_control: works.time_control(number),
            ..self.event.clone()
        }
    }

    fn happened(&mut self, works: &Works, at: Moment, number: TableNo, event: &Event) {
        let Some(table) = works.hall().table(number) else { return };
        let seq = self.seq(number, Readers::Guests, at);
        let stamp = Stamp { seq, moment: at, anchor: &self.anchor, languages: works.texts() };
        let payload = payload::json(&payload::event(stamp, table, event));
        self.hold(Topic::Table(number, TableTopic::Event), payload);
    }

    fn raised(&mut self, works: &Works, at: Moment, table: TableNo, incident: &Incident) {
        let seq = self.seq(table, Readers::Arbiters, at);
        let game = AlertGame {
            players: works.concerned(table, incident).unwrap_or_default(),
            earlier: works.is_of_earlier_game(table, incident.id),
            sittings: works.may_sit(table, incident),
        };
        let stamp = Stamp { seq, moment: at, anchor: &self.anchor, languages: works.texts() };
        let payload = payload::json(&payload::alert(stamp, table, incident, game));
        self.hold(Topic::Alert(payload::alert_id(table, incident.id)), payload);
    }

    fn open_alerts(&mut self, works: &Works, at: Moment, table: TableNo) {
        let open = works.hall().table(table).into_iter().flat_map(|table| table.incidents());
        open.for_each(|incident| self.raised(works, at, table, incident));
    }

    fn closed(&mut self, table: TableNo, incident: &Incident, ruling: Option<Ruling>) {
        let (id, kind) = (payload::alert_id(table, incident.id), incident.kind.name());
        if incident.state == State::SetAside {
            tracing::warn!("alert {id} ({kind}) set aside: too many are open at table {table}");
        } else {
            let how = ruling.map_or("by itself".to_owned(), |ruling| format!("{ruling:?}"));
            tracing::info!("alert {id} ({kind}) closed: {how}");
        }
        self.forget_alert(table, incident.id);
    }

    fn hello(&mut self) {
        let (seq, at) = self.bridge_stamp(Readers::Guests, self.began);
        let state = self.speaker.state(true, seq, at);
        self.hold(Topic::BridgeState, payload::json(&state));
    }

    fn info(&mut self, works: &Works) {
        self.played.event(works, &self.config);
        self.announced = works.hall().tables().map(|(table, _)| table).collect();
        let (seq, at) = self.bridge_stamp(Readers::Guests, works.now());
        let info = BridgeInfo {
            v: payload::VERSION,
            seq,
            at,
            version: env!("CARGO_PKG_VERSION"),
            event: EventInfo { round: works.plan().round().to_owned(), ..self.event.clone() },
            tables: self.announced.clone(),
            schemas: "docs/schema/v1",
            journal: self.journal,
            uptime_s: works.now().since(self.began).as_secs(),
        };
        self.hold(Topic::BridgeInfo, payload::json(&info));
    }

    fn bridge_stamp(&mut self, readers: Readers, now: Moment) -> (u64, String) {
        (self.bridge.next(readers, now), self.anchor.wall(now).rfc3339())
    }

    fn seq(&mut self, table: TableNo, readers: Readers, now: Moment) -> u64 {
        self.tables.entry(table).or_default().next(readers, now)
    }
}

#[cfg(test)]
mod tests;
