//! Presses that complete no move, and what still stands on the board when others do.

use crate::table::tolerances::{BEFORE_THE_FIRST, CONFIRMED, COUNTER};

use eboard::Moment;
use shakmaty::{ByColor, Color, Position};

use super::alerts::Saying;
use super::passed::{Empty, Passed};
use super::{Effect, Play};
use crate::incident::{Facts, Kind, State};
use crate::laws::presses;
use crate::ledger::Ledger;
use crate::score::Status;
use crate::tolerances::{SCAN_AND_LINE, SCANNED};

impl Play {
    pub(super) fn note_made(&mut self, now: Moment, by: Color, out: &mut Vec<Effect>) {
        // The press has come before the scan, or the whole board, that brought in its move.
        let empty = self.game.pressing.presses.empty.take_if(|empty| empty.by == by);
        if empty.is_some() {
            *self.game.pressing.presses.counted.get_mut(by) = self.game.score.plies().len();
        }
        if empty.is_some_and(|it| now <= it.at + CONFIRMED) || self.was_pressed_unseen(by) {
            self.complete(now, by, out);
        }
    }

    /// Whether the last move came with a report of the whole board, and this side had pressed since
    /// the report before and since the opponent's last move was completed.
    fn was_pressed_unseen(&self, by: Color) -> bool {
        let plies = self.game.score.plies();
        let ([.., reply, last], Some((reported, since))) =
            (plies, self.game.pressing.presses.brought)
        else {
            return false;
        };
        let brought = self.board.surface.picture().stirred(last.mv.to()) == reported;
        let pressed = *self.game.pressing.presses.last.get(by);
        let since = reply.completed.map(|completed| completed.max(since));
        brought
            && last.after.turn() == by.other()
            && pressed.zip(since).is_some_and(|(it, at)| it > at)
    }

    pub(super) fn note_press(&mut self, now: Moment, by: Color, out: &mut Vec<Effect>) {
        self.note_irregular(now, out);
        self.note_standing(now, by, out);
        *self.game.pressing.presses.last.get_mut(by) = Some(now);
        let made = self.made_since_press(by);
        self.game.pressing.presses.missing += made.saturating_sub(1);
        let opposite = self.game.pressing.presses.empty.take().is_some_and(|empty| empty.by != by);
        if opposite && self.game.pressing.presses.missing > 0 {
            self.game.pressing.presses.missing -= 1;
            return;
        }
        let watched =
            !std::mem::take(&mut self.game.pressing.presses.unwatched) && !self.game.away.reopened;
        let doubted = self.game.course.is_adrift() || self.game.reading.standing_illegal.is_some();
        let turn = self.game.score.position().turn() == by && self.game.score.ending().is_none();
        // His time does not count by right: after a move that was put right he gives it back.
        let gives_back = self.game.score.owed() > 0;
        let runs = self.game.score.began().is_some() && self.game.clock.ran
            || self.game.clock.ran_from_start;
        let first = self.game.score.plies().is_empty() && runs;
        let begun = self.has_begun() || first;
        // A lever may go over while both times stand. Only a clock that reports its times accuses.
        let counts = self.clocks.reports_times();
        if made > 0 || doubted || !watched || !turn || gives_back || !begun || !counts {
            return;
        }
        let unsure = first || self.clocks.are_sides_in_doubt();
        let wait = match (unsure, self.game.pressing.presses.missing) {
            (true, _) => BEFORE_THE_FIRST,
            (false, 0) => SCANNED,
            _ => COUNTER,
        };
        let picture = self.board.surface.board().clone();
        if *self.game.score.position().board() == picture {
            self.game.pressing.presses.passed =
                Some(Passed { by, plies: self.game.score.plies().len(), alert: None });
            self.expect_play_from_pass(now);
        }
        self.game.pressing.presses.empty = Some(Empty { by, at: now, picture, judge: now + wait });
        self.board.survey_at.get_or_insert(now + SCAN_AND_LINE);
    }

