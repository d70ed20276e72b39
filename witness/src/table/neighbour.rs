//! Commentary to Article 6.5: a player who has moved presses the clock of the table beside his.
//! One table cannot know it; the hall asks.

use eboard::Moment;
use shakmaty::Position;

use super::alerts::Saying;
use super::{Effect, Phase, Play};
use crate::incident::{Facts, Kind};
use crate::number::TableNo;
use crate::say;
use crate::score::Status;
use crate::table::tolerances::{AT_THE_WRONG_CLOCK, HAS_PRESSED};

impl Play {
    /// Whether a move was made here just now whose press has not come.
    pub(crate) fn awaits_press(&self, now: Moment) -> bool {
        let Some(last) = self.game.score.plies().last() else { return false };
        let counting = self.clocks.state().and_then(|state| state.running);
        self.phase == Phase::InPlay
            && self.agrees()
            && last.status == Status::Released
            && now.since(last.released) <= AT_THE_WRONG_CLOCK
            && counting == Some(!self.game.score.position().turn())
    }

    /// This clock was pressed without a move, and `other` waits for a press.
    pub(super) fn suspect_neighbour(&mut self, now: Moment, other: TableNo) {
        self.game.timing.neighbour = Some((other, now + HAS_PRESSED));
    }

    /// Whether the table `other` waits for the press that may have come here.
    pub(crate) fn suspects(&self, other: TableNo) -> bool {
        self.game.timing.neighbour.is_some_and(|(suspected, _)| suspected == other)
    }

    /// The neighbour has pressed his own clock.
    pub(super) fn acquit_neighbour(&mut self) {
        self.game.timing.neighbour = None;
    }

    pub(super) fn neighbour_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some((other, _)) = self.game.timing.neighbour.take_if(|(_, at)| *at <= now) else {
            return;
        };
        let text = say::neighbour_pressed(other);
        let advice = vec![say::see_the_neighbour()];
        let facts = Facts { tables: vec![other], ..self.facts() };
        let kind = Kind::NeighbourPressed;
        self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
    }
}
