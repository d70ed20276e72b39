//! Article 6.2.1: moves that the next one of the same player completed, because no press did. An
//! alert about them rests on the score. When the score is revised, they are judged again.

use crate::table::tolerances::{BEFORE_MOVE, BROUGHT_IN, COUNTER, HEARD};
use std::collections::VecDeque;

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{ByColor, Color, Position};

use super::alerts::Saying;
use super::{Effect, Event, Play};
use crate::clock::Clocks;
use crate::incident::{Facts, Kind};
use crate::laws::clock;
use crate::score::{Confidence, Ply, Score};
use crate::time_control::{Extra, TimeControl};
use crate::tolerances::SCANNED;

/// How many of the last moves may still be revised after their press.
const DONE_MAX: usize = 12;

/// Moves and presses of one game that may not belong together.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub(super) struct Missed {
    /// The last two presses of each side, the later one first.
    pressed: ByColor<[Option<Moment>; 2]>,
    /// To be judged when a second more of the clock has been heard.
    overtaken: Vec<Overtaken>,
    /// None of them can be judged before something else is seen or heard.
    waits: bool,
    /// A move that was completed by the press of the next one of the same player, as it seems: the
    /// scan brought that one in just after the press, and the opponent had moved before.
    borrowed: Borrowed,
    /// The last moves that a press has completed, whatever the score says by now.
    done: VecDeque<usize>,
    /// What the open alert is about.
    reported: Vec<Overtaken>,
}

/// A move that seems to have borrowed the press of the next one.
#[derive(Clone, Copy, Debug, Default, Encode, Decode)]
enum Borrowed {
    #[default]
    None,
    /// The opponent has not answered since.
    Open(Overtaken),
    /// The opponent has answered.
    Answered(Overtaken),
}

impl Borrowed {
    /// The opponent has made the move of this number.
    fn answer(&mut self, index: usize) {
        if let Self::Open(it) = self
            && it.index + 3 == index
        {
            *self = Self::Answered(*it);
        }
    }

    /// Takes the move if it is the one before this one by the same player.
    fn take_before(&mut self, index: usize) -> Option<Overtaken> {
        let (Self::Open(it) | Self::Answered(it)) = *self else { return None };
        (it.index + 2 == index).then(|| {
            *self = Self::None;
            it
        })
    }
}

/// A move completed by the next one of the same player.
#[derive(Clone, Copy, Debug, Encode, Decode)]
struct Overtaken {
    index: usize,
    side: Color,
    /// When it was made, by the first report of it.
    made: Moment,
    judge: Moment,
    /// The last two presses of the player, but for the one that completed the move before. One of
    /// them may be that of his next move.
    pressed: [Option<Moment>; 2],
    /// The press that completed the move before, if it is one of the last two.
    lent: Option<Moment>,
}

/// What stands at the table now.
struct View<'a> {
    score: &'a Score,
    clocks: &'a Clocks,
}

/// What must be known before anybody is said to have missed a press.
struct Certainty {
    /// Squares and score agree. If not, a piece may be in a hand.
    agrees: bool,
    /// It is not known what has been played.
    adrift: bool,
    /// It is known whose half of the clock is whose.
    sides: bool,
    /// A press that was not heard would show on the clock.
    shows: bool,
    /// The open alerts about the position: the number of their move, and when they were raised.
    doubts: Vec<(u32, Moment)>,
}

impl View<'_> {
    /// Whether this player has pressed for all his moves. Then a press about the time of a move may
    /// have completed the move before, which was reported late.
    fn is_none_missing(&self, side: Color) -> bool {
        self.score.completed_here(side) <= *self.clocks.presses().get(side)
    }
}

impl Missed {
    /// When a move is to be judged.
    pub fn judge_at(&self) -> Option<Moment> {
        self.overtaken.iter().map(|it| it.judge).min().filter(|_| !self.waits)
    }

