//! One emulated board of a bus: what stands on it, what its clock shows, and its log.

use std::time::Duration;

use eboard::{Change, ClockFace, Disturbance, Moment, Piece, Placement, Side, Square, Station};

use crate::bus::frame::{Answer, Request};
use crate::bus::log::Tag;
use crate::clock::Report;
use crate::frame::Version;
use crate::piece::{Content, Dump};

/// A board whose power was gone says nothing for so long.
const RESTART: Duration = Duration::from_secs(2);
/// A change that follows another within this time is marked so in the log.
const RAPID: Duration = Duration::from_millis(250);
/// The store of the log.
const STORE: usize = 0x1f00;
/// A position is noted in the log again once so many pieces have left it.
const LEFT: usize = 3;

/// One board.
#[derive(Debug)]
pub(crate) struct BusBoard {
    pub(crate) station: Station,
    placement: Placement,
    clock: Report,
    /// Comes instead of the next report of the clock.
    instead: Option<Report>,
    lost: u16,
    silent: bool,
    log: Vec<Tag>,
    /// The last answer to a question for changes, to be repeated.
    last: Option<(bool, Vec<u8>)>,
    even: bool,
    /// When the last entry was made.
    entered: Moment,
    changed: Option<Moment>,
    /// The position last noted, while hardly any piece has left it.
    noted: Option<Tag>,
    on_bus: bool,
    deaf_until: Moment,
    pub(crate) busy_until: Moment,
    /// It is writing to its memory, which delays its next answer.
    pub(crate) writes: bool,
    hushed: bool,
}

/// What boards of a bus have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Habits {
    /// Answers with changes come as 85 and 8b in turn, not always as 85.
    pub(crate) alternates: bool,
    /// Delays are written into the log.
    pub(crate) delays: bool,
    pub(crate) version: Version,
}

impl BusBoard {
    pub(crate) fn new(station: Station) -> Self {
        Self {
            station,
            placement: Placement::starting(),
            clock: Report::NoClock,
            instead: None,
            lost: 0,
            silent: false,
            log: Vec::new(),
            last: None,
            even: false,
            entered: Moment::ZERO,
            changed: None,
            noted: Some(Tag::Beginning { turned: false }),
            on_bus: true,
            deaf_until: Moment::ZERO,
            busy_until: Moment::ZERO,
            writes: false,
            hushed: false,
        }
    }

    /// It can be asked something now.
    pub(crate) fn listens(&self, now: Moment) -> bool {
        self.on_bus && now >= self.deaf_until && now >= self.busy_until
    }

    /// Somebody has made it leave the language of the bus; only without power it comes back.
    pub(crate) fn go_astray(&mut self) {
        self.deaf_until = Moment::from_micros(u64::MAX);
    }

    /// Whether it answers when everybody is asked.
    pub(crate) fn answers_all(&mut self) -> bool {
        !std::mem::take(&mut self.hushed)
    }

