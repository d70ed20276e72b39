//! One board of the bus: what it has told, and what it is to be asked next. Nothing of the line.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{ClockFace, FaceTime, FlagMark, Identity, Moment, Outbox, Pieces, Placement};
use eboard::{Side, Sighting, Station};

use super::frame::{Answer, Request};
use super::held::Held;
use super::lag::Lag;
use super::log::{Tag, tags};
use crate::clock::Report;
use crate::frame::Version;

/// Without any cause a board is asked for all its squares this often.
const CROSS_CHECK: Duration = Duration::from_secs(30);
/// A board that did not answer such a question is asked again after this long.
const AGAIN: Duration = Duration::from_millis(300);
/// A version that was not told is asked for again after this long: nothing hangs on it.
const VERSION_AGAIN: Duration = Duration::from_secs(10);

/// A running clock is asked this often, in the last minute and before.
const CLOCK_LAST_MINUTE: Duration = Duration::from_secs(1);
const CLOCK_RUNNING: Duration = Duration::from_secs(2);
const CLOCK_STOPPED: Duration = Duration::from_secs(5);
/// How often the clock is asked while the line is idle. Only the clock reports a standstill, and
/// presses that are not in the log.
const CLOCK_IDLE: Duration = Duration::from_millis(500);
const LAST_MINUTE: FaceTime = FaceTime::from_hms(0, 1, 0);
/// So many unanswered questions after a clock, while the board answers others, and it is not there.
const CLOCK_MISSES: u32 = 3;

/// The wait after a second unanswered question; it doubles with each one more.
const FIRST_WAIT: Duration = Duration::from_millis(200);
/// Boards that do not answer are asked at least this often.
const LONGEST_WAIT: Duration = Duration::from_secs(20);
/// So many unanswered questions, three seconds after the first one, and the board counts as silent.
const MISSES: u32 = 6;

/// After trouble so many logs are compared with the one before, in case an answer comes twice.
const DOUBTED: u8 = 2;
/// Where nobody was asked, so many well-formed answers in a row are needed to believe in a board.
const STREAK: u8 = 3;

/// What one board has told.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(crate) struct Board {
    /// Well-formed answers in a row, before it is believed that there is such a board.
    streak: u8,
    known: bool,
    /// What was told of it so far: whether it was introduced, and with which version.
    introduced: Option<Option<Version>>,
    version: Option<Version>,
    squares: Option<Placement>,
    face: Option<ClockFace>,
    log: Log,
    held: Held,
    lag: Lag,
    /// Unanswered questions for changes since it was heard.
    misses: u32,
    clock_misses: u32,
    silent: bool,
    changes_at: Moment,
    board_at: Moment,
    clock_at: Moment,
    clock_asked: Moment,
    version_at: Option<Moment>,
    /// It has been told to keep quiet when everybody is asked.
    pub(crate) hushed: bool,
}

/// How far its log has been read.
#[derive(Clone, Debug, Default, Encode, Decode)]
struct Log {
    /// What had gathered before we came has been read away.
    begun: bool,
    last: Option<(bool, Vec<u8>)>,
    /// The last answer did not come, or came damaged: it is to be repeated.
    owed: bool,
    doubted: u8,
}

impl Board {
    /// A board that has answered for the first time, or is expected to.
    pub(crate) fn known(now: Moment) -> Self {
        Self { known: true, version_at: Some(now), ..Self::unheard(now) }
    }

    /// A board that somebody else's line may have.
    pub(crate) fn unheard(now: Moment) -> Self {
        Self { changes_at: now, board_at: now, clock_at: now, ..Self::default() }
    }

    pub(crate) const fn is_silent(&self) -> bool {
        self.silent
    }

    /// It has left questions unanswered and is not waited for.
    pub(crate) const fn is_missed(&self) -> bool {
        self.misses > 0
    }

    /// When its turn comes, and what it is asked first then.
    pub(crate) const fn turn(&self) -> (Moment, Request) {
        let request = match (self.silent, self.log.owed) {
            (true, _) => Request::Ping,
            (false, true) => Request::Repeat,
            (false, false) => Request::Changes,
        };
        (self.changes_at, request)
    }

    /// The moment from which an idle line asks the clock again; none: no clock is known.
    pub(crate) fn idle(&self) -> Option<Moment> {
        let asks = self.face.is_some() && !self.is_missed() && self.clock_misses == 0;
        asks.then(|| self.clock_asked + CLOCK_IDLE)
    }

    /// Whether to ask for its log before any other board is asked.
    pub(crate) const fn wants_log(&self) -> bool {
        self.held.wants_log()
    }