    /// Looks at what has happened. Whether somebody has made up for the presses that were left out,
    /// to put counters and increments right: each player has pressed just now, and there have been
    /// as many presses as moves.
    fn follow(&mut self, now: Moment, view: &View<'_>, events: &[Event]) -> bool {
        self.waits = false;
        for event in events {
            match event {
                Event::Revised { from, .. } => self.revise(now, *from),
                Event::Released { index, .. } => self.release(now, *index, view),
                Event::Completed { index, .. } => self.complete(now, *index, view),
                _ => {}
            }
        }
        let mut pressed = false;
        for event in events {
            if let Event::Pressed(side) = event {
                self.press(now, *side);
                pressed = true;
            }
        }
        let just_now = |side: Color| {
            let [last, _] = *self.pressed.get(side);
            last.is_some_and(|at| now.since(at) <= COUNTER) && view.is_none_missing(side)
        };
        let made_up = pressed && Color::ALL.into_iter().all(just_now);
        if made_up {
            self.reported.clear();
        }
        made_up
    }

    /// Judges the moves that are due. The moves whose press is missing; none: nothing can be judged
    /// yet.
    fn due(
        &mut self,
        now: Moment,
        view: &View<'_>,
        certainty: &Certainty,
    ) -> Option<Vec<Overtaken>> {
        let ripe = self.take_ripe(now);
        if ripe.is_empty() {
            return None;
        }
        let later = |it: Overtaken| Overtaken { judge: now + HEARD, ..it };
        // A piece in a hand may be put back where it came from.
        if !certainty.agrees && !certainty.adrift && view.score.ending().is_none() {
            self.waits = true;
            self.overtaken.extend(ripe.into_iter().map(later));
            return None;
        }
        let mut missed = Vec::new();
        for it in ripe {
            if !view.clocks.heard_since(it.judge, HEARD) && !view.clocks.lost() {
                // A clock that has fallen silent has not shown another second.
                self.overtaken.push(later(it));
                self.waits = true;
            } else if self.was_missed(&it, view, certainty) {
                missed.push(it);
            }
        }
        self.reported.extend(&missed);
        Some(missed)
    }

    /// A press that follows shows whose press the one before was. If the player presses once more,
    /// the press before belonged to the earlier move after all. It did too if the opponent can
    /// press for the answer he had given then. If the opponent can only press for his next move,
    /// the press was missing.
    fn press(&mut self, now: Moment, side: Color) {
        let pressed = self.pressed.get_mut(side);
        *pressed = [Some(now), pressed[0]];
        if let Borrowed::Answered(it) = std::mem::take(&mut self.borrowed)
            && it.side != side
        {
            self.overtake(Overtaken { judge: now + HEARD, ..it });
        }
    }

    /// From this move on the score is another one. Its moves are judged again, by when hands made
    /// them and not by when they were reported anew.
    fn revise(&mut self, now: Moment, from: usize) {
        let reported = std::mem::take(&mut self.reported).into_iter();
        let (again, stands): (Vec<_>, Vec<_>) = reported.partition(|it| it.index + 2 >= from);
        self.reported = stands;
        self.overtaken.extend(again.into_iter().map(|it| Overtaken { judge: now + HEARD, ..it }));
    }

    /// A move was made. If that was just after a press that completed the player's move before, and
    /// the opponent had moved in between, the press may belong to this move.
    fn release(&mut self, now: Moment, index: usize, view: &View<'_>) {
        self.borrowed.answer(index);
        let Some(before) = index.checked_sub(2) else { return };
        let Some([own, reply, made]) = view.score.plies().get(before..=index) else { return };
        let side = !own.after.turn();
        let [last, earlier] = *self.pressed.get(side);
        // Moves that are reported together were only reported anew.
        let just_then = |press: &Moment| {
            let in_order = reply.released < *press && own.released < made.released;
            own.completed == Some(*press) && in_order && now <= *press + SCANNED
        };
        if last.as_ref().is_some_and(just_then) {
            let (made, pressed) = (own.released, [None, earlier]);
            let borrowed = Overtaken { index: before, side, made, judge: now, pressed, lent: None };
            self.borrowed = Borrowed::Open(borrowed);
        }
    }

