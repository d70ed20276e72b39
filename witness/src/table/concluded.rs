//! A result that nobody has entered (kings in the centre, mate, stalemate). The same game goes on
//! beside it, as a copy of the table that receives the same input. The copy replaces the result if
//! its clock is pressed or started again, or if one king is put back beside the other; it has all
//! moves made meanwhile. After a mate it does so only if the mating move was changed, because
//! nobody plays on from a mate.

use std::sync::Arc;

use bincode::{Decode, Encode};
use eboard::{FaceTime, Moment};
use shakmaty::{ByColor, Color, Position};

use super::alerts::Saying;
use super::events::Step;
use super::parting::{Beside, By, Parting};
use super::{Effect, Event, Facet, Input, Phase, Play, Table};
use crate::clock::Lever;
use crate::detail::Detail;
use crate::ending::{Ending, Withdrawn};
use crate::incident::{Facts, Incident, Kind};
use crate::laws::results;
use crate::orders::Order;
use crate::score::{Ply, Score, Status};
use crate::tolerances::SIGNAL;

/// Without a clock only moves can say that the game goes on. After kings who said how it ended
/// players look at it together, from where it ended: eight moves each with nothing taken back are
/// more than that.
const AFTER_KINGS: usize = 16;
/// After a mating move that was changed, a move, its reply and the next one are.
const AFTER_MATE: usize = 3;

/// The game that goes on if what seemed to end it did not.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Concluded {
    game: Play,
    by: By,
    at: Moment,
    /// What the clock showed at the end.
    shown: Option<ByColor<FaceTime>>,
    /// What the clock said for sure of its lever last, then or since.
    lever: Option<Lever>,
    /// Both times have stood then or since.
    stood: bool,
}

impl Concluded {
    pub fn configure(&mut self, now: Moment, input: &Input) {
        let _ = self.game.step(now, input.clone(), &mut Vec::new());
    }

    /// What goes on from there, with whatever is due at this very moment.
    fn new(now: Moment, beside: Beside) -> Self {
        let Beside { by, mut game, .. } = beside;
        let mut effects = Vec::new();
        match by {
            By::Kings(_) => {}
            By::Board => {
                // The copy must know what this step has reported already.
                game.note_time(now, &mut effects);
                game.review_resumption(now, &mut effects);
            }
            By::Forfeit => {
                game.step = Step::default();
                game.game.reopen();
                game.begin_another(now, &mut effects);
                game.follow(now, &mut effects);
                game.step = Step::default();
                return Self { by, at: now, shown: None, lever: None, stood: false, game };
            }
        }
        let _ = game.step(now, Input::Due, &mut effects);
        let shown = game.clocks.state().map(|state| state.times);
        let lever = game.clocks.steady();
        let stood = lever.is_some_and(|it| !it.running);
        Self { by, at: now, shown, lever, stood, game }
    }

    /// Whether what goes on is this game, and not the next one.
    pub const fn is_of_this_game(&self) -> bool {
        !matches!(self.by, By::Forfeit)
    }

    /// When the table apart wants to be woken.
    pub fn deadline(&self) -> Option<Moment> {
        let game = self.game.deadline().map(|(at, _)| at);
        let put_right = match &self.by {
            By::Kings(kings) => kings.put_right_at,
            By::Board | By::Forfeit => None,
        };
        game.into_iter().chain(put_right).min()
    }

    /// Whether the clock is that of this game, and not set for the next one.
    fn is_clock_of_this_game(&self) -> bool {
        let Some(now) = self.game.clocks.state().map(|state| state.times) else { return false };
        !self.game.clocks.shows_a_start(self.game.settings.control) || Some(now) == self.shown
    }

    /// Whether hands at the clock say that the game goes on. One report of the clock may be
    /// damaged, and a result is not withdrawn for that: the next one has to say the same.
    fn is_pressed_for(&mut self) -> bool {
        let Some(now) = self.game.clocks.steady() else { return false };
        let before = self.lever.replace(now);
        let pressed = before.is_some_and(|it| it.running && it.side != now.side);
        let counts = now.running && self.game.clock_counts();
        let goes_on = counts && (pressed || self.stood);
        self.stood |= !now.running;
        goes_on && self.is_clock_of_this_game()
    }