    /// What else it is asked when its turn has come and it has answered.
    pub(crate) fn extra(&self, now: Moment, hush: bool) -> Option<Request> {
        if self.is_missed() {
            return None;
        }
        if self.wants_log() {
            return Some(Request::Changes);
        }
        // What stands on a board is wanted before anybody else is looked for.
        if hush && !self.hushed && self.board_at > now {
            return Some(Request::PingAndHush);
        }
        let version = self.version_at.map(|at| (at, Request::Version));
        let others = [(self.board_at, Request::Board), (self.clock_at, Request::Clock)];
        let due = others.into_iter().chain(version).filter(|(at, _)| *at <= now);
        due.min_by_key(|(at, _)| *at).map(|(_, request)| request)
    }

    /// Everything it shows is to be told again.
    pub(crate) fn survey(&mut self, now: Moment) {
        (self.board_at, self.clock_at) = (now, now);
        if !self.is_missed() {
            self.changes_at = now;
        }
    }

    /// It is being asked; not again before `rest` has passed.
    pub(crate) fn asked(&mut self, now: Moment, request: Request, rest: Duration) {
        match request {
            Request::Changes => {
                self.lag.asked(now);
                self.changes_at = now + rest;
                // Until the answer has come whole, it can only be repeated.
                self.log.owed = true;
            }
            Request::Repeat | Request::Ping => self.changes_at = now + rest,
            Request::PingAndHush => self.hushed = true,
            Request::Board => self.board_at = now + AGAIN,
            Request::Clock => (self.clock_at, self.clock_asked) = (now + AGAIN, now),
            Request::Version => self.version_at = Some(now + VERSION_AGAIN),
        }
    }

    /// It has not answered this.
    pub(crate) fn missed(
        &mut self,
        (now, station): (Moment, Station),
        request: Request,
        out: &mut Outbox<'_, Pieces>,
    ) {
        match request {
            Request::Changes | Request::Repeat | Request::Ping => {
                self.misses = self.misses.saturating_add(1);
                self.log.doubted = DOUBTED;
                let doubled = 2_u32.saturating_pow(self.misses.saturating_sub(2));
                let wait = FIRST_WAIT.saturating_mul(doubled).min(LONGEST_WAIT);
                self.changes_at = if self.misses == 1 { now } else { now + wait };
                if self.misses >= MISSES && !self.silent {
                    self.silent = true;
                    // When it is back it is asked for everything, so nothing has to wait.
                    self.held = Held::default();
                    out.beside(station, Sighting::Silent);
                }
            }
            Request::Clock => {
                self.clock_misses = self.clock_misses.saturating_add(1);
                if self.clock_misses == CLOCK_MISSES && self.face.take().is_some() {
                    out.beside(station, Sighting::ClockLost);
                }
            }
            Request::Board | Request::PingAndHush | Request::Version => {}
        }
    }

    /// It has answered. Whether the answer was asked for decides how far a log is believed.
    pub(crate) fn answered(
        &mut self,
        (now, station): (Moment, Station),
        answer: &Answer<'_>,
        to: Option<Request>,
        out: &mut Outbox<'_, Pieces>,
    ) {
        self.is_there(now);
        self.streak = self.streak.saturating_add(1);
        let says_much = matches!(answer, Answer::Board(_) | Answer::Version(Some(_)));
        self.known |= says_much || self.streak >= STREAK;
        if let Answer::Version(version) = *answer {
            (self.version, self.version_at) = (version, None);
        }
        if !self.known {
            return;
        }
        if self.introduced != Some(self.version) {
            self.introduced = Some(self.version);
            out.beside(station, Sighting::Identified(self.identity(station)));
        }
        match *answer {
            Answer::Board(dump) => {
                self.board_at = now + CROSS_CHECK;
                self.dump((now, station), dump.placement(), out);
            }
            Answer::Clock(report) => self.clock((now, station), report, out),
            Answer::Changes { even, log } => self.changes((now, station), (even, log), to, out),
            Answer::Ping | Answer::Started | Answer::Version(_) => {}
        }
    }

    /// Something came from the line that was no answer.
    pub(crate) const fn noise(&mut self) {
        self.streak = 0;
    }

    fn is_there(&mut self, now: Moment) {
        self.misses = 0;
        if std::mem::take(&mut self.silent) {
            (self.changes_at, self.board_at, self.clock_at) = (now, now, now);
        }
    }

    fn identity(&self, station: Station) -> Identity {
        Identity {
            driver: crate::BUS.name.into(),
            model: None,
            // The address is the serial number, as far as it has 14 bits.
            serial: Some(format!("{:05}", station.0)),
            firmware: self.version.map(|it| format!("{}.{}", it.major, it.minor)),
        }
    }

    fn clock(
        &mut self,
        (now, station): (Moment, Station),
        report: Report,
        out: &mut Outbox<'_, Pieces>,
    ) {
        self.clock_misses = 0;
        match report {
            Report::Face(face) => {
                self.clock_at = now + period(&face);
                let pressed = self.face.is_some_and(|it| it.lever != face.lever);
                let reported = match pressed && self.has_log() {
                    true => self.held.face(face),
                    false => Some(face),
                };
                if let Some(face) = reported {
                    self.tell_face(station, face, out);
                }
            }
            Report::NoClock => {
                self.face = None;
                self.clock_at = now + CLOCK_STOPPED;
                out.beside(station, Sighting::ClockLost);
            }
            Report::Null | Report::Ack(_) => self.clock_at = now + AGAIN,
        }
    }

