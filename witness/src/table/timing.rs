//! What goes on at a table and will be told if it goes on for long enough.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::Color;

use super::Play;
use super::counted::Counted;
use super::missed_press::Missed;

/// Something that will be told if it goes on.
#[derive(Clone, Copy, Debug, Encode, Decode)]
pub(super) struct Since {
    pub(super) at: Moment,
    pub(super) told: bool,
}

impl Since {
    pub(super) const fn from(at: Moment) -> Self {
        Self { at, told: false }
    }
}

/// What is being watched at the clock of one game.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Timing {
    pub(super) stopped: Option<Since>,
    /// And whether the move was made and only its press forgotten.
    pub(super) wrong: Option<(Since, bool)>,
    pub(super) clock_away: Option<Since>,
    pub(super) board_away: Option<Since>,
    /// When it is next reckoned what a clock would show that is away.
    pub(super) reckon_at: Option<Moment>,
    /// Whose period should have begun by then.
    pub(super) period_due: Option<(Color, Moment)>,
    pub(super) counted: Counted,
    /// When the clock went on after it was stopped to fetch a piece.
    pub(super) fetched: Option<Moment>,
    pub(super) missed: Missed,
    /// At which table a press is waited for that may have come here, and until when.
    pub(super) neighbour: Option<(u32, Moment)>,
}

impl Timing {
    /// Since when both times have stood.
    pub(super) fn standstill(&self) -> Option<Moment> {
        self.stopped.map(|since| since.at)
    }
}

/// When it will have gone on long enough, if nobody was told.
pub(super) fn wait(since: Option<Since>, patience: Duration) -> Option<Moment> {
    since.filter(|since| !since.told).map(|since| since.at + patience)
}

pub(super) fn follow(since: &mut Option<Since>, now: Moment, goes_on: bool) {
    match (goes_on, &since) {
        (true, None) => *since = Some(Since { at: now, told: false }),
        (false, Some(_)) => *since = None,
        _ => {}
    }
}

/// Whether it has gone on long enough now, for the first time.
pub(super) fn ripe(since: &mut Option<Since>, patience: Duration, now: Moment) -> bool {
    match since {
        Some(it) if !it.told && it.at + patience <= now => {
            it.told = true;
            true
        }
        _ => false,
    }
}

impl Play {}
