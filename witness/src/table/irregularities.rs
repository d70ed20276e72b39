//! What the Laws say about how moves were made. It sees only the events that the table publishes:
//! touches, presses, moves released, revised and completed. So it depends on the score alone, and
//! not on other opinions of the recogniser.

use eboard::Moment;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Color, KnownOutcome, Move, Position, Role};

use super::alerts::Saying;
use super::hands::Reported;
use super::questions::About;
use super::{Effect, Event, Play, ended};
use crate::candidates;
use crate::evidence::Evidence;
use crate::hand::Touched;
use crate::incident::{Facts, Gravity, Incident, Kind, State};
use crate::laws::case::{Finding, Rules};
use crate::laws::flag::OnTheBoard;
use crate::laws::{self, claims, editions, promotion, results, touch};
use crate::score::{Confidence, Ply, Status};
use crate::topic::Topic;
use crate::unwinnable::Verdict;

impl Play {
    /// Looks at everything that has happened in this step, in order.
    pub(super) fn note_irregularities(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let noted = self.note_events(now, self.step.game_from, out);
        self.review_end(now, out);
        self.note_events(now, noted, out);
        if std::mem::take(&mut self.game.ordered.put_back) {
            self.restart_turns();
        }
        self.note_exchanged(now, out);
        self.note_restored(now, out);
    }

    /// Looks at the events from this one on, and at what follows from them. Returns how many it has
    /// seen.
    fn note_events(&mut self, now: Moment, from: usize, out: &mut Vec<Effect>) -> usize {
        let mut noted = from;
        while let Some(event) = self.step.events.get(noted).cloned() {
            noted += 1;
            self.note_event(now, event, out);
        }
        noted
    }

    fn note_event(&mut self, now: Moment, event: Event, out: &mut Vec<Effect>) {
        match event {
            // Nobody's time counts yet.
            Event::Touched(_) if self.waits_for_its_clock() => {}
            Event::Touched(touched) => {
                let running = self.clocks.state().and_then(|state| state.running);
                let stood = self.stood_at().is_some();
                self.game.irregularities.turns.touched(touched, running, stood);
                self.lapse(touched, out);
                self.judge_put_back(now, out);
            }
            Event::Pressed(by) => {
                self.game.irregularities.turns.pressed(now, by);
                self.note_press(now, by, out);
            }
            Event::Released { index, ply } => {
                if index == 0 {
                    self.note_first_move(now, out);
                }
                self.judge_turn(now, index, &ply, out);
                self.note_made(now, ply.after.turn().other(), out);
                self.review_pass();
            }
            Event::Completed { index, ply } => {
                self.judge_completed(now, index, &ply, out);
                self.go_on_from_stopped(now, index, out);
                self.close_notes_before(index, out);
                self.close_turned(out);
                self.let_beginning_stand(out);
            }
            Event::Revised { from, .. } => {
                self.game.irregularities.unjudged = None;
                self.review_made_stopped(now, from, out);
                self.game.irregularities.turns.revised(from);
            }
            Event::NewGame(_) => self.forget_irregularities(out),
            Event::Result => {
                self.note_result(now, out);
                self.close_with_the_game(out);
            }
            Event::Period(_) | Event::Phase(_) => {}
        }
    }

    fn forget_irregularities(&mut self, out: &mut Vec<Effect>) {
        match self.step.hands.take() {
            Some(hands) => self.game.irregularities.turns = hands,
            None => self.restart_turns(),
        }
        self.game.irregularities.ordered = self.step.sets_position;
        self.checks.wrong_start.forget_what_was_closed();
        for it in std::mem::take(&mut self.step.earlier) {
            let spent = self
                .docket
                .get_mut(it.id)
                .is_some_and(|it| it.state == State::Lapsed || it.gravity == Gravity::Note);
            if spent {
                self.close(it.id, out);
            }
        }
    }

