//! Presses that complete no move, and what still stands on the board when others do.

use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{Board, ByColor, Color, Position};

use super::alerts::Saying;
use super::press::{CONFIRMED, SCAN};
use super::{Effect, Play};
use crate::incident::{Facts, Gravity, IncidentId, Kind, State};
use crate::laws::illegal::IllegalMove;
use crate::laws::{position, presses};
use crate::ledger::Ledger;
use crate::score::Status;

/// By then a scan has brought in a move that was made before the press, and a late clock the press.
const SCANNED: Duration = Duration::from_millis(700);
/// Two opposite presses within this put a counter right that a forgotten press has left behind.
pub(super) const COUNTER: Duration = Duration::from_secs(3);

/// Before the first move a clock is still being tried out, or given back at once.
const BEFORE_THE_FIRST: Duration = Duration::from_secs(40);

/// What presses have told in this game.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Presses {
    /// Up to how many half moves of the score this side has pressed for its own.
    counted: ByColor<usize>,
    /// When this side pressed last.
    last: ByColor<Option<Moment>>,
    /// Presses that were left out and may be made up for.
    missing: u32,
    /// A press without a move that is not judged yet.
    empty: Option<Empty>,
    /// A turn that was passed by such a press, as long as the game may go on without it.
    passed: Option<Passed>,
    /// What should not stand on the board, after how many completed moves it stood there, and what
    /// stood there then: who presses back and changes nothing completes none.
    irregular: Option<(Kind, u32, Board)>,
    /// When the whole board last told otherwise than the changes had, and up to when they were
    /// known to be right: what it brought in was made since then.
    brought: Option<(Moment, Moment)>,
    /// The device was away: who has moved since is not known.
    unwatched: bool,
    /// When an illegal move was last put right.
    put_right: Option<Moment>,
}

#[derive(Clone, Debug, Encode, Decode)]
struct Empty {
    by: Color,
    at: Moment,
    picture: Board,
    judge: Moment,
}

/// A turn in which the clock was pressed and no move was made.
#[derive(Clone, Copy, Debug, Encode, Decode)]
struct Passed {
    by: Color,
    /// After so many half moves of the score.
    plies: usize,
    /// What was told of it.
    told: Option<IncidentId>,
}

impl Play {
    /// A press that came while nobody watched.
    pub(super) fn press_unwatched(&mut self) {
        self.presses.unwatched = true;
    }

    /// What stood illegally on the squares does so no longer: somebody has intervened.
    pub(super) fn note_put_right(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some((mv, _)) = self.standing_illegal.take() else { return };
        self.presses.put_right = Some(now);
        let last = self.score.plies().last().map(|ply| ply.mv);
        let promoted = last.filter(|it| it.is_promotion());
        if promoted.is_some_and(|it| (it.from(), it.to()) == (Some(mv.from), mv.to)) {
            // 7.5.2: the new piece takes the pawn's place, and that was pressed for.
            *self.presses.counted.get_mut(mv.piece.color) = self.score.plies().len();
            self.complete(now, mv.piece.color, out);
        }
    }

    /// Whether an illegal move that was pressed for has been put right in this game.
    pub(super) fn was_put_right(&self) -> bool {
        self.presses.put_right.is_some()
    }

    /// The position before it was put back.
    pub(super) fn note_put_right_at(&mut self, now: Moment) {
        self.presses.put_right = Some(now);
    }

    /// The same of a reply: what it had replied to stands there again.
    pub(super) fn reply_was_put_back(&mut self, now: Moment, standing: (IllegalMove, Board)) {
        self.standing_illegal = Some(standing);
        self.presses.put_right = Some(now);
    }

    pub(super) fn note_made(&mut self, now: Moment, by: Color, out: &mut Vec<Effect>) {
        // The press has come before the scan, or the whole board, that brought in its move.
        let empty = self.presses.empty.take_if(|empty| empty.by == by);
        if empty.is_some() {
            *self.presses.counted.get_mut(by) = self.score.plies().len();
        }
        if empty.is_some_and(|it| now <= it.at + CONFIRMED) || self.was_pressed_unseen(by) {
            self.complete(now, by, out);
        }
    }

