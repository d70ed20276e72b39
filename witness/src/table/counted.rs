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

/// How often the machine looks again for a move that a press has completed.
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

/// What stands at the table now.
struct View<'a> {
    /// A game is followed, and has no result.
    playing: bool,
    /// Squares and score agree. If not, a piece is in a hand.
    agrees: bool,
    sides: ByColor<Side>,
    /// How many moves a period requires of a player.
    required: &'a dyn Fn(Color, u8) -> Option<u32>,
}

/// What is known about one player.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    /// Presses that were seen.
    presses: u32,
    /// Moves that he has completed, if each had its press and each press its move.
    completed: Option<u32>,
    /// The period he is in, from 0.
    period: u8,
    /// He has time left, and the clock has not added the next period.
    lacks: bool,
}

/// A setting that the clock betrays, and the moves its player had completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wrong {
    side: Color,
    moves: u32,
    setting: Setting,
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
    /// When it is to be judged.
    pub fn judge_at(&self) -> Option<Moment> {
        self.judge
    }

    /// A press has brought this player his next period.
    pub fn given(&mut self, now: Moment, side: Color, period: u8, presses: u32) {
        *self.given.get_mut(side) = Some(Given { period, presses, moves: None });
        self.look(now);
    }

    /// Looks at what has happened. A press of the player who was left out completes one more move
    /// without the period.
    fn follow(&mut self, now: Moment, events: &[Event]) {
        let waits = |side: &Color| self.given.get(side.other()).is_some() && self.judge.is_none();
        let pressed = events.iter().filter_map(|event| match event {
            Event::Pressed(side) => Some(side),
            _ => None,
        });
        if pressed.into_iter().any(waits) {
            self.look(now);
        }
    }

    /// Judges what is due: the settings that are found to be wrong, each only once.
    fn due(&mut self, now: Moment, view: &View<'_>) -> Vec<Wrong> {
        if self.judge.take_if(|judge| *judge <= now).is_none() || !view.playing {
            return Vec::new();
        }
        if !view.agrees {
            self.judge = Some(now + SETTLED);
            return Vec::new();
        }
        let open = Color::ALL.into_iter().any(|side| self.is_open(side, view));
        let mut wrong: Vec<_> =
            Color::ALL.into_iter().filter_map(|side| self.judge_given(side, view)).collect();
        wrong.extend(Color::ALL.into_iter().filter_map(|side| self.judge_left_out(side, view)));
        self.looks += 1;
        if open && self.looks < LOOKS {
            self.judge = Some(now + SETTLED);
        } else {
            // A press or a move too many explains it.
            self.given = self.given.map(|given| given.filter(|it| it.moves.is_some()));
        }
        wrong
    }

    fn look(&mut self, now: Moment) {
        (self.judge, self.looks) = (Some(now + SETTLED), 0);
    }

    /// Whether it remains to be seen which move brought this side its period.
    fn is_open(&self, side: Color, view: &View<'_>) -> bool {
        let given = self.given.get(side).filter(|it| it.moves.is_none());
        given.is_some() && view.sides.get(side).completed.is_none()
    }

    /// Finds the move that brought this side its period. It may be another one than the time
    /// control says.
    fn judge_given(&mut self, side: Color, view: &View<'_>) -> Option<Wrong> {
        let given = self.given.get(side).filter(|it| it.moves.is_none())?;
        let Side { presses, completed, .. } = *view.sides.get(side);
        let moves = completed?.saturating_sub(presses.saturating_sub(given.presses));
        *self.given.get_mut(side) = Some(Given { moves: Some(moves), ..given });
        let required = (view.required)(side, given.period).filter(|required| *required != moves)?;
        Some(Wrong { side, moves, setting: Setting::AddedAt { side, moves, required } })
    }

    /// Finds out whether the clock has left this player out. The other player got his period by
    /// count. This one has come to the same number of moves, and has time left without the period.
    fn judge_left_out(&mut self, side: Color, view: &View<'_>) -> Option<Wrong> {
        let given = (*self.given.get(side.other()))?;
        let required = |side| (view.required)(side, given.period);
        let alike = required(side).filter(|_| required(side) == required(side.other()))?;
        let given_at = given.moves?;
        let Side { completed, period, lacks, .. } = *view.sides.get(side);
        let moves = completed.filter(|moves| *moves >= given_at.max(alike))?;
        let known = *self.left_out.get(side) == Some(given.period);
        if known || !lacks || period != given.period {
            return None;
        }
        *self.left_out.get_mut(side) = Some(given.period);
        Some(Wrong { side, moves, setting: Setting::AddedToOne { side, given_at, moves } })
    }
}

