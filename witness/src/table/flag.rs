//! What a table tells of a fallen flag: the clock says when it fell, the score how many moves were
//! completed, the position whether the opponent can mate.

use eboard::{FlagMark, Moment, Word};
use shakmaty::{ByColor, Color, Position};

use super::alerts::Saying;
use super::questions::About;
use super::time::ADDED;
use super::{Effect, Table};
use crate::clock::FlagFall;
use crate::incident::{Facts, Gravity, Incident, Kind};
use crate::laws::flag::{self, Consequence, Count, Fall, OnTheBoard};
use crate::score::{Confidence, Ply, Status};
use crate::unwinnable::Verdict;

impl Table {
    /// Article 6.8. A game that ended on the board before is over: the flag means nothing.
    pub(super) fn flag_fell(&mut self, now: Moment, fall: FlagFall, out: &mut Vec<Effect>) {
        // Before anything has begun a clock is only being set.
        if self.score.ending().is_some() || self.score.began().is_none() {
            return;
        }
        let first = self.clocks.flags().next().map(|first| first.side);
        let stands = self.clocks.flags().any(|it| *it == fall);
        let other = self.clocks.flags().find(|it| it.side != fall.side).copied();
        let other = other.filter(|_| stands);
        if let Some(other) = other.filter(|it| it.seen == fall.seen && it.mark == fall.mark) {
            // One incident for both.
            if first == Some(fall.side) {
                self.raise_both_flags(now, fall, other, out);
            }
            return;
        }
        let count = self.count_for(&fall);
        let position = self.score.position().clone();
        let mate = self.verdict(&position, !fall.side);
        let consequence = self.consequence(&fall, &count, &mate);
        let earlier = self.fell_before(&fall);
        let consequence = earlier.map_or(consequence, |_| Consequence::Unknown);
        let whole = Fall { fall: &fall, count, consequence, mate: &mate, earlier };
        let facts = Facts {
            between: Some((fall.last_above_zero, fall.seen)),
            moves_completed: Some(count.completed),
            moves_required: count.required,
            grade: Some(flag::grade(fall.mark).into()),
            consequence: whole.follows().map(Word::from),
            ..self.facts()
        };
        let (text, advice) = (flag::text(&fall), flag::advice(&whole));
        let passed = consequence == Consequence::PeriodPassed && !self.adrift;
        let gravity = self.settings.gravity(Kind::FlagFall);
        let gravity = if passed { Gravity::Note } else { gravity };
        let begun = self.clocks.period(fall.side) > fall.period;
        if passed && !begun && self.clocks.addition(fall.side).is_some() {
            self.timing.period_due = Some((fall.side, now + ADDED));
        }
        let saying = Saying { kind: Kind::FlagFall, side: Some(fall.side), text, facts, advice };
        let incident = self.raise_as(now, saying, gravity, out);
        let open = [Consequence::Undetermined, Consequence::Unknown].contains(&consequence);
        if open && earlier.is_none() && mate == Verdict::Undetermined {
            let about = About::Flag { incident, fall, count };
            self.ask(&position, !fall.side, about, out);
        }
    }

    /// Whose flag fell before this one and is down: what follows, follows from that.
    fn fell_before(&self, fall: &FlagFall) -> Option<Color> {
        let first = self.clocks.flags().next().filter(|first| first.side != fall.side)?;
        let follows = self.clocks.is_last_period(first.side, first.period) == Some(false);
        let passed = follows && self.clocks.has_made_his_moves(first.side, first.period);
        (!passed && self.clocks.reads_zero(first.side)).then_some(first.side)
    }

    /// The game ended on the board although a flag was down: as long as nobody had observed or
    /// claimed the fall, the flag had not fallen (6.8).
    pub(super) fn ended_after_flag(&mut self, on_the_board: OnTheBoard, out: &mut Vec<Effect>) {
        // It is believed when it has rested, and stood there before.
        let made = self
            .score
            .plies()
            .last()
            .map(|ply| self.surface.picture().stirred(ply.mv.to()).min(ply.released));
        let passed = Consequence::PeriodPassed.name();
        let fall =
            |it: &&Incident| it.kind == Kind::FlagFall && it.facts.consequence.as_deref() != passed;
        let fall = self.docket.all().find(fall).map(|it| it.id);
        let Some((id, made)) = fall.zip(made) else { return };
        self.questions.forget_flag(id);
        let Some(incident) = self.docket.get_mut(id) else { return };
        let between = incident.facts.between;
        if between.is_some_and(|(above, _)| above.is_some_and(|above| made < above)) {
            // It was only believed later than the flag: the game was over.
            return self.close(id, out);
        }
        let seen = between.map_or(incident.opened, |(_, seen)| seen);
        incident.facts.consequence = None;
        incident.advice.splice(0..0, flag::ended_after(on_the_board, made, seen));
        out.push(Effect::Raised(Box::new(incident.clone())));
    }

    /// Moves are counted from the score, never from the clock's own counter.
    fn count_for(&self, fall: &FlagFall) -> Count {
        let worked_out = |ply: &&Ply| {
            let own = ply.after.turn() != fall.side && ply.status == Status::Completed;
            own && ply.confidence == Confidence::Inferred
        };
        let plies = self.score.plies();
        let worked_out = plies.iter().filter(worked_out).count();
        let unpressed = |ply: &Ply| ply.after.turn() != fall.side && ply.status == Status::Released;
        Count {
            completed: self.score.moves_completed(fall.side),
            required: self.clocks.moves_required(fall.side, fall.period),
            unpressed: plies.last().is_some_and(unpressed),
            worked_out: u32::try_from(worked_out).unwrap_or(u32::MAX),
            whole: !self.adrift && self.score.counts_all(),
        }
    }

    /// What the Laws make of it, by the score and the time control.
    fn consequence(&self, fall: &FlagFall, count: &Count, mate: &Verdict) -> Consequence {
        // In byo-yomi zero may be the end of the main time, or of one period of several.
        let byo_yomi = self.clocks.is_byo_yomi(fall.side) && fall.mark != FlagMark::Final;
        match self.clocks.is_last_period(fall.side, fall.period) {
            None => Consequence::Unknown,
            Some(_) if byo_yomi => Consequence::Unknown,
            Some(false) if self.clocks.has_made_his_moves(fall.side, fall.period) => {
                Consequence::PeriodPassed
            }
            // There may be more moves than the board has seen.
            Some(_) if count.required.is_some() && !count.whole => Consequence::Unknown,
            Some(_) => match mate {
                Verdict::Winnable(_) => Consequence::Loss,
                Verdict::Unwinnable => Consequence::Draw,
                Verdict::Undetermined => Consequence::Undetermined,
            },
        }
    }

    fn raise_both_flags(
        &mut self,
        now: Moment,
        fall: FlagFall,
        other: FlagFall,
        out: &mut Vec<Effect>,
    ) {
        let last = self.clocks.is_last_period(fall.side, fall.period);
        let above = fall.last_above_zero.min(other.last_above_zero);
        let (one, two) = ((fall.last_above_zero, fall.seen), (other.last_above_zero, other.seen));
        let (white, black) = if fall.side == Color::White { (one, two) } else { (two, one) };
        let facts = Facts {
            between: Some((above, fall.seen)),
            falls: Some(ByColor { white, black }),
            grade: Some(flag::grade(fall.mark).into()),
            ..self.facts()
        };
        let (text, advice) = (flag::both_text(), flag::both_advice(&[fall, other], last));
        self.raise(now, Saying { kind: Kind::BothFlags, side: None, text, facts, advice }, out);
    }
}
