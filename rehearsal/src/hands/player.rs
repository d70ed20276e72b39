//! A pair of hands with a sense of time: what has been done so far, what stands where, what the
//! clock holds. Which acts make a move or a mishap is decided by others.

use std::time::Duration;

use eboard::{Colour, Moment, Piece, Placement, Square};

use super::{Habit, Manner};
use crate::{Act, Clock, Cue, Game, Permille, Rng, convert};

/// The hands of whoever acts at the table; there is only one pair at a time.
pub(super) struct Player<'a> {
    pub(super) manner: &'a Manner,
    pub(super) dice: Rng,
    /// For habits that came later (see [`Habit::came_later`]).
    whims: Rng,
    pub(super) placement: Placement,
    /// Where the men are put in the end.
    pub(super) home: Placement,
    pub(super) clock: Clock,
    pub(super) acts: Vec<Cue>,
    /// How many moves of the game have been made.
    pub(super) ply: usize,
    /// When each of them stood finished.
    pub(super) made: Vec<Duration>,
    pub(super) done: Vec<(usize, Habit)>,
    /// What interrupts the hand the next time it carries a piece.
    pub(super) distraction: Distraction,
    /// What was left undone at the press.
    pub(super) forgotten: Option<Forgotten>,
    /// Whose move was answered before he has pressed.
    pub(super) owed: Option<Colour>,
    /// This habit shows at its next occasion, whatever the dice say.
    pub(super) forced: Option<Habit>,
    /// The next press will be late.
    pub(super) dawdles: bool,
    /// When the time that counts began to.
    turn_began: Duration,
    at: Duration,
}

/// What a player has not done although he has pressed.
#[derive(Clone, Copy)]
pub(super) enum Forgotten {
    /// To take this pawn off.
    Taken(Square),
    /// To put this piece there instead of the pawn.
    Promoted(Square, Piece),
}

/// What happens while a piece is in the air.
#[derive(Default)]
pub(super) struct Distraction {
    /// The player thinks on.
    pub(super) thinks: bool,
    /// These fall over.
    pub(super) knocks: Vec<Square>,
}

impl<'a> Player<'a> {
    pub(super) fn new(game: &Game, manner: &'a Manner, seed: u64) -> Self {
        let turn = convert::colour(shakmaty::Position::turn(&game.start));
        let placement = convert::placement(shakmaty::Position::board(&game.start));
        Self {
            manner,
            dice: Rng::new(seed),
            whims: Rng::new(!seed),
            placement,
            home: home(placement),
            clock: Clock::new(manner.control).giving_move_to(turn),
            acts: Vec::new(),
            ply: 0,
            made: Vec::new(),
            done: Vec::new(),
            distraction: Distraction::default(),
            forgotten: None,
            owed: None,
            forced: None,
            dawdles: false,
            turn_began: Duration::ZERO,
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

    /// A piece is in the air.
    pub(super) fn carry(&mut self) {
        let Distraction { thinks, knocks } = std::mem::take(&mut self.distraction);
        if thinks {
            self.did(Habit::LongHold);
            self.pause(3000, 15_000);
        }
        if !knocks.is_empty() {
            self.knock_over(&knocks);
        }
        let span = self.dice.between(self.manner.carry);
        let pressed = self.owed.is_some() && self.dice.below(3) == 0;
        if pressed {
            self.wait(span / 2);
            self.press_owed();
            self.wait(span / 2);
        } else {
            self.wait(span);
        }
    }

    /// The player to move thinks, never long enough to spend more than a part of what he has.
    pub(super) fn think(&mut self) {
        const MOVES_TO_COME: u32 = 12;
        if let Some(turn) = self.manner.turns.get(self.ply).copied() {
            let hands = (self.manner.carry.1 + self.manner.reach.1).min(turn / 2);
            return self.wait_until(self.turn_began + turn.saturating_sub(hands));
        }
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
        // The move that is pressed for is counted already.
        let turn = self.ply.checked_sub(1).and_then(|ply| self.manner.turns.get(ply));
        if let Some(turn) = turn.copied() {
            self.wait_until(self.turn_began + turn);
        }
        self.act(Act::Press(self.clock.to_move()));
    }

    fn wait_until(&mut self, at: Duration) {
        self.wait(at.saturating_sub(self.at));
    }

    /// The press that was answered before it was made.
    pub(super) fn press_owed(&mut self) {
        if let Some(side) = self.owed.take() {
            self.act(Act::Press(side));
        }
    }

    /// Whose flag has fallen by now.
    pub(super) fn flagged(&self) -> Option<Colour> {
        let sides = [Colour::White, Colour::Black];
        sides.into_iter().find(|&side| self.clock.left(self.now(), side).is_zero())
    }

    /// Whether this habit shows now. With no such habit no die is thrown; in time trouble none
    /// shows.
    pub(super) fn inclined(&mut self, habit: Habit) -> bool {
        if let Some(forced) = self.forced
            && forced.is_instead_of(habit)
        {
            self.forced = self.forced.filter(|_| forced != habit);
            return forced == habit;
        }
        let rate = self.manner.habits.rate(habit);
        let dice = if habit.came_later() { &mut self.whims } else { &mut self.dice };
        rate > Permille(0) && dice.chance(rate) && self.has_time(habit.span_max())
    }

    fn has_time(&self, span: Duration) -> bool {
        const RESERVE: Duration = Duration::from_secs(10);
        let left = self.clock.left(self.now(), self.clock.to_move());
        span.is_zero() || left > span * 2 + RESERVE
    }

    /// Notes that a habit has shown.
    pub(super) fn did(&mut self, habit: Habit) {
        self.done.push((self.ply, habit));
    }

    /// Whether this habit shows now; noted if so.
    pub(super) fn has(&mut self, habit: Habit) -> bool {
        let shows = self.inclined(habit);
        if shows {
            self.did(habit);
        }
        shows
    }

    pub(super) fn act(&mut self, act: Act) {
        let before = self.clock.to_move();
        act.apply(self.now(), &mut self.placement, &mut self.clock);
        if self.clock.to_move() != before || matches!(act, Act::StartClock(_)) {
            self.turn_began = self.at;
        }
        self.acts.push((self.at, act));
    }

    pub(super) fn now(&self) -> Moment {
        Moment::ZERO + self.at
    }

    pub(super) const fn elapsed(&self) -> Duration {
        self.at
    }
}

/// The array the game began with if it began with one, of Chess960 too; else the usual one.
fn home(start: Placement) -> Placement {
    let (usual, ranks) = (Placement::starting(), [0, 1, 6, 7]);
    let full = usual.occupancy() == start.occupancy();
    let pawns = Square::all()
        .filter(|square| ranks.contains(&square.rank()) && (1..=6).contains(&square.rank()))
        .all(|square| start[square] == usual[square]);
    if full && pawns { start } else { usual }
}
