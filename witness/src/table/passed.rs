//! What is known of the presses of a game, and a turn that was passed by one: the game may go on
//! without a move.

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Board, ByColor, Color};

use super::alerts::Saying;
use super::{Effect, Play};
use crate::game_position::GamePosition;
use crate::incident::{Facts, Gravity, IncidentId, Kind};
use crate::laws::illegal::IllegalMove;
use crate::laws::{position, presses};
use crate::score::Gap;
use crate::topic::Topic;

/// What is known from the presses of this game.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Presses {
    /// Up to how many half moves of the score this side has pressed for its own.
    pub(super) counted: ByColor<usize>,
    /// When this side pressed last.
    pub(super) last: ByColor<Option<Moment>>,
    /// Presses that were left out and may be made up for.
    pub(super) missing: u32,
    /// A press without a move that is not judged yet.
    pub(super) empty: Option<Empty>,
    /// A turn that was passed by such a press, as long as the game may go on without it.
    pub(super) passed: Option<Passed>,
    /// What should not stand on the board, after how many completed moves it stood there, and what
    /// stood there then: who presses back and changes nothing completes none.
    pub(super) irregular: Option<(Kind, u32, Board)>,
    /// When the last report of the whole board differed from the changes before it, and up to when
    /// those were known to be right. What that report brought in was made since then.
    pub(super) brought: Option<(Moment, Moment)>,
    /// The device was away: who has moved since is not known.
    pub(super) unwatched: bool,
    /// When an illegal move was last put right.
    pub(super) put_right: Option<Moment>,
}

#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Empty {
    pub(super) by: Color,
    pub(super) at: Moment,
    pub(super) picture: Board,
    pub(super) judge: Moment,
}

/// A turn in which the clock was pressed and no move was made.
#[derive(Clone, Copy, Debug, Encode, Decode)]
pub(super) struct Passed {
    pub(super) by: Color,
    /// After so many half moves of the score.
    pub(super) plies: usize,
    /// The alert about it.
    pub(super) alert: Option<IncidentId>,
}

impl Play {
    /// A press that came while nobody watched.
    pub(super) fn press_unwatched(&mut self) {
        self.game.pressing.presses.unwatched = true;
    }

    /// Whether an illegal move that was pressed for has been put right in this game.
    pub(super) fn was_put_right(&self) -> bool {
        self.game.pressing.presses.put_right.is_some()
    }

    /// The position before it was put back.
    pub(super) fn note_put_right_at(&mut self, now: Moment) {
        self.game.pressing.presses.put_right = Some(now);
    }

    /// The same of a reply: what it had replied to stands there again.
    pub(super) fn reply_was_put_back(&mut self, now: Moment, standing: (IllegalMove, Board)) {
        self.game.reading.standing_illegal = Some(standing);
        self.game.pressing.presses.put_right = Some(now);
    }

    /// A report of the whole board differs from the changes before it. The difference was there
    /// before the report.
    pub(super) fn note_brought(&mut self, now: Moment) {
        self.game.pressing.presses.brought = Some((now, self.board.surface.vouched()));
    }

    /// Whether the player who has the move has pressed without one, so that his opponent may go on.
    pub(super) fn may_be_passed(&self) -> bool {
        self.game
            .pressing
            .presses
            .passed
            .is_some_and(|passed| passed.plies == self.game.score.plies().len())
    }

    /// The turn is not passed after all: the player has made his move and was replied to, or he
    /// has been given the clock back.
    pub(super) fn forget_pass(&mut self) {
        self.game.pressing.presses.passed = None;
        self.expect_no_play_from_pass();
    }

    /// Both have moved since: the press was made up for.
    pub(super) fn review_pass(&mut self) {
        let plies = self.game.score.plies().len();
        let over = |it: &Passed| !(it.plies..=it.plies + 1).contains(&plies);
        if self.game.score.ending().is_some()
            || self.game.pressing.presses.passed.as_ref().is_some_and(over)
        {
            self.forget_pass();
        }
    }

