//! The host's side of a conversation with one board. Claims come out, no belief is formed here.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{Anomaly, ClockFace, Device, Input, Moment, Outbox, Pieces, Placement, Reason};
use eboard::{FaceTime, FlagMark, Sighting, Station};

use crate::agenda::Agenda;
use crate::clock::Report;
use crate::command::Command;
use crate::frame::{Decoder, Frame, Heard};
use crate::identity::{Acquaintance, Match};
use crate::squares::{Dump, Squares};
use crate::vigil::{Alarm, Vigil};

/// A line just opened is left alone for so long before the first order. Other software waits longer
/// (picochess: 0.5 s); but the orders that follow ask a board that was not ready again and again.
const SETTLE: Duration = Duration::from_millis(200);

/// A dump still wanting after this long is asked again; answers of 0.4 s are on record (picochess
/// issue 267).
const DUMP_RETRY: Duration = Duration::from_secs(2);
/// After noise a dump is asked, but not more often than this: one takes 0.07 s of the line.
const DUMP_AFTER_NOISE: Duration = Duration::from_secs(1);
/// Without any cause, updates are switched on again, a dump and the serial number are asked this
/// often: a lost update is never repeated, a board that lost its power for a moment tells nothing
/// any more, and one board may have been exchanged for another.
const RENEWAL: Duration = Duration::from_secs(30);

/// A running clock reports every second of itself; quiet for longer, it is asked. The frame of a
/// fallen flag is the last one and never repeated.
const CLOCK_RUNNING: Duration = Duration::from_secs(2);
/// The same while one of the times is below [`LAST_MINUTE`].
const CLOCK_LAST_MINUTE: Duration = Duration::from_millis(1200);
/// A clock that is stopped or not there is asked this often; also shorter than the quiet after
/// which a board is asked whether it is there.
const CLOCK_STOPPED: Duration = Duration::from_secs(4);
/// A sign of a fallen flag that was not there before is asked for once more at once: frames have no
/// checksum.
const CLOCK_FLAG: Duration = Duration::from_millis(500);
/// A running clock that stays quiet for so long while the board tells of other things, and has been
/// asked meanwhile, is not there any more.
const CLOCK_UNANSWERED: Duration = Duration::from_secs(3);
const LAST_MINUTE: FaceTime = FaceTime::from_hms(0, 1, 0);

/// A serial number that has not been told is asked for again after this long: it says whose table
/// this is.
const SERIAL_RETRY: Duration = Duration::from_secs(2);

/// A battery that has answered once is asked again after this long.
const BATTERY: Duration = Duration::from_secs(60);

/// One conversation with one board.
#[derive(Debug, Default, Encode, Decode)]
pub struct Host {
    decoder: Decoder,
    talk: Talk,
}

impl Host {
    /// A host that has not been given a line yet: it listens and sends nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Device for Host {
    type Senses = Pieces;

    fn handle(&mut self, now: Moment, input: Input<'_>, out: &mut Outbox<'_, Pieces>) {
        match input {
            Input::Opened => {
                let who = std::mem::take(&mut self.talk.who);
                let before = self.talk.line.take().map(|line| line.agenda);
                *self = Self { decoder: Decoder::default(), talk: Talk::open(now, who, before) };
            }
            Input::Bytes(bytes) => {
                let talk = &mut self.talk;
                self.decoder.feed(bytes, |heard| talk.hear(now, heard, out));
                if self.decoder.in_log() {
                    self.talk.is_there(now);
                }
            }
            Input::Survey(_) => self.talk.survey(now),
            Input::Due => {}
        }
        self.talk.act(now, out);
    }

    fn deadline(&self) -> Option<(Moment, Reason)> {
        let line = self.talk.line.as_ref()?;
        let squares = &self.talk.squares;
        let confirm = squares.ask_at().map(|at| (at, Reason("changes are to be confirmed")));
        let give_in = squares.give_in_at().map(|at| (at, Reason("a dump is not confirmed")));
        let others = [line.agenda.next(), confirm, give_in].into_iter().flatten();
        let quiet = line.vigil.deadline();
        Some(others.fold(quiet, |first, other| if other.0 < first.0 { other } else { first }))
    }
}

/// Everything of a conversation but the bytes.
#[derive(Debug, Default, Encode, Decode)]
struct Talk {
    who: Acquaintance,
    squares: Squares,
    /// Only a line that has been opened may be written to.
    line: Option<Line>,
}