impl Play {
    /// Looks at what the step has brought.
    pub(super) fn note_counted(&mut self, now: Moment) {
        self.game.timing.counted.follow(now, &self.step.events);
    }

    pub(super) fn counted_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let side = |side| Side {
            presses: *self.clocks.presses().get(side),
            completed: self.moves_pressed_for(side),
            period: self.clocks.period(side),
            lacks: self.clocks.addition(side).is_some() && !self.clocks.reads_zero(side),
        };
        let view = View {
            playing: self.game.reading.tracker.is_some() && self.game.score.ending().is_none(),
            agrees: self.agrees(),
            sides: ByColor { white: side(Color::White), black: side(Color::Black) },
            required: &|side, period| self.clocks.moves_required(side, period),
        };
        for wrong in self.game.timing.counted.due(now, &view) {
            self.raise_counted(now, wrong, out);
        }
    }

    /// Moves that this side has completed, if each had a press that was seen and no press was
    /// without a move. Then the clock has counted as many.
    fn moves_pressed_for(&self, side: Color) -> Option<u32> {
        let each = self.game.score.completed_here(side) == *self.clocks.presses().get(side);
        let sure = !self.game.course.is_adrift()
            && self.game.score.counts_all()
            && !self.clocks.lost()
            && self.docket.of_kind(Kind::MissedPress).is_none();
        (each && sure).then(|| self.game.score.moves_completed(side))
    }

    fn raise_counted(&mut self, now: Moment, wrong: Wrong, out: &mut Vec<Effect>) {
        let Wrong { side, moves, setting } = wrong;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Moment {
        Moment::from_micros(seconds * 1_000_000)
    }

    /// A table where 40 moves are required in the first period, after this many by each player.
    fn view(white: Option<u32>, black: Option<u32>) -> View<'static> {
        let side = |completed: Option<u32>| Side {
            presses: completed.unwrap_or_default(),
            completed,
            period: 0,
            lacks: true,
        };
        View {
            playing: true,
            agrees: true,
            sides: ByColor { white: side(white), black: side(black) },
            required: &|_, period| (period == 0).then_some(40),
        }
    }

    #[test]
    fn a_period_that_comes_at_the_wrong_move_is_found_once() {
        let mut counted = Counted::default();
        counted.given(at(0), Color::White, 0, 38);
        let due = counted.judge_at().unwrap();
        assert!(counted.due(at(0), &view(Some(38), Some(38))).is_empty(), "It has not settled.");
        let (side, moves) = (Color::White, 38);
        let setting = Setting::AddedAt { side, moves, required: 40 };
        let wrong = Wrong { side, moves, setting };
        assert_eq!(counted.due(due, &view(Some(38), Some(37))), [wrong]);
        assert_eq!(counted.judge_at(), None);
    }

    #[test]
    fn who_is_left_out_is_found_when_he_has_made_as_many_moves() {
        let mut counted = Counted::default();
        counted.given(at(0), Color::White, 0, 40);
        let due = counted.judge_at().unwrap();
        assert!(counted.due(due, &view(Some(40), Some(39))).is_empty());
        counted.follow(due, &[Event::Pressed(Color::Black)]);
        let due = counted.judge_at().unwrap();
        let (side, moves) = (Color::Black, 40);
        let setting = Setting::AddedToOne { side, given_at: 40, moves };
        let left_out = Wrong { side, moves, setting };
        assert_eq!(counted.due(due, &view(Some(40), Some(40))), [left_out]);
        counted.follow(due, &[Event::Pressed(Color::Black)]);
        let again = counted.due(at(9000), &view(Some(41), Some(41)));
        assert!(again.is_empty(), "It is reported once.");
    }

    #[test]
    fn it_waits_for_the_move_a_few_times_and_then_gives_up() {
        let mut counted = Counted::default();
        counted.given(at(0), Color::White, 0, 38);
        let mut looks = 0;
        while let Some(due) = counted.judge_at() {
            assert!(counted.due(due, &view(None, None)).is_empty());
            looks += 1;
        }
        assert_eq!(looks, LOOKS);
    }
}
