//! Article 6.2.1: moves that the next one of the same player completed, because no press did. What
//! was told of them rests on the score: when that is told otherwise, it is judged again.

use crate::table::tolerances::{BEFORE_MOVE, BROUGHT_IN, COUNTER, HEARD};
use std::collections::VecDeque;

use bincode::{Decode, Encode};
use eboard::Moment;
use shakmaty::{ByColor, Color, Position};

use super::alerts::Saying;
use super::{Effect, Event, Play};
use crate::incident::{Facts, Kind};
use crate::laws::clock;
use crate::score::{Confidence, Ply};
use crate::time_control::{Extra, TimeControl};
use crate::tolerances::SCANNED;

/// Moves that may still be told otherwise after their press.
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
    /// The last moves that a press has completed, however they are told now.
    done: VecDeque<usize>,
    /// What the open alert is about.
    told: Vec<Overtaken>,
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
    /// When it was made, as it was told first.
    made: Moment,
    judge: Moment,
    /// The last two presses of the player that did not complete the move before: one may be that of
    /// his next move.
    pressed: [Option<Moment>; 2],
    /// The one of them that did.
    lent: Option<Moment>,
}

impl Missed {
    pub fn judge_at(&self) -> Option<Moment> {
        self.overtaken.iter().map(|it| it.judge).min().filter(|_| !self.waits)
    }

    /// If the player presses once more, the press before was that of the earlier move all the same;
    /// so it was if the opponent can press for the answer he had given then. If he can only press
    /// for his next one, the press was missing.
    fn press(&mut self, now: Moment, side: Color) {
        let pressed = self.pressed.get_mut(side);
        *pressed = [Some(now), pressed[0]];
        if let Borrowed::Answered(it) = std::mem::take(&mut self.borrowed)
            && it.side != side
        {
            self.overtake(Overtaken { judge: now + HEARD, ..it });
        }
    }

    fn complete(&mut self, index: usize) {
        self.done.push_back(index);
        if self.done.len() > DONE_MAX {
            self.done.pop_front();
        }
    }

    /// From this move on the score is another one. What was told of it is judged again, by when
    /// things were done and not by when they were told anew.
    fn revise(&mut self, now: Moment, from: usize) {
        let (again, stands) = self.told.drain(..).partition(|it| it.index + 2 >= from);
        self.told = stands;
        let again: Vec<Overtaken> = again;
        self.overtaken.extend(again.into_iter().map(|it| Overtaken { judge: now + HEARD, ..it }));
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
}

impl Play {
    /// Looks at what the step has brought.
    pub(super) fn note_missed(&mut self, now: Moment) {
        self.game.timing.missed.waits = false;
        let events = std::mem::take(&mut self.step.events);
        for event in &events {
            match event {
                Event::Revised { from, .. } => self.game.timing.missed.revise(now, *from),
                Event::Released { index, .. } => self.note_borrowed(now, *index),
                Event::Completed { index, .. } => self.note_overtaken(now, *index),
                _ => {}
            }
        }
        for event in &events {
            if let Event::Pressed(side) = event {
                self.game.timing.missed.press(now, *side);
            }
        }
        self.step.events = events;
    }

    /// Two presses, one of each player, soon after each other, and there have been as many as moves
    /// now: somebody has made up for those left out, to put counters and increments right.
    pub(super) fn note_made_up(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let pressed = self.step.has(|it| matches!(it, Event::Pressed(_)));
        let just_now = |side: Color| {
            let [last, _] = *self.game.timing.missed.pressed.get(side);
            last.is_some_and(|at| now.since(at) <= COUNTER) && self.is_none_missing(side)
        };
        if pressed && Color::ALL.into_iter().all(just_now) {
            self.game.timing.missed.told.clear();
            self.close_kind(Kind::MissedPress, out);
        }
    }

    /// A move was completed: by a press, or by the next move of the same player.
    fn note_overtaken(&mut self, now: Moment, index: usize) {
        let plies = self.game.score.plies();
        // One that comes back after a revision was completed when it was there before.
        let Some(ply) = plies.get(index).filter(|ply| ply.completed == Some(now)) else { return };
        let Some(next) = plies.get(index + 2).map(|ply| ply.released) else {
            return self.game.timing.missed.complete(index);
        };
        let side = !ply.after.turn();
        // Whose own press would have been heard, to that one this press belongs.
        let heard = |ply: &&Ply| self.clocks.watched().is_some_and(|it| it <= ply.released);
        let before = index.checked_sub(2).and_then(|before| plies.get(before));
        let before = before.filter(heard).and_then(|ply| ply.completed);
        let mut pressed = *self.game.timing.missed.pressed.get(side);
        let taken = |press: &mut Option<Moment>| press.take_if(|press| before == Some(*press));
        let lent = pressed.iter_mut().find_map(taken);
        let (made, judge) = (ply.released, now + HEARD);
        let missed = &mut self.game.timing.missed;
        if let Some(borrowed) = missed.borrowed.take_before(index) {
            // This one was pressed for.
            return missed.overtake(Overtaken { judge, ..borrowed });
        }
        // Told at one go, and anew: when each was made, and which presses came then, is not known.
        if next == made || missed.done.contains(&index) {
            return;
        }
        missed.overtake(Overtaken { index, side, made, judge, pressed, lent });
    }