    /// The opponent has pressed as well. Without a move of his own he has given the clock back.
    pub(super) fn judge_pass(&mut self, now: Moment, by: Color, out: &mut Vec<Effect>) {
        if self.game.pressing.presses.passed.is_none_or(|passed| passed.by == by) {
            return;
        }
        self.resume_after_pass(now, by, out);
        self.forget_pass();
    }

    /// Whether whoever presses now does not start the game (6.6): the first move was completed.
    fn has_begun(&self) -> bool {
        let plies = self.game.score.plies();
        plies.first().is_some_and(|ply| plies.len() > 1 || ply.status == Status::Completed)
    }

    /// What was moved until now was moved before the clock was started: no press is missing.
    pub(super) fn owe_no_press(&mut self) {
        let plies = self.game.score.plies().len();
        self.game.pressing.presses.counted = ByColor { white: plies, black: plies };
        self.game.timing.missed.excuse(plies);
    }

    /// Moves made by this side since it last pressed.
    fn made_since_press(&mut self, by: Color) -> u32 {
        let plies = self.game.score.plies();
        let counted =
            std::mem::replace(self.game.pressing.presses.counted.get_mut(by), plies.len());
        let since = plies.get(counted..).unwrap_or_default().iter();
        let own = since.filter(|ply| ply.after.turn() == by.other());
        u32::try_from(own.count()).unwrap_or(u32::MAX)
    }

    /// 7.5.3: what stood there at the press is the position before it, and still is.
    pub(super) fn judge_empty_press(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some(empty) = self.game.pressing.presses.empty.take() else { return };
        if self.is_unconfirmed_since(now, empty.at) {
            // Both reports of a move may be lost: nobody is accused before the board was asked.
            self.game.pressing.presses.empty = Some(Empty { judge: now + SCAN_AND_LINE, ..empty });
            return;
        }
        let Empty { by, at, picture, .. } = empty;
        let position = self.game.score.position();
        // A clock that is blocked at zero was not stopped by anybody.
        let stopped = self.clocks.stopped() && self.clocks.flags().next().is_none();
        // What the opponent has done since is his reply, if the player has touched nothing.
        let replied = self.board.surface.reports_singly() && !self.game.hand.touched_since(at, by);
        let same =
            *position.board() == picture && (picture == *self.board.surface.board() || replied);
        if position.turn() != by || self.game.score.ending().is_some() || stopped {
            return self.forget_pass();
        }
        if !same {
            return;
        }
        if self.is_sealed_reply(now, by, &picture, out) {
            return self.forget_pass();
        }
        let alert = self.tell_empty_press(now, by, out);
        self.hold_against_flag(alert, at, out);
        if let Some(passed) = &mut self.game.pressing.presses.passed {
            passed.alert = Some(alert);
        }
    }

    /// A.4.4, A.5.4: both kings in check, or a pawn on the last rank, after the next move too.
    fn note_irregular(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if !self.settings.is_unsupervised() || self.game.score.ending().is_some() {
            return;
        }
        let picture = self.board.surface.board();
        let found = presses::irregular(picture);
        if found.is_some()
            && self.game.pressing.presses.irregular.as_ref().is_some_and(|it| it.2 == *picture)
        {
            return;
        }
        let picture = picture.clone();
        let before = self.game.pressing.presses.irregular.take();
        let Some(kind) = found else {
            if let Some((kind, ..)) = before {
                self.close_kind(kind, out);
            }
            return;
        };
        let moves = before.filter(|before| before.0 == kind).map_or(0, |before| before.1) + 1;
        self.game.pressing.presses.irregular = Some((kind, moves, picture));
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
        let put_right =
            is_move && self.game.pressing.presses.put_right.is_some_and(|at| at >= opened);
        // A press is judged after the board has reported everything. The reply may have come before
        // that.
        let pressed =
            self.game.pressing.presses.last.get(by.other()).map_or(opened, |at| at.min(opened));
        if put_right || !self.game.hand.touched_since(pressed, by) {
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