    /// What the whole board has told otherwise than the changes had was so already before.
    pub(super) fn note_brought(&mut self, now: Moment) {
        self.presses.brought = Some((now, self.surface.vouched()));
    }

    /// Whether the whole board has brought in the last move, and this side had pressed since that
    /// was told before and since the opponent's last move was completed.
    fn was_pressed_unseen(&self, by: Color) -> bool {
        let plies = self.score.plies();
        let ([.., reply, last], Some((told, since))) = (plies, self.presses.brought) else {
            return false;
        };
        let brought = self.surface.picture().stirred(last.mv.to()) == told;
        let pressed = *self.presses.last.get(by);
        let since = reply.completed.map(|completed| completed.max(since));
        brought
            && last.after.turn() == by.other()
            && pressed.zip(since).is_some_and(|(it, at)| it > at)
    }

    pub(super) fn note_press(&mut self, now: Moment, by: Color, out: &mut Vec<Effect>) {
        self.note_irregular(now, out);
        self.note_standing(now, by, out);
        *self.presses.last.get_mut(by) = Some(now);
        let made = self.made_since_press(by);
        self.presses.missing += made.saturating_sub(1);
        let opposite = self.presses.empty.take().is_some_and(|empty| empty.by != by);
        if opposite && self.presses.missing > 0 {
            self.presses.missing -= 1;
            return;
        }
        let watched = !std::mem::take(&mut self.presses.unwatched) && !self.reopened;
        let doubted = self.adrift || self.broken || self.standing_illegal.is_some();
        let turn = self.score.position().turn() == by && self.score.ending().is_none();
        // His time does not count by right: after a move that was put right he gives it back.
        let gives_back = self.score.owed() > 0;
        let runs = self.score.began().is_some() && self.clock_ran || self.ran_from_start;
        let first = self.score.plies().is_empty() && runs;
        let begun = self.has_begun() || first;
        // A lever may go over while both times stand: only a clock that tells them accuses.
        let counts = self.clocks.tells_times();
        if made > 0 || doubted || !watched || !turn || gives_back || !begun || !counts {
            return;
        }
        let wait = match (first, self.presses.missing) {
            (true, _) => BEFORE_THE_FIRST,
            (false, 0) => SCANNED,
            _ => COUNTER,
        };
        let picture = self.surface.board().clone();
        if *self.score.position().board() == picture {
            self.presses.passed = Some(Passed { by, plies: self.score.plies().len(), told: None });
            self.expect_play_from_pass(now);
        }
        self.presses.empty = Some(Empty { by, at: now, picture, judge: now + wait });
        self.survey_at.get_or_insert(now + SCAN);
    }

    /// Whether the player who has the move has pressed without one, so that his opponent may go on.
    pub(super) fn may_be_passed(&self) -> bool {
        self.presses.passed.is_some_and(|passed| passed.plies == self.score.plies().len())
    }

    /// The turn is not passed after all: the player has made his move and was replied to, or he
    /// has been given the clock back.
    pub(super) fn forget_pass(&mut self) {
        self.presses.passed = None;
        self.expect_no_play_from_pass();
    }

    /// Both have moved since: the press was made up for.
    pub(super) fn review_pass(&mut self) {
        let plies = self.score.plies().len();
        let over = |it: &Passed| !(it.plies..=it.plies + 1).contains(&plies);
        if self.score.ending().is_some() || self.presses.passed.as_ref().is_some_and(over) {
            self.forget_pass();
        }
    }

    /// The opponent has pressed as well. Without a move of his own he has given the clock back.
    pub(super) fn judge_pass(&mut self, now: Moment, by: Color, out: &mut Vec<Effect>) {
        if self.presses.passed.is_none_or(|passed| passed.by == by) {
            return;
        }
        self.resume_after_pass(now, by, out);
        self.forget_pass();
    }

