//! A result that the kings have given, and the same game beside it as it goes on if they have not:
//! a table apart, which is told all that this one is told. When its clock is pressed or started
//! again, or when one king is put back beside the other, the result is withdrawn and that game is
//! the one that is played, with whatever was moved meanwhile.

use bincode::{Decode, Encode};
use eboard::{FaceTime, Moment};
use shakmaty::{ByColor, Color, Position, Square};

use super::alerts::Saying;
use super::{Effect, Event, Facet, Table};
use crate::ending::Withdrawn;
use crate::incident::{Facts, Incident, Kind};
use crate::laws::results;
use crate::orders::Order;
use crate::score::{Ply, Status};
use crate::settings::Settings;
use crate::signal::Shown;

/// Why a result does not fit: the game goes on.
const GOES_ON: &str = "play_goes_on";
/// Numbers that the game apart leaves to the one that is over.
const NUMBERS_LEFT: u32 = 100;

/// The game that goes on if the kings were no sign.
#[derive(Clone, Debug, Encode, Decode)]
pub(super) struct Concluded {
    game: Table,
    kings: ByColor<Square>,
    at: Moment,
    /// Both came there: one of them may have made a move.
    both_came: bool,
    /// What the clock showed at the sign.
    shown: Option<ByColor<FaceTime>>,
    /// Both times have stood then or since.
    stood: bool,
    /// One king has been put back, and until when it must stay there.
    put_right_at: Option<Moment>,
}

impl Concluded {
    pub fn configure(&mut self, settings: Settings) {
        self.game.configure(settings);
    }

    /// When the table apart wants to be woken.
    fn deadline(&self) -> Option<Moment> {
        let game = self.game.deadline().map(|(at, _)| at);
        game.into_iter().chain(self.put_right_at).min()
    }

    /// Whether the clock is that of this game, and not set for the next one.
    fn is_clock_of_this_game(&self) -> bool {
        let Some(now) = self.game.clocks.state().map(|state| state.times) else { return false };
        let start = self.game.settings.control.and_then(|control| control.start());
        let set = match start {
            Some(start) => now == start,
            None => now.white == now.black,
        };
        !set || Some(now) == self.shown
    }

    /// Whether hands at the clock say that the game goes on.
    fn is_pressed_for(&mut self, told: &[Effect]) -> bool {
        let counts = self.game.clock_counts();
        let pressed = told.iter().any(|it| matches!(it, Effect::Told(Event::Pressed(_))));
        let started = self.stood && counts;
        self.stood |= self.game.clocks.stopped();
        (pressed || started) && self.is_clock_of_this_game()
    }

    /// Whether one king stays where a lawful move has brought it, and the other one was put back.
    fn shows_one_king_put_back(&self) -> bool {
        let board = self.game.score.position().board();
        let stays = |side: Color| board.king_of(side) == Some(*self.kings.get(side));
        let stands = self.game.clock_ran && self.game.clocks.stopped();
        let agrees = self.game.agrees() && !self.game.several_ways;
        // A board that sees no pieces may be read otherwise while nothing is touched.
        let touched = self.game.surface.changed() > self.at;
        self.both_came && touched && !stands && agrees && stays(Color::White) != stays(Color::Black)
    }
}

impl Table {
    /// The game as it goes on if this picture is no sign.
    pub(super) fn apart(&self, now: Moment, sign: Shown) -> Box<Concluded> {
        let mut game = Self { signal_at: None, concluded: None, is_apart: true, ..self.clone() };
        game.docket.leave_numbers(NUMBERS_LEFT);
        game.questions.leave_numbers(NUMBERS_LEFT);
        // Whatever is due at this very moment is due there too.
        game.due(now, &mut Vec::new());
        Box::new(Concluded {
            kings: ByColor { white: sign.kings[0], black: sign.kings[1] },
            at: now,
            both_came: sign.moved == [true; 2],
            shown: game.clocks.state().map(|state| state.times),
            stood: game.clocks.stopped(),
            put_right_at: None,
            game,
        })
    }

