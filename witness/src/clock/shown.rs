//! What a clock shows, for everybody who asks. It is put together once, by whatever changes what
//! was read: a step asks ten times and more.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};
use eboard::{ClockFace, FaceTime, Moment};
use shakmaty::{ByColor, Color};

use super::{ClockState, Readings};
use crate::clock::tolerances::FRESH;
use crate::time_control::TimeControl;

/// The clock of one table.
#[derive(Clone, Debug, Default)]
pub struct Clocks {
    readings: Readings,
    /// What they show. It cannot be older than they are: only [`Changing`] changes them.
    state: Option<ClockState>,
}

/// Readings that are being changed. What they show is put together when that is done.
pub(crate) struct Changing<'a>(&'a mut Clocks);

impl Deref for Changing<'_> {
    type Target = Readings;

    fn deref(&self) -> &Readings {
        &self.0.readings
    }
}

impl DerefMut for Changing<'_> {
    fn deref_mut(&mut self) -> &mut Readings {
        &mut self.0.readings
    }
}

impl Drop for Changing<'_> {
    fn drop(&mut self) {
        self.0.state = self.0.readings.state();
    }
}

impl Deref for Clocks {
    type Target = Readings;

    fn deref(&self) -> &Readings {
        &self.readings
    }
}

impl Encode for Clocks {
    fn encode<E: Encoder>(&self, to: &mut E) -> Result<(), EncodeError> {
        self.readings.encode(to)
    }
}

impl<Context> Decode<Context> for Clocks {
    fn decode<D: Decoder<Context = Context>>(from: &mut D) -> Result<Self, DecodeError> {
        let readings = Readings::decode(from)?;
        Ok(Self { state: readings.state(), readings })
    }
}

bincode::impl_borrow_decode!(Clocks);

impl Clocks {
    /// What the clock shows, by colour; none before a clock was read and its sides are known.
    #[must_use]
    pub fn state(&self) -> Option<ClockState> {
        debug_assert_eq!(self.state, self.readings.state(), "What is shown is what was read.");
        self.state
    }

    /// What this side has left.
    #[must_use]
    pub fn time(&self, side: Color) -> Option<FaceTime> {
        self.state.map(|state| *state.times.get(side))
    }

    /// What this side has left, if that can be known now: a time that counts has gone on since a
    /// reading that is old.
    pub(crate) fn time_now(&self, now: Moment, side: Color) -> Option<FaceTime> {
        let fresh = |(at, face): (Moment, ClockFace)| !face.running || now.since(at) <= FRESH;
        self.time(side).filter(|_| !self.lost() && self.readings.face.is_some_and(fresh))
    }

    /// For whoever changes what was read.
    pub(crate) fn change(&mut self) -> Changing<'_> {
        Changing(self)
    }

    /// See [`Readings::pass`].
    pub(crate) fn pass(&mut self, now: Moment, face: ClockFace) -> bool {
        let passes = self.readings.pass(now, face);
        if let Some(state) = self.state.as_mut().filter(|_| passes) {
            let (time, waits) = (face.dial(face.lever).time, self.readings.keeper.waits());
            state.sampled = now;
            state.flag_due = Some(now + waits + Duration::from_millis(time.as_ms().into()));
            if let Some(side) = state.running {
                *state.times.get_mut(side) = time;
            }
        }
        passes
    }

    /// See [`Readings::expect`]. As a rule nothing else is expected than at the last reading.
    pub(crate) fn expect(
        &mut self,
        control: Option<TimeControl>,
        moves: ByColor<u32>,
        begun: bool,
    ) {
        if !self.readings.expects(control.as_ref(), moves, begun) {
            self.change().expect(control, moves, begun);
        }
    }

    /// See [`Readings::believed`]. What is held back is not shown.
    pub(crate) fn believed(
        &mut self,
        now: Moment,
        face: ClockFace,
    ) -> impl Iterator<Item = (Moment, ClockFace)> + use<> {
        self.readings.believed(now, face)
    }
}
