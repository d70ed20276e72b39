//! The host's side of a conversation with one Chessnut board. Not its wire format (see
//! [`crate::frame`]) and not what the positions mean.
//!
//! The board is told to report what stands on it in real time, and it does so several times a
//! second whether anything changes or not. It is told again when no report comes: one that lost its
//! power for a moment has forgotten the order.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{
    Anomaly, Battery, Device, Identity, Input, Moment, Outbox, Pacer, Pieces, Placement, Presence,
    Reason, Sighting, Station,
};

use crate::frame::{self, Answer, Command};

/// Least time between two reports to the board, as its maker keeps it.
pub(crate) const PACE: Duration = Duration::from_millis(200);

/// How long a position or an answer may take before it is asked for again: several times as long as
/// the board takes from report to report.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the battery is asked for.
const BATTERY: Duration = Duration::from_secs(300);

/// A version that was not told after so many questions is not asked for again.
const VERSION_TRIES: u8 = 3;

/// The longest that stored games are waited for: so long waits the program of the maker.
const STORED_MAX: Duration = Duration::from_secs(120);

/// How the version of a model begins, and its name.
const MODELS: [(&str, &str); 1] = [("CNAIR_", "Chessnut Air")];

/// One conversation with a Chessnut board.
#[derive(Debug, Default, Encode, Decode)]
pub struct Chessnut {
    /// Only a position is a sign of life.
    presence: Presence,
    pacer: Pacer,
    /// What is known of the board; `None` until it is recognised.
    identity: Option<Identity>,
    /// The length that its positions give: one board has one, so a piece of a report that looks
    /// like a position of the other is none.
    length: Option<u8>,
    /// The board last reported.
    shown: Option<Placement>,
    /// The next position is to be reported even if it is the same as the last.
    survey: bool,
    power: Option<Battery>,
    /// When it was last told to report in real time.
    asked: Option<Moment>,
    /// Until when its positions are those of stored games, if nothing says that they have ended.
    stored: Option<Moment>,
    /// When it is to be asked for its power.
    ask_power: Moment,
    versions_asked: u8,
}

impl Device for Chessnut {
    type Senses = Pieces;

    fn handle(&mut self, now: Moment, input: Input<'_>, out: &mut Outbox<'_, Pieces>) {
        match input {
            Input::Opened => {
                let (presence, pacer) = (Presence::opened(now), self.pacer);
                *self = Self { presence, pacer, length: self.length, ..Self::default() };
            }
            Input::Bytes(report) => match frame::read(report) {
                Ok(Answer::Position(_)) if self.is_foreign(report) => {
                    out.noise(Anomaly::BadLength);
                }
                Ok(answer) => self.understand(now, answer, out),
                Err(anomaly) => out.noise(anomaly),
            },
            Input::Due => {}
            Input::Survey(_) => self.survey = true,
        }
        self.mind_silence(now, out);
        self.speak(now, out);
    }

    fn deadline(&self) -> Option<(Moment, Reason)> {
        let next = self.next().map(|(at, command)| (at, reason(command)));
        self.presence.deadline().into_iter().chain(next).min_by_key(|(at, _)| *at)
    }
}

impl Chessnut {
    /// Whether this position gives another length than the first one did.
    fn is_foreign(&mut self, position: &[u8]) -> bool {
        let length = position.get(1).copied();
        self.length = self.length.or(length);
        self.length != length
    }

    /// A board is known by a whole position only: the other reports are so short that those of
    /// another device may look like them.
    fn understand(&mut self, now: Moment, answer: Answer, out: &mut Outbox<'_, Pieces>) {
        match answer {
            Answer::Stored(begin) => self.stored = begin.then_some(now + STORED_MAX),
            Answer::Position(_) if self.stored.is_some_and(|until| now < until) => {}
            Answer::Position(placement) => {
                self.presence.heard(now);
                self.stored = None;
                self.recognise(out, |_| {});
                if self.survey || self.shown != Some(placement) {
                    out.board(Station::ONLY, placement);
                }
                self.survey = false;
                self.shown = Some(placement);
            }
            Answer::Version(version) if self.identity.is_some() => self.recognise(out, |it| {
                let model = MODELS.iter().find(|(begin, _)| version.starts_with(begin));
                it.model = model.map(|(_, name)| (*name).to_owned());
                it.firmware = Some(version);
            }),
            Answer::Battery(Some(battery)) if self.identity.is_some() => {
                if self.power.replace(battery) != Some(battery) {
                    out.beside(Station::ONLY, Sighting::Battery(battery));
                }
            }
            Answer::Version(_) | Answer::Battery(_) | Answer::Beside => {}
        }
    }

    /// Adds to what is known of the board, and says so if it is news.
    fn recognise(&mut self, out: &mut Outbox<'_, Pieces>, add: impl FnOnce(&mut Identity)) {
        out.introduce(Station::ONLY, &mut self.identity, crate::NAME, add);
    }

    /// A board gone silent may come back as another: it is asked for everything again.
    fn mind_silence(&mut self, now: Moment, out: &mut Outbox<'_, Pieces>) {
        if !self.presence.falls_silent(now) {
            return;
        }
        out.beside(Station::ONLY, Sighting::Silent);
        let presence = std::mem::take(&mut self.presence);
        let Self { pacer, asked, stored, .. } = *self;
        *self = Self { presence, pacer, asked, stored, ..Self::default() };
    }

    fn speak(&mut self, now: Moment, out: &mut Outbox<'_, Pieces>) {
        let Some((_, command)) = self.next().filter(|(at, _)| *at <= now) else { return };
        out.send(command.report());
        self.pacer.sent(now);
        match command {
            Command::RealTime => self.asked = Some(now),
            Command::Version => self.versions_asked += 1,
            Command::Battery => self.ask_power = now + BATTERY,
        }
    }

    /// What will be sent next, and when; of what is due at the same moment, the first in this
    /// order.
    fn next(&self) -> Option<(Moment, Command)> {
        if !self.presence.is_opened() {
            return None;
        }
        let since = |asked: Moment| asked.max(self.presence.since());
        let missed = self.asked.map_or(Moment::ZERO, |asked| since(asked) + PATIENCE);
        let known = self.identity.as_ref();
        let version =
            known.is_some_and(|it| it.firmware.is_none()) && self.versions_asked < VERSION_TRIES;
        let again = self.pacer.after(PATIENCE);
        let wishes = [
            Some((missed, Command::RealTime)),
            version.then_some((again, Command::Version)),
            known.map(|_| (self.ask_power, Command::Battery)),
        ];
        self.pacer.next(PACE, wishes.into_iter().flatten())
    }
}

fn reason(command: Command) -> Reason {
    Reason(match command {
        Command::RealTime => "tell what stands on the board, all the time",
        Command::Version => "which board is there",
        Command::Battery => "how much power is left",
    })
}
