//! Finding out which language an unknown line speaks: all listen, one at a time asks.

use std::time::Duration;

use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};

use crate::{Carrier, Conversation, Driver, Input, LineSettings, Moment, Output, Reason, Sighting};

/// How long every candidate only listens before the first one asks: some boards talk by themselves
/// many times in it, and who does not is heard all the same while others ask.
const LISTEN: Duration = Duration::from_millis(400);

/// The machine that tries drivers on a line until one of them recognises what it hears.
///
/// The first well-formed frame of any language wins, whoever was asking: a board that talks by
/// itself is recognised at once. Otherwise they ask in turn, in the order given, for as long as
/// their rows say, and then the round begins anew, for ever. Those whose lines are set alike share
/// a turn: what one of them says, the others' boards hear too, so it must be harmless to them.
pub struct Probe {
    drivers: Vec<&'static Driver>,
    listeners: Vec<Box<dyn Conversation>>,
    /// Who asks together: those whose lines are set alike, in their order.
    turns: Vec<Vec<usize>>,
    /// Which turn is the first.
    first: usize,
    turn: Turn,
    until: Moment,
}

/// A probe as it is kept: everything but the drivers it tries.
#[derive(Encode, Decode)]
pub struct SavedProbe {
    /// What is known of each driver, by its name, in the order in which they ask.
    listeners: Vec<(String, Vec<u8>)>,
    first: usize,
    turn: Turn,
    until: Moment,
}

