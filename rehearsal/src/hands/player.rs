//! A pair of hands with a sense of time: what has been done so far, what stands where, what the
//! clock holds. Which acts make a move or a mishap is decided by others.

use std::time::Duration;

use eboard::{Colour, Moment, Piece, Placement, Square};

use super::Manner;
use crate::{Act, Clock, Cue, Game, Rng, convert};

/// The hands of whoever acts at the table; there is only one pair at a time.
pub(super) struct Player<'a> {
    pub(super) manner: &'a Manner,
    pub(super) dice: Rng,
    pub(super) placement: Placement,
    pub(super) clock: Clock,
    pub(super) acts: Vec<Cue>,
    at: Duration,
}

impl<'a> Player<'a> {
    pub(super) fn new(game: &Game, manner: &'a Manner, seed: u64) -> Self {
        let turn = convert::colour(shakmaty::Position::turn(&game.start));
        Self {
            manner,
            dice: Rng::new(seed),
            placement: convert::placement(shakmaty::Position::board(&game.start)),
            clock: Clock::new(manner.control).giving_move_to(turn),
            acts: Vec::new(),
            at: Duration::ZERO,
        }
    }

    pub(super) fn wait(&mut self, span: Duration) {
        self.at = self.at.saturating_add(span.max(self.manner.least_gap));
    }

    /// A pause of random length, in milliseconds.
    pub(super) fn pause(&mut self, least_ms: u64, most_ms: u64) {
        let range = (Duration::from_millis(least_ms), Duration::from_millis(most_ms));
        let span = self.dice.between(range);
        self.wait(span);
    }

    pub(super) fn carry(&mut self) {
        let span = self.dice.between(self.manner.carry);
        self.wait(span);
    }

    /// The player to move thinks, never long enough to spend more than a part of what he has.
    pub(super) fn think(&mut self) {
        const MOVES_TO_COME: u32 = 12;
        let left = self.clock.left(self.now(), self.clock.to_move());
        let span = self.dice.between(self.manner.think);
        self.wait(span.min(left / MOVES_TO_COME));
    }

    pub(super) fn lift(&mut self, square: Square) {
        self.act(Act::Lift(square));
    }

    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        self.act(Act::Put(square, piece));
    }

    /// Lifts a piece and puts it somewhere, replacing what stands there.
    pub(super) fn carry_over(&mut self, from: Square, to: Square) {
        let Some(piece) = self.placement[from] else { return };
        self.lift(from);
        self.carry();
        self.put(to, piece);
    }

    pub(super) fn start_clock(&mut self, side: Colour) {
        self.act(Act::StartClock(side));
    }

    /// The player whose time counts reaches for the clock and presses.
    pub(super) fn press(&mut self) {
        let span = self.dice.between(self.manner.reach);
        self.wait(span);
        self.act(Act::Press(self.clock.to_move()));
    }

    /// Whose flag has fallen by now.
    pub(super) fn flagged(&self) -> Option<Colour> {
        let sides = [Colour::White, Colour::Black];
        sides.into_iter().find(|&side| self.clock.left(self.now(), side).is_zero())
    }

    pub(super) fn act(&mut self, act: Act) {
        act.apply(self.now(), &mut self.placement, &mut self.clock);
        self.acts.push((self.at, act));
    }

    pub(super) fn now(&self) -> Moment {
        Moment::ZERO + self.at
    }
}