    /// A move was completed: by a press, or by the next move of the same player.
    fn complete(&mut self, now: Moment, index: usize, view: &View<'_>) {
        let plies = view.score.plies();
        // A move that comes back with a revision was completed when it was there before.
        let Some(ply) = plies.get(index).filter(|ply| ply.completed == Some(now)) else { return };
        let Some(next) = plies.get(index + 2).map(|ply| ply.released) else {
            return self.note_done(index);
        };
        let side = !ply.after.turn();
        // A press belongs to the move before if that move's own press would have been heard.
        let heard = |ply: &&Ply| view.clocks.watched().is_some_and(|it| it <= ply.released);
        let before = index.checked_sub(2).and_then(|before| plies.get(before));
        let before = before.filter(heard).and_then(|ply| ply.completed);
        let mut pressed = *self.pressed.get(side);
        let taken = |press: &mut Option<Moment>| press.take_if(|press| before == Some(*press));
        let lent = pressed.iter_mut().find_map(taken);
        let (made, judge) = (ply.released, now + HEARD);
        if let Some(borrowed) = self.borrowed.take_before(index) {
            // This move had the press.
            return self.overtake(Overtaken { judge, ..borrowed });
        }
        // Of moves that are reported together or anew nobody knows when each was made, and which
        // presses came then.
        if next == made || self.done.contains(&index) {
            return;
        }
        self.overtake(Overtaken { index, side, made, judge, pressed, lent });
    }

    /// No press is missing for the first so many moves.
    pub fn excuse(&mut self, plies: usize) {
        (0..plies).for_each(|index| self.note_done(index));
    }

    fn note_done(&mut self, index: usize) {
        self.done.push_back(index);
        if self.done.len() > DONE_MAX {
            self.done.pop_front();
        }
    }

    fn overtake(&mut self, overtaken: Overtaken) {
        if !self.overtaken.iter().any(|it| it.index == overtaken.index) {
            self.overtaken.push(overtaken);
        }
    }

    fn take_ripe(&mut self, now: Moment) -> Vec<Overtaken> {
        let all = std::mem::take(&mut self.overtaken);
        let (ripe, young) = all.into_iter().partition(|it| it.judge <= now);
        self.overtaken = young;
        ripe
    }

    /// Whether no press has completed it. That is only known if the clock was heard all the time.
    fn was_missed(&self, it: &Overtaken, view: &View<'_>, certainty: &Certainty) -> bool {
        let plies = view.score.plies();
        let (Some(ply), Some(next)) = (plies.get(it.index), plies.get(it.index + 2)) else {
            return false;
        };
        let own = |ply: &Ply| !ply.after.turn() == it.side && ply.confidence == Confidence::Seen;
        let watched = view.clocks.watched().is_some_and(|watched| watched <= it.made);
        let watched = watched && !view.clocks.lost();
        let about_then =
            |press: &Moment| *press + BEFORE_MOVE >= it.made && *press <= it.made + BROUGHT_IN;
        let pressed = it.pressed.iter().flatten().any(about_then)
            || self.has_pressed_for_all(it, plies)
            || it.lent.as_ref().is_some_and(about_then) && view.is_none_missing(it.side);
        // An alert about these moves or earlier ones was raised when this one had been made.
        let number = u32::from(view.score.position_at(it.index).fullmoves());
        let mut doubts = certainty.doubts.iter();
        let doubted = certainty.adrift
            || view.score.ending().is_some()
            || doubts.any(|(about, raised)| *about <= number && *raised >= ply.released);
        let certain = certainty.shows && certainty.sides;
        own(ply) && own(next) && watched && !pressed && !doubted && certain
    }

