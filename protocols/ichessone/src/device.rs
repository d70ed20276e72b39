//! The host's side of a conversation with one iChessOne board. Not its wire format (see
//! [`crate::frame`]) and not what the positions mean.
//!
//! The board is asked what stands on it until it is recognised, and then told to report changes by
//! itself. Its messages have no check: what has changed is asked for once more at once, so that a
//! damaged half byte stands for a moment only. It is asked every two seconds all the same, because
//! a report may be lost, and told to report again every half minute: one that lost its power for a
//! moment has forgotten the order.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{
    Anomaly, Battery, Device, Identity, Input, Moment, Outbox, Pacer, Pieces, Placement, Presence,
    Reason, Sighting, Station,
};

use crate::frame::{Answer, Command, Reader};

/// Least time between two things sent, as another host keeps it.
pub(crate) const PACE: Duration = Duration::from_millis(150);

/// How long an answer may take before the board is asked again.
const ANSWER_WAIT: Duration = Duration::from_millis(700);

/// How long after its last position a board is asked again.
const CROSS_CHECK: Duration = Duration::from_secs(2);

/// How often the order to report changes is given again.
const RENEWAL: Duration = Duration::from_secs(30);

/// How often the battery is asked for.
const BATTERY: Duration = Duration::from_secs(300);

/// A hardware version that was not told after so many questions is not asked for again.
const VERSION_TRIES: u8 = 3;

/// One conversation with an iChessOne board.
#[derive(Debug, Default, Encode, Decode)]
pub struct IChessOne {
    reader: Reader,
    presence: Presence,
    pacer: Pacer,
    /// What is known of the board; `None` until it is recognised.
    identity: Option<Identity>,
    /// The board last reported, in the order of the wire.
    shown: Option<Placement>,
    /// The next position is to be reported even if it is the same as the last.
    survey: bool,
    /// The last position is to be heard once more before it is believed to stay.
    confirm: bool,
    power: Option<Battery>,
    /// When a position was asked for that has not come yet.
    asked: Option<Moment>,
    /// When the last position came.
    boarded: Option<Moment>,
    /// When the board is to be told to report changes, and when to be asked for its power.
    renew: Moment,
    ask_power: Moment,
    versions_asked: u8,
}

impl Device for IChessOne {
    type Senses = Pieces;

    fn handle(&mut self, now: Moment, input: Input<'_>, out: &mut Outbox<'_, Pieces>) {
        match input {
            Input::Opened => self.open(now),
            Input::Bytes(bytes) => self.listen(now, bytes, out),
            Input::Due => {}
            Input::Survey(_) => {
                self.survey = true;
                self.asked = None;
            }
        }
        self.mind_silence(now, out);
        self.speak(now, out);
    }

    fn deadline(&self) -> Option<(Moment, Reason)> {
        let next = self.next().map(|(at, command)| (at, reason(command)));
        self.presence.deadline().into_iter().chain(next).min_by_key(|(at, _)| *at)
    }
}

impl IChessOne {
    /// What the reader holds is kept: after a search the line goes on where it was.
    fn open(&mut self, now: Moment) {
        *self = Self { presence: Presence::opened(now), pacer: self.pacer, ..Self::default() };
    }

    fn listen(&mut self, now: Moment, bytes: &[u8], out: &mut Outbox<'_, Pieces>) {
        for message in self.reader.feed(bytes) {
            match message {
                Ok(answer) => {
                    self.understand(now, answer, out);
                    if self.identity.is_some() {
                        self.presence.heard(now);
                    }
                }
                Err(anomaly) => self.noise(anomaly, out),
            }
        }
    }

    /// Whatever was damaged may have been a change.
    fn noise(&mut self, anomaly: Anomaly, out: &mut Outbox<'_, Pieces>) {
        out.noise(anomaly);
        self.confirm |= self.identity.is_some();
    }

    /// A board is known by a whole position only: the other messages are so short that noise, or
    /// another language, may look like them.
    fn understand(&mut self, now: Moment, answer: Answer, out: &mut Outbox<'_, Pieces>) {
        match answer {
            Answer::Position(placement) => {
                self.recognise(out, |_| {});
                self.boarded = Some(now);
                let changed = self.shown != Some(placement);
                if self.survey || changed {
                    out.board(Station::ONLY, placement);
                }
                (self.asked, self.survey, self.confirm) = (None, false, changed);
                self.shown = Some(placement);
            }
            Answer::Hardware(version) if self.identity.is_some() => {
                self.recognise(out, |it| it.firmware = Some(version));
            }
            Answer::Battery(battery) if self.identity.is_some() => {
                if self.power.replace(battery) != Some(battery) {
                    out.beside(Station::ONLY, Sighting::Battery(battery));
                }
            }
            Answer::Hardware(_) | Answer::Battery(_) => {}
        }
    }

    /// Adds to what is known of the board, and says so if it is news.
    fn recognise(&mut self, out: &mut Outbox<'_, Pieces>, add: impl FnOnce(&mut Identity)) {
        self.survey |= self.identity.is_none();
        out.introduce(Station::ONLY, &mut self.identity, crate::NAME, add);
    }

    /// A board gone silent may come back as another: it is asked for everything again.
    fn mind_silence(&mut self, now: Moment, out: &mut Outbox<'_, Pieces>) {
        if !self.presence.falls_silent(now) {
            return;
        }
        out.beside(Station::ONLY, Sighting::Silent);
        *self = Self {
            presence: std::mem::take(&mut self.presence),
            pacer: self.pacer,
            ..Self::default()
        };
    }

    fn speak(&mut self, now: Moment, out: &mut Outbox<'_, Pieces>) {
        let Some((_, command)) = self.next().filter(|(at, _)| *at <= now) else { return };
        out.send(command.word());
        self.pacer.sent(now);
        match command {
            Command::Position => self.asked = Some(now),
            Command::OnChange => self.renew = now + RENEWAL,
            Command::Battery => self.ask_power = now + BATTERY,
            Command::Hardware => self.versions_asked += 1,
        }
    }

    /// What will be sent next, and when; of what is due at the same moment, the first in this
    /// order.
    fn next(&self) -> Option<(Moment, Command)> {
        if !self.presence.is_opened() {
            return None;
        }
        let known = self.identity.as_ref();
        let version =
            known.is_some_and(|it| it.firmware.is_none()) && self.versions_asked < VERSION_TRIES;
        let again = self.pacer.after(ANSWER_WAIT);
        let wishes = [
            Some((self.poll(), Command::Position)),
            known.map(|_| (self.renew, Command::OnChange)),
            version.then_some((again, Command::Hardware)),
            known.map(|_| (self.ask_power, Command::Battery)),
        ];
        self.pacer.next(PACE, wishes.into_iter().flatten())
    }

    /// When the next position should be asked for.
    fn poll(&self) -> Moment {
        match (self.asked, self.boarded) {
            (Some(asked), _) => asked + ANSWER_WAIT,
            (None, Some(boarded)) if !self.survey && !self.confirm => boarded + CROSS_CHECK,
            _ => Moment::ZERO,
        }
    }
}

fn reason(command: Command) -> Reason {
    Reason(match command {
        Command::Position => "what stands on the board",
        Command::OnChange => "tell every change",
        Command::Hardware => "which board is there",
        Command::Battery => "how much power is left",
    })
}
