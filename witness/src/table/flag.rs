//! A fallen flag. The clock says when it fell, the score how many moves were completed, the
//! position whether the opponent can mate.

use crate::table::tolerances::ADDED;
use eboard::{FaceTime, FlagMark, Moment};
use shakmaty::{ByColor, Chess, Color, KnownOutcome, Position};

use super::alerts::Saying;
use super::questions::About;
use super::{Effect, Play};
use crate::clock::{AfterPeriod, FlagFall};
use crate::ending::Award;
use crate::incident::{Advice, Facts, Gravity, Kind};
use crate::laws::both_flags::{self, Falls};
use crate::laws::flag::{self, Around, Consequence, Count, Fall, OnTheBoard};
use crate::laws::{late_flag, time_trouble};
use crate::score::{Confidence, Ply, Status};
use crate::unwinnable::Verdict;

impl Play {
    /// Article 6.8. A game that ended on the board before is over: the flag means nothing.
    pub(super) fn flag_fell(&mut self, now: Moment, fall: FlagFall, out: &mut Vec<Effect>) {
        // Before anything has begun a clock is only being set.
        let begun = self.game.score.began().is_some() || self.game.clock.ran_from_start;
        if self.game.score.ending().is_some() || !begun {
            return;
        }
        self.game.score.begin(now);
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
        if self.is_over_before(&fall) {
            // The step ends the game.
            return;
        }
        if let Some(advice) = self.over_before(&fall) {
            return self.tell_late_fall(now, &fall, advice, out);
        }
        self.tell_fall(now, fall, out);
    }

    /// Nothing that was done before keeps this fall from meaning something.
    fn tell_fall(&mut self, now: Moment, fall: FlagFall, out: &mut Vec<Effect>) {
        let count = self.count_for(&fall);
        let position = self.position_at_fall().clone();
        let mate = self.verdict(&position, !fall.side);
        let consequence = self.consequence(&fall, &count, &mate);
        let earlier = self.fell_before(&fall);
        let unmoved = self.game.score.plies().is_empty() && self.game.score.breaks().is_empty();
        let pressed_only = self.open_illegal().is_none_or(|it| it.kind == Kind::PressedWithoutMove);
        let unasked = unmoved && position.turn() != fall.side && earlier.is_none() && pressed_only;
        let either = self.is_flag_of_either(&fall);
        let consequence = if earlier.is_some() || unasked || either { None } else { consequence };
        let around = self.around(&fall);
        let whole = Fall { fall: &fall, count, consequence, mate: &mate, earlier, around };
        let facts = Facts {
            between: Some((fall.last_above_zero, fall.seen)),
            moves_completed: Some(count.completed),
            moves_required: count.required,
            grade: Some(fall.mark),
            consequence: whole.follows(),
            ..self.facts()
        };
        let (text, mut advice) = (flag::text(&fall), flag::advice(&whole));
        if unasked {
            self.judge_empty_press(now, out);
            advice = vec![late_flag::without_the_move(fall.side)];
        } else if either {
            advice.clear();
        } else if count.completed == 0 && !count.unpressed && count.whole {
            advice.push(late_flag::without_a_move(fall.side));
        }
        if either {
            advice.insert(0, late_flag::of_either());
        }
        let passed =
            consequence == Some(Consequence::PeriodPassed) && !self.game.course.is_adrift();
        let irregular =
            self.illegal_to_rule_on().map(|it| (it.kind, it.side)).filter(|_| !unasked && !passed);
        let facts =
            Facts { consequence: facts.consequence.filter(|_| irregular.is_none()), ..facts };
        advice.splice(0..0, self.to_rule_on_first(irregular));
        let gravity = self.settings.gravity(Kind::FlagFall);
        let gravity = if passed { Gravity::Note } else { gravity };
        let begun = self.clocks.period(fall.side) > fall.period;
        if passed && !begun && self.clocks.addition(fall.side).is_some() {
            self.game.timing.period_due = Some((fall.side, now + ADDED));
        }
        let saying = Saying { kind: Kind::FlagFall, side: Some(fall.side), text, facts, advice };
        let incident = self.raise_as(now, saying, gravity, out);
        let open = matches!(consequence, Some(Consequence::Undetermined) | None);
        if open && earlier.is_none() && !either && mate == Verdict::Undetermined {
            let about = About::Flag { incident, fall, count };
            self.ask(&position, !fall.side, about, out);
        }
    }