    /// A move was made just after a press that completed the player's move before it, and the
    /// opponent had moved in between.
    fn note_borrowed(&mut self, now: Moment, index: usize) {
        self.game.timing.missed.borrowed.answer(index);
        let Some(before) = index.checked_sub(2) else { return };
        let plies = self.game.score.plies();
        let Some([own, reply, made]) = plies.get(before..=index) else { return };
        let side = !own.after.turn();
        let [last, earlier] = *self.game.timing.missed.pressed.get(side);
        // What is told at one go is only told anew.
        let just_then = |press: &Moment| {
            let in_order = reply.released < *press && own.released < made.released;
            own.completed == Some(*press) && in_order && now <= *press + SCANNED
        };
        if last.as_ref().is_some_and(just_then) {
            let (made, pressed) = (own.released, [None, earlier]);
            let borrowed = Overtaken { index: before, side, made, judge: now, pressed, lent: None };
            self.game.timing.missed.borrowed = Borrowed::Open(borrowed);
        }
    }

    pub(super) fn missed_due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        let ripe = self.game.timing.missed.take_ripe(now);
        if ripe.is_empty() {
            return;
        }
        // Whatever is in somebody's hand may be put back where it came from.
        if !self.agrees() && !self.game.course.is_adrift() && self.game.score.ending().is_none() {
            let later = |it: Overtaken| Overtaken { judge: now + HEARD, ..it };
            self.game.timing.missed.waits = true;
            return self.game.timing.missed.overtaken.extend(ripe.into_iter().map(later));
        }
        for it in ripe {
            if !self.clocks.heard_since(it.judge, HEARD) && !self.clocks.lost() {
                // A clock that has fallen silent has not told a second more.
                let later = Overtaken { judge: now + HEARD, ..it };
                self.game.timing.missed.overtaken.push(later);
                self.game.timing.missed.waits = true;
            } else if self.was_missed(&it) {
                self.tell_missed(now, it, out);
            }
        }
        if self.game.timing.missed.told.is_empty() {
            self.close_kind(Kind::MissedPress, out);
        }
    }

    /// Whether no press has completed it. Only where the clock was heard all the time.
    fn was_missed(&self, it: &Overtaken) -> bool {
        let plies = self.game.score.plies();
        let (Some(ply), Some(next)) = (plies.get(it.index), plies.get(it.index + 2)) else {
            return false;
        };
        let own = |ply: &Ply| !ply.after.turn() == it.side && ply.confidence == Confidence::Seen;
        let watched =
            !self.clocks.lost() && self.clocks.watched().is_some_and(|watched| watched <= it.made);
        let about_then =
            |press: &Moment| *press + BEFORE_MOVE >= it.made && *press <= it.made + BROUGHT_IN;
        let pressed = it.pressed.iter().flatten().any(about_then)
            || self.has_pressed_for_all(it)
            || it.lent.as_ref().is_some_and(about_then) && self.is_none_missing(it.side);
        let doubted = self.game.course.is_adrift()
            || self.game.score.ending().is_some()
            || self.is_doubted(it.index, ply);
        own(ply) && own(next) && watched && !pressed && !doubted && self.presses_show()
    }

    /// Whether an alert about the position is open that was told when this move had been made, and
    /// is about moves from here or earlier on.
    fn is_doubted(&self, index: usize, ply: &Ply) -> bool {
        let number = u32::from(self.game.score.position_at(index).fullmoves());
        self.open_in_game().any(|it| {
            let about_it = it.move_number <= number && it.opened >= ply.released;
            it.kind == Kind::PositionToCheck && about_it
        })
    }

    /// Whether a press that nobody heard would show: in byo-yomi and in an hourglass times rise and
    /// stand for other reasons.
    pub(super) fn presses_show(&self) -> bool {
        let told = |control: TimeControl| {
            let periods = Color::ALL.into_iter().flat_map(|side| control.of(side).all().to_vec());
            periods.into_iter().all(|period| period.is_predictable())
        };
        self.control().is_none_or(told)
    }

    /// Whether the player has pressed as often since this move as he has moved, late or not.
    fn has_pressed_for_all(&self, it: &Overtaken) -> bool {
        let since = self.game.score.plies().get(it.index..).unwrap_or_default().iter();
        let moves = since.filter(|ply| !ply.after.turn() == it.side).count();
        let presses = self.game.timing.missed.pressed.get(it.side).iter().flatten();
        presses.filter(|press| **press > it.made).count() >= moves
    }

    /// Whether this player has pressed for all his moves: a press about then may have completed the
    /// one before, which was told late.
    fn is_none_missing(&self, side: Color) -> bool {
        self.game.score.completed_here(side) <= *self.clocks.presses().get(side)
    }

    fn tell_missed(&mut self, now: Moment, it: Overtaken, out: &mut Vec<Effect>) {
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
        self.game.timing.missed.told.push(it);
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
