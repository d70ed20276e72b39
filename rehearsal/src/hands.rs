//! Virtual players: a game, a manner and a seed become acts over time. They know the game they are
//! to play; they do not think about chess, and they see no board but their own memory of it.

mod castling;
mod closing;
mod fidgeting;
mod habit;
mod meddling;
mod mishap;
mod moving;
mod player;
mod settling;
mod taking;

use std::time::Duration;

use eboard::{Colour, Placement};
use shakmaty::{Chess, Color, KnownOutcome, Outcome, Position};

pub use self::habit::{Habit, Habits};
use crate::{Cue, Game, Pace, Permille, TimeControl, convert};
pub use mishap::Mishap;
use mishap::Plan;
use player::Player;

/// How the players at a table behave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manner {
    /// What the clock is set to. With little left, the players think less.
    pub control: TimeControl,
    /// How long a player thinks before he touches a piece: least and most.
    pub think: (Duration, Duration),
    /// How long each turn of the game takes, from press to press, as far as it is known: players
    /// who have moved by then wait with their press, others press late.
    pub turns: Vec<Duration>,
    /// How long a piece is in the air.
    pub carry: (Duration, Duration),
    /// How long from the last piece put down to the press.
    pub reach: (Duration, Duration),
    /// How often a rook, bishop or queen is slid over the squares between instead of lifted.
    pub slides: Permille,
    /// How often a piece is touched and put back before it is moved.
    pub adjusts: Permille,
    /// Whether a captured piece is always lifted before another stands on its square, as makers of
    /// boards that only sense occupied squares ask for.
    pub lifts_captured: bool,
    /// What else they do, and how often.
    pub habits: Habits,
    /// One of these happens in the game, at a random move; none if empty.
    pub mishaps: Vec<Mishap>,
    /// Whether the arbiter gives the opponent time after an illegal move.
    pub penalty: bool,
    /// Whether the players set the pieces up again in the end.
    pub tidy_up: bool,
    /// Acts at different moments are never closer than this.
    pub least_gap: Duration,
    /// The kings stay in the centre at least this long.
    pub shown: Duration,
}

impl Default for Manner {
    fn default() -> Self {
        let ms = Duration::from_millis;
        Self {
            control: TimeControl::new(300, 3),
            think: (ms(1000), ms(12_000)),
            turns: Vec::new(),
            carry: (ms(300), ms(900)),
            reach: (ms(300), ms(800)),
            slides: Permille(80),
            adjusts: Permille(15),
            lifts_captured: false,
            habits: Habits::default(),
            mishaps: Vec::new(),
            penalty: false,
            tidy_up: true,
            least_gap: Duration::ZERO,
            shown: SHOWN,
        }
    }
}

impl Manner {
    /// Blitz players in a hurry, with all their [`Habits`].
    #[must_use]
    pub fn clumsy() -> Self {
        let ms = Duration::from_millis;
        Self {
            control: TimeControl::new(180, 2),
            think: (ms(300), ms(6000)),
            carry: (ms(120), ms(600)),
            reach: (ms(150), ms(500)),
            slides: Permille(120),
            adjusts: Permille(30),
            habits: Habits::clumsy(),
            ..Self::default()
        }
    }

    /// The same players, slow enough for a stage at this pace: it will not have to stretch
    /// anything, so their clocks agree with its clock, and a result is shown long enough for
    /// whoever watches in our time.
    #[must_use]
    pub fn at(self, pace: Pace) -> Self {
        Self { least_gap: pace.least_gap(), shown: pace.worlds(SHOWN), ..self }
    }
}

/// What virtual players do in one game, and what really happened in it.
#[derive(Clone, Debug)]
pub struct Performance {
    /// What stands on the board in the beginning.
    pub start: Placement,
    /// What is done when, in order of time.
    pub acts: Vec<Cue>,
    /// What a perfect observer would know.
    pub truth: Truth,
    /// When each move of [`Truth::plies`] stood finished on the board, with what had been knocked
    /// over put up again.
    pub made: Vec<Duration>,
    /// Which habits showed, before how many moves of the game had been made.
    pub done: Vec<(usize, Habit)>,
}