/// What there is to do on a line that has been opened.
#[derive(Debug, Encode, Decode)]
struct Line {
    agenda: Agenda,
    vigil: Vigil,
    dump_asked: Moment,
    clock_period: Duration,
    /// The last report of the clock showed a fallen flag.
    flagged: bool,
    /// When a clock that ran was last heard.
    clock_ran: Option<Moment>,
    /// Since when the board has told of other things although that clock owed a report.
    clock_owes: Option<Moment>,
    has_battery: bool,
}

impl Talk {
    /// Whoever was recognised while nobody had opened the line, or in a search, is known already
    /// and can be asked at once.
    fn open(now: Moment, who: Acquaintance, before: Option<Agenda>) -> Self {
        let known = who.is_recognised();
        let begin = if known { now } else { now + SETTLE };
        let mut agenda = before.unwrap_or_default();
        agenda.renew(begin);
        if who.knows_firmware() {
            agenda.postpone(Command::Version, now + RENEWAL);
        }
        let line = Line {
            agenda,
            vigil: Vigil::new(begin),
            dump_asked: Moment::ZERO,
            clock_period: CLOCK_STOPPED,
            flagged: false,
            clock_ran: None,
            clock_owes: None,
            has_battery: false,
        };
        Self { who, line: Some(line), ..Self::default() }
    }

    fn hear(&mut self, now: Moment, heard: Heard<'_>, out: &mut Outbox<'_, Pieces>) {
        match heard {
            Heard::Frame(frame) => {
                self.is_there(now);
                if let Some(line) = self.line.as_mut().filter(|_| frame.is_answer()) {
                    line.agenda.answered(now);
                }
                self.recognise(now, &frame, out);
                self.frame(now, frame, out);
            }
            Heard::Noise(anomaly) => self.noise(now, anomaly, out),
        }
    }

    fn is_there(&mut self, now: Moment) {
        let Some(line) = &mut self.line else { return };
        if line.clock_ran.is_some_and(|heard| now >= heard + CLOCK_RUNNING) {
            line.clock_owes.get_or_insert(now);
        }
        if line.vigil.heard(now) {
            // Whoever has not been heard at all has to answer first.
            line.clock_ran = line.clock_ran.map(|_| now);
            line.clock_owes = None;
            line.survey(now);
            line.agenda.want(Command::UpdateNice, now);
            if !self.who.knows_firmware() {
                line.agenda.want(Command::Version, now);
            }
            if line.has_battery {
                line.agenda.want(Command::Battery, now);
            }
        }
    }

    fn recognise(&mut self, now: Moment, frame: &Frame<'_>, out: &mut Outbox<'_, Pieces>) {
        match (self.who.frame(frame), &mut self.line) {
            (Match::Doubtful, Some(line)) => line.agenda.want(Command::Serial, now),
            (Match::Other, Some(line)) => {
                line.agenda.renew(now);
                self.squares.forget();
            }
            (Match::Same | Match::Doubtful | Match::Other, _) => {}
        }
        if let Some(identity) = self.who.news() {
            out.beside(Station::ONLY, Sighting::Identified(identity));
        }
    }

    fn frame(&mut self, now: Moment, frame: Frame<'_>, out: &mut Outbox<'_, Pieces>) {
        match frame {
            Frame::Board(dump) => self.board(now, dump.placement(), out),
            Frame::Field { square, content } => {
                self.squares.change(now, square, content.man());
                out.square(Station::ONLY, square, content.man());
            }
            Frame::Clock(report) => self.clock(now, report, out),
            Frame::Battery(battery) => {
                if let Some(line) = &mut self.line {
                    line.has_battery = true;
                    line.agenda.postpone(Command::Battery, now + BATTERY);
                }
                out.beside(Station::ONLY, Sighting::Battery(battery));
            }
            Frame::Log { .. }
            | Frame::BusAddress(_)
            | Frame::Serial(_)
            | Frame::Trademark(_)
            | Frame::Version(_)
            | Frame::HardwareVersion(_)
            | Frame::LongSerial(_) => {}
        }
    }