    /// Article 4: a move was made.
    fn judge_turn(&mut self, now: Moment, index: usize, ply: &Ply, out: &mut Vec<Effect>) {
        let before = self.game.score.position_at(index).clone();
        let rules = self.rules();
        let may_be_before = self.may_not_have_begun(index);
        let turn = self.game.irregularities.turns.made(index, &before, ply);
        self.game.irregularities.unjudged = turn.is_none().then_some(index);
        let turn = turn.filter(|_| ply.confidence == Confidence::Seen);
        let mut found = turn.as_ref().map(|turn| laws::article_4(turn, rules)).unwrap_or_default();
        if may_be_before {
            found = found.into_iter().map(touch::before_the_first_move).collect();
        }
        let evidence = turn.map(|turn| turn.evidence()).unwrap_or_else(|| self.game.traces.all());
        let drawn = claims::findings(&self.game.score, index, &self.settings).into_iter();
        found.extend(drawn.filter(|it| !self.is_played_on(index, it.kind)));
        found.extend(self.dead(index, out));
        self.correct(index, &found, out);
        for finding in found {
            self.tell_once(now, index, finding, &evidence, out);
        }
    }

    /// What may have been the beginning of castling is none any more.
    fn judge_completed(&mut self, now: Moment, index: usize, ply: &Ply, out: &mut Vec<Effect>) {
        if ply.mv.role() != Role::Rook || ply.confidence != Confidence::Seen {
            return;
        }
        let before = self.game.score.position_at(index).clone();
        let Some(turn) = self.game.irregularities.turns.turn(index, &before, ply) else { return };
        let held = laws::article_4(&turn, self.rules()).is_empty();
        let rules = Rules { completed: true, ..self.rules() };
        let found = if held { laws::article_4(&turn, rules) } else { Vec::new() };
        let evidence = turn.evidence();
        for finding in found {
            self.tell_once(now, index, finding, &evidence, out);
        }
    }

    /// The player had a piece of the opponent's in his hand when his move was known: what stands
    /// there is the position after it only now.
    fn judge_put_back(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let last = self.game.score.plies().len().checked_sub(1);
        let Some(index) = last.filter(|last| self.game.irregularities.unjudged == Some(*last))
        else {
            return;
        };
        let Some(ply) = self.game.score.plies().get(index).cloned() else { return };
        if self.game.irregularities.turns.shows(ply.after.board()) {
            self.judge_turn(now, index, &ply, out);
        }
    }

    /// Whether one of the last moves was a promotion, and pressed for.
    pub(super) fn may_be_exchanged(&self) -> bool {
        let mut last = self.game.score.plies().iter().rev().take(2);
        last.any(|ply| ply.status == Status::Completed && ply.mv.is_promotion())
    }

    /// 4.4.4: after the press too the new piece stays what it was.
    fn note_exchanged(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.game.score.ending().is_some() {
            return;
        }
        let last = self.game.score.plies().iter().enumerate().rev().take(2);
        let mut completed = last.filter(|(_, ply)| ply.status == Status::Completed);
        let Some((index, mv)) =
            completed.find_map(|(index, ply)| ply.mv.is_promotion().then_some((index, ply.mv)))
        else {
            return;
        };
        let picture = self.board.surface.picture();
        let side = self.game.score.position_at(index).turn();
        let piece = picture.board().piece_at(mv.to()).filter(|it| it.color == side);
        let put = picture.stirred(mv.to());
        // A single report may be damaged on its way, but the whole board was reported since.
        let confirmed = put <= picture.confirmed() && !picture.is_blind();
        let piece = piece.filter(|_| confirmed);
        let found = piece.and_then(|it| {
            promotion::after_the_press(mv, it, now.since(put), self.settings.edition)
        });
        if let Some(finding) = found {
            let evidence = self.game.traces.all();
            self.tell_once(now, index, finding, &evidence, out);
        }
    }

