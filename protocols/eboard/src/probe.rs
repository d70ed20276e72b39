//! Finding out which language an unknown line speaks: all listen, one at a time asks.

use std::time::Duration;

use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};

use crate::{Conversation, Driver, Input, LineSettings, Moment, Output, Reason, Sighting};

/// How long every candidate only listens before the first one asks.
const LISTEN: Duration = Duration::from_millis(1500);

/// The machine that tries drivers on a line until one of them recognises what it hears.
///
/// The first well-formed frame of any language wins, whoever was asking: a board that talks by
/// itself is recognised at once. Otherwise each driver asks in turn, in the order given, for as
/// long as its row says, and then the round begins anew, for ever.
pub struct Probe {
    drivers: Vec<&'static Driver>,
    listeners: Vec<Box<dyn Conversation>>,
    /// Who asks first.
    first: usize,
    turn: Turn,
    until: Moment,
}

/// A probe as it is kept: everything but the drivers it tries.
#[derive(Encode, Decode)]
pub struct SavedProbe {
    listeners: Vec<Vec<u8>>,
    first: usize,
    turn: Turn,
    until: Moment,
}

#[derive(Clone, Copy, PartialEq, Eq, Encode, Decode)]
enum Turn {
    Listening,
    Asking(usize),
}

/// What a probe wants done or has found.
pub enum Probed {
    /// Set the line like this before anything else is written.
    Set(LineSettings),
    /// Write these bytes.
    Send(Vec<u8>),
    /// This language was heard; the probe has done its work.
    Found {
        /// Whose language it is.
        driver: &'static Driver,
        /// The conversation that recognised it, to be given [`Input::Opened`] and carried on.
        conversation: Box<dyn Conversation>,
        /// What it has answered to the bytes that made it recognise the line.
        answers: Vec<Output>,
    },
}

impl Probe {
    /// A probe over these drivers, in the order in which they may ask.
    #[must_use]
    pub fn new(now: Moment, drivers: Vec<&'static Driver>) -> Self {
        let listeners = drivers.iter().map(|driver| (driver.converse)()).collect();
        Self { drivers, listeners, first: 0, turn: Turn::Listening, until: now + LISTEN }
    }

    /// The same on a line where this language was spoken before: it asks first, and at once.
    #[must_use]
    pub fn expecting(self, now: Moment, language: &str) -> Self {
        match self.drivers.iter().position(|driver| driver.name == language) {
            Some(first) => Self { first, until: now, ..self },
            None => self,
        }
    }

    /// Everything it knows.
    ///
    /// # Errors
    /// When it cannot be written down.
    pub fn save(&self) -> Result<SavedProbe, EncodeError> {
        let listeners = self.listeners.iter().map(|it| it.save()).collect::<Result<_, _>>()?;
        Ok(SavedProbe { listeners, first: self.first, turn: self.turn, until: self.until })
    }

    /// Goes on where a probe over the same drivers was saved.
    ///
    /// # Errors
    /// When that was no such probe.
    pub fn restore(saved: SavedProbe, drivers: Vec<&'static Driver>) -> Result<Self, DecodeError> {
        let SavedProbe { listeners, first, turn, until } = saved;
        let asking = matches!(turn, Turn::Asking(asking) if asking >= drivers.len());
        if asking || first > drivers.len() || listeners.len() != drivers.len() {
            return Err(DecodeError::Other("a probe over other drivers"));
        }
        let listeners = drivers.iter().zip(listeners);
        let listeners = listeners.map(|(driver, saved)| (driver.restore)(&saved));
        let listeners = listeners.collect::<Result<_, _>>()?;
        Ok(Self { drivers, listeners, first, turn, until })
    }

    /// How the line is to be set at the beginning.
    #[must_use]
    pub fn settings(&self) -> Option<LineSettings> {
        self.drivers.get(self.first).map(|driver| driver.line)
    }

    /// Bytes have arrived.
    pub fn heard(&mut self, now: Moment, bytes: &[u8], out: &mut Vec<Probed>) {
        for listener in 0..self.listeners.len() {
            self.step(now, listener, Input::Bytes(bytes), out);
        }
    }

    /// The deadline has come: the driver that asks goes on asking, or the next one begins.
    pub fn due(&mut self, now: Moment, out: &mut Vec<Probed>) {
        if self.drivers.is_empty() {
            return;
        }
        if now < self.until {
            if let Turn::Asking(asking) = self.turn {
                self.step(now, asking, Input::Due, out);
            }
            return;
        }
        let next = match self.turn {
            Turn::Listening => self.first % self.drivers.len(),
            Turn::Asking(asking) => (asking + 1) % self.drivers.len(),
        };
        let driver = self.drivers[next];
        self.turn = Turn::Asking(next);
        self.until = now + driver.patience;
        self.listeners[next] = (driver.converse)();
        out.push(Probed::Set(driver.line));
        self.step(now, next, Input::Opened, out);
    }

    /// When the driver that asks wants to go on, or the next one to begin.
    #[must_use]
    pub fn deadline(&self) -> Option<(Moment, Reason)> {
        let next = (self.until, Reason("nobody recognised the line yet"));
        let asking = match self.turn {
            Turn::Asking(asking) => self.listeners[asking].deadline(),
            Turn::Listening => None,
        };
        let earlier = asking.filter(|&(at, _)| at < self.until).unwrap_or(next);
        (!self.drivers.is_empty()).then_some(earlier)
    }

    fn step(&mut self, now: Moment, who: usize, input: Input<'_>, out: &mut Vec<Probed>) {
        let mut answers = Vec::new();
        self.listeners[who].handle(now, input, &mut answers);
        let driver = self.drivers[who];
        if answers.iter().any(|it| matches!(it, Output::Saw(_, Sighting::Identified(_)))) {
            let conversation = std::mem::replace(&mut self.listeners[who], (driver.converse)());
            out.push(Probed::Found { driver, conversation, answers });
        } else if self.turn == Turn::Asking(who) {
            out.extend(answers.into_iter().filter_map(|answer| match answer {
                Output::Send(bytes) => Some(Probed::Send(bytes)),
                Output::Saw(..) | Output::Noise(_) => None,
            }));
        }
    }
}