    fn board(&mut self, now: Moment, placement: Placement, out: &mut Outbox<'_, Pieces>) {
        let dump = self.squares.dump(now, placement, self.line.is_some());
        if let Some(line) = &mut self.line {
            let next = if dump == Dump::Doubtful { now } else { now + RENEWAL };
            line.agenda.postpone(Command::Board, next);
            let renew = if dump == Dump::Corrects { now } else { now + RENEWAL };
            line.agenda.want(Command::UpdateNice, renew);
        }
        if dump != Dump::Doubtful {
            out.board(Station::ONLY, placement);
        }
    }

    fn clock(&mut self, now: Moment, report: Report, out: &mut Outbox<'_, Pieces>) {
        if let Some(line) = &mut self.line {
            line.clock_ran = line.clock_ran.map(|_| now);
            line.clock_owes = None;
        }
        let (period, flagged, sighting) = match report {
            Report::Face(face) => (period(&face), has_flag(&face), Sighting::Clock(face)),
            Report::NoClock => (CLOCK_STOPPED, false, Sighting::ClockLost),
            Report::Null | Report::Ack(_) => return,
        };
        if let Some(line) = &mut self.line {
            let runs = matches!(sighting, Sighting::Clock(face) if face.running);
            line.clock_ran = runs.then_some(now);
            let known = std::mem::replace(&mut line.flagged, flagged);
            line.clock_period = if flagged && !known { CLOCK_FLAG } else { period };
            line.agenda.postpone(Command::Clock, now + line.clock_period);
        }
        out.beside(Station::ONLY, sighting);
    }

    fn noise(&mut self, now: Moment, anomaly: Anomaly, out: &mut Outbox<'_, Pieces>) {
        out.noise(anomaly);
        self.who.noise();
        if let Some(line) = &mut self.line
            && self.who.is_recognised()
            && !line.vigil.is_silent()
        {
            line.agenda.want(Command::Board, now.max(line.dump_asked + DUMP_AFTER_NOISE));
        }
    }

    fn survey(&mut self, now: Moment) {
        if let Some(line) = &mut self.line {
            line.survey(now);
        }
    }

    fn act(&mut self, now: Moment, out: &mut Outbox<'_, Pieces>) {
        let Some(line) = &mut self.line else { return };
        if let Some(placement) = self.squares.give_in(now) {
            line.agenda.want(Command::UpdateNice, now);
            out.board(Station::ONLY, placement);
        }
        if line.clock_owes.is_some_and(|since| now >= since + CLOCK_UNANSWERED) {
            (line.clock_ran, line.clock_owes) = (None, None);
            out.beside(Station::ONLY, Sighting::ClockLost);
        }
        if self.squares.ask_at().is_some_and(|at| at <= now) {
            self.squares.asked();
            line.agenda.want(Command::Board, now);
        }
        if let Some(alarm) = line.vigil.due(now) {
            if alarm == Alarm::FallenSilent {
                line.agenda.clear();
                out.beside(Station::ONLY, Sighting::Silent);
            }
            line.agenda.want(Command::Serial, now);
        }
        if let Some(command) = line.agenda.take(now) {
            out.send([command.byte()]);
            line.follow_up(now, command, self.who.knows_number());
        }
    }
}

impl Line {
    fn survey(&mut self, now: Moment) {
        self.agenda.want(Command::Board, now);
        self.agenda.want(Command::Clock, now);
    }

    /// Plans the next time of what is asked again and again, in case no answer does so.
    fn follow_up(&mut self, now: Moment, command: Command, knows_number: bool) {
        if command == Command::Board {
            self.dump_asked = now;
        }
        if self.vigil.is_silent() {
            return;
        }
        match command {
            Command::Board => self.agenda.want(Command::Board, now + DUMP_RETRY),
            Command::Clock => self.agenda.want(Command::Clock, now + self.clock_period),
            Command::Serial => {
                let next = if knows_number { RENEWAL } else { SERIAL_RETRY };
                self.agenda.want(Command::Serial, now + next);
            }
            Command::Battery if self.has_battery => {
                self.agenda.want(Command::Battery, now + BATTERY);
            }
            _ => {}
        }
    }
}

fn has_flag(face: &ClockFace) -> bool {
    [face.left, face.right].iter().any(|dial| dial.flag != FlagMark::None)
}

/// How long this clock may be quiet before it is asked.
fn period(face: &ClockFace) -> Duration {
    let least = face.left.time.min(face.right.time);
    match (face.running, least < LAST_MINUTE) {
        (true, true) => CLOCK_LAST_MINUTE,
        (true, false) => CLOCK_RUNNING,
        (false, _) => CLOCK_STOPPED,
    }
}