    /// Whether the player has pressed as often since this move as he has moved, late or not.
    fn has_pressed_for_all(&self, it: &Overtaken, plies: &[Ply]) -> bool {
        let since = plies.get(it.index..).unwrap_or_default().iter();
        let moves = since.filter(|ply| !ply.after.turn() == it.side).count();
        let presses = self.pressed.get(it.side).iter().flatten();
        presses.filter(|press| **press > it.made).count() >= moves
    }
}

impl Play {
    /// Looks at what the step has brought.
    pub(super) fn note_missed(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let view = View { score: &self.game.score, clocks: &self.clocks };
        if self.game.timing.missed.follow(now, &view, &self.step.events) {
            self.close_kind(Kind::MissedPress, out);
        }
    }

    pub(super) fn missed_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let doubts = self.open_in_game().filter(|it| it.kind == Kind::PositionToCheck);
        let certainty = Certainty {
            agrees: self.agrees(),
            adrift: self.game.course.is_adrift(),
            sides: !self.clocks.are_sides_in_doubt(),
            shows: self.presses_show(),
            doubts: doubts.map(|it| (it.move_number, it.opened)).collect(),
        };
        let view = View { score: &self.game.score, clocks: &self.clocks };
        let Some(missed) = self.game.timing.missed.due(now, &view, &certainty) else { return };
        for it in missed {
            self.raise_missed(now, &it, out);
        }
        if self.game.timing.missed.reported.is_empty() {
            self.close_kind(Kind::MissedPress, out);
        }
    }

    /// Whether a press that was not heard would show. In byo-yomi and in an hourglass times rise
    /// and stand for other reasons.
    pub(super) fn presses_show(&self) -> bool {
        let predictable = |control: TimeControl| {
            let periods = Color::ALL.into_iter().flat_map(|side| control.of(side).all().to_vec());
            periods.into_iter().all(|period| period.is_predictable())
        };
        self.control().is_none_or(predictable)
    }

    fn raise_missed(&mut self, now: Moment, it: &Overtaken, out: &mut Vec<Effect>) {
        let missing = self.presses_missing(it.side);
        let lacking = self.increments_lacking(missing);
        let required = self.clocks.moves_required(it.side, self.clocks.period(it.side));
        let text = clock::missed_press(it.side, missing);
        let edition = self.settings.edition;
        let advice = clock::missed_press_advice(lacking, required.is_some(), edition);
        let facts = Facts {
            presses_missing: Some(missing),
            moves_completed: Some(self.game.score.moves_completed(it.side)),
            moves_required: required,
            ..self.facts()
        };
        let kind = Kind::MissedPress;
        let move_number = u32::from(self.game.score.position_at(it.index).fullmoves());
        let saying = Saying { kind, side: Some(it.side), text, facts, advice };
        match self.docket.of_kind(kind) {
            Some(open) => self.renew(open, saying, move_number, out),
            None => {
                self.raise_about(now, saying, self.settings.gravity(kind), move_number, out);
            }
        }
    }

    /// Completed moves without a press of their own, at least one of this side.
    fn presses_missing(&self, side: Color) -> ByColor<u32> {
        let missing = |side: Color| {
            self.game.score.completed_here(side).saturating_sub(*self.clocks.presses().get(side))
        };
        let mut all = ByColor { white: missing(Color::White), black: missing(Color::Black) };
        *all.get_mut(side) = (*all.get(side)).max(1);
        all
    }

    fn increments_lacking(&self, missing: ByColor<u32>) -> ByColor<u32> {
        let lacking = |side: Color| {
            let index = usize::from(self.clocks.state().map_or(1, |it| *it.periods.get(side)));
            let periods = self.control();
            let periods = periods.as_ref().map(|control| control.of(side));
            let period = periods.and_then(|periods| periods.get(index.saturating_sub(1)));
            period.map_or(0, |it| match it.extra {
                Extra::Increment { seconds, from_move: 1 } => seconds * missing.get(side),
                _ => 0,
            })
        };
        ByColor { white: lacking(Color::White), black: lacking(Color::Black) }
    }
}
