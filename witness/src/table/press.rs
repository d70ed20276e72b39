//! The press: the legal moment of a move (Article 6.2.1). What stood there at that moment was
//! meant; what is done with the pieces afterwards is not that player's move.

use bincode::{Decode, Encode};
use eboard::{FaceTime, Moment};
use shakmaty::san::SanPlus;
use shakmaty::{Board, ByColor, Chess, Color, Move, Position, Square};

use super::alerts::Saying;
use super::{Effect, Event, Facet, Play};
use crate::candidates;
use crate::evidence::Trace;
use crate::incident::{Facts, Kind};
use crate::laws::illegal::{self, IllegalMove, Why};
use crate::laws::position::{self, Hands};
use crate::picture::Picture;
use crate::recogniser::Recogniser;
use crate::score::Status;
use crate::surface::Change;
use crate::table::tolerances::{CONFIRMED, PARKED, REPORTED};
use crate::tolerances::SCAN_AND_LINE;
use crate::tracker::Late;

/// So many moves that were seen prove the position they were made from.
const PROVEN_BY: usize = 4;

/// A press that is not judged yet.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Press {
    pub by: Color,
    pub at: Moment,
    pub judge: Moment,
    /// It completed a move that was known.
    completed: bool,
    /// The picture at the moment the press was reported.
    shown: Picture,
    /// What stood there had not changed for longer than a scan takes.
    rested: bool,
    /// What stood there, as far as the board has reported it.
    picture: Picture,
    /// What the clock showed last before it.
    pub before: Option<ByColor<FaceTime>>,
}

/// A position from which an illegal move was made, and whether what looked like a move of the same
/// player was only the passage to it.
struct Case {
    before: Chess,
    passage: bool,
}

impl Play {
    /// A side pressed: what stands there was meant.
    pub(super) fn pressed(
        &mut self,
        now: Moment,
        by: Color,
        before: Option<ByColor<FaceTime>>,
        out: &mut Vec<Effect>,
    ) {
        self.judge_before(now, by, out);
        let (by, before) = match self.shows_exchanged_sides(now, by) {
            true => {
                self.exchange_sides(now, out);
                (by.other(), before.map(ByColor::into_swapped))
            }
            false => (by, before),
        };
        self.game.traces.add(now, Trace::Pressed(by));
        if !self.believe_pressed(now, by, out) {
            return;
        }
        if self.game.reading.tracker.as_ref().is_some_and(|tracker| tracker.lost().is_some()) {
            // Whoever presses has nothing in his hand: a report may be lost.
            self.board.survey_at = Some(now + SCAN_AND_LINE);
        }
        self.press_resumption(now, by, out);
        let completed = self.complete(now, by, out);
        let picture = self.board.surface.picture();
        let rested = now.since(self.board.surface.changed()) >= SCAN_AND_LINE;
        // Even what has rested may have been changed just before: the board reports later than the
        // clock.
        let judge = now + if rested { SCAN_AND_LINE } else { self.settle() };
        // One that is still to be judged is not forgotten for a press that completes nothing.
        if completed || self.game.pressing.press.is_none() {
            let shown = picture.clone();
            let press = Press { by, at: now, judge, completed, shown, rested, picture, before };
            self.game.pressing.press = Some(press);
        }
    }

    /// A side pressed while nobody watched. What stands there now may be of later: the press
    /// completes what it can and accuses nobody.
    pub(super) fn pressed_unwatched(&mut self, now: Moment, by: Color, out: &mut Vec<Effect>) {
        if self.believe_pressed(now, by, out) {
            self.complete(now, by, out);
        }
    }

    /// What stands there was meant. True if a game is on in which that matters.
    fn believe_pressed(&mut self, now: Moment, by: Color, out: &mut Vec<Effect>) -> bool {
        self.tell(Event::Pressed(by), out);
        self.keep_press(now, by);
        let owed = self.is_owed(by);
        let Some(tracker) =
            self.game.reading.tracker.as_mut().filter(|_| self.game.score.ending().is_none())
        else {
            return false;
        };
        if tracker.pressed(now, by, owed, &self.board.surface.picture()) {
            self.adopt(now, out);
        }
        self.go_on_after_kings(now, out);
        true
    }