    fn tell_once(
        &mut self,
        now: Moment,
        index: usize,
        mut finding: Finding,
        evidence: &[Evidence],
        out: &mut Vec<Effect>,
    ) {
        if finding.kind == Kind::DeadPosition && self.against_the_move(index).is_some() {
            let if_rightly_made = claims::dead_if_rightly_made(self.settings.edition);
            finding.advice = vec![if_rightly_made.about(Topic::RightlyMade)];
        }
        let unruled = self
            .unruled_illegal(KnownOutcome::Draw.into())
            .filter(|_| ended::is_an_end(finding.kind));
        if let Some((_, kind)) = unruled {
            finding.advice.insert(0, claims::after_illegal(kind, self.settings.edition));
        }
        let known = |it: &Reported| it.ply == index && it.kind == finding.kind;
        if !self.game.irregularities.reported.iter().any(known) {
            self.tell_irregularity(now, index, finding, evidence.to_vec(), out);
        }
    }

    /// 5.2.2: an answer may have shown that the position after this move is dead.
    pub(super) fn note_dead(&mut self, now: Moment, index: usize, out: &mut Vec<Effect>) {
        if let Some(finding) = self.dead(index, out) {
            let evidence = self.game.traces.all();
            self.tell_once(now, index, finding, &evidence, out);
        }
    }

    /// Whether the position after this move is dead. What cannot be found out at once is asked. A
    /// position that comes of a dead one is dead too, and is not reported again.
    fn dead(&mut self, index: usize, out: &mut Vec<Effect>) -> Option<Finding> {
        let died = |it: &Reported| it.kind == Kind::DeadPosition && it.ply < index;
        if self.game.irregularities.reported.iter().any(died) {
            return None;
        }
        let position = self.game.score.position_at(index + 1).clone();
        if position.is_game_over() && !position.is_insufficient_material()
            || !claims::may_have_died(&position)
        {
            return None;
        }
        let mut open = None;
        for winner in Color::ALL {
            match self.verdict(&position, winner) {
                Verdict::Winnable(_) => return None,
                Verdict::Unwinnable => {}
                Verdict::Undetermined => open = open.or(Some(winner)),
            }
        }
        let Some(winner) = open else { return Some(claims::dead()) };
        self.ask(&position, winner, About::Dead(index), out);
        None
    }

    /// Whether an earlier move was reported as the 75th. Every move that is played on from it is
    /// one too.
    fn is_played_on(&self, index: usize, kind: Kind) -> bool {
        let reported = |it: &Reported| it.kind == kind && it.ply < index;
        kind == Kind::SeventyFive && self.game.irregularities.reported.iter().any(reported)
    }

    /// Closes what was reported about this move and is no longer so: it has been put right. But a
    /// move that was released stands (4.4.4, 4.7), and so does the draw that came with it (5.2.2,
    /// 9.6).
    fn correct(&mut self, index: usize, found: &[Finding], out: &mut Vec<Effect>) {
        let changed = found.iter().find(|it| it.released.is_some()).map(|it| it.kind);
        if let Some(changed) = changed {
            self.tell_changed_after_the_end((index, changed), found, out);
        }
        let gone = |it: &Reported| {
            let stands = changed.is_some() && ended::is_an_end(it.kind);
            it.ply == index && !stands && !found.iter().any(|finding| finding.kind == it.kind)
        };
        let (gone, kept): (Vec<_>, Vec<_>) =
            self.game.irregularities.reported.drain(..).partition(|it| gone(it));
        self.game.irregularities.reported = kept;
        for it in gone {
            self.close(it.id, out);
        }
        self.say_ended_after_all(out);
    }

    /// What was open about the move that led to a dead position is so no longer, and was not
    /// upheld: the game is over.
    pub(super) fn say_ended_after_all(&mut self, out: &mut Vec<Effect>) {
        let dead = self.game.irregularities.open().find(|it| it.1 == Kind::DeadPosition);
        let Some((_, _, id)) = dead.filter(|it| self.against_the_move(it.0).is_none()) else {
            return;
        };
        let Some(incident) = self.docket.get_mut(id) else { return };
        let said = incident.advice.iter_mut().find(|it| it.is_about(Topic::RightlyMade));
        if let Some(said) = said {
            *said = claims::dead_and_over();
            out.push(Effect::Raised(Box::new(incident.clone())));
        }
    }

