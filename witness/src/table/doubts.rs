//! Doubts about the score: squares that nothing explains, moves that can be read in several ways,
//! moves that nobody saw. One of them is open at a time, and keeps what an older one has said.

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::san::SanPlus;
use shakmaty::{Board, Move, Position};

use super::alerts::Saying;
use super::{Effect, Play};
use crate::evidence::Evidence;
use crate::game_position::GamePosition;
use crate::incident::{Facts, Gravity, Incident, IncidentId, Kind};
use crate::laws::position;
use crate::message::Message;
use crate::picture::Picture;
use crate::score::{Confidence, Ply};
use crate::tolerances::OLD_DOUBT;
use crate::tracker::Doubtful;

/// A disagreement of squares and score that was reported.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Doubt {
    /// What stood on the squares then.
    pub(super) picture: Board,
    /// Since when the squares have shown something else.
    pub(super) since: Moment,
    /// Both kings have stood in the centre since.
    pub(super) signed: bool,
    /// When it is old enough to call somebody.
    pub(super) old_at: Option<Moment>,
    /// It may be that pieces are only looked at, so nobody was called.
    pub(super) untold: bool,
}

/// After how many moves a board that sees no pieces is reported, if they have not shown which way a
/// picture came about.
pub(super) const BLIND_PLIES: usize = 8;

pub(super) fn in_san(doubtful: &Doubtful) -> Vec<String> {
    let line = |line: &Vec<Move>| {
        let mut position = doubtful.position.clone();
        let san = |&mv| SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string();
        line.iter().map(san).collect::<Vec<_>>().join(" ")
    };
    doubtful.lines.iter().map(line).collect()
}

/// How many of these lines lead to what stands there; others only begin to.
pub(super) fn explaining(doubtful: &Doubtful, picture: &Picture) -> usize {
    let shown = |line: &&Vec<Move>| {
        let mut position = doubtful.position.clone();
        line.iter().for_each(|&mv| position.play_unchecked(mv));
        picture.shows(position.board())
    };
    doubtful.lines.iter().filter(shown).count()
}

impl Play {
    /// Not before a press is judged: that may explain what stands there.
    pub(super) fn after_judgement(&self, at: Moment) -> Moment {
        self.game.pressing.press.as_ref().map_or(at, |press| at.max(press.judge))
    }

    /// Whether the squares show an illegal move that was reported.
    pub(super) fn shows_reported_illegal(&self) -> bool {
        self.game
            .reading
            .standing_illegal
            .as_ref()
            .is_some_and(|(_, it)| it == self.board.surface.board())
    }

    /// When the doubt must be renewed: the squares show something else now, or nobody has come for
    /// too long.
    pub(super) fn doubt_at(&self) -> Option<Moment> {
        let doubt = self.game.course.doubt().filter(|_| self.board.device.answering)?;
        let moved = *self.board.surface.board() != doubt.picture || doubt.untold;
        let started = self.game.clock.started.filter(|_| doubt.untold);
        let changed = started.into_iter().fold(self.board.surface.changed(), Moment::max);
        let moved = moved && !self.may_be_looked_at();
        let moved_at = moved.then(|| self.after_judgement(changed + self.settings.check_after));
        moved_at.into_iter().chain(doubt.old_at).min()
    }

    pub(super) fn renew_doubt(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let (signed, looked_at) = (self.sign_shown().is_some(), self.may_be_looked_at());
        let Some(doubt) = self.game.course.doubt_mut() else { return };
        doubt.signed |= signed;
        let aged = doubt.old_at.is_some_and(|at| at <= now);
        let another = *self.board.surface.board() != doubt.picture || doubt.untold;
        if another && !looked_at {
            (doubt.picture, doubt.untold) = (self.board.surface.board().clone(), false);
            if !self.shows_reported_illegal() {
                self.tell_doubt(now, out);
            }
        }
        let open = self.docket.of_kind(Kind::PositionToCheck).is_some();
        let put_right = aged && self.may_be_put_right();
        if let Some(doubt) = self.game.course.doubt_mut().filter(|_| aged) {
            doubt.old_at = (open && put_right).then(|| now + OLD_DOUBT);
            if open && !put_right {
                self.summon_to_doubt(out);
            }
        }
    }

    /// Says how squares and score disagree now; an alert that is open is brought up to date.
    pub(super) fn tell_doubt(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some(tracker) = &self.game.reading.tracker else { return };
        let squares = self.board.surface.picture().differing(tracker.position().board());
        let doubtful = tracker.candidates();
        let candidates = doubtful.as_ref().map(in_san).unwrap_or_default();
        let position = match &doubtful {
            Some(doubtful) => GamePosition::from(&doubtful.position),
            None => self.last_agreed(now),
        };
        let whole = doubtful.as_ref().map_or(0, |it| explaining(it, &self.board.surface.picture()));
        let ways = self.older_doubt(&position, candidates.is_empty()).map_or(whole, |_| 0);
        let text = match self.sign_shown() {
            Some(_) => position::kings_to_check(),
            None => position::to_check(squares, ways),
        };
        let squares = squares.into_iter().collect();
        let facts = Facts { squares, candidates, position, ..self.facts() };
        let traces = self.game.traces.all();
        if self.bring_up_to_date(&text, &facts, traces, out) {
            return;
        }
        if let Some(doubt) = self.game.course.doubt_mut() {
            doubt.old_at = Some(now + OLD_DOUBT);
        }
        self.raise_doubt(now, text, facts, out);
    }

