//! What was seen: the timed list of lifts, puts, presses and readings that an incident rests on.

use bincode::{Decode, Encode};
use eboard::{FaceTime, Moment};
use shakmaty::{ByColor, Color};

use crate::hand::Touched;
use crate::message::Message;
use crate::say;

/// The most traces kept for one move.
const TRACES_MAX: usize = 256;

/// One thing that was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Trace {
    /// A lift, a put or both on one square.
    Touched(Touched),
    /// This side pressed the clock.
    Pressed(Color),
    /// Both times stood still.
    Stopped,
    /// A time began to count again.
    Started,
    /// What the clock showed.
    Face(ByColor<FaceTime>),
}

impl Trace {
    /// In words. A replacement is a lift and a put: see [`Trace::parts`].
    #[must_use]
    pub fn text(&self) -> Message {
        match self {
            Self::Touched(touched) => touch(touched),
            Self::Pressed(side) => say::seen_press(*side),
            Self::Stopped => say::seen_stop(),
            Self::Started => say::seen_start(),
            Self::Face(times) => say::seen_times(times.white, times.black),
        }
    }

    /// The single acts in it.
    pub fn parts(&self) -> impl Iterator<Item = Self> {
        let parts = match *self {
            Self::Touched(touched) if touched.lifted.is_some() && touched.put.is_some() => [
                Some(Self::Touched(Touched { put: None, ..touched })),
                Some(Self::Touched(Touched { lifted: None, ..touched })),
            ],
            trace => [Some(trace), None],
        };
        parts.into_iter().flatten()
    }
}

fn touch(touched: &Touched) -> Message {
    let square = touched.square;
    match (touched.lifted, touched.put) {
        (Some(piece), _) => say::seen_lift(piece, square),
        (None, Some(piece)) => say::seen_put(piece, square),
        (None, None) => say::seen_touch(square),
    }
}

/// A trace and when it reached us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Evidence {
    /// When.
    pub at: Moment,
    /// What.
    pub trace: Trace,
}

/// The traces since the last move that can no longer change.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(crate) struct Traces(Vec<Evidence>);

impl Traces {
    pub fn add(&mut self, at: Moment, trace: Trace) {
        if self.0.len() == TRACES_MAX {
            self.0.remove(0);
        }
        self.0.push(Evidence { at, trace });
    }

    pub fn forget_before(&mut self, moment: Moment) {
        self.0.retain(|evidence| evidence.at >= moment);
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn all(&self) -> Vec<Evidence> {
        self.0.clone()
    }
}