    /// The squares changed after a press: a scan may still have been bringing in the move. Once the
    /// opponent has touched anything, nothing more belongs to it.
    pub(super) fn note_after_press(&mut self) {
        let Some(press) = self.game.pressing.press.as_mut().filter(|press| !press.rested) else {
            return;
        };
        if !self.game.hand.touched_since(press.at, press.by.other()) && !self.clocks.stopped() {
            press.picture = self.board.surface.picture();
        }
    }

    /// The report of the whole board differs from the changes before it. The difference was there
    /// before the report.
    pub(super) fn note_correction(&mut self, now: Moment, changes: &[Change]) {
        if changes.is_empty() || !self.board.surface.reports_singly() || self.game.away.reopened {
            return;
        }
        self.note_brought(now);
        let squares = changes.iter().map(|change| change.square).collect();
        if let Some(tracker) = &mut self.game.reading.tracker {
            tracker.correct(squares, self.board.surface.vouched());
        }
        if let Some(press) = &mut self.game.pressing.press {
            press.picture = press.picture.with(squares, self.board.surface.board());
        }
    }

    /// Judges an earlier press that still waits, before this one. If it accuses nobody it waits no
    /// longer: an opponent who presses has put no piece aside.
    fn judge_before(&mut self, now: Moment, by: Color, out: &mut Vec<Effect>) {
        self.judge(now, out);
        let waits = self.game.pressing.press.as_ref().is_some_and(|press| {
            press.by != by && self.parked_until(press).is_some() && self.illegal(press).is_none()
        });
        if let Some(press) = self.game.pressing.press.take_if(|_| waits) {
            self.judge_squares(now, &press, out);
        }
    }

    /// Keeps the move of a press that is not judged yet, when the line goes out.
    pub(super) fn keep_pressed(&mut self) {
        if let (Some(press), Some(tracker)) =
            (&self.game.pressing.press, &mut self.game.reading.tracker)
            && press.completed
        {
            let late = Late { by: press.by, at: press.at, completed: true };
            tracker.keep_pressed(&late, &press.picture);
        }
    }

    /// The board has had time to show what stood there at the press.
    pub(super) fn judge(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some(mut press) = self.game.pressing.press.take() else { return };
        if now < press.at + CONFIRMED && self.may_be_misreported(now, &press) {
            press.judge = press.at + CONFIRMED;
            self.board.survey_at = Some(now);
            self.game.pressing.press = Some(press);
            return;
        }
        if let Some(until) = self.parked_until(&press).filter(|until| now < *until) {
            press.judge = until;
            self.game.pressing.press = Some(press);
            return;
        }
        self.judge_squares(now, &press, out);
    }

    /// Judges the squares at the press. Nothing can change them any more.
    fn judge_squares(&mut self, now: Moment, press: &Press, out: &mut Vec<Effect>) {
        self.judge_pass(now, press.by, out);
        if self.judge_illegal(now, press, out) {
            return;
        }
        let late = Late { by: press.by, at: press.at, completed: press.completed };
        let Some(tracker) = &mut self.game.reading.tracker else { return };
        if tracker.came_late(&late, &press.picture) {
            self.adopt(now, out);
            self.complete(now, press.by, out);
        }
        let wait = self.release();
        let explained = self.is_explained() || self.is_rearranged(now);
        if let Some(tracker) = self.game.reading.tracker.as_mut().filter(|_| !explained) {
            tracker.doubt(now, press.at, wait);
        }
        if self.game.score.position().turn() == press.by.other() {
            self.game.hand.forget_before(press.at);
            self.game.traces.forget_before(press.at);
        }
    }

    /// Whether the board must be asked before anybody is accused. A report that was lost or damaged
    /// makes a legal move look like an illegal one. A board that has reported its squares since the
    /// move before may still do so, even if it did not answer a moment ago.
    fn may_be_misreported(&self, now: Moment, press: &Press) -> bool {
        let picture = self.board.surface.picture_at(now);
        let last = self.game.score.plies().last();
        let answers = last.is_some_and(|ply| ply.released <= picture.confirmed());
        let asks = self.board.surface.reports_singly() && (answers || !picture.is_uncertain());
        asks && picture.confirmed() <= press.at && self.illegal(press).is_some()
    }

