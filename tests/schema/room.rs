//! One table with a virtual board, moved by a gesture script through the very works of the daemon,
//! and everything it would publish. Nothing here waits: time is in the script.

use std::time::Duration;

use adoubed::entry::{Entry, LineId, Plan, TableEntry, Watch};
use adoubed::mqtt::payload::{self, AlertGame, EventInfo, Response, Stamp};
use adoubed::pairings::Players;
use adoubed::requests::Request;
use adoubed::time::{Anchor, WallTime};
use adoubed::time_sheet::Sheet;
use adoubed::works::{Act, Works};
use eboard::{Change, ClockFace, Dial, Emulator, FaceTime, Moment, Said, Side, Stimulus};
use rehearsal::Happening;
use serde_json::{Value, json};
use witness::{Effect, LineNo, Message, TableNo};

const LINE: LineNo = LineNo::new(1);
const TABLE: TableNo = TableNo::new(1);

/// By then the board has answered everything it was asked after the line was opened.
const ACQUAINTED: Duration = Duration::from_secs(5);

/// A payload and the name of its schema.
pub type Published = (&'static str, Value);

pub struct Room {
    works: Works,
    board: Box<dyn Emulator>,
    anchor: Anchor,
    event: EventInfo,
    players: Players,
    seq: u64,
    sheet: Sheet,
    pub published: Vec<Published>,
}

impl Room {
    /// A table whose board has introduced itself.
    pub fn new() -> Self {
        Self::watched(Watch { min_draw_move: 30, ..Watch::default() })
    }

    /// The same under a time control.
    pub fn under(control: &str) -> Self {
        Self::watched(Watch { time_control: control.to_owned(), ..Watch::default() })
    }

    /// The same, watched like this.
    pub fn watched(watch: Watch) -> Self {
        let wall = WallTime::from_micros(1_795_269_600_000_000);
        let mut room = Self {
            works: Works::new(catalog::languages()),
            board: (dgt::DRIVER.emulate)(),
            anchor: Anchor { moment: Moment::ZERO, wall },
            event: EventInfo {
                name: "Open".to_owned(),
                laws: "2023".to_owned(),
                ..EventInfo::default()
            },
            players: Players::default(),
            seq: 0,
            sheet: Sheet::new(Duration::from_secs(1800)),
            published: Vec::new(),
        };
        room.views();
        room.enter(Moment::ZERO, &Entry::Planned(Box::new(plan(watch))));
        room.views();
        room.enter(Moment::ZERO, &Entry::Opened(LINE, line()));
        room.until(Moment::ZERO + ACQUAINTED);
        room
    }

    /// Hands act as the script says, from now on.
    pub fn play(&mut self, script: &str) {
        let script = rehearsal::parse(script).unwrap_or_else(|error| panic!("{error}"));
        let begin = self.works.now().as_micros();
        let shifted = |at: Moment| Moment::from_micros(begin + at.as_micros());
        let mut orders = script.orders().iter().peekable();
        for (at, happening) in script.play() {
            while let Some((asked, order)) = orders.next_if(|(asked, _)| *asked <= at) {
                self.until(shifted(*asked));
                self.ask(&order.to_string(), json!({"table": TABLE}));
            }
            self.until(shifted(at));
            self.feel(shifted(at), happening.change().here());
            if matches!(happening, Happening::Board(_)) {
                self.survey();
            }
        }
        self.until(shifted(script.end()));
    }

    /// Somebody asks.
    pub fn ask(&mut self, verb: &str, body: Value) {
        let request = Request::read(verb, body, "Ann");
        self.enter(self.works.now(), &Entry::Request(request));
    }

    /// The clock shows this so many seconds later: White's and Black's seconds, whose time counts.
    pub fn clock(&mut self, after_s: u64, white: u32, black: u32, counts: Option<Side>) {
        let dial = |seconds| Dial { time: FaceTime::from_hms(0, 0, seconds), ..Dial::default() };
        let face = ClockFace {
            left: dial(white),
            right: dial(black),
            running: counts.is_some(),
            lever: counts.unwrap_or(Side::Left),
            low_battery: white % 2 == 1,
        };
        self.wait(after_s);
        self.feel(self.works.now(), Change::Clock(Some(face)).here());
    }

    /// The clock's plug is pulled out.
    pub fn unplug_clock(&mut self) {
        self.feel(self.works.now(), Change::Clock(None).here());
    }

    /// So many seconds pass.
    pub fn wait(&mut self, seconds: u64) {
        self.until(self.works.now() + Duration::from_secs(seconds));
    }

    /// The board's cable is pulled out.
    pub fn unplug(&mut self) {
        self.enter(self.works.now(), &Entry::Closed(LINE));
    }

    /// The id of the alert that was raised last.
    pub fn last_alert(&self) -> String {
        let alerts = self.published.iter().rev().filter(|(name, _)| *name == "alert");
        let id = alerts.map(|(_, payload)| &payload["id"]).next().unwrap();
        id.as_str().unwrap().to_owned()
    }

    fn until(&mut self, to: Moment) {
        loop {
            let board = self.board.deadline().map(|(at, _)| at);
            let first = board.into_iter().chain(self.works.deadline()).min();
            let Some(at) = first.filter(|at| *at <= to) else { break };
            if board.is_some_and(|board| board <= at) {
                self.feel(at, Stimulus::Due);
            }
            let mut acts = Vec::new();
            self.sheet.advance(&mut self.works, at, &mut acts);
            self.act(acts);
        }
    }

    /// A board that was set up unseen is asked what stands on it.
    fn survey(&mut self) {
        self.enter(self.works.now(), &Entry::Closed(LINE));
        self.enter(self.works.now(), &Entry::Opened(LINE, line()));
    }

    fn feel(&mut self, now: Moment, stimulus: Stimulus<'_>) {
        let mut bytes = Said::default();
        self.board.handle(now, stimulus, &mut bytes);
        let bytes = bytes.bytes();
        if !bytes.is_empty() {
            self.enter(now, &Entry::Bytes(LINE, bytes));
        }
    }

    fn enter(&mut self, at: Moment, entry: &Entry) {
        let mut acts = Vec::new();
        self.sheet.enter(&mut self.works, at, entry, &mut acts);
        self.act(acts);
    }

    fn act(&mut self, acts: Vec<Act>) {
        for act in acts {
            match act {
                Act::Send(_, bytes) => self.feel(self.works.now(), Stimulus::Host(&bytes)),
                Act::Table(at, _, effect) => self.effect(at, &effect),
                Act::Answered(_, answer) | Act::AnsweredAgain(_, answer) => self.answered(answer),
                Act::Recognised(_) => self.views(),
                Act::Set(..)
                | Act::Seated(_)
                | Act::Shown
                | Act::Removed(..)
                | Act::Ended(..)
                | Act::KingLifted(..)
                | Act::Configure(..) => {}
                Act::Faulted(table) => panic!("the machine of table {table} failed"),
            }
        }
    }

    fn effect(&mut self, at: Moment, effect: &Effect) {
        self.views();
        self.seq += 1;
        let stamp = Stamp {
            seq: self.seq,
            moment: at,
            anchor: &self.anchor,
            languages: self.works.texts(),
        };
        let Some(table) = self.works.hall().table(TABLE) else { return };
        let payload = match effect {
            Effect::Event(event) => ("event", payload::json(&payload::event(stamp, table, event))),
            Effect::Raised(incident) => (
                "alert",
                payload::json(&payload::alert(
                    stamp,
                    TABLE,
                    incident,
                    AlertGame { players: self.players.clone(), ..AlertGame::default() },
                )),
            ),
            Effect::Changed(_) | Effect::Closed(..) => return,
            Effect::Survey | Effect::NextRound | Effect::Asked(_) => return,
        };
        self.publish(payload.0, &payload.1);
    }

    fn views(&mut self) {
        self.seq += 1;
        let stamp = Stamp {
            seq: self.seq,
            moment: self.works.now(),
            anchor: &self.anchor,
            languages: self.works.texts(),
        };
        let Some(table) = self.works.hall().table(TABLE) else { return };
        let line_of = |part| self.works.line_of(TABLE, part);
        let undo = self.works.undoable(TABLE);
        let game = payload::game(stamp, table, &self.players, &self.event);
        let views = [
            ("device", payload::json(&payload::device(stamp, table, line_of))),
            ("board", payload::json(&payload::board(stamp, table))),
            ("position", payload::json(&payload::position(stamp, table))),
            ("clock", payload::json(&payload::clock(stamp, table))),
            ("game", payload::json(&game)),
            ("ledger", payload::json(&payload::ledger(stamp, TABLE, table, undo))),
        ];
        let rows = self.sheet.of(TABLE);
        let sheet = payload::json(&payload::time_sheet(stamp, TABLE, table, rows));
        for (name, bytes) in views.into_iter().chain([("time-sheet", sheet)]) {
            self.publish(name, &bytes);
        }
    }

    fn answered(&mut self, answer: Result<Value, Message>) {
        let stamp = (self.seq, self.anchor.wall(self.works.now()).rfc3339());
        let response = Response::new(stamp, self.works.texts(), json!("7"), answer);
        self.publish("response", &payload::json(&response));
    }

    fn publish(&mut self, name: &'static str, bytes: &[u8]) {
        self.published.push((name, serde_json::from_slice(bytes).unwrap()));
    }
}

fn line() -> LineId {
    LineId::at("/dev/pts/7")
}

fn plan(watch: Watch) -> Plan {
    let table = TableEntry::at(TABLE, "/dev/pts/7", "dgt", &watch);
    Plan { tables: vec![table], watch, ..Plan::default() }
}