    /// Whether the game apart says by now that this score is not the end of it. `another`: the
    /// pieces have stood set up since, and what is played from there is no part of it.
    fn goes_on(&mut self, now: Moment, over: &Score, another: bool) -> bool {
        let pressed = self.is_pressed_for() && self.game.array().is_none();
        let put_right = self.is_put_right(now);
        let home = self.game.board.surface.picture().shows(over.position().board());
        match &mut self.by {
            By::Kings(_) | By::Board if another => false,
            By::Kings(kings) => {
                if home && !std::mem::replace(&mut kings.home, true) {
                    // How the kings came there and back is nobody's turn.
                    self.game.restart_turns();
                }
                let home = kings.home;
                pressed
                    || put_right
                    || home && self.is_played_on(over, (over.plies().len(), AFTER_KINGS))
            }
            By::Board => {
                let goes_on_elsewhere = self.game.game.score.breaks().len() > over.breaks().len();
                let changed = self.in_common(over) < over.plies().len() || goes_on_elsewhere;
                let before = over.plies().len().saturating_sub(1);
                changed
                    && (pressed && self.game.agrees()
                        || self.is_played_on(over, (before, AFTER_MATE)))
            }
            By::Forfeit => !self.game.game.score.plies().is_empty(),
        }
    }

    /// How many moves of this score are moves of the game apart.
    fn in_common(&self, over: &Score) -> usize {
        let both = over.plies().iter().zip(self.game.game.score.plies());
        both.take_while(|(one, other)| one.mv == other.mv).count()
    }

    /// Without a clock only moves can say that the game goes on: whether so many have been made
    /// after the first so many of this score.
    fn is_played_on(&self, over: &Score, (from, enough): (usize, usize)) -> bool {
        let game = &self.game;
        let unclocked = !game.game.clock.ran || game.clocks.lost();
        let plays = game.agrees() && !game.game.reading.several_ways && game.array().is_none();
        let made = game.game.score.plies().len();
        unclocked && plays && self.in_common(over) == from && made >= from + enough
    }

    /// Whether one king stays where a lawful move has brought it, and the other one was put back
    /// long enough ago. Where both were put back, one that goes there again is only tried out.
    fn is_put_right(&mut self, now: Moment) -> bool {
        let game = &self.game;
        let stands = game.game.clock.ran && game.clocks.stopped();
        let agrees = game.agrees() && !game.game.reading.several_ways;
        // A board that sees no pieces may be read otherwise while nothing is touched.
        let touched = game.board.surface.changed() > self.at;
        let By::Kings(kings) = &mut self.by else { return false };
        let board = game.game.score.position().board();
        let stays = |side: Color| board.king_of(side) == Some(*kings.squares.get(side));
        let one = kings.both_came && !kings.home && stays(Color::White) != stays(Color::Black);
        let shows = one && touched && !stands && agrees;
        kings.put_right_at = shows.then(|| kings.put_right_at.unwrap_or(now + SIGNAL));
        kings.put_right_at.is_some_and(|at| at <= now)
    }
}

impl Table {
    /// Gives the input to the game apart, if there is one. True if that game is the one that is
    /// played now: it has handled the input already.
    pub(super) fn goes_on(&mut self, now: Moment, input: &Input, out: &mut Vec<Effect>) -> bool {
        let Some(mut concluded) = self.apart.take() else { return false };
        let mut effects = Vec::new();
        let _ = concluded.game.step(now, input.clone(), &mut effects);
        let of_this_game = concluded.is_of_this_game();
        if of_this_game && concluded.game.game.number != self.play.game.number {
            return false;
        }
        let another = self.play.is_left_for_another();
        if !concluded.goes_on(now, &self.play.game.score, another) {
            out.extend(effects.into_iter().filter(|it| matches!(it, Effect::Survey)));
            self.apart = Some(concluded);
            return false;
        }
        let seen = |it: &Effect| {
            let done = matches!(it, Effect::Event(Event::Touched(_) | Event::Pressed(_)));
            done || matches!(it, Effect::Changed(_) | Effect::Survey)
        };
        out.extend(effects.into_iter().filter(seen));
        if !of_this_game {
            self.play_another(concluded, out);
            return true;
        }
        let ending = self.play.game.score.ending();
        self.withdraw(now, concluded, out);
        ending.into_iter().for_each(|ending| self.play.tell_withdrawn(now, ending, out));
        true
    }

    /// Begins or ends the game apart, as the step asks. True if there is another one now.
    pub(super) fn part(&mut self, now: Moment) -> bool {
        match std::mem::take(&mut self.play.step.parting) {
            Parting::Stays => return false,
            Parting::Ends => self.apart = None,
            Parting::Begins(beside) => {
                let goes_on = self.apart.as_ref().is_some_and(|it| !it.is_of_this_game());
                if goes_on && matches!(beside.by, By::Forfeit) && !beside.anew {
                    return false;
                }
                self.apart = Some(Box::new(Concluded::new(now, *beside)));
            }
        }
        true
    }