    /// The doubt that is open says this now, if there is one.
    pub(super) fn bring_up_to_date(
        &mut self,
        text: &Message,
        facts: &Facts,
        evidence: Vec<Evidence>,
        out: &mut Vec<Effect>,
    ) -> bool {
        let (text, facts) = self.with_older_doubt(text.clone(), facts.clone());
        let open = self.docket.of_kind(Kind::PositionToCheck);
        let Some(open) = open.and_then(|id| self.docket.get_mut(id)) else { return false };
        open.move_number = facts.position.move_number();
        (open.text, open.facts, open.evidence) = (text, facts, evidence);
        out.push(Effect::Raised(Box::new(open.clone())));
        true
    }

    /// The doubt about earlier moves that stays open beside one about the moves after this
    /// position.
    pub(super) fn older_doubt(
        &self,
        position: &GamePosition,
        explained_by_none: bool,
    ) -> Option<&Incident> {
        let older = self.open_doubt().filter(|_| self.game.reading.several_ways)?;
        let replaced = match (self.place(&older.facts.position), self.place(position)) {
            (Some(older), Some(new)) => new < older || new == older && !explained_by_none,
            _ => false,
        };
        (!replaced).then_some(older)
    }

    pub(super) fn open_doubt(&self) -> Option<&Incident> {
        self.docket.all().find(|it| it.kind == Kind::PositionToCheck)
    }

    /// After how many moves of the score this position stands.
    pub(super) fn place(&self, position: &GamePosition) -> Option<usize> {
        position.place_in(&self.game.score)
    }

    /// Where the moves begin that are open to doubt, because an alert says so or will say so if the
    /// board does not report its position.
    pub(super) fn doubted_from(&self) -> Option<usize> {
        let reported = self.open_doubt().and_then(|it| self.place(&it.facts.position));
        let unseen = self.game.away.unseen_after.as_ref().and_then(|it| self.place(it));
        reported.into_iter().chain(unseen).max()
    }

    /// The score was revised from this move on. A doubt about moves after a later position begins
    /// here now.
    pub(super) fn doubt_from(
        &mut self,
        from: usize,
        known: Option<IncidentId>,
        out: &mut Vec<Effect>,
    ) {
        let moves = |it: &GamePosition| self.place(it).is_none_or(|place| place > from);
        let position = GamePosition::from(self.game.score.position_at(from));
        let open = self.open_doubt().filter(|it| known == Some(it.id) && moves(&it.facts.position));
        let open = open.map(|it| it.id);
        if self.game.away.unseen_after.as_ref().is_some_and(moves) {
            self.game.away.unseen_after = Some(position.clone());
        }
        let Some(id) = open else { return };
        let Some(open) = self.docket.get_mut(id) else { return };
        let number = position.move_number();
        if let Some(without) = position::without_earlier_doubt(&open.text) {
            open.text = position::with_earlier_doubt(without, number);
        } else if !open.facts.candidates.is_empty() {
            open.text = position::moves_unseen();
        }
        open.move_number = number;
        open.facts.position = position;
        open.facts.candidates.clear();
        out.push(Effect::Raised(Box::new(open.clone())));
    }

    /// An older doubt stays with its position and what may have been played from there: what is
    /// said of now is said beside it.
    pub(super) fn with_older_doubt(&self, text: Message, facts: Facts) -> (Message, Facts) {
        let Some(older) = self.older_doubt(&facts.position, facts.candidates.is_empty()) else {
            return (text, facts);
        };
        let (position, candidates) = (older.facts.position.clone(), older.facts.candidates.clone());
        let text = position::with_earlier_doubt(text, position.move_number());
        (text, Facts { position, candidates, ..facts })
    }

    /// Reports that several lines lead to what stands there. The score holds the likeliest. On a
    /// board that sees no pieces the next moves may still decide.
    pub(super) fn tell_ways(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some(tracker) = &self.game.reading.tracker else { return };
        let Some(doubtful) = tracker.doubtful() else { return self.close_ways(out) };
        let since = tracker.plies() - doubtful.after;
        let ended = self.game.score.ending().is_some() || tracker.may_be_over();
        let later = self.board.surface.is_blind() && since < BLIND_PLIES && !ended;
        let reported = self.game.reading.several_ways
            && self.older_doubt(&GamePosition::from(&doubtful.position), true).is_some();
        if later || reported {
            return;
        }
        let candidates = in_san(&doubtful);
        let text = match candidates.len() {
            _ if doubtful.contradicted => position::order_contradicted(),
            1 => position::moves_unseen(),
            ways => position::ways_to_check(ways),
        };
        let facts = Facts { position: (&doubtful.position).into(), candidates, ..self.facts() };
        self.raise_doubt(now, text, facts, out);
        self.game.reading.several_ways = true;
    }