    pub(super) fn goes_on_at(&self) -> Option<Moment> {
        self.concluded.as_ref().and_then(|concluded| concluded.deadline())
    }

    /// Lets the game apart, if there is one, know what this one is to know. Tells whether that game
    /// is this one now: then it knows already.
    pub(super) fn goes_on(
        &mut self,
        now: Moment,
        out: &mut Vec<Effect>,
        tell: impl FnOnce(&mut Self, &mut Vec<Effect>),
    ) -> bool {
        let Some(mut concluded) = self.concluded.take() else { return false };
        let mut told = Vec::new();
        tell(&mut concluded.game, &mut told);
        if concluded.game.game != self.game {
            return false;
        }
        let pressed = concluded.is_pressed_for(&told) && concluded.game.array().is_none();
        concluded.put_right_at = concluded
            .shows_one_king_put_back()
            .then(|| concluded.put_right_at.unwrap_or(now + Settings::SIGNAL));
        let put_right = concluded.put_right_at.is_some_and(|at| at <= now);
        if !pressed && !put_right {
            out.extend(told.into_iter().filter(|it| matches!(it, Effect::Survey)));
            self.concluded = Some(concluded);
            return false;
        }
        let seen = |it: &Effect| {
            let done = matches!(it, Effect::Told(Event::Touched(_) | Event::Pressed(_)));
            done || matches!(it, Effect::Changed(_) | Effect::Survey)
        };
        out.extend(told.into_iter().filter(seen));
        self.withdraw(now, concluded, out);
        true
    }

    /// The game apart is told of an order that concerns neither result nor position.
    pub(super) fn order_apart(&mut self, now: Moment, order: &Order) {
        let concerns = matches!(
            order,
            Order::Acknowledge { .. }
                | Order::Rule { .. }
                | Order::PenaltyGiven { .. }
                | Order::WrongClaim(_)
                | Order::Flip
        );
        if let Some(concluded) = self.concluded.as_mut().filter(|_| concerns) {
            // What it refuses this table refuses as well, and says so.
            let _ = concluded.game.order(now, order.clone(), &mut Vec::new());
        }
    }

    /// The result is none: the game that went on apart is the one that is played.
    pub(super) fn withdraw(
        &mut self,
        now: Moment,
        concluded: Box<Concluded>,
        out: &mut Vec<Effect>,
    ) {
        let Some(ending) = self.score.ending() else { return };
        let before = std::mem::replace(self, concluded.game);
        (self.is_apart, self.no_sign_before) = (false, now);
        self.docket.number_after(&before.docket);
        // What hands did while the game seemed to be over is nobody's turn.
        self.restart_turns();
        self.score.withdraw(Withdrawn { ending, at: now }, before.score.rev());
        self.tell_moves_since(&before, out);
        self.tell_incidents_since(&before, out);
        out.push(Effect::Told(Event::Result));
        if self.phase != before.phase {
            out.push(Effect::Told(Event::Phase(self.phase)));
        }
        let whole = [Facet::Board, Facet::Position, Facet::Game, Facet::Clock, Facet::Ledger];
        out.extend(whole.map(Effect::Changed));
        let text = results::withdrawn(ending.outcome);
        let facts = Facts { reason: Some(GOES_ON.into()), ..self.facts() };
        let advice = vec![results::withdrawn_advice()];
        let kind = Kind::ResultMismatch;
        self.raise(now, Saying { kind, side: None, text, facts, advice }, out);
    }

    fn tell_moves_since(&self, before: &Self, out: &mut Vec<Effect>) {
        let (then, now) = (before.score.plies(), self.score.plies());
        let same = then.iter().zip(now).take_while(|(one, other)| one.mv == other.mv).count();
        out.push(Effect::Told(Event::Revised { from: same, rev: self.score.rev() }));
        let completed = |ply: Option<&Ply>| ply.is_some_and(|it| it.status == Status::Completed);
        for index in 0..now.len() {
            if index >= same {
                self.tell_released(index, out);
            }
            let known = index < same && completed(then.get(index));
            if completed(now.get(index)) && !known {
                self.tell_completed(index, out);
            }
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
