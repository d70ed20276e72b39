//! Who is short of time at a table: told once each time it begins, taken back when it is over.

use bincode::{Decode, Encode};
use eboard::{FaceTime, Moment};
use shakmaty::{Color, Position};

use super::alerts::Saying;
use super::{Effect, Play};
use crate::clock::ClockState;
use crate::incident::{Advice, Kind};
use crate::laws::time_trouble;
use crate::message::Message;
use crate::time_control::Periods;

/// What was told of one player.
#[derive(Clone, Copy, Debug, Default, Encode, Decode)]
pub(super) struct Trouble {
    need_not_write: bool,
    /// The last reading at which he need not write.
    short_at: Option<Moment>,
    two_minutes: bool,
}

impl Trouble {
    /// Whether he need not have written at this reading.
    pub(super) fn was_short(&self, at: Moment) -> bool {
        self.short_at.is_some_and(|short_at| short_at >= at)
    }
}

impl Play {
    pub(super) fn note_short_of_time(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let state = self.state_in_play();
        for side in Color::ALL {
            self.note_trouble(now, side, state.as_ref(), out);
            self.note_two_minutes(now, side, state.as_ref(), out);
        }
    }

    /// What the clock shows of a game that goes on.
    fn state_in_play(&self) -> Option<ClockState> {
        let playing =
            self.game.score.ending().is_none() && self.game.clock.ran && !self.clocks.lost();
        playing.then(|| self.clocks.state()).flatten()
    }

    /// Articles 8.4 and 8.5: who need not write any more.
    fn note_trouble(
        &mut self,
        now: Moment,
        side: Color,
        state: Option<&ClockState>,
        out: &mut Vec<Effect>,
    ) {
        let left = self.left_in(state, side, |(periods, period, left)| {
            time_trouble::need_not_write(periods, period, left)
        });
        if left.is_none() {
            self.close_of(side, Kind::TimeTrouble, out);
        }
        let trouble = self.checks.trouble.get_mut(side);
        trouble.short_at = left.map(|_| now).or(trouble.short_at);
        let known = std::mem::replace(&mut trouble.need_not_write, left.is_some());
        if let Some(left) = left.filter(|_| !known) {
            let still = self.clocks.moves_required(side, self.clocks.period(side));
            let still = still.map(|it| it.saturating_sub(self.game.score.moves_completed(side)));
            let text = time_trouble::text(side, left, still);
            self.tell_trouble(now, side, Kind::TimeTrouble, text, time_trouble::advice(), out);
        }
    }

    /// Guideline III: what the player having the move may ask for.
    fn note_two_minutes(
        &mut self,
        now: Moment,
        side: Color,
        state: Option<&ClockState>,
        out: &mut Vec<Effect>,
    ) {
        let left = self.left_in(state, side, |(periods, period, left)| {
            time_trouble::last_two_minutes(&self.settings, periods, period, left)
        });
        let has_the_move = self.game.score.position().turn() == side;
        if left.is_none() {
            self.close_of(side, Kind::TwoMinutes, out);
        }
        let told = &mut self.checks.trouble.get_mut(side).two_minutes;
        let known = *told;
        *told = left.is_some() && (known || has_the_move);
        if let Some(left) = left.filter(|_| !known && has_the_move) {
            let text = time_trouble::two_minutes(side, left);
            let advice = time_trouble::two_minutes_advice(self.settings.edition);
            self.tell_trouble(now, side, Kind::TwoMinutes, text, advice, out);
        }
    }

    /// What this side has left, if that is little by its periods and the one it is in, from 0.
    fn left_in(
        &self,
        state: Option<&ClockState>,
        side: Color,
        is_little: impl FnOnce((&Periods, usize, FaceTime)) -> bool,
    ) -> Option<FaceTime> {
        let (control, state) = (self.control()?, state?);
        let period = usize::from(*state.periods.get(side)).saturating_sub(1);
        let left = *state.times.get(side);
        // What is used up is a flag's business.
        let little = left > FaceTime::ZERO && is_little((control.of(side), period, left));
        little.then_some(left)
    }

    fn tell_trouble(
        &mut self,
        now: Moment,
        side: Color,
        kind: Kind,
        text: Message,
        advice: Vec<Advice>,
        out: &mut Vec<Effect>,
    ) {
        let facts = self.facts();
        self.raise(now, Saying { kind, side: Some(side), text, facts, advice }, out);
    }

    fn close_of(&mut self, side: Color, kind: Kind, out: &mut Vec<Effect>) {
        let mine = |it: &&crate::Incident| it.kind == kind && it.side == Some(side);
        let open = self.docket.all().find(mine).map(|incident| incident.id);
        if let Some(id) = open {
            self.close(id, out);
        }
    }
}