    /// Closes an alert about several ways to read the squares, once only one is left.
    pub(super) fn close_ways(&mut self, out: &mut Vec<Effect>) {
        let Some(tracker) = &self.game.reading.tracker else { return };
        let stopped = self.game.irregularities.made_stopped.is_some();
        let open =
            tracker.is_undecided() || stopped || self.game.irregularities.kings_left.is_some();
        let settled = self.game.reading.several_ways && tracker.doubtful().is_none();
        if settled && !open && !self.game.score.has_missing() {
            self.game.reading.several_ways = false;
            self.close_kind(Kind::PositionToCheck, out);
        }
    }

    /// The game goes on, but moves before were not seen: only a human can fill them in.
    pub(super) fn doubt_what_is_missing(
        &mut self,
        now: Moment,
        agreed: GamePosition,
        out: &mut Vec<Effect>,
    ) {
        let facts = Facts { position: agreed, ..self.facts() };
        self.raise_doubt(now, position::moves_missing(), facts, out);
        self.game.reading.several_ways = true;
    }

    /// The line was out, and the board has not reported its position since. So nobody can say
    /// whether moves were made meanwhile.
    pub(super) fn doubt_what_nobody_saw(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let Some(position) = self.game.away.unseen_after.take() else { return };
        if let Some(tracker) = &mut self.game.reading.tracker {
            tracker.leave_undecided();
        }
        let facts = Facts { position, ..self.facts() };
        self.raise_doubt(now, position::nobody_saw(), facts, out);
        self.game.reading.several_ways = true;
    }

    /// Squares change, and the others are not known.
    pub(super) fn doubt_unreported_squares(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.raise_doubt(now, position::never_reported(), self.facts(), out);
    }

    /// The game is over, and what was played last is not beyond doubt.
    pub(super) fn doubt_the_end(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let facts = Facts { position: self.last_agreed_in_the_end(now), ..self.facts() };
        let text = position::last_moves_to_check();
        if !self.bring_up_to_date(&text, &facts, self.game.traces.all(), out) {
            self.raise_doubt(now, text, facts, out);
        }
    }

    /// Nothing goes on, and both kings may stand in the centre.
    pub(super) fn doubt_the_result(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.docket.of_kind(Kind::PositionToCheck).is_none() {
            self.raise_doubt(now, position::result_to_check(), self.facts(), out);
        }
    }

    /// The last position that is beyond doubt when squares and score disagree: the one before a
    /// move that is not completed. If the board does not report its position, inferred moves may
    /// have been others, and the move before them too.
    pub(super) fn last_agreed(&self, now: Moment) -> GamePosition {
        let completed = self.game.score.plies().len() - self.game.score.owed().min(1);
        let agreed = match self.first_worked_out(now) {
            Some(first) => first.saturating_sub(1).min(completed),
            None => completed,
        };
        self.game.score.position_at(agreed).into()
    }

    /// The same when the game is over. Nothing comes any more that would decide about the last
    /// move.
    pub(super) fn last_agreed_in_the_end(&self, now: Moment) -> GamePosition {
        let last = self.game.score.plies().len().saturating_sub(1);
        match self.is_deaf(now) && self.first_worked_out(now).is_none() {
            true => self.game.score.position_at(last).into(),
            false => self.last_agreed(now),
        }
    }

    pub(super) fn first_worked_out(&self, now: Moment) -> Option<usize> {
        let worked_out = |ply: &Ply| ply.confidence == Confidence::Inferred;
        self.game.score.plies().iter().position(worked_out).filter(|_| self.is_deaf(now))
    }

    /// Whether the board sees its pieces and cannot be asked for them.
    pub(super) fn is_deaf(&self, now: Moment) -> bool {
        !self.board.surface.is_blind() && self.board.surface.picture_at(now).is_uncertain()
    }

    /// The program itself failed: a human must compare.
    pub(super) fn raise_fault(&mut self, now: Moment, again: bool, out: &mut Vec<Effect>) {
        self.raise_doubt(now, position::fault(again), self.facts(), out);
        if again {
            self.summon_to_doubt(out);
        }
    }

    /// An older doubt about the moves before stays in the new one.
    pub(super) fn raise_doubt(
        &mut self,
        now: Moment,
        text: Message,
        facts: Facts,
        out: &mut Vec<Effect>,
    ) {
        let (kind, advice) = (Kind::PositionToCheck, position::to_check_advice());
        let (text, facts) = self.with_older_doubt(text, facts);
        let number = facts.position.move_number();
        let saying = Saying { kind, side: None, text, facts, advice };
        self.raise_about(now, saying, self.settings.gravity(kind), number, out);
    }

    /// The position to check calls somebody.
    pub(super) fn summon_to_doubt(&mut self, out: &mut Vec<Effect>) {
        let open = self.docket.of_kind(Kind::PositionToCheck);
        if let Some(incident) = open.and_then(|id| self.docket.get_mut(id)) {
            incident.gravity = self.settings.gravity_grown(incident.kind, Gravity::Summon);
            out.push(Effect::Raised(Box::new(incident.clone())));
        }
    }
}