    /// Whether its squares can be compared with its log.
    const fn has_log(&self) -> bool {
        self.log.begun && self.squares.is_some()
    }

    fn tell_face(&mut self, station: Station, face: ClockFace, out: &mut Outbox<'_, Pieces>) {
        self.face = Some(face);
        out.beside(station, Sighting::Clock(face));
    }

    fn dump(
        &mut self,
        (now, station): (Moment, Station),
        placement: Placement,
        out: &mut Outbox<'_, Pieces>,
    ) {
        let reported = match self.has_log() {
            true => self.held.squares(placement),
            false => Some(placement),
        };
        if let Some(placement) = reported {
            self.squares = Some(placement);
            out.board(station, placement);
            self.release_face((now, station), out);
        }
    }

    /// Reports the face that waits, after the log has reported everything before it. If the log has
    /// a later press, that face is history.
    fn release_face(&mut self, (now, station): (Moment, Station), out: &mut Outbox<'_, Pieces>) {
        match self.held.take_face() {
            Some((face, true)) => self.tell_face(station, face, out),
            Some((_, false)) => self.clock_at = now,
            None => {}
        }
    }

    fn changes(
        &mut self,
        (now, station): (Moment, Station),
        (even, log): (bool, &[u8]),
        to: Option<Request>,
        out: &mut Outbox<'_, Pieces>,
    ) {
        let doubted = to.is_none() || to == Some(Request::Repeat) || self.log.doubted > 0;
        let known = self.log.last.as_ref().is_some_and(|(it, last)| *it == even && last == log);
        if to.is_some() {
            self.log.owed = false;
            self.log.doubted = self.log.doubted.saturating_sub(1);
        }
        if to == Some(Request::Repeat) {
            // What gathered meanwhile is to be asked for, and the squares after it.
            (self.changes_at, self.board_at) = (now, now);
        }
        if known && doubted {
            match log {
                [] if to != Some(Request::Repeat) => self.release((now, station), log, out),
                [] => {}
                _ => self.board_at = now,
            }
            return;
        }
        self.log.last = Some((even, log.to_vec()));
        let begun = self.log.begun;
        self.log.begun |= to != Some(Request::Repeat);
        if !begun || self.squares.is_none() {
            return;
        }
        if to.is_none() {
            // The request for this log was sent just before.
            self.lag.asked(now);
        }
        if let Some(span) = self.lag.news(log) {
            out.beside(station, Sighting::Within(span));
        }
        if !tags(log).all(|tag| self.tag((now, station), tag, out)) {
            self.held.unread();
            self.board_at = now;
        } else if to != Some(Request::Repeat) {
            self.release((now, station), log, out);
        }
    }

    /// Reports what has waited for the log, which has now been read to its end.
    fn release(
        &mut self,
        (now, station): (Moment, Station),
        log: &[u8],
        out: &mut Outbox<'_, Pieces>,
    ) {
        if let Some(placement) = self.held.read(tags(log)) {
            self.squares = Some(placement);
            out.board(station, placement);
        }
        self.release_face((now, station), out);
    }

    /// Takes one entry of the log; whether the next one can be taken too.
    fn tag(
        &mut self,
        (now, station): (Moment, Station),
        tag: Tag,
        out: &mut Outbox<'_, Pieces>,
    ) -> bool {
        match tag {
            Tag::Field { square, content, .. } => {
                if let Some(squares) = &mut self.squares {
                    if squares[square] == content.man() {
                        self.board_at = now;
                    }
                    squares[square] = content.man();
                }
                out.square(station, square, content.man());
            }
            Tag::Time(side, time) => {
                self.clock_at = now;
                if let Some(face) = &mut self.face {
                    match side {
                        Side::Left => face.left.time = time,
                        Side::Right => face.right.time = time,
                    }
                    face.lever = side.other();
                    self.held.pressed(face.lever);
                    out.beside(station, Sighting::Clock(*face));
                }
            }
            Tag::PowerUp | Tag::Start | Tag::Unknown(_) => {
                self.clock_at = now;
                return false;
            }
            Tag::Empty | Tag::Beginning { .. } => {
                if self.squares != tag.position() {
                    self.board_at = now;
                }
            }
            Tag::Nothing | Tag::After(_) | Tag::FourRows => {}
        }
        true
    }
}

/// How long this clock may go without being asked.
fn period(face: &ClockFace) -> Duration {
    let least = face.left.time.min(face.right.time);
    let fallen = [face.left, face.right].iter().any(|dial| dial.flag == FlagMark::Final);
    match (face.running, least < LAST_MINUTE && !fallen) {
        (true, true) => CLOCK_LAST_MINUTE,
        (true, false) => CLOCK_RUNNING,
        (false, _) => CLOCK_STOPPED,
    }
}