    /// The piece that was moved illegally, and from which position, as far as can be seen.
    fn illegal(&self, press: &Press) -> Option<(Case, IllegalMove)> {
        if let Some(before) = self.after_illegal(press.by) {
            // What stands there is known, though no game leads to it.
            let mv = illegal::explain(before, press.picture.board())?;
            return Some((Case { before: before.clone(), passage: false }, mv));
        }
        if self.game.away.reopened || self.game.course.is_adrift() && !self.has_seen_everything() {
            // Nobody can be accused while the position before the move is unknown. A move that has
            // only stood for long casts no doubt on that position.
            return None;
        }
        let tracker =
            self.game.reading.tracker.as_ref().filter(|tracker| self.has_seen_moves(tracker))?;
        let case = self.case(tracker, press)?;
        let mv = illegal::explain(&case.before, tracker.corrected(&press.picture).board())?;
        Some((case, mv))
    }

    /// The case against a press: nothing if a legal position by that player stood there, or came to
    /// stand there while the scan was still bringing it in.
    fn case(&self, tracker: &Recogniser, press: &Press) -> Option<Case> {
        if tracker.has_stood(&press.picture, press.by, press.at) {
            return None;
        }
        let (position, before_last) = (tracker.position(), tracker.before_last());
        if position.turn() == press.by {
            let before = position.clone();
            // The press belongs to the move before, which was answered already, and none of his
            // pieces had left its square. So what follows belongs to his next turn.
            let begun = !press.shown.left(before.board(), press.by).is_empty();
            let answered = press.completed && !begun;
            return (!answered && !press.picture.shows(before.board()))
                .then_some(Case { before, passage: false });
        }
        // The opponent has answered: his half of a move is no fault of this player's. Nor was a
        // move the passage to anything for which the clock was pressed before.
        let answered = tracker.has_answered(press.by, press.at) || self.has_pressed_before(press);
        if answered || candidates::unfinished(position, &press.picture) {
            return None;
        }
        (before_last.turn() == press.by).then_some(Case { before: before_last, passage: true })
    }

    /// Whether the player had pressed for his last move before, and so not with this press.
    fn has_pressed_before(&self, press: &Press) -> bool {
        let own = self.game.score.plies().last().filter(|ply| ply.after.turn() == press.by.other());
        own.and_then(|ply| ply.completed).is_some_and(|at| at < press.at)
    }

    /// Whether the last moves were all seen: where some were worked out, who has the move and what
    /// stands there may be otherwise.
    fn has_seen_moves(&self, tracker: &Recogniser) -> bool {
        self.board.surface.is_blind() || !tracker.has_worked_out_among(PROVEN_BY)
    }

    /// Whether nothing in the score was worked out that may still be otherwise.
    fn has_seen_everything(&self) -> bool {
        let tracker = self.game.reading.tracker.as_ref();
        !self.game.reading.several_ways
            && !tracker.is_some_and(|tracker| tracker.has_worked_out_among(usize::MAX))
    }

    /// If the piece that was moved stands elsewhere now, the opponent may have put it aside to
    /// capture it: until when it is left at that.
    fn parked_until(&self, press: &Press) -> Option<Moment> {
        let tracker = self.game.reading.tracker.as_ref()?;
        let reply = self.after_illegal(press.by).is_some();
        let passage = |case: &Case| case.passage && !reply;
        self.case(tracker, press).filter(|case| passage(case) || tracker.has_tried())?;
        let put = self.illegal(press).map(|(_, mv)| self.board.surface.picture().stirred(mv.to));
        Some(press.at.max(put.unwrap_or(press.at)) + PARKED)
    }

    /// Article 7.5: whether the press completed an illegal move; raises it if so.
    fn judge_illegal(&mut self, now: Moment, press: &Press, out: &mut Vec<Effect>) -> bool {
        if self.board.surface.never_confirms(now) {
            // To anybody who cannot ask, a damaged report is a move to another square.
            return false;
        }
        // A board that does not report its position may have lost a move before this one too.
        let deaf = self.board.surface.picture_at(now).is_uncertain();
        let found = self.illegal(press).filter(|_| !deaf || self.has_seen_everything());
        let Some((Case { before, passage }, mv)) = found else { return false };
        if passage && let Some(tracker) = &mut self.game.reading.tracker {
            tracker.drop_last(1);
            self.after_tracker(now, true, out);
        }
        let standing = Some((mv, press.picture.board().clone()));
        if self.game.reading.standing_illegal != standing {
            self.expect_play_from_illegal(now, &before, &mv, press.picture.board());
            if !self.is_drawn_by(press) {
                self.raise_illegal(now, press, press.picture.board(), &before, &mv, out);
            }
            if !self.game.reading.several_ways && self.shows_reported_illegal() {
                // The alert explains why squares and score disagree.
                self.close_kind(Kind::PositionToCheck, out);
            }
            // The reply may stand there already.
            self.look(now, out);
        }
        true
    }

