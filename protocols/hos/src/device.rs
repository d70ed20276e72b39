//! The host's side of a conversation with one House of Staunton board and its clock: it listens,
//! and writes nothing, ever. Not the wire format (see [`crate::frame`]).
//!
//! The ids of these boards are shared with very many other devices, and a report has no mark of its
//! own. What tells a board from anything else is that the whole of a report is a position that can
//! come up in chess, so that is waited for. Once it has been seen, whatever stands on the board is
//! told as it is.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{
    ClockFace, Device, Identity, Input, Moment, Outbox, Pieces, Placement, Presence, Reason,
    Sighting, Square, Station,
};

use crate::frame::{self, Answer};

/// With so many men a plausible position is no accident.
const MEN: usize = 16;

/// With fewer it must be told so often, and nothing else between: two bytes that happen to be kings
/// and thirty zeros are a position too.
const TIMES: u8 = 10;

/// Its clock is gone when positions have come for so long without a reading of it.
const CLOCK_GONE: Duration = Duration::from_secs(4);

/// A pause between two positions after which that is counted anew.
const PAUSE: Duration = Duration::from_secs(1);

/// A reading that has not changed is told so often all the same.
const CLOCK_AGAIN: Duration = Duration::from_secs(1);

/// One conversation with a House of Staunton board.
#[derive(Debug, Default, Encode, Decode)]
pub struct HouseOfStaunton {
    /// Only a position is a sign of life.
    presence: Presence,
    recognised: bool,
    /// How many plausible positions in a row have been heard of a board not recognised yet.
    plausible: u8,
    /// The board last reported; `None`: the next position is told whatever it is.
    shown: Option<Placement>,
    /// It has been heard to say the same position twice: it does not wait for a change.
    repeats: bool,
    /// A clock is there.
    clocked: bool,
    /// Since when positions have come without a reading of it.
    clock_owes: Option<Moment>,
    /// The face last told, and when; `None`: the next reading is told whatever it is.
    face: Option<(ClockFace, Moment)>,
}

impl Device for HouseOfStaunton {
    type Senses = Pieces;

    fn handle(&mut self, now: Moment, input: Input<'_>, out: &mut Outbox<'_, Pieces>) {
        match input {
            Input::Opened => {
                *self = Self { presence: Presence::opened(now), ..Self::default() };
            }
            Input::Bytes(report) => match frame::read(report) {
                Ok(Answer::Position(placement)) => self.position(now, placement, out),
                Ok(Answer::Clock(face)) => self.clock(now, face, out),
                Err(anomaly) => {
                    self.plausible = 0;
                    out.noise(anomaly);
                }
            },
            Input::Due => {}
            Input::Survey(_) => (self.shown, self.face) = (None, None),
        }
        self.mind_silence(now, out);
    }

    fn deadline(&self) -> Option<(Moment, Reason)> {
        self.presence.deadline().filter(|_| self.talks_by_itself())
    }
}

impl HouseOfStaunton {
    fn position(&mut self, now: Moment, placement: Placement, out: &mut Outbox<'_, Pieces>) {
        if !self.recognised && !self.recognise(&placement, out) {
            return;
        }
        self.mind_clock(now, out);
        self.presence.heard(now);
        self.repeats |= self.shown == Some(placement);
        if self.shown.replace(placement) != Some(placement) {
            out.board(Station::ONLY, placement);
        }
    }

    fn recognise(&mut self, placement: &Placement, out: &mut Outbox<'_, Pieces>) -> bool {
        let plausible = frame::is_plausible(placement);
        let men = Square::all().filter(|square| placement[*square].is_some()).count();
        self.plausible = if plausible { self.plausible.saturating_add(1) } else { 0 };
        self.recognised = plausible && (men >= MEN || self.plausible >= TIMES);
        if self.recognised {
            let identity = Identity { driver: crate::NAME.into(), ..Identity::default() };
            out.beside(Station::ONLY, Sighting::Identified(identity));
        }
        self.recognised
    }

    /// A clock that shows no time on either side tells nothing.
    fn clock(&mut self, now: Moment, face: Option<ClockFace>, out: &mut Outbox<'_, Pieces>) {
        let Some(face) = face.filter(|_| self.recognised) else { return };
        (self.clocked, self.clock_owes) = (true, None);
        let again = self.face.is_some_and(|(before, at)| before == face && now < at + CLOCK_AGAIN);
        if !again {
            self.face = Some((face, now));
            out.beside(Station::ONLY, Sighting::Clock(face));
        }
    }

    /// One that tells changes only cannot be told from one that is dead.
    const fn talks_by_itself(&self) -> bool {
        self.recognised && self.repeats
    }

    fn mind_silence(&mut self, now: Moment, out: &mut Outbox<'_, Pieces>) {
        if !self.talks_by_itself() || !self.presence.falls_silent(now) {
            return;
        }
        out.beside(Station::ONLY, Sighting::Silent);
        // The file is still open, so it is still the same device, with its clock.
        let presence = std::mem::take(&mut self.presence);
        *self = Self { presence, clocked: self.clocked, recognised: true, ..Self::default() };
    }

    /// A position has come: has the clock been quiet beside it for too long?
    fn mind_clock(&mut self, now: Moment, out: &mut Outbox<'_, Pieces>) {
        if !self.clocked {
            return;
        }
        let since = self.clock_owes.filter(|_| now < self.presence.since() + PAUSE).unwrap_or(now);
        self.clock_owes = Some(since);
        if now >= since + CLOCK_GONE {
            (self.clocked, self.clock_owes, self.face) = (false, None, None);
            out.beside(Station::ONLY, Sighting::ClockLost);
        }
    }
}