    /// What it answers, if anything, to a question for itself.
    pub(crate) fn answer(&mut self, request: Request, habits: Habits) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        match request {
            Request::Clock => match self.instead.take() {
                _ if self.silent => return None,
                _ if self.lost > 0 => {
                    self.lost -= 1;
                    return None;
                }
                instead => {
                    Answer::Clock(instead.unwrap_or(self.clock)).encode(self.station, &mut out);
                }
            },
            Request::Board => {
                Answer::Board(Dump::from(&self.placement)).encode(self.station, &mut out);
            }
            Request::Changes | Request::Repeat => {
                if request == Request::Changes {
                    let mut log = Vec::new();
                    self.log.drain(..).for_each(|tag| tag.encode(&mut log));
                    self.last = Some((self.even, log));
                    self.even = habits.alternates && !self.even;
                }
                let (even, log) = self.last.clone().unwrap_or_default();
                Answer::Changes { even, log: &log }.encode(self.station, &mut out);
            }
            Request::Ping => Answer::Ping.encode(self.station, &mut out),
            Request::PingAndHush => {
                self.hushed = true;
                Answer::Ping.encode(self.station, &mut out);
            }
            Request::Version => {
                Answer::Version(Some(habits.version)).encode(self.station, &mut out);
            }
        }
        Some(out)
    }

    /// The beginning of a game is written into the log, with every piece.
    pub(crate) fn start(&mut self, now: Moment, habits: Habits) -> Vec<u8> {
        self.enter(now, Tag::Start, habits);
        self.every_piece(now, habits);
        let mut out = Vec::new();
        Answer::Started.encode(self.station, &mut out);
        out
    }

    /// Something befalls it.
    pub(crate) fn befall(&mut self, now: Moment, change: Change<'_>, habits: Habits) {
        match change {
            Change::Square { square, piece } => self.square(now, square, piece, habits),
            Change::Board(placement) => self.placement = *placement,
            Change::Clock(face) => self.clock(now, face, habits),
            Change::Disturbed(disturbance) => match disturbance {
                Disturbance::Null => self.instead = Some(Report::Null),
                Disturbance::Button => self.instead = Some(Report::Ack([0x10, 0x88, 0x05, 0x33])),
                Disturbance::Lost(count) => self.lost = count,
                Disturbance::Silent(silent) => self.silent = silent,
                Disturbance::Again => {}
            },
            Change::PowerLost => self.restart(now, habits),
            // The power comes through the same cable.
            Change::OnBus(true) if !self.on_bus => {
                self.on_bus = true;
                self.restart(now, habits);
            }
            Change::OnBus(on_bus) => self.on_bus = on_bus,
            Change::Battery(_) => {}
        }
    }

    fn restart(&mut self, now: Moment, habits: Habits) {
        self.deaf_until = now + RESTART;
        (self.last, self.even, self.hushed) = (None, false, false);
        for tag in [Tag::Nothing, Tag::Nothing, Tag::Nothing, Tag::PowerUp] {
            self.enter(now, tag, habits);
        }
        self.every_piece(now, habits);
    }

    fn every_piece(&mut self, now: Moment, habits: Habits) {
        for square in Square::all() {
            if self.placement[square].is_some() {
                let content = Content::from(self.placement[square]);
                self.enter(now, Tag::Field { square, content, rapid: false }, habits);
            }
        }
    }

    fn square(&mut self, now: Moment, square: Square, piece: Option<Piece>, habits: Habits) {
        if self.placement[square] == piece || !self.on_bus {
            self.placement[square] = piece;
            return;
        }
        self.placement[square] = piece;
        let rapid = self.changed.is_some_and(|at| now < at + RAPID);
        self.changed = Some(now);
        // What flickers is written down once.
        if let Some(Tag::Field { square: last, content, .. }) = self.log.last_mut()
            && *last == square
        {
            *content = piece.into();
        } else {
            self.enter(now, Tag::Field { square, content: piece.into(), rapid }, habits);
        }
        self.note_position(now, habits);
    }

    fn note_position(&mut self, now: Moment, habits: Habits) {
        let left = |tag: &mut Tag| {
            let position = tag.position().unwrap_or_default();
            self.placement.differing(&position).count() >= LEFT
        };
        self.noted.take_if(left);
        let positions =
            [Tag::Beginning { turned: false }, Tag::Beginning { turned: true }, Tag::Empty];
        let tag = positions.into_iter().find(|tag| tag.position() == Some(self.placement));
        if let Some(tag) = tag.filter(|_| self.noted.is_none()) {
            self.noted = Some(tag);
            self.enter(now, tag, habits);
        }
    }

    /// The side whose clock is stopped by a press is noted with its time.
    fn clock(&mut self, now: Moment, face: Option<ClockFace>, habits: Habits) {
        let before = std::mem::replace(&mut self.clock, face.map_or(Report::NoClock, Report::Face));
        if let (Report::Face(before), Some(face)) = (before, face)
            && before.lever != face.lever
        {
            let halted = match before.lever {
                Side::Left => face.left,
                Side::Right => face.right,
            };
            self.enter(now, Tag::Time(before.lever, halted.time), habits);
        }
    }

    fn enter(&mut self, now: Moment, tag: Tag, habits: Habits) {
        self.writes = true;
        let since = now.since(self.entered);
        self.entered = now;
        if habits.delays && since >= Duration::from_secs(1) / 16 {
            self.log.push(Tag::After(since));
        }
        self.log.push(tag);
        // Entries have up to four bytes. The oldest are written over.
        let over = self.log.len().saturating_sub(STORE / 4);
        self.log.drain(..over);
    }
}
