//! What was seen: the timed list of lifts, puts, presses and readings that an incident rests on.

use eboard::{FaceTime, Moment};
use shakmaty::{ByColor, Color};

use crate::hand::Touched;

/// The most traces kept for one move.
const TRACES_MAX: usize = 256;

/// One thing that was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// A trace and when it reached us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// When.
    pub at: Moment,
    /// What.
    pub trace: Trace,
}

/// The traces since the last move that can no longer change.
#[derive(Clone, Debug, Default)]
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