    /// Whether it is not known whose flag this is: the clock may have been started for the wrong
    /// player, or a player has used up his time who has made his move, and no press has shown yet
    /// which half is his.
    fn is_flag_of_either(&self, fall: &FlagFall) -> bool {
        let moved = !self.game.score.plies().is_empty();
        let out_of_turn = moved && self.position_at_fall().turn() != fall.side;
        self.clocks.are_sides_in_doubt() || out_of_turn && self.clocks.no_press_agreed()
    }

    /// Whether a mate or stalemate stands there that needs no ruling, and was made while the clock
    /// still had time for this player. It has not rested yet: the fall proves as much.
    fn is_over_before(&self, fall: &FlagFall) -> bool {
        let made = self.game.score.plies().len().checked_sub(1).and_then(|it| self.made_at(it));
        let over = self.over_on_the_board().filter(|(it, _)| self.hindrance(*it).is_none());
        over.is_some() && made.zip(fall.last_above_zero).is_some_and(|(made, above)| made < above)
    }

    /// The position that a fall found. What ends the game in the same moment was not there for
    /// certain.
    fn position_at_fall(&self) -> &Chess {
        let ended = usize::from(self.over_on_the_board().is_some());
        self.game.score.position_at(self.game.score.plies().len() - ended)
    }

    /// Why this fall decides nothing: what the board shows, or has shown, came before it.
    fn over_before(&self, fall: &FlagFall) -> Option<(Gravity, Vec<Advice>)> {
        let before = |ply: usize| {
            !self.game.course.is_adrift() && self.made_at(ply).is_some_and(|made| made <= fall.seen)
        };
        let above = fall.last_above_zero.unwrap_or(fall.seen);
        let sure = |ply: usize| self.made_at(ply).is_some_and(|made| made <= above);
        if let Some((ply, kind)) = self.ended_unannounced().filter(|(ply, _)| before(*ply)) {
            let number = u32::from(self.game.score.position_at(ply).fullmoves());
            let how = match kind {
                Kind::Fivefold => OnTheBoard::Fivefold,
                Kind::SeventyFive => OnTheBoard::SeventyFive,
                _ => OnTheBoard::Dead,
            };
            let sure = sure(ply);
            if self.against_the_move(ply).is_some() {
                return Some((Gravity::Look, vec![late_flag::open_before(how, sure)]));
            }
            let mut advice = self.unruled_first(KnownOutcome::Draw.into());
            let gravity = match sure && advice.is_empty() {
                true => Gravity::Note,
                false => Gravity::Look,
            };
            advice.push(late_flag::ended_before(how, number, sure));
            return Some((gravity, advice));
        }
        let last = self.game.score.plies().len().checked_sub(1)?;
        let over = self.over_on_the_board().filter(|_| before(last));
        // If nothing is to be ruled on first, the game ends by it, and the fall came as it did.
        let (ending, how) = over.filter(|(ending, _)| self.hindrance(*ending).is_some())?;
        let mut advice = self.unruled_first(ending.outcome);
        advice.push(match advice.is_empty() {
            true => late_flag::open_before(how, sure(last)),
            false => {
                let number = u32::from(self.game.score.position_at(last).fullmoves());
                late_flag::ended_before(how, number, sure(last))
            }
        });
        Some((Gravity::Look, advice))
    }

    /// Advice about an illegal move that keeps this from being the result.
    fn unruled_first(&self, outcome: Award) -> Vec<Advice> {
        let (id, kind) = self.unruled_illegal(outcome).unzip();
        let by = self.docket.all().find(|it| Some(it.id) == id).and_then(|it| it.side);
        self.to_rule_on_first(kind.map(|kind| (kind, by)))
    }

    fn tell_late_fall(
        &mut self,
        now: Moment,
        fall: &FlagFall,
        (gravity, advice): (Gravity, Vec<Advice>),
        out: &mut Vec<Effect>,
    ) {
        let facts = Facts {
            between: Some((fall.last_above_zero, fall.seen)),
            grade: Some(fall.mark),
            ..self.facts()
        };
        let (kind, side) = (Kind::FlagFall, Some(fall.side));
        let saying = Saying { kind, side, text: flag::text(fall), facts, advice };
        self.raise_as(now, saying, gravity, out);
    }

    /// Whose flag fell before this one and is down: what follows, follows from that.
    fn fell_before(&self, fall: &FlagFall) -> Option<Color> {
        let first = self.clocks.flags().next().filter(|first| first.side != fall.side)?;
        let follows = self.clocks.after_period(first.side, first.period) == AfterPeriod::Another;
        let passed = follows && self.clocks.has_made_his_moves(first.side, first.period);
        (!passed && self.clocks.reads_zero(first.side)).then_some(first.side)
    }