    /// The move that had drawn the game was changed to one that does not.
    fn tell_changed_after_the_end(
        &mut self,
        (index, changed): (usize, Kind),
        found: &[Finding],
        out: &mut Vec<Effect>,
    ) {
        let advice = claims::changed_after_the_end(changed, self.settings.edition);
        let drawn = |it: &&Reported| {
            let same = found.iter().any(|finding| finding.kind == it.kind);
            it.ply == index && ended::is_an_end(it.kind) && !same
        };
        let ids: Vec<_> =
            self.game.irregularities.reported.iter().filter(drawn).map(|it| it.id).collect();
        for id in ids {
            let Some(incident) = self.docket.get_mut(id) else { continue };
            if !incident.advise(Topic::ChangedAfterTheEnd(changed), advice.clone()) {
                continue;
            }
            out.push(Effect::Raised(Box::new(incident.clone())));
        }
    }

    /// Notes about the move before have been read, or never will be.
    fn close_notes_before(&mut self, index: usize, out: &mut Vec<Effect>) {
        let spent = |it: &Reported| {
            it.ply < index && editions::window(it.kind) == editions::Window::NextMove
        };
        let (spent, kept): (Vec<_>, Vec<_>) =
            self.game.irregularities.reported.drain(..).partition(|it| spent(it));
        self.game.irregularities.reported = kept;
        for it in spent {
            self.close(it.id, out);
        }
    }

    /// 4.8: the opponent has touched a piece.
    fn lapse(&mut self, touched: Touched, out: &mut Vec<Effect>) {
        let Some(piece) = touched.lifted.filter(|_| !self.awaits_ruling()) else { return };
        let concerned = |it: &&Reported| {
            editions::is_barred_by_touching(it.kind, self.settings.edition)
                && it.side.is_some_and(|side| piece.color == side.other())
                && it.ply + 1 == self.game.score.plies().len()
                && !it.ended
        };
        let ids: Vec<_> =
            self.game.irregularities.reported.iter().filter(concerned).map(|it| it.id).collect();
        for id in ids {
            if let Some(incident) = self.docket.get_mut(id).filter(|it| it.state == State::Open) {
                incident.state = State::Lapsed;
                out.push(Effect::Raised(Box::new(incident.clone())));
            }
        }
        self.say_ended_after_all(out);
    }

    fn rules(&self) -> Rules {
        Rules {
            release: self.release(),
            chess960: self.game.score.mode() == CastlingMode::Chess960,
            edition: self.settings.edition,
            completed: false,
            misses: self.misses(),
        }
    }

    fn tell_irregularity(
        &mut self,
        now: Moment,
        ply: usize,
        finding: Finding,
        evidence: Vec<Evidence>,
        out: &mut Vec<Effect>,
    ) {
        let Finding { kind, side, gravity, detail, text, mut advice, .. } = finding;
        let before = self.game.score.position_at(ply);
        let released = finding.released.map(|mv| candidates::after(before, mv));
        let end = released.and_then(|it| OnTheBoard::of(&it));
        advice.extend(end.map(results::released_end));
        let san = |mv: &Move| SanPlus::from_move(before.clone(), *mv).to_string();
        let facts = Facts {
            detail,
            squares: finding.squares,
            obliged: finding.obliged.iter().map(san).collect(),
            occurrences: finding.occurrences,
            ..self.facts_at(ply)
        };
        let id = self.docket.next_id(self.game.number);
        let doubtful = gravity.unwrap_or(Gravity::Summon);
        let gravity = self.settings.gravity_in_doubt(kind, doubtful);
        let said = Saying { kind, side, text, facts, advice };
        let move_number = u32::from(before.fullmoves());
        let said = self.incident(now, id, said, gravity);
        self.game.irregularities.reported.push(Reported {
            ply,
            kind,
            side,
            id,
            ended: end.is_some(),
        });
        self.open(Incident { move_number, evidence, ..said }, out);
        self.note_end_without_press(now, (ply, kind), out);
    }
}
