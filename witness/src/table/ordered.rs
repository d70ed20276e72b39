//! Orders of an arbiter that set a game right: moves taken back, times set, colours reversed.

use std::cmp::Ordering;

use bincode::{Decode, Encode};
use eboard::{FaceTime, Moment};
use shakmaty::{Board, ByColor, Color};

use super::alerts::Saying;
use super::{Effect, Play};
use crate::detail::Detail;
use crate::incident::{Facts, Kind};
use crate::laws::{clock, start};
use crate::orders::Refusal;
use crate::score::Status;
use crate::table::tolerances::SET_WELL_MS;

/// Times to which a clock is set, and by how many milliseconds each may be more.
pub(super) type Expected = (ByColor<FaceTime>, u32);

/// What an arbiter has said of this game, and what is still to come of it.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Ordered {
    /// What stood on the squares when moves were taken back.
    pub(super) taken_back: Option<Board>,
    /// How many half moves were left then, until the squares show it or another one is made.
    pub(super) returning: Option<usize>,
    /// The pieces have just been put back by order: how they were moved for it is nobody's turn.
    pub put_back: bool,
    /// What the clock is to show when it goes on.
    times: Option<Expected>,
    /// After so many half moves the game goes on, whatever the board shows.
    pub goes_on_at: Option<usize>,
    /// A round after that of the result that stands here was announced.
    pub another_round: bool,
    /// The pieces were set up again before anybody had claimed anything.
    pub unclaimed: bool,
    /// Whose claim of a draw was wrong, and the opponent's time is not added yet.
    pub wrong_claim: Option<Color>,
}

impl Ordered {
    /// The clock goes on: what it is to show then, once.
    pub fn times_now(&mut self, goes_on: bool) -> Option<Expected> {
        self.times.take_if(|_| goes_on)
    }

    /// What it is to show when it goes on, and by how much each time may be more.
    pub fn expect_times(&mut self, times: ByColor<FaceTime>, beside_ms: u32) {
        self.times = Some((times, beside_ms));
    }

    /// What an act has brought is taken back, as far as nothing has come of it since.
    pub fn take_back(&mut self, before: &Self, after: &Self) {
        if self.times == after.times {
            self.times = before.times;
        }
        if self.goes_on_at == after.goes_on_at {
            self.goes_on_at = before.goes_on_at;
        }
    }
}

impl Play {
    /// Whether the squares still show what was taken back, or are being put right.
    pub(super) fn shows_what_was_taken_back(&mut self) -> bool {
        let Some(picture) = &self.game.ordered.taken_back else { return false };
        let goes_on = self.board.surface.board() != picture && !self.clocks.stopped();
        if goes_on || self.agrees() {
            self.game.ordered.taken_back = None;
            self.note_put_back();
        }
        self.game.ordered.taken_back.is_some()
    }

    /// Squares and score agree: it may be that the pieces have been put back, with the clock
    /// running too. Who puts them back touches nothing to move it.
    pub(super) fn note_put_back(&mut self) {
        let Some(left) = self.game.ordered.returning else { return };
        let plies = self.game.score.plies();
        let again = plies.last().is_some_and(|it| it.status == Status::Completed);
        let over = match left.cmp(&plies.len()) {
            Ordering::Less => again,
            Ordering::Equal => self.agrees(),
            Ordering::Greater => false,
        };
        if over {
            self.game.ordered.returning = None;
            self.game.ordered.put_back |= left == self.game.score.plies().len();
        }
    }

    /// The clock went on with these times: are they what the arbiter has said?
    pub(super) fn hold_against(
        &mut self,
        now: Moment,
        (expected, beside_ms): Expected,
        seen: Option<ByColor<FaceTime>>,
        out: &mut Vec<Effect>,
    ) {
        let Some(seen) = seen else { return };
        let well = |side: Color| {
            let (expected, seen) = (expected.get(side).as_ms(), seen.get(side).as_ms());
            let most = expected.saturating_add(beside_ms).saturating_add(SET_WELL_MS);
            (expected.saturating_sub(SET_WELL_MS)..=most).contains(&seen)
        };
        if Color::ALL.into_iter().all(well) {
            return;
        }
        let text = clock::wrongly_set(expected, seen);
        let advice = clock::setting_advice(self.settings.edition);
        let detail = Some(Detail::NotAsOrdered);
        let facts = Facts { expected: Some(expected), detail, ..self.facts() };
        let (kind, advice) = (Kind::ClockSetting, vec![advice]);
        self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
    }

    pub(super) fn colours_reversed(
        &mut self,
        now: Moment,
        reversed: bool,
        out: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        self.in_play()?;
        self.game.score.began().ok_or(Refusal::NotInPlay)?;
        self.close_kind(Kind::ColoursReversed, out);
        if !reversed {
            return Ok(());
        }
        let moves = self.game.score.plies().len() / 2;
        let text = start::reversed(moves);
        let advice = vec![start::reversed_advice(moves, self.settings.edition)];
        let facts = Facts { moves_completed: u32::try_from(moves).ok(), ..self.facts() };
        let kind = Kind::ColoursReversed;
        self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
        Ok(())
    }

    /// There is a game, and it goes on.
    pub(super) fn in_play(&self) -> Result<(), Refusal> {
        if self.game.course.is_adjourned() {
            return Err(Refusal::Adjourned);
        }
        let plays = self.game.reading.tracker.is_some() && self.game.score.ending().is_none();
        if plays { Ok(()) } else { Err(Refusal::NotInPlay) }
    }
}