    /// Moves are counted from the score, never from the clock's own counter.
    fn count_for(&self, fall: &FlagFall) -> Count {
        let worked_out = |ply: &&Ply| {
            let own = ply.after.turn() != fall.side && ply.status == Status::Completed;
            own && ply.confidence == Confidence::Inferred
        };
        let plies = self.game.score.plies();
        let worked_out = plies.iter().filter(worked_out).count();
        let unpressed = |ply: &Ply| ply.after.turn() != fall.side && ply.status == Status::Released;
        Count {
            completed: self.game.score.moves_completed(fall.side),
            required: self.clocks.moves_required(fall.side, fall.period),
            unpressed: plies.last().is_some_and(unpressed),
            worked_out: u32::try_from(worked_out).unwrap_or(u32::MAX),
            whole: !self.game.course.is_adrift() && self.game.score.counts_all(),
        }
    }

    /// What the Laws make of it, by the score and the time control.
    fn consequence(&self, fall: &FlagFall, count: &Count, mate: &Verdict) -> Option<Consequence> {
        // In byo-yomi zero may be the end of the main time, or of one period of several.
        let byo_yomi = self.clocks.is_byo_yomi(fall.side) && fall.mark != FlagMark::Final;
        match self.clocks.after_period(fall.side, fall.period) {
            AfterPeriod::Unknown => None,
            _ if byo_yomi => None,
            AfterPeriod::Another if self.clocks.has_made_his_moves(fall.side, fall.period) => {
                Some(Consequence::PeriodPassed)
            }
            // There may be more moves than the board has seen.
            _ if count.required.is_some() && !count.whole => None,
            _ => Some(match mate {
                Verdict::Winnable(_) => Consequence::Loss,
                Verdict::Unwinnable => Consequence::Draw,
                Verdict::Undetermined => Consequence::Undetermined,
            }),
        }
    }

    /// What the event and the players' duties make of a fall.
    pub(super) fn around(&self, fall: &FlagFall) -> Around {
        // A clock that adds at zero shows the opponent more than he had until then.
        let control = self.control();
        let unwritten = |side: Color| {
            let (period, left) = match side == fall.side {
                true => (fall.period, FaceTime::ZERO),
                false => (self.clocks.period(side), fall.opponent),
            };
            let control = control.as_ref().map(|control| control.of(side));
            let short = &self.checks.short_of_time;
            fall.last_above_zero.is_some_and(|before| short.was_short(side, before))
                || control
                    .is_some_and(|it| time_trouble::need_not_write(it, usize::from(period), left))
        };
        let (white, black) = (unwritten(Color::White), unwritten(Color::Black));
        Around {
            edition: self.settings.edition,
            unsupervised: self.settings.is_unsupervised(),
            unwritten: ByColor { white, black },
        }
    }

    fn raise_both_flags(
        &mut self,
        now: Moment,
        fall: FlagFall,
        other: FlagFall,
        out: &mut Vec<Effect>,
    ) {
        let (white, black) = if fall.side == Color::White { (fall, other) } else { (other, fall) };
        let of = ByColor { white, black };
        let passed = |side: Color| {
            let period = of.get(side).period;
            let follows = self.clocks.after_period(side, period) == AfterPeriod::Another;
            follows && self.clocks.has_made_his_moves(side, period)
        };
        let rule = both_flags::rule(&self.settings, self.control(), of.map(|fall| fall.period));
        let position = self.game.score.position();
        let can_mate = |side: Color| self.verdict(position, side);
        let falls = Falls {
            falls: [fall, other],
            counts: of.map(|fall| self.count_for(&fall)),
            passed: ByColor { white: passed(Color::White), black: passed(Color::Black) },
            follows: self.clocks.after_period(fall.side, fall.period),
            mate: ByColor { white: can_mate(Color::White), black: can_mate(Color::Black) },
            rule,
            around: self.around(&fall),
        };
        let facts = Facts {
            between: Some((fall.last_above_zero.min(other.last_above_zero), fall.seen)),
            falls: Some(of.map(|fall| (fall.last_above_zero, fall.seen))),
            grade: Some(fall.mark),
            ..self.facts()
        };
        let both_passed = falls.passed.white && falls.passed.black && !self.game.course.is_adrift();
        let gravity = self.settings.gravity(Kind::BothFlags);
        let gravity = if both_passed { Gravity::Note } else { gravity };
        let (text, mut advice) = (both_flags::text(), both_flags::advice(&falls));
        let irregular = self.illegal_to_rule_on().map(|it| (it.kind, it.side));
        advice.splice(0..0, self.to_rule_on_first(irregular));
        let saying = Saying { kind: Kind::BothFlags, side: None, text, facts, advice };
        self.raise_under(now, rule.article(self.settings.edition), saying, gravity, out);
    }
}
