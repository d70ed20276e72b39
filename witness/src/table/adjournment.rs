//! Adjournment and resumption of play (Guideline I). Between them the board may be cleared and the
//! clock used for another game: nothing of it is judged. Before play goes on board and clock are
//! held against the sheet.

use bincode::{Decode, Encode};
use eboard::{FaceTime, Moment};
use shakmaty::{ByColor, Chess, Color, Position};

use super::alerts::Saying;
use super::{Effect, Play};
use crate::adjournment::{Absent, Adjournment, Differences, WrongTime, wrong_squares};
use crate::clock::Clocks;
use crate::incident::{Facts, Kind};
use crate::say;
use crate::table::tolerances::ROUNDING_MS;

/// A game that is adjourned.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Adjourned {
    pub(super) sheet: Adjournment,
    /// The clock as it was stopped; none as long as it runs, or if nobody has read any.
    pub(super) clocks: Option<Clocks>,
}

/// A game that is to be resumed: until a time counts again.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Resumed {
    pub(super) sheet: Adjournment,
    /// The position of the sheet stands on the board, or has stood there.
    pub(super) set_up: bool,
    /// Half moves before the sealed one.
    pub(super) before: usize,
    /// Who has not come, if an arbiter has said so.
    pub(super) absent: Option<Absent>,
}

impl Play {
    /// The sheet of the game, as long as it is adjourned.
    #[must_use]
    pub fn adjournment(&self) -> Option<&Adjournment> {
        self.game.course.adjourned().map(|adjourned| &adjourned.sheet)
    }

    /// How board and clock differ from the sheet of the game that is to be resumed.
    #[must_use]
    pub fn differences(&self) -> Differences {
        let Some(Resumed { sheet, set_up, .. }) = &self.game.pause.resumed else {
            return Differences::default();
        };
        let squares = match set_up {
            true => Vec::new(),
            false => self.wrong_squares(&sheet.position),
        };
        Differences { squares, times: self.wrong_times(sheet) }
    }

    /// Whether nothing that happens here belongs to the game.
    pub(super) fn is_at_rest(&self) -> bool {
        self.game.course.is_adjourned()
            || self.game.pause.resumed.as_ref().is_some_and(|it| !it.set_up)
    }

    /// Whether an arbiter is at work between adjournment and play.
    pub(super) fn is_out_of_play(&self) -> bool {
        self.game.course.is_adjourned() || self.game.pause.resumed.is_some()
    }

    pub(super) fn times_used(&self) -> Option<ByColor<FaceTime>> {
        let (state, control) = (self.clocks.state()?, self.control()?);
        let used = |side: Color| {
            let period = usize::from(self.clocks.period(side));
            let allotted =
                control.of(side).allotted(period, self.game.score.moves_completed(side))?;
            let left = std::time::Duration::from_millis(state.times.get(side).as_ms().into());
            Some(allotted.less(left))
        };
        Some(ByColor { white: used(Color::White)?, black: used(Color::Black)? })
    }

    /// The squares changed: does the position of the sheet stand there now?
    pub(super) fn look_for_sheet(&mut self) {
        let picture = self.board.surface.picture();
        if let Some(resumed) = self.game.pause.resumed.as_mut().filter(|it| !it.set_up)
            && self.board.surface.known()
            && picture.shows(resumed.sheet.position.board())
        {
            resumed.set_up = true;
            self.game.hand.clear();
            self.restart_turns();
        }
    }

    /// Reports what is not as on the sheet, and closes the alert when it is. Once a time counts, an
    /// open alert stays until a human rules on it.
    pub(super) fn review_resumption(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.game.pause.resumed.is_none() || !self.board.surface.known() {
            return;
        }
        let (kind, found) = (Kind::ResumptionDiffers, self.differences());
        if found.is_empty() {
            return self.close_kind(kind, out);
        }
        let facts = self.resumption_facts(&found);
        let text = found.text();
        let open = self.docket.of_kind(kind);
        if let Some(open) = open.and_then(|id| self.docket.get_mut(id)) {
            if open.text != text {
                (open.text, open.facts) = (text, facts);
                out.push(Effect::Raised(Box::new(open.clone())));
            }
            return;
        }
        let advice = vec![say::set_up_the_sheet()];
        self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
    }

    fn resumption_facts(&self, found: &Differences) -> Facts {
        let sheet = self.game.pause.resumed.as_ref().map(|resumed| &resumed.sheet);
        Facts {
            squares: found.squares.iter().map(|it| it.square).collect(),
            expected: sheet.and_then(|sheet| sheet.left),
            ..self.facts()
        }
    }

    /// The arbiter says what the clock is to show when play is resumed (I.12.1, I.13; E.1.b).
    pub(super) fn correct_sheet(&mut self, times: ByColor<FaceTime>) -> bool {
        let adjourned = self.game.course.adjourned_mut().map(|it| &mut it.sheet);
        let Some(sheet) = adjourned.or(self.game.pause.resumed.as_mut().map(|it| &mut it.sheet))
        else {
            return false;
        };
        sheet.left = Some(times);
        true
    }

    /// Who has sealed, and how many half moves were made before it: until a time counts.
    pub(super) fn sealed_before(&self) -> Option<(Color, usize)> {
        self.game.pause.resumed.as_ref().map(|it| (it.sheet.sealed_by, it.before))
    }

    fn wrong_squares(&self, position: &Chess) -> Vec<crate::adjournment::WrongSquare> {
        let picture = self.board.surface.picture();
        wrong_squares(picture.differing(position.board()), position, picture.board())
    }

    fn wrong_times(&self, sheet: &Adjournment) -> Vec<WrongTime> {
        let Some(left) = sheet.left else { return Vec::new() };
        let state = self.clocks.state().filter(|_| !self.clocks.lost());
        let wrong = |side: Color| {
            let expected = *left.get(side);
            let seen = state.map(|state| *state.times.get(side));
            let right =
                seen.is_some_and(|seen| seen.as_ms().abs_diff(expected.as_ms()) <= ROUNDING_MS);
            (!right).then_some(WrongTime { side, expected, seen })
        };
        Color::ALL.into_iter().filter_map(wrong).collect()
    }
}