    /// Whether this press has drawn the game for what an illegal move before it has left (A.4.4,
    /// A.5.4): then nothing is put back, and nobody is penalized for it.
    fn is_drawn_by(&self, press: &Press) -> bool {
        let drawn = |kind| {
            let open = self.docket.of_kind(kind);
            let open = open.and_then(|id| self.docket.all().find(|it| it.id == id));
            open.is_some_and(|it| it.opened >= press.at)
        };
        drawn(Kind::KingsInCheck) || drawn(Kind::PawnOnLastRank)
    }

    /// Says what was played and why it is illegal, what stood there before, and what 4.3 obliges
    /// to.
    fn raise_illegal(
        &mut self,
        now: Moment,
        press: &Press,
        picture: &Board,
        before: &Chess,
        mv: &IllegalMove,
        out: &mut Vec<Effect>,
    ) {
        let kind =
            if mv.why == Why::NotPromoted { Kind::PawnNotPromoted } else { Kind::IllegalMove };
        let attackers = mv.why.attackers().into_iter().collect();
        let hands = self.hands(mv, before, picture);
        let san = |mv: &Move| SanPlus::from_move(before.clone(), *mv).to_string();
        let facts = Facts {
            clocks: press.before,
            surface: Some(picture.to_string()),
            mv: Some((mv.from, mv.to)),
            detail: Some(mv.why.detail()),
            attackers,
            squares: vec![mv.from, mv.to],
            obliged: position::obliged(mv, before, hands).iter().map(san).collect(),
            position: before.into(),
            ..self.facts()
        };
        let text = position::illegal(mv, picture);
        let edition = self.settings.edition;
        let mut advice = position::illegal_advice(mv, before, hands, press.before, edition);
        let silence = position::not_pointed_out(&self.settings);
        advice.splice(0..0, silence);
        let saying = Saying { kind, side: Some(mv.piece.color), text, facts, advice };
        let number = u32::from(before.fullmoves());
        let alert = self.raise_about(now, saying, self.settings.gravity(kind), number, out);
        self.hold_against_flag(alert, press.at, out);
    }

    /// The other piece that an illegal move has moved or taken off, and whether it was touched
    /// first.
    fn hands(&self, mv: &IllegalMove, before: &Chess, picture: &Board) -> Hands {
        let rook = illegal::castled_rook(mv, before, picture);
        let other = rook.or(mv.taken());
        let lifted = |square: Square| {
            self.game.irregularities.lifted_from(&[square]).first().map(|(_, at)| *at)
        };
        let both = other.and_then(lifted).zip(lifted(mv.from));
        Hands { rook, other_first: both.is_some_and(|(other, own)| other + SCAN_AND_LINE < own) }
    }

    /// Which half is whose is settled anew whenever a time begins to count before anything has been
    /// completed: the player who has the move is the one whose time counts.
    pub(super) fn clock_started(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.game.traces.add(now, Trace::Started);
        let completed = self.game.score.plies().iter().any(|ply| ply.status == Status::Completed);
        let completed = completed || self.was_put_right();
        if self.game.reading.tracker.is_some() && self.game.score.ending().is_none() && !completed {
            // What is on the board already may have been done before the clock was started, or
            // before we heard of it.
            let moved = match self.game.score.plies() {
                [] => !self.agrees(),
                plies => plies.len() == 1,
            };
            // Before the start, or with a press that was not heard: one contradiction is no proof.
            let gone_over = moved && self.clocks.has_gone_over();
            let pressed = self.clocks.was_pressed_unheard() || gone_over;
            // A start that is reported late is that of the time in which the move was made.
            let late = self.made_at(0).is_some_and(|made| {
                moved && now <= made + REPORTED && !self.clocks.was_tipped_since(made)
            });
            let begins = self.game.score.position_at(0).turn();
            let turn = match pressed {
                true => !begins,
                false if late => begins,
                false => self.game.score.position().turn(),
            };
            let surely = self.game.score.plies().is_empty() && self.agrees() && !pressed;
            self.clocks.change().counts_for(turn, surely || gone_over);
            self.game.score.begin(now);
            out.push(Effect::Changed(Facet::Clock));
        }
    }
}
