//! The host's side of a conversation with one ChessLink board. Not its wire format (see
//! [`crate::frame`]) and not what the positions mean.
//!
//! The board is asked for its version until it is recognised, then what stands on it, then what it
//! holds in its registers; only a register that holds the wrong thing is written. From then on the
//! board reports changes by itself and is asked every two seconds all the same, because reports may
//! be late or lost. A board that cannot be told to report is asked five times a second.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{
    Anomaly, Device, Identity, Input, Moment, Outbox, Pacer, Pieces, Placement, Presence, Reason,
    Sighting, Station,
};

use crate::decoder::Decoder;
use crate::frame::{Answer, Command};
use crate::setup::{ANSWER_WAIT, Setup};

/// Least time between two things sent; other hosts that work keep it, too.
pub(crate) const PACE: Duration = Duration::from_millis(150);

/// How long after its last position a board is asked again if it reports changes by itself…
const CROSS_CHECK: Duration = Duration::from_secs(2);

/// … and if it does not.
const POLL: Duration = Duration::from_millis(200);

/// One conversation with a ChessLink board.
#[derive(Debug, Default, Encode, Decode)]
pub struct ChessLink {
    decoder: Decoder<Answer>,
    presence: Presence,
    pacer: Pacer,
    setup: Setup,
    /// What is known of the board; `None` until it is recognised.
    identity: Option<Identity>,
    /// The board last reported, in the order of the wire.
    shown: Option<Placement>,
    /// The next board is to be reported even if it is the same as the last.
    survey: bool,
    /// When a position was asked for that has not come yet.
    asked: Option<Moment>,
    /// When the last position came.
    boarded: Option<Moment>,
}

impl Device for ChessLink {
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
        self.setup.pass(now);
        self.speak(now, out);
    }

    fn deadline(&self) -> Option<(Moment, Reason)> {
        let next = self.next().map(|(at, command)| (at, reason(command)));
        self.presence.deadline().into_iter().chain(next).min_by_key(|(at, _)| *at)
    }
}

impl ChessLink {
    /// What the decoder holds is kept: after a search the line goes on where it was.
    fn open(&mut self, now: Moment) {
        *self = Self { presence: Presence::opened(now), pacer: self.pacer, ..Self::default() };
    }

    fn listen(&mut self, now: Moment, bytes: &[u8], out: &mut Outbox<'_, Pieces>) {
        for message in self.decoder.feed(bytes) {
            match message {
                Ok(answer) => {
                    self.presence.heard(now);
                    self.understand(now, answer, out);
                }
                Err(anomaly) => {
                    // A board with an unreadable piece is there all the same.
                    if anomaly == Anomaly::BadValue {
                        self.presence.heard(now);
                    }
                    out.noise(anomaly);
                }
            }
        }
    }

    fn understand(&mut self, now: Moment, answer: Answer, out: &mut Outbox<'_, Pieces>) {
        self.setup.answered(&answer);
        match answer {
            Answer::Board(placement) => {
                self.recognise(out, |_| {});
                self.boarded = Some(now);
                self.asked = None;
                if self.survey || self.shown != Some(placement) {
                    out.board(Station::ONLY, placement);
                }
                self.survey = false;
                self.shown = Some(placement);
            }
            Answer::Version(version) => {
                self.recognise(out, |it| it.firmware = Some(version.to_string()));
            }
            Answer::Name(name) if self.identity.is_some() => {
                let name = name.trim();
                self.recognise(out, |it| it.model = (!name.is_empty()).then(|| name.to_owned()));
            }
            Answer::Name(_)
            | Answer::Register { .. }
            | Answer::Written { .. }
            | Answer::LightsOut
            | Answer::Lights => {}
        }
    }

    /// Adds to what is known of the board, and says so if it is news.
    fn recognise(&mut self, out: &mut Outbox<'_, Pieces>, add: impl FnOnce(&mut Identity)) {
        if self.identity.is_none() {
            self.setup.known();
            self.survey = true;
        }
        out.introduce(Station::ONLY, &mut self.identity, crate::NAME, add);
    }

    /// A board gone silent may come back as another: it is asked for everything again.
    fn mind_silence(&mut self, now: Moment, out: &mut Outbox<'_, Pieces>) {
        if !self.presence.falls_silent(now) {
            return;
        }
        out.beside(Station::ONLY, Sighting::Silent);
        self.setup.again();
        self.identity = None;
        self.asked = None;
        self.boarded = None;
    }

    fn speak(&mut self, now: Moment, out: &mut Outbox<'_, Pieces>) {
        let Some((_, command)) = self.next().filter(|(at, _)| *at <= now) else { return };
        out.send(command.encode());
        self.pacer.sent(now);
        match command {
            Command::Board => self.asked = Some(now),
            _ => self.setup.asked(now),
        }
    }

    /// What will be sent next, and when. A survey goes before a question, a question before a poll
    /// that has become due at the same moment.
    fn next(&self) -> Option<(Moment, Command)> {
        if !self.presence.is_opened() {
            return None;
        }
        let poll = self.poll().map(|at| (at, Command::Board));
        let (first, second) = match self.survey {
            true => (poll, self.setup.question()),
            false => (self.setup.question(), poll),
        };
        self.pacer.next(PACE, first.into_iter().chain(second))
    }

    /// When the next position should be asked for.
    fn poll(&self) -> Option<Moment> {
        self.identity.as_ref()?;
        let interval = if self.setup.reports_changes() { CROSS_CHECK } else { POLL };
        Some(match (self.asked, self.boarded) {
            (Some(asked), _) => asked + ANSWER_WAIT,
            (None, _) if self.survey => Moment::ZERO,
            (None, Some(boarded)) => boarded + interval,
            (None, None) => Moment::ZERO,
        })
    }
}

fn reason(command: Command) -> Reason {
    Reason(match command {
        Command::Board => "what stands on the board",
        Command::Version => "which firmware is there",
        Command::Name => "which board is there",
        Command::Read { .. } => "how is the board set",
        Command::Write { .. } => "set the board",
        Command::LightsOut => "all lamps out",
    })
}
