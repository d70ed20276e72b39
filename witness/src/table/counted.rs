//! Periods that a clock adds by its own count of presses (Article 6.3), against the moves of the
//! score. Where the two counts agree, the clock was to add with the last move of the period, and to
//! both players. A clock that adds at zero counts nothing, and nothing is known of it here.

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{ByColor, Color};

use super::alerts::Saying;
use super::{Effect, Event, Play};
use crate::detail::Detail;
use crate::incident::{Facts, Kind};
use crate::laws::clock;
use crate::table::tolerances::SETTLED;
use crate::topic::Setting;

/// How often it is looked again for a move that a press has completed.
const LOOKS: u8 = 4;

/// What the clock has added by its own count, in one game.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Counted {
    given: ByColor<Option<Given>>,
    /// Whose period the clock has left out, as it was raised: the period, from 0.
    left_out: ByColor<Option<u8>>,
    judge: Option<Moment>,
    looks: u8,
}

/// A period that a press has brought while there was time left.
#[derive(Clone, Copy, Debug, Encode, Decode)]
struct Given {
    /// The one that ended, from 0.
    period: u8,
    /// Presses of this player seen by then.
    presses: u32,
    /// Moves he had completed with it, once that is known.
    moves: Option<u32>,
}

impl Counted {
    pub fn judge_at(&self) -> Option<Moment> {
        self.judge
    }

    pub fn given(&mut self, now: Moment, side: Color, period: u8, presses: u32) {
        *self.given.get_mut(side) = Some(Given { period, presses, moves: None });
        self.look(now);
    }

    fn look(&mut self, now: Moment) {
        (self.judge, self.looks) = (Some(now + SETTLED), 0);
    }
}

impl Play {
    /// A press of the player who was left out completes one more move without the period.
    pub(super) fn note_counted(&mut self, now: Moment) {
        let pressed =
            |side: Color| self.step.has(|it| matches!(it, Event::Pressed(by) if *by == side));
        let counted = &self.game.timing.counted;
        let waits =
            |side: Color| counted.given.get(side.other()).is_some() && counted.judge.is_none();
        if Color::ALL.into_iter().any(|side| waits(side) && pressed(side)) {
            self.game.timing.counted.look(now);
        }
    }

    pub(super) fn counted_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.game.timing.counted.judge.take_if(|judge| *judge <= now).is_none() {
            return;
        }
        if self.game.reading.tracker.is_none() || self.game.score.ending().is_some() {
            return;
        }
        if !self.agrees() {
            // A piece is in somebody's hand.
            self.game.timing.counted.judge = Some(now + SETTLED);
            return;
        }
        let mut open = false;
        for side in Color::ALL {
            open |= self.judge_given(now, side, out);
        }
        for side in Color::ALL {
            self.judge_left_out(now, side, out);
        }
        let counted = &mut self.game.timing.counted;
        counted.looks += 1;
        if open && counted.looks < LOOKS {
            counted.judge = Some(now + SETTLED);
        } else {
            // A press or a move too many explains it.
            counted.given = counted.given.map(|given| given.filter(|it| it.moves.is_some()));
        }
    }

    /// Whether it remains to be seen which move brought this side its period.
    fn judge_given(&mut self, now: Moment, side: Color, out: &mut Vec<Effect>) -> bool {
        let given = *self.game.timing.counted.given.get(side);
        let Some(given) = given.filter(|it| it.moves.is_none()) else { return false };
        let Some(moves) = self.moves_pressed_for(side) else { return true };
        let since = self.clocks.presses().get(side).saturating_sub(given.presses);
        let moves = moves.saturating_sub(since);
        let known = Some(Given { moves: Some(moves), ..given });
        *self.game.timing.counted.given.get_mut(side) = known;
        if let Some(required) = self.clocks.moves_required(side, given.period)
            && moves != required
        {
            self.raise_counted(now, side, Setting::AddedAt { side, moves, required }, moves, out);
        }
        false
    }

    /// The other player got his period by count; this one has come to the same number of moves, and
    /// has time left without it.
    fn judge_left_out(&mut self, now: Moment, side: Color, out: &mut Vec<Effect>) {
        let Some(given) = *self.game.timing.counted.given.get(side.other()) else { return };
        let period = given.period;
        let required = |side| self.clocks.moves_required(side, period);
        let alike = required(side).filter(|_| required(side) == required(side.other()));
        let Some((given_at, required)) = given.moves.zip(alike) else { return };
        let Some(moves) = self.moves_pressed_for(side) else { return };
        let lacks = self.clocks.period(side) == period
            && self.clocks.addition(side).is_some()
            && !self.clocks.reads_zero(side);
        let told = *self.game.timing.counted.left_out.get(side) == Some(period);
        if told || !lacks || moves < given_at.max(required) {
            return;
        }
        *self.game.timing.counted.left_out.get_mut(side) = Some(period);
        self.raise_counted(now, side, Setting::AddedToOne { side, given_at, moves }, moves, out);
    }

    /// Moves this side has completed, where each had a press that was seen, and no press was
    /// without one: then the clock has counted as many.
    fn moves_pressed_for(&self, side: Color) -> Option<u32> {
        let each = self.game.score.completed_here(side) == *self.clocks.presses().get(side);
        let sure = !self.game.course.is_adrift()
            && self.game.score.counts_all()
            && !self.clocks.lost()
            && self.docket.of_kind(Kind::MissedPress).is_none();
        (each && sure).then(|| self.game.score.moves_completed(side))
    }

    fn raise_counted(
        &mut self,
        now: Moment,
        side: Color,
        setting: Setting,
        moves: u32,
        out: &mut Vec<Effect>,
    ) {
        let kind = Kind::ClockSetting;
        if let Some(open) = self.docket.of_kind(kind) {
            return self.add_to_setting(open, setting, out);
        }
        let text = clock::wrong_setting(setting);
        let facts =
            Facts { detail: Some(Detail::Period), moves_completed: Some(moves), ..self.facts() };
        let saying = Saying { kind, side: Some(side), text, facts, advice: Vec::new() };
        self.raise_setting(now, saying, self.settings.gravity(kind), out);
    }
}