#[derive(Clone, Copy, PartialEq, Eq, Encode, Decode)]
enum Turn {
    Listening,
    /// The drivers of this turn ask.
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
    /// A probe over those of these drivers that may ask on such a line, in their order.
    #[must_use]
    pub fn new(now: Moment, drivers: &[&'static Driver], carrier: Carrier) -> Self {
        let drivers = askers(drivers, carrier);
        let listeners = drivers.iter().map(|driver| (driver.converse)()).collect();
        let (turns, turn) = (turns(&drivers), Turn::Listening);
        Self { drivers, listeners, turns, first: 0, turn, until: now + LISTEN }
    }

    /// The same where others near it speak these languages: they ask first, in their order.
    #[must_use]
    pub fn favouring(mut self, languages: &[&str]) -> Self {
        let place = |driver: &Driver| languages.iter().position(|name| *name == driver.name);
        let mut pairs: Vec<_> = self.drivers.into_iter().zip(self.listeners).collect();
        pairs.sort_by_key(|(driver, _)| place(driver).unwrap_or(languages.len()));
        (self.drivers, self.listeners) = pairs.into_iter().unzip();
        self.turns = turns(&self.drivers);
        self
    }

    /// The same on a line where this language was spoken before: it asks first, and at once.
    #[must_use]
    pub fn expecting(self, now: Moment, language: &str) -> Self {
        let speaks = |turn: &Vec<usize>| turn.iter().any(|it| self.drivers[*it].name == language);
        match self.turns.iter().position(speaks) {
            Some(first) => Self { first, until: now, ..self },
            None => self,
        }
    }

    /// Everything it knows.
    ///
    /// # Errors
    /// When it cannot be written down.
    pub fn save(&self) -> Result<SavedProbe, EncodeError> {
        let listeners = self.drivers.iter().zip(&self.listeners);
        let listeners = listeners.map(|(driver, it)| Ok((driver.name.to_owned(), it.save()?)));
        let listeners = listeners.collect::<Result<_, EncodeError>>()?;
        Ok(SavedProbe { listeners, first: self.first, turn: self.turn, until: self.until })
    }

    /// Goes on where a probe over the same drivers was saved.
    ///
    /// # Errors
    /// When that was no such probe.
    pub fn restore(
        saved: SavedProbe,
        drivers: &[&'static Driver],
        carrier: Carrier,
    ) -> Result<Self, DecodeError> {
        let drivers = askers(drivers, carrier);
        let SavedProbe { listeners, first, turn, until } = saved;
        let named = |name: &String| drivers.iter().find(|driver| driver.name == name).copied();
        let known = drivers.len();
        let drivers: Vec<_> = listeners.iter().filter_map(|(name, _)| named(name)).collect();
        let turns = turns(&drivers);
        let asking = matches!(turn, Turn::Asking(asking) if asking >= turns.len());
        if asking
            || first > turns.len()
            || listeners.len() != drivers.len()
            || known != drivers.len()
        {
            return Err(DecodeError::Other("a probe over other drivers"));
        }
        let listeners = drivers.iter().zip(listeners);
        let listeners = listeners.map(|(driver, (_, saved))| (driver.restore)(&saved));
        let listeners = listeners.collect::<Result<_, _>>()?;
        Ok(Self { drivers, listeners, turns, first, turn, until })
    }

    /// How the line is to be set at the beginning.
    #[must_use]
    pub fn settings(&self) -> Option<LineSettings> {
        let who = *self.turns.get(self.first)?.first()?;
        self.drivers[who].settings()
    }

    /// How long the whole round of questions takes, with the time in which all only listen: by then
    /// every language has asked once and waited for its answer.
    #[must_use]
    pub fn round(drivers: &[&'static Driver], carrier: Carrier) -> Duration {
        let drivers = &askers(drivers, carrier);
        turns(drivers).iter().map(|turn| patience(drivers, turn)).sum::<Duration>() + LISTEN
    }

    /// Who asks now.
    fn asking(&self) -> &[usize] {
        match self.turn {
            Turn::Asking(turn) => &self.turns[turn],
            Turn::Listening => &[],
        }
    }

    /// Bytes have arrived.
    pub fn heard(&mut self, now: Moment, bytes: &[u8], out: &mut Vec<Probed>) {
        for listener in 0..self.listeners.len() {
            self.step(now, listener, Input::Bytes(bytes), out);
        }
    }

    /// The deadline has come: those who ask go on asking, or the next turn begins.
    pub fn due(&mut self, now: Moment, out: &mut Vec<Probed>) {
        if self.drivers.is_empty() {
            return;
        }
        if now < self.until {
            for asking in self.asking().to_vec() {
                self.step(now, asking, Input::Due, out);
            }
            return;
        }
        let next = match self.turn {
            Turn::Listening => self.first % self.turns.len(),
            Turn::Asking(turn) => (turn + 1) % self.turns.len(),
        };
        self.turn = Turn::Asking(next);
        let together = self.turns[next].clone();
        self.until = now + patience(&self.drivers, &together);
        let settings = together.first().and_then(|who| self.drivers[*who].settings());
        out.extend(settings.map(Probed::Set));
        for who in together {
            self.listeners[who] = (self.drivers[who].converse)();
            self.step(now, who, Input::Opened, out);
        }
    }

    /// When those who ask want to go on, or the next to begin.
    #[must_use]
    pub fn deadline(&self) -> Option<(Moment, Reason)> {
        let next = (self.until, Reason("nobody recognised the line yet"));
        let asking = self.asking().iter().filter_map(|who| self.listeners[*who].deadline());
        let asking = asking.min_by_key(|(at, _)| *at);
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
        } else if self.asking().contains(&who) {
            out.extend(answers.into_iter().filter_map(|answer| match answer {
                Output::Send(bytes) => Some(Probed::Send(bytes)),
                Output::Saw(..) | Output::Noise(_) => None,
            }));
        }
    }
}

/// Who asks together: those whose lines are set alike, in the order given.
fn turns(drivers: &[&'static Driver]) -> Vec<Vec<usize>> {
    let mut turns: Vec<Vec<usize>> = Vec::new();
    for (who, driver) in drivers.iter().enumerate() {
        let alike = |turn: &&mut Vec<usize>| drivers[turn[0]].settings() == driver.settings();
        match turns.iter_mut().find(alike) {
            Some(turn) => turn.push(who),
            None => turns.push(vec![who]),
        }
    }
    turns
}

/// How long a turn takes.
fn patience(drivers: &[&'static Driver], turn: &[usize]) -> Duration {
    turn.iter().map(|who| drivers[*who].patience).max().unwrap_or_default()
}

fn askers(drivers: &[&'static Driver], carrier: Carrier) -> Vec<&'static Driver> {
    let asks = |driver: &&&Driver| driver.probed && driver.speaks_over(carrier);
    drivers.iter().filter(asks).copied().collect()
}