/// What really happened in a performance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    /// How many moves of the game were made.
    pub plies: usize,
    /// How it ended; not as in the game if a flag fell.
    pub outcome: Outcome,
    /// What went wrong, before which move of the game (0 is the first).
    pub mishap: Option<(usize, Mishap)>,
    /// Whose flag fell.
    pub flag: Option<Colour>,
    /// The flag fell while a move was being made that was finished all the same: it stands on the
    /// board and is not among the plies. A score with it is as right as one without.
    pub late: bool,
}

/// Long enough for a result to be believed: the boards' makers tell players to wait 5 s.
const SHOWN: Duration = Duration::from_secs(5);

/// How long the players sit before the clock is started.
const SETTLING_DOWN: Duration = Duration::from_secs(2);

/// Lets virtual players play this game in this manner. The same seed gives the same acts.
///
/// A game ends early at a move that is not legal and does not stand.
#[must_use]
pub fn perform(game: &Game, manner: &Manner, seed: u64) -> Performance {
    let mut player = Player::new(game, manner, seed);
    let mut plan = Plan::draw(manner, game, &mut player.dice);
    let wrong = player.lay_out(&game.start);
    let start = player.placement;
    let mut position = game.start.clone();
    let (mut mishap, mut late) = (None, false);
    player.wait(SETTLING_DOWN);
    player.settle_down(&game.start, wrong);
    player.start_clock(convert::colour(position.turn()));
    for (ply, &played) in game.moves.iter().enumerate() {
        let Some(after) = game.after(ply, &position) else { break };
        let turn = convert::colour(position.turn());
        player.prepare();
        if player.owed.is_none() && player.clock.to_move() == turn {
            let happened = plan.happen(ply, &position, played, &mut player);
            mishap = happened.map(|what| (ply, what)).or(mishap);
        }
        if player.flagged().is_none() {
            player.play(&position, played);
            late = player.flagged().is_some();
        }
        if player.flagged().is_some() {
            break;
        }
        position = after;
        player.finish_move();
        if position.is_checkmate() || position.is_stalemate() {
            player.remember();
            break;
        }
        player.complete(turn, ply + 1 < game.moves.len());
        if player.flagged().is_some() {
            break;
        }
    }
    let mishap = mishap.filter(|&(at, what)| player.has_erred(at, what));
    let flag = player.flagged();
    let outcome = outcome(game.outcome, &position, flag);
    let truth = Truth { plies: player.made.len(), outcome, mishap, flag, late };
    player.close(&position, truth);
    let Player { acts, made, done, .. } = player;
    Performance { start, acts, truth, made, done }
}

impl Player<'_> {
    /// Thinks, unless the answer is ready before the other player has pressed.
    fn prepare(&mut self) {
        match self.owed {
            Some(_) => self.pause(120, 500),
            None => self.think(),
        }
    }

    /// The move stands on the board.
    fn finish_move(&mut self) {
        self.ply += 1;
        self.made.push(self.acts.last().map_or(self.elapsed(), |&(at, _)| at));
    }

    /// Presses for the move just made by this player, or lets it be.
    fn complete(&mut self, mover: Colour, more: bool) {
        if self.owed.is_some() {
            let span = self.dice.between(self.manner.reach);
            self.wait(span);
            self.press_owed();
        }
        if self.clock.to_move() != mover {
            return self.remember();
        }
        let answered = more && self.forgotten.is_none();
        if std::mem::take(&mut self.dawdles) {
            self.pause(36_000, 50_000);
        } else if answered && self.has(Habit::ATempo) {
            self.owed = Some(mover);
            return;
        } else if answered && self.has(Habit::MissedPress) {
            return;
        }
        self.press();
        if self.forgotten.is_none() && self.flagged().is_none() {
            self.straighten();
        }
        self.remember();
    }
}

/// A flag loses unless the opponent has nothing to mate with; otherwise it is as the game says.
fn outcome(of_game: Outcome, position: &Chess, flag: Option<Colour>) -> Outcome {
    let Some(flag) = flag else { return of_game };
    let winner = match flag {
        Colour::White => Color::Black,
        Colour::Black => Color::White,
    };
    Outcome::Known(match position.has_insufficient_material(winner) {
        true => KnownOutcome::Draw,
        false => KnownOutcome::Decisive { winner },
    })
}

#[cfg(test)]
mod tests;
