//! What has happened in the step that is being taken, for the machines that follow it. Every step
//! begins anew, so nothing of it is kept.

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};
use eboard::{Moment, Reason};

use super::hands::Reported;
use super::parting::Parting;
use super::{Effect, Event, Play};
use crate::turn::Turns;

/// The events of one step.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// In the order in which they happened.
    pub events: Vec<Event>,
    /// An arbiter has said what the position is.
    pub sets_position: bool,
    /// An arbiter has ruled on an alert.
    pub ruled: bool,
    /// The first event of the game that began in this step, and what is open of the one before.
    pub game_from: usize,
    pub earlier: Vec<Reported>,
    /// What hands have done in it before it was known to have begun.
    pub hands: Option<Turns>,
    /// What becomes of the game that is followed apart.
    pub parting: Parting,
    /// It is a reading of the clock by which the same time goes on counting, and nothing else has
    /// come of it.
    pub goes_on: bool,
}

/// When a table wants to be woken, and why.
pub(super) type Wakes = Option<(Moment, Reason)>;

impl Encode for Step {
    fn encode<E: Encoder>(&self, _: &mut E) -> Result<(), EncodeError> {
        Ok(())
    }
}

impl<Context> Decode<Context> for Step {
    fn decode<D: Decoder<Context = Context>>(_: &mut D) -> Result<Self, DecodeError> {
        Ok(Self::default())
    }
}

bincode::impl_borrow_decode!(Step);

impl Step {
    /// Another game begins. The events until now belong to the one before. `earlier` are its alerts
    /// that are still open.
    pub fn begins(&mut self, earlier: Vec<Reported>) {
        (self.game_from, self.earlier) = (self.events.len(), earlier);
    }

    /// Another step begins.
    pub fn start(&mut self) {
        let mut events = std::mem::take(&mut self.events);
        events.clear();
        *self = Self { events, ..Self::default() };
    }

    /// Whether such an event has happened.
    pub fn has(&self, is_it: impl Fn(&Event) -> bool) -> bool {
        self.events.iter().any(is_it)
    }
}

impl Play {
    /// Announces an event to whoever listens, and to the machines of this table.
    pub(super) fn tell(&mut self, event: Event, out: &mut Vec<Effect>) {
        self.step.events.push(event.clone());
        out.push(Effect::Event(event));
    }
}