    /// The game is about to go on without that turn. Its press is reported before.
    pub(super) fn tell_pass(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.game.pressing.presses.empty = None;
        let Some(by) =
            self.game.pressing.presses.passed.filter(|it| it.alert.is_none()).map(|it| it.by)
        else {
            return;
        };
        let alert = self.tell_empty_press(now, by, out);
        self.game.pressing.presses.passed.iter_mut().for_each(|passed| passed.alert = Some(alert));
    }

    /// And it has gone on since.
    pub(super) fn tell_played_on(
        &mut self,
        now: Moment,
        agreed: GamePosition,
        out: &mut Vec<Effect>,
    ) {
        let Some(Passed { by, alert, .. }) = self.game.pressing.presses.passed.take() else {
            return;
        };
        let advice = presses::played_on(by, &self.settings).about(Topic::PlayedOn(by));
        let Some(incident) = alert.and_then(|id| self.docket.get_mut(id)) else {
            // Somebody has ruled on the press, and may not know that it was played on.
            let facts = Facts { position: agreed, ..self.facts() };
            self.raise_doubt(now, position::turn_passed(by), facts, out);
            self.game.reading.several_ways = true;
            return;
        };
        incident.advice.insert(0, advice);
        out.push(Effect::Raised(Box::new(incident.clone())));
    }

    /// What was played on from a passed turn is put back: that player has the move again.
    pub(super) fn tell_turn_given_back(&mut self, by: Color, out: &mut Vec<Effect>) {
        let topic = Topic::PlayedOn(by);
        let alert = self.open_in_game().find(|it| it.advises(topic)).map(|it| it.id);
        let Some(incident) = alert.and_then(|id| self.docket.get_mut(id)) else { return };
        incident.advice.retain(|it| !it.is_about(topic));
        out.push(Effect::Raised(Box::new(incident.clone())));
    }

    /// This side has pressed for all its moves.
    pub(super) fn count_as_pressed(&mut self, by: Color) {
        *self.game.pressing.presses.counted.get_mut(by) = self.game.score.plies().len();
    }

    /// When this side pressed last.
    pub(super) fn pressed_at(&self, side: Color) -> Option<Moment> {
        *self.game.pressing.presses.last.get(side)
    }

    /// Whether anybody has pressed since that moment.
    pub(super) fn presses_since(&self, moment: Moment) -> bool {
        let last = self.game.pressing.presses.last;
        last.white.into_iter().chain(last.black).any(|at| at >= moment)
    }

    pub(super) fn empty_press_at(&self) -> Option<Moment> {
        self.game.pressing.presses.empty.as_ref().map(|empty| empty.judge)
    }

    pub(super) fn tell_empty_press(
        &mut self,
        now: Moment,
        by: Color,
        out: &mut Vec<Effect>,
    ) -> IncidentId {
        let mut saying = Saying {
            kind: Kind::PressedWithoutMove,
            side: Some(by),
            text: presses::empty_text(by),
            facts: self.facts(),
            advice: vec![presses::empty_advice(self.settings.edition)],
        };
        let unmoved = self.game.score.plies().is_empty();
        if !unmoved && !self.clocks.are_sides_in_doubt() {
            return self.raise_as(
                now,
                saying,
                self.settings.gravity(Kind::PressedWithoutMove),
                out,
            );
        }
        // It may have put right a clock that was started for the wrong player: nothing is counted.
        let doubt = if unmoved { presses::before_the_first_move() } else { presses::unsure() };
        saying.advice.insert(0, doubt);
        let gravity = self.settings.gravity_in_doubt(saying.kind, Gravity::Look);
        let id = self.docket.next_id(self.game.number);
        let incident = self.incident(now, id, saying, gravity);
        self.open(incident, out);
        id
    }

    pub(super) fn expect_no_play_from_pass(&mut self) {
        self.game.reading.resumption.take_if(|it| it.why == Gap::Passed);
    }

    /// Squares and score agree. Where a turn may be passed they do so until the opponent moves.
    pub(super) fn expect_no_other_play(&mut self) {
        self.game.reading.resumption.take_if(|it| it.why != Gap::Passed);
    }
}