    /// Gives the game apart an order that concerns neither result nor position.
    pub(super) fn order_apart(&mut self, now: Moment, order: Order) {
        let concerns = matches!(
            order,
            Order::Acknowledge { .. }
                | Order::Rule { .. }
                | Order::PenaltyGiven(_)
                | Order::PenaltyWithdrawn(_)
                | Order::WrongClaim(_)
                | Order::Undo { .. }
                | Order::Flip
        );
        if let Some(concluded) = self.apart.as_mut().filter(|_| concerns) {
            // What it refuses this table refuses as well, and says so.
            let _ = concluded.game.decide(now, Input::Ordered(order), &mut Vec::new());
        }
    }

    /// An arbiter says that the game goes on. True if the game apart is the one that is played now.
    pub(super) fn resume(&mut self, now: Moment, out: &mut Vec<Effect>) -> bool {
        let Some(concluded) = self.apart.take().filter(|it| it.is_of_this_game()) else {
            return false;
        };
        self.withdraw(now, concluded, out);
        self.play.goes_on_from_here();
        self.play.follow(now, out);
        true
    }

    /// Another game than the one that has its result here is played.
    fn play_another(&mut self, concluded: Box<Concluded>, out: &mut Vec<Effect>) {
        let before = std::mem::replace(&mut self.play, concluded.game);
        let play = &mut self.play;
        (play.is_apart, play.step) = (false, Step::default());
        out.push(Effect::NextRound);
        out.push(Effect::Event(Event::NewGame(Some(Arc::new(before.game.score.clone())))));
        play.tell_moves_from(0, &[], out);
        play.tell_incidents_since(&before, out);
        play.tell_whole(before.phase, out);
    }

    /// The result is none: the game that went on apart is the one that is played.
    fn withdraw(&mut self, now: Moment, concluded: Box<Concluded>, out: &mut Vec<Effect>) {
        let Some(ending) = self.play.game.score.ending() else { return };
        let before = std::mem::replace(&mut self.play, concluded.game);
        let play = &mut self.play;
        (play.is_apart, play.game.kings.no_sign_before, play.step) = (false, now, Step::default());
        play.docket.number_after(&before.docket);
        // What hands did while the game seemed to be over is nobody's turn.
        play.restart_turns();
        play.game.withdraw(Withdrawn { ending, at: now }, before.game.score.rev());
        play.tell_moves_since(&before, out);
        play.tell_incidents_since(&before, out);
        out.push(Effect::Event(Event::Result));
        play.tell_whole(before.phase, out);
    }
}

impl Play {
    fn tell_whole(&self, before: Phase, out: &mut Vec<Effect>) {
        if self.phase != before {
            out.push(Effect::Event(Event::Phase(self.phase)));
        }
        let whole = [Facet::Board, Facet::Position, Facet::Game, Facet::Clock, Facet::Ledger];
        out.extend(whole.map(Effect::Changed));
    }

    /// Nobody has said that the game goes on: hands have.
    fn tell_withdrawn(&mut self, now: Moment, ending: Ending, out: &mut Vec<Effect>) {
        let text = results::withdrawn(ending);
        let facts = Facts { detail: Some(Detail::PlayGoesOn), ..self.facts() };
        let advice = vec![results::withdrawn_advice()];
        let kind = Kind::ResultMismatch;
        self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
    }

    fn tell_moves_since(&self, before: &Self, out: &mut Vec<Effect>) {
        let (then, now) = (before.game.score.plies(), self.game.score.plies());
        let same = then.iter().zip(now).take_while(|(one, other)| one.mv == other.mv).count();
        out.push(Effect::Event(Event::Revised { from: same, rev: self.game.score.rev() }));
        self.tell_moves_from(same, then, out);
    }

    /// The moves from this one on, and those before it that have been completed since then.
    fn tell_moves_from(&self, same: usize, then: &[Ply], out: &mut Vec<Effect>) {
        let completed = |ply: Option<&Ply>| ply.is_some_and(|it| it.status == Status::Completed);
        for (index, ply) in self.game.score.plies().iter().enumerate() {
            let released = self.released(index).filter(|_| index >= same);
            let known = index < same && completed(then.get(index));
            let completed = self.completed(index).filter(|_| completed(Some(ply)) && !known);
            out.extend(released.into_iter().chain(completed).map(Effect::Event));
        }
    }

    fn tell_incidents_since(&self, before: &Self, out: &mut Vec<Effect>) {
        let gone = before.docket.all().filter(|it| !self.is_open(it.id));
        out.extend(gone.map(|it| Effect::Closed(Box::new(it.clone()), None)));
        let known = |it: &&Incident| before.docket.all().any(|other| other == *it);
        let new = self.docket.all().filter(|it| !known(it));
        out.extend(new.map(|it| Effect::Raised(Box::new(it.clone()))));
        let asked = self.questions().filter(|it| before.questions().all(|other| other != *it));
        out.extend(asked.map(|it| Effect::Asked(Box::new(it.clone()))));
    }
}