    /// The game is about to go on without that turn: its press is told before.
    pub(super) fn tell_pass(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.presses.empty = None;
        let Some(by) = self.presses.passed.filter(|it| it.told.is_none()).map(|it| it.by) else {
            return;
        };
        let told = self.tell_empty_press(now, by, out);
        self.presses.passed.iter_mut().for_each(|passed| passed.told = Some(told));
    }

    /// And it has gone on since.
    pub(super) fn tell_played_on(&mut self, now: Moment, agreed: String, out: &mut Vec<Effect>) {
        let Some(Passed { by, told, .. }) = self.presses.passed.take() else { return };
        let advice = presses::played_on(by, &self.settings);
        let Some(incident) = told.and_then(|id| self.docket.get_mut(id)) else {
            // Somebody has ruled on the press, and may not know that it was played on.
            let facts = Facts { fen: agreed, ..self.facts() };
            self.raise_doubt(now, position::turn_passed(by), facts, out);
            self.several_ways = true;
            return;
        };
        incident.advice.insert(0, advice);
        out.push(Effect::Raised(Box::new(incident.clone())));
    }

    /// What was played on from a passed turn is put back: that player has the move again.
    pub(super) fn tell_turn_given_back(&mut self, by: Color, out: &mut Vec<Effect>) {
        let advice = presses::played_on(by, &self.settings);
        let told = self.open_in_game().find(|it| it.advice.contains(&advice)).map(|it| it.id);
        let Some(incident) = told.and_then(|id| self.docket.get_mut(id)) else { return };
        incident.advice.retain(|it| *it != advice);
        out.push(Effect::Raised(Box::new(incident.clone())));
    }

    /// Whether whoever presses now does not start the game (6.6): the first move was completed.
    fn has_begun(&self) -> bool {
        let plies = self.score.plies();
        plies.first().is_some_and(|ply| plies.len() > 1 || ply.status == Status::Completed)
    }

    /// This side has pressed for all its moves.
    pub(super) fn count_as_pressed(&mut self, by: Color) {
        *self.presses.counted.get_mut(by) = self.score.plies().len();
    }

    /// When this side pressed last.
    pub(super) fn pressed_at(&self, side: Color) -> Option<Moment> {
        *self.presses.last.get(side)
    }

    /// Whether anybody has pressed since that moment.
    pub(super) fn presses_since(&self, moment: Moment) -> bool {
        let last = self.presses.last;
        last.white.into_iter().chain(last.black).any(|at| at >= moment)
    }

    /// Moves made by this side since it last pressed.
    fn made_since_press(&mut self, by: Color) -> u32 {
        let plies = self.score.plies();
        let counted = std::mem::replace(self.presses.counted.get_mut(by), plies.len());
        let since = plies.get(counted..).unwrap_or_default().iter();
        let own = since.filter(|ply| ply.after.turn() == by.other());
        u32::try_from(own.count()).unwrap_or(u32::MAX)
    }

    pub(super) fn empty_press_at(&self) -> Option<Moment> {
        self.presses.empty.as_ref().map(|empty| empty.judge)
    }

    /// 7.5.3: what stood there at the press is the position before it, and still is.
    pub(super) fn judge_empty_press(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some(empty) = self.presses.empty.take() else { return };
        if self.is_unconfirmed_since(now, empty.at) {
            // Both reports of a move may be lost: nobody is accused before the board was asked.
            self.presses.empty = Some(Empty { judge: now + SCAN, ..empty });
            return;
        }
        let Empty { by, at, picture, .. } = empty;
        let position = self.score.position();
        // A clock that is blocked at zero was not stopped by anybody.
        let stopped = self.clocks.stopped() && self.clocks.flags().next().is_none();
        // What the opponent has done since is his reply, if the player has touched nothing.
        let replied = self.surface.is_told_singly() && !self.hand.touched_since(at, by);
        let same = *position.board() == picture && (picture == *self.surface.board() || replied);
        if position.turn() != by || self.score.ending().is_some() || stopped {
            return self.forget_pass();
        }
        if !same {
            return;
        }
        if self.is_sealed_reply(now, by, &picture, out) {
            return self.forget_pass();
        }
        let told = self.tell_empty_press(now, by, out);
        self.hold_against_flag(told, at, out);
        if let Some(passed) = &mut self.presses.passed {
            passed.told = Some(told);
        }
    }

    fn tell_empty_press(&mut self, now: Moment, by: Color, out: &mut Vec<Effect>) -> IncidentId {
        let mut saying = Saying {
            kind: Kind::PressedWithoutMove,
            side: Some(by),
            text: presses::empty_text(by),
            facts: self.facts(),
            advice: vec![presses::empty_advice(self.settings.edition)],
        };
        if !self.score.plies().is_empty() {
            return self.raise_as(
                now,
                saying,
                self.settings.gravity(Kind::PressedWithoutMove),
                out,
            );
        }
        // It may have put right a clock that was started for the wrong player: nothing is counted.
        saying.advice.insert(0, presses::before_the_first_move());
        let gravity = self.settings.gravity_in_doubt(saying.kind, Gravity::Look);
        let id = self.docket.next_id(self.game);
        let incident = self.incident(now, id, saying, gravity);
        self.open(incident, out);
        id
    }

    /// A.4.4, A.5.4: both kings in check, or a pawn on the last rank, after the next move too.
    fn note_irregular(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if !self.settings.is_unsupervised() || self.score.ending().is_some() {
            return;
        }
        let picture = self.surface.board();
        let found = presses::irregular(picture);
        if found.is_some() && self.presses.irregular.as_ref().is_some_and(|it| it.2 == *picture) {
            return;
        }
        let picture = picture.clone();
        let before = self.presses.irregular.take();
        let Some(kind) = found else {
            if let Some((kind, ..)) = before {
                self.close_kind(kind, out);
            }
            return;
        };
        let moves = before.filter(|before| before.0 == kind).map_or(0, |before| before.1) + 1;
        self.presses.irregular = Some((kind, moves, picture));
        if moves == 2 {
            let text = presses::irregular_text(kind);
            let (facts, advice) = (self.facts(), vec![presses::irregular_advice()]);
            self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
        }
    }

    /// A.4.2, A.5.2: the opponent of the player who made an illegal move has moved himself, and it
    /// was not put right before. A press without a move leaves no position to stand.
    fn note_standing(&mut self, now: Moment, by: Color, out: &mut Vec<Effect>) {
        let open = |kind: Kind| {
            let mut all = self.open_in_game();
            all.find(|it| {
                it.kind == kind && it.side == Some(by.other()) && it.state != State::Lapsed
            })
            .map(|it| (it.id, it.opened, it.move_number))
        };
        let moved = open(Kind::IllegalMove).or_else(|| open(Kind::PawnNotPromoted));
        let is_move = moved.is_some();
        let empty = Kind::PressedWithoutMove;
        let pressed = open(empty).filter(|_| Ledger::counts(empty, self.settings.edition));
        let found = moved.or(pressed).filter(|_| self.settings.is_unsupervised());
        let Some((id, opened, move_number)) = found else { return };
        let put_right = is_move && self.presses.put_right.is_some_and(|at| at >= opened);
        // A press is judged when the board has told all: the reply may have come before that.
        let pressed = self.presses.last.get(by.other()).map_or(opened, |at| at.min(opened));
        if put_right || !self.hand.touched_since(pressed, by) {
            return;
        }
        if let Some(incident) = self.docket.get_mut(id) {
            incident.state = State::Lapsed;
            out.push(Effect::Raised(Box::new(incident.clone())));
        }
        let side = by.other();
        if self.ledger.let_stand(id) {
            self.renumber(Some(side), out);
        }
        if !is_move {
            return;
        }
        let saying = Saying {
            kind: Kind::IllegalStands,
            side: Some(side),
            text: presses::stands_text(side),
            facts: Facts { mv: None, ..self.facts() },
            advice: Vec::new(),
        };
        let gravity = self.settings.gravity(Kind::IllegalStands);
        self.raise_about(now, saying, gravity, move_number, out);
    }
}
